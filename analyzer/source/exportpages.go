package source

import (
	"bytes"
	"io"
	"slices"

	"github.com/klauspost/compress/flate"
)

// exportPages takes the pages of an export. One that is oldest first is handed on
// page by page; one that is newest first is kept, packed, until its end is there.
type exportPages struct {
	d        *reading
	at       exportPlace
	falls    int      // how often more times fell than rose, until it is known which row stands first
	last     exported // row
	on       bool     // pages are handed on as they come
	standing standing
	held     []heldPage
	size     int // of what is held
	packer   *flate.Writer
}

// heldPage is a page with what pages before it had.
type heldPage struct {
	packed []byte
	at     exportPlace
}

// mostPacked bounds the packed pages that are held.
const mostPacked = 16 << 20

// Page takes the next page.
func (e *exportPages) Page(p *Page) {
	if p.Cut {
		e.cut(p)
		return
	}
	e.take(p.Bytes, p.Goes && e.inStream(p))
}

// inStream says whether the list that goes on behind a page is that of a stream.
func (e *exportPages) inStream(p *Page) bool {
	return bytes.HasSuffix(bytes.TrimRight(p.Bytes[:max(0, p.Open-1)], ": \t\r\n"), []byte(`"values"`))
}

func (e *exportPages) take(value []byte, inStream bool) {
	at := e.at
	list := e.at.texts(value)
	e.at.next(inStream)
	if e.on {
		e.d.rows(inOrder(list))
		return
	}
	marks, falls := rowMarks(list, (*exported).row)
	if e.falls == 0 && len(list) > 0 {
		if e.falls = falls; e.last.field == list[0].field {
			e.falls += e.last.time.Compare(list[0].time)
		}
		e.last = list[len(list)-1]
	}
	e.standing.add(marks)
	e.hold(value, at)
	switch {
	case e.size > mostPacked:
		e.d.s.note(e.d.doc.Name, "newest-first-long")
		e.handOn()
	case e.falls < 0:
		e.handOn()
	}
}

// handOn hands on what is held as it stands, and what follows as it comes.
func (e *exportPages) handOn() {
	for _, h := range e.held {
		e.d.rows(inOrder(h.texts()))
	}
	e.on, e.held = true, nil
}

// next goes past a page.
func (at *exportPlace) next(inStream bool) {
	switch {
	case at.lists == 0: // of a list of rows
		at.rows = at.last
	case inStream:
		at.streams, at.rows = at.streams+at.lists-1, at.last
	default:
		at.streams, at.rows = at.streams+at.lists, 0
	}
	at.lists, at.last = 0, at.rows
}

func (e *exportPages) hold(value []byte, at exportPlace) {
	var b bytes.Buffer
	if e.packer == nil {
		e.packer, _ = flate.NewWriter(&b, flate.BestSpeed) // fails for a level that there is not
	} else {
		e.packer.Reset(&b)
	}
	e.packer.Write(value) // to memory, which takes it
	e.packer.Close()
	e.held = append(e.held, heldPage{bytes.Clone(b.Bytes()), at})
	e.size += b.Len()
}

func (h *heldPage) texts() []exported {
	value, _ := io.ReadAll(flate.NewReader(bytes.NewReader(h.packed))) // packed here
	return h.at.texts(value)
}

// mostTied is how many rows of one moment may stand on several pages and be
// turned together.
const mostTied = 10_000

// end hands on what is held, the oldest rows first.
func (e *exportPages) end() {
	if e.falls == 0 {
		e.handOn()
		return
	}
	var tied []exported // rows at the head of a page, which may be of one moment with the last ones before it
	for i, h := range slices.Backward(e.held) {
		list := append(h.texts(), tied...)
		n := 0
		for n < len(list) && list[n].time.Equal(list[0].time) {
			n++
		}
		if i == 0 || n > mostTied {
			n = 0
		}
		tied = list[:n]
		list = list[n:]
		marks, _ := rowMarks(list, (*exported).row)
		list = arranged(list, e.standing.turn(marks))
		slices.SortStableFunc(list, func(a, b exported) int { return a.time.Compare(b.time) })
		e.d.rows(list)
	}
	e.held = nil
}

// cut takes what there is of the row in which an export breaks off, as an answer
// that is cut.
func (e *exportPages) cut(p *Page) {
	e.d.s.note(e.d.doc.Name, "cut-json")
	e.d.values++
	if h, ok := e.d.s.h.(Pager); ok {
		h.Page(p)
		return
	}
	e.d.s.h.JSON(&p.JSON)
}

// cutExport reads the pending value, which has no end, when it is an export.
func (d *reading) cutExport() bool {
	if d.ticket != nil || d.page != nil || d.record != nil || d.pending.notice > 0 || d.pending.quoted > 0 {
		return false
	}
	text, at := d.value(0)
	_, levels := d.probe(text)
	if levels == nil {
		return false
	}
	d.any = true
	d.pages = d.newExport(levels, at)
	d.pages.add(text)
	d.lastPage(true)
	return true
}

func (d *reading) newExport(levels []int, at span) *paging {
	export := &exportPages{d: d}
	return &paging{pager: pager{most: d.s.lim.Page, line: d.s.lim.Line, only: levels}, at: at, to: export, export: export}
}
