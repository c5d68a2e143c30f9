package traceback

import "strings"

// state is what a lane waits for.
type state uint8

const (
	inFrames state = iota // frames, then the line that names the exception
	inText                // more of the message, a sentence, or a traceback inside the message
	linked                // after a sentence or a border: the next traceback of the chain
)

// level is one nesting of a traceback inside a message.
type level struct {
	base   string // what stands before each of its lines
	lead   string // what stood before its header
	fixed  bool   // base is certain, since a frame was seen
	quoted bool   // ends at a line of three quotes
	group  bool   // its lines carry the margin of an exception group
}

// The bounds of one traceback.
const (
	maxFrames  = 64  // kept at each end of one exception
	maxLevels  = 8   // tracebacks inside messages inside messages
	maxChain   = 256 // exceptions
	maxPlain   = 40  // lines at the margin that a message may have outside known blocks
	maxHeld    = 64  // lines kept in case a sentence follows
	maxSection = 400 // lines of a section between rules
	waitFrames = 200 // foreign lines that may stand between frames
	waitBare   = 12  // the same when the header is missing
	waitText   = 40  // foreign lines after a message before the chain is given up
	maxTrail   = 512 // lines remembered to match lanes with one another
)

// lane is one traceback being read. Tracebacks of several processes that write
// to one stream without prefixes are read in parallel lanes.
type lane struct {
	tb     Traceback
	state  state
	levels []level
	texts  []text // of each level the message that is open

	next    Exception // the exception whose frames are being read
	dropped int       // frames left out of its middle
	header  bool      // it has a header
	code    bool      // its last frame still lacks the source line
	depth   int       // of the group margin, 0 outside groups
	over    bool      // nothing but a sentence or a border may go on

	taken  int // line count of the parser at the last line taken
	opened int // the same at the first
	trail  []uint64
}

func newLane(at, count int) *lane {
	return &lane{tb: Traceback{Start: at, End: at}, levels: []level{{}}, taken: count, opened: count}
}

func (l *lane) level() *level { return &l.levels[len(l.levels)-1] }

// text returns the open message of the current level, nil before its first head.
func (l *lane) text() *text {
	if len(l.texts) < len(l.levels) {
		return nil
	}
	return &l.texts[len(l.texts)-1]
}

// wait returns how many foreign lines may follow before the lane is given up.
func (l *lane) wait() int {
	switch {
	case l.state == inFrames && l.header:
		return waitFrames
	case l.state == inFrames:
		return waitBare
	}
	return waitText
}

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
		l.addSentence(rest, strings.HasSuffix(s, rest) && strings.TrimPrefix(s, l.level().base) == rest)
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
		l.text().goOn(at, rest)
		return More
	}
	return Body // filler
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
	case l.state == inText: // frames without a header inside a message
		l.push(level{base: l.level().base})
		l.begin(Origin)
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
	f.At, f.User = at, isUser(f.File)
	l.code = true
	if n := len(l.next.Frames); n < 2*maxFrames {
		l.next.Frames = append(l.next.Frames, f)
	} else {
		copy(l.next.Frames[maxFrames:], l.next.Frames[maxFrames+1:])
		l.next.Frames[n-1] = f
		l.dropped++
	}
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
		l.next.Frames[len(l.next.Frames)-1].Code = clip(strings.TrimSpace(rest), 1024)
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
	t := text{exc: len(l.tb.Exceptions) - 1, kind: name, last: at, bare: !colon, weak: isWeak}
	t.put(at, message)
	l.texts = append(l.texts, t)
	l.next = Exception{}
	l.state, l.over = inText, false
	if lead, _, ok := openingOf(message); ok && lead == "" && len(l.levels) < maxLevels { // "RuntimeError: Traceback (most recent …"
		l.push(level{base: l.level().base})
		l.begin(Origin)
		l.header = true
	}
}

// append adds an exception to the chain; beyond maxChain the last one is replaced.
func (l *lane) append(e Exception) {
	if len(l.tb.Exceptions) == maxChain {
		l.tb.Exceptions[maxChain-1] = e
		return
	}
	if len(l.tb.Exceptions) == 0 {
		e.Link = First
	}
	l.tb.Exceptions = append(l.tb.Exceptions, e)
}

// undoHead turns the last head back into a foreign line.
func (l *lane) undoHead() {
	t := l.text()
	l.next = l.tb.Exceptions[t.exc]
	l.next.Type = ""
	l.tb.Exceptions = l.tb.Exceptions[:t.exc]
	l.texts = l.texts[:len(l.texts)-1]
}

// begin starts the frames of the next exception.
func (l *lane) begin(link Link) {
	l.next = Exception{Link: link}
	l.state, l.header, l.code, l.dropped = inFrames, false, false, 0
}

// closeText stores the open message of the current level. heldToo says that
// the lines kept aside belong to it.
func (l *lane) closeText(heldToo bool) {
	if t := l.text(); t != nil {
		if heldToo {
			t.absorb(t.spoken())
		}
		t.store(&l.tb.Exceptions[t.exc])
		l.texts = l.texts[:len(l.texts)-1]
	}
}

// addSentence goes on with the chain. outside tells that the margin of the group
// before it is over.
func (l *lane) addSentence(rest string, outside bool) {
	link, _ := sentence(rest)
	if v := l.level(); l.endsMessage() {
		l.pop()
	} else if v.group && outside {
		v.group, l.depth = false, 0
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

func (l *lane) addOpening(at int, s, rest string) Part {
	lead, isGroup, _ := openingOf(rest)
	switch l.state {
	case inText: // a traceback inside the message
		t := l.text()
		v := level{base: l.level().base, lead: lead, quoted: t.lastLine() == `"""`}
		if blank(lead) {
			v.base += lead
		}
		t.goOn(at, rest)
		l.push(v)
		l.begin(Origin)
	case linked:
		l.begin(l.next.Link)
		if v := l.level(); !v.fixed {
			v.lead = lead
		}
	}
	l.header = true
	if isGroup && !l.level().group {
		l.level().group = true
		l.depth = 1
	}
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

func (l *lane) push(v level) {
	l.levels = append(l.levels, v)
}

// pop ends the current level; its last message is stored.
func (l *lane) pop() {
	l.drain(true)
	l.levels = l.levels[:len(l.levels)-1]
	l.state, l.over = inText, false
	l.depth = 0
}

// drain stores the message of the current level, or the exception that was cut.
func (l *lane) drain(atEnd bool) {
	if l.state == inFrames && (l.header || len(l.next.Frames) > 0) {
		e := l.next
		e.At, e.End = l.tb.End, l.tb.End
		l.append(e)
		l.next = Exception{}
	}
	t := l.text()
	l.closeText(atEnd && t != nil && !t.over && !l.over)
}

// finish ends the lane and tells whether there is anything to emit.
func (l *lane) finish(atEnd bool) bool {
	seen := len(l.tb.Exceptions) > 0
	if !seen && l.state == inFrames {
		if !l.header || !atEnd && len(l.next.Frames) == 0 {
			return false
		}
	}
	l.tb.Cut = l.state != inText
	for len(l.levels) > 1 {
		l.drain(atEnd)
		l.levels = l.levels[:len(l.levels)-1]
		l.state = inText
	}
	l.drain(atEnd)
	return len(l.tb.Exceptions) > 0
}

// hash is FNV-1a.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

func (l *lane) remember(s string, count int) {
	l.taken = count
	if len(l.trail) < maxTrail {
		l.trail = append(l.trail, hash(s))
	}
}
