// Package report holds the result of a diagnosis and renders it as Markdown,
// terminal text and JSON. All faces are rendered from one value.
//
// The renderers treat every string as hostile, because most of them quote logs:
// secrets and addresses are masked, control characters and marks that reorder
// text are made visible, and nothing quoted can break out of its cell, code
// span or line. The same report gives the same bytes, always.
package report

import (
	"reflect"
	"slices"
)

// Schema names the JSON form. Within it fields are added, never renamed.
const Schema = "hcloud-modelarts/report/v1"

// Severity says how bad the state of the job is.
type Severity string

// The severities.
const (
	Fault        Severity = "fault"
	Abnormal     Severity = "abnormal"
	Suspected    Severity = "suspected"
	Insufficient Severity = "insufficient" // suspected, and the information does not decide
	Normal       Severity = "normal"
)

// Confidence says how far the evidence carries the stated cause.
type Confidence string

// The confidences. A report with Low names no cause.
const (
	High   Confidence = "HIGH"
	Medium Confidence = "MEDIUM"
	Low    Confidence = "LOW"
)

// Report is one diagnosis of one job. Its texts are in one language already;
// its strings are unmasked until a renderer prints them.
type Report struct {
	Schema        string         `json:"schema"`
	Lang          string         `json:"lang"`  // of its texts, "zh" or "en"
	Input         string         `json:"input"` // what the user named
	Job           Job            `json:"job"`
	Severity      Severity       `json:"severity"`
	Cause         string         `json:"cause"` // id of the table of causes
	Domain        string         `json:"domain"`
	Confidence    Confidence     `json:"confidence"`
	Summary       string         `json:"summary"`     // one sentence without a final stop
	Rule          string         `json:"rule"`        // the rule that decided, "" when none
	Fingerprint   string         `json:"fingerprint"` // equal for the same failure of another job
	Evidence      []Evidence     `json:"evidence"`    // the decisive line first
	Symptoms      []Symptom      `json:"symptoms"`    // judged to be consequences
	Alternatives  []Alternative  `json:"alternatives"`
	Fixes         []Fix          `json:"fixes"`
	Next          []Next         `json:"next"`
	Collected     []Collected    `json:"collected"`
	Outcome       string         `json:"outcome"`                  // how the job ended, where that differs from its state, else ""
	Order         string         `json:"order"`                    // what decided the order of events, "" when nothing had to
	Doubt         string         `json:"doubt"`                    // why the confidence is not higher; "" at HIGH, and at LOW, where all is open
	SecondOpinion *SecondOpinion `json:"second_opinion,omitempty"` // the platform's own analysis
	Why           []Step         `json:"why,omitempty"`            // how the cause was chosen, when asked for
	Timeline      *Timeline      `json:"timeline,omitempty"`       // which rank ran until when, nil when no times are known
	Notes         []Note         `json:"notes"`                    // what the reader must know about the input
	Stats         Stats          `json:"stats"`
}

// Job is what is known of the job; all fields may be "".
type Job struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Phase  string `json:"phase"`
	Region string `json:"region"`
}

// Evidence is a quoted line. Offset, Length and SHA256 are those of the line as
// stored, before decoding and masking; Offset is -1 for text within a JSON field.
type Evidence struct {
	Source string `json:"source"`
	Line   int    `json:"line"`  // from 1, in the source as stored, or within the field's text
	Field  string `json:"field"` // path of the JSON field that holds the text, else ""
	Text   string `json:"text"`
	Time   string `json:"time"` // RFC 3339, without a zone when the line tells none, "" when unknown
	Task   string `json:"task"`
	Rank   int    `json:"rank"` // -1 when unknown
	Offset int64  `json:"offset"`
	Length int    `json:"length"`
	SHA256 string `json:"sha256"`         // hex
	From   int    `json:"from,omitempty"` // byte of a long text near which the rule found its values
}

// Symptom is a line that looks like a failure and was set off by another. Its
// Offset, Length and SHA256 are as those of Evidence.
type Symptom struct {
	Cause   string `json:"cause"`
	Source  string `json:"source"`
	Line    int    `json:"line"`
	Field   string `json:"field"`
	Text    string `json:"text"`
	Because string `json:"because"`
	Offset  int64  `json:"offset"`
	Length  int    `json:"length"`
	SHA256  string `json:"sha256"`
}

// Alternative is a cause that the evidence does not rule out. Its Offset, Length
// and SHA256 are as those of Evidence.
type Alternative struct {
	Cause      string     `json:"cause"`
	Confidence Confidence `json:"confidence"`
	Source     string     `json:"source"`
	Line       int        `json:"line"`
	Field      string     `json:"field"`
	Text       string     `json:"text"`
	Offset     int64      `json:"offset"`
	Length     int        `json:"length"`
	SHA256     string     `json:"sha256"`
}

// Quotes gives every line that the report quotes: its evidence, then the lines
// of symptoms and alternatives as evidence. Reports of versions that gave those
// no checksum have none there.
func (r *Report) Quotes() []Evidence {
	quotes := slices.Clone(r.Evidence)
	for _, s := range r.Symptoms {
		quotes = append(quotes, Evidence{Source: s.Source, Line: s.Line, Field: s.Field, Text: s.Text,
			Rank: -1, Offset: s.Offset, Length: s.Length, SHA256: s.SHA256})
	}
	for _, a := range r.Alternatives {
		quotes = append(quotes, Evidence{Source: a.Source, Line: a.Line, Field: a.Field, Text: a.Text,
			Rank: -1, Offset: a.Offset, Length: a.Length, SHA256: a.SHA256})
	}
	return quotes
}

