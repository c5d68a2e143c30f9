package modelarts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// plain turns a value into what encoding/json decodes it to.
func plain(v value) any {
	switch v.kind {
	case boolean:
		return v.text == "true"
	case number:
		return json.Number(v.text)
	case text:
		return v.text
	case list:
		all := []any{}
		for _, m := range v.members {
			all = append(all, plain(m.value))
		}
		return all
	case object:
		all := map[string]any{}
		for _, m := range v.members {
			all[m.name] = plain(m.value)
		}
		return all
	}
	return nil
}

// decode decodes the first value of data with encoding/json.
func decode(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	if err == nil {
		if _, rest := d.Token(); rest != io.EOF {
			return nil, fmt.Errorf("more follows")
		}
	}
	return v, err
}

// FuzzParse holds the parser against encoding/json: what is JSON means the same
// and needs no repair; anything else is read without panic and without going
// beyond its end.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"a": [1, -2.5e3, true, false, null, "x\ny\u00e9\ud83d\ude00\ud800 \/"], "b": {}, "c": []}`,
		`{"a": "b", "a": "c"}`, ` "x" `, `0`, `[[[[]]]]`, `{"a":{"b":[{"c":"}"},"]"]}}`, "\ufeff{}",
		`{"a": "unquoted "quote" here", "b": 1`, `{'a': None}`, `{...}`, `[1,,2,]`, `{"a"`, `{"a":}`, `]`, `{]`, `[}`,
		`"\u12`, `"\ud83d\u`, `{"a": <x>, "b": 1}`, `{"a": -Infinity}`, "{\"a\": \"x\ny\"}", `{"a" "b"}`, `{"a": "x":1}`,
	} {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, cut bool) {
		v, end, damaged := parse(data, 1, false, cut)
		if end < 0 || end > len(data) {
			t.Fatalf("end %d of %d bytes", end, len(data))
		}
		want, err := decode(data)
		if err != nil || !utf8.Valid(data) || depth(want) > maxDepth || cut {
			return
		}
		if damaged {
			t.Errorf("%q is JSON but counts as damaged", data)
		}
		if diff := cmp.Diff(want, plain(v)); diff != "" {
			t.Errorf("%q differs (-json +parse):\n%s", data, diff)
		}
	})
}

func depth(v any) int {
	deepest := 0
	switch v := v.(type) {
	case []any:
		for _, m := range v {
			deepest = max(deepest, depth(m)+1)
		}
	case map[string]any:
		for _, m := range v {
			deepest = max(deepest, depth(m)+1)
		}
	}
	return deepest
}

func TestParseLines(t *testing.T) {
	const data = "\n{\n \"a\": 1,\n \"b\":\n  [\n 2, {\"c\": \"x\\ny\"}],\n\n \"d\": \"z\"}"
	v, end, damaged := parse([]byte(data), 10, false, false)
	if damaged || end != len(data) {
		t.Errorf("end %d of %d, damaged %t", end, len(data), damaged)
	}
	n := node{&v, nil}
	for _, c := range []struct {
		at   node
		path string
		line int
	}{
		{n, "", 11}, {n.get("a"), "a", 12}, {n.get("b"), "b", 14}, {n.get("b").child(0), "b[0]", 15},
		{n.get("b").child(1).get("c"), "b[1].c", 15}, {n.get("d"), "d", 17},
	} {
		if c.at.line != c.line || c.at.path.String() != c.path {
			t.Errorf("%q at line %d, want %q at %d", c.at.path, c.at.line, c.path, c.line)
		}
	}
}

func TestParseDepth(t *testing.T) {
	for _, open := range []string{"[", `{"a":`, `[{"a":`} {
		data := strings.Repeat(open, 200_000)
		if _, _, damaged := parse([]byte(data), 1, false, false); !damaged {
			t.Errorf("%q without end does not count as damaged", open)
		}
	}
	deep := `{"before": 1, "deep": ` + strings.Repeat("[", maxDepth+5) + `"]"` + strings.Repeat("]", maxDepth+5) + `, "after": 2}`
	v, _, damaged := parse([]byte(deep), 1, false, false)
	if after := (node{&v, nil}).get("after"); !damaged || after.str() != "2" {
		t.Errorf("after a value that is too deep: %q, damaged %t", after.str(), damaged)
	}
}

func TestPath(t *testing.T) {
	var p *path
	for _, step := range []path{{name: "a", index: -1}, {index: 3}, {name: "x/y.z", index: -1}, {name: "", index: -1}, {name: "b-c_d", index: -1}} {
		step.parent = p
		p = &step
	}
	if got, want := p.String(), `a[3]["x/y.z"][""].b-c_d`; got != want {
		t.Errorf("path %s, want %s", got, want)
	}
}

func TestSameName(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"failureAnalysisResult", "failure_analysis_result", true}, {"Task-ID", "task_id", true}, {"", "", true},
		{"task", "task_id", false}, {"tasks", "task", false}, {"a_", "a", true}, {"_", "", true}, {"a", "b", false},
	} {
		if sameName(c.a, c.b) != c.same || sameName(c.b, c.a) != c.same {
			t.Errorf("sameName(%q, %q) is not %t", c.a, c.b, c.same)
		}
	}
}
