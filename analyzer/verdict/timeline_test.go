package verdict

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
)

// spanning is a stream whose lines tell times from one to another.
func spanning(s *scan.Stream, from, until time.Time) *scan.Stream {
	s.First, s.Last = scan.Quote{Doc: s.Doc, Time: from}, scan.Quote{Doc: s.Doc, Time: until}
	return s
}

// TestLanes: each rank has one lane over all its streams, each task of a document
// without ranks its own, from its first to its last time.
func TestLanes(t *testing.T) {
	at := func(clock string) time.Time { return clockTime(t, clock) }
	a, b := log("a.log"), log("b.log")
	rank0 := spanning(stream(a, 0), at("10:00:00"), at("10:05:00"))
	rank0.Task = "worker-0"
	rank0.Progress = []scan.Mark{{Step: 3, Time: at("10:03:00")}, {Step: 2, Time: at("10:02:00")}, {Step: -1, Time: at("10:03:00")}}
	again := spanning(stream(b, 0), at("09:58:00"), at("10:04:00"))
	task1, task2 := spanning(stream(b, -1), at("10:01:00"), at("10:02:00")), spanning(stream(b, -1), at("10:01:30"), at("10:01:30"))
	task1.Progress = []scan.Mark{{Step: 9}}
	task1.Task, task2.Task = "worker-1", "worker-2"
	message, untimed := spanning(stream(a, 5), at("10:00:00"), at("10:05:00")), stream(a, 6)
	message.Field = "status.message"
	zoned := stream(a, 7)
	zoned.First = scan.Quote{Doc: a, Time: at("02:00:00"), Zoned: true}
	j := judgeOn([]*scan.Stream{task1, task2, rank0, again, message, untimed, zoned})
	got := j.timeline(&Verdict{})
	var lanes []string
	for _, l := range got.Lanes {
		lanes = append(lanes, fmt.Sprintf("%d %s %s %s-%s step %d %s", l.Rank, l.Task, l.Source, l.First.Format(time.TimeOnly), l.Last.Format(time.TimeOnly), l.Step, l.Progress.Format(time.TimeOnly)))
	}
	want := []string{"0 worker-0 a.log 09:58:00-10:05:00 step -1 10:03:00", "-1 worker-1 b.log 10:01:00-10:02:00 step -1 00:00:00", "-1 worker-2 b.log 10:01:30-10:01:30 step -1 00:00:00"}
	if !slices.Equal(lanes, want) || !got.Plain || got.More != 0 {
		t.Errorf("the lanes are %q, want %q; plain %v", lanes, want, got.Plain)
	}
}

// TestClockOfThePicture: a picture shows the times that compare with those of the
// root, else with those of most streams.
func TestClockOfThePicture(t *testing.T) {
	at := clockTime(t, "10:00:00")
	plain, untimed := spanning(stream(log("a.log"), 0), at, at), stream(log("b.log"), 1)
	zoned := stream(log("c.log"), 2)
	zoned.Last = scan.Quote{Doc: zoned.Doc, Time: at, Zoned: true}
	moment := found(rule("key-error", rules.Root), zoned, 1, "")
	moment.At, moment.Zoned = at, true
	wall := timed(found(rule("key-error", rules.Root), plain, 1, ""), at)
	for _, tt := range []struct {
		name    string
		streams []*scan.Stream
		why     []Step
		plain   bool
	}{
		{"more wall clocks", []*scan.Stream{plain, zoned, plain, untimed}, nil, true},
		{"more moments", []*scan.Stream{plain, zoned, zoned, untimed}, nil, false},
		{"as many", []*scan.Stream{plain, zoned}, nil, false},
		{"a root with a moment", []*scan.Stream{plain, plain}, []Step{{Event: wall}, {Event: moment, Kept: true}}, false},
		{"a root by a wall clock", []*scan.Stream{zoned, zoned}, []Step{{Event: moment}, {Event: wall, Kept: true}}, true},
		{"a root without a time", []*scan.Stream{plain}, []Step{{Event: found(rule("key-error", rules.Root), zoned, 1, ""), Kept: true}}, true},
	} {
		if got := judgeOn(tt.streams).timeline(&Verdict{Why: tt.why}); got.Plain != tt.plain {
			t.Errorf("%s: plain is %v", tt.name, got.Plain)
		}
	}
}

