package operations

import (
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
)

// indexes are the numbers of list elements within a name.
var indexes = lazy.Regexp(`\.[0-9]+(\.|$)`)

// canonical is a given name as the catalogue writes it: algorithm.inputs.1.name
// is algorithm.inputs[].name.
func canonical(name string) string {
	for indexes().MatchString(name) {
		name = indexes().ReplaceAllString(name, "[]$1")
	}
	return name
}

// unknown says that there is no parameter of that name, and which one is meant.
func (b *builder) unknown(name string) {
	c := canonical(name)
	longest := ""
	for key := range b.op.Wrong {
		if len(key) > len(longest) && (c == key || strings.HasPrefix(c, key+".") || strings.HasPrefix(c, key+"[]")) {
			longest = key
		}
	}
	if longest != "" {
		b.add(Problem{Code: Outdated, Name: name, Want: b.op.Wrong[longest]})
		return
	}
	b.add(Problem{Code: Unknown, Name: name, Want: b.op.nearest(c)})
}

// nearest gives the parameter that a name most likely means, "" when none is
// near. A name that is the end of one longer name means that one.
func (o *Operation) nearest(name string) string {
	var names, values, ends []string
	for _, p := range o.Parameters {
		if filled(&p) {
			continue
		}
		names = append(names, p.Name)
		if !o.IsGroup(&p) {
			values = append(values, p.Name)
		}
		if strings.HasSuffix(p.Name, "."+name) && p.Type != "object" {
			ends = append(ends, p.Name)
		}
	}
	if len(ends) > 0 {
		return given(slices.MinFunc(ends, func(a, b string) int { return strings.Count(a, ".") - strings.Count(b, ".") }))
	}
	for _, some := range [][]string{values, names} {
		if near := nearestOf(name, some); near != "" {
			return given(near)
		}
	}
	leaves := map[string]string{}
	var lasts []string
	for _, n := range names {
		last := n[strings.LastIndexByte(n, '.')+1:]
		if leaves[last] == "" {
			leaves[last] = n
			lasts = append(lasts, last)
		}
	}
	return given(leaves[nearestOf(name[strings.LastIndexByte(name, '.')+1:], lasts)])
}

// given is a name as a user gives it: lists counted from 1.
func given(name string) string { return strings.ReplaceAll(name, "[]", ".1") }

// Nearest gives the operation whose name is near, "" when none is.
func (c *Catalogue) Nearest(name string) string {
	var names []string
	for _, o := range c.Training() {
		names = append(names, o.Name)
	}
	return nearestOf(name, names)
}

// NearestOf gives the word of a list that is near another, "" when none is.
func NearestOf(word string, list []string) string { return nearestOf(word, list) }

func nearestOf(word string, list []string) string {
	best, least := "", 1+max(2, len(word)/4)
	if len(word) < 4 {
		least = 2
	}
	for _, w := range list {
		if d := distance(strings.ToLower(word), strings.ToLower(w), least); d < least {
			best, least = w, d
		}
	}
	return best
}

// distance counts the letters to add, drop, change or swap to turn one word
// into another; it gives up at bound.
func distance(a, b string, bound int) int {
	if d := len(a) - len(b); d >= bound || -d >= bound {
		return bound
	}
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
