package verdict

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// TestClearest: of the lines by which one failure shows itself the most telling is
// shown, of equally telling ones the first, and the root itself before its equals.
func TestClearest(t *testing.T) {
	a, b, c := stream(log("a.log"), 0), stream(log("b.log"), 1), stream(log("c.log"), 2)
	at := func(e *scan.Event, clock string) *scan.Event { return timed(e, clockTime(t, clock)) }
	plog := log("plog.log")
	plog.Kind = source.Device
	record := stream(plog, 0)
	general, close := class("disk-full", rules.Root), rule("disk-full", rules.Root)
	root := func() *scan.Event { return at(found(general, a, 1, "root"), "10:00:00") }
	for _, tt := range []struct {
		name   string
		events []*scan.Event
		fate   string // of the second
		best   int
	}{
		{"alone", []*scan.Event{root()}, "", 0},
		{"a message", []*scan.Event{root(), at(found(close, b, 2, "message"), "10:00:01")}, "", 1},
		{"a message without proof", []*scan.Event{root(), at(found(rule("disk-full", rules.Ambiguous), b, 2, "message"), "10:00:01")}, "", 0},
		{"a message without proof, of a root without", []*scan.Event{at(found(class("disk-full", rules.Ambiguous), a, 1, "root"), "10:00:00"), at(found(rule("disk-full", rules.Ambiguous), b, 2, "message"), "10:00:01")}, "", 1},
		{"an echo", []*scan.Event{at(found(rule("disk-full", rules.Ambiguous), a, 1, "root"), "10:00:00"), at(found(class("disk-full", rules.Symptom), b, 2, "echo"), "10:00:01")}, "", 0},
		{"proof", []*scan.Event{at(found(rule("disk-full", rules.Ambiguous), a, 1, "root"), "10:00:00"), at(found(general, b, 2, "proof"), "10:00:01")}, "", 1},
		{"another cause", []*scan.Event{root(), at(found(rule("io-error", rules.Root), b, 2, "message"), "10:00:01")}, "", 0},
		{"much later", []*scan.Event{root(), at(found(close, b, 2, "message"), "10:00:09")}, "", 0},
		{"out of another reason", []*scan.Event{root(), at(found(close, b, 2, "message"), "10:00:01")}, "passed", 0},
		{"out as the same", []*scan.Event{root(), at(found(close, b, 2, "message"), "10:00:01")}, "same-failure", 1},
		{"the first of two messages", []*scan.Event{root(), at(found(close, b, 2, "message"), "10:00:02"), at(found(close, c, 3, "message"), "10:00:01")}, "", 2},
		{"the first of two messages, in order", []*scan.Event{root(), at(found(close, b, 2, "message"), "10:00:01"), at(found(close, c, 3, "message"), "10:00:02")}, "", 1},
		{"the first read of two messages of one moment", []*scan.Event{root(), at(found(close, b, 2, "message"), "10:00:01"), at(found(close, c, 3, "message"), "10:00:01")}, "", 1},
		{"a general line before the message", []*scan.Event{root(), at(found(close, b, 2, "message"), "10:00:02"), at(found(general, c, 3, "general"), "10:00:01")}, "", 1},
		{"the line of a record's moment", []*scan.Event{at(found(rule("hang", rules.Ambiguous), record, 1, "record"), "10:00:00"), at(found(rule("hang", rules.Ambiguous), a, 2, "line"), "10:00:00")}, "", 1},
		{"its equal a moment before", []*scan.Event{root(), at(found(general, b, 2, "equal"), "09:59:59")}, "", 0},
	} {
		j := judgeOn(nil, tt.events...)
		if tt.fate != "" {
			j.all[1].out(tt.fate, nil)
		}
		got := slices.Index(j.all, j.clearest(j.all[0]))
		root, best := j.all[0], j.all[max(got, 0)]
		if got != tt.best || best.fate != nil || (got != 0) != (root.by == best && fateOf(root) == "same-failure") || (got != 0) != (j.displaced == root) {
			t.Errorf("%s: line %d, want %d; the root is out by %q", tt.name, got, tt.best, fateOf(root))
		}
	}
	if judgeOn(nil).clearest(nil) != nil {
		t.Error("of no root something is clear")
	}
}

// TestClearer: which of two lines of one failure says more, in the order in which
// that is asked.
func TestClearer(t *testing.T) {
	s := stream(log("a.log"), 0)
	message, other, general := rule("disk-full", rules.Root), rule("io-error", rules.Root), class("disk-full", rules.Root)
	over := class("disk-full", rules.Ambiguous)
	over.Over = []string{message.ID}
	with := func(r *rules.Rule, wording int, values ...string) *candidate {
		e := found(r, s, 1, "")
		e.Wording = wording
		for _, v := range values {
			saying(e, v, v)
		}
		return plain(e)
	}
	said := func(level, text string, values ...string) *candidate {
		c := with(message, 0, values...)
		c.event.Quote.Level, c.event.Quote.Text = level, text
		return c
	}
	raised := func(fn, text string) *candidate {
		c := said("", text)
		c.trace = uncaught(c.event)
		c.trace.Traceback.Exceptions[0].Frames[0].Func = fn
		return c
	}
	const warned = "/app/a.py:20: UserWarning: full"
	for _, tt := range []struct {
		name string
		a, b *candidate // a says more, or neither where equal
		none bool
	}{
		{"what is no warning of Python", said("", "full"), said("", warned, "path"), false},
		{"an exception, that repeats a warning", raised("main", warned), said("", warned), false},
		{"an exception that was caught, and a line", raised("main", "full"), said("", "full"), true},
		{"what warnings came to", raised("<module>", "full"), said("WARNING", "full", "path"), false},
		{"a warning that names more, and nothing that ended the program", said("WARNING", "full", "path"), said("", "full"), false},
		{"words", said("", "full"), said("", "write api failed", "path"), false},
		{"a rule that outranks the other", with(over, 0), with(message, 0), false},
		{"proof", with(general, 0), with(rule("disk-full", rules.Ambiguous), 0, "path"), false},
		{"a message", with(message, 1), with(general, 0, "path"), false},
		{"two messages", with(message, 0, "path"), with(other, 0), true},
		{"more values", with(message, 1, "path", "size"), with(message, 0, "path"), false},
		{"the wording that stands first", with(message, 0, "path"), with(message, 1, "size"), false},
		{"itself", with(message, 0, "path"), with(message, 0, "path"), true},
	} {
		if a, b := clearer(tt.a, tt.b), clearer(tt.b, tt.a); a == tt.none || b {
			t.Errorf("%s: %v, the other way round %v", tt.name, a, b)
		}
	}
}

