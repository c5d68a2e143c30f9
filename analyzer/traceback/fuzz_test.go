package traceback

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// seeds adds the samples and some of what the interpreters printed.
func seeds(f *testing.F) {
	files, err := filepath.Glob("testdata/samples/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for i, r := range runs(f) {
		if i%40 == 0 {
			f.Add(r.Stderr)
		}
	}
}

func FuzzParser(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		all := Parse(text)
		for _, tb := range all {
			checkTraceback(t, tb, strings.Count(text, "\n"))
		}
		if !reflect.DeepEqual(all, Parse(strings.ReplaceAll(text, "\n", "\r\n"))) && !strings.Contains(text, "\r") {
			t.Error("line ends of Windows make a difference")
		}
		checkReuse(t, text, all)
	})
}

// checkShared reads the text twice, with names that both readings share.
func checkShared(t *testing.T, text string, want []Traceback) {
	var names Names
	for range 2 {
		var got []Traceback
		p := New(func(tb Traceback) { got = append(got, tb) })
		p.Share(&names)
		for i, line := range strings.Split(text, "\n") {
			p.Add(i, line)
		}
		p.Close()
		if !reflect.DeepEqual(placeless(want), placeless(got)) {
			t.Error("shared names make a difference")
		}
	}
}

func placeless(all []Traceback) []Traceback {
	var out []Traceback
	for _, tb := range all {
		tb = shifted(tb, 0)
		for _, e := range tb.Exceptions {
			for k := range e.Frames {
				e.Frames[k].At = 0
			}
		}
		out = append(out, tb)
	}
	return out
}

// checkReuse feeds the text twice to one parser, with other indexes.
func checkReuse(t *testing.T, text string, want []Traceback) {
	checkShared(t, text, want)
	const shift = 1000
	var got []Traceback
	p := New(func(tb Traceback) { got = append(got, tb) })
	for range 2 {
		got = nil
		for i, line := range strings.Split(text, "\n") {
			p.Add(i+shift, line)
		}
		p.Close()
		if len(got) != len(want) {
			t.Fatalf("%d tracebacks, want %d", len(got), len(want))
		}
		for i := range got {
			if !reflect.DeepEqual(shifted(want[i], shift), got[i]) {
				t.Errorf("traceback %d depends on the indexes", i)
			}
		}
	}
}

func shifted(t Traceback, by int) Traceback {
	t.Start, t.End = t.Start+by, t.End+by
	exceptions := make([]Exception, len(t.Exceptions))
	for i, e := range t.Exceptions {
		e.At, e.End = e.At+by, e.End+by
		if e.Own >= 0 {
			e.Own += by
		}
		if e.Frames != nil {
			e.Frames = append([]Frame(nil), e.Frames...)
		}
		for k := range e.Frames {
			e.Frames[k].At += by
		}
		exceptions[i] = e
	}
	t.Exceptions = exceptions
	return t
}

// checkTraceback checks what every traceback promises; last is the index of
// the last line.
func checkTraceback(t *testing.T, tb Traceback, last int) {
	if tb.Start < 0 || tb.End < tb.Start || tb.End > last {
		t.Errorf("lines %d to %d of %d", tb.Start, tb.End, last)
	}
	if len(tb.Exceptions) == 0 || len(tb.Exceptions) > maxChain || tb.Exceptions[0].Link != First {
		t.Fatalf("chain of %d", len(tb.Exceptions))
	}
	if root := tb.Root(); root < 0 || root >= len(tb.Exceptions) {
		t.Errorf("root %d of %d", root, len(tb.Exceptions))
	}
	at := tb.Start
	for i, e := range tb.Exceptions {
		if e.At < at || e.End < e.At || e.End > tb.End || e.Depth < 0 {
			t.Errorf("exception %d at %d-%d depth %d after %d, traceback %d-%d", i, e.At, e.End, e.Depth, at, tb.Start, tb.End)
		}
		at = e.At
		if len(e.Message) > maxMessage || len(e.Frames) > 2*maxFrames {
			t.Errorf("exception %d: %d bytes, %d frames", i, len(e.Message), len(e.Frames))
		}
		if e.Type == "" && !tb.Cut && i == len(tb.Exceptions)-1 {
			t.Errorf("exception %d has no type", i)
		}
		before := tb.Start
		for _, f := range e.Frames {
			if f.At < before || f.At > e.At || f.Line < 0 {
				t.Errorf("frame at %d after %d in an exception at %d", f.At, before, e.At)
			}
			before = f.At
		}
	}
}

func FuzzStackParser(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		last := strings.Count(text, "\n")
		p := NewStacks(func(s Stack) {
			if s.Start < 0 || s.End < s.Start || s.End > last || len(s.Frames) > 2*maxFrames {
				t.Errorf("stack %d-%d of %d, %d frames", s.Start, s.End, last, len(s.Frames))
			}
			before, frames := s.Start, slices.Clone(s.Frames)
			if s.Forward { // printed outermost first
				slices.Reverse(frames)
			}
			for _, fr := range frames {
				if fr.At < before || fr.At > s.End || fr.Line < 0 {
					t.Errorf("frame at %d after %d", fr.At, before)
				}
				before = fr.At
			}
		})
		for i, line := range strings.Split(text, "\n") {
			p.Add(i, line)
		}
		p.Close()
	})
}
