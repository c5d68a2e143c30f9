package triage

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
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
func Overview(rows []Row, lang string) (lines []string, groups, all Table) {
	counts := Count(rows)
	groups.Heading = []string{colCount.In(lang), colCause.In(lang), colOwner.In(lang), colRetry.In(lang), colFirst.In(lang), colLast.In(lang), colQuote.In(lang)}
	for _, g := range Groups(rows) {
		groups.Rows = append(groups.Rows, plainCells(
			strconv.Itoa(g.Count), causeText(g.State, g.Cause, lang), named(ownerNames, g.Owner, lang), named(retryNames, g.Retry, lang),
			orDash(g.FirstSeen), orDash(g.LastSeen), orDash(cut(g.Quote.Text))))
	}
	all.Heading = []string{colCase.In(lang), colJob.In(lang), colCause.In(lang), colConfidence.In(lang), colRank.In(lang), colRetry.In(lang), colOwner.In(lang)}
	for i := range rows {
		r := &rows[i]
		all.Rows = append(all.Rows, plainCells(
			r.Case, r.jobText(), causeText(r.State(), r.Cause, lang), orDash(string(r.Confidence)), r.rankText(),
			named(retryNames, r.Retry, lang), named(ownerNames, r.Owner, lang)))
	}
	return counts.lines(lang), groups, all
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

// JSON renders counts, groups and rows as one value.
func JSON(rows []Row) ([]byte, error) {
	if rows == nil {
		rows = []Row{}
	}
	value := struct {
		Schema string  `json:"schema"`
		Counts Counts  `json:"counts"`
		Groups []Group `json:"groups"`
		Rows   []Row   `json:"rows"`
	}{Schema, Count(rows), Groups(rows), rows}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(value); err != nil {
		return nil, fmt.Errorf("rendering rows: %w", err)
	}
	return escape(b.Bytes()), nil
}

// CSV renders the rows for spreadsheets. It begins with the mark by which they
// know UTF-8, and no cell is a formula to them. Names of columns, causes and
// other words for programs are the same in every language.
func CSV(rows []Row) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("\ufeff")
	w := csv.NewWriter(&b)
	if err := w.Write([]string{
		"case", "job_id", "job_name", "phase", "state", "severity", "cause", "confidence", "rank", "task", "time",
		"retry", "owner", "fingerprint", "source", "line", "field", "quote", "summary", "error",
	}); err != nil {
		return nil, err
	}
	for i := range rows {
		r := rows[i].masked()
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
			cells[j] = noFormula(report.Plain(c))
		}
		if err := w.Write(cells); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// noFormula keeps a spreadsheet from computing a cell.
func noFormula(s string) string {
	first := strings.TrimLeftFunc(s, unicode.IsSpace)
	if first != "" && strings.ContainsRune("=+-@＝＋－＠|%", []rune(first)[0]) {
		return "'" + s
	}
	return s
}

// Markdown renders the counts, the groups and the rows.
func Markdown(rows []Row, lang string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n## %s\n\n", titleText.In(lang), headSummary.In(lang))
	counts := Count(rows)
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
	markdownHead(&b, lang, colCount, colCause, colOwner, colRetry, colFirst, colLast, colQuote)
	for _, g := range Groups(rows) {
		markdownRow(&b, strconv.Itoa(g.Count), report.MarkdownProse(causeText(g.State, g.Cause, lang)), named(ownerNames, g.Owner, lang),
			named(retryNames, g.Retry, lang), orDash(g.FirstSeen), orDash(g.LastSeen), code(cut(report.Mask(g.Quote.Text))))
	}
	fmt.Fprintf(&b, "\n## %s\n\n", headRows.In(lang))
	markdownHead(&b, lang, colCase, colJob, colCause, colConfidence, colRank, colRetry, colOwner)
	for i := range rows {
		r := &rows[i]
		markdownRow(&b, code(r.Case), code(r.jobText()), report.MarkdownProse(causeText(r.State(), r.Cause, lang)), orDash(string(r.Confidence)),
			code(r.rankText()), named(retryNames, r.Retry, lang), named(ownerNames, r.Owner, lang))
	}
	return []byte(b.String())
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

// JUnit renders the rows for the test pages of continuous integration: a failed
// job is a failed test, one that could not be read an error, an undecided one
// is skipped.
func JUnit(rows []Row, lang string) ([]byte, error) {
	counts := Count(rows)
	suite := junitSuite{
		Name: "hcloud-modelarts triage", Tests: counts.Jobs, Failures: counts.Failed, Errors: counts.Unreadable, Skipped: counts.Undecided,
	}
	for i := range rows {
		r := rows[i].masked()
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
		suite.Cases = append(suite.Cases, t)
	}
	out, err := xml.MarshalIndent(struct {
		XMLName xml.Name   `xml:"testsuites"`
		Suite   junitSuite `xml:"testsuite"`
	}{Suite: suite}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("rendering rows: %w", err)
	}
	return append([]byte(xml.Header), append(out, '\n')...), nil
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
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
