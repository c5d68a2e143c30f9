package traceback

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkPlain measures what a log without tracebacks costs.
func BenchmarkPlain(b *testing.B) {
	var lines []string
	size := 0
	for i := range 20000 {
		lines = append(lines,
			fmt.Sprintf("2026-01-01 10:00:%02d,123 INFO train: step %d loss 0.%04d lr 1e-05 grad 0.41", i%60, i, i),
			fmt.Sprintf("  %d%%|####      | %d/20000 [00:10<10:00, 2.44s/it]", i/200, i))
	}
	for _, s := range lines {
		size += len(s) + 1
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		p := New(func(Traceback) {})
		s := NewStacks(func(Stack) {})
		for i, line := range lines {
			p.Add(i, line)
			s.Add(i, line)
		}
		p.Close()
		s.Close()
	}
}

// BenchmarkTracebacks measures a text that is nothing but tracebacks.
func BenchmarkTracebacks(b *testing.B) {
	text := strings.Join(texts(b), "\n")
	lines := strings.Split(text, "\n")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		p := New(func(Traceback) {})
		for i, line := range lines {
			p.Add(i, line)
		}
		p.Close()
	}
}
