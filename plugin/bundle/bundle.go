// Package bundle packs what a ticket needs of a failure and nothing more: the
// report, the lines that prove it with their surroundings, the versions, and a
// manifest of what is in it and what was left out. All of it is masked, and
// what was masked is listed, so that somebody can look it over before it is
// sent.
//
// The same case gives the same bytes.
package bundle

import (
	"archive/zip"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
)

// Schema names the form of a bundle's manifest. Within it fields are added,
// never renamed.
const Schema = "hcloud-modelarts/bundle/v1"

// surroundings is how many lines before and after a quoted one are packed.
const surroundings = 20

// Bundle is a packed case.
type Bundle struct {
	Manifest Manifest
	Masked   []MaskedLine // what was hidden in the packed lines
	members  map[string][]byte
	masker   *masker
	hidden   map[string]int // lines by kind of hidden value
}

// Manifest says what is in a bundle and what is not.
type Manifest struct {
	Schema   string        `json:"schema"`
	Tool     string        `json:"tool"`
	Lang     string        `json:"lang"`
	Input    string        `json:"input"`
	Members  []Member      `json:"members"`
	Sources  []Source      `json:"sources"` // of the case, with how much of each is packed
	Masked   []Hidden      `json:"masked"`
	Notes    []report.Note `json:"notes"`
	Versions []string      `json:"versions"` // lines of the logs that name versions of programs
}

// Hidden counts the lines in which a kind of value was hidden.
type Hidden struct {
	Kind  string `json:"kind"`
	Lines int    `json:"lines"`
}

// Member is a file of the bundle, the manifest itself apart.
type Member struct {
	Name   string `json:"name"`
	Size   int    `json:"size"`
	SHA256 string `json:"sha256"`
}

// Source is a document of the case.
type Source struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	Lines  int    `json:"lines"`
	Packed int    `json:"packed"` // lines of it that are packed; the rest is left out
}

// MaskedLine is a packed line in which something was hidden.
type MaskedLine struct {
	Source string   `json:"source"`
	Line   int      `json:"line"`
	Kinds  []string `json:"kinds"`
	Text   string   `json:"text"` // as it is packed
}

// Make diagnoses a case and packs it.
func Make(name string, roots []source.Root, o analyzer.Options, tool string) (*Bundle, error) {
	reports, err := analyzer.Diagnose(roots, o)
	if err != nil {
		return nil, err
	}
	c := newCollector(reports)
	if _, err := source.Read(roots, o.Limits, c); err != nil {
		return nil, err
	}
	b := &Bundle{members: map[string][]byte{}, masker: newMasker(), hidden: map[string]int{}}
	b.Manifest = Manifest{
		Schema: Schema, Tool: tool, Lang: reports[0].Lang, Input: report.Mask(name),
		Masked: []Hidden{}, Notes: report.MaskReport(&reports[0]).Notes, Versions: c.versions,
	}
	if err := b.report(reports); err != nil {
		return nil, err
	}
	b.excerpts(c)
	return b, b.close()
}

// report packs the report in three forms, each wholly masked: programs that
// read the JSON at the other end have no use for addresses of this side.
func (b *Bundle) report(reports []report.Report) error {
	masked := make([]report.Report, len(reports))
	for i := range reports {
		masked[i] = report.MaskReport(&reports[i])
	}
	data, err := report.JSON(masked)
	if err != nil {
		return err
	}
	page, err := report.HTML(masked, b.Manifest.Lang)
	if err != nil {
		return err
	}
	b.members["report.json"], b.members["report.html"] = data, page
	b.members["report.md"] = report.Markdown(masked, b.Manifest.Lang, false)
	return nil
}

// excerpts packs the quoted lines of each source with what stands around them.
func (b *Bundle) excerpts(c *collector) {
	for i, d := range c.docs {
		lines := c.lines[d.Name]
		b.Manifest.Sources = append(b.Manifest.Sources, Source{report.Mask(d.Name), d.Bytes, d.Lines, len(lines)})
		if len(lines) == 0 {
			continue
		}
		name := fmt.Sprintf("evidence/%02d-%s.txt", i+1, fileName(d.Name))
		b.members[name] = b.excerpt(report.Mask(d.Name), lines)
	}
}

var keyBlock = lazy.Regexp(`^[A-Za-z0-9+/]{60,}={0,2}$`)

func (b *Bundle) excerpt(source string, lines []line) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n", report.Plain(source))
	last := line{}
	for _, l := range lines {
		if step := l.number - last.number; l.field != last.field || step != 1 && step != -1 { // exports may be newest first
			fmt.Fprintf(&out, "\n# %s\n", strings.TrimSpace(report.Plain(report.Mask(l.field))+fmt.Sprintf(" %d", l.number)))
		}
		last = l
		text, kinds := b.masker.line(l.text)
		if keyBlock().MatchString(strings.TrimSpace(l.text)) {
			text, kinds = "***", append(kinds, "key-block")
		}
		text = report.Plain(text)
		for _, k := range kinds {
			b.hidden[k]++
		}
		if len(kinds) > 0 {
			b.Masked = append(b.Masked, MaskedLine{source, l.number, kinds, text})
		}
		mark := " "
		if l.quoted {
			mark = ">"
		}
		fmt.Fprintf(&out, "%s%6d  %s\n", mark, l.number, text)
	}
	return []byte(out.String())
}

// longestName leaves room in a name, of 255 bytes at most, for what is put around.
const longestName = 100

