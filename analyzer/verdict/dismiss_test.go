package verdict

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// banner is what torchrun prints when it saw rank 0 end first.
const banner = `E0301 10:00:09.417000 411 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: 1) local_rank: 0 (pid: 500) of binary: /usr/bin/python3
torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
train.py FAILED
Root Cause (first observed failure):
[0]:
  rank      : 0 (local_rank: 0)
  exitcode  : 1 (pid: 500)`

// lostNode is what the platform says of the first of twoRuns.
const lostNode = "2026-03-01T09:50:00+08:00 [Pod: modelarts-job-h6-worker-0] NodeNotReady: Node is not ready"

var twoRuns = []modelarts.Record{
	{Start: time.Date(2026, 3, 1, 2, 0, 0, 0, time.UTC)},
	{Start: time.Date(2026, 3, 1, 1, 0, 0, 0, time.UTC), End: time.Date(2026, 3, 1, 1, 50, 0, 0, time.UTC)},
}

// A run that failed after others does not make good what they met.
func TestFailedAgain(t *testing.T) {
	v := verdictOn(t, situation{job: modelarts.Job{Phase: modelarts.PhaseFailed, Records: twoRuns}, events: []string{lostNode}})
	if v.Cause != "node-failure" {
		t.Errorf("the cause is %s, want node-failure", v.Cause)
	}
}

