package source

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestUnescapeJSON: a text means what it means to encoding/json, wherever the part
// of it ends that is there, and is escaped again as the same.
func TestUnescapeJSON(t *testing.T) {
	for _, text := range []string{``, `step 7, 训练`, `a\nb\t\r\b\f\/\\\"`, `\u8bad\u7ec3`, `a\ud83d\ude00b\uD83D\uDE00`, `\u0000\u001f`} {
		var want string
		if err := json.Unmarshal([]byte(`"`+text+`"`), &want); err != nil {
			t.Fatal(err)
		}
		for i := range len(text) + 1 {
			out, rest := unescapeJSON(nil, []byte(text[:i]))
			out, rest = unescapeJSON(out, slices.Concat(rest, []byte(text[i:])))
			if string(out) != want || len(rest) > 0 {
				t.Errorf("%s in two parts, the first %s: %q and %q, want %q", text, text[:i], out, rest, want)
			}
		}
		var again string
		if err := json.Unmarshal(append(escapeJSON([]byte(`"`), []byte(want)), '"'), &again); err != nil || again != want {
			t.Errorf("%s escaped again: %q, %v, want %q", text, again, err, want)
		}
	}
	for text, want := range map[string]string{`\ude00a`: "\ufffda", `\ud83dab`: "\ufffdab", `\ud83d\n`: "\ufffd\n", `\ud83d\u0041`: "\ufffdA"} {
		if out, rest := unescapeJSON(nil, []byte(text)); string(out) != want || len(rest) > 0 {
			t.Errorf("%s: %q and %q, want %q", text, out, rest, want)
		}
	}
}
