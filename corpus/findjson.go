package corpus

import (
	"bytes"
	"encoding/json"
)

// beginsJSON reports whether a brace or bracket at i begins an object or a list
// of an answer: with a key or a value, or empty. Braces and brackets of
// prose go on otherwise. It may stand behind a notice, because those in Chinese
// end without a line end, but a list of other than objects only at the beginning
// of a line.
func beginsJSON(b []byte, i int) bool {
	if b[i] != '{' && b[i] != '[' {
		return false
	}
	next := bytes.TrimLeft(b[i+1:], " \t\n\f\r")
	if len(next) == 0 {
		return false
	}
	if b[i] == '{' {
		return next[0] == '"' || next[0] == '}'
	}
	if next[0] != '[' && next[0] != ']' && next[0] != '"' {
		return next[0] == '{'
	}
	before := bytes.TrimRight(b[:i], " \t\ufeff")
	return len(before) == 0 || before[len(before)-1] == '\n'
}

// FindJSON finds the first object or list among the notices that a program
// printed. It gives -1, -1 when there is none, and an empty range where it is
// damaged: what stands whole within a damaged answer is not the answer.
func FindJSON(b []byte) (start, end int) {
	for start < len(b) && !beginsJSON(b, start) {
		start++
	}
	if start == len(b) {
		return -1, -1
	}
	var v json.RawMessage
	dec := json.NewDecoder(bytes.NewReader(b[start:]))
	if dec.Decode(&v) != nil {
		return start, start
	}
	return start, start + int(dec.InputOffset())
}
