package golden

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
)

// rankLog is the log of one rank or task of a case.
type rankLog struct {
	name  string // within the input
	label string // "worker-1" or "rank5"
	text  []byte
}

// TestTransformed: the cause and the fingerprint of a case of several ranks stay
// when its files are named in another order, when each rank's log is cut in two,
// and when all ranks are merged into one log with labels before the lines.
func TestTransformed(t *testing.T) {
	dirs, err := os.ReadDir(casesDir)
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for _, d := range dirs {
		dir := filepath.Join(casesDir, d.Name(), "input")
		files, logs := readInput(t, dir)
		if len(logs) < 2 || readCase(t, filepath.Join(casesDir, d.Name())).Jobs > 1 {
			continue
		}
		cases++
		t.Run(d.Name(), func(t *testing.T) {
			t.Parallel()
			want := diagnoseFiles(t, files)
			checkSame(t, "named in reverse", want, diagnoseReversed(t, files))
			for _, at := range []int{10, 35, 50, 65, 80, 90, 97} {
				checkSame(t, fmt.Sprintf("cut at %d %%", at), want, diagnoseFiles(t, cut(files, logs, func(n int) int { return n * at / 100 })))
			}
			for _, back := range []int{2, 3, 5, 8} {
				checkSame(t, fmt.Sprintf("cut inside the last traceback, %d lines up", back), want, diagnoseFiles(t, cutTraceback(files, logs, back)))
			}
			for _, form := range []string{"%s: ", "[%s] ", "[%s]: "} {
				checkSame(t, fmt.Sprintf("merged with %q", form), want, diagnoseFiles(t, merge(t, files, logs, form)))
			}
		})
	}
	if cases < 25 {
		t.Errorf("only %d cases have several ranks", cases)
	}
}

// readInput reads the files of a case's folder, and tells which are the logs of
// one rank or task each.
func readInput(t *testing.T, dir string) (files fstest.MapFS, logs []rankLog) {
	t.Helper()
	files = fstest.MapFS{}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return files, nil
	}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(name)] = &fstest.MapFile{Data: data}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	docs := &documents{}
	if _, err := source.Read([]source.Root{{Name: ".", FS: files, Path: "."}}, source.Limits{}, docs); err != nil {
		return files, nil
	}
	for _, d := range docs.all {
		label := d.Task
		if d.Rank >= 0 {
			label = fmt.Sprintf("rank%d", d.Rank)
		}
		file, ok := files[d.Name]
		taken := slices.ContainsFunc(logs, func(l rankLog) bool { return l.label == label })
		if ok && !taken && !strings.Contains(d.Name, "kernel") && label != "" && d.Kind == source.Log && path.Ext(d.Name) != ".json" {
			logs = append(logs, rankLog{d.Name, label, file.Data})
		}
	}
	return files, logs
}

// documents collects the documents of an input, and the times of their lines.
type documents struct {
	all   []*source.Document
	times []time.Time // of every line, without a zone; that of the line above when it has none
}

func (d *documents) Begin(doc *source.Document) { d.all = append(d.all, doc) }
func (d *documents) End(*source.Document)       {}
func (d *documents) JSON(*source.JSON)          {}
func (d *documents) Note(source.Note)           {}

func (d *documents) Line(l *source.Line) {
	var last time.Time
	if n := len(d.times); n > 0 {
		last = d.times[n-1]
	}
	for len(d.times) < l.Number { // blank lines are not handed on
		d.times = append(d.times, last)
	}
	if !l.Time.IsZero() && !l.Zoned && l.Time.After(last) {
		d.times[l.Number-1] = l.Time
	}
}

func diagnoseFiles(t *testing.T, files fstest.MapFS) report.Report {
	t.Helper()
	return diagnoseRoots(t, []source.Root{{Name: "input", FS: files, Path: "."}})
}

