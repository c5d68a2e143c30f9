package verdict

import (
	"slices"
	"testing"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// TestSurvived: what a program went on from is not why it ended, unless its end
// may follow from it; what an error record told, or what stands next to the end,
// leaves a doubt.
func TestSurvived(t *testing.T) {
	end := raised("KeyError: 'label'")
	calm := "2026-03-01 10:00:05,000 INFO model built"
	for _, c := range []struct {
		name, log, cause string
		confidence       Confidence
	}{
		{"a missing optional module", lines("No module named 'apex', fused kernels disabled", calm, end), "key-error", High},
		{"an import that the program says it does without", lines("flash attention import failed, using torch implementation: No module named 'flash_attn'", raised("TypeError: get_batch() takes 2 positional arguments but 1 was given")), "type-error", High},
		{"an import of a library that the program says it does without", lines("/opt/conda/lib/python3.10/site-packages/torch_geometric/typing.py:68: UserWarning: An issue occurred while importing 'torch-scatter'. Disabling its usage. Stacktrace: /opt/conda/lib/python3.10/site-packages/torch_scatter/_scatter_cuda.so: undefined symbol: _ZN5torch3jit17parseSchemaOrNameE", raised("AttributeError: 'Output' object has no attribute 'losss'")), "attribute-error", High},
		{"an import that the program's end names", lines("flash attention import failed, using torch implementation: No module named 'flash_attn'", raised("AttributeError: module 'flash_attn' has no attribute 'flash_attn_func'")), "module-missing", High},
		{"an error record before it went on", lines("2026-03-01 10:00:00,000 ERROR No module named 'apex'", calm, end), "key-error", Medium},
		{"a tool of the script", lines("chown: changing ownership of '/mnt/sfs': Operation not permitted", end), "key-error", High},
		{"what it could not get is missing later", lines("ERROR: Could not find a version that satisfies the requirement einops==9.9 (from versions: 0.8.0)", calm, raised("ModuleNotFoundError: No module named 'einops'")), "package-install-failed", High},
		{"nothing calm in between", lines("PermissionError: [Errno 13] Permission denied: '/cache/a'", end), "permission-denied", Medium},
		{"an exception, then an emergency save that fails", lines("2026-03-01 10:00:00,000 ERROR training failed", end, "2026-03-01 10:00:01,000 INFO saving what there is",
			"Traceback (most recent call last):\n  File \"/home/ma-user/modelarts/user-job-dir/app/train.py\", line 90, in save_emergency\n    torch.save(x)\nOSError: [Errno 28] No space left on device: '/cache/x'"), "key-error", High},
		{"a record of a data set", lines(`{"prompt": "Fix: RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB", "answer": "lower it"}`), "unknown", Low},
		{"a thread beside the main one", lines("Exception in thread metrics:", raised("OSError: [Errno 98] Address already in use"), calm, end), "key-error", Medium},
		{"a thread, and nothing calm before the end", lines("Exception in thread reader:", raised("PermissionError: [Errno 13] Permission denied: '/cache/a'"), end), "permission-denied", Medium},
		{"a thread alone", lines("Exception in thread reader:", raised("PermissionError: [Errno 13] Permission denied: '/cache/a'")), "permission-denied", High},
		{"an import shown with its stack", lines("A matching Triton is not available, some optimizations will not be enabled", raised("ModuleNotFoundError: No module named 'triton'"), calm, end), "key-error", High},
		{"an import shown with its stack, that the end names", lines("A matching Triton is not available, some optimizations will not be enabled", raised("ModuleNotFoundError: No module named 'triton'"), calm, raised("AttributeError: module 'triton' has no attribute 'jit'")), "module-missing", High},
		{"a failure below a line that speaks of something else", lines("gradient checkpointing is disabled", raised("FileNotFoundError: [Errno 2] No such file or directory: '/cache/a'"), calm, end), "file-missing", Medium},
		{"an earlier program refused its arguments", lines("prep.py: error: the following arguments are required: --out", "+ python train.py", raised("FileNotFoundError: [Errno 2] No such file or directory: '/cache/a'")), "argument-error", Medium},
		{"an earlier program refused its arguments, and nothing is missing", lines("prep.py: error: the following arguments are required: --out", "+ python train.py", end), "key-error", High},
		{"two tracebacks that nobody caught", lines(end, calm, raised("ValueError: bad shape of labels")), "key-error", Medium},
	} {
		if v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}}); v.Cause != c.cause || v.Confidence != c.confidence {
			t.Errorf("%s: %s/%s, want %s/%s", c.name, v.Cause, v.Confidence, c.cause, c.confidence)
		}
	}
}

