package operations

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/jmespath/go-jmespath"
)

// Trap is something that goes wrong with an operation although the request is
// well-formed. What it looks at are the request's path, query, header and body,
// and what the operation's reads gave.
type Trap struct {
	ID     string            `yaml:"id"`
	When   string            `yaml:"when"`   // JMESPath: true when the request is in the trap
	Needs  []string          `yaml:"needs"`  // the reads that When looks at
	After  bool              `yaml:"after"`  // looks at the answer, under "answer"
	Level  string            `yaml:"level"`  // stop, warn or note
	Says   Text              `yaml:"says"`   // {name} stands for a value
	Values map[string]string `yaml:"values"` // JMESPath of the values
	Met    []Sample          `yaml:"met"`    // samples that are in the trap
	Unmet  []Sample          `yaml:"unmet"`  // and near ones that are not
}

// Sample is a request and what its reads give.
type Sample struct {
	Args map[string]string `yaml:"args"`
	Body map[string]any    `yaml:"body"`
	Read map[string]any    `yaml:"read"`
	Says string            `yaml:"says"` // a part of the Chinese text that the trap must give
}

// Read is a call that traps need.
type Read struct {
	As        string            `yaml:"as"`
	Operation string            `yaml:"operation"`
	When      string            `yaml:"when"`   // JMESPath over the request: false when it is not needed
	With      map[string]string `yaml:"with"`   // JMESPath of each parameter
	Absent    []string          `yaml:"absent"` // error codes that say that the thing is not there
	Pick      *Pick             `yaml:"pick"`
}

// Pick narrows what was read to one of a list's elements: the first whose value
// is the wanted one, or one of them.
type Pick struct {
	From   string `yaml:"from"`   // JMESPath of the list in the answer
	Value  string `yaml:"value"`  // JMESPath in the element, "@" for the element
	Wanted string `yaml:"wanted"` // JMESPath over the request
	OBS    bool   `yaml:"obs"`    // the values are OBS paths, which are written in several ways
}

// Facts are what traps look at.
type Facts map[string]any

// Facts gives those of a request before anything is read.
func (r *Request) Facts() Facts {
	f := Facts{}
	for k, v := range r.Data() {
		f[k] = loose(v)
	}
	return f
}

// Warning is a trap that was met.
type Warning struct {
	ID    string
	Level string
	Text  Text
}

// Met lists the traps of an operation that the facts are in; those that look at
// the answer are asked for apart. A trap whose reads are missing is not met.
func (o *Operation) Met(facts Facts, after bool) ([]Warning, error) {
	var met []Warning
	for _, t := range o.Traps {
		if t.After != after || slices.ContainsFunc(t.Needs, func(n string) bool { _, ok := facts[n]; return !ok }) {
			continue
		}
		in, err := truth(t.When, facts)
		if err != nil {
			return met, fmt.Errorf("trap %q of %s: %w", t.ID, o.Name, err)
		}
		if !in {
			continue
		}
		w := Warning{ID: t.ID, Level: t.Level, Text: t.Says}
		for name, expr := range t.Values {
			v, err := jmespath.Search(expr, map[string]any(facts))
			if err != nil {
				return met, fmt.Errorf("trap %q of %s: %w", t.ID, o.Name, err)
			}
			w.Text.ZH = strings.ReplaceAll(w.Text.ZH, "{"+name+"}", words(v, "、"))
			w.Text.EN = strings.ReplaceAll(w.Text.EN, "{"+name+"}", words(v, ", "))
		}
		met = append(met, w)
	}
	return met, nil
}

// words writes a value of a trap's text.
func words(v any, sep string) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = words(e, sep)
		}
		return strings.Join(parts, sep)
	}
	return fmt.Sprint(v)
}

