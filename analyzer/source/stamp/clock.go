package stamp

import "time"

// Calendar is the newest full time read so far; it completes times that are
// written without their year.
type Calendar struct{ at time.Time }

// Clock completes the times of one document.
type Clock struct {
	session *Calendar
	last    time.Time // last full time of the document
	zoned   bool
}

// NewClock gives the clock of a document that is read after those whose times
// the calendar knows.
func NewClock(session *Calendar) Clock { return Clock{session: session} }

// Saw tells the clock a full time that did not come from a line's text.
func (c *Clock) Saw(t time.Time, zoned bool) {
	c.last, c.zoned = t, zoned
	if c.session != nil {
		c.session.at = t
	}
}

// Resolve gives the time of a stamp, zero when its date is not known: a time
// of day takes the date of the line before, a date without a year takes the
// year that puts it next to the times read before it.
func (c *Clock) Resolve(st Time) (t time.Time, zoned bool) {
	if !st.HasDate {
		return c.nearDay(st)
	}
	if st.year < 0 {
		return c.nearYear(st)
	}
	t, ok := st.in(st.year)
	if !ok {
		return time.Time{}, false
	}
	c.Saw(t, st.zoned)
	return t, st.zoned
}

// A time of day may lie this far from the line before it; anything else is
// more likely a duration.
const (
	mostAhead  = 6 * time.Hour
	mostBehind = 10 * time.Minute
)

// nearDay completes a time of day; it follows the line before it, over
// midnight when it must.
func (c *Clock) nearDay(st Time) (time.Time, bool) {
	if c.last.IsZero() || c.zoned {
		return time.Time{}, false
	}
	y, m, d := c.last.Date()
	t := time.Date(y, m, d, st.hour, st.min, st.sec, st.nsec, time.UTC)
	switch delta := t.Sub(c.last); {
	case delta < -12*time.Hour:
		t = t.AddDate(0, 0, 1)
	case delta > 12*time.Hour:
		t = t.AddDate(0, 0, -1)
	}
	if delta := t.Sub(c.last); delta > mostAhead || delta < -mostBehind {
		return time.Time{}, false
	}
	c.last = t
	return t, false
}

func (c *Clock) nearYear(st Time) (time.Time, bool) {
	ref := c.last
	if ref.IsZero() && c.session != nil {
		ref = c.session.at
	}
	if ref.IsZero() {
		return time.Time{}, false
	}
	var best time.Time
	for year := ref.Year() - 1; year <= ref.Year()+1; year++ {
		t, ok := st.in(year)
		if ok && (best.IsZero() || t.Sub(ref).Abs() < best.Sub(ref).Abs()) {
			best = t
		}
	}
	if !best.IsZero() {
		c.last, c.zoned = best, st.zoned
	}
	return best, st.zoned && !best.IsZero()
}
