package traceback

import "strings"

// text collects the lines of one message.
type text struct {
	exc   int    // index of the exception
	kind  string // its type
	weak  bool   // the head may be none
	bare  bool   // the head has no colon: there is no message, what follows are notes
	kept  []string
	size  int
	limit int // bytes kept
	last  int // index of the last line that is not blank
	lines int // lines added

	held    []held // lines that belong to it only if a sentence follows; blank lines
	plain   int    // lines at the margin outside known blocks
	over    bool   // a line that looks like a log record stood after it
	section int    // 1 between two rules, 2 after them

	wrap wrap // of its first line

	listsFrames bool // TensorFlow's "defined at (most recent call last):" and userCode
}

type held struct {
	at   int
	text string
}

// userCode opens the message of an exception that passed through AutoGraph:
// indented frames without a header, then the exception itself
// (tensorflow/python/autograph/pyct/errors.py).
const userCode = "in user code:"

// paddleSummary heads the last part of PaddlePaddle's messages, which has blank
// lines (paddle/phi/core/enforce.h).
const paddleSummary = "Error Message Summary:"

// maxMessage bounds the bytes of a message that are kept, lateMessage those of
// the later exceptions of a long chain.
const (
	maxMessage  = 64 << 10
	lateMessage = 4 << 10
)

// put adds a line after those that were held back.
func (t *text) put(at int, s string) {
	if blank(s) {
		t.hold(at, "")
		if t.lines == 0 {
			t.lines, t.held = 1, nil
		}
		return
	}
	t.absorb(len(t.held))
	t.last = at
	t.lines++
	t.keep(strings.TrimRight(s, " \t"))
	if strings.Contains(s, "(most recent call last):") && !strings.Contains(s, headerText) || s == userCode {
		t.listsFrames = true
	}
}

// goOn adds a line that continues the message.
func (t *text) goOn(at int, s string) {
	if rule(s) && s[0] == '=' {
		switch {
		case t.section == 0 && t.lines <= 1:
			t.section = 1
		case t.section == 1:
			t.section, t.over = 2, true
		}
	}
	if s == paddleSummary {
		t.section = 1
	}
	if s[0] != ' ' && s[0] != '\t' && t.section != 1 && !startsBlock(s) {
		t.plain++
	}
	t.put(at, s)
}

// whole tells whether the message is known to end where it began, so that only
// notes can follow. Notes are rare and look like any other output.
func (t *text) whole() bool {
	return t.bare || len(t.kept) > 0 && oneLine(t.kind, t.kept[0])
}

// hold keeps a line aside.
func (t *text) hold(at int, s string) {
	if len(t.held) < maxHeld {
		t.held = append(t.held, held{at, s})
	}
}

// absorb makes the first n lines that were held back part of the message and
// forgets the others.
func (t *text) absorb(n int) {
	for _, h := range t.held[:n] {
		t.keep(strings.TrimRight(h.text, " \t"))
		if h.text != "" {
			t.last = h.at
		}
		t.lines++
	}
	t.held = t.held[:0]
}

// spoken returns how many of the lines held back end with the last that is not blank.
func (t *text) spoken() int {
	n := len(t.held)
	for n > 0 && t.held[n-1].text == "" {
		n--
	}
	return n
}

// blanks returns how many blank lines stand after the last line.
func (t *text) blanks() int { return len(t.held) }

// lastLine returns the last line that is not blank.
func (t *text) lastLine() string {
	if n := len(t.kept); n > 0 {
		return t.kept[n-1]
	}
	return ""
}

func (t *text) keep(s string) {
	if room := t.limit - t.size; len(s)+1 > room {
		if room <= 0 {
			return
		}
		s = clip(s, room)
		t.size = t.limit
	}
	t.size += len(s) + 1
	t.kept = append(t.kept, s)
}

// store writes the message and its notes into e.
func (t *text) store(e *Exception) {
	e.End = max(t.last, e.At)
	lines := t.kept
	switch {
	case t.bare:
		e.Notes = append([]string(nil), lines...)
		return
	case len(lines) > 1 && oneLine(e.Type, lines[0]):
		e.Notes = append([]string(nil), lines[1:]...)
		lines = lines[:1]
	}
	e.Message = strings.Trim(strings.Join(lines, "\n"), "\n")
}

// clip shortens s to at most n bytes without cutting a rune.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n]
}
