// Package xz reads the .xz format in bounded memory.
package xz

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/crc64"
	"io"

	"github.com/ulikunitz/xz/lzma"
)

// largestDictionary is that of xz -9. A header may ask for 4 GiB, which is why
// the container is read here and only its LZMA2 data by the library.
const largestDictionary = 64 << 20

var errXZ = errors.New("the xz data is damaged")

// Reader decompresses the .xz format (tukaani.org/xz/xz-file-format.txt).
type Reader struct {
	r     *bufio.Reader
	check byte
	block io.Reader
	size  int64 // compressed bytes of the block's data
	sum   hash.Hash
	done  bool
}

// NewReader begins to read a stream; what stands behind its end must be further
// streams or padding. Errors tell damage, a filter other than LZMA2 and a
// dictionary of more than 64 MiB.
func NewReader(r io.Reader) (*Reader, error) {
	x := &Reader{r: bufio.NewReader(r)}
	return x, x.stream()
}

func (x *Reader) stream() error {
	var head [12]byte
	if _, err := io.ReadFull(x.r, head[:]); err != nil {
		return err
	}
	if string(head[:6]) != "\xfd7zXZ\x00" || head[6] != 0 || head[7] > 15 || crc32.ChecksumIEEE(head[6:8]) != binary.LittleEndian.Uint32(head[8:]) {
		return errXZ
	}
	x.check = head[7]
	return nil
}

// Read gives decompressed bytes, and checks each block before its end is told.
func (x *Reader) Read(p []byte) (int, error) {
	for {
		if x.done {
			return 0, io.EOF
		}
		if x.block == nil {
			if err := x.next(); err != nil {
				return 0, err
			}
			continue
		}
		n, err := x.block.Read(p)
		if x.sum != nil {
			x.sum.Write(p[:n])
		}
		if err == io.EOF {
			err = x.endBlock()
		}
		if n > 0 || err != nil {
			return n, unexpected(err)
		}
	}
}

func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// counted counts the bytes that the LZMA2 reader takes, for the padding.
type counted struct {
	r *bufio.Reader
	n *int64
}

func (c counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	*c.n += int64(n)
	return n, err
}

func (c counted) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		*c.n++
	}
	return b, err
}

// next begins the next block, or ends the stream at its index.
func (x *Reader) next() error {
	first, err := x.r.ReadByte()
	if err != nil {
		return unexpected(err)
	}
	if first == 0 {
		return x.endStream()
	}
	header := make([]byte, 4*(int(first)+1))
	header[0] = first
	if _, err := io.ReadFull(x.r, header[1:]); err != nil {
		return unexpected(err)
	}
	body := header[:len(header)-4]
	if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(header[len(body):]) {
		return errXZ
	}
	dictionary, err := blockDictionary(body)
	if err != nil {
		return err
	}
	x.size = 0
	x.sum = newCheck(x.check)
	x.block, err = lzma.Reader2Config{DictCap: dictionary}.NewReader2(counted{x.r, &x.size})
	return err
}

// blockDictionary reads the dictionary's size from a block header.
func blockDictionary(body []byte) (int, error) {
	flags := body[1]
	if flags&0x03 != 0 {
		return 0, errors.New("the xz data has a filter that is not supported")
	}
	r := bytes.NewReader(body[2:])
	for bit := byte(0x40); bit != 0; bit <<= 1 {
		if flags&bit != 0 {
			if _, err := binary.ReadUvarint(r); err != nil {
				return 0, errXZ
			}
		}
	}
	var filter [3]byte
	if _, err := io.ReadFull(r, filter[:]); err != nil || filter[0] != 0x21 || filter[1] != 1 {
		return 0, errXZ
	}
	size, err := lzma.DecodeDictCap(filter[2])
	if err != nil {
		return 0, errXZ
	}
	if size > largestDictionary {
		return 0, fmt.Errorf("the xz data needs %d MiB of memory", size>>20)
	}
	return int(size), nil
}

func newCheck(kind byte) hash.Hash {
	switch kind {
	case 1:
		return crc32.NewIEEE()
	case 4:
		return crc64.New(crc64.MakeTable(crc64.ECMA))
	}
	return nil
}

// checkSizes are the sizes of a block's check by its kind.
var checkSizes = [16]int{0, 4, 4, 4, 8, 8, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64}

func (x *Reader) endBlock() error {
	tail := make([]byte, int(-x.size&3)+checkSizes[x.check])
	if _, err := io.ReadFull(x.r, tail); err != nil {
		return unexpected(err)
	}
	if x.sum != nil {
		want := tail[len(tail)-checkSizes[x.check]:]
		got := x.sum.Sum(nil)
		for i := range got {
			if got[i] != want[len(want)-1-i] {
				return errXZ
			}
		}
	}
	x.block = nil
	return nil
}

// endStream goes past the index and the footer, and begins the next stream
// when there is one.
func (x *Reader) endStream() error {
	records, n, err := x.number()
	if err != nil {
		return err
	}
	read := 1 + n
	for range 2 * records {
		_, n, err := x.number()
		if err != nil {
			return err
		}
		read += n
	}
	if _, err := io.CopyN(io.Discard, x.r, int64(-read&3)+4+12); err != nil {
		return unexpected(err)
	}
	for {
		b, err := x.r.Peek(1)
		if err != nil {
			x.done = true
			return nil
		}
		if b[0] != 0 {
			return x.stream()
		}
		x.r.Discard(1)
	}
}

func (x *Reader) number() (v uint64, n int, err error) {
	for shift := 0; shift < 63; shift += 7 {
		b, err := x.r.ReadByte()
		if err != nil {
			return 0, 0, unexpected(err)
		}
		n++
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v, n, nil
		}
	}
	return 0, 0, errXZ
}

// Close does nothing: the reader holds nothing to be let go of.
func (x *Reader) Close() error { return nil }
