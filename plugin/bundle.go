package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/plugin/bundle"
)

type bundleCmd struct {
	Paths  []string `arg:"" name:"path" help:"${analyze_path}"`
	Output string   `short:"o" required:"" placeholder:"FILE" help:"${bundle_output}"`
	Rules  string   `placeholder:"DIR" help:"${rules_dir}"`
	bounds
}

// Run packs a case for a ticket, and says what was masked and left out.
func (b *bundleCmd) Run(c *console) error {
	if err := c.keepInputs(b.Output, b.Paths...); err != nil {
		return err
	}
	roots, o, err := b.inputs(c, b.Paths, b.Rules)
	if err != nil {
		return err
	}
	made, err := await(c, func() (*bundle.Bundle, error) {
		return bundle.Make(strings.Join(b.Paths, " "), roots, o, name+" "+versionText())
	})
	if err != nil {
		return err
	}
	data, err := made.Zip()
	if err != nil {
		return err
	}
	if err := c.deliver(b.Output, data); err != nil {
		return err
	}
	summary := c.stdout
	if b.Output == "-" {
		summary = c.stderr
	}
	_, err = io.WriteString(summary, c.bundleSummary(b.Output, made, len(data)))
	return err
}

// bundleSummary says what was packed, masked and left out, to be read before
// the bundle is sent.
func (c *console) bundleSummary(file string, b *bundle.Bundle, size int) string {
	var out strings.Builder
	line := func(t text, args ...any) { out.WriteString(c.say(t, args...) + "\n") }
	line(msgBundled, file, len(b.Manifest.Members)+1, size)
	if len(b.Masked) == 0 {
		line(msgNothingMasked)
	} else {
		line(msgMasked, len(b.Masked))
		for _, h := range b.Manifest.Masked {
			fmt.Fprintf(&out, "  %-14s %d\n", h.Kind, h.Lines)
		}
		for _, m := range b.Masked {
			fmt.Fprintf(&out, "  %s:%d  %s\n", report.Plain(m.Source), m.Line, m.Text)
		}
	}
	line(msgLeftOut)
	for _, s := range b.Manifest.Sources {
		fmt.Fprintf(&out, "  %s\n", c.say(msgPacked, report.Plain(s.Name), s.Packed, s.Lines))
	}
	line(msgMaskScope)
	line(msgLookOver)
	return out.String()
}

type checkBundleCmd struct {
	Paths []string `arg:"" name:"path" help:"${bundle_check_path}"`
	bounds
}

// Run looks for secrets that are left.
func (b *checkBundleCmd) Run(c *console) error {
	roots, o, err := b.inputs(c, b.Paths, "")
	if err != nil {
		return err
	}
	var unread []source.Note
	found, err := await(c, func() (found []bundle.Finding, err error) {
		found, unread, err = bundle.Check(roots, o.Limits)
		return found, err
	})
	if err != nil {
		return err
	}
	sure, doubt := findingLines(found)
	rest := c.unreadLines(unread)
	if len(sure) > 0 {
		return &mismatchError{c.say(msgSecretsLeft, len(sure)) + "\n" + strings.Join(slices.Concat(sure, doubt, rest), "\n")}
	}
	if len(doubt) > 0 {
		doubt = slices.Insert(doubt, 0, c.say(msgDoubts, len(doubt)))
	}
	if slices.ContainsFunc(unread, func(n source.Note) bool { return !bundle.Aside(n) }) {
		return &mismatchError{strings.Join(append(rest, doubt...), "\n")}
	}
	if len(doubt) == 0 {
		doubt = []string{c.say(msgNoSecrets)}
	}
	return c.deliver("", []byte(strings.Join(append(doubt, rest...), "\n")+"\n"))
}

// findingLines tells what was found, what surely is a secret or an address apart from
// what may be one.
func findingLines(found []bundle.Finding) (sure, doubt []string) {
	for _, f := range found {
		line := fmt.Sprintf("%s:%d  %s  %s", report.Plain(f.Source), f.Line, strings.Join(f.Kinds, ","), f.Text)
		if f.Doubt {
			doubt = append(doubt, line)
		} else {
			sure = append(sure, line)
		}
	}
	return sure, doubt
}

// mostUnread is how many lines tell what was not looked through.
const mostUnread = 100

// unreadLines tells what was not looked through.
func (c *console) unreadLines(unread []source.Note) []string {
	if len(unread) == 0 {
		return nil
	}
	lines := []string{c.say(msgUnread, len(unread))}
	for _, n := range unread[:min(len(unread), mostUnread)] {
		line := report.NoteText(c.lang, n.Code, n.Args)
		if n.Source != "" {
			line = n.Source + c.colon() + line
		}
		lines = append(lines, report.Plain(report.Mask(line)))
	}
	if len(unread) > mostUnread {
		lines = append(lines, "…")
	}
	return lines
}
