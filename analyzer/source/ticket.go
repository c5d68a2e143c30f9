package source

import (
	"bytes"
	"strings"
	"unicode"

	"hcloud-modelarts/analyzer/ascii"
)

// ticket tells prose from the logs that are pasted into it: fenced and
// indented code, tracebacks, and lines that begin like a log's.
type ticket struct {
	markdown bool
	fence    string // the fence that is open, "" outside
	quoted   int    // depth of quoting at which it was opened
	trace    bool   // within a traceback that stands in prose
	blank    bool   // the line before was blank
	code     bool   // within indented code
	intro    []byte // the prose since the last that was pasted
	told     bool   // what it stands above has begun
}

// line says what a line is and how many bytes at its start are the ticket's:
// quoting marks and the indentation of code.
func (t *ticket) line(s string) (kind Kind, lead int) {
	depth, n := quoting(s)
	if t.fence != "" {
		return t.fenced(s, depth, n)
	}
	body := s[n:]
	if mark := openingFence(body); mark != "" && t.markdown {
		t.fence, t.quoted = mark, depth
		t.trace = false
		return Ticket, n
	}
	empty := strings.TrimSpace(body) == ""
	defer func() { t.blank = empty }()
	switch {
	case empty:
		t.trace = false
		return Ticket, n
	case t.markdown && strings.HasPrefix(body, "    ") && (t.blank || t.code):
		t.code = true
		return Log, n + 4
	}
	t.code = false
	if t.trace || startsLog(body) {
		t.trace = t.trace || strings.Contains(body, "Traceback (most recent call last)") || startsStack(body)
		return Log, n
	}
	return Ticket, n
}

// fenced reads a line within a fence. A fence that was opened within quoting
// has the same quoting on all of its lines.
func (t *ticket) fenced(s string, depth, n int) (Kind, int) {
	if t.quoted == 0 {
		depth, n = 0, 0
	}
	body := s[n:]
	if depth < t.quoted {
		t.fence = ""
		return Ticket, n
	}
	if t.closes(body) {
		t.fence = ""
		return Ticket, n
	}
	return Log, n
}

// closingPre ends what <pre> began.
const closingPre = "</pre>"

// openingFence gives what begins a block of code: a fence, or <pre>.
func openingFence(s string) string {
	if mark := fenceMark(s); mark != "" {
		return mark
	}
	if lower := strings.ToLower(s); strings.HasPrefix(lower, "<pre") && !strings.Contains(lower, closingPre) {
		return closingPre
	}
	return ""
}

func (t *ticket) closes(body string) bool {
	if t.fence == closingPre {
		return strings.HasPrefix(strings.ToLower(strings.TrimSpace(body)), closingPre)
	}
	mark := fenceMark(body)
	return mark != "" && mark[0] == t.fence[0] && len(mark) >= len(t.fence) && strings.Trim(body, " `~") == ""
}

// quoting counts the marks of "> " and "> > " at the start of a line; of the
// spaces behind the last of them one is the mark's.
func quoting(s string) (depth, n int) {
	for n < len(s) && s[n] == '>' {
		depth++
		n++
		if n < len(s) && s[n] == ' ' {
			n++
		}
	}
	return depth, n
}

// unquoted is the length of so many marks of quoting at the start of a line.
func unquoted(line []byte, marks int) int {
	n := 0
	for ; marks > 0 && n < len(line) && line[n] == '>'; marks-- {
		n++
		if n < len(line) && line[n] == ' ' {
			n++
		}
	}
	return n
}

// fenceMark gives the marks that open or close fenced code, "" when the line
// does neither.
func fenceMark(s string) string {
	t := strings.TrimLeft(s, " ")
	if len(s)-len(t) > 3 || len(t) < 3 || t[0] != '`' && t[0] != '~' {
		return ""
	}
	n := 1
	for n < len(t) && t[n] == t[0] {
		n++
	}
	if n < 3 || t[0] == '`' && strings.IndexByte(t[n:], '`') >= 0 {
		return ""
	}
	return t[:n]
}

// startsLog says whether a line within prose begins like a log's line.
func startsLog(s string) bool {
	if strings.Contains(s, "Traceback (most recent call last)") || strings.HasPrefix(s, `  File "`) {
		return true
	}
	if isExceptionLine(s) || startsStack(s) {
		return true
	}
	var p parser
	l := Line{Doc: &Document{}, Raw: s, Text: s, Rank: -1}
	n := p.one(&l, s)
	return n > 0 && n < len(s) || l.Level != "" && strings.HasPrefix(s, "[")
}

// startsStack says whether a line heads the stack of one thread as py-spy and
// faulthandler write it.
func startsStack(s string) bool {
	rest, ok := strings.CutPrefix(s, "Thread ")
	if !ok {
		rest, ok = strings.CutPrefix(s, "Current thread ")
	}
	return ok && rest != "" && ascii.IsDigit(rest[0]) &&
		(strings.Contains(rest, "(most recent call first)") || strings.Contains(rest, " (idle") || strings.Contains(rest, " (active"))
}

// narrow gives ASCII for full-width forms: "RuntimeError：" is "RuntimeError:".
// Within Chinese text they stay what they are: there they are its punctuation.
func narrow(s string) string {
	if !strings.Contains(s, "\uff1a") && !strings.Contains(s, "\uff0e") && !strings.Contains(s, "\uff08") || hasHan(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if 0xff01 <= r && r <= 0xff5e {
			return r - 0xff01 + '!'
		}
		return r
	}, s)
}

