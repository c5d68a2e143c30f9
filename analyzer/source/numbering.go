package source

import (
	"strings"

	"hcloud-modelarts/analyzer/ascii"
)

// numbering tells whether lines begin with the numbers that a tool gave them.
type numbering struct {
	last, count, steps int
	mark               string // what stands behind all numbers
	broken, tight      bool
	log                bool // what stands behind one of them is a log's line
}

// add takes the next line.
func (n *numbering) add(s string) {
	value, rest, ok := leadingLineNumber(s)
	mark := numberMark(rest)
	if !ok || mark == "" && rest != "" {
		return
	}
	switch {
	case n.count > 0 && value <= n.last:
		n.broken = true
	case value == n.last+1:
		n.steps++
	}
	n.last = value
	n.count++
	if len(mark) < len(rest) {
		n.tight = n.tight || rest[len(mark)] != ' '
		n.log = n.log || startsLog(rest[len(mark):])
	}
	n.common(mark, len(mark) == len(rest))
}

// common keeps the mark that all lines share: of spaces, the fewest.
func (n *numbering) common(mark string, empty bool) {
	switch {
	case empty || mark == "-" && n.mark == ":":
	case n.mark == "" || n.mark == "-" && mark == ":" || strings.HasPrefix(n.mark, mark):
		n.mark = mark
	case !strings.HasPrefix(mark, n.mark):
		n.broken = true
	}
}

// believed says whether so many lines of a document have numbers that only a
// tool gives. Numbers with a colon and a space behind them are those of tasks,
// unless there are too many of them.
func (n *numbering) believed(lines int) bool {
	switch {
	case n.broken || n.mark == "" || n.mark == "-" || !n.log || n.count*10 < lines*8:
		return false
	case n.mark == ":":
		return n.tight
	}
	return n.steps*10 >= n.count*8
}

// leadingLineNumber reads the number that a line begins with.
func leadingLineNumber(s string) (value int, rest string, ok bool) {
	start := spaces(s, 0)
	i := start
	for i < len(s) && i < start+9 && ascii.IsDigit(s[i]) {
		i++
	}
	if i == start {
		return 0, "", false
	}
	return ascii.Number(s, start, i-start), s[i:], true
}

// numberMark gives what stands between a line's number and its text.
func numberMark(rest string) string {
	i := spaces(rest, 0)
	for _, mark := range []string{"\t", "|", "│", ":", "-"} {
		if strings.HasPrefix(rest[i:], mark) && (i == 0 || mark == "|" || mark == "│") {
			i += len(mark)
			if mark == "|" || mark == "│" {
				i = oneSpace(rest, i)
			}
			return rest[:i]
		}
	}
	return rest[:i]
}

// numbered gives the length of a line's number, 0 when it has none.
func (n launch) numbered(s string) int {
	_, rest, ok := leadingLineNumber(s)
	if !ok {
		return 0
	}
	at := len(s) - len(rest)
	switch {
	case strings.HasPrefix(rest, n.mark):
		return at + len(n.mark)
	case n.mark == ":" && strings.HasPrefix(rest, "-"): // grep marks the lines around a match so
		return at + 1
	case strings.TrimRight(rest, " \t") == "":
		return len(s)
	}
	return 0
}
