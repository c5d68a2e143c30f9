package traceback

import (
	"io/fs"
	"os"
	"strings"
	"testing"
)

// opens reports whether Openings and Begins tell that a line may open something.
func opens(line string) bool {
	for _, o := range Openings() {
		if strings.Contains(line, o) {
			return true
		}
	}
	word, _, _ := strings.Cut(strings.TrimLeft(line, " "), " ")
	return Begins(word)
}

// checkOpening holds that a line changes idle parsers only when that can be told beforehand.
func checkOpening(t *testing.T, line string) {
	t.Helper()
	p, s := New(func(Traceback) {}), NewStacks(func(Stack) {})
	part, dump := p.Add(0, line), s.Add(0, line)
	if (part != Outside || dump != Outside || !p.Idle() || !s.Idle() || p.listing) && !opens(line) {
		t.Errorf("%q opens a traceback or a dump, and no opening tells it", line)
	}
}

func TestOpeningsTellWhatOpens(t *testing.T) {
	lines := 0
	err := fs.WalkDir(os.DirFS("testdata"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(os.DirFS("testdata"), name)
		if err != nil {
			return err
		}
		for line := range strings.SplitSeq(string(data), "\n") {
			checkOpening(t, strings.TrimSuffix(line, "\r"))
			lines++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if lines < 1000 {
		t.Errorf("only %d lines were looked at", lines)
	}
}

func FuzzOpenings(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, text string) {
		for line := range strings.SplitSeq(text, "\n") {
			checkOpening(t, line)
		}
	})
}
