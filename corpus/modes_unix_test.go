//go:build unix

package corpus

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestModesOfRecordings: what is recorded is its owner's alone, every file and
// folder of it, also where the umask would leave it to all.
func TestModesOfRecordings(t *testing.T) {
	dir := t.TempDir()
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	r := must[*Recorder](t)(Create(dir, Manifest{ID: "x"}, options(testMask)))
	must[Exchange](t)(r.Add(call("A"), []byte(`{"a": "SECRET1"}`)))
	if err := errors.Join(r.AddLog("worker-0", strings.NewReader("a\n")), r.Close(true)); err != nil {
		t.Fatal(err)
	}
	seen := 0
	err := filepath.WalkDir(r.Path(), func(p string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		seen++
		if mode := must[fs.FileInfo](t)(os.Stat(p)).Mode(); mode.Perm()&0o077 != 0 {
			t.Errorf("%s is %v", p, mode)
		}
		return nil
	})
	if err != nil || seen < 7 {
		t.Errorf("%d files and folders, %v", seen, err)
	}
}

// TestUnreadablePrivateFile: where it is not known what an earlier run gave out,
// nothing is given out anew.
func TestUnreadablePrivateFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), privateFile)
	if err := os.Symlink(file, file); err != nil {
		t.Fatal(err)
	}
	if _, err := newRedactor(file, nil, options(testMask)); err == nil {
		t.Error("a file that cannot be read is written anew")
	}
}
