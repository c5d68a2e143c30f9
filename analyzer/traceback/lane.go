package traceback

import "slices"

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
	maxFrames  = 64   // kept at each end of one exception
	maxLevels  = 8    // tracebacks inside messages inside messages
	maxChain   = 256  // exceptions
	maxPlain   = 40   // lines at the margin that a message may have outside known blocks
	maxHeld    = 64   // lines kept in case a sentence follows
	maxSection = 400  // lines of a section between rules
	waitFrames = 200  // foreign lines that may stand between frames
	waitBare   = 12   // the same when the header is missing
	waitText   = 12   // foreign lines after a message before the chain is given up
	maxName    = 4096 // bytes of a file's or function's name
	maxTrail   = 512  // lines remembered to match lanes with one another
)

// lane is one traceback being read. Tracebacks of several processes that write
// to one stream without prefixes are read in parallel lanes.
type lane struct {
	tb     Traceback
	state  state
	levels []level
	texts  []text // of each level the message that is open

	next   Exception // the exception whose frames are being read
	style  style     // of these frames
	layout layout    // what the style has to remember
	header bool      // it has a header
	code   bool      // its last frame still lacks the source line
	depth  int       // of the group margin, 0 outside groups
	over   bool      // nothing but a sentence or a border may go on

	names *Names
	stamp Stamp    // of the first line
	taken int      // line count of the parser at the last line taken
	trail []uint64 // hashes of the lines taken
}

// gone stands for a lane that another traceback is read in.
var gone = &lane{}

// reset makes a lane ready for a traceback, also one that held another before:
// what it handed on is no longer its own.
func (l *lane) reset(at, count int) {
	*l = lane{tb: Traceback{Start: at, End: at}, levels: append(l.levels[:0], level{}), texts: l.texts[:0], taken: count, trail: l.trail[:0]}
}

func (l *lane) level() *level { return &l.levels[len(l.levels)-1] }

// text returns the open message of the current level, nil before its first head.
func (l *lane) text() *text {
	if len(l.texts) < len(l.levels) {
		return nil
	}
	return &l.texts[len(l.texts)-1]
}

// inSection tells whether the message, or one around it, is between the rules
// of a report such as ChildFailedError's.
func (l *lane) inSection() bool {
	for i := range l.texts {
		if l.texts[i].section == 1 {
			return true
		}
	}
	return false
}

// wait returns how many foreign lines may follow before the lane is given up.
func (l *lane) wait() int {
	switch {
	case l.state == inFrames && l.header, l.inSection():
		return waitFrames
	case l.state == inFrames:
		return waitBare
	}
	return waitText
}

// append adds an exception to the chain; beyond maxChain the last one is replaced.
func (l *lane) append(e Exception) {
	e.Own = -1
	for i := len(e.Frames) - 1; i >= 0 && e.Own < 0; i-- {
		if e.Frames[i].User {
			e.Own = e.Frames[i].At
		}
	}
	e.Frames = l.names.frames(e.Frames)
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
	l.next.Type, l.next.Frames = "", slices.Clone(l.next.Frames)
	l.tb.Exceptions = l.tb.Exceptions[:t.exc]
	l.texts = l.texts[:len(l.texts)-1]
}

// begin starts the frames of the next exception.
func (l *lane) begin(link Link) {
	l.next = Exception{Link: link}
	l.state, l.style, l.header, l.code = inFrames, plain, false, false
}

// enter prepares for the frames that the header o announces.
func (l *lane) enter(o opener) {
	l.header, l.style = true, o.style
	l.layout = layout{open: o.style == box, name: o.name, width: o.width}
	if o.group && !l.level().group {
		l.level().group, l.depth = true, 1
	}
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
		e.At, e.End, e.Depth = l.tb.End, l.tb.End, max(l.depth-1, 0)
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
	for _, e := range l.tb.Exceptions {
		l.tb.End = max(l.tb.End, e.End)
		l.tb.Cut = l.tb.Cut || e.Type == ""
	}
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
