package triage

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
)

// logs are what the cases of these tests hold.
var logs = []string{
	"2026-06-02 09:41:50 INFO step 1 loss 1.7\nTraceback (most recent call last):\n  File \"train.py\", line 8, in <module>\n    m(x)\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate %d.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.66 GiB is free.\n",
	"starting job %d\nTraceback (most recent call last):\n  File \"train.py\", line 3, in <module>\n    import x\nModuleNotFoundError: No module named 'flash_attn'\n",
	"2026-06-02 09:41:50 INFO starting %d\n[ModelArts Service Log]2026-06-02 09:41:57 - Training end with return code: 1\n",
	"",
}

// pile makes so many cases, of each kind in turn.
func pile(n int) []source.Root {
	fsys := fstest.MapFS{}
	for i := range n {
		text := logs[i%len(logs)]
		if text != "" {
			text = fmt.Sprintf(text, i)
		}
		fsys[fmt.Sprintf("pile/t-%04d/train.log", i)] = &fstest.MapFile{Data: []byte(text)}
	}
	return []source.Root{{Name: "pile", FS: fsys, Path: "pile"}}
}

func options(workers int) Options {
	return Options{Options: analyzer.Options{Lang: "en"}, Workers: workers, Describe: func(err error) string { return err.Error() }}
}