// TestNear: lines show one failure that stand near one another in a stream, lie
// within a moment, or are of one rank where times do not tell.
func TestNear(t *testing.T) {
	d := log("a.log")
	s, s1, other := stream(d, 0), stream(d, 1), stream(log("b.log"), 0)
	nobody := stream(log("c.log"), -1)
	r := rule("key-error", rules.Root)
	at := func(s *scan.Stream, clock string) *scan.Event { return timed(found(r, s, 1, ""), clockTime(t, clock)) }
	utc := at(other, "10:00:00")
	utc.Quote.Zoned, utc.Zoned = true, true
	for _, tt := range []struct {
		name string
		a, b *scan.Event
		near bool
	}{
		{"sixty lines apart", found(r, s, 1, ""), found(r, s, 1+nearLines, ""), true},
		{"more", found(r, s, 1, ""), found(r, s, 2+nearLines, ""), false},
		{"two seconds apart", at(s, "10:00:00"), at(s1, "10:00:02"), true},
		{"three seconds apart", at(s, "10:00:00"), at(s1, "10:00:03"), false},
		{"three seconds apart, of one rank", at(s, "10:00:00"), at(other, "10:00:03"), false},
		{"one rank, without times", found(r, s, 1, ""), found(r, other, 900, ""), true},
		{"one rank, of which one line has a time", at(s, "10:00:00"), found(r, other, 900, ""), true},
		{"one rank, by two clocks", at(s, "10:00:03"), utc, true},
		{"two ranks, without times", found(r, s, 1, ""), found(r, s1, 2, ""), false},
		{"two ranks, of which one line has a time", at(s, "10:00:00"), found(r, s1, 2, ""), false},
		{"two ranks, of which one line tells a moment", utc, found(r, s1, 2, ""), false},
		{"two ranks, by two clocks", at(s1, "10:00:00"), utc, false},
		{"nobody's, without times", found(r, nobody, 1, ""), found(r, stream(log("e.log"), -1), 2, ""), false},
	} {
		j := judgeOn(nil)
		if a, b := j.near(plain(tt.a), plain(tt.b)), j.near(plain(tt.b), plain(tt.a)); a != tt.near || b != tt.near {
			t.Errorf("%s: near is %v, the other way round %v", tt.name, a, b)
		}
	}
}

// TestTwin: a line of the job's log tells the moment that the driver's record tells.
func TestTwin(t *testing.T) {
	record := func(cause string, rank int, at time.Time) *scan.Event {
		d := log("plog.log")
		d.Kind = source.Device
		return timed(found(rule(cause, rules.Ambiguous), stream(d, rank), 1, ""), at)
	}
	line := func(rank int, at time.Time) *scan.Event {
		return timed(found(rule("hang", rules.Ambiguous), stream(log("a.log"), rank), 1, ""), at)
	}
	ten := clockTime(t, "10:00:00")
	kernel := line(0, ten)
	kernel.Quote.Kind = source.Kernel
	between := line(0, ten)
	between.Quote.Time, between.Until = time.Time{}, ten.Add(time.Second)
	some := record("hang", 0, ten)
	some.Quote.Time, some.Until = time.Time{}, ten.Add(time.Second)
	for _, tt := range []struct {
		name         string
		record, line *scan.Event
		twin         bool
	}{
		{"the very moment", record("hang", 0, ten), line(0, ten.Add(time.Second/10-1)), true},
		{"a tenth of a second later", record("hang", 0, ten), line(0, ten.Add(time.Second/10)), false},
		{"a tenth of a second earlier", record("hang", 0, ten), line(0, ten.Add(-time.Second/10)), false},
		{"another rank", record("hang", 0, ten), line(1, ten), false},
		{"no wait", record("device-fault", 0, ten), line(0, ten), false},
		{"two lines", line(0, ten), line(0, ten), false},
		{"two records", record("hang", 0, ten), record("hang", 0, ten), false},
		{"the kernel's line", record("hang", 0, ten), kernel, false},
		{"a line at some moment", record("hang", 0, ten), between, false},
		{"a record at some moment", some, line(0, ten), false},
	} {
		if got := judgeOn(nil).twin(plain(tt.record), plain(tt.line)); got != tt.twin {
			t.Errorf("%s: twin is %v", tt.name, got)
		}
	}
}

