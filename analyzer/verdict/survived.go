package verdict

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// leadsTo are the causes by which a program may still die of an error from which
// it went on: what it failed to get is missing later. A cause leads to those of
// its own kind as well.
var leadsTo = map[string][]string{
	"package-install-failed": {"module-missing", "import-incompatible", "version-conflict", "attribute-error", "shared-library-missing", "startup-command-failed", "operator-unsupported"},
	"kernel-build-failed":    {"module-missing", "import-incompatible", "attribute-error", "name-error", "shared-library-missing", "operator-unsupported", "type-error"},
	"module-missing":         {"import-incompatible", "attribute-error", "name-error", "type-error"},
	"import-incompatible":    {"module-missing", "attribute-error", "name-error", "type-error"},
	"shared-library-missing": {"module-missing", "import-incompatible", "attribute-error", "name-error", "device-unavailable", "operator-unsupported"},
	"version-conflict":       {"module-missing", "import-incompatible", "attribute-error", "name-error", "device-unavailable", "operator-unsupported", "type-error"},
	"data-corrupt":           {"type-error", "value-error", "index-error", "attribute-error", "shape-mismatch", "data-out-of-range"},
	"loss-diverged":          {"value-error", "assertion-failed", "exception-other"},
	"startup-command-failed": {"file-missing", "module-missing"},
}

// missing are the causes that follow when files could not be fetched, read or
// written; absent is what keeps them from it.
var (
	missing = []string{"file-missing", "data-corrupt", "checkpoint-corrupt", "checkpoint-mismatch", "io-error", "config-invalid", "value-error", "startup-command-failed", "module-missing"}
	absent  = []string{"disk-full", "file-missing", "permission-denied", "object-storage-access", "io-error", "download-failed", "auth-required", "network-error", "credential-failed", "checkpoint-corrupt"}
)

// machine are the causes that lie below the program: they may show themselves
// in any way, and long after their first sign.
var machine = []string{"device-fault", "device-unavailable", "device-illegal-access", "device-assert", "device-execution-failed", "host-oom", "node-failure", "shm-exhausted"}

// survived puts out the errors from which a program went on with something
// else, where a traceback that nobody caught ended it later and does not follow
// from them. What an error record tells is left as a rival.
func (j *judge) survived() {
	for _, c := range j.all {
		if c.fate != nil || c.tier != proven || c.uncaught() && !c.event.Instead && !c.aside() && !c.forewarned() && c.habit == nil {
			continue
		}
		if end := j.outlived(c, true); end != nil {
			c.out("survived", map[string]string{"line": strconv.Itoa(max(c.event.Calm.Number, end.event.Quote.Number))})
			c.by = end
		}
	}
}

// outlived gives the traceback that ended the process of an error that did not
// lead to it, nil when there is none. With went, the program must have gone on
// with something else in between.
func (j *judge) outlived(c *candidate, went bool) *candidate {
	if c.event.Quote.Kind != source.Log || slices.Contains(machine, c.cause) && !c.avoided() || stopCauses[c.cause] {
		return nil
	}
	if c.habit == nil && (waitCauses[c.cause] || !rankKnown(c) && j.parallel()) {
		return nil
	}
	for _, e := range j.all {
		if !sameRun(e.event, c.event) || e.fate != nil || e.tier != proven || !e.ended() || e.vague() || !atEnd(e) {
			continue
		}
		begin := e.trace.Traceback.Start
		shell := c.event.Rule.Family == "shell" && c.trace == nil // the script went on and started the program
		if !e.uncaught() && e.trace.Above == scan.Shorten(c.event.Quote.Text) {
			continue // the record that carries the traceback is the candidate itself
		}
		if c.event.Seq >= begin || went && !shell && !c.warned() && !c.replaced() && c.habit == nil && (c.event.Calm.Seq == 0 || c.event.Calm.Seq >= begin) {
			continue
		}
		if !waitCauses[e.cause] && !c.leadsTo(e) && !cleansUp(e) {
			return e
		}
	}
	return nil
}

// ended reports whether the candidate is a traceback that may have ended its
// program: nobody caught it, or a record of an error carries it, the last thing
// that was done with it.
func (c *candidate) ended() bool {
	return c.uncaught() || c.trace != nil && scan.IsError(c.trace.AboveLvl) && c.event.Calm.Seq == 0 && c.trace.Traceback.Ignored == ""
}

// warned reports whether a record of a warning carries the traceback, or one of an
// error that says how the program goes on.
func (c *candidate) warned() bool {
	return c.tries() || c.trace != nil && c.trace.Logged() && !scan.IsError(c.trace.AboveLvl) && scan.GoesWithout(c.trace.Above)
}

