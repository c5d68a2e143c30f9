package verdict

import (
	"testing"
	"time"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// TestFelt: a port that went down explains a failure of communication that ended
// soon after, by the clock of the job's log.
func TestFelt(t *testing.T) {
	const down = "Sun Mar  1 10:00:00 2026"
	d := log("train.log")
	s := stream(d, -1)
	lost, other := rule("collective-error", rules.Ambiguous), rule("key-error", rules.Root)
	open := found(lost, s, 2, "")
	open.At = clockTime(t, "10:00:00")
	for _, tt := range []struct {
		name string
		at   string // as the port's record writes it
		zone time.Duration
		then *scan.Event
		fate string
	}{
		{"soon after", down, 0, timed(found(lost, s, 2, ""), clockTime(t, "10:10:00")), ""},
		{"a moment before, for clocks differ", down, 0, timed(found(lost, s, 2, ""), clockTime(t, "09:59:58")), ""},
		{"before", down, 0, timed(found(lost, s, 2, ""), clockTime(t, "09:59:57")), "other-time"},
		{"as long after as a wait may last", down, 0, timed(found(lost, s, 2, ""), clockTime(t, "10:32:00")), ""},
		{"longer after", down, 0, timed(found(lost, s, 2, ""), clockTime(t, "10:32:01")), "other-time"},
		{"by the clock of the log", down, 8 * time.Hour, timed(found(lost, s, 2, ""), clockTime(t, "10:10:00")), ""},
		{"another failure", down, 0, timed(found(other, s, 2, ""), clockTime(t, "10:10:00")), "other-time"},
		{"a failure whose end nobody tells", down, 0, open, "other-time"},
		{"a time that nobody can read", "yesterday", 0, timed(found(lost, s, 2, ""), clockTime(t, "10:10:00")), "other-time"},
	} {
		flap := found(rules.Default().Rule("npu-link-down"), stream(log("hccn.txt"), -1), 1, "LINK DOWN")
		saying(flap, "at", tt.at)
		c := &Case{Found: scan.Result{Events: []*scan.Event{flap, tt.then}, Zones: map[*source.Document]time.Duration{d: tt.zone}}}
		j := newJudge(c, rules.Default())
		j.flaps()
		if got := fateOf(j.all[0]); got != tt.fate || j.all[1].fate != nil {
			t.Errorf("%s: out by %q, want %q", tt.name, got, tt.fate)
		}
	}
}
