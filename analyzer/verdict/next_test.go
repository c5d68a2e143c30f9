package verdict

import (
	"slices"
	"strings"
	"testing"
	"time"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
)

// asked words what is asked for: "operation task code".
func asked(all []Next) []string {
	var words []string
	for _, n := range all {
		code := n.Why.Code
		if n.Text != nil {
			code = "rule"
		}
		words = append(words, strings.Join([]string{n.API, n.Task, code}, " "))
	}
	return words
}

// TestNext: what would settle an open verdict, the cheapest first, and nothing
// that is at hand or was asked for before.
func TestNext(t *testing.T) {
	one := 1
	failed := modelarts.Job{Phase: modelarts.PhaseFailed}
	logOf := func(task string) *scan.Stream {
		s := stream(log(task+".log"), -1)
		s.Task = task
		return s
	}
	cut := func(task string) *scan.Stream {
		s := logOf(task)
		s.End, s.EndZoned = clockTime(t, "10:00:00"), true
		return s
	}
	suspended := rules.Default().Rule("ma-event-suspended") // asks for the metrics and the log
	gil := rules.Default().Rule("nccl-gil")                 // asks for the stacks
	byHand := rules.Default().Rule("cann-aclnn-parameter")  // asks for a log on the node
	open := Verdict{Cause: Unknown, Confidence: Low}
	for _, tt := range []struct {
		name    string
		job     modelarts.Job
		streams []*scan.Stream
		apis    []string // whose answers are at hand
		v       Verdict
		want    []string
	}{
		{"nothing is known", failed, nil, nil, open, []string{"ShowTrainingJobDetails  next-details", "ListTrainingJobEvents  next-events", "ShowTrainingJobLogsPreview worker-0 next-log", "ListTrainingJobTasks  next-tasks"}},
		{"details and events are at hand", failed, []*scan.Stream{logOf("worker-0")}, []string{"ShowTrainingJobDetails", "ListTrainingJobEvents"}, open, []string{"ListTrainingJobTasks  next-tasks"}},
		{"the log of one task is at hand, that of another is not", modelarts.Job{Phase: modelarts.PhaseFailed, Tasks: []modelarts.Task{{Name: "worker-0", ExitCode: &one}, {Name: "worker-1", ExitCode: &one}}},
			[]*scan.Stream{logOf("worker-0")}, []string{"ShowTrainingJobDetails", "ListTrainingJobEvents", "ListTrainingJobTasks", "ShowTrainingJobLogsPreview"}, open, []string{"ShowTrainingJobLogsPreview worker-1 next-log-exit"}},
		{"a cause that is not proven", failed, []*scan.Stream{logOf("worker-0")}, []string{"ShowTrainingJobDetails", "ListTrainingJobEvents"}, Verdict{Cause: hang, Confidence: Medium, Rule: suspended},
			[]string{"ShowTrainingJobMetrics worker-0 rule", "ShowTrainingJobLogsPreview worker-0 rule"}},
		{"the metrics are at hand", failed, []*scan.Stream{logOf("worker-0")}, []string{"ShowTrainingJobDetails", "ListTrainingJobEvents", "ShowTrainingJobMetrics", "ShowTrainingJobLogsPreview"}, Verdict{Cause: hang, Confidence: Medium, Rule: suspended},
			[]string{"ShowTrainingJobLogsPreview worker-0 rule"}},
		{"a part of a log", modelarts.Job{Phase: modelarts.PhaseFailed, Preview: []modelarts.Preview{{Task: "worker-0", Current: 9, Full: 10}, {Task: "worker-1", Current: 10, Full: 10}}}, []*scan.Stream{logOf("worker-0")}, []string{"ShowTrainingJobDetails", "ListTrainingJobEvents"}, Verdict{Cause: "key-error", Confidence: Medium},
			[]string{"ShowObsUrlOfTrainingJobLogs worker-0 next-whole-log"}},
		{"a part of a log of no task, the rest of which is at hand", modelarts.Job{Phase: modelarts.PhaseFailed, Preview: []modelarts.Preview{{Current: 9, Full: 10}}}, []*scan.Stream{logOf("worker-0")}, []string{"ShowTrainingJobDetails", "ListTrainingJobEvents", "ShowObsUrlOfTrainingJobLogs"}, Verdict{Cause: "key-error", Confidence: Medium}, nil},
		{"a state without a log", modelarts.Job{Phase: modelarts.PhaseCompleted}, nil, []string{"ShowTrainingJobDetails", "ListTrainingJobEvents"}, Verdict{Cause: None, Confidence: Medium, Doubt: &Reason{Code: "no-log"}},
			[]string{"ShowTrainingJobLogsPreview worker-0 next-log-check"}},
		{"a state without a log, of the only task", modelarts.Job{Phase: modelarts.PhaseCompleted, Tasks: []modelarts.Task{{Name: "worker-7"}}}, nil, []string{"ShowTrainingJobDetails", "ListTrainingJobEvents"}, Verdict{Cause: None, Confidence: Medium, Doubt: &Reason{Code: "no-log"}},
			[]string{"ShowTrainingJobLogsPreview worker-7 next-log-check"}},
		{"a job that waits has no log", modelarts.Job{Phase: modelarts.PhasePending}, nil, []string{"ShowTrainingJobDetails", "ListTrainingJobEvents"}, Verdict{Cause: None, Confidence: Medium, Doubt: &Reason{Code: "no-log"}}, nil},
		{"nor has one that is being created", modelarts.Job{Phase: modelarts.PhaseCreating}, nil, []string{"ShowTrainingJobDetails", "ListTrainingJobEvents"}, Verdict{Cause: None, Confidence: Medium, Doubt: &Reason{Code: "no-log"}}, nil},
		{"another doubt", modelarts.Job{Phase: modelarts.PhaseCompleted}, nil, []string{"ShowTrainingJobDetails", "ListTrainingJobEvents"}, Verdict{Cause: None, Confidence: Medium, Doubt: &Reason{Code: "end-unknown"}}, nil},
		{"the log of whom the others waited for is at hand", failed, []*scan.Stream{logOf("worker-0")}, []string{"ShowTrainingJobDetails", "ListTrainingJobEvents"}, Verdict{Cause: hang, Confidence: Medium, Rule: suspended, SilentTasks: []string{"worker-0"}},
			[]string{"ShowTrainingJobMetrics worker-0 rule"}},
		{"the log of whom the others waited for is not", failed, []*scan.Stream{logOf("worker-0")}, []string{"ShowTrainingJobDetails", "ListTrainingJobEvents"}, Verdict{Cause: hang, Confidence: Medium, Rule: suspended, SilentTasks: []string{"worker-1"}},
			[]string{"ShowTrainingJobMetrics worker-1 rule", "ShowTrainingJobLogsPreview worker-1 rule"}},
		{"stacks are wanted", failed, []*scan.Stream{logOf("worker-0")}, []string{"ShowTrainingJobDetails", "ListTrainingJobEvents"}, Verdict{Cause: hang, Confidence: Medium, Rule: gil, Findings: []Reason{{Code: "stalled"}}}, []string{"  rule"}},
		{"stacks are at hand", failed, []*scan.Stream{logOf("worker-0")}, []string{"ShowTrainingJobDetails", "ListTrainingJobEvents"}, Verdict{Cause: hang, Confidence: Medium, Rule: gil, Findings: []Reason{{Code: "stalled"}, {Code: "stands"}}}, nil},
		{"another check by hand is wanted where stacks are at hand", failed, []*scan.Stream{logOf("worker-0")}, []string{"ShowTrainingJobDetails", "ListTrainingJobEvents"}, Verdict{Cause: hang, Confidence: Medium, Rule: byHand, Findings: []Reason{{Code: "stands"}}}, []string{"  rule"}},
		{"two checks by hand", failed, []*scan.Stream{logOf("worker-0")}, []string{"ShowTrainingJobDetails", "ListTrainingJobEvents"}, Verdict{Cause: hang, Confidence: Medium, Rule: rules.Default().Rule("slurm-task-killed")}, []string{"  rule", "  rule"}},
		{"a log that was cut, which the rule asks for as well", modelarts.Job{Phase: modelarts.PhaseFailed, Tasks: []modelarts.Task{{Name: "worker-0", ExitCode: &one, Ended: clockTime(t, "12:00:00")}}}, []*scan.Stream{cut("worker-0")}, []string{"ShowTrainingJobDetails", "ListTrainingJobEvents"}, Verdict{Cause: hang, Confidence: Medium, Rule: suspended},
			[]string{"ShowTrainingJobLogsPreview worker-0 next-log-end", "ShowObsUrlOfTrainingJobLogs worker-0 next-log-obs", "ShowTrainingJobMetrics worker-0 rule"}},
		{"two logs that were cut", modelarts.Job{Phase: modelarts.PhaseFailed, Tasks: []modelarts.Task{{Name: "worker-0", ExitCode: &one, Ended: clockTime(t, "12:00:00")}, {Name: "worker-1", ExitCode: &one, Ended: clockTime(t, "12:00:00")}}}, []*scan.Stream{cut("worker-0"), cut("worker-1")}, []string{"ShowTrainingJobDetails", "ListTrainingJobEvents"}, Verdict{Cause: "key-error", Confidence: Medium},
			[]string{"ShowTrainingJobLogsPreview worker-0 next-log-end", "ShowObsUrlOfTrainingJobLogs worker-0 next-log-obs", "ShowTrainingJobLogsPreview worker-1 next-log-end", "ShowObsUrlOfTrainingJobLogs worker-1 next-log-obs"}},
		{"metrics are wanted where stacks are at hand", failed, []*scan.Stream{logOf("worker-0")}, []string{"ShowTrainingJobDetails", "ListTrainingJobEvents"}, Verdict{Cause: hang, Confidence: Medium, Rule: suspended, Findings: []Reason{{Code: "stands"}}},
			[]string{"ShowTrainingJobMetrics worker-0 rule", "ShowTrainingJobLogsPreview worker-0 rule"}},
		{"a proven failure", failed, nil, nil, Verdict{Cause: "key-error", Confidence: High}, nil},
		{"a proven stop", failed, nil, nil, Verdict{Cause: "stopped-by-user", Confidence: High}, []string{"  after-stopped-by-user"}},
	} {
		c := &Case{Job: tt.job, Found: scan.Result{Streams: tt.streams}, APIs: map[string]bool{}}
		for _, api := range tt.apis {
			c.APIs[api] = true
		}
		if got := asked(next(c, &tt.v)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: asks for %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestCutLogs: the end of a log is asked for where it stops two minutes or more
// before its process failed.
func TestCutLogs(t *testing.T) {
	one, zero := 1, 0
	ended := clockTime(t, "10:02:00")
	of := func(task, field string, end time.Time, zoned bool) *scan.Stream {
		s := stream(log(task+".log"), -1)
		s.Task, s.Field, s.End, s.EndZoned = task, field, end, zoned
		return s
	}
	at := func(clock string) time.Time { return clockTime(t, clock) }
	for _, tt := range []struct {
		name    string
		task    modelarts.Task
		streams []*scan.Stream
		end     string // that is told, "" when nothing is asked for
	}{
		{"two minutes before", modelarts.Task{Name: "worker-0", ExitCode: &one, Ended: ended}, []*scan.Stream{of("worker-0", "", at("10:00:00"), true)}, "2026-03-01 10:00:00Z"},
		{"less than two minutes before", modelarts.Task{Name: "worker-0", ExitCode: &one, Ended: ended}, []*scan.Stream{of("worker-0", "", at("10:00:01"), true)}, ""},
		{"by the clock of the service", modelarts.Task{Name: "worker-0", ExitCode: &one, Ended: ended}, []*scan.Stream{of("worker-0", "", at("18:00:00"), false)}, "2026-03-01 10:00:00Z"},
		{"the last of its logs", modelarts.Task{Name: "worker-0", ExitCode: &one, Ended: ended}, []*scan.Stream{of("worker-0", "", at("09:00:00"), true), of("worker-0", "", at("10:00:00"), true), of("worker-0", "", at("09:30:00"), true)}, "2026-03-01 10:00:00Z"},
		{"another task's log goes on", modelarts.Task{Name: "worker-0", ExitCode: &one, Ended: ended}, []*scan.Stream{of("worker-0", "", at("10:00:00"), true), of("worker-1", "", ended, true)}, "2026-03-01 10:00:00Z"},
		{"an answer tells of the end", modelarts.Task{Name: "worker-0", ExitCode: &one, Ended: ended}, []*scan.Stream{of("worker-0", "", at("10:00:00"), true), of("worker-0", "events[0].message", ended, true)}, "2026-03-01 10:00:00Z"},
		{"a log without times", modelarts.Task{Name: "worker-0", ExitCode: &one, Ended: ended}, []*scan.Stream{of("worker-0", "", time.Time{}, false)}, ""},
		{"no log", modelarts.Task{Name: "worker-0", ExitCode: &one, Ended: ended}, nil, ""},
		{"nobody knows when it ended", modelarts.Task{Name: "worker-0", ExitCode: &one}, []*scan.Stream{of("worker-0", "", at("10:00:00"), true)}, ""},
		{"nobody knows how it ended", modelarts.Task{Name: "worker-0", Ended: ended}, []*scan.Stream{of("worker-0", "", at("10:00:00"), true)}, ""},
		{"it ended well", modelarts.Task{Name: "worker-0", ExitCode: &zero, Ended: ended}, []*scan.Stream{of("worker-0", "", at("10:00:00"), true)}, ""},
	} {
		all := cutLogs(&Case{Job: modelarts.Job{Tasks: []modelarts.Task{tt.task}}, Found: scan.Result{Streams: tt.streams}})
		if tt.end == "" {
			if len(all) > 0 {
				t.Errorf("%s: asks for %q", tt.name, asked(all))
			}
			continue
		}
		if !slices.Equal(asked(all), []string{"ShowTrainingJobLogsPreview worker-0 next-log-end", "ShowObsUrlOfTrainingJobLogs worker-0 next-log-obs"}) || all[0].Why.Args["end"] != tt.end || all[0].Why.Args["exit"] != "2026-03-01 10:02:00Z" {
			t.Errorf("%s: asks for %q, the end of %v", tt.name, asked(all), all)
		}
	}
}

// TestTaskToAsk: whose evidence would tell more.
func TestTaskToAsk(t *testing.T) {
	of := func(task string, rank int) *scan.Stream {
		s := stream(log("a.log"), rank)
		s.Task = task
		return s
	}
	evidence := []scan.Quote{{Task: "worker-2"}}
	for _, tt := range []struct {
		name    string
		v       Verdict
		tasks   []modelarts.Task
		streams []*scan.Stream
		want    string
	}{
		{"the task that the others waited for", Verdict{SilentTasks: []string{"worker-1", "worker-3"}, Silent: []string{"8"}, Evidence: evidence}, nil, []*scan.Stream{of("worker-4", 8)}, "worker-1"},
		{"that of the rank that the others waited for", Verdict{Silent: []string{"8"}, Evidence: evidence}, nil, []*scan.Stream{of("worker-0", 0), of("", 8), of("worker-1", 8)}, "worker-1"},
		{"a rank whose task nobody knows", Verdict{Silent: []string{"8"}, Evidence: evidence}, nil, []*scan.Stream{of("worker-0", 0), of("", 8)}, ""},
		{"that of the decisive line", Verdict{Evidence: evidence}, nil, []*scan.Stream{of("worker-0", 0)}, "worker-2"},
		{"the only one of the job", Verdict{Evidence: []scan.Quote{{}}}, []modelarts.Task{{Name: "worker-5"}}, []*scan.Stream{of("worker-0", 0)}, "worker-5"},
		{"the only one of the logs", Verdict{}, make([]modelarts.Task, 2), []*scan.Stream{of("", -1), of("worker-0", 0), of("", -1), of("worker-0", 1)}, "worker-0"},
		{"one of two", Verdict{}, nil, []*scan.Stream{of("worker-0", 0), of("", -1), of("worker-1", 1)}, ""},
		{"none", Verdict{}, nil, []*scan.Stream{of("", -1)}, ""},
	} {
		c := &Case{Job: modelarts.Job{Tasks: tt.tasks}, Found: scan.Result{Streams: tt.streams}}
		if got := taskToAsk(c, &tt.v); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestHasLog: only lines of a log are one; what an answer says of a task is none.
func TestHasLog(t *testing.T) {
	s := stream(log("a.log"), -1)
	s.Task = "worker-0"
	message, nobodys := stream(log("details.json"), -1), stream(log("b.log"), -1)
	message.Task, message.Field = "worker-1", "status.task_statuses[0].message"
	c := &Case{Found: scan.Result{Streams: []*scan.Stream{s, message, nobodys}}}
	for task, want := range map[string]bool{"worker-0": true, "worker-1": false, "worker-2": false, "": false} {
		if hasLog(c, task) != want {
			t.Errorf("the log of %q is at hand: %v", task, !want)
		}
	}
}

// TestMissingLogs: a log is missing where no line of it is at hand but those that
// an answer quotes.
func TestMissingLogs(t *testing.T) {
	one := 1
	failed := modelarts.Job{Phase: modelarts.PhaseFailed}
	ended := modelarts.Job{Phase: modelarts.PhaseFailed, Tasks: []modelarts.Task{{Name: "worker-0", ExitCode: &one}}}
	run := modelarts.Job{Phase: modelarts.PhaseFailed, Records: []modelarts.Record{{RelatedTask: "worker-1"}, {}, {RelatedTask: "worker-2"}}, Tasks: ended.Tasks}
	of := func(task, field string, lines int) *scan.Stream {
		s := stream(log("a.log"), -1)
		s.Task, s.Field, s.Lines = task, field, lines
		return s
	}
	for _, tt := range []struct {
		name    string
		job     modelarts.Job
		streams []*scan.Stream
		want    string
	}{
		{"none at hand", failed, nil, "worker-0 next-log"},
		{"a log at hand", failed, []*scan.Stream{of("worker-1", "", 1)}, ""},
		{"a job that runs", modelarts.Job{Phase: modelarts.PhaseRunning}, nil, ""},
		{"of the task that failed", ended, nil, "worker-0 next-log-exit"},
		{"a line of it at hand", ended, []*scan.Stream{of("worker-0", "", 1)}, ""},
		{"a line that an answer quotes", ended, []*scan.Stream{of("worker-0", "message", 1)}, "worker-0 next-log-exit"},
		{"lines that an answer quotes", ended, []*scan.Stream{of("worker-0", "message", 2)}, ""},
		{"of the tasks that ended the runs, the last first", run, nil, "worker-2 next-log-ended-run, worker-1 next-log-ended-run"},
		{"of the first run, where that of the last is at hand", run, []*scan.Stream{of("worker-2", "", 9)}, "worker-1 next-log-ended-run"},
		{"of the task that failed, where those of the runs are at hand", run, []*scan.Stream{of("worker-2", "", 9), of("worker-1", "", 9)}, "worker-0 next-log-exit"},
	} {
		var got []string
		for _, r := range missingLogs(&Case{Job: tt.job, Found: scan.Result{Streams: tt.streams}}) {
			got = append(got, r.Args["task"]+" "+r.Code)
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestOpinions: the platform's own analysis agrees when the most telling rule for
// any line of it names the same cause.
func TestOpinions(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		cause      string
		agrees     bool
	}{
		{"the same", "The job failed.\n" + outOfMemory + "\nLower the batch size.", "device-oom", true},
		{"a message before a class", "RuntimeError: odd\n" + outOfMemory, "device-oom", true},
		{"a message behind which a class stands", outOfMemory + "\nValueError: odd", "device-oom", true},
		{"another", "KeyError: 'label'", "key-error", false},
		{"nothing that a rule knows", "Please contact technical support.", "", false},
		{"what is harmless", "FutureWarning: use_reentrant is deprecated", "", false},
		{"what only explains", "[Modelarts Service Log]Training start at 2021-09-06-21:53:35", "", false},
	} {
		c := &Case{Job: modelarts.Job{Analysis: []modelarts.Analysis{{Description: tt.text}}}}
		got := opinions(c, &Verdict{Cause: "device-oom"}, rules.Default())
		if len(got) != 1 || got[0].Cause != tt.cause || got[0].Agrees != tt.agrees || got[0].Analysis.Description != tt.text {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	c := &Case{Job: modelarts.Job{Analysis: []modelarts.Analysis{{Description: "Please wait."}}}}
	if got := opinions(c, &Verdict{}, rules.Default()); got[0].Agrees {
		t.Error("no cause agrees with no cause")
	}
}

// TestOpinionInWords: an analysis that quotes no line agrees where its words name
// the cause.
func TestOpinionInWords(t *testing.T) {
	for _, tt := range []struct {
		text, cause string
		agrees      bool
	}{
		{"ERR-TRAIN-0031 out_of_memory NPU内存不足，训练进程申请显存失败", "device-oom", true},
		{"ERR-TRAIN-0031 out_of_memory NPU内存不足，训练进程申请显存失败", "host-oom", false},
		{"out_of_memory：训练进程内存不足", "host-oom", false},
		{"MA.TRAIN.USER.0102 Device memory NPU out of memory", "device-oom", true},
		{"MA.TRAIN.USER.0102 Device memory NPU out of memory", "host-oom", false},
		{"the node is out of host memory", "host-oom", true},
		{"DISK_FULL", "disk-full", true},
		{"主机内存不足", "host-oom", true},
		{"主机内存不足", "device-oom", false},
		{"作业运行失败，请查看日志", "device-oom", false},
		{"显存不足", "key-error", false},
	} {
		c := &Case{Job: modelarts.Job{Analysis: []modelarts.Analysis{{Description: tt.text}}}}
		if got := opinions(c, &Verdict{Cause: tt.cause}, rules.Default()); got[0].Agrees != tt.agrees {
			t.Errorf("%q and %s: agrees is %v", tt.text, tt.cause, got[0].Agrees)
		}
	}
}
