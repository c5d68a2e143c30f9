package verdict

import (
	"slices"
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// TestConfidence: what each situation earns, and why not more.
func TestConfidence(t *testing.T) {
	step := "2026-03-01 10:00:00,000 step 10 loss 1.0"
	failed := modelarts.Job{Phase: modelarts.PhaseFailed}
	field := "  Input should be a valid integer [type=int_type, input_value='x', input_type=str]"
	for _, tt := range []struct {
		name       string
		in         situation
		cause      string
		confidence Confidence
		doubt      string
	}{
		{"a traceback that ended the job", situation{job: failed, logs: map[string]string{"worker-0.log": lines(step, raised(loaderError))}}, "key-error", High, ""},
		{"two failures whose order nobody can tell", situation{job: failed, logs: map[string]string{"worker-0.log": raised(loaderError), "worker-1.log": raised(modelError)}}, "key-error", Medium, "rivals"},
		{"a task that was ended from outside", situation{job: failed, logs: map[string]string{"worker-0.log": lines(step, "Exception in thread writer:", raised(loaderError), "[Modelarts Service Log]Training end with return code: 143")}}, "key-error", Medium, "ended-by-others"},
		{"a mere class", situation{job: failed, logs: map[string]string{"worker-0.log": raised("app.errors.PipelineBroken: shard 7")}}, "exception-other", Medium, "class-only"},
		{"a broad class out of a library", situation{job: failed, logs: map[string]string{"worker-0.log": inLibrary("ValueError: odd thing 7")}}, "value-error", Medium, "class-only"},
		{"a broad class out of the job's own code", situation{job: failed, logs: map[string]string{"worker-0.log": raised("ValueError: odd thing 7")}}, "value-error", High, ""},
		{"words of an unknown program", situation{job: failed, logs: map[string]string{"worker-0.log": raised("acme.ModelError: shape mismatch: (3, 4) and (5, 4)")}}, "shape-mismatch", Medium, "class-only"},
		{"stacks that somebody took", situation{logs: map[string]string{"worker-0.log": lines(step, dump)}}, hang, Medium, "only-stacks"},
		{"stacks that were taken while steps went on", situation{logs: map[string]string{"worker-0.log": lines(step, dump, "2026-03-01 10:00:10,000 step 11 loss 1.0")}}, None, Medium, "end-unknown"},
		{"a question about a log without a failure", situation{logs: map[string]string{"ticket.md": "Hello,\n\nwhat is wrong with it?\n\n```\nstep 10 loss 1.0\nstep 20 loss 0.9\n```\n"}}, Unknown, Low, ""},
		{"a person's word that it hangs", situation{logs: map[string]string{"ticket.md": "Hello,\n\nthe job is stuck since noon.\n\n```\nstep 10 loss 1.0\nstep 20 loss 0.9\n```\n"}}, hang, Medium, "not-proven"},
		{"the same words in a log", situation{logs: map[string]string{"a.log": lines(step, "the job is stuck", "2026-03-01 10:00:10,000 step 11 loss 1.0")}}, None, Medium, "end-unknown"},
		{"an exception that AutoGraph names again below", situation{job: failed, logs: map[string]string{"worker-0.log": raised("KeyError: in user code:\n\n    File \"/job/m.py\", line 3, in call  *\n        return x['mask']\n\n    KeyError: 'mask'\n")}}, "key-error", High, ""},
		{"an exception that was caught and written down", situation{job: failed, logs: map[string]string{"worker-0.log": lines(step, "2026-03-01 10:00:05,000 ERROR main: "+loaderError)}}, "key-error", Medium, "not-proven"},
		{"the report that a worker wrote for torchrun", situation{job: failed, logs: map[string]string{"worker-0.log": lines(step, banner[:len(banner)-len("  exitcode  : 1 (pid: 500)")]+"  traceback : Traceback (most recent call last):\n    File \"/job/train.py\", line 20, in main\n      check(w)\n  ValueError: odd thing 7\n")}}, "value-error", High, ""},
		{"the field at which a data sample fails, in an exception", situation{job: failed, logs: map[string]string{"worker-0.log": lines(step, raised("pydantic_core._pydantic_core.ValidationError: 1 validation error for Sample\nlabel\n"+field))}}, "config-invalid", High, ""},
		{"the field at which a data sample fails, that is passed over", situation{job: failed, logs: map[string]string{"worker-0.log": lines(step, "2026-03-01 10:00:01,000 WARNING skipping sample 17: 1 validation error for Sample", "label", field, "2026-03-01 10:00:02,000 INFO 41999 samples left", "Killed", "[Modelarts Service Log]Training end with return code: 137")}}, "killed", Medium, "only-signal"},
		{"a package that is missing, and the script goes on without", situation{job: failed, logs: map[string]string{"worker-0.log": lines("Error in loadNamespace(x) : there is no package called 'rstan'", "falling back to cmdstanr", "chain 1 of 4 runs", "Killed", "[Modelarts Service Log]Training end with return code: 137")}}, "module-missing", Medium, "goes-without"},
		{"a package that is missing, and the script ends", situation{job: failed, logs: map[string]string{"worker-0.log": lines("Error in loadNamespace(x) : there is no package called 'rstan'", "Execution halted", "[Modelarts Service Log]Training end with return code: 1")}}, "module-missing", High, ""},
		{"only a timeout", situation{job: failed, logs: map[string]string{"worker-0.log": "2026-03-01 10:10:02,000 " + watchdog}}, "collective-timeout", Medium, "not-proven"},
		{"only how the process ended", situation{job: failed, logs: map[string]string{"worker-0.log": lines(step, "[Modelarts Service Log]Training end with return code: 137")}}, "killed", Medium, "only-exit-code"},
		{"only an exit code", situation{job: failed, logs: map[string]string{"worker-0.log": lines(step, "[Modelarts Service Log]Training end with return code: 1")}}, Unknown, Low, ""},
		{"only an exit code, in a log from its start to its end", situation{job: failed, logs: map[string]string{"worker-0.log": lines("[Modelarts Service Log]Training start at 2026-03-01-10:00:00", step, "[Modelarts Service Log]Training end with return code: 7")}}, "exit-nonzero", Medium, "only-exit-code"},
		{"a program's own exit, in a log from its start to its end", situation{job: failed, logs: map[string]string{"worker-0.log": lines("[Modelarts Service Log]Training start at 2026-03-01-10:00:00", step, raised("SystemExit: 7"), "[Modelarts Service Log]Training end with return code: 7")}}, "exit-nonzero", Medium, "only-exit-code"},
		{"a device that fell, and its task was ended from outside", situation{job: failed, logs: map[string]string{"worker-0.log": lines(step, "NVRM: Xid (PCI:0000:5e:00): 79, pid=1, GPU has fallen off the bus.", "[Modelarts Service Log]Training end with return code: 143")}}, "device-fault", High, ""},
		{"an exception, and others waited for its task", situation{job: failed, logs: map[string]string{"worker-0.log": lines(step, raised(loaderError), "[Modelarts Service Log]Training end with return code: 1"), "worker-1.log": lines(step, raised("torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients. 1/2 clients joined."), "[Modelarts Service Log]Training end with return code: 143")}}, "key-error", High, ""},
		{"only an exit code, in a log without its start", situation{job: failed, logs: map[string]string{"worker-0.log": lines(step, "[Modelarts Service Log]Training end with return code: 7")}}, Unknown, Low, "only-exit-code"},
		{"a line of a job that runs", situation{job: modelarts.Job{Phase: modelarts.PhaseRunning}, logs: map[string]string{"worker-0.log": lines(step, outOfMemory)}}, "device-oom", Medium, "still-running"},
		{"a traceback of a job that runs", situation{job: modelarts.Job{Phase: modelarts.PhaseRunning}, logs: map[string]string{"worker-0.log": lines(step, raised(outOfMemory))}}, "device-oom", High, ""},
		{"clients that did not come, and nobody tells why", situation{job: failed, logs: map[string]string{"worker-0.log": raised("torch.distributed.DistStoreError: Timed out after 601 seconds waiting for clients. 1/2 clients joined.")}}, "rendezvous-failed", Medium, "absent"},
		{"a collective without its group", situation{job: failed, logs: map[string]string{"worker-0.log": raised("ValueError: Default process group has not been initialized, please make sure to call init_process_group.")}}, "collective-error", High, ""},
		{"nothing", situation{job: failed, logs: map[string]string{"worker-0.log": lines(step)}}, Unknown, Low, ""},
		{"a person's words", situation{logs: map[string]string{"ticket.md": "Hello,\n\nmy job died, I believe of CUDA out of memory. Tried to allocate 2.26 GiB.\n\nThanks\n"}}, "device-oom", Medium, "not-proven"},
		{"a job that ended well", situation{job: modelarts.Job{Phase: modelarts.PhaseCompleted}, logs: map[string]string{"worker-0.log": lines(step)}}, None, High, ""},
		{"a state without a log", situation{job: modelarts.Job{Phase: modelarts.PhaseCompleted}, events: []string{"2026-03-01T10:00:00+08:00 The training job is completed."}}, None, Medium, "no-log"},
		{"a job that waits", situation{job: modelarts.Job{Phase: modelarts.PhasePending}, events: []string{"2026-03-01T10:00:00+08:00 The training job is queuing and awaiting resource allocation."}}, None, High, ""},
		{"a job that runs", situation{job: modelarts.Job{Phase: modelarts.PhaseRunning}, logs: map[string]string{"worker-0.log": lines(step)}}, None, High, ""},
		{"a log that just ends", situation{logs: map[string]string{"worker-0.log": lines(step, "2026-03-01 10:00:10,000 step 11 loss 1.0")}}, None, Medium, "end-unknown"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := verdictOn(t, tt.in)
			doubt := ""
			if v.Doubt != nil {
				doubt = v.Doubt.Code
			}
			if v.Cause != tt.cause || v.Confidence != tt.confidence || doubt != tt.doubt {
				t.Errorf("%s %s (%s) by %q, want %s %s (%s)", v.Cause, v.Confidence, doubt, first(v), tt.cause, tt.confidence, tt.doubt)
			}
			if (v.Cause == Unknown) != (v.Fingerprint == "" && v.Cause != None && v.Cause != hang) {
				t.Errorf("%s has the fingerprint %q", v.Cause, v.Fingerprint)
			}
		})
	}
}

