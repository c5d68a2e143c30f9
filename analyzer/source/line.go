package source

import (
	"bytes"
	"strings"

	"hcloud-modelarts/analyzer/source/charset"
)

// physical deals with one stored line.
func (d *reading) physical(p physical) {
	if d.hard != nil {
		d.rewrap(p)
		return
	}
	d.whole(p)
}

// whole deals with one stored line that is no part of another.
func (d *reading) whole(p physical) {
	if d.journal != nil {
		d.journal.line(d, p)
		return
	}
	if d.export != nil {
		d.export.line(d, p)
		return
	}
	if d.pages != nil {
		d.pageLine(p)
		return
	}
	if d.pending.active {
		d.pending.add(p)
		d.feed(p)
		return
	}
	dec := d.dec.Decode(p.stored)
	d.kind, d.lead = d.doc.Kind, 0
	switch {
	case d.page != nil:
		d.htmlLine(p, dec)
		return
	case d.ticket != nil:
		d.kind, d.lead = d.ticket.line(narrow(string(dec)))
	}
	body := dec[min(d.lead, len(dec)):]
	if mayBeRecord(body) && d.unwrap(p, body) {
		return
	}
	if mayStartJSON(body) {
		d.begin()
		d.pending.quoted, _ = quoting(string(dec[:len(dec)-len(body)]))
		d.pending.add(p)
		d.feed(p)
		return
	}
	if mayBeEscapedJSON(body) && d.escaped(p, body) {
		return
	}
	if at := d.glued(dec); at > 0 && d.splitGlued(p, dec, at) {
		return
	}
	d.text(d.relaunch(p))
}

// as hands a line on as what the caller knows it to be.
func (d *reading) as(kind Kind, p physical) {
	d.kind, d.lead = kind, 0
	d.text(p)
}

// escaped hands on an answer that was saved with its quotes escaped.
func (d *reading) escaped(p physical, dec []byte) bool {
	value := escapedJSON(dec)
	if value == nil {
		return false
	}
	d.values++
	d.any = true
	d.s.h.JSON(&JSON{Doc: d.doc, Number: p.number, Offset: p.offset, Bytes: value})
	return true
}

// headLines is how far from the beginning hcloud's notices stand.
const headLines = 200

// glued finds where a value begins behind a notice on the same line.
func (d *reading) glued(dec []byte) int {
	if d.texts+d.values > headLines || len(dec) == 0 {
		return 0
	}
	i := bytes.IndexByte(dec, '{')
	if i <= 0 || !isNotice(string(dec)) && !bytes.HasSuffix(bytes.TrimRight(dec, " \t\r"), []byte("{")) {
		return 0
	}
	if mayStartJSON(dec[i:]) {
		return i
	}
	return 0
}

// splitGlued hands on the notice and begins the value behind it. Offsets need
// the stored bytes to be split at the same place, which is sure only when they
// are UTF-8.
func (d *reading) splitGlued(p physical, dec []byte, at int) bool {
	if len(dec) != len(p.stored) || &dec[0] != &p.stored[0] {
		return false
	}
	d.begin()
	d.pending.notice = at
	d.pending.add(p)
	d.feed(physical{p.stored[at:], p.offset + int64(at), p.number})
	return true
}

// text hands on one stored line of text, segment by segment.
func (d *reading) text(p physical) {
	rest, offset := d.trimReturns(p.stored), p.offset
	d.returns = len(rest) < len(p.stored)
	if d.in.index(rest, '\r') < 0 {
		d.segment(rest, offset, p.number)
		return
	}
	for {
		i := d.in.index(rest, '\r')
		if i < 0 {
			d.segment(rest, offset, p.number)
			return
		}
		if i > 0 {
			d.segment(rest[:i], offset, p.number)
		}
		rest = rest[i+d.in.unit:]
		offset += int64(i + d.in.unit)
		if len(rest) == 0 {
			return
		}
	}
}

func (d *reading) trimReturns(b []byte) []byte {
	u := d.in.unit
	for len(b) >= u && d.in.index(b[len(b)-u:], '\r') == 0 {
		b = b[:len(b)-u]
	}
	return b
}

