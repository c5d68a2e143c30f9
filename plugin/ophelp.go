package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"hcloud-modelarts/plugin/operations"
)

// helpRows writes rows of two columns.
func helpRows(b *strings.Builder, rows [][2]string) {
	const most = 42
	width := 0
	for _, r := range rows {
		if w := displaywidth.String(r[0]); w <= most {
			width = max(width, w)
		}
	}
	for _, r := range rows {
		w := displaywidth.String(r[0])
		switch {
		case r[1] == "":
			fmt.Fprintf(b, "  %s\n", r[0])
		case w > most:
			fmt.Fprintf(b, "  %s\n  %s  %s\n", r[0], strings.Repeat(" ", width), r[1])
		default:
			fmt.Fprintf(b, "  %s%s  %s\n", r[0], strings.Repeat(" ", width-w), r[1])
		}
	}
}

// operationList is the help of api: all operations by domain.
func (c *console) operationList(cat *operations.Catalogue) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n", c.say(msgUsageIs, name+" api "+c.say(msgOperationArgs)), c.say(msgAPI))
	domain := ""
	var rows [][2]string
	flush := func() {
		helpRows(&b, rows)
		rows = nil
	}
	for _, op := range cat.Training() {
		if op.Domain != domain {
			flush()
			domain = op.Domain
			fmt.Fprintf(&b, "\n%s\n", c.domainTitle(cat, domain))
		}
		says := op.Says.In(c.lang)
		if op.Writes() {
			says += c.say(msgWritesMark)
		}
		rows = append(rows, [2]string{op.Name, says})
	}
	flush()
	c.helpFlags(&b, "read", "write", "price")
	b.WriteString(examples("api", c.lang))
	return b.String()
}

func (c *console) domainTitle(cat *operations.Catalogue, domain string) string {
	at := slices.IndexFunc(cat.Nouns, func(n operations.Noun) bool { return n.Name == domain })
	if at < 0 {
		return domain
	}
	title, _, _ := strings.Cut(cat.Nouns[at].Says.In(c.lang), "：")
	title, _, _ = strings.Cut(title, ":")
	return strings.TrimSpace(strings.TrimSuffix(title, ".") + c.colon())
}

// helpFlags lists the flags that fit: those for lists, for writes, for what costs
// money.
func (c *console) helpFlags(b *strings.Builder, kinds ...string) {
	var rows [][2]string
	for _, f := range callFlags {
		if f.only != "" && !slices.Contains(kinds, f.only) {
			continue
		}
		left := "--" + f.name
		if f.value != "" {
			left += "=" + f.value
		}
		rows = append(rows, [2]string{left, flagHelp(f.name).In(c.lang)})
	}
	fmt.Fprintf(b, "\n%s\n", c.say(msgFlags))
	helpRows(b, rows)
}

// operationHelp is the help of one operation, made of the catalogue.
func (c *console) operationHelp(cat *operations.Catalogue, op *operations.Operation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", c.say(msgUsageIs, name+" api "+op.Name+" "+c.say(msgParameterArgs)))
	c.describeOperation(&b, op, op.Says)
	c.parameters(&b, cat, op, nil)
	c.notes(&b, op)
	if len(op.Forms) > 0 {
		fmt.Fprintf(&b, "\n%s\n", c.say(msgSameAs))
		for _, v := range cat.Verbs(op.Forms[0].Noun) {
			if v.Operation == op {
				fmt.Fprintf(&b, "  %s\n", verbUsage(v))
			}
		}
		for _, f := range op.Forms[1:] {
			if f.Noun != op.Forms[0].Noun {
				fmt.Fprintf(&b, "  %s\n", verbUsage(operations.Verb{Form: f, Operation: op}))
			}
		}
	}
	c.helpFlags(&b, kindsOf(op)...)
	fmt.Fprintf(&b, "\n%s\n  %s\n", c.say(msgExamples), apiExample(op))
	if op.HasBody() {
		fmt.Fprintf(&b, "  %s\n", name+" api "+op.Name+c.say(msgFromFile))
	}
	return b.String()
}

