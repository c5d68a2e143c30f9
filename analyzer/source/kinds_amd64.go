package source

import "golang.org/x/sys/cpu"

// lineAVX2 gives the place of the first line end from a place on: -1 when the
// parts do not fit what the text begins with, of which there must be as much, and
// -2 when fewer than 32 bytes are left before it was found.
//
//go:noescape
func lineAVX2(text []byte, parts *part, n, from int) int

// line gives the length of the line that the text begins with, -1 when it is not
// of the kind. There must be a line end in the text.
func (k *kind) line(text []byte) int {
	if cpu.X86.HasAVX2 && len(text) >= len(k.head)*partSize && len(k.head) > 0 {
		n := lineAVX2(text, &k.head[0], len(k.head), k.size-1)
		if n >= -1 {
			return n
		}
	}
	return k.plainLine(text)
}
