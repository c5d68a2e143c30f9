package verdict

import (
	"slices"
	"strconv"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
)

// consequences judges what the platform did with a job after it had run: it
// restarts a job, and queues it again, for a reason that was told before, and it
// ends the other tasks where one has failed.
func (j *judge) consequences() {
	for _, c := range j.all {
		switch r := c.event.Rule; {
		case r.Tells(rules.Recovery):
			if j.reasonFor(c) {
				c.out("follows", nil)
			}
		case r.Tells(rules.QueueLost):
			if j.hadRun(c) {
				c.tier = max(c.tier, weak)
			}
		case c.cause == "stopped-by-user" && c.tier == weak:
			if task := j.failedBefore(c); task != "" {
				c.out("ended-elsewhere", map[string]string{"task": task})
			}
		}
	}
}

// reasonFor reports whether the platform told, shortly before it restarted the job,
// why.
func (j *judge) reasonFor(c *candidate) bool {
	return slices.ContainsFunc(j.all, func(o *candidate) bool {
		n, _ := j.clock.compare(o.event, c.event)
		before, exact := j.delay(o, c)
		return n < 0 && exact && before <= samePlatformFault && o.tier <= weak && o.event.Stream.Field != "" && !o.event.Rule.Tells(rules.Recovery) && !rules.TellsEnd(o.cause)
	})
}

// hadRun reports whether the job had run before an event.
func (j *judge) hadRun(c *candidate) bool {
	return slices.ContainsFunc(j.told[rules.Running], func(e *scan.Event) bool { return j.clock.later(c.event, e) })
}

// failedBefore gives the task that is known to have ended the job before another
// one was told to end, "" when there is none: the latter is no stop from outside.
func (j *judge) failedBefore(c *candidate) string {
	task := taskOf(c.event)
	if task == "" || j.c.Job.Phase == modelarts.PhaseTerminated {
		return ""
	}
	if t := j.c.Job.Culprit(); t != "" && t != task && !allTerminated(j.end.codes[t]) {
		return t
	}
	for _, e := range j.told[rules.Exit] {
		code, ok := exitCode(e)
		itself := ok && code != 0 && !modelarts.ToldToEnd(code)
		if itself && taskOf(e) != task && j.clock.later(c.event, e) {
			return taskOf(e)
		}
	}
	return ""
}

// endedThemselves gives the tasks of which events or logs tell that they ended
// by themselves with a code other than 0, and the code.
func (e end) endedThemselves() map[string]string {
	all := map[string]string{}
	for task, codes := range e.codes {
		for _, code := range codes {
			if task != "" && code != 0 && !modelarts.ToldToEnd(code) {
				all[task] = strconv.Itoa(code)
			}
		}
	}
	return all
}
