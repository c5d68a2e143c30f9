package rules

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
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
// that do not compile and samples that do not hold are errors. All errors of
// all files are returned at once, each naming its file, line and rule.
func Load(fsys fs.FS) (*Pack, error) {
	var all []*Rule
	var errs []error
	seen := map[string]string{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".yaml" {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		r, bad := parse(name, data)
		if r != nil && seen[r.ID] != "" {
			bad = append(bad, at(name, data, r.ID, "id", fmt.Errorf("rule %q is already in %s", r.ID, seen[r.ID])))
		}
		if len(bad) > 0 {
			errs = append(errs, bad...)
			return nil
		}
		seen[r.ID] = name
		all = append(all, r)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading rule pack: %w", err)
	}
	for _, r := range all {
		for _, id := range append(slices.Clone(r.Over), r.Passed...) {
			if seen[id] == "" {
				errs = append(errs, fmt.Errorf("%s: rule %q: over or passed: there is no rule %q", seen[r.ID], r.ID, id))
			}
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return newPack(all), nil
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

func parse(name string, data []byte) (*Rule, []error) {
	f, err := decode(data)
	if err != nil {
		return nil, []error{fmt.Errorf("%s: %w", name, err)}
	}
	var errs []error
	for _, p := range check(name, f) {
		errs = append(errs, at(name, data, f.ID, p.field, p.err))
	}
	r := &f.Rule
	r.texts.detail = &f.Detail
	return r, errs
}

func decode(data []byte) (*file, error) {
	var f file
	err := yaml.Load(data, &f, yaml.WithKnownFields())
	return &f, err
}

// problem is what is wrong with a field of a rule.
type problem struct {
	field string // top-level key that the message points at
	err   error
}

var (
	idForm    = lazy.Regexp(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	valueForm = lazy.Regexp(`\{([a-z_]+)\}`)
)

func check(name string, f *file) []problem {
	var ps []problem
	bad := func(field, format string, args ...any) {
		ps = append(ps, problem{field, fmt.Errorf(format, args...)})
	}
	if !idForm().MatchString(f.ID) {
		bad("id", "id %q is not kebab-case", f.ID)
	} else if want := path.Join(path.Dir(name), f.ID+".yaml"); want != name {
		bad("id", "a rule's file is named after it: want %s", want)
	}
	if _, ok := CauseOf(f.Cause); !ok {
		bad("cause", "there is no cause %q", f.Cause)
	}
	if f.Family == "" {
		bad("family", "family is missing")
	}
	if !slices.Contains([]Role{Root, Ambiguous, Symptom, Context, Harmless}, f.Role) {
		bad("role", "role %q is not root, ambiguous, symptom, context or harmless", f.Role)
	}
	if !slices.Contains([]Scope{AnyLine, Exception, Event, Kernel, Prose}, f.Only) {
		bad("only", "only: %q is not exception, event, kernel or prose", f.Only)
	}
	names := checkWordings(f, bad)
	checkTexts(f, names, bad)
	if len(ps) == 0 {
		checkSamples(f, bad)
	}
	return ps
}

func checkWordings(f *file, bad func(string, string, ...any)) map[string]bool {
	names := map[string]bool{}
	if len(f.Match) == 0 {
		bad("match", "match has no wording")
	}
	for i := range f.Match {
		w := &f.Match[i]
		if len(w.Literals) == 0 || slices.Contains(w.Literals, "") {
			bad("match", "wording %d has no literal, or an empty one: every wording needs one for the prefilter", i+1)
		} else if longest := slices.MaxFunc(w.Literals, func(a, b string) int { return len(a) - len(b) }); len(longest) < 4 {
			bad("match", "wording %d has no literal of four bytes or more, so that every line of a log would be looked at: the longest is %q", i+1, longest)
		}
		re, err := regexp.Compile(w.Regexp)
		if err != nil {
			bad("match", "wording %d: %v", i+1, err)
			continue
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

func checkTexts(f *file, names map[string]bool, bad func(string, string, ...any)) {
	both := func(field string, t Text) {
		if strings.TrimSpace(t.ZH) == "" || strings.TrimSpace(t.EN) == "" {
			bad(field, "%s needs both zh and en", field)
		}
		for _, m := range valueForm().FindAllStringSubmatch(t.ZH+t.EN, -1) {
			if !names[m[1]] && m[1] != Frame && m[1] != Accelerator {
				bad(field, "%s speaks of {%s}, which no expression names", field, m[1])
			}
		}
	}
	if f.Role == Harmless || f.Role == Context {
		return
	}
	both("say", f.Say)
	if !slices.Contains([]string{"yes", "no", "after-change"}, f.Retry) {
		bad("retry", "retry %q is not yes, no or after-change", f.Retry)
	}
	if f.Role != Symptom && len(f.Fixes) == 0 {
		bad("fixes", "a root needs a fix")
	}
	for _, x := range f.Fixes {
		both("fixes", x.Title)
		if len(x.Steps) == 0 {
			bad("fixes", "fix %q has no steps", x.Title.EN)
		}
		for _, s := range x.Steps {
			both("fixes", s)
		}
	}
	for _, c := range f.Confirm {
		both("confirm", c.Why)
	}
}

func checkSamples(f *file, bad func(string, string, ...any)) {
	if len(f.Samples.Match) < 2 || len(f.Samples.Near) < 2 {
		bad("samples", "a rule needs at least two lines that it matches and two near misses")
	}
	used := make([]bool, len(f.Match))
	for _, s := range f.Samples.Match {
		if i, ok := f.findAny(s); ok {
			used[i] = true
		} else {
			bad("samples", "does not match its sample %q", s)
		}
	}
	for _, s := range f.Samples.Near {
		if _, ok := f.findAny(s); ok {
			bad("samples", "matches its near miss %q", s)
		}
	}
	for i, u := range used {
		if !u {
			bad("samples", "no sample shows wording %d", i+1)
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

// at puts the file, the line of a top-level key and the rule's id before an error.
func at(name string, data []byte, id, field string, err error) error {
	line := 1
	for i, l := range bytes.Split(data, []byte("\n")) {
		if bytes.HasPrefix(l, []byte(field+":")) {
			line = i + 1
			break
		}
	}
	return fmt.Errorf("%s:%d: rule %q: %w", name, line, id, err)
}
