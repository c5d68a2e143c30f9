package verdict

import (
	"maps"
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/rules/codes"
	"hcloud-modelarts/analyzer/scan"
)

// end is how a job ended, as far as its answers and the platform's lines tell.
type end struct {
	succeeded bool
	failed    bool
	codes     map[string][]int // exit codes by task, "" when the task is unknown
}

var lastNumber = lazy.Regexp(`-?\d+\D*$`)

// exitCode reads the code of an event that tells one: the value of its rule,
// else the last number of its line.
func exitCode(e *scan.Event) (int, bool) {
	text := e.Values.Get("code")
	if text == "" {
		text = strings.TrimRight(lastNumber().FindString(e.Quote.Text), ". \t")
	}
	return codes.ParseExit(text)
}

func endOf(c *Case) end {
	e := end{codes: map[string][]int{}}
	for _, t := range c.Job.Tasks {
		if t.ExitCode != nil {
			e.codes[t.Name] = append(e.codes[t.Name], *t.ExitCode)
		}
	}
	last := map[string]int{} // of the lines, only the last attempt's code counts
	for _, ev := range c.Found.Events {
		if !ev.Rule.Tells(rules.Exit) {
			continue
		}
		if code, ok := exitCode(ev); ok {
			last[taskOf(ev)] = code
		}
	}
	for task, code := range last {
		e.codes[task] = append(e.codes[task], code)
	}
	all := slices.Concat(slices.Collect(maps.Values(e.codes))...)
	nonzero := slices.ContainsFunc(all, func(code int) bool { return code != 0 })
	switch c.Job.Phase {
	case modelarts.PhaseCompleted:
		e.succeeded = true
	case modelarts.PhaseFailed, modelarts.PhaseAbnormal, modelarts.PhaseTerminated:
		e.failed = true
	case modelarts.PhaseUnknown:
		e.succeeded = len(all) > 0 && !nonzero
		e.failed = nonzero
	default:
		e.failed = nonzero
	}
	return e
}
