// Package manual makes of the command tree what stands around a program: what
// a shell offers while a command line is typed, and the manual page.
package manual

import (
	"slices"
	"strings"
)

// Command is a command as users see it; the root is the program.
type Command struct {
	Name      string
	Says      string // one line
	Usage     string // what stands behind the name, without flags
	Arguments []Value
	Flags     []Flag
	Examples  []string
	Commands  []*Command
	Default   *Command // what runs when none of Commands is named, or nil
	Brief     bool     // the page has one line for it; its --help tells the rest
}

// Value is what an argument or a flag takes.
type Value struct {
	Name string // what the help shows in its place
	Says string
	// Offers lists what it may be; nil stands for the name of a file or what
	// nobody can list.
	Offers func() []string
	Many   bool // it takes all arguments that follow
}

// Flag is an option; without a value's name it takes none.
type Flag struct {
	Value
	Long  string
	Short string // one letter, or ""
}

// Offer is one thing that a shell offers.
type Offer struct{ Text, Says string }

// Complete gives what may stand in the place of the last of words, those that
// were typed behind the program's name. None means that a shell should offer
// names of files.
func Complete(root *Command, words []string) []Offer {
	if len(words) == 0 {
		words = []string{""}
	}
	at := position{command: root, flags: root.Flags}
	last := len(words) - 1
	for _, w := range words[:last] {
		at.pass(w)
	}
	return at.offers(words[last])
}

// position is where a command line stands between two words.
type position struct {
	command *Command
	flags   []Flag // of the command and those above
	args    int    // arguments so far
	open    *Flag  // waits for its value
	plain   bool   // behind --, where no word is a flag
}

// known are the flags that may stand here.
func (p *position) known() []Flag {
	if d := p.command.Default; d != nil {
		return slices.Concat(p.flags, d.Flags)
	}
	return p.flags
}

func (p *position) pass(word string) {
	switch {
	case p.open != nil:
		p.open = nil
	case p.plain || word == "-" || !strings.HasPrefix(word, "-"):
		for _, c := range p.command.Commands {
			if !p.plain && p.args == 0 && c.Name == word {
				p.command, p.flags = c, slices.Concat(p.flags, c.Flags)
				return
			}
		}
		p.args++
	case word == "--":
		p.plain = true
	default:
		p.open = p.flag(word)
	}
}

// flag gives the flag that waits for a value behind word, nil when none does.
func (p *position) flag(word string) *Flag {
	for _, f := range p.known() {
		if f.Name != "" && (word == "--"+f.Long || f.Short != "" && word == "-"+f.Short) {
			return &f
		}
	}
	return nil
}

func (p *position) offers(word string) []Offer {
	if p.open != nil {
		return p.open.list("", word)
	}
	if !p.plain && strings.HasPrefix(word, "-") {
		if name, _, ok := strings.Cut(word, "="); ok {
			if f := p.flag(name); f != nil {
				return f.list(name+"=", word)
			}
			return nil
		}
		return p.flagNames(word)
	}
	var list []Offer
	if p.args == 0 && !p.plain {
		for _, c := range p.command.Commands {
			list = add(list, word, Offer{c.Name, c.Says})
		}
	}
	c := p.command
	if c.Default != nil {
		c = c.Default
	}
	if n := len(c.Arguments); n > 0 {
		at := min(p.args, n-1)
		if at == p.args || c.Arguments[at].Many {
			list = append(list, c.Arguments[at].list("", word)...)
		}
	}
	return list
}

func (p *position) flagNames(word string) []Offer {
	var list []Offer
	for _, f := range p.known() {
		list = add(list, word, Offer{"--" + f.Long, f.Says})
	}
	return list
}

func (v *Value) list(before, word string) []Offer {
	if v.Offers == nil {
		return nil
	}
	var list []Offer
	for _, text := range v.Offers() {
		list = add(list, word, Offer{Text: before + text})
	}
	return list
}

func add(list []Offer, word string, o Offer) []Offer {
	if strings.HasPrefix(o.Text, word) {
		return append(list, o)
	}
	return list
}
