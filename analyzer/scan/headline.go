package scan

import (
	"strings"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// mostBelow is how many lines below a headline the words of a program begin at the
// latest.
const mostBelow = 4

// ofRank is what MPI programs put before each line of a rank, which may be all of
// an empty line.
var ofRank = lazy.Regexp(`^\[\d+\]\s*`)

// below looks for the words of a program in a line below its headline, and reports
// whether the line holds them: the event of the headline is then that of the line. A
// line of another rank, or one that is known to be harmless, may stand between. What
// another rule or a traceback says has an event of its own, and the headline none.
func (s *Scanner) below(st *stream, l *source.Line, part traceback.Part, e, h *Event) bool {
	var role rules.Role
	if e != nil {
		role = e.Rule.Role
	}
	text, aside := rankless(l.Text), ofOtherRanks(h.Quote.Text, l.Text)
	between := text == "" || aside || role == rules.Harmless
	if between && s.seq-h.Seq <= mostBelow {
		return false
	}
	if st.headline == h {
		st.headline = nil
	}
	if role == rules.Root || role == rules.Ambiguous || part == traceback.Head && role != rules.Symptom {
		return false
	}
	words := !between && !l.Platform && role != rules.Symptom && !goesOn(text, l.Level)
	if words {
		h.Quote, h.Seq = s.quoteEvent(l), s.seq
		h.Values = append(h.Values, rules.Value{Name: "message", Text: Shorten(text)})
		s.reread(h, l)
	}
	st.awaitCalm(h)
	st.keep(h)
	return words
}

// rankless is the text of a line without what MPI programs put before it.
func rankless(line string) string {
	return strings.TrimSpace(ofRank().ReplaceAllString(line, ""))
}

// ofOtherRanks reports whether two lines tell their ranks, and those differ.
func ofOtherRanks(a, b string) bool {
	a, b = strings.TrimSpace(ofRank().FindString(a)), strings.TrimSpace(ofRank().FindString(b))
	return a != "" && b != "" && a != b
}

// reread lets the words of a program say more than its form does: they are read
// like the message of an exception.
func (s *Scanner) reread(e *Event, l *source.Line) {
	message := e.Values.Get("message")
	if message == "" {
		return
	}
	if t := s.meant(message, l); t != nil {
		e.Rule, e.Wording, e.Values = s.wordings[t.wording].rule, s.wordings[t.wording].i, nil
		if t.values != nil {
			e.Values = *t.values
		}
	}
}

// meant gives what of the wordings that read the messages of exceptions fits a
// message of a line best, nil where none does but for its class.
func (s *Scanner) meant(message string, l *source.Line) *tried {
	t := s.best(&view{line: l, part: traceback.Outside, names: yes}, raisedAs+message, nil)
	if t == nil {
		return nil
	}
	r := s.wordings[t.wording].rule
	if r.Guess || !r.Generic && (r.Role == rules.Root || r.Role == rules.Ambiguous) {
		return t
	}
	return nil
}
