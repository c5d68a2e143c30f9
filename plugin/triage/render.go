package triage

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"hcloud-modelarts/analyzer/report"
)

// Table is a heading and rows of cells.
type Table struct {
	Heading []string
	Rows    [][]string
}

// Overview gives the counts, the groups and the rows for a terminal.
func Overview(rows Rows, lang string) (lines []string, groups, all Table, err error) {
	counts, list, err := Summarize(rows)
	if err != nil {
		return nil, groups, all, err
	}
	groups.Heading = []string{colCount.In(lang), colCause.In(lang), colOwner.In(lang), colRetry.In(lang), colFirst.In(lang), colLast.In(lang), colFingerprint.In(lang), colQuote.In(lang)}
	for _, g := range list {
		groups.Rows = append(groups.Rows, plainCells(
			strconv.Itoa(g.Count), causeText(g.State, g.Cause, lang), named(ownerNames, g.Owner, lang), named(retryNames, g.Retry, lang),
			orDash(g.FirstSeen), orDash(g.LastSeen), orDash(g.Fingerprint), orDash(cut(g.Quote.Text))))
	}
	all.Heading = []string{colCase.In(lang), colJob.In(lang), colCause.In(lang), colConfidence.In(lang), colRank.In(lang), colRetry.In(lang), colOwner.In(lang), colFingerprint.In(lang)}
	for r, err := range rows {
		if err != nil {
			return nil, groups, all, err
		}
		all.Rows = append(all.Rows, plainCells(
			r.Case, r.jobText(), causeText(r.State(), r.Cause, lang), orDash(string(r.Confidence)), r.rankText(),
			named(retryNames, r.Retry, lang), named(ownerNames, r.Owner, lang), orDash(r.groupText())))
	}
	return counts.lines(lang), groups, all, nil
}

// cut shortens a quote to what a cell holds.
func cut(s string) string {
	const most = 100
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most-1]) + "…"
}

func plainCells(cells ...string) []string {
	for i, c := range cells {
		cells[i] = report.Plain(report.Mask(c))
	}
	return cells
}

// JSON writes counts, groups and rows as one value.
func JSON(w io.Writer, rows Rows) error {
	counts, groups, err := Summarize(rows)
	if err != nil {
		return err
	}
	head, err := indented("", struct {
		Schema string  `json:"schema"`
		Counts Counts  `json:"counts"`
		Groups []Group `json:"groups"`
	}{Schema, counts, groups})
	if err != nil {
		return err
	}
	out := &sink{to: w}
	out.write(bytes.TrimSuffix(head, []byte("\n}")), []byte(",\n  \"rows\": ["))
	between, end := "\n    ", "]\n}\n"
	for r, err := range rows {
		if err != nil {
			return err
		}
		row, err := indented("    ", r)
		if err != nil {
			return err
		}
		out.write([]byte(between), row)
		between, end = ",\n    ", "\n  ]\n}\n"
	}
	out.write([]byte(end))
	return out.err
}

