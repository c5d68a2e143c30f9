package verdict

import (
	"slices"
	"time"

	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// minSkew is the smallest difference between two nodes' clocks that is worth
// correcting: below it, printing the same step a little later explains it.
const minSkew = 20 * time.Second

// clock brings the times of a case's documents onto one line.
type clock struct {
	zone map[*source.Document]time.Duration
	skew map[*source.Document]time.Duration // to be taken off
}

func newClock(c *Case) *clock {
	k := &clock{zone: c.Found.Zones, skew: map[*source.Document]time.Duration{}}
	k.measureSkew(c)
	return k
}

// of gives the corrected time of an event. Without a known zone the wall clock
// is used as it is, and plain is true: such times compare with one another only.
func (k *clock) of(doc *source.Document, t time.Time, zoned bool) (at time.Time, plain bool) {
	if t.IsZero() {
		return t, false
	}
	if !zoned {
		zone, known := k.zone[doc]
		t, plain = t.Add(-zone), !known
	}
	return t.Add(-k.skew[doc]), plain
}

// measureSkew compares the times at which documents reached the same steps.
// Ranks of one job do a step together, so a lasting difference is the clocks'.
// Of two clocks nobody knows which is right; the document read first is the
// reference.
func (k *clock) measureSkew(c *Case) {
	var ref map[int64]time.Time
	for _, doc := range c.Documents {
		steps := k.steps(c, doc)
		if len(steps) == 0 {
			continue
		}
		if ref == nil {
			ref = steps
			continue
		}
		if d, ok := lasting(ref, steps); ok {
			k.skew[doc] = d
		}
	}
}

func (k *clock) steps(c *Case, doc *source.Document) map[int64]time.Time {
	steps := map[int64]time.Time{}
	for _, s := range c.Found.Streams {
		if s.Doc != doc {
			continue
		}
		for _, m := range s.Progress {
			if _, seen := steps[m.Step]; m.Step > 0 && !m.Time.IsZero() && !seen {
				steps[m.Step], _ = k.of(doc, m.Time, m.Zoned)
			}
		}
	}
	return steps
}

// lasting gives the median difference over the steps that both have, when it is
// worth correcting and nearly the same for all of them.
func lasting(a, b map[int64]time.Time) (time.Duration, bool) {
	var ds []time.Duration
	for step, t := range b {
		if r, ok := a[step]; ok {
			ds = append(ds, t.Sub(r))
		}
	}
	if len(ds) < 3 {
		return 0, false
	}
	slices.Sort(ds)
	median := ds[len(ds)/2]
	spread := ds[len(ds)*9/10] - ds[len(ds)/10]
	return median, median.Abs() >= minSkew && spread <= max(median.Abs()/4, 5*time.Second)
}

// The grounds on which an order was decided, from the surest down.
const (
	byPosition = "position" // in one document
	byTime     = "time"
	bySkew     = "skew" // time, after the clocks were put right by common steps
	byNothing  = "none"
)

// compare says which of two events came first (-1: a) and on what ground.
//
// Within one stream the position decides. Streams that share a file were
// written at once, or one after the other by whoever put them together: there
// the times decide where they are clear.
func (k *clock) compare(a, b *scan.Event) (int, string) {
	if a.Stream == b.Stream && a.Quote.Kind != source.Event {
		return sign(a.Seq - b.Seq), byPosition
	}
	oneLog := scan.Series(a.Quote.Doc) == scan.Series(b.Quote.Doc) && a.Quote.Field == b.Quote.Field && a.Quote.Kind != source.Event
	ta, pa := k.of(a.Quote.Doc, a.At, a.Zoned)
	tb, pb := k.of(b.Quote.Doc, b.At, b.Zoned)
	known := !ta.IsZero() && !tb.IsZero() && pa == pb
	switch {
	case oneLog && (!known || ta.Sub(tb).Abs() <= sameMoment):
		return sign(a.Seq - b.Seq), byPosition
	case !known:
		return 0, byNothing
	case k.skew[a.Quote.Doc] != k.skew[b.Quote.Doc]:
		return ta.Compare(tb), bySkew
	}
	return ta.Compare(tb), byTime
}

func sign(n int) int {
	return max(-1, min(1, n))
}
