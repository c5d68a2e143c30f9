package triage

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"math"
	"strings"
	"sync"

	"hcloud-modelarts/analyzer/source"
)

// openArchive gives what an archive holds as a folder, nil when it is no zip
// archive, holds a name that no folder can have, or becomes more than an archive
// of its size may: then the diagnosis reads it as a whole, and keeps its bounds.
// Nothing is unpacked.
func openArchive(x file) *folder {
	z := archived{src: &reopened{fsys: x.fsys, path: x.path}}
	if z.src.acquire() != nil {
		return nil
	}
	defer z.src.release()
	var head [4]byte
	if _, err := z.src.ReadAt(head[:], 0); err != nil || string(head[:]) != "PK\x03\x04" {
		return nil
	}
	var err error
	if z.Reader, err = zip.NewReader(z.src, x.size); err != nil {
		return nil
	}
	left := uint64(source.MostOf(x.size))
	for _, e := range z.File {
		e.Name = source.UTF8(e.Name) // else nothing can be opened by it
		if !holdable(strings.TrimSuffix(e.Name, "/")) || e.Flags&1 != 0 || e.UncompressedSize64 > left {
			return nil
		}
		left -= e.UncompressedSize64
	}
	d, err := walk(x.full, z, ".")
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

// archived is a zip archive as a file system. Its directory is held, since to read
// it for each of its cases takes a time that grows with the square of their number.
type archived struct {
	*zip.Reader
	src *reopened // nil for an archive in memory
}

// Open opens a file of the archive.
func (z archived) Open(name string) (fs.File, error) {
	if err := z.src.acquire(); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	f, err := z.Reader.Open(name)
	if err != nil {
		z.src.release()
		return nil, err
	}
	if d, ok := f.(fs.ReadDirFile); ok {
		return inner{d, z.src}, nil
	}
	return member{f, z}, nil
}

// inner is an open folder of an archive, member an open file.
type (
	inner struct {
		fs.ReadDirFile
		src *reopened
	}
	member struct {
		fs.File
		archive archived
	}
)

// Close closes the folder, and its archive when nothing else in it is open.
func (i inner) Close() error { return errors.Join(i.ReadDirFile.Close(), i.src.release()) }

// Close closes the file, and its archive when nothing else in it is open.
func (m member) Close() error { return errors.Join(m.File.Close(), m.archive.src.release()) }

// Most is what the file may become when it is packed in itself: all files of the
// archive together not much more than the archive as a whole.
func (m member) Most() int64 {
	info, err := m.Stat()
	if err != nil {
		return 0
	}
	h, _ := info.Sys().(*zip.FileHeader)
	size := h.CompressedSize64
	if m.archive.src == nil { // it was packed to be held
		size = h.UncompressedSize64
	}
	return source.ShareOf(int64(min(size, math.MaxInt64)), len(m.archive.File))
}

// reopened is a file that is open only while somebody uses it: a search may find
// thousands of archives.
type reopened struct {
	fsys fs.FS
	path string

	mu    sync.Mutex
	users int
	f     fs.File // nil without users
}

var errNoRandomAccess = errors.New("cannot be read at any place")

func (r *reopened) acquire() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.users == 0 {
		f, err := r.fsys.Open(r.path)
		if err != nil {
			return err
		}
		if _, ok := f.(io.ReaderAt); !ok {
			f.Close()
			return errNoRandomAccess
		}
		r.f = f
	}
	r.users++
	return nil
}

func (r *reopened) release() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.users--
	if r.users > 0 {
		return nil
	}
	f := r.f
	r.f = nil
	return f.Close()
}

// ReadAt reads from the file, of which somebody is a user.
func (r *reopened) ReadAt(p []byte, off int64) (int, error) {
	r.mu.Lock()
	f := r.f
	r.mu.Unlock()
	return f.(io.ReaderAt).ReadAt(p, off)
}

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
