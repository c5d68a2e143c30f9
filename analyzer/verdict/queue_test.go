package verdict

import (
	"testing"

	"hcloud-modelarts/analyzer/modelarts"
)

// TestLargestRefusal: of the reasons that a scheduler lists, that of most nodes
// is the cause.
func TestLargestRefusal(t *testing.T) {
	const lead = "2026-03-01T10:50:00+08:00 [Pod: p] FailedScheduling: 0/12 nodes are available: "
	const tail = ". preemption: 0/12 nodes are available: 12 No preemption victims found for incoming pod."
	for _, tt := range []struct{ name, reasons, rule, count string }{
		{"capacity", "9 Insufficient nvidia.com/gpu, 3 node(s) had untolerated taint {maintenance: true}", "k8s-insufficient", "9"},
		{"taints", "2 Insufficient nvidia.com/gpu, 10 node(s) had untolerated taint {maintenance: true}", "k8s-no-node-fits", "10"},
		{"as many without CPU", "9 Insufficient cpu, 9 Insufficient huawei.com/ascend-snt9b, 3 node(s) had untolerated taint {maintenance: true}", "k8s-insufficient", "9"},
		{"labels", "1 Insufficient cpu, 4 Insufficient memory, 7 node(s) didn't match Pod's node affinity/selector", "k8s-no-node-fits", "7"},
	} {
		v := verdictOn(t, situation{events: []string{lead + tt.reasons + tail}})
		if v.Rule == nil || v.Rule.ID != tt.rule || len(v.Findings) != 1 || v.Findings[0].Args["count"] != tt.count || v.Findings[0].Args["nodes"] != "12" {
			t.Errorf("%s: %v with %v, want %s on %s of 12 nodes", tt.name, v.Rule, v.Findings, tt.rule, tt.count)
		}
	}
}

// TestSchedulingPassed: a refusal after which the job started is history.
func TestSchedulingPassed(t *testing.T) {
	v := verdictOn(t, situation{job: modelarts.Job{Phase: modelarts.PhaseRunning}, events: []string{
		"2026-03-01T09:01:20+08:00 [Pod: modelarts-job-bb59-worker-0] FailedScheduling: 0/8 nodes are available: 8 Insufficient nvidia.com/gpu.",
		"2026-03-01T09:02:09+08:00 Training job is running.",
	}})
	if v.Cause != None {
		t.Errorf("cause %s, want none: the job runs", v.Cause)
	}
}
