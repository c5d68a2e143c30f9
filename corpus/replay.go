package corpus

import (
	"fmt"
	"strings"
)

// RequestOf reads the arguments that stand behind "hcloud ModelArts": an
// operation and its parameters. KooCLI's own options and the project id do not
// make another request; they are returned apart.
func RequestOf(args []string) (q Request, options map[string]string) {
	q.Parameters, options = map[string]string{}, map[string]string{}
	for _, a := range args {
		name, value, assigned := strings.Cut(strings.TrimPrefix(a, "--"), "=")
		switch {
		case !strings.HasPrefix(a, "--"):
			if q.Operation == "" {
				q.Operation, _, _ = strings.Cut(a, "/") // "/v2" picks a version
			}
		case strings.HasPrefix(name, "cli-") || name == "project_id" || !assigned:
			options[name] = value
		default:
			q.Parameters[name] = value
		}
	}
	if len(q.Parameters) == 0 {
		q.Parameters = nil
	}
	return q, options
}

// NotRecordedError says that no case holds an answer to a call.
type NotRecordedError struct{ Request Request }

func (e *NotRecordedError) Error() string {
	return fmt.Sprintf("the recording does not hold this call: %s", e.Request)
}

// NotRecorded marks the error for those that do not import this package.
func (e *NotRecordedError) NotRecorded() bool { return true }

// Replayer answers requests from cases. A request that was recorded several
// times gets its answers one after another, and the last again and again.
type Replayer struct {
	cases []*Case
	// Asked counts how often each request was answered. It may be kept and set
	// to go on where another replayer stopped.
	Asked map[string]int
}

// NewReplayer makes a replayer of cases.
func NewReplayer(cases ...*Case) *Replayer {
	return &Replayer{cases: cases, Asked: map[string]int{}}
}

// Answer gives the recorded exchange and what hcloud printed. The error is a
// *NotRecordedError, or that of a damaged case.
func (r *Replayer) Answer(q Request) (Exchange, []byte, error) {
	type place struct {
		c *Case
		x Exchange
	}
	var found []place
	for _, c := range r.cases {
		for _, x := range c.Exchanges {
			if x.Equal(q) {
				found = append(found, place{c, x})
			}
		}
	}
	if len(found) == 0 {
		return Exchange{}, nil, &NotRecordedError{q}
	}
	key := q.String()
	asked := min(max(r.Asked[key], 0), len(found)-1) // whoever kept it may have changed it
	r.Asked[key] = asked + 1
	p := found[asked]
	out, err := p.c.Output(p.x)
	return p.x, out, err
}

// Knows reports whether any case holds an exchange of the operation.
func (r *Replayer) Knows(operation string) bool {
	for _, c := range r.cases {
		for _, x := range c.Exchanges {
			if x.Operation == operation {
				return true
			}
		}
	}
	return false
}
