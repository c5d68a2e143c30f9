package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/corpus"
)

type listCasesCmd struct {
	Format string `enum:"table,json" default:"table" placeholder:"table|json" help:"${table_format}"`
	storage
}

// Run lists the cases of the corpus, the newest first.
func (l *listCasesCmd) Run(c *console) error {
	dir, err := l.dir(c)
	if err != nil {
		return err
	}
	cases, broken, err := corpus.List(dir)
	if err != nil {
		return err
	}
	for _, b := range broken {
		c.tell(msgWarning, c.describe(b.Err))
	}
	if l.Format == "json" {
		if cases == nil {
			cases = []corpus.Manifest{}
		}
		return c.deliverJSON(cases)
	}
	if len(cases) == 0 {
		return c.deliver("", []byte(c.say(msgNoCases, report.Plain(dir))+"\n"))
	}
	rows := make([][]string, len(cases))
	for i, m := range cases {
		rows[i] = []string{m.ID, report.Plain(m.Job.Name), m.Job.Phase, m.Region, fmt.Sprint(len(m.Exchanges)), c.yesNo(m.Done), clock(m.Created)}
	}
	return c.deliverTable([]string{c.say(colCase), c.say(colName), c.say(colPhase), c.say(colRegion), c.say(colCalls), c.say(colWhole), c.say(colRecorded)}, rows)
}

type showCaseCmd struct {
	Case   string `arg:"" help:"${case_name}"`
	Format string `enum:"table,json" default:"table" placeholder:"table|json" help:"${table_format}"`
	storage
}

// Run shows what a case holds and what it lacks.
func (s *showCaseCmd) Run(c *console) error {
	k, err := s.open(c, s.Case)
	if err != nil {
		return err
	}
	defer k.Close()
	if s.Format == "json" {
		return c.deliverJSON(k.Manifest)
	}
	var b bytes.Buffer
	fmt.Fprint(&b, c.say(msgCase, k.ID, report.Plain(k.Job.Name), report.Plain(k.Job.ID), report.Plain(k.Job.Phase), report.Plain(k.Region), clock(k.Created), c.yesNo(k.Masked), report.Plain(k.HCloud), report.Plain(k.Tool)))
	rows := make([][]string, len(k.Exchanges))
	for i, x := range k.Exchanges {
		rows[i] = []string{fmt.Sprint(i + 1), callText(k, x), x.Class, fmt.Sprint(x.Bytes)}
	}
	if err := writeTable(&b, false, []string{"#", c.say(colCall), c.say(colClass), c.say(colBytes)}, rows); err != nil {
		return err
	}
	for _, l := range k.Logs {
		fmt.Fprintf(&b, "%s  %d\n", report.Plain(l.File), l.Bytes)
	}
	if missing := k.Missing(); len(missing) > 0 {
		b.WriteString(report.Plain(c.say(msgMissing, len(missing), requestList(missing), s.resume(k.ID))) + "\n")
	}
	return c.deliver("", b.Bytes())
}

// callText shows a call without the id of the case's job.
func callText(k *corpus.Case, x corpus.Exchange) string {
	text := x.Request.String()
	if k.Job.ID != "" {
		text = strings.ReplaceAll(text, k.Job.ID, "…")
	}
	return report.Plain(text)
}

type verifyCasesCmd struct {
	Cases []string `arg:"" optional:"" name:"case" help:"${case_names}"`
	storage
}

// Run compares the files of cases with their manifests.
func (v *verifyCasesCmd) Run(c *console) error {
	paths, err := v.paths(c)
	if err != nil {
		return err
	}
	var bad []string
	incomplete := 0
	for _, p := range paths {
		k, err := corpus.Open(p)
		if err != nil {
			bad = append(bad, c.describe(err))
			continue
		}
		problems, err := k.Verify(c.ctx)
		k.Close()
		if err != nil {
			return c.stopped(err)
		}
		if !k.Done && len(problems) > 0 && !slices.ContainsFunc(problems, func(x corpus.Problem) bool { return x.Code != "unlisted" }) {
			c.tell(msgIncomplete, p, v.resume(k.ID))
			incomplete++
			continue
		}
		for _, x := range problems {
			bad = append(bad, c.say(problemTexts[x.Code], filepath.Join(p, filepath.FromSlash(x.File))))
		}
	}
	if len(bad) > 0 {
		return &mismatchError{strings.Join(bad, "\n")}
	}
	return c.deliver("", []byte(c.say(msgCasesVerified, len(paths)-incomplete)+"\n"))
}