// TestRivalsAreShown: both of two equally early failures are named.
func TestRivalsAreShown(t *testing.T) {
	v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": raised(loaderError), "worker-1.log": raised(modelError)}})
	if len(v.Alternatives) != 1 || v.Alternatives[0].Cause != "value-error" {
		t.Errorf("the alternatives are %v", v.Alternatives)
	}
	if got := why(v, "too many values"); got != "rival" {
		t.Errorf("the rival is out by %q", got)
	}
}

// TestAttempts: the first failed attempt is judged, unless it was overcome.
func TestAttempts(t *testing.T) {
	const restart = "INFO:torch.distributed.elastic.agent.server.api:[default] Worker group FAILED. 3/3 attempts left; will restart worker group"
	for _, tt := range []struct {
		name, log, cause string
		attempt          int
	}{
		{"the second failed of the first", lines(raised(outOfMemory), restart, raised(loaderError)), "device-oom", 0},
		{"the first was overcome", lines(raised(outOfMemory), restart, "step 10 loss 1.0", "step 20 loss 1.0", raised(loaderError)), "key-error", 1},
		{"the platform started it anew", lines("[Modelarts Service Log]Training start at 2026-03-01-10:00:00", raised(outOfMemory), "[Modelarts Service Log]Training start at 2026-03-01-10:10:00", "step 10 loss 1.0", "step 20 loss 1.0", raised(loaderError)), "key-error", 1},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": tt.log}})
		if v.Cause != tt.cause {
			t.Errorf("%s: the cause is %s by %q, want %s", tt.name, v.Cause, first(v), tt.cause)
		}
		for _, s := range v.Why {
			if s.Kept && s.Event.Attempt != tt.attempt {
				t.Errorf("%s: the root is of attempt %d, want %d", tt.name, s.Event.Attempt, tt.attempt)
			}
		}
	}
}

