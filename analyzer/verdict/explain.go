package verdict

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// explain gives every candidate that lost its reason, lists the symptoms and
// accounts for the order of events.
func (j *judge) explain(v *Verdict, root *candidate) {
	for _, c := range j.all {
		if c == root {
			continue
		}
		if c.fate == nil && v.Cause != Unknown && v.Cause != None {
			j.lost(c, root)
			if r := rankOfEvent(c); r >= 0 && c.fate.Code == "same-failure" && !slices.Contains(v.Ranks, r) {
				v.Ranks = append(v.Ranks, r)
			}
		}
	}
	slices.Sort(v.Ranks)
	for _, c := range j.account(root) {
		at, _ := j.clock.of(c.event.Stream, c.event.At, c.event.Zoned)
		step := Step{Event: c.event, Time: at, Kept: c == root && v.Rule != nil}
		if c.fate != nil {
			step.Because = *c.fate
		}
		v.Why = append(v.Why, step)
		quoted := slices.ContainsFunc(v.Evidence, func(q scan.Quote) bool {
			return q.Doc == c.event.Quote.Doc && q.Number == c.event.Quote.Number && q.Field == c.event.Quote.Field
		})
		if c.fate != nil && shown[c.fate.Code] && !quoted {
			v.Symptoms = append(v.Symptoms, Symptom{c.event, c.cause, *c.fate})
		}
	}
}

// account gives all candidates in the order of events as it was decided: what
// came before the root, the root, the rest; within each by time, as far as
// times tell, else as they were read.
func (j *judge) account(root *candidate) []*candidate {
	side, when := map[*candidate]int{}, j.moments(root)
	for _, c := range j.all {
		if root != nil && c != root {
			n, _ := j.order(c, root)
			side[c] = cmp.Or(n, 1)
		}
	}
	all := slices.Clone(j.all)
	slices.SortStableFunc(all, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(side[a], side[b]), when[a].Compare(when[b]))
	})
	return all
}

// moments gives each candidate a time to list it by, on one line for all clocks.
// A stream was written in its order; a line without a time is listed beside the
// one above it, and a text without any time last, unless it is that of the root.
func (j *judge) moments(root *candidate) map[*candidate]time.Time {
	when, last, lastOfText := map[*candidate]time.Time{}, map[*scan.Stream]time.Time{}, map[string]time.Time{}
	for _, c := range j.all {
		s := c.event.Stream
		at, plain := j.clock.of(s, c.event.At, c.event.Zoned)
		if plain {
			at = at.Add(-serviceZone)
		}
		text := scan.Series(c.event.Quote.Doc) + c.event.Quote.Field
		above := lastOfText[text]
		switch {
		case c.event.Quote.Time.IsZero() && at.Before(above):
			at = above
		case at.IsZero() && root != nil && !oneLog(c.event, root.event):
			at = at.AddDate(9998, 0, 0) // behind all others
		}
		if c.event.Quote.Kind != source.Event { // a list of events may be in any order
			if at.Before(last[s]) {
				at = last[s]
			}
			last[s], lastOfText[text] = at, at
		}
		when[c] = at
	}
	return when
}

// shown are the reasons whose candidates a report lists as symptoms; the others
// are for --why.
var shown = map[string]bool{
	"after-stop": true, "follows": true, "echo": true, "later": true, "again": true, "exit-follows": true, "waited": true, "waited-too": true, "cut-off": true, "with-stop": true, "ended-elsewhere": true,
}

// lost says why a candidate is not the root.
func (j *judge) lost(c, root *candidate) {
	c.by = root
	args := map[string]string{}
	if code, why := j.foregone(c, root); code != "" {
		c.out(code, why)
		return
	}
	if r := rankOfEvent(root); r >= 0 && !waitCauses[root.cause] && !(waitCauses[c.cause] && r == rankOfEvent(c)) {
		args["rank"] = strconv.Itoa(r)
	}
	if least, exact := j.delay(root, c); exact {
		args["seconds"] = seconds(least)
	} else if least >= telling {
		args["least"] = seconds(least)
	}
	switch {
	case stopCauses[root.cause] && (c.tier == echo || c.tier == weak):
		c.out("with-stop", args)
	case c.tier == echo:
		c.out("echo", args)
	case c.tier == exit:
		c.out("exit-follows", args)
	case waitCauses[c.cause] && c.tier == weak:
		if c.cause == "collective-error" || c.cause == "network-error" {
			c.out("cut-off", args)
			return
		}
		if waitCauses[root.cause] {
			c.out("waited-too", nil)
			return
		}
		c.out("waited", args)
	case c.tier == hearsay:
		c.out("mentioned", nil)
	case c.event.Rule.Role == rules.Ambiguous || c.tier == weak:
		c.out("follows", args)
	case sameWords(c, root) || sameBlock(c, root):
		c.out("same-failure", nil)
	default:
		if n, _ := j.order(root, c); n == 0 {
			c.out("rival", args)
			return
		}
		if c.cause == root.cause {
			c.out("again", args)
			return
		}
		c.out("later", args)
	}
}

