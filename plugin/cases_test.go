package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hcloud-modelarts/corpus"
)

func TestCorpusCommands(t *testing.T) {
	cases := t.TempDir()
	program := stand(t, scene(t, oom(t)...))
	if got := beside(t, "", cases, "corpus", "list"); got.code != exitOK || !strings.Contains(got.stdout, "没有案例") {
		t.Errorf("an empty corpus: %+v", got)
	}
	recorded := strings.TrimSpace(beside(t, program, cases, "record", oomJob).stdout)
	if got := beside(t, "", cases, "corpus", "list", "--format=json"); got.code != exitOK || !strings.Contains(got.stdout, `"done": true`) {
		t.Errorf("list: %+v", got)
	}
	archive := filepath.Join(t.TempDir(), "x.zip")
	for _, args := range [][]string{{"export", oomJob, archive}, {"show", archive}, {"verify", archive}, {"rm", oomJob}, {"import", archive}, {"verify"}} {
		if got := beside(t, "", cases, append([]string{"corpus"}, args...)...); got.code != exitOK {
			t.Errorf("corpus %q: %+v", args, got)
		}
	}
	for code, args := range map[string][]string{
		"不会覆盖":     {"export", oomJob, archive},
		"没有案例":     {"show", "nothing"},
		"已存在":      {"import", archive},
		"不是案例":     {"show", t.TempDir()},
		"无法读写":     {"list", "--corpus", filepath.Join(archive, "x")},
		"没有案例 \"z": {"rm", "z"},
	} {
		if got := beside(t, "", cases, append([]string{"corpus"}, args...)...); got.code != exitFailed || !strings.Contains(got.stderr, code) {
			t.Errorf("corpus %q does not say %q: %+v", args, code, got)
		}
	}
	files, err := filepath.Glob(filepath.Join(recorded, "exchanges", "*Details*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	var m corpus.Manifest
	manifest := filepath.Join(recorded, "case.json")
	whole, err := os.ReadFile(manifest)
	if err != nil || json.Unmarshal(whole, &m) != nil {
		t.Fatal(err)
	}
	cut := strings.Replace(string(whole), `"done": true`, `"done": false`, 1)
	left := filepath.Join(recorded, "exchanges", "9999-left.json")
	if os.WriteFile(manifest, []byte(cut), 0o600) != nil || os.WriteFile(left, nil, 0o600) != nil {
		t.Fatal("cannot write")
	}
	if got := beside(t, "", cases, "corpus", "verify"); got.code != exitOK || !strings.Contains(got.stderr, "record --resume "+m.ID) {
		t.Errorf("a recording that was cut short: %+v", got)
	}
	if os.WriteFile(manifest, whole, 0o600) != nil || os.Remove(left) != nil {
		t.Fatal("cannot write")
	}
	if err := os.WriteFile(files[0], []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := beside(t, "", cases, "corpus", "verify"); got.code != exitFailed || !strings.Contains(got.stderr, "内容已改变") {
		t.Errorf("a changed file: %+v", got)
	}
	if got := beside(t, "", cases, "diagnose", "--replay", recorded); got.code != exitFailed || !strings.Contains(got.stderr, "已损坏") {
		t.Errorf("replaying a damaged case: %+v", got)
	}
	plain := beside(t, program, cases, "record", oomJob, "--no-mask")
	if plain.code != exitOK || !strings.Contains(plain.stderr, "--no-mask 已关闭掩码") {
		t.Errorf("without a mask: %+v", plain)
	}
	err = filepath.WalkDir(strings.TrimSpace(plain.stdout), func(p string, d fs.DirEntry, err error) error {
		if info, e := os.Stat(p); err != nil || e != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s can be read by others: %v %v", p, err, e)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if got := beside(t, "", cases, "corpus", "export", strings.TrimSpace(plain.stdout), filepath.Join(t.TempDir(), "y.zip")); got.code != exitOK || !strings.Contains(got.stderr, "没有掩码") {
		t.Errorf("exporting it: %+v", got)
	}
}

// TestPathsNeedNoCorpus: who names cases by their paths needs no corpus, and so no
// home; what is kept or looked up does.
func TestPathsNeedNoCorpus(t *testing.T) {
	recorded := filepath.Join("..", "corpus", "cases", "recorded-with-hcloud", "input")
	for _, args := range [][]string{
		{"diagnose", "--replay", recorded}, {"scan", "--replay", recorded}, {"corpus", "show", recorded}, {"corpus", "verify", recorded},
		{"corpus", "export", recorded, filepath.Join(t.TempDir(), "case.zip")}, {"replay-hcloud", recorded, "version"}, {"job", "show", oomJob, "--replay", recorded},
	} {
		if got := invoke(t, "", nil, args...); got.code != exitOK {
			t.Errorf("%q: %+v", args, got)
		}
	}
	for _, args := range [][]string{
		{"corpus", "list"}, {"corpus", "show", "6f1b2c58"}, {"corpus", "import", recorded}, {"record", oomJob, "--replay", recorded}, {"diagnose", "--replay", "6f1b2c58"},
	} {
		if got := invoke(t, "", nil, append(args, "--lang=en")...); got.code != exitUsage || !strings.Contains(got.stderr, "--corpus") {
			t.Errorf("%q: %+v", args, got)
		}
	}
}