// TestEndsAreRead: how the job ended comes from its state, else from its lines.
func TestEndsAreRead(t *testing.T) {
	code := func(n string) string { return "[Modelarts Service Log]Training end with return code: " + n }
	for _, tt := range []struct {
		name              string
		phase             modelarts.Phase
		log               string
		succeeded, failed bool
	}{
		{"by state", modelarts.PhaseCompleted, code("1"), true, false},
		{"by line", "", code("0"), true, false},
		{"by the last line", "", lines(code("1"), code("0")), true, false},
		{"by a failed line", "", code("137"), false, true},
		{"by a line of a job that seems to run", modelarts.PhaseRunning, code("1"), false, true},
		{"of a job that runs", modelarts.PhaseRunning, code("0"), false, false},
		{"unknown", "", "hello", false, false},
	} {
		r := verdictOn(t, situation{job: modelarts.Job{Phase: tt.phase}, logs: map[string]string{"worker-0.log": strings.TrimRight(tt.log, "\n") + "\n"}})
		e := endOf(r.Case)
		if e.succeeded != tt.succeeded || e.failed != tt.failed {
			t.Errorf("%s: succeeded %v, failed %v", tt.name, e.succeeded, e.failed)
		}
	}
	if e := judgeOn(nil, found(ruleOf(rules.Exit), stream(log("a.log"), -1), 1, "it ended")).end; e.succeeded || e.failed {
		t.Errorf("an end without a code: succeeded %v, failed %v", e.succeeded, e.failed)
	}
}

// TestDeaths: how a process ended is the root when nothing says why and others
// only met what it left behind, and is none when a line before it names another.
func TestDeaths(t *testing.T) {
	const restart = "INFO:torch.distributed.elastic.agent.server.api:[default] Worker group FAILED. 3/3 attempts left; will restart worker group"
	const killed = "E0301 10:01:09.417000 411 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: -9) local_rank: 1 (pid: 2665) of binary: /usr/bin/python3"
	for _, tt := range []struct {
		name, log, cause string
		rule             string
	}{
		{"a launcher saw the signal", lines("step 10 loss 1.0", killed, "[Modelarts Service Log]Training end with return code: 1"), "killed", "ma-return-code-killed"},
		{"the parent of spawned processes saw it", lines("step 10 loss 1.0", raised("torch.multiprocessing.spawn.ProcessExitedException: process 2 terminated with signal SIGSEGV")), "segfault", "ma-return-code-segfault"},
		{"the next attempt reads what it left", lines("step 10 loss 1.0", killed, restart, raised("RuntimeError: PytorchStreamReader failed reading zip archive: failed finding central directory")), "killed", "ma-return-code-killed"},
		{"an attempt that proves its own failure", lines("step 10 loss 1.0", raised(loaderError), killed, restart, raised("RuntimeError: PytorchStreamReader failed reading zip archive: failed finding central directory")), "key-error", ""},
		{"Slurm cleans up after it", lines("step 100 loss 2.1", "srun: error: gpu-03: task 3: Segmentation fault (core dumped)", "slurmstepd: error: *** STEP 8812.0 ON gpu-03 CANCELLED AT 2026-03-01T05:06:07 ***"), "segfault", ""},
		{"another had died", lines("F external/xla/xla/pjrt/distributed/client.h:80] Terminating process because the JAX distributed service detected fatal errors. This most likely indicates that another task died; see the other task logs for more details.", "Fatal Python error: Aborted"), Unknown, ""},
	} {
		v := verdictOn(t, situation{job: modelarts.Job{Phase: modelarts.PhaseFailed}, logs: map[string]string{"worker-0.log": tt.log}})
		if v.Cause != tt.cause || tt.rule != "" && (v.Rule == nil || v.Rule.ID != tt.rule) {
			t.Errorf("%s: %s (%s) by %q, want %s", tt.name, v.Cause, v.Confidence, first(v), tt.cause)
		}
		if v.Cause != Unknown && v.Cause != "key-error" && v.Confidence != Medium {
			t.Errorf("%s: %s is %s", tt.name, v.Cause, v.Confidence)
		}
	}
}

