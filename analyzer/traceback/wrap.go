package traceback

import (
	"strings"
	"unicode/utf8"
)

// wrap is how a program breaks the first line of a message that is longer than
// its terminal is wide: rich does so behind its box.
type wrap struct {
	width   int // columns, 0 when no line is wrapped
	printed int // columns of the last part
	from    int // index of the first part
	joined  int // index of the last part, when it was joined to one before
}

// wraps tells whether s goes on with the first line of the message: that line
// ended where the next word had no room left.
func (t *text) wraps(s string) bool {
	w := &t.wrap
	if w.width == 0 || t.over || t.blanks() > 0 || s == "" || s[0] == ' ' || s[0] == '\t' || len(t.kept) != 1 || t.size > maxJoined {
		return false
	}
	word, _, _ := strings.Cut(s, " ")
	return w.printed+1+columns(word) > w.width
}

// maxJoined bounds a line that is put together, in bytes.
const maxJoined = 4 << 10

// join puts the next part of a wrapped line behind the last. A word that is
// wider than a line is broken.
func (t *text) join(at int, s string) {
	last := t.kept[0]
	word, _, _ := strings.Cut(s, " ")
	sep := " "
	if t.wrap.printed == t.wrap.width && columns(last[strings.LastIndexByte(last, ' ')+1:])+columns(word) > t.wrap.width {
		sep = ""
	}
	s = strings.TrimRight(s, " \t")
	t.kept[0] = last + sep + s
	t.size += len(sep) + len(s)
	t.last = at
	t.wrap.printed, t.wrap.joined = columns(s), at
}

func columns(s string) int { return utf8.RuneCountInString(s) }

// Joined gives the whole first line of the message, with the type before it, of
// which the line added last, at the caller's index, is a part that was wrapped,
// and the index of its first part.
func (p *Parser) Joined(at int) (from int, line string, ok bool) {
	if len(p.last) == 0 {
		return 0, "", false
	}
	t := p.last[len(p.last)-1].text()
	if t == nil || t.wrap.joined != at || t.wrap.width == 0 {
		return 0, "", false
	}
	return t.wrap.from, t.kind + ": " + t.kept[0], true
}
