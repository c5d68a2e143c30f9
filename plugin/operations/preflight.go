package operations

import (
	"context"
	"errors"
	"slices"
)

// Coded is an error that the service named by a code.
type Coded interface {
	error
	ServiceCode() string
}

// Unread is a read of a preflight that failed, so that what it would have shown
// stays unchecked.
type Unread struct {
	Operation string
	Err       error
}

// Preflight reads what the operation's traps look at and lists those that the
// request is in.
func (r *Request) Preflight(ctx context.Context, c *Catalogue, call Call) (Facts, []Warning, []Unread, error) {
	facts := r.Facts()
	var unread []Unread
	for _, read := range r.Operation.Reads {
		req, err := read.Wants(c, facts)
		if err != nil {
			return nil, nil, nil, err
		}
		if req == nil {
			continue
		}
		answer, err := call(ctx, req)
		if ctx.Err() != nil {
			return nil, nil, nil, ctx.Err()
		}
		coded, ok := errors.AsType[Coded](err)
		absent := ok && slices.Contains(read.Absent, coded.ServiceCode())
		switch {
		case absent:
			answer = nil
		case err != nil:
			unread = append(unread, Unread{read.Operation, err})
			continue
		case nothing(answer):
			continue // nothing was said, which is not that nothing is there
		}
		if err := read.Learn(facts, answer); err != nil {
			return nil, nil, nil, err
		}
	}
	met, err := r.Operation.Met(facts, false)
	return facts, met, unread, err
}

// nothing reports whether an answer says nothing: there is none, or an empty one.
func nothing(answer any) bool {
	switch v := answer.(type) {
	case nil:
		return true
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}
