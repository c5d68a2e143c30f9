package verdict

import (
	"testing"
	"time"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// fateOf gives the code by which a candidate is out, "" while it stands.
func fateOf(c *candidate) string {
	if c.fate == nil {
		return ""
	}
	return c.fate.Code
}

// uncaught makes an event the head of a traceback that nobody caught, and gives
// the traceback as it is held.
func uncaught(e *scan.Event) *scan.Trace {
	e.Trace, e.Exception = chain(ours("KeyError")), 0
	e.Trace.Start = e.Seq
	return &scan.Trace{Traceback: e.Trace, Stream: e.Stream, Heads: []*scan.Quote{&e.Quote}, Places: make([]scan.Place, 1)}
}

// marks are steps at lines of a log, of a rank, in an attempt.
func marks(rank, attempt int, seqs ...int) []scan.Mark {
	var all []scan.Mark
	for i, seq := range seqs {
		all = append(all, scan.Mark{Seq: seq, Number: seq, Step: int64(10 * i), Rank: rank, Attempt: attempt})
	}
	return all
}

// TestWentOn: a line after which its own process went on with its steps is no
// failure of it; in a log of several processes another one may have gone on.
func TestWentOn(t *testing.T) {
	for _, tt := range []struct {
		name   string
		rank   int // of the failure, at line 10
		role   rules.Role
		trace  bool
		label  string
		steps  []scan.Mark // of the same stream
		beside []scan.Mark // of the lines of the same log that tell no rank
		named  []int       // ranks that the lines of the log name
		phase  modelarts.Phase
		fate   string
		tier   tier
	}{
		{name: "a step before", rank: -1, role: rules.Root, steps: marks(-1, 0, 9)},
		{name: "a step on the same line", rank: -1, role: rules.Root, steps: marks(-1, 0, 10)},
		{name: "a step after", rank: -1, role: rules.Root, steps: marks(-1, 0, 11), fate: "went-on"},
		{name: "a step of the next attempt after", rank: -1, role: rules.Root, steps: marks(-1, 1, 11)},
		{name: "a step before, another attempt's after", rank: -1, role: rules.Root, steps: append(marks(-1, 0, 9), marks(-1, 1, 11)...)},
		{name: "a step of its rank after", rank: 0, role: rules.Root, steps: marks(0, 0, 11), fate: "went-on"},
		{name: "a step of another rank after", rank: 0, role: rules.Root, steps: marks(1, 0, 11)},
		{name: "a step of rank 0 after what rank 1 met", rank: 1, role: rules.Root, steps: marks(0, 0, 11)},
		{name: "a step of no rank after", rank: 0, role: rules.Root, steps: marks(-1, 0, 11), fate: "went-on"},
		{name: "a step of a rank after what nobody names", rank: -1, role: rules.Root, steps: marks(1, 0, 11), fate: "went-on"},
		{name: "two steps beside after", rank: 3, role: rules.Root, beside: marks(-1, 0, 11, 12), fate: "went-on"},
		{name: "one step beside after", rank: 3, role: rules.Root, beside: marks(-1, 0, 9, 11)},
		{name: "steps beside after, of the next attempt", rank: 3, role: rules.Root, beside: append(marks(-1, 1, 8, 9, 11, 12), marks(-1, 0, 11)...)},
		{name: "steps beside after, of which one tells a rank", rank: 3, role: rules.Root, beside: append(marks(2, 0, 11), marks(-1, 0, 12)...)},
		{name: "steps beside after a traceback", rank: 3, role: rules.Root, trace: true, beside: marks(-1, 0, 11, 12)},
		{name: "a consequence, and one step after", rank: -1, role: rules.Symptom, steps: marks(-1, 0, 9, 11), tier: echo},
		{name: "a consequence, and two steps after", rank: -1, role: rules.Symptom, steps: marks(-1, 0, 9, 11, 12), fate: "went-on", tier: echo},
		{name: "a consequence, and a step after that tells a rank", rank: -1, role: rules.Symptom, steps: append(marks(-1, 0, 11), marks(2, 0, 12)...), tier: echo},
		{name: "a consequence on the line of a step, and one step after", rank: -1, role: rules.Symptom, steps: marks(-1, 0, 10, 11), tier: echo},
		{name: "a consequence, and a step after that tells rank 0", rank: -1, role: rules.Symptom, steps: append(marks(-1, 0, 11), marks(0, 0, 12)...), tier: echo},
		{name: "a consequence, and steps before", rank: -1, role: rules.Symptom, steps: marks(-1, 0, 7, 8, 9), tier: echo},
		{name: "a consequence, and steps of the next attempt", rank: -1, role: rules.Symptom, steps: append(marks(-1, 0, 11), marks(-1, 1, 12, 13)...), fate: "", tier: echo},
		{name: "a traceback in a log of several processes", rank: -1, role: rules.Root, trace: true, steps: marks(-1, 0, 11), named: []int{0, 1}, tier: doubted},
		{name: "a traceback in a log of several processes, and more steps after", rank: -1, role: rules.Root, trace: true, steps: marks(-1, 0, 11, 12, 13), named: []int{0, 1}, tier: doubted},
		{name: "a traceback in a log of one process", rank: -1, role: rules.Root, trace: true, steps: marks(-1, 0, 11, 12), named: []int{0}, fate: "went-on"},
		{name: "a traceback, and one step that may have been under way", rank: -1, role: rules.Root, trace: true, steps: marks(-1, 0, 11), named: []int{0}, tier: doubted},
		{name: "a traceback of a known rank", rank: 1, role: rules.Root, trace: true, steps: marks(1, 0, 11), named: []int{0, 1}, fate: "went-on"},
		{name: "a traceback that a program labelled", rank: -1, role: rules.Root, trace: true, label: "task failed:", steps: marks(-1, 0, 11), named: []int{0, 1}, fate: "went-on"},
		{name: "a traceback that proves nothing", rank: -1, role: rules.Ambiguous, trace: true, steps: marks(-1, 0, 11), named: []int{0, 1}, fate: "went-on", tier: weak},
		{name: "a line in a log of several processes", rank: -1, role: rules.Root, steps: marks(-1, 0, 11), named: []int{0, 1}, fate: "went-on"},
		{name: "a traceback of a job that ended well", rank: -1, role: rules.Root, trace: true, steps: marks(-1, 0, 11), named: []int{0, 1}, phase: modelarts.PhaseCompleted, fate: "went-on"},
	} {
		d := log("train.log")
		s := stream(d, tt.rank)
		s.Progress, s.Named = tt.steps, tt.named
		common := stream(d, -1)
		common.Progress = tt.beside
		e := found(rule("key-error", tt.role), s, 10, "KeyError: 'a'")
		c := &Case{Job: modelarts.Job{Phase: tt.phase}, Found: scan.Result{Streams: []*scan.Stream{s, common}, Events: []*scan.Event{e}}}
		if tt.trace {
			held := uncaught(e)
			held.Traceback.Lead = tt.label
			c.Found.Traces = []*scan.Trace{held}
		}
		j := newJudge(c, rules.Default())
		x := j.all[0]
		j.judgeAlone(x)
		if fateOf(x) != tt.fate || x.tier != tt.tier {
			t.Errorf("%s: out by %q, tier %d; want %q, %d", tt.name, fateOf(x), x.tier, tt.fate, tt.tier)
		}
	}
}

// TestWentOnIsTold: the line and the number of the step by which a program went
// on are told, where it has one.
func TestWentOnIsTold(t *testing.T) {
	for step, text := range map[int64]string{-1: "", 0: "0", 20: "20"} {
		s := stream(log("train.log"), -1)
		s.Progress = []scan.Mark{{Seq: 11, Number: 11, Step: step, Rank: -1}}
		j := judgeOn([]*scan.Stream{s}, found(rule("key-error", rules.Root), s, 10, ""))
		j.judgeAlone(j.all[0])
		if f := j.all[0].fate; f == nil || f.Args["step"] != text || f.Args["line"] != "11" {
			t.Errorf("step %d: %v", step, f)
		}
	}
}

// TestRecoveredIsTold: attempts are told as people count them.
func TestRecoveredIsTold(t *testing.T) {
	s, other := stream(log("train.log"), -1), stream(log("other.log"), -1)
	s.Progress = append(marks(-1, 2, 30), marks(-1, 1, 20)...)
	at := func(s *scan.Stream, attempt int) *scan.Event {
		e := found(rule("key-error", rules.Root), s, 10, "")
		e.Attempt = attempt
		return e
	}
	j := judgeOn([]*scan.Stream{s, other}, at(s, 0), at(s, 1), at(s, 2), at(other, 0))
	j.recovered()
	for i, want := range []string{"1", "2", "", ""} {
		f := j.all[i].fate
		if (f != nil) != (want != "") || f != nil && (f.Args["attempt"] != want || f.Args["later"] != "3") {
			t.Errorf("failure %d: %v, want attempt %q and then 3", i, f, want)
		}
	}
}

// TestBeforeTheJob: what a log, the kernel or a device wrote long before the job
// began, by the clock of that log, is of another job.
func TestBeforeTheJob(t *testing.T) {
	noon := clockTime(t, "12:00:00")
	plain, utc := log("train.log"), log("toolkit.log")
	early, late := stream(plain, -1), stream(plain, 1)
	early.First = scan.Quote{Doc: plain, Time: noon}
	late.First = scan.Quote{Doc: plain, Time: noon.Add(6 * time.Hour)}
	zoned := stream(utc, -1)
	zoned.First = scan.Quote{Doc: utc, Time: noon.Add(-8 * time.Hour), Zoned: true}
	untimed := stream(log("untimed.log"), -1)
	for _, tt := range []struct {
		name    string
		kind    source.Kind
		streams []*scan.Stream // of the job
		at      time.Time
		first   source.Kind // what the record's own first line is
		fate    string
	}{
		{"the kernel, more than an hour before", source.Kernel, []*scan.Stream{early, late}, noon.Add(-staleAfter - time.Second), source.Kernel, "before-job"},
		{"the kernel, an hour before", source.Kernel, []*scan.Stream{early, late}, noon.Add(-staleAfter), source.Kernel, ""},
		{"whichever log comes first", source.Kernel, []*scan.Stream{late, early}, noon.Add(-staleAfter), source.Kernel, ""},
		{"a log without times beside", source.Kernel, []*scan.Stream{early, untimed}, noon.Add(-staleAfter - time.Second), source.Kernel, "before-job"},
		{"no log", source.Kernel, nil, noon.Add(-48 * time.Hour), source.Kernel, ""},
		{"a log of another clock", source.Kernel, []*scan.Stream{zoned}, noon.Add(-48 * time.Hour), source.Kernel, ""},
		{"the kernel without a time", source.Kernel, []*scan.Stream{early}, time.Time{}, source.Kernel, ""},
		{"the kernel without a time, beside a log with a zone", source.Kernel, []*scan.Stream{zoned}, time.Time{}, source.Kernel, ""},
		{"a device, more than a day before", source.Device, []*scan.Stream{early}, noon.Add(-oldAfter - time.Second), source.Device, "before-job"},
		{"a device, a day before", source.Device, []*scan.Stream{early}, noon.Add(-oldAfter), source.Device, ""},
		{"a device's line in the job's own log", source.Device, []*scan.Stream{early}, noon.Add(-oldAfter - time.Second), source.Log, ""},
		{"a line of the job", source.Log, []*scan.Stream{early}, noon.Add(-48 * time.Hour), source.Log, ""},
	} {
		d := log("record.log")
		d.Kind = tt.kind
		s := stream(d, -1)
		s.First = scan.Quote{Doc: d, Kind: tt.first}
		e := found(rule("host-oom", rules.Root), s, 1, "")
		if !tt.at.IsZero() {
			timed(e, tt.at)
		}
		j := judgeOn(tt.streams, e)
		j.stale()
		if got := fateOf(j.all[0]); got != tt.fate {
			t.Errorf("%s: out by %q, want %q", tt.name, got, tt.fate)
		}
	}
}

// TestBeforeAZonedLog: a log without times does not hide when that with a zone began.
func TestBeforeAZonedLog(t *testing.T) {
	s := stream(log("train.log"), -1)
	s.First = scan.Quote{Doc: s.Doc, Time: clockTime(t, "12:00:00"), Zoned: true}
	d := log("dmesg.log")
	d.Kind = source.Kernel
	e := timed(found(rule("host-oom", rules.Root), stream(d, -1), 1, ""), clockTime(t, "10:00:00"))
	e.Zoned, e.Quote.Zoned = true, true
	j := judgeOn([]*scan.Stream{s, stream(log("untimed.log"), -1)}, e)
	if j.stale(); fateOf(j.all[0]) != "before-job" {
		t.Errorf("a record of the kernel of two hours before is out by %q", fateOf(j.all[0]))
	}
}

// TestBegan: a log begins with the first time that it tells, of a line, an event
// or a step.
func TestBegan(t *testing.T) {
	d := log("train.log")
	s, other := stream(d, 0), stream(d, 1)
	at := func(clock string) time.Time { return clockTime(t, clock) }
	untimed := found(rule("key-error", rules.Root), s, 1, "")
	j := judgeOn([]*scan.Stream{s, other}, untimed, timed(found(rule("key-error", rules.Root), other, 2, ""), at("09:00:00")))
	if _, got, _ := j.began(s); !got.IsZero() {
		t.Errorf("a stream without times begins at %v", got)
	}
	s.Progress = []scan.Mark{{Step: 1}, {Step: 2, Time: at("10:02:00")}, {Step: 3, Time: at("10:03:00")}}
	if _, got, _ := j.began(s); !got.Equal(at("10:02:00")) {
		t.Errorf("by its steps it begins at %v", got)
	}
	j.c.Found.Events = append(j.c.Found.Events, timed(found(rule("key-error", rules.Root), s, 3, ""), at("10:01:00")))
	if _, got, _ := j.began(s); !got.Equal(at("10:01:00")) {
		t.Errorf("by its events it begins at %v", got)
	}
	s.First.Time = at("10:00:00")
	if _, got, _ := j.began(s); !got.Equal(at("10:00:00")) {
		t.Errorf("by its first line it begins at %v", got)
	}
}

// TestOldLogs: a log that ended more than a day before its job was created is
// another job's; what an answer tells of the job never is.
func TestOldLogs(t *testing.T) {
	created := clockTime(t, "12:00:00")
	for _, tt := range []struct {
		name    string
		created time.Time
		field   string
		last    time.Time // of the log's last line
		at      time.Time // of the failure
		old     bool
	}{
		{"ended long before", created, "", created.Add(-oldAfter - 1), time.Time{}, true},
		{"ended a day before", created, "", created.Add(-oldAfter), time.Time{}, false},
		{"its last time is the failure's", created, "", time.Time{}, created.Add(-oldAfter - 1), true},
		{"without times", created, "", time.Time{}, time.Time{}, false},
		{"nobody knows when the job was created", time.Time{}, "", created.Add(-oldAfter - 1), time.Time{}, false},
		{"told by an answer", created, "status.message", created.Add(-oldAfter - 1), time.Time{}, false},
	} {
		s := stream(log("train.log"), -1)
		s.Field, s.Last.Time = tt.field, tt.last
		e := found(rule("key-error", rules.Root), s, 1, "")
		e.At = tt.at
		j := judgeOn([]*scan.Stream{s}, e)
		j.c.Job.Created = tt.created
		if got := j.old(j.all[0]); got != tt.old {
			t.Errorf("%s: old is %v", tt.name, got)
		}
	}
}

// TestEndedWell: of a job that ended well only a traceback near the end of its own
// log, which nobody caught, is a failure that its state hides.
func TestEndedWell(t *testing.T) {
	for _, tt := range []struct {
		name  string
		below int // lines of the log below the failure
		trace bool
		role  rules.Role
		fate  string
	}{
		{"a traceback at the end", lastLines, true, rules.Root, ""},
		{"a traceback further up", lastLines + 1, true, rules.Root, "succeeded"},
		{"a line at the end", lastLines, false, rules.Root, "succeeded"},
		{"a traceback that proves nothing", lastLines, true, rules.Ambiguous, "succeeded"},
	} {
		s := stream(log("train.log"), -1)
		s.LastSeq = 10 + tt.below
		e := found(rule("key-error", tt.role), s, 10, "KeyError: 'a'")
		c := &Case{Job: modelarts.Job{Phase: modelarts.PhaseCompleted}, Found: scan.Result{Streams: []*scan.Stream{s}, Events: []*scan.Event{e}}}
		if tt.trace {
			c.Found.Traces = []*scan.Trace{uncaught(e)}
		}
		j := newJudge(c, rules.Default())
		j.judgeAlone(j.all[0])
		if got := fateOf(j.all[0]); got != tt.fate {
			t.Errorf("%s: out by %q, want %q", tt.name, got, tt.fate)
		}
	}
}

// TestApartFromTheJob: a file that names neither task nor rank, beside the logs of
// tasks whose end is known, may be of another run.
func TestApartFromTheJob(t *testing.T) {
	one := 1
	tasks := []modelarts.Task{{Name: "worker-0", ExitCode: &one}}
	for _, tt := range []struct {
		name  string
		job   modelarts.Job
		kind  source.Kind
		field string
		task  string
		rank  int
		apart bool
	}{
		{"a file of nobody", modelarts.Job{Phase: modelarts.PhaseFailed, Tasks: tasks}, source.Log, "", "", -1, true},
		{"a job whose state is not known", modelarts.Job{Tasks: tasks}, source.Log, "", "", -1, false},
		{"a record of the kernel", modelarts.Job{Phase: modelarts.PhaseFailed, Tasks: tasks}, source.Kernel, "", "", -1, false},
		{"what an answer tells", modelarts.Job{Phase: modelarts.PhaseFailed, Tasks: tasks}, source.Log, "status.message", "", -1, false},
		{"the log of a task", modelarts.Job{Phase: modelarts.PhaseFailed, Tasks: tasks}, source.Log, "", "worker-0", -1, false},
		{"the log of rank 0", modelarts.Job{Phase: modelarts.PhaseFailed, Tasks: tasks}, source.Log, "", "", 0, false},
		{"no task whose end is known", modelarts.Job{Phase: modelarts.PhaseFailed}, source.Log, "", "", -1, false},
		{"an end of no task", modelarts.Job{Phase: modelarts.PhaseFailed, Tasks: append([]modelarts.Task{{ExitCode: &one}}, tasks...)}, source.Log, "", "", -1, false},
	} {
		d := log("nohup.out")
		d.Kind, d.Task = tt.kind, tt.task
		s := stream(d, tt.rank)
		s.Field = tt.field
		j := newJudge(&Case{Job: tt.job, Found: scan.Result{Events: []*scan.Event{found(rule("key-error", rules.Root), s, 1, "")}}}, rules.Default())
		if got := j.apart(j.all[0]); got != tt.apart {
			t.Errorf("%s: apart is %v", tt.name, got)
		}
	}
}

// TestParallel: lines of two ranks, a wait in vain and a launcher show that
// several processes were at work.
func TestParallel(t *testing.T) {
	family := func(role rules.Role) *rules.Rule {
		r := rule("exit-nonzero", role)
		r.Family = "torchelastic"
		return r
	}
	for _, tt := range []struct {
		name     string
		named    []int
		rule     *rules.Rule
		parallel bool
	}{
		{"two ranks", []int{0, 1}, rule("key-error", rules.Root), true},
		{"one rank", []int{0}, rule("key-error", rules.Root), false},
		{"a wait", nil, rule("collective-timeout", rules.Ambiguous), true},
		{"a launcher's account", nil, family(rules.Symptom), true},
		{"a launcher's own failure", nil, family(rules.Root), false},
		{"an echo of no launcher", nil, rule("exit-nonzero", rules.Symptom), false},
	} {
		s := stream(log("train.log"), -1)
		s.Named = tt.named
		if got := judgeOn([]*scan.Stream{s}, found(tt.rule, s, 1, "")).parallel(); got != tt.parallel {
			t.Errorf("%s: parallel is %v", tt.name, got)
		}
	}
}

// TestPassed: what a later line of the same task, or of the job, shows to be
// overcome is no failure; the first such line is told.
func TestPassed(t *testing.T) {
	hope, other := rule("none", rules.Context), rule("none", rules.Context)
	hope.ID, other.ID = "test-done", "test-also-done"
	failed := rule("download-failed", rules.Root)
	failed.Passed = []string{hope.ID, other.ID}
	d := log("train.log")
	s := stream(d, -1)
	of := func(r *rules.Rule, seq int, task string) *scan.Event {
		e := found(r, s, seq, "")
		e.Quote.Task = task
		return e
	}
	for _, tt := range []struct {
		name   string
		events []*scan.Event
		line   int // 0 when it was not overcome
	}{
		{"a line below", []*scan.Event{of(hope, 20, "worker-0")}, 20},
		{"a line above", []*scan.Event{of(hope, 5, "worker-0")}, 0},
		{"the first of two lines", []*scan.Event{of(hope, 20, "worker-0"), of(hope, 30, "worker-0")}, 20},
		{"the first of two rules' lines", []*scan.Event{of(other, 20, "worker-0"), of(hope, 30, "worker-0")}, 20},
		{"the first of two rules' lines, the other way", []*scan.Event{of(hope, 20, "worker-0"), of(other, 30, "worker-0")}, 20},
		{"a line of another task", []*scan.Event{of(hope, 20, "worker-1")}, 0},
		{"a line of another task, then of its own", []*scan.Event{of(hope, 20, "worker-1"), of(hope, 30, "worker-0")}, 30},
		{"a line of no task", []*scan.Event{of(hope, 20, "")}, 20},
	} {
		j := judgeOn([]*scan.Stream{s}, append([]*scan.Event{of(failed, 10, "worker-0")}, tt.events...)...)
		line := 0
		if e := j.passed(j.all[0]); e != nil {
			line = e.Quote.Number
		}
		if line != tt.line {
			t.Errorf("%s: overcome by line %d, want %d", tt.name, line, tt.line)
		}
	}
}

// TestNeverBack: numbers that were NaN once and never again after good steps are
// no divergence.
func TestNeverBack(t *testing.T) {
	nan := rule("loss-diverged", rules.Ambiguous)
	d := log("train.log")
	a, b := stream(d, 0), stream(d, 1)
	a.Progress, b.Progress = marks(0, 0, 1, 30), marks(1, 0, 1, 30)
	for _, tt := range []struct {
		name   string
		events []*scan.Event
		never  bool
	}{
		{"NaN once", []*scan.Event{found(nan, a, 10, "")}, false},
		{"NaN on the last step", []*scan.Event{found(nan, a, 10, ""), found(nan, a, 30, "")}, true},
		{"NaN until before the last step", []*scan.Event{found(nan, a, 10, ""), found(nan, a, 29, "")}, false},
		{"NaN on the last step of another rank", []*scan.Event{found(nan, a, 10, ""), found(nan, b, 30, "")}, false},
		{"another failure after the last step", []*scan.Event{found(nan, a, 10, ""), found(rule("key-error", rules.Root), a, 31, "")}, false},
	} {
		j := judgeOn([]*scan.Stream{a, b}, tt.events...)
		if got := j.neverBack(j.all[0]); got != tt.never {
			t.Errorf("%s: never back is %v", tt.name, got)
		}
	}
	j := judgeOn([]*scan.Stream{a}, found(rule("key-error", rules.Root), a, 10, ""), found(rule("key-error", rules.Root), a, 31, ""))
	if j.neverBack(j.all[0]) {
		t.Error("a failure that repeats itself is taken for numbers that never came back")
	}
}

// TestTaskOf: a line that names its task tells more than the log that holds it.
func TestTaskOf(t *testing.T) {
	s := stream(log("train.log"), -1)
	s.Task = "worker-0"
	e := found(rule("key-error", rules.Root), s, 1, "")
	for own, want := range map[string]string{"": "worker-0", "worker-3": "worker-3"} {
		if e.Quote.Task = own; taskOf(e) != want {
			t.Errorf("a line of %q is of %q", own, taskOf(e))
		}
	}
	e.Quote.Rank, s.Rank = -1, 2
	for own, want := range map[int]int{-1: 2, 0: 0, 3: 3} {
		if e.Quote.Rank = own; rankOfEvent(&candidate{event: e}) != want {
			t.Errorf("a line of rank %d is of %d", own, rankOfEvent(&candidate{event: e}))
		}
	}
}

// TestCommonStreams: the lines of a text that tell no rank are those of no labelled
// process.
func TestCommonStreams(t *testing.T) {
	d := log("train.log")
	common, rank0, process, field := stream(d, -1), stream(d, 0), stream(d, -1), stream(d, -1)
	process.Key, field.Field = "pid 7", "message"
	j := judgeOn([]*scan.Stream{rank0, process, common, field, stream(log("other.log"), -1)})
	if got := j.common[text{d, ""}]; len(got) != 1 || got[0] != common {
		t.Errorf("%d streams are common", len(got))
	}
	if got := j.common[text{d, "message"}]; len(got) != 1 || got[0] != field {
		t.Errorf("%d streams of the field are common", len(got))
	}
}

// TestResumed: what answers tell of a time before the newest run began was
// overcome, where that run goes on or ended well.
func TestResumed(t *testing.T) {
	ten := clockTime(t, "10:00:00")
	runs := []modelarts.Record{{Start: ten.Add(time.Hour)}, {}, {Start: ten}, {Start: ten.Add(2 * time.Hour)}}
	for _, tt := range []struct {
		name    string
		phase   modelarts.Phase
		field   string
		at      time.Time
		attempt string // "" while it stands
	}{
		{"in the first run", modelarts.PhaseRunning, "events[0].message", ten.Add(time.Minute), "1"},
		{"in the second run", modelarts.PhaseCompleted, "events[0].message", ten.Add(time.Hour + time.Minute), "2"},
		{"in the newest run", modelarts.PhaseRunning, "events[0].message", ten.Add(2*time.Hour + time.Minute), ""},
		{"before the first run", modelarts.PhaseRunning, "events[0].message", ten.Add(-time.Minute), ""},
		{"at no known time", modelarts.PhaseRunning, "events[0].message", time.Time{}, ""},
		{"in a log", modelarts.PhaseRunning, "", ten.Add(time.Minute), ""},
		{"of a job that failed", modelarts.PhaseFailed, "events[0].message", ten.Add(time.Minute), ""},
	} {
		s := stream(log("events.json"), -1)
		s.Field = tt.field
		e := found(rule("node-failure", rules.Root), s, 1, "")
		e.At = tt.at
		j := newJudge(&Case{Job: modelarts.Job{Phase: tt.phase, Records: runs}, Found: scan.Result{Events: []*scan.Event{e}}}, rules.Default())
		j.resumed()
		f := j.all[0].fate
		if (f != nil) != (tt.attempt != "") || f != nil && (f.Args["attempt"] != tt.attempt || f.Args["later"] != "3") {
			t.Errorf("%s: %v, want attempt %q", tt.name, f, tt.attempt)
		}
	}
}
