package modelarts

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"hcloud-modelarts/analyzer/source"
)

// maxDepth bounds the nesting of values that the parser follows; what lies
// deeper is passed over.
const maxDepth = 100

// kind is the kind of a JSON value; missing is the zero value.
type kind uint8

const (
	missing kind = iota
	null
	boolean
	number
	text
	list
	object
)

// value is one JSON value with the line on which it starts.
type value struct {
	kind    kind
	cut     bool          // the input ended inside it
	told    bool          // pages before held it
	goes    bool          // of a list: pages that follow hold more of it
	before  int32         // members of a list, or lines of a text, that pages before held
	line    int           // of its first byte
	text    string        // content of a string; literal of a number, true or false
	members []member      // of an object, or of a list, there with empty names
	inner   *source.Inner // of a text that is JSON of which pages before held a part
}

// member is one member of an object or a list, in the order of the input.
// Names may occur more than once.
type member struct {
	name   string
	index  int    // of the list that a row was made from, counted from 1; else 0
	called string // its name in the input, where a row gave it another
	value
}

// parser reads one value. It takes what encoding/json takes and means the same
// by it; beyond that it takes what damaged and hand-edited files hold: input
// that ends early, elided parts, trailing commas, single quotes, raw line ends
// and unescaped quotes within strings, and the literals of Python. Every repair
// sets damaged.
type parser struct {
	data    []byte
	pos     int
	line    int
	fixed   bool // all values stand on one line of the document: the text is a string of it
	cut     bool // the input is known to be cut
	damaged bool
	page    source.Page // that the data is, zero for a whole value
}

// parse reads the first value of data, whose first byte stands on the given
// line. With fixed, line ends do not count. It returns the offset after the
// value and whether anything had to be repaired.
func parse(data []byte, line int, fixed, cut bool) (v value, end int, damaged bool) {
	p := parser{data: data, line: line, fixed: fixed, cut: cut}
	return p.parse()
}

func (p *parser) parse() (v value, end int, damaged bool) {
	data := p.data
	p.skip(len("\ufeff"), bytes.HasPrefix(data, []byte("\ufeff")))
	p.space()
	v = p.value(0)
	return v, p.pos, p.damaged
}

func (p *parser) skip(n int, really bool) {
	if really {
		p.pos += n
	}
}

// peek returns the next byte, 0 at the end.
func (p *parser) peek() byte {
	if p.pos < len(p.data) {
		return p.data[p.pos]
	}
	return 0
}

func (p *parser) done() bool { return p.pos >= len(p.data) }

// space passes white space and counts lines.
func (p *parser) space() {
	for ; p.pos < len(p.data); p.pos++ {
		p.gap()
		switch p.data[p.pos] {
		case '\n':
			p.newline()
		case ' ', '\t', '\r':
		default:
			return
		}
	}
}

func (p *parser) newline() {
	if !p.fixed {
		p.line++
	}
}

// value reads the value at the current byte. What is none gives a missing
// value and consumes nothing.
func (p *parser) value(depth int) value {
	v := p.next(depth)
	v.told = p.pos <= p.page.Told
	return v
}

func (p *parser) next(depth int) value {
	c := p.peek()
	switch {
	case c == '{' || c == '[':
		if depth >= maxDepth {
			return p.pass()
		}
		return p.container(c, depth)
	case c == '"' || c == '\'':
		return p.str(c, inValue)
	case c == '-' || '0' <= c && c <= '9':
		return p.number(depth)
	}
	return p.word(depth)
}

// container reads an object or a list. What is no member is passed over.
func (p *parser) container(open byte, depth int) value {
	v := value{kind: list, line: p.line}
	if open == '{' {
		v.kind = object
	}
	p.pos++
	v.before = p.gap()
	v.goes = p.page.Goes && p.pos == p.page.Open
	for comma := true; ; {
		p.space()
		c := p.peek()
		switch {
		case p.done():
			v.cut, p.damaged = true, true
			return v
		case c == '}' || c == ']':
			return p.close(v, c, comma)
		case c == ',':
			p.damaged = p.damaged || comma
			comma = true
			p.pos++
			continue
		}
		p.damaged = p.damaged || !comma
		comma = false
		m, ok := p.member(v.kind, depth)
		if ok {
			v.members = append(v.members, m)
		}
	}
}

