package operations

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jmespath/go-jmespath"
)

// tableRow is one row of testdata/operations.tsv, a table that was made from the
// SDK and the official pages without this catalogue.
type tableRow struct {
	operation, method, path, kind string
	parameters                    []Parameter
}

func table(t *testing.T) []tableRow {
	t.Helper()
	f, err := os.Open("testdata/operations.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var rows []tableRow
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		c := strings.Split(lines.Text(), "\t")
		if c[0] == "operation" {
			continue
		}
		row := tableRow{operation: c[0], method: c[1], path: c[2], kind: c[4]}
		for _, p := range strings.Split(c[3], "; ") {
			part := strings.SplitN(p, ":", 5)
			par := Parameter{Name: part[0], In: part[1], Type: part[2], Required: part[3] == "required"}
			if part[4] != "" {
				par.Values = strings.Split(part[4], ",")
			}
			row.parameters = append(row.parameters, par)
		}
		rows = append(rows, row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// open are values that the table lists and the catalogue does not take for all:
// a trap or a bound judges them.
var open = []string{
	"CreateTrainingJob spec.resource.flavor_id",       // of dedicated pools only
	"CreateTrainingJob spec.schedule_policy.priority", // a bound
}

// TestAgreesWithTable: the catalogue and the table name the same operations and
// parameters.
func TestAgreesWithTable(t *testing.T) {
	c := Default()
	rows := table(t)
	if len(rows) != 52 || len(c.Training()) != 52 {
		t.Fatalf("%d rows, %d operations", len(rows), len(c.Training()))
	}
	for _, row := range rows {
		o := c.Find(row.operation)
		if o == nil {
			t.Errorf("the catalogue lacks %s", row.operation)
			continue
		}
		if o.Method != row.method || o.Path != row.path || o.Kind != row.kind {
			t.Errorf("%s: %s %s %s, the table says %s %s %s", o.Name, o.Kind, o.Method, o.Path, row.kind, row.method, row.path)
		}
		if len(o.Parameters) != len(row.parameters) {
			t.Errorf("%s: %d parameters, the table has %d", o.Name, len(o.Parameters), len(row.parameters))
		}
		for _, want := range row.parameters {
			i := slices.IndexFunc(o.Parameters, func(p Parameter) bool { return p.Name == want.Name })
			if i < 0 {
				t.Errorf("%s lacks the parameter %q", o.Name, want.Name)
				continue
			}
			compare(t, o, o.Parameters[i], want)
		}
	}
}

func compare(t *testing.T, o *Operation, got, want Parameter) {
	t.Helper()
	if got.In != want.In || got.Type != want.Type || got.Required != (want.Required || got.Limit.Required) {
		t.Errorf("%s: %+v, the table says %+v", o.Name, got, want)
	}
	if want.Type == "boolean" || strings.Contains(want.Type, "map<") || slices.Contains(open, o.Name+" "+want.Name) {
		return
	}
	for _, v := range want.Values {
		if !slices.Contains(got.Values, v) {
			t.Errorf("%s: %q does not take %q, which the table lists", o.Name, got.Name, v)
		}
	}
}

// TestSDKUnchanged: sdk.json is what the generator makes of the SDK that this
// module requires.
func TestSDKUnchanged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sdk.json")
	out, err := exec.Command("go", "run", "hcloud-modelarts/scripts/operations", "-catalogue", "data", "-out", file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("sdk.json")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("sdk.json and the SDK drifted apart (run go generate ./plugin/operations):\n%s", diff)
	}
}

func bothLanguages(t *testing.T, what string, x Text) {
	t.Helper()
	if strings.TrimSpace(x.ZH) == "" || strings.TrimSpace(x.EN) == "" {
		t.Errorf("%s lacks a language: %+v", what, x)
	}
}

// TestComplete: every operation can be explained, tried and reached by a noun
// and a verb, and all expressions can be evaluated.
func TestComplete(t *testing.T) {
	c := Default()
	forms := map[string]string{}
	nouns := map[string]bool{}
	for _, n := range c.Nouns {
		bothLanguages(t, n.Name, n.Says)
		nouns[n.Name] = true
		if len(c.Verbs(n.Name)) == 0 {
			t.Errorf("noun %q has no verb", n.Name)
		}
	}
	for _, o := range c.Operations {
		bothLanguages(t, o.Name, o.Says)
		if o.Writes() {
			bothLanguages(t, o.Name+": undo", o.Undo)
		} else if o.Kind != "read" {
			t.Errorf("%s is of kind %q", o.Name, o.Kind)
		}
		if len(o.Forms) == 0 && o.Domain != "support" {
			t.Errorf("%s has no noun and verb", o.Name)
		}
		for i := range o.Parameters {
			if p := &o.Parameters[i]; !strings.Contains(p.Type, "object") {
				bothLanguages(t, o.Name+" "+p.Name, c.Word(o, p))
			}
		}
		for _, n := range o.Notes {
			bothLanguages(t, o.Name+": note", n)
		}
		for name, l := range o.Limits {
			if _, err := regexp.Compile(l.Pattern); err != nil {
				t.Errorf("%s: %s: %v", o.Name, name, err)
			}
			if l.Pattern != "" || l.Keys != "" {
				bothLanguages(t, o.Name+": form of "+name, l.Form)
			}
		}
		checkForms(t, o, nouns, forms)
		checkExpressions(t, c, o)
	}
}

func checkForms(t *testing.T, o *Operation, nouns map[string]bool, forms map[string]string) {
	t.Helper()
	named := func(name string) bool {
		_, problem := place(o.root.child(strings.Split(name, ".")[0]), false, nil, strings.Split(name, ".")[1:], Argument{name, "1"})
		return problem == nil || problem.Code == BadType
	}
	for _, f := range o.Forms {
		key := f.Noun + " " + f.Verb
		if !nouns[f.Noun] {
			t.Errorf("%s: there is no noun %q", o.Name, f.Noun)
		}
		if forms[key] != "" {
			t.Errorf("%q stands for %s and %s", key, forms[key], o.Name)
		}
		forms[key] = o.Name
		for _, name := range f.Arguments {
			if o.root.child(strings.Split(name, ".")[0]) == nil || !named(name) {
				t.Errorf("%q: there is no parameter %q", key, name)
			}
		}
		for _, m := range []map[string]string{f.Set, f.Default} {
			for name := range m {
				if o.root.child(strings.Split(name, ".")[0]) == nil || !named(name) {
					t.Errorf("%q: there is no parameter %q", key, name)
				}
			}
		}
		for _, col := range f.Columns {
			bothLanguages(t, key+": column", col.Title)
			compile(t, key, col.Value)
		}
		for _, x := range f.Filters {
			bothLanguages(t, key+": filter", x.Says)
		}
		compile(t, key, f.Items)
	}
}

func compile(t *testing.T, what, expr string) {
	t.Helper()
	if expr == "" {
		return
	}
	if _, err := jmespath.Compile(expr); err != nil {
		t.Errorf("%s: %q: %v", what, expr, err)
	}
	// The library lets "!" bind tighter than ".", so that !a.b is (!a).b.
	if m := regexp.MustCompile(`![A-Za-z_@]+\.`).FindString(expr); m != "" {
		t.Errorf("%s: %q: put what follows the ! of %q in brackets", what, expr, m)
	}
}

func checkExpressions(t *testing.T, c *Catalogue, o *Operation) {
	t.Helper()
	compile(t, o.Name, o.Charges)
	compile(t, o.Name, o.Created)
	compile(t, o.Name, o.Asks.Name)
	if o.Asks.Read != "" && c.Find(o.Asks.Read) == nil {
		t.Errorf("%s: there is no operation %q", o.Name, o.Asks.Read)
	}
	if o.Pages != nil {
		for _, e := range []string{o.Pages.Items, o.Pages.Total, o.Pages.Key, o.Pages.Next} {
			compile(t, o.Name, e)
		}
	}
	reads := map[string]bool{"answer": true}
	for _, r := range o.Reads {
		reads[r.As] = true
		op := c.Find(r.Operation)
		if op == nil || op.Writes() {
			t.Errorf("%s: read %q: %q is no operation that reads", o.Name, r.As, r.Operation)
		}
	}
	for _, trap := range o.Traps {
		what := o.Name + ": trap " + trap.ID
		bothLanguages(t, what, trap.Says)
		compile(t, what, trap.When)
		if !slices.Contains([]string{"stop", "warn", "note"}, trap.Level) || trap.Level == "stop" && trap.After {
			t.Errorf("%s: level %q", what, trap.Level)
		}
		for _, n := range trap.Needs {
			if !reads[n] {
				t.Errorf("%s: nothing reads %q", what, n)
			}
		}
	}
}

// TestTraps: every trap catches what it is for, with the values in its text,
// and lets what is like it pass.
func TestTraps(t *testing.T) {
	for _, o := range Default().Operations {
		for _, trap := range o.Traps {
			t.Run(o.Name+"/"+trap.ID, func(t *testing.T) {
				if len(trap.Met) == 0 || len(trap.Unmet) == 0 && trap.When != "@" {
					t.Fatal("a sample that is in the trap and one that is not are needed")
				}
				for _, s := range trap.Met {
					w := find(t, o, trap, s)
					if w == nil {
						t.Errorf("not met by %+v", s)
						continue
					}
					if !strings.Contains(w.Text.ZH, s.Says) {
						t.Errorf("the text lacks %q: %q", s.Says, w.Text.ZH)
					}
					if text := strings.ReplaceAll(w.Text.ZH+w.Text.EN, "${MA_JOB_DIR}", ""); strings.ContainsAny(text, "{}") {
						t.Errorf("a value is not filled in: %q", text)
					}
				}
				for _, s := range trap.Unmet {
					if w := find(t, o, trap, s); w != nil {
						t.Errorf("met by %+v: %q", s, w.Text.ZH)
					}
				}
			})
		}
	}
}

func find(t *testing.T, o *Operation, trap Trap, s Sample) *Warning {
	t.Helper()
	met, err := o.Met(s.facts(o), trap.After)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range met {
		if w.ID == trap.ID {
			return &w
		}
	}
	return nil
}

// facts are those of a sample.
func (s Sample) facts(o *Operation) Facts {
	var args []Argument
	for name, v := range s.Args {
		args = append(args, Argument{name, v})
	}
	req, _ := o.Build(args, nil)
	for name, v := range s.Body {
		if req.Body == nil {
			req.Body = map[string]any{}
		}
		req.Body[name] = v
	}
	facts := req.Facts()
	for name, v := range s.Read {
		facts[name] = loose(v)
	}
	return facts
}
