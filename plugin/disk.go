package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// diskFS is a folder of the machine. Other than os.DirFS it opens files whose
// names are not UTF-8, which systems have that wrote GBK.
type diskFS string

func (d diskFS) path(name string) string { return filepath.Join(string(d), filepath.FromSlash(name)) }

var errNotRegular = errors.New("not a regular file")

// Open opens a file that stands in the folder. What has become a link, a pipe or a
// device since the folder was listed is neither followed nor waited for.
func (d diskFS) Open(name string) (fs.File, error) {
	f, err := os.OpenFile(d.path(name), os.O_RDONLY|openPlain, 0)
	if errors.Is(err, syscall.ELOOP) {
		err = errNotRegular
	}
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		err = errNotRegular
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// ReadDir implements fs.ReadDirFS.
func (d diskFS) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(d.path(name)) }

// Stat implements fs.StatFS.
func (d diskFS) Stat(name string) (fs.FileInfo, error) { return os.Stat(d.path(name)) }

// namedFS is a folder with a file that the user named: it may be a link or a pipe.
type namedFS struct{ diskFS }

// Open implements fs.FS.
func (d namedFS) Open(name string) (fs.File, error) { return os.Open(d.path(name)) }
