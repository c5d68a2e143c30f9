package scan

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
)

// gathered holds lines back.
type gathered struct {
	seesAll
	lines []source.Line
}

func (g *gathered) Line(l *source.Line) {
	c := *l
	c.Stored = bytes.Clone(l.Stored)
	g.lines = append(g.lines, c)
}

// BenchmarkLine takes the lines of a log one by one: steps, words, bars, and now and
// then a traceback.
func BenchmarkLine(b *testing.B) {
	var log strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&log, "[rank%d]: 2026-06-02 01:%02d:%02d,000 INFO trainer.py:412 step %d/900000 loss %.4f\n", i%8, i/60%60, i%60, i/8, 2+float64(i%97)/100)
		fmt.Fprintf(&log, "reading shard %d of /cache/data\n", i)
		fmt.Fprintf(&log, "Epoch 1:  45%%|████▌     | %d/9000 [03:20<04:05,  2.24it/s]\n", i)
		if i%100 == 0 {
			fmt.Fprintf(&log, "Traceback (most recent call last):\n  File \"/job/train.py\", line %d, in main\n    run()\nValueError: sample %d is empty\n", i, i)
		}
	}
	g := &gathered{}
	if _, err := source.Read([]source.Root{{Name: "-", Reader: strings.NewReader(log.String())}}, source.Limits{}, g); err != nil {
		b.Fatal(err)
	}
	tables := Prepare(rules.Default())
	b.SetBytes(int64(log.Len()))
	b.ReportAllocs()
	for b.Loop() {
		s := tables.Scanner()
		for i := range g.lines {
			s.Line(&g.lines[i])
		}
	}
}
