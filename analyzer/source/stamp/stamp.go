// Package stamp reads the times that lines of logs begin with, in the forms of
// logging libraries, collectors, kernels and devices, and completes those that
// are written without their date or year.
package stamp

import (
	"strings"
	"time"

	"hcloud-modelarts/analyzer/ascii"
)

// Time is a time as a line writes it. A part that it does not write is -1.
type Time struct {
	year, month, day  int
	hour, min, sec    int
	nsec              int
	zoned             bool
	offset            int // seconds east of UTC, when zoned
	HasDate, hasClock bool
}

// Full gives the time where it is written with its date and year; it is in UTC
// when zoned, else the wall clock as written.
func (st Time) Full() (t time.Time, zoned, ok bool) {
	if !st.HasDate || st.year < 0 {
		return time.Time{}, false, false
	}
	t, ok = st.in(st.year)
	return t, st.zoned, ok
}

// in gives the time in a year.
func (st Time) in(year int) (time.Time, bool) {
	t := time.Date(year, time.Month(st.month), st.day, st.hour, st.min, st.sec, st.nsec, time.UTC)
	if t.Day() != st.day || year < 1990 || year > 2200 {
		return time.Time{}, false
	}
	return t.Add(-time.Duration(st.offset) * time.Second), true
}

// Parse reads a date with a time, or a time, at the start of s and says
// how long it is; 0 when there is none.
func Parse(s string) (Time, int) {
	if len(s) < 8 {
		return Time{}, 0
	}
	if !ascii.IsDigit(s[0]) {
		return ParseNamed(s)
	}
	switch {
	case len(s) >= 16 && (s[4] == '-' || s[4] == '/' || s[4] == '.') && s[7] == s[4]:
		return parseISO(s)
	case s[2] == ':':
		var st Time
		n := st.clock(s, 0)
		return st, n
	case len(s) >= 16 && (s[2] == '/' || s[2] == '-'):
		return parseShort(s)
	case len(s) >= 15 && s[8] == 'T' || len(s) >= 17 && s[8] == ' ':
		return parseCompact(s)
	}
	return Time{}, 0
}

// parseISO reads 2026-06-04T02:37:04.650+08:00 and what is written like it:
// with slashes, with a space, a dash or an underscore before the time.
func parseISO(s string) (Time, int) {
	st := Time{year: ascii.Number(s, 0, 4), month: ascii.Number(s, 5, 2), day: ascii.Number(s, 8, 2)}
	if !st.setDate() {
		return Time{}, 0
	}
	return st.withClock(s, 10)
}

func (st *Time) setDate() bool {
	st.HasDate = st.month >= 1 && st.month <= 12 && st.day >= 1 && st.day <= 31
	return st.HasDate
}

// withClock reads the separator at s[i] and the time behind it.
func (st Time) withClock(s string, i int) (Time, int) {
	if i >= len(s) || strings.IndexByte(" T-_:", s[i]) < 0 {
		return Time{}, 0
	}
	n := st.clock(s, i+1)
	if n == 0 {
		return Time{}, 0
	}
	return st, n
}

// parseShort reads 06/16/2026 11:02:20 (the examples of Hugging Face),
// 26/06/16 11:02:20 (Spark), 06/16/26 11:02:20 (rich) and 06/16 11:02:20 or 06-16 11:02:20 (detectron2).
func parseShort(s string) (Time, int) {
	a, b := ascii.Number(s, 0, 2), ascii.Number(s, 3, 2)
	switch {
	case s[5] == s[2] && ascii.IsDigit(s[8]) && ascii.Number(s, 6, 4) > 0:
		st := Time{year: ascii.Number(s, 6, 4), month: a, day: b}
		if !st.setDate() {
			st.month, st.day = b, a
		}
		if !st.setDate() {
			return Time{}, 0
		}
		return st.withClock(s, 10)
	case s[5] == s[2]:
		st := Time{year: 2000 + a, month: b, day: ascii.Number(s, 6, 2)}
		if !st.setDate() {
			st = Time{year: 2000 + ascii.Number(s, 6, 2), month: a, day: b}
		}
		if !st.setDate() {
			return Time{}, 0
		}
		return st.withClock(s, 8)
	case s[5] == ' ':
		st := Time{year: -1, month: a, day: b}
		if !st.setDate() {
			return Time{}, 0
		}
		return st.withClock(s, 5)
	}
	return Time{}, 0
}

// parseCompact reads 20260616T110220Z and 20260616 11:02:20.
func parseCompact(s string) (Time, int) {
	st := Time{year: ascii.Number(s, 0, 4), month: ascii.Number(s, 4, 2), day: ascii.Number(s, 6, 2)}
	if st.year < 1990 || !st.setDate() {
		return Time{}, 0
	}
	if h := ascii.Number(s, 9, 6); h >= 0 {
		st.hour, st.min, st.sec, st.hasClock = h/10000, h/100%100, h%100, true
		if !st.validClock() {
			return Time{}, 0
		}
		return st, st.zone(s, 15)
	}
	return st.withClock(s, 8)
}

