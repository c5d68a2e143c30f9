package source

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"hcloud-modelarts/analyzer/source/charset"
)

// pending holds the lines that may be a JSON value, until that is decided.
type pending struct {
	active bool
	stored []byte // the lines; behind some, the line ends of blank ones that were passed over
	spans  []span
	notice int  // bytes of a notice before the value on its first line
	quoted int  // marks of quoting before each of its lines
	held   bool // the value is whole; whether more text follows decides
	whole  bool // it cannot be read in pages
}

type span struct {
	start, end int
	offset     int64
	number     int
}

func (p *pending) add(ph physical) {
	start := len(p.stored)
	p.stored = append(p.stored, ph.stored...)
	p.spans = append(p.spans, span{start, len(p.stored), ph.offset, ph.number})
}

func (p *pending) line(i int) physical {
	sp := p.spans[i]
	return physical{p.stored[sp.start:sp.end], sp.offset, sp.number}
}

// keep bounds what the buffer holds on to between values.
const keep = 1 << 20

func (p *pending) clear() {
	if cap(p.stored) > keep {
		p.stored = nil
	}
	if cap(p.spans) > keep {
		p.spans = nil
	}
	*p = pending{stored: p.stored[:0], spans: p.spans[:0]}
}

func (d *reading) begin() {
	d.pending.clear()
	d.pending.active = true
	d.scan.reset()
}

// feed gives the scanner a line and acts on what it finds.
func (d *reading) feed(p physical) {
	if d.pending.held {
		d.release(p)
		return
	}
	dec := d.jsonText(p.stored)
	n, v := d.scan.feed(dec)
	if v == goesOn {
		if n, v = d.scan.feed([]byte{'\n'}); v == broken {
			d.settle()
			return
		}
		n += len(dec)
	}
	switch v {
	case finished:
		d.finished(dec[min(n, len(dec)):])
	case broken:
		d.broken(dec, n)
	case goesOn:
		d.boundValue()
	}
}

// boundValue goes on in pages when a value is too large to be held, or ends it.
func (d *reading) boundValue() {
	if len(d.pending.stored) > d.s.lim.Page && d.turnPages() {
		d.addToPages([]byte{'\n'})
		return
	}
	if len(d.pending.stored) > d.s.lim.Answer {
		d.noteAnswer(d.pending.spans[0].number)
		d.settle()
	}
}

// noteAnswer notes that the value that begins on a line is too long.
func (d *reading) noteAnswer(number int) {
	d.s.note(d.doc.Name, "bound-answer", strconv.Itoa(number), strconv.Itoa(d.s.lim.Answer))
}

// release goes on after a whole value of unknown keys: text behind it makes it
// a line of a log, nothing behind it makes it an answer.
func (d *reading) release(p physical) {
	if len(bytes.TrimSpace(d.jsonText(p.stored))) == 0 {
		return
	}
	last := len(d.pending.spans) - 1
	d.replay(last)
	p = d.pending.line(last).clone()
	d.pending.clear()
	d.physical(p)
}

func (p physical) clone() physical {
	p.stored = bytes.Clone(p.stored)
	return p
}

// jsonText is a line as the JSON scanner sees it: decoded, without marks of
// quoting and what a coloured terminal leaves.
func (d *reading) jsonText(stored []byte) []byte {
	dec := d.dec.Decode(stored)
	dec = dec[unquoted(dec, d.pending.quoted):]
	if bytes.IndexByte(dec, 0x1b) >= 0 || bytes.IndexByte(dec, 0) >= 0 {
		dec = charset.Clean(dec, nil)
	}
	return bytes.TrimRight(dec, "\r")
}

// finished deals with a whole value, behind which rest stands on its line.
func (d *reading) finished(rest []byte) {
	alone := len(bytes.TrimSpace(rest)) == 0
	first := d.texts == 0
	switch {
	case d.known(), first && (len(d.pending.spans) > 1 || d.values > 0) && (alone || mayStartJSON(rest)):
		d.hand(rest, false)
	case first && alone:
		d.pending.held = true
	default:
		d.replay(len(d.pending.spans))
		d.pending.clear()
	}
}

// known says whether the keys read so far are those of an answer. In a log, an
// object on one line needs more of them.
func (d *reading) known() bool {
	keys := d.scan.keys
	return keys.isAnswer() || keys.isPart() && (d.texts == 0 || len(d.pending.spans) > 1 || d.scan.objs > 0)
}

// broken deals with text that turned out not to be JSON at dec[n:]. What went
// before counts as an answer cut short when its keys say so.
func (d *reading) broken(dec []byte, n int) {
	last := len(d.pending.spans) - 1
	if last > 0 && d.known() {
		if blank := len(bytes.TrimSpace(dec[:min(n, len(dec))])) == 0; blank {
			p := d.pending.line(last).clone()
			d.pending.spans = d.pending.spans[:last]
			d.pending.stored = d.pending.stored[:d.pending.end()]
			d.hand(nil, true)
			d.physical(p)
			return
		}
		d.hand(dec[min(n, len(dec)):], true)
		return
	}
	if last == 0 || len(bytes.TrimSpace(dec)) == 0 {
		d.replay(last + 1)
		d.pending.clear()
		return
	}
	d.replay(last)
	p := d.pending.line(last).clone()
	d.pending.clear()
	d.physical(p)
}

