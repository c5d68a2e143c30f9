// Command operations writes what the official SDK says of ModelArts's
// operations: path, method and parameters of those in the catalogue, and the
// names of all others.
//
//	go run ./scripts/operations -catalogue DIR [-out FILE]
//
// It reads the SDK's source, because the compiled metadata does not have the
// values of enumerations.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

const sdk = "github.com/huaweicloud/huaweicloud-sdk-go-v3"

func main() {
	log.SetFlags(0)
	log.SetPrefix("operations: ")
	dir := flag.String("catalogue", "plugin/operations/data", "folder of the catalogue")
	out := flag.String("out", "-", "file to write")
	flag.Parse()
	names, err := catalogued(*dir)
	if err != nil {
		log.Fatal(err)
	}
	version, root, err := moduleDir()
	if err != nil {
		log.Fatal(err)
	}
	data, err := generate(version, filepath.Join(root, "services", "modelarts", "v1"), names)
	if err != nil {
		log.Fatal(err)
	}
	if *out == "-" {
		os.Stdout.Write(data)
		return
	}
	if err := os.WriteFile(*out, data, 0o644); err != nil {
		log.Fatal(err)
	}
}

// catalogued lists the operations of the catalogue that do not state a path of
// their own: the SDK states it.
func catalogued(dir string) ([]string, error) {
	var general struct{ Domains []string }
	if err := decode(filepath.Join(dir, "catalogue.yaml"), &general); err != nil {
		return nil, err
	}
	var names []string
	for _, domain := range general.Domains {
		var list []struct{ Operation, Path string }
		if err := decode(filepath.Join(dir, domain+".yaml"), &list); err != nil {
			return nil, err
		}
		for _, o := range list {
			if o.Path == "" {
				names = append(names, o.Operation)
			}
		}
	}
	return names, nil
}

func decode(file string, into any) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := yaml.Load(data, into); err != nil {
		return fmt.Errorf("reading %s: %w", file, err)
	}
	return nil
}

// moduleDir finds the version of the SDK that this module requires.
func moduleDir() (version, dir string, err error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Version}} {{.Dir}}", sdk).Output()
	if err != nil {
		if ee, ok := errors.AsType[*exec.ExitError](err); ok {
			return "", "", fmt.Errorf("finding %s: %s", sdk, ee.Stderr)
		}
		return "", "", err
	}
	version, dir, ok := strings.Cut(strings.TrimSpace(string(out)), " ")
	if !ok {
		return "", "", fmt.Errorf("finding %s: it is not downloaded: run go mod download", sdk)
	}
	return version, dir, nil
}

// operation is one entry of the file.
type operation struct {
	Name       string      `json:"name"`
	Method     string      `json:"method"`
	Path       string      `json:"path"`
	Parameters []parameter `json:"parameters"`
}

type parameter struct {
	Name     string   `json:"name"`
	In       string   `json:"in"`
	Type     string   `json:"type"`
	Required bool     `json:"required,omitempty"`
	Values   []string `json:"values,omitempty"`
}

func generate(version, dir string, names []string) ([]byte, error) {
	s := &source{structs: map[string]*ast.StructType{}, enums: map[string][]string{}}
	if err := s.load(filepath.Join(dir, "model")); err != nil {
		return nil, err
	}
	metas, err := requests(filepath.Join(dir, "modelArts_meta.go"))
	if err != nil {
		return nil, err
	}
	var ops []operation
	for _, name := range names {
		i := slices.IndexFunc(metas, func(m meta) bool { return m.name == name })
		if i < 0 {
			return nil, fmt.Errorf("the SDK has no operation %q", name)
		}
		op, err := s.operation(metas[i])
		if err != nil {
			return nil, fmt.Errorf("operation %q: %w", name, err)
		}
		ops = append(ops, op)
	}
	var others []string
	for _, m := range metas {
		if !slices.Contains(names, m.name) {
			others = append(others, m.name)
		}
	}
	return render(version, ops, others)
}