// sameWords reports whether another rank printed the root's line, of whose stack
// one log holds less than the other.
func sameWords(c, root *candidate) bool {
	x, y := c.exception(), root.exception()
	part := x == nil || y == nil || len(x.UserFrames()) == 0 || len(x.UserFrames()) != len(y.UserFrames())
	a, b := rankOfEvent(c), rankOfEvent(root)
	return part && a >= 0 && b >= 0 && a != b && c.event.Rule == root.event.Rule && c.event.Quote.Text == root.event.Quote.Text
}

// blockLines is how far apart the lines of one record of several lines may stand.
const blockLines = 12

// sameBlock reports whether a line tells the root's cause again within the same
// record.
func sameBlock(c, root *candidate) bool {
	return c.cause == root.cause && c.trace == nil && c.event.Stream == root.event.Stream &&
		max(c.event.Seq-root.event.Seq, root.event.Seq-c.event.Seq) <= blockLines
}

// foregone words why what came before the root is not the root: no such event is
// a consequence. It gives "" for all others.
func (j *judge) foregone(c, root *candidate) (string, map[string]string) {
	if run, ok := recordOf(c.event.Quote.Field); ok && run < len(j.c.Job.Records)-1 {
		of, known := recordOf(root.event.Quote.Field)
		if !known {
			of = root.event.Attempt
		}
		if of > run || strings.HasPrefix(root.event.Quote.Field, "status.task_statuses") { // the states of the tasks are those of the last run
			return "earlier-run", map[string]string{"attempt": strconv.Itoa(run + 1)}
		}
	}
	if run := j.runBefore(c, root); run > 0 {
		return "earlier-run", map[string]string{"attempt": strconv.Itoa(run)}
	}
	if !j.ahead(c, root) && !j.above(c, root) {
		return "", nil
	}
	for _, o := range j.all { // the first lines of the root's own failure
		if o.by == root && o.fate != nil && o.fate.Code == "same-failure" && !j.ahead(c, o) {
			return "", nil
		}
	}
	args := map[string]string{}
	if least, exact := j.delay(c, root); exact {
		args["seconds"] = seconds(least)
	}
	return "earlier", args
}

// ahead reports whether a clearly came before b. Of a text that several processes
// wrote only times tell.
func (j *judge) ahead(a, b *candidate) bool {
	n, how := j.clock.compare(a.event, b.event)
	return n < 0 && (how != byPosition || rankOfEvent(a) >= 0 && rankOfEvent(a) == rankOfEvent(b) || !j.parallel())
}

// runBefore gives the run that a candidate belongs to where that is one before the
// root's, counted from 1; 0 for all others: of one log by what began anew in it, of
// an event by when the last run began.
func (j *judge) runBefore(c, root *candidate) int {
	if oneLog(c.event, root.event) && c.event.Attempt < root.event.Attempt {
		return c.event.Attempt + 1
	}
	last := len(j.c.Job.Records) - 1
	if last < 1 || c.event.Quote.Kind != source.Event || !c.event.Quote.Zoned || j.c.Job.Records[last].Start.IsZero() {
		return 0
	}
	begin := j.c.Job.Records[last].Start
	if c.event.Quote.Time.After(begin) || !strings.HasPrefix(root.event.Quote.Field, "status.task_statuses") && !(root.event.Quote.Zoned && root.event.Quote.Time.After(begin)) {
		return 0
	}
	for run := last; run > 0; run-- {
		if start := j.c.Job.Records[run-1].Start; !start.IsZero() && c.event.Quote.Time.After(start) {
			return run
		}
	}
	return 0
}

// above reports whether a consequence stands above the root in the very file, on a
// line that tells no rank: whatever printed it did so before.
func (j *judge) above(c, root *candidate) bool {
	begin := root.event.Seq
	if root.trace != nil {
		begin = min(begin, root.trace.Traceback.Start)
	}
	_, how := j.clock.compare(c.event, root.event)
	return (c.tier == echo || c.tier == exit) && rankOfEvent(c) < 0 && oneLog(c.event, root.event) && c.event.Seq < begin &&
		(how == byNothing || how == byPosition)
}

var runningRecord = lazy.Regexp(`^status\.running_records\[(\d+)\]`)

// recordOf gives the index of the run that a field of a job's details tells of.
func recordOf(field string) (int, bool) {
	m := runningRecord().FindStringSubmatch(field)
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	return n, err == nil
}

// telling is the shortest delay that is worth telling when it is only known to
// be no shorter.
const telling = 10 * time.Second

// delay is how long after the root a candidate came, at the least; exact when
// both lines have a time of their own and the difference is a second or more.
func (j *judge) delay(root, c *candidate) (least time.Duration, exact bool) {
	a, b := j.clock.span(root.event), j.clock.span(c.event)
	if a.until.IsZero() || a.plain != b.plain {
		return 0, false
	}
	least = b.from.Sub(a.until)
	return least, a.exact() && b.exact() && least >= time.Second
}

func seconds(d time.Duration) string { return strconv.FormatInt(int64(d/time.Second), 10) }
