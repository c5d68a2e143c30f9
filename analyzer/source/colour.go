package source

import (
	"bytes"

	"hcloud-modelarts/analyzer/ascii"
	"hcloud-modelarts/analyzer/source/charset"
)

// longestColour bounds a sequence that changes colours.
const longestColour = 32

// colour gives the length of the sequence that a text begins with by which a
// terminal changes colours and nothing else (ECMA-48, SGR), 0 for any other text.
func colour[T string | []byte](s T) int {
	if len(s) < 3 || s[0] != 0x1b || s[1] != '[' {
		return 0
	}
	for i := 2; i < min(len(s), longestColour); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && !ascii.IsDigit(c):
			return 0
		}
	}
	return 0
}

// colours are the lines of a block that have colours, as a terminal shows them: a
// colour may change within what has to be found.
type colours struct {
	text  []byte
	lines []colouredLine
	end   int // of the last of them in the block
	shown []byte
}

// colouredLine is where a line begins, in the block and in the text.
type colouredLine struct{ start, at int }

// add takes the line of a block that has a colour at a place, once.
func (c *colours) add(block []byte, i int) {
	if i < c.end {
		return
	}
	if c.text == nil {
		c.text = make([]byte, 0, len(block))
	}
	start := bytes.LastIndexByte(block[:i], '\n') + 1
	c.end = len(block)
	if n := bytes.IndexByte(block[i:], '\n'); n >= 0 {
		c.end = i + n
	}
	c.lines = append(c.lines, colouredLine{start, len(c.text)})
	c.shown = charset.Clean(block[start:c.end], c.shown)
	c.text = append(append(c.text, c.shown...), '\n')
}

// hits appends the beginnings of the lines in which something is found.
func (c *colours) hits(hits []int, find func([]byte, []int) []int) []int {
	if len(c.lines) == 0 {
		return hits
	}
	next := 0
	for _, at := range find(c.text, nil) {
		for next < len(c.lines) && c.lines[next].at <= at {
			next++
		}
		hits = append(hits, c.lines[next-1].start)
	}
	return hits
}

// storedHead gives how many bytes of a stored line the first n take that are shown.
func storedHead(stored string, n int) int {
	i := 0
	for ; n > 0; n-- {
		for m := colour(stored[i:]); m > 0; m = colour(stored[i:]) {
			i += m
		}
		i++
	}
	return i
}

// withoutColours is a stored line as it is shown.
func withoutColours(stored string) string {
	shown := make([]byte, 0, len(stored))
	for i := 0; i < len(stored); {
		if n := colour(stored[i:]); n > 0 {
			i += n
			continue
		}
		shown = append(shown, stored[i])
		i++
	}
	return string(shown)
}
