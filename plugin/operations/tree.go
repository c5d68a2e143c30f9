package operations

import (
	"fmt"
	"strings"
)

// node is one parameter in the tree that the dotted names span. The root's
// children are all parameters that stand at the top, wherever they are sent.
type node struct {
	param    *Parameter // nil at the root
	children []*node
}

// child finds the parameter of that name directly below.
func (n *node) child(name string) *node {
	for _, c := range n.children {
		if c.last() == name {
			return c
		}
	}
	return nil
}

// last is the last part of the name, which is the key in JSON.
func (n *node) last() string {
	name := strings.TrimSuffix(n.param.Name, "[]")
	return name[strings.LastIndexByte(name, '.')+1:]
}

func (n *node) isList() bool { return strings.HasPrefix(n.param.Type, "array<") }

// element is the type of a list's elements or of a map's values.
func element(typ string) string {
	if inner, ok := strings.CutPrefix(typ, "array<"); ok {
		return strings.TrimSuffix(inner, ">")
	}
	if inner, ok := strings.CutPrefix(typ, "map<string,"); ok {
		return strings.TrimSuffix(inner, ">")
	}
	return ""
}

// free reports whether an object may hold anything, because no source says what
// it holds.
func (n *node) free() bool { return len(n.children) == 0 }

func tree(params []Parameter) (*node, error) {
	root := &node{}
	byName := map[string]*node{"": root}
	for i := range params {
		p := &params[i]
		n := &node{param: p}
		if byName[p.Name] != nil {
			return nil, fmt.Errorf("parameter %q stands twice", p.Name)
		}
		parent := ""
		if p.In == "body" {
			if dot := strings.LastIndexByte(p.Name, '.'); dot >= 0 {
				parent = strings.TrimSuffix(p.Name[:dot], "[]")
			}
		}
		above := byName[parent]
		if above == nil {
			return nil, fmt.Errorf("parameter %q stands before its parent %q", p.Name, parent)
		}
		above.children = append(above.children, n)
		byName[p.Name] = n
	}
	return root, nil
}