// TestWrappers: a mere wrapper yields to the line of its message that says what
// was wrapped.
func TestWrappers(t *testing.T) {
	log := lines("RuntimeError: [ERROR] HCCL error in: torch_npu/csrc/distributed/ProcessGroupHCCL.cpp:64",
		"[ERROR] 2025-05-12-09:21:03 (PID:412, Device:0, RankID:0) ERR02200 DIST call hccl api failed.",
		"EI0006: [PID: 412] 2025-05-12-09:21:03.123.321 Getting socket times out. Reason: Remote Rank did not send the data in time.")
	if v := verdictOn(t, situation{logs: map[string]string{"a.log": log}}); v.Cause != "rendezvous-failed" || first(v)[:6] != "EI0006" {
		t.Errorf("the cause is %s by %q", v.Cause, first(v))
	}
}

// TestWholeLog: the silence of a log says something only when it is there from
// its start to its end, and no other task could have spoken.
func TestWholeLog(t *testing.T) {
	pack := rules.Default()
	own, other := stream(log("worker-0.log"), -1), stream(log("worker-1.log"), -1)
	start, end := pack.Rule("ma-training-start"), pack.Rule("ma-return-code")
	for _, tt := range []struct {
		name   string
		job    modelarts.Job
		events []*scan.Event
		whole  bool
	}{
		{"start and end", modelarts.Job{}, []*scan.Event{found(start, own, 1, ""), found(end, own, 9, "")}, true},
		{"of the only task", modelarts.Job{Tasks: make([]modelarts.Task, 1)}, []*scan.Event{found(start, own, 1, ""), found(end, own, 9, "")}, true},
		{"of one of two tasks", modelarts.Job{Tasks: make([]modelarts.Task, 2)}, []*scan.Event{found(start, own, 1, ""), found(end, own, 9, "")}, false},
		{"more lines below", modelarts.Job{}, []*scan.Event{found(start, own, 1, ""), found(end, own, 8, ""), found(rule("key-error", rules.Symptom), own, 9, "")}, true},
		{"no start", modelarts.Job{}, []*scan.Event{found(end, own, 9, "")}, false},
		{"no end", modelarts.Job{}, []*scan.Event{found(start, own, 1, "")}, false},
		{"the start of another log", modelarts.Job{}, []*scan.Event{found(start, other, 1, ""), found(end, own, 9, "")}, false},
		{"the end of another log", modelarts.Job{}, []*scan.Event{found(start, own, 1, ""), found(end, other, 9, "")}, false},
		{"a preview of a part", modelarts.Job{Preview: []modelarts.Preview{{Current: 9, Full: 10}}}, []*scan.Event{found(start, own, 1, ""), found(end, own, 9, "")}, false},
		{"a preview of all", modelarts.Job{Preview: []modelarts.Preview{{Current: 10, Full: 10}}}, []*scan.Event{found(start, own, 1, ""), found(end, own, 9, "")}, true},
	} {
		j := judgeOn(nil, tt.events...)
		j.c.Job = tt.job
		if got := j.wholeLog(plain(found(end, own, 9, ""))); got != tt.whole {
			t.Errorf("%s: whole is %v", tt.name, got)
		}
	}
}

// TestSeverity: a job that was stopped, waits, runs or hangs is abnormal; a
// failure is a fault where it is proven.
func TestSeverity(t *testing.T) {
	for _, tt := range []struct {
		cause      string
		phase      modelarts.Phase
		confidence Confidence
		severity   Severity
	}{
		{"key-error", modelarts.PhaseFailed, High, Fault},
		{"key-error", modelarts.PhaseFailed, Medium, Suspected},
		{"key-error", modelarts.PhaseRunning, High, Abnormal},
		{hang, modelarts.PhaseFailed, High, Abnormal},
		{"stopped-by-user", modelarts.PhaseTerminated, High, Abnormal},
		{"resource-shortage", modelarts.PhaseFailed, High, Abnormal},
	} {
		j := judgeOn(nil)
		j.c.Job.Phase = tt.phase
		if got := j.severity(&candidate{cause: tt.cause}, tt.confidence); got != tt.severity {
			t.Errorf("%s of a job that is %s, %s: %s, want %s", tt.cause, tt.phase, tt.confidence, got, tt.severity)
		}
	}
}

