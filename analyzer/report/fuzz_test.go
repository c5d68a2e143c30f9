package report

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"hcloud-modelarts/analyzer/source"
)

// FuzzSaved: whatever a saved report holds, each form of it is valid UTF-8, holds
// nothing that acts and is not much longer than the report; and the JSON form is
// read back and written again as it was.
func FuzzSaved(f *testing.F) {
	for _, list := range reports("zh") {
		data, err := JSON(list)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, s := range []string{
		`{"lang":"?","severity":"x","confidence":"","evidence":[{"line":-1,"rank":-9,"offset":-1,"length":-1,"from":99,"text":"\u001b]8;;x\u0007"}],"stats":{"bytes":-1}}`,
		`{"timeline":{"lanes":[{"rank":2147483647,"first":"0000-01-01T00:00:00Z","last":"9999-12-31T23:59:59Z","progress":"x","marks":[{"time":"2026-01-01T00:00:00+23:59","until":"1970-01-01T00:00:00Z","kind":"root"}]}],"more":-5}}`,
		`{"input":"a\nb|` + "`" + `c","summary":"# <b>\u202e","fixes":[{"title":"","steps":["1. x",""]}],"next":[{"command":"$(x)\r\n"}],"why":[{"verdict":"?"}],"notes":[{}],"second_opinion":{}}`,
		`[]`, `[{},{}]`, `null`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var list []Report
		if json.Unmarshal(data, &list) != nil {
			list = make([]Report, 1)
			if json.Unmarshal(data, &list[0]) != nil {
				return
			}
		}
		if len(data) > 32<<10 {
			return
		}
		saved, err := JSON(list)
		if err != nil {
			t.Fatal(err)
		}
		page, err := HTML(list, "en")
		if err != nil {
			t.Fatal(err)
		}
		for name, out := range map[string][]byte{
			"json": saved, "html": page, "markdown": Markdown(list, "zh", false), "strict": Markdown(list, "en", true),
			"text": Text(list, "zh", Style{Width: 60}), "coloured": bytes.ReplaceAll(Text(list, "en", Style{Color: true}), []byte("\x1b"), nil),
		} {
			if i := bytes.IndexFunc(out, hiddenInJSON); i >= 0 || !utf8.Valid(out) {
				t.Errorf("%s of %q holds what acts at %d: %q", name, data, i, out)
			}
			if len(out) > 100*len(data)+64<<10 {
				t.Errorf("%s of %d bytes has %d", name, len(data), len(out))
			}
		}
		checkSaved(t, saved)
	})
}

// checkSaved reads what JSON wrote, and wants the same written.
func checkSaved(t *testing.T, saved []byte) {
	t.Helper()
	var list []Report
	if bytes.HasPrefix(saved, []byte("{")) {
		list = make([]Report, 1)
		if err := json.Unmarshal(saved, &list[0]); err != nil {
			t.Fatal(err)
		}
	} else if err := json.Unmarshal(saved, &list); err != nil {
		t.Fatal(err)
	}
	if again, err := JSON(list); err != nil || !bytes.Equal(again, saved) {
		t.Errorf("%s is written again as %s: %v", saved, again, err)
	}
}

// FuzzEscape: no text acts once it is escaped, escaping it again changes nothing,
// it cannot end its place in Markdown, and JSON keeps its value.
func FuzzEscape(f *testing.F) {
	for _, s := range []string{"\x1b]8;;http://x\x07y", "a`b``c", "# <b>|x|</b>", "\u202e\u200b\ufeff\U000e0001", "\xff\xfe", "a\r\nb\rc\t", "12. x\n- y", `C:\x\_`, " ` ", "\xe2" + strings.Repeat("\xaf", 2*excerptSize)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		plain := Plain(s)
		if !utf8.ValidString(plain) || strings.ContainsFunc(plain, source.Hidden) || Plain(plain) != plain || len(plain) > 10*len(s) {
			t.Errorf("Plain(%q) = %q", s, plain)
		}
		if utf8.ValidString(s) && !strings.ContainsFunc(s, source.Hidden) && plain != s {
			t.Errorf("Plain(%q) = %q", s, plain)
		}
		span := code(s)
		if fence := span[:len(span)-len(strings.TrimLeft(span, "`"))]; len(fence) < 1 || strings.Count(span, fence) < 2 || longestRun(span[len(fence):len(span)-len(fence)], '`') >= len(fence) {
			t.Errorf("code(%q) = %q", s, span)
		}
		if c := cell(prose(s)); strings.Count(strings.ReplaceAll(c, `\|`, ""), "|") > 0 {
			t.Errorf("cell(prose(%q)) = %q", s, c)
		}
		if e := Excerpt(s, len(s)/2, len(s)/2); len(e) > excerptSize+6 || utf8.ValidString(s) && !utf8.ValidString(e) {
			t.Errorf("the excerpt of %q is %q", s, e)
		}
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		escaped := EscapeJSON(data)
		var was, is string
		if json.Unmarshal(data, &was) != nil || json.Unmarshal(escaped, &is) != nil || !reflect.DeepEqual(was, is) || bytes.ContainsFunc(escaped, hiddenInJSON) {
			t.Errorf("%s is escaped as %s", data, escaped)
		}
	})
}
