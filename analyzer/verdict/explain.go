package verdict

import (
	"strconv"
	"time"

	"hcloud-modelarts/analyzer/rules"
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
		}
	}
	for _, c := range j.all {
		at, _ := j.clock.of(c.event.Quote.Doc, c.event.At, c.event.Zoned)
		step := Step{Event: c.event, Time: at, Kept: c == root && v.Rule != nil}
		if c.fate != nil {
			step.Because = *c.fate
		}
		v.Why = append(v.Why, step)
		if c != root && c.fate != nil && shown[c.fate.Code] {
			v.Symptoms = append(v.Symptoms, Symptom{c.event, c.cause, *c.fate})
		}
	}
}

// shown are the reasons whose candidates a report lists as symptoms; the others
// are for --why.
var shown = map[string]bool{
	"after-stop": true, "follows": true, "echo": true, "later": true, "exit-follows": true, "waited": true, "attempt-recovered": true,
}

// lost says why a candidate is not the root.
func (j *judge) lost(c, root *candidate) {
	c.by = root
	args := map[string]string{}
	if r := rankOfEvent(root); r >= 0 {
		args["rank"] = strconv.Itoa(r)
	}
	if d, ok := j.delay(root, c); ok {
		args["seconds"] = strconv.FormatInt(int64(d/time.Second), 10)
	}
	switch {
	case c.tier == echo:
		c.out("echo", args)
	case c.tier == exit:
		c.out("exit-follows", args)
	case waitCauses[c.cause] && c.tier == weak:
		c.out("waited", args)
	case c.event.Rule.Role == rules.Ambiguous || c.tier == weak:
		c.out("follows", args)
	default:
		if cmp, how := j.order(root, c); cmp == 0 && how == byNothing {
			c.out("rival", args)
			return
		}
		c.out("later", args)
	}
}

// delay is how long after the root a candidate came.
func (j *judge) delay(root, c *candidate) (time.Duration, bool) {
	a, pa := j.clock.of(root.event.Quote.Doc, root.event.At, root.event.Zoned)
	b, pb := j.clock.of(c.event.Quote.Doc, c.event.At, c.event.Zoned)
	if a.IsZero() || b.IsZero() || pa != pb || b.Before(a) {
		return 0, false
	}
	return b.Sub(a), true
}
