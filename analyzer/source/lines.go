package source

import (
	"bytes"
	"io"

	"hcloud-modelarts/analyzer/source/charset"
)

// physical is one stored line, or a part of one that is split at a carriage
// return because it is longer than the buffer.
type physical struct {
	stored []byte // without the line end; valid until the next call of next
	offset int64
	number int
}

// outcome says what next found.
type outcome uint8

const (
	found outcome = iota
	tooLong
	ended
)

// lineReader splits a source at line feeds, in bounded memory.
type lineReader struct {
	r          io.Reader
	buf        []byte
	start, end int
	scanned    int   // bytes after start that hold no line feed
	offset     int64 // of start
	number     int
	unit       int // bytes of a character unit: 1, or 2 for UTF-16
	big        bool
	eof        bool
	err        error

	ahead  *scouts  // when they read in place of r
	block  *scouted // that buf is of, nil when it is the reader's own
	after  *scouted // the one behind what is in buf, once it was waited for
	hits   []int64  // offsets of what the scouts found, as far as blocks were waited for
	passed bool     // hits were let go of since met was asked
}

const firstBuffer = 64 << 10

func newLineReader(r io.Reader, encoding string) *lineReader {
	lr := &lineReader{r: r, number: 1, unit: 1}
	if encoding == charset.UTF16LE || encoding == charset.UTF16BE {
		lr.unit = 2
		lr.big = encoding == charset.UTF16BE
	}
	return lr
}

// next gives the next line. When the line is longer than limit, it gives what
// is there and tooLong, and consumes nothing: the caller asks again with a
// higher limit, or calls cut.
func (lr *lineReader) next(limit int) (physical, outcome) {
	for {
		if i := lr.index(lr.buf[lr.start+lr.scanned:lr.end], '\n'); i >= 0 {
			if lr.scanned+i > limit {
				return lr.part(limit), tooLong
			}
			return lr.take(lr.scanned + i), found
		}
		lr.scanned = (lr.end - lr.start) / lr.unit * lr.unit
		if lr.eof && lr.end-lr.start <= limit {
			if lr.start == lr.end {
				return physical{}, ended
			}
			p := physical{lr.buf[lr.start:lr.end], lr.offset, lr.number}
			lr.advance(lr.end - lr.start)
			lr.number++
			return p, found
		}
		if lr.end-lr.start > limit {
			return lr.part(limit), tooLong
		}
		lr.fill()
	}
}

// peek gives the next n bytes, fewer at the end, without going past them. What
// next gave before is not valid any more.
func (lr *lineReader) peek(n int) []byte {
	for lr.end-lr.start < n && !lr.eof {
		lr.fill()
	}
	return lr.buf[lr.start:min(lr.end, lr.start+n)]
}

// part is the beginning of a line that is too long.
func (lr *lineReader) part(limit int) physical {
	return physical{lr.buf[lr.start : lr.start+limit/lr.unit*lr.unit], lr.offset, lr.number}
}

// take gives the n bytes before a line feed and goes past it.
func (lr *lineReader) take(n int) physical {
	p := physical{lr.buf[lr.start : lr.start+n], lr.offset, lr.number}
	lr.advance(n + lr.unit)
	lr.number++
	return p
}

func (lr *lineReader) advance(n int) {
	lr.start += n
	lr.offset += int64(n)
	lr.scanned = max(0, lr.scanned-n)
}

// skip goes past n bytes of a long line without ending it.
func (lr *lineReader) skip(n int) { lr.advance(n) }

// discard goes past the rest of the line, or past the next carriage return
// within it, and counts what it drops.
func (lr *lineReader) discard() (dropped int64) {
	for {
		window := lr.buf[lr.start:lr.end]
		lf, cr := lr.index(window, '\n'), lr.index(window, '\r')
		end := cr
		if cr < 0 || lf >= 0 && lf < cr {
			end = lf
		}
		switch {
		case end < 0:
			n := len(window)
			if !lr.eof {
				n = n / lr.unit * lr.unit
			}
			dropped += int64(n)
			lr.advance(n)
			if lr.eof {
				return dropped
			}
			lr.fill()
		case end == cr && cr+lr.unit >= len(window) && !lr.eof:
			lr.fill()
		case end == lf || cr+lr.unit == lf:
			lr.advance(lf + lr.unit)
			lr.number++
			return dropped + int64(end)
		default:
			lr.advance(cr + lr.unit)
			return dropped + int64(cr)
		}
	}
}

