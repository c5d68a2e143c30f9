package verdict

import (
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
)

// TestLongLinesAreWeighedOnce: whether a line says more than a code is asked once for
// a candidate, however many it is compared with, and never of a line of a megabyte;
// of such a message the beginning makes the fingerprint.
func TestLongLinesAreWeighedOnce(t *testing.T) {
	code := "Command 'x' returned non-zero exit status 1"
	c := &candidate{event: &scan.Event{Quote: scan.Quote{Text: code}}}
	if !c.mere() {
		t.Fatalf("%q is a mere code", code)
	}
	c.event.Quote.Text = "out of memory"
	if !c.mere() {
		t.Error("it is asked again")
	}
	if long := strings.Repeat("x", mostWordless) + code; says(long) != long {
		t.Error("a long line is looked through")
	}
	read := 0
	k := &Case{Mask: func(s string) string { read += len(s); return s }}
	long := strings.Repeat("a word and another ", 1<<16)
	if got, want := k.normalize(long), normal(long[:2000]); got != want {
		t.Errorf("%q becomes %q", want, got)
	}
	if read > 8<<10 {
		t.Errorf("%d bytes of %d are masked", read, len(long))
	}
}

// TestToneOfLongLines: how a line speaks of a failure is told by what stands at the
// ends of the text before and behind its words, of which no more is read.
func TestToneOfLongLines(t *testing.T) {
	w := &rules.Wording{Literals: []string{"out of memory"}}
	long := strings.Repeat("语料 and more of it ", 1<<16)
	for text, want := range map[string]tone{
		long + " RuntimeError: out of memory":             reports,
		"# see what is said of " + long + "out of memory": mentions,
		"out of memory" + long:                            reports,
		"out of memory " + long + "怎么办":                   doubtful,
	} {
		if got := toneOf(text, w); got != want {
			t.Errorf("%.40q… is %d, want %d", text, got, want)
		}
	}
	for _, s := range []string{long, strings.Repeat("\x80", 1<<20), strings.Repeat("日", 1<<20)} {
		if got := outer(s); len(got) > mostAround+16 {
			t.Errorf("%d bytes of %d are read", len(got), len(s))
		}
	}
}
