package operations

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"hcloud-modelarts/analyzer/lazy"
)

// Problem is what is wrong with a request.
type Problem struct {
	Code  string // one of the codes below
	Name  string // the parameter as it was given, lists counted from 1
	Value string
	Want  string // what is right: a name, a form, the values, a bound
	Form  Text   // in words, where the catalogue has them
	Doubt bool   // sources disagree: it may be right all the same
}

// The codes of problems.
const (
	Unknown  = "unknown"  // no such parameter; Want names the nearest, if one is near
	Outdated = "outdated" // a name that circulates and does not exist; Want is the right form, "-" for none
	Missing  = "missing"  // a required parameter; Want is its type
	BadType  = "type"     // Want is the type
	BadValue = "value"    // Want lists the values
	TooSmall = "small"    // Want is the bound
	TooLarge = "large"    // Want is the bound
	TooLong  = "long"     // Want is the number of characters
	BadForm  = "form"     // Want is the expression, Form says it in words
	BadIndex = "index"    // lists count from 1 without gaps; Want is the right name
	TooMany  = "many"     // Want is the number of pairs
	BadKey   = "key"      // a key of a map; Want is the expression, Form says it in words
	Twice    = "twice"    // given two times
	BadJSON  = "json"     // the body is no JSON object; Form says why
	NoBody   = "nobody"   // a body for an operation that takes none
)

// Build makes the request that arguments and, if it is not empty, a JSON body
// describe; the body may stand in an envelope as hcloud's own input files have
// it. An argument wins over the body. All problems are told at once; when one
// of them is no mere doubt the request must not be sent.
func (o *Operation) Build(args []Argument, body []byte) (*Request, []Problem) {
	b := &builder{op: o, req: &Request{Operation: o, Values: map[string]any{}}}
	if len(bytes.TrimSpace(body)) > 0 {
		b.decode(body)
	}
	seen := map[string]bool{}
	for _, a := range args {
		if seen[a.Name] && !b.repeats(a.Name) {
			b.add(Problem{Code: Twice, Name: a.Name})
			continue
		}
		if !seen[a.Name] && b.repeats(a.Name) {
			delete(b.req.Values, a.Name)
		}
		seen[a.Name] = true
		if !utf8.ValidString(a.Name + a.Value) {
			b.add(Problem{Code: BadForm, Name: a.Name, Value: a.Value, Form: inUTF8}) // JSON would carry another value
			continue
		}
		b.argument(a)
	}
	b.check()
	return b.req, b.problems
}

// Fatal reports whether a problem among these forbids to send the request.
func Fatal(problems []Problem) bool {
	return slices.ContainsFunc(problems, func(p Problem) bool { return !p.Doubt })
}

type builder struct {
	op       *Operation
	req      *Request
	problems []Problem
}

func (b *builder) add(p Problem) { b.problems = append(b.problems, p) }

// repeats reports whether an argument may be given again: each adds an element.
func (b *builder) repeats(name string) bool {
	n := b.op.root.child(name)
	return n != nil && n.isList() && n.param.In != "body"
}

// envelope are the parts of hcloud's input files.
var envelope = []string{"path", "query", "body", "header", "formData", "cookie"}

func (b *builder) decode(data []byte) {
	doc, problem := objectIn(data)
	if problem != nil {
		b.add(*problem)
		return
	}
	if !b.enveloped(doc) {
		b.setBody(doc)
		return
	}
	for _, part := range envelope {
		inner, ok := doc[part]
		if !ok {
			continue
		}
		fields, ok := inner.(map[string]any)
		if !ok {
			b.add(Problem{Code: BadType, Name: part, Want: "object"})
			continue
		}
		if part == "body" {
			b.setBody(fields)
			continue
		}
		for _, name := range ordered(b.op.root, fields) {
			n := b.op.root.child(name)
			if n == nil || n.param.In != part {
				b.unknown(name)
				continue
			}
			b.req.Values[name] = text(fields[name])
		}
	}
	for _, name := range ordered(b.op.root, doc) {
		switch n := b.op.root.child(name); {
		case slices.Contains(envelope, name):
		case n != nil && n.param.In != "body":
			b.req.Values[name] = text(doc[name])
		default: // it belongs into the body, or nowhere
			b.add(Problem{Code: Unknown, Name: name})
		}
	}
}

