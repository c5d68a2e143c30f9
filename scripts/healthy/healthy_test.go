package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
)

func diagnose(t *testing.T, name string, log []byte) report.Report {
	t.Helper()
	reports, err := analyzer.Diagnose([]source.Root{{Name: name, Reader: bytes.NewReader(log)}}, analyzer.Options{Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	return reports[0]
}

func all(t *testing.T) []format {
	t.Helper()
	list, err := formats()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// ofDevice are logs that do not tell how the job ended.
var ofDevice = map[string]bool{"kernel": true, "plog": true}

// TestHealthyLogsAreNotBlamed: in 50 MB of healthy logs nothing is found.
func TestHealthyLogsAreNotBlamed(t *testing.T) {
	list := all(t)
	size := total
	if testing.Short() {
		size /= 50
	}
	read := 0
	for _, f := range list {
		t.Run(f.name, func(t *testing.T) {
			var b bytes.Buffer
			f.write(&b, size/len(list)+1)
			read += b.Len()
			r := diagnose(t, f.file, b.Bytes())
			if r.NamesCause() || r.Cause != "none" && !ofDevice[f.name] {
				t.Errorf("%s/%s (%s): %+v", r.Cause, r.Confidence, r.Rule, r.Evidence)
			}
		})
	}
	if read < size {
		t.Errorf("only %d bytes were read, want %d", read, size)
	}
}

// TestAlarmingWordsExplainNothing: when a job of such logs fails without a word,
// none of its harmless lines is taken for the reason.
func TestAlarmingWordsExplainNothing(t *testing.T) {
	const size = 64 << 10
	for _, f := range all(t) {
		t.Run(f.name, func(t *testing.T) {
			for _, every := range append([]interval{{}}, f.every...) {
				cut := f // the job fails right after the lines that come now and then
				cut.end = append(append([]string{}, every.lines...), "[Modelarts Service Log]{iso} - Training end with return code: 1")
				var b bytes.Buffer
				cut.write(&b, size)
				if r := diagnose(t, f.file, b.Bytes()); r.Cause != "unknown" && r.Cause != "exit-nonzero" {
					t.Errorf("after the lines of every %d steps: %s/%s (%s): %q", every.steps, r.Cause, r.Confidence, r.Rule, r.Evidence[0].Text)
				}
			}
		})
	}
}

// TestWritten: the program writes what the tests read, the same each time.
func TestWritten(t *testing.T) {
	dirs := []string{t.TempDir(), t.TempDir()}
	for _, dir := range dirs {
		if err := writeAll(dir, 200_000); err != nil {
			t.Fatal(err)
		}
	}
	sum := 0
	for _, f := range all(t) {
		a, err := os.ReadFile(filepath.Join(dirs[0], f.name, f.file))
		if err != nil {
			t.Fatal(err)
		}
		b, _ := os.ReadFile(filepath.Join(dirs[1], f.name, f.file))
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs from run to run", f.name)
		}
		if strings.Contains(string(a), "{step}") {
			t.Errorf("%s holds a value that was not filled in", f.name)
		}
		sum += len(a)
	}
	if sum < 200_000 {
		t.Errorf("only %d bytes were written", sum)
	}
}
