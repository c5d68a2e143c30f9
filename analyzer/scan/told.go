package scan

import (
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/ascii"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// retelling is what a line would be if the interpreter had printed the
// exception that it tells of: rich, IPython, absl and loggers write the class
// without its module, or the exception as repr does.
type retelling struct {
	texts []string // one, or one for each class in full that it may be
	names []string // those, where the line has the last part alone
	own   bool     // it may be a class of the interpreter as well
	inner bool     // the exception stood inside the message, as repr writes it
}

// retell gives the retellings of a line whose text is as given.
func retell(l *source.Line, text string, part traceback.Part) (all []retelling) {
	if part == traceback.Outside && !mayTell(l, text) {
		return nil
	}
	if r, ok := inFull(text); ok {
		all = append(all, r)
	}
	said := rules.Said(text)
	if said == "" {
		return all
	}
	for s := range strings.SplitSeq(said, "\n") {
		all = append(all, retelling{texts: []string{s}, inner: true})
		if r, ok := inFull(s); ok {
			r.inner = true
			all = append(all, r)
		}
	}
	return all
}

// mayTell reports whether a line outside of tracebacks tells of an exception
// that was raised: by its level, its first word or its label, or as nothing else
// stands in it.
func mayTell(l *source.Line, text string) bool {
	return (IsError(l.Level) || rules.IsException(text) || loudly(text)) && !passesOver(text)
}

// loudly reports whether a line is nothing but an exception as repr writes it, or
// begins with a label that speaks of a failure.
func loudly(text string) bool {
	if !strings.Contains(text, "rror") && !strings.Contains(text, "xception") {
		return false
	}
	i := strings.IndexByte(text, '(')
	return i > 0 && strings.IndexByte(text[:i], ' ') < 0 && strings.HasSuffix(text, ")") || rules.IsLoud(text)
}

// inFull gives a text with the class that stands at its beginning, or behind a
// label, in full.
func inFull(text string) (r retelling, ok bool) {
	for from := 0; from < len(text); {
		class := identifier(text[from:])
		if rest := text[from+len(class):]; class != "" && (rest == "" || rest[0] == ':') {
			if modules, own := rules.Modules(class); len(modules) > 0 {
				r.own = own
				for _, m := range modules {
					r.names = append(r.names, m+"."+class)
					r.texts = append(r.texts, text[:from]+m+"."+text[from:])
				}
				return r, true
			}
		}
		i := strings.Index(text[from:], ": ")
		if i < 0 || from+i > mostLabel {
			break
		}
		from += i + len(": ")
	}
	return r, false
}

// mostLabel is how long a label before an exception may be, in bytes.
const mostLabel = 120

// identifier gives the identifier that a text begins with.
func identifier(text string) string {
	n := 0
	for n < len(text) && (text[n] == '_' || ascii.IsDigit(text[n]) || ascii.IsLetter(text[n])) {
		n++
	}
	return text[:n]
}

// tellings gives what of the wordings that fit the retellings of a line says
// most, or w when that says more.
func (s *Scanner) tellings(l *source.Line, text string, part traceback.Part, w *tried) *tried {
	named := view{line: l, part: part, names: yes}
	for _, r := range retell(l, text, part) {
		if more := s.retold(&named, &r); more != nil && s.saysMore(more, w, r.inner) {
			w = more
		}
	}
	return w
}

// rejoin reads the line of an exception again when a further part of it has
// come: the program that printed it had broken it. Its quote stays the first part.
func (s *Scanner) rejoin(st *stream, l *source.Line) {
	from, text, ok := st.parser.Joined(s.seq)
	if !ok {
		return
	}
	named := view{line: l, part: traceback.Head, names: yes}
	w := s.tellings(l, text, traceback.Head, s.best(&named, text, nil))
	if w == nil || s.wordings[w.wording].rule.Role == rules.Harmless {
		return
	}
	at := slices.IndexFunc(st.pending, func(e *Event) bool { return e.Seq == from })
	if at < 0 {
		if at = st.addFor(from); at < 0 {
			return
		}
	}
	e := st.pending[at]
	e.Rule, e.Wording, e.Values = s.wordings[w.wording].rule, s.wordings[w.wording].i, nil
	if w.values != nil {
		e.Values = *w.values
	}
}

// reason is what was read of a message that gives its reason further down: that of
// an exception from a graph of TensorFlow, whose reason stands above the node, below
// all the places that the node was made at; and that from compiled code, which lists
// the frames of its source.
type reason struct {
	open bool
	code bool  // its lines are the frames of compiled code
	from int   // its first line
	seq  int   // the last line that may explain it
	last Quote // likewise, of no document where a rule knew it
}

// reasonLines bounds the lines of a message that are looked through.
const reasonLines = 512

// compiled are the lines above the frames of compiled code (torch/_guards.py of
// PyTorch, torch/csrc/jit/runtime/interpreter.cpp).
var compiled = []string{"from user code:", "Traceback of TorchScript (most recent call last):", "Traceback of TorchScript, original code (most recent call last):"}

// opens begins with a message whose first line, or one that has its frames below it,
// leaves the explanation to further lines.
func (st *stream) opens(seq int, text string, part traceback.Part) {
	switch {
	case slices.Contains(compiled, strings.TrimSpace(text)):
		st.reason = reason{open: true, code: true, from: seq}
	case part == traceback.Head:
		st.reason = reason{open: strings.HasSuffix(text, ": Graph execution error:"), from: seq}
	}
}

// explain takes the line that explains the message, once it is clear which that is:
// the line above the node, or the innermost frame.
func (s *Scanner) explain(st *stream, l *source.Line, known *Event) {
	r := &st.reason
	text := strings.TrimLeft(l.Text, " \t")
	frame := r.code && strings.HasPrefix(text, `File "`)
	switch {
	case s.seq == r.from, !r.code && text == "", r.code && !frame && text != l.Text && text != "":
	case s.seq-r.from > reasonLines:
		*r = reason{}
	case r.code && !frame, !r.code && strings.HasPrefix(text, "[[{{node "):
		if r.last.Doc != nil && s.further != nil {
			st.pending = append(st.pending, &Event{Rule: s.further, Exception: -1, Quote: r.last, Stream: st.Stream, Seq: r.seq, At: st.now.at, Zoned: st.now.zoned, Attempt: s.attempt(l.Doc)})
		}
		*r = reason{}
	case known != nil || len(l.Raw) > longest:
		r.seq, r.last = s.seq, Quote{}
	default:
		r.seq, r.last = s.seq, s.quote(l)
	}
}

// addFor adds an event without a rule for the line of an exception that no rule
// knew so far, and gives its place; -1 when the line is not held.
func (st *stream) addFor(seq int) int {
	i := slices.IndexFunc(st.recent, func(h headed) bool { return h.seq == seq })
	if i < 0 || st.recent[i].quote == nil {
		return -1
	}
	e := &Event{Exception: -1, Quote: *st.recent[i].quote, Stream: st.Stream, Seq: seq, At: st.now.at, Zoned: st.now.zoned, Attempt: st.of.attempt(st.Doc)}
	st.now.wait(e)
	st.awaitCalm(e)
	st.pending = append(st.pending, e)
	return len(st.pending) - 1
}

// retold gives what of the wordings that fit a retelling says most, nil when
// none fits. A wording that wants no more than a class fits a name that several
// classes have only where it fits them all.
func (s *Scanner) retold(v *view, r *retelling) *tried {
	var top *tried
	bests := make([]*tried, len(r.texts))
	alike := !r.own
	for i, text := range r.texts {
		bests[i] = s.best(v, text, nil)
		alike = alike && bests[i] != nil && s.wordings[bests[i].wording].rule == s.wordings[bests[0].wording].rule
	}
	for i, b := range bests {
		if b == nil || !alike && s.wordings[b.wording].w.Wordless(r.names[i]) {
			continue
		}
		if top == nil || s.outranks(b, top) {
			top = b
		}
	}
	return top
}

func (s *Scanner) outranks(a, b *tried) bool {
	x, y := s.wordings[a.wording], s.wordings[b.wording]
	return x.rule.Outranks(x.i, y.rule, y.i)
}

// saysMore reports whether what fits a retelling says more than what fits the
// line: what names an exception inside a message does, whatever holds it.
func (s *Scanner) saysMore(a, b *tried, inner bool) bool {
	if b == nil {
		return true
	}
	r := s.wordings[a.wording].rule
	if inner && !r.Generic && (r.Role == rules.Root || r.Role == rules.Ambiguous) {
		return s.wordings[b.wording].rule.Role != rules.Harmless
	}
	return s.outranks(a, b)
}
