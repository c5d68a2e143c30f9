package analyzer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/verdict"
)

// reader takes what reading finds: lines go to the scanner, or to what stands in
// its place, JSON values to the reader of answers, whose texts come back as lines.
type reader struct {
	scanner *scan.Scanner // nil when another takes the lines
	lines   lineTaker
	docs    []*source.Document // but those that are known to tell, and no job
	jobs    map[string]bool    // that documents in docs tell of
	answers answers
	jobOf   map[place]string // job of a text within an answer
	notes   []source.Note
	pages   *modelarts.Pages // the value being read in pages, nil when none is
	told    bool             // a page of it held a text

	held  map[*source.Document]*contents
	whole worth // of those that are no longer held
}

// lineTaker takes the lines of documents, and of texts within them.
type lineTaker interface {
	Line(*source.Line)
	EndText(doc *source.Document, field string)
	End(*source.Document)
}

type place struct {
	doc   *source.Document
	field string
}

func newReader(tables *scan.Tables) *reader {
	s := tables.Scanner()
	r := readerFor(s)
	r.scanner = s
	return r
}

func readerFor(lines lineTaker) *reader {
	return &reader{lines: lines, jobOf: map[place]string{}, jobs: map[string]bool{}, held: map[*source.Document]*contents{}}
}

func (r *reader) Begin(d *source.Document) { r.docs = append(r.docs, d) }

// End ends a document. What was held of it to read it is given up: there may be
// a hundred thousand.
func (r *reader) End(d *source.Document) {
	r.mend(d)
	if !d.Goes {
		r.lines.End(d)
	}
	if c := r.contentsOf(d); c.worth == tells && c.code == "" {
		r.whole = tells
		delete(r.held, d)
		if n := len(r.docs) - 1; r.docs[n] == d && (d.Job == "" || r.jobs[d.Job]) {
			r.docs = r.docs[:n]
			return
		}
	}
	r.jobs[d.Job] = true
}

func (r *reader) Line(l *source.Line) {
	r.weighLine(l)
	r.lines.Line(l)
}

// Long logs are skimmed: only the scanner knows what may concern it.
func (r *reader) Hits(block []byte, hits []int) []int { return r.scanner.Hits(block, hits) }
func (r *reader) Plain(word string) bool              { return r.scanner.Plain(word) }
func (r *reader) Idle() (stream, document bool)       { return r.scanner.Idle() }

func (r *reader) Skip(last []source.Skipped, n int) {
	for i := range last {
		r.weighLine(&last[i].Line)
	}
	r.scanner.Skip(last, n)
}

// Note takes a note; one that is given many times in a row is held once.
func (r *reader) Note(n source.Note) {
	if k := len(r.notes); k == 0 || r.notes[k-1].Source != n.Source || r.notes[k-1].Code != n.Code || !slices.Equal(r.notes[k-1].Args, n.Args) {
		r.notes = append(r.notes, n)
	}
}

// JSON reads a value, which may be an answer.
func (r *reader) JSON(j *source.JSON) {
	a, err := modelarts.ReadAt(j.Doc.Name, j.Number, j.Bytes, j.Cut)
	if err != nil {
		r.contentsOf(j.Doc).emptied("bad-json")
		return
	}
	known := recognised(a)
	if known && j.Cut {
		r.Note(source.Note{Source: j.Doc.Name, Code: "cut-json"})
	}
	r.weighJSON(j, known)
	r.take(j.Doc, a)
}

// Page reads a part of a value that is too large to be held. It is an answer, or
// may be.
func (r *reader) Page(p *source.Page) {
	if r.pages == nil {
		r.pages = modelarts.NewPages(p.Doc.Name, p.Number)
	}
	texts, err := r.pages.Read(p)
	for _, t := range texts {
		r.text(p.Doc, t)
		r.told = true
	}
	if p.Goes {
		return
	}
	a := r.pages.Answer()
	left := r.pages.LeftOut()
	known := recognised(a) || r.told
	r.pages, r.told = nil, false
	if err != nil && !known {
		r.contentsOf(p.Doc).emptied("bad-json")
		return
	}
	if known && p.Cut {
		r.Note(source.Note{Source: p.Doc.Name, Code: "cut-json"})
	}
	r.notes = append(r.notes, boundNotes(p.Doc.Name, left)...)
	r.weighJSON(&p.JSON, known)
	r.take(p.Doc, a)
}

// recognised reports whether an answer holds anything that is known.
func recognised(a modelarts.Answer) bool {
	return len(a.APIs)+len(a.Jobs)+len(a.Texts)+len(a.Errors)+len(a.Facts) > 0
}

