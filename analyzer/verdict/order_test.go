package verdict

import (
	"slices"
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

const (
	loaderError  = "KeyError: 'label'"
	modelError   = "ValueError: too many values to unpack (expected 2)"
	outOfMemory  = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.26 GiB. GPU 5 has a total capacity of 79.10 GiB of which 1.02 GiB is free."
	watchdog     = "[rank0]:[E ProcessGroupNCCL.cpp:616] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=341, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600088 milliseconds before timing out."
	kernelOOM    = "[Sat Feb 14 03:10:07 2026] Memory cgroup out of memory: Killed process 2665 (python3) total-vm:61234567kB, anon-rss:33554012kB"
	failedEvent  = " Failed to run the training job."
	stoppedEvent = " The training job has been manually stopped."
)

// TestFirst: which failure is the root, and on what that rests.
func TestFirst(t *testing.T) {
	for _, tt := range []struct {
		name  string
		in    situation
		cause string
		order string // among the grounds, "" when there is none
	}{
		{"the line above, in one stream", situation{logs: map[string]string{
			"worker-0.log": lines(raised(loaderError), raised(modelError)),
		}}, "key-error", byPosition},
		{"the time, over two files", situation{logs: map[string]string{
			"worker-0.log": lines("2026-03-01 10:00:09,000 - ERROR - step failed", raised(modelError)),
			"worker-1.log": lines("2026-03-01 10:00:03,000 - ERROR - step failed", raised(loaderError)),
		}}, "key-error", byTime},
		{"an exception without a stamp is not as early as the line above it", situation{logs: map[string]string{
			"worker-0.log": lines("2026-03-01 10:00:00,000 step 10 loss 1.0", raised("RuntimeError: [../third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:81] Timed out waiting 1800000ms for send operation to complete"), "2026-03-01 10:09:00,000 - INFO - bye"),
			"worker-1.log": lines("2026-03-01 10:05:00,000 step 10 loss 1.0", "2026-03-01 10:05:01,000 - ERROR - step failed", raised(loaderError)),
		}}, "key-error", ""},
		{"what the kernel wrote on another day", situation{logs: map[string]string{
			"worker-0.log": lines("2026-03-01 10:00:00,000 step 10 loss 1.0", raised(loaderError), "2026-03-01 10:09:00,000 - INFO - bye"),
			"dmesg.log":    lines(kernelOOM),
		}}, "key-error", ""},
		{"the step that a rank had reached, without comparable times", situation{logs: map[string]string{
			"rank_0.log": lines("step 10 loss 1.0", "step 20 loss 1.0", "step 30 loss 1.0", "step 40 loss 1.0", raised(modelError)),
			"rank_1.log": lines("step 10 loss 1.0", "step 20 loss 1.0", raised(loaderError)),
		}}, "key-error", byStep},
		{"a rank that prints steps seldom is not behind", situation{logs: map[string]string{
			"rank_0.log": lines("step 10 loss 1.0", "step 20 loss 1.0", "step 30 loss 1.0", "step 40 loss 1.0", raised(modelError)),
			"rank_1.log": lines("step 0 loss 1.0", "step 25 loss 1.0", raised(loaderError)),
		}}, "value-error", ""},
		{"the task that the platform says ended the run", situation{
			job: modelarts.Job{Phase: modelarts.PhaseFailed, Records: []modelarts.Record{{RelatedTask: "worker-1"}}},
			logs: map[string]string{
				"worker-0.log": lines(raised(modelError)),
				"worker-1.log": lines(raised(loaderError)),
			}}, "key-error", byPointer},
		{"the kernel before the exception that it set off", situation{logs: map[string]string{
			"worker-0.log":     lines("2026-02-14 03:10:00,000 step 10 loss 1.0", raised("RuntimeError: DataLoader worker (pid 2665) is killed by signal: Killed.")),
			"dmesg-worker.log": lines(kernelOOM),
		}}, "host-oom", ""},
		{"whoever waits comes last", situation{logs: map[string]string{
			"worker-0.log": lines("2026-03-01 10:10:02,000 " + watchdog),
			"worker-1.log": lines("2026-03-01 10:00:00,000 step 10 loss 1.0", prefixed("[rank5]: ", raised(outOfMemory))),
		}}, "device-oom", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := verdictOn(t, tt.in)
			if v.Cause != tt.cause {
				t.Errorf("the cause is %s (%s) by %q, want %s", v.Cause, v.Confidence, first(v), tt.cause)
			}
			if tt.order != "" && !slices.Contains(v.Order, tt.order) {
				t.Errorf("the order rests on %q, want %s among them", v.Order, tt.order)
			}
		})
	}
}

