// Package golden holds the expected reports of every case in corpus/cases and
// the test that compares them.
package golden

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/plugin/linediff"
)

var update = flag.Bool("update", false, "rewrite the expected reports")

const casesDir = "../corpus/cases"

// caseFile is case.yaml: what a case is about and what its diagnosis must say,
// so that -update cannot make a wrong report the expected one.
type caseFile struct {
	Title      string `yaml:"title"`
	Shows      string `yaml:"shows"`
	Cause      string `yaml:"cause"`
	Confidence string `yaml:"confidence"`
	RootLine   string `yaml:"root_line"` // part of the first evidence, "" when no cause is named
	Jobs       int    `yaml:"jobs"`      // reports that the input gives, 1 when left out
}

func readCase(t *testing.T, dir string) caseFile {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "case.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	c := caseFile{Jobs: 1}
	if err := yaml.Load(data, &c, yaml.WithKnownFields()); err != nil {
		t.Fatalf("%s/case.yaml: %v", dir, err)
	}
	if c.Title == "" || c.Shows == "" || c.Cause == "" || c.Confidence == "" {
		t.Fatalf("%s/case.yaml: title, shows, cause and confidence must be there", dir)
	}
	return c
}

// input finds the file or folder named input, whatever its ending.
func input(t *testing.T, dir string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "input*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s holds %d inputs, want one: %v", dir, len(found), err)
	}
	return filepath.Base(found[0])
}

func rootOf(t *testing.T, dir string) source.Root {
	t.Helper()
	file := input(t, dir)
	root := source.Root{Name: file, FS: os.DirFS(dir), Path: file}
	if info, err := os.Stat(filepath.Join(dir, file)); err == nil && info.IsDir() {
		root.FS, root.Path = os.DirFS(filepath.Join(dir, file)), "."
	}
	return root
}

func diagnose(t *testing.T, dir, lang string) []report.Report {
	t.Helper()
	reports, err := analyzer.Diagnose([]source.Root{rootOf(t, dir)}, analyzer.Options{Lang: lang})
	if err != nil {
		t.Fatal(err)
	}
	return reports
}

// faces renders a case in every expected form, by the ending of its file.
func faces(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	zh, en := diagnose(t, dir, "zh"), diagnose(t, dir, "en")
	data, err := report.JSON(en)
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		".zh.md": report.Markdown(zh, "zh", false),
		".en.md": report.Markdown(en, "en", false),
		".json":  data,
	}
}

func TestReports(t *testing.T) {
	dirs, err := os.ReadDir(casesDir)
	if err != nil || len(dirs) == 0 {
		t.Fatalf("there are no cases: %v", err)
	}
	for _, d := range dirs {
		t.Run(d.Name(), func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(casesDir, d.Name())
			reports := diagnose(t, dir, "en")
			checkVerdict(t, readCase(t, dir), reports)
			checkQuotes(t, reports, rootOf(t, dir))
			for end, got := range faces(t, dir) {
				compare(t, d.Name()+end, got)
			}
		})
	}
}

// checkQuotes looks for every quoted line in the case.
func checkQuotes(t *testing.T, reports []report.Report, root source.Root) {
	t.Helper()
	bad, err := analyzer.Verify(reports, []source.Root{root}, source.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range bad {
		t.Error(m)
	}
}

// checkVerdict holds a diagnosis against what the case says about itself.
func checkVerdict(t *testing.T, c caseFile, reports []report.Report) {
	t.Helper()
	if len(reports) != c.Jobs {
		t.Fatalf("%d reports, want %d", len(reports), c.Jobs)
	}
	r := reports[0]
	if r.Cause != c.Cause || string(r.Confidence) != c.Confidence {
		t.Errorf("the diagnosis is %s (%s), the case is %s (%s)", r.Cause, r.Confidence, c.Cause, c.Confidence)
	}
	if c.RootLine != "" && (len(r.Evidence) == 0 || !strings.Contains(r.Evidence[0].Text, c.RootLine)) {
		t.Errorf("the first evidence does not hold %q: %+v", c.RootLine, r.Evidence)
	}
}

// compare holds a rendered report against its file, or rewrites the file.
func compare(t *testing.T, file string, got []byte) {
	t.Helper()
	want, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if string(got) == string(want) && err == nil {
		return
	}
	if *update && !t.Failed() {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("golden/%s differs (go test ./golden -update rewrites it):\n%s", file, linediff.Diff("want", "got", string(want), string(got), 3))
}

// TestNoOrphans: every file belongs to a case.
func TestNoOrphans(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if filepath.Ext(f.Name()) == ".go" || f.Name() == "testdata" {
			continue
		}
		base := strings.TrimSuffix(f.Name(), filepath.Ext(f.Name()))
		base = strings.TrimSuffix(strings.TrimSuffix(base, ".zh"), ".en")
		if _, err := os.Stat(filepath.Join(casesDir, base, "case.yaml")); err != nil {
			t.Errorf("golden/%s belongs to no case: delete it", f.Name())
		}
	}
}

// TestSameBytes: a report does not depend on when, how often or beside what it
// is made.
func TestSameBytes(t *testing.T) {
	dirs, err := os.ReadDir(casesDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		t.Run(d.Name(), func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(casesDir, d.Name())
			want := fmt.Sprintf("%s", faces(t, dir))
			for range 3 {
				if got := fmt.Sprintf("%s", faces(t, dir)); got != want {
					t.Fatalf("two runs differ:\n%s", linediff.Diff("first", "second", want, got, 3))
				}
			}
		})
	}
}

// TestCausesAreVaried: the shipped cases show many causes, and some that have none.
func TestCausesAreVaried(t *testing.T) {
	dirs, err := os.ReadDir(casesDir)
	if err != nil {
		t.Fatal(err)
	}
	var causes []string
	for _, d := range dirs {
		causes = append(causes, readCase(t, filepath.Join(casesDir, d.Name())).Cause)
	}
	slices.Sort(causes)
	distinct := slices.Compact(slices.Clone(causes))
	if len(causes) < 15 || len(distinct) < 10 || !slices.Contains(distinct, "none") || !slices.Contains(distinct, "unknown") {
		t.Errorf("%d cases show the causes %q", len(causes), distinct)
	}
}
