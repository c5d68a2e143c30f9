package analyzer

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/rules/codes"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// Bounds on what an explanation lists.
const (
	explainLines = 20
	explainFixes = 3
	explainNear  = 5
)

// Explain says what is known of a code, a cause, a rule, or lines of a log. A
// text that is none of the first three is read as a diagnosis reads it. The
// error is that of reading.
func Explain(text string, o Options) (report.Explanation, error) {
	x := explainer{pack: o.Pack, lang: o.Lang, asked: strings.TrimSpace(text)}
	if x.pack == nil {
		x.pack = rules.Default()
	}
	x.e.Input = x.asked
	x.code()
	x.cause()
	x.rule()
	if !x.known() {
		if err := x.lines(text, o.Limits); err != nil {
			return report.Explanation{}, err
		}
	}
	x.e.Known = x.known()
	if !x.e.Known {
		x.e.Near = x.near()
	}
	return x.e, nil
}

// explainer fills one explanation.
type explainer struct {
	pack  *rules.Pack
	lang  string
	asked string
	e     report.Explanation
}

func (x *explainer) known() bool {
	return len(x.e.Codes)+len(x.e.Causes)+len(x.e.Rules)+len(x.e.Lines) > 0
}

func (x *explainer) code() {
	r := codes.Lookup(x.asked)
	x.e.Code, x.e.Part = r.Looks, r.Part.In(x.lang)
	x.e.Codes = x.readings(r.Readings)
	if len(r.Readings) > 0 {
		return
	}
	for _, code := range codes.Several(x.asked) {
		found := codes.Lookup(code).Readings
		if len(found) == 0 {
			x.e.Unknown = append(x.e.Unknown, code)
		}
		x.e.Code, x.e.Codes = true, append(x.e.Codes, x.readings(found)...)
	}
}

var tableNames = map[codes.Table]rules.Text{
	codes.Exit:      {ZH: "进程或容器退出码", EN: "exit code of a process or container"},
	codes.Signal:    {ZH: "Linux 信号", EN: "Linux signal"},
	codes.Errno:     {ZH: "Linux 错误码 errno", EN: "Linux errno"},
	codes.Xid:       {ZH: "NVIDIA 驱动 Xid", EN: "NVIDIA driver Xid"},
	codes.HCCL:      {ZH: "HCCL 返回码", EN: "HCCL return code"},
	codes.ACL:       {ZH: "ACL 与 CANN runtime 返回码", EN: "return code of ACL and the CANN runtime"},
	codes.CANN:      {ZH: "CANN 错误码", EN: "CANN error code"},
	codes.TorchNPU:  {ZH: "torch_npu 错误码", EN: "torch_npu error code"},
	codes.ModelArts: {ZH: "ModelArts API 错误码", EN: "ModelArts API error code"},
}

func (x *explainer) readings(list []codes.Entry) []report.Code {
	var found []report.Code
	for _, c := range list {
		r := report.Code{Table: string(c.Table), TableName: tableNames[c.Table].In(x.lang), Code: c.Code, Name: c.Name,
			Meaning: c.Meaning.In(x.lang), Fix: c.Fix.In(x.lang), Source: c.Source}
		if cause, ok := rules.CauseOf(c.Cause); ok && c.Cause != "unknown" {
			r.Cause, r.CauseName = c.Cause, cause.Name.In(x.lang)
		}
		found = append(found, r)
	}
	return found
}

// cause takes the id of a cause, or its name in either language.
func (x *explainer) cause() {
	for _, c := range rules.Causes() {
		if !strings.EqualFold(x.asked, c.ID) && !strings.EqualFold(x.asked, c.Name.ZH) && !strings.EqualFold(x.asked, c.Name.EN) {
			continue
		}
		info := report.CauseInfo{ID: c.ID, Domain: c.Domain, Name: c.Name.In(x.lang), Meaning: c.Meaning.In(x.lang)}
		tally := fixTally{}
		for _, r := range x.pack.Rules {
			if r.Cause != c.ID || r.Role != rules.Root && r.Role != rules.Ambiguous {
				continue
			}
			d := detailOf(r)
			info.Rules = append(info.Rules, report.RuleLine{ID: r.ID, Role: string(r.Role), Says: template(d.Say.In(x.lang))})
			tally.add(d.Fixes)
		}
		for _, f := range tally.most(explainFixes) {
			info.Fixes = append(info.Fixes, x.fix(f, nil))
		}
		x.e.Causes = append(x.e.Causes, info)
	}
}

