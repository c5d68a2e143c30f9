package source

import (
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/simplifiedchinese"
)

// Hidden reports whether a terminal or a viewer would obey a character instead
// of showing it: controls, marks that reorder text, invisible characters.
func Hidden(r rune) bool {
	return unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) ||
		unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) ||
		unicode.Is(unicode.Co, r) || unicode.Is(unicode.Variation_Selector, r) ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
}

// UTF8 reads a name that is not UTF-8 as GB 18030, in which Windows packs Chinese
// names. What is neither stays as it is.
func UTF8(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	if out, err := simplifiedchinese.GB18030.NewDecoder().String(name); err == nil && !strings.ContainsRune(out, utf8.RuneError) {
		return out
	}
	return name
}

// Printable makes a name safe to show, since names of files and in archives may
// hold anything: hidden characters and invalid bytes are spelled out as quoted
// strings of Go have them, "\x1b" and "\xff". A name that it gave stays as it is.
func Printable(name string) string {
	name = UTF8(name)
	if utf8.ValidString(name) && !strings.ContainsFunc(name, Hidden) {
		return name
	}
	var b strings.Builder
	for i, r := range name {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(name[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, name[i])
		case Hidden(r):
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// listing keeps the names of one folder, archive or mail apart. It holds the
// hashes of names, which take less room than they.
type listing map[uint64]int32

// name gives the name itself the first time, then "a#2", "a#3"; again tells
// that it had been given.
func (l listing) name(name string) (own string, again bool) {
	key := hashOf(name)
	if l[key]++; l[key] == 1 {
		return name, false
	}
	for ; ; l[key]++ {
		own = name + "#" + strconv.Itoa(int(l[key]))
		if h := hashOf(own); l[h] == 0 {
			l[h] = 1
			return own, true
		}
	}
}

func hashOf(name string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, name)
	return h.Sum64()
}
