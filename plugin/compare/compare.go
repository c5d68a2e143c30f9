package compare

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/plugin/linediff"
	"hcloud-modelarts/plugin/triage"
)

// Schema names the JSON form. Within it fields are added, never renamed.
const Schema = "hcloud-modelarts/diff/v1"

// Difference is what changed from A to B. Its strings are masked when it is
// rendered.
type Difference struct {
	Schema string `json:"schema"`
	A      string `json:"a"`
	B      string `json:"b"`
	Part          // what is the whole's: of the job itself where each side has one
	OnlyA  []Line `json:"only_a"` // kinds of lines that only A has, the first of them
	OnlyB  []Line `json:"only_b"`
	MoreA  int    `json:"more_a"` // further ones
	MoreB  int    `json:"more_b"`
	Jobs   []Pair `json:"jobs,omitempty"` // where a side has several
}

// Part is what changed of one thing.
type Part struct {
	Changes []Change `json:"changes"`
	Texts   []Text   `json:"texts"`           // values and files of several lines, compared line by line
	Began   *Line    `json:"began,omitempty"` // the line with which B left the way of A
	Before  []Line   `json:"before"`          // what stands before it in B and is in A as well
}

// Pair is a job of A with the job of B that it is compared with.
type Pair struct {
	A  string `json:"a"`
	B  string `json:"b"`
	By By     `json:"by"`
	Part
}

// Change is one thing that differs; a side that has nothing of the kind is "".
type Change struct {
	Kind Kind   `json:"kind"`
	Key  string `json:"key"` // what of the kind: a parameter's name, a case
	A    string `json:"a"`
	B    string `json:"b"`
}

// Text is a value or a file of several lines that both sides have.
type Text struct {
	Name string `json:"name"`
	Diff string `json:"diff"` // in unified form
}

// Kind says what changed.
type Kind string

// The kinds, in the order in which they are told.
const (
	State       Kind = "state"
	Cause       Kind = "cause"
	Confidence  Kind = "confidence"
	Fingerprint Kind = "fingerprint"
	Rank        Kind = "rank"
	Evidence    Kind = "evidence"
	Image       Kind = "image"
	Code        Kind = "code"
	Command     Kind = "command"
	Flavor      Kind = "flavor"
	Parameter   Kind = "parameter"
	Environment Kind = "environment"
	Setup       Kind = "setup"
	Version     Kind = "version"
	StepTime    Kind = "step-time"
	Row         Kind = "case" // of two runs
	Job         Kind = "job"  // that only one side has
)

// Same reports whether nothing changed.
func (d *Difference) Same() bool {
	return d.Part.same() && len(d.OnlyA)+len(d.OnlyB) == 0 && !slices.ContainsFunc(d.Jobs, func(p Pair) bool { return !p.same() })
}

func (p *Part) same() bool { return len(p.Changes)+len(p.Texts) == 0 }

// shownLines is how many kinds of lines of one side are told.
const shownLines = 10

// Cases compares two cases or reports. Where a side has several jobs, each is
// compared with its like. The lines that are shown are read again.
func Cases(a, b *Side) (*Difference, error) {
	d := &Difference{Schema: Schema, A: a.Name, B: b.Name}
	isCase := a.Setups != nil && b.Setups != nil
	if isCase {
		d.OnlyA, d.MoreA = missing(a, b)
		d.OnlyB, d.MoreB = missing(b, a)
	}
	if len(a.Reports) > 1 || len(b.Reports) > 1 {
		d.jobs(a, b)
	} else {
		d.job(a, b, first(a.Reports), first(b.Reports))
	}
	if isCase {
		d.add(Setup, "…", a.Rest, b.Rest)
		d.versions(a.Versions, b.Versions)
		d.texts(a.Files, b.Files)
		d.steps(a.StepTime, b.StepTime)
	}
	return d, d.fill(a, b)
}

// fill reads the texts of the lines that are shown.
func (d *Difference) fill(a, b *Side) error {
	var ofA, ofB []*Line
	all := func(list []Line, to *[]*Line) {
		for i := range list {
			*to = append(*to, &list[i])
		}
	}
	part := func(p *Part) {
		if p.Began != nil {
			ofB = append(ofB, p.Began)
			all(p.Before, &ofB)
		}
	}
	all(d.OnlyA, &ofA)
	all(d.OnlyB, &ofB)
	part(&d.Part)
	for i := range d.Jobs {
		part(&d.Jobs[i].Part)
	}
	if err := a.fill(ofA); err != nil {
		return err
	}
	return b.fill(ofB)
}