// gap goes past what pages before had of what begins here.
func (p *parser) gap() (parts int32) {
	if len(p.page.Gaps) > 0 && p.page.Gaps[0].At == p.pos {
		parts = int32(min(p.page.Gaps[0].Parts, math.MaxInt32))
		if !p.fixed {
			p.line += p.page.Gaps[0].Lines
		}
		p.page.Gaps = p.page.Gaps[1:]
	}
	return parts
}

// innerAt gives what pages before had of the JSON that the text here is, if any.
func (p *parser) innerAt() *source.Inner {
	for len(p.page.Inners) > 0 && p.page.Inners[0].At <= p.pos {
		in := &p.page.Inners[0]
		if p.page.Inners = p.page.Inners[1:]; in.At == p.pos {
			return in
		}
	}
	return nil
}

// close ends a container at a closing bracket. A bracket of the other kind
// belongs to an outer value whose inner end is missing: it is left to it.
func (p *parser) close(v value, c byte, comma bool) value {
	if (c == '}') != (v.kind == object) {
		p.damaged = true
		return v
	}
	p.damaged = p.damaged || comma && len(v.members) > 0
	p.pos++
	return v
}

// member reads one member of a container.
func (p *parser) member(in kind, depth int) (member, bool) {
	var m member
	if in == object {
		c := p.peek()
		if c != '"' && c != '\'' {
			p.junk()
			return m, false
		}
		name := p.str(c, inName)
		p.space()
		if name.cut || p.peek() != ':' {
			p.damaged = true
			return m, false
		}
		p.pos++
		p.space()
		m.name = name.text
	}
	m.value = p.value(depth + 1)
	if m.kind != missing {
		return m, true
	}
	if c := p.peek(); in == list || c != '}' && c != ',' {
		p.junk()
	}
	p.damaged = true
	return m, false
}

// junk passes what is no JSON up to where a member or an end may follow, at
// least one byte.
func (p *parser) junk() {
	p.damaged = true
	for first := true; !p.done(); first = false {
		c := p.data[p.pos]
		if !first && strings.IndexByte("\"{}[],\n", c) >= 0 {
			return
		}
		if c == '\n' {
			p.newline()
		}
		p.pos++
	}
}

// pass goes over a value that is nested too deeply, without recursion.
func (p *parser) pass() value {
	p.damaged = true
	v := value{kind: null, line: p.line}
	for open := 0; !p.done(); {
		switch c := p.data[p.pos]; c {
		case '"':
			p.str(c, inValue)
			continue
		case '{', '[':
			open++
		case '}', ']':
			open--
		case '\n':
			p.newline()
		}
		p.pos++
		if open == 0 {
			return v
		}
	}
	return v
}

// number reads a number. One that the input ends in may lack digits and is
// dropped.
func (p *parser) number(depth int) value {
	start := p.pos
	for !p.done() && strings.IndexByte("+-.0123456789eE", p.data[p.pos]) >= 0 {
		p.pos++
	}
	lit := string(p.data[start:p.pos])
	if bytes.HasPrefix(p.data[p.pos:], []byte("Infinity")) {
		p.pos += len("Infinity")
		p.damaged = true
		return value{kind: null, line: p.line}
	}
	if p.done() && (depth > 0 || p.cut) {
		p.damaged = true
		return value{}
	}
	if _, err := strconv.ParseFloat(lit, 64); err != nil && !isRange(err) {
		p.damaged = true
		return value{kind: null, line: p.line}
	}
	return value{kind: number, line: p.line, text: lit}
}

func isRange(err error) bool {
	e, ok := err.(*strconv.NumError)
	return ok && e.Err == strconv.ErrRange
}

// words are the literals of JSON, of Python and of JavaScript.
var words = []struct {
	word string
	kind kind
	text string
	json bool
}{
	{"true", boolean, "true", true}, {"false", boolean, "false", true}, {"null", null, "", true},
	{"True", boolean, "true", false}, {"False", boolean, "false", false}, {"None", null, "", false},
	{"NaN", null, "", false}, {"Infinity", null, "", false}, {"undefined", null, "", false},
}

func (p *parser) word(depth int) value {
	for _, w := range words {
		if !bytes.HasPrefix(p.data[p.pos:], []byte(w.word)) {
			continue
		}
		p.pos += len(w.word)
		p.damaged = p.damaged || !w.json
		return value{kind: w.kind, line: p.line, text: w.text}
	}
	return value{}
}

