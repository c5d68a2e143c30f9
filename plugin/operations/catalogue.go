// Package operations is the catalogue of ModelArts's training operations: what
// each is called, takes, changes and costs, and what goes wrong with it. It
// checks requests against the catalogue before they are sent.
//
// The catalogue is data. What the official SDK states stands in sdk.json, which
// scripts/operations writes; everything else stands in data/*.yaml, and words
// for parameters in data/words/parameters.yaml.
package operations

//go:generate go run hcloud-modelarts/scripts/operations -catalogue data -out sdk.json

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"

	"go.yaml.in/yaml/v4"

	"hcloud-modelarts/analyzer/rules"
)

// Text is a text in both languages.
type Text = rules.Text

// Operation is one operation of a service.
type Operation struct {
	Name         string            `yaml:"operation"`
	Service      string            `yaml:"service"` // "ModelArts" where the file does not say otherwise
	Says         Text              `yaml:"says"`
	Notes        []Text            `yaml:"notes"`        // what its help adds
	Kind         string            `yaml:"kind"`         // read or write
	Charges      string            `yaml:"charges"`      // JMESPath over the request: true when it starts compute that somebody pays for
	Holds        bool              `yaml:"holds_billed"` // what it makes costs nothing, what is put into it does
	Console      ConsolePage       `yaml:"console"`      // where the console shows what it is about
	Irreversible bool              `yaml:"irreversible"` // asks for the name of what is lost
	Undo         Text              `yaml:"undo"`         // of a write: whether and how it can be taken back
	IAM          []string          `yaml:"iam"`
	Limits       map[string]Limit  `yaml:"limits"` // by parameter
	Wrong        map[string]string `yaml:"wrong"`  // parameters that circulate and do not exist, and the right ones
	Example      map[string]string `yaml:"example"`
	Forms        []Form            `yaml:"forms"`
	Reads        []Read            `yaml:"reads"` // before a write, for its traps
	Traps        []Trap            `yaml:"traps"`
	Pages        *Pages            `yaml:"pages"`
	Asks         Subject           `yaml:"subject"` // of a write: what it changes
	Created      string            `yaml:"created"` // JMESPath of the new thing's id in the answer
	List         bool              `yaml:"list"`    // answers with a bare list, not with an object
	Member       string            `yaml:"member"`  // that an answer has in any case, where that is sure

	// Of operations that the SDK does not have.
	Method string   `yaml:"method"`
	Path   string   `yaml:"path"`
	Takes  []string `yaml:"parameters"`

	Domain     string      `yaml:"-"`
	Parameters []Parameter `yaml:"-"`
	root       *node
}

// Writes reports whether the operation changes anything at the provider.
func (o *Operation) Writes() bool { return o.Kind == "write" }

// Parameter is one parameter, of a body by its dotted name: "[]" marks the
// elements of a list.
type Parameter struct {
	Name     string   `json:"name"`
	In       string   `json:"in"` // path, query, header or body
	Type     string   `json:"type"`
	Required bool     `json:"required"` // below an optional parent: when the parent is given
	Values   []string `json:"values"`
	Limit    Limit    `json:"-"`
}

// Limit bounds a parameter's value.
type Limit struct {
	Values   []string `yaml:"values"`
	Min      *int64   `yaml:"min"`
	Max      *int64   `yaml:"max"`
	Length   int      `yaml:"length"`   // characters at most
	Pattern  string   `yaml:"pattern"`  // the whole value
	Form     Text     `yaml:"form"`     // the pattern in words
	Advisory bool     `yaml:"advisory"` // sources disagree: other values are doubtful, not wrong
	Default  string   `yaml:"default"`
	Required bool     `yaml:"required"` // although the SDK lets it be left out

	// Of maps.
	Count     int    `yaml:"count"`      // pairs at most
	Keys      string `yaml:"keys"`       // the pattern of a key
	KeyLength int    `yaml:"key_length"` // characters of a key at most
}