// TestOutlived: a traceback that ended a program explains no error before it that
// may have led to it, that is of the machine or a wait, or from which nobody saw
// the program go on.
func TestOutlived(t *testing.T) {
	d := log("train.log")
	s, other := stream(d, 0), stream(log("other.log"), 0)
	merged := stream(log("merged.log"), -1)
	parallel := stream(merged.Doc, -1)
	parallel.Named = []int{0, 1}
	type change func(met, end *scan.Event)
	none := func(met, end *scan.Event) {}
	for _, tt := range []struct {
		name    string
		cause   string // of the error at line 10
		by      string // cause of the traceback at line 50
		change  change
		in      string // function that raised it
		went    bool
		streams []*scan.Stream
		is      bool
	}{
		{"it went on", "io-error", "key-error", none, "main", true, nil, true},
		{"nobody saw it go on", "io-error", "key-error", func(met, end *scan.Event) { met.Calm.Seq = 0 }, "main", true, nil, false},
		{"it went on only afterwards", "io-error", "key-error", func(met, end *scan.Event) { met.Calm.Seq = 50 }, "main", true, nil, false},
		{"nobody asks whether it went on", "io-error", "key-error", func(met, end *scan.Event) { met.Calm.Seq = 0 }, "main", false, nil, true},
		{"a tool of the script", "io-error", "key-error", func(met, end *scan.Event) { met.Calm.Seq = 0; met.Rule.Family = "shell" }, "main", true, nil, true},
		{"below the traceback", "io-error", "key-error", func(met, end *scan.Event) { met.Seq, met.Calm.Seq = 60, 61 }, "main", false, nil, false},
		{"in the first line of the traceback", "io-error", "key-error", func(met, end *scan.Event) { met.Seq = 50 }, "main", false, nil, false},
		{"the same cause", "key-error", "key-error", none, "main", true, nil, false},
		{"it led to it", "package-install-failed", "module-missing", none, "main", true, nil, false},
		{"what it could not get is missing", "download-failed", "file-missing", none, "main", true, nil, false},
		{"what it could not get is another thing", "download-failed", "key-error", none, "main", true, nil, true},
		{"it goes on without, and what it does without is no thing to be replaced", "data-corrupt", "type-error", func(met, end *scan.Event) { met.Instead = true }, "main", true, nil, false},
		{"a wait in vain", "io-error", "collective-timeout", none, "main", true, nil, false},
		{"it came of saving", "io-error", "key-error", none, "save_model", true, nil, false},
		{"it came of ending", "io-error", "key-error", none, "shutdown", true, nil, false},
		{"an error of the machine", "device-fault", "key-error", none, "main", true, nil, false},
		{"a wait", "collective-timeout", "key-error", none, "main", true, nil, false},
		{"a stop", "stopped-by-user", "key-error", none, "main", true, nil, false},
		{"a platform's event", "io-error", "key-error", func(met, end *scan.Event) { met.Quote.Kind = source.Event }, "main", true, nil, false},
		{"another log", "io-error", "key-error", func(met, end *scan.Event) { met.Stream = other }, "main", true, nil, false},
		{"another attempt", "io-error", "key-error", func(met, end *scan.Event) { end.Attempt = 1 }, "main", true, nil, false},
		{"an end without proof", "io-error", "key-error", func(met, end *scan.Event) { end.Rule.Role = rules.Ambiguous }, "main", true, nil, false},
		{"an end that names nothing", "io-error", "exception-other", func(met, end *scan.Event) { end.Rule.Generic = true }, "main", true, nil, false},
		{"an end that a program labelled", "io-error", "key-error", func(met, end *scan.Event) { end.Trace.Lead = "failed:" }, "main", true, nil, false},
		{"not the end", "io-error", "key-error", func(met, end *scan.Event) { end.Stream.LastSeq += lastLines + 1 }, "main", true, nil, false},
		{"one process of several", "io-error", "key-error", func(met, end *scan.Event) { met.Stream, end.Stream = merged, merged }, "main", true, []*scan.Stream{parallel}, false},
		{"one process alone", "io-error", "key-error", func(met, end *scan.Event) { met.Stream, end.Stream = merged, merged }, "main", true, nil, true},
		{"one rank of several", "io-error", "key-error", none, "main", true, []*scan.Stream{parallel}, true},
	} {
		s.LastSeq, merged.LastSeq = 50, 50
		met, end := found(rule(tt.cause, rules.Root), s, 10, "met"), found(rule(tt.by, rules.Root), s, 50, "end")
		met.Calm.Seq = 20
		held := uncaught(end)
		held.Traceback.Exceptions[0].Frames[0].Func = tt.in
		tt.change(met, end)
		j := newJudge(&Case{Found: scan.Result{Streams: tt.streams, Traces: []*scan.Trace{held}, Events: []*scan.Event{met, end}}}, rules.Default())
		if got := j.outlived(j.all[0], tt.went); (got == j.all[1]) != tt.is || got != nil && got != j.all[1] {
			t.Errorf("%s: outlived is %v", tt.name, got != nil)
		}
		if j.all[1].out("passed", nil); j.outlived(j.all[0], tt.went) != nil {
			t.Errorf("%s: an end that was overcome ended it", tt.name)
		}
	}
}

