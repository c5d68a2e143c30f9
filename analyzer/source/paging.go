package source

import (
	"bytes"
	"strconv"

	"hcloud-modelarts/analyzer/source/charset"
)

// paging is a value being read in pages.
type paging struct {
	pager
	at      span // of its first byte
	scratch []byte
	to      pageTaker
	export  *exportPages // that takes them, nil for an answer
}

// pageTaker takes pages.
type pageTaker interface{ Page(*Page) }

// turnPages begins to read the pending value in pages, and says whether it may
// be: when it is an answer or an export whatever follows, or too large to be
// anything else.
func (d *reading) turnPages() bool {
	if d.pages != nil || d.pending.whole || d.dec.Name != charset.UTF8 && d.in.unit == 1 || d.page != nil || d.record != nil ||
		d.pending.notice > 0 || d.pending.held || d.texts > 0 && !d.known() && len(d.pending.stored) < mostPrinted*d.s.lim.Page {
		return false
	}
	text, at := d.value(0)
	p := &paging{pager: pager{most: d.s.lim.Page, line: d.s.lim.Line}, at: at}
	if export, levels := d.probe(text); export {
		if levels == nil {
			d.pending.whole = true
			return false
		}
		p = d.newExport(levels, at)
	} else if h, ok := d.s.h.(Pager); ok {
		p.to = h
		d.values++
	} else {
		d.pending.whole = true
		return false
	}
	d.any = true
	d.pages = p
	quoted := d.pending.quoted
	d.pending.clear()
	d.pending.active, d.pending.quoted = true, quoted
	d.addToPages(text)
	return true
}

// mostPrinted is how many pages of JSON a program may print into its log.
const mostPrinted = 4

// probe says whether a value begins like an export, and gives the levels of the
// lists that hold its rows; nil when it is one text.
func (d *reading) probe(text []byte) (export bool, levels []int) {
	probe := pager{most: d.s.lim.Page}
	probe.add(text[:min(len(text), probe.most)])
	level, cut := probe.cut()
	if level < 0 {
		return false, nil
	}
	list := exportOf(probe.page(nil, level, cut))
	switch {
	case len(list) == 0:
		return false, nil
	case list[0].number == 0:
		return true, nil
	}
	return true, rowLevels[list[0].form]
}

// addToPages takes more of the value, and hands on the pages that are full.
func (d *reading) addToPages(text []byte) {
	for len(text) > 0 {
		n := min(len(text), max(1, d.pages.most/4))
		d.pages.add(text[:n])
		d.handPages()
		text = text[n:]
	}
}

// longPages reads a value in pages that begins on a line which is too long to be
// held. The scanner has seen the part of it that there is.
func (d *reading) longPages(p physical) bool {
	scan := d.scan
	p.stored = d.wholeRunes(p.stored)
	d.begin()
	d.scan = scan
	d.pending.add(p)
	if !d.turnPages() {
		d.pending.clear()
		return false
	}
	d.in.skip(len(p.stored))
	return true
}

// handPages hands on pages while there is enough for one.
func (d *reading) handPages() {
	for d.pages.full() && d.handPage() {
	}
}

// handPage hands on the next page, or finds out where it may end. It says whether
// that led anywhere.
func (d *reading) handPage() bool {
	p := d.pages
	text, part, inners, moved := p.nextPage(p.scratch[:0])
	if text != nil {
		p.scratch = text
		p.to.Page(d.pageOf(text, part, inners))
	}
	return moved
}

func (d *reading) pageOf(text []byte, part Part, inners []Inner) *Page {
	at := d.pages.at
	return &Page{JSON{Doc: d.doc, Number: at.number, Offset: at.offset, Bytes: text}, part, inners}
}

// goOn takes a stored line of a value that is read in pages, or a part of one,
// and gives what of it stands behind the value.
func (d *reading) goOn(stored []byte, whole bool) (rest []byte, done bool) {
	dec := d.jsonText(stored)
	n, v := d.scan.feed(dec)
	d.addToPages(dec[:n])
	if v == goesOn && whole {
		if _, v = d.scan.feed([]byte{'\n'}); v == goesOn {
			d.addToPages([]byte{'\n'})
		}
	}
	switch {
	case v != goesOn:
		d.lastPage(v == broken)
		return dec[min(n, len(dec)):], true
	case d.boundPages():
		return nil, true
	}
	return nil, false
}

// boundPages ends a value of which too much has to be held.
func (d *reading) boundPages() bool {
	if d.pages.size() <= d.s.lim.Answer {
		return false
	}
	d.noteAnswer(d.pages.at.number)
	d.lastPage(true)
	return true
}

// lastPage hands on what is left of the value.
func (d *reading) lastPage(cut bool) {
	p := d.pages
	if p.inner != nil {
		p.leaveInner(nil)
	}
	for cut && p.export != nil && d.handPage() { // its whole rows
	}
	text := p.buf
	if !cut {
		text = bytes.TrimRight(text, " \t\r\n")
	}
	last := d.pageOf(text, Part{Told: p.told, Gaps: p.gaps}, p.inners)
	last.Cut = cut
	p.to.Page(last)
	d.pages = nil
	if p.leftOut() {
		d.s.note(d.doc.Name, "bound-text", strconv.Itoa(p.at.number), strconv.Itoa(p.line))
	}
	if p.export != nil {
		p.export.end()
	} else if d.texts == 0 {
		d.doc.Kind = Answer
	}
	d.pending.clear()
}

// pageLine takes a stored line.
func (d *reading) pageLine(p physical) {
	if rest, done := d.goOn(p.stored, true); done {
		d.behind(rest, p)
	}
}

// behind reads on with what stands behind a value on its last line.
func (d *reading) behind(rest []byte, p physical) {
	if len(bytes.TrimSpace(rest)) > 0 {
		from := max(0, len(p.stored)-d.in.stored(rest))
		d.physical(physical{bytes.Clone(p.stored[from:]), p.offset + int64(from), p.number})
	}
}

// pagePart takes the beginning of a line that is too long to be held, and goes
// past it.
func (d *reading) pagePart(p physical) {
	p.stored = d.wholeRunes(p.stored)
	rest, done := d.goOn(p.stored, false)
	d.in.skip(max(0, len(p.stored)-d.in.stored(rest)))
	if !done {
		return
	}
	next, out := d.in.next(d.s.lim.Line)
	switch {
	case out == tooLong:
		d.long(next, d.s.lim.Line)
	case out == found && len(bytes.TrimSpace(next.stored)) > 0:
		d.physical(next)
	}
}