func rowsOf(t testing.TB, cases []Case, workers int) []Row {
	t.Helper()
	var rows []Row
	err := Run(context.Background(), cases, options(workers), func(i int, b Block) error {
		if b.ID != cases[i].ID {
			t.Fatalf("block %d is of another case", i)
		}
		rows = append(rows, b.Rows...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestEveryCauseHasAnOwner: the table of owners is that of the causes.
func TestEveryCauseHasAnOwner(t *testing.T) {
	known := map[string]bool{}
	for _, c := range rules.Causes() {
		known[c.ID] = true
		if owner := Owner(c.ID); c.Domain != "-" && ownerNames[owner].EN == "" {
			t.Errorf("the cause %q has the owner %q", c.ID, owner)
		}
	}
	for cause := range owners() {
		if !known[cause] {
			t.Errorf("the owner of %q, which is no cause", cause)
		}
	}
}

// TestAnyNumberOfWorkers: what comes out does not depend on how many work.
func TestAnyNumberOfWorkers(t *testing.T) {
	cases := Find(pile(60))
	want := rowsOf(t, cases, 1)
	if c, _, err := Summarize(Of(want)); err != nil || c != (Counts{Cases: 60, Jobs: 60, Failed: 30, Undecided: 15, Unreadable: 15, User: 30}) {
		t.Fatalf("the rows are counted as %+v", c)
	}
	for _, workers := range []int{2, 7, 100} {
		if d := cmp.Diff(want, rowsOf(t, cases, workers)); d != "" {
			t.Fatalf("%d workers differ:\n%s", workers, d)
		}
	}
}

// TestInterruptedRun: what was handed on before the end is the beginning.
func TestInterruptedRun(t *testing.T) {
	cases := Find(pile(40))
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	err := Run(ctx, cases, options(3), func(i int, b Block) error {
		if n++; n == 5 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, ErrInterrupted) || n < 5 || n == 40 {
		t.Errorf("%d cases, %v", n, err)
	}
	full := errors.New("disk full")
	if err := Run(context.Background(), cases, options(3), func(int, Block) error { return full }); !errors.Is(err, full) {
		t.Errorf("the error of writing is %v", err)
	}
}

// TestCrash: a case that the analyzer cannot stand is one bad row.
func TestCrash(t *testing.T) {
	o := options(1)
	b := o.diagnose(Case{Name: "bad", Roots: []source.Root{{Name: "bad", FS: nil, Path: "x"}}})
	if len(b.Rows) != 1 || b.Rows[0].State() != Unreadable || !strings.Contains(b.Rows[0].Error, "internal error") {
		t.Errorf("the rows are %+v", b.Rows)
	}
}

// merge puts saved results together.
func merge(t rapid.TB, results [][]Row) ([]Row, error) {
	t.Helper()
	j := Scratch()
	defer j.Close()
	m := NewMerger(j)
	for _, rows := range results {
		if err := m.Add(bytes.NewReader(forms(t, rows)["ndjson"])); err != nil {
			return nil, err
		}
	}
	r, err := m.Result()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := collect(r.Rows())
	if err != nil {
		t.Fatal(err)
	}
	if c, _, err := Summarize(Of(rows)); err != nil || c != r.Counts {
		t.Fatalf("%+v is counted as %+v, %v", c, r.Counts, err)
	}
	return rows, nil
}

// TestShards: every case is in one part, and the parts put together are the
// whole, in any order.
func TestShards(t *testing.T) {
	cases := Find(pile(100))
	var parts [][]Row
	for i := 8; i >= 1; i-- {
		part := Shard(cases, i, 8)
		if len(part) == 0 || len(part) == len(cases) {
			t.Errorf("part %d has %d cases", i, len(part))
		}
		parts = append(parts, rowsOf(t, part, 2))
	}
	parts = append(parts, parts[3]) // a part that was run twice
	whole := rowsOf(t, cases, 2)
	merged, err := merge(t, parts)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(whole, merged); d != "" {
		t.Fatalf("the parts differ from the whole:\n%s", d)
	}
	changed := append([]Row{}, parts[0]...)
	changed[0].Cause = "other"
	if _, err := merge(t, append(parts, changed)); !errors.As(err, new(*ConflictError)) {
		t.Errorf("two diagnoses of a case pass: %v", err)
	}
}

// TestNamesAlikeWhenMasked: two cases whose masked names are equal stay two.
func TestNamesAlikeWhenMasked(t *testing.T) {
	fsys := fstest.MapFS{}
	for _, who := range []string{"ann@example.com", "bob@example.com"} {
		fsys["pile/"+who+"/train.log"] = &fstest.MapFile{Data: fmt.Appendf(nil, logs[0], 3)}
	}
	cases := Find([]source.Root{{Name: "pile", FS: fsys, Path: "pile"}})
	rows := rowsOf(t, cases, 1)
	merged, err := merge(t, [][]Row{rows[1:], rows[:1]})
	if err != nil || len(rows) != 2 || rows[0].Case != rows[1].Case || strings.Contains(rows[0].Case, "ann") {
		t.Fatalf("rows %+v, %v", rows, err)
	}
	if d := cmp.Diff(rows, merged); d != "" {
		t.Errorf("merged rows differ:\n%s", d)
	}
}

// TestJournal: wherever the writing of a journal is cut off, a run that goes on
// has each case once.
func TestJournal(t *testing.T) {
	cases := Find(pile(6))
	name := filepath.Join(t.TempDir(), "x.partial")
	rows := map[string]Block{}
	write := func(name string) {
		j, err := OpenJournal(name, "options")
		if err != nil {
			t.Fatal(err)
		}
		for i := range cases {
			p, ok := j.Done(&cases[i])
			if !ok {
				if p, err = j.Add(&cases[i], rows[cases[i].ID]); err != nil {
					t.Fatal(err)
				}
			}
			if b, err := j.block(p); err != nil || !reflect.DeepEqual(b, rows[cases[i].ID]) {
				t.Fatalf("the block of %s is %+v", cases[i].Name, b)
			}
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	o := options(1)
	for _, c := range cases {
		rows[c.ID] = o.diagnose(c)
	}
	write(name)
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for n := 0; n < len(whole); n += 97 {
		cut := filepath.Join(t.TempDir(), "cut")
		if err := os.WriteFile(cut, whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		write(cut)
		if got, err := os.ReadFile(cut); err != nil || !bytes.Equal(got, whole) {
			t.Fatalf("a journal cut at %d goes on to %d bytes, not %d: %v", n, len(got), len(whole), err)
		}
	}
	j, err := OpenJournal(name, "options")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenJournal(name, "options"); runtime.GOOS != "windows" && !errors.Is(err, ErrBusy) {
		t.Errorf("two runs share a journal: %v", err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenJournal(name, "other options"); !errors.Is(err, ErrOtherRun) {
		t.Errorf("a journal of another run is taken: %v", err)
	}
	for _, text := range []string{"a file of somebody\n", "a file of somebody", `{"schema":"x`, `{"schema":"hcloud-modelarts/triage/v1"}`} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := OpenJournal(name, "options"); !errors.Is(err, ErrOtherRun) {
			t.Errorf("%q is taken for a journal: %v", text, err)
		}
		if data, _ := os.ReadFile(name); string(data) != text {
			t.Errorf("%q became %q", text, data)
		}
	}
}

// FuzzJournal: whatever stands in a journal's file, it is left as it is, or a run
// goes on with it, and another one after that, each with the same rows.
func FuzzJournal(f *testing.F) {
	cases := Find(pile(2))
	o := options(1)
	name := filepath.Join(f.TempDir(), "x.partial")
	j, err := OpenJournal(name, "o")
	if err != nil {
		f.Fatal(err)
	}
	for i := range cases {
		if _, err := j.Add(&cases[i], o.diagnose(cases[i])); err != nil {
			f.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-7])
	f.Add(append(whole[:bytes.IndexByte(whole, '\n')+1:bytes.IndexByte(whole, '\n')+1], "{\"stamp\":\"x\",\"id\":\"\",\"rows\":null}\n{}\n[]\n{\"id\":1}\n"...))
	f.Add([]byte("x\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		var first []Block
		for round := range 2 {
			j, err := OpenJournal(name, "o")
			if now, _ := os.ReadFile(name); errors.Is(err, ErrOtherRun) && round == 0 && bytes.Equal(now, data) {
				return
			}
			if err != nil {
				t.Fatalf("%q, round %d: %v", data, round, err)
			}
			for i := range cases {
				p, done := j.Done(&cases[i])
				if !done && round > 0 {
					t.Errorf("%q: a case is lost", data)
				}
				if !done {
					if p, err = j.Add(&cases[i], Block{ID: cases[i].ID, Rows: poison("x")}); err != nil {
						t.Fatal(err)
					}
				}
				b, err := j.block(p)
				if err != nil {
					t.Fatal(err)
				}
				if round == 0 {
					first = append(first, b)
				} else if !reflect.DeepEqual(b, first[i]) {
					t.Errorf("%q: a case has other rows than before", data)
				}
			}
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestChangedCase: a case whose files changed is diagnosed again.
func TestChangedCase(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "train.log")
	write := func(text string, at int64) *Case {
		if err := errors.Join(os.WriteFile(log, []byte(text), 0o644), os.Chtimes(log, time.Unix(at, 0), time.Unix(at, 0))); err != nil {
			t.Fatal(err)
		}
		return &Find([]source.Root{{Name: dir, FS: os.DirFS(dir), Path: "."}})[0]
	}
	name := filepath.Join(t.TempDir(), "j")
	for _, known := range []bool{false, true} {
		j, err := OpenJournal(name, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, changed := range []*Case{write("longer\n", 1), write("x\n", 2)} {
			if _, ok := j.Done(changed); ok {
				t.Error("a changed case is known")
			}
		}
		c := write("x\n", 1)
		if _, ok := j.Done(c); ok != known {
			t.Errorf("an unchanged case is known: %t", ok)
		}
		if _, err := j.Add(c, Block{ID: c.ID}); err != nil {
			t.Fatal(err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestGroups: equal failures are one group with its span of time.
func TestGroups(t *testing.T) {
	row := func(name, print, at string, c report.Confidence) Row {
		return Row{ID: name, Case: name, Severity: report.Fault, Cause: "device-oom", Confidence: c, Fingerprint: print, Time: at, Owner: "user", Quote: Quote{Text: name}}
	}
	_, groups, err := Summarize(Of([]Row{
		row("a", "x", "2026-06-02T10:00:00", report.Medium),
		row("b", "y", "", report.High),
		row("c", "x", "2026-06-02T01:00:00Z", report.High),
		{ID: "d", Case: "d", Severity: report.Insufficient, Confidence: report.Low},
		{ID: "e", Case: "e", Error: "gone"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, g := range groups {
		got = append(got, fmt.Sprintf("%s %s %d %s %s %s", g.State, g.Fingerprint, g.Count, g.Quote.Text, g.FirstSeen, g.LastSeen))
	}
	want := []string{
		"failed x 2 c 2026-06-02T01:00:00Z 2026-06-02T10:00:00",
		"failed y 1 b  ", "undecided  1   ", "unreadable  1   ",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("groups (-want +got):\n%s", d)
	}
}

// TestGroupsAreNamed: for people, too, each row tells the group that it is in.
func TestGroupsAreNamed(t *testing.T) {
	rows := rowsOf(t, Find(pile(20)), 2)
	_, list, err := Summarize(Of(rows))
	if err != nil {
		t.Fatal(err)
	}
	_, groups, all, err := Overview(Of(rows), "en")
	if err != nil {
		t.Fatal(err)
	}
	markdown := string(forms(t, rows)["markdown"])
	for i, g := range list {
		if g.State != Failed {
			continue
		}
		cells, inMarkdown := 0, strings.Count(markdown, g.Fingerprint)
		for _, row := range all.Rows {
			if slices.Contains(row, g.Fingerprint) {
				cells++
			}
		}
		if !slices.Contains(groups.Rows[i], g.Fingerprint) || cells != g.Count || inMarkdown != g.Count+1 {
			t.Errorf("of the %d rows of %s the table names %d, Markdown %d", g.Count, g.Fingerprint, cells, inMarkdown-1)
		}
	}
}

// TestReadRefuses: what is no result is told with its line.
func TestReadRefuses(t *testing.T) {
	for in, want := range map[string]string{"{}\n": "line 1: schema", "\nnonsense\n": "line 2:", "{\"schema\":\"x\"}\n": `line 1: schema "x"`} {
		if _, err := Read(strings.NewReader(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("reading %q: %v", in, err)
		}
	}
}

// TestFormsAgree: every form is the same whether it was made at once or read
// back from NDJSON.
func TestFormsAgree(t *testing.T) {
	rows := rowsOf(t, Find(pile(20)), 2)
	back, err := Read(bytes.NewReader(forms(t, rows)["ndjson"]))
	if err != nil {
		t.Fatal(err)
	}
	a, b := forms(t, rows), forms(t, back)
	for name := range a {
		if !bytes.Equal(a[name], b[name]) {
			t.Errorf("%s differs once it was read back:\n%s", name, cmp.Diff(string(a[name]), string(b[name])))
		}
	}
}

// TestResult: rows come out as they went in, in the order of their cases,
// wherever they are kept, and an error of reading ends every form.
func TestResult(t *testing.T) {
	cases := Find(pile(10))
	want := rowsOf(t, cases, 1)
	for name, j := range map[string]*Journal{"a file": Scratch(), "memory": {store: &memory{}}} {
		r := NewResult(j, len(cases))
		for i := len(cases) - 1; i >= 0; i-- {
			b := Block{ID: want[i].ID, Rows: want[i : i+1]}
			p, err := j.Add(&cases[i], b)
			if err != nil {
				t.Fatal(err)
			}
			r.Put(i, p, b)
		}
		got, err := collect(r.Rows())
		if d := cmp.Diff(want, got); d != "" || err != nil || r.Counts.Cases != 10 {
			t.Errorf("rows in %s differ: %v, %+v\n%s", name, err, r.Counts, d)
		}
		if err := j.Close(); err != nil {
			t.Error(err)
		}
		for form, render := range renderers {
			if err := render(io.Discard, r.Rows()); err == nil {
				t.Errorf("%s takes rows that cannot be read", form)
			}
		}
	}
}

// TestScratchLeavesNothing: not where it was, and not when it ends.
func TestScratchLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	j := Scratch()
	if _, ok := j.store.(*os.File); !ok || j.Kept() {
		t.Fatalf("the rows are kept in %T", j.store)
	}
	if _, err := j.Add(&Case{}, Block{}); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
	t.Setenv("TMPDIR", filepath.Join(dir, "none"))
	t.Setenv("TMP", filepath.Join(dir, "none"))
	if _, ok := Scratch().store.(*memory); !ok {
		t.Error("without a folder for temporary files nothing keeps the rows")
	}
}

// FuzzRead: no saved result, however damaged, makes a form that fails.
func FuzzRead(f *testing.F) {
	rows := poison("x")
	var b bytes.Buffer
	if err := NDJSON(&b, Of(rows)); err != nil {
		f.Fatal(err)
	}
	whole := b.Bytes()
	f.Add(whole)
	f.Add(bytes.ReplaceAll(whole, []byte(`"x"`), []byte("\"\xff\"")))
	f.Add([]byte(`{"schema":"hcloud-modelarts/triage/v1","severity":"?","time":"soon","timeline":{"lanes":[{"first":"9","marks":null}]}}`))
	f.Add([]byte("{}\n\n[]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		rows, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		merged, err := merge(t, [][]Row{rows})
		if errors.As(err, new(*ConflictError)) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for name, out := range forms(t, merged) {
			if acts := func(r rune) bool { return r != '\n' && r != '\t' && r != '\r' && report.Plain(string(r)) != string(r) }; !utf8.Valid(out) || bytes.ContainsFunc(bytes.TrimPrefix(out, []byte("\ufeff")), acts) {
				t.Errorf("%s holds what acts: %q", name, out)
			}
		}
		var saved bytes.Buffer
		if err := NDJSON(&saved, Of(merged)); err != nil {
			t.Fatal(err)
		}
		back, err := Read(&saved)
		if err != nil || !reflect.DeepEqual(back, merged) {
			t.Errorf("%q is not read as it was written: %v", data, err)
		}
		half := len(merged) / 2
		again, err := merge(t, [][]Row{merged[half:], merged[:half], merged})
		if errors.As(err, new(*ConflictError)) {
			return // the rows of one case stood on both sides of the middle
		}
		if err != nil || !reflect.DeepEqual(again, merged) {
			t.Errorf("%q becomes other rows when it is merged in another order: %v", data, err)
		}
	})
}

var renderers = map[string]func(io.Writer, Rows) error{
	"ndjson": NDJSON, "json": JSON, "csv": CSV,
	"junit":    func(w io.Writer, rows Rows) error { return JUnit(w, rows, "zh") },
	"html":     func(w io.Writer, rows Rows) error { return HTML(w, rows, "zh") },
	"markdown": func(w io.Writer, rows Rows) error { return Markdown(w, rows, "zh") },
	"table": func(w io.Writer, rows Rows) error {
		lines, groups, all, err := Overview(rows, "zh")
		fmt.Fprintln(w, lines, groups, all)
		return err
	},
}

func forms(t rapid.TB, rows []Row) map[string][]byte {
	t.Helper()
	m := map[string][]byte{}
	for name, render := range renderers {
		var b bytes.Buffer
		if err := render(&b, Of(rows)); err != nil {
			t.Fatal(err)
		}
		m[name] = b.Bytes()
	}
	return m
}

// poison puts a text into every string of a row that comes from outside.
func poison(s string) []Row {
	r := Row{Schema: Schema, ID: "1", Severity: report.Fault, Confidence: report.High, Rank: 1, Timeline: &report.Timeline{
		Lanes: []report.Lane{{Rank: 1, Task: s, Source: s, First: "2026-06-02T01:00:00Z", Last: "2026-06-02T01:00:05Z", Marks: []report.Mark{{Time: "2026-06-02T01:00:05Z", Kind: "root", Cause: s}}}},
	}}
	r.Case, r.Job, r.Cause, r.Domain, r.Summary, r.Fingerprint = s, report.Job{ID: s, Name: s, Phase: s}, s, s, s, s
	r.Task, r.Time, r.Quote, r.Fixes = s, s, Quote{s, 3, s, s}, []string{s}
	bad := r
	bad.ID, bad.Error = "2", s
	return []Row{r, bad}
}

// tagNames gives the elements of a page with the names of their attributes.
func tagNames(page []byte) []string {
	var list []string
	for _, t := range regexp.MustCompile(`<[^>]*>`).FindAllString(string(page), -1) {
		list = append(list, regexp.MustCompile(`="[^"]*"`).ReplaceAllString(t, ""))
	}
	return list
}

// TestHostileText: no text breaks out of its place in any form, hides anything,
// or is a formula.
func TestHostileText(t *testing.T) {
	harmless := poison("x")
	want := tagNames(bytes.Replace(forms(t, harmless)["html"], []byte(pageJS), nil, 1))
	lines := bytes.Count(forms(t, harmless)["markdown"], []byte("\n"))
	rapid.Check(t, func(t *rapid.T) {
		piece := rapid.SampledFrom([]string{"a", " ", "|", `\`, "\n", "\r\n", "\t", "<script>", "</td>", "&lt;", `"`, "'", "=1+1", "@x", "\x1b[31m", "\u202e", "\u2028", "\ufeff", "\x00", "\xff", "]]>", "显存", "{{.}}"})
		s := rapid.SampledFrom([]string{"x", "=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "＝1"}).Draw(t, "start") + strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "") + "x"
		got := forms(t, poison(s))
		if d := cmp.Diff(want, tagNames(bytes.Replace(got["html"], []byte(pageJS), nil, 1))); d != "" {
			t.Fatalf("%q changes the page: %s", s, d)
		}
		if n := bytes.Count(got["markdown"], []byte("\n")); n != lines {
			t.Fatalf("%q changes the lines of Markdown: %d, want %d", s, n, lines)
		}
		cells, err := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(got["csv"], []byte("\ufeff")))).ReadAll()
		if err != nil || len(cells) != 3 {
			t.Fatalf("%q breaks the CSV: %v", s, err)
		}
		for _, c := range cells[1] {
			if c = strings.TrimSpace(c); c != "" && strings.ContainsAny(c[:1], "=+-@") {
				t.Fatalf("%q makes a formula: %q", s, c)
			}
		}
		for d := xml.NewDecoder(bytes.NewReader(got["junit"])); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%q breaks the XML: %v", s, err)
			}
		}
		if !json.Valid(got["json"]) {
			t.Fatalf("%q breaks the JSON", s)
		}
		for name, data := range got {
			data = bytes.TrimPrefix(data, []byte("\ufeff"))
			if name == "html" {
				data = bytes.Replace(data, []byte(pageJS), nil, 1)
			}
			for _, r := range string(data) {
				if r != '\n' && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r)) {
					t.Fatalf("%q reaches %s as %U", s, name, r)
				}
			}
		}
	})
}

// TestPrivateAddresses: programs keep the addresses of private networks, pages
// for people do not, and no form shows a secret.
func TestPrivateAddresses(t *testing.T) {
	got := forms(t, []Row{newRow(&Case{Name: "c"}, &report.Report{
		Severity: report.Fault, Confidence: report.High, Cause: "network-error", Summary: "10.1.2.3 refused, password=hunter2222",
		Evidence: []report.Evidence{{Source: "a.log", Line: 1, Text: "connect 10.1.2.3:29500 password=hunter2222"}},
	}, rules.Default())})
	for name, data := range got {
		private := bytes.Contains(data, []byte("10.1.2.3"))
		if private != (name == "json" || name == "ndjson") || bytes.Contains(data, []byte("hunter2222")) {
			t.Errorf("%s shows %s", name, data)
		}
	}
}

// TestRankOfRow: where the decisive line is one of an answer, the log of the same
// task tells the rank, and that of another task does not.
func TestRankOfRow(t *testing.T) {
	for _, tt := range []struct {
		task string
		want int
	}{{"worker-1", 9}, {"worker-0", -1}} {
		r := newRow(&Case{}, &report.Report{Severity: report.Fault, Confidence: report.High, Evidence: []report.Evidence{
			{Source: "details.json", Task: "worker-1", Rank: -1}, {Source: "x.log", Task: tt.task, Rank: 9},
		}}, rules.Default())
		if r.Rank != tt.want || r.Quote.Source != "details.json" {
			t.Errorf("beside a line of %s the rank is %d", tt.task, r.Rank)
		}
	}
}

// TestManyLanes: a row keeps the lanes on which something happened.
func TestManyLanes(t *testing.T) {
	long := &report.Timeline{}
	for i := range 40 {
		l := report.Lane{Rank: i}
		if i == 37 {
			l.Marks = []report.Mark{{Kind: "root"}}
		}
		long.Lanes = append(long.Lanes, l)
	}
	short := shorten(long)
	if len(short.Lanes) != maxLanes || short.More != 40-maxLanes || !hasRoot(short.Lanes[maxLanes-1]) {
		t.Errorf("%d lanes, %d more, %+v", len(short.Lanes), short.More, short.Lanes)
	}
}