// objectIn reads the one JSON object that a text is, with or without a byte order
// mark.
func objectIn(data []byte) (map[string]any, *Problem) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(data) {
		return nil, &Problem{Code: BadJSON, Form: Text{ZH: "文件编码不是 UTF-8", EN: "it is not in UTF-8"}} // the decoder would change what it cannot read
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var doc map[string]any
	err := dec.Decode(&doc)
	if err == nil {
		if _, more := dec.Token(); more != io.EOF {
			err = errMore
		}
	}
	if err != nil || doc == nil {
		return nil, &Problem{Code: BadJSON, Form: whyNoObject(err)}
	}
	return doc, nil
}

var errMore = errors.New("something stands after the object")

// jsonKinds are the kinds of JSON values as the decoder calls them.
var jsonKinds = map[string]Text{
	"array": {ZH: "列表", EN: "a list"}, "string": {ZH: "字符串", EN: "a string"},
	"number": {ZH: "数字", EN: "a number"}, "bool": {ZH: "布尔值", EN: "a boolean"},
}

// whyNoObject words why a text is no JSON object; the error is nil for null.
func whyNoObject(err error) Text {
	if err == nil {
		return Text{ZH: "内容是 null", EN: "it is null"}
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if t, ok := jsonKinds[strings.Fields(kind.Value + " ")[0]]; ok {
			return Text{ZH: "内容是" + t.ZH, EN: "it is " + t.EN}
		}
	}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		at := strconv.FormatInt(syntax.Offset, 10)
		return Text{ZH: "第 " + at + " 字节处语法有误", EN: "its syntax is wrong at byte " + at}
	}
	if errors.Is(err, errMore) {
		return Text{ZH: "对象之后还有其他内容", EN: errMore.Error()}
	}
	return Text{ZH: "内容不完整", EN: "it ends too early"}
}

// text turns a JSON value into what path, query and headers carry.
func text(v any) any {
	if list, ok := v.([]any); ok {
		out := make([]any, len(list))
		for i, e := range list {
			out[i] = scalar(e)
		}
		return out
	}
	return scalar(v)
}

// enveloped reports whether a document is an input file of hcloud rather than a
// body: it has nothing but the envelope's keys, which no body begins with, or at
// least an object under "body" that the operation does not know.
func (b *builder) enveloped(doc map[string]any) bool {
	if len(doc) == 0 {
		return false
	}
	if _, ok := doc["body"].(map[string]any); ok && b.op.root.child("body") == nil {
		return true
	}
	for key := range doc {
		if n := b.op.root.child(key); !slices.Contains(envelope, key) || n != nil && n.param.In == "body" {
			return false
		}
	}
	return true
}

func (b *builder) setBody(doc map[string]any) {
	for key, v := range doc {
		n := b.op.root.child(key)
		if n != nil && n.param.In != "body" { // written flat, without the envelope
			b.req.Values[key] = text(v)
			delete(doc, key)
		}
	}
	if !b.op.takesBody() {
		if len(doc) > 0 {
			b.add(Problem{Code: NoBody})
		}
		return
	}
	b.req.Body = doc
}

func (o *Operation) takesBody() bool {
	return slices.ContainsFunc(o.Parameters, func(p Parameter) bool { return p.In == "body" })
}

