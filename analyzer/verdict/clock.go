package verdict

import (
	"slices"
	"time"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// node is what has one clock: the lines of one task in one document. A document
// that merges several tasks holds the lines of several clocks; where it names
// ranks and no tasks, each rank may be of another node.
type node struct {
	doc  *source.Document
	task string
	rank int // -1 where the task tells the node
}

func nodeOf(s *scan.Stream) node {
	if s.Task != "" {
		return node{s.Doc.Log(), s.Task, -1}
	}
	return node{s.Doc.Log(), "", s.Rank}
}

// clock brings the times of a case's documents onto one line.
type clock struct {
	zone map[*source.Document]time.Duration
	skew map[node]time.Duration // to be taken off
	// logged are the tracebacks that belong to the log record above them, and so
	// have its time.
	logged map[*traceback.Traceback]bool
}

func newClock(c *Case) *clock {
	k := &clock{zone: c.Found.Zones, skew: map[node]time.Duration{}, logged: map[*traceback.Traceback]bool{}}
	for _, t := range c.Found.Traces {
		k.logged[t.Traceback] = t.Logged()
	}
	k.measureSkew(c)
	return k
}

// of gives the corrected time of an event. Without a known zone the wall clock
// is used as it is, and plain is true: such times compare with one another only.
func (k *clock) of(s *scan.Stream, t time.Time, zoned bool) (at time.Time, plain bool) {
	if t.IsZero() {
		return t, false
	}
	if !zoned {
		zone, known := k.zone[s.Doc]
		t, plain = t.Add(-zone), !known
	}
	return t.Add(-k.skew[nodeOf(s)]), plain
}

// Bounds on differences between clocks that are worth correcting: ranks print
// one step at slightly different moments, so a small difference must be very
// regular to be the clocks'.
const (
	minSkew     = 3 * time.Second
	sureSkew    = 20 * time.Second
	skewSteps   = 3 // common steps that are enough for a large difference
	smallSteps  = 5 // and for a small one
	smallSpread = time.Second
)

// measureSkew compares the times at which nodes reached the same steps. Ranks of
// one job do a step together, so a lasting difference is the clocks'; so is the
// difference between the moments at which all of them had met, where steps do
// not tell. Of two clocks nobody knows which is right; the one read first is the
// reference.
func (k *clock) measureSkew(c *Case) {
	var ref map[int64]time.Time
	var refMet map[string]time.Time
	var nodes []node
	streams, meetings := map[node][]*scan.Stream{}, map[node][]*scan.Event{}
	for _, s := range c.Found.Streams {
		n := nodeOf(s)
		if streams[n] == nil {
			nodes = append(nodes, n)
		}
		streams[n] = append(streams[n], s)
	}
	for _, e := range c.Found.Events {
		if e.Rule.Tells(rules.AllMet) && !e.Quote.Time.IsZero() {
			n := nodeOf(e.Stream)
			meetings[n] = append(meetings[n], e)
		}
	}
	for _, n := range nodes {
		steps, met := k.steps(streams[n]), k.meetings(meetings[n])
		d, ok := lasting(ref, steps)
		if n.rank >= 0 && d.Abs() < sureSkew { // ranks of one node may print one after the other
			ok = false
		}
		if !ok {
			d, ok = apart(refMet, met)
		}
		if ok {
			k.skew[n] = d
		}
		if ref == nil && len(steps) > 0 {
			ref = steps
		}
		if refMet == nil && len(met) > 0 {
			refMet = k.meetings(meetings[n]) // anew, for the skew of the node is known now
		}
	}
}

// meetings gives when a node first told of each moment at which all ranks had
// met, by its events that tell one.
func (k *clock) meetings(events []*scan.Event) map[string]time.Time {
	met := map[string]time.Time{}
	for _, e := range events {
		if _, seen := met[e.Values.Get("met")]; !seen {
			met[e.Values.Get("met")], _ = k.of(e.Stream, e.Quote.Time, e.Quote.Zoned)
		}
	}
	return met
}

// differences gives how much later b was than a at each of the moments that both
// know, in ascending order.
func differences[K comparable](a, b map[K]time.Time) []time.Duration {
	var ds []time.Duration
	for moment, t := range b {
		if r, ok := a[moment]; ok {
			ds = append(ds, t.Sub(r))
		}
	}
	slices.Sort(ds)
	return ds
}

// apart gives how far two nodes' moments of meeting differ, when that is more
// than waiting explains and nearly the same for all of them.
func apart(a, b map[string]time.Time) (time.Duration, bool) {
	ds := differences(a, b)
	if len(ds) == 0 || ds[len(ds)-1]-ds[0] > sureSkew/4 {
		return 0, false
	}
	median := ds[len(ds)/2]
	return median, median.Abs() >= sureSkew
}

// steps gives when the streams of a node first printed each step.
func (k *clock) steps(streams []*scan.Stream) map[int64]time.Time {
	steps := map[int64]time.Time{}
	for _, s := range streams {
		for _, m := range s.Progress {
			if _, seen := steps[m.Step]; m.Step > 0 && !m.Time.IsZero() && !seen {
				steps[m.Step], _ = k.of(s, m.Time, m.Zoned)
			}
		}
	}
	return steps
}

// lasting gives the median difference over the steps that both have, when it is
// worth correcting and nearly the same for all of them.
func lasting(a, b map[int64]time.Time) (time.Duration, bool) {
	ds := differences(a, b)
	if len(ds) < skewSteps {
		return 0, false
	}
	median := ds[len(ds)/2]
	spread := ds[len(ds)*9/10] - ds[len(ds)/10]
	switch {
	case median.Abs() >= sureSkew:
		return median, spread <= max(median.Abs()/4, 5*time.Second)
	case median.Abs() >= minSkew:
		return median, len(ds) >= smallSteps && spread <= smallSpread
	}
	return 0, false
}

// span is when something happened, as far as its log tells: at one moment, or
// at an unknown one between two timed lines. A zero end is open.
type span struct {
	from, until time.Time
	plain       bool // wall clock of a zone that nobody knows
}

// span gives the time of an event: its own, or that of the log record that it
// belongs to; else that of the timed lines around it.
func (k *clock) span(e *scan.Event) span {
	var s span
	if !e.Quote.Time.IsZero() {
		s.from, s.plain = k.of(e.Stream, e.Quote.Time, e.Quote.Zoned)
		s.until = s.from
		return s
	}
	var p, q bool
	s.from, p = k.of(e.Stream, e.At, e.Zoned)
	s.until, q = k.of(e.Stream, e.Until, e.Zoned)
	s.plain = p || q
	switch {
	case e.Trace != nil && k.logged[e.Trace]:
		s.until = s.from
	case !s.until.IsZero() && s.until.Before(s.from):
		s.until = s.from // another process wrote its times late
	}
	return s
}

// known reports whether the log tells anything of the time.
func (s span) known() bool { return !s.from.IsZero() || !s.until.IsZero() }

// exact reports whether the span is a moment.
func (s span) exact() bool { return !s.from.IsZero() && s.from.Equal(s.until) }

// sameMoment is how far apart two times may lie that are taken for one moment:
// logs differ in how long they hold a line back, and some count whole seconds.
const sameMoment = 2 * time.Second

// precedes reports whether a was over, by a clear margin, before b began.
func (s span) precedes(o span) bool {
	return s.plain == o.plain && !s.until.IsZero() && !o.from.IsZero() && o.from.Sub(s.until) > sameMoment
}

// The grounds on which an order rests.
const (
	byPosition = "position" // in one document
	byTime     = "time"
	bySkew     = "skew"    // time, after the clocks were put right by common steps
	byKind     = "kind"    // what the line is, where the times do not tell
	byStep     = "step"    // the steps or collectives that ranks had reached
	byPointer  = "pointer" // others name the rank
	byNothing  = "none"
)

// farLines is how many lines two lines of one file must stand apart for their
// position to count by itself, when several processes wrote the file.
const farLines = 60

// compare says which of two events clearly came first (-1: a) and on what
// ground; 0 when that is open.
//
// Within one stream the position decides. Streams that share a file were
// written at once, or one after the other by whoever put them together: there
// the times decide, and without times a good distance.
func (k *clock) compare(a, b *scan.Event) (int, string) {
	if a.Stream == b.Stream && a.Quote.Kind != source.Event {
		return sign(a.Seq - b.Seq), byPosition
	}
	sa, sb := k.span(a), k.span(b)
	ground := byTime
	if k.skew[nodeOf(a.Stream)] != k.skew[nodeOf(b.Stream)] {
		ground = bySkew
	}
	switch {
	case sa.precedes(sb):
		return -1, ground
	case sb.precedes(sa):
		return 1, ground
	case oneLog(a, b) && !sa.known() && !sb.known() && (a.Seq-b.Seq > farLines || b.Seq-a.Seq > farLines):
		return sign(a.Seq - b.Seq), byPosition
	}
	return 0, byNothing
}

// nearly says which of two events seems to have come first where compare leaves
// it open: by times that lie within a moment, or by the position in one log.
func (k *clock) nearly(a, b *scan.Event) (int, string) {
	if oneLog(a, b) {
		return sign(a.Seq - b.Seq), byPosition
	}
	sa, sb := k.span(a), k.span(b)
	if sa.exact() && sb.exact() && sa.plain == sb.plain && !sa.from.Equal(sb.from) {
		return sa.from.Compare(sb.from), byTime
	}
	return 0, byNothing
}

// likely says which of two spans that overlap is the earlier for the most part.
func (s span) likely(o span) int {
	if s.plain != o.plain || s.from.IsZero() || o.from.IsZero() {
		return 0
	}
	open := func(t time.Time) time.Time {
		if t.IsZero() {
			return t.AddDate(9998, 0, 0)
		}
		return t
	}
	from, until := s.from.Compare(o.from), open(s.until).Compare(open(o.until))
	if from == until || until == 0 {
		return from
	}
	return 0
}

// oneLog reports whether two events stand in one text, or in parts of one.
func oneLog(a, b *scan.Event) bool {
	return scan.Series(a.Quote.Doc) == scan.Series(b.Quote.Doc) && a.Quote.Field == b.Quote.Field && a.Quote.Kind != source.Event
}

// later reports whether a came after b, as far as anything tells.
func (k *clock) later(a, b *scan.Event) bool {
	cmp, _ := k.compare(a, b)
	if cmp == 0 {
		cmp, _ = k.nearly(a, b)
	}
	return cmp > 0
}

func sign(n int) int {
	return max(-1, min(1, n))
}
