package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v4"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/plugin/shrink"
)

type shrinkCmd struct {
	Paths  []string `arg:"" name:"path" help:"${analyze_path}"`
	Output string   `short:"o" required:"" placeholder:"DIR" help:"${shrink_output}"`
	Rules  string   `placeholder:"DIR" help:"${rules_dir}"`
	bounds
}

// Run writes the smallest part of a case that keeps its diagnosis.
func (s *shrinkCmd) Run(c *console) error {
	if _, err := os.Lstat(s.Output); err == nil {
		return &usageError{c.say(msgExists, s.Output)}
	}
	roots, o, err := s.inputs(c, s.Paths, s.Rules)
	if err != nil {
		return err
	}
	o.Lang = "en"
	r, err := await(c, func() (*shrink.Result, error) { return shrink.Case(roots, o) })
	switch {
	case errors.Is(err, shrink.ErrMasked):
		return errors.New(c.say(msgMaskedAway))
	case errors.Is(err, shrink.ErrForm):
		return errors.New(c.say(msgNotPlain))
	case err != nil:
		return err
	}
	if err := writeCase(s.Output, r); err != nil {
		return &wrapped{c.say(msgWriteFile, s.Output), plainError(err)}
	}
	said := c.say(msgShrunkBare, s.Output, r.Before.Files, r.Before.Lines, r.After.Files, r.After.Lines)
	if r.Report.Fingerprint != "" {
		said = c.say(msgShrunk, s.Output, r.Before.Files, r.Before.Lines, r.After.Files, r.After.Lines, r.Report.Fingerprint)
	}
	return c.deliver("", []byte(said+"\n"))
}

// writeCase writes a case folder, whole or not at all.
func writeCase(dir string, r *shrink.Result) (err error) {
	tmp, err := makeBeside(dir, func(name string) error { return os.Mkdir(name, 0o777) })
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(tmp)
		}
	}()
	about, err := caseFile(r)
	if err != nil {
		return err
	}
	files := append([]shrink.File{{Name: "case.yaml", Data: about}}, r.Files...)
	for i, f := range files {
		if i > 0 {
			f.Name = "input/" + f.Name
		}
		name := filepath.Join(tmp, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			return err
		}
	}
	return os.Rename(tmp, dir)
}

// caseFile is the case.yaml of a shrunk case.
func caseFile(r *shrink.Result) ([]byte, error) {
	about := struct {
		Title      string `yaml:"title"`
		Shows      string `yaml:"shows"`
		Cause      string `yaml:"cause"`
		Confidence string `yaml:"confidence"`
		RootLine   string `yaml:"root_line,omitempty"`
	}{
		Title: report.Plain(report.Mask(r.Report.Summary)),
		Shows: fmt.Sprintf("shrunk from %d files with %d lines", r.Before.Files, r.Before.Lines),
		Cause: r.Report.Cause, Confidence: string(r.Report.Confidence),
	}
	if len(r.Report.Evidence) > 0 && r.Report.NamesCause() {
		about.RootLine = report.Excerpt(r.Report.Evidence[0].Text, 0, 0)
	}
	return yaml.Dump(about)
}
