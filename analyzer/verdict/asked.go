package verdict

import (
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
)

// askedAgain puts out the refusals of calls that a session shows to have been
// overcome: the same operation was called again and met something else, or the
// job that the call was to create is there. It notes those of calls that were to create
// another job, of which the state of the one that is there tells nothing.
func (j *judge) askedAgain() {
	type key struct{ source, field string }
	told := map[key][]modelarts.CallError{}
	for _, e := range j.c.Errors {
		k := key{e.At.Source, e.At.Field}
		told[k] = append(told[k], e)
	}
	last := map[string]*candidate{} // by document and operation
	for _, c := range j.all {
		q := c.event.Quote
		k := key{q.Doc.Name, q.Field}
		if q.Kind != source.Event || len(told[k]) == 0 {
			continue
		}
		e := told[k][0]
		told[k] = told[k][1:]
		if at := j.c.Job.PhaseAt; at.Source == e.At.Source && at.Line > e.At.Line {
			c.out("passed", map[string]string{"line": strconv.Itoa(at.Line)})
			continue
		}
		called := j.called(c)
		c.anew = j.c.Job.PhaseAt.Source == e.At.Source && strings.HasPrefix(called, "Create")
		op := q.Doc.Name + " " + called
		if before := last[op]; before != nil && before.print != c.print {
			before.out("passed", map[string]string{"line": strconv.Itoa(e.At.Line)})
		}
		last[op] = c
	}
}

// called gives the operation that the document of a candidate names last before
// it, "" when it names none.
func (j *judge) called(c *candidate) string {
	op := ""
	for _, e := range j.told[rules.Call] {
		if e.Quote.Doc == c.event.Quote.Doc && e.Seq < c.event.Seq {
			op = e.Values.Get("op")
		}
	}
	return op
}
