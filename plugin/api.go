package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"hcloud-modelarts/plugin/operations"
)

// apiCmd calls an operation by its name.
type apiCmd struct {
	Args []string `arg:"" optional:""`
}

// Run checks and sends the request.
func (a *apiCmd) Run(c *console) error {
	cat := operations.Default()
	if len(a.Args) == 0 || strings.HasPrefix(a.Args[0], "-") {
		if _, _, _, err := c.split(a.Args, nil, nil); err != nil {
			return err
		}
		return c.deliver("", []byte(c.operationList(cat)))
	}
	op, err := c.operation(cat, a.Args[0])
	if err != nil {
		return err
	}
	o, args, rest, err := c.split(a.Args[1:], ownNames(op), booleans(op))
	switch {
	case err != nil:
		return err
	case o.help:
		return c.deliver("", []byte(c.operationHelp(cat, op)))
	case len(rest) > 0:
		return &usageError{c.say(msgParameterForm, rest[0], op.Name)}
	}
	return c.perform(op, nil, o, args)
}

// operation finds the operation that a name means; what is outside this program
// gets an answer that says where to go.
func (c *console) operation(cat *operations.Catalogue, given string) (*operations.Operation, error) {
	if op := cat.Find(given); op != nil && slices.Contains(cat.Training(), op) {
		return op, nil
	}
	if right := cat.Renamed[given]; right != "" {
		return nil, &usageError{c.say(msgRenamed, given, right)}
	}
	if err := c.outside(cat, given); err != nil {
		return nil, err
	}
	if near := cat.Nearest(given); near != "" {
		return nil, &usageError{c.say(msgNoOperationNear, given, near)}
	}
	return nil, &usageError{c.say(msgNoOperation, given)}
}

// outside says where to go with what belongs to another part of ModelArts, nil
// when it does not.
func (c *console) outside(cat *operations.Catalogue, given string) error {
	area, known := cat.AreaOf(given)
	switch {
	case area != nil:
		return &usageError{c.say(msgOutside, given, area.Name.In(c.lang), area.Go.In(c.lang))}
	case known:
		return &usageError{c.say(msgOutsidePlain, given, given)}
	}
	return nil
}

// ownNames are the parameters of an operation that have the name of a flag.
func ownNames(op *operations.Operation) []string {
	var names []string
	for _, p := range op.Parameters {
		if p.Name != "project_id" && !strings.Contains(p.Name, ".") {
			names = append(names, p.Name)
		}
	}
	return names
}

func booleans(op *operations.Operation) []string {
	var names []string
	for _, p := range op.Parameters {
		if p.Type == "boolean" {
			names = append(names, strings.ReplaceAll(p.Name, "[]", ".1"))
		}
	}
	return names
}

// nounCmd calls an operation by a noun and a verb.
type nounCmd struct {
	Args []string `arg:"" optional:""`

	noun string
}

// nouns are the commands that the catalogue describes.
func nouns(lang string) []kong.Option {
	var list []kong.Option
	for _, n := range operations.Nouns() {
		list = append(list, kong.DynamicCommand(n.Name, n.Says.In(lang), "", &nounCmd{noun: n.Name}, `cmd:"" passthrough:""`))
	}
	return list
}

// Run finds the verb, names its arguments, and sends the request.
func (n *nounCmd) Run(c *console) error {
	cat := operations.Default()
	verbs := cat.Verbs(n.noun)
	if len(n.Args) == 0 || strings.HasPrefix(n.Args[0], "-") {
		o, _, _, err := c.split(n.Args, nil, nil)
		if err != nil {
			return err
		}
		if !o.help {
			return &usageError{c.say(msgNoVerb, n.noun, verbNames(verbs))}
		}
		return c.deliver("", []byte(c.nounHelp(n.noun, verbs)))
	}
	at := slices.IndexFunc(verbs, func(v operations.Verb) bool { return v.Verb == n.Args[0] })
	if at < 0 {
		var names []string
		for _, v := range verbs {
			names = append(names, v.Verb)
		}
		if near := operations.NearestOf(n.Args[0], names); near != "" {
			return &usageError{c.say(msgNoVerbNear, n.noun, n.Args[0], near)}
		}
		return &usageError{c.say(msgUnknownVerb, n.noun, n.Args[0], verbNames(verbs))}
	}
	v := verbs[at]
	own := ownNames(v.Operation)
	for _, f := range v.Filters {
		own = append(own, f.Flag)
	}
	o, args, rest, err := c.split(n.Args[1:], own, booleans(v.Operation))
	if err != nil {
		return err
	}
	if o.help {
		return c.deliver("", []byte(c.verbHelp(cat, v)))
	}
	if args, err = c.arguments(v, args, rest); err != nil {
		return err
	}
	return c.perform(v.Operation, &v.Form, o, args)
}

func verbNames(verbs []operations.Verb) string {
	var names []string
	for _, v := range verbs {
		names = append(names, v.Verb)
	}
	return strings.Join(names, ", ")
}

// arguments turns what a verb takes into the operation's parameters.
func (c *console) arguments(v operations.Verb, args []operations.Argument, rest []string) ([]operations.Argument, error) {
	given := map[string]bool{}
	args = filters(v.Form, args)
	for _, a := range args {
		given[a.Name] = true
	}
	for _, name := range v.Arguments {
		if len(rest) > 0 && !given[name] {
			args = append(args, operations.Argument{Name: name, Value: rest[0]})
			given[name], rest = true, rest[1:]
		}
	}
	if v.Pairs != "" {
		for i, pair := range rest {
			key, value, assigned := strings.Cut(pair, "=")
			at := fmt.Sprintf("%s.%d.", v.Pairs, i+1)
			args = append(args, operations.Argument{Name: at + "key", Value: key})
			if assigned {
				args = append(args, operations.Argument{Name: at + "value", Value: value})
			}
		}
		rest = nil
	}
	if len(rest) > 0 {
		return nil, &usageError{c.say(msgTooMuch, rest[0], verbUsage(v))}
	}
	for _, name := range slices.Sorted(maps.Keys(v.Set)) {
		if given[name] {
			return nil, &usageError{c.say(msgVerbSets, v.Noun, v.Verb, name, v.Set[name])}
		}
		args = append(args, operations.Argument{Name: name, Value: v.Set[name]})
	}
	return args, nil
}

// filters turns the flags of a list into the search's filters.
func filters(f operations.Form, args []operations.Argument) []operations.Argument {
	var out []operations.Argument
	n := 0
	for _, a := range args {
		if index, ok := strings.CutPrefix(a.Name, "filters."); ok {
			index, _, _ = strings.Cut(index, ".")
			if i, err := strconv.Atoi(index); err == nil {
				n = max(n, i)
			}
		}
	}
	for _, a := range args {
		i := slices.IndexFunc(f.Filters, func(x operations.Filter) bool { return x.Flag == a.Name })
		if i < 0 {
			out = append(out, a)
			continue
		}
		n++
		at := fmt.Sprintf("filters.%d.", n)
		out = append(out, operations.Argument{Name: at + "key", Value: f.Filters[i].Key}, operations.Argument{Name: at + "operator", Value: f.Filters[i].Operator})
		for j, value := range strings.Split(a.Value, ",") {
			out = append(out, operations.Argument{Name: fmt.Sprintf("%svalue.%d", at, j+1), Value: value})
		}
	}
	return out
}
