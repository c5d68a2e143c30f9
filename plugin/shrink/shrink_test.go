package shrink

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/corpus"
)

// TestShippedCases: a case that ships with the product shrinks to one with
// the same diagnosis, in which nothing more can be left out of its lines, or
// says why it cannot.
func TestShippedCases(t *testing.T) {
	inputs, err := filepath.Glob("../../corpus/cases/*/input*")
	if err != nil || len(inputs) == 0 {
		t.Fatal("there are no cases")
	}
	shrunk := 0
	for i, input := range inputs {
		if i%6 != 0 {
			continue // a sample: each case is diagnosed hundreds of times
		}
		t.Run(filepath.Base(filepath.Dir(input)), func(t *testing.T) {
			root := source.Root{Name: filepath.Base(input), FS: os.DirFS(filepath.Dir(input)), Path: filepath.Base(input)}
			reports, err := analyzer.Diagnose([]source.Root{root}, analyzer.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := Case([]source.Root{root}, analyzer.Options{})
			if errors.Is(err, ErrForm) || errors.Is(err, ErrMasked) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			shrunk++
			if identity(&r.Report) != identity(&reports[0]) {
				t.Errorf("the diagnosis became %q, was %q", identity(&r.Report), identity(&reports[0]))
			}
			if r.After.Lines > r.Before.Lines || r.After.Files > r.Before.Files || len(r.Files) != r.After.Files {
				t.Errorf("%+v became %+v", r.Before, r.After)
			}
		})
	}
	if shrunk < 5 {
		t.Errorf("only %d cases could be shrunk", shrunk)
	}
}

// TestSmallest: of a case of many files and lines what is left is the failure,
// masked.
func TestSmallest(t *testing.T) {
	var noise, log strings.Builder
	for i := range 300 {
		fmt.Fprintf(&noise, "2026-06-02 09:%02d:00 INFO step %d loss 1.5\n", i%60, i)
	}
	log.WriteString(noise.String())
	log.WriteString("Traceback (most recent call last):\n  File \"train.py\", line 8, in <module>\n    m(x)\nOSError: [Errno 28] No space left on device: '/cache/10.1.2.3/x'\n")
	fsys := fstest.MapFS{"a.log": {Data: []byte(noise.String())}, "b/train.log": {Data: []byte(log.String())}, "c.log": {Data: []byte(noise.String())}}
	r, err := Case([]source.Root{{Name: "case", FS: fsys, Path: "."}}, analyzer.Options{Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Files) != 1 || r.After.Lines > 4 || r.Tries > 200 {
		t.Errorf("%d files, %d lines after %d tries", len(r.Files), r.After.Lines, r.Tries)
	}
	text := string(r.Files[0].Data)
	if !strings.Contains(text, "No space left on device") || strings.Contains(text, "10.1.2.3") || strings.Contains(text, "step") {
		t.Errorf("what is left is\n%s", text)
	}
}

// TestMinimize: what is left has the property, and no entry of it can go.
func TestMinimize(t *testing.T) {
	var list []int
	for i := range 100 {
		list = append(list, i)
	}
	keeps := func(some []int) bool { return slices.Contains(some, 17) && slices.Contains(some, 80) }
	if got := minimize(list, keeps); !slices.Equal(got, []int{17, 80}) {
		t.Errorf("what is left is %v", got)
	}
	if got := minimize(list, func([]int) bool { return false }); len(got) != 100 {
		t.Errorf("of a list that cannot shrink %d are left", len(got))
	}
	if got := minimize([]int{}, func([]int) bool { return true }); len(got) != 0 {
		t.Errorf("nothing became %v", got)
	}
}

// TestNames: documents of archives get names that a folder can have, each its own.
func TestNames(t *testing.T) {
	c := &collector{}
	for name, want := range map[string]string{
		"x.zip!a/b.log.gz": "x.zip/a/b.log", "../../etc/passwd": "etc/passwd", "!": "input", "": "input",
		`C:\logs\a.log`: "C__logs_a.log", "x.zip!CON": "x.zip/_CON", "nul.txt": "_nul.txt", "nul .txt": "_nul .txt", "com¹.log": "_com¹.log", "console.log": "console.log",
		"a. /b.log. .": "a/b.log", "what?*.log": "what__.log", strings.Repeat("日", 100) + ".log": strings.Repeat("日", 65) + ".log",
	} {
		if got := plainName(name); got != want {
			t.Errorf("plainName(%q) = %q, want %q", name, got, want)
		}
	}
	var names []string
	for _, name := range []string{"a", "A", "a/b", "B/c", "b", "a"} {
		names = append(names, c.unused(name))
	}
	if want := []string{"a", "x1-A", "x2-a/b", "B/c", "x1-b", "x3-a"}; !slices.Equal(names, want) {
		t.Errorf("the names are %q, want %q", names, want)
	}
}

// TestManyAlike: thousands of documents whose names become one get each its own,
// in a time that does not grow with their square.
func TestManyAlike(t *testing.T) {
	c := &collector{}
	seen := map[string]bool{}
	done := make(chan bool)
	go func() {
		for range 50_000 {
			seen[c.unused("a.log")] = true
		}
		close(done)
	}()
	select {
	case <-done:
		if len(seen) != 50_000 {
			t.Errorf("%d names", len(seen))
		}
	case <-time.After(60 * time.Second): // a tenth of a second, where nothing else runs
		t.Fatal("it does not come to an end")
	}
}

// FuzzNames: whatever a document is called, its name leads nowhere else, every
// system can keep it, and each document has its own.
func FuzzNames(f *testing.F) {
	for _, s := range []string{"x.zip!a/b.log.gz\na/b.log", "../../etc/passwd\nC:\\a\nCON", "a\nA\na/b\n\u202e\n\xff", strings.Repeat("日", 100) + ".log\nnul .txt\n.gz"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, names string) {
		c := &collector{}
		seen := map[string]bool{}
		for name := range strings.SplitSeq(names, "\n") {
			got := c.unused(plainName(name))
			if key := strings.ToLower(got); seen[key] || !fs.ValidPath(got) || got == "." || !utf8.ValidString(got) || report.Plain(got) != got {
				t.Errorf("%q of %q becomes %q", name, names, got)
			} else {
				seen[key] = true
			}
			for part := range strings.SplitSeq(got, "/") {
				if len(part) > 255 || strings.ContainsAny(part, `<>:"\|?*`) || strings.TrimRight(part, ". ") != part || corpus.DeviceName(part) {
					t.Errorf("%q becomes %q", name, got)
				}
			}
		}
	})
}