// Fix is one way to mend the failure. Title and Steps may hold code spans.
type Fix struct {
	Title   string   `json:"title"`
	Steps   []string `json:"steps"`
	Changes bool     `json:"changes"` // carries out something that the user must confirm
}

// Next is a further piece of evidence, cheapest first.
type Next struct {
	API     string `json:"api"` // operation of ModelArts, "" for a manual check
	Why     string `json:"why"` // what it would confirm or rule out
	Command string `json:"command"`
}

// Collected is one fact that was seen.
type Collected struct {
	API   string `json:"api"`
	Key   string `json:"key"`
	Value string `json:"value"`
}

// SecondOpinion is the platform's own analysis and how it fits the evidence.
type SecondOpinion struct {
	Source  string `json:"source"`
	Field   string `json:"field"`
	Text    string `json:"text"`
	Agrees  bool   `json:"agrees"`
	Comment string `json:"comment"` // one sentence on why it does or does not
}

// Step is one step of the reasoning: an event in its place, or a candidate and
// what beat it.
type Step struct {
	Cause   string `json:"cause"`
	Source  string `json:"source"`
	Line    int    `json:"line"`
	Field   string `json:"field"`
	Text    string `json:"text"`
	Verdict string `json:"verdict"` // "root", "symptom", "context", "dropped"
	Because string `json:"because"`
}

// Timeline is what the ranks did over time. Its times are RFC 3339, corrected
// for differences between the nodes' clocks; without a zone when the logs tell
// none.
type Timeline struct {
	Lanes []Lane `json:"lanes"`
	More  int    `json:"more"` // lanes that were left out
}

// Lane is one rank, or one document whose rank is unknown.
type Lane struct {
	Rank     int    `json:"rank"` // -1 when unknown
	Task     string `json:"task"`
	Source   string `json:"source"`
	First    string `json:"first"`    // time of the first line
	Last     string `json:"last"`     // time of the last line
	Progress string `json:"progress"` // time of the last step, "" when none was seen
	Step     int64  `json:"step"`     // the last step, -1 when unknown
	Marks    []Mark `json:"marks"`
}

// Mark is an event on a lane. A line without a time of its own was printed at
// some moment from Time to Until.
type Mark struct {
	Time  string `json:"time"`
	Until string `json:"until"` // "" when the line has a time
	Kind  string `json:"kind"`  // "root", "symptom"
	Cause string `json:"cause"`
	Line  int    `json:"line"`
}

// Note is something about the input: a file that could not be read, a bound
// that cut something off.
type Note struct {
	Source string `json:"source"`
	Text   string `json:"text"`
}

// Stats counts what was read.
type Stats struct {
	Sources int   `json:"sources"`
	Bytes   int64 `json:"bytes"`
	Lines   int   `json:"lines"`
}

// Undecided reports whether the information does not decide, so that the report
// may not name a cause.
func (r *Report) Undecided() bool {
	return r.Confidence == Low && r.Severity != Normal
}

// NamesCause reports whether the report names a fault and what caused it.
func (r *Report) NamesCause() bool {
	return r.Severity != Normal && !r.Undecided()
}

// ready gives a copy that may be shown: with its schema, no list nil and every
// string masked, whatever field holds it.
func (r *Report) ready(mask func(string) string) *Report {
	c := *r
	c.Schema = Schema
	MaskAll(&c, mask)
	return &c
}

// shown is a report that is ready for people: masked, with long lines cut down to
// what stands around what decided. Reports for programs keep them whole, to be verified.
func (r *Report) shown() *Report {
	c := r.ready(Mask)
	for i := range c.Evidence {
		e := &c.Evidence[i]
		e.Text = Excerpt(e.Text, e.From, e.From)
	}
	for i := range c.Symptoms {
		c.Symptoms[i].Text = Excerpt(c.Symptoms[i].Text, 0, 0)
	}
	for i := range c.Alternatives {
		c.Alternatives[i].Text = Excerpt(c.Alternatives[i].Text, 0, 0)
	}
	for i := range c.Why {
		c.Why[i].Text = Excerpt(c.Why[i].Text, 0, 0)
	}
	for i := range c.Collected {
		c.Collected[i].Value = Excerpt(c.Collected[i].Value, 0, 0)
	}
	if c.SecondOpinion != nil {
		c.SecondOpinion.Text = Excerpt(c.SecondOpinion.Text, 0, 0)
	}
	return c
}

// MaskAll masks every string that a value holds, in copies of the lists and
// values that it refers to. Maps and interfaces stay as they are.
func MaskAll[T any](v *T, mask func(string) string) {
	maskStrings(reflect.ValueOf(v).Elem(), mask)
}

// maskStrings masks every string that v holds, in copies of what v refers to.
func maskStrings(v reflect.Value, mask func(string) string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(mask(v.String()))
	case reflect.Struct:
		for i := range v.NumField() {
			maskStrings(v.Field(i), mask)
		}
	case reflect.Slice:
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(c, v)
		for i := range c.Len() {
			maskStrings(c.Index(i), mask)
		}
		v.Set(c)
	case reflect.Pointer:
		if !v.IsNil() {
			c := reflect.New(v.Type().Elem())
			c.Elem().Set(v.Elem())
			maskStrings(c.Elem(), mask)
			v.Set(c)
		}
	}
}
