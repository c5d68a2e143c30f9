package verdict

import (
	"strconv"

	"hcloud-modelarts/analyzer/modelarts"
)

// end is how a job ended, as far as its answers and the platform's lines tell.
type end struct {
	succeeded bool
	failed    bool
	codes     map[string][]int // exit codes by task, "" when the task is unknown
}

// The rules that read how a process of the job ended.
var exitRules = map[string]bool{"ma-return-code": true, "ma-return-code-zero": true, "ma-exit-event": true, "ma-proc-exit": true}

func endOf(c *Case) end {
	e := end{codes: map[string][]int{}}
	for _, t := range c.Job.Tasks {
		if t.ExitCode != nil {
			e.codes[t.Name] = append(e.codes[t.Name], *t.ExitCode)
		}
	}
	last := map[string]int{} // of the lines, only the last attempt's code counts
	for _, ev := range c.Found.Events {
		if !exitRules[ev.Rule.ID] {
			continue
		}
		code := 0
		if n, err := strconv.Atoi(ev.Values["code"]); err == nil {
			code = n
		}
		last[taskOf(ev)] = code
	}
	for task, code := range last {
		e.codes[task] = append(e.codes[task], code)
	}
	zero, nonzero := false, false
	for _, codes := range e.codes {
		for _, code := range codes {
			zero = zero || code == 0
			nonzero = nonzero || code != 0
		}
	}
	switch c.Job.Phase {
	case modelarts.PhaseCompleted:
		e.succeeded = true
	case modelarts.PhaseFailed, modelarts.PhaseAbnormal, modelarts.PhaseTerminated:
		e.failed = true
	case modelarts.PhaseUnknown:
		e.succeeded = zero && !nonzero
		e.failed = nonzero
	default:
		e.failed = nonzero
	}
	return e
}
