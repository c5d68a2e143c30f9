package verdict

import "testing"

// TestSurvived: what a program went on from is not why it ended, unless its end
// may follow from it; what an error record told, or what stands next to the end,
// leaves a doubt.
func TestSurvived(t *testing.T) {
	end := raised("KeyError: 'label'")
	calm := "2026-03-01 10:00:05,000 INFO model built"
	for _, c := range []struct {
		name, log, cause string
		confidence       Confidence
	}{
		{"a missing optional module", lines("No module named 'apex', fused kernels disabled", calm, end), "key-error", High},
		{"an error record before it went on", lines("2026-03-01 10:00:00,000 ERROR No module named 'apex'", calm, end), "key-error", Medium},
		{"a tool of the script", lines("chown: changing ownership of '/mnt/sfs': Operation not permitted", end), "key-error", High},
		{"what it could not get is missing later", lines("ERROR: Could not find a version that satisfies the requirement einops==9.9 (from versions: 0.8.0)", calm, raised("ModuleNotFoundError: No module named 'einops'")), "package-install-failed", High},
		{"nothing calm in between", lines("PermissionError: [Errno 13] Permission denied: '/cache/a'", end), "permission-denied", Medium},
		{"an exception, then an emergency save that fails", lines("2026-03-01 10:00:00,000 ERROR training failed", end, "2026-03-01 10:00:01,000 INFO saving what there is",
			"Traceback (most recent call last):\n  File \"/home/ma-user/modelarts/user-job-dir/app/train.py\", line 90, in save_emergency\n    torch.save(x)\nOSError: [Errno 28] No space left on device: '/cache/x'"), "key-error", High},
		{"a record of a data set", lines(`{"prompt": "Fix: RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB", "answer": "lower it"}`), "unknown", Low},
		{"two tracebacks that nobody caught", lines(end, calm, raised("ValueError: bad shape of labels")), "key-error", Medium},
	} {
		if v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}}); v.Cause != c.cause || v.Confidence != c.confidence {
			t.Errorf("%s: %s/%s, want %s/%s", c.name, v.Cause, v.Confidence, c.cause, c.confidence)
		}
	}
}
