package traceback

import (
	"slices"
	"strings"
)

// Parser reads one output stream line by line. It is not safe for concurrent use.
type Parser struct {
	emit  func(Traceback)
	lanes []*lane // open, oldest first
	count int     // lines added
	last  []*lane // lanes that took the last two lines
	intro intro
	past  []held // the last lines outside of any traceback

	// listing is set while frames may follow that are not those of an
	// exception: a logged stack, the forward call of an operation.
	listing bool
	stamp   Stamp // of the current line
	names   *Names
	flat    bool // lines are those of an escaped text already
}

// The bounds of what a parser holds.
const (
	maxLanes = 32 // tracebacks read at the same time
	maxPast  = 16 // lines remembered for a chain whose first part had no header
)

// New returns a parser that hands each traceback to emit as soon as nothing
// more can belong to it: at the latest some foreign lines after its end, or at
// Close. Tracebacks of processes that write at the same time may be emitted in
// another order than they began.
func New(emit func(Traceback)) *Parser {
	return &Parser{emit: emit}
}

// Add takes the next line, without its line end and without what a collector
// or launcher put before it, and tells what it is. at is the caller's index of
// the line; it must grow. The part is a judgement made at once: a line that
// was told Outside may still end up in the message of the emitted traceback,
// when a later sentence shows that the message went on.
func (p *Parser) Add(at int, text string) Part { return p.AddStamped(at, text, 0) }

// Stamp says what a caller took off before a line.
type Stamp uint8

// The stamps of a line; a line may have both.
const (
	Timed   Stamp = 1 << iota // a time
	Leveled                   // a level, or anything else that shows a log record of its own
)

// AddStamped is Add for a caller that knows what stood before the line. A line
// with a stamp that the header of a traceback has not is no part of it, however
// much its text looks like it: text without its stamp hardly tells a log record
// from a further line of a message.
func (p *Parser) AddStamped(at int, text string, stamp Stamp) Part {
	text = trimEnd(text)
	p.stamp = stamp
	p.count++
	p.expire()
	if len(p.lanes) > 0 {
		if part, ok := p.offer(at, text); ok {
			return part
		}
	}
	if blank(text) {
		return Outside
	}
	if !p.flat && strings.Contains(text, headerMarker) {
		if all := parseEscaped(at, text); len(all) > 0 {
			for _, t := range all {
				p.emit(t)
			}
			return Head
		}
	}
	if part, ok := p.open(at, text); ok {
		return part
	}
	p.outside(at, text)
	return Outside
}

// Open gives where the tracebacks begin that are being read.
func (p *Parser) Open() []int {
	var starts []int
	for _, l := range p.lanes {
		starts = append(starts, l.tb.Start)
	}
	return starts
}

// Frame tells of the frame that the last line, at the caller's index, named:
// whether it is in the user's own code, and the index of the line of the next
// such frame around it in the same exception, -1 when there is none.
func (p *Parser) Frame(at int) (user bool, around int) {
	if len(p.last) == 0 {
		return false, -1
	}
	frames := p.last[len(p.last)-1].next.Frames
	n := len(frames) - 1
	if n < 0 || frames[n].At != at || !frames[n].User {
		return false, -1
	}
	for n--; n >= 0; n-- {
		if frames[n].User {
			return true, frames[n].At
		}
	}
	return true, -1
}

// Close emits what is still open.
func (p *Parser) Close() {
	for _, l := range p.lanes {
		p.finish(l, true)
	}
	*p = Parser{emit: p.emit, names: p.names}
}

// expire gives up lanes that got no line for long.
func (p *Parser) expire() {
	p.lanes = slices.DeleteFunc(p.lanes, func(l *lane) bool {
		if p.count-l.taken <= l.wait() {
			return false
		}
		p.finish(l, false)
		return true
	})
}

func (p *Parser) finish(l *lane, atEnd bool) {
	if l.finish(atEnd) {
		if !l.tb.raisedIn(l.tb.Ignored) {
			l.tb.Ignored = ""
		}
		p.emit(l.tb)
	}
}

