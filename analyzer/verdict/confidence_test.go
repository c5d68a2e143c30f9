package verdict

import (
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/modelarts"
)

// TestConfidence: what each situation earns, and why not more.
func TestConfidence(t *testing.T) {
	step := "2026-03-01 10:00:00,000 step 10 loss 1.0"
	failed := modelarts.Job{Phase: modelarts.PhaseFailed}
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
		{"only a timeout", situation{job: failed, logs: map[string]string{"worker-0.log": "2026-03-01 10:10:02,000 " + watchdog}}, "collective-timeout", Medium, "not-proven"},
		{"only how the process ended", situation{job: failed, logs: map[string]string{"worker-0.log": lines(step, "[Modelarts Service Log]Training end with return code: 137")}}, "killed", Medium, "only-exit-code"},
		{"only an exit code", situation{job: failed, logs: map[string]string{"worker-0.log": lines(step, "[Modelarts Service Log]Training end with return code: 1")}}, Unknown, Low, ""},
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
		{"unknown", "", "hello", false, false},
	} {
		r := verdictOn(t, situation{job: modelarts.Job{Phase: tt.phase}, logs: map[string]string{"worker-0.log": strings.TrimRight(tt.log, "\n") + "\n"}})
		e := endOf(r.Case)
		if e.succeeded != tt.succeeded || e.failed != tt.failed {
			t.Errorf("%s: succeeded %v, failed %v", tt.name, e.succeeded, e.failed)
		}
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
