package report

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"strings"
	"sync"
)

//go:embed html.gohtml html.css
var htmlFiles embed.FS

var pages = sync.OnceValue(func() *template.Template { return template.Must(template.ParseFS(htmlFiles, "html.gohtml")) })

// HTMLStyle is the style sheet of every page: light and dark, wide and narrow.
var HTMLStyle = func() template.CSS {
	css, err := htmlFiles.ReadFile("html.css")
	if err != nil {
		panic(err) // cannot be: it is embedded
	}
	return template.CSS(css)
}()

// HTML renders reports as one page that needs nothing but itself: no script, no
// font, no picture from elsewhere.
func HTML(reports []Report, lang string) ([]byte, error) {
	p := page{HTMLLang: HTMLLang(lang), Style: HTMLStyle}
	for i := range reports {
		p.Faces = append(p.Faces, newFace(reports[i].shown(), lang, i+1))
	}
	p.Title = text{ZH: "训练作业诊断报告", EN: "Training job report"}.In(lang)
	if len(reports) == 1 {
		p.Title = jobTitle(reports[0].shown(), Plain) + " · " + p.Title
	}
	var b bytes.Buffer
	if err := pages().ExecuteTemplate(&b, "page", p); err != nil {
		return nil, fmt.Errorf("rendering report: %w", err)
	}
	return b.Bytes(), nil
}

// HTMLLang is the language of a page as its head names it.
func HTMLLang(lang string) string {
	if lang == "en" {
		return "en"
	}
	return "zh-CN"
}

type page struct {
	HTMLLang, Title string
	Style           template.CSS
	Faces           []face
}

// face is one report with every text ready for the page.
type face struct {
	Anchor         string
	Job            template.HTML
	Tone, Severity string
	Phase          template.HTML
	Sentence       template.HTML
	Outcome        template.HTML
	Alternatives   []quoted
	Opinion        template.HTML
	HasEvidence    bool
	Evidence       []quoted
	Symptoms       []quoted
	Order          template.HTML
	Doubt          template.HTML
	Why            []quoted
	Picture        *picture
	Undecided      bool
	Collected      []quoted
	Fixes          []fixFace
	NoFix          string
	Next           []template.HTML
	Notes          []template.HTML
	T              htmlTexts
	lang           string
}

// htmlTexts are the fixed texts of the page.
type htmlTexts struct {
	State, Cause, Evidence, Collected, Key, Fixes, Next, Notes, Others, Symptoms, Why, Nothing string
}

// quoted is a line, where it stands, and what is said about it.
type quoted struct {
	Name, Place template.HTML
	Text        string
	Because     template.HTML
}

type fixFace struct {
	Heading string
	Title   template.HTML
	Steps   []template.HTML
	Changes string
}

func newFace(r *Report, lang string, number int) face {
	f := face{
		Anchor:   fmt.Sprintf("report-%d", number),
		Job:      template.HTML(jobTitle(r, codeHTML)),
		Tone:     r.tone(),
		Severity: severities[r.Severity].In(lang),
		Phase:    template.HTML(codeHTML(phase(r))),
		Sentence: proseHTML(r.sentence(lang)),
		Outcome:  proseHTML(r.Outcome),
		Picture:  newPicture(r.Timeline, lang),
		lang:     lang,
		T: htmlTexts{
			State: cellPhase.In(lang), Cause: headCause.In(lang), Evidence: headEvidence.In(lang), Collected: headCollected.In(lang),
			Key: cellKey.In(lang), Fixes: headFixes.In(lang), Next: headNext.In(lang), Notes: notes.In(lang),
			Others: others.In(lang), Symptoms: symptoms.In(lang), Why: reasoning.In(lang), Nothing: nothing.In(lang),
		},
		Undecided: r.Undecided(),
	}
	if f.Picture != nil && !f.Picture.HasRoot && r.NamesCause() {
		f.Picture.Remarks = append(f.Picture.Remarks, pictureNoRoot.In(lang))
	}
	f.cause(r)
	f.evidence(r)
	f.remedy(r)
	return f
}

