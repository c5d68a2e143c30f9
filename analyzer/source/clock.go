package source

import (
	"strings"
	"time"
)

// stamp is a time as a line writes it. A part that it does not write is -1.
type stamp struct {
	year, month, day  int
	hour, min, sec    int
	nsec              int
	zoned             bool
	offset            int // seconds east of UTC, when zoned
	hasDate, hasClock bool
}

// calendar is the newest full time read so far; it completes times that are
// written without their year.
type calendar struct{ at time.Time }

// clock completes the times of one document.
type clock struct {
	session *calendar
	last    time.Time // last full time of the document
	zoned   bool
}

// resolve gives the time of a stamp, zero when its date is not known: a time
// of day takes the date of the line before, a date without a year takes the
// year that puts it next to the times read before it.
func (c *clock) resolve(st stamp) (t time.Time, zoned bool) {
	if !st.hasDate {
		return c.nearDay(st)
	}
	if st.year < 0 {
		return c.nearYear(st)
	}
	t, ok := st.in(st.year)
	if !ok {
		return time.Time{}, false
	}
	c.last, c.zoned = t, st.zoned
	if c.session != nil {
		c.session.at = t
	}
	return t, st.zoned
}

func (st stamp) in(year int) (time.Time, bool) {
	t := time.Date(year, time.Month(st.month), st.day, st.hour, st.min, st.sec, st.nsec, time.UTC)
	if t.Day() != st.day || year < 1990 || year > 2200 {
		return time.Time{}, false
	}
	return t.Add(-time.Duration(st.offset) * time.Second), true
}

// A time of day may lie this far from the line before it; anything else is
// more likely a duration.
const (
	mostAhead  = 6 * time.Hour
	mostBehind = 10 * time.Minute
)

