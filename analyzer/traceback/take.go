package traceback

import "strings"

// take applies a line that classify found to be k. rest is the line without
// what stands before it at the current level.
func (l *lane) take(k kind, at int, s, rest string) Part {
	if k == empty {
		return l.takeBlank(at)
	}
	if k == maybe {
		for i := range l.levels[:len(l.levels)-1] {
			l.texts[i].hold(at, l.atLevel(i, s))
		}
		l.text().hold(at, rest)
		return Outside
	}
	if k == dedent {
		l.pop()
		if k, rest = l.classify(s); k == foreign {
			return Outside
		}
		return l.take(k, at, s, rest)
	}
	if k == chain && l.endsMessage() {
		l.pop()
	}
	l.tb.End = at
	l.setDepth(s)
	l.feedOuter(at, s)
	switch k {
	case frame, place:
		l.addFrame(at, s, rest)
		return Body
	case code:
		l.addCode(rest)
		return Body
	case head, weak:
		l.addHead(at, rest, k == weak)
		return Head
	case chain:
		l.addSentence(s, rest)
		return Header
	case opening:
		return l.addOpening(at, s, rest)
	case border:
		l.addBorder(rest)
		return Body
	case quote:
		l.pop()
		return More
	case more:
		if t := l.text(); t.wraps(rest) {
			t.join(at, rest)
		} else {
			t.wrap.width = 0
			t.goOn(at, rest)
		}
		return More
	case boxed:
		l.addBoxed(at, rest)
	case cell:
		l.addCell(at, rest)
	}
	return Body
}

func (l *lane) takeBlank(at int) Part {
	l.feedOuter(at, "")
	t := l.text()
	if l.state != inText || t == nil {
		return Outside
	}
	t.hold(at, "")
	if l.level().quoted || l.level().group || t.section == 1 {
		return More
	}
	return Outside
}

// feedOuter adds a line inside nested tracebacks to the messages that hold them.
func (l *lane) feedOuter(at int, s string) {
	for i := range l.levels[:len(l.levels)-1] {
		l.texts[i].put(at, l.atLevel(i, s))
	}
}

// atLevel takes off what stands before the lines of level i.
func (l *lane) atLevel(i int, s string) string {
	v := l.levels[i]
	rest := strings.TrimPrefix(s, v.base)
	if v.group {
		if _, r, isBorder, ok := margin(rest); ok && !isBorder {
			return r
		}
	}
	return rest
}

func (l *lane) addFrame(at int, s, rest string) {
	prefix, f, _ := parseFrame(rest)
	switch {
	case l.state == inText && l.text().weak: // that was no head
		l.undoHead()
	case l.state == linked:
		l.begin(l.next.Link)
	}
	l.state = inFrames
	if v := l.level(); !v.fixed {
		v.fixed = true
		if total := s[:len(s)-len(rest)+len(prefix)]; !v.group && (blank(total) || total == v.lead) {
			v.base = total
		}
	}
	f.File, f.Func = l.names.keep(clip(f.File, maxName)), l.names.keep(clip(f.Func, maxName))
	f.At, f.User = at, l.names.isUser(f.File)
	l.code = true
	l.next.Frames = appendFrame(l.names.room(l.next.Frames), f)
}

// appendFrame adds a frame and keeps the first and the last maxFrames.
func appendFrame(frames []Frame, f Frame) []Frame {
	n := len(frames)
	if n < 2*maxFrames {
		return append(frames, f)
	}
	copy(frames[maxFrames:], frames[maxFrames+1:])
	frames[n-1] = f
	return frames
}

// setDepth notes the margin that a line of a group has.
func (l *lane) setDepth(s string) {
	if v := l.level(); v.group {
		if depth, _, isBorder, ok := margin(strings.TrimPrefix(s, v.base)); ok && !isBorder {
			l.depth = depth
		}
	}
}

func (l *lane) addCode(rest string) {
	if l.code && len(l.next.Frames) > 0 && !isMarker(rest) && !isElided(rest) {
		l.next.Frames[len(l.next.Frames)-1].Code = l.names.keep(clip(strings.TrimSpace(rest), 1024))
		l.code = false
	}
}

func (l *lane) addHead(at int, rest string, isWeak bool) {
	name, message, colon, _ := parseHead(rest)
	if l.state == linked {
		l.begin(l.next.Link)
	}
	e := l.next
	e.Type, e.At, e.End, e.Depth = name, at, at, max(l.depth-1, 0)
	l.append(e)
	t := text{exc: len(l.tb.Exceptions) - 1, kind: name, last: at, bare: !colon, weak: isWeak, limit: maxMessage}
	if t.exc >= 16 {
		t.limit = lateMessage
	}
	if l.style == box {
		t.wrap = wrap{width: l.layout.width, printed: columns(rest), from: at}
	}
	t.put(at, message)
	l.texts = append(l.texts, t)
	l.next = Exception{}
	l.state, l.over = inText, false
	if o, ok := openingOf(message); ok && o.lead == "" && o.style == plain && len(l.levels) < maxLevels {
		// "RuntimeError: Traceback (most recent call last):"
		l.push(level{base: l.level().base})
		l.begin(Origin)
		l.header = true
	}
}

// addSentence goes on with the chain. Without the margin of the group before
// it, the group is over.
func (l *lane) addSentence(s, rest string) {
	link, _ := sentence(rest)
	if v := l.level(); v.group {
		if _, _, _, ok := margin(strings.TrimPrefix(s, v.base)); !ok {
			v.group, l.depth = false, 0
		}
	}
	l.closeText(true)
	l.begin(link)
	l.state, l.over = linked, false
}

// endsMessage tells whether a sentence ends the traceback inside a message and
// goes on with the one that holds it: the message ends with a line feed of its
// own, so that two blank lines stand before the sentence.
func (l *lane) endsMessage() bool {
	t := l.text()
	return len(l.levels) > 1 && !l.level().quoted && t != nil && t.blanks() >= 2
}

// addOpening takes a header: that of the next exception of the chain, or of a
// traceback inside the message.
func (l *lane) addOpening(at int, s, rest string) Part {
	o, _ := openingOf(rest)
	if l.state == inText {
		t := l.text()
		v := level{base: l.level().base, lead: o.lead, quoted: t.lastLine() == `"""`}
		if blank(o.lead) {
			v.base += o.lead
		}
		t.goOn(at, rest)
		l.push(v)
		l.begin(Origin)
	} else {
		l.begin(l.next.Link)
		if v := l.level(); !v.fixed {
			v.lead = o.lead
		}
	}
	l.enter(o)
	return Header
}

func (l *lane) addBorder(rest string) {
	depth, _, _, _ := margin(rest)
	l.depth = depth
	if !memberBorder(rest) {
		if t := l.text(); t != nil {
			t.absorb(t.spoken())
		}
		l.over = true
		if l.state != inText {
			l.state = inText
		}
		return
	}
	l.closeText(true)
	l.begin(Member)
	l.state = linked
}
