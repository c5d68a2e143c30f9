package rules

import (
	"cmp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"hcloud-modelarts/analyzer/lazy"
)

// Finding is something about a rule that makes it weak, although it loads.
type Finding struct {
	Rule    *Rule
	Code    string // what is wrong, a key of LintTexts
	Hard    bool   // a fault; the others are worth a look
	Wording int    // from 1, 0 for the rule as a whole
	About   string // the fragment, expression, text, sample or number in question
	Count   int    // of rules of other causes, for a fragment that is too common
	Other   *Rule  // the rule that it collides with, nil when none
}

// LintTexts word the codes of findings; "{about}", "{count}" and "{other}" are
// those of the finding.
var LintTexts = map[string]Text{
	"few-samples":    {ZH: "匹配样例与近似样例应各有至少 3 条，现有 {about}", EN: "needs at least 3 lines that it matches and 3 near misses, has {about}"},
	"one-language":   {ZH: "缺少译文或语言混用：{about}", EN: "a text lacks its translation or is in the wrong language: {about}"},
	"short-fragment": {ZH: "最长的片段 {about} 太短，会在大量无关的行上尝试", EN: "its longest literal {about} is short: the rule is tried on many lines"},
	"broad-fragment": {ZH: "片段 {about} 过于常见：{count} 条根因不同的规则的样例中也有", EN: "its longest literal {about} is common: the samples of {count} rules of other causes hold it"},
	"open-start":     {ZH: "表达式以任意内容开头，应去掉开头部分：{about}", EN: "the expression starts with anything at all, leave that out: {about}"},
	"no-start":       {ZH: "表达式不以固定文字开头，匹配较慢：{about}", EN: "the expression does not start with a literal, which is slow: {about}"},
	"slow":           {ZH: "表达式编译后过大（{about} 条指令），匹配很慢", EN: "the expression compiles to {about} instructions, which is slow"},
	"shadowed":       {ZH: "全部匹配样例都被规则 {other} 抢先，永远不会生效", EN: "never wins: the rule {other} beats it on its own samples"},
	"taken":          {ZH: "样例被根因不同的规则 {other} 抢先：{about}", EN: "the rule {other}, of another cause, beats it on its sample {about}"},
	"crossing":       {ZH: "与规则 {other} 互相匹配对方的样例，根因却不同；用 over 说明谁优先，或收紧片段", EN: "it and the rule {other} match each other's samples and name different causes: say with over which wins, or tighten them"},
}

// The bounds of the checks.
const (
	lintSamples = 3    // of each kind
	lintShort   = 6    // bytes of a literal that is too short unless it is a code
	lintBroad   = 40   // rules of other causes whose samples hold a literal that is too common
	lintSlow    = 2000 // instructions of a compiled expression
)

// Lint looks for what makes the rules of own weak within a pack that holds
// them. Findings stand in the order of the rules, faults before the others.
func Lint(pack, own *Pack) ([]Finding, error) {
	l := linter{pack: pack}
	if err := l.read(); err != nil {
		return nil, err
	}
	for _, r := range own.Rules {
		l.rule(r)
	}
	slices.SortStableFunc(l.found, func(a, b Finding) int {
		if a.Rule != b.Rule {
			return strings.Compare(a.Rule.ID, b.Rule.ID)
		}
		return cmp.Compare(hardness(a), hardness(b))
	})
	return l.found, nil
}

func hardness(f Finding) int {
	if f.Hard {
		return 0
	}
	return 1
}

// shown is a line of a sample and the rules that match it.
type shown struct {
	of   *Rule
	text string // the whole sample
	best *hit
	hits []hit
}

type hit struct {
	rule    *Rule
	wording int
}

// tally counts the rules of other causes whose samples hold a wording's longest
// literal; a rule's samples follow one another.
type tally struct {
	rules int
	last  *Rule
}

// linter holds what the checks share.
type linter struct {
	pack   *Pack
	shown  []shown           // of all rules
	of     map[*Rule][]int   // indices into shown
	others map[*Rule][]*Rule // rules whose samples a rule matches
	detail map[*Rule]*Detail
	starts map[string][]hit // wordings by the first bytes of their longest literal
	common map[*Wording]*tally
	found  []Finding
}

