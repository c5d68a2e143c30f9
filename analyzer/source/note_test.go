package source

import (
	"go/ast"
	goparser "go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestNoteCodes: the codes that the code notes are those that are listed.
func TestNoteCodes(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	noted, refused := map[string]bool{}, map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := goparser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			codes, refuses := codesOf(n)
			for _, code := range codes {
				noted[code] = true
				refused[code] = refused[code] || refuses
			}
			return true
		})
	}
	var listed []string
	for _, c := range NoteCodes() {
		listed = append(listed, c.Code)
	}
	slices.Sort(listed)
	if d := cmp.Diff(listed, slices.Sorted(maps.Keys(noted))); d != "" {
		t.Errorf("codes (-listed +noted):\n%s", d)
	}
	for code := range refused {
		if refused[code] && advice[code] == "" {
			t.Errorf("an error of the code %q says nothing", code)
		}
	}
}

// codesOf gives the codes that a call of note or refuse has as its second
// argument, and those that a variable named code takes; refused says whether
// they are of a source that gave nothing.
func codesOf(n ast.Node) (codes []string, refused bool) {
	switch n := n.(type) {
	case *ast.CallExpr:
		f, ok := n.Fun.(*ast.SelectorExpr)
		if !ok || f.Sel.Name != "note" && f.Sel.Name != "refuse" || len(n.Args) < 2 {
			return nil, false
		}
		return literals(n.Args[1]), f.Sel.Name == "refuse"
	case *ast.AssignStmt:
		if v, ok := n.Lhs[0].(*ast.Ident); ok && v.Name == "code" {
			return literals(n.Rhs[0]), true
		}
	}
	return nil, false
}

// literals gives the text of an expression; "more-" and a variable are the
// codes that an archive counts.
func literals(e ast.Expr) []string {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, _ := strconv.Unquote(e.Value)
		return []string{s}
	case *ast.BinaryExpr:
		var out []string
		for _, word := range literals(e.X) {
			for _, code := range countedCodes {
				out = append(out, word+code)
			}
		}
		return out
	}
	return nil
}
