package rules

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestPackFiles checks every rule file by itself, so that one broken file does
// not hide another.
func TestPackFiles(t *testing.T) {
	fsys := os.DirFS("pack")
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		t.Run(name, func(t *testing.T) {
			data, err := fs.ReadFile(fsys, name)
			if err != nil {
				t.Fatal(err)
			}
			r, _, errs := parse(name, data)
			for _, err := range errs {
				t.Error(err)
			}
			if r != nil && path.Dir(name) != r.Family {
				t.Errorf("%s: rule %q of family %q lies in the wrong folder", name, r.ID, r.Family)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestIndexIsFresh(t *testing.T) {
	pack, err := Load(os.DirFS("pack"))
	if err != nil {
		t.Fatal(err)
	}
	ignore := cmp.Options{cmpopts.IgnoreFields(Rule{}, "texts"), cmpopts.IgnoreFields(Wording{}, "Since", "Until", "Source", "once", "re")}
	if d := cmp.Diff(pack.Rules, Default().Rules, ignore); d != "" {
		t.Errorf("index.go is stale: run go generate ./analyzer/rules (- pack, + index):\n%s", d)
	}
}

// TestBrief: a rule's texts are the same where its samples are not read.
func TestBrief(t *testing.T) {
	for _, r := range Default().Rules {
		brief, err := r.Brief()
		if err != nil {
			t.Fatal(err)
		}
		all, err := r.Detail()
		if err != nil {
			t.Fatal(err)
		}
		want := *all
		if len(want.Samples.Match) == 0 || len(brief.Samples.Match) > 0 {
			t.Errorf("%s: samples %v, and in brief %v", r.ID, want.Samples, brief.Samples)
		}
		want.Samples = Samples{}
		if d := cmp.Diff(want, *brief); d != "" {
			t.Errorf("%s in brief (- wanted, + read):\n%s", r.ID, d)
		}
	}
}

// TestTextsAtOnce: several diagnoses may read the texts of one rule at a time, with
// its samples and without.
func TestTextsAtOnce(t *testing.T) {
	shipped := Default().Rules[0]
	r := &Rule{ID: shipped.ID, Family: shipped.Family}
	var readers sync.WaitGroup
	for i := range 8 {
		readers.Go(func() {
			read, samples := r.Detail, true
			if i%2 == 0 {
				read, samples = r.Brief, false
			}
			if d, err := read(); err != nil || d.Say == (Text{}) || samples != (len(d.Samples.Match) > 0) {
				t.Errorf("with samples %t: %+v, %v", samples, d, err)
			}
		})
	}
	readers.Wait()
}

// TestTitlesOfSettings: only where a setting is wrong a fix says to change that.
func TestTitlesOfSettings(t *testing.T) {
	for _, r := range Default().Rules {
		d, err := r.Brief()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range d.Fixes {
			if f.Title.EN == "Change the setting that it names" && r.Cause != "config-invalid" {
				t.Errorf("%s is mended by a setting, and its cause is %s", r.ID, r.Cause)
			}
		}
	}
}

// TestWarningsAreNotGuessedAt: a rule that guesses by words matches no sample of its
// own where a warning says the same.
func TestWarningsAreNotGuessedAt(t *testing.T) {
	guesses := 0
	for _, r := range Default().Rules {
		if !r.Guess {
			continue
		}
		d, err := r.Detail()
		if err != nil {
			t.Fatal(err)
		}
		for _, sample := range d.Samples.Match {
			_, message, ok := strings.Cut(sample, "Error: ")
			if _, _, fits := r.Find("Error: " + message); !ok || !fits {
				continue
			}
			guesses++
			for _, class := range warnings {
				if _, _, fits := r.Find(class + ": " + message); fits {
					t.Errorf("%s takes the %s %q for a failure", r.ID, class, message)
				}
			}
		}
	}
	if guesses < 100 {
		t.Errorf("only %d samples were looked at", guesses)
	}
}
