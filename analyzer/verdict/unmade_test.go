package verdict

import (
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
)

// TestUnmade: what many ranks miss alike, and one that fails of something else
// was to make, is no root.
func TestUnmade(t *testing.T) {
	missing := func(ranks ...string) string {
		var all []string
		for _, r := range ranks {
			all = append(all, prefixed("[rank"+r+"]: ", raised("FileNotFoundError: [Errno 2] No such file or directory: '/cache/prep/train.bin'")))
		}
		return strings.Join(all, "\n")
	}
	in := func(function, exception string) string {
		return strings.ReplaceAll(raised(exception), "in main", "in "+function)
	}
	for _, c := range []struct{ name, log, cause string }{
		{"rank 0 fails last, and of something else", lines(missing("1", "2", "3"), prefixed("[rank0]: ", raised("KeyError: 'text'"))), "key-error"},
		{"another rank, which was making it", lines(missing("0", "1", "3"), prefixed("[rank2]: ", in("tokenize_shard", "KeyError: 'text'"))), "key-error"},
		{"another rank, which did something else", lines(missing("0", "1", "3"), prefixed("[rank2]: ", raised("KeyError: 'text'"))), "file-missing"},
		{"all of them miss it", missing("0", "1", "2", "3"), "file-missing"},
		{"rank 0 had only lost the others", lines(missing("1", "2", "3"), prefixed("[rank0]: ", raised("RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:598] Connection closed by peer [127.0.0.1]:10631"))), "file-missing"},
		{"two ranks fail of something else", lines(missing("2", "3"), prefixed("[rank0]: ", raised("KeyError: 'text'")), prefixed("[rank1]: ", raised("IndexError: list index out of range"))), "file-missing"},
		{"two ranks miss it", lines(missing("1", "2"), prefixed("[rank0]: ", raised("KeyError: 'text'"))), "key-error"},
		{"what they failed of is no file", lines(strings.ReplaceAll(missing("1", "2", "3"), "FileNotFoundError: [Errno 2] No such file or directory: '/cache/prep/train.bin'", "ZeroDivisionError: division by zero"), prefixed("[rank0]: ", raised("KeyError: 'text'"))), "exception-other"},
		{"one rank misses it", lines(missing("1"), prefixed("[rank0]: ", raised("KeyError: 'text'"))), "file-missing"},
	} {
		if v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}}); v.Cause != c.cause {
			t.Errorf("%s: %s/%s, want %s", c.name, v.Cause, v.Confidence, c.cause)
		}
	}
}

// TestReplaced: a traceback behind which the program says how it goes on without
// was caught, whatever stands around it; what bears its name may still follow.
func TestReplaced(t *testing.T) {
	end := raised("AssertionError: only 0 samples")
	for _, c := range []struct {
		name, log, cause string
		confidence       Confidence
	}{
		{"it falls back", lines(raised("ImportError: This tokenizer needs the package blobfile"), "fast tokenizer not usable, falling back to the slow one", "tokenizer ok", end), "assertion-failed", High},
		{"in Chinese", lines(raised("FileNotFoundError: [Errno 2] No such file or directory: '/cache/idx.npy'"), "没有索引缓存，重新构建", "索引完成", end), "assertion-failed", High},
		{"of one rank", lines(prefixed("[rank0]: ", lines(raised("ImportError: cannot import name 'FusedAdam' from 'apex'"), "fused optimizer failed, using AdamW", "optimizer ready", end))), "assertion-failed", High},
		{"what it does without is needed after all", lines(raised("ModuleNotFoundError: No module named 'deepspeed'"), "deepspeed not usable, continuing without", "model built", raised("NameError: name 'deepspeed' is not defined")), "module-missing", High},
		{"a kernel that it does without", lines(raised("RuntimeError: Triton Error [CUDA]: invalid argument"), "triton kernel disabled, using torch", "model built", end), "assertion-failed", High},
		{"it says nothing of it", lines(raised("FileNotFoundError: [Errno 2] No such file or directory: '/cache/idx.npy'"), "index built", end), "file-missing", Medium},
	} {
		if v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}}); v.Cause != c.cause || v.Confidence != c.confidence {
			t.Errorf("%s: %s/%s, want %s/%s", c.name, v.Cause, v.Confidence, c.cause, c.confidence)
		}
	}
}

// TestMaker: what others miss was to be made by the one rank that failed of
// something else, with an exception that nobody caught, in the same attempt.
func TestMaker(t *testing.T) {
	d := log("worker-0.log")
	ranks := []*scan.Stream{stream(d, 0), stream(d, 1), stream(d, 2), stream(d, 3)}
	miss := func(rank int) *scan.Event { return found(rule("file-missing", rules.Root), ranks[rank], 10, "a.bin") }
	for _, tt := range []struct {
		name   string
		cause  string
		change func(*scan.Event, *scan.Trace)
		also   *scan.Event
		is     bool
	}{
		{"it failed of something else", "key-error", nil, nil, true},
		{"so did another rank", "key-error", nil, found(rule("type-error", rules.Root), ranks[3], 30, "two"), false},
		{"it was caught", "key-error", func(_ *scan.Event, x *scan.Trace) { x.AboveLvl = "ERROR" }, nil, false},
		{"its rank is not known", "key-error", func(e *scan.Event, _ *scan.Trace) { e.Quote.Rank, e.Stream = -1, stream(d, -1) }, nil, false},
		{"it is of a rank that misses it too", "key-error", func(e *scan.Event, _ *scan.Trace) { e.Quote.Rank = 1 }, nil, false},
		{"it is of another attempt", "key-error", func(e *scan.Event, _ *scan.Trace) { e.Attempt = 1 }, nil, false},
		{"it waited in vain", "collective-timeout", nil, nil, false},
		{"it was stopped", "stopped-by-user", nil, nil, false},
		{"it misses something too", "data-corrupt", nil, nil, false},
	} {
		made := found(rule(tt.cause, rules.Root), ranks[0], 20, "one")
		held := uncaught(made)
		if tt.change != nil {
			tt.change(made, held)
		}
		c := &Case{Found: scan.Result{Traces: []*scan.Trace{held}, Events: []*scan.Event{miss(1), miss(2), made}}}
		if tt.also != nil {
			c.Found.Events, c.Found.Traces = append(c.Found.Events, tt.also), append(c.Found.Traces, uncaught(tt.also))
		}
		j := newJudge(c, rules.Default())
		j.unmade()
		f := j.all[0]
		if is := fateOf(f) == "unmade" && f.fate.Args["rank"] == "0"; is != tt.is || !is && f.fate != nil {
			t.Errorf("%s: what the others miss is out by %v", tt.name, f.fate)
		}
	}
}