// read matches every sample of the pack with all of its rules.
func (l *linter) read() error {
	l.of, l.others, l.detail = map[*Rule][]int{}, map[*Rule][]*Rule{}, map[*Rule]*Detail{}
	l.starts, l.common = map[string][]hit{}, map[*Wording]*tally{}
	for _, r := range l.pack.Rules {
		for i := range r.Match {
			k := first(strings.ToLower(key(&r.Match[i])))
			l.starts[k] = append(l.starts[k], hit{r, i})
			l.common[&r.Match[i]] = &tally{}
		}
	}
	for _, r := range l.pack.Rules {
		d, err := r.Detail()
		if err != nil {
			return err
		}
		l.detail[r] = d
		for _, text := range d.Samples.Match {
			l.of[r] = append(l.of[r], len(l.shown))
			l.shown = append(l.shown, l.match(r, text))
		}
	}
	return nil
}

// match finds the rules that match the line of a sample which shows its rule.
func (l *linter) match(of *Rule, text string) shown {
	s := shown{of: of, text: text}
	line := text
	for part := range strings.SplitSeq(text, "\n") {
		if _, _, ok := of.Find(part); ok {
			line = part
			break
		}
	}
	for _, h := range l.holding(of, strings.ToLower(text)) {
		r := h.rule
		if r.Only != AnyLine && r.Only != of.Only && (r.Only != Exception || !IsException(line)) {
			continue // it looks at other lines
		}
		if _, fits := r.Match[h.wording].Find(line); !fits {
			continue
		}
		s.hits = append(s.hits, h)
		if r != of && !slices.Contains(l.others[r], of) {
			l.others[r] = append(l.others[r], of)
		}
	}
	for i, h := range s.hits {
		if s.best == nil || h.rule.Outranks(h.wording, s.best.rule, s.best.wording) {
			s.best = &s.hits[i]
		}
	}
	return s
}

// first gives the bytes by which literals are looked up.
func first(s string) string { return s[:min(len(s), 4)] }

// holding gives the wordings whose longest literal stands in a sample that is
// in lower case, each once.
func (l *linter) holding(of *Rule, low string) []hit {
	var found []hit
	seen := map[hit]bool{}
	for at := range len(low) {
		for n := 1; n <= 4 && at+n <= len(low); n++ {
			for _, h := range l.starts[low[at:at+n]] {
				w := &h.rule.Match[h.wording]
				if seen[h] || !strings.HasPrefix(low[at:], strings.ToLower(key(w))) {
					continue
				}
				seen[h] = true
				found = append(found, h)
				if t := l.common[w]; h.rule.Cause != of.Cause && t.last != of {
					t.rules, t.last = t.rules+1, of
				}
			}
		}
	}
	slices.SortFunc(found, func(a, b hit) int {
		return cmp.Or(strings.Compare(a.rule.ID, b.rule.ID), cmp.Compare(a.wording, b.wording))
	})
	return found
}

// key is the literal that says most of a wording.
func key(w *Wording) string {
	return slices.MaxFunc(w.Literals, func(a, b string) int { return len(a) - len(b) })
}

func (l *linter) add(f Finding) { l.found = append(l.found, f) }

func (l *linter) rule(r *Rule) {
	d := l.detail[r]
	if m, n := len(d.Samples.Match), len(d.Samples.Near); m < lintSamples || n < lintSamples {
		l.add(Finding{Rule: r, Code: "few-samples", Hard: true, About: strconv.Itoa(m) + "/" + strconv.Itoa(n)})
	}
	for _, t := range textsOf(d) {
		if bad := mixed(t); bad != "" {
			l.add(Finding{Rule: r, Code: "one-language", Hard: true, About: strconv.Quote(bad)})
		}
	}
	for i := range r.Match {
		l.fragments(r, i)
		l.expression(r, i)
	}
	l.collisions(r)
}

func textsOf(d *Detail) []Text {
	all := []Text{d.Say}
	for _, f := range d.Fixes {
		all = append(append(all, f.Title), f.Steps...)
	}
	for _, c := range d.Confirm {
		all = append(all, c.Why)
	}
	return all
}

