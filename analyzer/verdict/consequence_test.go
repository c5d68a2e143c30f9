package verdict

import (
	"maps"
	"testing"
	"time"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

const (
	sigterm = `time="2026-03-01T12:00:10+08:00" level=info msg="[sidecar] SIGTERM signal is received, waiting for the training process to exit gracefully." Component=ShellScripts Platform=ModelArts-Service`
	ended   = "[Modelarts Service Log]Training end with return code: "
)

func TestConsequences(t *testing.T) {
	log := func(task string) string { return "modelarts-job-7-" + task + ".log" }
	for _, c := range []struct {
		name string
		s    situation
		want string
	}{
		{"told to end after another task failed", situation{
			job:    modelarts.Job{Phase: modelarts.PhaseFailed},
			events: []string{"2026-03-01T04:00:05Z [worker-1] Training finished. Exit code 1."},
			logs:   map[string]string{log("worker-0"): lines("step 1 loss 2.0", "step 2 loss 1.9", sigterm, ended+"143")},
		}, Unknown},
		{"told to end, and the other task ended because of it", situation{
			job:    modelarts.Job{Phase: modelarts.PhaseTerminated},
			events: []string{"2026-03-01T04:00:20Z [worker-1] Training finished. Exit code 143."},
			logs:   map[string]string{log("worker-0"): lines("step 1 loss 2.0", "step 2 loss 1.9", sigterm, ended+"143")},
		}, "stopped-by-user"},
		{"restarted for what was told before", situation{
			job:    modelarts.Job{Phase: modelarts.PhaseFailed},
			events: []string{"2026-03-01T04:00:00Z The system detects that your training job may be suspended.", "2026-03-01T04:02:00Z The training job has been restarted."},
		}, "hang"},
		{"restarted, and nobody says why", situation{
			job:    modelarts.Job{Phase: modelarts.PhaseFailed},
			events: []string{"2026-03-01T04:02:00Z The training job has been restarted."},
		}, "node-failure"},
		{"not queued again after a node was taken out", situation{
			job:    modelarts.Job{Phase: modelarts.PhaseFailed},
			events: []string{"2026-03-01T03:00:00Z Training job is running.", "2026-03-01T04:00:00Z [worker-1] Node 10.1.2.3 is isolated.", "2026-03-01T04:40:00Z Failed to be queued."},
		}, "node-failure"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if v := verdictOn(t, c.s); v.Cause != c.want {
				t.Errorf("%s, want %s; %v", v.Cause, c.want, v.Why)
			}
		})
	}
	v := verdictOn(t, situation{job: modelarts.Job{Phase: modelarts.PhaseFailed},
		events: []string{"2026-03-01T03:00:00Z Training job is running.", "2026-03-01T04:40:00Z Failed to be queued."}})
	if v.Cause != "resource-shortage" || v.Confidence != Medium {
		t.Errorf("%s at %s: a job that had run lost its place for another reason", v.Cause, v.Confidence)
	}
	v = verdictOn(t, situation{job: modelarts.Job{Phase: modelarts.PhaseFailed}, events: []string{"2026-03-01T04:40:00Z Failed to be queued."}})
	if v.Cause != "resource-shortage" || v.Confidence != High {
		t.Errorf("%s at %s: a job that never ran lost its place", v.Cause, v.Confidence)
	}
}

