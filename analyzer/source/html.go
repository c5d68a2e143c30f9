package source

import (
	"bytes"
	"html"
	"strings"

	"hcloud-modelarts/analyzer/ascii"
	"hcloud-modelarts/analyzer/source/charset"
)

// page takes the text out of HTML, line by line: what stands in <pre> is a
// log, everything else prose.
type page struct {
	pre  int             // depth of <pre> and <textarea>
	skip string          // element whose content is not text: script, style, a comment
	open strings.Builder // a tag that goes on over the line end
	text strings.Builder

	json  jsonScanner // follows a value that stands in <pre>
	value []heldText  // its lines so far
}

// heldText is a line of <pre> that may be a part of a JSON value.
type heldText struct {
	text string
	physical
}

// isHTML says whether a document is HTML.
func isHTML(head []byte) bool {
	head = bytes.ToLower(bytes.TrimLeft(head[:min(len(head), 4096)], " \t\r\n"))
	if len(head) == 0 || head[0] != '<' {
		return false
	}
	for _, mark := range []string{"<!doctype html", "<html", "<body", "<pre", "<div", "<p>", "<table"} {
		if bytes.HasPrefix(head, []byte(mark)) {
			return true
		}
	}
	return bytes.Contains(head, []byte("<html")) || bytes.Contains(head, []byte("<pre"))
}

// blockTags end a line of text.
var blockTags = map[string]bool{
	"p": true, "br": true, "div": true, "li": true, "ul": true, "ol": true, "tr": true, "table": true, "tbody": true, "thead": true,
	"h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true, "blockquote": true, "hr": true, "title": true,
	"html": true, "head": true, "body": true, "pre": true, "textarea": true, "section": true, "article": true, "header": true, "footer": true,
}

// inlineTags are dropped without a trace. Anything else between < and > is
// text: logs are full of <module> and <stdin>.
var inlineTags = map[string]bool{
	"a": true, "b": true, "i": true, "u": true, "s": true, "em": true, "strong": true, "span": true, "font": true, "code": true, "samp": true,
	"kbd": true, "tt": true, "mark": true, "small": true, "big": true, "sub": true, "sup": true, "img": true, "td": true, "th": true,
	"meta": true, "link": true, "script": true, "style": true, "!doctype": true, "o:p": true, "wbr": true, "col": true, "colgroup": true, "center": true,
}

// line gives f the texts of one stored line.
func (h *page) line(s string, f func(text string, pre bool)) {
	s = h.whole(s)
	emitted := false
	flush := func() {
		if text := h.text.String(); strings.TrimSpace(text) != "" {
			f(strings.ReplaceAll(html.UnescapeString(text), "\u00a0", " "), h.pre > 0)
			emitted = true
		}
		h.text.Reset()
	}
	for s != "" {
		if h.skip != "" {
			s = h.skipTo(s)
			continue
		}
		i := strings.IndexByte(s, '<')
		if i < 0 {
			h.text.WriteString(s)
			break
		}
		h.text.WriteString(s[:i])
		s = h.tag(s[i:], flush)
	}
	flush()
	if !emitted && h.pre > 0 {
		f("", true)
	}
}

// whole puts what is open of a tag before the line on which it ends. A line on
// which it does not end only makes it longer, and is looked at once.
func (h *page) whole(s string) string {
	if h.open.Len() == 0 {
		return s
	}
	h.open.WriteString(s)
	if strings.IndexByte(s, '>') < 0 && h.open.Len() < longestTag {
		h.open.WriteByte(' ')
		return ""
	}
	s = h.open.String()
	h.open.Reset()
	return s
}

// skipTo goes past what is not text.
func (h *page) skipTo(s string) string {
	if h.skip == "!--" {
		_, rest, ended := strings.Cut(s, "-->")
		if ended {
			h.skip = ""
		}
		return rest
	}
	i := endTag(s, h.skip)
	if i < 0 {
		return ""
	}
	h.skip = ""
	return s[i:]
}

