package triage

import (
	"iter"
	"slices"
)

// Rows are rows in the order of their cases. They can be gone through as often
// as wanted; after an error there is none.
type Rows = iter.Seq2[*Row, error]

// Result is what came of the cases of a run. The rows stay in the journal, so
// that memory hardly grows with them.
type Result struct {
	journal *Journal
	at      []place // by case
	Counts  Counts
}

// NewResult makes room for so many cases, whose rows stand in a journal.
func NewResult(j *Journal, cases int) *Result { return &Result{journal: j, at: make([]place, cases)} }

// Put notes what came of the i-th case and where it stands. Each is put once.
func (r *Result) Put(i int, p place, b Block) {
	r.at[i] = p
	r.Counts.Add(b.Count())
}

// PutDone notes what an earlier run left of the i-th case.
func (r *Result) PutDone(i int, p place) error {
	b, err := r.journal.block(p)
	if err == nil {
		r.Put(i, p, b)
	}
	return err
}

// Rows gives the rows.
func (r *Result) Rows() Rows {
	return func(yield func(*Row, error) bool) {
		for _, p := range r.at {
			b, err := r.journal.block(p)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range b.Rows {
				if !yield(&b.Rows[i], nil) {
					return
				}
			}
		}
	}
}

// Of gives rows that are in memory.
func Of(rows []Row) Rows {
	return func(yield func(*Row, error) bool) {
		for i := range rows {
			if !yield(&rows[i], nil) {
				return
			}
		}
	}
}

// collect gives rows as a slice.
func collect(rows Rows) ([]Row, error) {
	var all []Row
	for r, err := range rows {
		if err != nil {
			return nil, err
		}
		all = append(all, *r)
	}
	return slices.Clip(all), nil
}
