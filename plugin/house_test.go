package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// listed is what "go list" says of a package.
type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string
	Deps       []string
	GoFiles    []string
	Dir        string
}

const module = "hcloud-modelarts/"

func packages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Standard,Imports,Deps,GoFiles,Dir", "./...")
	cmd.Dir = ".."
	out, err := cmd.Output()
	if err != nil {
		if ee, ok := errors.AsType[*exec.ExitError](err); ok {
			t.Fatalf("go list: %s", ee.Stderr)
		}
		t.Fatal(err)
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// rooms says what each room may import of the project; what is not listed may
// import all. Nothing imports golden.
var rooms = map[string][]string{
	"analyzer/ascii":          {},
	"analyzer/source":         {"analyzer/ascii", "analyzer/source/charset", "analyzer/source/stamp", "analyzer/source/xz"},
	"analyzer/source/charset": {},
	"analyzer/source/stamp":   {"analyzer/ascii"},
	"analyzer/source/xz":      {},
	"analyzer/fold":           {},
	"analyzer/lazy":           {},
	"analyzer/rules":          {"analyzer/fold", "analyzer/lazy"},
	"analyzer/rules/codes":    {"analyzer/lazy", "analyzer/rules"},
	"analyzer/traceback":      {"analyzer/lazy"},
	"analyzer/modelarts":      {"analyzer/lazy", "analyzer/source", "analyzer/rules/codes", "analyzer/traceback"},
	"analyzer/scan":           {"analyzer/ascii", "analyzer/fold", "analyzer/lazy", "analyzer/source", "analyzer/rules", "analyzer/traceback"},
	"analyzer/verdict":        {"analyzer/fold", "analyzer/lazy", "analyzer/source", "analyzer/rules", "analyzer/rules/codes", "analyzer/traceback", "analyzer/modelarts", "analyzer/scan"},
	"analyzer/report":         {"analyzer/lazy", "analyzer/rules", "analyzer/source"},
	"analyzer":                {"analyzer/lazy", "analyzer/source", "analyzer/rules", "analyzer/rules/codes", "analyzer/traceback", "analyzer/modelarts", "analyzer/scan", "analyzer/verdict", "analyzer/report"},
	"corpus":                  {},
}

func TestRoomsImportDownwards(t *testing.T) {
	for _, p := range packages(t) {
		room := strings.TrimPrefix(p.ImportPath, module)
		allowed, bound := rooms[room]
		if !bound && (room == "analyzer" || strings.HasPrefix(room, "analyzer/") || strings.HasPrefix(room, "corpus/")) {
			t.Errorf("room %q is in no list: say in rooms what it may import", room)
		}
		for _, imp := range p.Imports {
			dep, own := strings.CutPrefix(imp, module)
			if !own {
				continue
			}
			if dep == "golden" || bound && !slices.Contains(allowed, dep) {
				t.Errorf("%s imports %s", room, dep)
			}
		}
	}
}

// TestAnalyzerIsPure: nothing that a diagnosis is made of can reach the network
// or start a process, and none of our own code in it asks the clock, the
// environment or a random number.
func TestAnalyzerIsPure(t *testing.T) {
	for _, p := range packages(t) {
		if p.ImportPath != module+"analyzer" && !strings.HasPrefix(p.ImportPath, module+"analyzer/") {
			continue
		}
		for _, dep := range p.Deps {
			if dep == "net" || strings.HasPrefix(dep, "net/") && !slices.Contains(harmlessNet, dep) || dep == "os/exec" {
				t.Errorf("%s depends on %s", p.ImportPath, dep)
			}
		}
		for _, imp := range p.Imports {
			if imp == "math/rand" || imp == "math/rand/v2" || imp == "crypto/rand" || imp == "os" || imp == "os/signal" {
				t.Errorf("%s imports %s", p.ImportPath, imp)
			}
		}
		for _, file := range p.GoFiles {
			checkPure(t, filepath.Join(p.Dir, file))
		}
	}
}

// TestLazyExpressions: what is compiled only when it is needed compiles.
func TestLazyExpressions(t *testing.T) {
	found := 0
	for _, p := range packages(t) {
		if !slices.Contains(p.Imports, module+"analyzer/lazy") {
			continue
		}
		for _, file := range p.GoFiles {
			tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, file), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, form := range lazyForms(tree) {
				found++
				if _, err := regexp.Compile(form); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("%d expressions found: the test shows nothing", found)
	}
}

// lazyForms gives the literal arguments of lazy.Regexp in a file. Those that are put
// together are few, and the tests of masking need them.
func lazyForms(tree *ast.File) (forms []string) {
	ast.Inspect(tree, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 {
			return true
		}
		if f, ok := call.Fun.(*ast.SelectorExpr); !ok || f.Sel.Name != "Regexp" {
			return true
		}
		if l, ok := call.Args[0].(*ast.BasicLit); ok {
			if form, err := strconv.Unquote(l.Value); err == nil {
				forms = append(forms, form)
			}
		}
		return true
	})
	return forms
}

// TestOneStarterOfProcesses: what runs other programs stands in one place.
func TestOneStarterOfProcesses(t *testing.T) {
	for _, p := range packages(t) {
		room := strings.TrimPrefix(p.ImportPath, module)
		if room != "plugin/hcloud" && !strings.HasPrefix(room, "scripts/") && slices.Contains(p.Imports, "os/exec") {
			t.Errorf("%s starts processes", room)
		}
	}
}

// harmlessNet are packages below net that only read and write texts; templates
// escape addresses with net/url.
var harmlessNet = []string{"net/netip", "net/url"}

// impure are functions of packages that are otherwise welcome.
var impure = map[string][]string{
	"time":          {"Now", "Since", "Until", "Sleep", "After", "Tick", "NewTimer", "NewTicker"},
	"path/filepath": {"Glob", "Walk", "WalkDir", "Abs", "EvalSymlinks"},
	"runtime":       {"NumCPU", "GOMAXPROCS", "NumGoroutine"},
}

func checkPure(t *testing.T, file string) {
	t.Helper()
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{} // local name → import path
	for _, imp := range tree.Imports {
		p, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		local := p[strings.LastIndexByte(p, '/')+1:]
		if imp.Name != nil {
			local = imp.Name.Name
		}
		names[local] = p
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && slices.Contains(impure[names[x.Name]], sel.Sel.Name) {
			t.Errorf("%s: %s.%s makes the result depend on more than the input", set.Position(n.Pos()), x.Name, sel.Sel.Name)
		}
		return true
	})
}

