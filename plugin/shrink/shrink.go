// Package shrink cuts a case down to the smallest part that keeps its
// diagnosis: the same cause, confidence, rule and fingerprint. What is left is
// masked and can be committed as a test.
package shrink

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// ErrMasked says that the diagnosis rests on what masking hides, so that no
// masked case can keep it.
var ErrMasked = errors.New("masking changes the diagnosis")

// ErrForm says that the case is stored in a form in which its lines cannot be
// cut apart without changing the diagnosis.
var ErrForm = errors.New("the case changes its diagnosis when it is written as plain text")

// maxTries bounds how many smaller cases are diagnosed.
const maxTries = 3000

// File is one file of a shrunk case.
type File struct {
	Name string // slash-separated, within the case
	Data []byte
}

// Result is a shrunk case.
type Result struct {
	Files  []File
	Report report.Report // of the shrunk case
	Before Size
	After  Size
	Tries  int
}

// Size counts what a case holds. A JSON value counts as one line.
type Size struct{ Files, Lines int }

// Case shrinks a case.
func Case(roots []source.Root, o analyzer.Options) (*Result, error) {
	if o.Pack == nil {
		o.Pack = rules.Default()
	}
	o.Tables = scan.Prepare(o.Pack)
	reports, err := analyzer.Diagnose(roots, o)
	if err != nil {
		return nil, err
	}
	c := &collector{}
	if _, err := source.Read(roots, o.Limits, c); err != nil {
		return nil, err
	}
	s := &shrinker{options: o, want: identity(&reports[0])}
	docs := c.docs
	if !s.keeps(docs) {
		return nil, ErrForm
	}
	before := size(docs)
	docs = s.shrink(docs, &reports[0])
	masked := mask(docs)
	if !s.same(masked) {
		return nil, ErrMasked
	}
	final, err := analyzer.Diagnose(rootsOf(masked), o)
	if err != nil {
		return nil, err
	}
	r := &Result{Report: final[0], Before: before, After: size(masked), Tries: s.tries}
	for _, d := range masked {
		r.Files = append(r.Files, File{d.name, d.data()})
	}
	return r, nil
}

// document is a file of the case, as pieces that can be left out.
type document struct {
	name   string
	pieces []piece
}

// piece is a line, or a JSON value with all its lines.
type piece struct {
	number int // of its first line in the source
	text   string
	json   bool
}

func (d *document) data() []byte {
	var b bytes.Buffer
	for _, p := range d.pieces {
		b.WriteString(p.text)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func size(docs []document) Size {
	s := Size{Files: len(docs)}
	for _, d := range docs {
		s.Lines += len(d.pieces)
	}
	return s
}

func rootsOf(docs []document) []source.Root {
	roots := make([]source.Root, len(docs))
	for i := range docs {
		roots[i] = source.Root{Name: docs[i].name, Reader: bytes.NewReader(docs[i].data())}
	}
	return roots
}

// collector writes a case as plain documents.
type collector struct {
	docs  []document
	names map[string]kind // in small letters
	tries map[string]int  // how many names were tried for one, in small letters
}

// kind is what stands under a name.
type kind uint8

const (
	none kind = iota
	file
	folder
)

func (c *collector) Note(source.Note)     {}
func (c *collector) End(*source.Document) {}

// Begin opens a document under a name that a folder can have.
func (c *collector) Begin(d *source.Document) {
	c.docs = append(c.docs, document{name: c.unused(plainName(d.Name))})
}

// packed are endings that the plain text of a document no longer has.
var packed = []string{".gz", ".zst", ".bz2", ".xz"}

func plainName(name string) string {
	name = path.Clean("/" + strings.ReplaceAll(report.Mask(name), "!", "/"))[1:]
	for _, end := range packed {
		name = strings.TrimSuffix(name, end)
	}
	if name == "" {
		return "input"
	}
	return portable(report.Plain(name))
}

// unused gives a name that no document has, nor a folder of one, where systems
// do not tell capitals apart.
func (c *collector) unused(name string) string {
	free := name
	for c.taken(free) {
		c.tries[strings.ToLower(name)]++
		free = fmt.Sprintf("x%d-%s", c.tries[strings.ToLower(name)], name)
	}
	key := strings.ToLower(free)
	c.names[key] = file
	for dir := path.Dir(key); dir != "."; dir = path.Dir(dir) {
		c.names[dir] = folder
	}
	return free
}

func (c *collector) taken(name string) bool {
	if c.names == nil {
		c.names, c.tries = map[string]kind{}, map[string]int{}
	}
	key := strings.ToLower(name)
	if c.names[key] != none {
		return true
	}
	for dir := path.Dir(key); dir != "."; dir = path.Dir(dir) {
		if c.names[dir] == file {
			return true
		}
	}
	return false
}

func (c *collector) add(p piece) {
	d := &c.docs[len(c.docs)-1]
	d.pieces = append(d.pieces, p)
}

// Line keeps a line as it is quoted: decoded, without control sequences.
func (c *collector) Line(l *source.Line) { c.add(piece{l.Number, l.Raw, false}) }

// JSON keeps a value as it is stored.
func (c *collector) JSON(j *source.JSON) {
	c.add(piece{j.Number, strings.TrimRight(string(j.Bytes), "\r\n"), true})
}

// identity is what a shrunk case must keep of a report.
func identity(r *report.Report) string {
	return strings.Join([]string{r.Cause, string(r.Confidence), r.Rule, r.Fingerprint, string(r.Severity)}, " ")
}

func mask(docs []document) []document {
	masked := make([]document, len(docs))
	for i, d := range docs {
		masked[i].name = d.name
		for _, p := range d.pieces {
			p.text = report.Mask(p.text)
			masked[i].pieces = append(masked[i].pieces, p)
		}
	}
	return masked
}