// diagnoseReversed names every file by itself, the last first.
func diagnoseReversed(t *testing.T, files fstest.MapFS) report.Report {
	t.Helper()
	var roots []source.Root
	for name := range files {
		roots = append(roots, source.Root{Name: name, FS: files, Path: name})
	}
	slices.SortFunc(roots, func(a, b source.Root) int { return strings.Compare(b.Name, a.Name) })
	return diagnoseRoots(t, roots)
}

func diagnoseRoots(t *testing.T, roots []source.Root) report.Report {
	t.Helper()
	reports, err := analyzer.Diagnose(roots, analyzer.Options{Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	return reports[0]
}

func checkSame(t *testing.T, how string, want, got report.Report) {
	t.Helper()
	if got.Cause != want.Cause || got.Fingerprint != want.Fingerprint {
		line := ""
		if len(got.Evidence) > 0 {
			line = got.Evidence[0].Text
		}
		t.Errorf("%s: %s (%s) %s by %q, want %s (%s) %s", how, got.Cause, got.Confidence, got.Fingerprint, line, want.Cause, want.Confidence, want.Fingerprint)
	}
}

// cut cuts every log behind the line that at gives for its number of lines.
func cut(files fstest.MapFS, logs []rankLog, at func(lines int) int) fstest.MapFS {
	return cutEach(files, logs, func(lines [][]byte) int { return at(len(lines)) })
}

// cutTraceback cuts every log some lines above its last exception.
func cutTraceback(files fstest.MapFS, logs []rankLog, back int) fstest.MapFS {
	return cutEach(files, logs, func(lines [][]byte) int {
		for i := len(lines) - 1; i >= 0; i-- {
			if bytes.Contains(lines[i], []byte("    ")) && bytes.Contains(lines[max(0, i-1)], []byte(`  File "`)) {
				return max(1, i+2-back)
			}
		}
		return len(lines) / 2
	})
}

func cutEach(files fstest.MapFS, logs []rankLog, at func([][]byte) int) fstest.MapFS {
	out := fstest.MapFS{}
	for name, f := range files {
		out[name] = f
	}
	for _, l := range logs {
		lines := bytes.SplitAfter(l.text, []byte("\n"))
		n := min(max(1, at(lines)), len(lines)-1)
		delete(out, l.name)
		ext := path.Ext(l.name)
		base := strings.TrimSuffix(l.name, ext)
		out[base+".part1"+ext] = &fstest.MapFile{Data: bytes.Join(lines[:n], nil)}
		out[base+".part2"+ext] = &fstest.MapFile{Data: bytes.Join(lines[n:], nil)}
	}
	return out
}

// merge makes one log of all, in the order of their times, with a label before
// each line.
func merge(t *testing.T, files fstest.MapFS, logs []rankLog, form string) fstest.MapFS {
	t.Helper()
	type row struct {
		at   time.Time
		text string
	}
	var rows []row
	out := fstest.MapFS{}
	for name, f := range files {
		out[name] = f
	}
	for _, l := range logs {
		delete(out, l.name)
		docs := &documents{}
		fsys := fstest.MapFS{path.Base(l.name): &fstest.MapFile{Data: l.text}}
		if _, err := source.Read([]source.Root{{Name: ".", FS: fsys, Path: "."}}, source.Limits{}, docs); err != nil {
			t.Fatal(err)
		}
		var last time.Time
		for i, line := range bytes.SplitAfter(bytes.TrimRight(l.text, "\n"), []byte("\n")) {
			if i < len(docs.times) {
				last = docs.times[i]
			}
			rows = append(rows, row{last, fmt.Sprintf(form, l.label) + strings.TrimRight(string(line), "\r\n") + "\n"})
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int { return a.at.Compare(b.at) })
	var merged strings.Builder
	for _, r := range rows {
		merged.WriteString(r.text)
	}
	out["merged.log"] = &fstest.MapFile{Data: []byte(merged.String())}
	return out
}