// job compares two jobs.
func (p *Part) job(a, b *Side, ra, rb report.Report) {
	p.reports(ra, rb)
	if a.Setups == nil || b.Setups == nil {
		return
	}
	p.setup(a.setupOf(&ra), b.setupOf(&rb), a.Rest == "", b.Rest == "")
	p.began(a, b, &rb)
}

// jobs compares each job of one side with its like on the other, and names those
// that have none.
func (d *Difference) jobs(a, b *Side) {
	pairs, onlyA, onlyB := pair(a.Reports, b.Reports)
	for _, m := range pairs {
		ra, rb := a.Reports[m.a], b.Reports[m.b]
		p := Pair{A: label(&ra, m.a), B: label(&rb, m.b), By: m.by}
		p.job(a, b, ra, rb)
		d.Jobs = append(d.Jobs, p)
	}
	for _, i := range onlyA {
		d.add(Job, label(&a.Reports[i], i), verdict(&a.Reports[i]), "")
	}
	for _, i := range onlyB {
		d.add(Job, label(&b.Reports[i], i), "", verdict(&b.Reports[i]))
	}
}

// verdict is what a report says of a job, in two words.
func verdict(r *report.Report) string { return causeOf(r) + " " + string(r.Confidence) }

// first is the only report of a side.
func first(list []report.Report) report.Report {
	if len(list) == 0 {
		return report.Report{}
	}
	return list[0]
}

func (p *Part) add(kind Kind, key, a, b string) {
	if a != b {
		p.Changes = append(p.Changes, Change{kind, key, a, b})
	}
}

func (p *Part) reports(a, b report.Report) {
	p.add(State, "", a.Job.Phase, b.Job.Phase)
	p.add(Cause, "", causeOf(&a), causeOf(&b))
	p.add(Confidence, "", string(a.Confidence), string(b.Confidence))
	p.add(Fingerprint, "", a.Fingerprint, b.Fingerprint)
	p.add(Rank, "", rankOf(&a), rankOf(&b))
	p.add(Evidence, "", evidenceOf(&a), evidenceOf(&b))
}

// causeOf is the cause that a report names, "unknown" when it names none.
func causeOf(r *report.Report) string {
	if r.Undecided() {
		return "unknown"
	}
	return r.Cause
}

func rankOf(r *report.Report) string {
	if len(r.Evidence) == 0 || !r.NamesCause() || r.Evidence[0].Rank < 0 {
		return ""
	}
	return strconv.Itoa(r.Evidence[0].Rank)
}

func evidenceOf(r *report.Report) string {
	if len(r.Evidence) == 0 || !r.NamesCause() {
		return ""
	}
	return r.Evidence[0].Text
}

// kindsOfSetup tell the kind of a value by what its path holds.
var kindsOfSetup = []struct {
	part string
	kind Kind
}{
	{"environments.", Environment}, {"environment.", Environment}, {"parameters.", Parameter}, {"parameter.", Parameter}, {"policies.", Parameter},
	{"image", Image}, {"engine", Image}, {"code_dir", Code}, {"boot_file", Code}, {"code_", Code}, {"command", Command},
	{"flavor", Flavor}, {"node_count", Flavor}, {"pool_id", Flavor}, {"resource.", Flavor},
}

// setup compares how two jobs were set up. Of a setup that is not held whole nobody
// knows what it lacks.
func (p *Part) setup(a, b map[string]string, wholeA, wholeB bool) {
	byKind := map[Kind][]string{}
	keys := map[string]bool{}
	for _, m := range []map[string]string{a, b} {
		for key := range m {
			keys[key] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		_, inA := a[key]
		_, inB := b[key]
		if a[key] != b[key] && (inA || wholeA) && (inB || wholeB) && !runOnly(key) {
			kind := kindOf(key)
			byKind[kind] = append(byKind[kind], key)
		}
	}
	for _, kind := range []Kind{Image, Code, Command, Flavor, Parameter, Environment, Setup} {
		for _, key := range byKind[kind] {
			if strings.Contains(a[key], "\n") && strings.Contains(b[key], "\n") {
				p.text(key, a[key], b[key])
				continue
			}
			p.add(kind, key, a[key], b[key])
		}
	}
}

func kindOf(path string) Kind {
	for _, k := range kindsOfSetup {
		if strings.Contains(path, k.part) {
			return k.kind
		}
	}
	return Setup
}

// runOnly reports values that differ between any two runs.
func runOnly(path string) bool {
	last := path[strings.LastIndexByte(path, '.')+1:]
	return last == "id" || last == "create_time" || last == "obs_url" && strings.Contains(path, "log_export") || strings.HasSuffix(last, "_time")
}

// texts compares the files that both sides have.
func (p *Part) texts(a, b map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(a)) {
		if other, ok := b[name]; ok {
			p.text(name, a[name], other)
		}
	}
}

