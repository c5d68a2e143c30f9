package verdict

import (
	"maps"
	"slices"
	"testing"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/traceback"
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

// TestUnsavedCheckpoint: of a job that ended well, a storage failure while it
// saved a checkpoint counts unless a later line tells of a saved one.
func TestUnsavedCheckpoint(t *testing.T) {
	d := log("train.log")
	s, other := stream(d, 0), stream(d, 1)
	saved := ruleOf(rules.Saved)
	for _, tt := range []struct {
		name  string
		phase modelarts.Phase
		cause string
		role  rules.Role
		trace bool
		above string
		in    string // function that raised it
		after []*scan.Event
		is    bool
	}{
		{"told by the line above", modelarts.PhaseCompleted, "disk-full", rules.Root, true, "saving checkpoint", "main", nil, true},
		{"told by the function", modelarts.PhaseCompleted, "disk-full", rules.Root, true, "step 10", "save_model", nil, true},
		{"told by nothing", modelarts.PhaseCompleted, "disk-full", rules.Root, true, "step 10", "main", nil, false},
		{"saved below", modelarts.PhaseCompleted, "disk-full", rules.Root, true, "saving checkpoint", "main", []*scan.Event{found(saved, s, 11, "")}, false},
		{"saved above", modelarts.PhaseCompleted, "disk-full", rules.Root, true, "saving checkpoint", "main", []*scan.Event{found(saved, s, 9, "")}, true},
		{"saved below by another rank", modelarts.PhaseCompleted, "disk-full", rules.Root, true, "saving checkpoint", "main", []*scan.Event{found(saved, other, 11, "")}, true},
		{"a job that failed", modelarts.PhaseFailed, "disk-full", rules.Root, true, "saving checkpoint", "main", nil, false},
		{"a line alone", modelarts.PhaseCompleted, "disk-full", rules.Root, false, "saving checkpoint", "main", nil, false},
		{"without proof", modelarts.PhaseCompleted, "disk-full", rules.Ambiguous, true, "saving checkpoint", "main", nil, false},
		{"another cause", modelarts.PhaseCompleted, "key-error", rules.Root, true, "saving checkpoint", "main", nil, false},
	} {
		e := found(rule(tt.cause, tt.role), s, 10, "")
		c := &Case{Job: modelarts.Job{Phase: tt.phase}, Found: scan.Result{Events: append([]*scan.Event{e}, tt.after...)}}
		if tt.trace {
			held := uncaught(e)
			held.Above, held.Traceback.Exceptions[0].Frames[0].Func = tt.above, tt.in
			c.Found.Traces = []*scan.Trace{held}
		}
		j := newJudge(c, rules.Default())
		if got := j.unsaved(j.all[0]); got != tt.is {
			t.Errorf("%s: unsaved is %v", tt.name, got)
		}
	}
}

// TestSwallowed: an exception of the job's own code that an error record carries
// may be what broke a program off that ended well, unless its work was done.
func TestSwallowed(t *testing.T) {
	d := log("train.log")
	s, other := stream(d, 0), stream(d, 1)
	done := ruleOf(rules.Finished)
	for _, tt := range []struct {
		name  string
		cause string
		level string
		in    traceback.Exception
		more  []*scan.Event
		is    bool
	}{
		{"in an error record", "key-error", "ERROR", ours("KeyError"), nil, true},
		{"in a warning", "key-error", "WARNING", ours("KeyError"), nil, false},
		{"in no record", "key-error", "", ours("KeyError"), nil, false},
		{"of a library", "key-error", "ERROR", theirs("KeyError"), nil, false},
		{"a wait", "collective-timeout", "ERROR", ours("RuntimeError"), nil, false},
		{"after the work was done", "key-error", "ERROR", ours("KeyError"), []*scan.Event{found(done, s, 9, "")}, false},
		{"before the work was done", "key-error", "ERROR", ours("KeyError"), []*scan.Event{found(done, s, 11, "")}, true},
		{"after another's work was done", "key-error", "ERROR", ours("KeyError"), []*scan.Event{found(done, other, 9, "")}, true},
	} {
		e := found(rule(tt.cause, rules.Root), s, 10, "")
		held := uncaught(e)
		held.AboveLvl, held.Traceback.Exceptions[0] = tt.level, tt.in
		j := newJudge(&Case{Found: scan.Result{Traces: []*scan.Trace{held}, Events: append([]*scan.Event{e}, tt.more...)}}, rules.Default())
		if got := j.swallowed(j.all[0]); got != tt.is {
			t.Errorf("%s: swallowed is %v", tt.name, got)
		}
	}
	if j := judgeOn(nil, found(rule("key-error", rules.Root), s, 10, "")); j.swallowed(j.all[0]) {
		t.Error("a line alone is taken for an exception that was caught")
	}
}

// TestInset: a traceback that is set in as a whole was printed by what caught it; one
// of a group is not, and a line alone is no traceback.
func TestInset(t *testing.T) {
	s := stream(log("train.log"), -1)
	for text, want := range map[string]bool{"    KeyError: 'x'": true, "\tKeyError: 'x'": true, "KeyError: 'x'": false, "  | KeyError: 'x'": false} {
		e := found(rule("key-error", rules.Root), s, 10, text)
		if got := (&candidate{event: e, trace: uncaught(e)}).inset(); got != want {
			t.Errorf("%q: set in is %v", text, got)
		}
		if plain(e).inset() {
			t.Errorf("%q: a line alone is a traceback that is set in", text)
		}
	}
}

// TestFinished: training was over when its process said so before, in the same
// attempt, and no step followed.
func TestFinished(t *testing.T) {
	pack := rules.Default()
	done, trainer, saved := pack.Rule("py-training-finished"), pack.Rule("hf-train-done"), pack.Rule("py-checkpoint-saved")
	d := log("train.log")
	s, other := stream(d, 0), stream(d, 1)
	s.Progress = marks(0, 0, 2, 4)
	again := found(done, s, 5, "")
	again.Attempt = 1
	platform := found(done, s, 5, "")
	platform.Quote.Platform = true
	for _, tt := range []struct {
		name string
		said []*scan.Event
		line int
	}{
		{"it said so", []*scan.Event{found(done, s, 5, "")}, 5},
		{"its trainer said so", []*scan.Event{found(trainer, s, 5, "")}, 5},
		{"on the line of the last step", []*scan.Event{found(done, s, 4, "")}, 4},
		{"the last that said so", []*scan.Event{found(done, s, 5, ""), found(trainer, s, 6, "")}, 6},
		{"a step followed", []*scan.Event{found(done, s, 3, "")}, 0},
		{"afterwards", []*scan.Event{found(done, s, 11, "")}, 0},
		{"another rank said so", []*scan.Event{found(done, other, 5, "")}, 0},
		{"another attempt said so", []*scan.Event{again}, 0},
		{"the platform said so", []*scan.Event{platform}, 0},
		{"it said something else", []*scan.Event{found(saved, s, 5, "")}, 0},
	} {
		j := judgeOn(nil, append(tt.said, found(rule("key-error", rules.Root), s, 10, ""))...)
		line := 0
		if e := j.finished(j.all[0]); e != nil {
			line = e.Quote.Number
		}
		if line != tt.line {
			t.Errorf("%s: finished by line %d, want %d", tt.name, line, tt.line)
		}
	}
	j := judgeOn(nil, found(done, other, 5, ""), found(rule("key-error", rules.Root), other, 10, ""))
	if j.finished(j.all[0]) == nil {
		t.Error("a program without steps is not taken at its word")
	}
}

// TestFinishedAfter: a failure that its process left behind is one after which it
// said, in the same attempt, that its training was over.
func TestFinishedAfter(t *testing.T) {
	pack := rules.Default()
	done, trainer, saved := pack.Rule("py-training-finished"), pack.Rule("hf-train-done"), pack.Rule("py-checkpoint-saved")
	d := log("train.log")
	s, other := stream(d, 0), stream(d, 1)
	again, platform := found(done, s, 15, ""), found(done, s, 15, "")
	again.Attempt, platform.Quote.Platform = 1, true
	for _, tt := range []struct {
		name string
		said *scan.Event
		is   bool
	}{
		{"it said so", found(done, s, 15, ""), true},
		{"its trainer said so", found(trainer, s, 15, ""), true},
		{"it had said so before", found(done, s, 5, ""), false},
		{"another rank said so", found(done, other, 15, ""), false},
		{"another attempt said so", again, false},
		{"the platform said so", platform, false},
		{"it said something else", found(saved, s, 15, ""), false},
	} {
		j := judgeOn(nil, found(rule("key-error", rules.Root), s, 10, ""), tt.said)
		if got := j.finishedAfter(j.all[0]); got != tt.is {
			t.Errorf("%s: finished after is %v", tt.name, got)
		}
	}
	j := judgeOn(nil, found(done, s, 5, ""), found(rule("key-error", rules.Root), s, 10, ""), found(rule("stopped-by-user", rules.Root), s, 11, ""))
	if o := j.outcome(j.all[0]); o == nil || o.Code != "failed-after-training" {
		t.Errorf("a failure after the training has the outcome %v", o)
	}
	if o := j.outcome(j.all[1]); o != nil {
		t.Errorf("a job that was stopped after its training has the outcome %v", o)
	}
}

// TestHiding: the exit code is lost by a line above of the same task in the same log.
func TestHiding(t *testing.T) {
	hidden := ruleOf(rules.ExitHidden)
	d := log("train.log")
	s := stream(d, -1)
	s.Task = "worker-0"
	neighbour, elsewhere := stream(d, -1), stream(log("other.log"), -1)
	neighbour.Task, elsewhere.Task = "worker-1", "worker-0"
	for _, tt := range []struct {
		name  string
		by    *scan.Event
		hides bool
	}{
		{"above", found(hidden, s, 9, ""), true},
		{"below", found(hidden, s, 11, ""), false},
		{"of another task", found(hidden, neighbour, 9, ""), false},
		{"in another log", found(hidden, elsewhere, 9, ""), false},
		{"by another line", found(rule("none", rules.Context), s, 9, ""), false},
	} {
		j := judgeOn(nil, tt.by, found(rule("key-error", rules.Root), s, 10, ""))
		if got := j.hiding(j.all[0]) != nil; got != tt.hides {
			t.Errorf("%s: hidden is %v", tt.name, got)
		}
	}
}

// TestPointers: a rank or a task that others name counts by the best of them.
func TestPointers(t *testing.T) {
	pack := rules.Default()
	s := stream(log("train.log"), -1)
	named := func(id, value, ranks string) *scan.Event {
		e := found(pack.Rule(id), s, 1, "")
		saying(e, value, ranks)
		return e
	}
	harmless := named("torchelastic-banner", "rank", "9")
	harmless.Rule = &rules.Rule{Role: rules.Harmless, Facts: []rules.Fact{rules.EndedRank}}
	c := &Case{
		Job: modelarts.Job{Records: []modelarts.Record{{RelatedTask: "worker-1"}, {Recoveries: []modelarts.Recovery{{RelatedTask: "worker-2"}}}}},
		Found: scan.Result{Events: []*scan.Event{harmless, named("torchelastic-banner", "rank", "3"), named("gloo-monitored-barrier", "ranks", "0, 5"), named("gloo-monitored-barrier", "ranks", "3"),
			named("torchelastic-banner", "rank", "5"), named("ms-node-timed-out", "node", "worker 7"), named("ma-return-code", "rank", "8")}},
	}
	p := pointersOf(c)
	if want := map[int]int{0: sawFirst, 3: sawFirst, 5: sawFirst, 7: sawFirst}; !maps.Equal(p.ranks, want) {
		t.Errorf("the ranks are %v, want %v", p.ranks, want)
	}
	if want := map[string]int{"worker-1": sawFirst, "worker-2": sawFirst}; !maps.Equal(p.tasks, want) {
		t.Errorf("the tasks are %v, want %v", p.tasks, want)
	}
	j := &judge{pointers: pointers{map[int]int{3: sawExit}, map[string]int{"worker-1": sawFirst}}}
	at := func(rank int, task string) *candidate {
		e := found(rule("key-error", rules.Root), s, 1, "")
		e.Quote.Rank, e.Quote.Task = rank, task
		return plain(e)
	}
	for i, want := range []int{sawFirst, sawExit, sawFirst, 0} {
		if got := j.named([]*candidate{at(3, "worker-1"), at(3, ""), at(4, "worker-1"), at(4, "")}[i]); got != want {
			t.Errorf("name %d is worth %d, want %d", i, got, want)
		}
	}
	if got := numbers("0, 5 and worker-19: 99999999999999999999"); !slices.Equal(got, []int{0, 5, 19}) {
		t.Errorf("the ranks are read as %v", got)
	}
}
