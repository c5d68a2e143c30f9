package main

import (
	"bytes"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/corpus"
	"hcloud-modelarts/plugin/manual"
	"hcloud-modelarts/plugin/operations"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish,powershell" help:"${completion_shell}"`
}

// Run prints the script for a shell.
func (s *completionCmd) Run(c *console) error { return c.deliver("", manual.Script(s.Shell)) }

// completeCmd answers those scripts.
type completeCmd struct {
	Words []string `arg:"" optional:""`
}

// Run prints what may stand in the place of the last word, each with a tab and
// what it does.
func (w *completeCmd) Run(c *console) error {
	root, err := c.tree()
	if err != nil {
		return err
	}
	words := w.Words
	if len(words) > 0 && words[0] == "--" {
		words = words[1:]
	}
	if n := len(words); n > 0 && words[n-1] == `""` {
		words[n-1] = "" // as PowerShell writes it
	}
	var b bytes.Buffer
	for _, o := range manual.Complete(root, words) {
		b.WriteString(o.Text + "\t" + o.Says + "\n")
	}
	return c.deliver("", b.Bytes())
}

type manCmd struct{}

// Run prints the manual page in the console's language.
func (manCmd) Run(c *console) error {
	root, err := c.tree()
	if err != nil {
		return err
	}
	title := func(t text) string { return t.In(c.lang) }
	page := manual.Page{
		Version: versionText(),
		About:   c.say(msgAbout),
		Headings: manual.Headings{
			Name: title(headName), Synopsis: title(headSynopsis), Options: title(headOptions), Commands: title(headCommands),
			Examples: title(msgExamples), Exit: title(headExit), Environment: title(headEnvironment),
			Command: title(headCommand), More: title(msgManMore),
		},
		Exit: strings.SplitN(c.say(msgExitCodes), "\n", 2)[1],
	}
	for _, v := range variables {
		page.Environment = append(page.Environment, [2]string{v.name, v.says.In(c.lang)})
	}
	return c.deliver("", []byte(page.Roff(root)))
}

// tree is the command tree as a shell and the manual see it.
func (c *console) tree() (*manual.Command, error) {
	parser, err := newParser(c)
	if err != nil {
		return nil, err
	}
	t := treeMaker{c, operations.Default(), parser.Model.Node}
	root := t.command(t.root)
	root.Flags = append(root.Flags, t.flag(parser.Model.HelpFlag))
	return root, nil
}

type treeMaker struct {
	*console
	cat  *operations.Catalogue
	root *kong.Node
}

func (t *treeMaker) command(n *kong.Node) *manual.Command {
	m := &manual.Command{Name: n.Name, Says: n.Help, Examples: exampleLines[strings.TrimPrefix(n.Path(), name+" ")]}
	if n.Passthrough {
		t.calls(m)
		return m
	}
	var usage []string
	for _, v := range n.Positional {
		usage = append(usage, v.Summary())
		m.Arguments = append(m.Arguments, manual.Value{Name: v.Name, Says: v.Help, Offers: t.offers(v.Name, v.Enum), Many: v.IsCumulative()})
	}
	m.Usage = strings.Join(usage, " ")
	for _, f := range n.Flags {
		if f.Name != "help" && !f.Hidden {
			m.Flags = append(m.Flags, t.flag(f))
		}
	}
	for _, child := range n.Children {
		if child.Hidden {
			continue
		}
		below := t.command(child)
		m.Commands = append(m.Commands, below)
		if child == n.DefaultCmd {
			m.Default = below
		}
	}
	return m
}

func (t *treeMaker) flag(f *kong.Flag) manual.Flag {
	m := manual.Flag{Long: f.Name, Value: manual.Value{Says: f.Help}}
	if f.Short != 0 {
		m.Short = string(f.Short)
	}
	if !f.IsBool() {
		m.Name = f.FormatPlaceHolder()
		m.Offers = t.offers(m.Name, f.Enum)
	}
	return m
}

