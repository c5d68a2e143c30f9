package main

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// mutant is one change of the code.
type mutant struct {
	id, place              int // the place is the id of the first mutant there
	file, fn, code, change string
	line                   int
}

// key names a mutant whatever is written above it in its file.
func (m mutant) key() string { return strings.Join([]string{m.file, m.fn, m.code, m.change}, "\t") }

// rewritten is a package that holds all its mutants, asleep.
type rewritten struct {
	dir     string
	path    string            // of the package within the module
	files   map[string]string // new texts by base name
	mutants []mutant
}

//go:embed hooks.txt
var hooks string

// rewrite puts the mutants into the files of the package at dir whose names begin
// with one of the prefixes, or into all files.
func rewrite(dir string, prefixes []string) (*rewritten, error) {
	p, exports, err := dependencies(dir)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.names {
		f, err := parser.ParseFile(fset, filepath.Join(p.dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	read := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	if _, err := (&types.Config{Importer: read}).Check(p.path, fset, files, info); err != nil {
		return nil, err
	}
	_, path, _ := strings.Cut(p.path, "/")
	r := &rewritten{dir: p.dir, path: path, files: map[string]string{"zz_hooks.go": "package " + files[0].Name.Name + "\n" + hooks}}
	for i, f := range files {
		name := p.names[i]
		if len(prefixes) > 0 && !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) }) {
			continue
		}
		src, err := os.ReadFile(filepath.Join(p.dir, name))
		if err != nil {
			return nil, err
		}
		w := &writer{r: r, info: info, src: src, name: name, file: fset.File(f.Pos())}
		for _, d := range f.Decls {
			w.fn = declared(d)
			w.walk(d, nil)
		}
		r.files[name] = w.text()
	}
	return r, nil
}

// listed is a package as the go command lists it.
type listed struct {
	dir, path string
	names     []string // of its files
}

// dependencies gives the package at dir, and the files with the compiled forms of
// those that it imports.
func dependencies(dir string) (p listed, exports map[string]string, err error) {
	list := exec.Command("go", "list", "-export", "-deps", "-f", `{{.Dir}}|{{.ImportPath}}|{{.Export}}|{{join .GoFiles " "}}`, ".")
	list.Dir, list.Stderr = dir, os.Stderr
	out, err := list.Output()
	if err != nil {
		return p, nil, fmt.Errorf("list what %q imports: %w", dir, err)
	}
	exports = map[string]string{}
	for line := range strings.Lines(string(out)) { // the package itself comes last
		f := strings.Split(strings.TrimSpace(line), "|")
		p = listed{f[0], f[1], strings.Fields(f[3])}
		exports[p.path] = f[2]
	}
	return p, exports, nil
}

// declared names a declaration: a function, Type.Method, or the first variable.
func declared(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return d.Name.Name
		}
		return strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*") + "." + d.Name.Name
	case *ast.GenDecl:
		if v, ok := d.Specs[0].(*ast.ValueSpec); ok {
			return v.Names[0].Name
		}
	}
	return ""
}

// edit is text that takes the place of a stretch of a file.
type edit struct {
	start, end int
	text       string
	closes     bool // stands before what opens at the same place
}

// writer rewrites a file. No line moves.
type writer struct {
	r        *rewritten
	info     *types.Info
	src      []byte
	name, fn string
	file     *token.File
	edits    []edit
	closing  []edit // of the nodes that are being walked
}

func (w *writer) text() string {
	slices.SortStableFunc(w.edits, func(a, b edit) int {
		switch {
		case a.start != b.start || a.closes == b.closes:
			return a.start - b.start
		case a.closes:
			return -1
		}
		return 1
	})
	var b strings.Builder
	at := 0
	for _, e := range w.edits {
		b.Write(w.src[at:e.start])
		b.WriteString(e.text)
		at = e.end
	}
	b.Write(w.src[at:])
	return b.String()
}

// mostCode bounds the code, in characters, that a mutant is named by.
const mostCode = 120

// mutants adds one for each change of a node and gives the id of the first.
func (w *writer) mutants(n ast.Node, changes ...string) int {
	code := strings.Join(strings.Fields(string(w.src[w.file.Offset(n.Pos()):w.file.Offset(n.End())])), " ")
	if r := []rune(code); len(r) > mostCode {
		code = string(r[:mostCode]) + "…"
	}
	place := len(w.r.mutants) + 1
	for i, c := range changes {
		w.r.mutants = append(w.r.mutants, mutant{id: place + i, place: place, file: w.name, fn: w.fn, code: code, change: c, line: w.file.Line(n.Pos())})
	}
	return place
}

// around puts text before and behind a node; what is put around nodes within it
// stands within.
func (w *writer) around(n ast.Node, before, behind string) {
	w.replace(n.Pos(), n.Pos(), before)
	end := w.file.Offset(n.End())
	w.closing = append(w.closing, edit{end, end, behind, true})
}