// fill reads more, and makes room for it first.
func (lr *lineReader) fill() {
	if lr.ahead != nil {
		lr.goOn()
		return
	}
	if len(lr.buf) < firstBuffer {
		lr.buf = make([]byte, firstBuffer)
	}
	if lr.end == len(lr.buf) {
		if lr.start > 0 {
			lr.end = copy(lr.buf, lr.buf[lr.start:lr.end])
			lr.start = 0
		} else {
			lr.buf = append(lr.buf, make([]byte, len(lr.buf))...)
		}
	}
	for range mostIdleReads {
		n, err := lr.r.Read(lr.buf[lr.end:])
		lr.end += n
		if err != nil {
			lr.eof = true
			if err != io.EOF {
				lr.err = err
			}
			return
		}
		if n > 0 {
			return
		}
	}
	lr.eof, lr.err = true, io.ErrNoProgress
}

// scout has the rest of the source read ahead, in blocks that are looked through.
func (lr *lineReader) scout(size int, find func([]byte, []int) []int) {
	err := lr.err
	if lr.eof && err == nil {
		err = io.EOF
	}
	lr.ahead = newScouts(lr.r, lr.buf[lr.start:lr.end], err, size, find)
	lr.buf, lr.start, lr.end, lr.scanned, lr.eof, lr.err = nil, 0, 0, 0, false, nil
}

// upcoming gives the block behind what is in the buffer, nil when there is none.
func (lr *lineReader) upcoming() *scouted {
	if lr.after != nil || lr.eof {
		return lr.after
	}
	lr.after = lr.ahead.wait()
	lr.passed = lr.dropHits() || lr.passed
	base := lr.offset + int64(lr.end-lr.start)
	for _, h := range lr.after.hits {
		lr.hits = append(lr.hits, base+int64(h))
	}
	return lr.after
}

// goOn takes the next block into the buffer: in place of it when nothing is left
// there, else a line goes on over the border.
func (lr *lineReader) goOn() {
	b := lr.upcoming()
	if b == nil {
		return
	}
	lr.after, lr.eof = nil, b.err != nil
	if lr.eof && b.err != io.EOF {
		lr.err = b.err
	}
	rest := lr.buf[lr.start:lr.end]
	if len(rest) == 0 {
		lr.release()
		lr.block, lr.buf, lr.end = b, b.buf, b.end
	} else {
		own := lr.buf[:0]
		if lr.block != nil {
			own = nil
		}
		lr.buf = append(append(own, rest...), b.buf[:b.end]...)
		lr.end = len(lr.buf)
		lr.release()
		lr.ahead.spare <- b
	}
	lr.start = 0
}

// release gives the block that the buffer is of back.
func (lr *lineReader) release() {
	if lr.block != nil {
		lr.ahead.spare <- lr.block // there is room for all blocks
		lr.block = nil
	}
}

// met reports whether hits came to lie behind since it was asked last.
func (lr *lineReader) met() bool {
	met := lr.dropHits() || lr.passed
	lr.passed = false
	return met
}

// dropHits lets go of the hits that lie behind, and reports whether there were any.
func (lr *lineReader) dropHits() bool {
	n := 0
	for n < len(lr.hits) && lr.hits[n] < lr.offset {
		n++
	}
	lr.hits = lr.hits[n:]
	return n > 0
}

// index finds an ASCII character in b, at a whole unit.
func (lr *lineReader) index(b []byte, c byte) int {
	if lr.unit == 1 {
		return bytes.IndexByte(b, c)
	}
	return indexWide(b, c, lr.big)
}

// indexWide finds an ASCII character in UTF-16.
func indexWide(b []byte, c byte, big bool) int {
	at := 0
	if big {
		at = 1
	}
	for from := 0; from < len(b); {
		i := bytes.IndexByte(b[from:], c)
		if i < 0 {
			return -1
		}
		i += from
		unit := i &^ 1
		if i&1 == at && unit+1 < len(b) && b[unit+1-at] == 0 {
			return unit
		}
		from = i + 1
	}
	return -1
}

// wholeLines is the length of the lines in the buffer, without one that has no
// end there.
func (lr *lineReader) wholeLines() int {
	return bytes.LastIndexByte(lr.buf[lr.start:lr.end], '\n') + 1
}
