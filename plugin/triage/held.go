package triage

import (
	"bytes"
	"fmt"
)

// Held keeps what came of the cases of a run until all of them are diagnosed:
// as it is written, which takes a third of the memory of rows.
type Held struct {
	blocks [][]byte
	counts Counts
}

// NewHeld makes room for so many cases.
func NewHeld(cases int) *Held { return &Held{blocks: make([][]byte, cases)} }

// Put keeps what came of the i-th case. Each is put once.
func (h *Held) Put(i int, b Block) error {
	h.Count(b)
	data, err := NDJSON(b.Rows)
	h.blocks[i] = data
	return err
}

// Count only counts what came of a case.
func (h *Held) Count(b Block) { h.counts.add(Count(b.Rows)) }

// Counts gives the counts over all cases.
func (h *Held) Counts() Counts { return h.counts }

// NDJSON gives the rows as NDJSON does.
func (h *Held) NDJSON() []byte { return bytes.Join(h.blocks, nil) }

// Rows gives the rows. They are not held any longer.
func (h *Held) Rows() ([]Row, error) {
	var rows []Row
	for i, data := range h.blocks {
		some, err := Read(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("reading held rows: %w", err)
		}
		rows = append(rows, some...)
		h.blocks[i] = nil
	}
	return rows, nil
}
