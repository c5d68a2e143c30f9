package verdict

import "testing"

// TestAbsence: where others waited in vain for a task, its own end tells more
// than their wait, and without a word of its own the wait is no sure root.
func TestAbsence(t *testing.T) {
	waited := lines("[Modelarts Service Log]Training start at 2026-03-01-10:00:00", raised("torch.distributed.DistStoreError: Timed out after 901 seconds waiting for clients. 1/2 clients joined."))
	for _, c := range []struct {
		name, absent, cause string
		confidence          Confidence
	}{
		{"its boot command was missing", lines("[Modelarts Service Log]Training start at 2026-03-01-10:00:01", "[Modelarts Service Log]Training end with return code: 127"), "startup-command-failed", Medium},
		{"it ended without a word", lines("[Modelarts Service Log]Training start at 2026-03-01-10:00:01", "[Modelarts Service Log]Training end with return code: 1"), "rendezvous-failed", Medium},
		{"it died of a signal, its neighbour was told to end", lines("[Modelarts Service Log]Training start at 2026-03-01-10:00:01", "run.sh: line 3: 81 Segmentation fault      (core dumped) python t.py"), "segfault", Medium},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": waited, "worker-1.log": c.absent,
			"worker-2.log": lines("[Modelarts Service Log]Training start at 2026-03-01-10:00:01", "[Modelarts Service Log]Training end with return code: 143")}})
		if v.Cause != c.cause || v.Confidence != c.confidence {
			t.Errorf("%s: %s/%s, want %s/%s", c.name, v.Cause, v.Confidence, c.cause, c.confidence)
		}
	}
}
