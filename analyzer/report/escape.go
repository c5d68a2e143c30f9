package report

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"hcloud-modelarts/analyzer/source"
)

// Plain gives a text on one line with nothing hidden in it: tabs and line ends
// become spaces, other hidden characters and invalid bytes are spelled out.
func Plain(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, source.Hidden) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '\t' || r == '\n':
			b.WriteByte(' ')
		case r == '\r':
			if !strings.HasPrefix(s[i+1:], "\n") && i+1 < len(s) {
				b.WriteByte(' ')
			}
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !source.Hidden(r):
			b.WriteRune(r)
		case r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// code puts a text into a Markdown code span that it cannot end.
func code(s string) string {
	s = strings.TrimRight(Plain(s), " ")
	if strings.TrimSpace(s) == "" {
		return "` `"
	}
	fence := strings.Repeat("`", longestRun(s, '`')+1)
	pad := ""
	if s[0] == '`' || s[len(s)-1] == '`' || s[0] == ' ' && s[len(s)-1] == ' ' {
		pad = " "
	}
	return fence + pad + s + pad + fence
}

func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// cell makes Markdown fit into a cell of a table; there a pipe counts even
// within a code span.
func cell(markdown string) string {
	return strings.ReplaceAll(markdown, "|", `\|`)
}

// prose turns a text that may hold code spans into Markdown in which nothing
// else is active: no HTML, no link, no emphasis, no block.
func prose(s string) string {
	s = strings.TrimSpace(Plain(s))
	var b strings.Builder
	for s != "" {
		before, span, after, ok := cutSpan(s)
		escapeProse(&b, before)
		if !ok {
			break
		}
		b.WriteString(code(span))
		s = after
	}
	return guardBlock(b.String())
}

// cutSpan finds the first code span of one backtick; runs of several never
// stand in our own texts and are escaped.
func cutSpan(s string) (before, span, after string, ok bool) {
	before, rest, found := strings.Cut(s, "`")
	if !found {
		return s, "", "", false
	}
	span, after, found = strings.Cut(rest, "`")
	if !found || strings.TrimSpace(span) == "" {
		return s, "", "", false
	}
	return before, span, after, true
}

func escapeProse(b *strings.Builder, s string) {
	for i := range len(s) {
		if activeAt(s, i) {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
}

// activeAt reports whether the byte at i would mean something to Markdown.
func activeAt(s string, i int) bool {
	var prev, next byte
	if i > 0 {
		prev = s[i-1]
	}
	if i+1 < len(s) {
		next = s[i+1]
	}
	switch s[i] {
	case '`', '<', '*':
		return true
	case '\\':
		return next == 0 || isPunct(next)
	case '_':
		return !isWord(prev) || !isWord(next)
	case ']':
		return next == '(' || next == '[' || next == ':'
	case '~':
		return prev == '~' || next == '~'
	case '&':
		return next == '#' || isWord(next)
	}
	return false
}

// guardBlock keeps the first characters of a paragraph from opening a block.
func guardBlock(s string) string {
	if s == "" {
		return s
	}
	if strings.IndexByte("#>+-=", s[0]) >= 0 {
		return `\` + s
	}
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits > 0 && digits < len(s) && (s[digits] == '.' || s[digits] == ')') && (digits+1 == len(s) || s[digits+1] == ' ') {
		return s[:digits] + `\` + s[digits:]
	}
	return s
}

func isWord(c byte) bool {
	return c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

func isPunct(c byte) bool { return '!' <= c && c <= '~' && !isWord(c) }