// aside reports whether an exception was raised in a thread beside the main one,
// which ends without its program.
func (c *candidate) aside() bool {
	return c.trace.Traceback.Thread != "" && c.trace.Traceback.Thread != "MainThread"
}

// forewarned reports whether the line above a traceback names what it lacks, and
// says how the program goes on without: the traceback is only shown.
func (c *candidate) forewarned() bool {
	return c.trace != nil && c.trace.AboveLvl == "" && slices.Contains(replaceable, c.cause) && scan.Overcomes(c.trace.Above) && c.names(strings.ToLower(c.trace.Above))
}

func mayLeadTo(a, b string) bool {
	return slices.Contains(leadsTo[a], b) || slices.Contains(absent, a) && slices.Contains(missing, b)
}

// replaceable are the causes that lead to nothing, but to what has the same name,
// where the program said that it goes on without.
var replaceable = []string{"file-missing", "module-missing", "import-incompatible", "shared-library-missing", "version-conflict", "kernel-build-failed"}

// avoided reports whether the program said that it goes on without a kernel of a
// device that had failed: such a failure leaves the device as it was.
func (c *candidate) avoided() bool {
	return c.trace != nil && c.event.Instead && c.cause == "device-execution-failed"
}

// replaced reports whether a line that is no traceback says itself what the program
// uses in place of what it lacks.
func (c *candidate) replaced() bool { return c.trace == nil && c.overcame() }

// goneWithout reports whether a line that is no traceback tells of something missing,
// and the program said below it what it uses in place of that, and went on.
func (c *candidate) goneWithout() bool {
	return c.trace == nil && c.event.Instead && c.event.Calm.Seq != 0 && slices.Contains(replaceable, c.cause)
}

// leadsTo reports whether an exception may follow from an error before it.
func (c *candidate) leadsTo(e *candidate) bool {
	if (c.event.Instead || c.replaced()) && slices.Contains(replaceable, c.cause) {
		return c.names(e.event.Quote.Text)
	}
	if c.habit != nil { // nothing came of it before
		return e.cause == c.cause
	}
	return e.cause == c.cause || mayLeadTo(c.cause, e.cause) || c.withheld(e) || c.refused(e)
}

// usage reads the line by which a program refuses its arguments (Lib/argparse.py).
var usage = lazy.Regexp(`^([\w.-]+\.py): error: `)

// refused reports whether a candidate is the refusal of an earlier program, which
// made nothing then, and another program misses something.
func (c *candidate) refused(e *candidate) bool {
	m := usage().FindStringSubmatch(c.event.Quote.Text)
	if c.trace != nil || e.trace == nil || m == nil || !slices.Contains(missing, e.cause) {
		return false
	}
	frames := e.trace.Traceback.Exceptions[0].Frames
	return len(frames) > 0 && path.Base(frames[0].File) != m[1]
}

// withheld reports whether a broken archive may be why a file is missing later.
func (c *candidate) withheld(e *candidate) bool {
	return c.event.Rule.Family == "shell" && c.trace == nil && c.cause == "data-corrupt" && e.cause == "file-missing"
}

// cleansUp reports whether a traceback came of saving or ending, as programs do
// when something else has failed.
func cleansUp(c *candidate) bool {
	return c.within(saving()) || c.within(ending())
}

var ending = lazy.Regexp(`(?i)clean|final|shutdown|close|teardown|emergency|destroy|exit|abort|__del__`)

// contested adds to the rivals of a root what its program had met and gone on
// from, or met after it had gone on from the root.
func (j *judge) contested(root *candidate) {
	for _, c := range j.all {
		serious := c.trace != nil && !c.event.Instead && !c.forewarned() && !c.tries() && c.habit == nil || c.trace == nil && scan.IsError(c.event.Quote.Level)
		if c.fate != nil && c.fate.Code == "survived" && c.by == root && serious {
			j.rivals = append(j.rivals, c)
		}
	}
	others, names := j.otherJobs(root)
	j.rivals, j.jobs = append(append(j.rivals, j.cutOff(root)...), others...), names
	for _, e := range j.standing(proven) {
		if root.event.Seq < e.event.Seq && oneLog(root.event, e.event) && root.refused(e) {
			j.rivals = append(j.rivals, e)
		}
	}
	if root.tier == proven {
		if end := j.outlived(root, root.uncaught() && !root.aside()); end != nil {
			j.rivals = append(j.rivals, end)
		}
	}
}
