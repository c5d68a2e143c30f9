package bundle

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
)

// Finding is a line in which something that should not be sent still stands.
type Finding struct {
	Source string
	Line   int
	Kinds  []string // of values that masking would hide
	Doubt  bool     // only looks like a secret: somebody has to look
	Text   string   // the line, masked, so that it may be shown
}

// Check looks through bundles, or anything else, for secrets and addresses that
// are left. It opens archives as a diagnosis does. Unread are notes of what it did
// not look through, links and the like among them.
func Check(roots []source.Root, limits source.Limits) (found []Finding, unread []source.Note, err error) {
	c := &checker{masker: newMasker()}
	if _, err := source.Read(roots, limits, c); err != nil {
		return nil, nil, err
	}
	return c.found, c.unread, nil
}

type checker struct {
	masker *masker
	found  []Finding
	unread []source.Note
}

// wholeCodes are those of notes that tell of nothing unread.
var wholeCodes = []string{"empty", "outside", "duplicate", "more-outside", "more-duplicate", "newest-first", "newest-first-long", "cut-json"}

// Aside reports whether a note is of what stands for something else, and has no
// content of its own: a link, a pipe, a device.
func Aside(n source.Note) bool {
	return slices.Contains([]string{"link", "special", "more-link", "more-special"}, n.Code)
}

func (c *checker) Begin(*source.Document) {}
func (c *checker) End(*source.Document)   {}

// Note keeps what was not looked through.
func (c *checker) Note(n source.Note) {
	if !slices.Contains(wholeCodes, n.Code) {
		c.unread = append(c.unread, n)
	}
}

func (c *checker) Line(l *source.Line) { c.line(l.Doc.Name, l.Number, l.Raw) }

// JSON looks at the text of a value as it is stored.
func (c *checker) JSON(j *source.JSON) { c.lines(j.Doc.Name, j.Number, j.Bytes) }

// Page looks at what a page has that those before had not.
func (c *checker) Page(p *source.Page) {
	number := p.Number + bytes.Count(p.Bytes[:p.Told], []byte{'\n'})
	for _, g := range p.Gaps {
		number += g.Lines
	}
	c.lines(p.Doc.Name, number, p.Bytes[p.Told:])
}

func (c *checker) lines(name string, number int, text []byte) {
	for line := range bytes.Lines(text) {
		c.line(name, number, strings.TrimRight(string(line), "\r\n"))
		number++
	}
}

// doubts are what secrets look like that masking cannot be sure of.
var doubts = []func() *regexp.Regexp{
	lazy.Regexp(`-----BEGIN [A-Z ]*PRIVATE KEY-----`),
	lazy.Regexp(`^\s*[A-Za-z0-9+/]{60,}={0,2}\s*$`),
	lazy.Regexp(`(?i)\b(?:pass(?:word|wd|phrase)?|secret|credential)s?\b["']?\s*(?:[:=]|\bis\b)\s*["']?[^\s"'<>*,;{}()\[\]$]{6,}`),
}

func (c *checker) line(name string, number int, text string) {
	masked, kinds := c.masker.line(text)
	if len(kinds) > 0 {
		c.add(Finding{name, number, kinds, false, masked})
		return
	}
	for _, d := range doubts {
		if m := d().FindStringIndex(text); m != nil {
			c.add(Finding{name, number, []string{"doubt"}, true, text[:m[0]] + "***" + text[m[1]:]})
			return
		}
	}
}

// add adds a finding. Of a line that stands on several pages there is one.
func (c *checker) add(f Finding) {
	f.Text = report.Plain(report.Excerpt(f.Text, 0, 0))
	if n := len(c.found) - 1; n >= 0 && c.found[n].Source == f.Source && c.found[n].Line == f.Line {
		switch last := &c.found[n]; {
		case last.Doubt:
			*last = f
		case !f.Doubt:
			last.Kinds = append(last.Kinds, f.Kinds...)
			slices.Sort(last.Kinds)
			last.Kinds = slices.Compact(last.Kinds)
		}
		return
	}
	c.found = append(c.found, f)
}
