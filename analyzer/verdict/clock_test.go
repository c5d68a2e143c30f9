package verdict

import (
	"strings"
	"testing"
)

// TestClocks: clocks that lie apart are put right by common steps, of tasks or of
// the ranks of a merged log, or by the moments at which all ranks had met.
func TestClocks(t *testing.T) {
	steps := func(prefix, hour string) string {
		return lines(prefix+"2026-03-01 "+hour+":00:00,000 step 10 loss 2.0", prefix+"2026-03-01 "+hour+":01:00,000 step 20 loss 1.9",
			prefix+"2026-03-01 "+hour+":02:00,000 step 30 loss 1.8", prefix+"2026-03-01 "+hour+":03:00,000 step 40 loss 1.7")
	}
	const met = "INFO:torch.distributed.distributed_c10d:Rank 0: Completed store-based barrier for key:store_based_barrier_key:1 with 16 nodes."
	// The victim's clock is an hour behind, so that its failure looks earlier.
	first := "2026-03-01 10:03:30,000 ERROR cannot go on\n" + raised("KeyError: 'label'") + "\n"
	later := "2026-03-01 09:03:40,000 ERROR cannot go on\n" + raised("ValueError: peer sent nothing") + "\n"
	for name, logs := range map[string]map[string]string{
		"steps of two tasks":     {"worker-0.log": steps("", "10") + first, "worker-1.log": steps("", "09") + later},
		"ranks of a merged log":  {"train.log": steps("[rank1]: ", "09") + prefixed("[rank1]: ", strings.TrimSuffix(later, "\n")) + "\n" + steps("[rank0]: ", "10") + prefixed("[rank0]: ", strings.TrimSuffix(first, "\n")) + "\n"},
		"a barrier of two tasks": {"worker-0.log": "2026-03-01 10:00:00,000 " + met + "\n" + first, "worker-1.log": "2026-03-01 09:00:01,000 " + met + "\n" + later},
	} {
		if v := verdictOn(t, situation{logs: logs}); v.Cause != "key-error" {
			t.Errorf("%s: %s at %v", name, v.Cause, v.Order)
		}
	}
	v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": first, "worker-1.log": later}})
	if v.Cause != "value-error" {
		t.Errorf("without a common moment the times count as written: %s", v.Cause)
	}
}
