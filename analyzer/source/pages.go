package source

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// Pager is a Handler that takes a JSON value which is too large to be held in
// pages: each is a value by itself, of what holds the part and the part. A list
// is parted between its members, a text between its lines.
type Pager interface {
	Handler
	Page(*Page)
}

// Page is one part of a value.
type Page struct {
	JSON
	Part
	Inners []Inner // texts that are JSON by themselves, of which a part is no longer there, by place
}

// Part says which part of a value is there.
type Part struct {
	Told int   // bytes at the beginning that pages before had, kept for what they say of the rest
	Gaps []Gap // what is no longer there of the beginning, by place
	Goes bool  // further pages follow
	Open int   // where the list that goes on begins, behind its bracket; 0 when it is a text, or none goes on
}

// Gap is a place in Bytes at which something was left out that pages before had,
// the first members of a list or a very long object, or the first lines of a text;
// or many blanks.
type Gap struct {
	At    int // behind the bracket, the quote or other blanks
	Parts int // members, or lines
	Lines int // of the document
}

// pager parts a value.
type pager struct {
	most   int   // bytes of a page
	line   int   // bytes of a text of which no line ends; what lies beyond is left out. 0 for no bound
	depth  int   // of texts around it that are JSON by themselves
	only   []int // levels of the lists that are parted; nil for all, and texts
	buf    []byte
	told   int
	begun  int  // values since the last page
	long   bool // something was left out for its length
	gaps   []Gap
	levels []pageLevel
	closed []spanned // long lists and texts that have ended, until they are left out

	inText, escape bool
	digits         int    // of an escape "\uXXXX" that are still to come
	code           uint32 // those that came, in small letters
	name           bool   // the text may be the name of a member
	text           int    // where it begins
	breaks         int    // of its lines since then
	broken         int    // behind the last of them, 0 for none
	plain          bool   // it is known to be no JSON by itself
	asIs           bool   // it is to be read as a whole
	inner          *inner
	inners         []Inner // of texts that have ended
	bare           byte    // kind of the bytes outside of texts that went before
	bares          int     // how many of them
}

// pageLevel is an object or a list that is open.
type pageLevel struct {
	list  bool
	open  int // behind its bracket
	parts int // members that have ended since the last page
	ended int // and all of them
	comma int // behind the last of them, 0 for none
	named bool
}

// leastKept is how long a list or a text may be, at least, of which pages after
// its end still hold all: what names a job must be there.
const leastKept = 512

// spanned is a list or a text that has ended, with its parts.
type spanned struct{ open, end, parts int }

// add takes more of the value, which is known to be JSON.
func (p *pager) add(more []byte) {
	if p.inner != nil {
		if more = p.nest(more); len(more) == 0 {
			return
		}
	}
	i := len(p.buf)
	p.buf = append(p.buf, more...)
	for i < len(p.buf) {
		if p.inText {
			i = p.within(i)
			continue
		}
		c := p.buf[i]
		if p.isLong(c) {
			p.passBare(i)
			continue
		}
		switch c {
		case '"':
			n := len(p.levels)
			p.inText, p.text, p.breaks, p.broken, p.plain, p.asIs = true, i+1, 0, 0, false, false
			p.name = n > 0 && !p.levels[n-1].list && !p.levels[n-1].named
		case ':':
			p.levels[len(p.levels)-1].named = true
		case '{', '[':
			p.begun++
			p.levels = append(p.levels, pageLevel{list: c == '[', open: i + 1})
		case '}', ']':
			p.end(i)
		case ',':
			p.begun++
			l := &p.levels[len(p.levels)-1]
			l.parts++
			l.ended++
			l.comma, l.named = i+1, false
		}
		i++
	}
}

// longestBare bounds blanks in a row, and numbers, in bytes.
const longestBare = 1024

// bareKind tells blanks from parts of numbers, 0 for what is neither.
func bareKind(c byte) byte {
	switch {
	case c == ' ' || c == '\t' || c == '\r' || c == '\n':
		return ' '
	case isNumberByte(c):
		return '0'
	}
	return 0
}

// isLong reports whether a byte outside of texts is one of too many of its kind.
func (p *pager) isLong(c byte) bool {
	if kind := bareKind(c); kind == 0 || kind != p.bare {
		p.bare, p.bares = kind, 0
	}
	p.bares++
	return p.bare != 0 && p.line > 0 && p.bares > longestBare
}