// ParseGlog reads "0616 10:02:11.123456" as glog and klog write it, and c10's
// "616 10:02:11.100", at the start of s and says how long it is; 0 when there is
// none.
func ParseGlog(s string) (Time, int) {
	i := strings.IndexByte(s, ' ')
	if i != 3 && i != 4 {
		return Time{}, 0
	}
	st := Time{year: -1, month: ascii.Number(s, 0, i-2), day: ascii.Number(s, i-2, 2)}
	st.setDate()
	n := st.clock(s, i+1)
	return st, n
}

const months = "JanFebMarAprMayJunJulAugSepOctNovDec"

// Month gives the number of "Jan" to "Dec", 0 for anything else.
func Month(s string) int {
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

// ParseNamed reads the times of syslog (Jun  5 08:00:08) and of ctime and
// dmesg -T (Sun Jun  7 05:02:38 2026).
func ParseNamed(s string) (Time, int) {
	i := 0
	if len(s) > 4 && s[3] == ' ' && isWeekday(s[:3]) {
		i = 4
	}
	if len(s) < i+15 || s[i+3] != ' ' {
		return Time{}, 0
	}
	st := Time{year: -1, month: Month(s[i : i+3])}
	if st.month == 0 {
		return Time{}, 0
	}
	j := i + 4
	for j < len(s) && s[j] == ' ' {
		j++
	}
	k := j
	for k < len(s) && ascii.IsDigit(s[k]) {
		k++
	}
	st.day = ascii.Number(s, j, k-j)
	if k == j || !st.setDate() {
		return Time{}, 0
	}
	if rest, ok := strings.CutPrefix(s[k:], ", "); ok && i == 0 { // Kibana's "Jun 16, 2026 @ 11:02:20.123"
		if st.year = ascii.Number(rest, 0, 4); st.year < 1990 {
			return Time{}, 0
		}
		k += len(", 2026")
		if strings.HasPrefix(s[k:], " @ ") {
			k += len(" @")
		}
		return st.withClock(s, k)
	}
	st, n := st.withClock(s, k)
	if n == 0 {
		return Time{}, 0
	}
	if i > 0 && n+5 <= len(s) && s[n] == ' ' && ascii.Number(s, n+1, 4) > 1990 {
		st.year = ascii.Number(s, n+1, 4)
		n += 5
	}
	return st, n
}

// clock reads hh:mm[:ss][.frac][zone] at s[i:] and gives the end, 0 when it is
// not one.
func (st *Time) clock(s string, i int) int {
	h, m := ascii.Number(s, i, 2), -1
	if h >= 0 && i+5 <= len(s) && s[i+2] == ':' {
		m = ascii.Number(s, i+3, 2)
	}
	if m < 0 {
		return 0
	}
	st.hour, st.min, st.hasClock = h, m, true
	n := i + 5
	if n < len(s) && s[n] == ':' {
		if st.sec = ascii.Number(s, n+1, 2); st.sec < 0 {
			return 0
		}
		n += 3
	} else if !st.HasDate {
		return 0
	}
	if !st.validClock() {
		return 0
	}
	n = st.fraction(s, n)
	return st.zone(s, n)
}

func (st *Time) validClock() bool { return st.hour < 24 && st.min < 60 && st.sec < 61 }

// fraction reads .650, ,650 and, as Ascend writes it, .650.409.
func (st *Time) fraction(s string, i int) int {
	if i+1 >= len(s) || (s[i] != '.' && s[i] != ',') || !ascii.IsDigit(s[i+1]) {
		return i
	}
	i++
	scale := 100_000_000
	for groups := 0; groups < 2; groups++ {
		for i < len(s) && ascii.IsDigit(s[i]) {
			st.nsec += int(s[i]-'0') * scale
			scale /= 10
			i++
		}
		if i+3 >= len(s) || s[i] != '.' || ascii.Number(s, i+1, 3) < 0 || scale != 100_000 {
			break
		}
		i++
	}
	return i
}

// zone reads Z, +08:00, +0800 and " +0800" at s[i:].
func (st *Time) zone(s string, i int) int {
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
	h, k := ascii.Number(s, j+1, 2), j+3
	if k < len(s) && s[k] == ':' {
		k++
	}
	m := ascii.Number(s, k, 2)
	if h < 0 || h > 14 || m < 0 || m > 59 || k+2 < len(s) && ascii.IsDigit(s[k+2]) {
		return i
	}
	st.zoned = true
	st.offset = h*3600 + m*60
	if s[j] == '-' {
		st.offset = -st.offset
	}
	return k + 2
}
