package source

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
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
	encoding, bom := detect(head)
	if isBinary(head[bom:], encoding) {
		s.refuse(name, "binary", nil)
		return
	}
	d := s.newReading(s.newDocument(name, encoding), newLineReader(r, encoding))
	d.in.offset = hole
	d.sniff(head[bom:])
	s.h.Begin(d.doc)
	d.run(bom)
	s.end(d)
	if d.in.err != nil {
		s.cutShort(name, d.in.err, d.any)
	}
}

// skipHole goes past the NULs that a log begins with when it was cut while its
// writer had it open. It gives what follows them, nothing when that is nothing.
func skipHole(r *bufio.Reader, head []byte) (rest []byte, skipped int64) {
	for len(head) > 0 && head[0] == 0 {
		n := len(head) - len(bytes.TrimLeft(head, "\x00"))
		if n < len(head) && n < leastHole {
			return head, skipped
		}
		n, _ = r.Discard(n)
		skipped += int64(n)
		head, _ = r.Peek(peekSize)
	}
	return head, skipped
}

// leastHole tells a hole from the first character of UTF-16.
const leastHole = 16

func (s *session) newDocument(name, encoding string) *Document {
	doc := &Document{Name: name, Index: s.stats.Sources, Encoding: encoding, Rank: -1, Device: -1, Attempt: -1, calendar: &s.clock}
	layout(doc)
	s.stats.Sources++
	return doc
}

func (s *session) newReading(doc *Document, in *lineReader) *reading {
	return &reading{s: s, doc: doc, in: in, dec: decoder{name: doc.Encoding}, parser: parser{clock: clock{session: &s.clock}}}
}

// end ends a document and counts it.
func (s *session) end(d *reading) {
	s.h.End(d.doc)
	s.stats.Bytes += d.doc.Bytes
	s.stats.Lines += d.doc.Lines
	if d.any {
		s.content++
	}
}

// isBinary says whether a text is none: too many control characters, or NULs
// among them that no sparse log has.
func isBinary(head []byte, encoding string) bool {
	if encoding != utf8Name {
		return false
	}
	var holes, control, text int
	var before byte = 1
	for _, c := range head {
		switch {
		case c == 0:
			if before != 0 {
				holes++
			}
		case c < 0x08 || c > 0x0d && c < 0x20 && c != 0x1b:
			control++
		default:
			text++
		}
		before = c
	}
	if text == 0 || holes > 8 && holes*50 > text || control*10 > text {
		return true
	}
	return foreign(head)
}

// foreign says whether most of what is not ASCII is neither UTF-8 nor GB18030.
func foreign(head []byte) bool {
	if isASCII(head) {
		return false
	}
	var odd, all int
	dec := decoder{name: utf8Name}
	for line := range bytes.Lines(head) {
		all += len(line)
		if !isASCII(line) && bytes.Contains(dec.decode(line), []byte("\uFFFD")) {
			odd += len(line)
		}
	}
	return odd*2 > all && odd > 512
}

// reading is one document being read.
type reading struct {
	s    *session
	doc  *Document
	dec  decoder
	in   *lineReader
	line Line
	parser
	any bool // a line or a value was handed on

	ticket  *ticket  // how prose is told from logs, nil in a log
	page    *page    // when it is HTML
	journal *journal // when it is an export of journald
	table   table
	record  *record // what a collector tells of the line being read
	wrapped record
	records int  // lines that a collector wrapped
	others  int  // objects that looked like it and were not
	kind    Kind // of the line being read
	lead    int  // bytes at its start that are not of its text

	scratch []byte
	pending pending
	scan    jsonScanner
	texts   int // lines that are neither blank nor notices of hcloud
	values  int // JSON values handed on
}

// run reads all lines. bom is the length of the byte order mark.
func (d *reading) run(bom int) {
	d.skipMark(bom)
	for {
		limit := d.limit()
		p, out := d.in.next(limit)
		switch out {
		case ended:
			d.finish()
			d.doc.Bytes = d.in.offset
			d.doc.Lines = d.in.number - 1
			return
		case found:
			d.physical(p)
		case tooLong:
			d.long(p, limit)
		}
		d.doc.Bytes = d.in.offset
	}
}

// finish decides about what is still held back.
func (d *reading) finish() {
	d.flush()
	if d.page != nil {
		d.kind, d.lead = Log, 0
		d.releasePage()
	}
	if d.journal != nil {
		d.journal.end(d)
	}
}

func (d *reading) skipMark(bom int) {
	for d.in.end < bom && !d.in.eof {
		d.in.fill()
	}
	d.in.skip(min(bom, d.in.end))
}

// limit is how long the next line may be.
func (d *reading) limit() int {
	if d.pending.active {
		return max(leastLine, d.s.lim.Answer-len(d.pending.stored))
	}
	return d.s.lim.Line
}