// endTag gives where the end tag of name begins, or -1. It looks at the text
// from there on once, however long it is.
func endTag(s, name string) int {
	for from := 0; ; {
		i := strings.Index(s[from:], "</")
		if i < 0 {
			return -1
		}
		from += i + len("</")
		if len(s)-from >= len(name) && strings.EqualFold(s[from:from+len(name)], name) {
			return from - len("</")
		}
	}
}

const longestTag = 4096

// tag reads what starts with < and gives the rest.
func (h *page) tag(s string, flush func()) string {
	if strings.HasPrefix(s, "<!--") {
		h.skip = "!--"
		return s[len("<!--"):]
	}
	name := tagName(s)
	if !blockTags[name] && !inlineTags[name] {
		h.text.WriteByte('<')
		return s[1:]
	}
	end := strings.IndexByte(s, '>')
	if end < 0 {
		if len(s) < longestTag {
			h.open.WriteString(s + " ")
		}
		return ""
	}
	closing := s[1] == '/'
	switch {
	case name == "pre" || name == "textarea":
		flush()
		if closing {
			h.pre = max(0, h.pre-1)
		} else {
			h.pre++
		}
	case name == "script" || name == "style":
		if !closing {
			h.skip = name
		}
	case name == "td" || name == "th":
		if !closing && strings.TrimSpace(h.text.String()) != "" {
			h.text.WriteByte('\t')
		}
	case blockTags[name]:
		flush()
	}
	return s[end+1:]
}

func tagName(s string) string {
	s = strings.TrimPrefix(s[1:], "/")
	n := 0
	for n < len(s) && n < 12 && (ascii.IsWord(s[n]) || s[n] == '!' || s[n] == ':') {
		n++
	}
	if n < len(s) && strings.IndexByte(" \t/>\r", s[n]) < 0 {
		return ""
	}
	return strings.ToLower(s[:n])
}

// htmlLine hands on the texts of a line of HTML.
func (d *reading) htmlLine(p physical, dec []byte) {
	d.page.line(strings.TrimRight(string(dec), "\r"), func(text string, pre bool) {
		d.kind, d.lead = Ticket, 0
		text = charset.CleanText(text)
		if pre && d.preJSON(text, p) {
			return
		}
		d.releasePage()
		if pre || startsLog(text) {
			d.kind = Log
		}
		d.raw(text, p.stored, p.offset, p.number)
	})
}

// mostHeld bounds the lines of a value in <pre>.
const mostHeld = 100_000

// preJSON takes a line that belongs to a JSON value in <pre>.
func (d *reading) preJSON(text string, p physical) bool {
	h := d.page
	if len(h.value) == 0 {
		if !mayStartJSON([]byte(text)) {
			return false
		}
		h.json.reset()
	}
	n, v := h.json.feed([]byte(text + "\n"))
	switch {
	case v == goesOn && len(h.value) < mostHeld:
		h.value = append(h.value, heldText{text, p.clone()})
		return true
	case v == finished && strings.TrimSpace(text[min(n, len(text)):]) == "" && (h.json.keys.isAnswer() || h.json.keys.isPart()):
		h.value = append(h.value, heldText{text, p})
		d.pageValue(false)
		return true
	}
	return false
}

// pageValue hands on the value that was held.
func (d *reading) pageValue(cut bool) {
	held := d.page.value
	d.page.value = nil
	lines := make([]string, len(held))
	for i, h := range held {
		lines[i] = h.text
	}
	d.any = true
	d.values++
	d.s.h.JSON(&JSON{Doc: d.doc, Number: held[0].number, Offset: held[0].offset, Bytes: []byte(strings.Join(lines, "\n")), Cut: cut})
}

// releasePage hands on lines that turned out to be no value, or a part of one
// that is told by its keys.
func (d *reading) releasePage() {
	held := d.page.value
	if len(held) == 0 {
		return
	}
	if d.page.json.keys.isAnswer() {
		d.pageValue(true)
		return
	}
	d.page.value = nil
	kind := d.kind
	d.kind = Log
	for _, h := range held {
		d.raw(h.text, h.stored, h.offset, h.number)
	}
	d.kind = kind
}