// Form is a noun and a verb that stand for an operation.
type Form struct {
	Noun      string            `yaml:"noun"`
	Verb      string            `yaml:"verb"`
	Says      Text              `yaml:"says"`      // where it says more than the operation does
	Arguments []string          `yaml:"arguments"` // parameters that stand without a name, in order
	Optional  int               `yaml:"optional"`  // how many arguments at the end may be left out
	Pairs     string            `yaml:"pairs"`     // a list of keys and values that stands after them as key=value
	Set       map[string]string `yaml:"set"`       // parameters that the verb decides
	Default   map[string]string `yaml:"default"`
	Filters   []Filter          `yaml:"filters"`
	Items     string            `yaml:"items"`  // JMESPath of the rows in the answer
	Header    string            `yaml:"header"` // JMESPath of the columns' titles, where the answer has them
	Text      string            `yaml:"text"`   // JMESPath of the one text that the answer is about
	Columns   []Column          `yaml:"columns"`
}

// Filter is a flag that becomes one of a search's filters.
type Filter struct {
	Flag     string `yaml:"flag"`
	Key      string `yaml:"key"`
	Operator string `yaml:"operator"`
	Says     Text   `yaml:"says"`
}

// Column is one column of a table.
type Column struct {
	Title Text   `yaml:"title"`
	Value string `yaml:"value"` // JMESPath within a row
	Form  string `yaml:"form"`  // ms, duration, percent: how a number is shown
	Lang  string `yaml:"lang"`  // the only language that has the column, "" for both
}

// Pages says how a list goes on.
type Pages struct {
	By    string `yaml:"by"`    // records, pages, unclear: what offset counts; continue: a marker in the answer
	Items string `yaml:"items"` // JMESPath of the list in the answer
	Limit int    `yaml:"limit"` // the largest page
	Total string `yaml:"total"` // JMESPath of the number of all, where the answer has it
	Key   string `yaml:"key"`   // JMESPath, within an item, of what tells it from others
	Next  string `yaml:"next"`  // JMESPath of the marker
}

// ConsolePage is a page of the console: its name in the catalogue, and the
// JMESPath of the id in it, over the request and its answer.
type ConsolePage struct {
	Page string `yaml:"page"`
	ID   string `yaml:"id"`
}

// Subject says what a write changes.
type Subject struct {
	Read string `yaml:"read"` // the operation that shows it, "" when nothing does
	Name string `yaml:"name"` // JMESPath of its name in what was read
	ID   string `yaml:"id"`   // the parameter that names it
}

//go:embed sdk.json data
var files embed.FS

// Catalogue is all that is known.
type Catalogue struct {
	Operations []*Operation
	Nouns      []Noun
	Outside    []Area
	Renamed    map[string]string // operations that do not exist, and the right ones
	Console    map[string]string // addresses of the console, by what they show
	Pricing    Pricing
	words      map[string]Text
	hints      map[string]Text // what to do about an error code
	byName     map[string]*Operation
	others     []string // operations of ModelArts that are outside
}

// Noun is what verbs are of.
type Noun struct {
	Name string `json:"noun"`
	Says Text   `json:"says"`
}

// Area is a part of ModelArts outside this program.
type Area struct {
	Name  Text     `yaml:"name"`
	Nouns []string `yaml:"nouns"` // as people type them
	Words []string `yaml:"words"` // parts of operations' names
	Go    Text     `yaml:"go"`    // where to go
}

// Default gives the catalogue that ships. A mistake in it panics; a test loads
// it first.
var Default = sync.OnceValue(func() *Catalogue {
	c, err := load(files)
	if err != nil {
		panic(err)
	}
	return c
})

// nounsJSON is apart from the rest of the catalogue, which takes ten times as
// long to read: the command line needs it at every start.
//
//go:embed nouns.json
var nounsJSON []byte

// Nouns are the nouns of the friendly commands.
var Nouns = sync.OnceValue(func() []Noun {
	var nouns []Noun
	if err := json.Unmarshal(nounsJSON, &nouns); err != nil {
		panic(err) // the embedded file is broken: any test would have told
	}
	return nouns
})

// general is data/catalogue.yaml.
type general struct {
	Domains []string          `yaml:"domains"`
	Outside []Area            `yaml:"outside"`
	Renamed map[string]string `yaml:"renamed"`
	Console map[string]string `yaml:"console"`
	Pricing Pricing           `yaml:"price"`
}

