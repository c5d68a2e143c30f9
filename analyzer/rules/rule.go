// Package rules is the rule pack: what failures look like, which cause each
// wording names, and what to do about it. The pack is data, one YAML file a
// rule under pack/; this package loads it strictly, matches lines against it
// and answers questions about it.
package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"hcloud-modelarts/analyzer/fold"
	"hcloud-modelarts/analyzer/lazy"
)

// Role says what a match of a rule means for the verdict.
type Role string

// The roles. Ambiguous is a root that does not prove itself: a verdict resting
// on it alone is never HIGH. Harmless takes the line out of every reckoning.
const (
	Root      Role = "root"
	Ambiguous Role = "ambiguous"
	Symptom   Role = "symptom"
	Context   Role = "context"
	Harmless  Role = "harmless"
)

// Scope narrows the lines that a rule looks at; the empty scope takes them all.
type Scope string

// The scopes.
const (
	AnyLine   Scope = ""
	Exception Scope = "exception" // the "Type: message" line of a Python exception
	Event     Scope = "event"     // platform events, stage messages, end reasons, API error bodies
	Kernel    Scope = "kernel"    // kernel log lines
	Prose     Scope = "prose"     // what a person wrote around the logs of a ticket
)

// Rule is one entry of the pack, without the texts that only a report needs.
type Rule struct {
	ID      string    `yaml:"id" json:"id"`
	Cause   string    `yaml:"cause" json:"cause"`
	Family  string    `yaml:"family" json:"family"`
	Role    Role      `yaml:"role" json:"role"`
	Only    Scope     `yaml:"only" json:"only,omitempty"`
	Generic bool      `yaml:"generic" json:"generic,omitempty"` // a class or catch-all: wins only when nothing specific matched
	Guess   bool      `yaml:"guess" json:"guess,omitempty"`     // reads the words of a message whose program is not known: the verdict is not HIGH
	Over    []string  `yaml:"over" json:"over,omitempty"`       // rules that this one outranks on the same line
	Passed  []string  `yaml:"passed" json:"passed,omitempty"`   // rules whose later match shows that this one was no failure
	Facts   []Fact    `yaml:"tells" json:"tells,omitempty"`     // what else the line tells
	Match   []Wording `yaml:"match" json:"match"`

	texts texts
}

// texts are the texts of a rule. Those of a shipped one are read when they are first
// asked for.
type texts struct {
	loaded       *Detail // with the rule itself, nil for a shipped one
	whole, brief reading
}

// reading is what a rule's file was found to say.
type reading struct {
	once   sync.Once
	detail *Detail
	err    error
}

// Wording is one form in which the failure is printed.
type Wording struct {
	Literals []string `yaml:"literals" json:"l"`          // all of them stand in the line, in any order
	Regexp   string   `yaml:"regexp" json:"r,omitempty"`  // RE2; named groups become values
	Not      []string `yaml:"not" json:"n,omitempty"`     // none of them stands in the line
	Fold     bool     `yaml:"fold" json:"f,omitempty"`    // ASCII letters match without case, in literals, not and regexp
	Further  bool     `yaml:"further" json:"u,omitempty"` // a further line of the message of an exception: outside of one it is no failure
	Since    string   `yaml:"since" json:"-"`             // first version that prints it, e.g. "torch 2.5"
	Until    string   `yaml:"until" json:"-"`             // last version that prints it
	Source   string   `yaml:"source" json:"-"`            // where the wording was seen: file in a repository, page, issue
	Guess    bool     `yaml:"-" json:"-"`                 // of a rule that guesses: the expression reads the beginning of a text alone

	once sync.Once
	re   *regexp.Regexp
}

// Detail is what a report says about a rule.
type Detail struct {
	Say     Text      `yaml:"say"`   // one sentence: what made the job fail; "{name}" is a value, "[[…]]" is left out when a value in it is missing
	Retry   string    `yaml:"retry"` // "yes", "no", "after-change"
	Fixes   []Fix     `yaml:"fixes"`
	Links   []string  `yaml:"links"`
	Confirm []Confirm `yaml:"confirm"` // what further evidence would settle an ambiguous match
	Samples Samples   `yaml:"samples"`
}

// Text is a text in both languages, each written for its readers.
type Text struct {
	ZH string `yaml:"zh"`
	EN string `yaml:"en"`
}

// In gives the text in a language, "en" or else Chinese.
func (t Text) In(lang string) string {
	if lang == "en" {
		return t.EN
	}
	return t.ZH
}

// Fix is one way to mend the failure.
type Fix struct {
	Title   Text   `yaml:"title"`
	Steps   []Text `yaml:"steps"`
	Changes bool   `yaml:"changes"` // carries out something that the user must confirm
	On      string `yaml:"on"`      // "npu" or "gpu" for a fix that is of use on such cards alone, else ""
}

