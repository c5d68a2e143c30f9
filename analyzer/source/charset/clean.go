package charset

import "encoding/binary"

// hasControl says whether b may hold a control character other than a tab. It
// looks at eight bytes at a time, and closely only where one of them is below
// a space, a DEL, or beyond ASCII.
func hasControl(b []byte) bool {
	const (
		ones  = 0x0101010101010101
		highs = 0x80 * ones
	)
	for len(b) >= 8 {
		w := binary.LittleEndian.Uint64(b)
		del := w ^ 0x7f*ones
		if ((w-0x20*ones)&^w|(del-ones)&^del|w)&highs != 0 && controlIn(b[:8]) {
			return true
		}
		b = b[8:]
	}
	return controlIn(b)
}

func controlIn(b []byte) bool {
	for _, c := range b {
		if c < ' ' && c != '\t' || c == 0x7f || c == 0xc2 {
			return true
		}
	}
	return false
}

// Clean removes what a terminal would act on instead of showing: escape
// sequences, NULs and other control characters. A backspace takes back the
// character before it. The result is b itself when there is nothing to remove,
// else it is written over scratch.
func Clean(b, scratch []byte) []byte {
	if !hasControl(b) {
		return b
	}
	out := scratch[:0]
	for i := 0; i < len(b); {
		c := b[i]
		switch {
		case c == 0x1b:
			i += escapeLen(b[i:])
		case c == 0xc2 && i+1 < len(b) && b[i+1] >= 0x80 && b[i+1] < 0xa0:
			i += c1Len(b[i:])
		case c == '\b':
			out = dropRune(out)
			i++
		case c < ' ' && c != '\t' || c == 0x7f:
			i++
		default:
			out = append(out, c)
			i++
		}
	}
	return out
}

func dropRune(b []byte) []byte {
	for len(b) > 0 {
		c := b[len(b)-1]
		b = b[:len(b)-1]
		if c < 0x80 || c >= 0xc0 {
			break
		}
	}
	return b
}

// escapeLen is the length of the escape sequence at the start of b: CSI, OSC
// and the other string sequences, charset selection, or two bytes (ECMA-48).
func escapeLen(b []byte) int {
	if len(b) < 2 {
		return len(b)
	}
	switch b[1] {
	case '[':
		return csiLen(b, 2)
	case ']', 'P', 'X', '^', '_':
		return stringLen(b, 2)
	case '(', ')', '*', '+', '-', '.', '/', '#', '%', ' ':
		if len(b) > 2 && b[2] < 0x80 {
			return 3
		}
		return 2
	}
	if b[1] >= '0' && b[1] <= '~' {
		return 2
	}
	return 1
}

// c1Len is the length of a sequence that starts with a C1 control character
// encoded in UTF-8.
func c1Len(b []byte) int {
	switch b[1] {
	case 0x9b:
		return csiLen(b, 2)
	case 0x90, 0x98, 0x9d, 0x9e, 0x9f:
		return stringLen(b, 2)
	}
	return 2
}

func csiLen(b []byte, i int) int {
	for ; i < len(b); i++ {
		switch c := b[i]; {
		case c >= 0x40 && c <= 0x7e:
			return i + 1
		case c < 0x20 || c > 0x3f:
			return i
		}
	}
	return len(b)
}

// longestString bounds an OSC or DCS string, so that one that is never ended
// does not swallow the line.
const longestString = 2048

func stringLen(b []byte, start int) int {
	for i := start; i < len(b) && i < longestString; i++ {
		switch {
		case b[i] == 0x07:
			return i + 1
		case b[i] == 0x1b && i+1 < len(b) && b[i+1] == '\\':
			return i + 2
		case b[i] == 0x1b:
			return i
		}
	}
	return start
}

// CleanText is clean for text that is a string already.
func CleanText(s string) string {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' || c == 0x7f || c == 0xc2 {
			return string(Clean([]byte(s), nil))
		}
	}
	return s
}
