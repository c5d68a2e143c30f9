package source

import (
	"bytes"
	"strconv"
)

// long deals with a line beyond its limit: an answer may be longer than a log
// line, a progress bar that never ends its line is split at its carriage
// returns, and of anything else only the beginning is kept.
func (d *reading) long(p physical, limit int) {
	if d.pages != nil {
		d.pagePart(p)
		return
	}
	if d.pending.active {
		d.longer(p, limit)
		return
	}
	if limit < d.s.lim.Answer && mayStartJSON(d.dec.Decode(p.stored)) && d.longAnswer(p) {
		return
	}
	if cr := d.lastReturn(p.stored); cr > 0 {
		d.text(physical{p.stored[:cr], p.offset, p.number})
		d.in.skip(cr)
		return
	}
	p.stored = d.wholeRunes(p.stored)
	d.text(p)
	d.in.skip(len(p.stored))
	if dropped := d.in.discard(); dropped > 0 {
		d.s.note(d.doc.Name, "bound-line", strconv.Itoa(p.number), strconv.Itoa(d.s.lim.Line))
	}
}

// longer deals with a long line of a value: it is read in pages from here on, or
// held as far as the limit of an answer.
func (d *reading) longer(p physical, limit int) {
	if d.turnPages() {
		d.pages.add([]byte{'\n'})
		d.pagePart(p)
		return
	}
	if room := d.answerRoom(); limit < room {
		if p, out := d.in.next(room); out == found {
			d.physical(p)
			return
		}
	}
	d.noteAnswer(d.pending.spans[0].number)
	d.settle()
}

// longAnswer reads a line as far as the limit of an answer, if it goes on to
// be JSON that far.
func (d *reading) longAnswer(p physical) bool {
	d.scan.reset()
	_, v := d.scan.feed(bytes.TrimLeft(d.dec.Decode(p.stored), " \t"))
	if v == broken {
		return false
	}
	if v == goesOn && d.longPages(p) {
		return true
	}
	p, out := d.in.next(d.s.lim.Answer)
	if out == found {
		d.physical(p)
		return true
	}
	d.begin()
	d.pending.add(p)
	d.feed(p)
	d.in.skip(len(p.stored))
	d.in.discard()
	d.noteAnswer(p.number)
	if d.pending.active {
		d.settle()
	}
	return true
}

func (d *reading) lastReturn(b []byte) int {
	if d.in.unit == 1 {
		return bytes.LastIndexByte(b[:len(b)-1], '\r') + 1
	}
	last := 0
	for i := 0; ; {
		n := d.in.index(b[i:len(b)-2], '\r')
		if n < 0 {
			return last
		}
		i += n + 2
		last = i
	}
}

// wholeRunes takes a character that is cut in two off the end.
func (d *reading) wholeRunes(b []byte) []byte {
	if d.in.unit == 2 {
		return b
	}
	for i := len(b) - 1; i >= 0 && i >= len(b)-3; i-- {
		if c := b[i]; c < 0x80 {
			break
		} else if c >= 0xc0 {
			return b[:i]
		}
	}
	return b
}
