package source

import (
	"cmp"
	"strings"

	"hcloud-modelarts/analyzer/source/charset"
	"hcloud-modelarts/analyzer/source/stamp"
)

// Text hands on text that was found in a field of an answer, line by line,
// through the same cleaning as the lines of a log. The lines have Field set,
// Number counts within the text, and Offset is -1.
func Text(doc *Document, field string, kind Kind, text string, f func(*Line)) {
	fieldText{doc: doc, field: field, kind: kind}.lines(text, f)
}

// fieldText is text in a field, with what is known of all of its lines.
type fieldText struct {
	doc    *Document
	field  string
	number int // of all of its lines, 0 to count them
	kind   Kind
	record *record // what a collector tells of it, or nil

	streams map[[2]string]string // of all texts of an export, whose number is bounded; nil of a text by itself
}

func (t fieldText) lines(text string, f func(*Line)) {
	p := parser{clock: stamp.NewClock(t.doc.calendar), streams: t.streams}
	if t.record == nil {
		p.launch = sniffLaunch([]byte(text[:min(len(text), sniffSize)]))
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	l := &Line{}
	var stored []byte
	large := len(text) > peekSize // a line that is kept must not hold all of it
	for number, line := range inWrittenOrder(text, p.launch) {
		for segment := range segments(line) {
			stored = append(stored[:0], segment...)
			raw := charset.CleanText(segment)
			if large {
				raw = strings.Clone(raw)
			}
			parts := []string{raw}
			if isEscaped(raw) {
				parts = unescape(raw)
				for i := range parts {
					parts[i] = charset.CleanText(parts[i])
				}
			}
			var first Line
			for i, part := range parts {
				*l = Line{Doc: t.doc, Number: cmp.Or(t.number, number), Field: t.field, Offset: -1, Length: len(stored), Stored: stored,
					Raw: part, Text: part, Kind: t.kind, Rank: t.doc.Rank, Own: t.doc.Rank, Task: t.doc.Task, Node: t.doc.Node}
				if t.record != nil {
					t.record.apply(&p, l)
				}
				if i > 0 {
					l.follow(&first)
				}
				p.prefixes(l)
				if i == 0 {
					first = *l
				}
				if l.Kind == Event && l.Task == "" {
					l.Task = taskIn(part[:min(len(part), 160)])
				}
				f(l)
			}
		}
	}
}

// segments are the parts of a line between carriage returns; those at its end
// belong to the line end.
func segments(line string) func(func(string) bool) {
	return func(yield func(string) bool) {
		line = strings.TrimRight(line, "\r")
		if strings.IndexByte(line, '\r') < 0 {
			yield(line)
			return
		}
		for part := range strings.SplitSeq(line, "\r") {
			if part != "" && !yield(part) {
				return
			}
		}
	}
}