func hasHan(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// isExceptionLine says whether a line is "Type: message" and nothing else that
// prose could begin with.
func isExceptionLine(s string) bool {
	name, rest, ok := strings.Cut(s, ": ")
	if !ok || rest == "" {
		return false
	}
	for _, c := range []byte(name) {
		if !ascii.IsWord(c) && c != '.' && c != '_' {
			return false
		}
	}
	return strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception")
}

// sniffTicket says whether a document is prose with logs in it.
func sniffTicket(name string, head []byte) *ticket {
	lower := strings.ToLower(name)
	if strings.HasSuffix(lower, ".md") || strings.HasSuffix(lower, ".markdown") {
		return &ticket{markdown: true}
	}
	var lines, fences, marks, quoted, logs, words int
	headed := false
	for line := range bytes.Lines(head[:min(len(head), 16<<10)]) {
		s := strings.TrimRight(string(line), "\r\n")
		if strings.TrimSpace(s) == "" {
			continue
		}
		lines++
		body := s
		if depth, n := quoting(s); depth > 0 {
			quoted++
			body = s[n:]
		}
		switch {
		case fenceMark(body) != "":
			fences++
		case isHeading(body):
			marks++
		case lines <= 3 && startsWithOne(body, ticketHeads):
			headed = true
			words++
		case lines <= 12 && startsWithOne(body, greetings):
			words++
		case fences%2 == 0 && startsLog(body):
			logs++
		}
	}
	switch {
	case fences > 0 && (marks > 0 || words > 0) && logs*4 < lines:
		return &ticket{markdown: true}
	case headed, words > 0 && logs*2 < lines, quoted*3 > lines && lines > 3:
		return &ticket{markdown: fences > 0}
	}
	return nil
}

// isHeading says whether a line is a heading of Markdown. The comment of a
// shell script has no second word in most logs, but may; a heading alone
// never makes a ticket.
func isHeading(s string) bool {
	t := strings.TrimLeft(s, "#")
	return len(t) < len(s) && len(s)-len(t) <= 6 && strings.HasPrefix(t, " ")
}

// ticketHeads begin the forms that tickets are written in; no log begins so.
var ticketHeads = []string{
	"工单", "问题描述", "故障现象", "客户反馈", "现象：", "现象:", "问题现象", "客户提供", "截图", "Ticket", "Case #", "Dear ", "Subject:", "Problem:",
}

// greetings stand near the beginning of prose, and now and then in a log.
var greetings = []string{"您好", "你好", "Hello", "Hi ", "Hi,", "Steps to reproduce", "工单", "问题描述", "故障现象", "现象：", "现象:", "Problem:"}

func startsWithOne(s string, words []string) bool {
	s = strings.TrimLeft(s, "#*-> ")
	for _, w := range words {
		if strings.HasPrefix(s, w) {
			return true
		}
	}
	return false
}

// isProgram says whether a document is the source code of a program: its
// error messages are not yet printed.
func isProgram(head []byte) bool {
	var lines, code int
	for line := range bytes.Lines(head[:min(len(head), 8<<10)]) {
		s := string(bytes.TrimRight(line, "\r\n"))
		if strings.TrimSpace(s) == "" || strings.HasPrefix(strings.TrimSpace(s), "#") && !strings.HasPrefix(s, "#include") {
			continue
		}
		lines++
		if isCode(s) {
			code++
		}
		if strings.HasPrefix(s, "Traceback (") || strings.HasPrefix(s, "[Model") {
			return false
		}
	}
	return code >= 3 && code*5 >= lines || code >= 2 && code == lines
}

var codeStarts = []string{"import ", "def ", "class ", "@", "    def ", "    return", "if __name__", "#include", "    self.", "    raise ", "        raise ", "try:", "except "}

func isCode(s string) bool {
	if strings.HasPrefix(s, "from ") && strings.Contains(s, " import ") {
		return true
	}
	if strings.HasPrefix(s, "import time:") { // python -X importtime prints it
		return false
	}
	for _, c := range codeStarts {
		if strings.HasPrefix(s, c) {
			return true
		}
	}
	return false
}

// Pasted is a part of a ticket that was pasted into it, with what the person
// wrote right above it.
type Pasted struct {
	Line  int // of its first line
	Intro string
}

// Bounds on what is kept of a ticket's own words: parts, and bytes for each.
const (
	mostPasted = 64
	mostIntro  = 1 << 10
)

// pasted notes where in a ticket prose ends and something pasted begins.
func (t *ticket) pasted(l *Line) {
	text := strings.TrimSpace(l.Text)
	switch {
	case text == "" || openingFence(text) != "" || t.fence == closingPre && text == closingPre:
	case l.Kind == Ticket:
		if t.told {
			t.intro, t.told = t.intro[:0], false
		}
		if room := mostIntro - len(t.intro); room > len(text) {
			t.intro = append(append(t.intro, text...), '\n')
		}
	case !t.told:
		t.told = true
		if len(l.Doc.Pasted) < mostPasted {
			l.Doc.Pasted = append(l.Doc.Pasted, Pasted{l.Number, string(t.intro)})
		}
	}
}
