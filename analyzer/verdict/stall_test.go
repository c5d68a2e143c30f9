package verdict

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/scan"
)

const (
	suspended = " The system detects that your training job may be suspended. Go to the job details page to view the cause and handle the issue."
	dump      = `Process 181: python -u train.py
Python v3.10.14 (/usr/bin/python3.10)

Thread 181 (idle): "MainThread"
    wait (threading.py:320)
    get (queue.py:171)
    next_batch (news/reader.py:88)
    train (train.py:140)
`
)

// stopped is the log of two ranks whose steps stop at ten past ten while the
// platform's lines go on.
func stopped(steps1 int, after ...string) string {
	var b strings.Builder
	b.WriteString(`time="2026-03-01T10:00:00+08:00" level=info msg="start the periodic upload task" Command=obs/upload Component=ma-training-toolkit Platform=ModelArts-Service` + "\n")
	for i := range 11 {
		fmt.Fprintf(&b, "2026-03-01 10:%02d:00,000 rank 0 step %d loss 1.0\n", i, 10*i)
		if i <= steps1 {
			fmt.Fprintf(&b, "2026-03-01 10:%02d:00,100 rank 1 step %d loss 1.0\n", i, 10*i)
		}
	}
	for _, l := range after {
		b.WriteString(l + "\n")
	}
	return b.String()
}

// TestStall: a job that runs on without steps hangs; what the steps and the
// stacks show is said, and three sources that agree are sure.
func TestStall(t *testing.T) {
	const upload = `time="2026-03-01T10:55:00+08:00" level=info msg="auth file has been updated" file="authentication.go:105" Command=obs/upload Component=ma-training-toolkit Platform=ModelArts-Service`
	running := modelarts.Job{Phase: modelarts.PhaseRunning}
	event := []string{"2026-03-01T10:50:00+08:00" + suspended}
	talk := strings.Split(strings.Repeat("2026-03-01 10:40:00,000 validating\n", 12), "\n")
	for _, tt := range []struct {
		name       string
		in         situation
		cause      string
		confidence Confidence
		finding    string
		behind     string
	}{
		{"steps, event and stacks", situation{job: running, events: event, logs: map[string]string{"worker-0.log": stopped(10, upload) + dump}}, hang, High, "stalled", ""},
		{"steps and event", situation{job: running, events: event, logs: map[string]string{"worker-0.log": stopped(10, upload)}}, hang, Medium, "stalled", ""},
		{"steps alone", situation{job: running, logs: map[string]string{"worker-0.log": stopped(10, upload)}}, hang, Medium, "stalled", ""},
		{"one rank stopped before", situation{job: running, logs: map[string]string{"worker-0.log": stopped(6, upload)}}, hang, Medium, "stalled", "1"},
		{"the job talks on", situation{job: running, logs: map[string]string{"worker-0.log": stopped(10, append(talk, upload)...)}}, None, High, "", ""},
		{"the log was read at once", situation{job: running, logs: map[string]string{"worker-0.log": stopped(10)}}, None, High, "", ""},
		{"the job ended", situation{job: modelarts.Job{Phase: modelarts.PhaseCompleted}, logs: map[string]string{"worker-0.log": stopped(10, upload)}}, None, High, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := verdictOn(t, tt.in)
			if v.Cause != tt.cause || v.Confidence != tt.confidence {
				t.Errorf("%s (%s), want %s (%s)", v.Cause, v.Confidence, tt.cause, tt.confidence)
			}
			i := slices.IndexFunc(v.Findings, func(r Reason) bool { return r.Code == "stalled" })
			if (i >= 0) != (tt.finding == "stalled") {
				t.Fatalf("the findings are %v", v.Findings)
			}
			if i < 0 {
				return
			}
			args := v.Findings[i].Args
			if args["since"] != "2026-03-01 10:10:00" || args["behind"] != tt.behind {
				t.Errorf("the stop is told as %v", args)
			}
			if !slices.ContainsFunc(v.Evidence, func(q scan.Quote) bool { return strings.Contains(q.Text, "step 100") }) {
				t.Errorf("the last step is not among the evidence %v", v.Evidence)
			}
		})
	}
}

// TestStacksAreQuoted: a stack is told by the innermost frame of the job's code.
func TestStacksAreQuoted(t *testing.T) {
	v := verdictOn(t, situation{events: []string{"2026-03-01T10:50:00+08:00" + suspended}, logs: map[string]string{"worker-0.log": dump}})
	i := slices.IndexFunc(v.Findings, func(r Reason) bool { return r.Code == "stands" })
	if i < 0 || v.Findings[i].Args["func"] != "next_batch" || v.Findings[i].Args["thread"] != "MainThread" {
		t.Fatalf("the findings are %v", v.Findings)
	}
	if !slices.ContainsFunc(v.Evidence, func(q scan.Quote) bool {
		return strings.Contains(q.Text, "next_batch (news/reader.py:88)") && q.SHA256() != ""
	}) {
		t.Errorf("the frame is not among the evidence %v", v.Evidence)
	}
}

// TestWordsAndStacks: of a job that somebody calls stuck, the stacks are shown
// before the words.
func TestWordsAndStacks(t *testing.T) {
	v := verdictOn(t, situation{logs: map[string]string{"ticket.md": "Hello,\n\nthe job is stuck since noon.\n\n```\n" + dump + "```\n"}})
	if v.Cause != hang || len(v.Evidence) < 2 || !strings.Contains(v.Evidence[0].Text, "reader.py") || !strings.Contains(v.Evidence[1].Text+v.Evidence[len(v.Evidence)-1].Text, "stuck") {
		t.Errorf("%s by %v", v.Cause, v.Evidence)
	}
}
