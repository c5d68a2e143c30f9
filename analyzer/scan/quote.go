package scan

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"hcloud-modelarts/analyzer/source"
)

// unlike are the stored bytes of a line that may have to be quoted later, empty
// where its text is the same.
type unlike []byte

// note makes q, or a new quote where there is none, that of the line; it lacks
// its checksum until it is finished.
func (u *unlike) note(s *Scanner, q *Quote, l *source.Line) *Quote {
	*u = (*u)[:0]
	if q == nil {
		q = &Quote{}
	}
	*q = s.quoteLight(l)
	switch {
	case asStored(l):
	case len(l.Stored) > longest: // each stream has such a line
		q.hash = sum(l.Stored)
	default:
		*u = append(*u, l.Stored...)
	}
	return q
}

func (u unlike) finish(q *Quote) {
	if len(u) > 0 {
		q.hash = sum(u)
	}
}

func (s *Scanner) quote(l *source.Line) Quote {
	q := s.quoteLight(l)
	if !asStored(l) {
		q.hash = sum(l.Stored)
	}
	return q
}

// asStored reports whether the text that a quote of a line has is what was
// stored, so that its checksum can be made when it is asked for.
func asStored(l *source.Line) bool { return len(l.Raw) <= longest && string(l.Stored) == l.Raw }

// quoteEvent keeps a long line whole while not too many are kept, since a
// report quotes what its expression found.
func (s *Scanner) quoteEvent(l *source.Line) Quote {
	q := s.quote(l)
	if len(l.Raw) > longest && s.long < mostLong {
		s.long += len(l.Raw)
		q.Raw, q.Text = l.Raw, l.Text
	}
	return q
}

// longest bounds the lines that are quoted whole, and that are read for a step
// or for calm, in bytes.
const longest = 4096

// Shorten gives the beginning of a line that is too long to be quoted whole,
// with "…" behind it; other lines as they are. The last word is left out, for a
// secret that is cut in two is not known for one.
func Shorten(line string) string {
	if len(line) <= longest {
		return line
	}
	n := longest
	for n > 0 && !utf8.RuneStart(line[n]) {
		n--
	}
	if i := strings.LastIndexAny(line[:n], " \t"); i > longest/2 {
		n = i
	}
	return strings.Clone(line[:n]) + "…"
}

// shortened are the texts of a long line as quotes hold them: a stream quotes a line
// as its first, its last and a failure, and all of them hold one text.
type shortened struct{ raw, text, shortRaw, shortText string }

func (c *shortened) of(l *source.Line) (raw, text string) {
	if len(l.Raw) <= longest {
		return l.Raw, l.Text
	}
	if c.raw != l.Raw || c.text != l.Text {
		*c = shortened{l.Raw, l.Text, Shorten(l.Raw), ""}
		if at := strings.Index(l.Raw, l.Text); len(l.Text) > longest && 0 <= at && at < longest/2 {
			c.shortText = c.shortRaw[at:]
		} else {
			c.shortText = apart(l, l.Text)
		}
	}
	return c.shortRaw, c.shortText
}

// apart is a text of a long line as tracebacks and values may hold it: a part of a
// line holds all of it.
func apart(l *source.Line, text string) string {
	if len(l.Raw) <= longest {
		return text
	}
	if len(text) <= longest {
		return strings.Clone(text)
	}
	return Shorten(text)
}

// quoteLight is a quote that has its checksum only where asStored holds, for
// lines of which most are never asked for.
func (s *Scanner) quoteLight(l *source.Line) Quote {
	raw, text := s.short.of(l)
	return Quote{Doc: l.Doc, Number: l.Number, Field: l.Field, Offset: l.Offset, Length: l.Length,
		Raw: raw, Text: text, Kind: l.Kind, Time: l.Time, Zoned: l.Zoned, Rank: l.Rank, Task: l.Task,
		Node: l.Node, PID: l.PID, Level: l.Level, Platform: l.Platform}
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}
