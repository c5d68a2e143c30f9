package verdict

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
)

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
	for _, e := range j.told[rules.NewRun] {
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
	for _, e := range j.told[rules.NewRun] {
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
	return module != "" && slices.ContainsFunc(j.told[rules.Installed], func(e *scan.Event) bool {
		text := strings.ReplaceAll(strings.ToLower(e.Quote.Text), "-", "_")
		return e.Seq > c.event.Seq && e.Stream == c.event.Stream && strings.HasPrefix(text, "successfully") && strings.Contains(text, strings.ToLower(module)+"_")
	})
}

// life is when a log begins and ends, as the platform's own lines in it tell.
type life struct {
	begin, end time.Time
	plain      bool // the zone of the times is unknown
}

// lives gives the logs that hold the beginning and the end of a training, by series.
func (j *judge) lives() map[string]life {
	all := map[string]life{}
	for _, e := range j.c.Found.Events {
		exits := e.Rule.Tells(rules.Exit)
		if e.Quote.Field != "" || !e.Rule.Tells(rules.Start) && !exits {
			continue
		}
		at, plain := j.clock.of(e.Stream, cmp.Or(e.At, e.Until), e.Zoned)
		l := all[scan.Series(e.Quote.Doc)]
		switch {
		case at.IsZero():
		case exits:
			l.end, l.plain = at, plain
		case l.begin.IsZero():
			l.begin, l.plain = at, plain
		}
		all[scan.Series(e.Quote.Doc)] = l
	}
	return all
}

// olderJobs puts out what stands in the log of a training that had ended more than
// a day before that of another log began, which failed as well: no task of one job
// begins so late.
func (j *judge) olderJobs() {
	lives := j.lives()
	failed := map[string]bool{}
	for _, c := range j.all {
		failed[scan.Series(c.event.Quote.Doc)] = true
	}
	for _, c := range j.all {
		of := scan.Series(c.event.Quote.Doc)
		own := lives[of]
		if own.end.IsZero() || c.event.Quote.Field != "" {
			continue
		}
		for series, l := range lives {
			if series != of && failed[series] && l.plain == own.plain && l.begin.Sub(own.end) > oldAfter {
				c.out("older-job", nil)
			}
		}
	}
}
