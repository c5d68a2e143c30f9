package verdict

import (
	"slices"
	"strconv"
	"time"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
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
		at, _ := j.clock.of(c.event.Stream, c.event.At, c.event.Zoned)
		step := Step{Event: c.event, Time: at, Kept: c == root && v.Rule != nil}
		if c.fate != nil {
			step.Because = *c.fate
		}
		v.Why = append(v.Why, step)
		quoted := slices.ContainsFunc(v.Evidence, func(q scan.Quote) bool {
			return q.Doc == c.event.Quote.Doc && q.Number == c.event.Quote.Number && q.Field == c.event.Quote.Field
		})
		if c != root && c.fate != nil && shown[c.fate.Code] && !quoted {
			v.Symptoms = append(v.Symptoms, Symptom{c.event, c.cause, *c.fate})
		}
	}
}

// shown are the reasons whose candidates a report lists as symptoms; the others
// are for --why.
var shown = map[string]bool{
	"after-stop": true, "follows": true, "echo": true, "later": true, "exit-follows": true, "waited": true, "waited-too": true, "cut-off": true, "attempt-recovered": true,
}

// lost says why a candidate is not the root.
func (j *judge) lost(c, root *candidate) {
	c.by = root
	args := map[string]string{}
	if r := rankOfEvent(root); r >= 0 && !waitCauses[root.cause] {
		args["rank"] = strconv.Itoa(r)
	}
	if least, exact := j.delay(root, c); exact {
		args["seconds"] = seconds(least)
	} else if least >= telling {
		args["least"] = seconds(least)
	}
	switch {
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

// telling is the shortest delay that is worth telling when it is only known to
// be no shorter.
const telling = 10 * time.Second

// delay is how long after the root a candidate came, at the least; exact when
// both lines have a time of their own and the difference is a second or more.
func (j *judge) delay(root, c *candidate) (least time.Duration, exact bool) {
	a, b := j.clock.span(root.event), j.clock.span(c.event)
	if a.until.IsZero() || b.from.IsZero() || a.plain != b.plain {
		return 0, false
	}
	least = b.from.Sub(a.until)
	return least, a.exact() && b.exact() && least >= time.Second
}

func seconds(d time.Duration) string { return strconv.FormatInt(int64(d/time.Second), 10) }