// TestDeath: the end of a process explains what others waited for in vain or met
// of it in their next attempt.
func TestDeath(t *testing.T) {
	d := log("a.log")
	s, other := stream(d, 0), stream(log("b.log"), 1)
	at := func(e *scan.Event, clock string) *scan.Event { return timed(e, clockTime(t, clock)) }
	again := func(e *scan.Event) *scan.Event { e.Attempt = 1; return e }
	killed, code := rule("killed", rules.Ambiguous), rule("exit-nonzero", rules.Ambiguous)
	wait, root := rule("collective-timeout", rules.Ambiguous), rule("key-error", rules.Root)
	for _, tt := range []struct {
		name   string
		root   *scan.Event
		others []*scan.Event
		death  bool // the first of the others
	}{
		{"before a wait", at(found(wait, s, 9, ""), "10:00:09"), []*scan.Event{at(found(killed, other, 1, ""), "10:00:00")}, true},
		{"after a wait", at(found(wait, s, 9, ""), "10:00:00"), []*scan.Event{at(found(killed, other, 1, ""), "10:00:09")}, false},
		{"before a stop without proof", at(found(rule("stopped-by-user", rules.Ambiguous), s, 9, ""), "10:00:09"), []*scan.Event{at(found(killed, other, 1, ""), "10:00:00")}, true},
		{"before a stop", at(found(rule("stopped-by-user", rules.Root), s, 9, ""), "10:00:09"), []*scan.Event{at(found(killed, other, 1, ""), "10:00:00")}, false},
		{"before a failure", at(found(root, s, 9, ""), "10:00:09"), []*scan.Event{at(found(killed, other, 1, ""), "10:00:00")}, false},
		{"before what may be a failure", at(found(rule("key-error", rules.Ambiguous), s, 9, ""), "10:00:09"), []*scan.Event{at(found(killed, other, 1, ""), "10:00:00")}, false},
		{"an exit code before a wait", at(found(wait, s, 9, ""), "10:00:09"), []*scan.Event{at(found(code, other, 1, ""), "10:00:00")}, false},
		{"in the attempt before", again(found(root, s, 9, "")), []*scan.Event{found(killed, s, 1, "")}, true},
		{"an exit code in the attempt before", again(found(root, s, 9, "")), []*scan.Event{found(code, s, 1, "")}, false},
		{"in the same attempt", again(found(root, s, 9, "")), []*scan.Event{again(found(killed, s, 1, ""))}, false},
		{"in the same attempt, without proof", again(found(rule("key-error", rules.Ambiguous), s, 9, "")), []*scan.Event{again(found(killed, s, 1, ""))}, false},
		{"in an attempt of another log", again(found(root, s, 9, "")), []*scan.Event{found(killed, other, 1, "")}, false},
		{"in the attempt before, which proves its own failure", again(found(root, s, 9, "")), []*scan.Event{found(killed, s, 2, ""), found(rule("disk-full", rules.Root), s, 1, "")}, false},
	} {
		j := judgeOn(nil, append([]*scan.Event{tt.root}, tt.others...)...)
		got := j.death(j.all[0])
		if tt.death != (got != nil) || got != nil && got != j.all[1] {
			t.Errorf("%s: a death is %v", tt.name, got != nil)
		}
	}
	handed := at(found(class("exception-other", rules.Root), other, 1, ""), "10:00:00")
	held := uncaught(handed)
	held.Traceback.Exceptions[0].Type = "ray.exceptions.RayTaskError(KeyError)"
	j := newJudge(&Case{Found: scan.Result{Traces: []*scan.Trace{held}, Events: []*scan.Event{at(found(wait, s, 9, ""), "10:00:09"), handed}}}, rules.Default())
	if j.all[1].tier != exit || j.death(j.all[0]) != nil {
		t.Error("what Ray hands on is taken for a death")
	}
}

// TestMayPrecede: what came at an unknown moment may have come before.
func TestMayPrecede(t *testing.T) {
	s, other := stream(log("a.log"), 0), stream(log("b.log"), 1)
	r := rule("killed", rules.Ambiguous)
	at := func(s *scan.Stream, seq int, from, until string) *scan.Event {
		e := found(r, s, seq, "")
		if from == until && from != "" {
			return timed(e, clockTime(t, from))
		}
		if from != "" {
			e.At = clockTime(t, from)
		}
		if until != "" {
			e.Until = clockTime(t, until)
		}
		return e
	}
	zoned := at(other, 1, "10:00:00", "10:00:09")
	zoned.Zoned = true
	for _, tt := range []struct {
		name string
		a, b *scan.Event
		may  bool
	}{
		{"clearly", at(s, 1, "10:00:00", "10:00:00"), at(other, 1, "10:00:03", "10:00:03"), true},
		{"clearly not", at(s, 1, "10:00:03", "10:00:03"), at(other, 1, "10:00:00", "10:00:00"), false},
		{"by a second", at(s, 1, "10:00:00", "10:00:00"), at(other, 1, "10:00:01", "10:00:01"), true},
		{"not, by a second", at(s, 1, "10:00:01", "10:00:01"), at(other, 1, "10:00:00", "10:00:00"), false},
		{"by its line", at(s, 1, "", ""), at(s, 2, "", ""), true},
		{"not, by its line", at(s, 2, "", ""), at(s, 1, "", ""), false},
		{"between two lines that lie around", at(s, 1, "10:00:00", "10:00:09"), at(other, 1, "10:00:03", "10:00:03"), true},
		{"between two lines, a moment before", at(s, 1, "10:00:00", "10:00:09"), at(other, 1, "10:00:02", "10:00:02"), false},
		{"after some moment", at(s, 1, "10:00:00", ""), at(other, 1, "10:00:03", "10:00:03"), true},
		{"before some moment", at(s, 1, "", "10:00:09"), at(other, 1, "10:00:03", "10:00:03"), false},
		{"by another clock", zoned, at(s, 1, "10:00:03", "10:00:03"), false},
		{"nobody knows", at(s, 1, "", ""), at(other, 1, "", ""), false},
	} {
		if got := judgeOn(nil).mayPrecede(plain(tt.a), plain(tt.b)); got != tt.may {
			t.Errorf("%s: may precede is %v", tt.name, got)
		}
	}
}