// TestDismissed: each kind of line that is no root is put out with the reason
// that a report can show, and the root is the other one.
func TestDismissed(t *testing.T) {
	root := prefixed("[rank1]: ", raised(loaderError))
	step := "2026-03-01 10:00:00,000 step 10 loss 1.0"
	for _, tt := range []struct {
		name   string
		in     situation
		line   string // of which the reason is asked
		reason string
		cause  string
	}{
		{"a watchdog", situation{logs: map[string]string{"worker-0.log": lines(step, root, "[rank0]:[E301 10:10:00.0 ProcessGroupNCCL.cpp:616] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=3, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600088 milliseconds before timing out.")}},
			"Watchdog caught", "waited", "key-error"},
		{"a notify wait of HCCL", situation{logs: map[string]string{"worker-0.log": lines(step, root), "worker-1.log": lines(step, "EI0002: [PID: 3319] 2026-03-01-10:30:04.650.409 The wait execution of the Notify register times out. Reason: The Notify register has not received the Notify record from remote rank: [1].")}},
			"EI0002", "waited", "key-error"},
		{"a closed connection", situation{logs: map[string]string{"worker-0.log": lines(step, root, "[rank0]: RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:598] Connection closed by peer [127.0.0.1]:10631")}},
			"Connection closed by peer", "echo", "key-error"},
		{"a remote end that is gone", situation{logs: map[string]string{"worker-0.log": lines(step, root, "[rank0]: torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:1970, remote process exited or there was a network error, NCCL version 2.18.1")}},
			"remote process exited", "echo", "key-error"},
		{"a communicator that was aborted", situation{logs: map[string]string{"worker-0.log": lines(step, root, "[rank0]: RuntimeError: NCCL communicator was aborted on rank 0.")}},
			"communicator was aborted", "echo", "key-error"},
		{"torchrun ends the others", situation{logs: map[string]string{"worker-0.log": lines(step, root, "W0301 10:00:08.100 411 torch/distributed/elastic/multiprocessing/api.py:897] Sending process 2730 closing signal SIGTERM")}},
			"closing signal", "echo", "key-error"},
		{"torchrun's table", situation{logs: map[string]string{"worker-0.log": lines(step, root, banner)}},
			"ChildFailedError", "echo", "key-error"},
		{"the platform's exit code", situation{logs: map[string]string{"worker-0.log": lines(step, root, "[Modelarts Service Log]Training end with return code: 1")}},
			"return code", "echo", "key-error"},
		{"SIGTERM of the innocent", situation{logs: map[string]string{"worker-0.log": lines(step, root), "worker-1.log": lines(step, "2026-03-01 10:00:09,000 step 11 loss 1.0", "[Modelarts Service Log]Training end with return code: 143")}},
			"143", "echo", "key-error"},
		{"a loader's process whose parent died", situation{logs: map[string]string{"worker-0.log": lines(step, raised(loaderError), "RuntimeError: DataLoader worker (pid(s) 21347) exited unexpectedly")}},
			"exited unexpectedly", "echo", "key-error"},
		{"an error in __del__", situation{logs: map[string]string{"worker-0.log": lines(step, raised(loaderError), "Exception ignored in: <function Pool.__del__ at 0x7f0c>", inDel("AttributeError: 'NoneType' object has no attribute 'close'"))}},
			"NoneType", "teardown", "key-error"},
		{"what training went on after", situation{logs: map[string]string{"rank_0.log": lines(step, "2026-03-01 10:00:01,000 - WARNING - bad sample", raised(modelError), "2026-03-01 10:00:02,000 step 11 loss 1.0", raised(loaderError))}},
			"too many values", "went-on", "key-error"},
		{"a message after which lines without a rank went on", situation{logs: map[string]string{"worker-0.log": lines(step,
			"[rank3]: OSError: [Errno 28] No space left on device: '/cache/ckpt/step_400'", "step 500 loss 1.9", "step 900 loss 1.8", raised(loaderError))}},
			"No space left", "went-on", "key-error"},
		{"a log that ended days before the job was created", situation{job: modelarts.Job{Phase: modelarts.PhaseCompleted, Created: time.Date(2026, 3, 9, 0, 0, 0, 0, time.UTC)},
			logs: map[string]string{"old/train.log": lines(step, raised(loaderError)), "worker-0.log": "2026-03-09 10:00:00,000 step 10 loss 1.0\n2026-03-09 10:00:05,000 step 20 loss 1.0\n"}},
			"KeyError", "before-job", None},
		{"a node that was lost before the job ran again", situation{events: []string{"2026-03-01T09:50:00+08:00 [Pod: modelarts-job-h6-worker-0] NodeNotReady: Node is not ready", "2026-03-01T09:59:00+08:00 Training job is running."},
			logs: map[string]string{"worker-0.log": lines(step, raised(loaderError))}},
			"NodeNotReady", "passed", "key-error"},
		{"a preemption before the job ran again", situation{events: []string{"2026-03-01T09:50:00+08:00 The training job is preempted.", "2026-03-01T09:59:00+08:00 Training job is running."},
			logs: map[string]string{"worker-0.log": lines(step, raised(loaderError))}},
			"preempted", "passed", "key-error"},
		{"a device's log of days before", situation{logs: map[string]string{
			"plog/plog-77_20260227020000000.log": "[ERROR] RUNTIME(77,python):2026-02-27-02:00:00.100.001 [npu_driver.cc:1100]90 DevMemAllocHugePageManaged:[drv api] halMemAlloc failed:size=17179869184(Byte), type=2, moduleId=7, drvRetCode=6, device_id=0!\n",
			"worker-0.log":                       lines(step, "2026-03-01 10:00:30,000 ERROR stop", raised(loaderError))}},
			"halMemAlloc", "before-job", "key-error"},
		{"a port that went down long before", situation{logs: map[string]string{
			"hccn.txt":     "[devid 4]    Sat Feb 28 08:38:01 2026    LINK DOWN\n",
			"worker-0.log": lines("2026-03-01 10:00:00,000 step 10 loss 1.0", "2026-03-01 10:00:05,000 EI0013: [PID: 9] An error CQE occurred during operator execution. Local information: server 10.1.0.1, device ID 0. Peer information: server 10.1.0.2, device ID 4.")}},
			"LINK DOWN", "other-time", "collective-error"},
		{"an emergency save after the peer was gone", situation{logs: map[string]string{
			"modelarts-job-6f1b2c58-0d34-4c7e-9a41-b7d2e3f40c19-worker-0.log": lines("step 10 loss 1.0", "RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:525] Read error [10.0.0.2]:3321: Connection reset by peer", raised("FileNotFoundError: [Errno 2] No such file or directory: '/cache/ckpt/latest_meta.json'")),
			"modelarts-job-6f1b2c58-0d34-4c7e-9a41-b7d2e3f40c19-worker-1.log": lines("step 10 loss 1.0", raised(loaderError))}},
			"latest_meta.json", "echo", "key-error"},
		{"an attempt that was overcome", situation{logs: map[string]string{"worker-0.log": lines(step, raised(modelError),
			"INFO:torch.distributed.elastic.agent.server.api:[default] Worker group FAILED. 3/3 attempts left; will restart worker group",
			"2026-03-01 10:05:00,000 step 10 loss 1.0", "2026-03-01 10:05:10,000 step 20 loss 1.0", raised(loaderError))}},
			"too many values", "attempt-recovered", "key-error"},
		{"a fault of the run before the one that goes on", situation{job: modelarts.Job{Phase: modelarts.PhaseRunning, Records: twoRuns}, events: []string{lostNode}},
			"NodeNotReady", "attempt-recovered", None},
		{"a fault of the run before the one that ended well", situation{job: modelarts.Job{Phase: modelarts.PhaseCompleted, Records: twoRuns}, events: []string{lostNode}},
			"NodeNotReady", "attempt-recovered", None},
		{"what a job that ended well had met", situation{job: modelarts.Job{Phase: modelarts.PhaseCompleted}, logs: map[string]string{"worker-0.log": lines(raised(loaderError), strings.Repeat("all is well\n", 50))}},
			"KeyError", "succeeded", None},
		{"what a program that ended well had caught and labelled", situation{job: modelarts.Job{Phase: modelarts.PhaseCompleted}, logs: map[string]string{"worker-0.log": lines(step, "task 4: failed: "+raised("AssertionError"), "score 0.5")}},
			"AssertionError", "succeeded", None},
		{"what a program that ended well had caught and set among its results", situation{job: modelarts.Job{Phase: modelarts.PhaseCompleted}, logs: map[string]string{"worker-0.log": lines(step, "task 4: failed", prefixed("    ", raised("AssertionError")), "score 0.5")}},
			"AssertionError", "succeeded", None},
		{"a file that another run left beside the logs of a job that ended well", situation{job: modelarts.Job{Phase: modelarts.PhaseCompleted}, logs: map[string]string{
			"modelarts-job-6f1b2c58-0d34-4c7e-9a41-b7d2e3f40c19-worker-0.log": lines(step, "[Modelarts Service Log]Training end with return code: 0"), "nohup.out": raised(loaderError)}},
			"KeyError", "succeeded", None},
		{"a file that another run left beside the logs of a job that failed", situation{job: modelarts.Job{Phase: modelarts.PhaseFailed}, logs: map[string]string{
			"modelarts-job-6f1b2c58-0d34-4c7e-9a41-b7d2e3f40c19-worker-0.log": lines(step, raised(loaderError), "[Modelarts Service Log]Training end with return code: 1"), "nohup.out": raised(outOfMemory)}},
			"out of memory", "other-run", "key-error"},
		{"what a launcher said before the job was queued again and went on", situation{logs: map[string]string{"slurm-1.out": lines("srun: Job step aborted: Waiting up to 32 seconds for job step to finish.", "step 10 loss 1.0", "step 20 loss 1.0", "step 30 loss 0.9")}},
			"step aborted", "went-on", None},
		{"noise after a stop", situation{events: []string{"2026-03-01T10:00:05+08:00" + stoppedEvent}, logs: map[string]string{"worker-0.log": lines("2026-03-01T10:00:00+08:00 step 10 loss 1.0", "2026-03-01T10:00:09+08:00 bye", raised(loaderError))}},
			"KeyError", "after-stop", "stopped-by-user"},
		{"the same failure on another rank", situation{logs: map[string]string{"worker-0.log": lines(step, root, prefixed("[rank0]: ", raised(loaderError)))}},
			"KeyError", "same-failure", "key-error"},
		{"another failure, later", situation{logs: map[string]string{"worker-0.log": lines(step, root, prefixed("[rank0]: ", raised(modelError)))}},
			"too many values", "later", "key-error"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := verdictOn(t, tt.in)
			if v.Cause != tt.cause {
				t.Errorf("the cause is %s (%s) by %q, want %s", v.Cause, v.Confidence, first(v), tt.cause)
			}
			if got := why(v, tt.line); got != tt.reason {
				t.Errorf("%q is out by %q, want %q", tt.line, got, tt.reason)
			}
		})
	}
}

