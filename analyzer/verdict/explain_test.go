package verdict

import (
	"fmt"
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

// reasonOf gives the reason of the first line that holds a text and lost.
func reasonOf(t *testing.T, v Verdict, text string) Reason {
	t.Helper()
	for _, s := range v.Why {
		if strings.Contains(s.Event.Quote.Text, text) && !s.Kept {
			return s.Because
		}
	}
	t.Fatalf("no line %q lost", text)
	return Reason{}
}

func isSymptom(v Verdict, text string) bool {
	return slices.ContainsFunc(v.Symptoms, func(s Symptom) bool { return strings.Contains(s.Event.Quote.Text, text) })
}

// TestNoRankWaitsForItself: what a rank printed before it failed is no wait for
// its own failure, nor a consequence of it.
func TestNoRankWaitsForItself(t *testing.T) {
	v := verdictOn(t, situation{logs: map[string]string{
		"worker-0-rank-3.txt": "2026-03-01 10:00:00 step 1 loss 1\n2026-03-01 10:01:00 [WARNING] EI0002: The wait execution of the Notify register times out.\n2026-03-01 10:06:00 INFO preparing\n" + raised("KeyError: 'label'"),
	}})
	if v.Cause == Unknown || !strings.Contains(first(v), "KeyError") {
		t.Fatalf("%s: %s", v.Cause, first(v))
	}
	if r := reasonOf(t, v, "EI0002"); r.Code != "earlier" || isSymptom(v, "EI0002") {
		t.Errorf("the earlier wait of the same rank: %v, symptom %v", r, isSymptom(v, "EI0002"))
	}
}

// TestEarlierRun: the end of a run that the platform repeated is no consequence
// of what ended the last one.
func TestEarlierRun(t *testing.T) {
	details := `{"kind":"job","metadata":{"id":"0f1e2d3c-4b5a-4697-8877-665544332211","name":"j"},"status":{"phase":"Failed",` +
		`"running_records":[{"start_at":1772330000,"end_at":1772331000,"start_type":"init_or_rescheduled","end_reason":"chip fault"},{"start_at":1772331100,"end_at":1772340000,"end_reason":"exit with 1"}],` +
		`"task_statuses":[{"task":"worker-0","exit_code":1,"message":"Traceback (most recent call last):\n  File \"/home/ma-user/a.py\", line 1, in <module>\n    f()\nAttributeError: 'NoneType' object has no attribute 'state_dict'"}]}}`
	v := verdictOn(t, situation{job: modelarts.Job{Records: make([]modelarts.Record, 2)}, logs: map[string]string{"ShowTrainingJobDetails.json": details}})
	if r := reasonOf(t, v, "chip fault"); r.Code != "earlier-run" || r.Args["attempt"] != "1" || isSymptom(v, "chip fault") {
		t.Errorf("%s; the first run's end: %v, symptom %v", first(v), r, isSymptom(v, "chip fault"))
	}
}

// TestEarlierRunOfOneLog: what ended the run before in the same log is no
// consequence of what ended the last one, nor is an event from before the last run
// began.
func TestEarlierRunOfOneLog(t *testing.T) {
	v := verdictOn(t, situation{logs: map[string]string{"input.log": lines(
		"[Modelarts Service Log]Training start at 2026-03-01-10:00:00", "[rank0]: step 1 loss 1",
		"[Modelarts Service Log]Training end with return code: 1",
		"[Modelarts Service Log]Training start at 2026-03-01-11:00:00") + prefixed("[rank0]: ", raised("KeyError: 'label'")) + "\n" +
		lines("[Modelarts Service Log]Training end with return code: 3")}})
	if r := reasonOf(t, v, "return code: 1"); r.Code != "earlier-run" || isSymptom(v, "return code: 1") || !isSymptom(v, "return code: 3") {
		t.Errorf("%s; the end of the first run: %v", first(v), r)
	}
	begin := time.Date(2026, 3, 1, 11, 0, 0, 0, time.UTC)
	job := modelarts.Job{Phase: modelarts.PhaseFailed, Records: []modelarts.Record{{Start: begin.Add(-time.Hour)}, {Start: begin}}}
	v = verdictOn(t, situation{job: job, events: []string{"2026-03-01T12:00:00Z [worker-0] Training finished. Exit code 1.", "2026-03-01T10:59:00Z The training job has been restarted."},
		logs: map[string]string{"ShowTrainingJobDetails.json": `{"kind":"job","metadata":{"id":"0f1e2d3c-4b5a-4697-8877-665544332211","name":"j"},"status":{"phase":"Failed","task_statuses":[{"task":"worker-0","exit_code":1,"message":"Traceback (most recent call last):\n  File \"/home/ma-user/a.py\", line 1, in <module>\n    f()\nKeyError: 'label'"}]}}`}})
	if r := reasonOf(t, v, "restarted"); r.Code != "earlier-run" || isSymptom(v, "restarted") {
		t.Errorf("%s; the restart before the last run: %v", first(v), r)
	}
}

// TestAboveIsNoConsequence: what a line without a rank tells above a failure in the
// same file is none of its consequences, and further lines of its own record are the
// same failure.
func TestAboveIsNoConsequence(t *testing.T) {
	v := verdictOn(t, situation{logs: map[string]string{"input.log": lines(
		"[rank0]: step 1 loss 1", "[rank1]: step 1 loss 1", "WARNING:root:Retry=8,Wait=0.2, Timestamp = 1785376121.33") +
		prefixed("[rank1]: ", raised("KeyError: 'label'")) + "\n" + lines("WARNING:root:Retry=7,Wait=0.2, Timestamp = 1785376129.33")}})
	if r := reasonOf(t, v, "Retry=8"); r.Code != "earlier" || isSymptom(v, "Retry=8") {
		t.Errorf("%s; the retry before it: %v", first(v), r)
	}
	v = verdictOn(t, situation{logs: map[string]string{"input.log": lines("ERROR:root:", "\tstat:403", "\terrorCode:None", "\terrorMessage:None", "\treason:Forbidden") + raised("KeyError: 'label'") + "\n"}})
	if v.Cause == "object-storage-access" && isSymptom(v, "Forbidden") {
		t.Errorf("the same record is listed as set off: %v", v.Symptoms)
	}
}

// TestStopSetsNothingOff: what comes with a stop is no consequence of a failure.
func TestStopSetsNothingOff(t *testing.T) {
	v := verdictOn(t, situation{
		job:    modelarts.Job{Phase: modelarts.PhaseTerminated},
		events: []string{"2026-03-01T10:00:00Z The training job has been manually stopped.", "2026-03-01T10:00:30Z [worker-0] Training finished. Exit code 143."},
	})
	if r := reasonOf(t, v, "143"); v.Cause != "stopped-by-user" || r.Code != "with-stop" || r.Args["seconds"] != "30" {
		t.Errorf("%s: %v", v.Cause, r)
	}
}

// TestAccountInOrder: the account lists the events as they came, however the
// files are named.
func TestAccountInOrder(t *testing.T) {
	v := verdictOn(t, situation{logs: map[string]string{
		"worker-0-rank-0.txt": "2026-03-01 10:00:00 step 1 loss 1\n2026-03-01 10:31:00 ERROR [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=41, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=1800000) ran for 1800041 milliseconds before timing out.\n",
		"worker-1-rank-1.txt": "2026-03-01 10:00:00 step 1 loss 1\n2026-03-01 10:00:30 ERROR failed\n" + raised("KeyError: 'label'") + "\n2026-03-01 10:00:31 INFO bye\n",
	}})
	if len(v.Why) < 2 || !v.Why[0].Kept {
		t.Errorf("the account does not begin with what came first: %v", v.Why)
	}
}

// TestGroundsThatDecided: no moment is told where no times are known, and what
// lost as the weaker sign was not put in order by its kind.
func TestGroundsThatDecided(t *testing.T) {
	v := verdictOn(t, situation{logs: map[string]string{
		"worker-0-rank-0.txt": "step 1 loss 1\n" + raised("torch.distributed.DistStoreError: wait timeout after 1800000ms, keys: /barrier/a"),
		"worker-1-rank-1.txt": "step 1 loss 1\n" + raised("KeyError: 'label'"),
	}})
	if slices.Contains(v.Order, byKind) {
		t.Errorf("the order rests on one moment: %v", v.Order)
	}
}

// TestSameWordsOnTwoRanks: one message on two ranks is one failure, also where one
// of the logs holds only a part of the stack.
func TestSameWordsOnTwoRanks(t *testing.T) {
	failed := "ValueError: world size (16) is not divisible by tensor_model_parallel_size (4) x pipeline_model_parallel_size (3)"
	v := verdictOn(t, situation{logs: map[string]string{
		"input.txt": prefixed("[rank8]: ", raised(failed)) + "\n[rank0]: Traceback (most recent call last):\n[rank0]:   File \"/home/ma-user/modelarts/user-job-dir/app/state.py\", line 5, in init\n[rank0]: " + failed + "\n",
	}})
	if !slices.Equal(v.Ranks, []int{0, 8}) || len(v.Symptoms) > 0 {
		t.Errorf("the ranks are %v, the symptoms %v", v.Ranks, v.Symptoms)
	}
}

// TestLogsAskedFor: where the platform says which task ended the job only its log
// is asked for, and each log with no more of a reason than the input proves.
func TestLogsAskedFor(t *testing.T) {
	codes := func(rs []Reason) (list []string) {
		for _, r := range rs {
			list = append(list, r.Args["task"]+" "+r.Code+" "+r.Args["code"])
		}
		return list
	}
	one, stopped := 1, 143
	c := &Case{Job: modelarts.Job{Phase: modelarts.PhaseFailed, Tasks: []modelarts.Task{{Name: "worker-0"}, {Name: "worker-1", ExitCode: &stopped}}}}
	if got := codes(missingLogs(c)); !slices.Equal(got, []string{"worker-0 next-log "}) {
		t.Errorf("knowing of no task's failure it asks for %q", got)
	}
	c.Job.Tasks = nil
	for _, name := range []string{"worker-0", "worker-1", "worker-2", "worker-3", "worker-4", "worker-5"} {
		c.Job.Tasks = append(c.Job.Tasks, modelarts.Task{Name: name, ExitCode: &one})
	}
	if got := codes(missingLogs(c)); len(got) != askedLogs || got[0] != "worker-0 next-log-exit 1" {
		t.Errorf("asks for the logs of %q", got)
	}
	c.Job.Records = []modelarts.Record{{RelatedTask: "worker-5"}}
	if got := codes(missingLogs(c)); !slices.Equal(got, []string{"worker-5 next-log-ended-run "}) {
		t.Errorf("asks for the logs of %q", got)
	}
}

// TestStackTellsItsRank: of two dumps each is told with its rank, and what is at
// hand is not asked for again.
func TestStackTellsItsRank(t *testing.T) {
	dump := "Process 41: python train.py\nPython v3.10.6 (/usr/bin/python3.10)\n\nThread 41 (active): \"MainThread\"\n    wait (threading.py:327)\n    load (/home/ma-user/modelarts/user-job-dir/app/train.py:88)\n"
	v := verdictOn(t, situation{
		job:    modelarts.Job{Phase: modelarts.PhaseRunning},
		events: []string{"2026-03-01T10:00:00Z The system detects that your training job may be suspended. Go to the job details page to view the cause and handle the issue."},
		logs:   map[string]string{"py-spy-rank3.txt": dump},
	})
	i := slices.IndexFunc(v.Findings, func(r Reason) bool { return r.Code == "stands" })
	if i < 0 || v.Findings[i].Args["rank"] != "3" {
		t.Errorf("%s: the findings are %v", v.Cause, v.Findings)
	}
	for _, n := range v.Next {
		if n.Text != nil && n.API == "" && strings.Contains(n.Text.EN, "py-spy") {
			t.Errorf("asks for the stacks that are at hand: %s", n.Text.EN)
		}
	}
}

// TestLost: why each candidate is not the root, and how long after the root it came.
func TestLost(t *testing.T) {
	a, b, c := stream(log("a.log"), 0), stream(log("b.log"), 1), stream(log("c.log"), -1)
	at := func(e *scan.Event, clock string) *scan.Event { return timed(e, clockTime(t, clock)) }
	root := at(found(rule("key-error", rules.Root), a, 1, "KeyError: 'x'"), "10:00:00")
	stop := at(found(rule("stopped-by-user", rules.Root), c, 1, ""), "10:00:00")
	wait := at(found(rule("collective-timeout", rules.Root), a, 1, ""), "10:00:00")
	after := func(e *scan.Event, from string) *scan.Event { // at some moment after a line above it
		e.At = clockTime(t, from)
		return e
	}
	for _, tt := range []struct {
		name       string
		root, lost *scan.Event
		code       string
		args       map[string]string
	}{
		{"an echo", root, at(found(rule("key-error", rules.Symptom), b, 2, ""), "10:00:01"), "echo", map[string]string{"rank": "0", "seconds": "1"}},
		{"less than a second after", root, timed(found(rule("key-error", rules.Symptom), b, 2, ""), clockTime(t, "10:00:00").Add(time.Second-1)), "echo", map[string]string{"rank": "0"}},
		{"ten seconds after, at the least", root, after(found(rule("key-error", rules.Symptom), b, 2, ""), "10:00:10"), "echo", map[string]string{"rank": "0", "least": "10"}},
		{"nine seconds after, at the least", root, after(found(rule("key-error", rules.Symptom), b, 2, ""), "10:00:09"), "echo", map[string]string{"rank": "0"}},
		{"the end of a process", root, at(found(rule("killed", rules.Ambiguous), b, 2, ""), "10:00:01"), "exit-follows", map[string]string{"rank": "0", "seconds": "1"}},
		{"a wait", root, at(found(rule("collective-timeout", rules.Ambiguous), b, 2, ""), "10:00:01"), "waited", map[string]string{"rank": "0", "seconds": "1"}},
		{"a wait of the same rank", root, at(found(rule("collective-timeout", rules.Ambiguous), stream(log("more.log"), 0), 2, ""), "10:00:01"), "waited", map[string]string{"seconds": "1"}},
		{"an echo of the same rank", root, at(found(rule("collective-timeout", rules.Symptom), a, 2, ""), "10:00:01"), "echo", map[string]string{"seconds": "1"}},
		{"a failure of the same rank", root, at(found(rule("io-error", rules.Ambiguous), a, 2, ""), "10:00:01"), "follows", map[string]string{"rank": "0", "seconds": "1"}},
		{"a wait that was cut off", root, at(found(rule("collective-error", rules.Ambiguous), b, 2, ""), "10:00:01"), "cut-off", map[string]string{"rank": "0", "seconds": "1"}},
		{"a connection that was cut off", root, at(found(rule("network-error", rules.Ambiguous), b, 2, ""), "10:00:01"), "cut-off", map[string]string{"rank": "0", "seconds": "1"}},
		{"a wait beside a wait", wait, at(found(rule("collective-timeout", rules.Ambiguous), b, 2, ""), "10:00:01"), "waited-too", nil},
		{"a failure after a wait", wait, at(found(rule("io-error", rules.Ambiguous), b, 2, ""), "10:00:01"), "follows", map[string]string{"seconds": "1"}},
		{"what may follow", root, at(found(rule("io-error", rules.Ambiguous), b, 2, ""), "10:00:01"), "follows", map[string]string{"rank": "0", "seconds": "1"}},
		{"what was only warned of", root, func() *scan.Event {
			e := at(found(rule("io-error", rules.Root), b, 2, ""), "10:00:01")
			e.Quote.Level = "WARNING"
			return e
		}(), "follows", map[string]string{"rank": "0", "seconds": "1"}},
		{"the same words of another rank", root, at(found(root.Rule, b, 2, "KeyError: 'x'"), "10:00:01"), "same-failure", nil},
		{"a wait that proves itself", root, at(found(rule("collective-error", rules.Root), b, 2, ""), "10:00:03"), "later", map[string]string{"rank": "0", "seconds": "3"}},
		{"the last words of a program, which may be the failure", root, func() *scan.Event {
			e := at(found(rule("io-error", rules.Ambiguous), b, 2, ""), "10:00:03")
			e.LastWords = true
			return e
		}(), "follows", map[string]string{"rank": "0", "seconds": "3"}},
		{"by another clock", root, func() *scan.Event {
			e := at(found(rule("key-error", rules.Symptom), b, 2, ""), "10:00:03")
			e.Quote.Zoned, e.Zoned = true, true
			return e
		}(), "echo", map[string]string{"rank": "0"}},
		{"the same once more", root, at(found(rule("key-error", rules.Root), b, 2, "KeyError: 'y'"), "10:00:03"), "again", map[string]string{"rank": "0", "seconds": "3"}},
		{"another failure, later", root, at(found(rule("io-error", rules.Root), b, 2, ""), "10:00:03"), "later", map[string]string{"rank": "0", "seconds": "3"}},
		{"another failure, and nobody knows when", found(rule("key-error", rules.Root), a, 1, ""), found(rule("io-error", rules.Root), b, 2, ""), "rival", map[string]string{"rank": "0"}},
		{"an echo of a stop", stop, at(found(rule("key-error", rules.Symptom), b, 2, ""), "10:00:01"), "with-stop", map[string]string{"seconds": "1"}},
		{"what may be a failure, after a stop", stop, at(found(rule("key-error", rules.Ambiguous), b, 2, ""), "10:00:01"), "with-stop", map[string]string{"seconds": "1"}},
		{"the end of a process after a stop", stop, at(found(rule("killed", rules.Ambiguous), b, 2, ""), "10:00:01"), "exit-follows", map[string]string{"seconds": "1"}},
		{"a failure after a stop", stop, at(found(rule("key-error", rules.Root), b, 2, ""), "10:00:03"), "later", map[string]string{"seconds": "3"}},
		{"an echo before", root, at(found(rule("key-error", rules.Symptom), b, 2, ""), "09:59:00"), "earlier", map[string]string{"seconds": "60"}},
		{"an echo before, a good moment at the least", after(found(rule("key-error", rules.Root), a, 1, ""), "10:00:00"), at(found(rule("key-error", rules.Symptom), b, 2, ""), "09:59:00"), "earlier", nil},
	} {
		j := judgeOn(nil, tt.root, tt.lost)
		j.lost(j.all[1], j.all[0])
		if f := j.all[1].fate; f.Code != tt.code || !maps.Equal(f.Args, tt.args) || j.all[1].by != j.all[0] {
			t.Errorf("%s: %v, want %s %v", tt.name, *f, tt.code, tt.args)
		}
	}
}

// TestMentioned: hearsay is only mentioned.
func TestMentioned(t *testing.T) {
	j := judgeOn(nil, found(rule("key-error", rules.Root), stream(log("a.log"), 0), 1, ""), found(rule("io-error", rules.Root), stream(log("b.log"), 1), 2, ""))
	j.all[1].tier = hearsay
	if j.lost(j.all[1], j.all[0]); fateOf(j.all[1]) != "mentioned" {
		t.Errorf("hearsay is out by %q", fateOf(j.all[1]))
	}
}

// TestSameBlock: a line tells the root's cause again within the same record.
func TestSameBlock(t *testing.T) {
	s, other := stream(log("a.log"), 0), stream(log("b.log"), 1)
	for _, tt := range []struct {
		name  string
		cause string
		in    *scan.Stream
		gap   int
		trace bool
		is    bool
	}{
		{"below", "io-error", s, blockLines, false, true},
		{"above", "io-error", s, -blockLines, false, true},
		{"further below", "io-error", s, blockLines + 1, false, false},
		{"further above", "io-error", s, -blockLines - 1, false, false},
		{"another cause", "key-error", s, 1, false, false},
		{"another rank", "io-error", other, 1, false, false},
		{"an exception", "io-error", s, 1, true, false},
	} {
		c := plain(found(rule(tt.cause, rules.Root), tt.in, 100+tt.gap, ""))
		if tt.trace {
			c.trace = uncaught(c.event)
		}
		if got := sameBlock(c, plain(found(rule("io-error", rules.Root), s, 100, ""))); got != tt.is {
			t.Errorf("%s: the same record is %v", tt.name, got)
		}
	}
}

// TestRunBefore: an event is of the run in which it was told, where the root is of
// the last one.
func TestRunBefore(t *testing.T) {
	at := func(clock string) modelarts.Record { return modelarts.Record{Start: clockTime(t, clock)} }
	all := []modelarts.Record{at("10:00:00"), at("11:00:00"), at("12:00:00")}
	event := func(field, clock string, zoned bool, kind source.Kind) *scan.Event {
		s := &scan.Stream{Doc: log(field), Field: field, Rank: -1}
		e := found(rule("key-error", rules.Root), s, 1, "")
		if clock != "" {
			timed(e, clockTime(t, clock))
		}
		e.Quote.Zoned, e.Zoned, e.Quote.Kind = zoned, zoned, kind
		return e
	}
	told := func(clock string) *scan.Event { return event("events[0].message", clock, true, source.Event) }
	root := event("", "12:30:00", true, source.Log)
	for _, tt := range []struct {
		name    string
		runs    []modelarts.Record
		c, root *scan.Event
		run     int
	}{
		{"in the first", all, told("10:30:00"), root, 1},
		{"in the second", all, told("11:30:00"), root, 2},
		{"before all", all, told("09:30:00"), root, 0},
		{"in the last", all, told("12:10:00"), root, 0},
		{"of a log", all, event("", "11:30:00", true, source.Log), root, 0},
		{"by a clock without a zone", all, event("events[0].message", "11:30:00", false, source.Event), root, 0},
		{"as the root is", all, told("11:30:00"), told("11:45:00"), 0},
		{"beside a root whose zone nobody knows", all, told("11:30:00"), event("", "12:30:00", false, source.Log), 0},
		{"beside the states of the tasks", all, told("11:30:00"), event("status.task_statuses[0].message", "", false, source.Event), 2},
		{"and nobody knows when the last began", []modelarts.Record{all[0], all[1], {}}, told("11:30:00"), root, 0},
		{"and nobody knows when the second began", []modelarts.Record{all[0], {}, all[2]}, told("11:30:00"), root, 1},
		{"of one", all[:1], told("09:30:00"), root, 0},
	} {
		j := judgeOn(nil, tt.c, tt.root)
		j.c.Job.Records = tt.runs
		if got := j.runBefore(j.all[0], j.all[1]); got != tt.run {
			t.Errorf("%s: run %d, want %d", tt.name, got, tt.run)
		}
	}
}

// TestAbove: a consequence that stands above the root in its file, on a line of no
// rank, is none of it, unless times tell.
func TestAbove(t *testing.T) {
	d := log("a.log")
	of := func(s *scan.Stream, role rules.Role, cause string, seq int) *scan.Event {
		return found(rule(cause, role), s, seq, "")
	}
	s := stream(d, -1)
	for _, tt := range []struct {
		name  string
		c     *scan.Event // the root stands at line 10
		start int         // of its traceback, 0 where it is none
		is    bool
	}{
		{"an echo", of(s, rules.Symptom, "io-error", 9), 0, true},
		{"an echo that another process printed", of(stream(d, -1), rules.Symptom, "io-error", 9), 0, true},
		{"an end", of(s, rules.Ambiguous, "killed", 9), 0, true},
		{"what may be a failure", of(s, rules.Ambiguous, "io-error", 9), 0, false},
		{"an echo of rank 0", of(stream(d, 0), rules.Symptom, "io-error", 9), 0, false},
		{"in another log", of(stream(log("b.log"), -1), rules.Symptom, "io-error", 9), 0, false},
		{"below", of(s, rules.Symptom, "io-error", 11), 0, false},
		{"on the line", of(stream(d, -1), rules.Symptom, "io-error", 10), 0, false},
		{"above the traceback", of(s, rules.Symptom, "io-error", 7), 8, true},
		{"within the traceback", of(s, rules.Symptom, "io-error", 9), 8, false},
		{"long before, as times tell", timed(of(stream(d, -1), rules.Symptom, "io-error", 9), clockTime(t, "09:00:00")), 0, false},
	} {
		root := timed(found(rule("key-error", rules.Root), s, 10, ""), clockTime(t, "10:00:00"))
		c := &Case{Found: scan.Result{Events: []*scan.Event{tt.c, root}}}
		if tt.start > 0 {
			c.Found.Traces = []*scan.Trace{uncaught(root)}
			root.Trace.Start = tt.start
		}
		j := newJudge(c, rules.Default())
		if got := j.above(j.all[0], j.all[1]); got != tt.is {
			t.Errorf("%s: above is %v", tt.name, got)
		}
	}
}

// TestAccount: the root comes before what nobody can put in order to it, and lines of
// two processes in one file by their own times.
func TestAccount(t *testing.T) {
	d := log("a.log")
	r := rule("key-error", rules.Root)
	j := judgeOn(nil, found(r, stream(log("b.log"), -1), 1, ""), found(r, stream(log("c.log"), -1), 2, ""))
	if all := j.account(j.all[1]); all[0] != j.all[1] {
		t.Error("the root stands behind what nobody can put in order to it")
	}
	j = judgeOn(nil, timed(found(r, stream(d, 0), 1, ""), clockTime(t, "10:00:10")), timed(found(r, stream(d, 1), 2, ""), clockTime(t, "10:00:00")))
	if all := j.account(nil); all[0] != j.all[1] {
		t.Error("the line above is listed first, although it is later")
	}
}

// TestSameWords: another rank's equal line is the same failure unless both stacks
// are there and differ.
func TestSameWords(t *testing.T) {
	r, unlike := rule("key-error", rules.Root), rule("value-error", rules.Root)
	deeper := ours("KeyError")
	deeper.Frames = append(deeper.Frames, deeper.Frames[0])
	for _, tt := range []struct {
		name         string
		of, to       int // ranks
		in, as       *traceback.Exception
		rule         *rules.Rule
		text, asText string
		same         bool
	}{
		{"two lines", 1, 0, nil, nil, r, "KeyError: 'x'", "KeyError: 'x'", true},
		{"two lines, the other way", 0, 1, nil, nil, r, "KeyError: 'x'", "KeyError: 'x'", true},
		{"a line and a stack", 1, 0, nil, new(ours("KeyError")), r, "KeyError: 'x'", "KeyError: 'x'", true},
		{"a stack and a line", 1, 0, new(ours("KeyError")), nil, r, "KeyError: 'x'", "KeyError: 'x'", true},
		{"a part of the stack", 1, 0, new(ours("KeyError")), &deeper, r, "KeyError: 'x'", "KeyError: 'x'", true},
		{"two stacks of a library", 1, 0, new(theirs("KeyError")), new(theirs("KeyError")), r, "KeyError: 'x'", "KeyError: 'x'", true},
		{"two whole stacks", 1, 0, new(ours("KeyError")), new(ours("KeyError")), r, "KeyError: 'x'", "KeyError: 'x'", false},
		{"one rank", 1, 1, nil, nil, r, "KeyError: 'x'", "KeyError: 'x'", false},
		{"a rank that nobody knows", -1, 0, nil, nil, r, "KeyError: 'x'", "KeyError: 'x'", false},
		{"beside a rank that nobody knows", 0, -1, nil, nil, r, "KeyError: 'x'", "KeyError: 'x'", false},
		{"other words", 1, 0, nil, nil, r, "KeyError: 'x'", "KeyError: 'y'", false},
		{"another rule", 1, 0, nil, nil, unlike, "KeyError: 'x'", "KeyError: 'x'", false},
	} {
		make := func(rank int, r *rules.Rule, in *traceback.Exception, text string) *candidate {
			c := plain(found(r, stream(log("a.log"), rank), 1, text))
			if in != nil {
				c.event.Exception = 0
				c.trace = &scan.Trace{Traceback: chain(*in)}
			}
			return c
		}
		if got := sameWords(make(tt.of, tt.rule, tt.in, tt.text), make(tt.to, r, tt.as, tt.asText)); got != tt.same {
			t.Errorf("%s: the same words are %v", tt.name, got)
		}
	}
}

// TestForegone: an earlier run's end, and what clearly came before the first sign
// of the root's failure, are no consequence.
func TestForegone(t *testing.T) {
	details := stream(log("details.json"), -1)
	of := func(field string, attempt int) *scan.Event {
		e := found(rule("key-error", rules.Root), details, 1, field)
		e.Quote.Field, e.Quote.Kind, e.Attempt = field, source.Event, attempt
		return e
	}
	const run = "status.running_records[%d].end_reason"
	for _, tt := range []struct {
		name       string
		root, lost *scan.Event
		attempt    string // "" when it is not of an earlier run
	}{
		{"a run before the last", of(fmt.Sprintf(run, 2), 0), of(fmt.Sprintf(run, 1), 0), "2"},
		{"the last run", of(fmt.Sprintf(run, 1), 0), of(fmt.Sprintf(run, 2), 0), ""},
		{"the same run", of(fmt.Sprintf(run, 1), 0), of(fmt.Sprintf(run, 1), 0), ""},
		{"before the states of the tasks", of("status.task_statuses[0].message", 0), of(fmt.Sprintf(run, 1), 0), "2"},
		{"the last run and the states of the tasks", of("status.task_statuses[0].message", 0), of(fmt.Sprintf(run, 2), 0), ""},
		{"before an attempt of the log", of("", 1), of(fmt.Sprintf(run, 0), 0), "1"},
		{"an attempt of the log before", of("", 0), of(fmt.Sprintf(run, 0), 0), ""},
		{"the last run and a later attempt of its log", of("", 5), of(fmt.Sprintf(run, 2), 0), ""},
		{"no run", of(fmt.Sprintf(run, 2), 0), of("status.message", 0), ""},
	} {
		j := judgeOn(nil, tt.root, tt.lost)
		j.c.Job.Records = make([]modelarts.Record, 3)
		code, args := j.foregone(j.all[1], j.all[0])
		if (code == "earlier-run") != (tt.attempt != "") || args["attempt"] != tt.attempt {
			t.Errorf("%s: %q %v, want run %q", tt.name, code, args, tt.attempt)
		}
	}
	s := stream(log("a.log"), 0)
	j := judgeOn(nil, found(rule("key-error", rules.Root), s, 10, "KeyError: 'x'"), found(rule("key-error", rules.Root), s, 3, "it fails"), found(rule("io-error", rules.Symptom), s, 5, "after the first sign"), found(rule("io-error", rules.Symptom), s, 1, "before the first sign"))
	j.all[1].out("same-failure", nil)
	j.all[1].by = j.all[0]
	for i, want := range map[int]string{2: "", 3: "earlier"} {
		if code, _ := j.foregone(j.all[i], j.all[0]); code != want {
			t.Errorf("%s: %q, want %q", j.all[i].event.Quote.Text, code, want)
		}
	}
	j.all[1].fate.Code = "went-on"
	if code, _ := j.foregone(j.all[2], j.all[0]); code != "earlier" {
		t.Errorf("after what is no sign of the root's failure: %q", code)
	}
	j.all[1].fate.Code, j.all[1].by = "same-failure", j.all[3]
	if code, _ := j.foregone(j.all[2], j.all[0]); code != "earlier" {
		t.Errorf("after the sign of another failure: %q", code)
	}
}

// TestAhead: of a text that several processes wrote the position of two lines
// tells nothing, unless one rank wrote both.
func TestAhead(t *testing.T) {
	d := log("train.log")
	merged, single := stream(d, -1), stream(log("one.log"), -1)
	merged.Named = []int{0, 1}
	of := func(s *scan.Stream, seq, rank int) *scan.Event {
		e := found(rule("key-error", rules.Root), s, seq, "")
		e.Quote.Rank = rank
		return e
	}
	for _, tt := range []struct {
		name    string
		streams []*scan.Stream
		a, b    *scan.Event
		ahead   bool
	}{
		{"one process", []*scan.Stream{single}, of(single, 1, -1), of(single, 2, -1), true},
		{"one process, below", []*scan.Stream{single}, of(single, 2, -1), of(single, 1, -1), false},
		{"one rank of several", []*scan.Stream{merged}, of(merged, 1, 0), of(merged, 2, 0), true},
		{"two ranks", []*scan.Stream{merged}, of(merged, 1, 0), of(merged, 2, 1), false},
		{"ranks that nobody tells", []*scan.Stream{merged}, of(merged, 1, -1), of(merged, 2, -1), false},
		{"by time", []*scan.Stream{merged}, timed(of(single, 1, 0), clockTime(t, "10:00:00")), timed(of(merged, 2, 1), clockTime(t, "10:00:03")), true},
	} {
		j := judgeOn(tt.streams, tt.a, tt.b)
		if got := j.ahead(j.all[0], j.all[1]); got != tt.ahead {
			t.Errorf("%s: ahead is %v", tt.name, got)
		}
	}
}

// TestMoments: an account lists a line without a time beside the one above it, and
// a text without times behind all others.
func TestMoments(t *testing.T) {
	d, other, answer := log("a.log"), log("b.log"), log("events.json")
	s, untimed, platform := stream(d, 0), stream(other, 1), stream(answer, -1)
	r := rule("key-error", rules.Root)
	ten := clockTime(t, "10:00:00")
	below := found(r, stream(d, 1), 3, "below, of another rank")
	event := func(seq int, clock string) *scan.Event {
		e := timed(found(r, platform, seq, ""), clockTime(t, clock))
		e.Quote.Kind, e.Quote.Zoned, e.Zoned = source.Event, true, true
		return e
	}
	early := timed(found(r, s, 4, "written late"), ten.Add(-time.Hour))
	late := found(r, untimed, 5, "no times")
	j := judgeOn(nil, timed(found(r, s, 2, "root"), ten), below, early, late, event(6, "05:00:00"), event(7, "03:00:00"))
	utc := ten.Add(-serviceZone)
	for i, want := range []time.Time{utc, utc, utc, time.Time{}.AddDate(9998, 0, 0), clockTime(t, "05:00:00"), clockTime(t, "03:00:00")} {
		if got := j.moments(j.all[0])[j.all[i]]; !got.Equal(want) {
			t.Errorf("line %d is listed at %v, want %v", i, got, want)
		}
	}
	if got := j.moments(j.all[3])[j.all[3]]; !got.IsZero() {
		t.Errorf("a root without a time is listed at %v", got)
	}
}

// TestExplained: a symptom is a line that the evidence does not quote, by its
// document, field and number; a rank that shows the same failure is told once.
func TestExplained(t *testing.T) {
	a, b := log("a.log"), log("b.log")
	root := found(rule("key-error", rules.Root), stream(a, 0), 1, "KeyError: 'x'")
	echo := found(rule("io-error", rules.Symptom), stream(b, 1), 2, "echo")
	inField := found(echo.Rule, stream(b, 1), 2, "echo in a field")
	inField.Quote.Field = "message"
	for _, tt := range []struct {
		name   string
		quoted scan.Quote
		want   int // symptoms
	}{
		{"another line", scan.Quote{Doc: a, Number: 1}, 2},
		{"its line", scan.Quote{Doc: b, Number: 2}, 1},
		{"its line of another document", scan.Quote{Doc: a, Number: 2}, 2},
		{"another line of its document", scan.Quote{Doc: b, Number: 3}, 2},
		{"another field", scan.Quote{Doc: b, Number: 2, Field: "reason"}, 2},
	} {
		j := judgeOn(nil, root, echo, inField)
		v := Verdict{Cause: "key-error", Rule: root.Rule, Evidence: []scan.Quote{tt.quoted}}
		if j.explain(&v, j.all[0]); len(v.Symptoms) != tt.want || len(v.Why) != 3 {
			t.Errorf("%s: %d symptoms of %d lines, want %d", tt.name, len(v.Symptoms), len(v.Why), tt.want)
		}
	}
	same := func(rank, seq int) *scan.Event { return found(root.Rule, stream(b, rank), seq, "KeyError: 'x'") }
	j := judgeOn(nil, root, same(2, 5), same(2, 6), echo)
	v := Verdict{Cause: "key-error", Rule: root.Rule, Ranks: []int{0}}
	if j.explain(&v, j.all[0]); !slices.Equal(v.Ranks, []int{0, 2}) {
		t.Errorf("the ranks are %v", v.Ranks)
	}
	if s := v.Why[0]; !s.Kept || s.Because.Code != "" {
		t.Errorf("the root is out by %q", s.Because.Code)
	}
	s := stream(a, -1)
	j = judgeOn(nil, found(root.Rule, s, 1, "KeyError: 'x'"), found(rule("key-error", rules.Root), s, 2, "x"))
	j.all[1].print = "another"
	v = Verdict{Cause: "key-error", Rule: root.Rule}
	if j.explain(&v, j.all[0]); len(v.Ranks) != 0 || fateOf(j.all[1]) != "same-failure" {
		t.Errorf("nobody tells a rank, and the ranks are %v; the line below is out by %q", v.Ranks, fateOf(j.all[1]))
	}
	v = Verdict{Cause: Unknown} // what was found says too little
	if j.explain(&v, j.all[0]); v.Why[0].Kept {
		t.Error("a line is kept that decides nothing")
	}
}
