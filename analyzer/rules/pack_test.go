package rules

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"testing"
)

// TestPackFiles checks every rule file by itself, so that one broken file does
// not hide another.
func TestPackFiles(t *testing.T) {
	fsys := os.DirFS("pack")
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		t.Run(name, func(t *testing.T) {
			data, err := fs.ReadFile(fsys, name)
			if err != nil {
				t.Fatal(err)
			}
			r, errs := parse(name, data)
			for _, err := range errs {
				t.Error(err)
			}
			if r != nil && path.Dir(name) != r.Family {
				t.Errorf("%s: rule %q of family %q lies in the wrong folder", name, r.ID, r.Family)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestIndexIsFresh(t *testing.T) {
	pack, err := Load(os.DirFS("pack"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := Index(pack)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(want, indexJSON) {
		t.Error("index.json is stale: run go generate ./analyzer/rules")
	}
	if got := len(Default().Rules); got != len(pack.Rules) {
		t.Errorf("the index holds %d rules, the pack %d", got, len(pack.Rules))
	}
}
