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

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"hcloud-modelarts/analyzer/source"
)

// maxUnpacked bounds the bytes of tar archives that one search reads to hold them in
// memory, maxHeld those that they take there, packed, and maxMembers the files of
// one. A tar archive can only be read from its start, so the cases of a pile in
// one are kept; a larger archive is diagnosed as a whole.
const (
	maxUnpacked = 256 << 20
	maxHeld     = 16 << 20
	maxMembers  = 100_000
	smallMember = 1 << 10 // is not worth packing
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
	most := maxUnpacked - f.held.unpacked
	if b, ok := src.(source.Bounded); ok {
		most = min(most, b.Most())
	}
	packed, size, err := hold(tar.NewReader(r), most, maxHeld-f.held.packed)
	if err != nil {
		return nil
	}
	z := archived{}
	if z.Reader, err = zip.NewReader(packed, packed.size); err != nil {
		return nil
	}
	d, err := walk(x.full, z, ".")
	if err != nil {
		return nil
	}
	d.within(x.full, z)
	f.holding = holding{unpacked: size, packed: packed.size}
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

// holding is what archives take that are held.
type holding struct{ unpacked, packed int64 }

func (h holding) and(o holding) holding {
	return holding{h.unpacked + o.unpacked, h.packed + o.packed}
}

// hold copies the files of a tar archive into a zip archive in memory, which
// can be read at any place; size is that of the files unpacked.
func hold(t *tar.Reader, most, mostPacked int64) (held *blocks, size int64, err error) {
	held = &blocks{most: mostPacked}
	z := zip.NewWriter(held)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestSpeed)
	})
	for members := 0; members < maxMembers; members++ {
		h, err := t.Next()
		if err == io.EOF {
			err = z.Close()
			return held, size, err
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
		method := zip.Deflate
		if h.Size <= smallMember {
			method = zip.Store
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			return nil, 0, err
		}
		if _, err := io.Copy(w, t); err != nil {
			return nil, 0, err
		}
	}
	return nil, 0, errTooLarge
}

// blocks are bytes in memory that grow without being copied.
type blocks struct {
	list [][]byte
	size int64
	most int64
}

const blockSize = 64 << 10

// Write adds bytes up to the bound.
func (b *blocks) Write(p []byte) (int, error) {
	if b.size+int64(len(p)) > b.most {
		return 0, errTooLarge
	}
	for rest := p; len(rest) > 0; {
		at := int(b.size % blockSize)
		if at == 0 {
			b.list = append(b.list, make([]byte, blockSize))
		}
		n := copy(b.list[len(b.list)-1][at:], rest)
		rest = rest[n:]
		b.size += int64(n)
	}
	return len(p), nil
}

// ReadAt reads at any place.
func (b *blocks) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) && off < b.size {
		block := b.list[off/blockSize][off%blockSize:]
		k := copy(p[n:], block[:min(int64(len(block)), b.size-off)])
		n, off = n+k, off+int64(k)
	}
	if n < len(p) {
		err = io.EOF
	}
	return n, err
}