// passBare leaves out the bytes of one kind from a place on, and notes how many
// lines end there.
func (p *pager) passBare(i int) {
	end := i
	for end < len(p.buf) && bareKind(p.buf[end]) == p.bare {
		end++
	}
	lines := bytes.Count(p.buf[i:end], []byte{'\n'})
	p.buf = slices.Delete(p.buf, i, end)
	p.long = p.long || p.bare == '0'
	if n := len(p.gaps); n > 0 && p.gaps[n-1].At == i {
		p.gaps = append(p.gaps[:n-1:n-1], Gap{i, p.gaps[n-1].Parts, p.gaps[n-1].Lines + lines})
	} else if lines > 0 {
		p.gaps = append(slices.Clip(p.gaps), Gap{At: i, Lines: lines})
	}
}

// within goes on in a text from a place, to its end or that of what there is.
func (p *pager) within(i int) int {
	for ; i < len(p.buf); i++ {
		c := p.buf[i]
		if p.tooLong(i) && !p.escape && p.digits == 0 && utf8.RuneStart(c) && p.passLine(i) {
			if i == len(p.buf) {
				return i
			}
			c = p.buf[i]
		}
		switch {
		case p.digits > 0:
			p.digits--
			if p.code = p.code<<8 | uint32(c|0x20); p.digits == 0 && p.code == escapedBreak {
				p.breakAt(i + 1)
			}
		case p.escape:
			p.escape = false
			if c == 'n' {
				p.breakAt(i + 1)
			} else if c == 'u' {
				p.digits, p.code = 4, 0
			}
		case c == '\\':
			p.escape = true
		case c == '"':
			p.inText = false
			if !p.name {
				p.close(p.text, i, p.breaks)
			}
			return i + 1
		}
	}
	return i
}

// escapedBreak is a line end as the digits of an escape.
const escapedBreak = '0'<<24 | '0'<<16 | '0'<<8 | 'a'

// breakAt notes that a line of a text ends before a place.
func (p *pager) breakAt(i int) {
	p.breaks++
	p.broken = i
}

// parted reports whether the text may be parted between its lines.
func (p *pager) parted() bool { return p.plain && p.only == nil && !p.name }

// tooLong reports whether a line of the text, or a text that is not parted, is too
// long to be held up to a place. Of one that may be JSON it is known after a page.
func (p *pager) tooLong(i int) bool {
	switch {
	case p.line == 0:
		return false
	case p.parted():
		return i-max(p.text, p.broken) >= p.line
	case p.only == nil && !p.name && !p.asIs:
		return i-p.text >= p.line+p.most
	}
	return i-p.text >= p.line
}

// passLine leaves out what stands between a place in a text and the end of its
// line, or that of a text which is not parted. It says whether it left out
// anything.
func (p *pager) passLine(i int) bool {
	end := i
	for end < len(p.buf) && p.buf[end] != '"' {
		if p.buf[end] != '\\' {
			end++
			continue
		}
		n := 2
		if end+1 < len(p.buf) && p.buf[end+1] == 'u' {
			n = 6
		}
		if end+n > len(p.buf) || p.parted() && (p.buf[end+1] == 'n' || n == 6 && strings.EqualFold(string(p.buf[end+2:end+6]), "000a")) {
			break
		}
		end += n
	}
	p.buf = slices.Delete(p.buf, i, end)
	p.long = p.long || end > i
	return end > i
}

// end ends the innermost level at its bracket.
func (p *pager) end(at int) {
	n := len(p.levels) - 1
	if l := p.levels[n]; l.list {
		p.close(l.open, at, l.parts+1)
	}
	p.levels = p.levels[:n]
}

func (p *pager) close(open, end, parts int) {
	if end-open > max(p.most/64, leastKept) {
		p.closed = slices.DeleteFunc(p.closed, func(c spanned) bool { return c.open >= open })
		p.closed = append(p.closed, spanned{open, end, parts})
	}
}

// full reports whether there is enough for a page.
func (p *pager) full() bool {
	if p.inner != nil {
		return p.inner.full()
	}
	return len(p.buf)-p.told > p.most || p.begun > mostBegun
}

// mostBegun bounds the values of a page: a number takes a hundred times what it
// has of bytes.
const mostBegun = 1 << 15

// size is how many bytes are held.
func (p *pager) size() int {
	if p.inner != nil {
		return len(p.buf) + p.inner.size()
	}
	return len(p.buf)
}

// leftOut reports whether something was left out for its length.
func (p *pager) leftOut() bool { return p.long || p.inner != nil && p.inner.leftOut() }

// mostMembers is how many members an object may have that is not parted as a list
// is: those of answers have fewer, and a part tells less than the whole.
const mostMembers = 256

