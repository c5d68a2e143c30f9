package verdict

import (
	"fmt"
	"strings"
	"testing"
)

// caughtIn is a traceback that begins where an exception was caught.
func caughtIn(exception string) string {
	return `Traceback (most recent call last):
  File "/home/ma-user/modelarts/user-job-dir/app/data.py", line 40, in __getitem__
    return read(i)
` + exception
}

// stepLines are so many lines with a step, from one on.
func stepLines(from, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "2026-03-01 10:%02d:00,000 INFO step %d loss 1.%d\n", from+i, from+i, 70-from-i)
	}
	return b.String()
}

// TestHabits: what a program catches again and again, or says that it does without,
// is not why it ended, even where it stands last; what it met once may be.
func TestHabits(t *testing.T) {
	const (
		wrong = "\n[Modelarts Service Log]Training end with return code: 1"
		well  = "\n[Modelarts Service Log]Training end with return code: 0"
		told  = "2026-03-01 10:30:10,000 ERROR sample 7 is not readable, trying another one\n"
		plain = "2026-03-01 10:30:10,000 ERROR sample 7 is not readable\n"
	)
	damaged := caughtIn("zlib.error: Error -3 while decompressing data: incorrect header check")
	end := raised("KeyError: 'label'")
	for _, c := range []struct {
		name, log, cause string
		confidence       Confidence
	}{
		{"as before, then the end", stepLines(1, 5) + plain + damaged + "\n" + stepLines(6, 5) + plain + damaged + "\n" + end + wrong, "key-error", High},
		{"as before, printed without a record", stepLines(1, 5) + damaged + "\n" + stepLines(6, 5) + damaged + "\n" + end + wrong, "key-error", High},
		{"as before, and the job ended well", stepLines(1, 5) + plain + damaged + "\n" + stepLines(6, 5) + plain + damaged + well, "none", High},
		{"as before, and nothing else", stepLines(1, 5) + plain + damaged + "\n" + stepLines(6, 5) + plain + damaged + wrong, "data-corrupt", High},
		{"as before, but no longer caught", stepLines(1, 5) + plain + damaged + "\n" + stepLines(6, 5) + raised("zlib.error: Error -3 while decompressing data: incorrect header check") + wrong, "data-corrupt", High},
		{"for the first time, with words of what it does instead", stepLines(1, 5) + told + damaged + "\n" + end + wrong, "key-error", High},
		{"for the first time, without such words", stepLines(1, 5) + plain + damaged + "\n" + end + wrong, "data-corrupt", Medium},
		{"for the first time, with such words, and the job ended well", stepLines(1, 5) + told + damaged + well, "none", High},
		{"for the first time, without such words, and the job ended well", stepLines(1, 5) + plain + damaged + well, "data-corrupt", Medium},
		{"such words above what came up to the main module", stepLines(1, 5) + told + end + well, "key-error", Medium},
	} {
		if v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log + "\n"}}); v.Cause != c.cause || v.Confidence != c.confidence {
			t.Errorf("%s: %s/%s, want %s/%s", c.name, v.Cause, v.Confidence, c.cause, c.confidence)
		}
	}
}

// TestLastWord: few lines with a step behind a traceback of the main module are the
// last words of a program that failed; more of them, a death of another kind or an
// end without a failure are not.
func TestLastWord(t *testing.T) {
	const wrong = "[Modelarts Service Log]Training end with return code: 1\n"
	end := raised("KeyError: 'label'") + "\n"
	for _, c := range []struct{ name, log, cause string }{
		{"two lines", stepLines(1, 5) + end + "step 5: val loss 2.31\nstep 5: train loss 2.01\n" + wrong, "key-error"},
		{"many lines", stepLines(1, 5) + end + stepLines(6, 9) + wrong, "unknown"},
		{"killed", stepLines(1, 5) + end + stepLines(6, 2) + "run.sh: line 12:   211 Killed                  python a.py\n[Modelarts Service Log]Training end with return code: 137\n", "killed"},
		{"no end", stepLines(1, 5) + end + stepLines(6, 2), "none"},
		{"caught further down", stepLines(1, 5) + caughtIn("KeyError: 'label'") + "\n" + stepLines(6, 2) + wrong, "unknown"},
	} {
		if v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}}); v.Cause != c.cause {
			t.Errorf("%s: %s, want %s", c.name, v.Cause, c.cause)
		}
	}
}