// TestWeakRoot: without proof, what does not merely wait comes before what waits;
// a stop counts when it came before every wait; what a wait came to does not.
func TestWeakRoot(t *testing.T) {
	s, same, other := stream(log("a.log"), 0), stream(log("more.log"), 0), stream(log("b.log"), 1)
	nobody := stream(log("c.log"), -1)
	at := func(e *scan.Event, clock string) *scan.Event { return timed(e, clockTime(t, clock)) }
	wait, hint, general, stop := rule("collective-timeout", rules.Ambiguous), rule("io-error", rules.Ambiguous), class("device-execution-failed", rules.Ambiguous), rule("stopped-by-user", rules.Ambiguous)
	for _, tt := range []struct {
		name   string
		events []*scan.Event
		root   int
	}{
		{"a hint after a wait", []*scan.Event{at(found(wait, s, 1, ""), "10:00:00"), at(found(hint, other, 2, ""), "10:00:09")}, 1},
		{"a hint of the same process after its wait", []*scan.Event{at(found(wait, s, 1, ""), "10:00:00"), at(found(hint, s, 2, ""), "10:00:09")}, 1},
		{"what the wait came to", []*scan.Event{found(wait, s, 1, ""), found(general, s, 2, "")}, 0},
		{"what the wait came to, in another log of the rank", []*scan.Event{at(found(wait, s, 1, ""), "10:00:00"), at(found(general, same, 2, ""), "10:00:09")}, 0},
		{"what the wait came to, of nobody", []*scan.Event{found(wait, nobody, 1, ""), found(general, nobody, 2, "")}, 0},
		{"a general message before the wait", []*scan.Event{found(general, s, 1, ""), found(wait, s, 2, "")}, 0},
		{"a general message of another rank", []*scan.Event{at(found(wait, s, 1, ""), "10:00:00"), at(found(general, other, 2, ""), "10:00:09")}, 1},
		{"a general message of nobody", []*scan.Event{at(found(wait, stream(log("d.log"), -1), 1, ""), "10:00:00"), at(found(general, nobody, 2, ""), "10:00:09")}, 1},
		{"a stop before the wait", []*scan.Event{at(found(wait, s, 1, ""), "10:00:09"), at(found(stop, other, 2, ""), "10:00:00")}, 1},
		{"a stop after the wait", []*scan.Event{at(found(wait, s, 1, ""), "10:00:00"), at(found(stop, other, 2, ""), "10:00:09")}, 0},
		{"a stop, and nobody knows when", []*scan.Event{found(wait, s, 1, ""), found(stop, other, 2, "")}, 0},
		{"a stop after one wait, before another", []*scan.Event{at(found(wait, s, 1, ""), "10:00:00"), at(found(stop, other, 2, ""), "10:00:09"), at(found(wait, nobody, 3, ""), "10:00:20")}, 0},
		{"a stop alone", []*scan.Event{found(stop, other, 2, "")}, 0},
	} {
		j := judgeOn(nil, tt.events...)
		if got := slices.Index(j.all, j.weakRoot()); got != tt.root {
			t.Errorf("%s: line %d, want %d", tt.name, got, tt.root)
		}
	}
}

// TestAbsent: a hint of those for whom the others waited, not later than the wait,
// tells more than that they did not come.
func TestAbsent(t *testing.T) {
	w0, w1, w2 := ofTask("worker-0"), ofTask("worker-1"), ofTask("worker-2")
	at := func(e *scan.Event, clock string) *scan.Event { return timed(e, clockTime(t, clock)) }
	wait := at(found(rule("collective-timeout", rules.Ambiguous), w0, 1, ""), "10:00:00")
	for _, tt := range []struct {
		name  string
		hint  *scan.Event
		tells bool
	}{
		{"before", at(found(rule("io-error", rules.Ambiguous), w1, 2, ""), "09:00:00"), true},
		{"how it ended", at(found(rule("killed", rules.Ambiguous), w1, 2, ""), "09:00:00"), true},
		{"nobody knows when", found(rule("io-error", rules.Ambiguous), w1, 2, ""), true},
		{"after", at(found(rule("io-error", rules.Ambiguous), w1, 2, ""), "11:00:00"), false},
		{"an exit code", at(found(rule("exit-nonzero", rules.Ambiguous), w1, 2, ""), "09:00:00"), false},
		{"a stop", at(found(rule("stopped-by-user", rules.Ambiguous), w1, 2, ""), "09:00:00"), false},
		{"a wait of its own", at(found(rule("network-error", rules.Ambiguous), w1, 2, ""), "09:00:00"), false},
		{"of one who waited as well", at(found(rule("io-error", rules.Ambiguous), w2, 2, ""), "09:00:00"), false},
		{"an echo", at(found(rule("io-error", rules.Symptom), w1, 2, ""), "09:00:00"), false},
	} {
		j := judgeOn([]*scan.Stream{w0, w1, w2}, wait, tt.hint, at(found(wait.Rule, w2, 3, ""), "10:00:00"))
		if got := j.absence(j.all[0]); (got == j.all[1]) != tt.tells || got != nil && got != j.all[1] {
			t.Errorf("%s: it tells more is %v", tt.name, got != nil)
		}
	}
	j := judgeOn([]*scan.Stream{w0, w1}, found(rule("io-error", rules.Ambiguous), w1, 2, ""), at(found(wait.Rule, w0, 3, ""), "10:00:00"))
	if j.absence(j.all[0]) != nil {
		t.Error("a hint gives way to itself")
	}
	j = judgeOn([]*scan.Stream{w0}, wait, found(rule("io-error", rules.Ambiguous), w0, 2, ""))
	if j.absence(j.all[0]) != nil {
		t.Error("nobody is awaited, and somebody tells more")
	}
}

