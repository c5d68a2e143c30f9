package source

import (
	"errors"
	"io"
)

// The defaults of Limits. A ten gigabyte log fits; a bomb does not run on.
const (
	defaultBytes   = 32 << 30
	defaultEntries = 100_000
	defaultDepth   = 8
	defaultLine    = 1 << 20
	defaultAnswer  = 4 << 20
	defaultBlock   = 512 << 10
	defaultPage    = 256 << 10

	// A buffer must hold at least what tells one format from another.
	leastLine = 256
)

func (l Limits) withDefaults() Limits {
	if l.Bytes <= 0 {
		l.Bytes = defaultBytes
	}
	if l.Entries <= 0 {
		l.Entries = defaultEntries
	}
	if l.Depth <= 0 {
		l.Depth = defaultDepth
	}
	if l.Line <= 0 {
		l.Line = defaultLine
	}
	if l.Answer <= 0 {
		l.Answer = defaultAnswer
	}
	if l.Block <= 0 {
		l.Block = defaultBlock
	}
	if l.Page <= 0 {
		l.Page = defaultPage
	}
	l.Line = max(l.Line, leastLine)
	l.Answer = max(l.Answer, l.Line)
	return l
}

// errSpent is what a metered reader returns when its budget is used up.
var errSpent = errors.New("the bound on decompressed bytes is reached")

// Bounds on what one packed file may become: gzip, at its best, makes 1 byte of
// 1032, and what stands in a packed tar archive counts twice, since its holes
// are not stored. What becomes more is packed in itself, or made to be large.
const (
	mostRatio  = 2100
	leastBurst = 256 << 20 // bytes that every file may become
)

// MostOf is how many bytes a packed file of so many bytes may become.
func MostOf(stored int64) int64 {
	return max(leastBurst, mostRatio*min(stored, defaultBytes))
}

// ShareOf is MostOf for one of several files, which together may become as much
// as a file in which all of them stand, and as much again.
func ShareOf(stored int64, files int) int64 {
	return max(leastBurst/int64(max(1, files)), mostRatio*min(stored, defaultBytes))
}

// Bounded is a file that tells itself how many bytes what is packed in it may
// become.
type Bounded interface{ Most() int64 }

// budget is what may still be read.
type budget struct {
	left     int64 // decompressed bytes, of all sources
	anyRatio bool  // one file may become more than mostRatio tells: the user named a bound
	stored   int64 // bytes of the file that is being read
	unpacked int64 // bytes that came out of it
	most     int64 // bytes that may, 0 when the stored ones tell
}

// open begins a file or stream.
func (b *budget) open(f any) {
	b.stored, b.unpacked, b.most = 0, 0, 0
	if bounded, ok := f.(Bounded); ok {
		b.most = bounded.Most()
	}
}

// room is how many bytes may be read now.
func (b *budget) room() int64 {
	if b.anyRatio {
		return b.left
	}
	most := b.most
	if most == 0 {
		most = MostOf(b.stored)
	}
	return min(b.left, most-b.unpacked)
}

// storedReader counts the bytes of a file as they are stored.
type storedReader struct {
	r io.Reader
	b *budget
}

func (c storedReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.b.stored += int64(n)
	return n, err
}

// metered counts what is read against the budget that all sources share.
type metered struct {
	r io.Reader
	b *budget
}

func (m metered) Read(p []byte) (int, error) {
	room := m.b.room()
	if room <= 0 {
		return 0, m.atBound()
	}
	if int64(len(p)) > room {
		p = p[:room]
	}
	n, err := m.r.Read(p)
	m.b.left -= int64(n)
	m.b.unpacked += int64(n)
	return n, err
}

// atBound tells a source that ends exactly at the bound from one that goes on.
func (m metered) atBound() error {
	var one [1]byte
	for range 100 {
		n, err := m.r.Read(one[:])
		switch {
		case n > 0:
			return errSpent
		case err != nil:
			return err
		}
	}
	return io.ErrNoProgress
}
