package modelarts

import (
	"slices"

	"hcloud-modelarts/analyzer/rules/codes"
)

// ToldToEnd reports whether an exit code is that of a process that ended on
// SIGTERM, in any of the forms in which that is told.
func ToldToEnd(code int) bool { return codes.SignalOf(code) == codes.SIGTERM }

// Culprit returns the task that the platform names as the one that ended the
// newest run, "" when it names none.
func (j Job) Culprit() string {
	if len(j.Records) == 0 {
		return ""
	}
	rec := j.Records[len(j.Records)-1]
	if rec.RelatedTask != "" || len(rec.Recoveries) == 0 {
		return rec.RelatedTask
	}
	return rec.Recoveries[len(rec.Recoveries)-1].RelatedTask
}

// FailedTasks returns the tasks that exited with another code than 0.
func (j Job) FailedTasks() []Task {
	var failed []Task
	for _, t := range j.Tasks {
		if t.ExitCode != nil && *t.ExitCode != 0 {
			failed = append(failed, t)
		}
	}
	return failed
}

// Innocents returns the tasks that were told to end because another one
// had failed: one with another code, or the one that the platform names.
func (j Job) Innocents() []Task {
	culprit := j.Culprit()
	failed := j.FailedTasks()
	other := slices.ContainsFunc(failed, func(t Task) bool { return !ToldToEnd(*t.ExitCode) })
	var innocent []Task
	for _, t := range failed {
		if ToldToEnd(*t.ExitCode) && t.Name != culprit && (other || culprit != "") {
			innocent = append(innocent, t)
		}
	}
	return innocent
}
