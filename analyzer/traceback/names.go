package traceback

import "strings"

// Names holds the names of files and functions and the lines of source that
// frames have, each once: the ranks of a job print the same ones again and again,
// and a part of a line holds all of it. The zero value is ready for use, by one
// goroutine at a time.
type Names struct {
	texts map[string]string
	files map[string]bool // whether they are the user's own
}

// Bounds of Names. What is beyond them is held by whoever has it.
const (
	mostNames   = 4096
	longestName = 512
)

// keep gives a text that holds nothing but itself.
func (n *Names) keep(s string) string {
	if n == nil || len(s) > longestName {
		return s
	}
	if kept, ok := n.texts[s]; ok {
		return kept
	}
	if n.texts == nil || len(n.texts) >= mostNames {
		n.texts = map[string]string{}
	}
	s = strings.Clone(s)
	n.texts[s] = s
	return s
}

// isUser is isUser for a file that keep gave.
func (n *Names) isUser(file string) bool {
	if n == nil {
		return isUser(file)
	}
	own, ok := n.files[file]
	if !ok {
		if n.files == nil || len(n.files) >= mostNames {
			n.files = map[string]bool{}
		}
		own = isUser(file)
		n.files[file] = own
	}
	return own
}

// Share has the parser keep names with others that are read beside it.
func (p *Parser) Share(n *Names) { p.names = n }
