package source

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/quotedprintable"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/htmlindex"

	"hcloud-modelarts/analyzer/ascii"
	"hcloud-modelarts/analyzer/source/charset"
)

// mailHeaders are header fields of which a mail has several.
var mailHeaders = []string{
	"from:", "to:", "cc:", "subject:", "date:", "message-id:", "mime-version:", "content-type:", "received:",
	"return-path:", "delivered-to:", "reply-to:", "content-transfer-encoding:", "x-mailer:",
}

// isMail says whether a source begins with the header of a mail (RFC 5322).
func isMail(head []byte) bool {
	known, others := 0, 0
	for line := range bytes.Lines(head) {
		s := strings.TrimRight(string(line), "\r\n")
		switch {
		case s == "":
			return known >= 3
		case s[0] == ' ' || s[0] == '\t', others == 0 && known == 0 && strings.HasPrefix(s, "From "):
			continue
		case isMailHeader(s):
			known++
		default:
			name, _, ok := strings.Cut(s, ":")
			if !ok || strings.ContainsAny(name, " \t[](){}\"'") {
				return false
			}
			if others++; others > 40 {
				return false
			}
		}
	}
	return known >= 4
}

func isMailHeader(s string) bool {
	lower := strings.ToLower(s[:min(len(s), 40)])
	for _, h := range mailHeaders {
		if strings.HasPrefix(lower, h) {
			return true
		}
	}
	return false
}

// mail is a mail being read. Its header and its first text are one document,
// with the line numbers of the mail as stored; everything that is encoded or
// attached is a document of its own.
type mail struct {
	s          *session
	name       string
	in         *lineReader
	depth      int
	top        *reading
	boundaries []string
	parts      int
	names      listing
	plain      bool // a plain text was read, which an HTML alternative repeats
	held       *physical
}

// Bounds on a header that has no end: lines, and bytes of a field that is kept.
const (
	mostHeaderLines = 2000
	mostFieldBytes  = 8 << 10
)

// headerFields are those that tell how a part is read. Others are not kept: they
// may be as long as the mail.
var headerFields = []string{"content-type", "content-disposition", "content-transfer-encoding"}

func (s *session) mail(name string, r *bufio.Reader, depth int) {
	m := &mail{s: s, name: name, names: listing{}, depth: depth, in: newLineReader(r, charset.UTF8)}
	m.top = s.beginMail(name, m.in)
	h := m.header(true)
	m.body(h, 0)
	m.endTop()
	if m.in.err != nil {
		s.cutShort(name, m.in.err, true)
	}
}

func (s *session) beginMail(name string, in *lineReader) *reading {
	doc := s.newDocument(name, charset.UTF8)
	doc.Kind = Ticket
	d := s.newReading(doc, in)
	d.ticket = &ticket{markdown: true}
	s.h.Begin(doc)
	return d
}

// endTop ends the document of the mail itself, before a part begins one.
func (m *mail) endTop() {
	if d := m.top; d != nil {
		m.top = nil
		d.flush()
		d.doc.Bytes, d.doc.Lines = m.in.offset, m.in.number-1
		m.s.end(d)
	}
}

// next gives the next line; one that is too long is cut.
func (m *mail) next() (physical, bool) {
	if p := m.held; p != nil {
		m.held = nil
		return *p, true
	}
	p, out := m.in.next(m.s.lim.Line)
	if out == tooLong {
		m.in.skip(len(p.stored))
	}
	return p, out != ended
}

// header reads the fields up to the blank line; show hands them on as lines.
func (m *mail) header(show bool) map[string]string {
	fields := map[string]string{}
	last := ""
	for range mostHeaderLines {
		p, ok := m.next()
		if !ok {
			break
		}
		s := strings.TrimRight(string(p.stored), "\r")
		if show && m.top != nil {
			m.top.as(Ticket, p)
		}
		if s == "" {
			break
		}
		if s[0] == ' ' || s[0] == '\t' {
			if last != "" && len(fields[last])+len(s) < mostFieldBytes {
				fields[last] += s
			}
			continue
		}
		name, value, _ := strings.Cut(s, ":")
		if last = strings.ToLower(strings.TrimSpace(name)); !slices.Contains(headerFields, last) {
			last = ""
			continue
		}
		fields[last] = strings.Clone(strings.TrimSpace(value[:min(len(value), mostFieldBytes)]))
	}
	return fields
}

// atBoundary says whether a line ends the part being read.
func (m *mail) atBoundary(stored []byte) bool {
	if len(stored) < 3 || stored[0] != '-' || stored[1] != '-' {
		return false
	}
	s := strings.TrimRight(string(stored[:min(len(stored), 200)]), " \t\r")
	for _, b := range m.boundaries {
		if s == "--"+b || s == "--"+b+"--" {
			return true
		}
	}
	return false
}

