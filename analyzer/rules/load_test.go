package rules

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// TestLoadNamesEveryFault: one run tells every fault of every file, each with its
// file, line and rule, in both languages, and no word of the libraries.
func TestLoadNamesEveryFault(t *testing.T) {
	files := map[string]struct{ data, want string }{
		"ours/good.yaml":     {ruleFile("good"), ""},
		"ours/typo.yaml":     {ruleFile("typo", "role: root", "rolle: root"), `ours/typo.yaml:1: rule "typo": role must be|ours/typo.yaml:4: rule "typo": there is no field rolle, only cause, `},
		"ours/card.yaml":     {ruleFile("card", "    steps:", "    on: tpu\n    steps:"), `ours/card.yaml:11: rule "card": on must be npu or gpu, not "tpu"`},
		"ours/inner.yaml":    {ruleFile("inner", "    steps:", "    stepps:"), `ours/inner.yaml:11: rule "inner": fix 1 has no steps|ours/inner.yaml:12: rule "inner": there is no field fixes.stepps, only changes, on, steps, title`},
		"ours/open.yaml":     {ruleFile("open", "en: the licence server refuses}", "en: refuses"), `ours/open.yaml:8: rule "open": a { is not closed`},
		"ours/tab.yaml":      {ruleFile("tab", "role: root", "\trole: root"), `ours/tab.yaml:4: rule "tab": a tab stands in the indentation`},
		"ours/colon.yaml":    {ruleFile("colon", "family: ours", "family: ours: mine"), `ours/colon.yaml:3: rule "colon": a colon is out of place`},
		"ours/quote.yaml":    {ruleFile("quote", `"licence server"]`, `'licence server]`), `ours/quote.yaml:15: rule "quote": a quotation mark is not closed`},
		"ours/twice.yaml":    {ruleFile("twice", "role: root", "role: root\nrole: root"), `ours/twice.yaml:5: rule "twice": the field role stands twice, line 4 has it already`},
		"ours/kind.yaml":     {ruleFile("kind", `["licence server says no"]`, "licence server says no"), `ours/kind.yaml:6: rule "kind": match.literals must be a list`},
		"ours/switch.yaml":   {ruleFile("switch", "    steps:", "    changes: maybe\n    steps:"), `ours/switch.yaml:12: rule "switch": fixes.changes must be true or false`},
		"ours/re.yaml":       {ruleFile("re", `'licence server says no'`, `'licence (server'`), "ours/re.yaml:6: rule \"re\": the expression of wording 1 is wrong (missing closing ): `licence (server`)"},
		"ours/void.yaml":     {ruleFile("void", `'licence server says no'`, `'(?P<code>\d+)?'`), "ours/void.yaml:6: rule \"void\": the expression of wording 1 fits an empty text, so that it never finds a value"},
		"ours/over.yaml":     {ruleFile("over", "role: root", "role: root\nover: [good, nope]"), `ours/over.yaml:5: rule "over": over names the rule "nope", which does not exist`},
		"ours/tells.yaml":    {ruleFile("tells", "role: root", "role: root\ntells: [exit, weather]"), `ours/tells.yaml:5: rule "tells": tells must not be "weather", only start, exit, `},
		"ours/shipped.yaml":  {ruleFile("shipped", "role: root", "role: root\nover: [torch-oom-allocator]"), ""},
		"theirs/good.yaml":   {ruleFile("good"), `theirs/good.yaml:1: rule "good": the id is taken by ours/good.yaml`},
		"ours/several.yaml":  {ruleFile("several") + "---\nid: more\n", `ours/several.yaml: rule "several": holds several YAML documents`},
		"ours/empty.yaml":    {"", `ours/empty.yaml: is empty`},
		"ours/list.yaml":     {"- id: list\n", `ours/list.yaml:1: a rule is made of fields`},
		"ours/binary.yaml":   {"\xff\xfe\x00", `ours/binary.yaml: is not UTF-8 text`},
		"ours/old.yml":       {ruleFile("old"), `ours/old.yml: the name of a rule's file ends in .yaml`},
		"ours/CAPITALS.YAML": {ruleFile("capitals"), `ours/CAPITALS.YAML: the name of a rule's file ends in .yaml`},
		"README.md":          {"no rule", ""},
	}
	fsys := fstest.MapFS{}
	want := 0
	for name, f := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(f.data)}
		if f.want != "" {
			want += 1 + strings.Count(f.want, "|")
		}
	}
	_, err := Load(fsys)
	faults, ok := errors.AsType[Faults](err)
	if !ok {
		t.Fatal(err)
	}
	if len(faults) != want {
		t.Errorf("%d faults, want %d", len(faults), want)
	}
	for name, f := range files {
		for part := range strings.SplitSeq(f.want, "|") {
			if !strings.Contains("\n"+err.Error(), "\n"+part) {
				t.Errorf("%s: nothing says %q", name, part)
			}
		}
	}
	for _, f := range faults {
		if strings.Contains(f.What.EN, "yaml: construct") || strings.Contains(f.What.EN, "rules.file") || !strings.ContainsFunc(f.What.ZH, han) || strings.ContainsFunc(f.What.EN, han) {
			t.Errorf("%s: %+v", f.File, f.What)
		}
	}
	if t.Failed() {
		t.Log(err)
	}
}

// unreadable is a folder with one file that cannot be opened.
type unreadable struct {
	fstest.MapFS
	name string
}

func (u unreadable) Open(name string) (fs.File, error) {
	if name == u.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return u.MapFS.Open(name)
}

func (u unreadable) ReadFile(name string) ([]byte, error) {
	if name == u.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return u.MapFS.ReadFile(name)
}

// TestLoadUnreadableFile: a file that cannot be read hides no other.
func TestLoadUnreadableFile(t *testing.T) {
	fsys := unreadable{fstest.MapFS{"ours/a.yaml": {}, "ours/b.yaml": {Data: []byte("id: {a\n")}}, "ours/a.yaml"}
	_, err := Load(fsys)
	if err == nil || !strings.HasPrefix(err.Error(), "ours/a.yaml: cannot be read (permission denied)\nours/b.yaml:1: a { is not closed") {
		t.Errorf("the error is %v", err)
	}
	if !errors.Is(err.(Faults)[0], fs.ErrPermission) {
		t.Error("the reason is lost")
	}
}