// take keeps an answer and hands its texts to the scanner.
func (r *reader) take(d *source.Document, a modelarts.Answer) {
	for _, api := range a.Empty {
		code := "empty-list"
		if api == "ListTrainingJobs" {
			code = "empty-jobs"
		}
		r.Note(source.Note{Source: d.Name, Code: code, Args: []string{api}})
	}
	for _, t := range textsOf(a) {
		r.text(d, t)
	}
	if r.scanner == nil {
		r.samples(d, a)
	}
	r.answers.add(d, a)
}

// samples hands on the values of metrics, which a report may quote, as lines: the
// scanner has no use for them.
func (r *reader) samples(d *source.Document, a modelarts.Answer) {
	for i := range a.Jobs {
		for k := range a.Jobs[i].Metrics {
			m := &a.Jobs[i].Metrics[k]
			for n := range m.Values {
				source.Text(d, m.Field(n), source.Event, m.Text(n), func(l *source.Line) { r.lines.Line(l) })
			}
		}
	}
}

// textsOf gives the texts of an answer that are read like a log, the error that
// it reports among them.
func textsOf(a modelarts.Answer) []modelarts.Text {
	if e := a.Error; e != nil && e.Code+e.Message != "" {
		return append(a.Texts, modelarts.Text{Field: e.At.Field, Text: strings.TrimSpace(e.Code + ": " + e.Message), What: modelarts.EventText})
	}
	return a.Texts
}

// text hands one text of an answer to the scanner, with what the answer says
// about it.
func (r *reader) text(doc *source.Document, t modelarts.Text) {
	if t.Job != "" && len(r.jobOf) < scan.MostTexts {
		r.jobOf[place{doc, t.Field}] = t.Job
	}
	kind := source.Log
	switch t.What {
	case modelarts.EventText, modelarts.ReasonText:
		kind = source.Event
	case modelarts.MessageText:
		kind = source.Message
	}
	source.Text(doc, t.Field, kind, t.Text, func(l *source.Line) {
		if t.Task != "" {
			l.Task = t.Task
		}
		if l.Time.IsZero() && !t.Time.IsZero() {
			l.Time, l.Zoned = t.Time, true
		}
		if t.Level != "" && l.Level == "" {
			l.Level = t.Level
		}
		l.Number += t.Before
		r.lines.Line(l)
	})
	r.lines.EndText(doc, t.Field)
}

// cases parts what was found by job.
func (r *reader) cases(input string, found scan.Result) []*verdict.Case {
	if found.Dropped > 0 {
		r.Note(source.Note{Code: "bound-events", Args: []string{strconv.Itoa(found.Dropped)}})
	}
	if found.LeftOut > 0 {
		r.Note(source.Note{Code: "bound-streams", Args: []string{strconv.Itoa(found.LeftOut)}})
	}
	g := newGroups(input, r.answers.merged())
	r.notes = append(r.notes, boundNotes("", r.answers.left)...)
	if r.answers.out > 0 {
		r.Note(source.Note{Code: "bound-answers", Args: []string{strconv.Itoa(r.answers.out)}})
	}
	for _, d := range r.docs {
		g.name(d)
	}
	for _, s := range found.Streams {
		g.add(s, r.jobOf[place{s.Doc, s.Field}])
	}
	g.share(found)
	for _, a := range r.answers.list {
		g.answer(a)
	}
	return g.worthTelling()
}

// mostNotes is how many notes of one code a report gives: a thousand files that
// cannot be read are no more news than a hundred.
const mostNotes = 100

// notesIn words what there is to note.
func (r *reader) notesIn(lang string) []report.Note {
	sorted := slices.Clone(r.notes)
	slices.SortStableFunc(sorted, func(a, b source.Note) int { return strings.Compare(a.Source, b.Source) })
	told, more := map[string]int{}, 0
	notes := make([]report.Note, 0, min(len(sorted), mostNotes))
	for _, n := range sorted {
		if told[n.Code]++; told[n.Code] > mostNotes {
			more++
			continue
		}
		notes = append(notes, report.Note{Source: n.Source, Text: report.NoteText(lang, n.Code, n.Args)})
	}
	if more > 0 {
		notes = append(notes, report.Note{Text: report.NoteText(lang, "more-notes", []string{strconv.Itoa(more)})})
	}
	slices.SortStableFunc(notes, func(a, b report.Note) int {
		return cmp.Or(strings.Compare(a.Source, b.Source), strings.Compare(a.Text, b.Text))
	})
	return slices.Compact(notes)
}

// inputName is what reports call the input.
func inputName(roots []source.Root) string {
	names := make([]string, len(roots))
	for i, r := range roots {
		names[i] = r.Name
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}
