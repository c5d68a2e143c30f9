package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// file is one file to be packed or written.
type file struct {
	name    string
	data    []byte
	program bool
}

func (f file) mode() fs.FileMode {
	if f.program {
		return 0o755
	}
	return 0o644
}

// below reads all files of a folder.
func below(dir string) ([]file, error) {
	var files []file
	root := os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, p)
		files = append(files, file{name: p, data: data})
		return err
	})
	return files, err
}

// sums lists the SHA-256 of files, as sha256sum reads them.
func sums(files []file) file {
	var b strings.Builder
	for _, f := range sorted(files) {
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(f.data), f.name)
	}
	return file{name: "SHA256SUMS", data: []byte(b.String())}
}

func sorted(files []file) []file {
	return slices.SortedFunc(slices.Values(files), func(a, b file) int { return strings.Compare(a.name, b.name) })
}

// tarred packs files below the folder top; equal files give equal bytes.
func tarred(top string, date time.Time, files []file) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(z)
	for _, f := range sorted(files) {
		err := w.WriteHeader(&tar.Header{
			Typeflag: tar.TypeReg, Name: top + "/" + f.name, Size: int64(len(f.data)),
			Mode: int64(f.mode()), ModTime: date, Format: tar.FormatUSTAR,
		})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}

// zipped is tarred for Windows.
func zipped(top string, date time.Time, files []file) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range sorted(files) {
		h := &zip.FileHeader{Name: top + "/" + f.name, Method: zip.Deflate, Modified: date}
		h.SetMode(f.mode())
		entry, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.data); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}
