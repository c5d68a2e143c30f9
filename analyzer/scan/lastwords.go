package scan

import (
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/fold"
	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
)

// lookedBack is how many lines of its own before its end a program's last words
// may stand.
const lookedBack = 8

// spoken is one of the last lines that a job printed of itself.
type spoken struct {
	stream *stream
	quote  Quote
	stored unlike
	seq    int
}

// speak notes a line that no rule blames, in the place of the oldest when there are
// enough.
func (m *moment) speak(st *stream, seq int, l *source.Line) {
	var w spoken
	if len(m.spoken) == lookedBack {
		w = m.spoken[0] // for the room of its bytes
		m.spoken = m.spoken[:copy(m.spoken, m.spoken[1:])]
	}
	w.stream, w.seq = st, seq
	w.stored.note(st.of, &w.quote, l)
	m.spoken = append(m.spoken, w)
}

// hear reads the last words of a program whose end an event tells of. One that a
// signal ended did not choose its last words.
func (s *Scanner) hear(m *moment, e *Event) {
	switch {
	case e.Rule.Cause == "exit-nonzero":
		s.lastWords(m, true)
		m.spoken = m.spoken[:0]
	case rules.TellsEnd(e.Rule.Cause), e.Rule.Tells(rules.Exit):
		m.spoken = m.spoken[:0]
	}
}

// lastWords keeps an event for the last of the lines by which a program itself
// says what was wrong, without an exception, before it ends. The very last line
// needs no word of failure where the end is known for one. Where no rule knows what
// is wrong, the last line that the program calls an error stands for it, if it failed.
func (s *Scanner) lastWords(m *moment, failed bool) {
	var own *Event
	var by *stream
	for i := len(m.spoken) - 1; i >= 0; i-- {
		w := &m.spoken[i]
		if goesOn(w.quote.Text, w.quote.Level) || !w.quote.complains() && !(failed && i == len(m.spoken)-1) {
			continue
		}
		if t := s.complaint(w); t != nil {
			rule := s.wordings[t.wording]
			e := s.said(m, w, rule.rule, rule.i)
			if t.values != nil {
				e.Values = *t.values
			}
			w.stream.keep(e)
			return
		}
		if own == nil && failed {
			own, by = s.ownWords(m, w), w.stream
		}
	}
	if own != nil {
		by.keep(own)
	}
}

// ownWords gives the event of a line that the program calls an error, nil where it
// does not, or its stream knows of something else that may have failed.
func (s *Scanner) ownWords(m *moment, w *spoken) *Event {
	if s.own == nil || w.stream.blames() || trying().MatchString(w.quote.Text) {
		return nil
	}
	values, wording, ok := s.own.Find(w.called())
	if !ok {
		return nil
	}
	e := s.said(m, w, s.own, wording)
	e.Values = values
	return e
}

// blames reports whether something in the stream may be what failed, besides its end.
func (st *stream) blames() bool {
	for r := range st.events {
		if (r.Role == rules.Root || r.Role == rules.Ambiguous) && !rules.TellsEnd(r.Cause) {
			return true
		}
	}
	return len(st.traces)+len(st.pending) > 0
}

// called gives the text of a line with the level by which the program called it an
// error, where a reader of logs has taken that off.
func (w *spoken) called() string {
	if IsError(w.quote.Level) {
		return w.quote.Level + ": " + w.quote.Text
	}
	return w.quote.Text
}

// said makes the event of one of the last lines.
func (s *Scanner) said(m *moment, w *spoken, rule *rules.Rule, wording int) *Event {
	e := &Event{Rule: rule, Wording: wording, Quote: w.quote, Stream: w.stream.Stream, Seq: w.seq, Exception: -1,
		At: w.quote.Time, Zoned: w.quote.Zoned, Attempt: s.attempt(w.quote.Doc), LastWords: true}
	if e.At.IsZero() {
		e.At, e.Zoned = m.at, m.zoned
	}
	w.stored.finish(&e.Quote)
	return e
}

// lastWordsOf reads the last words of the texts of some streams that end without
// telling how.
func (s *Scanner) lastWordsOf(these func(*stream) bool) {
	for _, st := range s.live {
		if m := st.now; these(st) && m != nil && len(m.spoken) > 0 {
			s.lastWords(m, false)
			m.spoken = m.spoken[:0]
		}
	}
}

// complaint gives what of the wordings that read the messages of exceptions fits
// a line best, nil where none does but for its class.
func (s *Scanner) complaint(w *spoken) *tried {
	message := label().ReplaceAllString(strings.TrimSpace(w.quote.Text), "")
	if message == "" || len(message) > longest {
		return nil
	}
	l := &source.Line{Doc: w.quote.Doc, Kind: source.Log, Raw: w.quote.Raw, Text: w.quote.Text, Level: w.quote.Level}
	return s.meant(message, l)
}

// raisedAs is the class under which a program's own words are read.
const raisedAs = "RuntimeError: "

// label is what a program puts before its words to say that they tell of an error.
var label = lazy.Regexp(`(?i)^[\[(<【]?(?:fatal(?: error)?|error|err|critical|warn(?:ing)?|panic|failed|failure|exception|致命错误|错误|报错|失败|异常|警告|严重)[\])>】]?\s*[:：!！-]*\s*`)

var (
	ending = fold.Of("exit", "abort", "stop", "terminat", "quit", "giving up", "give up", "ending training", "shutting down", "cannot continue", "bailing",
		"退出", "终止", "停止", "中止", "结束训练", "放弃")
	failing = fold.Of("error", "fatal", "fail", "critical", "panic", "invalid", "missing", "cannot", "错误", "失败", "异常", "缺少", "不存在", "报错", "无法")
)

// quietly are the levels below that of a warning.
var quietly = []string{"DEBUG", "INFO", "NOTICE", "TRACE"}

// complains reports whether a line speaks as the last one of a program does that
// gives up: as an error, or of its end.
func (q *Quote) complains() bool {
	return IsError(q.Level) || rules.IsLoud(q.Text) || ending.In(q.Text) || q.Level == "" && failing.In(q.Text)
}

// goesOn reports whether a line tells of no failure: by its level, because the
// program passed over it, or because it tells a step.
func goesOn(text, level string) bool {
	_, _, step := progress(text)
	return step || passesOver(text) || slices.Contains(quietly, level)
}