// role says what a string is, which tells what may follow it.
type role uint8

const (
	inValue role = iota
	inName
)

// str reads a string up to the quote that ends it.
func (p *parser) str(quote byte, as role) value {
	v := value{kind: text, line: p.line}
	p.damaged = p.damaged || quote != '"'
	p.pos++
	v.before = p.gap()
	v.inner = p.innerAt()
	start := p.pos
	var b strings.Builder
	for !p.done() {
		c := p.data[p.pos]
		switch {
		case c == quote && p.ends(as):
			v.text = p.content(&b, start)
			p.pos++
			return v
		case c == '\\':
			if b.Cap() == 0 {
				b.Grow(p.pos - start + p.unquoted(quote))
			}
			b.Write(p.data[start:p.pos])
			var one [8]byte
			b.Write(p.escape(one[:0]))
			start = p.pos
			continue
		case c == quote:
			p.damaged = true
		case c == '\n':
			p.damaged = true
			p.newline()
		case c < ' ':
			p.damaged = true
		}
		p.pos++
	}
	v.text = p.content(&b, start)
	v.cut, p.damaged = true, true
	return v
}

// unquoted is how many bytes are left of a string that holds no unescaped quote:
// at least as many as it means.
func (p *parser) unquoted(quote byte) int {
	for i := p.pos; i < len(p.data); i++ {
		switch p.data[i] {
		case quote:
			return i - p.pos
		case '\\':
			i++
		}
	}
	return len(p.data) - p.pos
}

func (p *parser) content(b *strings.Builder, start int) string {
	tail := p.data[min(start, len(p.data)):min(p.pos, len(p.data))]
	if b.Len() == 0 {
		return strings.ToValidUTF8(string(tail), "\ufffd")
	}
	b.Write(tail)
	return strings.ToValidUTF8(b.String(), "\ufffd")
}

// ends tells whether the quote at the current byte ends the string, by what
// follows it. In JSON it always does.
func (p *parser) ends(as role) bool {
	i, broken := p.after(p.pos + 1)
	if i >= len(p.data) {
		return true
	}
	switch c := p.data[i]; {
	case as == inName:
		return c == ':'
	case c == '}' || c == ']':
		return true
	case c == ',':
		next, _ := p.after(i + 1)
		return next >= len(p.data) || strings.IndexByte("\"'{}[]-0123456789tfnTFNI./", p.data[next]) >= 0
	default:
		return broken
	}
}

// after returns the offset of the first byte from i that is no white space,
// and whether a line ended before it.
func (p *parser) after(i int) (int, bool) {
	broken := false
	for ; i < len(p.data); i++ {
		switch p.data[i] {
		case '\n':
			broken = true
		case ' ', '\t', '\r':
		default:
			return i, broken
		}
	}
	return i, broken
}

var escapes = map[byte]byte{'"': '"', '\'': '\'', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape reads one escape sequence. One that the input ends in is dropped, an
// unknown one is kept as written.
func (p *parser) escape(b []byte) []byte {
	if p.pos+1 >= len(p.data) {
		p.pos = len(p.data)
		return b
	}
	c := p.data[p.pos+1]
	if r, ok := escapes[c]; ok {
		p.damaged = p.damaged || c == '\''
		p.pos += 2
		return append(b, r)
	}
	if c != 'u' {
		p.damaged = true
		p.pos++
		return append(b, '\\')
	}
	r, ok := p.hex(p.pos)
	if !ok {
		p.damaged = true
		p.pos = min(p.pos+2, len(p.data))
		if p.pos+4 > len(p.data) {
			p.pos = len(p.data)
		}
		return b
	}
	p.pos += 6
	if utf16.IsSurrogate(r) {
		low, ok := p.hex(p.pos)
		if pair := utf16.DecodeRune(r, low); ok && pair != utf8.RuneError {
			p.pos += 6
			return utf8.AppendRune(b, pair)
		}
	}
	return utf8.AppendRune(b, r)
}

// hex reads the code unit of an escape "\uXXXX" at offset i.
func (p *parser) hex(i int) (rune, bool) {
	if i+6 > len(p.data) || p.data[i] != '\\' || p.data[i+1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(p.data[i+2:i+6]), 16, 32)
	return rune(n), err == nil
}
