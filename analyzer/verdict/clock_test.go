package verdict

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
)

// TestClocks: clocks that lie apart are put right by common steps, of tasks or of
// the ranks of a merged log, or by the moments at which all ranks had met.
func TestClocks(t *testing.T) {
	steps := func(prefix, hour string) string {
		return lines(prefix+"2026-03-01 "+hour+":00:00,000 step 10 loss 2.0", prefix+"2026-03-01 "+hour+":01:00,000 step 20 loss 1.9",
			prefix+"2026-03-01 "+hour+":02:00,000 step 30 loss 1.8", prefix+"2026-03-01 "+hour+":03:00,000 step 40 loss 1.7")
	}
	const met = "INFO:torch.distributed.distributed_c10d:Rank 0: Completed store-based barrier for key:store_based_barrier_key:1 with 16 nodes."
	// The victim's clock is an hour behind, so that its failure looks earlier.
	first := "2026-03-01 10:03:30,000 ERROR cannot go on\n" + raised("KeyError: 'label'") + "\n"
	later := "2026-03-01 09:03:40,000 ERROR cannot go on\n" + raised("ValueError: peer sent nothing") + "\n"
	for name, logs := range map[string]map[string]string{
		"steps of two tasks":     {"worker-0.log": steps("", "10") + first, "worker-1.log": steps("", "09") + later},
		"ranks of a merged log":  {"train.log": steps("[rank1]: ", "09") + prefixed("[rank1]: ", strings.TrimSuffix(later, "\n")) + "\n" + steps("[rank0]: ", "10") + prefixed("[rank0]: ", strings.TrimSuffix(first, "\n")) + "\n"},
		"a barrier of two tasks": {"worker-0.log": "2026-03-01 10:00:00,000 " + met + "\n" + first, "worker-1.log": "2026-03-01 09:00:01,000 " + met + "\n" + later},
	} {
		if v := verdictOn(t, situation{logs: logs}); v.Cause != "key-error" {
			t.Errorf("%s: %s at %v", name, v.Cause, v.Order)
		}
	}
	v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": first, "worker-1.log": later}})
	if v.Cause != "value-error" {
		t.Errorf("without a common moment the times count as written: %s", v.Cause)
	}
}

// TestLasting: a difference over common steps is the clocks' when it is large
// and nearly the same for three of them, or small and very regular over five.
func TestLasting(t *testing.T) {
	const s = time.Second
	for _, tt := range []struct {
		name  string
		later []time.Duration // at each step
		skew  time.Duration
		sure  bool
	}{
		{"two steps", []time.Duration{3600 * s, 3600 * s}, 0, false},
		{"three steps, far apart", []time.Duration{20 * s, 20 * s, 20 * s}, 20 * s, true},
		{"the other way", []time.Duration{-20 * s, -20 * s, -20 * s}, -20 * s, true},
		{"three steps, less far apart", []time.Duration{19 * s, 19 * s, 19 * s}, 19 * s, false},
		{"a spread of five seconds", []time.Duration{18 * s, 20 * s, 23 * s}, 20 * s, true},
		{"a spread of six seconds", []time.Duration{18 * s, 20 * s, 24 * s}, 20 * s, false},
		{"a spread of a quarter", []time.Duration{35 * s, 40 * s, 45 * s}, 40 * s, true},
		{"a spread of more than a quarter", []time.Duration{34 * s, 40 * s, 45 * s}, 40 * s, false},
		{"one of ten far off", []time.Duration{0, 30 * s, 30 * s, 30 * s, 30 * s, 30 * s, 30 * s, 30 * s, 30 * s, 30 * s, 30 * s, 30 * s}, 30 * s, true},
		{"five steps, three seconds apart", []time.Duration{3 * s, 3 * s, 3 * s, 3 * s, 3 * s}, 3 * s, true},
		{"less than three seconds", []time.Duration{2 * s, 2 * s, 2 * s, 2 * s, 2 * s}, 0, false},
		{"four steps, regular", []time.Duration{4 * s, 4 * s, 4 * s, 4 * s}, 4 * s, false},
		{"five steps, a second off", []time.Duration{4 * s, 4 * s, 4 * s, 4 * s, 5 * s}, 4 * s, true},
		{"five steps, irregular", []time.Duration{4 * s, 4 * s, 4 * s, 4 * s, 6 * s}, 4 * s, false},
	} {
		a, b := map[int64]time.Time{99: {}}, map[int64]time.Time{}
		for i, d := range tt.later {
			step := int64(i + 1)
			a[step] = clockTime(t, "10:00:00").Add(time.Duration(i) * time.Minute)
			b[step] = a[step].Add(d)
		}
		if skew, sure := lasting(a, b); sure != tt.sure || sure && skew != tt.skew {
			t.Errorf("%s: %v, %v; want %v, %v", tt.name, skew, sure, tt.skew, tt.sure)
		}
	}
}

