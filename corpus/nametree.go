package corpus

import "strings"

// nameTree keeps names, byte by byte, with what is written in their place. A
// text is looked through once, however many there are.
type nameTree struct {
	next map[byte]*nameTree
	by   string // "" where no name ends
}

// add has a name replaced from now on, by what it was first added with.
func (t *nameTree) add(name, by string) {
	for i := range len(name) {
		if t.next == nil {
			t.next = map[byte]*nameTree{}
		}
		if t.next[name[i]] == nil {
			t.next[name[i]] = &nameTree{}
		}
		t = t.next[name[i]]
	}
	if t.by == "" {
		t.by = by
	}
}

// replace puts what is to stand there in the place of each name that stands
// alone: no letter, digit or "_" goes on where a name begins or ends with one. Of
// two names with one beginning the longer counts.
func (t *nameTree) replace(s string) string {
	if t.next == nil {
		return s
	}
	var b strings.Builder
	last := 0
	for i := 0; i < len(s); i++ {
		if goesOn(s, i) {
			continue
		}
		if by, n := t.longest(s, i); n > 0 {
			b.WriteString(s[last:i])
			b.WriteString(by)
			last = i + n
			i = last - 1
		}
	}
	b.WriteString(s[last:])
	return b.String()
}

// longest finds the longest name at a place.
func (t *nameTree) longest(s string, at int) (by string, n int) {
	for i := at; i < len(s); i++ {
		if t = t.next[s[i]]; t == nil {
			break
		}
		if t.by != "" && !goesOn(s, i+1) {
			by, n = t.by, i+1-at
		}
	}
	return by, n
}

// goesOn reports whether one word stands on both sides of a place.
func goesOn(s string, at int) bool {
	return at > 0 && at < len(s) && inWord(s[at-1]) && inWord(s[at])
}

func inWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
