package verdict

import (
	"testing"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
)

// TestEndsOf: which tracebacks may have ended their program, and which are shown
// by a program that goes on.
func TestEndsOf(t *testing.T) {
	for _, tt := range []struct {
		name, level, above string
		change             func(*candidate)
		ended, warned      bool
	}{
		{"nobody caught it", "", "step 10", nil, true, false},
		{"an error record carries it", "ERROR", "training failed", nil, true, false},
		{"an error record carries it, and the program goes on", "ERROR", "training failed", func(c *candidate) { c.event.Calm.Seq = 20 }, false, false},
		{"an error record carries what an exit handler ignored", "ERROR", "training failed", func(c *candidate) { c.trace.Traceback.Ignored = "in __del__" }, false, false},
		{"an exit handler ignored it", "", "step 10", func(c *candidate) { c.trace.Traceback.Ignored = "in __del__" }, false, false},
		{"a label stands before it", "", "step 10", func(c *candidate) { c.trace.Traceback.Lead = "failed:" }, false, false},
		{"a warning says what it could not do", "WARNING", "could not read the cache", nil, false, true},
		{"a warning says what it does in place of it", "WARNING", "using fallback", nil, false, true},
		{"a warning says nothing of it", "WARNING", "step 10", nil, false, false},
		{"an error record says what it could not do", "ERROR", "could not read the cache", nil, true, false},
		{"a line without a level says what it could not do", "", "could not read the cache", nil, true, false},
		{"a line alone", "WARNING", "could not read the cache", func(c *candidate) { c.trace = nil }, false, false},
	} {
		e := found(rule("file-missing", rules.Root), stream(log("train.log"), -1), 10, "one")
		c := &candidate{event: e, trace: uncaught(e), cause: "file-missing"}
		c.trace.AboveLvl, c.trace.Above = tt.level, tt.above
		if tt.change != nil {
			tt.change(c)
		}
		if c.ended() != tt.ended || c.warned() != tt.warned {
			t.Errorf("%s: ended %v, warned %v; want %v, %v", tt.name, c.ended(), c.warned(), tt.ended, tt.warned)
		}
	}
}

// TestLeadsTo: what a program went on without leads to nothing but to what bears
// its name; another failure leads to its own kind, and to what it kept from being
// there.
func TestLeadsTo(t *testing.T) {
	for _, tt := range []struct {
		name, cause, text, value string
		instead, trace           bool
		family                   string
		by, end                  string
		is                       bool
	}{
		{"the same cause", "module-missing", "one", "apex", false, true, "", "module-missing", "No module named 'flash_attn'", true},
		{"it went on without, and misses something else", "module-missing", "one", "apex", true, true, "", "module-missing", "No module named 'flash_attn'", false},
		{"it went on without, and misses that", "module-missing", "one", "apex", true, true, "", "attribute-error", "module 'apex' has no attribute 'x'", true},
		{"a line says what it uses in place of it", "module-missing", "no apex, fused kernels disabled", "apex", false, false, "", "module-missing", "No module named 'flash_attn'", false},
		{"a traceback with such words says nothing of the program", "module-missing", "no apex, fused kernels disabled", "apex", false, true, "", "module-missing", "No module named 'flash_attn'", true},
		{"what cannot be replaced", "disk-full", "one", "/cache", true, true, "", "file-missing", "/cache/a.bin", true},
		{"an archive that a command could not open", "data-corrupt", "one", "", false, false, "shell", "file-missing", "/cache/a.bin", true},
		{"a broken file that the program read", "data-corrupt", "one", "", false, false, "python", "file-missing", "/cache/a.bin", false},
		{"a broken file in a traceback", "data-corrupt", "one", "", false, true, "shell", "file-missing", "/cache/a.bin", false},
		{"an archive, and nothing is missing", "data-corrupt", "one", "", false, false, "shell", "key-error", "'label'", false},
		{"a command that only could not be found", "command-missing", "one", "", false, false, "shell", "file-missing", "/cache/a.bin", false},
	} {
		s := stream(log("train.log"), -1)
		e := found(rule(tt.cause, rules.Root), s, 10, tt.text)
		if e.Rule.Family, e.Instead = tt.family, tt.instead; tt.value != "" {
			saying(e, "module", tt.value)
		}
		c := &candidate{event: e, cause: tt.cause}
		if tt.trace {
			c.trace = uncaught(e)
		}
		if got := c.leadsTo(&candidate{event: found(rule(tt.by, rules.Root), s, 20, tt.end), cause: tt.by}); got != tt.is {
			t.Errorf("%s: leads to it is %v", tt.name, got)
		}
	}
}