func (b *builder) argument(a Argument) {
	parts := strings.Split(a.Name, ".")
	n := b.op.root.child(parts[0])
	if n == nil {
		b.unknown(a.Name)
		return
	}
	if n.param.In != "body" {
		b.outside(n, a, parts[1:])
		return
	}
	if b.req.Body == nil {
		b.req.Body = map[string]any{}
	}
	v, p := place(n, false, b.req.Body[parts[0]], parts[1:], a)
	if p != nil {
		if p.Code == Unknown {
			b.unknown(a.Name)
			return
		}
		b.add(*p)
		return
	}
	b.req.Body[parts[0]] = v
}

// outside takes an argument that is sent outside the body.
func (b *builder) outside(n *node, a Argument, rest []string) {
	name := n.param.Name
	switch {
	case len(rest) == 0 && !n.isList():
		b.req.Values[name] = a.Value
	case len(rest) == 0:
		list, _ := b.req.Values[name].([]any)
		b.req.Values[name] = append(list, any(a.Value))
	case len(rest) == 1 && n.isList():
		list, _ := b.req.Values[name].([]any)
		list, p := at(list, rest[0], a.Name, name)
		if p != nil {
			b.add(*p)
			return
		}
		i, _ := strconv.Atoi(rest[0])
		list[i-1] = a.Value
		b.req.Values[name] = list
	default:
		b.unknown(a.Name)
	}
}

// maxIndex bounds lists that arguments make.
const maxIndex = 10000

// at makes room for the element of that number.
func at(list []any, index, given, name string) ([]any, *Problem) {
	i, err := strconv.Atoi(index)
	if err != nil || i < 1 || i > maxIndex {
		return list, &Problem{Code: BadIndex, Name: given, Want: name + ".1"}
	}
	for len(list) < i {
		list = append(list, nil)
	}
	return list, nil
}

// place puts an argument's value where its name says, below what is there
// already; inside says that n's list has been entered.
func place(n *node, inside bool, have any, rest []string, a Argument) (any, *Problem) {
	typ := n.param.Type
	if inside {
		typ = element(typ)
	}
	switch {
	case len(rest) == 0:
		v, ok := parse(typ, a.Value)
		if !ok {
			return nil, &Problem{Code: BadType, Name: a.Name, Value: a.Value, Want: typ}
		}
		return v, nil
	case strings.HasPrefix(typ, "array<"):
		list, _ := have.([]any)
		right := strings.TrimSuffix(a.Name, "."+strings.Join(rest, "."))
		list, p := at(list, rest[0], a.Name, right)
		if p != nil {
			if _, err := strconv.Atoi(rest[0]); err != nil {
				p.Want = right + ".1." + strings.Join(rest, ".")
			}
			return nil, p
		}
		i, _ := strconv.Atoi(rest[0])
		v, p := place(n, true, list[i-1], rest[1:], a)
		if p != nil {
			return nil, p
		}
		list[i-1] = v
		return list, nil
	case strings.HasPrefix(typ, "map<"):
		m := object(have)
		v, ok := parse(element(typ), a.Value)
		if !ok {
			return nil, &Problem{Code: BadType, Name: a.Name, Value: a.Value, Want: element(typ)}
		}
		m[strings.Join(rest, ".")] = v
		return m, nil
	case typ == "object":
		c := n.child(rest[0])
		if c == nil {
			return nil, &Problem{Code: Unknown, Name: a.Name}
		}
		m := object(have)
		v, p := place(c, false, m[rest[0]], rest[1:], a)
		if p != nil {
			return nil, p
		}
		m[rest[0]] = v
		return m, nil
	}
	return nil, &Problem{Code: Unknown, Name: a.Name}
}

func object(have any) map[string]any {
	if m, ok := have.(map[string]any); ok {
		return m
	}
	return map[string]any{}
}

var (
	integer = lazy.Regexp(`^-?(0|[1-9][0-9]*)$`)
	decimal = lazy.Regexp(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)
)

