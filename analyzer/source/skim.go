package source

import (
	"bytes"
	"slices"

	"hcloud-modelarts/analyzer/source/charset"
)

// Skimmer is a Handler that need not see every line of a long log. Lines in
// which nothing stands that concerns it are passed over where they begin like
// lines that it has seen, but for the time: it is told how many there were, and
// is handed the last of each kind.
type Skimmer interface {
	Handler

	// Hits appends to hits, in ascending order, the offsets in block at which
	// something may stand that the handler has to see. One for a line will do.
	// Several goroutines call it at a time, also beside the other methods.
	Hits(block []byte, hits []int) []int

	// Plain reports whether a line whose text begins with a word concerns the
	// handler only by what Hits finds in it.
	Plain(word string) bool

	// Idle reports whether the stream of the line that was handed on last, and
	// its document, wait for nothing, so that further lines may be passed over.
	Idle() (stream, document bool)

	// Skip takes the place of Line for lines that were passed over, n in all.
	// Each of last stands for those of its kind; together they are in order.
	Skip(last []Skipped, n int)
}

// Skipped is the last line of a kind in a run that was passed over, or one that
// tells the time of such a line, which tells none itself.
type Skipped struct {
	Line  Line
	Count int // lines of the kind, 0 where the line is there for its time
	Place int // of the line in the run, from 0
}

// The measures of skimming.
const (
	replay   = 8       // lines handed on before one with a hit, for what it looks back at
	cooling  = 8       // lines handed on after it
	shortRun = 16      // a run of fewer lines is not worth its cost
	patience = 64      // short runs in a row before skimming rests
	resting  = 1 << 14 // lines for which it rests
	mostHits = 1 << 12 // of two blocks, beyond which skimming rests

	shortLine = 16 // bytes of a line that is looked for again behind itself
)

// skim passes over lines of one document.
type skim struct {
	h     Skimmer
	block int
	warm  int // lines to hand on before the next may be passed over
	short int // short runs in a row
	lanes map[string]*lane
	kinds kinds
	run   int // lines passed over and not yet told
	first int // number of the first of them
	last  []Skipped
}

// lane is an output stream; lines of a busy one are all handed on.
type lane struct{ busy bool }

func newSkim(h Handler, block int) *skim {
	s, ok := h.(Skimmer)
	if !ok {
		return nil
	}
	return &skim{h: s, block: block, lanes: map[string]*lane{}}
}

// skimming reports whether lines may be passed over where the document stands.
func (d *reading) skimming() bool {
	k := d.skim
	switch {
	case k == nil || d.texts <= headLines:
		return false
	case k.warm > 0:
		k.warm--
		return false
	}
	return !d.pending.active && d.section == nil && d.ticket == nil && d.page == nil && d.journal == nil && d.export == nil && d.record == nil &&
		ofPrograms(d.doc.Kind) && !d.dec.GB() && d.table.columns == nil && !d.table.device && d.hard == nil
}

// pass goes past the lines up to the next one that has to be handed on.
func (d *reading) pass() {
	for d.lookAhead() {
		limit := d.quiet()
		if limit <= d.in.start || !d.passTo(limit) {
			return
		}
	}
}

// ofPrograms reports whether programs print lines of a kind one behind the other.
func ofPrograms(k Kind) bool { return k == Log || k == Kernel || k == Device }

// lookAhead makes sure that there is a line, of which it is known whether
// anything stands in it. It is false at the end, and where lines are too long or
// too many have hits for passing over any to be worth it.
func (d *reading) lookAhead() bool {
	k, in := d.skim, d.in
	if in.ahead == nil {
		in.scout(k.block, func(block []byte, hits []int) []int { return ownHits(block, k.h.Hits(block, hits), k.h.Hits) })
	}
	for in.start == in.end {
		if in.eof {
			return false
		}
		k.kinds.save(in.buf)
		in.fill()
	}
	switch {
	case in.met():
		k.warm = cooling
	case in.wholeLines() == 0:
		k.warm = replay
	case len(in.hits) > mostHits:
		k.warm = resting
	default:
		return true
	}
	return false
}

// ownHits adds the lines whose text is not what is stored, and those that may
// be rows of a table. Of lines that have colours those are added in which find
// finds something.
func ownHits(window []byte, hits []int, find func([]byte, []int) []int) []int {
	n := len(hits)
	var coloured colours
	for i := nextOdd(window, 0); i >= 0; i = nextOdd(window, i) {
		if n := colour(window[i:]); n > 0 {
			coloured.add(window, i)
			i += n
			continue
		}
		hits = append(hits, i)
		end := bytes.IndexByte(window[i:], '\n')
		if end < 0 {
			break
		}
		i += end
	}
	if hits = coloured.hits(hits, find); len(hits) > n {
		slices.Sort(hits)
	}
	return hits
}

