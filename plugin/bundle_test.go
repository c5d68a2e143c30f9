package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBundleExitCodes packs a case, checks the bundle, and runs each way in
// which both commands end.
func TestBundleExitCodes(t *testing.T) {
	log := writeTemp(t, "train.log", failure+"password=hunter2222\n")
	dir := t.TempDir()
	file := filepath.Join(dir, "b.zip")
	doubtful := writeTemp(t, "notes.txt", "the password is swordfish\n")
	for _, tt := range []struct {
		name   string
		args   []string
		code   int
		stdout string
		stderr string
	}{
		{"pack", []string{"bundle", log, "-o", file}, exitOK, "1 行中的敏感内容已掩码", ""},
		{"pack tells what is masked", []string{"bundle", log, "-o", file}, exitOK, "掩码范围：密钥", ""},
		{"pack in English tells what is not", []string{"bundle", log, "-o", file, "--lang=en"}, exitOK, "not masked are names of people", ""},
		{"pack in English", []string{"bundle", log, "-o", file, "--lang=en"}, exitOK, "train.log: 6 of 6 lines", ""},
		{"pack to standard output", []string{"bundle", log, "-o", "-"}, exitOK, "PK", "train.log"},
		{"check", []string{"bundle", "check", file}, exitOK, "没有发现敏感内容", ""},
		{"check what is not masked", []string{"bundle", "check", log}, exitFailed, "", "1 处敏感内容未掩码"},
		{"check doubts", []string{"bundle", "check", doubtful, "--lang=en"}, exitOK, "look at these 1 lines", ""},
		{"no output", []string{"bundle", log}, exitUsage, "", "缺少选项 --output"},
		{"missing path", []string{"bundle", "no-such", "-o", file}, exitFailed, "", "不存在"},
		{"folder as output", []string{"bundle", log, "-o", dir}, exitFailed, "", "无法写入"},
		{"negative bound", []string{"bundle", log, "-o", file, "--max-depth=-1"}, exitUsage, "", "不能为负数"},
		{"negative bound of check", []string{"bundle", "check", log, "--max-depth=-1"}, exitUsage, "", "不能为负数"},
		{"check of nothing", []string{"bundle", "check", "no-such"}, exitFailed, "", "不存在"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := invoke(t, "", nil, tt.args...)
			if got.code != tt.code {
				t.Errorf("exit code %d, want %d", got.code, tt.code)
			}
			checkPart(t, "stdout", got.stdout, tt.stdout)
			checkPart(t, "stderr", got.stderr, tt.stderr)
			if strings.Contains(got.stdout+got.stderr, "hunter2222") || strings.Contains(got.stdout+got.stderr, "swordfish") {
				t.Error("a secret is shown")
			}
		})
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("beside the bundle is %v, %v", entries, err)
	}
}

// TestCheckTellsWhatItDidNotSee: nobody is told that there is no secret in what was
// not looked through; a link has nothing of its own.
func TestCheckTellsWhatItDidNotSee(t *testing.T) {
	broken := "\x1f\x8b\x08" + strings.Repeat("x", 100)
	for name, text := range map[string]string{
		"broken.gz": broken, "image.png": "\x89PNG\r\n\x1a\n\x00\x00\x00\x00", "long.log": strings.Repeat("x ", 1<<20) + "\n",
	} {
		dir := t.TempDir()
		for file, data := range map[string]string{name: text, "train.log": "step 1\n", "empty.log": ""} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(data), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got := invoke(t, "", nil, "bundle", "check", "--lang=en", dir)
		if got.code != exitFailed || got.stdout != "" || !strings.Contains(got.stderr, name) || strings.Contains(got.stderr, "no secret was found") || strings.Contains(got.stderr, "empty.log") {
			t.Errorf("%s: %+v", name, got)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "train.log"), []byte("step 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("train.log", filepath.Join(dir, "again.log")); err != nil {
		t.Skip(err)
	}
	got := invoke(t, "", nil, "bundle", "check", "--lang=en", dir)
	if got.code != exitOK || !strings.Contains(got.stdout, "no secret was found") || !strings.Contains(got.stdout, "again.log") {
		t.Errorf("%+v", got)
	}
}
