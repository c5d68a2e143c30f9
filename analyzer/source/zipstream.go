package source

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/klauspost/compress/flate"
)

// localHeader is a zip member's header as it stands before its data (PKWARE's
// APPNOTE, 4.3.7).
type localHeader struct {
	flags, method uint16
	size          int64 // compressed bytes, -1 when they are told behind the data
	name          string
}

const (
	flagEncrypted  = 1 << 0
	flagDescriptor = 1 << 3
	stored         = 0
	deflated       = 8
)

// unexpected makes an end where data must follow an error.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

var errZip = errors.New("the zip data is damaged")

// zipStream reads a zip archive from its beginning, without its directory.
func (a *archive) zipStream(r *bufio.Reader) {
	for first := true; ; first = false {
		sig, err := r.Peek(4)
		if err != nil || string(sig) != "PK\x03\x04" {
			a.endOfMembers(sig, err, first)
			return
		}
		h, err := readLocal(r)
		if err != nil {
			a.s.stopped(a.name, err)
			return
		}
		if first && isPackage(h.name) {
			a.s.refuse(a.name, "binary", nil)
			return
		}
		ok, err := a.streamMember(r, h)
		if err != nil {
			a.s.stopped(a.name, err)
			return
		}
		if !ok {
			return
		}
	}
}

// endOfMembers notes an archive that ends otherwise than with its directory.
func (a *archive) endOfMembers(sig []byte, err error, first bool) {
	switch {
	case bytes.HasPrefix(sig, []byte("PK\x01\x02")), bytes.HasPrefix(sig, []byte("PK\x05\x06")), bytes.HasPrefix(sig, []byte("PK\x06\x06")):
		if first {
			a.s.refuse(a.name, "empty", nil)
		}
	case err != nil && err != io.EOF:
		a.s.stopped(a.name, err)
	default:
		a.s.stopped(a.name, io.ErrUnexpectedEOF)
	}
}

func readLocal(r *bufio.Reader) (localHeader, error) {
	var b [30]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return localHeader{}, unexpected(err)
	}
	h := localHeader{
		flags:  binary.LittleEndian.Uint16(b[6:]),
		method: binary.LittleEndian.Uint16(b[8:]),
		size:   int64(binary.LittleEndian.Uint32(b[18:])),
	}
	rest := make([]byte, int(binary.LittleEndian.Uint16(b[26:]))+int(binary.LittleEndian.Uint16(b[28:])))
	if _, err := io.ReadFull(r, rest); err != nil {
		return localHeader{}, unexpected(err)
	}
	nameLen := int(binary.LittleEndian.Uint16(b[26:]))
	h.name = string(rest[:nameLen])
	if h.size == 1<<32-1 {
		h.size = zip64Size(rest[nameLen:])
	}
	if h.flags&flagDescriptor != 0 {
		h.size = -1
	}
	return h, nil
}

// zip64Size finds the compressed size in the extra field of a large member.
func zip64Size(extra []byte) int64 {
	for len(extra) >= 4 {
		id, n := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		if n > len(extra)-4 {
			break
		}
		if id == 1 && n >= 16 {
			return int64(binary.LittleEndian.Uint64(extra[12:]))
		}
		extra = extra[4+n:]
	}
	return -1
}

// streamMember reads one member and goes past its data.
func (a *archive) streamMember(r *bufio.Reader, h localHeader) (bool, error) {
	var data io.Reader
	switch {
	case h.size >= 0:
		data = io.LimitReader(r, h.size)
	case h.method == stored:
		data = &untilDescriptor{r: r}
	default:
		data = r
	}
	content := data
	switch {
	case h.flags&flagEncrypted != 0:
		a.s.refuse(a.name+"!"+Printable(h.name), "encrypted", nil)
		return true, a.skip(data, h)
	case h.method == deflated:
		if h.size >= 0 {
			if a.packed == nil {
				a.packed = bufio.NewReader(data)
			}
			a.packed.Reset(data)
			data = a.packed
		}
		if a.inflate == nil {
			a.inflate = flate.NewReader(data)
		}
		a.inflate.(flate.Resetter).Reset(data, nil)
		content = a.inflate
	case h.method != stored:
		a.s.refuse(a.name+"!"+Printable(h.name), "unsupported", nil)
		return true, a.skip(data, h)
	}
	content = metered{content, &a.s.budget}
	ok := a.read(h.name, 0, func() (io.Reader, error) { return content, nil })
	if !ok {
		return false, nil
	}
	if _, err := io.Copy(io.Discard, content); err != nil {
		return false, unexpected(err)
	}
	return true, a.skip(data, h)
}

// skip goes past what is left of a member's data, and past its descriptor.
func (a *archive) skip(data io.Reader, h localHeader) error {
	if h.size >= 0 {
		_, err := io.Copy(io.Discard, data)
		return err
	}
	if h.flags&flagEncrypted != 0 || h.method != deflated && h.method != stored {
		return errZip
	}
	if u, ok := data.(*untilDescriptor); ok {
		return u.rest()
	}
	return skipDescriptor(data.(*bufio.Reader))
}

// skipDescriptor goes past the sizes behind a member's data, which come with
// or without a signature, in 32 or in 64 bits.
func skipDescriptor(r *bufio.Reader) error {
	b, _ := r.Peek(28)
	for _, n := range []int{16, 24, 12, 20} {
		signed := n == 16 || n == 24
		if signed != bytes.HasPrefix(b, []byte("PK\x07\x08")) || len(b) < n+2 {
			continue
		}
		if b[n] == 'P' && b[n+1] == 'K' {
			_, err := r.Discard(n)
			return err
		}
	}
	return errZip
}

// untilDescriptor reads stored data whose size is told behind it: it ends at
// the descriptor that tells the size of what was read.
type untilDescriptor struct {
	r    *bufio.Reader
	n    uint32
	done bool
}

func (u *untilDescriptor) Read(p []byte) (int, error) {
	if u.done {
		return 0, io.EOF
	}
	b, err := u.r.Peek(min(len(p)+16, 4096))
	if len(b) == 0 {
		return 0, unexpected(err)
	}
	i := bytes.Index(b, []byte("PK\x07\x08"))
	switch {
	case i == 0 && len(b) >= 12 && binary.LittleEndian.Uint32(b[8:]) == u.n:
		u.done = true
		return 0, io.EOF
	case i == 0:
		i = 1
	case i < 0 && len(b) > 3 && err == nil:
		i = len(b) - 3
	case i < 0:
		i = len(b)
	}
	n := copy(p, b[:i])
	u.r.Discard(n)
	u.n += uint32(n)
	return n, nil
}

func (u *untilDescriptor) rest() error {
	if _, err := io.Copy(io.Discard, u); err != nil {
		return err
	}
	return skipDescriptor(u.r)
}
