package modelarts

import "slices"

// sigterm is the exit code of a process that was told to end: 128 + SIGTERM.
const sigterm = 143

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

// Innocents returns the tasks that were told to end (143) because another one
// had failed: one with another code, or the one that the platform names.
func (j Job) Innocents() []Task {
	culprit := j.Culprit()
	failed := j.FailedTasks()
	other := slices.ContainsFunc(failed, func(t Task) bool { return *t.ExitCode != sigterm })
	var innocent []Task
	for _, t := range failed {
		if *t.ExitCode == sigterm && t.Name != culprit && (other || culprit != "") {
			innocent = append(innocent, t)
		}
	}
	return innocent
}
