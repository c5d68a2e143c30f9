package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// textsIn gives the texts that stand in a Go file.
func textsIn(t *testing.T, name string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				all = append(all, text)
			}
		}
		return true
	})
	return all
}

// TestNamedRules: the rules that code names are there, and it names no other.
func TestNamedRules(t *testing.T) {
	pack := Default()
	named := 0
	for _, id := range textsIn(t, "named.go") {
		switch {
		case id == "":
		case pack.Rule(id) == nil:
			t.Errorf("there is no rule %q", id)
		default:
			named++
		}
	}
	if named < 9 {
		t.Errorf("only %d rules were looked for", named)
	}
	err := fs.WalkDir(os.DirFS(".."), ".", func(name string, _ fs.DirEntry, err error) error {
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || name == "rules/named.go" || name == "rules/index.go" {
			return err
		}
		for _, text := range textsIn(t, path.Join("..", name)) {
			if pack.Rule(text) != nil {
				t.Errorf("%s names the rule %q: let its data say what that is for, or name it in rules/named.go", name, text)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestFacts: some rule tells each fact that the code goes by.
func TestFacts(t *testing.T) {
	for _, f := range facts {
		if !slices.ContainsFunc(Default().Rules, func(r *Rule) bool { return r.Tells(f) }) {
			t.Errorf("no rule tells %q", f)
		}
	}
}