// Confirm is a further piece of evidence and what it would decide.
type Confirm struct {
	API string `yaml:"api"` // operation of ModelArts, "" for a manual check
	Why Text   `yaml:"why"`
}

// Samples prove a rule.
type Samples struct {
	Match []string `yaml:"match"` // lines that it matches; of a text with several lines, at least one
	Near  []string `yaml:"near"`  // lines that look alike and that it must not match
}

// File is where the rule stands below the root of its pack.
func (r *Rule) File() string { return r.Family + "/" + r.ID + ".yaml" }

// Detail gives the rule's texts and samples.
func (r *Rule) Detail() (*Detail, error) {
	if d := r.texts.loaded; d != nil {
		return d, nil
	}
	return r.texts.whole.of(r)
}

// Brief gives the rule's texts without its samples, which together with what it
// matches make the most of its file and of the time that reading it takes.
func (r *Rule) Brief() (*Detail, error) {
	if d := r.texts.loaded; d != nil {
		brief := *d
		brief.Samples = Samples{}
		return &brief, nil
	}
	return r.texts.brief.of(r, "match", "samples")
}

// of reads a shipped rule's file once, without some of its fields.
func (t *reading) of(r *Rule, without ...string) (*Detail, error) {
	t.once.Do(func() {
		if t.detail, t.err = readShipped(r, without...); t.err != nil {
			t.err = fmt.Errorf("reading rule %q: %w", r.ID, t.err)
		}
	})
	return t.detail, t.err
}

// Find looks for the first wording of the rule that the text has. The text is
// one line without its prefixes.
func (r *Rule) Find(text string) (values Values, wording int, ok bool) {
	for i := range r.Match {
		if v, ok := r.Match[i].Find(text); ok {
			return v, i, true
		}
	}
	return nil, -1, false
}

// Complete gives the values that the wording i found in a text and those that only
// another wording of the rule names: of a long line, several may fit.
func (r *Rule) Complete(values Values, i int, text string) Values {
	values = slices.Clone(values)
	for j := range r.Match {
		if j == i || r.Match[j].Regexp == "" {
			continue
		}
		more, _ := r.Match[j].Find(text)
		for _, v := range more {
			if values.Get(v.Name) == "" {
				values = append(values, v)
			}
		}
	}
	return values
}

// Find reports whether the text has the wording, and the values that it names.
func (w *Wording) Find(text string) (Values, bool) {
	if _, miss := w.Misses(text); miss != Nothing {
		return nil, false
	}
	if w.Regexp == "" {
		return nil, true
	}
	re := w.expr()
	near, _ := w.readable(text)
	m := re.FindStringSubmatch(near)
	if m == nil {
		return nil, false
	}
	var values Values
	for i, name := range re.SubexpNames() {
		if name != "" && m[i] != "" {
			values.set(name, m[i])
		}
	}
	return values, true
}

// mostGuessed is how many characters of a text are looked through for words that
// are guessed by: further behind they belong to what the message prints, and a
// sentence that quotes it up to them is not read.
const mostGuessed = 400

// longText is from how many bytes on a text is read by an expression only where
// the words of the wording stand, and mostAround how many bytes around them are:
// an expression takes longer than all else that reads a line.
const (
	longText   = 64 << 10
	mostAround = 16 << 10
)

// readable gives what of a text the expression of the wording reads, and where in
// the text that begins.
func (w *Wording) readable(text string) (part string, at int) {
	switch {
	case w.Guess && len(text) > mostGuessed:
		n := 0
		for i := range text {
			if n == mostGuessed {
				return text[:i], 0
			}
			n++
		}
	case len(text) > longText:
		return w.around(text)
	}
	return text, 0
}

// around gives the part of a long text from the first of the literals to the last,
// with what stands around them.
func (w *Wording) around(text string) (part string, at int) {
	from, to := len(text), 0
	in := w.folded(text)
	for _, l := range w.Literals {
		l = w.folded(l)
		first := strings.Index(in, l)
		if first < 0 {
			return text, 0
		}
		from, to = min(from, first), max(to, strings.LastIndex(in, l)+len(l))
	}
	if from > to { // the wording has no literal
		return text, 0
	}
	for from = max(0, from-mostAround); from > 0 && !utf8.RuneStart(text[from]); from-- {
	}
	for to = min(len(text), to+mostAround); to < len(text) && !utf8.RuneStart(text[to]); to++ {
	}
	return text[from:to], from
}

// folded gives a text as literals are looked for in it: each byte stays in its place.
func (w *Wording) folded(text string) string {
	if !w.Fold {
		return text
	}
	b := []byte(text)
	for i, c := range b {
		b[i] = fold.Lower(c)
	}
	return string(b)
}