// TestChain: of exceptions that one traceback chains, the first is the fault,
// unless it was only a probe.
func TestChain(t *testing.T) {
	const during = "\n\nDuring handling of the above exception, another exception occurred:\n\n"
	probe := `Traceback (most recent call last):
  File "/usr/lib/python3.10/site-packages/pkg/io.py", line 3, in load
    return cache[name]
KeyError: 'weights'` + during + `Traceback (most recent call last):
  File "/home/ma-user/modelarts/user-job-dir/app/train.py", line 88, in <module>
    main()
  File "/usr/lib/python3.10/site-packages/pkg/io.py", line 5, in load
    return read(path)
  File "/usr/lib/python3.10/site-packages/pkg/io.py", line 9, in read
    with open(path) as f:
FileNotFoundError: [Errno 2] No such file or directory: '/cache/weights.bin'`
	for _, tt := range []struct{ name, log, cause string }{
		{"the first", raised(loaderError) + during + raised("AttributeError: 'NoneType' object has no attribute 'close'"), "key-error"},
		{"the second, after a probe", probe, "file-missing"},
	} {
		if v := verdictOn(t, situation{logs: map[string]string{"train.log": lines(tt.log)}}); v.Cause != tt.cause {
			t.Errorf("%s: the cause is %s by %q, want %s", tt.name, v.Cause, first(v), tt.cause)
		}
	}
}

