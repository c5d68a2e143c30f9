package verdict

import (
	"testing"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// TestTiers: how much a line can carry, by its rule, its level and where it stands.
func TestTiers(t *testing.T) {
	d := log("train.log")
	s := stream(d, -1)
	root := func(text string) *scan.Event { return found(rule("device-oom", rules.Root), s, 1, text) }
	with := func(e *scan.Event, change func(*scan.Event)) *scan.Event { change(e); return e }
	only := func(text string) *scan.Event {
		r := rule("device-oom", rules.Root)
		r.Only = rules.Exception
		return found(r, s, 1, text)
	}
	inTrace := func(e *scan.Event) { e.Trace = &traceback.Traceback{} }
	for _, tt := range []struct {
		name  string
		event *scan.Event
		tier  tier
	}{
		{"a line that names the failure", root("CUDA out of memory"), proven},
		{"a consequence", found(rule("device-oom", rules.Symptom), s, 1, ""), echo},
		{"what may be either", found(rule("device-oom", rules.Ambiguous), s, 1, ""), weak},
		{"how a process ended, maybe", found(rule("killed", rules.Ambiguous), s, 1, ""), exit},
		{"how a process ended, in general", found(class("killed", rules.Root), s, 1, ""), exit},
		{"how a process ended, and why", found(rule("killed", rules.Root), s, 1, ""), proven},
		{"a warning", with(root("CUDA out of memory"), func(e *scan.Event) { e.Quote.Level = "WARNING" }), weak},
		{"a warning of the kernel", with(root("Out of memory"), func(e *scan.Event) { e.Quote.Level, e.Quote.Kind = "WARNING", source.Kernel }), proven},
		{"a warning that carries a traceback", with(with(root("CUDA out of memory"), inTrace), func(e *scan.Event) { e.Quote.Level = "WARNING" }), proven},
		{"an error record", with(root("CUDA out of memory"), func(e *scan.Event) { e.Quote.Level = "ERROR" }), proven},
		{"a warning by its words", root("UserWarning: CUDA out of memory"), weak},
		{"a warning by its capitals", root("WARNING CUDA out of memory"), weak},
		{"a warning by its bracket", root("[WARN] CUDA out of memory"), weak},
		{"an error record about a warning", with(root("WARNING CUDA out of memory"), func(e *scan.Event) { e.Quote.Level = "ERROR" }), proven},
		{"an exception", only("RuntimeError: CUDA out of memory"), proven},
		{"an exception that was caught and written down", only("retrying after CUDA out of memory"), weak},
		{"an exception whose type stands further up", with(only("Tried to allocate 2 GiB"), inTrace), proven},
		{"a person's words", with(root("CUDA out of memory"), func(e *scan.Event) { e.Quote.Kind = source.Ticket }), weak},
		{"a record of a data set", root(`{"text": "CUDA out of memory"}`), weak},
		{"what opens like a record", root(`{"text": "CUDA out of memory"`), proven},
		{"what ends like a record", root(`CUDA out of memory {}`), proven},
	} {
		if got := tierOf(tt.event); got != tt.tier {
			t.Errorf("%s: tier %d, want %d", tt.name, got, tt.tier)
		}
	}
}

// chain is a traceback of exceptions, each raised while the one before was handled.
func chain(xs ...traceback.Exception) *traceback.Traceback {
	t := &traceback.Traceback{Exceptions: xs}
	for i := range xs {
		xs[i].At = 10 * i
		if i > 0 && xs[i].Link == traceback.First {
			xs[i].Link = traceback.Context
		}
	}
	return t
}

// ours and theirs are exceptions raised in the job's own code and in a library.
func ours(name string) traceback.Exception {
	return traceback.Exception{Type: name, Frames: []traceback.Frame{{File: "train.py", Func: "main", User: true}}}
}

func theirs(name string) traceback.Exception {
	return traceback.Exception{Type: name, Frames: []traceback.Frame{{File: "/usr/lib/python3.10/queue.py", Func: "get"}}}
}

// TestDecide: which exception of a chain names the fault.
func TestDecide(t *testing.T) {
	s := stream(log("train.log"), -1)
	const group = "ExceptionGroup"
	caused := ours("RuntimeError")
	caused.Link = traceback.Cause
	for _, tt := range []struct {
		name  string
		trace *traceback.Traceback
		of    []*rules.Rule // by exception, nil where no rule knows it
		want  int
	}{
		{"the class of the first in own code, before a clean-up that failed", chain(ours("KeyError"), theirs("OSError")), []*rules.Rule{class("key-error", rules.Root), rule("disk-full", rules.Root)}, 0},
		{"a message, where the first was a library's", chain(theirs("KeyError"), theirs("OSError")), []*rules.Rule{class("key-error", rules.Root), rule("disk-full", rules.Root)}, 1},
		{"a message, where the first was translated into it", chain(ours("KeyError"), caused), []*rules.Rule{class("key-error", rules.Root), rule("disk-full", rules.Root)}, 1},
		{"a message, where the first names nothing", chain(ours("AppError"), theirs("OSError")), []*rules.Rule{class("exception-other", rules.Root), rule("disk-full", rules.Root)}, 1},
		{"a message, where the first proves nothing", chain(ours("KeyError"), theirs("OSError")), []*rules.Rule{class("key-error", rules.Ambiguous), rule("disk-full", rules.Root)}, 1},
		{"a message, where the first is an echo", chain(ours("OSError"), theirs("OSError")), []*rules.Rule{rule("network-error", rules.Symptom), rule("disk-full", rules.Root)}, 1},
		{"a message, where no rule knows the first", chain(ours("Odd"), theirs("OSError")), []*rules.Rule{nil, rule("disk-full", rules.Root)}, 1},
		{"a class, where the first names nothing", chain(theirs("AppError"), theirs("KeyError")), []*rules.Rule{class("exception-other", rules.Root), class("key-error", rules.Root)}, 1},
		{"a class, where the first is an echo", chain(theirs("OSError"), theirs("KeyError")), []*rules.Rule{class("network-error", rules.Symptom), class("key-error", rules.Root)}, 1},
		{"what names nothing, before an echo", chain(theirs("OSError"), theirs("AppError")), []*rules.Rule{class("network-error", rules.Symptom), class("exception-other", rules.Root)}, 1},
		{"a member, before its group", chain(theirs(group), theirs("OSError")), []*rules.Rule{class("exception-other", rules.Root), class("network-error", rules.Symptom)}, 1},
		{"a group, where no rule knows a member", chain(theirs(group), theirs("Odd")), []*rules.Rule{class("exception-other", rules.Root), nil}, 0},
		{"a group alone", chain(theirs(group)), []*rules.Rule{class("exception-other", rules.Root)}, 0},
	} {
		var events []*scan.Event
		for i, r := range tt.of {
			if r != nil {
				e := found(r, s, 10*i, "")
				e.Exception = i
				events = append(events, e)
			}
		}
		if got := decide(tt.trace, events); got.Exception != tt.want {
			t.Errorf("%s: exception %d, want %d", tt.name, got.Exception, tt.want)
		}
	}
}

// TestBetter: which of two lines of one exception says more.
func TestBetter(t *testing.T) {
	s := stream(log("train.log"), -1)
	root, general, echo, hint := rule("disk-full", rules.Root), class("io-error", rules.Root), rule("network-error", rules.Symptom), rule("key-error", rules.Ambiguous)
	over := class("exception-other", rules.Root)
	over.Over = []string{root.ID}
	long := rule("zero-division", rules.Root)
	long.Match = []rules.Wording{{Literals: []string{"longer"}}}
	plain, wrapping := chain(ours("OSError")), chain(ours("OSError"))
	wrapping.Exceptions[0].Message = "in user code:\n\nOSError: full"
	at := func(r *rules.Rule, seq int) *scan.Event {
		e := found(r, s, seq, "")
		e.Exception = 0
		return e
	}
	for _, tt := range []struct {
		name      string
		in        *traceback.Traceback
		says, not *scan.Event
	}{
		{"a rule over another, whatever it is", plain, at(over, 5), at(root, 0)},
		{"a message over a class", plain, at(root, 5), at(general, 0)},
		{"a class over an echo", plain, at(general, 5), at(echo, 0)},
		{"the line that names the exception over a further one", plain, at(root, 0), at(long, 5)},
		{"of two further lines, the more telling rule", plain, at(long, 5), at(root, 4)},
		{"the more telling rule over the line that names the exception, where only one may be the root", plain, at(long, 5), at(hint, 0)},
		{"the class again with what was raised", wrapping, at(general, 5), at(general, 0)},
		{"the message, once it is there", wrapping, at(root, 0), at(root, 5)},
		{"a class that its message does not name again", plain, at(general, 0), at(general, 5)},
	} {
		if !better(tt.in, tt.says, tt.not) || better(tt.in, tt.not, tt.says) {
			t.Errorf("%s: %v, and the other way round %v", tt.name, better(tt.in, tt.says, tt.not), better(tt.in, tt.not, tt.says))
		}
	}
}

// TestHeadline: a report shows first the line that names the exception, where a
// further line of its message says the cause more closely.
func TestHeadline(t *testing.T) {
	s := stream(log("train.log"), -1)
	general, closer, others := class("disk-full", rules.Root), rule("disk-full", rules.Root), class("io-error", rules.Root)
	at := func(r *rules.Rule, exception, seq int, text string) *scan.Event {
		e := found(r, s, seq, text)
		e.Exception = exception
		return e
	}
	further := at(closer, 0, 3, "No space left on device")
	for _, tt := range []struct {
		name   string
		events []*scan.Event
		line   int
	}{
		{"the line above", []*scan.Event{at(general, 0, 2, "OSError: cannot save"), further}, 2},
		{"the first of two", []*scan.Event{at(general, 0, 1, "OSError: cannot save"), at(general, 0, 2, "OSError: once more"), further}, 1},
		{"a line above that says nothing", []*scan.Event{at(general, 0, 2, "OSError:"), further}, 3},
		{"a line above of another cause", []*scan.Event{at(others, 0, 2, "OSError: cannot save"), further}, 3},
		{"a line below", []*scan.Event{further, at(general, 0, 5, "OSError: cannot save")}, 3},
		{"a line of another exception", []*scan.Event{at(general, 1, 2, "OSError: cannot save"), further}, 3},
	} {
		x := &candidate{trace: &scan.Trace{Traceback: chain(theirs("OSError"), theirs("OSError"))}}
		x.settle(tt.events, rules.Default())
		if x.event != further || x.headline().Number != tt.line {
			t.Errorf("%s: line %d is shown, decided by line %d", tt.name, x.headline().Number, x.event.Quote.Number)
		}
	}
}

// TestGather: the lines of one traceback are one candidate, those of a traceback
// that is no longer held or that stand between exceptions are plain lines.
func TestGather(t *testing.T) {
	s := stream(log("train.log"), -1)
	held, lost := chain(ours("OSError")), chain(ours("KeyError"))
	in := func(tb *traceback.Traceback, exception, seq int) *scan.Event {
		e := found(rule("disk-full", rules.Root), s, seq, "")
		e.Trace, e.Exception = tb, exception
		return e
	}
	c := &Case{Found: scan.Result{
		Traces: []*scan.Trace{{Traceback: held, Places: make([]scan.Place, 1)}},
		Events: []*scan.Event{in(held, 0, 1), in(held, 0, 2), in(held, -1, 3), in(lost, 0, 4), found(rule("disk-full", rules.Context), s, 5, "")},
	}}
	var got []bool
	for _, x := range gather(c, rules.Default()) {
		got = append(got, x.trace != nil)
	}
	if len(got) != 3 || !got[0] || got[1] || got[2] {
		t.Errorf("of a traceback: %v; want one that is and two that are not", got)
	}
}

// TestRelays: what Ray hands on without the exception behind it gives way to what
// the other process printed, and stands alone where that printed nothing.
func TestRelays(t *testing.T) {
	relayed := raised("ray.exceptions.RayTaskError(RayTaskError): ray::Runner.run() (pid=400, ip=10.0.0.2)\nray.exceptions.RayTaskError(DistBackendError): ray::Worker.update() (pid=510, ip=10.0.0.3)")
	nccl := "(Worker pid=510, ip=10.0.0.3) gpu-1:510:590 [2] transport/net_ib.cc:884 NCCL WARN Call to ibv_modify_qp failed with error Connection timed out errno 110"
	for _, c := range []struct{ name, log, cause string }{
		{"alone", relayed, "exception-other"},
		{"behind a line of the other process", lines(nccl, relayed), "collective-error"},
		{"with the exception behind it", raised("ray.exceptions.RayTaskError(KeyError): ray::Runner.run() (pid=400, ip=10.0.0.2)\n  File \"/home/ma-user/modelarts/user-job-dir/reward.py\", line 41, in run\n    d['a']\nKeyError: 'a'"), "key-error"},
	} {
		if v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}}); v.Cause != c.cause || c.cause == "exception-other" && (v.Confidence != Medium || v.Doubt.Code != "class-only") {
			t.Errorf("%s: %s/%s %v, want %s", c.name, v.Cause, v.Confidence, v.Doubt, c.cause)
		}
	}
}
