package traceback

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the expected results")

// TestSamples compares what becomes of each text in testdata/samples with the
// .want file beside it: the part of every line, then the tracebacks.
func TestSamples(t *testing.T) {
	files, err := filepath.Glob("testdata/samples/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := describe(string(text))
			expected := strings.TrimSuffix(file, ".txt") + ".want"
			if *update {
				if err := os.WriteFile(expected, got, 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(expected)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// describe writes the parts of the lines, the tracebacks and the stacks of text.
func describe(text string) []byte {
	var b bytes.Buffer
	var tail bytes.Buffer
	p := New(func(t Traceback) { describeTraceback(&tail, t) })
	s := NewStacks(func(s Stack) { describeStack(&tail, s) })
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		part := " HBE+"[p.Add(i, line)]
		if s.Add(i, line) != Outside && part == ' ' {
			part = 's'
		}
		fmt.Fprintf(&b, "%3d %c %.70s\n", i, part, line)
	}
	p.Close()
	s.Close()
	b.WriteByte('\n')
	b.Write(tail.Bytes())
	return b.Bytes()
}

func describeTraceback(b *bytes.Buffer, t Traceback) {
	fmt.Fprintf(b, "traceback %d-%d", t.Start, t.End)
	if t.Cut {
		b.WriteString(" cut")
	}
	for _, v := range []struct{ name, text string }{{"lead", t.Lead}, {"thread", t.Thread}, {"ignored", t.Ignored}} {
		if v.text != "" {
			fmt.Fprintf(b, " %s %q", v.name, v.text)
		}
	}
	fmt.Fprintf(b, " root %d\n", t.Root())
	for i, e := range t.Exceptions {
		fmt.Fprintf(b, "  %d %s depth %d at %d-%d %s: %q", i, linkNames[e.Link], e.Depth, e.At, e.End, e.Type, e.Message)
		for _, n := range e.Notes {
			fmt.Fprintf(b, " note %q", n)
		}
		b.WriteByte('\n')
		describeFrames(b, e.Frames)
	}
}

func describeStack(b *bytes.Buffer, s Stack) {
	fmt.Fprintf(b, "stack %d-%d thread %q current %v reason %q\n", s.Start, s.End, s.Thread, s.Current, s.Reason)
	describeFrames(b, s.Frames)
}

func describeFrames(b *bytes.Buffer, frames []Frame) {
	for _, f := range frames {
		mark := ' '
		if f.User {
			mark = '*'
		}
		fmt.Fprintf(b, "    %c %d %s:%d %s | %s\n", mark, f.At, f.File, f.Line, f.Func, f.Code)
	}
}
