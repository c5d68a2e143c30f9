package triage

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"path"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"hcloud-modelarts/analyzer/source"
)

// maxHeld bounds the bytes of tar archives, unpacked, that one search holds in
// memory, and maxMembers the files of one. A tar archive can only be read from
// its start, so the cases of a pile in one are kept; a larger archive is
// diagnosed as a whole.
const (
	maxHeld    = 256 << 20
	maxMembers = 100_000
)

var errTooLarge = errors.New("too large to be held")

// openTarball gives what a tar archive holds, packed or not, as a folder; nil
// when it is none, cannot be read to its end, or does not fit into what is left
// of the bound.
func (f *finder) openTarball(x file) *folder {
	src, err := x.fsys.Open(x.path)
	if err != nil {
		return nil
	}
	defer src.Close()
	r, err := unpacked(bufio.NewReader(src))
	if err != nil {
		return nil
	}
	most := maxHeld - f.held
	if b, ok := src.(source.Bounded); ok {
		most = min(most, b.Most())
	}
	held, size, err := hold(tar.NewReader(r), most)
	if err != nil {
		return nil
	}
	z := archived{}
	if z.Reader, err = zip.NewReader(bytes.NewReader(held), int64(len(held))); err != nil {
		return nil
	}
	d, err := walk(x.full, z, ".")
	if err != nil {
		return nil
	}
	d.within(x.full, z)
	f.holding = size
	return d
}

// unpacked takes a compression off a stream, when there is one.
func unpacked(r *bufio.Reader) (io.Reader, error) {
	head, err := r.Peek(6)
	if err != nil {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return gzip.NewReader(r)
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
		if err != nil {
			return nil, err
		}
		return d, nil
	case bytes.HasPrefix(head, []byte("BZh")):
		return bzip2.NewReader(r), nil
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		return xz.NewReader(r)
	}
	return r, nil
}

// hold copies the files of a tar archive into a zip archive in memory, which
// can be read at any place; size is that of the files unpacked.
func hold(t *tar.Reader, most int64) (held []byte, size int64, err error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for members := 0; members < maxMembers; members++ {
		h, err := t.Next()
		if err == io.EOF {
			err = z.Close()
			return b.Bytes(), size, err
		}
		if err != nil {
			return nil, 0, err
		}
		if size += h.Size; size > most { // of all, for what is not kept is unpacked as well
			return nil, 0, errTooLarge
		}
		if h.Typeflag != tar.TypeReg {
			continue // folders come by themselves, links are not followed
		}
		name := path.Clean(source.UTF8(h.Name))
		if !holdable(name) || name == "." {
			return nil, 0, fs.ErrInvalid
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return nil, 0, err
		}
		if _, err := io.Copy(w, t); err != nil {
			return nil, 0, err
		}
	}
	return nil, 0, errTooLarge
}