// TestStopAfterWait: the platform ends the other containers when one has failed,
// so a SIGTERM after a wait that timed out does not explain the wait.
func TestStopAfterWait(t *testing.T) {
	v := verdictOn(t, situation{logs: map[string]string{
		"modelarts-job-0f1e2d3c-4b5a-4697-8877-665544332211-worker-0.log": lines("2026-03-01 10:00:00,000 - INFO - installing packages",
			`time="2026-03-01T10:05:33+08:00" level=info msg="[sidecar] SIGTERM signal is received, waiting for the training process to exit gracefully." file="run_train.sh" Component=Shell Platform=ModelArts-Service`,
			"[Modelarts Service Log]Training end with return code: 143"),
		"modelarts-job-0f1e2d3c-4b5a-4697-8877-665544332211-worker-1.log": lines(
			"[E301 10:05:22.118 socket.cpp:957] [c10d] The client socket has timed out after 300000ms while trying to connect to (worker-0, 6000).",
			raised("torch.distributed.DistNetworkError: The client socket has timed out after 300000ms while trying to connect to (worker-0, 6000)."),
			"[Modelarts Service Log]Training end with return code: 1"),
	}})
	if v.Cause != "rendezvous-failed" {
		t.Errorf("cause %s, want rendezvous-failed; first evidence %q", v.Cause, first(v))
	}
}

// TestNaNToTheEnd: training on NaN to the last step is a failure, whatever the
// program returned; numbers that came back are none.
func TestNaNToTheEnd(t *testing.T) {
	nan := strings.Repeat("{'loss': nan, 'grad_norm': nan, 'learning_rate': 1e-05, 'epoch': 0.1}\n", 60)
	well := strings.Repeat("{'loss': 1.9, 'grad_norm': 0.4, 'learning_rate': 1e-05, 'epoch': 0.1}\n", 60)
	const end = "[Modelarts Service Log]Training end with return code: 0\n"
	if v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": well + nan + end}}); v.Cause != "loss-diverged" || v.Confidence == High {
		t.Errorf("NaN to the end: %s %s, want loss-diverged, not HIGH", v.Cause, v.Confidence)
	}
	if v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": well + nan + well + end}}); v.Cause != None {
		t.Errorf("NaN for a while: %s, want none", v.Cause)
	}
}