// Extent gives where in a text that it fits the words of the wording stand: its
// literals and its expression, unless that begins with the text, for then it may
// hold what stands around them.
func (w *Wording) Extent(text string) (from, to int) {
	from, to = len(text), 0
	text = w.folded(text)
	for _, l := range w.Literals {
		if i := strings.Index(text, w.folded(l)); i >= 0 {
			from, to = min(from, i), max(to, i+len(l))
		}
	}
	if w.Regexp != "" {
		part, begin := w.readable(text)
		if at := w.expr().FindStringIndex(part); at != nil {
			to = max(to, begin+at[1])
			if begin+at[0] > 0 {
				from = min(from, begin+at[0])
			}
		}
	}
	return min(from, to), to
}

// Miss says by which of its fragments a wording does not fit a text.
type Miss uint8

// The misses. Whether the expression fits, Find says.
const (
	Nothing Miss = iota // all fragments are as the wording wants them
	Absent              // a literal is not in the text
	Barred              // what must not stand in the text does
)

// Misses gives the first fragment that is not as the wording wants it.
func (w *Wording) Misses(text string) (fragment string, miss Miss) {
	contains := strings.Contains
	if w.Fold {
		contains = fold.Contains
	}
	for _, l := range w.Literals {
		if !contains(text, l) {
			return l, Absent
		}
	}
	return w.Bars(text)
}

// Bars gives the first fragment of a line that the wording excludes.
func (w *Wording) Bars(line string) (fragment string, miss Miss) {
	contains := strings.Contains
	if w.Fold {
		contains = fold.Contains
	}
	for _, l := range w.Not {
		if contains(line, l) {
			return l, Barred
		}
	}
	return "", Nothing
}

// expr compiles the expression when it is first needed; the loader and the
// pack's test have made sure that it compiles.
func (w *Wording) expr() *regexp.Regexp {
	w.once.Do(func() {
		src := w.Regexp
		if w.Fold {
			src = "(?i)" + src
		}
		w.re = regexp.MustCompile(src)
	})
	return w.re
}

// weight orders rules that match the same line: the longer the literals that a
// wording demands, the more it says.
func (w *Wording) weight() int {
	n := 0
	for _, l := range w.Literals {
		n += len(l)
	}
	return n
}

// Outranks reports whether a match of r by its wording i says more than one of
// o by its wording j on the same line.
func (r *Rule) Outranks(i int, o *Rule, j int) bool {
	for _, id := range r.Over {
		if id == o.ID {
			return true
		}
	}
	for _, id := range o.Over {
		if id == r.ID {
			return false
		}
	}
	if (r.Role == Harmless) != (o.Role == Harmless) {
		return r.Role == Harmless
	}
	if r.Generic != o.Generic {
		return o.Generic
	}
	if a, b := r.Match[i].weight(), o.Match[j].weight(); a != b {
		return a > b
	}
	return r.ID < o.ID
}

// IsException reports whether a line by itself has the form "Type: message" in
// which Python names an uncaught exception: a dotted name, by itself or before a
// colon and a space or the end, whose last part begins with a capital and ends
// with a small letter.
func IsException(text string) bool {
	n := 0
	for n < len(text) && (text[n] == '.' || isWord(text[n])) {
		n++
	}
	rest, colon := strings.CutPrefix(text[n:], ":")
	if rest != "" && !(colon && strings.IndexByte("\t\n\f\r ", rest[0]) >= 0) {
		return false
	}
	class := text[strings.LastIndexByte(text[:n], '.')+1 : n]
	return class != "" && isCapital(class[0]) && isSmall(class[len(class)-1]) && (len(class) == n || text[0] == '_' || isCapital(text[0]) || isSmall(text[0]))
}

func isCapital(c byte) bool { return 'A' <= c && c <= 'Z' }

func isSmall(c byte) bool { return 'a' <= c && c <= 'z' }

// toldEnds are how the names end that toldForm knows.
var toldEnds = []string{"Error", "Exception", "Interrupt", "Iteration"}

var toldForm = lazy.Regexp(`^[^"'=(]{1,80}:\s?(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Interrupt|Iteration)(?::\s|$)`)

// TellsException reports whether a line names an exception behind a label, as
// programs write down what they caught: "run failed: KeyError: 'label'". Unless
// the line is an error by its level, the label has to say so.
func TellsException(text string, isError bool) bool {
	return slices.ContainsFunc(toldEnds, func(w string) bool { return strings.Contains(text, w) }) &&
		toldForm().MatchString(text) && (isError || IsLoud(text))
}

// loud are the words of labels that speak of a failure.
var loud = fold.Of("error", "exception", "fail", "fatal", "uncaught", "unhandled", "crash")

// mostLabel is how many characters stand before such a word in a label at the most.
const mostLabel = 40

// IsLoud reports whether a line begins with a label that speaks of a failure.
func IsLoud(text string) bool {
	label, _, _ := strings.Cut(text[:min(len(text), (mostLabel+3)*utf8.UTFMax)], ":")
	at := loud.Index(label)
	return at >= 0 && utf8.RuneCountInString(label[:at]) <= mostLabel
}
