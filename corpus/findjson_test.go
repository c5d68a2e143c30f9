package corpus

import "testing"

func TestFindJSON(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`{"a": 1}`, `{"a": 1}`},
		{"notice\n[\n  {\"a\": 1}\n]\n", "[\n  {\"a\": 1}\n]"},
		{"有多个版本\"X/版本号\"{\n  \"items\": [\n    {\"a\": 1}\n  ]\n}\n", "{\n  \"items\": [\n    {\"a\": 1}\n  ]\n}"},
		{"有多个版本\"X/版本号\"[\n  {\"a\": 1},\n  {\"b\": 1}\n]\n", "[\n  {\"a\": 1},\n  {\"b\": 1}\n]"},
		{"[debug info] GET /v2/{project_id}/x\n{}\n", "{}"},
		{"\ufeff[]", "[]"},
		{"[USE_ERROR]no {such} thing", ""},
		{"[\n  {\"a\": 1},\n  {\"b", ""},
		{"{\"items\": [\n    {\"a\": 1},\n    oops\n    {\"b\": 2}\n]}", ""},
	} {
		start, end := FindJSON([]byte(tt.text))
		if got := tt.text[max(start, 0):max(end, 0)]; got != tt.want {
			t.Errorf("in %q: %q, want %q", tt.text, got, tt.want)
		}
	}
}
