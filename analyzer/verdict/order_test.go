package verdict

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hcloud-modelarts/analyzer/modelarts"
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
	at := func(clock string) time.Time {
		v, err := time.Parse(time.DateTime, "2026-03-01 "+clock)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	between := func(from, until string) span {
		var s span
		if from != "" {
			s.from = at(from)
		}
		if until != "" {
			s.until = at(until)
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
