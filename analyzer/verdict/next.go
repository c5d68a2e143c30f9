package verdict

import (
	"slices"

	"hcloud-modelarts/analyzer/modelarts"
)

// PerTask are the operations that ask about one task of a job.
var PerTask = map[string]bool{
	"ShowTrainingJobLogsPreview": true, "ShowObsUrlOfTrainingJobLogs": true, "ShowTrainingJobMetrics": true,
}

// next lists the further evidence that would settle an open verdict, the
// cheapest first, without what is already at hand.
func next(c *Case, v *Verdict) []Next {
	if v.Confidence == High {
		return nil
	}
	var all []Next
	add := func(n Next) {
		if n.API != "" && c.APIs[n.API] && (n.Task == "" || !PerTask[n.API]) {
			return
		}
		if !slices.ContainsFunc(all, func(o Next) bool { return o.API == n.API && o.Task == n.Task && n.API != "" }) {
			all = append(all, n)
		}
	}
	if v.Rule != nil {
		for _, n := range confirmations(v) {
			add(n)
		}
	}
	add(Next{API: "ShowTrainingJobDetails", Why: Reason{Code: "next-details"}})
	add(Next{API: "ListTrainingJobEvents", Why: Reason{Code: "next-events"}})
	for _, task := range missingLogs(c) {
		add(Next{API: "ShowTrainingJobLogsPreview", Task: task, Why: Reason{"next-log", map[string]string{"task": task}}})
	}
	for _, p := range c.Job.Preview {
		if p.Current < p.Full {
			add(Next{API: "ShowObsUrlOfTrainingJobLogs", Task: p.Task, Why: Reason{Code: "next-whole-log"}})
		}
	}
	if v.Cause == Unknown {
		add(Next{API: "ListTrainingJobTasks", Why: Reason{Code: "next-tasks"}})
	}
	return all
}

// confirmations are what the rule that decided asks for, of the task that it
// was found on.
func confirmations(v *Verdict) []Next {
	d, err := v.Rule.Detail()
	if err != nil {
		return nil // the pack's test has read every file; a user's pack is read whole
	}
	task := ""
	if len(v.Evidence) > 0 {
		task = v.Evidence[0].Task
	}
	var all []Next
	for _, c := range d.Confirm {
		all = append(all, Next{API: c.API, Task: task, Text: &c.Why})
	}
	return all
}

// missingLogs names the tasks whose log would tell most and is not at hand: the
// task that the platform says ended the run, then those that failed by
// themselves.
func missingLogs(c *Case) []string {
	have := map[string]bool{}
	for _, s := range c.Found.Streams {
		if s.Field == "" || s.Lines > 1 {
			have[s.Task] = true
		}
	}
	var tasks []string
	add := func(t string) {
		if t != "" && !have[t] && !slices.Contains(tasks, t) {
			tasks = append(tasks, t)
		}
	}
	for i := len(c.Job.Records) - 1; i >= 0; i-- {
		add(c.Job.Records[i].RelatedTask)
	}
	for _, t := range c.Job.Tasks {
		if t.ExitCode != nil && *t.ExitCode != 0 && *t.ExitCode != 143 {
			add(t.Name)
		}
	}
	if len(tasks) == 0 && c.Job.Phase == modelarts.PhaseFailed && len(have) == 0 {
		add("worker-0")
	}
	return tasks
}
