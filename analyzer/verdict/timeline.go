package verdict

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"hcloud-modelarts/analyzer/scan"
)

// maxLanes bounds a timeline: more ranks than these are no picture.
const maxLanes = 64

// Lane is what one rank did over time, or one document whose rank nobody tells.
// Its times are corrected and stand on the line of all other lanes.
type Lane struct {
	Rank        int // -1 when unknown
	Task        string
	Source      string // the document that was read first
	First, Last time.Time
	Progress    time.Time // of the last step, zero when none was seen
	Step        int64     // the last step, -1 when it has no number
	Marks       []Mark    // in order of time, of each kind and cause the first
}

// Mark is an event on a lane. A line without a time of its own was printed at
// some moment from At to Until, else Until is zero.
type Mark struct {
	At    time.Time
	Until time.Time
	Root  bool // the line that the verdict rests on; else a consequence
	Cause string
	Line  int
	open  bool // the line has no time; without Until, the lane's end bounds it
}

// Timeline is the picture of a job: which rank ran until when, and what
// happened on it.
type Timeline struct {
	Lanes []Lane
	Plain bool // wall clocks of an unknown zone
	More  int  // lanes that were left out
}

// timeline draws what has times that compare with those of the root, or with
// most others when there is none.
func (j *judge) timeline(v *Verdict) Timeline {
	d := drawing{j: j, lanes: map[string]*Lane{}}
	d.plain = d.clocks(v)
	for _, s := range j.c.Found.Streams {
		d.stream(s)
	}
	for i := range v.Why {
		if v.Why[i].Kept {
			d.mark(v.Why[i].Event, true, v.Cause)
		}
	}
	for _, s := range v.Symptoms {
		d.mark(s.Event, false, s.Cause)
	}
	return d.timeline()
}

// drawing is a timeline while it is made.
type drawing struct {
	j     *judge
	plain bool
	keys  []string
	lanes map[string]*Lane
}

// clocks says which of the two kinds of times the picture shows.
func (d *drawing) clocks(v *Verdict) (plain bool) {
	for i := range v.Why {
		if e := v.Why[i].Event; v.Why[i].Kept && !e.At.IsZero() {
			_, plain = d.j.clock.of(e.Stream, e.At, e.Zoned)
			return plain
		}
	}
	n := 0
	for _, s := range d.j.c.Found.Streams {
		if at, plain := d.j.clock.of(s, s.Last.Time, s.Last.Zoned); at.IsZero() {
			continue
		} else if plain {
			n++
		} else {
			n--
		}
	}
	return n > 0
}

func (d *drawing) stream(s *scan.Stream) {
	if s.Field != "" {
		return // the service's copy of a log, or an event of no rank
	}
	l := d.lane(s)
	d.spread(l, s, s.First.Time, s.First.Zoned)
	d.spread(l, s, s.Last.Time, s.Last.Zoned)
	for _, m := range s.Progress {
		at := d.spread(l, s, m.Time, m.Zoned)
		if !at.IsZero() && !at.Before(l.Progress) {
			l.Progress, l.Step = at, m.Step
		}
	}
}

// lane gives the lane of a stream: that of its rank, else of its document.
func (d *drawing) lane(s *scan.Stream) *Lane {
	key := "rank " + strconv.Itoa(s.Rank)
	if s.Rank < 0 {
		key = s.Doc.Name + "\x00" + s.Task // a file may hold the output of several tasks
	}
	l := d.lanes[key]
	if l == nil {
		l = &Lane{Rank: s.Rank, Task: s.Task, Source: s.Doc.Name, Step: -1}
		d.lanes[key] = l
		d.keys = append(d.keys, key)
	}
	return l
}

// spread makes a lane reach to a time, which it gives corrected; zero when the
// time does not compare with the others.
func (d *drawing) spread(l *Lane, s *scan.Stream, t time.Time, zoned bool) time.Time {
	at, plain := d.j.clock.of(s, t, zoned)
	if at.IsZero() || plain != d.plain {
		return time.Time{}
	}
	if l.First.IsZero() || at.Before(l.First) {
		l.First = at
	}
	if at.After(l.Last) {
		l.Last = at
	}
	return at
}

func (d *drawing) mark(e *scan.Event, root bool, cause string) {
	l := d.lane(e.Stream)
	at := d.spread(l, e.Stream, e.At, e.Zoned)
	if at.IsZero() {
		return
	}
	m := Mark{At: at, Root: root, Cause: cause, Line: e.Quote.Number, open: e.Quote.Time.IsZero()}
	if m.open {
		m.Until = d.spread(l, e.Stream, e.Until, e.Zoned)
	}
	same := func(o Mark) bool { return o.Root == root && o.Cause == cause }
	if i := slices.IndexFunc(l.Marks, same); i < 0 {
		l.Marks = append(l.Marks, m)
	} else if at.Before(l.Marks[i].At) {
		l.Marks[i] = m
	}
}

func (d *drawing) timeline() Timeline {
	t := Timeline{Plain: d.plain}
	for _, key := range d.keys {
		l := d.lanes[key]
		if l.First.IsZero() {
			continue
		}
		for i, m := range l.Marks {
			if m.open && m.Until.IsZero() {
				l.Marks[i].Until = l.Last
			}
		}
		slices.SortStableFunc(l.Marks, func(a, b Mark) int { return a.At.Compare(b.At) })
		t.Lanes = append(t.Lanes, *l)
	}
	if n := len(t.Lanes) - maxLanes; n > 0 {
		t.More = n
		slices.SortStableFunc(t.Lanes, func(a, b Lane) int { return cmp.Compare(a.weight(), b.weight()) })
		t.Lanes = t.Lanes[:maxLanes]
	}
	slices.SortStableFunc(t.Lanes, func(a, b Lane) int {
		return cmp.Or(cmp.Compare(uint(a.Rank), uint(b.Rank)), cmp.Compare(a.Source, b.Source))
	})
	return t
}

// weight orders lanes by what they tell: the root's first, then those with
// marks, then the rest.
func (l *Lane) weight() int {
	switch {
	case slices.ContainsFunc(l.Marks, func(m Mark) bool { return m.Root }):
		return 0
	case len(l.Marks) > 0:
		return 1
	}
	return 2
}
