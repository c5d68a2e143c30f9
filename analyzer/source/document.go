package source

import (
	"bufio"
	"errors"
	"io"

	"hcloud-modelarts/analyzer/source/charset"
	"hcloud-modelarts/analyzer/source/stamp"
)

// document reads one text to its end.
func (s *session) document(name string, r *bufio.Reader) {
	head, err := r.Peek(peekSize)
	if len(head) == 0 {
		if err != nil && err != io.EOF {
			s.stopped(name, err)
			return
		}
		s.refuse(name, "empty", nil)
		return
	}
	var hole int64
	if head, hole = skipHole(r, head); len(head) == 0 {
		s.refuse(name, "binary", nil)
		return
	}
	encoding, bom := charset.Detect(head)
	if len(head) == bom {
		s.refuse(name, "empty", nil)
		return
	}
	if isBinary(head[bom:], encoding) {
		s.refuse(name, "binary", nil)
		return
	}
	d := s.newReading(s.newDocument(name, encoding), newLineReader(r, encoding))
	d.in.buf, s.lines = s.lines, nil
	defer func() {
		if d.in.ahead != nil {
			d.in.ahead.close()
		} else if len(d.in.buf) == firstBuffer {
			s.lines = d.in.buf
		}
	}()
	d.in.offset = hole
	d.sniff(head[bom:])
	if before := s.pieces[s.before[name]]; before != nil && d.resume(before) {
		d.doc.follow(before)
	}
	newest := d.doc.Before == nil && d.newestFirst(head[bom:])
	if encoding == charset.UTF8 && !newest {
		d.skim = newSkim(s.h, s.lim.Block)
	}
	s.h.Begin(d.doc)
	d.skipMark(bom)
	if newest {
		d.turn()
	}
	d.run()
	s.end(d)
	if d.in.err != nil {
		s.cutShort(name, d.in.err, d.any)
	}
}

func (s *session) newDocument(name, encoding string) *Document {
	doc := &Document{Name: name, Index: s.stats.Sources, Encoding: encoding, Rank: -1, Device: -1, Attempt: -1, calendar: &s.clock}
	layout(doc)
	s.stats.Sources++
	return doc
}

func (s *session) newReading(doc *Document, in *lineReader) *reading {
	return &reading{s: s, doc: doc, in: in, dec: charset.Decoder{Name: doc.Encoding}, parser: parser{clock: stamp.NewClock(&s.clock)}}
}

// end ends a document and counts it.
func (s *session) end(d *reading) {
	if _, ok := s.pieces[d.doc.Name]; ok {
		s.pieces[d.doc.Name] = d.doc
		end := d.parser // a copy, so that the rest of the reading can go
		d.doc.parser = &end
		d.doc.Goes = true
	}
	s.h.End(d.doc)
	s.stats.Bytes += d.doc.Bytes
	s.stats.Lines += d.doc.Lines
	if d.any {
		s.content++
	}
}

// reading is one document being read.
type reading struct {
	s    *session
	doc  *Document
	dec  charset.Decoder
	in   *lineReader
	line Line
	parser
	any bool // a line or a value was handed on

	ticket  *ticket   // how prose is told from logs, nil in a log
	page    *page     // when it is HTML
	hard    *hardwrap // when a window broke its lines
	export  *export   // when it is CSV of a log service
	journal *journal  // when it is an export of journald
	table   table
	record  *record // what a collector tells of the line being read
	wrapped record
	records int   // lines that a collector wrapped
	others  int   // objects that looked like it and were not
	kind    Kind  // of the line being read
	lead    int   // bytes at its start that are not of its text
	first   *Line // of the parts of a stored line, nil before it

	scratch []byte
	pending pending
	pages   *paging              // the value being read in pages, nil when none is
	streams map[[2]string]string // of the rows of exports
	scan    jsonScanner
	skim    *skim           // nil when every line is handed on
	tried   map[string]bool // shapes of labels that were looked at behind the beginning
	texts   int             // lines that are neither blank nor notices of hcloud
	blank   int             // blank lines in a row, up to the last one
	returns bool            // the line's end began with a carriage return
	values  int             // JSON values handed on
}

// run reads all lines.
func (d *reading) run() {
	for {
		if d.skimming() {
			d.pass()
		}
		d.tell()
		limit := d.limit()
		p, out := d.in.next(limit)
		switch out {
		case ended:
			d.finish()
			d.doc.Bytes = d.in.offset
			d.doc.Lines = d.in.number - 1
			return
		case found:
			d.takeLine(p)
		case tooLong:
			d.long(p, limit)
		}
		d.doc.Bytes = d.in.offset
	}
}

// finish decides about what is still held back.
func (d *reading) finish() {
	d.unwrapped()
	d.flush()
	if d.page != nil {
		d.kind, d.lead = Log, 0
		d.releasePage()
	}
	if d.journal != nil {
		d.journal.end(d)
	}
	if d.export != nil {
		d.export.flush(d)
		d.export.giveUp(d)
	}
}

func (d *reading) skipMark(bom int) {
	for d.in.end < bom && !d.in.eof {
		d.in.fill()
	}
	d.in.skip(min(bom, d.in.end))
}

// limit is how long the next line may be before it is looked at.
func (d *reading) limit() int {
	if d.pending.active {
		return min(d.s.lim.Line, d.answerRoom())
	}
	return d.s.lim.Line
}

// answerRoom is how long the next line of a value may be that is held whole.
func (d *reading) answerRoom() int {
	return max(leastLine, d.s.lim.Answer-len(d.pending.stored))
}

// cutShort notes a source that broke off after some of it was read.
func (s *session) cutShort(name string, err error, any bool) {
	switch {
	case errors.Is(err, errSpent):
		s.noteSpent(name)
	case any:
		s.note(name, "damaged", reason(err))
	default:
		s.refuse(name, "damaged", err)
	}
}
