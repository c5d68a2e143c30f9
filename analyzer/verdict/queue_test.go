package verdict

import "testing"

// TestLargestRefusal: of the reasons that a scheduler lists, that of most nodes
// is the cause.
func TestLargestRefusal(t *testing.T) {
	const lead = "2026-03-01T10:50:00+08:00 [Pod: p] FailedScheduling: 0/12 nodes are available: "
	const tail = ". preemption: 0/12 nodes are available: 12 No preemption victims found for incoming pod."
	for _, tt := range []struct{ name, reasons, rule, count string }{
		{"capacity", "9 Insufficient nvidia.com/gpu, 3 node(s) had untolerated taint {maintenance: true}", "k8s-insufficient", "9"},
		{"taints", "2 Insufficient nvidia.com/gpu, 10 node(s) had untolerated taint {maintenance: true}", "k8s-no-node-fits", "10"},
		{"labels", "1 Insufficient cpu, 4 Insufficient memory, 7 node(s) didn't match Pod's node affinity/selector", "k8s-no-node-fits", "7"},
	} {
		v := verdictOn(t, situation{events: []string{lead + tt.reasons + tail}})
		if v.Rule == nil || v.Rule.ID != tt.rule || len(v.Findings) != 1 || v.Findings[0].Args["count"] != tt.count || v.Findings[0].Args["nodes"] != "12" {
			t.Errorf("%s: %v with %v, want %s on %s of 12 nodes", tt.name, v.Rule, v.Findings, tt.rule, tt.count)
		}
	}
}