func (c *console) describeOperation(b *strings.Builder, op *operations.Operation, says operations.Text) {
	kind := msgReads
	if op.Writes() {
		kind = msgWrites
	}
	fmt.Fprintf(b, "%s%s\n  %s %s\n", says.In(c.lang), c.say(kind), op.Method, op.Path)
	if op.Writes() {
		fmt.Fprintf(b, "  %s\n", c.say(msgUndo, op.Undo.In(c.lang)))
	}
	if len(op.IAM) > 0 {
		fmt.Fprintf(b, "  %s\n", c.say(msgIAM, strings.Join(op.IAM, " / ")))
	}
}

// parameters lists what an operation takes, those of its objects by their whole
// names; skip are those that the verb decides.
func (c *console) parameters(b *strings.Builder, cat *operations.Catalogue, op *operations.Operation, skip map[string]string) {
	var rows [][2]string
	for i := range op.Parameters {
		p := &op.Parameters[i]
		if _, decided := skip[p.Name]; decided || p.Name == "project_id" && p.In == "path" || p.Name == "X-Auth-Token" {
			continue
		}
		if op.IsGroup(p) {
			continue
		}
		rows = append(rows, [2]string{"--" + parameterForm(p), c.parameterText(cat, op, p)})
	}
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", c.say(msgParameters))
	helpRows(b, rows)
}

// parameterForm is a parameter as it is typed: N stands for a number from 1, KEY
// for a key.
func parameterForm(p *operations.Parameter) string {
	n := strings.ReplaceAll(p.Name, "[]", ".N")
	switch {
	case strings.HasPrefix(p.Type, "array<map"):
		return n + ".N.KEY=" + "string"
	case strings.HasPrefix(p.Type, "array<object"):
		return n + "=JSON"
	case strings.HasPrefix(p.Type, "array<"):
		return n + ".N=" + strings.TrimSuffix(strings.TrimPrefix(p.Type, "array<"), ">")
	case strings.HasPrefix(p.Type, "map<"):
		return n + ".KEY=string"
	case p.Type == "object":
		return n + "=JSON"
	case p.Type == "enum":
		return n + "=string"
	case p.Type == "integer64":
		return n + "=integer"
	}
	return n + "=" + p.Type
}

func (c *console) parameterText(cat *operations.Catalogue, op *operations.Operation, p *operations.Parameter) string {
	parts := []string{cat.Word(op, p).In(c.lang)}
	if p.Required {
		parts = append([]string{c.say(msgRequired)}, parts...)
	}
	l := p.Limit
	if len(p.Values) > 0 {
		parts = append(parts, c.say(msgValues, strings.Join(p.Values, ", ")))
	}
	switch {
	case l.Min != nil && l.Max != nil:
		parts = append(parts, fmt.Sprintf("%d–%d", *l.Min, *l.Max))
	case l.Min != nil:
		parts = append(parts, c.say(msgAtLeast, strconv.FormatInt(*l.Min, 10)))
	case l.Max != nil:
		parts = append(parts, c.say(msgAtMost, strconv.FormatInt(*l.Max, 10)))
	}
	if l.Form != (operations.Text{}) {
		parts = append(parts, l.Form.In(c.lang))
	} else if l.Length > 0 {
		parts = append(parts, c.say(msgLength, l.Length))
	}
	if l.Default != "" {
		parts = append(parts, c.say(msgDefault, l.Default))
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), c.say(msgJoin))
}

func (c *console) notes(b *strings.Builder, op *operations.Operation) {
	if len(op.Notes) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", c.say(msgNotes))
	for _, n := range op.Notes {
		fmt.Fprintf(b, "  - %s\n", n.In(c.lang))
	}
}

// verbUsage is a verb with its arguments.
func verbUsage(v operations.Verb) string {
	words := []string{name, v.Noun, v.Verb}
	for i, a := range v.Arguments {
		w := strings.ToUpper(a[strings.LastIndexByte(a, '.')+1:])
		if i >= len(v.Arguments)-v.Optional {
			w = "[" + w + "]"
		}
		words = append(words, w)
	}
	if v.Pairs != "" {
		words = append(words, "KEY=VALUE…")
	}
	return strings.Join(words, " ")
}

