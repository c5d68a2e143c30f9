//go:build !amd64

package source

// line gives the length of the line that the text begins with, -1 when it is not
// of the kind. There must be a line end in the text.
func (k *kind) line(text []byte) int { return k.plainLine(text) }
