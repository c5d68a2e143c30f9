package source

import (
	"bytes"
	"slices"
)

// Skimmer is a Handler that need not see every line of a long log. Lines in
// which nothing stands that concerns it are passed over where they begin like
// lines that it has seen, but for the time: it is told how many there were, and
// is handed the last of each kind.
type Skimmer interface {
	Handler

	// Hits appends to hits, in ascending order, the offsets in block at which
	// something may stand that the handler has to see. One for a line will do.
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

// Skipped is the last line of a kind in a run that was passed over.
type Skipped struct {
	Line  Line
	Count int // lines of the kind
	Place int // of the line in the run, from 0
}

// The measures of skimming.
const (
	replay   = 8       // lines handed on before one with a hit, for what it looks back at
	cooling  = 8       // lines handed on after it
	shortRun = 16      // a run of fewer lines is not worth its cost
	patience = 64      // short runs in a row before skimming rests
	resting  = 1 << 14 // lines for which it rests
	mostHits = 1 << 14 // of a block, beyond which skimming rests

)

// skim passes over lines of one document.
type skim struct {
	h     Skimmer
	block int
	warm  int   // lines to hand on before the next may be passed over
	short int   // short runs in a row
	until int64 // offset in the document before which all hits are known
	hits  []int64
	found []int
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
		d.doc.Kind == Log && d.dec.asGB == 0 && d.table.columns == nil && !d.table.device
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

// lookAhead makes sure that the hits of what follows are known. It is false at
// the end, and where lines are too long for passing over any to be worth it.
func (d *reading) lookAhead() bool {
	k, in := d.skim, d.in
	if in.offset < k.until {
		return true
	}
	k.kinds.save(in.buf)
	for in.end-in.start < k.block && !in.eof {
		in.fill()
	}
	window := in.buf[in.start:min(in.end, in.start+k.block)]
	whole := in.eof && in.start+len(window) == in.end
	end := bytes.LastIndexByte(window, '\n') + 1
	known := end
	if !whole { // the next block begins with lines that this one has seen, so that they can be replayed
		known = backLines(window[:end], replay)
	}
	if known == 0 {
		k.warm = replay
		return false
	}
	k.until = in.offset + int64(known)
	k.found = ownHits(window[:end], k.h.Hits(window[:end], k.found[:0]))
	k.hits = k.hits[:0]
	for _, h := range k.found {
		k.hits = append(k.hits, in.offset+int64(h))
	}
	if whole {
		k.hits = append(k.hits, in.offset+int64(end))
	}
	if len(k.hits) > mostHits {
		k.warm = resting
		return false
	}
	return true
}

// ownHits adds the lines whose text is not what is stored, and those that may
// be rows of a table.
func ownHits(window []byte, hits []int) []int {
	n := len(hits)
	for _, c := range []byte{'\r', '\\', 0x1b, '\t', 0} {
		for i := 0; len(hits) <= mostHits; {
			j := bytes.IndexByte(window[i:], c)
			if j < 0 {
				break
			}
			hits = append(hits, i+j)
			i += j
			if j = bytes.IndexByte(window[i:], '\n'); j < 0 {
				break
			}
			i += j
		}
	}
	if len(hits) > n {
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
	k, in := d.skim, d.in
	passed := 0
	for passed < len(k.hits) && k.hits[passed] < in.offset {
		passed++
	}
	if k.hits = k.hits[passed:]; passed > 0 {
		k.warm = cooling
		return in.start
	}
	limit := in.start + int(k.until-in.offset)
	if len(k.hits) == 0 {
		return limit
	}
	hit := in.start + int(k.hits[0]-in.offset)
	line := in.start + bytes.LastIndexByte(in.buf[in.start:hit], '\n') + 1
	return min(limit, in.start+backLines(in.buf[in.start:line], replay))
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
		t := k.kinds.find(in.buf[at:in.end])
		if t == nil || t.lane.busy {
			break
		}
		n := bytes.IndexByte(in.buf[at:in.end], '\n')
		t.count++
		t.start, t.length, t.number = at, n, number
		t.offset = in.offset + int64(at-in.start)
		at += n + 1
		number++
	}
	k.run += number - in.number
	in.advance(at - in.start)
	in.number = number
	return at >= limit
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
		raw := string(clean(d.dec.decode(t.stored), nil))
		d.kind, d.lead = d.doc.Kind, 0
		l, _ := d.lineOf(raw, t.stored, t.offset, t.number)
		k.last = append(k.last, Skipped{l, t.count, t.number - k.first})
		t.count = 0
	}
	d.texts += k.run
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
	if out.busy || drawn || l.Kind != Log || l.Platform || d.record != nil || d.first != nil || d.lead != 0 || string(l.Stored) != l.Raw {
		return
	}
	text := len(l.Raw) - len(l.Text)
	if k.warm > replay || text < 0 || l.Raw[text:] != l.Text {
		return
	}
	if head := headOf(l.Raw, text, !d.launch.labels()); head > 0 && k.h.Plain(firstWord(l.Text)) {
		if k.kinds.add(l.Raw, text, head, out) {
			k.warm = resting // of lines this various, few will be of a known kind
		}
	}
}