// long deals with a line beyond its limit: an answer may be longer than a log
// line, a progress bar that never ends its line is split at its carriage
// returns, and of anything else only the beginning is kept.
func (d *reading) long(p physical, limit int) {
	if d.pending.active {
		d.pending.bounded = true
		d.s.note(d.doc.Name, "bound-answer", itoa(p.number), itoa(d.s.lim.Answer))
		d.settle()
		return
	}
	if limit < d.s.lim.Answer && mayStartJSON(d.dec.decode(p.stored)) && d.longAnswer(p) {
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
		d.s.note(d.doc.Name, "bound-line", itoa(p.number), itoa(d.s.lim.Line))
	}
}

// longAnswer reads a line as far as the limit of an answer, if it goes on to
// be JSON that far.
func (d *reading) longAnswer(p physical) bool {
	d.scan.reset()
	if _, v := d.scan.feed(bytes.TrimLeft(d.dec.decode(p.stored), " \t")); v == broken {
		return false
	}
	p, out := d.in.next(d.s.lim.Answer)
	if out == found {
		d.physical(p)
		return true
	}
	d.begin()
	d.pending.add(p)
	d.pending.bounded = true
	d.feed(p)
	d.in.skip(len(p.stored))
	d.in.discard()
	d.s.note(d.doc.Name, "bound-answer", itoa(p.number), itoa(d.s.lim.Answer))
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

// physical deals with one stored line.
func (d *reading) physical(p physical) {
	if d.journal != nil {
		d.journal.line(d, p)
		return
	}
	if d.pending.active {
		d.pending.add(p)
		d.feed(p)
		return
	}
	dec := d.dec.decode(p.stored)
	d.kind, d.lead = d.doc.Kind, 0
	switch {
	case d.page != nil:
		d.htmlLine(p, dec)
		return
	case d.ticket != nil:
		d.kind, d.lead = d.ticket.line(string(dec))
	}
	if mayBeRecord(dec) && d.unwrap(p, dec) {
		return
	}
	if mayStartJSON(dec) {
		d.begin()
		d.pending.add(p)
		d.feed(p)
		return
	}
	if mayBeEscapedJSON(dec) && d.escaped(p, dec) {
		return
	}
	if at := d.glued(dec); at > 0 && d.splitGlued(p, dec, at) {
		return
	}
	d.text(p)
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
	rest, offset := p.stored, p.offset
	if d.in.index(rest, '\r') < 0 {
		d.segment(rest, offset, p.number)
		return
	}
	rest = d.trimReturns(rest)
	if len(rest) == 0 {
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
	dec := d.dec.decode(stored)
	raw := clean(dec, d.scratch)
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
	for _, part := range unescape(raw) {
		for segment := range segments(part) {
			d.emit(segment, stored, offset, number)
		}
	}
}

// emit fills the line and hands it on.
func (d *reading) emit(raw string, stored []byte, offset int64, number int) {
	l := &d.line
	doc := d.doc
	*l = Line{Doc: doc, Number: number, Offset: offset, Length: len(stored), Stored: stored, Raw: raw, Text: raw[min(d.lead, len(raw)):],
		Kind: d.kind, Rank: doc.Rank, Task: doc.Task, Node: doc.Node}
	if d.record != nil {
		d.record.apply(&d.parser, l)
	}
	drawn := d.row(l)
	if l.Kind != Event && l.Kind != Message {
		d.prefixes(l)
	}
	if (doc.Job == "" || doc.Task == "") && l.Kind != Ticket {
		d.host(l.Text)
	}
	if drawn || !isBlank(raw) {
		d.any = true
		d.count(l, drawn)
	}
	d.s.h.Line(l)
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

const sniffSize = 16 << 10

// sniff sets what the first bytes tell about the whole document.
func (d *reading) sniff(head []byte) {
	dec := d.dec
	head = dec.decode(head[:min(len(head), sniffSize)&^1])
	switch {
	case isJournal(head):
		d.journal = &journal{}
		return
	case isHTML(head):
		d.page = &page{}
		d.doc.Kind = Ticket
		return
	}
	line, _, _ := bytes.Cut(bytes.TrimLeft(head, " \t\r\n"), []byte("\n"))
	switch {
	case mayBeRecord(line) && isRecord(line):
		return
	case mayStartJSON(line), isNotice(string(line)), bytes.HasPrefix(line, []byte("+--")):
		d.doc.Kind = Answer
	case isProgram(head):
		d.doc.Kind = Ticket
	default:
		if d.ticket = sniffTicket(d.doc.Name, head); d.ticket != nil {
			d.doc.Kind = Ticket
		}
	}
	if d.doc.Kind == Log {
		d.launch = sniffLaunch(head)
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

func itoa(n int) string { return strconv.Itoa(n) }

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