// parse reads a value of a type from an argument. A list of plain values may be
// given as one of them.
func parse(typ, s string) (any, bool) {
	switch typ {
	case "string", "enum":
		return s, true
	case "integer", "integer64":
		return json.Number(s), integer().MatchString(s)
	case "number":
		return json.Number(s), decimal().MatchString(s)
	case "boolean":
		return s == "true", s == "true" || s == "false"
	}
	want := byte('{')
	if strings.HasPrefix(typ, "array<") {
		want = '['
	}
	t := strings.TrimSpace(s)
	if t == "" || t[0] != want {
		if e := element(typ); want == '[' && (e == "string" || e == "enum" || strings.HasPrefix(e, "integer")) {
			v, ok := parse(e, s)
			return []any{v}, ok
		}
		return nil, false
	}
	dec := json.NewDecoder(strings.NewReader(t))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, false
	}
	_, err := dec.Token()
	return v, err == io.EOF
}

// check goes through the whole request.
func (b *builder) check() {
	for _, n := range b.op.root.children {
		p := n.param
		if p.In == "body" || filled(p) {
			continue
		}
		switch v := b.req.Values[p.Name].(type) {
		case nil:
			if p.Required {
				b.add(Problem{Code: Missing, Name: p.Name, Want: p.Type})
			}
		case string:
			b.outsideValue(n, p.Name, p.Type, v)
		case []any:
			for i, e := range v {
				name := p.Name + "." + strconv.Itoa(i+1)
				if e == nil {
					b.add(Problem{Code: BadIndex, Name: name, Want: p.Name + ".1"})
					continue
				}
				b.outsideValue(n, name, element(p.Type), fmt.Sprint(e))
			}
		}
	}
	if b.req.Body != nil || b.op.takesBody() {
		if b.req.Body == nil {
			b.req.Body = map[string]any{}
		}
		b.children(b.op.root.children, "", b.req.Body)
	}
}

var inUTF8 = Text{ZH: "UTF-8 编码的文本", EN: "text in UTF-8"}

var plainSegment = Text{ZH: "不含 / \\ ? # % 的名称", EN: `a name without / \ ? # %`}

func (b *builder) outsideValue(n *node, name, typ, v string) {
	parsed, ok := parse(typ, v)
	switch {
	case n.param.In == "path" && v == "":
		b.add(Problem{Code: Missing, Name: name, Want: n.param.Type})
	case n.param.In == "path" && (strings.Trim(v, ".") == "" || strings.ContainsAny(v, "/\\?#%") || strings.ContainsFunc(v, unicode.IsControl)):
		b.add(Problem{Code: BadForm, Name: name, Value: v, Form: plainSegment}) // it would change the path
	case !ok:
		b.add(Problem{Code: BadType, Name: name, Value: v, Want: typ})
	default:
		b.limits(n.param, name, parsed)
	}
}

// children checks the fields of an object.
func (b *builder) children(nodes []*node, prefix string, v map[string]any) {
	known := map[string]bool{}
	for _, n := range nodes {
		if n.param.In != "body" {
			continue
		}
		key := n.last()
		known[key] = true
		e, given := v[key]
		if !given || e == nil {
			if n.param.Required {
				b.missing(n, prefix+key)
			}
			continue
		}
		b.value(n, n.param.Type, prefix+key, e)
	}
	for _, key := range ordered(nil, v) {
		if !known[key] {
			b.unknown(prefix + key)
		}
	}
}

// missing tells that a required parameter is not given; of an object, those in
// it that are required, because they are what one types.
func (b *builder) missing(n *node, name string) {
	within := slices.ContainsFunc(n.children, func(c *node) bool { return c.param.Required })
	if n.param.Type != "object" || !within {
		b.add(Problem{Code: Missing, Name: name, Want: n.param.Type})
		return
	}
	for _, c := range n.children {
		if c.param.Required {
			b.missing(c, name+"."+c.last())
		}
	}
}

