package corpus

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// DefaultDir is where cases are kept unless the user says otherwise: by the XDG
// base directories, below the home folder. It is "" when env tells neither.
func DefaultDir(env map[string]string) string {
	if data := env["XDG_DATA_HOME"]; filepath.IsAbs(data) {
		return filepath.Join(data, "hcloud-modelarts", "cases")
	}
	for _, home := range []string{"HOME", "USERPROFILE"} {
		if env[home] != "" {
			return filepath.Join(env[home], ".local", "share", "hcloud-modelarts", "cases")
		}
	}
	return ""
}

// Broken is an entry of a corpus that does not open.
type Broken struct {
	Path string
	Err  error
}

// List gives the manifests of all cases of a corpus, the newest first, and what
// does not open. A corpus that is not there is empty.
func List(corpus string) ([]Manifest, []Broken, error) {
	entries, err := os.ReadDir(corpus)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, &Error{corpus, "io", err}
	}
	var cases []Manifest
	var broken []Broken
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || !e.IsDir() {
			continue
		}
		p := filepath.Join(corpus, e.Name())
		c, err := Open(p)
		if err != nil {
			broken = append(broken, Broken{p, err})
			continue
		}
		c.Close()
		cases = append(cases, c.Manifest)
	}
	slices.SortStableFunc(cases, func(a, b Manifest) int { return b.Created.Compare(a.Created) })
	return cases, broken, nil
}

// Find gives the path of a case: name is a path, or the id of a case of the
// corpus, or the only beginning of one, or the id of a job of which the newest
// case is meant.
func Find(corpus, name string) (string, error) {
	if IsPath(name) {
		return name, nil
	}
	cases, _, err := List(corpus)
	if err != nil {
		return "", err
	}
	var ids []string
	for _, m := range cases {
		if m.ID == name || m.Job.ID != "" && m.Job.ID == name {
			return filepath.Join(corpus, m.ID), nil
		}
		if strings.HasPrefix(m.ID, name) {
			ids = append(ids, m.ID)
		}
	}
	switch len(ids) {
	case 0:
		return "", &Error{name, "missing", nil}
	case 1:
		return filepath.Join(corpus, ids[0]), nil
	}
	return "", &Error{name, "ambiguous", errors.New(strings.Join(ids, ", "))}
}

// IsPath reports whether a name means a file or folder, and not a case of the
// corpus of that name.
func IsPath(name string) bool {
	info, err := os.Stat(name)
	if err != nil {
		return false
	}
	if _, err := os.Stat(filepath.Join(name, manifestFile)); err == nil {
		return true
	}
	return !info.IsDir() && strings.HasSuffix(name, ".zip") || filepath.Base(name) != name
}

// Remove removes a case folder that nobody writes to.
func Remove(name string) error {
	c, err := Open(name)
	if err != nil {
		return err
	}
	c.Close()
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		return os.Remove(name)
	}
	f, err := locks.take(filepath.Join(name, lockFile))
	if errors.Is(err, errLocked) {
		return &Error{name, "locked", err}
	}
	if err == nil {
		defer f.Close()
	}
	// The manifest goes first: what is left of a removal that is interrupted is
	// no case any more.
	for _, remove := range []func() error{
		func() error { return os.Remove(filepath.Join(name, manifestFile)) },
		func() error { return os.RemoveAll(name) },
	} {
		if err := remove(); err != nil {
			return &Error{name, "io", err}
		}
	}
	return nil
}

// Export writes a case as one zip archive, the same bytes for the same case,
// without private.json. A case that is not as its manifest says is refused with
// an *Error; other errors are those of ctx and of w.
func Export(ctx context.Context, c *Case, w io.Writer) error {
	z := zip.NewWriter(w)
	manifest, err := readFile(c.fsys, manifestFile, maxManifest) // with what a newer program added
	if err != nil {
		return &Error{c.Path, "io", err}
	}
	add := func(name string) (io.Writer, error) {
		return z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
	}
	out, err := add(manifestFile)
	if err == nil {
		_, err = out.Write(manifest)
	}
	files := c.files()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err == nil {
			out, err = add(name)
		}
		if err == nil {
			err = c.copyListed(ctx, out, name, files[name])
		}
	}
	if err == nil {
		err = z.Close()
	}
	return c.damaged(err)
}

// damaged gives the error of copying a case.
func (c *Case) damaged(err error) error {
	if r, ok := errors.AsType[*Reason](err); ok {
		return &Error{c.Path, "damaged", r}
	}
	return err
}

// Import copies a case into a corpus, whole or not at all: what its manifest
// lists and nothing else. It returns the path of the copy. It gives an *Error
// when a case of that id is there, when this one is not as its manifest says, or
// when it cannot be written, and context.Canceled once ctx is cancelled.
func Import(ctx context.Context, corpus string, c *Case) (string, error) {
	final := filepath.Join(corpus, c.ID)
	if _, err := os.Lstat(final); err == nil {
		return "", &Error{final, "exists", nil}
	}
	if err := os.MkdirAll(corpus, 0o700); err != nil {
		return "", &Error{corpus, "io", err}
	}
	tmp, held, err := newFolder(corpus)
	if err != nil {
		return "", &Error{corpus, "io", err}
	}
	defer held.Close()
	if err = unpack(ctx, tmp, c); err == nil {
		err = os.Rename(tmp, final)
	}
	if err == nil {
		return final, syncDir(corpus)
	}
	os.RemoveAll(tmp)
	if err = c.damaged(err); errors.Is(err, context.Canceled) {
		return "", err
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return "", e
	}
	return "", &Error{corpus, "io", err}
}

func unpack(ctx context.Context, dir string, c *Case) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, sub := range []string{exchangeDir, logDir} {
		if err := root.Mkdir(sub, 0o700); err != nil {
			return err
		}
	}
	for name, l := range c.files() {
		if err := unpackFile(ctx, root, c, name, l); err != nil {
			return err
		}
	}
	return writeJSON(filepath.Join(dir, manifestFile), c.Manifest, 0o600)
}

func unpackFile(ctx context.Context, root *os.Root, c *Case, name string, l listed) error {
	f, err := root.OpenFile(filepath.FromSlash(name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	err = c.copyListed(ctx, f, name, l)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}
