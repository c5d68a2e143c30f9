package verdict

import (
	"slices"
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
)

// said gives the arguments of a finding, nil where it is not made.
func said(v Verdict, code string) map[string]string {
	for _, f := range v.Findings {
		if f.Code == code {
			if f.Args == nil {
				return map[string]string{}
			}
			return f.Args
		}
	}
	return nil
}

// TestQuotaUsed: a quota is named when it is used up.
func TestQuotaUsed(t *testing.T) {
	if r := quotaUsed([]modelarts.Quota{{Resource: "log", Quota: 5, Used: 1}, {Resource: "job-num", Quota: 10, Used: 10}}); r == nil || r.Args["resource"] != "job-num" || r.Args["used"] != "10" {
		t.Errorf("%v", r)
	}
	if r := quotaUsed([]modelarts.Quota{{Resource: "job-num", Quota: 10, Used: 9}, {Resource: "log"}}); r != nil {
		t.Errorf("none is used up: %v", r)
	}
}

// TestRestarts: the recoveries that came to something are counted by what they
// followed, and it is said that there is none left.
func TestRestarts(t *testing.T) {
	run := func(scenario, task, result string) modelarts.Record {
		return modelarts.Record{Recoveries: []modelarts.Recovery{{Scenario: scenario, RelatedTask: task, Result: result}}}
	}
	for _, tt := range []struct {
		name    string
		records []modelarts.Record
		want    string
	}{
		{"one run", []modelarts.Record{{}}, ""},
		{"the end of a run that failed", []modelarts.Record{run("job_failed", "worker-0", "terminated")}, ""},
		{"recovered", []modelarts.Record{run("node_fault", "worker-1", "success"), {}}, "restarted node_fault (worker-1)"},
		{"again and again", []modelarts.Record{run("chip_fault", "worker-2", "success"), run("chip_fault", "worker-2", "success"), run("chip_fault", "worker-2", "quotaExceeded")},
			"restarted chip_fault (worker-2) × 2; restarts-spent"},
		{"none left in between", []modelarts.Record{run("job_failed", "", "quotaExceeded"), run("job_failed", "", "success")}, "restarted job_failed"},
	} {
		var got []string
		for _, r := range restarts(tt.records) {
			got = append(got, strings.TrimSpace(r.Code+" "+r.Args["faults"]))
		}
		if s := strings.Join(got, "; "); s != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, s, tt.want)
		}
	}
}

// TestEachRun: of several runs in one log it is said that all failed of the same, or
// what the one before failed of.
func TestEachRun(t *testing.T) {
	start := "[Modelarts Service Log]Training start at 2026-03-01-10:00:00\n[rank0]: step 1 loss 1\n"
	fails := func(what string) string { return start + prefixed("[rank0]: ", raised(what)) + "\n" }
	v := verdictOn(t, situation{logs: map[string]string{"input.log": fails("KeyError: 'label'") + fails("KeyError: 'label'")}})
	if args := said(v, "same-runs"); args["count"] != "2" {
		t.Errorf("twice the same: %v", v.Findings)
	}
	v = verdictOn(t, situation{logs: map[string]string{"input.log": fails("KeyError: 'label'") + fails("FileNotFoundError: [Errno 2] No such file or directory: '/cache/a.pt'")}})
	if args := said(v, "run-before"); v.Cause == "file-missing" && args["cause"] != "key-error" {
		t.Errorf("%s, of another: %v", v.Cause, v.Findings)
	}
	v = verdictOn(t, situation{logs: map[string]string{"input.log": fails("KeyError: 'label'")}})
	if len(v.Findings) != 0 {
		t.Errorf("one run: %v", v.Findings)
	}
}