// TestApart: moments of meeting tell the clocks' difference when all of them
// agree on it, and the same in every run.
func TestApart(t *testing.T) {
	const s = time.Second
	for _, tt := range []struct {
		name  string
		later map[string]time.Duration
		skew  time.Duration
		sure  bool
	}{
		{"none in common", nil, 0, false},
		{"one, far apart", map[string]time.Duration{"a": 20 * s}, 20 * s, true},
		{"one, the other way", map[string]time.Duration{"a": -20 * s}, -20 * s, true},
		{"one, less far apart", map[string]time.Duration{"a": 19 * s}, 19 * s, false},
		{"two that agree to five seconds", map[string]time.Duration{"a": 25 * s, "b": 30 * s}, 30 * s, true},
		{"two that do not agree", map[string]time.Duration{"a": 25 * s, "b": 31 * s}, 0, false},
		{"three of which the outer ones do not agree", map[string]time.Duration{"a": 24 * s, "b": 28 * s, "c": 32 * s}, 0, false},
	} {
		for range 20 {
			a, b := map[string]time.Time{"alone": clockTime(t, "10:00:00")}, map[string]time.Time{"other": clockTime(t, "12:00:00")}
			for key, d := range tt.later {
				a[key] = clockTime(t, "10:00:00")
				b[key] = a[key].Add(d)
			}
			if skew, sure := apart(a, b); sure != tt.sure || sure && skew != tt.skew {
				t.Fatalf("%s: %v, %v; want %v, %v", tt.name, skew, sure, tt.skew, tt.sure)
			}
		}
	}
}

// TestMeasuredSkew: each node's clock is measured by what it has in common with
// the first node that tells as much.
func TestMeasuredSkew(t *testing.T) {
	const s = time.Second
	start := clockTime(t, "10:00:00")
	steps := func(st *scan.Stream, later time.Duration, first, last int64) *scan.Stream {
		for step := first; step <= last; step++ {
			st.Progress = append(st.Progress, scan.Mark{Seq: len(st.Progress), Step: step, Time: start.Add(time.Duration(step)*time.Minute + later), Rank: -1})
		}
		return st
	}
	merged := log("train.log")
	untimed := steps(ofTask("worker-1"), 30*s, 1, 3)
	untimed.Progress = append([]scan.Mark{{Step: 1, Rank: -1}}, untimed.Progress...)
	met := ruleOf(rules.AllMet)
	meet := func(st *scan.Stream, later time.Duration, moments ...string) []*scan.Event {
		var all []*scan.Event
		for _, m := range moments {
			e := timed(found(met, st, 1, ""), start.Add(later))
			saying(e, "met", m)
			all = append(all, e)
		}
		return all
	}
	w0, w1, w2 := ofTask("worker-0"), ofTask("worker-1"), ofTask("worker-2")
	for _, tt := range []struct {
		name    string
		streams []*scan.Stream
		events  []*scan.Event
		skews   []time.Duration // of each stream
	}{
		{"ranks of one file that print one after the other", []*scan.Stream{steps(stream(merged, 1), 0, 1, 5), steps(stream(merged, 0), 4*s, 1, 5)}, nil, []time.Duration{0, 0}},
		{"ranks of one file that lie far apart", []*scan.Stream{steps(stream(merged, 1), 0, 1, 5), steps(stream(merged, 0), 20*s, 1, 5)}, nil, []time.Duration{0, 20 * s}},
		{"tasks that lie little apart", []*scan.Stream{steps(ofTask("worker-0"), 0, 1, 5), steps(ofTask("worker-1"), 4*s, 1, 5)}, nil, []time.Duration{0, 4 * s}},
		{"the first tells no steps", []*scan.Stream{ofTask("worker-0"), steps(ofTask("worker-1"), 0, 1, 3), steps(ofTask("worker-2"), 30*s, 1, 3)}, nil, []time.Duration{0, 0, 30 * s}},
		{"two have another clock than the first", []*scan.Stream{steps(ofTask("worker-0"), 0, 1, 3), steps(ofTask("worker-1"), 30*s, 1, 3), steps(ofTask("worker-2"), 30*s, 1, 3)}, nil, []time.Duration{0, 30 * s, 30 * s}},
		{"step 0 is none", []*scan.Stream{steps(ofTask("worker-0"), 0, 0, 2), steps(ofTask("worker-1"), 30*s, 0, 2)}, nil, []time.Duration{0, 0}},
		{"a step without a time is none", []*scan.Stream{untimed, steps(ofTask("worker-2"), 0, 1, 3)}, nil, []time.Duration{0, -30 * s}},
		{"the first tells of no meeting", []*scan.Stream{ofTask("worker-9"), w0, w1}, append(meet(w0, 0, "a"), meet(w1, 30*s, "a")...), []time.Duration{0, 0, 30 * s}},
		{"each has another meeting in common with the first", []*scan.Stream{w0, w1, w2}, slices.Concat(meet(w0, 0, "a", "b"), meet(w1, 30*s, "a"), meet(w2, 40*s, "b")), []time.Duration{0, 30 * s, 40 * s}},
	} {
		k := newClock(&Case{Found: scan.Result{Streams: tt.streams, Events: tt.events}})
		for i, st := range tt.streams {
			if got := k.skew[nodeOf(st)]; got != tt.skews[i] {
				t.Errorf("%s: the clock of stream %d is %v off, want %v", tt.name, i, got, tt.skews[i])
			}
		}
	}
}

