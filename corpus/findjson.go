package corpus

import (
	"bytes"
	"encoding/json"
)

// jsonStart is how an object or a list of an answer begins: with a key or a
// value, or empty. Braces and brackets of prose go on otherwise. It may stand
// behind a notice, because those in Chinese end without a line end.
var jsonStart = compiled(`(?m)\{\s*["}]|\[\s*\{|^[ \t\x{FEFF}]*\[\s*[\[\]"]`)

// FindJSON finds the first object or list among the notices that a program
// printed. It gives -1, -1 when there is none, and an empty range where it is
// damaged: what stands whole within a damaged answer is not the answer.
func FindJSON(b []byte) (start, end int) {
	m := jsonStart().FindIndex(b)
	if m == nil {
		return -1, -1
	}
	start = m[0] + bytes.IndexAny(b[m[0]:m[1]], "{[")
	var v json.RawMessage
	dec := json.NewDecoder(bytes.NewReader(b[start:]))
	if dec.Decode(&v) != nil {
		return start, start
	}
	return start, start + int(dec.InputOffset())
}
