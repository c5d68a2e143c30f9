package report

import (
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Style says how a terminal wants its text.
type Style struct {
	Width int  // columns; lines are wrapped to it, 0 never wraps
	Color bool // ANSI colours
}

// Text renders reports for a terminal.
func Text(reports []Report, lang string, style Style) []byte {
	var b strings.Builder
	for i := range reports {
		if i > 0 {
			b.WriteString("\n\n")
		}
		t := terminal{Builder: &b, r: reports[i].shown(), lang: lang, style: style}
		t.conclusion()
		t.cause()
		t.evidence()
		if t.r.Undecided() {
			t.collected()
		} else {
			t.fixes()
		}
		t.next()
	}
	return []byte(b.String())
}

// terminal writes one report.
type terminal struct {
	*strings.Builder
	r     *Report
	lang  string
	style Style
}

const (
	bold  = "1"
	dim   = "2"
	red   = "31"
	green = "32"
	amber = "33"
)

func (t *terminal) in(x text) string { return x.In(t.lang) }

// paint colours a text; what it is given holds no escapes of its own.
func (t *terminal) paint(colour, s string) string {
	if !t.style.Color || colour == "" || s == "" {
		return s
	}
	return "\x1b[" + colour + "m" + s + "\x1b[0m"
}

// tone is the colour of the severity.
func (t *terminal) tone() string {
	switch {
	case t.r.Severity == Normal:
		return green
	case t.r.Severity == Fault && !t.r.Undecided():
		return red
	}
	return amber
}

// para writes a text wrapped and indented, the first line behind its mark.
func (t *terminal) para(mark, colour, s string) {
	indent := strings.Repeat(" ", displaywidth.String(mark))
	for i, line := range wrap(Plain(s), t.style.Width-len(indent), t.style.Width > 0) {
		if i == 0 {
			t.WriteString(mark)
		} else {
			t.WriteString(indent)
		}
		t.WriteString(t.paint(colour, line) + "\n")
	}
}

func (t *terminal) heading(x text) {
	t.WriteString("\n" + t.paint(bold, t.in(x)) + "\n")
}

func (t *terminal) place(source, field string, line int) string {
	return placeOf(source, field, line, t.lang, Plain)
}

func (t *terminal) conclusion() {
	t.para("", bold+";"+t.tone(), t.in(severities[t.r.Severity])+"  "+jobTitle(t.r, Plain)+"  "+phase(t.r))
}

func (t *terminal) cause() {
	t.heading(headCause)
	t.para("  ", t.tone(), bare(t.r.sentence(t.lang)))
	if t.r.Outcome != "" {
		t.para("  ", "", t.r.Outcome)
	}
	if len(t.r.Alternatives) > 0 && !t.r.Undecided() {
		t.para("  ", "", t.in(others))
		for _, a := range t.r.Alternatives {
			t.quote(causeName(a.Cause, t.lang)+"  "+t.place(a.Source, a.Field, a.Line), a.Text, "")
		}
	}
	if o := t.r.SecondOpinion; o != nil {
		t.para("  ", "", t.in(opinion)+o.Text+opinionComment(o, t.lang, Plain))
	}
}

// quote writes where a line stands, the line, and a remark on it.
func (t *terminal) quote(place, text, remark string) {
	t.para("  ", dim, place)
	t.para("    ", "", text)
	if remark != "" {
		t.para("    ", dim, remark)
	}
}

func (t *terminal) evidence() {
	r := t.r
	if len(r.Evidence)+len(r.Symptoms)+len(r.Why) == 0 {
		return
	}
	t.heading(headEvidence)
	for _, e := range r.Evidence {
		t.quote(t.place(e.Source, e.Field, e.Line), e.Text, "")
	}
	if len(r.Symptoms) > 0 {
		t.para("  ", "", t.in(symptoms))
		for _, s := range r.Symptoms {
			t.quote(t.place(s.Source, s.Field, s.Line), s.Text, s.Because)
		}
	}
	if r.Order != "" {
		t.para("  ", "", t.in(orderedBy)+r.Order)
	}
	if r.Doubt != "" {
		t.para("  ", "", t.in(doubted)+r.Doubt)
	}
	if len(r.Why) > 0 {
		t.para("  ", "", t.in(reasoning))
		for i, s := range r.Why {
			t.quote(fmt.Sprintf("%d. %s  %s", i+1, verdictName(s.Verdict, t.lang), t.place(s.Source, s.Field, s.Line)), s.Text, s.Because)
		}
	}
}

func (t *terminal) collected() {
	t.heading(headCollected)
	for _, row := range t.r.rows() {
		t.para("  "+Plain(row.api)+"  ", "", row.facts(t.lang, Plain))
	}
	if len(t.r.Collected) == 0 {
		t.para("  ", dim, t.in(nothing))
	}
}

func (t *terminal) fixes() {
	t.heading(headFixes)
	if len(t.r.Fixes) == 0 {
		t.para("  ", "", t.in(noFixText(t.r)))
		return
	}
	for i, f := range t.r.Fixes {
		t.para(fmt.Sprintf("  %s %d  ", t.in(headOption), i+1), bold, fixTitle(t.r, f, t.lang))
		for j, s := range f.Steps {
			t.para(fmt.Sprintf("    %d. ", j+1), "", bare(s))
		}
		t.para("    ", dim, t.in(changesText(f)))
	}
}

func (t *terminal) next() {
	t.heading(headNext)
	for i, s := range t.r.nextSteps(t.lang) {
		t.para(fmt.Sprintf("  %d. ", i+1), "", bare(s))
	}
	if len(t.r.Notes) > 0 {
		t.heading(notes)
		for _, n := range t.r.Notes {
			t.para("  - ", "", notePlace(n, t.lang, Plain)+n.Text)
		}
	}
}

// bare takes the marks of code spans off.
func bare(s string) string { return strings.ReplaceAll(s, "`", "") }

// wrap cuts a text into lines of at most width columns: at blanks, and between
// wide characters, which are written without blanks. A word that is longer than
// a line is cut where the line ends, so that nothing is lost.
func wrap(s string, width int, on bool) []string {
	if !on || displaywidth.String(s) <= width {
		return []string{s}
	}
	width = max(width, 20)
	var lines []string
	for displaywidth.String(s) > width {
		cut := breakAt(s, width)
		lines = append(lines, strings.TrimRight(s[:cut], " "))
		s = strings.TrimLeft(s[cut:], " ")
	}
	return append(lines, s)
}

// breakAt finds the byte at which a line that is too long ends.
func breakAt(s string, width int) int {
	blank, fit, used := 0, 0, 0
	g := displaywidth.StringGraphemes(s)
	for g.Next() && used+g.Width() <= width {
		used += g.Width()
		fit += len(g.Value())
		if g.Value() == " " || g.Width() > 1 && !closing(s[fit:]) {
			blank = fit
		}
	}
	if blank == 0 || strings.HasPrefix(s[fit:], " ") {
		return fit
	}
	return blank
}

// closing reports whether a text begins with a mark that may not begin a line.
func closing(s string) bool {
	for _, mark := range []string{"，", "。", "；", "：", "、", "）", "！", "？", "”", "》", ",", ".", ")", ";", ":"} {
		if strings.HasPrefix(s, mark) {
			return true
		}
	}
	return false
}