func (w *writer) replace(from, to token.Pos, text string) {
	w.edits = append(w.edits, edit{w.file.Offset(from), w.file.Offset(to), text, false})
}

func (w *writer) walk(n, parent ast.Node) {
	if d, ok := n.(*ast.GenDecl); ok && d.Tok != token.VAR {
		return
	}
	if e, ok := n.(ast.Expr); ok && w.info.Types[e].IsType() {
		return
	}
	mark := len(w.closing)
	w.change(n, parent)
	ast.Inspect(n, func(c ast.Node) bool {
		if c != nil && c != n {
			w.walk(c, n)
		}
		return c == n
	})
	for ; len(w.closing) > mark; w.closing = w.closing[:len(w.closing)-1] {
		w.edits = append(w.edits, w.closing[len(w.closing)-1])
	}
}

func (w *writer) change(n, parent ast.Node) {
	switch n := n.(type) {
	case *ast.BlockStmt:
		w.statements(n.List)
	case *ast.CommClause:
		w.statements(n.Body)
	case *ast.CaseClause:
		w.statements(n.Body)
		for _, e := range n.List {
			if w.is(e, types.IsBoolean) && w.info.Types[e].Value == nil {
				w.around(e, fmt.Sprintf("zzCase(%d, ", w.mutants(e, "case never")), ")")
			}
		}
	case *ast.IfStmt:
		w.around(n.Cond, fmt.Sprintf("zzIf(%d, ", w.mutants(n.Cond, "if false", "if true")), ")")
	case *ast.BinaryExpr:
		if w.info.Types[n].Value == nil {
			w.binary(n)
		}
	case *ast.UnaryExpr:
		if n.Op == token.NOT {
			w.around(n, fmt.Sprintf("zzNot(%d, ", w.mutants(n, "negated")), ")")
		}
	case *ast.CallExpr:
		if f := types.ExprString(n.Fun); (f == "min" || f == "max") && len(n.Args) == 2 && w.info.Types[n].Value == nil {
			name := map[string]string{"min": "zzMin", "max": "zzMax"}[f]
			w.replace(n.Pos(), n.Lparen+1, fmt.Sprintf("%s(%d, ", name, w.mutants(n, "min and max swapped")))
		}
	case *ast.Ident:
		switch parent.(type) {
		case *ast.ReturnStmt, *ast.AssignStmt, *ast.CallExpr:
			if n.Name == "true" || n.Name == "false" {
				w.around(n, fmt.Sprintf("zzNot(%d, ", w.mutants(parent, n.Name+" negated")), ")")
			}
		}
	}
}

// statements leaves out each that gives no value a name and leaves no function.
func (w *writer) statements(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
		case *ast.BranchStmt:
			if s.Tok != token.BREAK && s.Tok != token.CONTINUE {
				continue
			}
		case *ast.ExprStmt:
			if c, ok := s.X.(*ast.CallExpr); ok && types.ExprString(c.Fun) == "panic" {
				continue
			}
		case *ast.IncDecStmt:
		default:
			continue
		}
		w.around(s, fmt.Sprintf("if zzDo(%d) { ", w.mutants(s, "left out")), " }")
	}
}

func (w *writer) binary(n *ast.BinaryExpr) {
	call := func(name string, id int) {
		w.around(n, fmt.Sprintf("%s(%d, %q, ", name, id, n.Op), ")")
		w.replace(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), ",")
	}
	switch n.Op {
	case token.LAND, token.LOR:
		name, other := "zzAnd", "||"
		if n.Op == token.LOR {
			name, other = "zzOr", "&&"
		}
		id := w.mutants(n, n.Op.String()+" is "+other, "without what is left of "+n.Op.String(), "without what is right of "+n.Op.String())
		w.around(n.X, fmt.Sprintf("%s(%d, func() bool { return ", name, id), " }")
		w.replace(n.OpPos, n.OpPos+2, ",")
		w.around(n.Y, "func() bool { return ", " })")
	case token.EQL, token.NEQ:
		w.around(n, fmt.Sprintf("zzNot(%d, ", w.mutants(n, "negated")), ")")
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		call("zzCompare", w.mutants(n, "negated", "border"))
	case token.ADD, token.SUB, token.MUL, token.QUO, token.REM:
		if w.is(n, types.IsNumeric) {
			call("zzCount", w.mutants(n, "opposite of "+n.Op.String()))
		}
	}
}

// is reports whether an expression's type is of a kind.
func (w *writer) is(e ast.Expr, kind types.BasicInfo) bool {
	b, ok := w.info.TypeOf(e).Underlying().(*types.Basic)
	return ok && b.Info()&kind != 0
}
