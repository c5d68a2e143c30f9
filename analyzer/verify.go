package analyzer

import (
	"crypto/sha256"
	"encoding/hex"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// Mismatch is a quote of a report that its case does not bear out.
type Mismatch struct {
	Evidence report.Evidence
	Found    bool  // the line is there, with other bytes
	Byte     int64 // the first byte of the source that differs, -1 when unknown
}

// Verify checks every quoted line of saved reports against their case: it must
// stand in the named source at the named line, with the very bytes whose
// checksum the report carries and, as reports for programs mask it, the very
// text. A symptom or an alternative without a checksum, as older reports have
// them, is held against its text alone. The error is that of reading the case.
func Verify(reports []report.Report, roots []source.Root, limits source.Limits) ([]Mismatch, error) {
	v := &verifier{want: map[quoteKey][]*check{}}
	var order []*check
	for _, r := range reports {
		for i, e := range r.Quotes() {
			c := &check{evidence: e, at: -1, textOnly: i >= len(r.Evidence) && e.SHA256 == ""}
			order = append(order, c)
			k := quoteKey{e.Source, e.Field, e.Line}
			v.want[k] = append(v.want[k], c)
		}
	}
	if _, err := source.Read(roots, limits, everyLine{readerFor(v)}); err != nil {
		return nil, err
	}
	var bad []Mismatch
	for _, c := range order {
		if !c.ok {
			bad = append(bad, Mismatch{c.evidence, c.found, c.at})
		}
	}
	return bad, nil
}

type quoteKey struct {
	source, field string
	line          int
}

// check is one quote while its case is read.
type check struct {
	evidence  report.Evidence
	textOnly  bool // it has no checksum
	ok, found bool
	at        int64
}

// everyLine reads like a diagnosis, but passes over no lines.
type everyLine struct{ source.Pager }

// verifier compares lines with the quotes that name them.
type verifier struct {
	want map[quoteKey][]*check
}

func (v *verifier) End(*source.Document)             {}
func (v *verifier) EndText(*source.Document, string) {}

func (v *verifier) Line(l *source.Line) {
	key := quoteKey{report.MaskForPrograms(l.Doc.Name), report.MaskForPrograms(l.Field), l.Number}
	for _, c := range v.want[key] {
		if c.ok || c.found && !c.textOnly && l.Offset != c.evidence.Offset {
			continue
		}
		c.ok = (c.textOnly || sum(l.Stored) == c.evidence.SHA256) && quotes(c.evidence.Text, l.Raw)
		c.found = true
		c.at = differs(c.evidence, l)
	}
}

// quotes reports whether a report's text is that of a line, whole or shortened.
func quotes(text, raw string) bool {
	return text == report.MaskForPrograms(raw) || text == report.MaskForPrograms(scan.Shorten(raw))
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// differs gives the offset of the first byte that is not the quoted one, as far
// as the quote's text tells: secrets are masked in it.
func differs(e report.Evidence, l *source.Line) int64 {
	if l.Offset != e.Offset && l.Offset >= 0 {
		return l.Offset
	}
	now := report.MaskForPrograms(l.Raw)
	n := min(len(now), len(e.Text))
	for i := range n {
		if now[i] != e.Text[i] {
			return max(l.Offset, 0) + int64(i)
		}
	}
	return max(l.Offset, 0) + int64(n)
}