// TestStops: only what stops a job from outside puts out what it met; a peer's
// cancellation, or the SIGTERM that a failure brings, does not.
func TestStops(t *testing.T) {
	oom := lines("2026-03-01T10:00:00+08:00 step 1 loss 1.0", "2026-03-01T10:00:30+08:00 - ERROR - failed", raised(outOfMemory))
	for _, tt := range []struct {
		name  string
		in    situation
		cause string
	}{
		{"cancelled by a peer", situation{logs: map[string]string{"worker-1.log": oom,
			"worker-0.log": lines("2026-03-01T10:00:20+08:00 step 1 loss 1.0", raised("tensorflow.python.framework.errors_impl.CancelledError: [_Derived_]RecvAsync is cancelled."))}}, "device-oom"},
		{"SIGTERM to the others", situation{logs: map[string]string{"worker-1.log": oom,
			"worker-0.log": lines("2026-03-01T10:00:20+08:00 step 1 loss 1.0", `time="2026-03-01T10:00:25+08:00" level=info msg="[sidecar] SIGTERM signal is received, waiting for the training process to exit gracefully." Component=ShellScripts Platform=ModelArts-Service`)}}, "device-oom"},
		{"a failure before the stop", situation{events: []string{"2026-03-01T12:00:00+08:00" + stoppedEvent}, logs: map[string]string{"worker-1.log": oom}}, "device-oom"},
		{"preempted", situation{events: []string{"2026-03-01T10:00:10+08:00 The training job is preempted by a job of higher priority."}, logs: map[string]string{"worker-1.log": oom}}, "preempted"},
	} {
		if v := verdictOn(t, tt.in); v.Cause != tt.cause {
			t.Errorf("%s: the cause is %s by %q, want %s", tt.name, v.Cause, first(v), tt.cause)
		}
	}
}

// TestAfterStop: a stop from outside explains what came after it and what came
// beside it without proof, and everything beside it when the job was stopped.
func TestAfterStop(t *testing.T) {
	d, events := log("train.log"), log("events.json")
	events.Kind = source.Event
	s, platform := stream(d, -1), stream(events, -1)
	at := func(e *scan.Event, clock string) *scan.Event { return timed(e, clockTime(t, clock)) }
	stop := func(role rules.Role) *scan.Event {
		return at(found(rule("stopped-by-user", role), platform, 1, ""), "10:00:00")
	}
	root, hint := rule("key-error", rules.Root), rule("key-error", rules.Ambiguous)
	for _, tt := range []struct {
		name  string
		phase modelarts.Phase
		stop  *scan.Event
		event *scan.Event
		fate  string
	}{
		{"after it", modelarts.PhaseFailed, stop(rules.Root), at(found(root, s, 2, ""), "10:00:03"), "after-stop"},
		{"before it", modelarts.PhaseFailed, stop(rules.Root), at(found(root, s, 2, ""), "09:59:57"), ""},
		{"before it, without proof", modelarts.PhaseTerminated, stop(rules.Root), at(found(hint, s, 2, ""), "09:59:57"), ""},
		{"beside it, a moment later", modelarts.PhaseFailed, stop(rules.Root), at(found(root, s, 2, ""), "10:00:01"), "after-stop"},
		{"beside it, a moment earlier", modelarts.PhaseFailed, stop(rules.Root), at(found(root, s, 2, ""), "09:59:59"), ""},
		{"beside it, without proof", modelarts.PhaseFailed, stop(rules.Root), at(found(hint, s, 2, ""), "09:59:59"), "after-stop"},
		{"beside it, of a job that was stopped", modelarts.PhaseTerminated, stop(rules.Root), at(found(root, s, 2, ""), "09:59:59"), "after-stop"},
		{"after a stop that proves nothing", modelarts.PhaseFailed, stop(rules.Ambiguous), at(found(root, s, 2, ""), "10:00:03"), ""},
		{"another stop after it", modelarts.PhaseFailed, stop(rules.Root), at(found(rule("preempted", rules.Root), platform, 2, ""), "10:00:03"), ""},
		{"an echo after it", modelarts.PhaseFailed, stop(rules.Root), at(found(rule("key-error", rules.Symptom), s, 2, ""), "10:00:03"), ""},
		{"after what stops nothing", modelarts.PhaseFailed, at(found(root, platform, 1, ""), "10:00:00"), at(found(root, s, 2, ""), "10:00:03"), ""},
	} {
		j := judgeOn(nil, tt.stop, tt.event)
		j.c.Job.Phase = tt.phase
		j.stopped()
		if stop, c := j.all[0], j.all[1]; fateOf(c) != tt.fate || stop.fate != nil {
			t.Errorf("%s: out by %q, want %q; the stop by %q", tt.name, fateOf(c), tt.fate, fateOf(stop))
		}
	}
	over := judgeOn(nil, stop(rules.Root), at(found(root, s, 2, ""), "10:00:03"))
	over.all[0].out("passed", nil)
	over.stopped()
	if over.all[1].fate != nil {
		t.Error("a stop that was overcome put a failure out")
	}
}