func (p *pending) end() int {
	if len(p.spans) == 0 {
		return 0
	}
	return p.spans[len(p.spans)-1].end
}

// replay hands on the first n lines as text.
func (d *reading) replay(n int) {
	for i := range n {
		d.text(d.pending.line(i))
	}
}

// flush decides at the end of the document.
func (d *reading) flush() {
	if d.pages != nil {
		d.lastPage(true)
		return
	}
	if !d.pending.active {
		return
	}
	if d.pending.held {
		d.hand(nil, false)
		return
	}
	if _, v := d.scan.feed([]byte{'\n'}); v == finished {
		d.hand(nil, false)
		return
	}
	d.settle()
}

// settle deals with a value that has no end: it is an answer when its keys say
// so, or when no text stands before it.
func (d *reading) settle() {
	first := d.texts == 0 && d.pending.notice == 0
	if !d.pending.held && (first || d.known()) {
		if !d.cutExport() {
			d.hand(nil, true)
		}
		return
	}
	d.replay(len(d.pending.spans))
	d.pending.clear()
}

// hand gives the value to the handler, and goes on with the rest of its line.
func (d *reading) hand(rest []byte, cut bool) {
	rest = bytes.Clone(rest)
	if d.pending.notice > 0 {
		p := d.pending.line(0)
		p.stored = p.stored[:d.pending.notice]
		d.text(p)
	}
	text, at := d.value(len(rest))
	if !cut {
		text = bytes.TrimRight(text, " \t\r\n")
	}
	tail := d.tail(rest)
	d.any = true
	if !cut && d.pending.notice == 0 && describesContainers(text) {
		kind := logUnlessKnown(d.doc.Kind)
		d.doc.Kind = kind
		for i := range d.pending.spans {
			d.as(kind, d.pending.line(i))
		}
		d.pending.clear()
		return
	}
	if cut || !d.expand(text) {
		d.values++
		d.s.h.JSON(&JSON{Doc: d.doc, Number: at.number, Offset: at.offset, Bytes: text, Cut: cut})
	}
	if d.texts == 0 && d.values > 0 {
		d.doc.Kind = Answer
	}
	d.pending.clear()
	if len(bytes.TrimSpace(rest)) > 0 {
		d.physical(tail)
	}
}

// describesContainers says whether a value tells how a container failed. The lines
// of such values tell one state each and are read as those of a log.
func describesContainers(value []byte) bool {
	has := func(key string) bool { return bytes.Contains(value, []byte(key)) }
	return (has(`"containerStatuses"`) && has(`"restartCount"`) || has(`"OOMKilled"`) && has(`"ExitCode"`)) &&
		(hasValue(value, `"exitCode":`, "123456789") || hasValue(value, `"ExitCode":`, "-123456789") || hasValue(value, `"OOMKilled":`, "t"))
}

// hasValue says whether a key has a value somewhere that begins with one of the
// characters.
func hasValue(value []byte, key, first string) bool {
	for {
		_, rest, ok := bytes.Cut(value, []byte(key))
		if !ok {
			return false
		}
		value = bytes.TrimLeft(rest, " ")
		if len(value) > 0 && strings.IndexByte(first, value[0]) >= 0 {
			return true
		}
	}
}

// tail is what stands behind the value on its last line.
func (d *reading) tail(rest []byte) physical {
	p := d.pending.line(len(d.pending.spans) - 1)
	stored := d.trimReturns(p.stored)
	from := max(0, len(stored)-d.in.stored(rest))
	return physical{bytes.Clone(stored[from:]), p.offset + int64(from), p.number}
}

// stored is how many bytes a text takes as it is stored, in a form of Unicode.
func (lr *lineReader) stored(text []byte) int {
	if lr.unit == 1 {
		return len(text)
	}
	return 2 * len(utf16.Encode([]rune(string(text))))
}

// value joins the lines of the value, without the rest of the last line.
func (d *reading) value(rest int) ([]byte, span) {
	out := make([]byte, 0, len(d.pending.stored)+len(d.pending.spans))
	for i, sp := range d.pending.spans {
		stored := d.pending.stored[sp.start:sp.end]
		if i == 0 {
			stored = stored[d.pending.notice:]
		} else {
			out = append(out, '\n')
		}
		out = append(out, d.jsonText(stored)...)
		next := len(d.pending.stored)
		if i+1 < len(d.pending.spans) {
			next = d.pending.spans[i+1].start
		}
		out = append(out, d.pending.stored[sp.end:next]...)
	}
	out = out[:max(0, len(out)-rest)]
	at := d.pending.spans[0]
	lead := len(out) - len(bytes.TrimLeft(out, " \t"))
	marks := unquoted(d.dec.Decode(d.pending.stored[at.start:at.end]), d.pending.quoted)
	at.offset += int64(d.pending.notice + (marks+lead)*d.in.unit)
	if out = out[lead:]; !utf8.Valid(out) {
		out = bytes.ToValidUTF8(out, []byte("\uFFFD"))
	}
	return out, at
}