// TestAvoided: a failed kernel of a device leaves the device as it was, when the
// program says that it goes on without.
func TestAvoided(t *testing.T) {
	for _, tt := range []struct {
		name, cause    string
		instead, trace bool
		is             bool
	}{
		{"it goes on without", "device-execution-failed", true, true, true},
		{"it says nothing of it", "device-execution-failed", false, true, false},
		{"a line alone", "device-execution-failed", true, false, false},
		{"a fault of the device itself", "device-fault", true, true, false},
	} {
		e := found(rule(tt.cause, rules.Root), stream(log("train.log"), -1), 10, "one")
		c := &candidate{event: e, cause: tt.cause}
		if e.Instead = tt.instead; tt.trace {
			c.trace = uncaught(e)
		}
		if got := c.avoided(); got != tt.is {
			t.Errorf("%s: avoided is %v", tt.name, got)
		}
	}
}

// TestContestedInstead: a traceback is no rival when the program says how it goes
// on without what failed; an error record is one all the same.
func TestContestedInstead(t *testing.T) {
	s := stream(log("train.log"), 0)
	s.LastSeq = 50
	for _, tt := range []struct {
		name           string
		instead, trace bool
		rivals         int
	}{
		{"a traceback that was caught", false, true, 1},
		{"a traceback behind which it says how it goes on", true, true, 0},
		{"an error record behind which it says how it goes on", true, false, 1},
	} {
		met, end := found(rule("io-error", rules.Root), s, 10, "met"), found(rule("key-error", rules.Root), s, 50, "end")
		met.Instead, met.Calm.Seq, met.Quote.Level = tt.instead, 20, "ERROR"
		c := &Case{Found: scan.Result{Traces: []*scan.Trace{uncaught(end)}, Events: []*scan.Event{met, end}}}
		if tt.trace {
			held := uncaught(met)
			held.AboveLvl = "ERROR"
			c.Found.Traces = append(c.Found.Traces, held)
		}
		j := newJudge(c, rules.Default())
		j.survived()
		if j.contested(j.all[1]); len(j.rivals) != tt.rivals || fateOf(j.all[0]) != "survived" {
			t.Errorf("%s: %d rivals, out by %q; want %d", tt.name, len(j.rivals), fateOf(j.all[0]), tt.rivals)
		}
	}
}

// TestOutlivedTool: a script goes on after a tool of its own has failed, and not
// after a traceback that looks like one's.
func TestOutlivedTool(t *testing.T) {
	for trace, outlived := range map[bool]bool{false: true, true: false} {
		s := stream(log("train.log"), 0)
		s.LastSeq = 50
		met, end := found(rule("io-error", rules.Root), s, 10, "met"), found(rule("key-error", rules.Root), s, 50, "end")
		met.Rule.Family = "shell"
		c := &Case{Found: scan.Result{Traces: []*scan.Trace{uncaught(end)}, Events: []*scan.Event{met, end}}}
		if trace {
			c.Found.Traces = append(c.Found.Traces, uncaught(met))
		}
		j := newJudge(c, rules.Default())
		if got := j.outlived(j.all[0], true); (got != nil) != outlived {
			t.Errorf("with a traceback %v: outlived is %v", trace, got != nil)
		}
	}
}