// fixTally counts how many rules have a fix, by its title.
type fixTally map[string]*counted

type counted struct {
	fix   rules.Fix
	rules int
	order int
}

func (t fixTally) add(fixes []rules.Fix) {
	for _, f := range fixes {
		if t[f.Title.EN] == nil {
			t[f.Title.EN] = &counted{fix: f, order: len(t)}
		}
		t[f.Title.EN].rules++
	}
}

func (t fixTally) most(n int) []rules.Fix {
	list := slices.SortedFunc(maps.Values(t), func(a, b *counted) int {
		return cmp.Or(cmp.Compare(b.rules, a.rules), cmp.Compare(a.order, b.order))
	})
	var fixes []rules.Fix
	for _, c := range list[:min(n, len(list))] {
		fixes = append(fixes, c.fix)
	}
	return fixes
}

func (x *explainer) rule() {
	r := x.pack.Rule(x.asked)
	if r == nil {
		return
	}
	info := x.ruleInfo(r, nil)
	for _, s := range detailOf(r).Samples.Match {
		info.Samples = append(info.Samples, strings.Split(s, "\n")...)
	}
	x.e.Rules = append(x.e.Rules, info)
}

// ruleInfo words a rule with the values of a line, or as a template without.
func (x *explainer) ruleInfo(r *rules.Rule, values map[string]string) report.RuleInfo {
	d := detailOf(r)
	cause, _ := rules.CauseOf(r.Cause)
	info := report.RuleInfo{ID: r.ID, Family: r.Family, Role: string(r.Role), Cause: r.Cause, CauseName: cause.Name.In(x.lang),
		Says: x.words(d.Say, values), Retry: report.RetryText(d.Retry, x.lang), Links: d.Links}
	for _, f := range d.Fixes {
		info.Fixes = append(info.Fixes, x.fix(f, values))
	}
	for _, c := range d.Confirm {
		why := x.words(c.Why, values)
		if c.API != "" {
			why = "`" + c.API + "` " + why
		}
		info.Confirm = append(info.Confirm, why)
	}
	return info
}

func (x *explainer) fix(f rules.Fix, values map[string]string) report.Fix {
	fix := report.Fix{Title: x.words(f.Title, values), Changes: f.Changes}
	for _, s := range f.Steps {
		fix.Steps = append(fix.Steps, x.words(s, values))
	}
	return fix
}

func (x *explainer) words(t rules.Text, values map[string]string) string {
	if values == nil {
		return template(t.In(x.lang))
	}
	return fill(t.In(x.lang), values)
}

// template is a rule's sentence without a line: its values stay names.
func template(s string) string { return strings.NewReplacer("[[", "", "]]", "").Replace(s) }

// detailOf gives the texts of a rule.
func detailOf(r *rules.Rule) *rules.Detail {
	d, err := r.Detail()
	if err != nil {
		return &rules.Detail{} // cannot be: see wording.detail
	}
	return d
}

// Tried is a line and what the rules that were tried make of it.
type Tried struct {
	Number int
	Raw    string // with its prefixes
	Text   string // what rules look at
	Part   traceback.Part
	Trials []scan.Trial // the one that won first
}

// Winner gives the trial that won, false when none fits.
func (t Tried) Winner() (scan.Trial, bool) {
	if len(t.Trials) == 0 || t.Trials[0].Outcome != scan.Won {
		return scan.Trial{}, false
	}
	return t.Trials[0], true
}

// Try reads a text as a diagnosis does and tells of each line that rules look
// at which of them were tried. The bodies of tracebacks are not among the lines.
// A single line that no rule knows is tried as a platform event as well.
func Try(text string, pack *rules.Pack, limits source.Limits) ([]Tried, error) {
	if pack == nil {
		pack = rules.Default()
	}
	r := newReader(scan.Prepare(pack))
	var found []Tried
	r.scanner.Observe(func(l *source.Line, part traceback.Part) {
		found = append(found, Tried{l.Number, l.Raw, l.Text, part, r.scanner.Try(l, part)})
	})
	if _, err := source.Read([]source.Root{{Name: "stdin", Reader: strings.NewReader(text)}}, limits, r); err != nil {
		return nil, err
	}
	r.scanner.Close()
	if len(found) != 1 {
		return found, nil
	}
	if _, ok := found[0].Winner(); !ok {
		return []Tried{orEvent(found[0], pack)}, nil
	}
	return found, nil
}

