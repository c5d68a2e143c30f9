package verdict

import (
	"strings"
	"testing"
)

// TestPrinted: code samples and what tools answered are data; the same words in a
// record of an error, or below a fence that nothing follows, are a failure.
func TestPrinted(t *testing.T) {
	const (
		step = "2026-03-01 10:00:00,000 INFO step 10 loss 1.9"
		ok   = "[Modelarts Service Log]Training end with return code: 0"
		bad  = "[Modelarts Service Log]Training end with return code: 1"
	)
	sample := strings.ReplaceAll(raised("IndexError: list index out of range"), "/home/ma-user/modelarts/user-job-dir/app/", "")
	oom := prefixed("[rank2]: ", raised("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 2 has a total capacity of 79.15 GiB of which 1.10 GiB is free."))
	for _, c := range []struct{ name, log, cause string }{
		{"a sample before the failure", lines("### sample", "```", sample, "```", "### answer", oom, bad), "device-oom"},
		{"a sample in a fence with a language, at the end of a job that ended well", lines(step, "~~~text", sample, "~~~", "that is all", ok), None},
		{"a failure below a fence that nothing follows", lines("```", raised("KeyError: 'label'"), bad), "key-error"},
		{"what a tool answered", lines(`tool=bash exit=1 obs="E   ModuleNotFoundError: No module named 'attrs'"`, raised("KeyError: 'label'"), bad), "key-error"},
		{"a prompt", lines(`prompt: 'RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB'`, raised("KeyError: 'label'"), bad), "key-error"},
		{"a sample that the job ended well after", lines(step, raised("KeyError: 'label'"), "Training finished", ok), None},
		{"the message of a record", lines(`level=error msg="OSError: [Errno 28] No space left on device: '/cache/x'"`, bad), "disk-full"},
		{"the error behind a value of data", lines(`load(input="/data/a.idx") failed: OSError: [Errno 28] No space left on device: '/cache/x'`, bad), "disk-full"},
	} {
		if v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}}); v.Cause != c.cause {
			t.Errorf("%s: %s/%s, want %s", c.name, v.Cause, v.Confidence, c.cause)
		}
	}
}
