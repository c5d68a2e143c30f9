package verdict

import (
	"slices"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/scan"
)

// newRun is the rule that reads where, in a text that several runs were written
// to, one of them begins: what a shell or a notebook was told, a banner.
const newRun = "sh-new-run"

// olderRuns puts out the failures of runs after which somebody began another in
// the same text: whoever reads it asks about the last. What the last run met
// because an earlier step had failed is left with that step.
func (j *judge) olderRuns() {
	for _, c := range j.all {
		last := j.lastRun(c)
		if last == nil {
			continue
		}
		if !again(j.runOf(c), last) && !j.installed(c) && j.ledTo(c, last) {
			continue
		}
		c.out("older-run", map[string]string{"line": strconv.Itoa(last.Quote.Number)})
	}
}

// lastRun gives the beginning of the last run of a candidate's text that begins
// behind the candidate, nil when there is none.
func (j *judge) lastRun(c *candidate) *scan.Event {
	var last *scan.Event
	for _, e := range j.byRule[newRun] {
		if e.Stream == c.event.Stream && e.Seq > c.event.Seq {
			last = e
		}
	}
	return last
}

// runOf gives the beginning of the run that a candidate stands in, nil when it
// is not there.
func (j *judge) runOf(c *candidate) *scan.Event {
	var of *scan.Event
	for _, e := range j.byRule[newRun] {
		if e.Stream == c.event.Stream && e.Seq < c.event.Seq {
			of = e
		}
	}
	return of
}

// again reports whether a run is one more of what an earlier one was: the same
// program, or the whole of a script.
func again(earlier, last *scan.Event) bool {
	if last.Values.Get("cell") != "" {
		return false
	}
	program := last.Values.Get("program")
	return program == "" || earlier == nil || earlier.Values.Get("program") == program
}

// ledTo reports whether something that a last run met may follow from a failure
// of an earlier one.
func (j *judge) ledTo(c *candidate, last *scan.Event) bool {
	return slices.ContainsFunc(j.all, func(o *candidate) bool {
		return o.event.Stream == c.event.Stream && o.event.Seq > last.Seq && (o.cause == c.cause || mayLeadTo(c.cause, o.cause))
	})
}

// installed reports whether the module that a candidate lacked was installed
// after it.
func (j *judge) installed(c *candidate) bool {
	module, _, _ := strings.Cut(c.event.Values.Get("module"), ".")
	return module != "" && slices.ContainsFunc(j.byRule["pip-installed"], func(e *scan.Event) bool {
		text := strings.ReplaceAll(strings.ToLower(e.Quote.Text), "-", "_")
		return e.Seq > c.event.Seq && e.Stream == c.event.Stream && strings.HasPrefix(text, "successfully") && strings.Contains(text, strings.ToLower(module)+"_")
	})
}
