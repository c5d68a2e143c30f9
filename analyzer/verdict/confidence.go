package verdict

import (
	"slices"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// confidence says how sure a root is, and below HIGH why not surer.
func (j *judge) confidence(root *candidate) (Confidence, *Reason) {
	switch {
	case root.cause == "exit-nonzero" && !j.wholeLog(root):
		return Low, &Reason{Code: "only-exit-code"}
	case j.ofFullMemory(root):
		return High, nil
	case root.cause == "host-oom" && root.tier == exit:
		return Medium, &Reason{Code: "memory-near-full"}
	case root.tier == exit && root.event.Rule.Cause != "exit-nonzero" && !root.event.Rule.Tells(rules.Exit) && !root.relays():
		return Medium, &Reason{Code: "only-signal"}
	case root.tier == exit && !root.relays():
		return Medium, &Reason{Code: "only-exit-code"}
	case root.tier == lastSaid:
		return Medium, &Reason{Code: "last-words"}
	case root.tier == hearsay:
		return Medium, &Reason{Code: "hearsay"}
	case j.jobs != "":
		return Medium, &Reason{"several-jobs", map[string]string{"jobs": j.jobs}}
	case len(j.rivals) > 0:
		return Medium, &Reason{Code: "rivals"}
	case root.cause == hang && root.event.Quote.Kind == source.Event && j.stall != nil && (len(j.stands()) > 0 || j.idle() != nil):
		return High, nil // the platform, the steps, and the stacks or the devices agree
	case root.tier == weak:
		return Medium, &Reason{Code: "not-proven"}
	case waitCauses[root.cause] && j.absentees(root):
		return Medium, &Reason{Code: "absent"}
	case root.goneWithout():
		return Medium, &Reason{Code: "goes-without"}
	case root.tier == doubted && j.end.succeeded:
		return Medium, &Reason{Code: "masked"}
	case root.tier == doubted:
		return Medium, &Reason{Code: "went-on-others"}
	case root.trace != nil && j.endedByOthers(root):
		return Medium, &Reason{Code: "ended-by-others"}
	case root.vague() || root.event.Rule.Guess || root.raisedByLibrary():
		return Medium, &Reason{Code: "class-only"}
	case j.end.succeeded && !root.anew && j.hiding(root) == nil:
		return Medium, &Reason{Code: "masked"}
	case !j.end.failed && j.running() && root.trace == nil:
		return Medium, &Reason{Code: "still-running"}
	}
	return High, nil
}

// ofFullMemory reports whether a process was killed when memory had filled up, and
// nothing else is known that may have ended it. Memory of which much was left makes
// no kill one of this cause.
func (j *judge) ofFullMemory(root *candidate) bool {
	return root.cause == "host-oom" && j.memory != nil && len(j.rivals) == 0 &&
		(root.tier == weak || root.tier == exit && j.c.APIs["ListTrainingJobEvents"])
}

// endedByOthers reports whether the task of an exception ended on SIGTERM: what
// it raised, in a thread beside the main one or at its end, did not end it.
func (j *judge) endedByOthers(root *candidate) bool {
	return allTerminated(j.end.codes[taskOf(root.event)])
}

// absentees reports whether a root only tells that others did not come, while
// nothing at hand tells why: no log of theirs, or one that ends without a word.
func (j *judge) absentees(root *candidate) bool {
	a := j.awaited(j.waits())
	if a == nil {
		return root.event.Values.Get("joined") != ""
	}
	return slices.ContainsFunc(a.tasks, func(task string) bool { // ended by itself, and its log does not say why
		return slices.ContainsFunc(j.end.codes[task], func(code int) bool { return code != 0 && !modelarts.ToldToEnd(code) })
	})
}

// allTerminated reports whether codes are known, and all are those of processes
// that were told to end.
func allTerminated(codes []int) bool {
	return len(codes) > 0 && !slices.ContainsFunc(codes, func(code int) bool { return !modelarts.ToldToEnd(code) })
}

// wholeLog reports whether the log that holds the candidate is there from its
// start to its end, so that its silence says something.
func (j *judge) wholeLog(c *candidate) bool {
	for _, p := range j.c.Job.Preview {
		if p.Current < p.Full {
			return false
		}
	}
	own := func(e *scan.Event) bool { return e.Quote.Doc == c.event.Quote.Doc }
	return slices.ContainsFunc(j.told[rules.Start], own) && slices.ContainsFunc(j.told[rules.Exit], own) && len(j.c.Job.Tasks) <= 1
}

// severity grades what a root means for the job.
func (j *judge) severity(root *candidate, c Confidence) Severity {
	switch {
	case stopCauses[root.cause] || root.cause == "resource-shortage":
		return Abnormal
	case j.c.Job.Phase == modelarts.PhaseRunning || root.cause == "hang":
		return Abnormal
	case c == High:
		return Fault
	}
	return Suspected
}

// evidenceRows is how many lines a report shows at the most.
const evidenceRows = 5

// evidence gives the decisive line, then what supports it: other lines of the
// same traceback that name something, and the last lines that tell how it ended.
func (j *judge) evidence(root *candidate) []scan.Quote {
	met, nan := j.met(root), j.firstNaN(root)
	rows := j.decisive(root, met, nan)
	if nan != nil {
		rows = addQuotes(rows, nan.event.Quote)
	}
	rows = addQuotes(rows, j.explained(root)...)
	if named := root.named(); named != nil {
		rows = addQuotes(rows, *named)
	}
	if d := j.displaced; d != nil && d.event.Rule == root.event.Rule {
		rows = addQuotes(rows, d.headline())
	}
	place := j.place(root)
	if place != nil && !root.deferred() {
		rows = addQuotes(rows, place.Quotes()...)
	}
	rows = addQuotes(rows, root.otherHeads()...)
	if met != nil {
		rows = addQuotes(rows, met.headline())
		if p := met.place(); p != nil {
			rows = addQuotes(rows, p.Quotes()...)
		}
	}
	rows = addQuotes(rows, j.cameTo(root)...)
	for _, c := range j.all {
		again := c.by == root && c.print == root.print
		agrees := c.cause == root.cause && c.event.Quote.Kind == source.Event && c.tier == proven && c.fate == nil // the platform found the same
		if (again || agrees) && c.event.Quote.Doc != root.event.Quote.Doc {
			rows = addQuotes(rows, c.event.Quote)
		}
	}
	if place != nil { // at the end where it says little
		rows = addQuotes(rows, place.Quotes()...)
	}
	return rows
}

// decisive gives the root's line with what says the same in words, before it where
// the line itself says nothing. What the program met and the first NaN may be nil.
func (j *judge) decisive(root, met, nan *candidate) []scan.Quote {
	_, told := j.values(root)
	words, further := j.worded(root)
	if met != nil && says(root.event.Quote.Text) == "" {
		words = addQuotes(words, met.headline())
	}
	if root.cause == "exit-nonzero" {
		words = addQuotes(words, lastWords(root)...)
	}
	if nan != nil && root.event.Seq-nan.event.Seq > messageGap { // it spread before anything told of it
		words = addQuotes(words, nan.event.Quote)
	}
	words = addQuotes(words, j.launched(root)...)
	return addQuotes(addQuotes(words, root.headline(), root.event.Quote), append(told, further...)...)
}

// otherHeads gives the lines of the other exceptions of a candidate's traceback.
func (c *candidate) otherHeads() (heads []scan.Quote) {
	if c.trace == nil {
		return nil
	}
	for i, h := range c.trace.Heads {
		if i != c.event.Exception && h != nil {
			heads = append(heads, *h)
		}
	}
	return heads
}

// firstNaN gives the line by which the numbers of a run first show to have gone
// wrong, where the root is what that came to.
func (j *judge) firstNaN(root *candidate) *candidate {
	if root.cause != "loss-diverged" {
		return nil
	}
	for _, c := range j.all {
		earlier := c.fate == nil || c.fate.Code == "same-failure" || c.fate.Code == "follows"
		if c.cause == root.cause && c.trace == nil && earlier && sameRun(c.event, root.event) && c.event.Seq < root.event.Seq {
			return c
		}
	}
	return nil
}

// met gives the exception by which the program met what a line without a stack
// tells of: whoever reads that looks for the place in the code as well. Faults of
// devices surface anywhere, but what is compiled for them fails where it is called.
func (j *judge) met(root *candidate) *candidate {
	if root.trace != nil || waitCauses[root.cause] || root.deferred() && root.cause != "kernel-build-failed" {
		return nil
	}
	mere := says(root.event.Quote.Text) == ""
	for _, c := range j.standing(proven) {
		same := c.uncaught() && c.cause == root.cause
		if (same || mere && c.atTop() && sameRun(c.event, root.event)) && !j.before(c, root) {
			return c
		}
	}
	return nil
}

// cameTo gives the exception that a program ended by after a line without a stack had
// told of the same cause.
func (j *judge) cameTo(root *candidate) []scan.Quote {
	if root.trace != nil || waitCauses[root.cause] {
		return nil
	}
	for _, c := range slices.Concat(j.standing(proven), j.standing(weak)) {
		if c.atTop() && c.cause == root.cause && !j.before(c, root) {
			rows := []scan.Quote{c.headline()}
			if h := c.trace.Heads[c.event.Exception]; h != nil {
				rows = append(rows, *h)
			}
			return rows
		}
	}
	return nil
}

// launched gives what a launcher tells of the process that ended, just above the line
// by which the platform tells of the end of the launcher.
func (j *judge) launched(root *candidate) []scan.Quote {
	if !root.event.Quote.Platform || !root.event.Rule.Tells(rules.Exit) {
		return nil
	}
	for _, c := range j.standing(exit) {
		gap := root.event.Seq - c.event.Seq
		if launchers[c.event.Rule.Family] && sameRun(c.event, root.event) && 0 < gap && gap <= messageGap {
			return []scan.Quote{c.event.Quote}
		}
	}
	return nil
}

// addQuotes adds quotes to the rows of a report, each line once, as many as it
// shows.
func addQuotes(rows []scan.Quote, more ...scan.Quote) []scan.Quote {
	for _, q := range more {
		there := slices.ContainsFunc(rows, func(r scan.Quote) bool {
			return r.Doc == q.Doc && r.Number == q.Number && r.Field == q.Field
		})
		if !there && q.Doc != nil && len(rows) < evidenceRows {
			rows = append(rows, q)
		}
	}
	return rows
}
