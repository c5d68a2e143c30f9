package traceback

import (
	"strconv"
	"strings"
)

// The sentences that CPython puts between the exceptions of a chain
// (Lib/traceback.py: _cause_message, _context_message).
const (
	causeSentence   = "The above exception was the direct cause of the following exception:"
	contextSentence = "During handling of the above exception, another exception occurred:"
)

// The texts that open a traceback.
const (
	headerMarker = "Traceback (most recent call last)"
	headerText   = headerMarker + ":"
	originText   = "Original " + headerText // torch/_utils.py, ExceptionWrapper
)

// opener is the header of a traceback.
type opener struct {
	lead  string // what stands before it
	style style
	group bool
	name  string // the type, when the header tells it (IPython)
	width int    // of the box that it opens
}

// openingOf finds a header at the end of s. A progress bar may stand after it.
func openingOf(s string) (opener, bool) {
	if !strings.Contains(s, headerMarker) { // much faster than LastIndex, and nearly always so
		return rayOpening(s)
	}
	i := strings.LastIndex(s, headerMarker)
	before, tail := s[:i], s[i+len(headerMarker):]
	if tail == "" || tail[0] != ':' {
		return styledOpening(before, tail)
	}
	if tail = tail[1:]; !blank(tail) && !isBar(tail) {
		return opener{}, false
	}
	if strings.HasSuffix(before, "C++ ") { // the native frames of PaddlePaddle
		return opener{}, false
	}
	lead := strings.TrimSuffix(before, "Original ")
	if group, found := strings.CutSuffix(lead, "Exception Group "); found {
		return opener{lead: strings.TrimSuffix(group, "  + "), group: true}, true
	}
	return opener{lead: lead}, true
}

// rayOpening recognises the line that Ray puts in the place of a header:
// "ray::f() (pid=812, ip=10.0.0.4)" (python/ray/exceptions.py, RayTaskError).
func rayOpening(s string) (opener, bool) {
	i := indent(s)
	if !strings.HasPrefix(s[i:], "ray::") || !strings.Contains(s, " (pid=") || !strings.HasSuffix(s, ")") {
		return opener{}, false
	}
	return opener{lead: s[:i]}, true
}

// sentence returns the link that a chaining sentence announces. A progress bar
// may stand before it.
func sentence(s string) (Link, bool) {
	if !strings.HasSuffix(s, ":") {
		return First, false
	}
	for _, c := range []struct {
		text string
		link Link
	}{{causeSentence, Cause}, {contextSentence, Context}} {
		if lead, ok := strings.CutSuffix(s, c.text); ok && (blank(lead) || isBar(lead)) {
			return c.link, true
		}
	}
	return First, false
}

// parseFrame reads `  File "PATH", line N, in FUNC` as CPython prints it. What
// stands before `  File` is returned as prefix. A frame without `, in FUNC`
// (SyntaxError's place) has an empty Func.
func parseFrame(s string) (prefix string, f Frame, ok bool) {
	i := strings.Index(s, `File "`)
	if i < 2 || s[i-1] != ' ' || s[i-2] != ' ' {
		return "", Frame{}, false
	}
	rest := s[i+len(`File "`):]
	j := strings.LastIndex(rest, `", line `)
	if j < 0 {
		return "", Frame{}, false
	}
	f.File = rest[:j]
	rest = rest[j+len(`", line `):]
	n := 0
	for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
		n++
	}
	number, tail := rest[:n], rest[n:]
	if n == 0 {
		number, tail, _ = strings.Cut(rest, ",")
		if number != "?" && number != "None" && number != "-1" {
			return "", Frame{}, false
		}
		if tail != "" {
			tail = "," + tail
		}
	}
	f.Line, _ = strconv.Atoi(number) // 0 when the interpreter knew none
	if f.Line < 0 {
		f.Line = 0
	}
	switch name, named := strings.CutPrefix(tail, ", in "); {
	case named && name != "":
		f.Func = strings.TrimRight(name, " *\t") // TensorFlow marks converted functions with "  *"
	case strings.TrimSpace(tail) != "":
		return "", Frame{}, false
	}
	return s[:i-2], f, true
}

// isMarker tells whether s is a line of carets and tildes under a source line.
func isMarker(s string) bool {
	seen := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '^', '~':
			seen = true
		case ' ', '\t':
		default:
			return false
		}
	}
	return seen
}

// isElided tells whether s stands for frames that were not printed.
func isElided(s string) bool {
	return strings.HasPrefix(s, "  [Previous line repeated ") || strings.HasPrefix(s, "  ... (") && strings.Contains(s, "more frames")
}

// margin takes off the margin of an exception group: depth 1 is the group
// itself. border tells a line that separates or closes the members.
func margin(s string) (depth int, rest string, border, ok bool) {
	n := indent(s)
	if n == len(s) || n < 2 {
		return 0, "", false, false
	}
	t := s[n:]
	switch {
	case t[0] == '|' && (len(t) == 1 || t[1] == ' '):
		return n / 2, strings.TrimPrefix(t[1:], " "), false, true
	case strings.HasPrefix(t, "+-+------"):
		return n/2 + 1, "", true, true
	case strings.HasPrefix(t, "+------"):
		return n / 2, "", true, true
	case strings.HasPrefix(t, "+ Exception Group"):
		return n / 2, t[2:], false, true
	}
	return 0, "", false, false
}

// isGroupHead tells whether s names a group that was never raised, so that no
// header stands before it.
func isGroupHead(s string) bool {
	name, found := strings.CutPrefix(s, "  | ")
	if !found || !strings.HasSuffix(s, " sub-exception)") && !strings.HasSuffix(s, " sub-exceptions)") {
		return false
	}
	_, _, _, g := parseHead(name)
	return g == strongHead
}

// memberBorder tells the border that opens a member ("+---------------- 2 ----…")
// from the one that closes the group.
func memberBorder(s string) bool {
	t := strings.Trim(s, " +-")
	return t != ""
}

// trimEnd takes off what is left of a line end.
func trimEnd(s string) string {
	for len(s) > 0 && (s[len(s)-1] == '\n' || s[len(s)-1] == '\r') {
		s = s[:len(s)-1]
	}
	return s
}

func indent(s string) int {
	return len(s) - len(strings.TrimLeft(s, " "))
}

func blank(s string) bool {
	return strings.TrimSpace(s) == ""
}
