package corpus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// newFolder makes a folder that becomes a case, which its owner alone can read,
// and takes its lock. What killed processes left of such folders is removed.
func newFolder(corpus string) (string, io.Closer, error) {
	sweepFolders(corpus)
	for try := 0; ; try++ {
		dir, err := os.MkdirTemp(corpus, tempPrefix)
		if err != nil {
			return "", nil, err
		}
		if err = os.Chmod(dir, 0o700); err == nil {
			var f io.Closer
			if f, err = locks.take(filepath.Join(dir, lockFile)); err == nil {
				return dir, f, nil
			}
		}
		// Another process may have swept it before it was locked.
		if swept := errors.Is(err, fs.ErrNotExist) || errors.Is(err, errLocked); !swept || try > 100 {
			os.RemoveAll(dir)
			return "", nil, err
		}
	}
}

// sweepFolders removes folders that were to become cases and that no process
// holds the lock of any more.
func sweepFolders(corpus string) {
	if !locks.sure {
		return
	}
	entries, err := os.ReadDir(corpus)
	if err != nil {
		return // they are only in the way
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), tempPrefix) {
			continue
		}
		dir := filepath.Join(corpus, e.Name())
		if f, err := locks.take(filepath.Join(dir, lockFile)); err == nil {
			os.RemoveAll(dir)
			f.Close()
		}
	}
}

// writeFile writes a file that is there whole or not at all, and stays after a
// power failure.
func writeFile(name string, data []byte, mode os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(name), tempPrefix+"*")
	if err != nil {
		return err
	}
	if _, err = f.Write(data); err == nil {
		err = f.Chmod(mode)
	}
	return finish(f, name, err)
}

// finish gives a temporary file its name, or removes it after an error.
func finish(f *os.File, name string, err error) error {
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	return syncDir(filepath.Dir(name))
}

// syncDir makes renames in a folder last. Systems that cannot sync a folder do
// it themselves.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	_ = d.Sync()
	return d.Close()
}

func writeJSON(name string, v any, mode os.FileMode) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(name, append(data, '\n'), mode)
}

// tighten keeps a folder and what is in it for its owner alone, as new cases are.
func tighten(dir string) error {
	return filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return os.Chmod(p, 0o700)
		case d.Type().IsRegular():
			return os.Chmod(p, 0o600)
		}
		return nil
	})
}

// openFile opens a regular file of a case: a pipe would never end.
func openFile(fsys fs.FS, name string) (fs.File, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	return fsys.Open(name)
}

// copyListed copies a file of the case. The error is a *Reason when the file is
// not as the manifest says; no more than one byte too many is read then.
func (c *Case) copyListed(ctx context.Context, w io.Writer, name string, l listed) error {
	f, err := openFile(c.fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return &Reason{"missing", name}
	}
	if err != nil {
		return &Reason{"changed", name}
	}
	defer f.Close()
	h := sha256.New()
	src := &stoppable{ctx: ctx, r: io.LimitReader(f, l.bytes+1)}
	n, err := io.Copy(io.MultiWriter(w, h), src)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && src.err == nil:
		return err // of the writer
	case err != nil || n != l.bytes || hex.EncodeToString(h.Sum(nil)) != l.sha256:
		return &Reason{"changed", name}
	}
	return nil
}

// stoppable reads until its context ends, and keeps the reader's error.
type stoppable struct {
	ctx context.Context
	r   io.Reader
	err error
}

func (s *stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}