// TestToldByOthers: the end of a process below the line that tells of another's
// end is an echo, unless a signal killed it.
func TestToldByOthers(t *testing.T) {
	own, other := log("worker-0.log"), log("worker-1.log")
	s := stream(own, -1)
	s.Task = "worker-0"
	elsewhere := stream(other, -1)
	elsewhere.Task = "worker-1"
	neighbour := stream(own, -1)
	neighbour.Task = "worker-1"
	copied := stream(other, -1)
	copied.Task = "worker-0"
	lost := rule("collective-error", rules.Symptom)
	for _, tt := range []struct {
		name string
		told *scan.Event
		end  *scan.Event
		fate string
	}{
		{"below", found(lost, s, 1, ""), found(rule("aborted", rules.Ambiguous), s, 2, ""), "echo"},
		{"above", found(lost, s, 2, ""), found(rule("aborted", rules.Ambiguous), s, 1, ""), ""},
		{"killed", found(lost, s, 1, ""), found(rule("killed", rules.Ambiguous), s, 2, ""), ""},
		{"a failure below", found(lost, s, 1, ""), found(rule("key-error", rules.Root), s, 2, ""), ""},
		{"below what may be a wait of its own", found(rule("collective-error", rules.Ambiguous), s, 1, ""), found(rule("aborted", rules.Ambiguous), s, 2, ""), ""},
		{"below an echo of no wait", found(rule("exit-nonzero", rules.Symptom), s, 1, ""), found(rule("aborted", rules.Ambiguous), s, 2, ""), ""},
		{"below another task's line", found(lost, neighbour, 1, ""), found(rule("aborted", rules.Ambiguous), s, 100, ""), ""},
		{"in another log of the task", timed(found(lost, copied, 1, ""), clockTime(t, "10:00:00")), timed(found(rule("aborted", rules.Ambiguous), s, 2, ""), clockTime(t, "10:00:09")), ""},
		{"in another task's log", timed(found(lost, elsewhere, 1, ""), clockTime(t, "10:00:00")), timed(found(rule("aborted", rules.Ambiguous), s, 2, ""), clockTime(t, "10:00:09")), ""},
	} {
		j := judgeOn(nil, tt.told, tt.end)
		j.toldByOthers()
		if c := j.all[1]; fateOf(c) != tt.fate {
			t.Errorf("%s: out by %q, want %q", tt.name, fateOf(c), tt.fate)
		}
	}
}

