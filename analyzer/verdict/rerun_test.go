package verdict

import (
	"testing"
	"time"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
)

// beganRun is the line by which a text shows that a run of a program begins.
func beganRun(s *scan.Stream, seq int, program string) *scan.Event {
	e := found(ruleOf(rules.NewRun), s, seq, "$ python "+program)
	if program != "" {
		saying(e, "program", program)
	}
	return e
}

// TestOlderRuns: of several runs in one text the last one counts, but for what
// it met because of an earlier step.
func TestOlderRuns(t *testing.T) {
	s, other := stream(log("nohup.out"), -1), stream(log("more.out"), -1)
	gone := found(rule("file-missing", rules.Root), s, 20, "one")
	lacks := saying(found(rule("module-missing", rules.Root), s, 20, "one"), "module", "acme.core")
	installed := func(s *scan.Stream, seq int, text string) *scan.Event {
		return found(ruleOf(rules.Installed), s, seq, text)
	}
	again := found(rule("module-missing", rules.Root), s, 40, "again")
	for _, tt := range []struct {
		name   string
		met    *scan.Event
		others []*scan.Event
		line   string // that begins the run after which it does not count, "" where it counts
	}{
		{"no other run", gone, []*scan.Event{beganRun(s, 10, "train.py")}, ""},
		{"the same program again", gone, []*scan.Event{beganRun(s, 10, "train.py"), beganRun(s, 30, "train.py")}, "30"},
		{"twice again", gone, []*scan.Event{beganRun(s, 10, "train.py"), beganRun(s, 30, "train.py"), beganRun(s, 35, "train.py")}, "35"},
		{"a run in another text", gone, []*scan.Event{beganRun(s, 10, "train.py"), beganRun(other, 30, "train.py")}, ""},
		{"another program, which meets nothing of it", gone, []*scan.Event{beganRun(s, 10, "prep.py"), beganRun(s, 30, "train.py")}, "30"},
		{"another program, which misses what the first was to make", gone, []*scan.Event{beganRun(s, 10, "prep.py"), beganRun(s, 30, "train.py"), found(rule("io-error", rules.Root), s, 40, "two")}, ""},
		{"another program, which meets the same", gone, []*scan.Event{beganRun(s, 10, "prep.py"), beganRun(s, 30, "train.py"), found(rule("file-missing", rules.Root), s, 40, "two")}, ""},
		{"another program, which meets something else", gone, []*scan.Event{beganRun(s, 10, "prep.py"), beganRun(s, 30, "train.py"), found(rule("key-error", rules.Root), s, 40, "two")}, "30"},
		{"another program, and another text that misses something", gone, []*scan.Event{beganRun(s, 10, "prep.py"), beganRun(s, 30, "train.py"), found(rule("io-error", rules.Root), other, 40, "two")}, "30"},
		{"another program, and the miss came before it", gone, []*scan.Event{beganRun(s, 10, "prep.py"), beganRun(s, 30, "train.py"), found(rule("io-error", rules.Root), s, 25, "two")}, "30"},
		{"the same program again, which misses something", gone, []*scan.Event{beganRun(s, 10, "train.py"), beganRun(s, 30, "train.py"), found(rule("io-error", rules.Root), s, 40, "two")}, "30"},
		{"the whole script again", gone, []*scan.Event{beganRun(s, 10, "prep.py"), beganRun(s, 30, ""), found(rule("io-error", rules.Root), s, 40, "two")}, "30"},
		{"a run whose first one is not there", gone, []*scan.Event{beganRun(s, 30, "train.py"), found(rule("io-error", rules.Root), s, 40, "two")}, "30"},
		{"a run whose first one is in another text", gone, []*scan.Event{beganRun(other, 10, "prep.py"), beganRun(s, 30, "train.py"), found(rule("io-error", rules.Root), s, 40, "two")}, "30"},
		{"a cell of a notebook", gone, []*scan.Event{beganRun(s, 10, ""), saying(beganRun(s, 30, ""), "cell", "3"), found(rule("io-error", rules.Root), s, 40, "two")}, ""},
		{"the module was installed", lacks, []*scan.Event{beganRun(s, 10, "prep.py"), installed(s, 25, "Successfully installed Acme-1.2"), beganRun(s, 30, "train.py"), again}, "30"},
		{"the module was installed before", lacks, []*scan.Event{beganRun(s, 10, "prep.py"), installed(s, 15, "Successfully installed acme-1.2"), beganRun(s, 30, "train.py"), again}, ""},
		{"the module was installed elsewhere", lacks, []*scan.Event{beganRun(s, 10, "prep.py"), installed(other, 25, "Successfully installed acme-1.2"), beganRun(s, 30, "train.py"), again}, ""},
		{"another module was installed", lacks, []*scan.Event{beganRun(s, 10, "prep.py"), installed(s, 25, "Successfully installed other-1.2"), beganRun(s, 30, "train.py"), again}, ""},
		{"the module was only asked for", lacks, []*scan.Event{beganRun(s, 10, "prep.py"), installed(s, 25, "Requirement already satisfied: acme-1.2"), beganRun(s, 30, "train.py"), again}, ""},
		{"something was installed, and no module named", found(rule("module-missing", rules.Root), s, 20, "one"), []*scan.Event{beganRun(s, 10, "prep.py"), installed(s, 25, "Successfully installed -_1.2"), beganRun(s, 30, "train.py"), again}, ""},
	} {
		j := judgeOn(nil, append([]*scan.Event{tt.met}, tt.others...)...)
		j.olderRuns()
		fate := j.all[0].fate
		if (fate != nil) != (tt.line != "") || fate != nil && (fate.Code != "older-run" || fate.Args["line"] != tt.line) {
			t.Errorf("%s: out by %v, want the run of line %q", tt.name, fate, tt.line)
		}
	}
}

