package source

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"hcloud-modelarts/analyzer/ascii"
)

// mostEscapes is how often text may have been escaped: a message in an answer,
// printed as a string, pasted into a JSON ticket.
const mostEscapes = 3

// isEscaped says whether a line holds several lines whose ends are written as
// \n, as in an answer's message that was copied with its quotes. A Windows
// path and a short repr are not taken for it.
func isEscaped(s string) bool {
	i := strings.IndexByte(s, '\\')
	if i < 0 || !strings.Contains(s[i:], `\n`) {
		return false
	}
	if strings.Contains(s, `(most recent call last):\n`) || strings.Contains(s, `(most recent call last):\\n`) {
		return true
	}
	return strings.Count(s, `\n`) >= 3 && (strings.Contains(s, `\"`) || strings.Contains(s, `\n  `))
}

// unescape gives the lines of such a line. What stands around the quotes of
// the text becomes lines of its own.
func unescape(s string) []string {
	s = partQuoted(s)
	for range mostEscapes {
		if !isEscaped(s) {
			break
		}
		s = unescapeOnce(s)
	}
	return strings.Split(strings.TrimRight(s, "\n"), "\n")
}

// partQuoted ends the line before and after a string in double quotes that
// holds the escaped lines, as a value of JSON or logfmt.
func partQuoted(s string) string {
	n := strings.Index(s, `\n`)
	open := bareQuote(s[:n], true)
	if open < 0 || open > 0 && strings.IndexByte(":= ([{,", s[open-1]) < 0 {
		return s
	}
	before, inner, after := s[:open+1]+"\n", s[open+1:], ""
	if end := bareQuote(s[n:], false); end >= 0 {
		inner, after = s[open+1:n+end], "\n"+s[n+end:]
	}
	if open == 0 {
		before = ""
	}
	if after == "\n\"" {
		after = ""
	}
	return before + inner + after
}

// bareQuote finds the last or the first double quote that is not escaped, -1
// when there is none.
func bareQuote(s string, last bool) int {
	found := -1
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			if found = i; !last {
				return i
			}
		}
	}
	return found
}

var escapes = [256]byte{'n': '\n', 't': '\t', 'r': '\r', '"': '"', '\'': '\'', '\\': '\\', '/': '/', 'b': ' ', 'f': ' '}

func unescapeOnce(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '\\' || i+1 == len(s) {
			n := strings.IndexByte(s[i+1:], '\\') + 1
			if n <= 0 {
				n = len(s) - i
			}
			b.WriteString(s[i : i+n])
			i += n - 1
			continue
		}
		if s[i+1] == 'u' {
			if r, n := unicodeEscape(s[i:]); n > 0 {
				b.WriteRune(r)
				i += n - 1
				continue
			}
		}
		if to := escapes[s[i+1]]; to != 0 {
			b.WriteByte(to)
			i++
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// unicodeEscape reads \u4e2d, and two of them that make one character.
func unicodeEscape[T string | []byte](s T) (rune, int) {
	r := hex4(s)
	if r < 0 {
		return 0, 0
	}
	if isHigh(r) {
		if pair := utf16.DecodeRune(r, hex4(s[6:])); pair != utf8.RuneError {
			return pair, 12
		}
	}
	if utf16.IsSurrogate(r) {
		return utf8.RuneError, 6
	}
	return r, 6
}

// isHigh says whether a code unit is the first one of two.
func isHigh(unit rune) bool { return unit >= 0xd800 && unit < 0xdc00 }

// hex4 gives the code unit of an escape that s begins with, -1 when there is none.
func hex4[T string | []byte](s T) rune {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	var v rune
	for _, c := range []byte(s[2:6]) {
		switch {
		case ascii.IsDigit(c):
			v = v<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			v = v<<4 | rune(c|0x20-'a'+10)
		default:
			return -1
		}
	}
	return v
}

// escapedJSON gives the JSON value that a line holds in escaped form, such as
// {\"status\": …} or a string that holds an answer; nil when it holds none.
func escapedJSON(dec []byte) []byte {
	s := strings.TrimSpace(string(dec))
	s = strings.TrimSuffix(strings.TrimPrefix(s, `"`), `"`)
	for range mostEscapes {
		if !strings.HasPrefix(s, `{\`) && !strings.HasPrefix(s, `[\`) && !strings.HasPrefix(s, `[{\`) {
			return nil
		}
		s = unescapeLevel(s)
		var scan jsonScanner
		if n, v := scan.feed([]byte(s)); v == finished && (scan.keys.isAnswer() || scan.keys.isPart()) && strings.TrimSpace(s[n:]) == "" {
			return []byte(s)
		}
	}
	return nil
}

// unescapeLevel takes one level of backslashes away: \" becomes ", and \\n
// becomes \n, which is still an escape within the value.
func unescapeLevel(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			switch s[i+1] {
			case '"', '\\', '/':
				i++
			case 'n', 't', 'r':
				i++
				b.WriteByte(' ')
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// mayBeEscapedJSON decides by the first bytes.
func mayBeEscapedJSON(b []byte) bool {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t' || b[0] == '"') {
		b = b[1:]
	}
	return len(b) > 3 && (b[0] == '{' && b[1] == '\\' || b[0] == '[' && (b[1] == '\\' || b[1] == '{' && b[2] == '\\'))
}
