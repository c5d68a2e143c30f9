package source

import "encoding/binary"

// oddBytes are those of lines whose text is not what is stored, or that may be
// rows of a table: control characters, a backslash, DEL, and what begins those
// control characters that are beyond ASCII.
var oddBytes = func() (odd [256]bool) {
	for c := range byte(' ') {
		odd[c] = c != '\n'
	}
	odd['\\'], odd[0x7f], odd[0xc2] = true, true, true
	return odd
}()

// isOdd reports whether an odd byte stands at b[i]; of a character beyond ASCII
// it is the second byte that tells, and a carriage return may belong to the line end.
func isOdd(b []byte, i int) bool {
	switch c := b[i]; {
	case !oddBytes[c]:
		return false
	case c == 0xc2:
		return i+1 < len(b) && b[i+1] < 0xa0
	case c == '\r':
		return i+1 == len(b) || b[i+1] != '\n'
	}
	return true
}

// nextOdd gives the place of the first odd byte from i on, -1 when there is none.
func nextOdd(b []byte, i int) int {
	for i = skipEven(b, i); i < len(b); i = skipEven(b, i+1) {
		if isOdd(b, i) {
			return i
		}
	}
	return -1
}

// skipEvenPlain goes past bytes from i on that are not odd, eight at a time, and
// stops at one that may be, or where fewer are left.
func skipEvenPlain(b []byte, i int) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x80 * ones
	)
	zero := func(w uint64) uint64 { return (w - ones) &^ w } // a high bit where a byte is 0
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		low := (w - 0x20*ones) &^ w
		if (low|zero(w^'\\'*ones)|zero(w^0x7f*ones)|zero(w^0xc2*ones))&highs == 0 {
			continue
		}
		for j, c := range b[i : i+8] {
			if oddBytes[c] {
				return i + j
			}
		}
	}
	return i
}