// TestMarks: of each cause the first line is marked, over the span in which it may
// have been printed, in order of time.
func TestMarks(t *testing.T) {
	at := func(clock string) time.Time { return clockTime(t, clock) }
	s := spanning(stream(log("a.log"), 0), at("10:00:00"), at("10:09:00"))
	r := rule("key-error", rules.Root)
	between := func(seq int, from, until string) *scan.Event {
		e := found(r, s, seq, "")
		e.At = at(from)
		if until != "" {
			e.Until = at(until)
		}
		return e
	}
	symptom := func(e *scan.Event, cause string) Symptom { return Symptom{Event: e, Cause: cause} }
	v := &Verdict{Cause: "key-error", Why: []Step{{Event: timed(found(r, s, 1, ""), at("10:06:00")), Kept: true}, {Event: timed(found(r, s, 2, ""), at("10:01:00"))}},
		Symptoms: []Symptom{symptom(timed(found(r, s, 3, ""), at("10:05:00")), "hang"), symptom(timed(found(r, s, 4, ""), at("10:04:00")), "hang"), symptom(timed(found(r, s, 5, ""), at("10:07:00")), "hang"),
			symptom(between(6, "10:02:00", "10:03:00"), "killed"), symptom(between(7, "10:08:00", ""), "aborted"), symptom(found(r, s, 8, ""), "no time"), symptom(timed(found(r, s, 9, ""), at("10:06:30")), "key-error")}}
	got := judgeOn([]*scan.Stream{s}).timeline(v)
	var marks []string
	for _, m := range got.Lanes[0].Marks {
		until := ""
		if !m.Until.IsZero() {
			until = m.Until.Format(time.TimeOnly)
		}
		marks = append(marks, fmt.Sprintf("%d %s %v %s-%s", m.Line, m.Cause, m.Root, m.At.Format(time.TimeOnly), until))
	}
	want := []string{"6 killed false 10:02:00-10:03:00", "4 hang false 10:04:00-", "1 key-error true 10:06:00-", "9 key-error false 10:06:30-", "7 aborted false 10:08:00-10:09:00"}
	if !slices.Equal(marks, want) {
		t.Errorf("the marks are %q, want %q", marks, want)
	}
	v.Why = nil
	v.Symptoms = v.Symptoms[:3]
	if got := judgeOn([]*scan.Stream{s}).timeline(v).Lanes[0].Marks; len(got) != 1 || got[0].Line != 4 {
		t.Errorf("of one cause the marks are %v", got)
	}
}

// TestLanesAreBounded: of more lanes than a picture holds those stay on which
// something happened, and the first of the others.
func TestLanesAreBounded(t *testing.T) {
	at := clockTime(t, "10:00:00")
	var streams []*scan.Stream
	for r := range maxLanes + 2 {
		streams = append(streams, spanning(stream(log("a.log"), r), at, at))
	}
	r := rule("key-error", rules.Root)
	last := streams[maxLanes+1]
	v := &Verdict{Why: []Step{{Event: timed(found(r, last, 1, ""), at), Kept: true}}, Symptoms: []Symptom{{Event: timed(found(r, streams[maxLanes], 2, ""), at)}}}
	for _, tt := range []struct {
		name          string
		lanes         int
		more          int
		rank, lastOne int
	}{
		{"as many as it holds", maxLanes, 0, maxLanes - 1, maxLanes - 1},
		{"more", maxLanes + 2, 2, maxLanes - 3, maxLanes + 1},
	} {
		of := &Verdict{}
		if tt.more > 0 {
			of = v
		}
		got := judgeOn(streams[:tt.lanes]).timeline(of)
		if len(got.Lanes) != maxLanes || got.More != tt.more || got.Lanes[maxLanes-1].Rank != tt.lastOne || !slices.ContainsFunc(got.Lanes, func(l Lane) bool { return l.Rank == tt.rank }) {
			t.Errorf("%s: %d lanes, %d more, the last of rank %d", tt.name, len(got.Lanes), got.More, got.Lanes[len(got.Lanes)-1].Rank)
		}
	}
	root, marked, bare := Lane{Marks: []Mark{{}, {Root: true}}}, Lane{Marks: []Mark{{}}}, Lane{}
	if root.weight() != 0 || marked.weight() != 1 || bare.weight() != 2 {
		t.Errorf("the weights are %d, %d, %d", root.weight(), marked.weight(), bare.weight())
	}
}
