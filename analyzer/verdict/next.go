package verdict

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// PerTask are the operations that ask about one task of a job.
var PerTask = map[string]bool{
	"ShowTrainingJobLogsPreview": true, "ShowObsUrlOfTrainingJobLogs": true, "ShowTrainingJobMetrics": true,
}

// next lists what to do about the job, and before that the further evidence that would
// settle an open verdict, the cheapest first, without what is already at hand.
func next(c *Case, v *Verdict) []Next {
	after := afterwards(c, v)
	if v.Confidence == High {
		return after
	}
	var all []Next
	add := func(n Next) {
		if n.API != "" && c.APIs[n.API] && (n.Task == "" || n.API == "ShowTrainingJobMetrics") {
			return
		}
		if !slices.ContainsFunc(all, func(o Next) bool { return o.API == n.API && o.Task == n.Task && n.API != "" }) {
			all = append(all, n)
		}
	}
	for _, n := range cutLogs(c) {
		add(n)
	}
	if v.Rule != nil {
		for _, n := range confirmations(c, v) {
			add(n)
		}
	}
	if !uncreated(c, v) {
		for _, n := range answers(c, v) {
			add(n)
		}
	}
	return append(all, after...)
}

// answers are those of the service that would tell more of a job.
func answers(c *Case, v *Verdict) []Next {
	all := []Next{{API: "ShowTrainingJobDetails", Why: Reason{Code: "next-details"}}, {API: "ListTrainingJobEvents", Why: Reason{Code: "next-events"}}}
	for _, m := range missingLogs(c) {
		all = append(all, Next{API: "ShowTrainingJobLogsPreview", Task: m.Args["task"], Why: m})
	}
	for _, p := range c.Job.Preview {
		if p.Current < p.Full {
			all = append(all, Next{API: "ShowObsUrlOfTrainingJobLogs", Task: p.Task, Why: Reason{Code: "next-whole-log"}})
		}
	}
	if v.Doubt != nil && v.Doubt.Code == "no-log" && !c.Job.Phase.Waits() {
		all = append(all, Next{API: "ShowTrainingJobLogsPreview", Task: cmp.Or(taskToAsk(c, v), "worker-0"), Why: Reason{Code: "next-log-check"}})
	}
	if v.Cause == Unknown {
		all = append(all, Next{API: "ListTrainingJobTasks", Why: Reason{Code: "next-tasks"}})
	}
	return all
}

// afterwards is what to do about a job by the state that it is in: one that was
// ended from outside or waits needs no mending, one that runs is to be stopped
// first, and one that was not created is not there.
func afterwards(c *Case, v *Verdict) []Next {
	code := ""
	switch p := c.Job.Phase; {
	case v.Cause == None:
	case uncreated(c, v):
		code = "after-not-created"
	case v.Confidence != High:
		if v.Cause == hang && p == modelarts.PhaseRunning {
			code = "after-hang"
		}
	case v.Cause == "preempted" && (p.Waits() || p == modelarts.PhaseRunning):
		code = "after-queued-again"
	case v.Cause == "resource-shortage" && (p.Failed() || p == modelarts.PhaseTerminated):
		code = "after-queue-ended"
	case v.Cause == "resource-shortage" || stopCauses[v.Cause]:
		code = "after-" + v.Cause
	case p == modelarts.PhaseRunning:
		code = "after-running"
	}
	if code == "" {
		return nil
	}
	return []Next{{Why: Reason{Code: code}}}
}

// uncreated reports whether a call was refused that would have created the job.
func uncreated(c *Case, v *Verdict) bool {
	if v.anew {
		return true
	}
	if v.Rule == nil || !v.Rule.Tells(rules.Refused) || c.Job.ID != "" || c.Job.Name != "" || c.Job.Phase != modelarts.PhaseUnknown {
		return false
	}
	return v.Rule.Tells(rules.NoJob) || slices.ContainsFunc(c.Found.Events, func(e *scan.Event) bool {
		return e.Rule.Tells(rules.Call) && e.Values.Get("op") == "CreateTrainingJob"
	})
}

// cutLogs asks first for the end of logs that stop well before the process did:
// the failure most likely stands in what is missing.
func cutLogs(c *Case) []Next {
	var all []Next
	for _, t := range c.Job.Tasks {
		if t.Ended.IsZero() || t.ExitCode == nil || *t.ExitCode == 0 {
			continue
		}
		end, ok := logEnd(c, t.Name)
		if !ok || t.Ended.Sub(end) < cutAtLeast {
			continue
		}
		args := map[string]string{"task": t.Name, "end": end.UTC().Format(time.DateTime) + "Z", "exit": t.Ended.UTC().Format(time.DateTime) + "Z"}
		all = append(all, Next{API: "ShowTrainingJobLogsPreview", Task: t.Name, Why: Reason{"next-log-end", args}},
			Next{API: "ShowObsUrlOfTrainingJobLogs", Task: t.Name, Why: Reason{Code: "next-log-obs"}})
	}
	return all
}

// cutAtLeast is how long before the end of its process a log must stop to lack
// its end.
const cutAtLeast = 2 * time.Minute

