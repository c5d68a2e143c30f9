// Package ascii reads the digits and letters that names, labels, times and counters
// are made of.
package ascii

// IsDigit reports whether c is a decimal digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// IsLetter reports whether c is a letter of either case.
func IsLetter(c byte) bool { return IsSmall(c | 0x20) }

// IsSmall reports whether c is a small letter.
func IsSmall(c byte) bool { return c >= 'a' && c <= 'z' }

// IsWord reports whether c is a letter or a digit.
func IsWord(c byte) bool { return IsDigit(c) || IsLetter(c) }

// Number reads the n digits at s[i:]; it gives -1 where they are not all digits,
// or fewer.
func Number(s string, i, n int) int {
	if i+n > len(s) {
		return -1
	}
	v := 0
	for _, c := range []byte(s[i : i+n]) {
		if !IsDigit(c) {
			return -1
		}
		v = v*10 + int(c-'0')
	}
	return v
}