// TestRelays: what Ray hands on without the exception behind it gives way to what
// the other process printed, and stands alone where that printed nothing.
func TestRelays(t *testing.T) {
	relayed := raised("ray.exceptions.RayTaskError(RayTaskError): ray::Runner.run() (pid=400, ip=10.0.0.2)\nray.exceptions.RayTaskError(DistBackendError): ray::Worker.update() (pid=510, ip=10.0.0.3)")
	nccl := "(Worker pid=510, ip=10.0.0.3) gpu-1:510:590 [2] transport/net_ib.cc:884 NCCL WARN Call to ibv_modify_qp failed with error Connection timed out errno 110"
	for _, c := range []struct{ name, log, cause string }{
		{"alone", relayed, "exception-other"},
		{"behind a line of the other process", lines(nccl, relayed), "collective-error"},
		{"with the exception behind it", raised("ray.exceptions.RayTaskError(KeyError): ray::Runner.run() (pid=400, ip=10.0.0.2)\n  File \"/home/ma-user/modelarts/user-job-dir/reward.py\", line 41, in run\n    d['a']\nKeyError: 'a'"), "key-error"},
	} {
		if v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}}); v.Cause != c.cause || c.cause == "exception-other" && (v.Confidence != Medium || v.Doubt.Code != "class-only") {
			t.Errorf("%s: %s/%s %v, want %s", c.name, v.Cause, v.Confidence, v.Doubt, c.cause)
		}
	}
}

// TestForsaken: a pipe whose other end is gone is named where nothing else is, but
// not one between ranks, nor where the job ended well.
func TestForsaken(t *testing.T) {
	const pipe = "BrokenPipeError: [Errno 32] Broken pipe"
	peers := "Traceback (most recent call last):\n  File \"/home/ma-user/modelarts/user-job-dir/train.py\", line 8, in <module>\n    dist.barrier()\n" +
		"  File \"/opt/conda/lib/python3.10/site-packages/torch/distributed/c10d_logger.py\", line 81, in wrapper\n    return func(*args)\n" + pipe
	for _, c := range []struct{ name, log, cause string }{
		{"a process beside it", prefixed("[rank0]: ", raised(pipe)), "network-error"},
		{"another rank", prefixed("[rank0]: ", peers), "unknown"},
		{"no code of the user's", "Traceback (most recent call last):\n  File \"/usr/lib/python3.10/socket.py\", line 12, in send\n    x()\n" + pipe, "unknown"},
		{"a rank that failed before", lines(prefixed("[rank1]: ", raised("KeyError: 'a'")), prefixed("[rank0]: ", raised(pipe))), "key-error"},
		{"a group that another rank did not set up", "[rank3]: torch.distributed.DistBackendError: [3] is setting up NCCL communicator and retrieving ncclUniqueId from [0] via c10d key-value store by key '0', but store->get('0') got error: Socket Timeout", "rendezvous-failed"},
		{"a group, and another rank that is gone", "[rank3]: torch.distributed.DistBackendError: [3] is setting up NCCL communicator and retrieving ncclUniqueId from [0] via c10d key-value store by key '0', but store->get('0') got error: Connection reset by peer", "unknown"},
		{"the job ended well", raised(pipe) + "\n[Modelarts Service Log]Training end with return code: 0", "none"},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log + "\n"}})
		if v.Cause != c.cause || c.cause == "network-error" && v.Confidence != Medium {
			t.Errorf("%s: %s/%s, want %s", c.name, v.Cause, v.Confidence, c.cause)
		}
	}
}