// TestGroupOfEchoes: a group of exceptions says no more than its members do.
func TestGroupOfEchoes(t *testing.T) {
	lost := "ConnectionResetError: [Errno 104] Connection reset by peer"
	group := "  + Exception Group " + strings.TrimPrefix(prefixed("  | ", raised("ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)")), "  | ") +
		"\n  +-+---------------- 1 ----------------\n" + prefixed("    | ", raised(lost)) + "\n    +------------------------------------"
	alone := verdictOn(t, situation{logs: map[string]string{"worker-0.log": lines("step 10 loss 1.0", raised(lost))}})
	grouped := verdictOn(t, situation{logs: map[string]string{"worker-0.log": lines("step 10 loss 1.0", group)}})
	if grouped.Cause != alone.Cause || grouped.Confidence != alone.Confidence {
		t.Errorf("alone it is %s (%s), in a group %s (%s)", alone.Cause, alone.Confidence, grouped.Cause, grouped.Confidence)
	}
}

// TestSpan: a line without a time happened between the timed lines around it.
func TestSpan(t *testing.T) {
	between := func(from, until string) span {
		var s span
		if from != "" {
			s.from = clockTime(t, from)
		}
		if until != "" {
			s.until = clockTime(t, until)
		}
		return s
	}
	for _, tt := range []struct {
		name     string
		a, b     span
		precedes bool
		likely   int
	}{
		{"clear", between("10:00:00", "10:00:00"), between("10:00:03", "10:00:03"), true, -1},
		{"one moment", between("10:00:00", "10:00:00"), between("10:00:02", "10:00:02"), false, -1},
		{"the reverse", between("10:00:03", "10:00:03"), between("10:00:00", "10:00:00"), false, 1},
		{"between two lines", between("10:00:00", "10:05:00"), between("10:02:00", "10:02:00"), false, 0},
		{"over before", between("10:00:00", "10:01:00"), between("10:02:00", "10:02:00"), true, -1},
		{"nothing below", between("10:00:00", ""), between("10:02:00", "10:02:00"), false, 0},
		{"nothing below either", between("10:00:00", ""), between("10:02:00", ""), false, -1},
		{"nothing above", between("", "10:00:00"), between("10:02:00", ""), true, 0},
		{"nothing known", between("", ""), between("10:02:00", "10:02:00"), false, 0},
	} {
		if got := tt.a.precedes(tt.b); got != tt.precedes {
			t.Errorf("%s: precedes is %v", tt.name, got)
		}
		if got := tt.a.likely(tt.b); got != tt.likely {
			t.Errorf("%s: likely is %d, want %d", tt.name, got, tt.likely)
		}
	}
	local := between("10:00:00", "10:00:00")
	local.plain = true
	if local.precedes(between("10:02:00", "10:02:00")) {
		t.Error("a wall clock of an unknown zone is compared with a moment")
	}
}

// TestSkew: clocks that differ are put right by the steps that both logs print.
func TestSkew(t *testing.T) {
	v := verdictOn(t, situation{logs: map[string]string{
		"worker-0.log": lines(
			"2026-03-01 10:00:10,000 step 10 loss 1.0", "2026-03-01 10:00:20,000 step 20 loss 1.0", "2026-03-01 10:00:30,000 step 30 loss 1.0", "2026-03-01 10:00:40,000 step 40 loss 1.0",
			"2026-03-01 10:00:45,000 - ERROR - failed", raised(loaderError)),
		"worker-1.log": lines(
			"2026-03-01 09:55:10,000 step 10 loss 1.0", "2026-03-01 09:55:20,000 step 20 loss 1.0", "2026-03-01 09:55:30,000 step 30 loss 1.0", "2026-03-01 09:55:40,000 step 40 loss 1.0",
			"2026-03-01 09:55:50,000 - ERROR - failed", raised(modelError)),
	}})
	if v.Cause != "key-error" || !slices.Contains(v.Order, bySkew) {
		t.Errorf("the cause is %s, its order rests on %q; want key-error, five seconds earlier by corrected clocks", v.Cause, v.Order)
	}
}

