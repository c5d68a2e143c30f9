package scan

import (
	"strings"
	"unicode/utf8"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// match finds the rule that says most about the line and keeps its event, nil
// when none says anything.
func (s *Scanner) match(st *stream, l *source.Line, part traceback.Part) *Event {
	if s.observe != nil {
		s.observe(l, part)
	}
	text := trimmed(l, part)
	v := view{line: l, part: part}
	w := s.best(&v, text, nil)
	if l.Leveled != "" {
		w = s.best(&v, l.Leveled, w)
	}
	if bent(text) {
		w = s.best(&v, straight.Replace(text), w)
	}
	w = s.tellings(l, text, part, w)
	if w == nil {
		return nil
	}
	top := &Event{Rule: s.wordings[w.wording].rule, Wording: s.wordings[w.wording].i, Exception: -1}
	if w.values != nil {
		top.Values = *w.values
		for i := range top.Values {
			top.Values[i].Text = apart(l, top.Values[i].Text)
		}
	}
	if top.Rule.Role == rules.Harmless {
		return top
	}
	if top.Rule.Role != rules.Context {
		st.alarmed = true
	}
	if len(top.Rule.Facts) > 0 {
		s.border(Series(l.Doc), top.Rule)
	}
	if top.Rule.Tells(rules.Words) {
		s.reread(top, l)
	}
	top.Quote, top.Stream, top.Seq = s.quoteEvent(l), st.Stream, s.seq
	top.At, top.Zoned = st.now.at, st.now.zoned
	st.now.wait(top)
	top.Attempt = s.attempt(l.Doc)
	if top.Rule.Tells(rules.WordsBelow) && part == traceback.Outside && top.Values.Get("message") == "" {
		st.headline = top
		return top
	}
	if top.Rule.Role != rules.Context {
		st.awaitCalm(top)
	}
	if part == traceback.Outside {
		st.keep(top)
	} else {
		st.pending = append(st.pending, top)
	}
	return top
}

// trimmed gives the text of a line without the indentation that a traceback has
// inside a message.
func trimmed(l *source.Line, part traceback.Part) string {
	if part == traceback.Outside {
		return l.Text
	}
	return strings.TrimLeft(l.Text, " \t")
}

// best gives what of the wordings that fit a text of the line says most, or top
// when that says more.
func (s *Scanner) best(v *view, text string, top *tried) *tried {
	r := s.memo.reading(text, s.pre)
	for i := range r.tries {
		t := &r.tries[i]
		if t.state == differing {
			continue
		}
		w := s.wordings[t.wording]
		if top != nil && !w.rule.Outranks(w.i, s.wordings[top.wording].rule, s.wordings[top.wording].i) {
			continue
		}
		if v.within(w.rule) && t.fits(w.w, text) && !barred(w.w, v.line) {
			best := *t // the memo may have to forget the text
			top = &best
		}
	}
	return top
}

// longestValue bounds what a rule takes out of a line, in bytes.
const longestValue = 1024

func short(values rules.Values) rules.Values {
	for i := range values {
		if v, n := values[i].Text, longestValue; len(v) > n {
			for n > 0 && !utf8.RuneStart(v[n]) {
				n--
			}
			values[i].Text = strings.Clone(v[:n])
		}
	}
	return values
}

// barred reports whether a wording excludes the line for what stands in its
// prefixes, such as the level WARNING.
func barred(w *rules.Wording, l *source.Line) bool {
	_, miss := w.Bars(l.Raw)
	return miss == rules.Barred
}

// straight makes the quotes straight that chats and office programs bend in
// what people paste. Some programs print bent ones, so rules see both forms.
var straight = strings.NewReplacer("‘", "'", "’", "'", "“", `"`, "”", `"`)

// bent reports whether a text may hold bent quotes, by the bytes that they
// begin with.
func bent(text string) bool { return strings.Contains(text, "\xe2\x80") }

// view is a line as rules may look at it.
type view struct {
	line  *source.Line
	part  traceback.Part
	names answer // whether it names an exception, when that was asked
}

type answer uint8

const (
	unasked answer = iota
	yes
	no
)

// within reports whether a rule may look at the line.
func (v *view) within(r *rules.Rule) bool {
	if r.Role == rules.Harmless && v.part == traceback.Head {
		return false // the line that names an exception is never noise, whatever words stand in it
	}
	switch kind := v.line.Kind; r.Only {
	case rules.Exception:
		if v.names == unasked {
			v.names = no
			if v.namesException() {
				v.names = yes
			}
		}
		return v.names == yes
	case rules.Event:
		return kind == source.Event || kind == source.Answer
	case rules.Kernel:
		return kind == source.Kernel || kind == source.Log
	case rules.Prose:
		return kind == source.Ticket
	}
	return true
}

func (v *view) namesException() bool {
	text := v.line.Text
	switch v.part {
	case traceback.Head:
		return true
	case traceback.More:
		return rules.IsException(strings.TrimLeft(text, " \t"))
	case traceback.Outside:
		return rules.IsException(text) || rules.TellsException(text, IsError(v.line.Level))
	}
	return false
}

// IsError reports whether a level of a log record is that of an error.
func IsError(level string) bool {
	return level == "ERROR" || level == "CRITICAL" || level == "FATAL"
}