// TestBeaten: a general message gives way to the further lines of the same message,
// and one that names nothing to the hint above it.
func TestBeaten(t *testing.T) {
	d := log("a.log")
	s, other := stream(d, 0), stream(d, 1)
	general, vague, message := class("device-execution-failed", rules.Ambiguous), class("exception-other", rules.Root), rule("device-oom", rules.Root)
	for _, tt := range []struct {
		name string
		root *rules.Rule
		line *scan.Event // the root stands at line 20
		does bool
	}{
		{"below", general, found(message, s, 21, ""), true},
		{"below, without proof", general, found(rule("device-oom", rules.Ambiguous), s, 21, ""), true},
		{"below what names nothing", vague, found(message, s, 21, ""), true},
		{"below a class that proves itself", class("key-error", rules.Root), found(message, s, 21, ""), false},
		{"below a message", message, found(rule("io-error", rules.Root), s, 21, ""), false},
		{"below a message that may be the failure", rule("io-error", rules.Ambiguous), found(message, s, 21, ""), false},
		{"as far below as a message goes on", general, found(message, s, 20+messageGap, ""), true},
		{"further below", general, found(message, s, 21+messageGap, ""), false},
		{"on the same line", general, found(message, s, 20, ""), false},
		{"above a general message", general, found(message, s, 19, ""), false},
		{"of another rank", general, found(message, other, 21, ""), false},
		{"as general", general, found(class("io-error", rules.Root), s, 21, ""), false},
		{"an echo below", general, found(rule("io-error", rules.Symptom), s, 21, ""), false},
		{"a hint above what names nothing", vague, found(rule("io-error", rules.Ambiguous), s, 3, ""), true},
		{"a hint on the line of what names nothing", vague, found(rule("io-error", rules.Ambiguous), s, 20, ""), false},
		{"a hint far below what names nothing", vague, found(rule("io-error", rules.Ambiguous), s, 90, ""), false},
		{"a hint of another rank above what names nothing", vague, found(rule("io-error", rules.Ambiguous), other, 3, ""), false},
		{"a wait above what names nothing", vague, found(rule("collective-timeout", rules.Ambiguous), s, 3, ""), false},
		{"a hint above a general message", general, found(rule("io-error", rules.Ambiguous), s, 3, ""), false},
	} {
		j := judgeOn(nil, found(tt.root, s, 20, ""), tt.line)
		if got := j.beaten(j.all[0]); (got == j.all[1]) != tt.does {
			t.Errorf("%s: beaten is %v", tt.name, got == j.all[1])
		}
	}
	of, line := found(vague, s, 20, ""), found(message, s, 21, "")
	j := newJudge(&Case{Found: scan.Result{Traces: []*scan.Trace{uncaught(of)}, Events: []*scan.Event{of, line}}}, rules.Default())
	if j.beaten(j.all[0]) != j.all[1] {
		t.Error("the further lines of an exception's message are not looked at")
	}
	j = newJudge(&Case{Found: scan.Result{Traces: []*scan.Trace{uncaught(line)}, Events: []*scan.Event{found(vague, s, 20, ""), line}}}, rules.Default())
	if j.beaten(j.all[0]) != j.all[0] {
		t.Error("a traceback below is taken for the further lines of a message")
	}
}

// TestUnseen: a state without a log or, while the job waits, without its events is
// not taken at its word.
func TestUnseen(t *testing.T) {
	logs := stream(log("a.log"), -1)
	message, event := stream(log("details.json"), -1), stream(log("events.json"), -1)
	message.Field, event.Field, event.First.Kind = "status.message", "events[0].message", source.Event
	message.Lines, message.First.Kind = 2, source.Message
	preview := stream(log("preview.json"), -1)
	preview.Field, preview.Lines = "content", 900
	for _, tt := range []struct {
		name       string
		phase      modelarts.Phase
		streams    []*scan.Stream
		cause      string
		confidence Confidence
		want       Confidence
	}{
		{"a log", modelarts.PhaseCompleted, []*scan.Stream{message, logs}, None, High, High},
		{"no log", modelarts.PhaseCompleted, []*scan.Stream{message, event}, None, High, Medium},
		{"the log that a preview holds", modelarts.PhaseCompleted, []*scan.Stream{message, preview}, None, High, High},
		{"events of a job that waits", modelarts.PhasePending, []*scan.Stream{message, event}, None, High, High},
		{"a message about a job that waits", modelarts.PhasePending, []*scan.Stream{message}, None, High, Medium},
		{"a cause", modelarts.PhaseCompleted, nil, "key-error", High, High},
		{"no sure word", modelarts.PhaseCompleted, nil, None, Low, Low},
	} {
		j := judgeOn(tt.streams)
		j.c.Job.Phase, j.c.APIs = tt.phase, map[string]bool{"ShowTrainingJobLogsPreview": true}
		v := Verdict{Cause: tt.cause, Confidence: tt.confidence}
		if j.unseen(&v); v.Confidence != tt.want || (v.Doubt != nil) != (tt.want != tt.confidence) || (v.Sentence != nil) != (v.Doubt != nil) {
			t.Errorf("%s: %s, want %s; doubt %v", tt.name, v.Confidence, tt.want, v.Doubt)
		}
	}
}

// TestSoFar: of a running job the furthest step is told, with its time where the
// log tells one.
func TestSoFar(t *testing.T) {
	of := func(steps ...scan.Mark) *scan.Stream {
		s := stream(log("a.log"), -1)
		s.Progress = steps
		return s
	}
	ten := clockTime(t, "10:00:00")
	for _, tt := range []struct {
		name     string
		streams  []*scan.Stream
		step, at string
	}{
		{"one log", []*scan.Stream{of(scan.Mark{Step: 10}, scan.Mark{Step: 20, Time: ten})}, "20", "2026-03-01 10:00:00"},
		{"with a time above them all", []*scan.Stream{of(scan.Mark{Step: 10, Time: ten}, scan.Mark{Step: 20, Time: ten})}, "20", ""},
		{"without times", []*scan.Stream{of(scan.Mark{Step: 10})}, "10", ""},
		{"the furthest of two logs", []*scan.Stream{of(scan.Mark{Step: 10}), of(scan.Mark{Step: 30, Time: ten}), of(scan.Mark{Step: 20})}, "30", "2026-03-01 10:00:00"},
		{"the first of two as far", []*scan.Stream{of(scan.Mark{Step: 10, Time: ten}), of(scan.Mark{Step: 10})}, "10", "2026-03-01 10:00:00"},
		{"step 0", []*scan.Stream{of(scan.Mark{Step: 0})}, "", ""},
		{"no steps", []*scan.Stream{of()}, "", ""},
	} {
		var v Verdict
		judgeOn(tt.streams).soFar(&v)
		step, at := "", ""
		if len(v.Findings) > 0 {
			step, at = v.Findings[0].Args["step"], v.Findings[0].Args["at"]
		}
		if step != tt.step || at != tt.at {
			t.Errorf("%s: step %q at %q, want %q at %q", tt.name, step, at, tt.step, tt.at)
		}
	}
}