// render writes one parameter a line, so that a change of the SDK shows as a
// change of lines.
func render(version string, ops []operation, others []string) ([]byte, error) {
	var b bytes.Buffer
	line := func(v any) string {
		var one bytes.Buffer
		enc := json.NewEncoder(&one)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			panic(err) // strings and numbers only
		}
		return strings.TrimSpace(one.String())
	}
	fmt.Fprintf(&b, "{\n\"sdk\": %s,\n\"operations\": [\n", line(sdk+" "+version))
	for i, op := range ops {
		fmt.Fprintf(&b, "{\"name\": %s, \"method\": %s, \"path\": %s, \"parameters\": [\n", line(op.Name), line(op.Method), line(op.Path))
		for j, p := range op.Parameters {
			fmt.Fprintf(&b, "  %s%s\n", line(p), comma(j, len(op.Parameters)))
		}
		fmt.Fprintf(&b, "]}%s\n", comma(i, len(ops)))
	}
	fmt.Fprintf(&b, "],\n\"others\": [\n")
	for i, name := range others {
		fmt.Fprintf(&b, "  %s%s\n", line(name), comma(i, len(others)))
	}
	b.WriteString("]\n}\n")
	if !json.Valid(b.Bytes()) {
		return nil, errors.New("the file that was made is no JSON")
	}
	return b.Bytes(), nil
}

func comma(i, n int) string {
	if i < n-1 {
		return ","
	}
	return ""
}

// meta is what the SDK's metadata says of one request.
type meta struct {
	name, method, path string
	fields             []field
}

type field struct{ name, tag, in string }

var (
	function = regexp.MustCompile(`(?m)^func GenReqDefFor(\w+)\(\)(?s:.*?)\n}\n`)
	method   = regexp.MustCompile(`WithMethod\(http\.Method(\w+)\)`)
	path     = regexp.MustCompile(`WithPath\("([^"]+)"\)`)
	request  = regexp.MustCompile(`WithRequestField\(def\.NewFieldDef\(\)\.\s*WithName\("(\w+)"\)\.\s*(?:WithJsonTag\("([^"]+)"\)\.\s*)?WithLocationType\(def\.(\w+)\)`)
)

// requests reads the metadata, which is generated and has one form throughout.
func requests(file string) ([]meta, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all []meta
	for _, m := range function.FindAllStringSubmatch(string(data), -1) {
		one := meta{name: m[1]}
		verb, route := method.FindStringSubmatch(m[0]), path.FindStringSubmatch(m[0])
		if verb == nil || route == nil {
			return nil, fmt.Errorf("%s: %s has no method or path", file, m[1])
		}
		one.method, one.path = strings.ToUpper(verb[1]), route[1]
		for _, f := range request.FindAllStringSubmatch(m[0], -1) {
			one.fields = append(one.fields, field{f[1], f[2], strings.ToLower(f[3])})
		}
		all = append(all, one)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s holds no operation", file)
	}
	return all, nil
}

// source is the SDK's model package.
type source struct {
	structs map[string]*ast.StructType
	enums   map[string][]string // values of the types that are enumerations
}

func (s *source) load(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for _, file := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				if st, ok := spec.Type.(*ast.StructType); ok {
					s.structs[spec.Name.Name] = st
				}
			}
			if lit, ok := n.(*ast.CompositeLit); ok {
				s.value(lit)
			}
			return true
		})
	}
	return nil
}

// value notes one value of an enumeration, which the SDK writes as
// T{value: "v"}.
func (s *source) value(lit *ast.CompositeLit) {
	id, ok := lit.Type.(*ast.Ident)
	if !ok || len(lit.Elts) != 1 {
		return
	}
	kv, ok := lit.Elts[0].(*ast.KeyValueExpr)
	if !ok {
		return
	}
	key, ok := kv.Key.(*ast.Ident)
	if !ok || key.Name != "value" {
		return
	}
	if b, ok := kv.Value.(*ast.BasicLit); ok {
		v := b.Value
		if b.Kind == token.STRING {
			v, _ = strconv.Unquote(b.Value)
		}
		s.enums[id.Name] = append(s.enums[id.Name], v)
	}
}

