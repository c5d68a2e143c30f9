package verdict

import (
	"slices"
	"strconv"

	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// atTop reports whether the traceback of a candidate begins in the main module, as
// that of an exception does which ends its program. One that somebody caught and
// printed begins where it was caught: in the main module only where that caught it.
func (c *candidate) atTop() bool {
	if c.trace == nil {
		return false
	}
	all := c.trace.Traceback.Exceptions
	frames := all[len(all)-1].Frames
	return len(frames) > 0 && (frames[0].Func == "<module>" || frames[0].Func == "_run_module_as_main")
}

// habits notes which exceptions a program had met before, at the same place, and
// gone on from: it catches them. Of a job that ended well they are out.
func (j *judge) habits() {
	for _, c := range j.all {
		if c.fate != nil || c.trace == nil || c.event.Quote.Kind != source.Log {
			continue
		}
		i := slices.IndexFunc(j.all, func(o *candidate) bool { return o.fate != nil && o.fate.Code == "went-on" && sameForm(o, c) })
		if i < 0 {
			continue
		}
		c.habit = j.all[i]
		if j.end.succeeded {
			c.out("habit", map[string]string{"line": strconv.Itoa(c.habit.event.Quote.Number)})
		}
	}
}

// sameForm reports whether an exception is of the type, the place and the way of
// another one that its stream printed before it.
func sameForm(before, c *candidate) bool {
	if before.trace == nil || !sameRun(before.event, c.event) || before.event.Seq >= c.event.Seq {
		return false
	}
	a, b := before.exception(), c.exception()
	if a.Type != b.Type || len(a.Frames) == 0 || len(b.Frames) == 0 {
		return false
	}
	same := func(f, g traceback.Frame) bool { return f.File == g.File && f.Line == g.Line && f.Func == g.Func }
	return same(a.Frames[0], b.Frames[0]) && same(a.Frames[len(a.Frames)-1], b.Frames[len(b.Frames)-1])
}

// tries reports whether a program wrote a traceback down with words of what it takes
// in place of what failed: it had caught it, which its first frame bears out.
func (c *candidate) tries() bool {
	return c.trace != nil && c.trace.Logged() && !c.atTop() && scan.TakesAnother(c.trace.Above)
}
