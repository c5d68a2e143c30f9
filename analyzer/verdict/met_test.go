package verdict

import (
	"strings"
	"testing"
)

// TestMet: behind a line without a stack stands the exception by which the
// program met the same, with its place; not of a device, whose faults surface
// anywhere.
func TestMet(t *testing.T) {
	for _, c := range []struct{ name, log, root, further string }{
		{"no more threads", lines("OpenBLAS blas_thread_init: pthread_create failed for thread 63 of 64: Resource temporarily unavailable", prefixed("[rank4]: ", raised("RuntimeError: can't start new thread"))),
			"OpenBLAS", "start new thread"},
		{"a device", lines("NVRM: Xid (PCI:0000:ca:00): 48, pid=1346, name=python, DBE", prefixed("[rank5]: ", raised("RuntimeError: CUDA error: uncorrectable ECC error encountered"))),
			"Xid", ""},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}})
		if !strings.Contains(first(v), c.root) {
			t.Errorf("%s: the evidence begins with %q", c.name, first(v))
		}
		switch {
		case c.further == "" && len(v.Evidence) > 1:
			t.Errorf("%s: further evidence %q", c.name, v.Evidence[1].Text)
		case c.further != "" && (len(v.Evidence) < 3 || !strings.Contains(v.Evidence[1].Text, c.further) || !strings.Contains(v.Evidence[2].Text, "line 61, in main")):
			t.Errorf("%s: evidence %v", c.name, v.Evidence)
		}
	}
}