// TestDelays: a report tells a delay only where the log does.
func TestDelays(t *testing.T) {
	for _, tt := range []struct {
		name           string
		root, symptom  string
		seconds, least string
	}{
		{"both stamped", "2026-03-01 10:00:00,000 - ERROR - failed\n" + raised(loaderError), "2026-03-01 10:10:02,000 " + watchdog, "602", ""},
		{"the root between two lines", "2026-03-01 10:00:00,000 step 1 loss 1.0\n" + raised(loaderError) + "\n2026-03-01 10:00:30,000 - INFO - bye", "2026-03-01 10:10:02,000 " + watchdog, "", "572"},
		{"nothing below the root", "2026-03-01 10:00:00,000 step 1 loss 1.0\n" + raised(loaderError), "2026-03-01 10:10:02,000 " + watchdog, "", ""},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-1.log": lines(tt.root), "worker-0.log": lines(tt.symptom)}})
		found := false
		for _, s := range v.Symptoms {
			if s.Because.Code == "waited" {
				found = true
				if a := s.Because.Args; a["seconds"] != tt.seconds || a["least"] != tt.least {
					t.Errorf("%s: the delay is told as %q, want seconds %q, at least %q", tt.name, a, tt.seconds, tt.least)
				}
			}
		}
		if !found {
			t.Errorf("%s: the watchdog is no symptom: %v", tt.name, v.Why)
		}
	}
}

// TestPrefer: between failures of one moment, whoever came first is told by what
// they are, by the steps, by who names them; waits come last.
func TestPrefer(t *testing.T) {
	merged := log("train.log")
	a, b := stream(log("a.log"), 0), stream(log("b.log"), 1)
	a.Progress, b.Progress = marks(0, 0, 1, 2, 3, 4), marks(1, 0, 1, 2, 3)
	level0, level1 := stream(log("c.log"), 2), stream(log("d.log"), 3)
	level1.Task = "worker-3"
	kernel := log("dmesg.log")
	kernel.Kind = source.Kernel
	root := rule("io-error", rules.Root)
	driver, only := rule("io-error", rules.Root), rule("io-error", rules.Root)
	driver.Family, only.Only = "nvidia-driver", rules.Kernel
	asked := rule("network-error", rules.Root)
	asked.Family = "shell"
	vague := rule("exception-other", rules.Root)
	vague.Generic = true
	at := func(s *scan.Stream, seq int, clock string) *scan.Event {
		return timed(found(root, s, seq, ""), clockTime(t, clock))
	}
	trace := func(s *scan.Stream) *scan.Event {
		e := found(root, s, 9, "")
		uncaught(e)
		return e
	}
	for _, tt := range []struct {
		name   string
		a, b   *scan.Event // a before b
		ground string
	}{
		{"a record of the kernel, before an exception", found(root, stream(kernel, -1), 9, ""), trace(level0), byKind},
		{"a record of the driver, before hardware", found(driver, level0, 9, ""), found(rule("device-fault", rules.Root), level1, 8, ""), byKind},
		{"what only the kernel says, before memory", found(only, level0, 9, ""), found(rule("host-oom", rules.Root), level1, 8, ""), byKind},
		{"hardware, before an exception", found(rule("device-fault", rules.Root), level0, 9, ""), trace(level1), byKind},
		{"memory, before a line", found(rule("host-oom", rules.Root), level0, 9, ""), found(root, level1, 8, ""), byKind},
		{"a line, before a wait", found(root, level0, 9, ""), found(rule("collective-timeout", rules.Root), level1, 8, ""), byKind},
		{"a line, before what names nothing", found(root, level0, 9, ""), found(vague, level1, 8, ""), byKind},
		{"hardware in one log, whatever the line", found(rule("device-fault", rules.Root), stream(merged, 0), 9, ""), found(root, stream(merged, 1), 8, ""), byKind},
		{"an exception below a line of one log", found(root, stream(merged, 0), 8, ""), trace(stream(merged, 1)), byPosition},
		{"the record above, of one kernel", found(root, stream(kernel, -1), 8, ""), found(root, stream(kernel, 1), 9, ""), byPosition},
		{"a tool that could not connect, before a line", found(asked, level0, 9, "curl: (7) Failed to connect"), found(rule("collective-timeout", rules.Root), level1, 8, ""), byKind},
		{"the line above in one log, whatever the steps", found(root, stream(merged, 0), 8, ""), found(root, stream(merged, 1), 9, ""), byPosition},
		{"the rank that is behind", found(root, b, 9, ""), found(root, a, 8, ""), byStep},
		{"the rank that is behind, whatever its kind", found(root, b, 9, ""), trace(a), byStep},
		{"the task that the platform names", found(root, level1, 9, ""), trace(level0), byPointer},
		{"an exception, before a line", trace(level0), found(root, stream(log("e.log"), 4), 8, ""), byKind},
		{"by a second", at(level0, 9, "10:00:00"), at(stream(log("e.log"), 4), 8, "10:00:01"), byTime},
	} {
		c := &Case{Job: modelarts.Job{Records: []modelarts.Record{{RelatedTask: "worker-3"}}}, Found: scan.Result{Events: []*scan.Event{tt.a, tt.b}}}
		for _, e := range c.Found.Events {
			if e.Trace != nil {
				c.Found.Traces = append(c.Found.Traces, &scan.Trace{Traceback: e.Trace, Places: make([]scan.Place, 1)})
			}
		}
		j := newJudge(c, rules.Default())
		n, ground := j.prefer(j.all[0], j.all[1])
		back, _ := j.prefer(j.all[1], j.all[0])
		if n != -1 || back != 1 || ground != tt.ground {
			t.Errorf("%s: %d by %s, the other way round %d; want by %s", tt.name, n, ground, back, tt.ground)
		}
	}
}