// nounHelp lists the verbs of a noun.
func (c *console) nounHelp(noun string, verbs []operations.Verb) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n", c.say(msgUsageIs, name+" "+noun+c.say(msgVerbArgs)), c.say(msgCommands))
	var rows [][2]string
	for _, v := range verbs {
		says := v.SaysText().In(c.lang)
		if v.Operation.Writes() {
			says += c.say(msgWritesMark)
		}
		rows = append(rows, [2]string{strings.TrimPrefix(verbUsage(v), name+" "+noun+" "), says})
	}
	helpRows(&b, rows)
	fmt.Fprintf(&b, "\n%s\n", c.say(msgVerbHelp, noun))
	b.WriteString(examples(noun, c.lang))
	return b.String()
}

// verbHelp is the help of one verb.
func (c *console) verbHelp(cat *operations.Catalogue, v operations.Verb) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", c.say(msgUsageIs, verbUsage(v)+" "+c.say(msgParameterArgs)))
	c.describeOperation(&b, v.Operation, v.SaysText())
	if len(v.Filters) > 0 {
		fmt.Fprintf(&b, "\n%s\n", c.say(msgFilters))
		var rows [][2]string
		for _, f := range v.Filters {
			rows = append(rows, [2]string{"--" + f.Flag + "=string", f.Says.In(c.lang)})
		}
		helpRows(&b, rows)
	}
	c.parameters(&b, cat, v.Operation, v.Set)
	c.notes(&b, v.Operation)
	c.helpFlags(&b, kindsOf(v.Operation)...)
	fmt.Fprintf(&b, "\n%s\n  %s\n", c.say(msgExamples), verbExample(v))
	return b.String()
}

func (c *console) priceHelp() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n", c.say(msgUsageIs, name+" price --flavor=FLAVOR [--flavor=…] [--nodes=N] [--hours=N]"), helpTexts["price"].In(c.lang))
	c.helpFlags(&b, "price")
	b.WriteString(examples("price", c.lang))
	return b.String()
}

// apiExample is an operation's example as it is typed.
func apiExample(op *operations.Operation) string {
	words := []string{name, "api", op.Name}
	for _, name := range op.ExampleNames() {
		words = append(words, quoteShell("--"+name+"="+op.Example[name]))
	}
	return strings.Join(words, " ")
}

// verbExample is the same for a verb.
func verbExample(v operations.Verb) string {
	words := []string{name, v.Noun, v.Verb}
	used := map[string]bool{}
	for i, a := range v.Arguments {
		if value, ok := v.Operation.Example[a]; ok && (i < len(v.Arguments)-v.Optional || v.Default[a] == "") {
			words = append(words, quoteShell(value))
		}
		used[a] = true
	}
	for _, name := range v.Operation.ExampleNames() {
		value := v.Operation.Example[name]
		if _, set := v.Set[name]; set || used[name] || v.Default[name] == value {
			continue
		}
		if v.Pairs != "" && strings.HasPrefix(name, v.Pairs+".1.") {
			if strings.HasSuffix(name, ".key") {
				pair := value
				if val := v.Operation.Example[v.Pairs+".1.value"]; val != "" {
					pair += "=" + val
				}
				words = append(words, quoteShell(pair))
			}
			continue
		}
		if len(v.Filters) > 0 && strings.HasPrefix(name, "filters.1.") {
			if name == "filters.1.key" {
				words = append(words, quoteShell("--"+value+"="+v.Operation.Example["filters.1.value.1"]))
			}
			continue
		}
		words = append(words, quoteShell("--"+name+"="+value))
	}
	return strings.Join(words, " ")
}

// kindsOf says which flags fit an operation.
func kindsOf(op *operations.Operation) []string {
	var kinds []string
	if op.Pages != nil {
		kinds = append(kinds, "read")
	}
	if op.Writes() {
		kinds = append(kinds, "write")
	}
	if op.Charges != "" || op.Holds {
		kinds = append(kinds, "price")
	}
	return kinds
}

// flagHelp is the help of a flag, the same as that of other commands which have
// it.
func flagHelp(flag string) text {
	if t, ok := callFlagTexts[flag]; ok {
		return t
	}
	if flag == "corpus" {
		return helpTexts["corpus_dir"]
	}
	return helpTexts[strings.ReplaceAll(flag, "-", "_")]
}
