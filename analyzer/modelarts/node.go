package modelarts

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
)

// node is a value and the way to it. Its methods work on absent values too and
// then give zero values, so that a reader asks for what may be there without
// checking every step.
type node struct {
	*value
	path *path
}

// path is one step from the root of a value, linked to the step before it.
type path struct {
	parent *path
	name   string // of an object's member
	index  int    // of a list's member, -1 otherwise
	role   string // the name that a row gave the member, "" for its own
}

var absent = &value{}

var plainName = lazy.Regexp(`^[A-Za-z0-9_-]+$`)

// String renders the path: "status.task_statuses[1].message". A name with other
// characters than letters, digits, "_" and "-" stands quoted in brackets.
func (p *path) String() string {
	if p == nil {
		return ""
	}
	before := p.parent.String()
	switch {
	case p.index >= 0:
		return before + "[" + strconv.Itoa(p.index) + "]"
	case !plainName().MatchString(p.name):
		return before + "[" + strconv.Quote(p.name) + "]"
	case before == "":
		return p.name
	}
	return before + "." + p.name
}

// key is the name of the nearest object member on the path.
func (p *path) key() string {
	for p != nil && p.index >= 0 && p.role == "" {
		p = p.parent
	}
	if p == nil {
		return ""
	}
	return cmp.Or(p.role, p.name)
}

// child returns the i-th member.
func (n node) child(i int) node {
	m := &n.members[i]
	step := &path{parent: n.path, name: m.name, index: -1}
	switch {
	case n.kind == list:
		step = &path{parent: n.path, index: int(n.before) + i}
	case m.index > 0:
		step = &path{parent: n.path, index: m.index - 1, role: m.name}
	case m.called != "":
		step = &path{parent: n.path, name: m.called, index: -1, role: m.name}
	}
	return node{&m.value, step}
}

// get returns the member of an object that has the first of the names that is
// there and not null. Names are equal without regard to case, "_" and "-". Of
// several members of one name the last counts, as in encoding/json.
func (n node) get(names ...string) node {
	if n.value == nil || n.kind != object {
		return node{absent, n.path}
	}
	for _, name := range names {
		for i := len(n.members) - 1; i >= 0; i-- {
			if m := &n.members[i]; m.kind != null && sameName(m.name, name) {
				return n.child(i)
			}
		}
	}
	return node{absent, n.path}
}

// at follows one name a step.
func (n node) at(names ...string) node {
	for _, name := range names {
		n = n.get(name)
	}
	return n
}

// has tells whether one of the names is there, null or not.
func (n node) has(names ...string) bool {
	if n.kind != object {
		return false
	}
	for i := range n.members {
		for _, name := range names {
			if sameName(n.members[i].name, name) {
				return true
			}
		}
	}
	return false
}

// list returns the members of a list.
func (n node) list() []node {
	if n.kind != list {
		return nil
	}
	all := make([]node, len(n.members))
	for i := range all {
		all[i] = n.child(i)
	}
	return all
}

// some tells whether there is a value other than null.
func (n node) some() bool { return n.kind > null }

// str returns a string, number or boolean as written, "" for what was cut in
// the middle: half a name would be another name.
func (n node) str() string {
	switch {
	case n.cut || n.kind == list || n.kind == object:
		return ""
	case n.kind == text:
		return strings.TrimSpace(n.text)
	}
	return n.text
}

// number returns a number, also one that stands in a string.
func (n node) number() (float64, bool) {
	if n.kind != number && n.kind != text || n.cut {
		return 0, false
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(n.text), 64)
	return f, err == nil && !math.IsInf(f, 0) && !math.IsNaN(f)
}

// int returns a whole number that fits into 64 bits, in any form of writing.
func (n node) int() (int64, bool) {
	if n.kind == number || n.kind == text && !n.cut {
		if i, err := strconv.ParseInt(strings.TrimSpace(n.text), 10, 64); err == nil {
			return i, true
		}
	}
	f, ok := n.number()
	if !ok || f != math.Trunc(f) || math.Abs(f) >= 1<<63 {
		return 0, false
	}
	return int64(f), true
}

// count returns a whole number that fits an int32 and is not negative, else 0.
func (n node) count() int {
	if i, ok := n.int(); ok && i >= 0 && i <= math.MaxInt32 {
		return int(i)
	}
	return 0
}

// sameName compares two names without regard to case, "_" and "-", so that
// failureAnalysisResult and failure_analysis_result are one name.
func sameName(a, b string) bool {
	i, j := 0, 0
	for {
		for i < len(a) && (a[i] == '_' || a[i] == '-') {
			i++
		}
		for j < len(b) && (b[j] == '_' || b[j] == '-') {
			j++
		}
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if lower(a[i]) != lower(b[j]) {
			return false
		}
		i, j = i+1, j+1
	}
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