func load(fsys fs.FS) (*Catalogue, error) {
	var g general
	if err := decode(fsys, "data/catalogue.yaml", &g); err != nil {
		return nil, err
	}
	c := &Catalogue{Nouns: Nouns(), Outside: g.Outside, Renamed: g.Renamed, Console: g.Console, Pricing: g.Pricing, byName: map[string]*Operation{}}
	if err := decode(fsys, "data/words/parameters.yaml", &c.words); err != nil {
		return nil, err
	}
	if err := decode(fsys, "data/words/errors.yaml", &c.hints); err != nil {
		return nil, err
	}
	stated, err := c.loadSDK(fsys)
	if err != nil {
		return nil, err
	}
	for _, domain := range g.Domains {
		var list []*Operation
		file := "data/" + domain + ".yaml"
		if err := decode(fsys, file, &list); err != nil {
			return nil, err
		}
		for _, o := range list {
			o.Domain = domain
			o.Service = cmp.Or(o.Service, "ModelArts")
			if err := o.complete(stated); err != nil {
				return nil, fmt.Errorf("%s: operation %q: %w", file, o.Name, err)
			}
			if c.byName[o.Name] != nil {
				return nil, fmt.Errorf("%s: operation %q stands twice", file, o.Name)
			}
			c.byName[o.Name] = o
			c.Operations = append(c.Operations, o)
		}
	}
	return c, nil
}

func decode(fsys fs.FS, file string, into any) error {
	data, err := fs.ReadFile(fsys, file)
	if err != nil {
		return fmt.Errorf("reading %s: %w", file, err)
	}
	if err := yaml.Load(data, into, yaml.WithKnownFields()); err != nil {
		return fmt.Errorf("reading %s: %w", file, err)
	}
	return nil
}

// sdkOperation is one operation in sdk.json.
type sdkOperation struct {
	Name       string      `json:"name"`
	Method     string      `json:"method"`
	Path       string      `json:"path"`
	Parameters []Parameter `json:"parameters"`
}