// TestEvidence: the decisive line comes first, then where it was raised, the other
// exceptions of its chain, and what tells the same elsewhere; each line once.
func TestEvidence(t *testing.T) {
	d, other, events := log("a.log"), log("b.log"), log("events.json")
	s := stream(d, 0)
	e := found(rule("key-error", rules.Root), s, 10, "KeyError: 'label'")
	held := uncaught(e)
	held.Traceback.Exceptions = append(held.Traceback.Exceptions, ours("OSError"))
	line := func(n int) *scan.Quote { return &scan.Quote{Doc: d, Number: n} }
	held.Heads = append(held.Heads, line(20), nil)
	held.Places = []scan.Place{{File: "train.py", At: line(8), Code: line(9)}, {}}
	again := found(rule("key-error", rules.Root), stream(other, 1), 30, "KeyError: 'label'")
	beside := found(rule("key-error", rules.Root), s, 31, "KeyError: 'label'")
	unlike := found(rule("key-error", rules.Root), stream(log("c.log"), 2), 32, "KeyError: 'image'")
	platform := found(rule("key-error", rules.Root), stream(events, -1), 33, "it failed of its labels")
	doubtful := found(rule("key-error", rules.Ambiguous), stream(log("more.json"), -1), 34, "it may have failed of its labels")
	old := found(rule("key-error", rules.Root), stream(log("old.json"), -1), 35, "it once failed of its labels")
	lost := found(rule("node-failure", rules.Root), stream(log("node.json"), -1), 36, "a node failed")
	for _, e := range []*scan.Event{platform, doubtful, old, lost} {
		e.Quote.Kind = source.Event
	}
	after := found(rule("key-error", rules.Root), stream(log("d.log"), 3), 37, "KeyError: 'label'") // and put out by something else
	c := &Case{Found: scan.Result{Traces: []*scan.Trace{held}, Events: []*scan.Event{e, again, beside, unlike, platform, doubtful, old, lost, after}}}
	numbers := func(qs []scan.Quote) (all []int) {
		for _, q := range qs {
			all = append(all, q.Number)
		}
		return all
	}
	j := newJudge(c, rules.Default())
	root := j.all[0]
	for _, x := range j.all[1:4] {
		x.by, x.print = root, root.print
	}
	j.all[3].print = "another"
	j.all[8].print = root.print
	j.all[8].out("after-stop", nil)
	j.all[6].out("passed", nil)
	if got := numbers(j.evidence(root)); !slices.Equal(got, []int{10, 8, 9, 20, 30}) {
		t.Errorf("the evidence is %v", got)
	}
	held.Places[0], held.Heads = scan.Place{}, held.Heads[:1]
	if got := numbers(j.evidence(root)); !slices.Equal(got, []int{10, 30, 33}) {
		t.Errorf("the evidence of what was raised in a library is %v", got)
	}
	held.Places = nil
	if got := numbers(j.evidence(root)); !slices.Equal(got, []int{10, 30, 33}) {
		t.Errorf("the evidence without any place is %v", got)
	}
	first := found(e.Rule, s, 5, "KeyError")
	for _, of := range []*rules.Rule{e.Rule, rule("key-error", rules.Root)} {
		first.Rule, j.displaced = of, &candidate{event: first}
		if got := numbers(j.evidence(root)); slices.Contains(got, 5) != (of == e.Rule) {
			t.Errorf("the evidence with what says less of the same is %v", got)
		}
	}
	j.displaced = nil
	root.cause, held.Places = "device-fault", []scan.Place{{File: "train.py", At: line(8), Code: line(9)}}
	if got := numbers(j.evidence(root)); !slices.Equal(got, []int{10, 30, 8, 9}) {
		t.Errorf("the evidence of what surfaces anywhere is %v", got)
	}
}

// TestFirstNaN: where numbers had gone wrong before anything told of it, the first
// line that shows it leads; what another run, a traceback or another cause tells is
// none.
func TestFirstNaN(t *testing.T) {
	s, other := stream(log("a.log"), -1), stream(log("b.log"), -1)
	for _, tt := range []struct {
		name         string
		cause, first string // of the root and of the line before it
		in           *scan.Stream
		seq          int
		traced       bool
		fate         string
		rows         []int
	}{
		{"it spread for long", "loss-diverged", "loss-diverged", s, 299 - messageGap, false, "", []int{299 - messageGap, 300}},
		{"it was told at once", "loss-diverged", "loss-diverged", s, 300 - messageGap, false, "", []int{300, 300 - messageGap}},
		{"the same was told before", "loss-diverged", "loss-diverged", s, 10, false, "same-failure", []int{10, 300}},
		{"it follows from the root", "loss-diverged", "loss-diverged", s, 10, false, "follows", []int{10, 300}},
		{"it was of an older run", "loss-diverged", "loss-diverged", s, 10, false, "older-run", []int{300}},
		{"an exception", "loss-diverged", "loss-diverged", s, 10, true, "", []int{300}},
		{"another cause", "loss-diverged", "key-error", s, 10, false, "", []int{300}},
		{"a root of another cause", "key-error", "key-error", s, 10, false, "", []int{300}},
		{"another log", "loss-diverged", "loss-diverged", other, 10, false, "", []int{300}},
		{"later", "loss-diverged", "loss-diverged", s, 310, false, "", []int{300}},
	} {
		line, told := found(rule(tt.first, rules.Root), tt.in, tt.seq, "loss nan"), found(rule(tt.cause, rules.Root), s, 300, "the loss is not finite")
		c := &Case{Found: scan.Result{Events: []*scan.Event{line, told}}}
		if tt.traced {
			c.Found.Traces = []*scan.Trace{uncaught(line)}
		}
		j := newJudge(c, rules.Default())
		root := j.all[slices.IndexFunc(j.all, func(c *candidate) bool { return c.event == told })]
		if tt.fate != "" {
			j.all[1-slices.Index(j.all, root)].out(tt.fate, nil)
		}
		var rows []int
		for _, q := range j.evidence(root) {
			rows = append(rows, q.Number)
		}
		if !slices.Equal(rows, tt.rows) {
			t.Errorf("%s: the evidence is %v, want %v", tt.name, rows, tt.rows)
		}
	}
}