// TestUndecided: what is said of a job of which no line is the root.
func TestUndecided(t *testing.T) {
	steps := stream(log("a.log"), -1)
	steps.Progress = marks(-1, 0, 1, 2)
	one := stream(log("b.log"), -1)
	one.Progress = marks(-1, 0, 1)
	echoes := []*scan.Event{found(rule("io-error", rules.Symptom), one, 3, "")}
	ticket := log("ticket.md")
	ticket.Kind = source.Ticket
	stopped := &stall{since: clockTime(t, "10:00:00"), step: -1}
	for _, tt := range []struct {
		name       string
		phase      modelarts.Phase
		streams    []*scan.Stream
		events     []*scan.Event
		docs       []*source.Document
		stall      *stall
		cause      string
		confidence Confidence
		severity   Severity
		doubt      string
	}{
		{"it ended well", modelarts.PhaseCompleted, []*scan.Stream{steps}, echoes, nil, stopped, None, High, Normal, ""},
		{"it failed", modelarts.PhaseFailed, []*scan.Stream{steps}, nil, nil, stopped, Unknown, Low, Insufficient, ""},
		{"its steps stopped", modelarts.PhaseRunning, []*scan.Stream{steps}, nil, nil, stopped, hang, Medium, Suspected, "only-steps"},
		{"its steps stopped, and it waits anew", modelarts.PhasePending, []*scan.Stream{steps}, nil, nil, stopped, None, High, Normal, ""},
		{"it runs", modelarts.PhaseRunning, []*scan.Stream{one}, nil, nil, nil, None, High, Normal, ""},
		{"it runs, and something was told of it", modelarts.PhaseRunning, []*scan.Stream{one}, echoes, nil, nil, None, High, Normal, ""},
		{"it waits", modelarts.PhasePending, []*scan.Stream{one}, nil, nil, nil, None, High, Normal, ""},
		{"it is created", modelarts.PhaseCreating, []*scan.Stream{one}, nil, nil, nil, None, High, Normal, ""},
		{"it waits, and something was told of it", modelarts.PhasePending, []*scan.Stream{one}, echoes, nil, nil, Unknown, Low, Insufficient, ""},
		{"somebody asks", modelarts.PhaseUnknown, []*scan.Stream{steps}, nil, []*source.Document{log("a.log"), ticket}, nil, Unknown, Low, Insufficient, ""},
		{"steps, and no more", modelarts.PhaseUnknown, []*scan.Stream{one, steps}, nil, []*source.Document{log("a.log")}, nil, None, Medium, Normal, "end-unknown"},
		{"steps, and an echo", modelarts.PhaseUnknown, []*scan.Stream{steps}, echoes, nil, nil, Unknown, Low, Insufficient, ""},
		{"one step", modelarts.PhaseUnknown, []*scan.Stream{one}, nil, nil, nil, Unknown, Low, Insufficient, ""},
	} {
		j := newJudge(&Case{Job: modelarts.Job{Phase: tt.phase}, Documents: tt.docs, Found: scan.Result{Streams: tt.streams, Events: tt.events}}, rules.Default())
		j.stall = tt.stall
		v := j.verdict(nil)
		doubt := ""
		if v.Doubt != nil {
			doubt = v.Doubt.Code
		}
		if (doubt == "only-steps") != (v.Sentence != nil && v.Sentence.Code == "steps-stopped") {
			t.Errorf("%s: it is worded by %v", tt.name, v.Sentence)
		}
		if v.Cause != tt.cause || v.Confidence != tt.confidence || v.Severity != tt.severity || doubt != tt.doubt {
			t.Errorf("%s: %s %s %s (%s), want %s %s %s (%s)", tt.name, v.Cause, v.Confidence, v.Severity, doubt, tt.cause, tt.confidence, tt.severity, tt.doubt)
		}
	}
}

// TestSigns: without a root the first three lines are shown that tell that
// something ended the job, unless it ended well.
func TestSigns(t *testing.T) {
	s := stream(log("a.log"), -1)
	events := []*scan.Event{found(rule("key-error", rules.Ambiguous), s, 1, ""), found(rule("exit-nonzero", rules.Symptom), s, 2, ""), found(rule("killed", rules.Ambiguous), s, 3, ""),
		found(rule("exit-nonzero", rules.Symptom), s, 4, ""), found(rule("exit-nonzero", rules.Symptom), s, 5, "")}
	for phase, want := range map[modelarts.Phase][]int{modelarts.PhaseFailed: {2, 3, 4}, modelarts.PhaseCompleted: nil} {
		j := newJudge(&Case{Job: modelarts.Job{Phase: phase}, Found: scan.Result{Events: events}}, rules.Default())
		var got []int
		for _, q := range j.signs() {
			got = append(got, q.Number)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: the lines %v, want %v", phase, got, want)
		}
	}
	s.Calm = &scan.Quote{Doc: s.Doc, Number: 1, Text: "cannot go on"}
	for cause, want := range map[string]int{"exit-nonzero": 1, "killed": 2} { // what was killed said nothing of it
		if rows := judgeOn(nil, found(rule(cause, rules.Symptom), s, 2, "")).signs(); len(rows) != 3-want || rows[0].Number != want {
			t.Errorf("%s: the lines %v", cause, rows)
		}
	}
}

// TestHearsayIsTheLast: what is only said to have happened is a root where nothing
// else is.
func TestHearsayIsTheLast(t *testing.T) {
	j := judgeOn(nil, found(rule("disk-full", rules.Root), stream(log("a.log"), -1), 1, "it might be full"))
	if j.all[0].tier = hearsay; j.root() != j.all[0] {
		t.Error("hearsay is no root where nothing else is")
	}
}

