package verdict

import (
	"testing"

	"hcloud-modelarts/analyzer/modelarts"
)

// TestOutcome: a state that hides the failure, and a failure after the work was
// done, are named as such.
func TestOutcome(t *testing.T) {
	const end = "[Modelarts Service Log]Training end with return code: "
	done := modelarts.Job{Phase: modelarts.PhaseCompleted}
	failed := modelarts.Job{Phase: modelarts.PhaseFailed}
	step := "2026-03-01 10:00:00,000 step 10 loss 1.0"
	for _, tt := range []struct {
		name       string
		job        modelarts.Job
		log        string
		outcome    string
		confidence Confidence
	}{
		{"a pipe takes the exit code", done, lines("+ python train.py", "+ tee train.log", step, raised(loaderError), end+"0"), "masked-by-pipe", High},
		{"the shell hides it", done, lines("[Modelarts Service Log]command: python train.py || true", step, raised(loaderError), end+"0"), "masked-by-shell", High},
		{"nothing tells why", done, lines(step, raised(loaderError), end+"0"), "masked-failure", Medium},
		{"after the training", failed, lines(step, "INFO training finished in 0:13:02", raised(loaderError), end+"1"), "failed-after-training", High},
		{"in the next round", failed, lines("INFO training finished in 0:13:02", step, raised(loaderError), end+"1"), "", High},
		{"in the training", failed, lines(step, raised(loaderError), end+"1"), "", High},
		{"a pipe that took nothing", failed, lines("+ tee train.log", step, raised(loaderError), end+"1"), "", High},
		{"an error that was only written down", done, lines(step, "2026-03-01 10:00:05,000 - ERROR - training failed", raised(loaderError), end+"0"), "masked-failure", Medium},
	} {
		v := verdictOn(t, situation{job: tt.job, logs: map[string]string{"worker-0.log": tt.log}})
		outcome := ""
		if v.Outcome != nil {
			outcome = v.Outcome.Code
		}
		if v.Cause != "key-error" || outcome != tt.outcome || v.Confidence != tt.confidence {
			t.Errorf("%s: %s %s with the outcome %q, want %s with %q", tt.name, v.Cause, v.Confidence, outcome, tt.confidence, tt.outcome)
		}
	}
}

// TestUnsaved: a job that ended well without having written its checkpoint.
func TestUnsaved(t *testing.T) {
	const full = "OSError: [Errno 28] No space left on device: '/cache/ckpt/step60.pt'"
	saved := func(after ...string) string {
		return lines(append([]string{"2026-03-01 10:00:00,000 step 10 loss 1.0", "2026-03-01 10:00:05,000 - ERROR - could not save checkpoint", raised(full),
			"2026-03-01 10:01:00,000 step 20 loss 1.0", "2026-03-01 10:02:00,000 step 30 loss 1.0"}, after...)...)
	}
	done := modelarts.Job{Phase: modelarts.PhaseCompleted}
	v := verdictOn(t, situation{job: done, logs: map[string]string{"worker-0.log": saved()}})
	if v.Cause != "disk-full" || v.Confidence != Medium || v.Outcome == nil || v.Outcome.Code != "unsaved" {
		t.Errorf("%s %s, outcome %v", v.Cause, v.Confidence, v.Outcome)
	}
	v = verdictOn(t, situation{job: done, logs: map[string]string{"worker-0.log": saved("INFO saved checkpoint at step 30")}})
	if v.Cause != None {
		t.Errorf("after a later save: %s %s", v.Cause, v.Confidence)
	}
	v = verdictOn(t, situation{job: done, logs: map[string]string{"worker-0.log": saved("INFO training finished", "2026-03-01 10:03:05,000 - ERROR - upload of the summary failed", raised(loaderError))}})
	if why(v, "KeyError") != "succeeded" {
		t.Errorf("what failed after the training is out by %q", why(v, "KeyError"))
	}
}

// TestFaultScenario: the fault for which the platform recovered a run is told by
// the answer of the job, unless the recovery overcame it.
func TestFaultScenario(t *testing.T) {
	details := func(result string) string {
		return `{"kind":"job","metadata":{"id":"3f1c9a52-0b7d-4f0e-9a8e-6f0d5c1b2a77"},"status":{"phase":"Failed","tasks":["worker-0"],"running_records":[{"start_at":1781227805,"end_at":1781227905,"end_reason":"exit with 1","end_related_task":"worker-0","recover_records":[{"recover":"job_reschedule","fault_scenario":"chip_fault","reason":"","related_task":"worker-0","recover_result":"` + result + `"}]}]}}`
	}
	failed := modelarts.Job{Phase: modelarts.PhaseFailed}
	log := lines("step 10 loss 1.0", raised(loaderError))
	if v := verdictOn(t, situation{job: failed, logs: map[string]string{"details.json": details("failed")}}); v.Cause != "device-fault" || v.Confidence != High {
		t.Errorf("a recovery that failed: %s %s", v.Cause, v.Confidence)
	}
	if v := verdictOn(t, situation{job: failed, logs: map[string]string{"details.json": details("success"), "worker-0.log": log}}); v.Cause != "key-error" || v.Confidence != High {
		t.Errorf("a recovery that succeeded: %s %s", v.Cause, v.Confidence)
	}
}