// mixed gives a text that is missing beside its translation, or written in the
// other language.
func mixed(t Text) string {
	zh, en := strings.ContainsFunc(t.ZH, han), strings.ContainsFunc(quoted().ReplaceAllString(t.EN, ""), han)
	switch {
	case t.ZH == "" && t.EN == "":
		return ""
	case t.EN == "" || !zh && strings.ContainsFunc(quoted().ReplaceAllString(t.ZH, ""), unicode.IsLetter):
		return t.ZH
	case t.ZH == "" || en:
		return t.EN
	}
	return ""
}

// quoted is what a text quotes of programs, in whatever language they speak.
var quoted = lazy.Regexp("`[^`]*`|\"[^\"]*\"|“[^”]*”")

func han(c rune) bool { return unicode.Is(unicode.Han, c) }

func (l *linter) fragments(r *Rule, i int) {
	w := &r.Match[i]
	literal := key(w)
	if len(literal) < lintShort && !strings.ContainsAny(literal, "0123456789") {
		l.add(Finding{Rule: r, Code: "short-fragment", Wording: i + 1, About: strconv.Quote(literal)})
	}
	n := l.common[w].rules
	if n >= lintBroad {
		l.add(Finding{Rule: r, Code: "broad-fragment", Wording: i + 1, About: strconv.Quote(literal), Count: n})
	}
}

func (l *linter) expression(r *Rule, i int) {
	w := &r.Match[i]
	if w.Regexp == "" {
		return
	}
	re, err := syntax.Parse(w.Regexp, syntax.Perl)
	if err != nil {
		return // the loader says so
	}
	about := strconv.Quote(w.Regexp)
	switch start(re.Simplify()) {
	case anything:
		l.add(Finding{Rule: r, Code: "open-start", Hard: true, Wording: i + 1, About: about})
	case something:
		l.add(Finding{Rule: r, Code: "no-start", Wording: i + 1, About: about})
	}
	if prog, err := syntax.Compile(re.Simplify()); err == nil && len(prog.Inst) > lintSlow {
		l.add(Finding{Rule: r, Code: "slow", Hard: true, Wording: i + 1, About: strconv.Itoa(len(prog.Inst))})
	}
}

// How an expression starts.
type begin uint8

const (
	fixed     begin = iota // with a literal, or where a line or word begins
	something              // with a class, or one of several
	anything               // with what fits any text, or nothing at all
)

func start(re *syntax.Regexp) begin {
	switch re.Op {
	case syntax.OpLiteral, syntax.OpBeginLine, syntax.OpBeginText, syntax.OpWordBoundary:
		return fixed
	case syntax.OpCapture, syntax.OpPlus:
		return start(re.Sub[0])
	case syntax.OpStar:
		if op := re.Sub[0].Op; op == syntax.OpAnyCharNotNL || op == syntax.OpAnyChar {
			return anything
		}
		return something
	case syntax.OpConcat:
		return start(re.Sub[0])
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			if start(sub) != fixed {
				return something
			}
		}
		return fixed
	}
	return something
}

func (l *linter) collisions(r *Rule) {
	lost := 0
	var winner *Rule
	for _, at := range l.of[r] {
		s := l.shown[at]
		if s.best == nil || s.best.rule == r {
			continue
		}
		lost++
		winner = s.best.rule
		if blames(r) && blames(winner) && winner.Cause != r.Cause {
			l.add(Finding{Rule: r, Code: "taken", Other: winner, About: strconv.Quote(s.text)})
		}
	}
	if lost > 0 && lost == len(l.of[r]) {
		l.add(Finding{Rule: r, Code: "shadowed", Hard: true, Other: winner})
	}
	for _, o := range l.others[r] {
		if slices.Contains(l.others[o], r) && blames(r) && blames(o) && o.Cause != r.Cause && !settled(r, o) {
			l.add(Finding{Rule: r, Code: "crossing", Other: o})
		}
	}
}

func blames(r *Rule) bool { return r.Role == Root || r.Role == Ambiguous }

// settled reports whether it is said which of two rules wins.
func settled(r, o *Rule) bool {
	return r.Generic != o.Generic || slices.Contains(r.Over, o.ID) || slices.Contains(o.Over, r.ID)
}