// nearDay completes a time of day; it follows the line before it, over
// midnight when it must.
func (c *clock) nearDay(st stamp) (time.Time, bool) {
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

func (c *clock) nearYear(st stamp) (time.Time, bool) {
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

// number reads n digits at s[i:], -1 when there are none.
func number(s string, i, n int) int {
	if i+n > len(s) {
		return -1
	}
	v := 0
	for _, c := range []byte(s[i : i+n]) {
		if c < '0' || c > '9' {
			return -1
		}
		v = v*10 + int(c-'0')
	}
	return v
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// parseStamp reads a date with a time, or a time, at the start of s and says
// how long it is; 0 when there is none.
func parseStamp(s string) (stamp, int) {
	if len(s) < 8 {
		return stamp{}, 0
	}
	if !isDigit(s[0]) {
		return parseNamed(s)
	}
	switch {
	case len(s) >= 16 && (s[4] == '-' || s[4] == '/' || s[4] == '.') && s[7] == s[4]:
		return parseISO(s)
	case s[2] == ':':
		var st stamp
		n := st.clock(s, 0)
		return st, n
	case len(s) >= 16 && (s[2] == '/' || s[2] == '-'):
		return parseShort(s)
	case len(s) >= 19 && s[8] == 'T' || len(s) >= 17 && s[8] == ' ':
		return parseCompact(s)
	}
	return stamp{}, 0
}

// parseISO reads 2026-06-04T02:37:04.650+08:00 and what is written like it:
// with slashes, with a space, a dash or an underscore before the time.
func parseISO(s string) (stamp, int) {
	st := stamp{year: number(s, 0, 4), month: number(s, 5, 2), day: number(s, 8, 2)}
	if !st.setDate() {
		return stamp{}, 0
	}
	return st.withClock(s, 10)
}

func (st *stamp) setDate() bool {
	st.hasDate = st.month >= 1 && st.month <= 12 && st.day >= 1 && st.day <= 31
	return st.hasDate
}

// withClock reads the separator at s[i] and the time behind it.
func (st stamp) withClock(s string, i int) (stamp, int) {
	if i >= len(s) || strings.IndexByte(" T-_:", s[i]) < 0 {
		return stamp{}, 0
	}
	n := st.clock(s, i+1)
	if n == 0 {
		return stamp{}, 0
	}
	return st, n
}

// parseShort reads 06/16/2026 11:02:20 (the examples of Hugging Face),
// 26/06/16 11:02:20 (Spark), 06/16/26 11:02:20 (rich) and 06/16 11:02:20 or 06-16 11:02:20 (detectron2).
func parseShort(s string) (stamp, int) {
	a, b := number(s, 0, 2), number(s, 3, 2)
	switch {
	case s[5] == s[2] && isDigit(s[8]) && number(s, 6, 4) > 0:
		st := stamp{year: number(s, 6, 4), month: a, day: b}
		if !st.setDate() {
			st.month, st.day = b, a
		}
		if !st.setDate() {
			return stamp{}, 0
		}
		return st.withClock(s, 10)
	case s[5] == s[2]:
		st := stamp{year: 2000 + a, month: b, day: number(s, 6, 2)}
		if !st.setDate() {
			st = stamp{year: 2000 + number(s, 6, 2), month: a, day: b}
		}
		if !st.setDate() {
			return stamp{}, 0
		}
		return st.withClock(s, 8)
	case s[5] == ' ':
		st := stamp{year: -1, month: a, day: b}
		if !st.setDate() {
			return stamp{}, 0
		}
		return st.withClock(s, 5)
	}
	return stamp{}, 0
}

// parseCompact reads 20260616T110220Z and 20260616 11:02:20.
func parseCompact(s string) (stamp, int) {
	st := stamp{year: number(s, 0, 4), month: number(s, 4, 2), day: number(s, 6, 2)}
	if st.year < 1990 || !st.setDate() {
		return stamp{}, 0
	}
	if h := number(s, 9, 6); h >= 0 {
		st.hour, st.min, st.sec, st.hasClock = h/10000, h/100%100, h%100, true
		if !st.validClock() {
			return stamp{}, 0
		}
		return st, st.zone(s, 15)
	}
	return st.withClock(s, 8)
}

const months = "JanFebMarAprMayJunJulAugSepOctNovDec"

func month(s string) int {
	if i := strings.Index(months, s); i >= 0 && i%3 == 0 {
		return i/3 + 1
	}
	return 0
}

const weekdays = "MonTueWedThuFriSatSun"

func isWeekday(s string) bool {
	i := strings.Index(weekdays, s)
	return i >= 0 && i%3 == 0
}

// parseNamed reads the times of syslog (Jun  5 08:00:08) and of ctime and
// dmesg -T (Sun Jun  7 05:02:38 2026).
func parseNamed(s string) (stamp, int) {
	i := 0
	if len(s) > 4 && s[3] == ' ' && isWeekday(s[:3]) {
		i = 4
	}
	if len(s) < i+15 || s[i+3] != ' ' {
		return stamp{}, 0
	}
	st := stamp{year: -1, month: month(s[i : i+3])}
	if st.month == 0 {
		return stamp{}, 0
	}
	j := i + 4
	for j < len(s) && s[j] == ' ' {
		j++
	}
	k := j
	for k < len(s) && isDigit(s[k]) {
		k++
	}
	st.day = number(s, j, k-j)
	if k == j || !st.setDate() {
		return stamp{}, 0
	}
	if rest, ok := strings.CutPrefix(s[k:], ", "); ok && i == 0 { // Kibana's "Jun 16, 2026 @ 11:02:20.123"
		if st.year = number(rest, 0, 4); st.year < 1990 {
			return stamp{}, 0
		}
		k += len(", 2026")
		k += len(" @") * count(strings.HasPrefix(s[k:], " @ "))
		return st.withClock(s, k)
	}
	st, n := st.withClock(s, k)
	if n == 0 {
		return stamp{}, 0
	}
	if i > 0 && n+5 <= len(s) && s[n] == ' ' && number(s, n+1, 4) > 1990 {
		st.year = number(s, n+1, 4)
		n += 5
	}
	return st, n
}

// clock reads hh:mm[:ss][.frac][zone] at s[i:] and gives the end, 0 when it is
// not one.
func (st *stamp) clock(s string, i int) int {
	h, m := number(s, i, 2), -1
	if h >= 0 && i+5 <= len(s) && s[i+2] == ':' {
		m = number(s, i+3, 2)
	}
	if m < 0 {
		return 0
	}
	st.hour, st.min, st.hasClock = h, m, true
	n := i + 5
	if n < len(s) && s[n] == ':' {
		if st.sec = number(s, n+1, 2); st.sec < 0 {
			return 0
		}
		n += 3
	} else if !st.hasDate {
		return 0
	}
	if !st.validClock() {
		return 0
	}
	n = st.fraction(s, n)
	return st.zone(s, n)
}

func (st *stamp) validClock() bool { return st.hour < 24 && st.min < 60 && st.sec < 61 }

// fraction reads .650, ,650 and, as Ascend writes it, .650.409.
func (st *stamp) fraction(s string, i int) int {
	if i+1 >= len(s) || (s[i] != '.' && s[i] != ',') || !isDigit(s[i+1]) {
		return i
	}
	i++
	scale := 100_000_000
	for groups := 0; groups < 2; groups++ {
		for i < len(s) && isDigit(s[i]) {
			st.nsec += int(s[i]-'0') * scale
			scale /= 10
			i++
		}
		if i+3 >= len(s) || s[i] != '.' || number(s, i+1, 3) < 0 || scale != 100_000 {
			break
		}
		i++
	}
	return i
}

// zone reads Z, +08:00, +0800 and " +0800" at s[i:].
func (st *stamp) zone(s string, i int) int {
	j := i
	if j < len(s) && s[j] == 'Z' {
		st.zoned = true
		return j + 1
	}
	if j+1 < len(s) && s[j] == ' ' && (s[j+1] == '+' || s[j+1] == '-') {
		j++
	}
	if j+5 > len(s) || s[j] != '+' && s[j] != '-' {
		if strings.HasPrefix(s[i:], " UTC") {
			st.zoned = true
			return i + 4
		}
		if strings.HasPrefix(s[i:], " GMT+") || strings.HasPrefix(s[i:], " GMT-") {
			return st.zone(s, i+len(" GMT"))
		}
		return i
	}
	h, k := number(s, j+1, 2), j+3
	if k < len(s) && s[k] == ':' {
		k++
	}
	m := number(s, k, 2)
	if h < 0 || h > 14 || m < 0 || m > 59 || k+2 < len(s) && isDigit(s[k+2]) {
		return i
	}
	st.zoned = true
	st.offset = h*3600 + m*60
	if s[j] == '-' {
		st.offset = -st.offset
	}
	return k + 2
}
