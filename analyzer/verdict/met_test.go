package verdict

import (
	"strings"
	"testing"
)

// TestMet: behind a line without a stack stands the exception by which the
// program met the same, with its place; of a device, whose faults surface anywhere,
// without it.
func TestMet(t *testing.T) {
	for _, c := range []struct {
		name, log, root, further string
		place                    bool
	}{
		{"no more threads", lines("OpenBLAS blas_thread_init: pthread_create failed for thread 63 of 64: Resource temporarily unavailable", prefixed("[rank4]: ", raised("RuntimeError: can't start new thread"))),
			"OpenBLAS", "start new thread", true},
		{"a device", lines("NVRM: Xid (PCI:0000:ca:00): 48, pid=1346, name=python, DBE", prefixed("[rank5]: ", raised("RuntimeError: CUDA error: uncorrectable ECC error encountered"))),
			"Xid", "uncorrectable ECC error", false},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}})
		if !strings.Contains(first(v), c.root) {
			t.Errorf("%s: the evidence begins with %q", c.name, first(v))
		}
		place := len(v.Evidence) > 2 && strings.Contains(v.Evidence[2].Text, "line 61, in main")
		if len(v.Evidence) < 2 || !strings.Contains(v.Evidence[1].Text, c.further) || place != c.place {
			t.Errorf("%s: evidence %v", c.name, v.Evidence)
		}
	}
}
