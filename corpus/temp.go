package corpus

import (
	"io"
	"os"
	"path/filepath"
	"strings"
)

// tempMark is the file that tells a folder of cases that are only to be held for a
// while from a corpus that has such a name. Its lock is held as long as they are.
const tempMark = ".only-held-for-a-while"

// Temp is a folder of cases that are only to be held for a while.
type Temp struct {
	Dir  string
	lock io.Closer
}

// NewTemp makes a folder in dir whose name begins with a prefix. Those that killed
// processes of this user left there are removed.
func NewTemp(dir, prefix string) (*Temp, error) {
	sweepTemp(dir, prefix)
	name, err := os.MkdirTemp(dir, prefix)
	if err != nil {
		return nil, err
	}
	t := &Temp{Dir: name}
	if err := t.mark(); err != nil {
		t.Remove()
		return nil, err
	}
	return t, nil
}

// mark marks the folder. The mark has its name only once it is locked, so that no
// other process takes the folder for one that was left.
func (t *Temp) mark() error {
	if !locks.sure {
		return nil
	}
	early := filepath.Join(t.Dir, tempPrefix+"mark")
	var err error
	if t.lock, err = locks.take(early); err != nil {
		return err
	}
	return os.Rename(early, filepath.Join(t.Dir, tempMark))
}

// Remove removes the folder with what it holds.
func (t *Temp) Remove() {
	if t.lock != nil {
		t.lock.Close()
	}
	os.RemoveAll(t.Dir)
}

// sweepTemp removes the folders with a prefix that NewTemp made for this user and
// that no process holds the lock of any more.
func sweepTemp(dir, prefix string) {
	entries, err := os.ReadDir(dir)
	if err != nil || !locks.sure {
		return // they are only in the way
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if !strings.HasPrefix(e.Name(), prefix) || !e.IsDir() || !marked(name) {
			continue
		}
		if f, err := locks.take(filepath.Join(name, tempMark)); err == nil {
			os.RemoveAll(name)
			f.Close()
		}
	}
}

// marked reports whether a folder and the mark in it are this user's.
func marked(dir string) bool {
	folder, err := os.Lstat(dir)
	if err != nil || !locks.own(folder) {
		return false
	}
	mark, err := os.Lstat(filepath.Join(dir, tempMark))
	return err == nil && mark.Mode().IsRegular() && locks.own(mark)
}