// TestReasonFor: the platform restarted a job for what it had told within the hour
// before; what a log tells, an end and another restart are no reason.
func TestReasonFor(t *testing.T) {
	ten := clockTime(t, "10:00:00")
	for _, tt := range []struct {
		name  string
		cause string
		role  rules.Role
		fact  rules.Fact
		field string
		gap   time.Duration
		exact bool
		is    bool
	}{
		{"an hour before", "device-fault", rules.Root, "", "events", time.Hour, true, true},
		{"before that", "device-fault", rules.Root, "", "events", time.Hour + time.Second, true, false},
		{"at the same moment", "device-fault", rules.Root, "", "events", sameMoment, true, false},
		{"afterwards", "device-fault", rules.Root, "", "events", -time.Minute, true, false},
		{"nobody knows how long before", "device-fault", rules.Root, "", "events", time.Minute, false, false},
		{"what may be the reason", "device-fault", rules.Ambiguous, "", "events", time.Minute, true, true},
		{"an echo", "device-fault", rules.Symptom, "", "events", time.Minute, true, false},
		{"in a log", "device-fault", rules.Root, "", "", time.Minute, true, false},
		{"another restart", "node-failure", rules.Root, rules.Recovery, "events", time.Minute, true, false},
		{"the end of a process", "killed", rules.Root, "", "events", time.Minute, true, false},
	} {
		s := &scan.Stream{Doc: log("events.json"), Field: tt.field, Rank: -1}
		told, again := found(rule(tt.cause, tt.role), s, 1, "one"), timed(found(rule("node-failure", rules.Root), s, 2, "two"), ten)
		again.Rule.Facts, told.Rule.Facts = []rules.Fact{rules.Recovery}, []rules.Fact{tt.fact}
		told.Quote.Kind, again.Quote.Kind = source.Event, source.Event
		if told.At = ten.Add(-tt.gap); tt.exact {
			told.Quote.Time = told.At
		} else {
			told.Until = told.At.Add(time.Second)
		}
		j := judgeOn(nil, told, again)
		if got := j.reasonFor(j.all[1]); got != tt.is {
			t.Errorf("%s: there is a reason: %v", tt.name, got)
		}
	}
}

// TestFailedBefore: a task that was told to end was so because another had ended by
// itself before, as the platform or a line tells.
func TestFailedBefore(t *testing.T) {
	zero, one, told := 0, 1, 143
	w0, w1, w2, nobody := ofTask("worker-0"), ofTask("worker-1"), ofTask("worker-2"), stream(log("a.log"), -1)
	end := func(s *scan.Stream, clock, code string) *scan.Event {
		return timed(found(ruleOf(rules.Exit), s, 1, "Exit code "+code), clockTime(t, clock))
	}
	tasks := func(code *int) []modelarts.Task { return []modelarts.Task{{Name: "worker-1", ExitCode: code}} }
	named := func(task string) []modelarts.Record { return []modelarts.Record{{RelatedTask: task}} }
	for _, tt := range []struct {
		name string
		of   *scan.Stream
		job  modelarts.Job
		ends []*scan.Event
		task string
	}{
		{"the platform names the other", w0, modelarts.Job{Records: named("worker-1"), Tasks: tasks(&one)}, nil, "worker-1"},
		{"it names the very task", w0, modelarts.Job{Records: named("worker-0"), Tasks: tasks(&one)}, nil, ""},
		{"it names one that was told to end", w0, modelarts.Job{Records: named("worker-1"), Tasks: tasks(&told)}, nil, ""},
		{"somebody stopped the job", w0, modelarts.Job{Phase: modelarts.PhaseTerminated, Records: named("worker-1"), Tasks: tasks(&one)}, nil, ""},
		{"nobody knows which was told to end", nobody, modelarts.Job{Records: named("worker-1"), Tasks: tasks(&one)}, nil, ""},
		{"another ended before", w0, modelarts.Job{}, []*scan.Event{end(w1, "10:00:00", "1")}, "worker-1"},
		{"two ended before", w0, modelarts.Job{}, []*scan.Event{end(w2, "10:00:00", "1"), end(w1, "10:00:00", "1")}, "worker-2"},
		{"another ended later", w0, modelarts.Job{}, []*scan.Event{end(w1, "10:00:20", "1")}, ""},
		{"another ended well", w0, modelarts.Job{Tasks: tasks(&zero)}, []*scan.Event{end(w1, "10:00:00", "0")}, ""},
		{"another was told to end", w0, modelarts.Job{}, []*scan.Event{end(w1, "10:00:00", "143")}, ""},
		{"another's code is none", w0, modelarts.Job{}, []*scan.Event{end(w1, "10:00:00", "99999999999")}, ""},
		{"it ended by itself", w0, modelarts.Job{}, []*scan.Event{end(w0, "10:00:00", "1")}, ""},
		{"nobody knows what ended", w0, modelarts.Job{}, []*scan.Event{end(nobody, "10:00:00", "1")}, ""},
	} {
		for _, r := range []struct {
			cause string
			role  rules.Role
			out   bool
		}{{"stopped-by-user", rules.Ambiguous, true}, {"stopped-by-user", rules.Root, false}, {"key-error", rules.Ambiguous, false}} {
			j := judgeOn(nil, append(tt.ends, timed(found(rule(r.cause, r.role), tt.of, 9, "SIGTERM"), clockTime(t, "10:00:10")))...)
			j.c.Job, j.end = tt.job, endOf(&Case{Job: tt.job})
			c := j.all[len(j.all)-1]
			if got := j.failedBefore(c); got != tt.task {
				t.Errorf("%s: %q failed before, want %q", tt.name, got, tt.task)
			}
			j.consequences()
			if out := fateOf(c) == "ended-elsewhere"; out != (r.out && tt.task != "") || out && c.fate.Args["task"] != tt.task {
				t.Errorf("%s: %s is out by %v", tt.name, r.cause, c.fate)
			}
		}
	}
}