func (s *source) operation(m meta) (operation, error) {
	op := operation{Name: m.name, Method: m.method, Path: m.path}
	if strings.Contains(m.path, "{project_id}") {
		op.Parameters = append(op.Parameters, parameter{Name: "project_id", In: "path", Type: "string", Required: true})
	}
	st, ok := s.structs[m.name+"Request"]
	if !ok {
		return op, errors.New("it has no request type")
	}
	for _, f := range m.fields {
		i := slices.IndexFunc(st.Fields.List, func(x *ast.Field) bool { return len(x.Names) == 1 && x.Names[0].Name == f.name })
		if i < 0 {
			return op, fmt.Errorf("its request type has no field %q", f.name)
		}
		def := st.Fields.List[i]
		if f.in == "body" {
			list, err := s.body("", def.Type, nil)
			if err != nil {
				return op, err
			}
			op.Parameters = append(op.Parameters, list...)
			continue
		}
		p, err := s.parameter(def, f.tag, f.in)
		if err != nil {
			return op, err
		}
		op.Parameters = append(op.Parameters, p)
	}
	return op, nil
}

// parameter describes one field.
func (s *source) parameter(f *ast.Field, name, in string) (parameter, error) {
	p := parameter{Name: name, In: in, Required: required(f)}
	var err error
	if p.Type, p.Values, err = s.typeOf(f.Type); err != nil {
		return p, fmt.Errorf("parameter %q: %w", name, err)
	}
	return p, nil
}

// body lists the fields of a body and, below each, those of its type; open
// holds the types that are being listed, because some hold themselves.
func (s *source) body(prefix string, t ast.Expr, open []string) ([]parameter, error) {
	name := elem(t)
	st, ok := s.structs[name]
	if !ok {
		return nil, fmt.Errorf("the body's type %q is not a structure", name)
	}
	if slices.Contains(open, name) {
		return nil, nil
	}
	open = append(open, name)
	var list []parameter
	for _, f := range st.Fields.List {
		tag, _, _ := strings.Cut(jsonTag(f), ",")
		if tag == "" || tag == "-" {
			continue
		}
		p, err := s.parameter(f, prefix+tag, "body")
		if err != nil {
			return nil, err
		}
		list = append(list, p)
		below := p.Name + "."
		switch p.Type {
		case "object":
		case "array<object>":
			below = p.Name + "[]."
		default:
			continue
		}
		if _, ok := s.structs[elem(f.Type)]; !ok {
			continue // an object of any form
		}
		more, err := s.body(below, f.Type, open)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

func required(f *ast.Field) bool {
	return !strings.Contains(jsonTag(f), "omitempty")
}

func jsonTag(f *ast.Field) string {
	if f.Tag == nil {
		return ""
	}
	return reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json")
}

// elem names the type behind pointers and lists.
func elem(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return elem(t.X)
	case *ast.ArrayType:
		return elem(t.Elt)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

var simple = map[string]string{
	"string": "string", "int32": "integer", "int64": "integer64", "bool": "boolean",
	"float32": "number", "float64": "number",
}

// typeOf words a Go type as the catalogue does.
func (s *source) typeOf(t ast.Expr) (name string, values []string, err error) {
	switch t := t.(type) {
	case *ast.StarExpr:
		return s.typeOf(t.X)
	case *ast.ArrayType:
		name, values, err = s.typeOf(t.Elt)
		return "array<" + name + ">", values, err
	case *ast.MapType:
		name, values, err = s.typeOf(t.Value)
		return "map<string," + name + ">", values, err
	case *ast.InterfaceType:
		return "object", nil, nil
	case *ast.Ident:
		if n, ok := simple[t.Name]; ok {
			return n, nil, nil
		}
		if v, ok := s.enums[t.Name]; ok {
			return "enum", v, nil
		}
		if _, ok := s.structs[t.Name]; ok {
			return "object", nil, nil
		}
	}
	return "", nil, fmt.Errorf("a type that the catalogue has no word for: %T", t)
}