// TestContested: what a program met and told as an error, or met after it had gone
// on from the root, is a rival.
func TestContested(t *testing.T) {
	s := stream(log("train.log"), 0)
	s.LastSeq = 50
	at := func(level string) *scan.Event {
		e := found(rule("io-error", rules.Root), s, 10, "met")
		e.Quote.Level, e.Calm.Seq, e.Calm.Number = level, 20, 20
		return e
	}
	end := found(rule("key-error", rules.Root), s, 50, "end")
	held := uncaught(end)
	decided := func(met *scan.Event, traces ...*scan.Trace) *judge {
		j := newJudge(&Case{Found: scan.Result{Traces: append(traces, held), Events: []*scan.Event{met, end}}}, rules.Default())
		j.survived()
		return j
	}
	for level, rivals := range map[string]int{"ERROR": 1, "INFO": 0, "": 0} {
		j := decided(at(level))
		if level == "INFO" {
			j.all[0].tier = proven
			j.survived()
		}
		if f := j.all[0].fate; f == nil || f.Code != "survived" || f.Args["line"] != "50" || j.all[0].by != j.all[1] {
			t.Errorf("%q: out by %v", level, f)
		}
		if j.contested(j.all[1]); len(j.rivals) != rivals {
			t.Errorf("%q: %d rivals, want %d", level, len(j.rivals), rivals)
		}
	}
	hint := found(rule("io-error", rules.Ambiguous), s, 10, "met")
	hint.Calm.Seq = 20
	if j := decided(hint); j.all[0].fate != nil {
		t.Errorf("what proves nothing is out by %v", j.all[0].fate)
	}
	over := newJudge(&Case{Found: scan.Result{Traces: []*scan.Trace{held}, Events: []*scan.Event{at("ERROR"), end}}}, rules.Default())
	over.all[0].out("passed", nil)
	if over.survived(); over.all[0].by != nil {
		t.Error("what was overcome is told to be of the end")
	}
	caught := found(rule("io-error", rules.Root), s, 10, "met")
	caught.Calm.Seq, caught.Calm.Number = 20, 60
	inner := uncaught(caught)
	inner.AboveLvl = "ERROR"
	j := decided(caught, inner)
	if j.contested(j.all[1]); len(j.rivals) != 1 || j.all[0].fate.Args["line"] != "60" {
		t.Errorf("a traceback that was caught: %d rivals, %v", len(j.rivals), j.all[0].fate)
	}
	j.all[0].fate.Code, j.rivals = "went-on", nil
	if j.contested(j.all[1]); len(j.rivals) != 0 {
		t.Error("what went on is a rival")
	}
	j.all[0].fate.Code, j.all[0].by = "survived", nil
	if j.contested(j.all[1]); len(j.rivals) != 0 {
		t.Error("what another end put out is a rival")
	}
	early := decided(at("ERROR"))
	early.all[0].fate = nil
	if early.contested(early.all[0]); len(early.rivals) != 1 || early.rivals[0] != early.all[1] {
		t.Errorf("of a root that was outlived the rivals are %v", early.rivals)
	}
	early.rivals, early.all[0].tier = nil, doubted
	if early.contested(early.all[0]); len(early.rivals) != 0 {
		t.Errorf("of a root that is in doubt the rivals are %v", early.rivals)
	}
}