// TestBehind: a rank is behind when it missed a step that it would have printed.
func TestBehind(t *testing.T) {
	d := log("a.log")
	steps := func(rank int, steps ...int64) *scan.Stream {
		s := stream(d, rank)
		for i, step := range steps {
			s.Progress = append(s.Progress, scan.Mark{Seq: i + 1, Step: step, Rank: rank})
		}
		return s
	}
	again := steps(1, 10, 20)
	for i := range again.Progress {
		again.Progress[i].Attempt = 1
	}
	at := func(s *scan.Stream, seq, attempt int) *candidate {
		e := found(rule("key-error", rules.Root), s, seq, "")
		e.Attempt = attempt
		return plain(e)
	}
	all := steps(0, 10, 20, 30)
	for _, tt := range []struct {
		name   string
		a, b   *candidate
		behind int
	}{
		{"a step less", at(steps(1, 10, 20), 99, 0), at(all, 99, 0), -1},
		{"a step more", at(all, 99, 0), at(steps(1, 10, 20), 99, 0), 1},
		{"as many", at(steps(1, 10, 20, 30), 99, 0), at(all, 99, 0), 0},
		{"less than a step of its own", at(steps(1, 0, 25), 99, 0), at(all, 99, 0), 0},
		{"less than a step of its own, the other way", at(all, 99, 0), at(steps(1, 0, 25), 99, 0), 0},
		{"the widest step of its own", at(steps(1, 1, 9, 10), 99, 0), at(steps(0, 1, 17), 99, 0), 0},
		{"as if the widest step had come", at(steps(1, 1, 9, 10), 99, 0), at(steps(0, 1, 18), 99, 0), -1},
		{"one step tells nothing", at(steps(1, 10), 99, 0), at(all, 99, 0), 0},
		{"one step of the other tells nothing", at(all, 99, 0), at(steps(1, 10), 99, 0), 0},
		{"what is not known tells nothing", at(steps(1, -1, -1), 99, 0), at(all, 99, 0), 0},
		{"step 0 counts for none", at(steps(1, 0, 10), 99, 0), at(all, 99, 0), 0},
		{"steps below the line do not count", at(steps(1, 10, 20, 30), 3, 0), at(all, 99, 0), -1},
		{"a step of the next attempt does not count", at(again, 99, 0), at(all, 99, 0), 0},
		{"another attempt", at(again, 99, 1), at(all, 99, 0), 0},
		{"one stream", at(all, 3, 0), at(all, 99, 0), 0},
		{"a stream of no rank", at(steps(-1, 10, 20), 99, 0), at(all, 99, 0), 0},
		{"beside a stream of no rank", at(all, 99, 0), at(steps(-1, 10, 20), 99, 0), 0},
	} {
		if got := judgeOn(nil).behind(tt.a, tt.b); got != tt.behind {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.behind)
		}
	}
}

