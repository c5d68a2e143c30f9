package stamp

import (
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name, in string
		want     string // in UTC; without a year or a date where it is not written
		length   int
	}{
		{"ISO with zone", "2026-06-04T02:37:04.650+08:00 x", "2026-06-03 18:37:04.65", 29},
		{"logging's comma", "2026-06-04 02:37:04,650 x", "2026-06-04 02:37:04.65", 23},
		{"Ascend's groups", "2026-06-04-02:37:04.650.409 x", "2026-06-04 02:37:04.650409", 27},
		{"month first", "06/16/2026 11:02:20 x", "2026-06-16 11:02:20", 19},
		{"day first where no month is", "16/06/2026 11:02:20 x", "2026-06-16 11:02:20", 19},
		{"Spark", "26/06/16 11:02:20 x", "2026-06-16 11:02:20", 17},
		{"compact", "20260616T110220Z x", "2026-06-16 11:02:20", 16},
		{"ctime", "Sun Jun  7 05:02:38 2026 x", "2026-06-07 05:02:38", 24},
		{"Kibana", "Jun 16, 2026 @ 11:02:20.123 x", "2026-06-16 11:02:20.123", 27},
		{"syslog has no year", "Jun  5 08:00:08 x", "", 15},
		{"detectron2 has no year", "06/16 11:02:20 x", "", 14},
		{"a time of day", "11:02:20,5 x", "", 10},
		{"no such month", "2026-13-04 02:37:04 x", "", 0},
		{"no such hour", "2026-06-04 24:37:04 x", "", 0},
		{"a number", "20260616 steps to go", "", 0},
		{"nothing", "", "", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			st, n := Parse(tt.in)
			got := ""
			if at, _, ok := st.Full(); ok {
				got = at.Format("2006-01-02 15:04:05.999999")
			}
			if got != tt.want || n != tt.length {
				t.Errorf("%q: got %q, %d bytes; want %q, %d", tt.in, got, n, tt.want, tt.length)
			}
		})
	}
}

func TestParseGlog(t *testing.T) {
	var c Clock
	c.Saw(time.Date(2026, time.January, 2, 0, 0, 0, 0, time.UTC), false)
	for in, want := range map[string]string{
		"0616 10:02:11.100 1234 a.cpp:5]": "2026-06-16 10:02:11.1",
		"616 10:02:11 a.cpp:5]":           "2026-06-16 10:02:11",
		"1231 23:59:59 a.cpp:5]":          "2025-12-31 23:59:59", // nearest to what was seen
		"16 10:02:11 a.cpp:5]":            "",
		"0616_10:02:11":                   "",
	} {
		clock, got := c, ""
		if st, n := ParseGlog(in); n > 0 {
			at, _ := clock.Resolve(st)
			got = at.Format("2006-01-02 15:04:05.999")
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// FuzzStamp checks that a time is never longer than its text, nor out of range.
func FuzzStamp(f *testing.F) {
	for _, s := range []string{"2026-06-04T02:37:04.650409+08:00 x", "Jun  5 08:00:08", "Sun Jun  7 05:02:38 2026", "06/16/26 11:02:20", "20260616T110220Z", "11:02:20,5", "2026-06-04-02:37:04.650.409", "0000-01-01 00:00:00", "9999-12-31 23:59:59"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		st, n := Parse(s)
		if n > len(s) || n > 0 && (st.hour > 23 || st.min > 59 || st.nsec < 0 || st.nsec > 999_999_999) {
			t.Fatalf("%q: %d %+v", s, n, st)
		}
		c := NewClock(&Calendar{})
		if at, _ := c.Resolve(st); n > 0 && !at.IsZero() && (at.Year() < 1989 || at.Year() > 2201) {
			t.Fatalf("%q: %v", s, at)
		}
	})
}
