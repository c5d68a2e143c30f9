package scan

import (
	"fmt"
	"testing"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
)

// TestHeldStreams: of logs in which nothing was found as many are held as the
// papers say, and the others are counted.
func TestHeldStreams(t *testing.T) {
	s := New(rules.Default())
	for i := range 8448 + 5 {
		d := &source.Document{Name: fmt.Sprint(i, ".log"), Index: i, Rank: -1, Device: -1, Attempt: -1}
		s.Line(&source.Line{Doc: d, Number: 1, Raw: "bye", Text: "bye", Rank: -1, Own: -1})
		s.End(d)
	}
	if r := s.Close(); len(r.Streams) != 8448 || r.LeftOut != 5 {
		t.Errorf("%d are held, %d left out", len(r.Streams), r.LeftOut)
	}
}

// TestHeldEvents: as many failures are weighed as the papers say.
func TestHeldEvents(t *testing.T) {
	s := New(rules.Default())
	const rank, oom = 1200, "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0)"
	for i := range rank {
		for n := range 20 {
			d := &source.Document{Name: fmt.Sprint(i, ".log"), Index: i, Rank: i, Device: -1, Attempt: -1}
			s.Line(&source.Line{Doc: d, Number: n + 1, Raw: oom, Text: oom, Rank: i, Own: i})
			s.End(d)
		}
	}
	if r := s.Close(); len(r.Events) != 8192 || r.Dropped != 20*rank-8192 {
		t.Errorf("%d are weighed, %d counted", len(r.Events), r.Dropped)
	}
}
