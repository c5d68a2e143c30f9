package main

import (
	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
)

// form is how a report is written, and where to.
type form struct {
	Format   string `enum:"markdown,json,text,html" default:"markdown" placeholder:"markdown|json|text|html" help:"${format}"`
	Template string `enum:"full,strict" default:"full" placeholder:"full|strict" help:"${template}"`
	Output   string `short:"o" placeholder:"FILE" help:"${output}"`
}

func (f *form) check(c *console) error {
	if f.Template == "strict" && f.Format != "markdown" {
		return &usageError{c.say(msgTemplate, f.Format)}
	}
	return nil
}

// deliver renders reports whose texts are in a language, and writes them.
func (f *form) deliver(c *console, reports []report.Report, lang string) error {
	out, err := f.render(c, reports, lang)
	if err != nil {
		return err
	}
	return c.deliver(f.Output, out)
}

func (f *form) render(c *console, reports []report.Report, lang string) ([]byte, error) {
	switch f.Format {
	case "json":
		return report.JSON(reports)
	case "html":
		return report.HTML(reports, lang)
	case "text":
		var style report.Style
		if f.Output == "" {
			style = c.style()
		}
		return report.Text(reports, lang, style), nil
	}
	return report.Markdown(reports, lang, f.Template == "strict"), nil
}

// reporting are the flags of every command that diagnoses.
type reporting struct {
	form
	ExitCode bool   `help:"${exit_code}"`
	Why      bool   `help:"${why}"`
	Rules    string `placeholder:"DIR" help:"${rules_dir}"`
}

// options shape the diagnosis.
func (r *reporting) options(c *console) (analyzer.Options, error) {
	if err := r.check(c); err != nil {
		return analyzer.Options{}, err
	}
	if r.Why && r.Template == "strict" {
		return analyzer.Options{}, &usageError{c.say(msgWhyStrict)}
	}
	pack, err := c.userPack(r.Rules)
	return analyzer.Options{Lang: c.lang, Pack: pack, Why: r.Why}, err
}

// give delivers the reports, and sets the exit code when it is to tell what
// they say.
func (r *reporting) give(c *console, reports []report.Report) error {
	if err := r.deliver(c, reports, c.lang); err != nil {
		return err
	}
	if r.ExitCode {
		c.code = exitCode(reports)
	}
	return nil
}

type renderCmd struct {
	Report string `arg:"" help:"${render_report}"`

	form
}

// Run renders a saved report in another form. Its texts stay in the language in
// which they were written, and so do the headings around them.
func (r *renderCmd) Run(c *console) error {
	if err := r.check(c); err != nil {
		return err
	}
	if err := c.keepInputs(r.Output, r.Report); err != nil {
		return err
	}
	reports, err := c.savedReports(r.Report)
	if err != nil {
		return err
	}
	lang := c.lang
	for i := range reports {
		if reports[i].Lang != "" {
			lang = reports[i].Lang
		}
	}
	return r.deliver(c, reports, lang)
}
