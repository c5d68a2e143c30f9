package source

import (
	"bytes"

	"hcloud-modelarts/analyzer/ascii"
)

// scanState is what a jsonScanner waits for.
type scanState uint8

const (
	wantValue scanState = iota
	wantValueOrEnd
	wantKeyOrEnd
	wantKey
	wantColon
	wantCommaOrEnd
	inString
	inEscape
	inNumber
	inWord
	complete
)

const deepest = 512 // levels of nesting

// jsonScanner follows one JSON value (RFC 8259) that arrives in pieces, and
// keeps the keys of its outer object, or of the first object of an outer array.
type jsonScanner struct {
	state scanState
	stack []byte // '{' and '[' that are open
	isKey bool   // the string being read is a key
	key   []byte
	hex   int // digits of a \u escape still to come
	word  string
	keys  knownKeys
	objs  int // objects begun within an outer array
}

func (s *jsonScanner) reset() {
	*s = jsonScanner{stack: s.stack[:0], key: s.key[:0]}
}

// verdict is what feeding a piece came to.
type verdict uint8

const (
	goesOn verdict = iota
	finished
	broken
)

// feed reads p, and says how far it came: all of it when the value goes on,
// past its last byte when it is finished, at the offending byte when broken.
func (s *jsonScanner) feed(p []byte) (int, verdict) {
	for i := 0; i < len(p); {
		c := p[i]
		switch s.state {
		case inString:
			n, v := s.inString(p[i:])
			i += n
			if v != goesOn {
				return i, v
			}
			continue
		case inEscape:
			if !s.escape(c) {
				return i, broken
			}
		case inNumber:
			if !isNumberByte(c) {
				if s.end(); s.state == complete {
					return i, finished
				}
				continue
			}
		case inWord:
			if s.word == "" {
				if s.end(); s.state == complete {
					return i, finished
				}
				continue
			}
			if c != s.word[0] {
				return i, broken
			}
			s.word = s.word[1:]
		default:
			if c != ' ' && c != '\t' && c != '\n' && c != '\r' && !s.token(c) {
				return i, broken
			}
		}
		i++
		if s.state == complete {
			return i, finished
		}
	}
	return len(p), goesOn
}

// inString reads up to the end of a string, or to the end of p.
func (s *jsonScanner) inString(p []byte) (int, verdict) {
	n := 0
	for n < len(p) && p[n] != '"' && p[n] != '\\' && p[n] >= ' ' {
		n++
	}
	if s.isKey && len(s.key) < longestKey {
		s.key = append(s.key, p[:n]...)
	}
	if n == len(p) {
		return n, goesOn
	}
	switch p[n] {
	case '"':
		s.endString()
		n++
		if s.state == complete {
			return n, finished
		}
	case '\\':
		s.state = inEscape
		n++
	case '\t':
		n++
	default:
		return n, broken
	}
	return n, goesOn
}

const longestKey = 64

func (s *jsonScanner) endString() {
	if !s.isKey {
		s.end()
		return
	}
	s.isKey = false
	s.state = wantColon
	depth := len(s.stack)
	if depth == 1 || depth == 2 && s.stack[0] == '[' && s.objs == 1 {
		s.keys |= knownKey(s.key)
	}
}

func (s *jsonScanner) escape(c byte) bool {
	if s.hex > 0 {
		s.hex--
		if s.hex == 0 {
			s.state = inString
		}
		return ascii.IsDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f'
	}
	if c == 'u' {
		s.hex = 4
		return true
	}
	s.state = inString
	return bytes.IndexByte([]byte(`"\/bfnrt`), c) >= 0
}

func isNumberByte(c byte) bool {
	return ascii.IsDigit(c) || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E'
}

// end is called after a value that stands within another, or alone.
func (s *jsonScanner) end() {
	if len(s.stack) == 0 {
		s.state = complete
	} else {
		s.state = wantCommaOrEnd
	}
}

// token reads one byte outside of strings, numbers and words.
func (s *jsonScanner) token(c byte) bool {
	switch s.state {
	case wantValueOrEnd:
		if c == ']' {
			return s.pop('[')
		}
		return s.value(c)
	case wantValue:
		return s.value(c)
	case wantKeyOrEnd:
		if c == '}' {
			return s.pop('{')
		}
		return s.beginKey(c)
	case wantKey:
		return s.beginKey(c)
	case wantColon:
		s.state = wantValue
		return c == ':'
	case wantCommaOrEnd:
		return s.comma(c)
	}
	return false
}

func (s *jsonScanner) comma(c byte) bool {
	outer := s.stack[len(s.stack)-1]
	switch c {
	case ',':
		s.state = wantValue
		if outer == '{' {
			s.state = wantKey
		}
		return true
	case '}':
		return s.pop('{')
	case ']':
		return s.pop('[')
	}
	return false
}

func (s *jsonScanner) beginKey(c byte) bool {
	s.isKey = true
	s.key = s.key[:0]
	s.state = inString
	return c == '"'
}

func (s *jsonScanner) value(c byte) bool {
	switch {
	case c == '{' || c == '[':
		if len(s.stack) >= deepest {
			return false
		}
		if c == '{' && len(s.stack) == 1 && s.stack[0] == '[' {
			s.objs++
		}
		s.stack = append(s.stack, c)
		s.state = wantKeyOrEnd
		if c == '[' {
			s.state = wantValueOrEnd
		}
	case c == '"':
		s.state = inString
	case c == '-' || ascii.IsDigit(c):
		s.state = inNumber
	case c == 't':
		s.state, s.word = inWord, "rue"
	case c == 'f':
		s.state, s.word = inWord, "alse"
	case c == 'n':
		s.state, s.word = inWord, "ull"
	default:
		return false
	}
	return true
}

func (s *jsonScanner) pop(want byte) bool {
	if len(s.stack) == 0 || s.stack[len(s.stack)-1] != want {
		return false
	}
	s.stack = s.stack[:len(s.stack)-1]
	s.end()
	return true
}

// mayStartJSON decides cheaply whether a line can begin a JSON value. A
// printed Python dict, a log line that starts with a bracket and a progress
// counter cannot.
func mayStartJSON(b []byte) bool {
	b = bytes.TrimLeft(b, " \t")
	if len(b) == 0 {
		return false
	}
	next := func() byte {
		rest := bytes.TrimLeft(b[1:], " \t\r")
		if len(rest) == 0 {
			return '\n'
		}
		return rest[0]
	}
	switch b[0] {
	case '{':
		c := next()
		return c == '"' || c == '}' || c == '\n'
	case '[':
		switch c := next(); c {
		case '{', '[', '"', ']', '\n':
			return true
		default:
			return isNumberByte(c) && isNumberList(b)
		}
	}
	return false
}

// isNumberList says whether b begins like an array of numbers, and not like a
// time or a counter in brackets.
func isNumberList(b []byte) bool {
	i := bytes.IndexAny(b[1:], ",]")
	if i < 0 {
		return false
	}
	if b[1+i] == ']' {
		return len(bytes.TrimSpace(b[2+i:])) == 0
	}
	for _, c := range bytes.TrimSpace(b[1 : 1+i]) {
		if !isNumberByte(c) {
			return false
		}
	}
	return true
}
