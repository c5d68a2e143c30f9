package verdict

import (
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/modelarts"
)

// TestConfidence: what each situation earns, and why not more.
func TestConfidence(t *testing.T) {
	step := "2026-03-01 10:00:00,000 step 10 loss 1.0"
	failed := modelarts.Job{Phase: modelarts.PhaseFailed}
	for _, tt := range []struct {
		name       string
		in         situation
		cause      string
		confidence Confidence
		doubt      string
	}{
		{"a traceback that ended the job", situation{job: failed, logs: map[string]string{"worker-0.log": lines(step, raised(loaderError))}}, "key-error", High, ""},
		{"two failures whose order nobody can tell", situation{job: failed, logs: map[string]string{"worker-0.log": raised(loaderError), "worker-1.log": raised(modelError)}}, "key-error", Medium, "rivals"},
		{"a mere class", situation{job: failed, logs: map[string]string{"worker-0.log": raised("app.errors.PipelineBroken: shard 7")}}, "exception-other", Medium, "class-only"},
		{"only a timeout", situation{job: failed, logs: map[string]string{"worker-0.log": "2026-03-01 10:10:02,000 " + watchdog}}, "collective-timeout", Medium, "not-proven"},
		{"only how the process ended", situation{job: failed, logs: map[string]string{"worker-0.log": lines(step, "[Modelarts Service Log]Training end with return code: 137")}}, "killed", Medium, "only-exit-code"},
		{"only an exit code", situation{job: failed, logs: map[string]string{"worker-0.log": lines(step, "[Modelarts Service Log]Training end with return code: 1")}}, Unknown, Low, ""},
		{"nothing", situation{job: failed, logs: map[string]string{"worker-0.log": lines(step)}}, Unknown, Low, ""},
		{"a person's words", situation{logs: map[string]string{"ticket.md": "Hello,\n\nmy job died, I believe of CUDA out of memory. Tried to allocate 2.26 GiB.\n\nThanks\n"}}, "device-oom", Medium, "not-proven"},
		{"a job that ended well", situation{job: modelarts.Job{Phase: modelarts.PhaseCompleted}, logs: map[string]string{"worker-0.log": lines(step)}}, None, High, ""},
		{"a job that runs", situation{job: modelarts.Job{Phase: modelarts.PhaseRunning}, logs: map[string]string{"worker-0.log": lines(step)}}, None, High, ""},
		{"a log that just ends", situation{logs: map[string]string{"worker-0.log": lines(step, "2026-03-01 10:00:10,000 step 11 loss 1.0")}}, None, Medium, "end-unknown"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := verdictOn(t, tt.in)
			doubt := ""
			if v.Doubt != nil {
				doubt = v.Doubt.Code
			}
			if v.Cause != tt.cause || v.Confidence != tt.confidence || doubt != tt.doubt {
				t.Errorf("%s %s (%s) by %q, want %s %s (%s)", v.Cause, v.Confidence, doubt, first(v), tt.cause, tt.confidence, tt.doubt)
			}
			if (v.Cause == Unknown) != (v.Fingerprint == "" && v.Cause != None) {
				t.Errorf("%s has the fingerprint %q", v.Cause, v.Fingerprint)
			}
		})
	}
}

// TestRivalsAreShown: both of two equally early failures are named.
func TestRivalsAreShown(t *testing.T) {
	v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": raised(loaderError), "worker-1.log": raised(modelError)}})
	if len(v.Alternatives) != 1 || v.Alternatives[0].Cause != "value-error" {
		t.Errorf("the alternatives are %v", v.Alternatives)
	}
	if got := why(v, "too many values"); got != "rival" {
		t.Errorf("the rival is out by %q", got)
	}
}

// TestAttempts: the first failed attempt is judged, unless it was overcome.
func TestAttempts(t *testing.T) {
	const restart = "INFO:torch.distributed.elastic.agent.server.api:[default] Worker group FAILED. 3/3 attempts left; will restart worker group"
	for _, tt := range []struct {
		name, log, cause string
		attempt          int
	}{
		{"the second failed of the first", lines(raised(outOfMemory), restart, raised(loaderError)), "device-oom", 0},
		{"the first was overcome", lines(raised(outOfMemory), restart, "step 10 loss 1.0", "step 20 loss 1.0", raised(loaderError)), "key-error", 1},
		{"the platform started it anew", lines("[Modelarts Service Log]Training start at 2026-03-01-10:00:00", raised(outOfMemory), "[Modelarts Service Log]Training start at 2026-03-01-10:10:00", "step 10 loss 1.0", "step 20 loss 1.0", raised(loaderError)), "key-error", 1},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": tt.log}})
		if v.Cause != tt.cause {
			t.Errorf("%s: the cause is %s by %q, want %s", tt.name, v.Cause, first(v), tt.cause)
		}
		for _, s := range v.Why {
			if s.Kept && s.Event.Attempt != tt.attempt {
				t.Errorf("%s: the root is of attempt %d, want %d", tt.name, s.Event.Attempt, tt.attempt)
			}
		}
	}
}

// TestEndsAreRead: how the job ended comes from its state, else from its lines.
func TestEndsAreRead(t *testing.T) {
	code := func(n string) string { return "[Modelarts Service Log]Training end with return code: " + n }
	for _, tt := range []struct {
		name              string
		phase             modelarts.Phase
		log               string
		succeeded, failed bool
	}{
		{"by state", modelarts.PhaseCompleted, code("1"), true, false},
		{"by line", "", code("0"), true, false},
		{"by the last line", "", lines(code("1"), code("0")), true, false},
		{"by a failed line", "", code("137"), false, true},
		{"unknown", "", "hello", false, false},
	} {
		r := verdictOn(t, situation{job: modelarts.Job{Phase: tt.phase}, logs: map[string]string{"worker-0.log": strings.TrimRight(tt.log, "\n") + "\n"}})
		e := endOf(r.Case)
		if e.succeeded != tt.succeeded || e.failed != tt.failed {
			t.Errorf("%s: succeeded %v, failed %v", tt.name, e.succeeded, e.failed)
		}
	}
}