// TestOverrides: a rule that outranks the root's says more of it in what the same
// process printed within the length of a message.
func TestOverrides(t *testing.T) {
	s, other := stream(log("a.log"), 0), stream(log("b.log"), 1)
	root := rule("io-error", rules.Root)
	over := rule("disk-full", rules.Root)
	over.Over = []string{root.ID}
	for _, tt := range []struct {
		name string
		line *scan.Event // the root stands at line 100
		is   bool
	}{
		{"below", found(over, s, 100+messageGap, ""), true},
		{"above", found(over, s, 100-messageGap, ""), true},
		{"further below", found(over, s, 101+messageGap, ""), false},
		{"further above", found(over, s, 99-messageGap, ""), false},
		{"of another rank", found(over, other, 101, ""), false},
		{"by another rule", found(rule("disk-full", rules.Root), s, 101, ""), false},
	} {
		if got := plain(tt.line).overrides(plain(found(root, s, 100, ""))); got != tt.is {
			t.Errorf("%s: overrides is %v", tt.name, got)
		}
	}
}

// TestSpecifies: an event of the platform tells why what another tells of lasts.
func TestSpecifies(t *testing.T) {
	waits := rule("resource-shortage", rules.Root)
	for _, tt := range []struct {
		name      string
		cause     string
		over      []string
		line, say source.Kind
		is        bool
	}{
		{"an event of an event", "resource-shortage", []string{waits.ID}, source.Event, source.Event, true},
		{"an event of a log's line", "resource-shortage", []string{waits.ID}, source.Event, source.Log, false},
		{"a log's line of an event", "resource-shortage", []string{waits.ID}, source.Log, source.Event, false},
		{"another cause", "quota-exceeded", []string{waits.ID}, source.Event, source.Event, false},
		{"another rule", "resource-shortage", nil, source.Event, source.Event, false},
	} {
		e, root := found(rule(tt.cause, rules.Root), stream(log("a"), -1), 2, ""), found(waits, stream(log("b"), -1), 1, "")
		e.Rule.Over, e.Quote.Kind, root.Quote.Kind = tt.over, tt.line, tt.say
		if got := plain(e).specifies(plain(root)); got != tt.is {
			t.Errorf("%s: specifies is %v", tt.name, got)
		}
	}
}

// TestGoesOn: a message goes on in the next line of the same process, by a wording
// further down the rule.
func TestGoesOn(t *testing.T) {
	s, other := stream(log("a.log"), 0), stream(log("b.log"), 1)
	goes := rule("aborted", rules.Root)
	goes.Facts = []rules.Fact{rules.GoesOn}
	held := chain(ours("Odd"))
	for _, tt := range []struct {
		name         string
		rule         *rules.Rule
		in           *scan.Stream
		gap, wording int
		of, by       *traceback.Traceback
		is           bool
	}{
		{"in the next line", goes, s, 1, 1, nil, nil, true},
		{"in that after it", goes, s, 2, 1, nil, nil, false},
		{"by the same wording", goes, s, 1, 0, nil, nil, false},
		{"of another rank", goes, other, 1, 1, nil, nil, false},
		{"from an exception", goes, s, 1, 1, held, nil, false},
		{"in an exception", goes, s, 1, 1, nil, held, false},
		{"of a rule whose lines do not", rule("aborted", rules.Root), s, 1, 1, nil, nil, false},
	} {
		e, next := found(tt.rule, s, 10, ""), found(tt.rule, tt.in, 10+tt.gap, "")
		e.Trace, next.Trace, next.Wording = tt.of, tt.by, tt.wording
		if got := goesOn(e, next); got != tt.is {
			t.Errorf("%s: goes on is %v", tt.name, got)
		}
	}
}

// TestFurtherValues: a root's sentence takes values from further lines of its
// message, unless those name one thing otherwise: they tell of another failure.
func TestFurtherValues(t *testing.T) {
	s := stream(log("a.log"), 0)
	goes := rule("aborted", rules.Root)
	goes.Facts, goes.Match = []rules.Fact{rules.GoesOn}, append(goes.Match, rules.Wording{Literals: []string{"two"}})
	at := func(seq, exception, wording int, values ...string) *scan.Event {
		e := found(goes, s, seq, "")
		e.Exception, e.Wording = exception, wording
		for i := 0; i < len(values); i += 2 {
			saying(e, values[i], values[i+1])
		}
		return e
	}
	held, beside := chain(ours("Odd"), ours("Odd")), chain(ours("Odd"))
	in := func(tb *traceback.Traceback, e *scan.Event) *scan.Event { e.Trace = tb; return e }
	for _, tt := range []struct {
		name       string
		root, more *scan.Event
		want       map[string]string
	}{
		{"below", at(10, -1, 0, "type", "a"), at(11, -1, 1, "what", "b"), map[string]string{"type": "a", "what": "b"}},
		{"above", at(10, -1, 1, "what", "b"), at(9, -1, 0, "type", "a"), map[string]string{"type": "a", "what": "b"}},
		{"of a line without values", at(10, -1, 0), at(11, -1, 1, "what", "b"), map[string]string{"what": "b"}},
		{"the same again", at(10, -1, 0, "type", "a"), at(11, -1, 1, "type", "a", "what", "b"), map[string]string{"type": "a", "what": "b"}},
		{"something else", at(10, -1, 0, "type", "a"), at(11, -1, 1, "type", "c", "what", "b"), map[string]string{"type": "a"}},
		{"further off", at(10, -1, 0, "type", "a"), at(12, -1, 1, "what", "b"), map[string]string{"type": "a"}},
		{"of the exception", in(held, at(10, 0, 0, "type", "a")), in(held, at(15, 0, 0, "what", "b")), map[string]string{"type": "a", "what": "b"}},
		{"of another exception of the chain", in(held, at(10, 0, 0, "type", "a")), in(held, at(15, 1, 0, "what", "b")), map[string]string{"type": "a"}},
		{"of another traceback", in(held, at(10, 0, 0, "type", "a")), in(beside, at(15, 0, 0, "what", "b")), map[string]string{"type": "a"}},
		{"of a line below an exception", in(held, at(10, 0, 0, "type", "a")), at(11, -1, 1, "what", "b"), map[string]string{"type": "a"}},
	} {
		j := judgeOn(nil, tt.root, tt.more)
		root := plain(tt.root)
		if tt.root.Trace != nil {
			root.trace = &scan.Trace{Traceback: held}
		}
		got, rows := j.values(root)
		if !maps.Equal(got, tt.want) || len(rows) != len(tt.want)-len(tt.root.Values) {
			t.Errorf("%s: %v from %d further lines, want %v", tt.name, got, len(rows), tt.want)
		}
		if root.rule = rule("killed", rules.Root); tt.more.Values != nil {
			if got, rows := j.values(root); len(got) != len(tt.root.Values) || rows != nil {
				t.Errorf("%s: a rule that only gives the words reads %v", tt.name, got)
			}
		}
	}
}

