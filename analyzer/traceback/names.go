package traceback

import (
	"slices"
	"strings"
)

// Names holds the names of files and functions, the lines of source and the lists
// of frames of exceptions, each once: most ranks of a job fail at one place, and a
// part of a line holds all of it. The zero value is ready for use, by one
// goroutine at a time.
type Names struct {
	texts map[string]string
	files map[string]bool    // whether they are the user's own
	lists map[uint64][]Frame // of exceptions, by what they hold
	held  int                // frames in lists, those that are no longer looked up too
	free  [][]Frame
}

// Bounds of Names. What is beyond them is held by whoever has it.
const (
	mostNames   = 4096
	longestName = 512
	mostFrames  = 100_000 // beyond which only the ends of a list are kept
	endFrames   = 4       // frames of such an end
	mostFree    = 64
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

// room gives a list to begin with, in the place of none.
func (n *Names) room(frames []Frame) []Frame {
	if n == nil || frames != nil || len(n.free) == 0 {
		return frames
	}
	last := len(n.free) - 1
	frames, n.free = n.free[last], n.free[:last]
	return frames
}

// frames gives a list that is equal but for the places in the log, which takes
// the room that it needs; the given one is no longer the caller's.
func (n *Names) frames(list []Frame) []Frame {
	if n == nil || len(list) == 0 {
		return list
	}
	key := keyOf(list)
	kept := n.lists[key]
	if !slices.EqualFunc(kept, list, func(a, b Frame) bool {
		b.At = a.At
		return a == b
	}) {
		if kept = slices.Clone(list); n.held > mostFrames {
			kept = ends(list)
		}
		if n.lists == nil || len(n.lists) >= mostNames {
			n.lists = map[uint64][]Frame{}
		}
		n.held += len(kept)
		n.lists[key] = kept
	}
	if len(n.free) < mostFree {
		clear(list)
		n.free = append(n.free, list[:0])
	}
	return kept
}

// ends gives a long list without its middle, but for the innermost frame in the
// user's own code.
func ends(list []Frame) []Frame {
	n := len(list) - endFrames
	if n <= endFrames {
		return slices.Clone(list)
	}
	var own []Frame
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].User {
			if endFrames <= i && i < n {
				own = list[i : i+1]
			}
			break
		}
	}
	return slices.Concat(list[:endFrames], own, list[n:])
}

func keyOf(list []Frame) (key uint64) {
	for i := range list {
		f := &list[i]
		key = key*31 + hash(f.File)
		key = key*31 + hash(f.Func)
		key = key*31 + hash(f.Code)
		key = key*31 + uint64(f.Line)
	}
	return key
}
