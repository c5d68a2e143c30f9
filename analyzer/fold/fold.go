// Package fold compares texts without regard to the case of ASCII letters: what
// programs print in many spellings. All other bytes have to be equal.
package fold

// Equal compares two texts.
func Equal(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if a[i] != b[i] && Lower(a[i]) != Lower(b[i]) {
			return false
		}
	}
	return true
}

// Lower gives the lower case of an ASCII letter, and any other byte as it is.
func Lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// Contains reports whether sub stands in text.
func Contains(text, sub string) bool {
	if sub == "" {
		return true
	}
	first := Lower(sub[0]) // which rules out most places
	for i := 0; i+len(sub) <= len(text); i++ {
		if c := text[i]; (c == first || c|0x20 == first) && Equal(text[i:i+len(sub)], sub) {
			return true
		}
	}
	return false
}
