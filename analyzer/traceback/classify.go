package traceback

import "strings"

// kind is what a line is to one lane.
type kind uint8

const (
	foreign kind = iota // nothing to this lane
	frame               // File "…", line N, in f
	place               // File "…", line N: where a SyntaxError stands
	code                // source line, marker, elided frames
	head                // Type: message
	weak                // Capitalised: text
	chain               // a sentence between exceptions
	opening             // Traceback (most recent call last):
	border              // between the members of a group
	quote               // """ that closes a quoted traceback
	dedent              // a line of the message outside, which ends the current level
	more                // continues the message
	empty               // a blank line
	maybe               // belongs to the message if a sentence follows
	filler              // of the traceback, but says nothing
	boxed               // inside a box of rich, or its border
	cell                // a line of IPython's frames
)

// classify says what line s is to this lane. It changes nothing. rest is the
// line without what stands before it at the current level.
func (l *lane) classify(s string) (k kind, rest string) {
	v := l.level()
	if v.quoted && strings.TrimSpace(s) == `"""` {
		return quote, s
	}
	if len(l.levels) > 1 && l.endsLevel(s) {
		return dedent, s
	}
	if blank(s) {
		return empty, ""
	}
	rest, ok := strings.CutPrefix(s, v.base)
	if !ok {
		if v.fixed || l.state != inFrames {
			return foreign, s
		}
		rest = s
	}
	if !v.fixed && v.lead != "" && l.state == inFrames {
		if r, ok := strings.CutPrefix(s, v.lead); ok && !blank(v.lead) {
			if _, f, ok := parseFrame(r); ok && f.Func != "" {
				rest = r // addFrame takes the lead for the base
			}
		}
	}
	if blank(rest) {
		return empty, ""
	}
	if v.group {
		return l.classifyGroup(rest)
	}
	if k = l.classifyPlain(rest); k == maybe && v.quoted {
		k = more
	}
	return k, rest
}

// endsLevel tells whether s stands outside the current level: a rule that
// closes the section around it, or a line of text with less indentation.
func (l *lane) endsLevel(s string) bool {
	v := l.level()
	if v.quoted || len(l.texts) < len(l.levels)-1 {
		return false
	}
	outer := l.levels[len(l.levels)-2]
	rest, ok := strings.CutPrefix(s, outer.base)
	if !ok || blank(rest) {
		return false
	}
	if l.texts[len(l.levels)-2].section == 1 && rule(rest) {
		return true
	}
	if l.state != inText || v.base == outer.base || strings.HasPrefix(s, v.base) || outer.group {
		return false
	}
	return !isForeign(rest)
}

func (l *lane) classifyGroup(s string) (kind, string) {
	_, rest, isBorder, ok := margin(s)
	if !ok {
		if l.state != inText {
			return foreign, s
		}
		// The printer in C of 3.11 and 3.12 gives the margin to the first line of
		// a message only.
		switch k := l.inMessage(s); k {
		case chain, more, maybe:
			return k, s
		}
		return foreign, s
	}
	if isBorder {
		return border, s
	}
	if blank(rest) {
		return empty, rest
	}
	k := l.classifyPlain(rest)
	switch {
	case k == maybe, k == foreign && l.state == inText && l.text() != nil:
		return more, rest
	case k == foreign:
		if name, _, _, _ := parseHead(rest); name != "" && l.state == inFrames {
			return head, rest // the margin shows that it is no line of another program
		}
		return filler, rest
	}
	return k, rest
}

func (l *lane) classifyPlain(s string) kind {
	switch l.state {
	case inFrames:
		return l.inFrames(s)
	case inText:
		return l.inMessage(s)
	}
	return l.inLinked(s)
}

// inFrames: frames, source lines, markers, then the head.
func (l *lane) inFrames(s string) kind {
	if l.style != plain {
		if k := l.inStyled(s); k != foreign || l.style == cells || l.layout.open {
			return k
		}
	}
	frames := len(l.next.Frames)
	if prefix, f, ok := parseFrame(s); ok {
		switch {
		case prefix != "" && !(isBar(prefix) || blank(prefix) && !l.level().fixed):
			return foreign
		case f.Func == "":
			return place
		}
		return frame
	}
	if s[0] == ' ' || s[0] == '\t' {
		switch {
		case frames == 0:
			return foreign
		case isElided(s):
			return code
		case indent(s) < 4 && s[0] != '\t', isBar(s) && !l.code:
			return foreign
		}
		return code
	}
	if !l.header && frames == 0 {
		return foreign
	}
	switch _, _, _, g := parseHead(s); {
	case g == strongHead:
		return head
	case g == weakHead && frames > 0 && !l.lacksCode():
		return weak
	}
	return foreign
}

