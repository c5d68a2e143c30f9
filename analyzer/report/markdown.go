package report

import (
	"fmt"
	"strings"
)

// Markdown renders reports as Markdown, one after the other. The strict form
// holds the sections of the original template only.
func Markdown(reports []Report, lang string, strict bool) []byte {
	var b strings.Builder
	for i := range reports {
		if i > 0 {
			b.WriteString("\n---\n\n")
		}
		m := markdown{Builder: &b, r: reports[i].shown(), lang: lang, strict: strict}
		m.conclusion()
		m.cause()
		if !strict {
			m.evidence()
		}
		if m.r.Undecided() {
			m.collected()
		} else {
			m.fixes()
		}
		m.next()
	}
	return []byte(b.String())
}

// markdown writes one report.
type markdown struct {
	*strings.Builder
	r      *Report
	lang   string
	strict bool
}

func (m *markdown) in(t text) string { return t.In(m.lang) }

func (m *markdown) line(format string, args ...any) { fmt.Fprintf(m, format+"\n", args...) }

func (m *markdown) heading(t text) { m.line("\n## %s\n", m.in(t)) }

func (m *markdown) conclusion() {
	m.line("## %s\n", m.in(headConclusion))
	m.line("| %s | %s |", m.in(cellItem), m.in(cellValue))
	m.line("|------|-----|")
	m.line("| %s | %s |", m.in(cellJob), cell(jobTitle(m.r, code)))
	m.line("| %s | %s |", m.in(cellPhase), cell(code(phase(m.r))))
	m.line("| %s | %s |", m.in(cellSeverity), m.in(severities[m.r.Severity]))
}

// jobTitle names the job, or the input when no job is known.
func jobTitle(r *Report, code func(string) string) string {
	switch {
	case r.Job.Name != "" && r.Job.ID != "":
		return code(r.Job.Name) + " (" + code(r.Job.ID) + ")"
	case r.Job.Name+r.Job.ID != "":
		return code(r.Job.Name + r.Job.ID)
	}
	return code(r.Input)
}

func phase(r *Report) string {
	if r.Job.Phase == "" {
		return "-"
	}
	return r.Job.Phase
}

func (m *markdown) cause() {
	m.heading(headCause)
	m.line("%s", prose(m.r.sentence(m.lang)))
	if m.strict {
		return
	}
	if m.r.Outcome != "" {
		m.line("\n%s", prose(m.r.Outcome))
	}
	if len(m.r.Alternatives) > 0 && !m.r.Undecided() {
		m.line("\n%s\n", m.in(others))
		for _, a := range m.r.Alternatives {
			m.line("- %s %s %s", prose(causeName(a.Cause, m.lang)), m.place(a.Source, a.Field, a.Line), code(a.Text))
		}
	}
	if o := m.r.SecondOpinion; o != nil {
		m.line("\n%s%s", m.in(opinion), code(o.Text)+opinionComment(o, m.lang, prose))
	}
}

// sentence is the statement of the report, with how sure it is.
func (r *Report) sentence(lang string) string {
	s := r.Summary
	switch {
	case r.Undecided():
		s = Undecided.In(lang)
	case r.Confidence == Medium && r.Severity != Normal:
		s = likely.In(lang) + s
	}
	return s + fmt.Sprintf(confidence.In(lang), r.Confidence)
}

func opinionComment(o *SecondOpinion, lang string, show func(string) string) string {
	t := disagrees
	if o.Agrees {
		t = agrees
	}
	s := t.In(lang)
	if o.Comment != "" {
		s += sep(lang) + o.Comment
	}
	return fmt.Sprintf(aside.In(lang), show(s))
}

// sep joins two statements.
func sep(lang string) string {
	if lang == "en" {
		return ": "
	}
	return "："
}

func (m *markdown) evidence() {
	r := m.r
	if len(r.Evidence)+len(r.Symptoms)+len(r.Why) == 0 {
		return
	}
	m.heading(headEvidence)
	for _, e := range r.Evidence {
		m.line("- %s %s", m.place(e.Source, e.Field, e.Line), code(e.Text))
	}
	if len(r.Symptoms) > 0 {
		m.line("\n%s\n", m.in(symptoms))
		for _, s := range r.Symptoms {
			m.line("- %s %s%s", m.place(s.Source, s.Field, s.Line), code(s.Text), m.because(s.Because))
		}
	}
	if r.Order != "" {
		m.line("\n%s%s", m.in(orderedBy), prose(r.Order))
	}
	if r.Doubt != "" {
		m.line("\n%s%s", m.in(doubted), prose(r.Doubt))
	}
	if len(r.Why) > 0 {
		m.line("\n%s\n", m.in(reasoning))
		for i, s := range r.Why {
			m.line("%d. %s %s %s%s", i+1, verdictName(s.Verdict, m.lang), m.place(s.Source, s.Field, s.Line), code(s.Text), m.because(s.Because))
		}
	}
}