// TestUnknownWordsLead: of a program that only told a code, its own last words say
// more.
func TestUnknownWordsLead(t *testing.T) {
	v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": lines("[Modelarts Service Log]Training start at 2026-03-01-10:00:00", "2026-03-01 10:00:00,000 step 10 loss 1.0", "the lexicon was refused by the steward", "[Modelarts Service Log]Training end with return code: 7")}})
	if v.Cause != "exit-nonzero" || first(v) != "the lexicon was refused by the steward" {
		t.Errorf("%s by %q", v.Cause, first(v))
	}
}

// TestRowsAreBounded: a report shows each line once, and no more than it can.
func TestRowsAreBounded(t *testing.T) {
	d := log("a.log")
	q := func(n int, field string) scan.Quote { return scan.Quote{Doc: d, Number: n, Field: field} }
	rows := addQuotes(nil, q(1, ""), q(1, ""), q(2, ""), scan.Quote{Number: 3}, q(1, "message"), scan.Quote{Doc: log("b.log"), Number: 1})
	if len(rows) != 4 {
		t.Errorf("%d rows: %v", len(rows), rows)
	}
	if rows = addQuotes(rows, q(5, ""), q(6, "")); len(rows) != evidenceRows {
		t.Errorf("%d rows, want %d", len(rows), evidenceRows)
	}
}

// TestExitCodes: a line tells its code by its rule, else by its last number.
func TestExitCodes(t *testing.T) {
	for _, tt := range []struct {
		text, value string
		code        int
		ok          bool
	}{
		{"rank 3 ended with 7.", "", 7, true},
		{"rank 3 ended with -9", "", -9, true},
		{"rank 3 ended with 7 of 9", "7", 7, true},
		{"rank 3 ended with 7 (killed)", "", 0, false},
		{"rank 3 ended with 0xC0000005", "0xC0000005", 0xC0000005, true},
		{"it ended", "", 0, false},
	} {
		e := found(rule("exit-nonzero", rules.Symptom), stream(log("a.log"), -1), 1, tt.text)
		saying(e, "code", tt.value)
		if code, ok := exitCode(e); code != tt.code || ok != tt.ok {
			t.Errorf("%q: %d, %v", tt.text, code, ok)
		}
	}
}

// TestRaisedByLibrary: a broad class out of a library may mean another cause.
func TestRaisedByLibrary(t *testing.T) {
	for _, tt := range []struct {
		name string
		rule *rules.Rule
		in   *traceback.Exception
		is   bool
	}{
		{"a broad class", class("value-error", rules.Root), new(theirs("ValueError")), true},
		{"out of own code", class("value-error", rules.Root), new(ours("ValueError")), false},
		{"a message", rule("value-error", rules.Root), new(theirs("ValueError")), false},
		{"a class that says enough", class("key-error", rules.Root), new(theirs("KeyError")), false},
		{"without frames", class("value-error", rules.Root), &traceback.Exception{Type: "ValueError"}, false},
		{"a plain line", class("value-error", rules.Root), nil, false},
	} {
		e := found(tt.rule, stream(log("a.log"), -1), 1, "")
		c := &candidate{event: e, cause: e.Rule.Cause}
		if tt.in != nil {
			e.Exception = 0
			c.trace = &scan.Trace{Traceback: chain(*tt.in)}
		}
		if got := c.raisedByLibrary(); got != tt.is {
			t.Errorf("%s: raised by a library is %v", tt.name, got)
		}
	}
}

// TestAbsentees: a wait is a sure root only where those that were awaited did not
// end by themselves, and no number tells that they did not come.
func TestAbsentees(t *testing.T) {
	w0, w1 := ofTask("worker-0"), ofTask("worker-1")
	for code, want := range map[int]bool{0: false, 1: true, 143: false, -15: false, 137: true} {
		c := &Case{Job: modelarts.Job{Tasks: []modelarts.Task{{Name: "worker-1", ExitCode: &code}}},
			Found: scan.Result{Streams: []*scan.Stream{w0, w1}, Events: []*scan.Event{found(rule("collective-timeout", rules.Root), w0, 1, "")}}}
		j := newJudge(c, rules.Default())
		if got := j.absentees(j.all[0]); got != want {
			t.Errorf("worker-1 ended with %d: absent is %v", code, got)
		}
	}
}