// indented gives a value as JSON on several lines, all but the first behind a
// prefix.
func indented(prefix string, v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(prefix, "  ")
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("rendering rows: %w", err)
	}
	return report.EscapeJSON(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// sink writes until an error, which it keeps.
type sink struct {
	to  io.Writer
	err error
}

func (s *sink) write(parts ...[]byte) {
	for _, p := range parts {
		if s.err == nil {
			_, s.err = s.to.Write(p)
		}
	}
}

// CSV writes the rows for spreadsheets. It begins with the mark by which they
// know UTF-8, and no cell is a formula to them. Names of columns, causes and
// other words for programs are the same in every language.
func CSV(out io.Writer, rows Rows) error {
	if _, err := io.WriteString(out, "\ufeff"); err != nil {
		return err
	}
	w := csv.NewWriter(out)
	if err := w.Write([]string{
		"case", "job_id", "job_name", "phase", "state", "severity", "cause", "confidence", "rank", "task", "time",
		"retry", "owner", "fingerprint", "source", "line", "field", "quote", "summary", "error",
	}); err != nil {
		return err
	}
	for r, err := range rows {
		if err != nil {
			return err
		}
		r = r.masked()
		rank, line := "", ""
		if r.Rank >= 0 {
			rank = strconv.Itoa(r.Rank)
		}
		if r.Quote.Line > 0 {
			line = strconv.Itoa(r.Quote.Line)
		}
		cells := []string{
			r.Case, r.Job.ID, r.Job.Name, r.Job.Phase, string(r.State()), string(r.Severity), r.Cause, string(r.Confidence), rank, r.Task, r.Time,
			r.Retry, r.Owner, r.Fingerprint, r.Quote.Source, line, r.Quote.Field, r.Quote.Text, r.Summary, r.Error,
		}
		for j, c := range cells {
			cells[j] = NoFormula(report.Plain(c))
		}
		if err := w.Write(cells); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// NoFormula gives a cell that no spreadsheet computes, whatever its text begins with.
func NoFormula(s string) string {
	first := strings.TrimLeftFunc(s, unicode.IsSpace)
	if first != "" && strings.ContainsRune("=+-@＝＋－＠|%", []rune(first)[0]) {
		return "'" + s
	}
	return s
}

// Markdown writes the counts, the groups and the rows.
func Markdown(w io.Writer, rows Rows, lang string) error {
	counts, groups, err := Summarize(rows)
	if err != nil {
		return err
	}
	out := &sink{to: w}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n## %s\n\n", titleText.In(lang), headSummary.In(lang))
	for _, l := range counts.lines(lang) {
		fmt.Fprintf(&b, "- %s\n", l)
	}
	code := func(s string) string {
		if s == "" || s == "-" {
			return "-"
		}
		return report.MarkdownCode(report.Mask(s))
	}
	fmt.Fprintf(&b, "\n## %s\n\n", headGroups.In(lang))
	markdownHead(&b, lang, colCount, colCause, colOwner, colRetry, colFirst, colLast, colFingerprint, colQuote)
	for _, g := range groups {
		markdownRow(&b, strconv.Itoa(g.Count), report.MarkdownProse(causeText(g.State, g.Cause, lang)), named(ownerNames, g.Owner, lang),
			named(retryNames, g.Retry, lang), orDash(g.FirstSeen), orDash(g.LastSeen), code(g.Fingerprint), code(cut(report.Mask(g.Quote.Text))))
	}
	fmt.Fprintf(&b, "\n## %s\n\n", headRows.In(lang))
	markdownHead(&b, lang, colCase, colJob, colCause, colConfidence, colRank, colRetry, colOwner, colFingerprint)
	for r, err := range rows {
		if err != nil {
			return err
		}
		markdownRow(&b, code(r.Case), code(r.jobText()), report.MarkdownProse(causeText(r.State(), r.Cause, lang)), orDash(string(r.Confidence)),
			code(r.rankText()), named(retryNames, r.Retry, lang), named(ownerNames, r.Owner, lang), code(r.groupText()))
		out.write([]byte(b.String()))
		b.Reset()
	}
	out.write([]byte(b.String()))
	return out.err
}

func markdownHead(b *strings.Builder, lang string, columns ...text) {
	for _, c := range columns {
		fmt.Fprintf(b, "| %s ", c.In(lang))
	}
	b.WriteString("|\n" + strings.Repeat("|---", len(columns)) + "|\n")
}

func markdownRow(b *strings.Builder, cells ...string) {
	for _, c := range cells {
		fmt.Fprintf(b, "| %s ", report.MarkdownCell(c))
	}
	b.WriteString("|\n")
}

// JUnit writes the rows for the test pages of continuous integration: a failed
// job is a failed test, one that could not be read an error, an undecided one
// is skipped.
func JUnit(w io.Writer, rows Rows, lang string) error {
	counts, _, err := Summarize(rows)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	attr := func(name string, n int) xml.Attr {
		return xml.Attr{Name: xml.Name{Local: name}, Value: strconv.Itoa(n)}
	}
	suites := xml.StartElement{Name: xml.Name{Local: "testsuites"}}
	suite := xml.StartElement{Name: xml.Name{Local: "testsuite"}, Attr: []xml.Attr{
		{Name: xml.Name{Local: "name"}, Value: "hcloud-modelarts triage"},
		attr("tests", counts.Jobs), attr("failures", counts.Failed), attr("errors", counts.Unreadable), attr("skipped", counts.Undecided),
	}}
	if err := errors.Join(e.EncodeToken(suites), e.EncodeToken(suite)); err != nil {
		return fmt.Errorf("rendering rows: %w", err)
	}
	for r, err := range rows {
		if err != nil {
			return err
		}
		if err := e.Encode(newJUnitCase(r.masked(), lang)); err != nil {
			return fmt.Errorf("rendering rows: %w", err)
		}
	}
	if err := errors.Join(e.EncodeToken(suite.End()), e.EncodeToken(suites.End()), e.Close()); err != nil {
		return fmt.Errorf("rendering rows: %w", err)
	}
	_, err = io.WriteString(w, "\n")
	return err
}

func newJUnitCase(r *Row, lang string) junitCase {
	t := junitCase{Class: "modelarts." + orDash(r.Domain), Name: r.Case}
	if r.jobText() != "-" {
		t.Name += " " + r.jobText()
	}
	t.Class, t.Name = forXML(t.Class), forXML(t.Name)
	message := junitMessage{Message: forXML(r.sentence()), Type: forXML(r.Cause), Text: forXML(junitText(r, lang))}
	switch r.State() {
	case Failed:
		t.Failure = &message
	case Unreadable:
		message.Type = string(Unreadable)
		t.Error = &message
	case Undecided:
		t.Skipped = &message
	}
	return t
}

type junitCase struct {
	XMLName xml.Name      `xml:"testcase"`
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure"`
	Error   *junitMessage `xml:"error"`
	Skipped *junitMessage `xml:"skipped"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

func junitText(r *Row, lang string) string {
	if r.Quote.Source == "" {
		return ""
	}
	return report.PlaceOf(r.Quote.Source, r.Quote.Field, r.Quote.Line, lang) + " " + r.Quote.Text
}

// forXML gives a text that every XML reader takes.
func forXML(s string) string { return report.Plain(s) }
