package source

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// peekSize is how much of a source is looked at to tell what it is.
const peekSize = 64 << 10

// sized is a source that can be read at any place, as zip wants it.
type sized struct {
	io.ReaderAt
	size int64
}

func randomAccess(f fs.File) *sized {
	ra, ok := f.(io.ReaderAt)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return &sized{ra, info.Size()}
}

// format is what the first bytes of a source say.
type format uint8

const (
	plain format = iota
	gzipped
	zstdd
	bzipped
	xzd
	zipped
	tarred
)

func sniff(head []byte) format {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b, 0x08}):
		return gzipped
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return zstdd
	case len(head) >= 10 && bytes.HasPrefix(head, []byte("BZh")) && string(head[4:10]) == "1AY&SY":
		return bzipped
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		return xzd
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return zipped
	case isTar(head):
		return tarred
	}
	return plain
}

// isTar checks the checksum of the first header, which every tar since 1979 has.
func isTar(head []byte) bool {
	if len(head) < 512 || head[0] == 0 {
		return false
	}
	want, err := strconv.ParseUint(strings.Trim(string(head[148:156]), " \x00"), 8, 32)
	if err != nil {
		return false
	}
	sum := uint64(8 * ' ')
	for i, b := range head[:512] {
		if i < 148 || i >= 156 {
			sum += uint64(b)
		}
	}
	return sum == want
}

// source reads one stored thing, a container or a document. depth counts the
// containers around it.
func (s *session) source(name string, r *bufio.Reader, ra *sized, depth int) {
	head, err := r.Peek(512)
	if err != nil && err != io.EOF && len(head) == 0 {
		s.stopped(name, err)
		return
	}
	f := sniff(head)
	if f != plain && depth >= s.lim.Depth {
		s.refuse(name, "bound-depth", nil)
		return
	}
	switch f {
	case zipped:
		s.zip(name, r, ra, depth)
	case tarred:
		s.tar(name, r, depth)
	case plain:
		if depth == 0 {
			r = bufio.NewReaderSize(metered{r, &s.left}, peekSize)
		}
		s.document(name, r)
	default:
		s.unpack(name, f, r, depth)
	}
}

// stopped notes why a source ended before its end.
func (s *session) stopped(name string, err error) {
	if errors.Is(err, errSpent) {
		s.noteSpent(name)
		return
	}
	s.refuse(name, "damaged", err)
}

// unpack reads a compressed source, which holds one other source.
func (s *session) unpack(name string, f format, r *bufio.Reader, depth int) {
	dec, err := decompressor(f, r)
	if err != nil {
		s.refuse(name, "damaged", err)
		return
	}
	defer dec.Close()
	s.source(name, bufio.NewReaderSize(metered{dec, &s.left}, peekSize), nil, depth+1)
}

func decompressor(f format, r io.Reader) (io.ReadCloser, error) {
	switch f {
	case gzipped:
		return gzip.NewReader(r)
	}
	return nil, errors.ErrUnsupported
}

// tar reads the members of a tar archive in stored order.
func (s *session) tar(name string, r *bufio.Reader, depth int) {
	var in io.Reader = r
	if depth == 0 {
		in = metered{r, &s.left}
	}
	tr := tar.NewReader(in)
	seen := map[string]int{}
	for {
		h, err := tr.Next()
		if err == io.EOF {
			return
		}
		if err != nil && h == nil {
			s.stopped(name, err)
			return
		}
		member, ok := s.member(name, h.Name, h.FileInfo().Mode(), seen)
		if !ok {
			continue
		}
		if !s.take(member) {
			return
		}
		s.source(member, bufio.NewReaderSize(tr, peekSize), nil, depth+1)
	}
}

// zip reads the members of a zip archive in stored order.
func (s *session) zip(name string, r *bufio.Reader, ra *sized, depth int) {
	if ra == nil {
		data, err := io.ReadAll(io.LimitReader(r, 64<<20))
		if err != nil {
			s.stopped(name, err)
			return
		}
		ra = &sized{bytes.NewReader(data), int64(len(data))}
	}
	zr, err := zip.NewReader(ra, ra.size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		s.refuse(name, "damaged", err)
		return
	}
	seen := map[string]int{}
	for _, f := range zr.File {
		member, ok := s.member(name, f.Name, f.Mode(), seen)
		if !ok {
			continue
		}
		if !s.take(member) {
			return
		}
		rc, err := f.Open()
		if err != nil {
			s.refuse(member, "damaged", err)
			continue
		}
		s.source(member, bufio.NewReaderSize(metered{rc, &s.left}, peekSize), nil, depth+1)
		rc.Close()
	}
}

// member names an archive's member, and notes those that are not read: links,
// devices, and the like. A path that points outside is noted and read under
// its harmless rest, since nothing is ever written.
func (s *session) member(archive, name string, mode fs.FileMode, seen map[string]int) (string, bool) {
	raw := strings.ReplaceAll(name, "\\", "/")
	clean := strings.TrimPrefix(path.Clean("/"+raw), "/")
	full := archive + "!" + clean
	switch {
	case mode.IsDir() || clean == "":
		return "", false
	case mode&fs.ModeSymlink != 0:
		s.note(full, "link")
		return "", false
	case !mode.IsRegular():
		s.note(full, "special")
		return "", false
	}
	if path.IsAbs(raw) || strings.HasPrefix(path.Clean(raw), "..") {
		s.note(full, "outside", name)
	}
	if seen[clean]++; seen[clean] > 1 {
		full += "#" + strconv.Itoa(seen[clean])
		s.note(full, "duplicate", name)
	}
	return full, true
}