// TestLastSeen: of a job that the platform takes for hung, what its log shows last
// is quoted, and no log is asked for that is at hand.
func TestLastSeen(t *testing.T) {
	v := verdictOn(t, situation{
		job:    modelarts.Job{Phase: modelarts.PhaseRunning},
		events: []string{"2026-03-01T12:00:00Z The system detects that your training job may be suspended. Go to the job details page to view the cause and handle the issue."},
		logs:   map[string]string{"worker-0.log": "step 1 loss 1\nstep 2 loss 1\nsaving checkpoint at iteration 2\n"},
	})
	if v.Cause != hang || said(v, "so-far")["step"] != "2" {
		t.Errorf("%s: %v", v.Cause, v.Findings)
	}
	if n := len(v.Evidence); n < 2 || !strings.HasPrefix(v.Evidence[n-1].Text, "saving checkpoint") {
		t.Errorf("the last line is not quoted: %v", v.Evidence)
	}
	if slices.ContainsFunc(v.Next, func(n Next) bool { return n.API == "ShowTrainingJobLogsPreview" }) {
		t.Errorf("a log is asked for that is at hand: %v", v.Next)
	}
	if n := len(v.Next); n == 0 || v.Next[n-1].Why.Code != "after-hang" {
		t.Errorf("it is not said that the job is to be stopped: %v", v.Next)
	}
}

// TestAfterwards: what is left to do goes by the state of the job.
func TestAfterwards(t *testing.T) {
	created := rules.Default().Rule("ma-api-quota")
	for _, tt := range []struct {
		name, cause string
		job         modelarts.Job
		rule        bool
		want        string
	}{
		{"waits", "resource-shortage", modelarts.Job{ID: "a", Phase: modelarts.PhasePending}, false, "after-resource-shortage"},
		{"waited in vain", "resource-shortage", modelarts.Job{ID: "a", Phase: modelarts.PhaseFailed}, false, "after-queue-ended"},
		{"was not created", "resource-shortage", modelarts.Job{}, true, "after-not-created"},
		{"is there, though a call was refused", "resource-shortage", modelarts.Job{ID: "a", Phase: modelarts.PhasePending}, true, "after-resource-shortage"},
		{"gave way", "preempted", modelarts.Job{ID: "a", Phase: modelarts.PhaseTerminated}, false, "after-preempted"},
		{"gave way and waits", "preempted", modelarts.Job{ID: "a", Phase: modelarts.PhasePending}, false, "after-queued-again"},
		{"failed and runs", "type-error", modelarts.Job{ID: "a", Phase: modelarts.PhaseRunning}, false, "after-running"},
		{"failed", "type-error", modelarts.Job{ID: "a", Phase: modelarts.PhaseFailed}, false, ""},
		{"runs", None, modelarts.Job{ID: "a", Phase: modelarts.PhaseRunning}, false, ""},
	} {
		v := Verdict{Cause: tt.cause, Confidence: High}
		if tt.rule {
			v.Rule = created
		}
		got := ""
		for _, n := range next(&Case{Job: tt.job}, &v) {
			got = n.Why.Code
		}
		if got != tt.want {
			t.Errorf("a job that %s: %q, want %q", tt.name, got, tt.want)
		}
	}
	for _, tt := range []struct {
		name  string
		cause string
		rule  *rules.Rule
		phase modelarts.Phase
		want  string // the last thing to do where the cause is not sure
	}{
		{"was not created", "resource-shortage", created, "", "after-not-created"},
		{"hangs", hang, nil, modelarts.PhaseRunning, "after-hang"},
		{"hung", hang, nil, modelarts.PhaseFailed, "next-log"},
		{"was stopped, maybe", "stopped-by-user", nil, modelarts.PhaseTerminated, "next-events"},
	} {
		asked := next(&Case{Job: modelarts.Job{Phase: tt.phase}}, &Verdict{Cause: tt.cause, Confidence: Medium, Rule: tt.rule})
		if got := asked[len(asked)-1].Why.Code; got != tt.want {
			t.Errorf("a job that %s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestOutputIncomplete: where the upload of the results failed, that is said.
func TestOutputIncomplete(t *testing.T) {
	for event, want := range map[string]bool{
		"[worker-0] [Duration: 11 second] Failed to upload the training output (parameter: train_url). Failure cause: stat:403, reason:Forbidden, errorCode:AccessDenied": true,
		"[worker-0] Failed to download the training input (parameter: data_url). Failure cause: stat:403, reason:Forbidden, errorCode:AccessDenied":                       false,
	} {
		v := verdictOn(t, situation{job: modelarts.Job{Phase: modelarts.PhaseFailed}, events: []string{"2026-03-01T12:00:00Z " + event}})
		if v.Cause != "object-storage-access" || (said(v, "output-incomplete") != nil) != want {
			t.Errorf("%s: %s %v", event, v.Cause, v.Findings)
		}
	}
}
