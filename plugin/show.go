package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jmespath/go-jmespath"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/plugin/operations"
)

// jsonText writes a value as JSON in which nothing acts on a terminal.
func jsonText(v any) string {
	data, err := report.EncodeJSON(v)
	if err != nil {
		return ""
	}
	return string(data)
}

// show prints an answer: a query's result as JSON; else, on a terminal, the
// table or the text that the form describes; else the answer as JSON.
func (s *caller) show(req *operations.Request, form *operations.Form, answer any, query *operations.Query) error {
	if query != nil {
		return s.showQuery(answer, query)
	}
	if form == nil {
		form = formOf(req.Operation)
	}
	_, terminal := s.terminal()
	table := form != nil && (len(form.Columns) > 0 || form.Header != "") && (s.opts.format == "table" || s.opts.format == "" && terminal)
	text := form != nil && form.Text != "" && (s.opts.format == "text" || s.opts.format == "" && terminal)
	switch {
	case answer == nil && (terminal || s.opts.format != ""):
		return nil
	case answer == nil:
		return s.deliver("", nil)
	case table:
		return s.showTable(form, answer)
	case text:
		if t, ok := operations.Search(form.Text, answer).(string); ok {
			return s.deliver("", []byte(s.masked(plainLines(t))))
		}
		return nil
	case s.opts.format == "table" || s.opts.format == "text":
		return &usageError{s.say(msgNoForm, s.opts.format, req.Operation.Name)}
	}
	return s.deliver("", []byte(s.maskedJSON(answer)))
}

// queryError says what is wrong with an expression.
func (c *console) queryError(expr string, err error) error {
	if syntax, ok := errors.AsType[jmespath.SyntaxError](err); ok {
		return &usageError{c.say(msgQueryAt, expr, syntax.Offset+1)}
	}
	return &usageError{c.say(msgQueryFails, expr)}
}

// formOf is the form that shows an operation called by its own name.
func formOf(op *operations.Operation) *operations.Form {
	if len(op.Forms) == 0 {
		return nil
	}
	return &op.Forms[0]
}

// plainLines keeps the lines of a text and shows what is hidden in them.
func plainLines(t string) string {
	lines := strings.Split(strings.TrimSuffix(t, "\n"), "\n")
	for i, l := range lines {
		lines[i] = report.Plain(strings.TrimSuffix(l, "\r"))
	}
	return strings.Join(lines, "\n") + "\n"
}

// showQuery prints what a query found: a text as it is, everything else as JSON.
// What matches nothing prints null and says so.
func (s *caller) showQuery(answer any, query *operations.Query) error {
	found, err := query.Search(answer)
	if err != nil {
		return s.queryError(s.opts.query, err)
	}
	if text, ok := found.(string); ok {
		return s.deliver("", []byte(s.masked(plainLines(text))))
	}
	if found == nil {
		s.notice(s.say(msgNothingMatched, s.opts.query))
	}
	return s.deliver("", []byte(s.maskedJSON(found)))
}

func (s *caller) showTable(form *operations.Form, answer any) error {
	columns := slices.DeleteFunc(slices.Clone(form.Columns), func(c operations.Column) bool { return c.Lang != "" && c.Lang != s.lang })
	items, _ := operations.Search(form.Items, answer).([]any)
	var heading []string
	var rows [][]string
	if form.Header != "" {
		titles, _ := operations.Search(form.Header, answer).([]any)
		for _, t := range titles[:min(len(titles), mostColumns)] {
			heading = append(heading, tableCell(t, "", nil))
		}
		for _, item := range items {
			fields, _ := item.([]any)
			row := make([]string, len(heading))
			for i := range row {
				if i < len(fields) {
					row[i] = tableCell(fields[i], "", nil)
				}
			}
			rows = append(rows, row)
		}
	}
	for _, c := range columns {
		heading = append(heading, c.Title.In(s.lang))
	}
	for _, item := range items {
		if form.Header != "" {
			break
		}
		row := make([]string, len(columns))
		for i, c := range columns {
			row[i] = tableCell(operations.Search(c.Value, item), c.Form, s.zone)
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 || len(heading) == 0 {
		s.notice(s.say(msgEmptyList))
		return nil
	}
	rows, heading = dropEmpty(rows, heading)
	_, terminal := s.terminal()
	var b bytes.Buffer
	if err := writeTable(&b, terminal, heading, rows); err != nil {
		return fmt.Errorf("writing table: %w", err)
	}
	return s.deliver("", []byte(s.masked(b.String())))
}

// mostColumns bounds the columns that an answer names itself: each row has as many
// cells, and no terminal shows more.
const mostColumns = 256

// dropEmpty leaves out columns without a single value.
func dropEmpty(rows [][]string, heading []string) ([][]string, []string) {
	for i := len(heading) - 1; i > 0; i-- {
		if slices.ContainsFunc(rows, func(r []string) bool { return r[i] != "" }) {
			continue
		}
		heading = slices.Delete(heading, i, i+1)
		for j := range rows {
			rows[j] = slices.Delete(rows[j], i, i+1)
		}
	}
	return rows, heading
}

// tableCell writes one value of a table.
func tableCell(v any, form string, zone *time.Location) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return report.Plain(v)
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return numberCell(v, form, zone)
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = tableCell(e, form, zone)
		}
		return strings.Join(parts, ", ")
	}
	return report.Plain(strings.TrimSpace(jsonText(v)))
}

// Bounds of what is shown as a time or a span of time, in milliseconds.
const (
	lastMoment  = 253_402_300_799_999 // the end of the year 9999
	longestSpan = math.MaxInt64 / int64(time.Millisecond)
)

// numberCell writes a number in a form; one that the form cannot tell stays a
// number.
func numberCell(v float64, form string, zone *time.Location) string {
	switch {
	case form == "ms" && v <= 0:
		return ""
	case form == "ms" && v <= lastMoment:
		return time.UnixMilli(int64(v)).In(zone).Format("2006-01-02 15:04:05 -0700")
	case form == "duration" && math.Abs(v) <= float64(longestSpan)/2:
		return (time.Duration(v) * time.Millisecond).Truncate(time.Second).String()
	case form == "percent":
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', -1, 64)
}
