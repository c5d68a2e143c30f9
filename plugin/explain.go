package main

import (
	"io"
	"slices"
	"strings"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/report"
)

type explainCmd struct {
	Words []string `arg:"" name:"text" help:"${explain_text}"`

	Format string `enum:"text,json" default:"text" placeholder:"text|json" help:"${explain_format}"`
	Rules  string `placeholder:"DIR" help:"${rules_dir}"`
}

// pasted is how much of standard input an explanation reads; whole logs are for
// analyze.
const pasted = 1 << 20

// Run says what is known of a code, a cause, a rule or lines of a log.
func (x *explainCmd) Run(c *console) error {
	pack, err := c.pack(x.Rules)
	if err != nil {
		return err
	}
	text, err := c.words(x.Words)
	if err != nil {
		return err
	}
	e, err := analyzer.Explain(text, analyzer.Options{Lang: c.lang, Pack: pack})
	if err != nil {
		return err
	}
	out := report.ExplainText(&e, c.lang)
	if x.Format == "json" {
		if out, err = report.ExplainJSON(&e); err != nil {
			return err
		}
	}
	return c.deliver("", out)
}

var negative = lazy.Regexp(`^-(?:\d+(?:\.0+)?|0[xX][0-9a-fA-F]+)$`)

// minus stands in for the hyphen before a negative number, which the parser
// would take for a flag. Whoever pastes a real minus sign means the same.
const minus = "\u2212"

// guardNegatives hides the negative numbers that explain is asked about.
func guardNegatives(args []string) []string {
	if !slices.Contains(args, "explain") {
		return args
	}
	guarded := slices.Clone(args)
	for i, a := range guarded {
		if negative().MatchString(a) {
			guarded[i] = minus + a[1:]
		}
	}
	return guarded
}

// words joins the words of a text that a user typed or pasted; a single - is
// standard input.
func (c *console) words(words []string) (string, error) {
	text := strings.ReplaceAll(strings.Join(words, " "), minus, "-")
	if strings.TrimSpace(text) == "" {
		return "", &usageError{c.say(msgNoText)}
	}
	if text != "-" {
		return text, nil
	}
	data, err := io.ReadAll(decoded(io.LimitReader(c.stdin, pasted)))
	if err != nil {
		return "", &wrapped{c.say(msgReadStdin), err}
	}
	return string(data), nil
}
