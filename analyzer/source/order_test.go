package source

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Lines that stand newest first are handed on oldest first, under their own
// numbers; all others stay as they stand.
func TestNewestFirst(t *testing.T) {
	const (
		open  = "Traceback (most recent call last):"
		frame = `  File "a.py", line 1, in f`
	)
	at := func(second int) string { return fmt.Sprintf("2026-07-15 07:00:%02d ", second) }
	tests := []struct {
		name, in, want string
		noted          string
	}{
		{"every line has its time", at(9) + "d\n" + at(8) + "c\n" + at(7) + "b\n" + at(6) + "a\n", "4 3 2 1", "newest-first"},
		{"lines of one moment", at(9) + "e\n" + at(8) + "d\n" + at(8) + "c\n" + at(7) + "b\n" + at(6) + "a\n", "5 4 3 2 1", "newest-first"},
		{"a traceback of one moment, upright", at(9) + "c\n" + at(8) + open + "\n" + at(8) + frame + "\n" + at(8) + "E: x\n" + at(7) + "b\n" + at(6) + "a\n", "6 5 2 3 4 1", "newest-first"},
		{"a traceback of one moment, upside down", at(9) + "c\n" + at(8) + "E: x\n" + at(8) + frame + "\n" + at(8) + open + "\n" + at(7) + "b\n" + at(6) + "a\n", "6 5 4 3 2 1", "newest-first"},
		{"records of several lines, below a heading", "-- Logs begin\n" + at(9) + "d\n" + at(8) + open + "\n" + frame + "\nE: x\n" + at(7) + "b\n" + at(6) + "a\n", "1 7 6 3 4 5 2", "newest-first"},
		{"all lines turned", at(9) + "d\nE: x\n" + frame + "\n" + open + "\n" + at(8) + "c\n" + at(7) + "b\n" + at(6) + "a\n", "7 6 5 4 3 2 1", "newest-first"},
		{"syslog, without a year", "Jul 15 07:00:09 n t[1]: d\nJul 15 07:00:08 n t[1]: c\nJul 15 07:00:07 n t[1]: b\nJul 15 07:00:06 n t[1]: a\n", "4 3 2 1", "newest-first"},
		{"JSON lines", `{"time":"2026-07-15T07:00:09Z","stream":"stderr","log":"d\n"}` + "\n" + `{"time":"2026-07-15T07:00:08Z","stream":"stderr","log":"c\n"}` + "\n" +
			`{"time":"2026-07-15T07:00:07Z","stream":"stderr","log":"b\n"}` + "\n" + `{"time":"2026-07-15T07:00:06Z","stream":"stderr","log":"a\n"}` + "\n", "4 3 2 1", "newest-first"},
		{"an export of journald", "__CURSOR=d\n__REALTIME_TIMESTAMP=1781578949000000\nMESSAGE=d\n\n__CURSOR=c\n__REALTIME_TIMESTAMP=1781578948000000\nMESSAGE=c\n\n" +
			"__CURSOR=b\n__REALTIME_TIMESTAMP=1781578947000000\nMESSAGE=b\n\n__CURSOR=a\n__REALTIME_TIMESTAMP=1781578946000000\nMESSAGE=a\n", "15 11 7 3", "newest-first"},
		{"Kibana's CSV", "@timestamp,message\n\"Jul 15, 2026 @ 07:00:09.000\",b\n\"Jul 15, 2026 @ 07:00:08.999\",a\n", "1 3 2", ""},
		{"CSV whose rows of one moment stand upright", "time,content\n" + at(9) + ",c\n" + at(8) + "," + open + "\n" + at(8) + ",\"" + strings.ReplaceAll(frame, `"`, `""`) + "\"\n" + at(7) + ",a\n", "1 5 3 4 2", ""},
		{"times that fall once", at(9) + "a\n" + at(8) + "b\n" + at(9) + "c\n" + at(10) + "d\n", "1 2 3 4", ""},
		{"times that fall too seldom", at(9) + "a\n" + at(9) + "b\n" + at(8) + "c\n" + at(8) + "d\n" + at(7) + "e\n", "1 2 3 4 5", ""},
		{"times that rise in the end", at(9) + "a\n" + at(8) + "b\n" + at(7) + "c\n" + at(6) + "d\n" + strings.Repeat("x\n", 40<<10) + at(9) + "z\n", "", ""},
		{"clocks that cannot be compared", at(9) + "a\n2026-07-15T07:00:08Z b\n" + at(7) + "c\n" + at(6) + "d\n" + at(5) + "e\n", "1 2 3 4 5", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := readText(t, tt.in, Limits{})
			var got []string
			for _, l := range r.lines {
				got = append(got, fmt.Sprint(l.Number))
				if !strings.HasPrefix(tt.in[l.Offset:], string(l.Stored)) {
					t.Errorf("line %d is not at offset %d", l.Number, l.Offset)
				}
			}
			if tt.want == "" {
				for i, l := range r.lines {
					if l.Number != i+1 {
						t.Fatalf("line %d came as number %d", l.Number, i+1)
					}
				}
			} else if d := cmp.Diff(tt.want, strings.Join(got, " ")); d != "" {
				t.Errorf("numbers (-want +got):\n%s", d)
			}
			want := []string(nil)
			if tt.noted != "" {
				want = []string{"-: " + tt.noted}
			}
			if d := cmp.Diff(want, r.codes()); d != "" {
				t.Errorf("notes (-want +got):\n%s", d)
			}
		})
	}
}

// What is too long to be held is handed on as it stands.
func TestNewestFirstIsBounded(t *testing.T) {
	var b strings.Builder
	noon := time.Date(2026, time.July, 15, 12, 0, 0, 0, time.UTC)
	for i := range mostTurned>>13 + 100 {
		fmt.Fprintf(&b, "%s %s\n", noon.Add(-time.Duration(i)*time.Second).Format(time.DateTime), strings.Repeat("x", 1<<13))
	}
	r := readText(t, b.String(), Limits{})
	if d := cmp.Diff([]string{"-: newest-first-long"}, r.codes()); d != "" {
		t.Errorf("notes (-want +got):\n%s", d)
	}
	for i, l := range r.lines {
		if l.Number != i+1 {
			t.Fatalf("line %d came as number %d", l.Number, i+1)
		}
	}
}

// The text of a field is turned as a document is.
func TestNewestFirstInField(t *testing.T) {
	var got []string
	Text(&Document{Rank: -1}, "content", Log, "2026-07-15 07:00:09 d\n2026-07-15 07:00:08 c\n  more\n2026-07-15 07:00:07 b\n2026-07-15 07:00:06 a\n", func(l *Line) {
		got = append(got, fmt.Sprint(l.Number, " ", l.Text))
	})
	if d := cmp.Diff([]string{"5 a", "4 b", "2 c", "3   more", "1 d"}, got); d != "" {
		t.Errorf("lines (-want +got):\n%s", d)
	}
}
