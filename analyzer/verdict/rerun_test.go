package verdict

import (
	"fmt"
	"testing"
)

// TestOlderJobs: the log of a training that had ended a day before another began
// tells of another job, when that failed too, and the clocks are of one kind.
func TestOlderJobs(t *testing.T) {
	run := func(day, failure string, code int) string {
		return fmt.Sprintf("[ModelArts Service Log]Training start at 2026-06-%s-15:00:00\n2026-06-%s 15:00:06,014 it 0 loss 2.0\n%s[Modelarts Service Log]Training end with return code: %d\n2026-06-%s 15:02:00,014 INFO upload done\n", day, day, failure, code, day)
	}
	oom, key := raised(outOfMemory)+"\n", raised("KeyError: 'label'")+"\n"
	headless := "2026-06-24 15:00:06,014 it 0 loss 2.0\n" + key
	for _, c := range []struct {
		name, older, newer, cause string
		confidence                Confidence
	}{
		{"four days before", run("20", oom, 1), run("24", key, 1), "key-error", High},
		{"four days before one that says nothing", run("20", oom, 1), run("24", "", 1), "unknown", Low},
		{"four days before one that ended well", run("20", oom, 1), run("24", "", 0), "device-oom", Medium},
		{"on the same day", run("24", oom, 1), run("24", key, 1), "device-oom", Medium},
		{"four days before one whose head is missing", run("20", oom, 1), headless, "device-oom", High},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"first.log": c.older, "second.log": c.newer}})
		if v.Cause != c.cause || v.Confidence != c.confidence {
			t.Errorf("%s: %s/%s, want %s/%s", c.name, v.Cause, v.Confidence, c.cause, c.confidence)
		}
	}
}