// TestDoubts: what speaks against a root, and what does not.
func TestDoubts(t *testing.T) {
	s := stream(log("worker-0.log"), -1)
	stacks := []*scan.Stack{{Stack: traceback.Stack{Thread: "MainThread", Frames: []traceback.Frame{{File: "train.py", User: true}}}, Top: scan.Quote{Doc: s.Doc}, Stream: s}}
	for _, tt := range []struct {
		name   string
		cause  string
		role   rules.Role
		tier   tier
		kind   source.Kind
		job    modelarts.Phase
		ended  bool // the log tells that the job failed
		stall  bool
		want   Confidence
		doubt  string
		stacks []*scan.Stack
	}{
		{"it proves itself", "disk-full", rules.Root, proven, source.Log, modelarts.PhaseFailed, false, false, High, "", nil},
		{"the platform, the steps and the stacks tell of a hang", hang, rules.Ambiguous, weak, source.Event, modelarts.PhaseFailed, false, true, High, "", stacks},
		{"the steps tell of none", hang, rules.Ambiguous, weak, source.Event, modelarts.PhaseFailed, false, false, Medium, "not-proven", stacks},
		{"no stack shows it", hang, rules.Ambiguous, weak, source.Event, modelarts.PhaseFailed, false, true, Medium, "not-proven", nil},
		{"the log speaks of a hang", hang, rules.Ambiguous, weak, source.Log, modelarts.PhaseFailed, false, true, Medium, "not-proven", stacks},
		{"the platform speaks of something else", "node-failure", rules.Ambiguous, weak, source.Event, modelarts.PhaseFailed, false, true, Medium, "not-proven", stacks},
		{"others went on", "disk-full", rules.Root, doubted, source.Log, modelarts.PhaseFailed, false, false, Medium, "went-on-others", nil},
		{"others went on, and the job ended well", "disk-full", rules.Root, doubted, source.Log, modelarts.PhaseCompleted, false, false, Medium, "masked", nil},
		{"the job ended well", "disk-full", rules.Root, proven, source.Log, modelarts.PhaseCompleted, false, false, Medium, "masked", nil},
		{"the job still runs", "disk-full", rules.Root, proven, source.Log, modelarts.PhaseRunning, false, false, Medium, "still-running", nil},
		{"the state is old: the log tells of its end", "disk-full", rules.Root, proven, source.Log, modelarts.PhaseRunning, true, false, High, "", nil},
	} {
		e := found(rule(tt.cause, tt.role), s, 10, "one")
		e.Quote.Kind = tt.kind
		j := newJudge(&Case{Job: modelarts.Job{Phase: tt.job}, Found: scan.Result{Events: []*scan.Event{e}, Stacks: tt.stacks}}, rules.Default())
		j.all[0].tier, j.end.failed = tt.tier, j.end.failed || tt.ended
		if tt.stall {
			j.stall = &stall{}
		}
		doubt := ""
		got, reason := j.confidence(j.all[0])
		if reason != nil {
			doubt = reason.Code
		}
		if got != tt.want || doubt != tt.doubt {
			t.Errorf("%s: %s (%s), want %s (%s)", tt.name, got, doubt, tt.want, tt.doubt)
		}
	}
}

// TestMetLater: of a line without a stack the place is that of the exception by
// which the program met the same later, and nobody caught.
func TestMetLater(t *testing.T) {
	s, other := stream(log("worker-0.log"), 0), stream(log("worker-1.log"), 0)
	const words, code = "one", "aclrtMemcpy api failed, ret 507"
	atTop := func(e *scan.Event, x *scan.Trace) { x.Traceback.Exceptions[0].Frames[0].Func = "<module>" }
	for _, tt := range []struct {
		name, cause, text string
		change            func(*scan.Event, *scan.Trace)
		is                bool
	}{
		{"a mere code, and what ended its program", "key-error", code, atTop, true},
		{"a mere code, and what ended another program", "key-error", code, func(e *scan.Event, x *scan.Trace) { atTop(e, x); e.Stream, x.Stream = other, other }, false},
		{"a mere code, and what somebody caught", "key-error", code, nil, false},
		{"words, and what ended the program", "key-error", words, atTop, false},
		{"the same, later", "disk-full", words, nil, true},
		{"the same, before", "disk-full", words, func(e *scan.Event, x *scan.Trace) { e.Seq = 5 }, false},
		{"something else", "key-error", words, nil, false},
		{"it was caught", "disk-full", words, func(_ *scan.Event, x *scan.Trace) { x.AboveLvl = "ERROR" }, false},
	} {
		line, e := found(rule("disk-full", rules.Root), s, 10, tt.text), found(rule(tt.cause, rules.Root), s, 20, "two")
		held := uncaught(e)
		if tt.change != nil {
			tt.change(e, held)
		}
		j := newJudge(&Case{Found: scan.Result{Traces: []*scan.Trace{held}, Events: []*scan.Event{line, e}}}, rules.Default())
		if got := j.met(j.all[0]); (got == j.all[1]) != tt.is || got != nil && !tt.is {
			t.Errorf("%s: met is %v", tt.name, got != nil)
		}
		if j.met(j.all[1]) != nil {
			t.Errorf("%s: a traceback has a further place", tt.name)
		}
		for _, c := range j.all {
			c.cause = hang
		}
		if j.met(j.all[0]) != nil {
			t.Errorf("%s: a hang has the place of what came of it", tt.name)
		}
		if j = newJudge(&Case{Found: scan.Result{Traces: []*scan.Trace{held}, Events: []*scan.Event{line, e}}}, rules.Default()); tt.is && tt.text == words {
			if rows := j.evidence(j.all[0]); len(rows) != 2 || rows[1].Number != 20 {
				t.Errorf("%s: what was raised in a library gives the evidence %v", tt.name, rows)
			}
		}
	}
}

// TestSignalIsMoreThanAnExitCode: a program's own word of the signal that ended it
// is not said to be an exit code.
func TestSignalIsMoreThanAnExitCode(t *testing.T) {
	v := verdictOn(t, situation{logs: map[string]string{"input.log": "step 1 loss 1\n[host:34] *** Process received signal ***\n[host:34] Signal: Segmentation fault (11)\n[host:34] *** End of error message ***\n"}})
	if v.Cause != "segfault" || v.Doubt == nil || v.Doubt.Code != "only-signal" {
		t.Errorf("%s, doubt %v", v.Cause, v.Doubt)
	}
	v = verdictOn(t, situation{logs: map[string]string{"input.log": "step 1 loss 1\n[Modelarts Service Log]Training end with return code: 139\n"}})
	if v.Doubt == nil || v.Doubt.Code != "only-exit-code" {
		t.Errorf("an exit code alone: %s, doubt %v", v.Cause, v.Doubt)
	}
}