// offers says what can be listed for a value: what it is limited to, else what
// its name stands for.
func (t *treeMaker) offers(name, enum string) func() []string {
	if enum != "" {
		return func() []string { return strings.Split(enum, ",") }
	}
	switch strings.ToLower(name) {
	case "command":
		return func() []string {
			var names []string
			for _, n := range t.root.Children {
				if !n.Hidden {
					names = append(names, n.Name)
				}
			}
			return names
		}
	case "case":
		return t.caseNames
	case "cause":
		return func() []string {
			var ids []string
			for _, c := range rules.Causes() {
				ids = append(ids, c.ID)
			}
			return ids
		}
	case "id":
		return func() []string {
			var ids []string
			for _, r := range rules.Default().Rules {
				ids = append(ids, r.ID)
			}
			return ids
		}
	}
	return nil
}

// caseNames lists the recorded cases; a corpus that cannot be read offers none.
func (t *treeMaker) caseNames() []string {
	dir, err := storage{}.dir(t.console)
	if err != nil {
		return nil
	}
	cases, _, err := corpus.List(dir)
	if err != nil {
		return nil
	}
	var ids []string
	for _, m := range cases {
		ids = append(ids, m.ID)
	}
	return ids
}

// calls describes the commands that the catalogue makes.
func (t *treeMaker) calls(m *manual.Command) {
	m.Brief = true
	switch m.Name {
	case "price":
		m.Brief = false
		m.Flags = t.callFlags("price")
		m.Flags = append(m.Flags, manual.Flag{Long: "nodes", Value: manual.Value{Name: "N", Says: flagForms["nodes"].In(t.lang)}})
	case "api":
		for _, op := range t.cat.Training() {
			m.Commands = append(m.Commands, &manual.Command{Name: op.Name, Says: op.Says.In(t.lang), Flags: t.operationFlags(op, nil)})
		}
	default:
		for _, v := range t.cat.Verbs(m.Name) {
			usage := strings.TrimSpace(strings.TrimPrefix(verbUsage(v), name+" "+v.Noun+" "+v.Verb))
			verb := &manual.Command{Name: v.Verb, Usage: usage, Says: v.SaysText().In(t.lang), Flags: t.operationFlags(v.Operation, v.Set)}
			for _, f := range v.Filters {
				verb.Flags = append(verb.Flags, manual.Flag{Long: f.Flag, Value: manual.Value{Name: "string", Says: f.Says.In(t.lang)}})
			}
			m.Commands = append(m.Commands, verb)
		}
	}
}

// operationFlags are the parameters of an operation, the first of each list,
// and the flags of the call.
func (t *treeMaker) operationFlags(op *operations.Operation, decided map[string]string) []manual.Flag {
	var flags []manual.Flag
	for i := range op.Parameters {
		p := &op.Parameters[i]
		if _, done := decided[p.Name]; done || p.Name == "project_id" && p.In == "path" || p.Name == "X-Auth-Token" || op.IsGroup(p) || strings.Contains(p.Type, "map<") {
			continue
		}
		f := manual.Flag{Long: strings.ReplaceAll(p.Name, "[]", ".1"), Value: manual.Value{Name: p.Type, Says: t.cat.Word(op, p).In(t.lang)}}
		switch {
		case len(p.Values) > 0:
			f.Offers = t.offers("", strings.Join(p.Values, ","))
		case p.Type == "boolean":
			f.Offers = t.offers("", "true,false")
		}
		flags = append(flags, f)
	}
	return append(flags, t.callFlags(kindsOf(op)...)...)
}

func (t *treeMaker) callFlags(kinds ...string) []manual.Flag {
	var flags []manual.Flag
	for _, f := range callFlags {
		if f.only == "" || slices.Contains(kinds, f.only) {
			flags = append(flags, manual.Flag{Long: f.name, Value: manual.Value{Name: f.value, Says: flagHelp(f.name).In(t.lang), Offers: t.offers(f.value, strings.Join(f.values, ","))}})
		}
	}
	return flags
}
