package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDiffExitCodes runs each way in which diff ends.
func TestDiffExitCodes(t *testing.T) {
	good := writeTemp(t, "good.log", "2026-06-02 09:41:50 INFO step 1200 loss 1.73\ntraining done\n")
	bad := writeTemp(t, "bad.log", failure)
	saved := writeTemp(t, "bad.json", savedReport(t, bad))
	rows := writeTemp(t, "rows.ndjson", invoke(t, "", nil, "triage", "--format=ndjson", bad).stdout)
	for _, tt := range []struct {
		name   string
		args   []string
		code   int
		stdout string
		stderr string
	}{
		{"cases", []string{good, bad}, exitOK, "## 故障从这里开始", ""},
		{"cases in English", []string{good, bad, "--lang=en"}, exitOK, "Traceback (most recent call last):", ""},
		{"as JSON", []string{good, bad, "--format=json"}, exitOK, `"schema": "hcloud-modelarts/diff/v1"`, ""},
		{"exit code", []string{good, bad, "--exit-code"}, exitFault, "device-oom", ""},
		{"equal", []string{bad, bad, "--exit-code"}, exitOK, "没有发现差异", ""},
		{"report and case", []string{saved, bad, "--exit-code"}, exitOK, "没有发现差异", ""},
		{"results", []string{rows, rows, "--exit-code"}, exitOK, "没有发现差异", ""},
		{"result and case", []string{rows, bad}, exitUsage, "", "不是同类"},
		{"missing", []string{good, "no-such"}, exitFailed, "", "不存在"},
		{"nothing in it", []string{good, t.TempDir()}, exitFailed, "", "没有可读的内容"},
		{"one only", []string{good}, exitUsage, "", "缺少参数"},
		{"negative bound", []string{good, bad, "--max-depth=-1"}, exitUsage, "", "不能为负数"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := invoke(t, "", nil, append([]string{"diff"}, tt.args...)...)
			if got.code != tt.code || strings.Count(got.stderr, "\n") > 1 {
				t.Errorf("exit code %d, want %d: %q", got.code, tt.code, got.stderr)
			}
			checkPart(t, "stdout", got.stdout, tt.stdout)
			checkPart(t, "stderr", got.stderr, tt.stderr)
		})
	}
}

// TestDiffTellsWhatItDidNotRead: a side of which something could not be read is not
// silently the same as another.
func TestDiffTellsWhatItDidNotRead(t *testing.T) {
	dir := t.TempDir()
	for file, data := range map[string]string{"train.log": failure, "broken.gz": "\x1f\x8b\x08x"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	whole := writeTemp(t, "train.log", failure)
	got := invoke(t, "", nil, "diff", "--lang=en", whole, dir)
	if got.code != exitOK || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, "broken.gz") {
		t.Errorf("%+v", got)
	}
	if got := invoke(t, "", nil, "diff", "--lang=en", whole, whole); got.code != exitOK || got.stderr != "" {
		t.Errorf("%+v", got)
	}
}
