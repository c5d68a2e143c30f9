package rules

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"hcloud-modelarts/analyzer/lazy"
)

// Pack is a set of rules, sorted by id.
type Pack struct {
	Rules []*Rule
	byID  map[string]*Rule
}

// Rule gives the rule with an id, nil when there is none.
func (p *Pack) Rule(id string) *Rule { return p.byID[id] }

// file is a rule file as it is written.
type file struct {
	Rule   `yaml:",inline"`
	Detail `yaml:",inline"`
}

// Load reads every *.yaml file below the root of fsys, one rule a file. It is
// strict: unknown fields, unknown causes, missing texts or samples, expressions
// that do not compile and samples that do not hold are faults. The error is
// Faults: all of all files at once, each with its file, line and rule.
func Load(fsys fs.FS) (*Pack, error) {
	l := loader{files: map[string]string{}}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch ext := strings.ToLower(path.Ext(name)); {
		case err != nil:
			l.unreadable(name, err)
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir() || ext != ".yaml" && ext != ".yml":
		case path.Ext(name) != ".yaml":
			l.faults = append(l.faults, &Fault{File: name, What: faultExtension})
		default:
			l.file(fsys, name)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading rule pack: %w", err)
	}
	l.references()
	if len(l.faults) > 0 {
		slices.SortStableFunc(l.faults, func(a, b *Fault) int { return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line) })
		return nil, l.faults
	}
	return newPack(l.rules), nil
}

// loader collects the rules of a folder.
type loader struct {
	rules  []*Rule
	nodes  []*yaml.Node      // of the rules, index by index
	files  map[string]string // by id of a rule, also of one with faults
	faults Faults
}

func (l *loader) unreadable(name string, err error) {
	l.faults = append(l.faults, &Fault{File: name, What: faultUnreadable, Err: withoutPath(err)})
}

func (l *loader) file(fsys fs.FS, name string) {
	info, err := fs.Stat(fsys, name)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("not a regular file")
	}
	var data []byte
	if err == nil {
		data, err = fs.ReadFile(fsys, name)
	}
	if err != nil {
		l.unreadable(name, err)
		return
	}
	r, node, bad := parse(name, data)
	l.faults = append(l.faults, bad...)
	if r == nil {
		return
	}
	if first := l.files[r.ID]; first != "" {
		l.faults = append(l.faults, &Fault{File: name, Line: lineOf(node, "id", -1), Rule: r.ID, What: Text{ZH: "ID 已用于 %s", EN: "the id is taken by %s"}.with(first)})
		return
	}
	l.files[r.ID] = name
	l.rules, l.nodes = append(l.rules, r), append(l.nodes, node)
}

// references looks up the rules that others speak of, here and among those that
// ship with the product.
func (l *loader) references() {
	for i, r := range l.rules {
		for _, field := range []struct {
			name string
			ids  []string
		}{{"over", r.Over}, {"passed", r.Passed}} {
			for j, id := range field.ids {
				if l.files[id] == "" && Default().Rule(id) == nil {
					what := Text{ZH: "%s 中的规则 %q 不存在", EN: "%s names the rule %q, which does not exist"}.with(field.name, id)
					l.faults = append(l.faults, &Fault{File: l.files[r.ID], Line: lineOf(l.nodes[i], field.name, j), Rule: r.ID, What: what})
				}
			}
		}
	}
}

