package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"hcloud-modelarts/analyzer/source/charset"
)

// marks finds each X.
func marks(block []byte, hits []int) []int {
	for i, c := range block {
		if c == 'X' {
			hits = append(hits, i)
		}
	}
	return hits
}

// linesOf reads all lines, and has them read ahead behind some of them; size 0 is
// never.
func linesOf(r io.Reader, size, behind int) (lines []string, hits []int64, err error) {
	lr := newLineReader(r, charset.UTF8)
	for {
		if size > 0 && len(lines) == behind {
			lr.scout(size, marks)
			defer lr.ahead.close()
		}
		p, out := lr.next(1 << 20)
		for _, h := range lr.hits {
			if len(hits) == 0 || h > hits[len(hits)-1] {
				hits = append(hits, h)
			}
		}
		if out == ended {
			return lines, hits, lr.err
		}
		lines = append(lines, fmt.Sprintf("%d %d %q %d", p.number, p.offset, p.stored, out))
		if lr.ahead != nil {
			lr.upcoming() // as skimming does
		}
	}
}

func compareScouted(t *testing.T, text string, size, behind int) {
	t.Helper()
	want, _, _ := linesOf(strings.NewReader(text), 0, 0)
	for name, r := range map[string]io.Reader{"whole": strings.NewReader(text), "in bytes": iotest.OneByteReader(strings.NewReader(text)), "with the end": iotest.DataErrReader(strings.NewReader(text))} {
		got, hits, err := linesOf(r, size, behind)
		if fmt.Sprint(got) != fmt.Sprint(want) || err != nil {
			t.Fatalf("%q, %s, in blocks of %d from line %d on: %v (%v)\nwant %v", text, name, size, behind, got, err, want)
		}
		begin := 0
		for range min(behind, strings.Count(text, "\n")) {
			begin += strings.IndexByte(text[begin:], '\n') + 1
		}
		var all []int64
		for _, i := range marks([]byte(text[begin:]), nil) {
			all = append(all, int64(begin+i))
		}
		if behind <= len(want)-1 && fmt.Sprint(hits) != fmt.Sprint(all) {
			t.Fatalf("%q, %s, in blocks of %d from line %d on: hits %v, want %v", text, name, size, behind, hits, all)
		}
	}
}

// TestScoutedLines takes every text of up to four lines of some lengths, in
// blocks that hold no line, one, several and all.
func TestScoutedLines(t *testing.T) {
	var grow func(text string, lines int)
	grow = func(text string, lines int) {
		for _, size := range []int{1, 16, 100} {
			for behind := range 3 {
				compareScouted(t, text, size, behind)
				compareScouted(t, text+"the X end", size, behind)
			}
		}
		if lines < 4 {
			for _, n := range []int{0, 5, 40} {
				grow(text+strings.Repeat("X", n/5)+strings.Repeat("y", n-n/5)+"\n", lines+1)
			}
		}
	}
	grow("", 0)
}

// TestHitsAreDropped: what was found is let go of when it lies behind, also while
// nobody asks for it, and that some was met is told then.
func TestHitsAreDropped(t *testing.T) {
	lr := newLineReader(strings.NewReader(strings.Repeat("X\n", 10_000)), charset.UTF8)
	lr.scout(64, marks)
	defer lr.ahead.close()
	most := 0
	for out := found; out != ended; _, out = lr.next(1 << 10) {
		most = max(most, len(lr.hits))
	}
	if most > 64 {
		t.Errorf("%d hits were held, want no more than two blocks have", most)
	}
	if !lr.met() || lr.met() {
		t.Error("hits that were met are not told once")
	}
}

func FuzzScoutedLines(f *testing.F) {
	f.Add("one\ntwo X\n\nfour", uint8(4), uint8(1))
	f.Add(strings.Repeat("X long line", 60)+"\nshort\n", uint8(200), uint8(0))
	f.Fuzz(func(t *testing.T, text string, size, behind uint8) {
		compareScouted(t, text, int(size)+1, int(behind))
	})
}

// TestScoutsMeetErrors: an error comes behind all that was read before it.
func TestScoutsMeetErrors(t *testing.T) {
	text := strings.Repeat("step 1 loss 2.5\n", 1000)
	broken := errors.New("broken")
	lines, _, err := linesOf(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), 64, 3)
	if len(lines) != 1000 || err != broken {
		t.Errorf("%d lines, error %v", len(lines), err)
	}
	lines, _, err = linesOf(io.MultiReader(strings.NewReader(text), idle{}), 64, 3)
	if len(lines) != 1000 || err != io.ErrNoProgress {
		t.Errorf("%d lines, error %v", len(lines), err)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// TestScoutsPanic: a reader that panics does so where lines are taken, behind
// those before it.
func TestScoutsPanic(t *testing.T) {
	lr := newLineReader(io.MultiReader(strings.NewReader(strings.Repeat("step 1 loss 2.5\n", 1000)), panicking{}), charset.UTF8)
	lines := 0
	defer func() {
		if p := recover(); p != "damaged" || lines < 900 {
			t.Errorf("panic is %v after %d lines", p, lines)
		}
	}()
	lr.scout(64, marks)
	defer lr.ahead.close()
	for {
		if _, out := lr.next(1 << 20); out == ended {
			break
		}
		lines++
	}
	t.Error("no panic")
}

// TestLinesBefore counts lines up to a hit, the end, and a bound.
func TestLinesBefore(t *testing.T) {
	text := []byte("a\nb\nc\nd")
	for _, tt := range []struct {
		hits    []int
		n, want int
	}{{nil, 9, 3}, {nil, 2, 2}, {[]int{0}, 9, 0}, {[]int{3}, 9, 1}, {[]int{4, 6}, 9, 2}} {
		b := scouted{buf: append(bytes.Clone(text), "\n\n\n"...), end: len(text), hits: tt.hits}
		if got := b.linesBefore(tt.n); got != tt.want {
			t.Errorf("lines before the first of %v, up to %d: %d, want %d", tt.hits, tt.n, got, tt.want)
		}
	}
}

type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("damaged") }
