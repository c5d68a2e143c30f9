package analyzer

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// worth is what a document may tell.
type worth uint8

const (
	tellsNothing worth = iota
	mayTell            // JSON in no known form: nothing is known from it, and the report says so
	tells              // text of a log, or a known answer
)

// contents is what a document turned out to hold.
type contents struct {
	worth worth
	code  string // of the note on JSON that tells nothing, "" when there is none

	broken []byte // lines of JSON that could not be read as one value
	from   int    // number of the first of them
}

// mostBroken bounds, in bytes, the broken JSON of a document that is kept to be
// mended.
const mostBroken = 1 << 20

// emptied says of a document's JSON why it tells nothing; of several reasons the
// first one stands.
func (c *contents) emptied(code string) {
	if c.code == "" {
		c.code = code
	}
}

// contentsOf gives what is known so far of a document's contents.
func (r *reader) contentsOf(d *source.Document) *contents {
	c := r.held[d]
	if c == nil {
		c = &contents{}
		r.held[d] = c
	}
	return c
}

// weighLine tells text from what is left of JSON that could not be read.
func (r *reader) weighLine(l *source.Line) {
	c := r.contentsOf(l.Doc)
	if c.worth == tells {
		return
	}
	text := strings.TrimSpace(l.Text)
	switch {
	case text == "":
		return
	case l.Field != "" || !scrap(text, c.code != ""):
		c.worth, c.broken = tells, nil
		return
	case json.Valid([]byte(text)) && c.code == "":
		c.emptied("empty-json")
	default:
		c.emptied("bad-json")
	}
	if c.broken == nil {
		c.from = l.Number
	}
	if len(c.broken)+len(l.Raw) < mostBroken {
		c.broken = append(append(c.broken, l.Raw...), '\n')
	}
}

// mend reads what broken JSON still holds, when the document holds nothing else.
func (r *reader) mend(d *source.Document) {
	c := r.contentsOf(d)
	if c.worth == tells || len(c.broken) == 0 {
		return
	}
	a, err := modelarts.ReadAt(d.Name, c.from, c.broken, true)
	c.broken = nil
	if err == nil && recognised(a) && (len(a.APIs) > 0 || len(a.Texts) > 0) {
		c.worth = tells
		r.Note(source.Note{Source: d.Name, Code: "mended-json"})
		r.take(d, a)
	}
}

// scrap says whether a line is a part of JSON rather than of a log: nothing but
// tokens of JSON, or, where the document begins like JSON, what looks like a line
// of it. An object or a list that is whole may be a line of a log.
func scrap(text string, begun bool) bool {
	if strings.IndexByte("{[", text[0]) >= 0 && len(text) > 2 && json.Valid([]byte(text)) {
		return false
	}
	begun = begun || opening().MatchString(text)
	if begun && strings.IndexByte(`{}[]",`, text[0]) >= 0 {
		return true
	}
	return jsonTokens().MatchString(text) && !quotedProse().MatchString(text)
}

var (
	opening     = lazy.Regexp(`^[{\[]\s*(?:"|\{\s*")`)
	jsonTokens  = lazy.Regexp(`^(?:[\[\]{},:\s]|"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\b|\b(?:true|false|null)\b)+$`)
	quotedProse = lazy.Regexp(`^"[^"]*\pL[^"]*\s[^"]*\pL[^"]*"$`)
)

// weighJSON notes what a value told.
func (r *reader) weighJSON(j *source.JSON, known bool) {
	c := r.contentsOf(j.Doc)
	switch text := bytes.TrimSpace(j.Bytes); {
	case known:
		c.worth = tells
	case j.Cut:
		c.emptied("bad-json")
	case len(text) <= len("null") && slices.Contains([]string{"{}", "[]", "null"}, string(text)):
		c.emptied("empty-json")
	default:
		c.emptied("no-answer")
		if len(text) > 0 && strings.IndexByte("{[", text[0]) >= 0 {
			c.worth = max(c.worth, mayTell)
		}
	}
}

// weigh gives a note for each document whose JSON told nothing, and what the
// whole input is worth. What a rule found something in is evidence, whatever it
// looks like. That JSON is no answer is no news beside evidence: settings and
// rank tables lie in many folders.
func (r *reader) weigh(found scan.Result) (notes []source.Note, whole worth) {
	for _, e := range found.Events {
		r.contentsOf(e.Quote.Doc).worth = tells
	}
	for _, t := range found.Traces {
		r.contentsOf(t.Stream.Doc).worth = tells
	}
	whole = r.whole
	for _, c := range r.held {
		whole = max(whole, c.worth)
	}
	for _, d := range r.docs {
		if c := r.contentsOf(d); c.worth < tells && c.code != "" && (c.code != "no-answer" || whole < tells) {
			notes = append(notes, source.Note{Source: d.Name, Code: c.code})
		}
	}
	return notes, whole
}

// barren is the error of an input in which nothing can be evidence.
func (r *reader) barren(roots []source.Root, notes []source.Note) error {
	if len(roots) == 1 && len(r.docs) == 1 && len(notes) == 1 && path.Base(strings.ReplaceAll(roots[0].Name, `\`, "/")) == notes[0].Source {
		return &source.Error{Path: roots[0].Name, Code: notes[0].Code}
	}
	return &source.Error{Path: inputName(roots), Code: "nothing", Refused: slices.Concat(r.notes, notes)}
}
