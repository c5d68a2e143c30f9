package triage

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"strings"

	"hcloud-modelarts/analyzer/source"
)

// openArchive gives what an archive holds as a folder, nil when it is no zip
// archive or holds a name that no folder can have: then the diagnosis reads it
// as a whole. Nothing is unpacked.
func openArchive(x file) *folder {
	z := zipped{x}
	r, done, err := z.open()
	if err != nil {
		return nil
	}
	defer done()
	for _, e := range r.File {
		if !holdable(strings.TrimSuffix(e.Name, "/")) || e.Flags&1 != 0 {
			return nil
		}
	}
	d, err := walk(x.full, r, ".")
	if err != nil {
		return nil
	}
	d.within(x.full, z)
	return d
}

// longestPath is that of Linux, in bytes. Archives have paths of any length, and to
// walk down one takes a time that grows with its square.
const longestPath = 4096

// holdable reports whether folders can hold a file under a path.
func holdable(name string) bool {
	return fs.ValidPath(name) && len(name) < longestPath && strings.Count(name, "/") < longestPath/16
}

// zipped is a zip archive as a file system that holds nothing open between two
// uses: a search may find thousands of archives.
type zipped struct{ file }

var errNoZip = errors.New("not a zip archive")

func (z zipped) open() (*zip.Reader, func() error, error) {
	f, err := z.fsys.Open(z.path)
	if err != nil {
		return nil, nil, err
	}
	at, ok := f.(io.ReaderAt)
	var head [4]byte
	if ok {
		_, err = at.ReadAt(head[:], 0)
	}
	if !ok || err != nil || string(head[:]) != "PK\x03\x04" {
		f.Close()
		return nil, nil, errNoZip
	}
	r, err := zip.NewReader(at, z.size)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	for _, e := range r.File {
		e.Name = source.UTF8(e.Name) // else nothing can be opened by it
	}
	return r, f.Close, nil
}

// Open opens the archive and a file in it; closing the file closes both.
func (z zipped) Open(name string) (fs.File, error) {
	r, done, err := z.open()
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	f, err := r.Open(name)
	if err != nil {
		done()
		return nil, err
	}
	if d, ok := f.(fs.ReadDirFile); ok {
		return member{d, done}, nil
	}
	return regular{f, done}, nil
}

// member is an open folder of an archive, regular an open file.
type (
	member struct {
		fs.ReadDirFile
		done func() error
	}
	regular struct {
		fs.File
		done func() error
	}
)

// Close closes the folder and its archive.
func (m member) Close() error { return errors.Join(m.ReadDirFile.Close(), m.done()) }

// Close closes the file and its archive.
func (r regular) Close() error { return errors.Join(r.File.Close(), r.done()) }

// within names what stands in an archive as reports do, archive!path, and has
// it read from there.
func (d *folder) within(archive string, fsys fs.FS) {
	d.fsys = fsys
	if rest, ok := strings.CutPrefix(d.name, archive+"/"); ok {
		d.name = archive + "!" + rest
	}
	for i := range d.files {
		x := &d.files[i]
		x.fsys, x.full = fsys, archive+"!"+strings.TrimPrefix(x.full, archive+"/")
	}
	for _, sub := range d.dirs {
		sub.within(archive, fsys)
	}
}
