package traceback

import (
	"strings"

	"hcloud-modelarts/analyzer/lazy"
)

// style is the way in which the frames of an exception are printed.
type style uint8

const (
	plain style = iota // as the interpreter does
	box                // rich: in a box, "path:12 in f"
	cells              // IPython: "File path:12, in f(x)", an arrow before the line
)

// layout is what a style has to remember between lines.
type layout struct {
	open    bool   // inside a box
	pending string // the first part of a frame that was broken at the box's width
	name    string // the type, told by IPython's header
	width   int    // of the box, in columns
}

var cellHeader = lazy.Regexp(`^([A-Za-z_]\w*) {2,}$`)

// styledOpening recognises the headers of rich and of IPython. before and tail
// stand around "Traceback (most recent call last)".
func styledOpening(before, tail string) (opener, bool) {
	for _, corner := range []string{"╭─", "┌─", "+--"} {
		if i := strings.Index(before, corner); i >= 0 && boxSide(tail) && strings.Trim(before[i:], "╭┌+─- ") == "" {
			return opener{lead: before[:i], style: box, width: columns(before[i:] + headerMarker + strings.TrimRight(tail, " "))}, true
		}
	}
	if m := cellHeader().FindStringSubmatch(before); m != nil && blank(tail) {
		return opener{style: cells, name: m[1]}, true
	}
	return opener{}, false
}

// boxSide tells whether s ends at the right side of a box.
func boxSide(s string) bool {
	s = strings.TrimRight(s, " ")
	for _, side := range []string{"╮", "┐", "╯", "┘", "│", "+", "|"} {
		if strings.HasSuffix(s, side) {
			return true
		}
	}
	return false
}

// inStyled says what a line is while the frames of a style are expected.
func (l *lane) inStyled(s string) kind {
	if l.style == cells {
		return l.inCell(s)
	}
	first, rest, ok := boxEdge(s)
	if !ok || !boxSide(rest) {
		return foreign
	}
	if l.layout.open || first == "╭" || first == "┌" {
		return boxed
	}
	return foreign
}

// boxEdge cuts off the left side of a box.
func boxEdge(s string) (edge, rest string, ok bool) {
	for _, edge := range []string{"│", "|", "╭", "┌", "╰", "└", "+"} {
		if rest, ok := strings.CutPrefix(s, edge); ok {
			return edge, rest, true
		}
	}
	return "", s, false
}

var (
	boxFrame = lazy.Regexp(`^(.*\S):(\d+) in (.+)$`)
	boxArrow = lazy.Regexp(`^(?:❱|\\u2771|>) +(\d+) (.*)$`)
)

// addBoxed takes a line of a box.
func (l *lane) addBoxed(at int, s string) {
	edge, rest, _ := boxEdge(s)
	switch edge {
	case "╭", "┌":
		l.layout.open = true
		return
	case "╰", "└", "+":
		l.layout.open, l.layout.pending = false, ""
		return
	}
	rest = strings.TrimRight(rest, " ")
	for _, side := range []string{"│", "|"} {
		rest = strings.TrimSuffix(rest, side)
	}
	rest = strings.TrimRight(strings.TrimPrefix(rest, " "), " ")
	if m := boxArrow().FindStringSubmatch(rest); m != nil {
		l.arrow(atoi(m[1]), strings.TrimLeft(m[2], "│ "))
		return
	}
	if rest == "" || rest[0] == ' ' || strings.HasPrefix(rest, "╭") || strings.HasPrefix(rest, "│") {
		l.layout.pending = ""
		return
	}
	for _, joined := range []string{l.layout.pending + rest, l.layout.pending + " " + rest} {
		if m := boxFrame().FindStringSubmatch(joined); m != nil {
			l.styledFrame(at, strings.TrimSpace(m[1]), atoi(m[2]), m[3])
			l.layout.pending = ""
			return
		}
	}
	if len(l.layout.pending)+len(rest) > 1024 {
		rest = ""
	}
	l.layout.pending += rest
}

func (l *lane) styledFrame(at int, file string, line int, name string) {
	l.next.Frames = appendFrame(l.names.room(l.next.Frames), Frame{File: file, Line: line, Func: name, At: at, User: isUser(file)})
	l.code = true
}

// arrow takes the line that is marked as the one being executed.
func (l *lane) arrow(line int, source string) {
	n := len(l.next.Frames)
	if n == 0 || !l.code {
		return
	}
	f := &l.next.Frames[n-1]
	if f.Line == 0 {
		f.Line = line
	}
	if f.Line == line {
		f.Code, l.code = clip(strings.TrimSpace(source), 1024), false
	}
}

var (
	cellFrame = lazy.Regexp(`^(?:File )?(\S.*?)(?::(\d+)|, line (\d+))(?:, in (.+?)(?:\(.*\))?)?$`)
	oldFrame  = lazy.Regexp(`^(?:Input )?(\S.*?)(?:,)? in (<.+>|\w+)(?:\(.*\))?$`)
	cellArrow = lazy.Regexp(`^-+> (\d+) ?(.*)$`)
	cellLine  = lazy.Regexp(`^(?: +\d+(?: |$)|\s+\S+ = |\s*\(\.\.\.\)|\[\.\.\. )`)
)

// inCell says what a line is among IPython's frames. They end at the line that
// names the type of the header.
func (l *lane) inCell(s string) kind {
	if name, _, _, _ := parseHead(s); name != "" && (name == l.layout.name || strings.HasSuffix(name, "."+l.layout.name)) {
		return head
	}
	if cellArrow().MatchString(s) || cellLine().MatchString(s) {
		return cell
	}
	if isCellFrame(s) {
		return cell
	}
	return foreign
}

// isCellFrame tells whether s is a frame: a file or a cell, and a place.
func isCellFrame(s string) bool {
	for _, start := range []string{"File ", "Cell In", "Input In", "<ipython-input-", "/", "~/"} {
		if strings.HasPrefix(s, start) {
			return cellFrame().MatchString(s) || oldFrame().MatchString(s)
		}
	}
	return false
}

func (l *lane) addCell(at int, s string) {
	if m := cellArrow().FindStringSubmatch(s); m != nil {
		l.arrow(atoi(m[1]), m[2])
		return
	}
	if !isCellFrame(s) {
		return
	}
	if m := cellFrame().FindStringSubmatch(s); m != nil {
		l.styledFrame(at, m[1], atoi(m[2]+m[3]), m[4])
	} else if m := oldFrame().FindStringSubmatch(s); m != nil {
		l.styledFrame(at, m[1], 0, m[2])
	}
}