// tone is the class of the badge that shows the severity.
func (r *Report) tone() string {
	switch {
	case r.Severity == Normal:
		return "good"
	case r.Severity == Fault && !r.Undecided():
		return "bad"
	}
	return "warn"
}

func (f *face) cause(r *Report) {
	if !r.Undecided() {
		for _, a := range r.Alternatives {
			f.Alternatives = append(f.Alternatives, quoted{Name: proseHTML(causeName(a.Cause, f.lang)), Place: f.place(a.Source, a.Field, a.Line), Text: Plain(a.Text)})
		}
	}
	if o := r.SecondOpinion; o != nil {
		f.Opinion = template.HTML(template.HTMLEscapeString(opinion.In(f.lang)) + codeHTML(o.Text) + opinionComment(o, f.lang, proseText))
	}
}

func (f *face) evidence(r *Report) {
	f.HasEvidence = len(r.Evidence)+len(r.Symptoms)+len(r.Why) > 0
	for _, e := range r.Evidence {
		f.Evidence = append(f.Evidence, quoted{Place: f.place(e.Source, e.Field, e.Line), Text: Plain(e.Text)})
	}
	for _, s := range r.Symptoms {
		f.Symptoms = append(f.Symptoms, quoted{Place: f.place(s.Source, s.Field, s.Line), Text: Plain(s.Text), Because: proseHTML(s.Because)})
	}
	if r.Order != "" {
		f.Order = proseHTML(orderedBy.In(f.lang) + r.Order)
	}
	if r.Doubt != "" {
		f.Doubt = proseHTML(doubted.In(f.lang) + r.Doubt)
	}
	for _, s := range r.Why {
		f.Why = append(f.Why, quoted{Name: template.HTML(template.HTMLEscapeString(verdictWord(s.Verdict, f.lang))), Place: f.place(s.Source, s.Field, s.Line), Text: Plain(s.Text), Because: proseHTML(s.Because)})
	}
}

func (f *face) remedy(r *Report) {
	for _, row := range r.rows() {
		f.Collected = append(f.Collected, quoted{Place: template.HTML(codeHTML(row.api)), Because: template.HTML(row.facts(f.lang, codeHTML))})
	}
	f.NoFix = noFixText(r).In(f.lang)
	for i, x := range r.Fixes {
		fix := fixFace{Heading: fmt.Sprintf("%s %d", headOption.In(f.lang), i+1), Title: proseHTML(fixTitle(r, x, f.lang)), Changes: changesText(x).In(f.lang)}
		for _, s := range x.Steps {
			fix.Steps = append(fix.Steps, proseHTML(s))
		}
		f.Fixes = append(f.Fixes, fix)
	}
	for _, s := range r.nextSteps(f.lang) {
		f.Next = append(f.Next, proseHTML(s))
	}
	for _, n := range r.Notes {
		f.Notes = append(f.Notes, template.HTML(notePlace(n, f.lang, codeHTML))+proseHTML(n.Text))
	}
}

func (f *face) place(source, field string, line int) template.HTML {
	return template.HTML(placeOf(source, field, line, f.lang, codeHTML))
}

// verdictWord is verdictName for a page.
func verdictWord(v, lang string) string {
	if t, ok := verdictNames[v]; ok {
		return t.In(lang)
	}
	return Plain(v)
}

// codeHTML gives a text as code that it cannot leave.
func codeHTML(s string) string {
	return "<code>" + template.HTMLEscapeString(Plain(s)) + "</code>"
}

// proseHTML turns a text that may hold code spans into HTML in which nothing
// else is active.
func proseHTML(s string) template.HTML { return template.HTML(proseText(s)) }

func proseText(s string) string {
	s = strings.TrimSpace(Plain(s))
	var b strings.Builder
	for s != "" {
		before, span, after, ok := cutSpan(s)
		b.WriteString(template.HTMLEscapeString(before))
		if !ok {
			break
		}
		b.WriteString(codeHTML(span))
		s = after
	}
	return b.String()
}
