package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/plugin/compare"
	"hcloud-modelarts/plugin/triage"
)

type diffCmd struct {
	A string `arg:"" help:"${diff_a}"`
	B string `arg:"" help:"${diff_b}"`

	Format   string `enum:"markdown,json" default:"markdown" placeholder:"markdown|json" help:"${diff_format}"`
	Output   string `short:"o" placeholder:"FILE" help:"${output}"`
	ExitCode bool   `help:"${diff_exit_code}"`
	Rules    string `placeholder:"DIR" help:"${rules_dir}"`
	bounds
}

// Run compares two cases, reports or results of triage.
func (d *diffCmd) Run(c *console) error {
	if err := c.keepInputs(d.Output, d.A, d.B); err != nil {
		return err
	}
	o, err := d.diagnosis(c, d.Rules)
	if err != nil {
		return err
	}
	diff, err := d.compare(c, o)
	if err != nil {
		return err
	}
	out := diff.Markdown(c.lang)
	if d.Format == "json" {
		if out, err = diff.JSON(); err != nil {
			return err
		}
	}
	if err := c.deliver(d.Output, out); err != nil {
		return err
	}
	if d.ExitCode && !diff.Same() {
		c.code = exitFault
	}
	return nil
}

func (d *diffCmd) compare(c *console, o analyzer.Options) (*compare.Difference, error) {
	kindA, err := savedAs(d.A)
	if err != nil {
		return nil, err
	}
	kindB, err := savedAs(d.B)
	if err != nil {
		return nil, err
	}
	if (kindA == triage.Schema) != (kindB == triage.Schema) {
		return nil, &usageError{c.say(msgUnlike, d.A, d.B)}
	}
	if kindA == triage.Schema {
		a, err := c.savedRows(d.A)
		if err != nil {
			return nil, err
		}
		b, err := c.savedRows(d.B)
		if err != nil {
			return nil, err
		}
		return compare.Runs(d.A, d.B, a, b), nil
	}
	a, err := c.side(d.A, kindA, o)
	if err != nil {
		return nil, err
	}
	b, err := c.side(d.B, kindB, o)
	if err != nil {
		return nil, err
	}
	c.tellNotes(d.A, a.Reports)
	c.tellNotes(d.B, b.Reports)
	return await(c, func() (*compare.Difference, error) { return compare.Cases(a, b) })
}

// mostToldNotes is how many notes of one side are told.
const mostToldNotes = 20

// tellNotes tells beside a comparison what a side lacks: what was not read may
// differ as well.
func (c *console) tellNotes(side string, reports []report.Report) {
	told := map[report.Note]bool{}
	for _, r := range reports {
		for _, n := range r.Notes {
			if told[n] {
				continue
			}
			told[n] = true
			if len(told) > mostToldNotes {
				c.tell(msgWarning, side+c.colon()+"…")
				return
			}
			place := ""
			if n.Source != "" {
				place = n.Source + c.colon()
			}
			c.tell(msgWarning, side+c.colon()+place+n.Text)
		}
	}
}

// side reads a report or a case.
func (c *console) side(name, kind string, o analyzer.Options) (*compare.Side, error) {
	if kind == report.Schema {
		reports, err := c.savedReports(name)
		return &compare.Side{Name: source.Printable(name), Reports: reports}, err
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, inputError(name, err)
	}
	return await(c, func() (*compare.Side, error) {
		return compare.Read(name, []source.Root{caseRoot(name, info)}, o)
	})
}

// savedAs tells a saved report or result by its schema; "" is a case.
func savedAs(name string) (string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return "", inputError(name, err)
	}
	if !info.Mode().IsRegular() {
		return "", nil
	}
	f, err := os.Open(name)
	if err != nil {
		return "", inputError(name, err)
	}
	defer f.Close()
	head, _ := io.ReadAll(decoded(io.LimitReader(f, 8192))) // what cannot be read is told by whoever reads it
	for _, schema := range []string{report.Schema, triage.Schema} {
		quoted, err := json.Marshal(schema)
		if err == nil && bytes.Contains(head, append([]byte(`"schema":`), quoted...)) ||
			bytes.Contains(head, append([]byte(`"schema": `), quoted...)) {
			return schema, nil
		}
	}
	return "", nil
}
