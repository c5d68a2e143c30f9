package source

import "strings"

// Text hands on text that was found in a field of an answer, line by line,
// through the same cleaning as the lines of a log. The lines have Field set,
// Number counts within the text, and Offset is -1.
func Text(doc *Document, field string, kind Kind, text string, f func(*Line)) {
	p := parser{clock: clock{session: doc.calendar}}
	l := &Line{}
	var scratch []byte
	number := 1
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		for segment := range segments(line) {
			raw := clean([]byte(segment), scratch)
			*l = Line{Doc: doc, Number: number, Field: field, Offset: -1, Length: len(segment), Stored: []byte(segment),
				Raw: string(raw), Kind: kind, Rank: doc.Rank, Task: doc.Task, Node: doc.Node}
			p.prefixes(l)
			f(l)
		}
		number++
		text = rest
	}
}

// segments are the parts of a line between carriage returns; those at its end
// belong to the line end.
func segments(line string) func(func(string) bool) {
	return func(yield func(string) bool) {
		line = strings.TrimRight(line, "\r")
		if line == "" {
			yield("")
			return
		}
		for part := range strings.SplitSeq(line, "\r") {
			if part != "" && !yield(part) {
				return
			}
		}
	}
}
