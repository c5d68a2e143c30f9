package source

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Inner is a text within a page that is JSON by itself, of which pages before had
// a part. The places in its Part are those in what the text means.
type Inner struct {
	At int // of the text in the page, behind its quote
	Part
	Inners []Inner // within it
}

// deepestInner is how many texts may lie within one another that are JSON by
// themselves. What lies deeper is one text.
const deepestInner = 4

// inner reads the JSON that a text holds in pages of its own.
type inner struct {
	pager
	scan    jsonScanner
	escaped []byte // the beginning of an escape, whose end is still to come
	ended   bool   // the value has ended
}

// enter begins to read the open text as JSON in pages of its own, when it is any.
// What is none can be parted between its lines. It says whether that helps.
func (p *pager) enter() bool {
	if p.only != nil || !p.inText || p.name || p.plain || p.asIs || p.depth == deepestInner {
		return false
	}
	text := p.buf[p.text:]
	head, _ := unescapeJSON(nil, text[:min(len(text), leastKept)])
	head = bytes.TrimLeft(head, " \t\r\n")
	switch {
	case len(head) == 0: // blank lines, by the thousand
		p.plain = true
		return true
	case bytes.HasPrefix(head, []byte(`{\"`)), bytes.HasPrefix(head, []byte(`[{\"`)):
		p.asIs = true // JSON that is escaped once more
		return false
	case head[0] != '{' && head[0] != '[' && head[0] != '"':
		p.plain = true
		return true
	}
	in := &inner{pager: pager{most: p.most, line: p.line, depth: p.depth + 1}}
	v := in.take(text)
	if v == broken {
		p.plain = true
		return true
	}
	in.ended = v == finished
	p.buf = p.buf[:p.text]
	p.inner, p.digits = in, 0
	return true
}

// take takes more of the text as it stands, unless it is no JSON.
func (in *inner) take(raw []byte) verdict {
	text, rest := unescapeJSON(nil, slices.Concat(in.escaped, raw))
	if len(in.buf) == 0 {
		text = bytes.TrimLeft(text, " \t\r\n")
	}
	n, v := in.scan.feed(text)
	if v == finished && len(bytes.TrimSpace(text[n:])) > 0 {
		v = broken
	}
	if v != broken {
		in.escaped = rest
		in.add(text[:n])
	}
	return v
}

// nest takes more of a text that is read in inner pages, and gives what stands
// behind it.
func (p *pager) nest(more []byte) (rest []byte) {
	text, ended := more, false
	for i, c := range more {
		switch {
		case p.escape:
			p.escape = false
		case c == '\\':
			p.escape = true
		case c == '"':
			text, rest, ended = more[:i], more[i+1:], true
		}
		if ended {
			break
		}
	}
	if in := p.inner; !in.ended {
		v := in.take(text)
		if in.ended = v == finished; v == broken {
			p.leaveInner(text)
		}
	} else if len(bytes.TrimSpace(text)) > 0 {
		p.leaveInner(text)
	}
	if !ended {
		return nil
	}
	if p.inner != nil {
		p.leaveInner(nil)
	}
	p.buf = append(p.buf, '"')
	p.inText = false
	p.close(p.text, len(p.buf)-1, p.breaks+1)
	return rest
}

// leaveInner puts what is left of the inner value back into the text, and raw
// behind it.
func (p *pager) leaveInner(raw []byte) {
	in := p.inner
	if in.inner != nil {
		in.leaveInner(nil)
	}
	p.long = p.long || in.long
	if len(in.gaps)+len(in.inners) > 0 {
		p.inners = append(p.inners, Inner{p.text, Part{Told: in.told, Gaps: in.gaps}, in.inners})
	}
	p.inner, p.plain = nil, true
	p.buf = escapeJSON(p.buf, in.buf)
	p.buf = append(append(p.buf, in.escaped...), raw...)
	lines := 0
	for _, g := range in.gaps {
		lines += g.Lines
	}
	if lines > 0 { // they are the first ones of the text now, as if it had been parted between them
		p.gaps = append(p.gaps, Gap{At: p.text, Parts: lines})
	}
	p.breaks, p.broken, p.escape, p.digits = 0, 0, false, 0
	line := p.line
	p.line = 0 // what is put back is held already, and was not too long
	p.within(p.text)
	p.line = line
}

// innerPage is nextPage for the inner value.
func (p *pager) innerPage(dst []byte) (text []byte, part Part, inners []Inner, moved bool) {
	this, of, within, moved := p.inner.nextPage(nil)
	if this == nil {
		return nil, Part{}, nil, moved
	}
	text = append(dst, p.buf[:p.text]...)
	text = p.shut(append(escapeJSON(text, this), '"'), len(p.levels))
	part, inners = p.part(len(p.levels)), append(slices.Clone(p.inners), Inner{p.text, of, within})
	p.told = p.text
	p.forget()
	return text, part, inners, true
}

// unescapeJSON appends what the content of a JSON string means to dst, and gives
// the beginning of an escape at its end.
func unescapeJSON(dst, text []byte) (out, rest []byte) {
	for len(text) > 0 {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return append(dst, text...), nil
		}
		dst, text = append(dst, text[:i]...), text[i:]
		if len(text) > 1 && text[1] != 'u' {
			dst, text = append(dst, meansByte(text[1])), text[2:]
			continue
		}
		r, n := unicodeEscape(text)
		if n == 0 || n == 6 && len(text) < 12 && isHigh(hex4(text)) && strings.HasPrefix(`\u`, string(text[6:min(8, len(text))])) {
			return dst, text
		}
		dst, text = utf8.AppendRune(dst, r), text[n:]
	}
	return dst, nil
}

func meansByte(c byte) byte {
	if i := bytes.IndexByte([]byte("bfnrt"), c); i >= 0 {
		return "\b\f\n\r\t"[i]
	}
	return c
}

// escapeJSON appends a text to dst as it stands in a JSON string.
func escapeJSON(dst, text []byte) []byte {
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c < ' ':
			dst = fmt.Appendf(dst, `\u%04x`, c)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