// logEnd gives the last moment of a task's logs.
func logEnd(c *Case, task string) (time.Time, bool) {
	k := newClock(c)
	var last time.Time
	for _, s := range c.Found.Streams {
		if s.Task != task || s.Field != "" {
			continue
		}
		at, plain := k.of(s, s.End, s.EndZoned)
		if at.IsZero() {
			continue
		}
		if plain { // the pages and the logs of the service mean this zone
			at = at.Add(-serviceZone)
		}
		if at.After(last) {
			last = at
		}
	}
	return last, !last.IsZero()
}

// serviceZone is the zone of a container's clock where its log does not tell.
const serviceZone = 8 * time.Hour

// confirmations are what the rule that decided asks for, of the task that it
// was found on, or of the one that the others waited for; not the log of a task
// that is at hand already.
func confirmations(c *Case, v *Verdict) []Next {
	d, err := v.Rule.Brief()
	if err != nil {
		return nil // the pack's test has read every file; a user's pack is read whole
	}
	task := taskToAsk(c, v)
	var all []Next
	for _, f := range d.Confirm {
		if f.API == "ShowTrainingJobLogsPreview" && len(v.Silent)+len(v.SilentTasks) > 0 && hasLog(c, task) {
			continue // its last lines are among the evidence
		}
		if f.API == "ShowTrainingJobLogsPreview" && v.Cause == hang && quotes(v, task) {
			continue // what the job did last is among the evidence
		}
		if f.API == "" && strings.Contains(f.Why.EN, "py-spy") && slices.ContainsFunc(v.Findings, func(r Reason) bool { return r.Code == "stands" }) {
			continue // the stacks are at hand
		}
		n := Next{API: f.API, Text: &f.Why}
		if PerTask[f.API] {
			n.Task = task
		}
		all = append(all, n)
	}
	return all
}

// taskToAsk is the task whose evidence would tell more: that of the rank that
// the others waited for, else that of the decisive line, else the only one.
func taskToAsk(c *Case, v *Verdict) string {
	if len(v.SilentTasks) > 0 {
		return v.SilentTasks[0]
	}
	if len(v.Silent) > 0 {
		for _, s := range c.Found.Streams {
			if s.Task != "" && slices.Contains(v.Silent, strconv.Itoa(s.Rank)) {
				return s.Task
			}
		}
		return ""
	}
	if len(v.Evidence) > 0 && v.Evidence[0].Task != "" {
		return v.Evidence[0].Task
	}
	if len(c.Job.Tasks) == 1 {
		return c.Job.Tasks[0].Name
	}
	only := ""
	for _, s := range c.Found.Streams {
		if s.Task != "" && only != "" && s.Task != only {
			return ""
		}
		only = cmp.Or(only, s.Task)
	}
	return only
}

// quotes reports whether the evidence after the decisive line shows a log, that of a
// task where one is named.
func quotes(v *Verdict, task string) bool {
	return len(v.Evidence) > 1 && slices.ContainsFunc(v.Evidence[1:], func(q scan.Quote) bool {
		return q.Kind == source.Log && (task == "" || q.Task == task)
	})
}

// hasLog reports whether a log of the task is at hand.
func hasLog(c *Case, task string) bool {
	return slices.ContainsFunc(c.Found.Streams, func(s *scan.Stream) bool { return s.Task == task && task != "" && s.Field == "" })
}

// askedLogs is how many logs are asked for where nobody says which task ended
// the job.
const askedLogs = 4

// missingLogs names the tasks whose log would tell most and is not at hand, and
// why: the task that the platform says ended the run, else those that ended with
// an exit code of their own. Where nothing is known of any task it is the first.
func missingLogs(c *Case) []Reason {
	seen := map[string]bool{}
	for _, s := range c.Found.Streams {
		if s.Field == "" || s.Lines > 1 {
			seen[s.Task] = true
		}
	}
	noLog := len(seen) == 0
	var all []Reason
	add := func(code, task, exit string) {
		if task != "" && !seen[task] {
			seen[task] = true
			all = append(all, Reason{code, map[string]string{"task": task, "code": exit}})
		}
	}
	for i := len(c.Job.Records) - 1; i >= 0; i-- {
		add("next-log-ended-run", c.Job.Records[i].RelatedTask, "")
	}
	if len(all) > 0 { // the others ended because of these
		return all
	}
	for _, t := range c.Job.Tasks {
		if t.ExitCode != nil && *t.ExitCode != 0 && !modelarts.ToldToEnd(*t.ExitCode) && len(all) < askedLogs {
			add("next-log-exit", t.Name, strconv.Itoa(*t.ExitCode))
		}
	}
	codes := endOf(c).endedThemselves()
	for _, task := range slices.Sorted(maps.Keys(codes)) { // as events tell
		if len(all) < askedLogs {
			add("next-log-exit", task, codes[task])
		}
	}
	if len(all) == 0 && c.Job.Phase == modelarts.PhaseFailed && noLog {
		add("next-log", "worker-0", "")
	}
	return all
}