// TestOutlivedHabit: of what had come to nothing before, only the same comes now.
func TestOutlivedHabit(t *testing.T) {
	s := stream(log("train.log"), 0)
	s.LastSeq = 50
	for _, tt := range []struct {
		cause, by  string
		before, is bool
	}{
		{"data-corrupt", "type-error", false, false},
		{"data-corrupt", "type-error", true, true},
		{"collective-timeout", "key-error", false, false},
		{"collective-timeout", "key-error", true, true},
		{"key-error", "key-error", true, false},
	} {
		met, end := found(rule(tt.cause, rules.Root), s, 10, "met"), found(rule(tt.by, rules.Root), s, 50, "end")
		j := newJudge(&Case{Found: scan.Result{Traces: []*scan.Trace{uncaught(end)}, Events: []*scan.Event{met, end}}}, rules.Default())
		if tt.before {
			j.all[0].habit = &candidate{}
		}
		if got := j.outlived(j.all[0], false); (got == j.all[1]) != tt.is {
			t.Errorf("%s, then %s, and the first had been before: %v: outlived is %v", tt.cause, tt.by, tt.before, got != nil)
		}
	}
}

// TestContestedRefusal: what another program misses is a rival of the refusal only
// where it may have come of it, later in the same log.
func TestContestedRefusal(t *testing.T) {
	s, other := stream(log("train.log"), -1), stream(log("other.log"), -1)
	for _, tt := range []struct {
		name   string
		in     *scan.Stream
		seq    int
		rivals int
	}{
		{"later", s, 20, 1},
		{"before", s, 5, 0},
		{"in another log", other, 20, 0},
	} {
		met, end := found(rule("argument-error", rules.Root), s, 10, "prep.py: error: unrecognized arguments: --x"), found(rule("file-missing", rules.Root), tt.in, tt.seq, "two")
		held := uncaught(end)
		held.Traceback.Exceptions[0].Frames[0].File = "/job/train.py"
		events := []*scan.Event{met, end}
		if tt.seq < met.Seq {
			slices.Reverse(events)
		}
		j := newJudge(&Case{Found: scan.Result{Traces: []*scan.Trace{held}, Events: events}}, rules.Default())
		root := j.all[slices.IndexFunc(j.all, func(c *candidate) bool { return c.cause == "argument-error" })]
		if j.contested(root); len(j.rivals) != tt.rivals {
			t.Errorf("%s: %d rivals, want %d", tt.name, len(j.rivals), tt.rivals)
		}
	}
}