func (c *Catalogue) loadSDK(fsys fs.FS) (map[string]sdkOperation, error) {
	data, err := fs.ReadFile(fsys, "sdk.json")
	if err != nil {
		return nil, err
	}
	var file struct {
		Operations []sdkOperation `json:"operations"`
		Others     []string       `json:"others"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("reading sdk.json: %w", err)
	}
	c.others = file.Others
	stated := map[string]sdkOperation{}
	for _, o := range file.Operations {
		stated[o.Name] = o
	}
	return stated, nil
}

// complete joins what the SDK states with what the catalogue adds.
func (o *Operation) complete(stated map[string]sdkOperation) error {
	s, ok := stated[o.Name]
	switch {
	case ok && (o.Path != "" || len(o.Takes) > 0):
		return fmt.Errorf("the SDK states its path and parameters: the catalogue must not")
	case ok:
		o.Method, o.Path, o.Parameters = s.Method, s.Path, s.Parameters
	case o.Path == "":
		return fmt.Errorf("the SDK does not have it: the catalogue must state its path and parameters")
	}
	for _, line := range o.Takes {
		p, err := parseParameter(line)
		if err != nil {
			return err
		}
		o.Parameters = append(o.Parameters, p)
	}
	for name, limit := range o.Limits {
		i := slices.IndexFunc(o.Parameters, func(p Parameter) bool { return p.Name == name })
		if i < 0 {
			return fmt.Errorf("there is a limit of %q, and no such parameter", name)
		}
		p := &o.Parameters[i]
		if len(p.Values) > 0 && len(limit.Values) > 0 {
			return fmt.Errorf("the SDK states the values of %q: the catalogue must not", name)
		}
		if len(limit.Values) > 0 {
			p.Values = limit.Values
		}
		p.Required = p.Required || limit.Required
		p.Limit = limit
	}
	var err error
	o.root, err = tree(o.Parameters)
	return err
}

// parseParameter reads "name in type required", as operations that the SDK does
// not have state their parameters.
func parseParameter(line string) (Parameter, error) {
	f := strings.Fields(line)
	if len(f) != 3 && (len(f) != 4 || f[3] != "required") {
		return Parameter{}, fmt.Errorf(`parameter %q: expected "name in type" or "name in type required"`, line)
	}
	if !slices.Contains([]string{"path", "query", "header", "body"}, f[1]) {
		return Parameter{}, fmt.Errorf("parameter %q: there is no place %q", line, f[1])
	}
	return Parameter{Name: f[0], In: f[1], Type: f[2], Required: len(f) == 4}, nil
}

// Find gives the operation of that name, nil when there is none.
func (c *Catalogue) Find(name string) *Operation { return c.byName[name] }

// Training lists the 52 operations that are offered, without the calls that
// checks and prices need.
func (c *Catalogue) Training() []*Operation {
	var list []*Operation
	for _, o := range c.Operations {
		if o.Domain != "support" {
			list = append(list, o)
		}
	}
	return list
}

// Verb is a form with its operation.
type Verb struct {
	Form
	Operation *Operation
}

// SaysText is what the verb does.
func (v Verb) SaysText() Text {
	if v.Says != (Text{}) {
		return v.Says
	}
	return v.Operation.Says
}

// Verbs lists the verbs of a noun, in the catalogue's order.
func (c *Catalogue) Verbs(noun string) []Verb {
	var list []Verb
	for _, o := range c.Operations {
		for _, f := range o.Forms {
			if f.Noun == noun {
				list = append(list, Verb{f, o})
			}
		}
	}
	return list
}

// Word describes a parameter, by its whole name or by its last part.
func (c *Catalogue) Word(o *Operation, p *Parameter) Text {
	name := strings.ReplaceAll(p.Name, "[]", "")
	for _, key := range []string{o.Name + " " + name, name, suffix(name, 2), path.Ext("." + name)[1:]} {
		if t, ok := c.words[key]; ok {
			return t
		}
	}
	return Text{}
}

// suffix gives the last n parts of a dotted name.
func suffix(name string, n int) string {
	parts := strings.Split(name, ".")
	return strings.Join(parts[max(0, len(parts)-n):], ".")
}

// AreaOf says to which part outside this program an operation or a noun
// belongs; known reports whether it is one of ModelArts's operations at all, or
// is made like one from a noun of such a part: ListServices, DeployService.
func (c *Catalogue) AreaOf(name string) (area *Area, known bool) {
	o := c.byName[name]
	known = slices.Contains(c.others, name) || o != nil && o.Domain == "support" && o.Service == "ModelArts"
	for i, a := range c.Outside {
		if slices.Contains(a.Nouns, strings.ToLower(name)) || slices.Contains(a.Nouns, objectOf(name)) {
			return &c.Outside[i], true
		}
		if known && slices.ContainsFunc(a.Words, func(w string) bool { return strings.Contains(name, w) }) {
			return &c.Outside[i], true
		}
	}
	return nil, known
}

// objectOf is what an operation's name is about, in lower case: "services" of
// ListServices.
func objectOf(name string) string {
	i := strings.IndexFunc(name[min(1, len(name)):], unicode.IsUpper)
	if i < 0 || !unicode.IsUpper(rune(name[0])) {
		return ""
	}
	return strings.ToLower(name[i+1:])
}

// HasBody reports whether the operation takes a body.
func (o *Operation) HasBody() bool { return o.takesBody() }

// IsGroup reports whether a parameter only holds others, which are listed after
// it.
func (o *Operation) IsGroup(p *Parameter) bool {
	return slices.ContainsFunc(o.Parameters, func(q Parameter) bool {
		return strings.HasPrefix(q.Name, p.Name+".") || strings.HasPrefix(q.Name, p.Name+"[].")
	})
}

// ExampleNames lists the parameters of the example in the catalogue's order.
func (o *Operation) ExampleNames() []string {
	var names []string
	for _, p := range o.Parameters {
		var of []string
		for name := range o.Example {
			if c := canonical(name); c == p.Name || c == p.Name+"[]" {
				of = append(of, name)
			}
		}
		slices.Sort(of)
		names = append(names, of...)
	}
	return names
}

// Hint says what to do about an error code of the service.
func (c *Catalogue) Hint(code string) (Text, bool) {
	t, ok := c.hints[code]
	return t, ok
}

// Hints lists the error codes that have a hint.
func (c *Catalogue) Hints() []string { return slices.Sorted(maps.Keys(c.hints)) }