// TestFirstOfMany: what is picked is before all others as far as anything tells;
// what nobody can put in order to it, and is of another cause, is a rival.
func TestFirstOfMany(t *testing.T) {
	at := func(cause, name, from, until string) *scan.Event {
		e := found(rule(cause, rules.Root), stream(log(name), -1), 1, name)
		if from != "" {
			e.At = clockTime(t, from)
		}
		if until != "" {
			e.Until = clockTime(t, until)
		}
		return e
	}
	for _, tt := range []struct {
		name   string
		events []*scan.Event
		first  string
		rivals int
	}{
		{"in order", []*scan.Event{at("key-error", "a", "10:00:00", "10:00:01"), at("io-error", "b", "10:00:10", "10:00:11")}, "a", 0},
		{"in the other order", []*scan.Event{at("key-error", "a", "10:00:10", "10:00:11"), at("io-error", "b", "10:00:00", "10:00:01")}, "b", 0},
		{"the last of three", []*scan.Event{at("key-error", "a", "10:00:10", "10:00:11"), at("io-error", "b", "10:00:20", "10:00:21"), at("disk-full", "c", "10:00:00", "10:00:01")}, "c", 0},
		{"for the most part earlier", []*scan.Event{at("key-error", "a", "10:00:05", "10:00:20"), at("io-error", "b", "10:00:00", "10:00:20")}, "b", 1},
		{"nobody knows", []*scan.Event{at("key-error", "a", "", ""), at("io-error", "b", "", "")}, "a", 1},
		{"hardware that failed later, beside what nobody can put in order", []*scan.Event{at("io-error", "a", "10:00:00", "10:00:01"), at("key-error", "b", "", ""), at("device-fault", "c", "10:00:09", "10:00:10")}, "a", 1},
		{"nobody knows, of one cause", []*scan.Event{at("key-error", "a", "", ""), at("key-error", "b", "", "")}, "a", 0},
	} {
		j := judgeOn(nil, tt.events...)
		j.rivals = j.all
		if got := j.first(j.all); got.event.Quote.Text != tt.first || len(j.rivals) != tt.rivals {
			t.Errorf("%s: %s with %d rivals, want %s with %d", tt.name, got.event.Quote.Text, len(j.rivals), tt.first, tt.rivals)
		}
	}
	a, b := stream(log("a.log"), 0), stream(log("b.log"), 1)
	late, early := timed(found(rule("key-error", rules.Root), a, 1, ""), clockTime(t, "10:00:20")), timed(found(rule("io-error", rules.Root), a, 2, ""), clockTime(t, "10:00:00"))
	j := judgeOn(nil, late, early, timed(found(rule("disk-full", rules.Root), b, 3, ""), clockTime(t, "10:00:10")))
	if got := j.first(j.all); got == nil {
		t.Error("of lines whose times contradict each other none is first")
	}
	if judgeOn(nil).first(nil) != nil {
		t.Error("none of none is first")
	}
}

