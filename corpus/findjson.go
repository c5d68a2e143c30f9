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

// Crowded reports whether any list or object of a JSON value has more items than
// each, or the value more than all with those of its parts: a few bytes of JSON
// become a hundred times their size once they are decoded.
func Crowded(data []byte, each, all int) bool {
	counts := []int{1}
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			i = stringEnd(data, i) - 1
		case '{', '[':
			counts = append(counts, 1)
			all--
		case '}', ']':
			counts = counts[:max(len(counts)-1, 1)]
		case ',':
			counts[len(counts)-1]++
			all--
		}
		if all < 1 || counts[len(counts)-1] > each {
			return true
		}
	}
	return false
}