// orEvent tries a line as an event, and gives the line as it was when that
// brings nothing.
func orEvent(line Tried, pack *rules.Pack) Tried {
	s := scan.New(pack)
	as := line
	source.Text(&source.Document{Rank: -1, Device: -1, Attempt: -1}, "message", source.Event, line.Raw, func(l *source.Line) {
		as = Tried{line.Number, l.Raw, l.Text, traceback.Outside, s.Try(l, traceback.Outside)}
	})
	if _, ok := as.Winner(); ok {
		return as
	}
	return line
}

// lines lists the lines of which something is known; of those that one rule
// knows the first.
func (x *explainer) lines(text string, limits source.Limits) error {
	tried, err := Try(text, x.pack, limits)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, t := range tried {
		l := report.Line{Number: t.Number, Text: t.Raw, Bare: t.Text, Codes: x.readings(codes.In(t.Text))}
		w, ok := t.Winner()
		if !ok && len(l.Codes) == 0 {
			continue
		}
		if ok && seen[w.Rule.ID] || len(x.e.Lines) == explainLines {
			x.e.More++
			continue
		}
		if ok {
			seen[w.Rule.ID] = true
			values := visible(w.Values.Map(), t.Raw)
			if values == nil {
				values = map[string]string{}
			}
			info := x.ruleInfo(w.Rule, values)
			l.Rule = &info
			for _, name := range slices.Sorted(maps.Keys(values)) {
				l.Values = append(l.Values, report.Value{Name: name, Text: values[name]})
			}
		}
		x.e.Lines = append(x.e.Lines, l)
	}
	return nil
}

// wordsOf gives the words of a text in small letters.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// hasWords reports whether each word is one of an id: "oom" of "device-oom".
func hasWords(id string, words []string) bool {
	parts := strings.Split(id, "-")
	for _, w := range words {
		if !slices.Contains(parts, w) {
			return false
		}
	}
	return len(words) > 0
}

// near gives what an unknown word may be a misspelling or a part of. Numbers have
// no neighbours: one digit more or less is another code.
func (x *explainer) near() []string {
	if x.asked == "" || len(x.asked) > 40 || strings.Contains(x.asked, "\n") || strings.Trim(x.asked, "-.0123456789") == "" {
		return nil
	}
	found := map[string]int{}
	words := wordsOf(x.asked)
	offer := func(word string, within int) {
		if d := distance(strings.ToLower(x.asked), strings.ToLower(word)); word != "" && d <= within {
			found[word] = d
		}
	}
	for _, table := range codes.Tables {
		for _, c := range codes.All(table) {
			if strings.Trim(c.Code, "-.0123456789") != "" {
				offer(c.Code, 1)
			}
			if !strings.Contains(c.Name, " ") {
				offer(c.Name, 1)
			}
		}
	}
	for _, c := range rules.Causes() {
		offer(c.ID, 2)
		if len(x.asked) > 3 && (strings.Contains(c.Name.ZH, x.asked) || strings.Contains(strings.ToLower(c.Name.EN), strings.ToLower(x.asked))) {
			found[c.ID] = 2
		}
		if hasWords(c.ID, words) {
			found[c.ID] = 1
		}
	}
	for _, r := range x.pack.Rules {
		offer(r.ID, 2)
		if hasWords(r.ID, words) {
			found[r.ID] = 3
		}
	}
	list := slices.SortedFunc(maps.Keys(found), func(a, b string) int {
		return cmp.Or(cmp.Compare(found[a], found[b]), strings.Compare(a, b))
	})
	return list[:min(explainNear, len(list))]
}

// distance is how many bytes have to be put in, left out, replaced or swapped
// with their neighbour to make one word of another.
func distance(a, b string) int {
	if max(len(a)-len(b), len(b)-len(a)) > 2 {
		return 3 // more than anybody asks for
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replace := 1
			if a[i-1] == b[j-1] {
				replace = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+replace)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