// contextLines is how many equal lines stand around those that differ.
const contextLines = 2

// text compares two texts line by line. They are masked before, as a whole: a
// secret may be longer than a line.
func (p *Part) text(name, a, b string) {
	ended := func(s string) string { return strings.TrimSuffix(report.Mask(s), "\n") + "\n" }
	if diff := linediff.Diff("A", "B", ended(a), ended(b), contextLines); diff != "" {
		p.Texts = append(p.Texts, Text{name, diff})
	}
}

// versions compares those that both sides tell: a log that does not name a
// program says nothing about it.
func (p *Part) versions(a, b map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(a)) {
		if b[key] != "" {
			p.add(Version, key, a[key], b[key])
		}
	}
}

// steps compares how long a step took, when it differs by a tenth or more.
func (p *Part) steps(a, b time.Duration) {
	if a <= 0 || b <= 0 || (a-b).Abs() < max(a, b)/10 {
		return
	}
	p.add(StepTime, "", seconds(a), seconds(b))
}

func seconds(t time.Duration) string { return fmt.Sprintf("%.3f s", t.Seconds()) }

// began tells with which line B left the way of A: in the log that shows the
// failure, the first line up to the decisive one whose kind A does not have. A
// run that has no kind of line in common with A never went its way.
func (p *Part) began(a, b *Side, r *report.Report) {
	if len(r.Evidence) == 0 || !r.NamesCause() || a.Cut {
		return
	}
	root := r.Evidence[0]
	if root.Field != "" || !slices.ContainsFunc(b.lines, a.has) {
		return
	}
	for i := range b.lines {
		if k := &b.lines[i]; k.number <= root.Line && b.sources[k.source] == root.Source && !a.has(*k) {
			began := b.show(k)
			p.Began, p.Before = &began, before(b, k)
			return
		}
	}
}

// has reports whether a side has a line's kind.
func (s *Side) has(k kept) bool {
	_, has := s.templates[k.template]
	return has
}

// missing gives the first lines of x whose kinds y does not have, and how many more
// there are.
func missing(x, y *Side) (shown []Line, more int) {
	if y.Cut {
		return nil, 0 // nobody knows what y has
	}
	for i := range x.lines {
		switch k := &x.lines[i]; {
		case y.has(*k):
		case len(shown) < shownLines:
			shown = append(shown, x.show(k))
		default:
			more++
		}
	}
	return shown, more
}

// before gives the three kept lines that stand before one in its source.
func before(s *Side, l *kept) []Line {
	var lines []Line
	for i := len(s.lines) - 1; i >= 0 && len(lines) < 3; i-- {
		if x := &s.lines[i]; s.sources[x.source] == s.sources[l.source] && x.number < l.number {
			lines = append(lines, s.show(x))
		}
	}
	slices.Reverse(lines)
	return lines
}

// Runs compares two results of triage by case and job.
func Runs(nameA, nameB string, a, b []triage.Row) *Difference {
	d := &Difference{Schema: Schema, A: nameA, B: nameB}
	rows := func(list []triage.Row) map[string]string {
		m := map[string]string{}
		last := map[string]int{} // number of each key that several rows have
		for i := range list {
			r := &list[i]
			key := r.Case
			if r.Job.ID+r.Job.Name != "" {
				key += " " + jobLabel(r.Job)
			}
			for first := key; m[key] != ""; { // jobs of a case that have no name, or the same
				last[first] = max(last[first], 1) + 1
				key = first + " #" + strconv.Itoa(last[first])
			}
			m[key] = rowText(r)
		}
		return m
	}
	ma, mb := rows(a), rows(b)
	keys := map[string]bool{}
	for _, m := range []map[string]string{ma, mb} {
		for key := range m {
			keys[key] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		d.add(Row, key, ma[key], mb[key])
	}
	return d
}

func rowText(r *triage.Row) string {
	switch s := r.State(); s {
	case triage.Failed:
		return r.Fingerprint + " " + string(r.Confidence)
	default:
		return string(s)
	}
}
