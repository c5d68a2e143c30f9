package verdict

import (
	"slices"
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/modelarts"
)

// reasonOf gives the reason of the first line that holds a text and lost.
func reasonOf(t *testing.T, v Verdict, text string) Reason {
	t.Helper()
	for _, s := range v.Why {
		if strings.Contains(s.Event.Quote.Text, text) && !s.Kept {
			return s.Because
		}
	}
	t.Fatalf("no line %q lost", text)
	return Reason{}
}

func isSymptom(v Verdict, text string) bool {
	return slices.ContainsFunc(v.Symptoms, func(s Symptom) bool { return strings.Contains(s.Event.Quote.Text, text) })
}

// TestNoRankWaitsForItself: what a rank printed before it failed is no wait for
// its own failure, nor a consequence of it.
func TestNoRankWaitsForItself(t *testing.T) {
	v := verdictOn(t, situation{logs: map[string]string{
		"worker-0-rank-3.txt": "2026-03-01 10:00:00 step 1 loss 1\n2026-03-01 10:01:00 [WARNING] EI0002: The wait execution of the Notify register times out.\n2026-03-01 10:06:00 INFO preparing\n" + raised("KeyError: 'label'"),
	}})
	if v.Cause == Unknown || !strings.Contains(first(v), "KeyError") {
		t.Fatalf("%s: %s", v.Cause, first(v))
	}
	if r := reasonOf(t, v, "EI0002"); r.Code != "earlier" || isSymptom(v, "EI0002") {
		t.Errorf("the earlier wait of the same rank: %v, symptom %v", r, isSymptom(v, "EI0002"))
	}
}

// TestEarlierRun: the end of a run that the platform repeated is no consequence
// of what ended the last one.
func TestEarlierRun(t *testing.T) {
	details := `{"kind":"job","metadata":{"id":"0f1e2d3c-4b5a-4697-8877-665544332211","name":"j"},"status":{"phase":"Failed",` +
		`"running_records":[{"start_at":1772330000,"end_at":1772331000,"start_type":"init_or_rescheduled","end_reason":"chip fault"},{"start_at":1772331100,"end_at":1772340000,"end_reason":"exit with 1"}],` +
		`"task_statuses":[{"task":"worker-0","exit_code":1,"message":"Traceback (most recent call last):\n  File \"/home/ma-user/a.py\", line 1, in <module>\n    f()\nAttributeError: 'NoneType' object has no attribute 'state_dict'"}]}}`
	v := verdictOn(t, situation{job: modelarts.Job{Records: make([]modelarts.Record, 2)}, logs: map[string]string{"ShowTrainingJobDetails.json": details}})
	if r := reasonOf(t, v, "chip fault"); r.Code != "earlier-run" || r.Args["attempt"] != "1" || isSymptom(v, "chip fault") {
		t.Errorf("%s; the first run's end: %v, symptom %v", first(v), r, isSymptom(v, "chip fault"))
	}
}

// TestStopSetsNothingOff: what comes with a stop is no consequence of a failure.
func TestStopSetsNothingOff(t *testing.T) {
	v := verdictOn(t, situation{
		job:    modelarts.Job{Phase: modelarts.PhaseTerminated},
		events: []string{"2026-03-01T10:00:00Z The training job has been manually stopped.", "2026-03-01T10:00:30Z [worker-0] Training finished. Exit code 143."},
	})
	if r := reasonOf(t, v, "143"); v.Cause != "stopped-by-user" || r.Code != "with-stop" || r.Args["seconds"] != "30" {
		t.Errorf("%s: %v", v.Cause, r)
	}
}

// TestAccountInOrder: the account lists the events as they came, however the
// files are named.
func TestAccountInOrder(t *testing.T) {
	v := verdictOn(t, situation{logs: map[string]string{
		"worker-0-rank-0.txt": "2026-03-01 10:00:00 step 1 loss 1\n2026-03-01 10:31:00 ERROR [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=41, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=1800000) ran for 1800041 milliseconds before timing out.\n",
		"worker-1-rank-1.txt": "2026-03-01 10:00:00 step 1 loss 1\n2026-03-01 10:00:30 ERROR failed\n" + raised("KeyError: 'label'") + "\n2026-03-01 10:00:31 INFO bye\n",
	}})
	if len(v.Why) < 2 || !v.Why[0].Kept {
		t.Errorf("the account does not begin with what came first: %v", v.Why)
	}
}

