package verdict

import (
	"testing"
	"time"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
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

// TestRefusals: of the reasons of nodes the largest is told; of equally large ones
// that of the accelerators.
func TestRefusals(t *testing.T) {
	for _, tt := range []struct{ name, text, reason string }{
		{"the only one", "0/4 nodes are available: 4 Insufficient nvidia.com/gpu.", "0/4 nodes are available: 4 Insufficient nvidia.com/gpu"},
		{"the first", "0/4 nodes are available: 3 Insufficient cpu, 1 Insufficient memory.", "0/4 nodes are available: 3 Insufficient cpu"},
		{"the second", "0/4 nodes are available: 1 Insufficient nvidia.com/gpu, 3 Insufficient memory.", "0/4 nodes are available: 3 Insufficient memory"},
		{"the first of equal ones", "0/4 nodes are available: 2 Insufficient cpu, 2 Insufficient memory.", "0/4 nodes are available: 2 Insufficient cpu"},
		{"accelerators before others", "0/4 nodes are available: 2 Insufficient cpu, 2 Insufficient huawei.com/ascend-1980.", "0/4 nodes are available: 2 Insufficient huawei.com/ascend-1980"},
		{"accelerators that stand before others", "0/4 nodes are available: 2 Insufficient nvidia.com/gpu, 2 Insufficient cpu.", "0/4 nodes are available: 2 Insufficient nvidia.com/gpu"},
		{"the first of two accelerators", "0/4 nodes are available: 2 Insufficient nvidia.com/gpu, 2 Insufficient huawei.com/ascend-1980.", "0/4 nodes are available: 2 Insufficient nvidia.com/gpu"},
		{"fewer accelerators", "0/4 nodes are available: 3 Insufficient cpu, 1 Insufficient nvidia.com/gpu.", "0/4 nodes are available: 3 Insufficient cpu"},
		{"none", "0/4 nodes are available: 0 Insufficient cpu.", ""},
		{"another line", "4 nodes are available", ""},
	} {
		reason := ""
		if r := largestRefusal(tt.text); r != nil {
			reason = r.text
		}
		if reason != tt.reason {
			t.Errorf("%s: %q, want %q", tt.name, reason, tt.reason)
		}
	}
}

// TestRefused: a scheduler's line is read by the most telling rule of its family
// for the largest reason.
func TestRefused(t *testing.T) {
	made := func(id, family, literal string, role rules.Role) *rules.Rule {
		return &rules.Rule{ID: id, Family: family, Role: role, Match: []rules.Wording{{Literals: []string{literal}}}}
	}
	whole := made("whole", "kubernetes", "nodes are available", rules.Root)
	closer := made("closer", "kubernetes", "Insufficient cpu and", rules.Root)
	smaller := made("smaller", "kubernetes", "Insufficient memory", rules.Root)
	other := made("other", "slurm", "0/4 nodes are available: 3 Insufficient cpu", rules.Root)
	harmless := made("harmless", "kubernetes", "0/4 nodes are available: 3 Insufficient cpu", rules.Harmless)
	context := made("context", "kubernetes", "0/4 nodes are available: 3 Insufficient cpu", rules.Context)
	pack := &rules.Pack{Rules: []*rules.Rule{smaller, other, harmless, context, whole, closer}}
	s := stream(log("events.json"), -1)
	const text = "0/4 nodes are available: 3 Insufficient cpu and more, 1 Insufficient memory."
	if e := refused(found(smaller, s, 1, text), pack); e.Rule != closer {
		t.Errorf("read by %s", e.Rule.ID)
	}
	for _, e := range []*scan.Event{found(other, s, 1, text), found(smaller, s, 1, "Insufficient memory")} {
		if got := refused(e, pack); got != e {
			t.Errorf("%q of %s is read by %s", e.Quote.Text, e.Rule.Family, got.Rule.ID)
		}
	}
	if e := found(smaller, s, 1, text); refused(e, &rules.Pack{Rules: []*rules.Rule{smaller}}) != e {
		t.Error("a reason that no rule knows is not left to the line's own rule")
	}
	for family, want := range map[string]int{"kubernetes": 1, "slurm": 0} {
		var v Verdict
		findRefusal(&v, plain(found(made("r", family, "x", rules.Root), s, 1, text)))
		if len(v.Findings) != want {
			t.Errorf("%s: the findings are %v", family, v.Findings)
		}
	}
	var v Verdict
	findRefusal(&v, plain(found(whole, s, 1, "nodes are available")))
	if len(v.Findings) > 0 {
		t.Errorf("a line without reasons: %v", v.Findings)
	}
}

// TestQueued: a job that waits is worth a verdict when it has done so for half an
// hour, as far as the newest line at hand tells.
func TestQueued(t *testing.T) {
	ten := clockTime(t, "10:00:00")
	ending := func(at time.Time) *scan.Stream {
		s := stream(log("events.json"), -1)
		s.Last.Time = at
		return s
	}
	for _, tt := range []struct {
		name    string
		since   time.Time
		streams []*scan.Stream
		fate    string
	}{
		{"half an hour", ten, []*scan.Stream{ending(ten), ending(ten.Add(longQueue)), ending(ten.Add(time.Minute)), ending(time.Time{})}, ""},
		{"less", ten, []*scan.Stream{ending(ten.Add(longQueue - 1))}, "short-wait"},
		{"nobody knows since when", time.Time{}, []*scan.Stream{ending(ten)}, "short-wait"},
		{"nobody knows until when", ten, []*scan.Stream{ending(time.Time{})}, "short-wait"},
	} {
		e := found(rules.Default().Rule("ma-event-queuing"), stream(log("events.json"), -1), 1, "")
		e.Quote.Kind, e.At = source.Event, tt.since
		j := judgeOn(tt.streams, e)
		j.judgeAlone(j.all[0])
		if got := fateOf(j.all[0]); got != tt.fate {
			t.Errorf("%s: out by %q, want %q", tt.name, got, tt.fate)
		}
	}
}