// body reads what belongs to a header, up to the boundary that ends it.
func (m *mail) body(h map[string]string, level int) {
	kind, params, err := mime.ParseMediaType(h["content-type"])
	if err != nil && kind == "" {
		kind = "text/plain"
	}
	name := partName(h, params)
	switch {
	case strings.HasPrefix(kind, "multipart/") && params["boundary"] != "" && level < m.s.lim.Depth:
		m.multipart(params["boundary"], level)
	case name == "" && kind == "text/plain":
		m.plainText(h, params)
	case name == "" && kind == "text/html" && m.plain:
		m.drain()
	case name == "" && kind == "text/html":
		m.part("body.html", h, params)
	case name == "" && kind == "message/rfc822":
		m.part("message-"+strconv.Itoa(m.parts)+".eml", h, params)
	case name == "":
		m.part("part-"+strconv.Itoa(m.parts), h, params)
	default:
		m.part(name, h, params)
	}
}

var words = mime.WordDecoder{CharsetReader: func(charset string, r io.Reader) (io.Reader, error) {
	enc, err := htmlindex.Get(charset)
	if err != nil {
		return r, nil
	}
	return enc.NewDecoder().Reader(r), nil
}}

// partName is the name of an attachment.
func partName(h, params map[string]string) string {
	_, disposition, _ := mime.ParseMediaType(h["content-disposition"])
	name := disposition["filename"]
	if name == "" {
		name = params["name"]
	}
	if plain, err := words.DecodeHeader(name); err == nil {
		name = plain
	}
	return strings.Trim(baseName(name), "./")
}

// multipart reads the parts between the lines of a boundary.
func (m *mail) multipart(boundary string, level int) {
	m.boundaries = append(m.boundaries, boundary)
	depth := len(m.boundaries)
	m.drain()
	for {
		p, ok := m.next()
		if !ok || depth > len(m.boundaries) {
			break
		}
		line := strings.TrimRight(string(p.stored), " \t\r")
		if line == "--"+boundary+"--" {
			break
		}
		if line != "--"+boundary {
			q := p.clone()
			m.held = &q
			break
		}
		m.parts++
		m.body(m.header(false), level+1)
		m.drain()
	}
	m.boundaries = m.boundaries[:depth-1]
	m.drain()
}

// drain goes to the next boundary.
func (m *mail) drain() { m.toBoundary(func(physical) {}) }

// toBoundary hands on the lines up to the next boundary, which stays to be read.
func (m *mail) toBoundary(line func(physical)) {
	for {
		p, ok := m.next()
		if !ok {
			return
		}
		if m.atBoundary(p.stored) {
			q := p.clone()
			m.held = &q
			return
		}
		line(p)
	}
}

// plainText reads a text that the mail shows.
func (m *mail) plainText(h, params map[string]string) {
	m.plain = true
	encoding := strings.ToLower(h["content-transfer-encoding"])
	charset := strings.ToLower(params["charset"])
	if m.top == nil || encoding == "base64" || encoding == "quoted-printable" || strings.HasPrefix(charset, "utf-16") {
		m.part("body.txt", h, params)
		return
	}
	m.toBoundary(m.top.takeLine)
}

// part reads a part as a source of its own, whatever it holds.
func (m *mail) part(name string, h, params map[string]string) {
	m.endTop()
	if !m.s.take() {
		m.drain()
		return
	}
	raw := &partReader{m: m}
	var r io.Reader = raw
	switch strings.ToLower(h["content-transfer-encoding"]) {
	case "base64":
		r = base64.NewDecoder(base64.StdEncoding, &base64Filter{r: raw})
	case "quoted-printable":
		r = quotedprintable.NewReader(raw)
	}
	if charset := strings.ToLower(params["charset"]); charset != "" && charset != "utf-8" && strings.HasPrefix(h["content-type"], "text/") {
		if enc, err := htmlindex.Get(charset); err == nil && !strings.HasPrefix(charset, "gb") {
			r = enc.NewDecoder().Reader(r)
		}
	}
	own, _ := m.names.name(m.name + "!" + Printable(name))
	m.s.source(own, bufio.NewReaderSize(r, peekSize), nil, m.depth+1)
	m.drain()
}

// partReader gives the lines of a part up to its boundary.
type partReader struct {
	m    *mail
	rest []byte
	done bool
}

func (r *partReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.done {
			return 0, io.EOF
		}
		line, ok := r.m.next()
		if !ok {
			r.done = true
			return 0, io.EOF
		}
		if r.m.atBoundary(line.stored) {
			q := line.clone()
			r.m.held = &q
			r.done = true
			return 0, io.EOF
		}
		r.rest = append(append(r.rest[:0], line.stored...), '\n')
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// base64Filter drops what is no base64, as mails may have it (RFC 2045, 6.8).
type base64Filter struct{ r io.Reader }

func (f *base64Filter) Read(p []byte) (int, error) {
	for {
		n, err := f.r.Read(p)
		k := 0
		for _, c := range p[:n] {
			if ascii.IsWord(c) || c == '+' || c == '/' || c == '=' {
				p[k] = c
				k++
			}
		}
		if k > 0 || err != nil {
			return k, err
		}
	}
}