// offer gives the line to the lane that it fits best.
func (p *Parser) offer(at int, s string) (Part, bool) {
	best := -1
	var bestScore int
	var bestKind kind
	var bestRest string
	for i, l := range p.lanes {
		k, rest := l.classify(s)
		if k == foreign || p.stamp&^l.stamp != 0 && !(k == more && startsBlock(rest)) {
			continue
		}
		if score := p.score(l, k, s); best < 0 || score > bestScore {
			best, bestScore, bestKind, bestRest = i, score, k, rest
		}
	}
	if best < 0 {
		p.interrupt(s)
		return Outside, false
	}
	l := p.lanes[best]
	part := l.take(bestKind, at, s, bestRest)
	if bestKind != empty && bestKind != maybe {
		l.remember(s, p.count)
		p.last = append(p.last[max(len(p.last)-1, 0):], l)
		p.intro = intro{}
	}
	return part, true
}

// interrupt tells the lanes that hold a finished message that a line of others
// stands after it.
func (p *Parser) interrupt(s string) {
	if blank(s) || isBar(s) {
		return
	}
	for _, l := range p.lanes {
		if t := l.text(); l.state == inText && t != nil && !l.inSection() && !l.level().group {
			t.over = true
		}
	}
}

// score ranks the lanes that a line fits. A lane that has to catch up with
// another one that took the very same line before wins: the ranks of one job
// mostly print the same traceback. Then a lane that needs just this kind of
// line, one with a header, and the one that was fed last, unless lines of
// several lanes alternate: then the one that waits longest.
func (p *Parser) score(l *lane, k kind, s string) int {
	score := 0
	if k != maybe && k != empty && p.catchesUp(l, s) {
		score += 1 << 30
	}
	switch {
	case k == head && l.state != inText, k == frame && !l.code, k == code && l.code, k == chain, k == opening, k == quote, k == border:
		score += 1 << 29
	}
	if l.state != inText {
		score += 1 << 28
	}
	if l.header {
		score += 1 << 27
	}
	if p.alternating() && k != chain {
		return score + (1 << 26) - min(l.taken, 1<<26)
	}
	return score + min(l.taken, 1<<26)
}

// catchesUp tells whether another lane took s where l stands now.
func (p *Parser) catchesUp(l *lane, s string) bool {
	n := len(l.trail)
	var sum uint64
	for _, o := range p.lanes {
		if o == l || len(o.trail) <= n || n > 0 && o.trail[n-1] != l.trail[n-1] {
			continue
		}
		if sum == 0 {
			sum = hash(s)
		}
		if o.trail[n] == sum {
			return true
		}
	}
	return false
}

func (p *Parser) alternating() bool {
	return len(p.last) == 2 && p.last[0] != p.last[1]
}

// open starts a traceback when s begins one.
func (p *Parser) open(at int, s string) (Part, bool) {
	if part, ok := p.intro.take(at, s); ok {
		return part, true
	}
	if o, ok := openingOf(s); ok {
		if part, ok := p.openQuoted(at, s, o.lead); ok {
			return part, true
		}
		p.openHeader(at, s, o)
		return Header, true
	}
	if _, ok := sentence(s); ok {
		return p.openChain(at, s), true
	}
	if p.intro.set() {
		if _, _, _, g := parseHead(s); g == strongHead {
			l := p.start(at, s)
			return l.take(head, at, s, s), true
		}
	}
	if isGroupHead(s) {
		l := p.start(at, s)
		l.level().group, l.depth = true, 1
		return l.take(head, at, s, s[len("  | "):]), true
	}
	if prefix, f, ok := parseFrame(s); ok && blank(prefix) && !p.listing {
		l := p.start(at, s)
		return l.take(pick(f.Func == "", place, frame), at, s, s), true
	}
	return Outside, false
}

func (p *Parser) openHeader(at int, s string, o opener) {
	l := p.start(at, s)
	v := l.level()
	v.lead = o.lead
	if blank(o.lead) {
		v.base = o.lead
	} else {
		l.tb.Lead = clip(strings.TrimSpace(o.lead), 1024)
	}
	l.enter(o)
}