// TestForewarned: a traceback is only shown, when the line above it names what is
// missing and says how the program goes on without.
func TestForewarned(t *testing.T) {
	for _, tt := range []struct {
		name, cause, level, above string
		trace, is                 bool
	}{
		{"it does without", "module-missing", "", "Triton is not available, its kernels are disabled", true, true},
		{"a line alone", "module-missing", "", "Triton is not available, its kernels are disabled", false, false},
		{"a record of an error", "module-missing", "ERROR", "Triton is not available, its kernels are disabled", true, false},
		{"what nothing can replace", "disk-full", "", "Triton is not available, its kernels are disabled", true, false},
		{"it says nothing of how it goes on", "module-missing", "", "loading triton", true, false},
		{"it speaks of something else", "module-missing", "", "apex is not available, its kernels are disabled", true, false},
	} {
		e := saying(found(rule(tt.cause, rules.Root), stream(log("train.log"), -1), 10, "one"), "module", "triton")
		c := &candidate{event: e, cause: tt.cause}
		if tt.trace {
			c.trace = uncaught(e)
			c.trace.AboveLvl, c.trace.Above = tt.level, tt.above
		}
		if got := c.forewarned(); got != tt.is {
			t.Errorf("%s: forewarned is %v", tt.name, got)
		}
	}
}

// TestAside: only a thread beside the main one ends without its program.
func TestAside(t *testing.T) {
	for thread, is := range map[string]bool{"": false, "MainThread": false, "reader": true} {
		e := found(rule("key-error", rules.Root), stream(log("train.log"), -1), 10, "one")
		c := &candidate{event: e, trace: uncaught(e)}
		if c.trace.Traceback.Thread = thread; c.aside() != is {
			t.Errorf("thread %q: aside is %v", thread, c.aside())
		}
	}
}

// TestRefusedArguments: what a program that refused its arguments did not make, another
// program misses; the same program misses nothing by that.
func TestRefusedArguments(t *testing.T) {
	for _, tt := range []struct {
		name, text, cause, file string
		caught, trace, is       bool
	}{
		{"another program misses a file", "prep.py: error: unrecognized arguments: --x", "file-missing", "/job/train.py", false, true, true},
		{"the same program", "train.py: error: unrecognized arguments: --x", "file-missing", "/job/train.py", false, true, false},
		{"no file is missing", "prep.py: error: unrecognized arguments: --x", "key-error", "/job/train.py", false, true, false},
		{"no program refused anything", "one", "file-missing", "/job/train.py", false, true, false},
		{"nobody tells which program misses it", "prep.py: error: unrecognized arguments: --x", "file-missing", "", false, true, false},
		{"a line alone", "prep.py: error: unrecognized arguments: --x", "file-missing", "", false, false, false},
		{"a traceback with such words", "prep.py: error: unrecognized arguments: --x", "file-missing", "/job/train.py", true, true, false},
	} {
		s := stream(log("train.log"), -1)
		met, end := found(rule("argument-error", rules.Root), s, 10, tt.text), found(rule(tt.cause, rules.Root), s, 20, "two")
		c, e := &candidate{event: met, cause: "argument-error"}, &candidate{event: end, cause: tt.cause}
		if tt.caught {
			c.trace = uncaught(met)
		}
		if tt.trace {
			e.trace = uncaught(end)
			if e.trace.Traceback.Exceptions[0].Frames[0].File = tt.file; tt.file == "" {
				e.trace.Traceback.Exceptions[0].Frames = nil
			}
		}
		if got := c.refused(e); got != tt.is {
			t.Errorf("%s: refused is %v", tt.name, got)
		}
	}
}

// TestGoneWithout: a line of something missing is less sure where the program said
// below it what it uses in place of that, and went on.
func TestGoneWithout(t *testing.T) {
	for _, tt := range []struct {
		name, cause    string
		instead, trace bool
		calm           int
		is             bool
	}{
		{"it went on without", "module-missing", true, false, 20, true},
		{"it said nothing of that", "module-missing", false, false, 20, false},
		{"it printed nothing more", "module-missing", true, false, 0, false},
		{"an exception", "module-missing", true, true, 20, false},
		{"what cannot be replaced", "disk-full", true, false, 20, false},
	} {
		e := found(rule(tt.cause, rules.Root), stream(log("train.log"), -1), 10, "one")
		c := &candidate{event: e, cause: tt.cause}
		if e.Instead, e.Calm.Seq = tt.instead, tt.calm; tt.trace {
			c.trace = uncaught(e)
		}
		if got := c.goneWithout(); got != tt.is {
			t.Errorf("%s: gone without is %v", tt.name, got)
		}
	}
}