// TestLives: a log tells when its training began and ended by the platform's own
// lines; what an answer quotes of them, and other lines, tell nothing.
func TestLives(t *testing.T) {
	start, end := ruleOf(rules.Start), ruleOf(rules.Exit)
	s := stream(log("train.log"), -1)
	at := func(r *rules.Rule, clock string) *scan.Event { return timed(found(r, s, 1, ""), clockTime(t, clock)) }
	field := at(start, "09:00:00")
	field.Quote.Field = "status.message"
	for _, tt := range []struct {
		name       string
		told       []*scan.Event
		begin, end string
	}{
		{"both", []*scan.Event{at(start, "10:00:00"), at(end, "11:00:00")}, "10:00:00", "11:00:00"},
		{"twice", []*scan.Event{at(start, "10:00:00"), at(end, "11:00:00"), at(start, "12:00:00"), at(end, "13:00:00")}, "10:00:00", "13:00:00"},
		{"an end without a time", []*scan.Event{at(start, "10:00:00"), at(end, "11:00:00"), found(end, s, 2, "")}, "10:00:00", "11:00:00"},
		{"an answer", []*scan.Event{field, at(end, "11:00:00")}, "", "11:00:00"},
		{"another line", []*scan.Event{at(rule("key-error", rules.Root), "08:00:00"), at(start, "10:00:00")}, "10:00:00", ""},
		{"no time", []*scan.Event{found(start, s, 1, ""), found(end, s, 2, "")}, "", ""},
	} {
		got := judgeOn(nil, tt.told...).lives()["train.log"]
		for i, want := range []string{tt.begin, tt.end} {
			told := []time.Time{got.begin, got.end}[i]
			if want == "" && !told.IsZero() || want != "" && !told.Equal(clockTime(t, want)) {
				t.Errorf("%s: begin and end are %v, want %s to %s", tt.name, got, tt.begin, tt.end)
			}
		}
	}
}

// TestOlderJobs: the log of a training that had ended more than a day before
// another failed one began is of another job.
func TestOlderJobs(t *testing.T) {
	start, end := ruleOf(rules.Start), ruleOf(rules.Exit)
	old, newer := stream(log("old.log"), -1), stream(log("new.log"), -1)
	ended := clockTime(t, "10:00:00")
	for _, tt := range []struct {
		name   string
		begins time.Duration // after the older one had ended
		fails  bool
		plain  bool // the newer log has the zone of its times, as the older one
		field  string
		out    bool
	}{
		{"a job of days later", 2 * oldAfter, true, true, "", true},
		{"just not later", oldAfter, true, true, "", false},
		{"a moment later than that", oldAfter + time.Second, true, true, "", true},
		{"it did not fail", 2 * oldAfter, false, true, "", false},
		{"its zone is another matter", 2 * oldAfter, true, false, "", false},
		{"an answer tells of it", 2 * oldAfter, true, true, "status.message", false},
	} {
		begin := timed(found(start, newer, 30, ""), ended.Add(tt.begins))
		begin.Zoned, begin.Quote.Zoned = !tt.plain, !tt.plain
		failed := timed(found(rule("disk-full", rules.Root), old, 20, "one"), ended)
		failed.Quote.Field = tt.field
		events := []*scan.Event{timed(found(start, old, 10, ""), ended.Add(-time.Hour)), failed, timed(found(end, old, 25, ""), ended), begin}
		if tt.fails {
			events = append(events, found(rule("key-error", rules.Root), newer, 40, "two"))
		}
		j := judgeOn(nil, events...)
		j.dismiss()
		if is := fateOf(j.all[0]) == "older-job"; is != tt.out || len(j.all) > 1 && j.all[1].fate != nil {
			t.Errorf("%s: out by %q", tt.name, fateOf(j.all[0]))
		}
	}
	own := judgeOn(nil, timed(found(start, old, 10, ""), ended.Add(2*oldAfter)), timed(found(rule("disk-full", rules.Root), old, 20, "one"), ended), timed(found(end, old, 25, ""), ended))
	if own.olderJobs(); own.all[0].fate != nil {
		t.Errorf("a log whose clock went back is out by %q", fateOf(own.all[0]))
	}
}
