package source

import (
	"bytes"
	"slices"
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

// Gap is a place in Bytes at which something was left out that pages before had:
// the first members of a list or a very long object, or the first lines of a text.
type Gap struct {
	At    int // behind the bracket or the quote
	Parts int // members, or lines
	Lines int // of the document
}

// pager parts a value.
type pager struct {
	most   int   // bytes of a page
	only   []int // levels of the lists that are parted; nil for all, and texts
	buf    []byte
	told   int
	gaps   []Gap
	levels []pageLevel
	closed []spanned // long lists and texts that have ended, until they are left out

	inText, escape bool
	name           bool // the text may be the name of a member
	text           int  // where it begins
	breaks         int  // of its lines since then
	broken         int  // behind the last of them, 0 for none
	plain          bool // it is known to be no JSON by itself
	asIs           bool // it is to be read as a whole
	inner          *inner
	inners         []Inner // of texts that have ended
	inside         bool    // this is the pager of an inner value
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
		switch c := p.buf[i]; c {
		case '"':
			n := len(p.levels)
			p.inText, p.text, p.breaks, p.broken, p.plain, p.asIs = true, i+1, 0, 0, false, false
			p.name = n > 0 && !p.levels[n-1].list && !p.levels[n-1].named
		case ':':
			p.levels[len(p.levels)-1].named = true
		case '{', '[':
			p.levels = append(p.levels, pageLevel{list: c == '[', open: i + 1})
		case '}', ']':
			p.end(i)
		case ',':
			l := &p.levels[len(p.levels)-1]
			l.parts++
			l.ended++
			l.comma, l.named = i+1, false
		}
		i++
	}
}

// within goes on in a text from a place, to its end or that of what there is.
func (p *pager) within(i int) int {
	for ; i < len(p.buf); i++ {
		switch c := p.buf[i]; {
		case p.escape:
			if p.escape = false; c == 'n' {
				p.breaks++
				p.broken = i + 1
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
	return len(p.buf)-p.told > p.most
}

// size is how many bytes are held.
func (p *pager) size() int {
	if p.inner != nil {
		return len(p.buf) + len(p.inner.buf)
	}
	return len(p.buf)
}

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
	return -1, 0
}

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
	p.forget()
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