// TestPreviewed: a log may be what the answer with its preview holds.
func TestPreviewed(t *testing.T) {
	for _, tt := range []struct {
		name  string
		api   string
		kind  source.Kind
		lines int
		is    bool
	}{
		{"a log", "ShowTrainingJobLogsPreview", source.Log, 2, true},
		{"a line", "ShowTrainingJobLogsPreview", source.Log, 1, false},
		{"a message", "ShowTrainingJobLogsPreview", source.Message, 2, false},
		{"another answer", "ShowTrainingJobDetails", source.Log, 2, false},
	} {
		s := stream(log("a.json"), -1)
		s.First.Kind, s.Lines = tt.kind, tt.lines
		if got := (&Case{APIs: map[string]bool{tt.api: true}}).previewed(s); got != tt.is {
			t.Errorf("%s: previewed is %v", tt.name, got)
		}
	}
}

// TestVerdictIsTold: how bad it is, where it was raised, what the platform thinks of
// it and a picture go with a cause; without one the lines that tell of an end.
func TestVerdictIsTold(t *testing.T) {
	const step, end = "2026-03-01 10:00:00,000 step 10 loss 1.0", "[Modelarts Service Log]Training end with return code: 1"
	job := modelarts.Job{Phase: modelarts.PhaseFailed, Analysis: []modelarts.Analysis{{Description: "no module named a"}}}
	on := func(ls ...string) Verdict {
		return verdictOn(t, situation{job: job, logs: map[string]string{"worker-0.log": lines(ls...)}})
	}
	v := on(step, raised(loaderError), end)
	if v.Severity != Fault || v.Place == nil || len(v.Opinions) != 1 || len(v.Timeline.Lanes) != 1 {
		t.Errorf("%s at %v; %d opinions, %d lanes", v.Severity, v.Place, len(v.Opinions), len(v.Timeline.Lanes))
	}
	if v = on(step, raised("RuntimeError: CUDA error: uncorrectable ECC error encountered"), end); v.Cause != "device-fault" || v.Place != nil {
		t.Errorf("%s was raised at %v", v.Cause, v.Place)
	}
	if v = on(step, end); v.Cause != Unknown || !strings.Contains(first(v), "return code: 1") {
		t.Errorf("%s by %q", v.Cause, first(v))
	}
}

// TestHangsAreWorded: of a job that may hang is told what shows it, of one that runs
// how far it has come.
func TestHangsAreWorded(t *testing.T) {
	const step = "2026-03-01 10:00:00,000 step 10 loss 1.0"
	idle := []modelarts.Metric{series("", "npuUtil", append(minutes(10, 80), minutes(40, 0)...)...)}
	for _, tt := range []struct {
		name     string
		job      modelarts.Job
		log      string
		sentence string
		finding  string
	}{
		{"stacks", modelarts.Job{}, lines(step, dump), "stacks-taken", "stands"},
		{"devices at rest", modelarts.Job{Phase: modelarts.PhaseRunning, Metrics: idle}, lines(step), "devices-idle", "idle"},
		{"devices at rest of nobody knows what", modelarts.Job{Metrics: idle}, lines(step, "2026-03-01 10:00:10,000 step 20 loss 1.0"), "", ""},
		{"it runs", modelarts.Job{Phase: modelarts.PhaseRunning}, lines(step), "", "so-far"},
	} {
		v := verdictOn(t, situation{job: tt.job, logs: map[string]string{"worker-0.log": tt.log}})
		sentence := ""
		if v.Sentence != nil {
			sentence = v.Sentence.Code
		}
		if got := findingsOf(v); sentence != tt.sentence || (tt.finding == "") != (len(got) == 0) || tt.finding != "" && !slices.Contains(got, tt.finding) {
			t.Errorf("%s: %q with %q, want %q with %q", tt.name, sentence, got, tt.sentence, tt.finding)
		}
		if (tt.sentence == "devices-idle") != (v.Doubt != nil && v.Doubt.Code == "only-metrics") {
			t.Errorf("%s: the doubt is %v", tt.name, v.Doubt)
		}
	}
}

// TestRanks: the ranks that show the same failure are told once each, ascending.
func TestRanks(t *testing.T) {
	r := rule("key-error", rules.Root)
	at := func(rank int, text string) *scan.Event { return found(r, stream(log("a.log"), rank), 1, text) }
	j := judgeOn(nil, at(3, "KeyError: 'x'"), at(0, "KeyError: 'x'"), at(3, "KeyError: 'x'"), at(-1, "KeyError: 'x'"), at(1, "KeyError: 'y'"))
	if got := j.ranks(j.all[0]); !slices.Equal(got, []int{0, 3}) {
		t.Errorf("the ranks are %v", got)
	}
}
