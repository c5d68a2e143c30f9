package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/corpus"
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

// mostMismatches is how many mismatches are told one by one.
const mostMismatches = 100

func (c *console) mismatches(bad []analyzer.Mismatch) string {
	told := bad[:min(len(bad), mostMismatches)]
	lines := make([]string, len(told))
	for i, m := range told {
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
	if more := len(bad) - len(told); more > 0 {
		lines = append(lines, c.say(msgMoreQuotes, more))
	}
	return strings.Join(lines, "\n")
}

// Bounds on what a saved report holds. The longest lists of a report are those
// of the failures that were weighed, 8192 at most.
const (
	mostReports = 100_000
	mostItems   = 20_000  // of one list of a report
	mostValues  = 500_000 // of a report
)

var errCrowded = errors.New("more items than any report")

// savedReports reads a report as --format json writes it.
func (c *console) savedReports(file string) ([]report.Report, error) {
	data, err := c.readFile(file)
	if err != nil {
		return nil, err
	}
	reports, err := readReports(data)
	if err != nil {
		return nil, &wrapped{c.say(msgNotReport, file), err}
	}
	return reports, nil
}

// readReports reads one report, or a list of them, one at a time.
func readReports(data []byte) ([]report.Report, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		r, err := readReport(data)
		return []report.Report{r}, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	var reports []report.Report
	for d.More() {
		if len(reports) == mostReports {
			return nil, errCrowded
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, err
		}
		r, err := readReport(raw)
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	_, err := d.Token()
	if err == nil && len(bytes.TrimSpace(data[d.InputOffset():])) > 0 {
		err = io.ErrUnexpectedEOF
	}
	return reports, err
}

func readReport(data []byte) (r report.Report, err error) {
	if corpus.Crowded(data, mostItems, mostValues) {
		return r, errCrowded
	}
	if err = json.Unmarshal(data, &r); err == nil && r.Schema != report.Schema {
		err = fmt.Errorf("schema %q", r.Schema)
	}
	return r, err
}