// TestCompare: which of two lines came first, as far as their texts and times
// tell, and on what ground.
func TestCompare(t *testing.T) {
	merged, other := log("train.log"), log("other.log")
	rank0, rank1, apart := stream(merged, 0), stream(merged, 1), stream(other, 0)
	r := rule("key-error", rules.Root)
	at := func(s *scan.Stream, seq int, clock string) *scan.Event {
		e := found(r, s, seq, "")
		if clock == "" {
			return e
		}
		return timed(e, clockTime(t, clock))
	}
	for _, tt := range []struct {
		name   string
		a, b   *scan.Event
		order  int
		ground string
	}{
		{"one stream, the line above", at(rank0, 1, ""), at(rank0, 2, ""), -1, byPosition},
		{"one stream, whatever the times", at(rank0, 2, "10:00:00"), at(rank0, 1, "11:00:00"), 1, byPosition},
		{"one file, far above", at(rank0, 1, ""), at(rank1, 2+farLines, ""), -1, byPosition},
		{"one file, far below", at(rank0, 2+farLines, ""), at(rank1, 1, ""), 1, byPosition},
		{"one file, not far enough above", at(rank0, 1, ""), at(rank1, 1+farLines, ""), 0, byNothing},
		{"one file, not far enough below", at(rank0, 1+farLines, ""), at(rank1, 1, ""), 0, byNothing},
		{"one file, far above, and one has a time", at(rank0, 1, "10:00:00"), at(rank1, 2+farLines, ""), 0, byNothing},
		{"one file, far above, and the other has a time", at(rank0, 1, ""), at(rank1, 2+farLines, "10:00:00"), 0, byNothing},
		{"two files", at(rank0, 1, ""), at(apart, 2+farLines, ""), 0, byNothing},
		{"two files, by time", at(rank0, 9, "10:00:00"), at(apart, 1, "10:00:03"), -1, byTime},
		{"two files, by time, reversed", at(rank0, 1, "10:00:03"), at(apart, 9, "10:00:00"), 1, byTime},
	} {
		if n, ground := newClock(&Case{}).compare(tt.a, tt.b); n != tt.order || ground != tt.ground {
			t.Errorf("%s: %d by %s, want %d by %s", tt.name, n, ground, tt.order, tt.ground)
		}
	}
}

// TestKnown: a span with one open end tells something of the time.
func TestKnown(t *testing.T) {
	at := clockTime(t, "10:00:00")
	for s, known := range map[span]bool{{}: false, {from: at}: true, {until: at}: true, {from: at, until: at}: true} {
		if s.known() != known {
			t.Errorf("%v: known is %v", s, s.known())
		}
	}
}