// truth evaluates a condition as JMESPath counts truth: null, false, and what is
// empty are not true.
func truth(expr string, facts Facts) (bool, error) {
	if expr == "" {
		return true, nil
	}
	v, err := jmespath.Search(expr, map[string]any(facts))
	if err != nil {
		return false, err
	}
	switch v := v.(type) {
	case nil:
		return false, nil
	case bool:
		return v, nil
	case string:
		return v != "", nil
	case []any:
		return len(v) > 0, nil
	case map[string]any:
		return len(v) > 0, nil
	}
	return true, nil
}

// Wants makes the request of a read; nil when this request does not need it.
func (r Read) Wants(c *Catalogue, facts Facts) (*Request, error) {
	if ok, err := truth(r.When, facts); err != nil || !ok {
		return nil, err
	}
	op := c.Find(r.Operation)
	if op == nil {
		return nil, fmt.Errorf("read %q: there is no operation %q", r.As, r.Operation)
	}
	var args []Argument
	for name, expr := range r.With {
		v, err := jmespath.Search(expr, map[string]any(facts))
		if err != nil {
			return nil, fmt.Errorf("read %q: %w", r.As, err)
		}
		if s := words(v, ","); v != nil {
			args = append(args, Argument{name, s})
		}
	}
	slices.SortFunc(args, func(a, b Argument) int { return strings.Compare(a.Name, b.Name) })
	req, problems := op.Build(args, nil)
	if Fatal(problems) {
		return nil, nil // the values that it needs are not there; the request's own check says so
	}
	return req, nil
}

// Learn adds what a read gave to the facts.
func (r Read) Learn(facts Facts, answer any) error {
	answer = loose(answer)
	if r.Pick == nil {
		facts[r.As] = answer
		return nil
	}
	found, err := r.Pick.from(facts, answer)
	if err != nil {
		return fmt.Errorf("read %q: %w", r.As, err)
	}
	facts[r.As] = found
	return nil
}

func (p *Pick) from(facts Facts, answer any) (any, error) {
	list, err := jmespath.Search(p.From, answer)
	if err != nil {
		return nil, err
	}
	wanted, err := jmespath.Search(p.Wanted, map[string]any(facts))
	if err != nil {
		return nil, err
	}
	all, ok := wanted.([]any)
	if !ok {
		all = []any{wanted}
	}
	elements, _ := list.([]any)
	for _, e := range elements {
		v, err := jmespath.Search(p.Value, e)
		if err != nil {
			return nil, err
		}
		values, ok := v.([]any)
		if !ok {
			values = []any{v}
		}
		for _, one := range values {
			if slices.ContainsFunc(all, func(w any) bool { return one != nil && p.same(one, w) }) {
				return e, nil
			}
		}
	}
	return nil, nil
}

func (p *Pick) same(a, b any) bool {
	x, ok1 := a.(string)
	y, ok2 := b.(string)
	if !ok1 || !ok2 {
		return a == b
	}
	if p.OBS {
		return obsPath(x) == obsPath(y)
	}
	return x == y
}

// obsPath writes an OBS path in one way: bucket/path.
func obsPath(s string) string {
	return strings.Trim(strings.TrimPrefix(s, "obs://"), "/")
}

// errNumber: a float cannot hold the number.
var errNumber = errors.New("number")

// loose turns decoded JSON into what JMESPath compares: numbers become floats,
// and those that a float would change become texts.
func loose(v any) any {
	switch v := v.(type) {
	case json.Number:
		f, err := exact(v)
		if err != nil {
			return v.String()
		}
		return f
	case int:
		return float64(v)
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, e := range v {
			m[k] = loose(e)
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i, e := range v {
			l[i] = loose(e)
		}
		return l
	}
	return v
}

// exact converts a number unless digits would be lost.
func exact(n json.Number) (float64, error) {
	f, err := n.Float64()
	if err != nil {
		return 0, errNumber
	}
	if i, err := n.Int64(); err == nil && int64(f) != i || err != nil && integer().MatchString(n.String()) {
		return 0, errNumber
	}
	return f, nil
}

// Answer adds an answer to the facts, for the traps that look at it.
func (f Facts) Answer(v any) { f["answer"] = loose(v) }