// TestGrounds: the order of a root rests on what puts it before those that may be
// roots as well, and before the same failure of other ranks.
func TestGrounds(t *testing.T) {
	a, b := stream(log("a.log"), 0), stream(log("b.log"), 1)
	at := func(e *scan.Event, clock string) *scan.Event { return timed(e, clockTime(t, clock)) }
	root := func(cause string) *rules.Rule { return rule(cause, rules.Root) }
	for _, tt := range []struct {
		name        string
		root, other *scan.Event
		fate        string // of the other
		want        []string
	}{
		{"below", found(root("key-error"), a, 1, ""), found(root("io-error"), a, 2, ""), "", []string{byPosition}},
		{"later", at(found(root("key-error"), a, 1, ""), "10:00:00"), at(found(root("io-error"), b, 2, ""), "10:00:09"), "", []string{byTime}},
		{"earlier", at(found(root("key-error"), a, 1, ""), "10:00:09"), at(found(root("io-error"), b, 2, ""), "10:00:00"), "", nil},
		{"an echo", found(root("key-error"), a, 1, ""), found(rule("io-error", rules.Symptom), a, 2, ""), "", nil},
		{"out for another reason", found(root("key-error"), a, 1, ""), found(root("io-error"), a, 2, ""), "passed", nil},
		{"of another rank, and out for another reason", at(found(root("key-error"), a, 1, ""), "10:00:00"), at(found(root("key-error"), b, 2, ""), "10:00:09"), "passed", nil},
		{"the same failure of another rank", at(found(root("key-error"), a, 1, ""), "10:00:00"), at(found(root("key-error"), b, 2, ""), "10:00:09"), "same-failure", []string{byTime}},
		{"the same failure again", found(root("key-error"), a, 1, ""), found(root("key-error"), a, 2, ""), "same-failure", nil},
		{"the same failure of the rank in another log", at(found(root("key-error"), a, 1, ""), "10:00:00"), at(found(root("key-error"), stream(log("more.log"), 0), 2, ""), "10:00:09"), "same-failure", nil},
		{"by what it is", found(root("device-fault"), a, 1, ""), found(root("io-error"), b, 2, ""), "", []string{byKind}},
		{"the weaker by what it is", found(root("device-fault"), a, 1, ""), found(rule("io-error", rules.Ambiguous), b, 2, ""), "", nil},
		{"nothing", found(root("key-error"), a, 1, ""), found(root("io-error"), b, 2, ""), "", nil},
	} {
		j := judgeOn(nil, tt.root, tt.other)
		if tt.fate != "" {
			j.all[1].out(tt.fate, nil)
		}
		if got := j.grounds(j.all[0]); !slices.Equal(got, tt.want) {
			t.Errorf("%s: the order rests on %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestExplains: of one library's lines near one another the last tells why those
// above it say that something was waited for; an exception above it says so itself.
func TestExplains(t *testing.T) {
	s, other := stream(log("a.log"), 0), stream(log("b.log"), 1)
	for _, tt := range []struct {
		name        string
		above, line string // their causes
		family      string // of the line above
		in          *scan.Stream
		gap         int
		trace       bool
		is          bool
	}{
		{"below a wait", "collective-error", "io-error", "test", s, nearLines, false, true},
		{"further below", "collective-error", "io-error", "test", s, nearLines + 1, false, false},
		{"below an exception", "collective-error", "io-error", "test", s, 1, true, false},
		{"below a line of another kind", "disk-full", "io-error", "test", s, 1, false, false},
		{"a wait below a wait", "collective-error", "network-error", "test", s, 1, false, false},
		{"of another library", "collective-error", "io-error", "more", s, 1, false, false},
		{"of another rank", "collective-error", "io-error", "test", other, 1, false, false},
	} {
		o, e := found(rule(tt.above, rules.Root), tt.in, 100, "one"), found(rule(tt.line, rules.Root), s, 100+tt.gap, "two")
		o.Rule.Family, e.Rule.Family = tt.family, "test"
		c := &Case{Found: scan.Result{Events: []*scan.Event{o, e}}}
		if tt.trace {
			c.Found.Traces = []*scan.Trace{uncaught(o)}
		}
		j := newJudge(c, rules.Default())
		if got := j.explains(j.all[1], j.all[0]); got != tt.is {
			t.Errorf("%s: it explains is %v", tt.name, got)
		}
		if first := j.first(j.all); (first == j.all[1]) != tt.is && tt.in == s {
			t.Errorf("%s: %q is first", tt.name, first.event.Quote.Text)
		}
	}
}
