package verdict

import (
	"slices"
	"strconv"
	"time"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// Decide gives the verdict on a case.
func Decide(c *Case, pack *rules.Pack) Verdict {
	j := newJudge(c, pack)
	j.stall = j.stalled()
	j.dismiss()
	root := j.clearest(j.root())
	v := j.verdict(root)
	j.explain(&v, root)
	j.also(&v, root)
	v.Timeline = j.timeline(&v)
	v.Opinions = opinions(c, &v, pack)
	v.Next = next(c, &v)
	return v
}

// judge is the state of one decision.
type judge struct {
	c         *Case
	clock     *clock
	end       end
	pointers  pointers
	all       []*candidate
	stall     *stall       // nil when the steps went on
	displaced *candidate   // the line that was first, where another says more of the same
	rivals    []*candidate // as early as the root for all that is known
	memory    *memory      // of the root's task, nil where it says nothing of the root
	jobs      string       // that a ticket tells of, when nothing says which of them it asks about

	common map[text][]*scan.Stream      // streams of a text whose lines tell no rank
	byRule map[string][]*scan.Event     // events by the id of their rule
	told   map[rules.Fact][]*scan.Event // events by what they tell beside a failure
	begins map[*source.Document]int     // by log, where its last attempt begins
}

func newJudge(c *Case, pack *rules.Pack) *judge {
	j := &judge{c: c, clock: newClock(c), end: endOf(c), pointers: pointersOf(c), all: gather(c, pack)}
	j.index()
	return j
}

// text is one text of a document: the document itself, or a field of it.
type text struct {
	doc   *source.Document
	field string
}

// index sorts what is asked for of every candidate or stream: there may be
// thousands of either.
func (j *judge) index() {
	j.common, j.byRule, j.told = map[text][]*scan.Stream{}, map[string][]*scan.Event{}, map[rules.Fact][]*scan.Event{}
	for _, s := range j.c.Found.Streams {
		if s.Rank < 0 && s.Key == "" {
			k := text{s.Doc, s.Field}
			j.common[k] = append(j.common[k], s)
		}
	}
	for _, e := range j.c.Found.Events {
		j.byRule[e.Rule.ID] = append(j.byRule[e.Rule.ID], e)
		for _, f := range e.Rule.Facts {
			j.told[f] = append(j.told[f], e)
		}
	}
	j.begins = j.lastAttempts()
}

// clearest gives, of the lines by which one failure shows itself, the one that
// says most: programs print a failure several times within moments, in the
// kernel, in the runtime, in the exception.
func (j *judge) clearest(root *candidate) *candidate {
	if root == nil {
		return nil
	}
	best := root
	for _, c := range j.all {
		same := c.cause == root.cause && j.near(root, c) || c.overrides(root) || c.specifies(root)
		if !same || c.tier > weak || c.fate != nil && c.fate.Code != "same-failure" {
			continue
		}
		if clearer(c, best) || j.twin(best, c) || best != root && !clearer(best, c) && j.before(c, best) {
			best = c
		}
	}
	if best != root {
		j.displaced = root
		root.out("same-failure", nil)
		root.by = best
		best.fate = nil
	}
	return best
}

// overrides reports whether a line of what one process printed of the root's failure
// says more of it, by its rule.
func (c *candidate) overrides(root *candidate) bool {
	return slices.Contains(c.event.Rule.Over, root.event.Rule.ID) && sameRun(c.event, root.event) &&
		max(c.event.Seq-root.event.Seq, root.event.Seq-c.event.Seq) <= messageGap
}

// specifies reports whether an event tells why what the root's event tells of lasts.
func (c *candidate) specifies(root *candidate) bool {
	return c.cause == root.cause && slices.Contains(c.event.Rule.Over, root.event.Rule.ID) && c.event.Quote.Kind == source.Event && root.event.Quote.Kind == source.Event
}

// values gives the values of the root's line, and what the root's rule reads from
// further lines of the same message, with those lines.
func (j *judge) values(root *candidate) (map[string]string, []scan.Quote) {
	all := root.event.Rule.Complete(root.event.Values, root.event.Wording, root.event.Quote.Text).Map()
	var further []scan.Quote
	if root.rule != root.event.Rule {
		return all, nil
	}
	for _, e := range j.byRule[root.rule.ID] {
		ofIt := root.trace != nil && e.Trace == root.trace.Traceback && e.Exception == root.event.Exception
		beside := root.trace == nil && (goesOn(root.event, e) || goesOn(e, root.event))
		more := e.Values.Map()
		if !ofIt && !beside || differ(all, more) {
			continue
		}
		for name, v := range more {
			if _, known := all[name]; !known {
				if all == nil {
					all = map[string]string{}
				}
				all[name] = v
				further = addQuotes(further, e.Quote)
			}
		}
	}
	return all, further
}

// goesOn reports whether the message of an event goes on in the next line, which
// another event of its rule tells of.
func goesOn(e, next *scan.Event) bool {
	return e.Rule.Tells(rules.GoesOn) && e.Trace == nil && next.Trace == nil && sameRun(e, next) &&
		next.Seq == e.Seq+1 && next.Wording > e.Wording
}

// differ reports whether two lines name one thing differently: they tell of two failures.
func differ(a, b map[string]string) bool {
	for name, v := range b {
		if known, ok := a[name]; ok && known != v {
			return true
		}
	}
	return false
}

func (j *judge) before(a, b *candidate) bool {
	n, _ := j.order(a, b)
	return n < 0
}

// nearLines is how far apart two lines of one stream may stand that show one failure.
const nearLines = 60

func (j *judge) near(a, b *candidate) bool {
	if a.event.Stream == b.event.Stream {
		return max(a.event.Seq-b.event.Seq, b.event.Seq-a.event.Seq) <= nearLines
	}
	sa, sb := j.clock.span(a.event), j.clock.span(b.event)
	if !sa.known() || !sb.known() || sa.plain != sb.plain { // what one rank prints of one cause is one failure
		r := rankOfEvent(a)
		return r >= 0 && r == rankOfEvent(b)
	}
	return !sa.precedes(sb) && !sb.precedes(sa)
}

// twin reports whether a line of the job's log tells the very moment of a wait
// that the driver's own log tells as well: people look for the former.
func (j *judge) twin(record, line *candidate) bool {
	a, b := j.clock.span(record.event), j.clock.span(line.event)
	return waitCauses[record.cause] && record.event.Quote.Kind == source.Device && line.event.Quote.Kind == source.Log &&
		rankOfEvent(record) == rankOfEvent(line) && a.exact() && b.exact() && a.from.Sub(b.from).Abs() < time.Second/10
}

// clearer reports whether a says more than b about the failure of both: its
// rule outranks the other's, it is proven where the other is not, or specific
// where the other is general; of one rule, the exception that warnings came to, the line
// that says it in words, the one that names more, then the wording that the rule lists first.
func clearer(a, b *candidate) bool {
	ra, rb := a.event.Rule, b.event.Rule
	switch {
	case slices.Contains(ra.Over, rb.ID):
		return true
	case slices.Contains(rb.Over, ra.ID):
		return false
	case a.tier != b.tier:
		return a.tier < b.tier
	case ra.Generic != rb.Generic:
		return rb.Generic
	case ra != rb:
		return false
	case warns(a) != warns(b):
		return warns(b)
	case quiet(a.event.Quote) != quiet(b.event.Quote) && (a.atTop() || b.atTop()): // what it had tried again, and what that came to
		return a.atTop()
	case a.mere() != b.mere():
		return b.mere()
	case len(a.event.Values) != len(b.event.Values):
		return len(a.event.Values) > len(b.event.Values)
	}
	return a.event.Wording < b.event.Wording
}

// warning reads the lines that Python's warnings print.
var warning = lazy.Regexp(`:\d+: \w*Warning: `)

// warns reports whether a candidate is a warning, which the exception may repeat.
func warns(c *candidate) bool { return c.trace == nil && warning().MatchString(c.event.Quote.Text) }

// standing gives the candidates of a tier that nothing has put out.
func (j *judge) standing(t tier) []*candidate {
	var all []*candidate
	for _, c := range j.all {
		if c.fate == nil && c.tier == t {
			all = append(all, c)
		}
	}
	return all
}

// root picks the first failure, from the strongest tier that has one.
func (j *judge) root() *candidate {
	for t := proven; t <= hearsay; t++ {
		var r *candidate
		if t == weak {
			r = j.weakRoot()
		} else {
			r = j.first(j.standing(t))
		}
		if r == nil {
			continue
		}
		if d := j.death(r); d != nil {
			return d
		}
		if a := j.absence(r); a != nil {
			return a
		}
		if u := j.unfinished(r); u != nil {
			return u
		}
		return j.beaten(r)
	}
	return j.forsaken()
}

// weakRoot prefers, among what may be the failure, what is not merely waiting
// for another. A SIGTERM that is not known to have come before every wait that
// ended in vain is taken for the platform's answer to it.
func (j *judge) weakRoot() *candidate {
	var own, waiting, stops []*candidate
	for _, c := range j.standing(weak) {
		switch {
		case waitCauses[c.cause]:
			waiting = append(waiting, c)
		case stopCauses[c.cause]:
			stops = append(stops, c)
		default:
			own = append(own, c)
		}
	}
	own = slices.DeleteFunc(own, func(c *candidate) bool {
		return c.event.Rule.Generic && slices.ContainsFunc(waiting, func(w *candidate) bool { return j.tellsOf(c, w) })
	})
	for _, stop := range stops {
		if !slices.ContainsFunc(waiting, func(w *candidate) bool { return !j.clock.later(w.event, stop.event) }) {
			own = append(own, stop)
		}
	}
	if r := j.first(own); r != nil {
		return r
	}
	return j.first(waiting)
}

// tellsOf reports whether a general message is only what a wait of the same
// process came to: its return code, printed after it.
func (j *judge) tellsOf(c, wait *candidate) bool {
	r := rankOfEvent(c)
	return (c.event.Stream == wait.event.Stream || r >= 0 && r == rankOfEvent(wait)) && j.clock.later(c.event, wait.event)
}

// death gives the end of a process that explains a failure: others waited in vain
// for it, a launcher cleaned up after it, or the group was started again after
// it and met what it had left behind.
func (j *judge) death(r *candidate) *candidate {
	waited := waitCauses[r.cause] || stopCauses[r.cause] && r.tier == weak
	var deaths []*candidate
	for _, c := range j.standing(exit) {
		before := c.event.Attempt < r.event.Attempt && oneLog(c.event, r.event) && !j.blamed(c.event.Attempt)
		if c.cause != "exit-nonzero" && !c.relays() && (before || waited && j.mayPrecede(c, r)) {
			deaths = append(deaths, c)
		}
	}
	return j.first(deaths)
}

// absence gives what those met for whom the others of a wait in vain waited: a
// hint of their own tells more than that they did not come.
func (j *judge) absence(r *candidate) *candidate {
	if !waitCauses[r.cause] {
		return nil
	}
	a := j.awaited(j.waits())
	if a == nil {
		return nil
	}
	var own []*candidate
	for _, c := range append(j.standing(weak), j.standing(exit)...) {
		n, _ := j.clock.compare(c.event, r.event)
		if n <= 0 && !waitCauses[c.cause] && !stopCauses[c.cause] && c.cause != "exit-nonzero" && a.holds(c) {
			own = append(own, c)
		}
	}
	return j.first(own)
}

// blamed reports whether a failure of an attempt proves itself.
func (j *judge) blamed(attempt int) bool {
	return slices.ContainsFunc(j.standing(proven), func(c *candidate) bool { return c.event.Attempt == attempt })
}

// mayPrecede reports whether a candidate came before another, or could have:
// its log leaves open when between two lines it came.
func (j *judge) mayPrecede(c, o *candidate) bool {
	switch {
	case j.clock.later(c.event, o.event):
		return false
	case j.clock.later(o.event, c.event):
		return true
	}
	a, b := j.clock.span(c.event), j.clock.span(o.event)
	return !a.from.IsZero() && a.plain == b.plain && b.until.Sub(a.from) > sameMoment
}

// messageGap is how many lines below an exception its message may go on.
const messageGap = 8

// beaten lets a line of the same message that says more take the place of a mere
// wrapper, and an earlier hint of the same stream that of an exception that names
// nothing but that something was raised.
func (j *judge) beaten(r *candidate) *candidate {
	if !r.event.Rule.Generic {
		return r
	}
	for _, t := range []tier{proven, weak} { // its message goes on, maybe after an empty line
		for _, c := range j.standing(t) {
			gap := c.event.Seq - r.event.Seq
			if c.event.Stream == r.event.Stream && 0 < gap && gap <= messageGap && c.trace == nil && !c.event.Rule.Generic && (r.vague() || r.tier == weak) {
				return c
			}
		}
	}
	if !r.vague() {
		return r
	}
	for _, c := range j.standing(weak) {
		if c.event.Stream == r.event.Stream && c.event.Seq < r.event.Seq && !waitCauses[c.cause] {
			return c
		}
	}
	return r
}

// verdict words what was decided.
func (j *judge) verdict(root *candidate) Verdict {
	v := Verdict{Case: j.c, Cause: Unknown, Confidence: Low, Severity: Insufficient}
	if root == nil {
		v.Evidence = j.signs()
		j.undecided(&v)
		return v
	}
	j.weighMemory(&v, root)
	v.Cause, v.Rule, v.Fingerprint = root.cause, root.rule, root.print
	v.Values, _ = j.values(root)
	j.contested(root)
	v.Confidence, v.Doubt = j.confidence(root)
	if v.Confidence == Low {
		v.Cause, v.Rule, v.Values, v.Fingerprint = Unknown, nil, nil, ""
		v.Evidence = j.signs()
		return v
	}
	v.Severity = j.severity(root, v.Confidence)
	v.Order = j.grounds(root)
	v.Evidence = j.evidence(root)
	if !root.deferred() {
		v.Place = j.place(root)
	}
	v.Ranks = j.ranks(root)
	v.Outcome, v.anew = j.outcome(root), root.anew
	for _, r := range j.rivals {
		v.Alternatives = append(v.Alternatives, Alternative{r.event, r.cause, Medium})
	}
	j.tellMemory(&v)
	switch {
	case root.cause == hang && root.event.Quote.Kind == source.Ticket: // what the stacks show says more than the words of whoever asks
		words := v.Evidence
		v.Evidence = nil
		j.still(&v)
		v.Evidence = addQuotes(v.Evidence, words...)
	case root.cause == hang:
		j.still(&v)
		if r := j.idle(); r != nil {
			j.tellIdle(&v, r)
		}
	case waitCauses[root.cause]:
		j.findAwaited(&v)
		if r := j.restingTask(); r != nil {
			v.Findings = append(v.Findings, Reason{"resting-task", map[string]string{"task": j.taskOfMetric(r.m), "metric": r.m.Name, "minutes": strconv.Itoa(r.minutes)}})
			v.Evidence = addQuotes(v.Evidence, j.sample(r.m, r.from))
		}
	case root.cause == "resource-shortage":
		findRefusal(&v, root)
	}
	return v
}

// undecided says what can be said without a root.
func (j *judge) undecided(v *Verdict) {
	defer j.unseen(v)
	switch {
	case j.end.succeeded:
		v.Cause, v.Confidence, v.Severity = None, High, Normal
	case j.end.failed:
		// something ended it, and nothing here says what
	case j.stall != nil && !j.waiting():
		v.Cause, v.Confidence, v.Severity = hang, Medium, Suspected
		v.Doubt = &Reason{Code: "only-steps"}
		v.Sentence = &Reason{Code: "steps-stopped"}
		j.still(v)
	case j.watched():
		v.Cause, v.Confidence, v.Severity = hang, Medium, Suspected
		v.Doubt = &Reason{Code: "only-stacks"}
		v.Sentence = &Reason{Code: "stacks-taken"}
		j.still(v)
	case j.running() && j.idle() != nil:
		v.Cause, v.Confidence, v.Severity = hang, Medium, Suspected
		v.Doubt, v.Sentence = &Reason{Code: "only-metrics"}, &Reason{Code: "devices-idle"}
		j.tellIdle(v, j.idle())
	case j.waiting() || j.running():
		v.Cause, v.Confidence, v.Severity = None, High, Normal
		j.soFar(v)
	case j.complained():
		// somebody asks about the job, and nothing here says why
	case j.progressed() && len(j.standing(echo)) == 0:
		v.Cause, v.Confidence, v.Severity = None, Medium, Normal
		v.Doubt = &Reason{Code: "end-unknown"}
	}
}

// unseen lowers the word that nothing is wrong when no log bears it out, nor the
// events of a job that still waits: a state can hide a failure.
func (j *judge) unseen(v *Verdict) {
	if v.Cause != None || v.Confidence != High {
		return
	}
	for _, s := range j.c.Found.Streams {
		if s.Field == "" || j.c.previewed(s) || j.waiting() && s.First.Kind == source.Event {
			return
		}
	}
	v.Confidence, v.Doubt, v.Sentence = Medium, &Reason{Code: "no-log"}, &Reason{Code: "nothing-wrong-no-log"}
}

// previewed reports whether a stream is the log that a preview holds.
func (c *Case) previewed(s *scan.Stream) bool {
	return c.APIs["ShowTrainingJobLogsPreview"] && s.First.Kind == source.Log && s.Lines > 1
}

// soFar says how far a running job has come.
func (j *judge) soFar(v *Verdict) {
	var last scan.Mark
	for _, s := range j.c.Found.Streams {
		n := len(s.Progress)
		if n == 0 || s.Progress[n-1].Step <= last.Step {
			continue
		}
		last = s.Progress[n-1]
		if n > 1 && s.Progress[0].Time.Equal(last.Time) { // that of a line above them: steps tell none of their own
			last.Time = time.Time{}
		}
	}
	if last.Step > 0 {
		args := map[string]string{"step": strconv.FormatInt(last.Step, 10)}
		if !last.Time.IsZero() {
			args["at"] = last.Time.Format(time.DateTime)
		}
		v.Findings = append(v.Findings, Reason{"so-far", args})
	}
}

// signs are the lines that tell that something ended the job, though not what.
func (j *judge) signs() []scan.Quote {
	if j.end.succeeded {
		return nil
	}
	var rows []scan.Quote
	for _, c := range j.all {
		if (c.tier == echo || c.tier == exit) && len(rows) < 3 {
			if c.cause == "exit-nonzero" {
				rows = addQuotes(rows, lastWords(c)...)
			}
			rows = append(rows, c.event.Quote)
		}
	}
	return rows
}

func (j *judge) waiting() bool {
	return j.c.Job.Phase.Waits() && len(j.standing(echo)) == 0
}

func (j *judge) running() bool {
	return j.c.Job.Phase == modelarts.PhaseRunning
}

func (j *judge) progressed() bool {
	for _, s := range j.c.Found.Streams {
		if len(s.Progress) > 1 {
			return true
		}
	}
	return false
}

// ranks are those that show the same failure.
func (j *judge) ranks(root *candidate) []int {
	var rs []int
	for _, c := range j.all {
		if c.print != root.print {
			continue
		}
		if r := rankOfEvent(c); r >= 0 && !slices.Contains(rs, r) {
			rs = append(rs, r)
		}
	}
	slices.Sort(rs)
	return rs
}

// sameRun reports whether two events, or stacks, stand in what one stream printed in
// one attempt.
func sameRun(a, b interface{ Run() scan.Run }) bool { return a.Run() == b.Run() }

func rankOfEvent(c *candidate) int {
	if c.event.Quote.Rank >= 0 {
		return c.event.Quote.Rank
	}
	return c.event.Stream.Rank
}
