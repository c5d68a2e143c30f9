package source

import (
	"bytes"
	"strings"
	"testing"
)

// simpleLine is what line promises, in the fewest words: bytes are those of the
// example, but for digits of times, which may be up to their limit.
func simpleLine(raw string, text, head int, line []byte) int {
	if len(line) < head {
		return -1
	}
	for i, m := range clockMasks(raw[:text], head) {
		want := (raw + "\n")[i]
		switch c := line[i]; {
		case m.digit && c >= '0' && int(c)+int(m.limit) <= '?':
		case m.digit || c != want:
			return -1
		}
	}
	return bytes.IndexByte(line, '\n')
}

// oneKind is the kind of an example, and its head.
func oneKind(raw string, text int) (*kind, int) {
	head := headOf(raw, text, false)
	if head <= 0 {
		return nil, 0
	}
	var k kinds
	k.add(raw+"\n", text, head, false, &lane{})
	return k.all[0], head
}

func compareLine(t *testing.T, k *kind, raw string, text, head int, line []byte) {
	t.Helper()
	// What stands behind a line does not matter, but there has to be enough of it.
	line = append(line[:len(line):len(line)], "\n[rank0]: 2026-06-02 01:00:07,000 INFO"+strings.Repeat("\nx", longestHead)...)
	want := simpleLine(raw, text, head, line)
	if got := k.line(line); got != want {
		t.Errorf("line of %q in %.120q: %d, want %d", raw[:min(head, len(raw))], line, got, want)
	}
	if got := k.plainLine(line); got != want {
		t.Errorf("plainLine of %q in %.120q: %d, want %d", raw[:min(head, len(raw))], line, got, want)
	}
}

// TestClockMasks marks digits that lines of a kind may differ in.
func TestClockMasks(t *testing.T) {
	for prefix, want := range map[string]string{
		"2026-06-02 01:59:07,123 INFO ": "2026-06-02 01:##:##,### INFO ",
		"[ 98122.310442] ":              "[ #####.######] ",
		"[12345678.310442] ":            "[########.######] ", // a node that runs for months
		"[1.310] ":                      "[1.310] ",
		"[op_base.cc:312] [a:312] ":     "[op_base.cc:###] [a:312] ",
	} {
		got := []byte(prefix)
		for i, m := range clockMasks(prefix, len(prefix)) {
			if m.digit {
				got[i] = '#'
			}
		}
		if string(got) != want {
			t.Errorf("%q: %q, want %q", prefix, got, want)
		}
	}
}

const examplePrefix = "[rank3]: 2026-06-02 01:59:07,000 INFO "

// TestLineOfKind changes each byte of a line to each other, and cuts and lengthens
// the line; the heads end before, at and behind the end of a part.
func TestLineOfKind(t *testing.T) {
	for _, word := range []string{"", "trainer.py:412 step", strings.Repeat("w", 24), strings.Repeat("w", 25), strings.Repeat("w", 26)} {
		for _, rest := range []string{"", " loss 2.5 lr 1.2e-05 grad_norm 0.5"} {
			raw := examplePrefix + word + rest
			k, head := oneKind(raw, len(examplePrefix))
			if k == nil {
				t.Fatalf("%q is no kind", raw)
			}
			for n := range len(raw) + 1 {
				compareLine(t, k, raw, len(examplePrefix), head, []byte(raw[:n]))
			}
			for i := range raw {
				for c := range 256 {
					line := []byte(raw)
					line[i] = byte(c)
					compareLine(t, k, raw, len(examplePrefix), head, line)
				}
			}
		}
	}
}

func FuzzLineOfKind(f *testing.F) {
	f.Add(examplePrefix+"step 7 loss 2.5", len(examplePrefix), "[rank3]: 2026-06-02 01:12:59,999 INFO step 8 loss 2.4")
	f.Add("10:59:59 Epoch 3", 9, "10:00:00 Epoch 4\nnext")
	f.Fuzz(func(t *testing.T, raw string, text int, line string) {
		if text < 0 || text > len(raw) || strings.Contains(raw, "\n") || len(line) > 4096 {
			return
		}
		k, head := oneKind(raw, text)
		if k == nil {
			return
		}
		compareLine(t, k, raw, text, head, []byte(line))
		compareLine(t, k, raw, text, head, []byte(raw+line))
	})
}