// TestBrokenBefore: a connection that broke a few lines above explains what its
// process met.
func TestBrokenBefore(t *testing.T) {
	d := log("train.log")
	s, other := stream(d, 0), stream(d, 1)
	for _, tt := range []struct {
		name   string
		broken *scan.Event
		before bool
	}{
		{"a line above", found(rule("network-error", rules.Symptom), s, 99, ""), true},
		{"an error of a collective", found(rule("collective-error", rules.Symptom), s, 99, ""), true},
		{"without proof", found(rule("collective-error", rules.Ambiguous), s, 99, ""), true},
		{"a connection that proves its own failure", found(rule("network-error", rules.Root), s, 99, ""), false},
		{"a timeout", found(rule("collective-timeout", rules.Symptom), s, 99, ""), false},
		{"far above", found(rule("network-error", rules.Symptom), s, 100-nearLines, ""), true},
		{"too far above", found(rule("network-error", rules.Symptom), s, 99-nearLines, ""), false},
		{"a line below", found(rule("network-error", rules.Symptom), s, 101, ""), false},
		{"of another rank", found(rule("network-error", rules.Symptom), other, 99, ""), false},
	} {
		j := judgeOn(nil, found(rule("file-missing", rules.Root), s, 100, ""), tt.broken)
		if got := slices.ContainsFunc(j.broken(), func(e *candidate) bool { return brokeBefore(e, j.all[0]) }); got != tt.before {
			t.Errorf("%s: broken before is %v", tt.name, got)
		}
	}
}

// TestAfterPeers: what a task met after its peer was gone gives way to another
// task's failure that needs no such excuse and did not come later.
func TestAfterPeers(t *testing.T) {
	w0, w1 := ofTask("worker-0"), ofTask("worker-1")
	same := stream(log("more.log"), -1)
	same.Task = "worker-0"
	lost, root := rule("network-error", rules.Symptom), rule("file-missing", rules.Root)
	at := func(e *scan.Event, clock string) *scan.Event { return timed(e, clockTime(t, clock)) }
	excuse, failed := at(found(lost, w0, 1, ""), "10:00:00"), at(found(root, w0, 2, ""), "10:00:10")
	for _, tt := range []struct {
		name   string
		events []*scan.Event // beside
		out    bool
	}{
		{"another task failed before", []*scan.Event{at(found(rule("key-error", rules.Root), w1, 3, ""), "10:00:00")}, true},
		{"another task failed, and nobody knows when", []*scan.Event{found(rule("key-error", rules.Root), w1, 3, "")}, true},
		{"another task failed later", []*scan.Event{at(found(rule("key-error", rules.Root), w1, 3, ""), "10:00:20")}, false},
		{"another task may have failed", []*scan.Event{found(rule("key-error", rules.Ambiguous), w1, 3, "")}, false},
		{"another task has the same excuse", []*scan.Event{found(lost, w1, 3, ""), found(rule("key-error", rules.Root), w1, 4, "")}, false},
		{"its own task failed otherwise", []*scan.Event{found(rule("key-error", rules.Root), same, 3, "")}, false},
		{"nothing else failed", nil, false},
	} {
		j := judgeOn(nil, append([]*scan.Event{excuse, failed}, tt.events...)...)
		j.afterPeers()
		if c := j.all[1]; (fateOf(c) == "echo") != tt.out {
			t.Errorf("%s: out by %q", tt.name, fateOf(c))
		}
		for _, o := range j.all[2:] {
			if o.fate != nil {
				t.Errorf("%s: the other's %s is out by %q", tt.name, o.cause, fateOf(o))
			}
		}
	}
	j := judgeOn(nil, excuse, failed, found(rule("key-error", rules.Root), w1, 3, ""))
	j.all[2].out("passed", nil)
	j.afterPeers()
	if j.all[1].fate != nil {
		t.Error("a failure that was overcome excuses another task's")
	}
}

