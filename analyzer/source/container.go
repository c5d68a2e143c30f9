package source

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"strconv"
	"strings"
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
	unsupported
)

func sniff(head []byte) format {
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b, 0x08}):
		return gzipped
	case isZstd(head):
		return zstdd
	case isBzip2(head):
		return bzipped
	case bytes.HasPrefix(head, []byte("\xfd7zXZ\x00")):
		return xzd
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return zipped
	case isTar(head):
		return tarred
	}
	for _, mark := range foreignMarks {
		if bytes.HasPrefix(head, []byte(mark)) {
			return unsupported
		}
	}
	return plain
}

// foreignMarks begin packed data that is not unpacked: 7-Zip, RAR, LZ4, lzop, compress.
var foreignMarks = []string{"7z\xbc\xaf\x27\x1c", "Rar!\x1a\x07", "\x04\x22\x4d\x18", "\x89LZO\x00", "\x1f\x9d"}

// isZstd knows a frame of data, and one to skip, with which a file may begin (RFC 8878).
func isZstd(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")) || len(head) >= 4 && head[0]&0xf0 == 0x50 && string(head[1:4]) == "*M\x18"
}

// isBzip2 knows a stream by its first block, or by the end that an empty one has
// instead: the digits of pi, or of its square root.
func isBzip2(head []byte) bool {
	if len(head) < 10 || string(head[:3]) != "BZh" {
		return false
	}
	mark := string(head[4:10])
	return mark == "1AY&SY" || mark == "\x17rE8P\x90"
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
	case unsupported:
		s.refuse(name, "unsupported", nil)
	case zipped:
		s.zip(name, r, ra, depth)
	case tarred:
		s.tar(name, r, depth)
	case plain:
		if depth == 0 {
			r = bufio.NewReaderSize(metered{r, &s.budget}, peekSize)
		}
		s.plain(name, r, depth)
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

// plain reads a text: a mail, which may have attachments, or a document.
func (s *session) plain(name string, r *bufio.Reader, depth int) {
	if head, _ := r.Peek(4096); isMail(head) && depth < s.lim.Depth {
		s.mail(name, r, depth)
		return
	}
	s.document(name, r)
}
