package modelarts

import "slices"

// sigterm is the exit code of a process that was told to end: 128 + SIGTERM.
const sigterm = 143

// Newest returns the newest run of the job that the answers tell of.
func (j Job) Newest() (Record, bool) {
	if len(j.Records) == 0 {
		return Record{}, false
	}
	return j.Records[len(j.Records)-1], true
}

// Culprit returns the task that the platform names as the one that ended the
// newest run, "" when it names none.
func (j Job) Culprit() string {
	rec, _ := j.Newest()
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

// Scenarios returns the platform's own reading of each fault that it recovered
// or tried to recover from, oldest first: "chip_fault", "job_failed", ….
func (j Job) Scenarios() []Recovery {
	var all []Recovery
	for _, rec := range j.Records {
		for _, r := range rec.Recoveries {
			if r.Scenario != "" {
				all = append(all, r)
			}
		}
	}
	return all
}

// Ended tells whether the stage is over.
func (s Stage) Ended() bool { return !s.End.IsZero() || PhaseOf(s.Status).Ended() }

// Unfinished returns the stage of the newest run that has not ended: where the
// job stands.
func (j Job) Unfinished() (Stage, bool) {
	for i := len(j.Stages) - 1; i >= 0; i-- {
		s := j.Stages[i]
		if s.Order != j.Stages[len(j.Stages)-1].Order {
			break
		}
		if !s.Ended() {
			return s, true
		}
	}
	return Stage{}, false
}

// LogIsPart tells whether a preview holds only the end of its log.
func (p Preview) LogIsPart() bool { return p.Current > 0 && p.Current < p.Full }
