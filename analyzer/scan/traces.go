package scan

import (
	"slices"
	"time"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// logged is what a traceback tells of the line above it.
type logged struct{ text, level string }

// headed is the line of an exception.
type headed struct {
	seq   int
	quote *Quote // nil when it was handed on
}

// opening is what stood around a traceback when it began; it is handed on only
// some lines after its end.
type opening struct {
	seq     int
	above   logged // the line before it
	at      time.Time
	zoned   bool
	attempt int
}

// openAt gives what stands around a traceback that begins at the current line,
// in a document.
func (st *stream) openAt(seq int, d *source.Document) opening {
	return opening{seq, st.above, st.now.at, st.now.zoned, st.of.attempt(d)}
}

// stamp tells the parser what was taken off before the text.
func stamp(l *source.Line) traceback.Stamp {
	var s traceback.Stamp
	if !l.Time.IsZero() {
		s |= traceback.Timed
	}
	if l.Level != "" || l.Platform {
		s |= traceback.Leveled
	}
	return s
}

// forget bounds what waits for the end of a traceback: a chain of exceptions
// has no end of its own. Of a long one the ends count.
func (st *stream) forget() {
	if len(st.opened) > mostHeads {
		open := st.parser.Open()
		st.opened = slices.DeleteFunc(st.opened, func(o opening) bool { return !slices.Contains(open, o.seq) })
	}
	if n := len(st.recent); n > mostHeads {
		st.recent = slices.Delete(st.recent, mostHeads/2, n-mostHeads/4)
	}
	if n := len(st.pending); n > mostHeads {
		for _, e := range st.pending[mostHeads/2 : n-mostHeads/4] {
			st.keep(e)
		}
		st.pending = slices.Delete(st.pending, mostHeads/2, n-mostHeads/4)
	}
}

// mostStackLines bounds the lines of stacks that are held until a stack is whole.
const mostStackLines = 2048

// noteStack holds a line of a stack until the stack is whole.
func (st *stream) noteStack(seq int, l *source.Line) {
	if len(st.dumped) >= mostStackLines || st.dumped == nil {
		st.dumped = map[int]Quote{}
	}
	st.dumped[seq] = st.of.quote(l)
}

// traced takes a whole traceback: its events learn which exception they are of,
// and an exception that no rule knows gets an event all the same.
func (s *Scanner) traced(st *stream, t traceback.Traceback) {
	o := st.openAt(t.Start, st.Doc)
	if at := slices.IndexFunc(st.opened, func(o opening) bool { return o.seq == t.Start }); at >= 0 { // else it began without a header
		o = st.opened[at]
	}
	known := st.claim(&t)
	heads := make([]*Quote, len(t.Exceptions))
	for i, x := range t.Exceptions {
		heads[i] = st.head(x.At)
		if q := heads[i]; q != nil && !known[i] && s.fallback != nil {
			st.keep(&Event{Rule: s.fallback, Values: rules.Values{{Name: "type", Text: x.Type}}, Quote: *q, Stream: st.Stream, Seq: x.At,
				At: o.at, Zoned: o.zoned, Trace: &t, Exception: i, Attempt: o.attempt})
		}
	}
	st.recent = s.headLists.rest(slices.DeleteFunc(st.recent, func(h headed) bool { return h.quote == nil }))
	st.opened = s.openLists.rest(slices.DeleteFunc(st.opened, func(o opening) bool { return t.Start <= o.seq && o.seq <= t.End }))
	if list := st.makeRoom(); list != nil {
		*list = append(*list, &Trace{Traceback: &t, Heads: heads, Places: st.places(&t), Stream: st.Stream,
			Above: o.above.text, AboveLvl: o.above.level, Attempt: o.attempt, At: o.at, Zoned: o.zoned})
		s.traces++
	}
	st.leaveFrames(&t)
}

// mayTrace reports whether the stream may hold one more traceback.
func (st *stream) mayTrace() bool { return st.of.traces < mostTraces || len(st.ring) > 0 }

// makeRoom gives the list that holds one more traceback, in the place of another
// when that must be; nil when none does.
func (st *stream) makeRoom() *[]*Trace {
	s, room := st.of, st.share(keepTraces)
	if s.traces >= mostTraces {
		s.dropped++
		room = min(room, len(st.ring))
	} else if len(st.traces) < room {
		return &st.traces
	}
	if room == 0 {
		return nil
	}
	if n := len(st.ring) + 1 - room; n > 0 {
		st.ring = slices.Delete(st.ring, 0, n)
		s.traces -= n
	}
	return &st.ring
}

// addHead makes room for the line of an exception.
func (st *stream) addHead(seq int) {
	if st.recent == nil {
		st.recent = st.of.headLists.take()
	}
	st.recent = append(st.recent, headed{seq: seq})
}

// quoteHead quotes the line of an exception, which its event has done already
// where the line is short.
func (st *stream) quoteHead(seq int, l *source.Line, e *Event) {
	n := len(st.recent)
	if n == 0 || st.recent[n-1].seq != seq {
		return
	}
	if e != nil && e.Quote.Doc != nil && len(l.Raw) <= longest {
		st.recent[n-1].quote = &e.Quote
		return
	}
	q := st.of.quote(l)
	st.recent[n-1].quote = &q
}

// head takes the line of an exception, nil when it is not there.
func (st *stream) head(at int) (q *Quote) {
	if i, ok := slices.BinarySearchFunc(st.recent, at, func(h headed, at int) int { return h.seq - at }); ok {
		q, st.recent[i].quote = st.recent[i].quote, q
	}
	return q
}

// claim gives a whole traceback those of the waiting events that its exceptions
// printed, and tells which exceptions have one. The others wait on: they may
// belong to a traceback that another process is still printing.
func (st *stream) claim(t *traceback.Traceback) []bool {
	known := make([]bool, len(t.Exceptions))
	rest := st.pending[:0]
	for _, e := range st.pending {
		for i, x := range t.Exceptions {
			if x.At <= e.Seq && e.Seq <= x.End {
				e.Trace, e.Exception = t, i
				known[i] = known[i] || e.Rule.Role != rules.Context
			}
		}
		if e.Trace == nil && len(rest) < keepOpen {
			rest = append(rest, e)
		} else {
			st.keep(e)
		}
	}
	st.pending = rest
	return known
}

// stack takes the whole stack of one thread.
func (s *Scanner) stack(st *stream, t traceback.Stack) {
	d := &Stack{Stack: t, Quote: st.dumped[t.Start], Stream: st.Stream, Seq: t.Start, Attempt: s.attempt(st.Doc)}
	for i, f := range t.Frames {
		if i == 0 || f.User {
			d.Top = st.dumped[f.At]
		}
		if f.User {
			break
		}
	}
	if len(st.dumps) < st.share(keepTraces) {
		st.dumps = append(st.dumps, d)
	}
	for seq := range st.dumped {
		if seq <= t.End {
			delete(st.dumped, seq)
		}
	}
}