// TestMemoryAmongRivals: a full memory explains one kill of two whose order nobody
// can tell, and not surely.
func TestMemoryAmongRivals(t *testing.T) {
	v := verdictOn(t, situation{
		job:    modelarts.Job{Metrics: []modelarts.Metric{series("worker-0", "memUsage", 20, 60, 92, 99.4)}},
		events: []string{"2026-03-01T10:00:00+08:00 The training job is created."},
		logs:   map[string]string{"worker-0.log": "[Modelarts Service Log]Training end with return code: 137", "worker-1.log": "[Modelarts Service Log]Training end with return code: 139"},
	})
	if v.Cause != "host-oom" || v.Confidence != Medium || len(v.Alternatives) != 1 {
		t.Errorf("%s %s, beside it %v", v.Cause, v.Confidence, v.Alternatives)
	}
}

// TestMetOfDevices: faults of devices surface anywhere, but what is compiled for them
// fails where it is called.
func TestMetOfDevices(t *testing.T) {
	s := stream(log("worker-0.log"), 0)
	for cause, is := range map[string]bool{"device-fault": false, "kernel-build-failed": true} {
		line, e := found(rule(cause, rules.Root), s, 10, "one"), found(rule(cause, rules.Root), s, 20, "two")
		j := newJudge(&Case{Found: scan.Result{Traces: []*scan.Trace{uncaught(e)}, Events: []*scan.Event{line, e}}}, rules.Default())
		if got := j.met(j.all[0]) != nil; got != is {
			t.Errorf("%s: met is %v", cause, got)
		}
	}
}

// TestCameTo: beside a line stands the exception of the same cause by which the
// program ended, with the line that names it; of waits, and beside an exception, none.
func TestCameTo(t *testing.T) {
	s := stream(log("worker-0.log"), 0)
	for _, tt := range []struct {
		name         string
		cause, ended string // of the line and of the exception
		at           int
		caught       bool
		rows         []int
	}{
		{"what it came to", "device-fault", "device-fault", 20, false, []int{20, 18}},
		{"something else", "device-fault", "key-error", 20, false, nil},
		{"what was caught", "device-fault", "device-fault", 20, true, nil},
		{"what came before", "device-fault", "device-fault", 5, false, nil},
		{"a wait", "collective-timeout", "collective-timeout", 20, false, nil},
	} {
		line, e := found(rule(tt.cause, rules.Root), s, 10, "one"), found(rule(tt.ended, rules.Root), s, tt.at, "two")
		held := uncaught(e)
		held.Heads[0] = &scan.Quote{Doc: s.Doc, Number: 18}
		if !tt.caught {
			held.Traceback.Exceptions[0].Frames[0].Func = "<module>"
		}
		j := newJudge(&Case{Found: scan.Result{Traces: []*scan.Trace{held}, Events: []*scan.Event{line, e}}}, rules.Default())
		var rows []int
		for _, q := range j.cameTo(j.all[0]) {
			rows = append(rows, q.Number)
		}
		if !slices.Equal(rows, tt.rows) {
			t.Errorf("%s: %v, want %v", tt.name, rows, tt.rows)
		}
		if rows := j.cameTo(j.all[1]); rows != nil {
			t.Errorf("%s: an exception came to %v", tt.name, rows)
		}
		if held.Heads[0] = nil; tt.rows != nil && len(j.cameTo(j.all[0])) != 1 {
			t.Errorf("%s: a line that is not held is shown", tt.name)
		}
	}
}

// TestLaunched: above the line by which the platform tells of the end of a launcher
// stands what that told, a few lines before, of the process that ended.
func TestLaunched(t *testing.T) {
	d := log("worker-0.log")
	s, other := stream(d, 0), stream(d, 1)
	for _, tt := range []struct {
		name     string
		platform bool
		fact     rules.Fact // that the root's line tells
		family   string     // of the line above it
		in       *scan.Stream
		gap      int
		is       bool
	}{
		{"a launcher just above", true, rules.Exit, "torchelastic", s, 1, true},
		{"a launcher a few lines above", true, rules.Exit, "torchelastic", s, messageGap, true},
		{"a launcher further above", true, rules.Exit, "torchelastic", s, messageGap + 1, false},
		{"a launcher below", true, rules.Exit, "torchelastic", s, -1, false},
		{"a shell above", true, rules.Exit, "shell", s, 1, false},
		{"a launcher of another rank", true, rules.Exit, "torchelastic", other, 1, false},
		{"the program tells of its end", false, rules.Exit, "torchelastic", s, 1, false},
		{"the platform tells of something else", true, rules.Recovery, "torchelastic", s, 1, false},
	} {
		end, told := found(rule("killed", rules.Ambiguous), s, 20, "two"), found(rule("killed", rules.Ambiguous), tt.in, 20-tt.gap, "one")
		end.Quote.Platform, end.Rule.Facts, told.Rule.Family = tt.platform, []rules.Fact{tt.fact}, tt.family
		j := judgeOn(nil, told, end)
		if rows := j.launched(j.all[1]); (len(rows) == 1) != tt.is || tt.is && rows[0].Number != told.Seq {
			t.Errorf("%s: launched gives %v", tt.name, rows)
		}
	}
}