// paths are those of the named cases, or of all in the corpus.
func (v *verifyCasesCmd) paths(c *console) ([]string, error) {
	var paths []string
	for _, n := range v.Cases {
		p, err := v.find(c, n)
		if err != nil {
			return nil, err
		}
		paths = append(paths, p)
	}
	if len(v.Cases) > 0 {
		return paths, nil
	}
	dir, err := v.dir(c)
	if err != nil {
		return nil, err
	}
	cases, broken, err := corpus.List(dir)
	for _, m := range cases {
		paths = append(paths, filepath.Join(dir, m.ID))
	}
	for _, b := range broken {
		paths = append(paths, b.Path)
	}
	return paths, err
}

type removeCaseCmd struct {
	Cases []string `arg:"" name:"case" help:"${case_names_needed}"`
	storage
}

// Run removes cases.
func (r *removeCaseCmd) Run(c *console) error {
	for _, n := range r.Cases {
		p, err := r.find(c, n)
		if err != nil {
			return err
		}
		if err := corpus.Remove(p); err != nil {
			return err
		}
		c.tell(msgRemoved, p)
	}
	return nil
}

type exportCaseCmd struct {
	Case string `arg:"" help:"${case_name}"`
	File string `arg:"" optional:"" help:"${export_file}"`
	storage
}

// Run writes a case as one archive, to be passed on.
func (e *exportCaseCmd) Run(c *console) error {
	k, err := e.open(c, e.Case)
	if err != nil {
		return err
	}
	defer k.Close()
	file := e.File
	if file == "" {
		file = k.ID + ".zip"
	}
	if !k.Masked {
		c.tell(msgWarning, c.say(msgNotMasked))
	}
	if _, err := os.Lstat(file); err == nil {
		return &corpus.Error{Path: file, Code: "exists"}
	}
	err = writeFileAs(file, 0o600, func(w io.Writer) error { return corpus.Export(c.ctx, k, w) })
	if _, ok := errors.AsType[*corpus.Error](err); err != nil && !ok && c.ctx.Err() == nil {
		return &wrapped{c.say(msgWriteFile, file), plainError(err)}
	}
	if err != nil {
		return c.stopped(err)
	}
	return c.deliver("", []byte(file+"\n"))
}

type importCaseCmd struct {
	Files []string `arg:"" name:"file" help:"${import_file}"`
	storage
}

// Run copies cases into the corpus.
func (i *importCaseCmd) Run(c *console) error {
	dir, err := i.dir(c)
	if err != nil {
		return err
	}
	for _, file := range i.Files {
		k, err := corpus.Open(file)
		if err != nil {
			return err
		}
		p, err := corpus.Import(c.ctx, dir, k)
		k.Close()
		if err != nil {
			return c.stopped(err)
		}
		if err := c.deliver("", []byte(p+"\n")); err != nil {
			return err
		}
	}
	return nil
}

// stopped is an error of work, or that a signal ended it.
func (c *console) stopped(err error) error {
	if c.ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return errInterrupted
	}
	return err
}

func (c *console) yesNo(b bool) string {
	if b {
		return c.say(msgYes)
	}
	return c.say(msgNo)
}

func (c *console) deliverJSON(v any) error {
	data, err := report.EncodeJSON(v)
	if err != nil {
		return err
	}
	return c.deliver("", data)
}

func (c *console) deliverTable(heading []string, rows [][]string) error {
	var b bytes.Buffer
	_, terminal := c.terminal()
	if err := writeTable(&b, terminal, heading, rows); err != nil {
		return err
	}
	return c.deliver("", b.Bytes())
}

// openAll opens a case, or all cases of a folder of them.
func openAll(name string) ([]*corpus.Case, error) {
	k, err := corpus.Open(name)
	if err == nil {
		return []*corpus.Case{k}, nil
	}
	if e, ok := errors.AsType[*corpus.Error](err); !ok || e.Code != "not-a-case" {
		return nil, err
	}
	if info, e := os.Stat(name); e != nil || !info.IsDir() {
		return nil, err
	}
	list, _, e := corpus.List(name)
	if e != nil || len(list) == 0 {
		return nil, err
	}
	var all []*corpus.Case
	for _, m := range list {
		k, err := corpus.Open(filepath.Join(name, m.ID))
		if err != nil {
			return nil, err
		}
		all = append(all, k)
	}
	return all, nil
}