// value checks one value of the body against its type and limits.
func (b *builder) value(n *node, typ, name string, v any) {
	switch v := v.(type) {
	case map[string]any:
		switch {
		case typ == "object" && n.free():
		case typ == "object":
			b.children(n.children, name+".", v)
		case strings.HasPrefix(typ, "map<"):
			b.pairs(n, typ, name, v)
		default:
			b.add(Problem{Code: BadType, Name: name, Value: "{…}", Want: typ})
		}
	case []any:
		if !strings.HasPrefix(typ, "array<") {
			b.add(Problem{Code: BadType, Name: name, Value: "[…]", Want: typ})
			return
		}
		if len(v) == 0 && n.param.Required {
			b.add(Problem{Code: Missing, Name: name + ".1", Want: element(typ)})
		}
		for i, e := range v {
			at := name + "." + strconv.Itoa(i+1)
			if e == nil {
				b.add(Problem{Code: BadIndex, Name: at, Want: name + ".1"})
				continue
			}
			b.value(n, element(typ), at, e)
		}
	default:
		if !plain(typ, v) {
			b.add(Problem{Code: BadType, Name: name, Value: scalar(v), Want: typ})
			return
		}
		b.limits(n.param, name, v)
	}
}

// pairs checks a map.
func (b *builder) pairs(n *node, typ, name string, v map[string]any) {
	l := n.param.Limit
	if l.Count > 0 && len(v) > l.Count {
		b.add(Problem{Code: TooMany, Name: name, Value: strconv.Itoa(len(v)), Want: strconv.Itoa(l.Count)})
	}
	for _, key := range ordered(nil, v) {
		switch {
		case l.KeyLength > 0 && utf8.RuneCountInString(key) > l.KeyLength:
			b.add(Problem{Code: TooLong, Name: name, Value: key, Want: strconv.Itoa(l.KeyLength)})
		case l.Keys != "" && !matches(l.Keys, key):
			b.add(Problem{Code: BadKey, Name: name, Value: key, Want: l.Keys, Form: l.Form})
		}
		b.value(n, element(typ), name+"."+key, v[key])
	}
}

// plain reports whether a value that is no object and no list has the type.
func plain(typ string, v any) bool {
	switch v := v.(type) {
	case string:
		return typ == "string" || typ == "enum"
	case bool:
		return typ == "boolean"
	case json.Number:
		return typ == "number" || strings.HasPrefix(typ, "integer") && integer().MatchString(v.String())
	}
	return false
}

// limits checks a plain value against what the catalogue says of it.
func (b *builder) limits(p *Parameter, name string, v any) {
	l := p.Limit
	s := scalar(v)
	problem := Problem{Name: name, Value: s, Doubt: l.Advisory}
	if len(p.Values) > 0 && !slices.Contains(p.Values, s) {
		problem.Code, problem.Want = BadValue, strings.Join(p.Values, ", ")
		b.add(problem)
		return
	}
	if num, ok := v.(json.Number); ok {
		i, err := strconv.ParseInt(num.String(), 10, 64)
		tooWide := err != nil && integer().MatchString(num.String()) || p.Type == "integer" && i != int64(int32(i))
		switch {
		case l.Min != nil && err == nil && i < *l.Min:
			problem.Code, problem.Want = TooSmall, strconv.FormatInt(*l.Min, 10)
		case l.Max != nil && err == nil && i > *l.Max:
			problem.Code, problem.Want = TooLarge, strconv.FormatInt(*l.Max, 10)
		case tooWide:
			problem.Code, problem.Want = BadType, p.Type
		default:
			return
		}
		b.add(problem)
		return
	}
	if l.Length > 0 && utf8.RuneCountInString(s) > l.Length {
		problem.Code, problem.Want = TooLong, strconv.Itoa(l.Length)
		b.add(problem)
	}
	if l.Pattern != "" && !matches(l.Pattern, s) {
		problem.Code, problem.Want, problem.Form = BadForm, l.Pattern, l.Form
		b.add(problem)
	}
}

func matches(pattern, s string) bool {
	return regexp.MustCompile(`^(?:` + pattern + `)$`).MatchString(s)
}
