package traceback

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// run is one program under one interpreter: what it printed, and the truth
// about it. scripts/tracebacks/generate.py writes these.
type run struct {
	Name       string
	Python     string
	Stderr     string
	Loose      bool // other lines follow the message
	Tracebacks []struct {
		Exceptions []truth
		Thread     string
		Ignored    bool
	}
}

type truth struct {
	Type    string
	Message *string // nil when str() of the exception fails
	Notes   []string
	Link    string
	Depth   int
	Frames  [][3]any // nil when unknown
}

var linkNames = map[Link]string{First: "first", Cause: "cause", Context: "context", Member: "member", Origin: "origin"}

func runs(t testing.TB) []run {
	files, err := filepath.Glob("testdata/cpython/python*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no data: %v", err)
	}
	var all []run
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var r run
			if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			all = append(all, r)
		}
		if err := lines.Err(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		f.Close()
	}
	return all
}

func TestCPython(t *testing.T) {
	names := map[string]bool{}
	for _, r := range runs(t) {
		names[r.Name] = true
		t.Run(r.Python+"/"+r.Name, func(t *testing.T) {
			compareRun(t, r, Parse(r.Stderr))
			if t.Failed() {
				t.Logf("printed:\n%s", r.Stderr)
			}
		})
	}
	if len(names) < 300 {
		t.Errorf("only %d programs", len(names))
	}
}

func compareRun(t *testing.T, r run, got []Traceback) {
	if bareLine(r) && len(got) == 0 {
		return
	}
	if len(got) != len(r.Tracebacks) {
		t.Errorf("%d tracebacks, want %d", len(got), len(r.Tracebacks))
		return
	}
	lines := strings.Split(r.Stderr, "\n")
	for i, want := range r.Tracebacks {
		tb := got[i]
		if tb.Cut || tb.Thread != want.Thread || (tb.Ignored != "") != want.Ignored {
			t.Errorf("traceback %d: cut %v, thread %q, ignored %q", i, tb.Cut, tb.Thread, tb.Ignored)
		}
		if len(tb.Exceptions) != len(want.Exceptions) {
			t.Errorf("traceback %d: %d exceptions, want %d", i, len(tb.Exceptions), len(want.Exceptions))
			return
		}
		for k, e := range want.Exceptions {
			compareException(t, r, e, tb.Exceptions[k])
			if at := lines[tb.Exceptions[k].At]; !strings.Contains(at, tb.Exceptions[k].Type) {
				t.Errorf("exception %d is said to stand at %q", k, at)
			}
		}
	}
}

// bareLine tells whether the exception has neither frames nor a place: it is
// printed as one line, which nothing tells from a line of the log.
func bareLine(r run) bool {
	return len(r.Tracebacks) == 1 && len(r.Tracebacks[0].Exceptions) == 1 && len(r.Tracebacks[0].Exceptions[0].Frames) == 0
}

func compareException(t *testing.T, r run, want truth, got Exception) {
	if !sameType(r, got.Type, want.Type) || linkNames[got.Link] != want.Link || got.Depth != want.Depth {
		t.Errorf("got %s, link %s, depth %d; want %s, %s, %d", got.Type, linkNames[got.Link], got.Depth, want.Type, want.Link, want.Depth)
	}
	if want.Message != nil {
		text, whole := tidy(got.Message, got.Notes...), tidy(*want.Message, want.Notes...)
		plain, _, _ := strings.Cut(text, ". Did you mean") // 3.10 to 3.12 add it while printing
		if text != whole && plain != whole && !(r.Loose && strings.Contains(whole, "\n\n") && strings.HasPrefix(whole, text)) {
			t.Errorf("message and notes %q, want %q", text, whole)
		}
	}
	if want.Message != nil && len(want.Notes) > 0 && (*want.Message == "" || oneLine(want.Type, *want.Message)) {
		if notes := tidy("", got.Notes...); notes != tidy("", want.Notes...) {
			t.Errorf("notes %q, want %q", notes, want.Notes)
		}
	}
	if want.Frames != nil && len(want.Frames) <= maxFrames {
		compareFrames(t, want.Frames, got.Frames)
	}
}

// sameType allows for the printer of 3.7 and 3.8, which leaves out the outer
// names, and that up to 3.9, which names the main module.
func sameType(r run, got, want string) bool {
	got = strings.TrimPrefix(got, "__main__.")
	got = strings.Replace(got, "<unknown>", "<unknown>.", 1)
	got = strings.Replace(got, "<unknown>..", "<unknown>.", 1)
	return got == want || (r.Python == "3.7" || r.Python == "3.8") && strings.HasSuffix(want, "."+got)
}

func compareFrames(t *testing.T, want [][3]any, got []Frame) {
	if len(got) != len(want) {
		t.Errorf("%d frames, want %d", len(got), len(want))
		return
	}
	for i, w := range want {
		if f := got[i]; f.File != w[0] || float64(f.Line) != w[1] || f.Func != w[2] {
			t.Errorf("frame %d is %s:%d %s, want %v", i, f.File, f.Line, f.Func, w)
		}
	}
}

// tidy joins a message and its notes as far as printed text can tell them: no
// blanks at the ends of lines, no blank lines at the ends of the text.
func tidy(message string, notes ...string) string {
	lines := strings.Split(strings.Join(append([]string{message}, notes...), "\n"), "\n")
	for i, s := range lines {
		lines[i] = strings.TrimRight(s, " \t\r")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}
