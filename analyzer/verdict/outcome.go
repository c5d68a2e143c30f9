package verdict

import (
	"slices"
	"strconv"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
)

// storageCauses keep a file from being written.
var storageCauses = map[string]bool{
	"disk-full": true, "permission-denied": true, "object-storage-access": true, "quota-exceeded": true, "shm-exhausted": true,
}

var saving = lazy.Regexp(`(?i)sav(?:e|ing)|checkpoint|ckpt|保存`)

// unsaved reports whether a job that ended well had failed to write a
// checkpoint: it went on without, and no later line tells that one was written.
func (j *judge) unsaved(c *candidate) bool {
	if !j.end.succeeded || c.tier != proven || c.trace == nil || !storageCauses[c.cause] {
		return false
	}
	later := func(e *scan.Event) bool { return e.Stream == c.event.Stream && e.Seq > c.event.Seq }
	return (saving().MatchString(c.trace.Above) || c.within(saving())) && !slices.ContainsFunc(j.told[rules.Saved], later)
}

// swallowed reports whether a traceback that a log record of an error carries
// was the last word of a program that ended well: it caught what broke it off.
func (j *judge) swallowed(c *candidate) bool {
	if c.trace == nil || !scan.IsError(c.trace.AboveLvl) || waitCauses[c.cause] || c.tries() {
		return false
	}
	return len(c.exception().UserFrames()) > 0 && j.finished(c) == nil
}

// outcome says where the state of the job and the failure do not fit: the state
// tells of success, or only something after the training failed.
func (j *judge) outcome(root *candidate) *Reason {
	if root.anew {
		return nil
	}
	if j.end.succeeded {
		hides := j.hiding(root)
		switch {
		case root.tier == doubted:
			return &Reason{"unsaved", map[string]string{"line": strconv.Itoa(root.event.Quote.Number)}}
		case hides == nil:
			return &Reason{Code: "masked-failure"}
		case hides.Values.Get("how") == "tee":
			return &Reason{"masked-by-pipe", map[string]string{"line": strconv.Itoa(hides.Quote.Number)}}
		}
		return &Reason{"masked-by-shell", map[string]string{"line": strconv.Itoa(hides.Quote.Number), "how": hides.Values.Get("how")}}
	}
	if e := j.finished(root); e != nil && !stopCauses[root.cause] {
		return &Reason{"failed-after-training", map[string]string{"line": strconv.Itoa(e.Quote.Number)}}
	}
	return nil
}

// hiding gives the line of the root's task that shows how the exit code of the
// script was lost, nil when there is none.
func (j *judge) hiding(root *candidate) *scan.Event {
	for _, e := range j.told[rules.ExitHidden] {
		if taskOf(e) == taskOf(root.event) && e.Quote.Doc == root.event.Quote.Doc && e.Seq < root.event.Seq {
			return e
		}
	}
	return nil
}

// finished gives the line by which the root's process says that its training
// was over before, in the same attempt and with no step after it.
func (j *judge) finished(root *candidate) *scan.Event {
	var last *scan.Event
	for _, e := range j.told[rules.Finished] {
		if !e.Quote.Platform && sameRun(e, root.event) && e.Seq < root.event.Seq {
			last = e
		}
	}
	if last == nil {
		return nil
	}
	if marks := last.Stream.Progress; len(marks) > 0 && marks[len(marks)-1].Seq > last.Seq {
		return nil
	}
	return last
}

// finishedAfter reports whether a candidate's process said later, in the same
// attempt, that its training was over.
func (j *judge) finishedAfter(c *candidate) bool {
	return slices.ContainsFunc(j.told[rules.Finished], func(e *scan.Event) bool {
		return !e.Quote.Platform && sameRun(e, c.event) && e.Seq > c.event.Seq
	})
}
