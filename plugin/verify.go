package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
)

type verifyCmd struct {
	Report string   `arg:"" help:"${verify_report}"`
	Paths  []string `arg:"" name:"path" help:"${verify_path}"`
}

// Run checks each quote of a saved report against the files that it was made of.
func (v *verifyCmd) Run(c *console) error {
	reports, err := c.savedReports(v.Report)
	if err != nil {
		return err
	}
	roots, err := c.roots(v.Paths)
	if err != nil {
		return err
	}
	quotes := 0
	for _, r := range reports {
		quotes += len(r.Quotes())
	}
	if quotes == 0 {
		return c.deliver("", []byte(c.say(msgNoQuotes, v.Report)+"\n"))
	}
	bad, err := analyzer.Verify(reports, roots, source.Limits{})
	if err != nil {
		return err
	}
	if len(bad) > 0 {
		return &mismatchError{c.mismatches(bad)}
	}
	return c.deliver("", []byte(c.say(msgVerified, quotes)+"\n"))
}

// mismatchError says what a check found: quotes that the files do not bear out,
// files that are not as their manifest says, secrets that are left.
type mismatchError struct{ text string }

func (e *mismatchError) Error() string { return e.text }

func (c *console) mismatches(bad []analyzer.Mismatch) string {
	lines := make([]string, len(bad))
	for i, m := range bad {
		place := fmt.Sprintf("%s:%d", m.Evidence.Source, m.Evidence.Line)
		if m.Evidence.Field != "" {
			place = fmt.Sprintf("%s %s:%d", m.Evidence.Source, m.Evidence.Field, m.Evidence.Line)
		}
		switch {
		case !m.Found:
			lines[i] = c.say(msgNoQuote, place)
		case m.Byte >= 0:
			lines[i] = c.say(msgOtherByte, place, m.Byte)
		default:
			lines[i] = c.say(msgOtherQuote, place)
		}
	}
	return strings.Join(lines, "\n")
}

// savedReports reads a report as --format json writes it.
func (c *console) savedReports(file string) ([]report.Report, error) {
	data, err := c.readFile(file)
	if err != nil {
		return nil, err
	}
	var reports []report.Report
	if bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		err = json.Unmarshal(data, &reports)
	} else {
		reports = make([]report.Report, 1)
		err = json.Unmarshal(data, &reports[0])
	}
	if err != nil {
		return nil, &wrapped{c.say(msgNotReport, file), err}
	}
	for _, r := range reports {
		if r.Schema != report.Schema {
			return nil, &wrapped{c.say(msgNotReport, file), fmt.Errorf("schema %q", r.Schema)}
		}
	}
	return reports, nil
}