// lacksCode tells whether the source line of the last frame is still to come.
// Frames of "<string>" and the like never have one, nor has any frame when the
// source is not there.
func (l *lane) lacksCode() bool {
	n := len(l.next.Frames)
	if !l.code || n == 0 || strings.HasPrefix(l.next.Frames[n-1].File, "<") {
		return false
	}
	return n == 1 || l.next.Frames[n-2].Code != ""
}

// inMessage decides whether a line goes on with the message. The rules, first
// match wins:
//
//  1. A sentence, or a traceback inside the message, goes on with the chain; the
//     rest of a line that was wrapped belongs to it.
//  2. Inside a section between rules (ChildFailedError) everything goes on but
//     log records of others.
//  3. After a line that looks like a log record the message is over; only a
//     sentence may still come.
//  4. Known blocks go on, also after blank lines.
//  5. Indented lines go on, also after at most two blank lines.
//  6. Lines at the margin go on while no blank line stood before them, they do
//     not look like a log record or a progress bar, there are at most maxPlain
//     of them, and the message is not known to be one line (KeyError, "[Errno
//     2] …", none at all), which only notes could follow.
//  7. Other lines at the margin are kept aside: they belong to the message when
//     a sentence follows or the text ends, and to the log when something else
//     does.
func (l *lane) inMessage(s string) kind {
	t := l.text()
	if _, ok := sentence(s); ok {
		return chain
	}
	if l.over || t == nil {
		return foreign
	}
	if t.wraps(s) {
		return more
	}
	if o, ok := openingOf(s); ok {
		if l.nests(o.lead, s) {
			return opening
		}
		return foreign
	}
	indented := s[0] == ' ' || s[0] == '\t'
	if _, f, ok := parseFrame(s); ok && indented {
		return l.frameInMessage(f)
	}
	if t.section == 1 {
		if isForeign(s) && !sectionLine(s) || t.lines > maxSection {
			return foreign
		}
		return more
	}
	switch {
	case t.over && (indented || isForeign(s)):
		return foreign
	case t.over:
		return maybe
	case startsBlock(s), rule(s) && t.blanks() <= 2:
		return more
	case indented && (t.blanks() > 2 || isBar(s)):
		return foreign
	case indented:
		return more
	case isForeign(s):
		return foreign
	case t.blanks() == 0 && t.plain < maxPlain && !t.whole():
		return more
	}
	return maybe
}

// frameInMessage handles a frame where a message is expected. After a weak head
// it shows that the head was none. TensorFlow's messages hold a list of frames;
// a SyntaxError's place without a header begins another traceback.
func (l *lane) frameInMessage(f Frame) kind {
	t := l.text()
	switch {
	case t.listsFrames:
		return more
	case f.Func == "":
		return foreign
	case t.weak:
		return frame
	}
	return foreign
}

// nests tells whether a header where a message is expected belongs to the
// message: the message announces it, or it is indented.
func (l *lane) nests(lead, s string) bool {
	t := l.text()
	if strings.HasSuffix(t.kind, "ExecutionError") && len(l.levels) < maxLevels && cellHeader().MatchString(strings.TrimSuffix(strings.TrimRight(s, " "), headerMarker)) {
		return true // papermill and nbconvert put what a cell printed behind its source
	}
	if len(l.levels) >= maxLevels || t.over {
		return false
	}
	last := t.lastLine()
	switch {
	case strings.HasPrefix(s, originText):
		return true
	case t.section == 1:
		return lead != "" // "  traceback : Traceback …"
	case last == `"""`, strings.HasPrefix(last, "-- Process "):
		return true
	case t.blanks() > 0:
		return false
	case lead != "" && blank(lead):
		return true
	}
	return last == "" || strings.HasSuffix(last, ":")
}

// inLinked: after a sentence or a border. The exception that follows has a
// header, or none when it was never raised.
func (l *lane) inLinked(s string) kind {
	if o, ok := openingOf(s); ok {
		if blank(o.lead) || isBar(o.lead) {
			return opening
		}
		return foreign
	}
	if prefix, f, ok := parseFrame(s); ok && prefix == "" && f.Func != "" {
		return frame
	}
	switch _, _, _, g := parseHead(s); {
	case g == strongHead:
		return head
	case g == weakHead && l.level().group:
		return weak
	}
	return foreign
}

// sectionLine tells whether a line that looks like a log record is one of
// torchelastic's report: "[1]:", "train.py FAILED".
func sectionLine(s string) bool {
	return strings.HasSuffix(s, " FAILED") || len(s) < 8 && s[0] == '[' && strings.HasSuffix(s, "]:")
}