// TestTopLevel: the root holds the house's folders and papers and nothing else.
func TestTopLevel(t *testing.T) {
	allowed := []string{
		"analyzer", "plugin", "corpus", "golden", "scripts", "install.sh", "go.mod", "go.sum",
		"README.md", "README.zh-CN.md", "CONTRIBUTING.md", "LICENSE", "CHANGELOG.md", "SECURITY.md",
		".ci", ".git", ".gitignore", ".gitattributes", ".editorconfig",
	}
	ignored := []string{"bin", "dist"}
	entries, err := os.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains(allowed, e.Name()) && !slices.Contains(ignored, e.Name()) {
			t.Errorf("%s stands at the top level", e.Name())
		}
	}
}

// TestNoLeftovers: comments promise nothing that is not there.
func TestNoLeftovers(t *testing.T) {
	err := filepath.WalkDir("..", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && (d.Name() == ".git" || d.Name() == "testdata") {
				return fs.SkipDir
			}
			return err
		}
		if ext := filepath.Ext(p); ext != ".go" && ext != ".sh" || strings.HasSuffix(p, "house_test.go") {
			return nil
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		for _, word := range []string{"TODO", "FIXME"} {
			if bytes.Contains(data, []byte(word)) {
				t.Errorf("%s holds a %s", p, word)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