// segment hands on what stands between two line ends.
func (d *reading) segment(stored []byte, offset int64, number int) {
	dec := d.dec.Decode(stored)
	raw := charset.Clean(dec, d.scratch)
	if len(raw) > 0 && len(dec) > 0 && &raw[0] != &dec[0] {
		d.scratch = raw[:0]
	}
	d.raw(string(raw), stored, offset, number)
}

// raw hands on clean text, as several lines when its line ends are escaped.
func (d *reading) raw(raw string, stored []byte, offset int64, number int) {
	if !isEscaped(raw) {
		d.emit(raw, stored, offset, number)
		return
	}
	lead := d.lead
	for _, part := range unescape(raw) {
		for segment := range segments(part) {
			d.emit(charset.CleanText(segment), stored, offset, number)
			// Labels, and what is the ticket's, stand before the first part only.
			if d.lead = 0; d.first == nil {
				first := d.line
				d.first = &first
			}
		}
	}
	d.lead, d.first = lead, nil
}

// emit fills the line and hands it on.
func (d *reading) emit(raw string, stored []byte, offset int64, number int) {
	l := &d.line
	var drawn bool
	*l, drawn = d.lineOf(raw, stored, offset, number)
	if (d.doc.Job == "" || d.doc.Task == "") && l.Kind != Ticket {
		d.host(l.Text)
	}
	if d.ticket != nil {
		d.ticket.pasted(l)
	}
	if drawn || !isBlank(raw) {
		d.any = true
		d.count(l, drawn)
	}
	d.s.h.Line(l)
	d.learn(l, drawn)
}

// lineOf takes the prefixes off a line and says whether it is drawn as a row
// of a table.
func (d *reading) lineOf(raw string, stored []byte, offset int64, number int) (l Line, drawn bool) {
	doc := d.doc
	l = Line{Doc: doc, Number: number, Offset: offset, Length: len(stored), Stored: stored, Raw: raw, Text: d.body(raw),
		Kind: d.kind, Rank: doc.Rank, Own: doc.Rank, Task: doc.Task, Node: doc.Node}
	if d.record != nil {
		d.record.apply(&d.parser, &l)
	}
	if d.first != nil {
		l.follow(d.first)
	}
	drawn = d.row(&l)
	if l.Kind != Event && l.Kind != Message {
		d.prefixes(&l)
	}
	return l, drawn
}

// body is a line without what its ticket put before it. Within a ticket the
// full-width forms that people and screen readers write count as the ASCII that
// programs print.
func (d *reading) body(raw string) string {
	if d.ticket == nil {
		return raw[min(d.lead, len(raw)):]
	}
	text := narrow(raw)
	return text[min(d.lead, len(text)):]
}

// follow gives a part of a stored line what the labels before its first part
// tell.
func (l *Line) follow(first *Line) {
	l.Time, l.Zoned, l.Level, l.PID = first.Time, first.Zoned, first.Level, first.PID
	l.Rank, l.Own, l.Task, l.Node, l.Stream = first.Rank, first.Own, first.Task, first.Node, first.Stream
}

// host takes job and task from the name of the container's host, where a line
// tells on which host its program ran.
func (d *reading) host(s string) {
	i := strings.Index(s, "modelarts-job-")
	if i < 0 {
		return
	}
	key := strings.TrimRight(strings.ToLower(strings.TrimLeft(s[:i], " \"'")), " :=\"'")
	if key != "host" && key != "hostname" {
		return
	}
	name := s[i:]
	if job := jobID(name); job != "" && (d.doc.Job == "" || d.doc.Job == job) {
		d.doc.Job = strings.Clone(job)
		if d.doc.Task == "" {
			d.doc.Task = strings.Clone(taskIn(name))
		}
	}
}

// count tells text of the document from hcloud's notices, and a log from an
// answer by what comes first.
func (d *reading) count(l *Line, drawn bool) {
	if d.texts <= headLines && isNotice(l.Raw) {
		l.Kind = Answer
		return
	}
	if drawn {
		if d.texts == 0 && l.Kind == Event {
			d.doc.Kind = Answer
		}
		return
	}
	d.texts++
	if l.Kind == Answer && d.values == 0 {
		d.doc.Kind, l.Kind = Log, Log
	}
}

func isBlank(s string) bool {
	for i := range len(s) {
		if s[i] != ' ' && s[i] != '\t' {
			return false
		}
	}
	return true
}