func pick[T any](c bool, a, b T) T {
	if c {
		return a
	}
	return b
}

// start opens a lane.
func (p *Parser) start(at int, s string) *lane {
	if len(p.lanes) == maxLanes {
		p.finish(p.lanes[0], false)
		p.lanes = slices.Delete(p.lanes, 0, 1)
	}
	l := p.settle()
	if l == nil {
		l = &lane{}
	}
	l.reset(at, p.count)
	l.stamp, l.names = p.stamp, p.names
	if p.intro.set() {
		l.tb.Start, l.tb.Thread, l.tb.Ignored = p.intro.at, p.intro.thread, p.intro.ignored
	}
	p.intro = intro{}
	l.remember(s, p.count)
	p.lanes = append(p.lanes, l)
	p.last = append(p.last[max(len(p.last)-1, 0):], l)
	p.past = p.past[:0]
	return l
}

// settle ends the messages before a new traceback. A lane that was alone is
// done; where processes write at the same time, the sentence of a chain may
// still follow. It gives a lane that is free.
func (p *Parser) settle() (free *lane) {
	if len(p.lanes) == 1 && p.lanes[0].state == inText && !p.lanes[0].inSection() {
		free = p.lanes[0]
		p.finish(free, false)
		p.lanes = p.lanes[:0]
		for i, l := range p.last {
			if l == free {
				p.last[i] = gone
			}
		}
	}
	for _, l := range p.lanes {
		if t := l.text(); l.state == inText && t != nil && !l.inSection() {
			t.over = true
		}
	}
	return free
}

// openChain begins a traceback at a sentence: the exception before it had no
// header, because it was never raised or because the log's head is missing.
func (p *Parser) openChain(at int, s string) Part {
	past := slices.Clone(p.past)
	l := p.start(at, s)
	for i := len(past) - 1; i >= 0; i-- {
		if _, _, _, g := parseHead(past[i].text); g != strongHead || isForeign(past[i].text) {
			continue
		}
		l.tb.Start = past[i].at
		l.take(head, past[i].at, past[i].text, past[i].text)
		for _, h := range past[i+1:] {
			l.text().put(h.at, h.text)
		}
		break
	}
	l.tb.End = at
	return l.take(chain, at, s, s)
}

// openQuoted begins a traceback at the quoted one inside the message of an
// exception that had no header, as that of a worker process.
func (p *Parser) openQuoted(at int, s, lead string) (Part, bool) {
	n := len(p.past)
	if n < 2 || lead != "" || strings.TrimSpace(p.past[n-1].text) != `"""` {
		return Outside, false
	}
	first, second := p.past[n-2], p.past[n-1]
	if _, message, colon, g := parseHead(first.text); g != strongHead || !colon || !blank(message) {
		return Outside, false
	}
	l := p.start(first.at, s)
	l.take(head, first.at, first.text, first.text)
	l.take(more, second.at, second.text, second.text)
	return l.take(opening, at, s, s), true
}

// announcements end lines after which frames are listed that are not those of
// an exception.
var announcements = []string{"Call stack:", "(most recent call first):", "(most recent call last):", "Traceback of forward call that caused the error:"}

// outside remembers a line that is no part of a traceback.
func (p *Parser) outside(at int, s string) {
	if s[0] != ' ' {
		p.listing = false
		for _, a := range announcements {
			p.listing = p.listing || strings.HasSuffix(s, a)
		}
	}
	if len(p.past) == maxPast {
		p.past = slices.Delete(p.past, 0, 1)
	}
	if len(s) > maxName { // a clone, so that the rest is not held
		s = strings.Clone(clip(s, maxName))
	}
	p.past = append(p.past, held{at, s})
}

// Parse reads a whole text. Indexes count its lines from 0.
func Parse(text string) []Traceback {
	var all []Traceback
	p := New(func(t Traceback) { all = append(all, t) })
	for i, line := range strings.Split(text, "\n") {
		p.Add(i, line)
	}
	p.Close()
	return all
}
