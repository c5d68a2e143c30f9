package main

import (
	"io/fs"
	"os"
	"path/filepath"
)

// diskFS is a folder of the machine. Other than os.DirFS it opens files whose
// names are not UTF-8, which systems have that wrote GBK.
type diskFS string

func (d diskFS) path(name string) string { return filepath.Join(string(d), filepath.FromSlash(name)) }

// Open implements fs.FS.
func (d diskFS) Open(name string) (fs.File, error) { return os.Open(d.path(name)) }

// ReadDir implements fs.ReadDirFS.
func (d diskFS) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(d.path(name)) }

// Stat implements fs.StatFS.
func (d diskFS) Stat(name string) (fs.FileInfo, error) { return os.Stat(d.path(name)) }

// ReadFile implements fs.ReadFileFS.
func (d diskFS) ReadFile(name string) ([]byte, error) { return os.ReadFile(d.path(name)) }