func withoutPath(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

func newPack(rules []*Rule) *Pack {
	slices.SortFunc(rules, func(a, b *Rule) int { return strings.Compare(a.ID, b.ID) })
	p := &Pack{Rules: rules, byID: make(map[string]*Rule, len(rules))}
	for _, r := range rules {
		p.byID[r.ID] = r
	}
	return p
}

// With gives a pack in which the rules of other are added to p's, or stand in
// the place of those with the same id.
func (p *Pack) With(other *Pack) *Pack {
	var all []*Rule
	for _, r := range p.Rules {
		if other.byID[r.ID] == nil {
			all = append(all, r)
		}
	}
	return newPack(append(all, other.Rules...))
}

// parse reads one file. The rule is nil when it cannot be told what the file
// means; node is where its fields stand.
func parse(name string, data []byte) (*Rule, *yaml.Node, Faults) {
	var doc yaml.Node
	if err := yaml.Load(data, &doc); err != nil {
		line, what := syntaxFault(err)
		return nil, nil, Faults{{File: name, Line: line, Rule: idIn(data), What: what}}
	}
	node := doc.Content[0]
	id := idIn(data)
	var faults Faults
	checkShape(node, reflect.TypeFor[file](), "", func(line int, what Text) {
		faults = append(faults, &Fault{File: name, Line: line, Rule: id, What: what})
	})
	var f file
	if err := node.Load(&f); err != nil {
		if len(faults) == 0 {
			line, what := syntaxFault(err)
			faults = Faults{{File: name, Line: line, Rule: id, What: what}}
		}
		return nil, nil, faults
	}
	f.markGuesses()
	for _, p := range check(name, &f) {
		faults = append(faults, &Fault{File: name, Line: lineOf(node, p.field, p.item), Rule: id, What: p.what})
	}
	r := &f.Rule
	r.texts.loaded = &f.Detail
	return r, node, faults
}

// warnings are the classes of Python's warnings, of which the words say what a
// program may meet, and not what it met.
var warnings = []string{"UserWarning", "RuntimeWarning"}

// markGuesses keeps a rule that guesses by words from those of warnings, and from
// those far behind the beginning of a message.
func (r *Rule) markGuesses() {
	for i := range r.Match {
		if w := &r.Match[i]; r.Guess {
			w.Guess = true
			w.Not = append(w.Not, warnings...)
		}
	}
}

func decode(data []byte) (*file, error) {
	var f file
	err := yaml.Load(data, &f, yaml.WithKnownFields())
	return &f, err
}

// problem is what is wrong with a field of a rule.
type problem struct {
	field string // top-level key that the message points at
	item  int    // of the list that the field holds, -1 for the field itself
	what  Text
}

// complaint notes what is wrong with a field, or with one item of it.
type complaint func(field string, item int, what Text)

var (
	idForm    = lazy.Regexp(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	valueForm = lazy.Regexp(`\{([a-z_]+)\}`)
)

func check(name string, f *file) []problem {
	var ps []problem
	bad := func(field string, item int, what Text) { ps = append(ps, problem{field, item, what}) }
	if !idForm().MatchString(f.ID) {
		bad("id", -1, Text{ZH: "ID %q 只能由小写字母、数字和连字符组成", EN: "the id %q may hold small letters, digits and hyphens only"}.with(f.ID))
	} else if want := path.Join(path.Dir(name), f.ID+".yaml"); want != name {
		bad("id", -1, Text{ZH: "规则文件以 ID 命名，应为 %s", EN: "a rule's file is named after its id: want %s"}.with(want))
	}
	if _, ok := CauseOf(f.Cause); !ok {
		bad("cause", -1, Text{ZH: "没有根因 %q", EN: "there is no cause %q"}.with(f.Cause))
	}
	if f.Family == "" {
		bad("family", -1, Text{ZH: "缺少 family", EN: "family is missing"})
	}
	if !slices.Contains([]Role{Root, Ambiguous, Symptom, Context, Harmless}, f.Role) {
		bad("role", -1, Text{ZH: "role 只能是 root、ambiguous、symptom、context 或 harmless，不能是 %q", EN: "role must be root, ambiguous, symptom, context or harmless, not %q"}.with(f.Role))
	}
	if !slices.Contains([]Scope{AnyLine, Exception, Event, Kernel, Prose}, f.Only) {
		bad("only", -1, Text{ZH: "only 只能是 exception、event、kernel 或 prose，不能是 %q", EN: "only must be exception, event, kernel or prose, not %q"}.with(f.Only))
	}
	for i, fact := range f.Facts {
		if !slices.Contains(facts, fact) {
			bad("tells", i, Text{ZH: "tells 不能是 %q，只能是 %s", EN: "tells must not be %q, only %s"}.with(fact, knownFacts()))
		}
	}
	names := checkWordings(f, bad)
	checkTexts(f, names, bad)
	if len(ps) == 0 {
		checkSamples(f, bad)
	}
	return ps
}

func checkWordings(f *file, bad complaint) map[string]bool {
	names := map[string]bool{"message": f.Tells(WordsBelow)}
	if len(f.Match) == 0 {
		bad("match", -1, Text{ZH: "match 中没有表述", EN: "match has no wording"})
	}
	for i := range f.Match {
		w := &f.Match[i]
		if len(w.Literals) == 0 || slices.Contains(w.Literals, "") {
			bad("match", i, Text{ZH: "第 %d 个表述没有 literals，或其中有空片段：每个表述都需要片段来快速筛选", EN: "wording %d has no literal, or an empty one: every wording needs one for the prefilter"}.with(i+1))
		} else if longest := slices.MaxFunc(w.Literals, func(a, b string) int { return len(a) - len(b) }); len(longest) < 4 {
			bad("match", i, Text{ZH: "第 %d 个表述最长的片段是 %q：不足四个字节，会使日志的每一行都被检查", EN: "wording %d has no literal of four bytes or more, so that every line of a log would be looked at: the longest is %q"}.with(i+1, longest))
		}
		re, err := regexp.Compile(w.Regexp)
		if err != nil {
			bad("match", i, Text{ZH: "第 %d 个表述的正则表达式有误（%v）", EN: "the expression of wording %d is wrong (%v)"}.with(i+1, strings.TrimPrefix(err.Error(), "error parsing regexp: ")))
			continue
		}
		if re.NumSubexp() > 0 && re.MatchString("") {
			bad("match", i, Text{ZH: "第 %d 个表述的正则表达式能匹配空文本，因此取不到任何值", EN: "the expression of wording %d fits an empty text, so that it never finds a value"}.with(i+1))
		}
		for _, n := range re.SubexpNames() {
			names[n] = true
		}
	}
	return names
}

// Values that every text may use, though no expression names them.
const (
	// Frame is the file and line of the user's own code that raised the exception.
	// It stands in an optional part, for not every traceback tells it.
	Frame = "frame"
	// Accelerator is PyTorch's name for the kind of card, "cuda" or "npu".
	Accelerator = "accelerator"
)

func checkTexts(f *file, names map[string]bool, bad complaint) {
	both := func(field string, item int, t Text) {
		if strings.TrimSpace(t.ZH) == "" || strings.TrimSpace(t.EN) == "" {
			bad(field, item, Text{ZH: "%s 需要同时有 zh 和 en", EN: "%s needs both zh and en"}.with(field))
		}
		for _, m := range valueForm().FindAllStringSubmatch(t.ZH+t.EN, -1) {
			if !names[m[1]] && m[1] != Frame && m[1] != Accelerator {
				bad(field, item, Text{ZH: "%s 用到 {%s}，但正则表达式没有命名这个值", EN: "%s speaks of {%s}, which no expression names"}.with(field, m[1]))
			}
		}
	}
	if f.Role == Harmless || f.Role == Context {
		return
	}
	both("say", -1, f.Say)
	if !slices.Contains([]string{"yes", "no", "after-change"}, f.Retry) {
		bad("retry", -1, Text{ZH: "retry 只能是 yes、no 或 after-change，不能是 %q", EN: "retry must be yes, no or after-change, not %q"}.with(f.Retry))
	}
	if f.Role != Symptom && len(f.Fixes) == 0 {
		bad("fixes", -1, Text{ZH: "可作根因的规则需要 fixes", EN: "a rule that may be the root needs a fix"})
	}
	for i, x := range f.Fixes {
		if !slices.Contains([]string{"", "npu", "gpu"}, x.On) {
			bad("fixes", i, Text{ZH: "on 只能是 npu 或 gpu，不能是 %q", EN: "on must be npu or gpu, not %q"}.with(x.On))
		}
		both("fixes", i, x.Title)
		if len(x.Steps) == 0 {
			bad("fixes", i, Text{ZH: "第 %d 个方案没有步骤", EN: "fix %d has no steps"}.with(i+1))
		}
		for _, s := range x.Steps {
			both("fixes", i, s)
		}
	}
	for i, c := range f.Confirm {
		both("confirm", i, c.Why)
	}
}

func checkSamples(f *file, bad complaint) {
	if len(f.Samples.Match) < 2 || len(f.Samples.Near) < 2 {
		bad("samples", -1, Text{ZH: "需要至少两行应匹配的样例（match）和两行不应匹配的近似样例（near）", EN: "at least two lines that it matches (match) and two near misses (near) are needed"})
	}
	used := make([]bool, len(f.Match))
	lost := false
	for _, s := range f.Samples.Match {
		if i, ok := f.findAny(s); ok {
			used[i] = true
		} else {
			lost = true
			bad("samples", -1, Text{ZH: "未匹配自己的样例 %q", EN: "does not match its sample %q"}.with(s))
		}
	}
	for _, s := range f.Samples.Near {
		if _, ok := f.findAny(s); ok {
			bad("samples", -1, Text{ZH: "匹配了不应匹配的近似样例 %q", EN: "matches its near miss %q"}.with(s))
		}
	}
	for i, u := range used {
		if !u && !lost { // else the sample that is missing is among those
			bad("match", i, Text{ZH: "没有样例用到第 %d 个表述", EN: "no sample shows wording %d"}.with(i+1))
		}
	}
}

func (r *Rule) findAny(sample string) (wording int, ok bool) {
	for line := range strings.SplitSeq(sample, "\n") {
		if _, i, ok := r.Find(line); ok {
			return i, true
		}
	}
	return -1, false
}
