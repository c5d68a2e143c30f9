package triage

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
)

// ErrInterrupted says that a run ended before all cases were diagnosed.
var ErrInterrupted = errors.New("interrupted")

// Block is what came of one case: a row for each of its jobs.
type Block struct {
	ID   string `json:"id"` // of the case
	Rows []Row  `json:"rows"`
}

// CrashError says that the diagnosis of a case failed in a way that its code
// does not foresee.
type CrashError struct{ Value any }

func (e *CrashError) Error() string { return fmt.Sprintf("internal error: %v", e.Value) }

// Options shape a run.
type Options struct {
	analyzer.Options
	Workers int
	// Describe words why a case cannot be read.
	Describe func(error) string
}

// Run diagnoses cases, several at once, and hands what came of each to emit in
// the order of the cases, one at a time. The cases that wait for their turn are
// bounded, so that memory does not grow with the number of cases. When ctx ends
// it emits what is whole and returns ErrInterrupted; an error of emit ends it,
// too.
func Run(ctx context.Context, cases []Case, o Options, emit func(int, Block) error) error {
	if o.Pack == nil {
		o.Pack = rules.Default()
	}
	o.Tables = scan.Prepare(o.Pack)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := max(1, min(o.Workers, len(cases)))
	ahead := make(chan chan Block, 8*workers) // in order, each filled by whoever diagnoses the case
	type job struct {
		c    Case
		done chan Block
	}
	jobs := make(chan job)
	for range workers {
		go func() {
			for j := range jobs {
				j.done <- o.diagnose(j.c)
			}
		}()
	}
	go func() {
		defer close(jobs)
		defer close(ahead)
		for _, c := range cases {
			done := make(chan Block, 1)
			select {
			case ahead <- done:
			case <-ctx.Done():
				return
			}
			select {
			case jobs <- job{c, done}:
			case <-ctx.Done():
				return
			}
		}
	}()
	for i := range cases {
		select {
		case <-ctx.Done():
			return ErrInterrupted
		case done, ok := <-ahead:
			if !ok {
				return ErrInterrupted
			}
			select {
			case <-ctx.Done():
				return ErrInterrupted
			case b := <-done:
				if err := emit(i, b); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// diagnose gives the rows of one case. Whatever is wrong with it becomes a row,
// so that the other cases go on.
func (o *Options) diagnose(c Case) (b Block) {
	b.ID = c.ID
	fail := func(err error) Block {
		return Block{ID: c.ID, Rows: []Row{failedRow(&c, o.lang(), o.Describe(err))}}
	}
	defer func() {
		if r := recover(); r != nil {
			b = fail(&CrashError{r})
		}
	}()
	if c.Err != nil {
		return fail(c.Err)
	}
	reports, err := analyzer.Diagnose(c.Roots, o.Options)
	if err != nil {
		return fail(err)
	}
	for i := range reports {
		b.Rows = append(b.Rows, newRow(&c, &reports[i], o.Pack))
	}
	return b
}

func (o *Options) lang() string {
	if o.Lang == "en" {
		return "en"
	}
	return "zh"
}

// Shard gives the i-th of n parts of the cases, from 1. Every case is in one
// part, whatever other cases there are.
func Shard(cases []Case, i, n int) []Case {
	var mine []Case
	for _, c := range cases {
		h := fnv.New64a()
		h.Write([]byte(c.ID))
		if int(h.Sum64()%uint64(n)) == i-1 {
			mine = append(mine, c)
		}
	}
	return mine
}