// backLines gives where the last n whole lines of b begin, 0 when it has no
// more of them.
func backLines(b []byte, n int) int {
	at := len(b)
	for range n {
		if at == 0 {
			return 0
		}
		at = bytes.LastIndexByte(b[:at-1], '\n') + 1
	}
	return at
}

// quiet gives the offset in the buffer up to which lines may be passed over.
func (d *reading) quiet() int {
	in := d.in
	next := in.upcoming()
	if len(in.hits) > 0 && in.hits[0] < in.offset+int64(in.end-in.start) {
		hit := in.start + int(in.hits[0]-in.offset)
		line := in.start + bytes.LastIndexByte(in.buf[in.start:hit], '\n') + 1
		return in.start + backLines(in.buf[in.start:line], replay)
	}
	before := 0 // lines of the next block before its first hit
	if next != nil {
		before = next.linesBefore(replay)
	}
	return in.start + backLines(in.buf[in.start:in.start+in.wholeLines()], replay-before)
}

// passTo goes past lines up to a place in the buffer, false when it came to
// one that is of no known kind.
func (d *reading) passTo(limit int) bool {
	k, in := d.skim, d.in
	if k.run == 0 {
		k.first = in.number
	}
	at, number := in.start, in.number
	for at < limit {
		t, n := k.kinds.find(in.buf[at:])
		if t == nil || t.lane.busy || late(number) && d.launch.form == noLabel {
			break
		}
		more := 0 // lines that are the same
		if n < shortLine {
			more = min(repeats(in.buf[at:limit], n+1), d.untilLate(number+1))
		}
		t.count += 1 + more
		at, number = at+more*(n+1), number+more
		t.spot = spot{at, n, in.offset + int64(at-in.start), number}
		if t.timed {
			k.kinds.time.spot = t.spot
		} else {
			t.above.copy(&k.kinds.time)
		}
		at += n + 1
		number++
	}
	k.run += number - in.number
	in.advance(at - in.start)
	in.number = number
	return at >= limit
}

// repeats gives how often the first n bytes of a text follow themselves, or less.
func repeats(text []byte, n int) int {
	const step = 64
	same := 0
	for same+n+step <= len(text) && bytes.Equal(text[same:same+step], text[same+n:same+n+step]) {
		same += step
	}
	return same / n
}

// tell tells the handler of the run that was passed over.
func (d *reading) tell() {
	k := d.skim
	if k == nil || k.run == 0 {
		return
	}
	k.kinds.save(d.in.buf)
	k.last = k.last[:0]
	for _, t := range k.kinds.take() {
		stored := d.trimReturns(t.stored)
		raw := string(charset.Clean(d.dec.Decode(stored), nil))
		d.kind, d.lead = d.doc.Kind, 0
		l, _ := d.lineOf(raw, stored, t.offset, t.number)
		k.last = append(k.last, Skipped{l, t.count, t.number - k.first})
	}
	k.kinds.forget()
	d.texts += k.run
	d.blank = 0
	k.h.Skip(k.last, k.run)
	if k.short++; k.run >= shortRun {
		k.short = 0
	}
	if k.run = 0; k.short >= patience {
		k.short, k.warm = 0, resting
	}
}

// learn takes a line that was handed on as an example of its kind.
func (d *reading) learn(l *Line, drawn bool) {
	k := d.skim
	if k == nil || d.texts <= headLines {
		return
	}
	stream, document := k.h.Idle()
	out := k.lanes[l.Stream]
	if out == nil {
		out = &lane{}
		k.lanes[l.Stream] = out
	}
	if out.busy = !stream; !document {
		k.warm = max(k.warm, 1)
	}
	if out.busy || drawn || !ofPrograms(l.Kind) || l.Platform || d.record != nil || d.first != nil || d.lead != 0 {
		return
	}
	stored := string(l.Stored)
	if stored != l.Raw && withoutColours(stored) != l.Raw {
		return
	}
	text := len(l.Raw) - len(l.Text)
	if k.warm > replay || text < 0 || l.Raw[text:] != l.Text {
		return
	}
	if head := headOf(l.Raw, text, !d.launch.labels()); head > 0 && k.h.Plain(firstWord(l.Text)) {
		end := "\n"
		if d.returns {
			end = "\r\n"
		}
		if stored != l.Raw {
			text, head = storedHead(stored, text), storedHead(stored+end, head)
		}
		if head <= longestHead && k.kinds.add(stored+end, text, head, l.hasTime(), out) {
			k.warm = resting // of lines this various, few will be of a known kind
		}
	}
}
