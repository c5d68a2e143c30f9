package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"
)

// TestRedirectedOutput: what Windows PowerShell wrote into a file with ">", UTF-16
// with a mark and other line ends, is read as what it was made of.
func TestRedirectedOutput(t *testing.T) {
	redirected := func(text string) string {
		utf16 := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder()
		data, err := utf16.String(strings.ReplaceAll(text, "\n", "\r\n"))
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "redirected")
		if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	log := filepath.Join(t.TempDir(), "train.log")
	if err := os.WriteFile(log, []byte(failure), 0o600); err != nil {
		t.Fatal(err)
	}
	report := redirected(invoke(t, "", nil, "analyze", "--format", "json", log).stdout)
	rows := redirected(invoke(t, "", nil, "triage", "--format", "ndjson", log).stdout)
	list := redirected(log + "\n")
	body := redirected(`{"tags": [{"key": "team", "value": "nlp"}]}`)
	for _, tt := range []struct {
		stdin string
		args  []string
		want  string // in what is printed
	}{
		{"", []string{"report", "render", report}, "OutOfMemoryError"},
		{"", []string{"verify", report, log}, "一致"},
		{"", []string{"diff", report, report}, "没有发现差异"},
		{"", []string{"triage", "merge", rows}, "train.log"},
		{"", []string{"diff", rows, rows}, "没有发现差异"},
		{list, []string{"triage", "-"}, "train.log"},
		{redirected("KeyError: 'label'\n"), []string{"explain", "-"}, "KeyError"},
		{"", []string{"api", "CreateTrainJobTags", "--dry-run", "--training_job_id", "6f1b2c58-0d34-4c7e-9a41-b7d2e3f40c19", "--json", body}, "nlp"},
	} {
		stdin := ""
		if tt.stdin != "" {
			data, err := os.ReadFile(tt.stdin)
			if err != nil {
				t.Fatal(err)
			}
			stdin = string(data)
		}
		if got := invoke(t, stdin, nil, tt.args...); got.code != 0 || !strings.Contains(got.stdout, tt.want) {
			t.Errorf("%q: %+v", tt.args, got)
		}
	}
}
