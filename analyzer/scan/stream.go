package scan

import (
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

type streamKey struct {
	doc   *source.Document
	field string
	key   string
}

// stream is a Stream while it is being read.
type stream struct {
	*Stream
	of       *Scanner
	parser   *traceback.Parser
	stacks   *traceback.StackParser
	pending  []*Event  // events of the traceback being read
	recent   []headed  // of the tracebacks being read, by seq
	opened   []opening // likewise
	frames   []*framed // of the tracebacks being read
	framed   *framed   // of the last frame, nil when that is not the user's own
	events   map[*rules.Rule]*kept
	traces   []*Trace // first keepTraces, then a ring of the last ones
	ring     []*Trace
	dumps    []*Stack
	above    logged        // the line before the current traceback
	reason   reason        // of the message being read, which gives it further down
	headline *Event        // of a program whose words are to come
	last     unlike        // Last as it is stored
	step     unlike        // Step
	calm     unlike        // Calm, which is until Close the job's last line before a sign of trouble that is neither of a traceback nor known to any rule
	bar      bar           // the last bar of progress
	uncalmed []*Event      // events after which no calm line has come yet
	alarmed  bool          // a rule matched, or a traceback began, and no step followed
	dumped   map[int]Quote // lines of the stacks being read, by Seq
	now      *moment
	stride   int
	marks    int
}

// kept holds the first and the last events of one rule.
type kept struct {
	first, last []*Event
}

func (s *Scanner) stream(l *source.Line) *stream {
	k := streamKey{l.Doc.Log(), l.Field, l.Stream}
	st := s.streams[k]
	if st == nil && s.count >= MostTexts {
		k.field = alike(k.field)
		st = s.streams[k]
	}
	if st != nil {
		return st
	}
	st = &stream{of: s, stride: 1, events: map[*rules.Rule]*kept{}}
	st.Stream = &Stream{Doc: l.Doc.Log(), Key: l.Stream, Field: k.field, Rank: l.Own, Task: l.Task, Node: l.Node, First: s.quote(l), FirstSeq: s.seq}
	st.parser = traceback.New(func(t traceback.Traceback) { s.traced(st, t) })
	st.parser.Share(&s.names)
	st.stacks = traceback.NewStacks(func(t traceback.Stack) { s.stack(st, t) })
	s.streams[k] = st
	s.live = append(s.live, st)
	s.count++
	return st
}

// alike gives the texts of a list one name.
func alike(field string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, field)
}

// see notes what every line tells of its stream.
func (st *stream) see(l *source.Line, seq int) {
	st.Lines++
	st.LastSeq = seq
	st.last.note(st.of, &st.Last, l)
	if l.Rank >= 0 && len(st.Named) < 2 && !slices.Contains(st.Named, l.Rank) {
		st.Named = append(st.Named, l.Rank)
	}
	if st.Task == "" {
		st.Task = l.Task
	}
}

// keep holds an event within the bounds of its stream.
func (st *stream) keep(e *Event) {
	k := st.events[e.Rule]
	if k == nil {
		k = &kept{}
		st.events[e.Rule] = k
	}
	more := st.of.mayHold(e.Rule)
	if more && len(k.first) < st.share(keepFirst) {
		k.first = append(k.first, e)
		st.of.hold(e.Rule, 1)
		return
	}
	room := st.share(keepLast)
	if !more {
		st.of.dropped++
		room = min(room, len(k.last))
	}
	if room == 0 {
		e.lost = true
		return
	}
	if n := len(k.last) + 1 - room; n > 0 {
		for _, old := range k.last[:n] {
			old.lost = true
		}
		k.last = slices.Delete(k.last, 0, n)
		st.of.hold(e.Rule, -n)
	}
	k.last = append(k.last, e)
	st.of.hold(e.Rule, 1)
}

// mayHold reports whether one more event of a rule fits within the bounds.
func (s *Scanner) mayHold(r *rules.Rule) bool {
	return s.events < mostEvents || s.ofRule[r] < mostOfRule
}

func (s *Scanner) hold(r *rules.Rule, n int) {
	s.events += n
	s.ofRule[r] += n
}

// share bounds what is kept of the stream, so that many streams together take
// no more memory than a few.
func (st *stream) share(most int) int {
	return max(keepLeast, min(most, most*keepAll/st.of.count))
}