// TestGroundsThatDecided: no moment is told where no times are known, and what
// lost as the weaker sign was not put in order by its kind.
func TestGroundsThatDecided(t *testing.T) {
	v := verdictOn(t, situation{logs: map[string]string{
		"worker-0-rank-0.txt": "step 1 loss 1\n" + raised("torch.distributed.DistStoreError: wait timeout after 1800000ms, keys: /barrier/a"),
		"worker-1-rank-1.txt": "step 1 loss 1\n" + raised("KeyError: 'label'"),
	}})
	if slices.Contains(v.Order, byKind) {
		t.Errorf("the order rests on one moment: %v", v.Order)
	}
}

// TestSameWordsOnTwoRanks: one message on two ranks is one failure, also where one
// of the logs holds only a part of the stack.
func TestSameWordsOnTwoRanks(t *testing.T) {
	failed := "ValueError: world size (16) is not divisible by tensor_model_parallel_size (4) x pipeline_model_parallel_size (3)"
	v := verdictOn(t, situation{logs: map[string]string{
		"input.txt": prefixed("[rank8]: ", raised(failed)) + "\n[rank0]: Traceback (most recent call last):\n[rank0]:   File \"/home/ma-user/modelarts/user-job-dir/app/state.py\", line 5, in init\n[rank0]: " + failed + "\n",
	}})
	if !slices.Equal(v.Ranks, []int{0, 8}) || len(v.Symptoms) > 0 {
		t.Errorf("the ranks are %v, the symptoms %v", v.Ranks, v.Symptoms)
	}
}

// TestLogsAskedFor: where the platform says which task ended the job only its log
// is asked for, and each log with no more of a reason than the input proves.
func TestLogsAskedFor(t *testing.T) {
	codes := func(rs []Reason) (list []string) {
		for _, r := range rs {
			list = append(list, r.Args["task"]+" "+r.Code+" "+r.Args["code"])
		}
		return list
	}
	one, stopped := 1, 143
	c := &Case{Job: modelarts.Job{Phase: modelarts.PhaseFailed, Tasks: []modelarts.Task{{Name: "worker-0"}, {Name: "worker-1", ExitCode: &stopped}}}}
	if got := codes(missingLogs(c)); !slices.Equal(got, []string{"worker-0 next-log "}) {
		t.Errorf("knowing of no task's failure it asks for %q", got)
	}
	c.Job.Tasks = nil
	for _, name := range []string{"worker-0", "worker-1", "worker-2", "worker-3", "worker-4", "worker-5"} {
		c.Job.Tasks = append(c.Job.Tasks, modelarts.Task{Name: name, ExitCode: &one})
	}
	if got := codes(missingLogs(c)); len(got) != askedLogs || got[0] != "worker-0 next-log-exit 1" {
		t.Errorf("asks for the logs of %q", got)
	}
	c.Job.Records = []modelarts.Record{{RelatedTask: "worker-5"}}
	if got := codes(missingLogs(c)); !slices.Equal(got, []string{"worker-5 next-log-ended-run "}) {
		t.Errorf("asks for the logs of %q", got)
	}
}

// TestStackTellsItsRank: of two dumps each is told with its rank, and what is at
// hand is not asked for again.
func TestStackTellsItsRank(t *testing.T) {
	dump := "Process 41: python train.py\nPython v3.10.6 (/usr/bin/python3.10)\n\nThread 41 (active): \"MainThread\"\n    wait (threading.py:327)\n    load (/home/ma-user/modelarts/user-job-dir/app/train.py:88)\n"
	v := verdictOn(t, situation{
		job:    modelarts.Job{Phase: modelarts.PhaseRunning},
		events: []string{"2026-03-01T10:00:00Z The system detects that your training job may be suspended. Go to the job details page to view the cause and handle the issue."},
		logs:   map[string]string{"py-spy-rank3.txt": dump},
	})
	i := slices.IndexFunc(v.Findings, func(r Reason) bool { return r.Code == "stands" })
	if i < 0 || v.Findings[i].Args["rank"] != "3" {
		t.Errorf("%s: the findings are %v", v.Cause, v.Findings)
	}
	for _, n := range v.Next {
		if n.Text != nil && n.API == "" && strings.Contains(n.Text.EN, "py-spy") {
			t.Errorf("asks for the stacks that are at hand: %s", n.Text.EN)
		}
	}
}
