package verdict

import (
	"strings"
	"testing"
)

// TestNamed: where a further line of a message tells what was wrong, it is shown
// first, and the line that names the exception with it.
func TestNamed(t *testing.T) {
	const frame = "Traceback (most recent call last):\n  File \"/job/train.py\", line 12, in step\n    run(b)\n"
	for _, c := range []struct {
		name, log string
		want      [2]string
	}{
		{"a size behind the head", frame + "acme.PatternError: Error while processing pattern \"b (h w) c -> b c h w\".\n Input tensor shape: [2, 197].\n Shape mismatch, can't divide axis of length 197 in chunks of 14\n",
			[2]string{"Shape mismatch", "acme.PatternError: "}},
		{"a graph's error", frame + "tensorflow.python.framework.errors_impl.ResourceExhaustedError: Graph execution error:\n\nDetected at node 'a'\nOOM when allocating tensor with shape[24,64] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc\n",
			[2]string{"OOM when allocating", "tensorflow.python.framework.errors_impl.ResourceExhaustedError"}},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}})
		for i, want := range c.want {
			if len(v.Evidence) <= i || !strings.Contains(v.Evidence[i].Text, want) {
				t.Errorf("%s: evidence %d is not %q: %v", c.name, i, want, v.Evidence)
			}
		}
	}
}
