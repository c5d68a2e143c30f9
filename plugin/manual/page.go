package manual

import (
	"fmt"
	"strings"
)

// Page is what a manual page says besides the commands.
type Page struct {
	Version  string
	About    string // one sentence
	Headings Headings
	Exit     string // lines that stay as they are
	// Environment lists variables and what they mean.
	Environment [][2]string
}

// Headings are the titles of the sections, in the language of the page.
type Headings struct {
	Name, Synopsis, Options, Commands, Examples, Exit, Environment string
	Command                                                        string // stands for a command in the synopsis
	More                                                           string // says where a brief command tells the rest; %s is its name
}

// Roff writes the page in the man macros, section 1.
func (p *Page) Roff(root *Command) string {
	var b roff
	h := p.Headings
	b.macro("TH", strings.ToUpper(root.Name), "1", "", root.Name+" "+p.Version)
	b.WriteString(".ad l\n") // Chinese has few blanks, which would be stretched
	b.macro("SH", h.Name)
	b.line(root.Name + " - " + p.About)
	b.macro("SH", h.Synopsis)
	b.macro("B", root.Name)
	b.line(h.Command)
	b.macro("SH", h.Options)
	b.flags(root.Flags)
	b.macro("SH", h.Commands)
	for _, c := range root.Commands {
		b.command(c, "", h)
	}
	b.macro("SH", h.Exit)
	b.block(strings.Split(strings.Trim(p.Exit, "\n"), "\n"))
	b.macro("SH", h.Environment)
	b.items(p.Environment)
	return b.String()
}

// roff writes text that cannot be taken for a request or an escape.
type roff struct{ strings.Builder }

var escapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)

func escape(s string) string { return escapes.Replace(strings.ReplaceAll(s, "\n", " ")) }

func (b *roff) macro(name string, args ...string) {
	b.WriteString("." + name)
	for _, a := range args {
		b.WriteString(` "` + strings.ReplaceAll(escape(a), `"`, `\(dq`) + `"`)
	}
	b.WriteByte('\n')
}

func (b *roff) line(text string) {
	text = escape(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, " ") {
		text = `\&` + text
	}
	b.WriteString(text + "\n")
}

func (b *roff) items(list [][2]string) {
	for _, item := range list {
		b.macro("TP")
		b.macro("B", item[0])
		b.line(item[1])
	}
}

func (b *roff) flags(flags []Flag) {
	for _, f := range flags {
		b.macro("TP")
		name := `\fB` + escape("--"+f.Long) + `\fR`
		if f.Short != "" {
			name = `\fB` + escape("-"+f.Short) + `\fR, ` + name
		}
		if f.Name != "" {
			name += `=\fI` + escape(f.Name) + `\fR`
		}
		b.WriteString(name + "\n")
		b.line(f.Says)
	}
}

// command writes a command and those below it; above is the path so far.
func (b *roff) command(c *Command, above string, h Headings) {
	path := strings.TrimSpace(above + " " + c.Name)
	if len(c.Commands) == 0 || c.Brief {
		b.macro("SS", strings.TrimSpace(path+" "+c.Usage))
		b.line(c.Says)
		b.values(c)
	}
	switch {
	case c.Brief:
		b.verbs(c, path, h)
	default:
		b.flags(c.Flags)
		for _, below := range c.Commands {
			b.command(below, path, h)
		}
	}
	b.examples(c, h)
}

func (b *roff) values(c *Command) {
	for _, a := range c.Arguments {
		b.macro("TP")
		b.macro("I", a.Name)
		b.line(a.Says)
	}
}

func (b *roff) verbs(c *Command, path string, h Headings) {
	for _, v := range c.Commands {
		b.macro("TP")
		b.macro("B", strings.TrimSpace(v.Name+" "+v.Usage))
		b.line(v.Says)
	}
	b.macro("PP")
	b.line(fmt.Sprintf(h.More, path))
}

func (b *roff) examples(c *Command, h Headings) {
	if len(c.Examples) == 0 {
		return
	}
	b.macro("PP")
	b.line(h.Examples)
	b.block(c.Examples)
}

// block writes lines that stay as they are, indented.
func (b *roff) block(lines []string) {
	b.macro("RS")
	b.macro("nf")
	for _, l := range lines {
		b.line(l)
	}
	b.macro("fi")
	b.macro("RE")
}