func verdictName(v, lang string) string {
	if t, ok := verdictNames[v]; ok {
		return t.In(lang)
	}
	return prose(v)
}

func (m *markdown) because(s string) string {
	if s == "" {
		return ""
	}
	return sep(m.lang) + prose(s)
}

// place says where a quote stands: "`file:line`", or the path of an API field.
func (m *markdown) place(source, field string, line int) string {
	return placeOf(source, field, line, m.lang, code)
}

func placeOf(source, field string, line int, lang string, code func(string) string) string {
	switch {
	case field == "" && line > 0:
		return code(fmt.Sprintf("%s:%d", source, line))
	case field == "":
		return code(source)
	case line > 0:
		return code(source) + " → " + code(field) + " " + fmt.Sprintf(lineOfField.In(lang), line)
	}
	return code(source) + " → " + code(field)
}

func (m *markdown) collected() {
	m.heading(headCollected)
	m.line("| API | %s |", m.in(cellKey))
	m.line("|-----|------|")
	for _, row := range m.r.rows() {
		m.line("| %s | %s |", cell(code(row.api)), cell(row.facts(m.lang, code)))
	}
	if len(m.r.Collected) == 0 {
		m.line("| - | %s |", m.in(nothing))
	}
}

// row is what one API told.
type row struct {
	api  string
	list []Collected
}

// rows groups the collected facts by API, in the order of first sight.
func (r *Report) rows() []row {
	var rows []row
	at := map[string]int{}
	for _, c := range r.Collected {
		i, ok := at[c.API]
		if !ok {
			i = len(rows)
			at[c.API] = i
			rows = append(rows, row{api: c.API})
		}
		rows[i].list = append(rows[i].list, c)
	}
	return rows
}

func (r row) facts(lang string, code func(string) string) string {
	var parts []string
	for _, c := range r.list {
		if c.Key == "" {
			parts = append(parts, code(c.Value))
			continue
		}
		parts = append(parts, code(c.Key)+" = "+code(c.Value))
	}
	if lang == "en" {
		return strings.Join(parts, "; ")
	}
	return strings.Join(parts, "；")
}

func (m *markdown) fixes() {
	m.heading(headFixes)
	if len(m.r.Fixes) == 0 {
		m.line("%s", m.in(noFixText(m.r)))
		return
	}
	for i, f := range m.r.Fixes {
		if i > 0 {
			m.line("")
		}
		m.line("### %s %d\n", m.in(headOption), i+1)
		if title := fixTitle(m.r, f, m.lang); title != "" {
			m.line("%s\n", prose(title))
		}
		for j, s := range f.Steps {
			m.line("%d. %s", j+1, prose(s))
		}
		m.line("\n> %s", m.in(changesText(f)))
	}
}

func noFixText(r *Report) text {
	if r.Severity == Normal {
		return nothingToFix
	}
	return noFix
}

// fixTitle is the title of a fix, marked as a suggestion unless the cause is sure.
func fixTitle(r *Report, f Fix, lang string) string {
	switch {
	case r.Confidence == High:
		return f.Title
	case f.Title == "":
		return attempt.In(lang)
	}
	return f.Title + suggestion.In(lang)
}

func changesText(f Fix) text {
	if f.Changes {
		return needsYou
	}
	return readOnly
}

func (m *markdown) next() {
	m.heading(headNext)
	for i, s := range m.r.nextSteps(m.lang) {
		m.line("%d. %s", i+1, prose(s))
	}
	if len(m.r.Notes) > 0 {
		m.line("\n%s\n", m.in(notes))
		for _, n := range m.r.Notes {
			m.line("- %s%s", notePlace(n, m.lang, code), prose(n.Text))
		}
	}
}

func notePlace(n Note, lang string, code func(string) string) string {
	if n.Source == "" {
		return ""
	}
	return code(n.Source) + sep(lang)
}

// nextSteps says what to do after reading; it is never empty.
func (r *Report) nextSteps(lang string) []string {
	var steps []string
	for _, n := range r.Next {
		what := n.Command
		if what == "" {
			what = n.API
		}
		switch {
		case what == "":
			steps = append(steps, n.Why)
		case n.Why == "":
			steps = append(steps, "`"+what+"`")
		default:
			steps = append(steps, "`"+what+"`"+sep(lang)+n.Why)
		}
	}
	if len(steps) > 0 {
		return steps
	}
	switch {
	case r.Undecided():
		return []string{collectMore.In(lang)}
	case r.Severity == Normal:
		return []string{nothingToDo.In(lang)}
	case r.Confidence == High:
		return []string{afterFix.In(lang)}
	}
	return []string{afterTry.In(lang)}
}