// TestRepeated: of equal failures the first stands, whichever was read first.
func TestRepeated(t *testing.T) {
	a, b := stream(log("a.log"), -1), stream(log("b.log"), -1)
	r := rule("key-error", rules.Root)
	at := func(s *scan.Stream, seq int, text, clock string) *scan.Event {
		return timed(found(r, s, seq, text), clockTime(t, clock))
	}
	j := judgeOn(nil, at(a, 1, "KeyError: 'x'", "10:00:10"), at(b, 2, "KeyError: 'x'", "10:00:00"), at(b, 3, "KeyError: 'y'", "10:00:20"),
		at(a, 4, "KeyError: 'x'", "10:00:30"), found(rule("key-error", rules.Symptom), a, 5, "KeyError: 'x'"))
	j.repeated()
	for i, want := range []string{"same-failure", "", "", "same-failure", ""} {
		c := j.all[i]
		if fateOf(c) != want || want != "" && c.by != j.all[1] {
			t.Errorf("failure %d is out by %q, want %q", i, fateOf(c), want)
		}
	}
}

// TestRepeatedAtOnce: of equal failures of one moment the first read stands.
func TestRepeatedAtOnce(t *testing.T) {
	r := rule("key-error", rules.Root)
	j := judgeOn(nil, found(r, stream(log("a.log"), -1), 1, "KeyError: 'x'"), found(r, stream(log("b.log"), -1), 2, "KeyError: 'x'"))
	j.repeated()
	if j.all[0].fate != nil || fateOf(j.all[1]) != "same-failure" {
		t.Errorf("the first is out by %q, the second by %q", fateOf(j.all[0]), fateOf(j.all[1]))
	}
}

// TestStrangers: a file that nothing ties to the job gives way to what the job's
// own logs prove, unless it was clearly earlier or tells the same.
func TestStrangers(t *testing.T) {
	one := 1
	d := log("worker-0.log")
	d.Task = "worker-0"
	own, file := stream(d, -1), stream(log("nohup.out"), -1)
	root := rule("key-error", rules.Root)
	at := func(e *scan.Event, clock string) *scan.Event { return timed(e, clockTime(t, clock)) }
	for _, tt := range []struct {
		name       string
		file, jobs *scan.Event
		fate       string
	}{
		{"without times", found(root, file, 1, "KeyError: 'x'"), found(root, own, 2, "KeyError: 'y'"), "other-run"},
		{"later", at(found(root, file, 1, "KeyError: 'x'"), "10:00:10"), at(found(root, own, 2, "KeyError: 'y'"), "10:00:00"), "other-run"},
		{"earlier", at(found(root, file, 1, "KeyError: 'x'"), "10:00:00"), at(found(root, own, 2, "KeyError: 'y'"), "10:00:10"), ""},
		{"the same", found(root, file, 1, "KeyError: 'x'"), found(root, own, 2, "KeyError: 'x'"), ""},
		{"no proof of the job's", found(root, file, 1, "KeyError: 'x'"), found(rule("key-error", rules.Ambiguous), own, 2, "KeyError: 'y'"), ""},
		{"two files of nobody", found(root, file, 1, "KeyError: 'x'"), found(root, stream(log("more.out"), -1), 2, "KeyError: 'y'"), ""},
	} {
		j := newJudge(&Case{Job: modelarts.Job{Phase: modelarts.PhaseFailed, Tasks: []modelarts.Task{{Name: "worker-0", ExitCode: &one}}},
			Found: scan.Result{Events: []*scan.Event{tt.file, tt.jobs}}}, rules.Default())
		j.strangers()
		if c := j.all[0]; fateOf(c) != tt.fate || j.all[1].fate != nil {
			t.Errorf("%s: out by %q, want %q", tt.name, fateOf(c), tt.fate)
		}
	}
	j := newJudge(&Case{Job: modelarts.Job{Phase: modelarts.PhaseFailed, Tasks: []modelarts.Task{{Name: "worker-0", ExitCode: &one}}},
		Found: scan.Result{Events: []*scan.Event{found(root, file, 1, "KeyError: 'x'"), found(root, file, 2, "KeyError: 'z'"), found(root, own, 3, "KeyError: 'y'")}}}, rules.Default())
	j.strangers()
	if fateOf(j.all[0]) != "other-run" || fateOf(j.all[1]) != "other-run" {
		t.Errorf("of two failures in a file of nobody: %q, %q", fateOf(j.all[0]), fateOf(j.all[1]))
	}
}