// cut says where the next page may end: behind a member of the outermost list
// that allows it, else behind a line of the text.
func (p *pager) cut() (level, at int) {
	for i, l := range p.levels {
		if p.only != nil && !(l.list && slices.Contains(p.only, i)) {
			continue
		}
		if (l.list || l.ended > mostMembers) && l.comma > max(p.told, l.open) {
			return i, l.comma
		}
	}
	if p.only == nil && p.inText && !p.name && p.broken > max(p.told, p.text) && (p.plain || !embeds(p.buf[p.text:p.broken])) {
		return len(p.levels), p.broken
	}
	if p.only == nil && len(p.buf)-p.told > largeObject*p.most {
		for i, l := range slices.Backward(p.levels) {
			if l.comma > max(p.told, l.open) {
				return i, l.comma
			}
		}
	}
	return -1, 0
}

// largeObject is how many pages an object may take that has few members. One that
// takes more is parted all the same, the innermost first.
const largeObject = 8

// embeds says whether a text may be JSON by itself, which is not parted between
// its lines.
func embeds(text []byte) bool {
	text = bytes.TrimLeft(text, " \t")
	return len(text) > 0 && bytes.IndexByte([]byte(`{[\`), text[0]) >= 0
}

// part says which part is there when a page ends at a cut in a level.
func (p *pager) part(level int) Part {
	part := Part{Told: p.told, Gaps: p.gaps, Goes: true}
	if level < len(p.levels) {
		part.Open = p.levels[level].open
	}
	return part
}

// page appends the page that ends at a cut to dst.
func (p *pager) page(dst []byte, level, at int) []byte {
	if level == len(p.levels) {
		dst = append(append(dst, p.buf[:at]...), '"')
	} else {
		dst = append(dst, p.buf[:at-1]...)
		level++
	}
	return p.shut(dst, level)
}

// shut appends the brackets that end the outermost levels to dst.
func (p *pager) shut(dst []byte, level int) []byte {
	for i := level - 1; i >= 0; i-- {
		if p.levels[i].list {
			dst = append(dst, ']')
		} else {
			dst = append(dst, '}')
		}
	}
	return dst
}

// turn leaves out what a page had that was cut, but for what holds the rest.
func (p *pager) turn(level, at int) {
	open, parts := p.text, p.breaks
	if level < len(p.levels) {
		l := &p.levels[level]
		open, parts = l.open, l.parts
		l.parts, l.comma = 0, 0
	} else {
		p.breaks, p.broken = 0, 0
	}
	p.closed = slices.DeleteFunc(p.closed, func(c spanned) bool { return open <= c.open && c.end <= at })
	p.leave(open, at, parts)
	p.told = open
	p.begun = 0
	p.forget()
}

// nextPage appends the next page to dst, where there is enough for one, or finds
// out where it may end. It says whether that led anywhere; without a page, text is
// nil.
func (p *pager) nextPage(dst []byte) (text []byte, part Part, inners []Inner, moved bool) {
	if p.inner != nil {
		return p.innerPage(dst)
	}
	level, at := p.cut()
	if level < 0 {
		return nil, Part{}, nil, p.enter()
	}
	text, part, inners = p.page(dst, level, at), p.part(level), slices.Clone(p.inners)
	p.turn(level, at)
	return text, part, inners, true
}

// forget leaves out what pages before had of long lists and texts that have ended.
func (p *pager) forget() {
	for i := 0; i < len(p.closed); {
		c := p.closed[i]
		if c.end > p.told {
			i++
			continue
		}
		p.closed = slices.Delete(p.closed, i, i+1)
		p.leave(c.open, c.end, c.parts)
	}
}

// leave takes out the bytes between two places, and notes the gap.
func (p *pager) leave(open, end, parts int) {
	gap := Gap{open, parts, bytes.Count(p.buf[open:end], []byte{'\n'})}
	p.buf = slices.Delete(p.buf, open, end)
	n := end - open
	before := 0
	var kept []Gap
	for _, g := range p.gaps {
		switch {
		case g.At < open:
			kept = append(kept, g)
			before = len(kept)
		case g.At == open:
			gap.Parts += g.Parts
			gap.Lines += g.Lines
		case g.At < end:
			gap.Lines += g.Lines
		default:
			g.At -= n
			kept = append(kept, g)
		}
	}
	p.gaps = slices.Insert(kept, before, gap)
	for i := range p.levels {
		p.levels[i].move(end, n)
	}
	for i := range p.closed {
		if c := &p.closed[i]; c.open >= end {
			c.open, c.end = c.open-n, c.end-n
		}
	}
	p.inners = slices.DeleteFunc(p.inners, func(in Inner) bool { return open <= in.At && in.At < end })
	for i := range p.inners {
		if in := &p.inners[i]; in.At >= end {
			in.At -= n
		}
	}
	for _, place := range []*int{&p.told, &p.text, &p.broken} {
		if *place >= end {
			*place -= n
		}
	}
}

// move follows bytes that were taken out before a place.
func (l *pageLevel) move(end, n int) {
	if l.open >= end {
		l.open -= n
	}
	if l.comma >= end {
		l.comma -= n
	}
}
