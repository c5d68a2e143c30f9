package triage

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/report"
)

// escape writes hidden characters as JSON escapes.
func escape(line []byte) []byte { return report.EscapeJSON(line) }

// NDJSON renders rows for programs, one a line. It is the form that Read reads.
func NDJSON(rows []Row) ([]byte, error) {
	var b bytes.Buffer
	for i := range rows {
		line, err := encode(&rows[i])
		if err != nil {
			return nil, fmt.Errorf("rendering rows: %w", err)
		}
		b.Write(line)
	}
	return b.Bytes(), nil
}

// maxRow bounds a line of a saved result.
const maxRow = 16 << 20

// Read reads rows as NDJSON writes them.
func Read(r io.Reader) ([]Row, error) {
	var rows []Row
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxRow)
	for n := 1; s.Scan(); n++ {
		if len(bytes.TrimSpace(s.Bytes())) == 0 {
			continue
		}
		var row Row
		if err := json.Unmarshal(s.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if row.Schema != Schema {
			return nil, fmt.Errorf("line %d: schema %q", n, row.Schema)
		}
		rows = append(rows, row)
	}
	return rows, s.Err()
}

// ConflictError is a case whose rows differ between two results.
type ConflictError struct{ Case string }

func (e *ConflictError) Error() string {
	return fmt.Sprintf("the results hold two different diagnoses of %q", e.Case)
}

// Merge puts the rows of several results together, as one run over all their
// cases would have given them. A case that is in several results must be the
// same in all.
func Merge(results [][]Row) ([]Row, error) {
	seen := map[string][]Row{}
	var ids []string
	for _, rows := range results {
		for len(rows) > 0 {
			n := 1
			for n < len(rows) && rows[n].ID == rows[0].ID {
				n++
			}
			block := rows[:n]
			rows = rows[n:]
			id := block[0].ID
			old, ok := seen[id]
			if !ok {
				seen[id] = block
				ids = append(ids, id)
			} else if !reflect.DeepEqual(old, block) {
				return nil, &ConflictError{block[0].Case}
			}
		}
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(strings.Compare(seen[a][0].Case, seen[b][0].Case), strings.Compare(a, b))
	})
	var all []Row
	for _, id := range ids {
		all = append(all, seen[id]...)
	}
	return all, nil
}