// TestEndedThemselves: a task that ended well or was told to end did not end the job.
func TestEndedThemselves(t *testing.T) {
	e := end{codes: map[string][]int{"": {1}, "worker-0": {0}, "worker-1": {0, 7}, "worker-2": {143}}}
	if got := e.endedThemselves(); !maps.Equal(got, map[string]string{"worker-1": "7"}) {
		t.Errorf("%v ended by themselves", got)
	}
}

func TestOwnLastWords(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"an own check", []string{"reading data", "ERROR: data folder /inputs/a is empty, exit!", ended + "1"}, "file-missing"},
		{"in Chinese", []string{"读取数据", "错误: 数据目录 /inputs/a 不存在", ended + "1"}, "file-missing"},
		{"a guard", []string{"step 1 loss 2.0", "step 2 loss nan", "FATAL loss is not finite, training stops", ended + "2"}, "loss-diverged"},
		{"what it looked for", []string{"ERROR: gave up looking for the index, No such file or directory: '/cache/a.idx'", ended + "1"}, "file-missing"},
		{"the very last line", []string{"conf/a.toml: option lr is missing", ended + "1"}, "config-invalid"},
		{"it goes on before its end", []string{"ERROR: unknown optimizer lionx", "a", "b", "c", "d", "e", "f", "g", "h", "i", ended + "1"}, Unknown},
		{"it goes on without", []string{"WARNING: data folder /inputs/a is empty, skipping it", ended + "1"}, Unknown},
		{"a mere note", []string{"INFO optional data folder /inputs/a is empty", "all workers have left", ended + "1"}, Unknown},
		{"a signal ended it", []string{"ERROR: data folder /inputs/a is empty, exit!", ended + "137"}, "killed"},
		{"it ended well", []string{"ERROR: data folder /inputs/a is empty, exit!", ended + "0"}, None},
		{"an exception behind it", []string{"ERROR: data folder /inputs/a is empty, exit!", raised("KeyError: 'lr'"), ended + "1"}, "key-error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": lines(c.lines...)}})
			if v.Cause != c.want {
				t.Errorf("%s, want %s", v.Cause, c.want)
			}
			if v.Doubt != nil && v.Doubt.Code == "last-words" && v.Confidence != Medium {
				t.Errorf("last words at %s", v.Confidence)
			}
		})
	}
}
