package scan

import (
	"cmp"
	"slices"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// Outcome is how the trial of a wording on a line ended.
type Outcome string

// The outcomes.
const (
	Won       Outcome = "won"       // it fits, and says more than all others that do
	Outranked Outcome = "outranked" // it fits, and another says more
	Scope     Outcome = "scope"     // its rule does not look at lines of this kind
	Absent    Outcome = "absent"    // one of its literals is not in the line
	Barred    Outcome = "barred"    // the line holds what the wording excludes
	Differs   Outcome = "differs"   // its fragments fit, its expression does not
)

// Trial is what one wording, tried because its longest literal stands in the
// line, makes of the line.
type Trial struct {
	Rule     *rules.Rule
	Wording  int
	Values   rules.Values
	Outcome  Outcome
	Fragment string // the literal that is Absent or Barred
}

// Observe has f see each line that rules look at, before they do. The bodies of
// tracebacks are not among them.
func (s *Scanner) Observe(f func(*source.Line, traceback.Part)) { s.observe = f }

// Try gives what every wording that the prefilter lets through makes of a line:
// the one that wins first, then those that fit, then those that do not.
func (s *Scanner) Try(l *source.Line, part traceback.Part) []Trial {
	var list []Trial
	v := view{line: l, part: part}
	at := map[int]int{} // wording → place in list
	for _, text := range texts(l) {
		for _, i := range s.pre.candidates(text) {
			w := s.wordings[i]
			t := Trial{Rule: w.rule, Wording: w.i}
			t.Values, t.Outcome, t.Fragment = try(w.w, text)
			if fragment, miss := w.w.Bars(l.Raw); t.Outcome == Outranked && miss == rules.Barred {
				t.Values, t.Outcome, t.Fragment = nil, Barred, fragment
			}
			if t.Outcome == Outranked && !v.within(w.rule) {
				t.Outcome = Scope
			}
			if old, seen := at[i]; !seen {
				at[i] = len(list)
				list = append(list, t)
			} else if rank(t.Outcome) < rank(list[old].Outcome) {
				list[old] = t
			}
		}
	}
	top := -1
	for i, t := range list {
		if t.Outcome == Outranked && (top < 0 || t.Rule.Outranks(t.Wording, list[top].Rule, list[top].Wording)) {
			top = i
		}
	}
	list, top = s.tryTold(l, part, list, top)
	if top < 0 {
		top = len(list) // what tryOwn gives, where it does
	}
	list = append(list, s.tryOwn(l)...)
	if top < len(list) {
		list[top].Outcome = Won
	}
	slices.SortStableFunc(list, func(a, b Trial) int { return cmp.Compare(rank(a.Outcome), rank(b.Outcome)) })
	return list
}

// tryOwn gives what the rule for the last words of programs makes of a line, which it
// reads only where those stand. It says less than any other.
func (s *Scanner) tryOwn(l *source.Line) []Trial {
	if s.own == nil {
		return nil
	}
	for _, text := range texts(l) {
		if values, i, ok := s.own.Find(text); ok && !barred(&s.own.Match[i], l) {
			return []Trial{{Rule: s.own, Wording: i, Values: values, Outcome: Outranked}}
		}
	}
	return nil
}

// tryTold lets the retellings of a line compete with what won on the line itself.
func (s *Scanner) tryTold(l *source.Line, part traceback.Part, list []Trial, top int) ([]Trial, int) {
	v := view{line: l, part: part, names: yes}
	var first *tried
	for _, r := range retell(l, trimmed(l, part), part) {
		more := s.retold(&v, &r)
		if top >= 0 && first == nil {
			first = s.triedAs(list[top])
		}
		if more == nil || !s.saysMore(more, first, r.inner) {
			continue
		}
		w := s.wordings[more.wording]
		t := Trial{Rule: w.rule, Wording: w.i, Outcome: Outranked}
		if more.values != nil {
			t.Values = *more.values
		}
		first = more
		if top = slices.IndexFunc(list, func(o Trial) bool { return o.Rule == t.Rule && o.Wording == t.Wording }); top < 0 {
			top, list = len(list), append(list, t)
		}
		list[top] = t
	}
	return list, top
}

func (s *Scanner) triedAs(t Trial) *tried {
	return &tried{wording: int32(slices.IndexFunc(s.wordings, func(w wording) bool { return w.rule == t.Rule && w.i == t.Wording }))}
}

// texts are the readings of a line that rules look at, as match does.
func texts(l *source.Line) []string {
	list := []string{l.Text}
	if l.Leveled != "" {
		list = append(list, l.Leveled)
	}
	if bent(l.Text) {
		list = append(list, straight.Replace(l.Text))
	}
	return list
}

// try calls what fits Outranked, until it is known what else does.
func try(w *rules.Wording, text string) (rules.Values, Outcome, string) {
	switch fragment, miss := w.Misses(text); miss {
	case rules.Absent:
		return nil, Absent, fragment
	case rules.Barred:
		return nil, Barred, fragment
	}
	values, ok := w.Find(text)
	if !ok {
		return nil, Differs, ""
	}
	return values, Outranked, ""
}

func rank(o Outcome) int {
	return slices.Index([]Outcome{Won, Outranked, Scope, Differs, Barred, Absent}, o)
}
