package triage

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// NDJSON writes rows for programs, one a line. It is the form that Read reads.
func NDJSON(w io.Writer, rows Rows) error {
	for r, err := range rows {
		if err != nil {
			return err
		}
		line, err := encode(r)
		if err != nil {
			return fmt.Errorf("rendering rows: %w", err)
		}
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// maxRow bounds a line of a saved result.
const maxRow = 16 << 20

// Read reads rows as NDJSON writes them.
func Read(r io.Reader) ([]Row, error) { return collect(saved(r)) }

// LineError is a line of a saved result that is no row.
type LineError struct {
	Line int // from 1
	Err  error
}

func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }
func (e *LineError) Unwrap() error { return e.Err }

// saved gives the rows of a saved result, once.
func saved(r io.Reader) Rows {
	return func(yield func(*Row, error) bool) {
		s := bufio.NewScanner(r)
		s.Buffer(nil, maxRow)
		for n := 1; s.Scan(); n++ {
			if len(bytes.TrimSpace(s.Bytes())) == 0 {
				continue
			}
			row := new(Row)
			err := json.Unmarshal(s.Bytes(), row)
			switch {
			case err != nil:
				yield(nil, &LineError{n, err})
				return
			case row.Schema != Schema:
				yield(nil, &LineError{n, fmt.Errorf("schema %q", row.Schema)})
				return
			case !yield(row, nil):
				return
			}
		}
		if err := s.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// ConflictError is a case whose rows differ between two results.
type ConflictError struct{ Case string }

func (e *ConflictError) Error() string {
	return fmt.Sprintf("the results hold two different diagnoses of %q", e.Case)
}

// Merger puts the rows of several results together, as one run over all their
// cases would have given them. A case that is in several results must be the
// same in all.
type Merger struct {
	journal *Journal
	seen    map[string]mergedCase // by id
}

type mergedCase struct {
	name  string
	place place
}

// NewMerger makes a merger that keeps the rows in a journal.
func NewMerger(j *Journal) *Merger { return &Merger{j, map[string]mergedCase{}} }

// Add takes the rows of a saved result.
func (m *Merger) Add(r io.Reader) error {
	var b Block
	for row, err := range saved(r) {
		if err != nil {
			return err
		}
		if len(b.Rows) > 0 && row.ID != b.ID {
			if err := m.put(b); err != nil {
				return err
			}
			b.Rows = nil
		}
		b.ID = row.ID
		b.Rows = append(b.Rows, *row)
	}
	if len(b.Rows) == 0 {
		return nil
	}
	return m.put(b)
}

func (m *Merger) put(b Block) error {
	old, known := m.seen[b.ID]
	if known {
		same, err := m.same(old.place, b)
		if err == nil && !same {
			err = &ConflictError{b.Rows[0].Case}
		}
		return err
	}
	p, err := m.journal.write(entry{Block: b})
	m.seen[b.ID] = mergedCase{b.Rows[0].Case, p}
	return err
}

// same reports whether a block is the one that was kept.
func (m *Merger) same(p place, b Block) (bool, error) {
	kept, err := m.journal.block(p)
	if err != nil {
		return false, err
	}
	x, err := encode(kept)
	if err != nil {
		return false, err
	}
	y, err := encode(b)
	return bytes.Equal(x, y), err
}

// Result gives the rows of all results in the order of their cases.
func (m *Merger) Result() (*Result, error) {
	ids := slices.SortedFunc(maps.Keys(m.seen), func(a, b string) int {
		return cmp.Or(strings.Compare(m.seen[a].name, m.seen[b].name), strings.Compare(a, b))
	})
	r := NewResult(m.journal, len(ids))
	for i, id := range ids {
		if err := r.PutDone(i, m.seen[id].place); err != nil {
			return nil, err
		}
	}
	return r, nil
}