// fileName makes of a source's name a part of one that every system can store.
func fileName(name string) string {
	base := path.Base(strings.ReplaceAll(report.Mask(name), "!", "/"))
	keep := func(r rune) rune {
		if r < 0x80 && (r == '.' || r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z') {
			return r
		}
		return '_'
	}
	safe := strings.Map(keep, base)
	return strings.Trim(safe[:min(len(safe), longestName)], ".")
}

// close lists what was masked, and the members.
func (b *Bundle) close() error {
	var list strings.Builder
	for _, m := range b.Masked {
		fmt.Fprintf(&list, "%s:%d\t%s\t%s\n", report.Plain(m.Source), m.Line, strings.Join(m.Kinds, ","), m.Text)
	}
	b.members["masked.tsv"] = []byte(list.String())
	for _, kind := range slices.Sorted(maps.Keys(b.hidden)) {
		b.Manifest.Masked = append(b.Manifest.Masked, Hidden{kind, b.hidden[kind]})
	}
	for name, data := range b.members {
		h := sha256.Sum256(data)
		b.Manifest.Members = append(b.Manifest.Members, Member{name, len(data), hex.EncodeToString(h[:])})
	}
	slices.SortFunc(b.Manifest.Members, func(x, y Member) int { return cmp.Compare(x.Name, y.Name) })
	manifest, err := report.EncodeJSON(b.Manifest)
	if err != nil {
		return fmt.Errorf("writing manifest: %w", err)
	}
	b.members["manifest.json"] = manifest
	return nil
}

// Zip gives the bundle as an archive.
func (b *Bundle) Zip() ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	names := []string{"manifest.json"}
	for _, m := range b.Manifest.Members {
		names = append(names, m.Name)
	}
	for _, name := range names {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if err != nil {
			return nil, fmt.Errorf("packing %q: %w", name, err)
		}
		if _, err := w.Write(b.members[name]); err != nil {
			return nil, fmt.Errorf("packing %q: %w", name, err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("packing: %w", err)
	}
	return out.Bytes(), nil
}

// line is a line of a source that is packed.
type line struct {
	field  string
	number int
	text   string
	quoted bool // the report quotes it
}

// collector keeps of a case the lines around those that reports quote.
type collector struct {
	wanted   map[place][]int // quoted lines
	docs     []*source.Document
	lines    map[string][]line // by source
	versions []string
	pages    *modelarts.Pages // the answer being read in pages, nil when none is
}

type place struct{ source, field string }

func newCollector(reports []report.Report) *collector {
	c := &collector{wanted: map[place][]int{}, lines: map[string][]line{}}
	want := func(source, field string, number int) {
		p := place{source, field}
		c.wanted[p] = append(c.wanted[p], number)
	}
	for _, r := range reports {
		for _, e := range r.Evidence {
			want(e.Source, e.Field, e.Line)
		}
		for _, s := range r.Symptoms {
			want(s.Source, s.Field, s.Line)
		}
		for _, a := range r.Alternatives {
			want(a.Source, a.Field, a.Line)
		}
	}
	return c
}

func (c *collector) Begin(d *source.Document) { c.docs = append(c.docs, d) }
func (c *collector) End(*source.Document)     {}
func (c *collector) Note(source.Note)         {}

// Line keeps a line that stands near a quoted one.
func (c *collector) Line(l *source.Line) {
	c.version(l.Text)
	near, quoted := false, false
	for _, n := range c.wanted[place{l.Doc.Name, l.Field}] {
		near = near || l.Number >= n-surroundings && l.Number <= n+surroundings
		quoted = quoted || l.Number == n
	}
	if near {
		c.lines[l.Doc.Name] = append(c.lines[l.Doc.Name], line{l.Field, l.Number, report.Excerpt(l.Raw, 0, 0), quoted})
	}
}

// JSON looks for quoted lines within the texts of an answer.
func (c *collector) JSON(j *source.JSON) {
	a, err := modelarts.ReadAt(j.Doc.Name, j.Number, j.Bytes, j.Cut)
	if err != nil {
		return
	}
	c.texts(j.Doc, a.Texts)
}

// Page does the same for a part of an answer that is too large to be held.
func (c *collector) Page(p *source.Page) {
	if c.pages == nil {
		c.pages = modelarts.NewPages(p.Doc.Name, p.Number)
	}
	if texts, err := c.pages.Read(p); err == nil {
		c.texts(p.Doc, texts)
	}
	if !p.Goes {
		c.pages = nil
	}
}

func (c *collector) texts(d *source.Document, texts []modelarts.Text) {
	for _, t := range texts {
		source.Text(d, t.Field, source.Log, t.Text, func(l *source.Line) {
			l.Number += t.Before
			c.Line(l)
		})
	}
}

// maxVersions bounds the lines about versions.
const maxVersions = 40

var versionLine = lazy.Regexp(`(?i)\b(?:python|torch|torch_npu|cann|cuda|cudnn|nccl|hccl|driver|firmware|transformers|deepspeed|mindspore|tensorflow|jax)\b[ _-]?(?:version)?\s*[:= ]+v?\d+\.\d+`)

// version keeps a line that names the version of a program.
func (c *collector) version(text string) {
	if len(c.versions) < maxVersions && strings.Contains(text, ".") && versionLine().MatchString(text) {
		if s := report.Plain(report.Mask(report.Excerpt(text, 0, 0))); !slices.Contains(c.versions, s) {
			c.versions = append(c.versions, s)
		}
	}
}
