package operations

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Argument is one parameter as a user gives it.
type Argument struct{ Name, Value string }

// Request is a request that may be sent.
type Request struct {
	Operation *Operation
	Values    map[string]any // path, query and header parameters: a string, or a list of them
	Body      map[string]any // nil when there is none
}

// Text gives the value of a parameter that is one text, "" when it is not given.
func (r *Request) Text(name string) string {
	s, _ := r.Values[name].(string)
	return s
}

// Data is the request as traps see it: path, query, header and body.
func (r *Request) Data() map[string]any {
	d := map[string]any{"path": map[string]any{}, "query": map[string]any{}, "header": map[string]any{}, "body": map[string]any{}}
	for _, p := range r.Operation.Parameters {
		if v, ok := r.Values[p.Name]; ok && p.In != "body" {
			d[p.In].(map[string]any)[p.Name] = v
		}
	}
	if r.Body != nil {
		d["body"] = r.Body
	}
	return d
}

// filled reports whether a parameter is left to whoever sends the request.
func filled(p *Parameter) bool {
	return p.Name == "project_id" && p.In == "path" || p.Name == "X-Auth-Token"
}

// Flags writes the request as hcloud takes it, in the catalogue's order. It
// reports false when hcloud's grammar cannot say it, so that a file has to.
func (r *Request) Flags() ([]string, bool) {
	var flags []string
	plain := true
	add := func(name, value string) {
		if strings.HasSuffix(value, `"`) {
			plain = false // hcloud takes the quotation mark for its own
		}
		flags = append(flags, "--"+name+"="+value)
	}
	for _, n := range r.Operation.root.children {
		if n.param.In == "body" {
			if v, ok := r.Body[n.last()]; ok {
				plain = flatten(n, n.last(), v, add) && plain
			}
			continue
		}
		switch v := r.Values[n.param.Name].(type) {
		case string:
			add(n.param.Name, v)
		case []any:
			for i, e := range v {
				add(n.param.Name+"."+strconv.Itoa(i+1), fmt.Sprint(e))
			}
		}
	}
	return flags, plain
}

// flatten writes a value of the body as flags.
func flatten(n *node, name string, v any, add func(name, value string)) bool {
	switch v := v.(type) {
	case map[string]any:
		if len(v) == 0 {
			add(name, "{}")
		}
		// Of an object whose fields nobody states, flags would lose the types.
		ok := len(v) == 0 || n != nil && (strings.Contains(n.param.Type, "map<") || !n.free())
		for _, key := range ordered(n, v) {
			ok = ok && !strings.ContainsAny(key, ".= ")
			ok = flatten(below(n, key), name+"."+key, v[key], add) && ok
		}
		return ok
	case []any:
		if len(v) == 0 {
			add(name, "[]")
		}
		ok := true
		for i, e := range v {
			ok = flatten(n, name+"."+strconv.Itoa(i+1), e, add) && ok
		}
		return ok
	case nil:
		return false // no flag says null
	default:
		add(name, scalar(v))
		return true
	}
}

func below(n *node, key string) *node {
	if n == nil {
		return nil
	}
	return n.child(key)
}

// ordered lists the keys of an object as the catalogue orders them, then the
// rest by name.
func ordered(n *node, v map[string]any) []string {
	rank := map[string]int{}
	if n != nil {
		for i, c := range n.children {
			rank[c.last()] = i + 1
		}
	}
	keys := make([]string, 0, len(v))
	for k := range v {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int {
		ra, rb := rank[a], rank[b]
		switch {
		case ra != 0 && rb != 0:
			return ra - rb
		case ra != 0:
			return -1
		case rb != 0:
			return 1
		}
		return strings.Compare(a, b)
	})
	return keys
}

func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return fmt.Sprint(v)
}

// Input writes the request as the file that hcloud reads with --cli-jsonInput.
func (r *Request) Input() ([]byte, error) {
	d := r.Data()
	for _, part := range []string{"path", "query", "header"} {
		if len(d[part].(map[string]any)) == 0 {
			delete(d, part)
		}
	}
	if r.Body == nil {
		delete(d, "body")
	}
	return marshal(d)
}

// JSON writes the body, nil when there is none.
func (r *Request) JSON() ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	return marshal(r.Body)
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Query gives the query's parameters.
func (r *Request) Query() url.Values {
	q := url.Values{}
	for _, p := range r.Operation.Parameters {
		if p.In != "query" {
			continue
		}
		switch v := r.Values[p.Name].(type) {
		case string:
			q.Set(p.Name, v)
		case []any:
			for _, e := range v {
				q.Add(p.Name, fmt.Sprint(e))
			}
		}
	}
	return q
}

// Headers gives the parameters that are sent as headers.
func (r *Request) Headers() map[string]string {
	h := map[string]string{}
	for _, p := range r.Operation.Parameters {
		if v := r.Text(p.Name); p.In == "header" && v != "" {
			h[p.Name] = v
		}
	}
	return h
}

// Has reports whether a parameter is given, by its dotted name.
func (r *Request) Has(name string) bool {
	if _, ok := r.Values[name]; ok {
		return true
	}
	var v any = r.Body
	for _, part := range strings.Split(name, ".") {
		m, _ := v.(map[string]any)
		if v = m[part]; v == nil {
			return false
		}
	}
	return true
}
