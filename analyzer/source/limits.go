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
	defaultAnswer  = 64 << 20
	defaultBlock   = 1 << 20

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
	l.Line = max(l.Line, leastLine)
	l.Answer = max(l.Answer, l.Line)
	return l
}

// errSpent is what a metered reader returns when the bytes of Limits are used up.
var errSpent = errors.New("the bound on decompressed bytes is reached")

// metered counts what is read against the budget that all sources share.
type metered struct {
	r    io.Reader
	left *int64
}

func (m metered) Read(p []byte) (int, error) {
	if *m.left <= 0 {
		return 0, m.atBound()
	}
	if int64(len(p)) > *m.left {
		p = p[:*m.left]
	}
	n, err := m.r.Read(p)
	*m.left -= int64(n)
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
