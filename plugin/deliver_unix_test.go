//go:build unix

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestWriteFileModes: a new file has the mode that the umask leaves, and one
// that is replaced keeps its own.
func TestWriteFileModes(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	dir := t.TempDir()
	for _, c := range []struct{ before, want fs.FileMode }{{0, 0o640}, {0o600, 0o600}, {0o666, 0o666}, {0o604, 0o604}} {
		file := filepath.Join(dir, c.want.String())
		if c.before != 0 {
			if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(file, c.before); err != nil {
				t.Fatal(err)
			}
		}
		if err := writeFile(file, whole([]byte("new"))); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil || info.Mode().Perm() != c.want || info.Size() != 3 {
			t.Errorf("before %v: %v, %v; want %v", c.before, info.Mode(), err, c.want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
