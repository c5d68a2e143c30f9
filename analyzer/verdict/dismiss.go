package verdict

import (
	"slices"
	"strconv"
	"time"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// dismiss puts out, each with its reason, the candidates that cannot be the
// root whatever else there is.
func (j *judge) dismiss() {
	j.printed()
	j.heard()
	j.olderRuns()
	j.olderJobs()
	j.earlierMatters()
	j.recovered()
	j.resumed()
	j.askedAgain()
	j.flaps()
	j.stale()
	for _, c := range j.all {
		j.judgeAlone(c)
	}
	j.habits()
	j.consequences()
	j.stopped()
	j.toldByOthers()
	j.afterPeers()
	j.strangers()
	j.prepared()
	j.survived()
	j.records()
	j.repeated()
	j.unmade()
}

// recovered puts out the failures of attempts after which a later attempt made
// progress: what they met was overcome.
func (j *judge) recovered() {
	latest := map[string]int{}
	for _, s := range j.c.Found.Streams {
		for _, m := range s.Progress {
			series := scan.Series(s.Doc)
			latest[series] = max(latest[series], m.Attempt)
		}
	}
	for _, c := range j.all {
		if a := latest[scan.Series(c.event.Quote.Doc)]; c.event.Attempt < a {
			c.out("attempt-recovered", map[string]string{"attempt": strconv.Itoa(c.event.Attempt + 1), "later": strconv.Itoa(a + 1)})
		}
	}
}

// resumed puts out what answers tell of runs before the newest one, where that
// one still goes on or ended well: the platform had recovered the job.
func (j *judge) resumed() {
	if p := j.c.Job.Phase; p != modelarts.PhaseRunning && p != modelarts.PhaseCompleted {
		return
	}
	var starts []time.Time
	for _, r := range j.c.Job.Records {
		if !r.Start.IsZero() {
			starts = append(starts, r.Start)
		}
	}
	slices.SortFunc(starts, time.Time.Compare)
	for _, c := range j.all {
		at := c.event.At
		if c.event.Stream.Field == "" {
			continue
		}
		n, _ := slices.BinarySearchFunc(starts, at, func(start, at time.Time) int { return start.Compare(at) })
		if n > 0 && n < len(starts) {
			c.out("attempt-recovered", map[string]string{"attempt": strconv.Itoa(n), "later": strconv.Itoa(len(starts))})
		}
	}
}

// staleAfter is how long before the first line of the job's logs a record of the
// kernel must lie to be of something else: logs may lack their head.
const staleAfter = time.Hour

// oldAfter is how long before the job was created a log without a zone must have
// ended to be another job's: more than the zones of the world lie apart.
const oldAfter = 26 * time.Hour

// old reports whether the text of a candidate ended before its job was created.
func (j *judge) old(c *candidate) bool {
	s := c.event.Stream
	end, _ := j.clock.of(s, s.Last.Time, s.Last.Zoned)
	if end.IsZero() {
		end = c.event.At
	}
	return s.Field == "" && !end.IsZero() && j.c.Job.Created.Sub(end) > oldAfter // a zero time is before all others
}

// stale puts out what the kernel or a device wrote long before the job's logs
// begin, since a node keeps the records of jobs before this one, and the logs of
// older jobs. The clock of a device's log may be of another zone; what a device
// wrote into the log of a job is of that job, whatever its date.
func (j *judge) stale() {
	start := map[bool]time.Time{} // by whether the zone is unknown
	for _, s := range j.c.Found.Streams {
		if s.First.Kind != source.Log {
			continue
		}
		at, plain := j.clock.of(j.began(s))
		if !at.IsZero() && (start[plain].IsZero() || at.Before(start[plain])) {
			start[plain] = at
		}
	}
	for _, c := range j.all {
		s := j.clock.span(c.event)
		least, kept := keptFrom(c)
		first := start[s.plain]
		if kept && !s.until.IsZero() && first.Sub(s.until) > least || j.old(c) {
			c.out("before-job", nil)
		}
	}
}

// keptFrom reports whether a candidate stands in a record that outlives jobs, and
// how long before the job's logs it must lie at the least to be of another.
func keptFrom(c *candidate) (least time.Duration, kept bool) {
	switch c.event.Quote.Kind {
	case source.Kernel:
		return staleAfter, true
	case source.Device:
		return oldAfter, c.event.Stream.First.Kind != source.Log
	}
	return 0, false
}

// began gives the first time that a stream tells: of its first line, else of the
// first event or step that has one.
func (j *judge) began(s *scan.Stream) (*scan.Stream, time.Time, bool) {
	if !s.First.Time.IsZero() {
		return s, s.First.Time, s.First.Zoned
	}
	for _, e := range j.c.Found.Events {
		if e.Stream == s && !e.Quote.Time.IsZero() {
			return s, e.Quote.Time, e.Quote.Zoned
		}
	}
	for _, m := range s.Progress {
		if !m.Time.IsZero() {
			return s, m.Time, m.Zoned
		}
	}
	return s, time.Time{}, false
}

// judgeAlone asks of one candidate whether its stream went on as if nothing had
// happened.
func (j *judge) judgeAlone(c *candidate) {
	if c.trace != nil && c.trace.Traceback.Ignored != "" {
		c.out("teardown", nil)
		return
	}
	if c.informs() {
		c.out("informs", nil)
		return
	}
	if c.tier == echo {
		if m, _ := j.progressAfter(c); stepsAfter(c, c.event.Stream) > 1 {
			c.out("went-on", map[string]string{"step": stepText(m), "line": strconv.Itoa(m.Number)})
		}
		return
	}
	if e := j.passed(c); e != nil {
		c.out("passed", map[string]string{"line": strconv.Itoa(e.Quote.Number)})
		return
	}
	if c.event.Rule.Tells(rules.Queueing) && j.queued(c) < longQueue {
		c.out("short-wait", nil)
		return
	}
	m, went := j.progressAfter(c)
	switch {
	case j.unsaved(c), j.neverBack(c):
		c.tier = doubted
		return
	case !went || c.event.Quote.Kind != source.Log:
	case c.tier == proven && c.uncaught() && !rankKnown(c) && !j.end.succeeded && (j.parallel() || stepsAfter(c, c.event.Stream) < 2 || j.lastWord(c)):
		c.tier = doubted // another process of the same log may have gone on, or had a step under way
	default:
		c.out("went-on", map[string]string{"step": stepText(m), "line": strconv.Itoa(m.Number)})
	}
	if j.end.succeeded && !c.anew && (j.apart(c) || j.finishedAfter(c) || !(c.tier == proven && atEnd(c) && (c.uncaught() && !c.inset() || j.swallowed(c)))) {
		c.out("succeeded", nil)
	}
}

// lastSteps is how many lines with a step a program prints at the most while it
// ends: what it reached, for training and for validation, for each of its meters.
const lastSteps = 4

// lastWord reports whether a job that failed had no more than a few lines to print
// behind a traceback that had come up to the main module, and was not killed later.
func (j *judge) lastWord(c *candidate) bool {
	return j.end.failed && c.atTop() && atEnd(c) && stepsAfter(c, c.event.Stream) <= lastSteps && !j.died("killed") && !j.died("segfault")
}

// apart reports whether a candidate stands in a file that nothing ties to the
// job, whose state is known and whose own logs tell how its tasks ended: another
// run left it.
func (j *judge) apart(c *candidate) bool {
	return j.c.Job.Phase != modelarts.PhaseUnknown && c.event.Quote.Kind == source.Log && c.event.Stream.Field == "" &&
		taskOf(c.event) == "" && rankOfEvent(c) < 0 && len(j.end.codes) > 0 && len(j.end.codes[""]) == 0
}

// strangers puts out what stands in files that nothing ties to the job when the
// job's own logs prove a failure and no time tells that the file's was earlier.
func (j *judge) strangers() {
	proofs := j.standing(proven)
	for _, c := range proofs {
		if !j.apart(c) {
			continue
		}
		if slices.ContainsFunc(proofs, func(o *candidate) bool {
			n, _ := j.clock.compare(c.event, o.event)
			return n >= 0 && taskOf(o.event) != "" && o.print != c.print
		}) {
			c.out("other-run", nil)
		}
	}
}

// neverBack reports whether numbers that had turned NaN or Inf were still so at
// the last step: steps go on after that, and teach the model nothing.
func (j *judge) neverBack(c *candidate) bool {
	return c.cause == "loss-diverged" && slices.ContainsFunc(j.all, func(o *candidate) bool {
		if o.cause != c.cause || o.event.Stream != c.event.Stream || o.event.Seq <= c.event.Seq {
			return false
		}
		_, went := progressOf(o, o.event.Stream)
		return !went
	})
}

// parallel reports whether several processes of the job were at work, so that
// one of them may have been gone while others went on: some waited in vain, a
// launcher looked after them, or their lines name more than one rank.
func (j *judge) parallel() bool {
	for _, s := range j.c.Found.Streams {
		if len(s.Named) > 1 {
			return true
		}
	}
	return slices.ContainsFunc(j.all, func(c *candidate) bool {
		return waitCauses[c.cause] || c.tier == echo && launchers[c.event.Rule.Family]
	})
}

// launchers are the families of rules that read what launchers print.
var launchers = map[string]bool{"torchelastic": true, "deepspeed": true, "slurm": true}

// longQueue is how long a job waits for resources before that is worth a
// verdict: the service itself gives up a re-issued job after as long.
const longQueue = 30 * time.Minute

// queued is how long a job had waited when the newest event at hand was written.
func (j *judge) queued(c *candidate) time.Duration {
	start, _ := j.clock.of(c.event.Stream, c.event.At, c.event.Zoned)
	var wait time.Duration
	for _, s := range j.c.Found.Streams {
		if end, _ := j.clock.of(s, s.Last.Time, s.Last.Zoned); !start.IsZero() {
			wait = max(wait, end.Sub(start))
		}
	}
	return wait
}

// passed gives a later event that shows that what a candidate's rule speaks of
// was overcome: the retry that succeeded, the wait that ended.
func (j *judge) passed(c *candidate) *scan.Event {
	var first *scan.Event
	for _, id := range c.event.Rule.Passed {
		for _, e := range j.byRule[id] {
			if t := taskOf(e); t != "" && t != taskOf(c.event) || first != nil && e.Seq >= first.Seq {
				continue // of another task; what is told of no task is told of the job
			}
			if j.clock.later(e, c.event) {
				first = e
			}
		}
	}
	return first
}

// progressAfter gives the last mark of progress after a candidate, in its
// stream and attempt. Where lines of the same text tell no rank, they count for
// every message that is no traceback: all ranks do their steps together.
func (j *judge) progressAfter(c *candidate) (scan.Mark, bool) {
	m, went := progressOf(c, c.event.Stream)
	if went || c.trace != nil {
		return m, went
	}
	for _, s := range j.common[text{c.event.Stream.Doc, c.event.Stream.Field}] {
		if m, _ := progressOf(c, s); stepsAfter(c, s) > 1 { // one step may have been under way
			return m, true
		}
	}
	return m, false
}

// stepsAfter counts the marks of progress of a stream after a candidate that tell
// no rank.
func stepsAfter(c *candidate, s *scan.Stream) int {
	n := 0
	for _, m := range s.Progress {
		if m.Seq > c.event.Seq && m.Attempt == c.event.Attempt && m.Rank < 0 {
			n++
		}
	}
	return n
}

// progressOf gives the last mark of a stream in the attempt of a candidate that
// is not of another rank, and whether it came after the candidate.
func progressOf(c *candidate, s *scan.Stream) (scan.Mark, bool) {
	marks := s.Progress
	for i := len(marks) - 1; i >= 0; i-- {
		m := marks[i]
		if r := rankOfEvent(c); r >= 0 && m.Rank >= 0 && m.Rank != r {
			continue // another rank's step
		}
		if m.Attempt == c.event.Attempt {
			return m, m.Seq > c.event.Seq
		}
	}
	return scan.Mark{}, false
}

// rankKnown reports whether the stream is one rank's alone, so that its
// progress is that of the process that printed the candidate.
func rankKnown(c *candidate) bool { return c.event.Stream.Rank >= 0 }

// lastLines is how near to the end of its stream a failure stands that ended it.
const lastLines = 40

func atEnd(c *candidate) bool {
	s := c.event.Stream
	return s.LastSeq-c.event.Seq <= lastLines
}

func stepText(m scan.Mark) string {
	if m.Step < 0 {
		return ""
	}
	return strconv.FormatInt(m.Step, 10)
}

// stopped puts out what came after the job was stopped from outside.
func (j *judge) stopped() {
	for _, stop := range j.all {
		if stop.fate != nil || !stopCauses[stop.cause] || stop.tier != proven {
			continue
		}
		for _, c := range j.all {
			if c.fate != nil || c.tier == echo || stopCauses[c.cause] {
				continue
			}
			if n, _ := j.clock.compare(c.event, stop.event); n > 0 || n == 0 && j.beside(c, stop) {
				c.out("after-stop", nil)
			}
		}
	}
}

// beside reports whether a candidate whose moment cannot be told from that of a
// stop came of the stop: what does not prove itself does, and so does everything
// when the platform says that the job was stopped rather than that it failed.
func (j *judge) beside(c, stop *candidate) bool {
	return c.tier != proven || j.c.Job.Phase == modelarts.PhaseTerminated || j.clock.later(c.event, stop.event)
}

// toldByOthers puts out the end of a process that a line before it explains by
// the death of another: "another task died", then an abort.
func (j *judge) toldByOthers() {
	for _, c := range j.all {
		if c.tier != exit || c.cause == "killed" {
			continue
		}
		for _, e := range j.all {
			if e.tier == echo && waitCauses[e.cause] && taskOf(e.event) == taskOf(c.event) && e.event.Quote.Doc.Log() == c.event.Quote.Doc.Log() && j.clock.later(c.event, e.event) {
				c.out("echo", nil)
			}
		}
	}
}

// afterPeers puts out what a process met after its connection to another had
// broken, where another task has a failure of its own that needs no such excuse.
func (j *judge) afterPeers() {
	broken := j.broken()
	var excused, own []*candidate
	for _, c := range j.standing(proven) {
		if slices.ContainsFunc(broken, func(e *candidate) bool { return brokeBefore(e, c) }) {
			excused = append(excused, c)
		} else {
			own = append(own, c)
		}
	}
	for _, c := range excused {
		if slices.ContainsFunc(own, func(o *candidate) bool {
			n, _ := j.clock.compare(o.event, c.event)
			return taskOf(o.event) != taskOf(c.event) && n <= 0
		}) {
			c.out("echo", nil)
		}
	}
}

// broken gives what tells of connections to other processes that broke, and
// proves no failure.
func (j *judge) broken() []*candidate {
	var all []*candidate
	for _, e := range j.all {
		if (e.cause == "network-error" || e.cause == "collective-error") && e.tier >= weak {
			all = append(all, e)
		}
	}
	return all
}

// brokeBefore reports whether a connection broke a few lines above a candidate.
func brokeBefore(e, c *candidate) bool {
	return e.event.Stream == c.event.Stream && e.event.Seq < c.event.Seq && c.event.Seq-e.event.Seq <= nearLines
}

// repeated puts out all but the first of equal failures, so that N equal
// tracebacks are one root.
func (j *judge) repeated() {
	first := map[string]*candidate{}
	for _, c := range j.all {
		if c.fate != nil || c.tier == echo {
			continue
		}
		f := first[c.print]
		if f == nil {
			first[c.print] = c
			continue
		}
		if cmp, _ := j.order(c, f); cmp < 0 {
			first[c.print], c, f = c, f, c
		}
		c.out("same-failure", nil)
		c.by = f
	}
}

func taskOf(e *scan.Event) string {
	if e.Quote.Task != "" {
		return e.Quote.Task
	}
	return e.Stream.Task
}
