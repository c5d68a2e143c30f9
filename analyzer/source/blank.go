package source

import "bytes"

// blankRun is how many blank lines in a row are handed on: more than anything
// waits for, so that further ones change nothing but numbers and places.
const blankRun = 256

// takeLine deals with one stored line, and with the blank ones behind it when
// enough of them went before.
func (d *reading) takeLine(p physical) {
	if d.blank++; !d.in.isBlank(d.trimReturns(p.stored)) {
		d.blank = 0
	}
	if d.blank <= blankRun || !d.pending.active {
		d.physical(p)
	} else {
		d.breakValue(1)
	}
	if d.blank >= blankRun {
		d.passBlank()
	}
}

// passBlank goes past the blank lines that follow a long run of them: a file of
// a few bytes may unpack to hundreds of millions. A handler was told of those, and
// is of these, unless they stand within something else, such as a JSON value.
func (d *reading) passBlank() {
	in := d.in
	told := d.line.Number == in.number-1
	h, skims := d.s.h.(Skimmer)
	if told && !skims || d.export != nil && len(d.export.open) > 0 || d.journal != nil && d.journal.name != "" ||
		d.page != nil && (len(d.page.value) > 0 || d.page.open.Len() > 0) {
		return
	}
	n, last, end := in.blankLines(d.untilLate(in.number))
	if n == 0 {
		return
	}
	l := d.line
	l.Stored = in.buf[in.start+last : in.start+end-in.unit]
	if d.page == nil { // which hands on lines with all that ends them
		l.Stored = d.trimReturns(l.Stored)
	}
	l.Offset, l.Length, l.Number = in.offset+int64(last), len(l.Stored), in.number+n-1
	l.Raw = string(d.dec.Decode(d.trimReturns(l.Stored)))
	in.advance(end)
	in.number += n
	if d.pending.active {
		d.breakValue(n)
	}
	if told {
		h.Skip([]Skipped{{l, n, n - 1}}, n)
	}
}

// breakValue keeps the line ends of n blank lines within the value being read, so
// that what follows in it stands on its own line.
func (d *reading) breakValue(n int) {
	ends := bytes.Repeat([]byte{'\n'}, n)
	switch {
	case d.pages != nil:
		d.addToPages(ends)
		d.boundPages()
	case !d.pending.held:
		d.pending.stored = append(d.pending.stored, ends...)
		d.boundValue()
	}
}

// isBlank reports whether nothing but spaces and tabs is stored.
func (lr *lineReader) isBlank(stored []byte) bool {
	for i := 0; i < len(stored); i += lr.unit {
		if c := lr.char(stored, i); c != ' ' && c != '\t' {
			return false
		}
	}
	return true
}

// blankLines counts the blank lines in the buffer up to the first other one, most
// at most, and gives where the last of them begins and what it ends before. A
// carriage return is part of a line end.
func (lr *lineReader) blankLines(most int) (n, last, end int) {
	b := lr.buf[lr.start:lr.end]
	returned := false
	for i := 0; n < most && i+lr.unit <= len(b); i += lr.unit {
		switch c := lr.char(b, i); {
		case c == '\n':
			n, last, end = n+1, end, i+lr.unit
			returned = false
		case c == '\r':
			returned = true
		case returned || c != ' ' && c != '\t':
			return n, last, end
		}
	}
	return n, last, end
}

// char gives the character at a place in b; what is beyond ASCII in UTF-8 it
// gives byte by byte, and 0 for half a unit.
func (lr *lineReader) char(b []byte, i int) uint16 {
	switch {
	case lr.unit == 1:
		return uint16(b[i])
	case i+1 >= len(b):
		return 0
	case lr.big:
		return uint16(b[i])<<8 | uint16(b[i+1])
	}
	return uint16(b[i+1])<<8 | uint16(b[i])
}
