package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// TestPlaceholders: each number of a kind has a placeholder of its own, which
// tells both.
func TestPlaceholders(t *testing.T) {
	seen := map[string]bool{}
	for _, kind := range []string{"secret", "query", "endpoint", "phone", "ipv4", "ipv6", "mail", "user", "host", "bucket"} {
		for _, n := range []int{1, 2, 255, 256, 65535, 65536, lastIPv4, lastIPv4 + 1, 2 * lastIPv4, maxPlaceholder} {
			p := placeholder(kind, n)
			if k, m := readPlaceholder(p); seen[p] || k != kind || m != n || !isPlaceholder(p) {
				t.Errorf("%s %d is %q, which reads as %s %d", kind, n, p, k, m)
			}
			seen[p] = true
		}
	}
	for _, s := range []string{"", "secret-1", "<secret-1> ", "<secret-01>", "<mail-1>", "<secret-1099511627777>", "user-9999999999999", "2001:db8::10000000001", "<ipv4-1>", "<ipv4-131071>", "198.18.0.256", "198.20.0.1", "2001:db8::g", "host-", "host-99999999999999", "\x1b[31m"} {
		if kind, n := readPlaceholder(s); kind != "" {
			t.Errorf("%q is %s %d", s, kind, n)
		}
	}
}

// TestPlaceholdersAfterKill: what a killed run gave out is not given again,
// although its manifest does not count it.
func TestPlaceholdersAfterKill(t *testing.T) {
	r := testRedactor(t, false)
	if got := string(r.output([]byte("SECRET1 SECRET2 10.0.0.9"))); got != "<secret-1> <secret-2> 198.18.0.1" {
		t.Fatal(got)
	}
	if err := r.save(); err != nil {
		t.Fatal(err)
	}
	for _, counts := range []map[string]int{nil, {"secret": 1}, {"secret": -5, "ipv4": -1 << 62}} {
		again := must[*redactor](t)(newRedactor(r.file, counts, options(testMask)))
		if got := string(again.output([]byte("SECRET3 SECRET2 10.0.0.8"))); got != "<secret-3> <secret-2> 198.18.0.2" {
			t.Errorf("with the counts %v it becomes %q", counts, got)
		}
	}
	again := must[*redactor](t)(newRedactor(r.file, map[string]int{"secret": 1<<63 - 1}, options(testMask)))
	if got := string(again.output([]byte("SECRET3"))); !isPlaceholder(got) {
		t.Errorf("with a count beyond all bounds it becomes %q", got)
	}
}

// TestPrivateFileOfOthers: a private file that would write something else than
// placeholders into what is recorded, or one for two values, is refused.
func TestPrivateFileOfOthers(t *testing.T) {
	for _, given := range []string{`{"a": "\u001b[31m"}`, `{"a": "<script>"}`, `{"a": ""}`, `{"a": "<secret-1>", "b": "<secret-1>"}`, `{"a": "<secret--1>"}`} {
		file := filepath.Join(t.TempDir(), privateFile)
		if err := os.WriteFile(file, []byte(`{"salt": "00", "given": `+given+`}`), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := newRedactor(file, nil, options(testMask)); err == nil {
			t.Errorf("%s is taken", given)
		}
	}
}

// FuzzPrivate: whatever a private file holds, it is refused, or each value gets a
// placeholder of its own, the same after it was saved and read again.
func FuzzPrivate(f *testing.F) {
	for _, s := range []string{`{"salt": "00"}`, `{"salt": "00", "given": {"a": "<secret-1>", "b": "198.19.255.255", "c": "user-7"}}`, `{"salt": "0"}`, `{"given": {}}`, "null", "[", `{"salt": "00", "given": {"a": "<secret-1099511627776>"}}`} {
		f.Add([]byte(s))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		file := filepath.Join(dir, privateFile)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := newRedactor(file, nil, options(testMask))
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, p := range r.given {
			seen[p] = true
		}
		for _, kind := range []string{"secret", "ipv4", "mail", "host"} {
			for _, v := range []string{"a", "b"} {
				p := r.place(kind, v)
				if !isPlaceholder(p) || seen[p] {
					t.Errorf("%q: %s %s becomes %q", data, kind, v, p)
				}
				seen[p] = true
			}
		}
		if err := r.save(); err != nil {
			t.Fatal(err)
		}
		again, err := newRedactor(file, nil, options(testMask))
		if err != nil && r.next["secret"] <= maxPlaceholder && r.next["ipv4"] <= maxPlaceholder && r.next["mail"] <= maxPlaceholder && r.next["host"] <= maxPlaceholder {
			t.Fatalf("%q is refused once it is saved: %v", data, err)
		}
		if err != nil {
			return
		}
		if p, q := r.place("ipv4", "a"), again.place("ipv4", "a"); p != q {
			t.Errorf("%q: one value becomes %q, then %q", data, p, q)
		}
	})
}

// TestManyNames: the time that masking takes does not grow with the square of the
// names that it has seen.
func TestManyNames(t *testing.T) {
	r := testRedactor(t, false)
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "cd /home/someone-%d/code of someone-%d\n", i, i)
	}
	done := make(chan string)
	go func() { done <- r.text(b.String()) }()
	select {
	case got := <-done:
		if strings.Contains(got, "someone") || !strings.HasPrefix(got, "cd /home/user-1/code of user-1\n") {
			t.Errorf("it begins with %q", got[:100])
		}
	case <-time.After(60 * time.Second): // half a second, where nothing else runs
		t.Fatal("it does not come to an end")
	}
}

// FuzzNameTree holds the tree against an expression of all names.
func FuzzNameTree(f *testing.F) {
	f.Add("li-wei.77 li-wei li", "owner li-wei.77, li-wei-77 li_wei li-wei")
	f.Add("li-77", "li-77 ali-77 zli-77 Ali-77 Zli-77 0li-77 9li-77 _li-77 `li-77 {li-77 @li-77 [li-77 /li-77 :li-77")
	f.Add("li-77", "li-77 li-77a li-77z li-77A li-77Z li-770 li-779 li-77_ li-77` li-77{ li-77@ li-77[ li-77/ li-77: li-77")
	f.Add("gpu-node-17 node-17", "gpu-node-17 node-17/node-17")
	words := regexp.MustCompile(`^\w.*\w$`)
	f.Add("a-1 a-1-b", "a-1-b a-1-bc xa-1 a-1-")
	f.Fuzz(func(t *testing.T, names, text string) {
		var tree nameTree
		var quoted []string
		for _, n := range strings.Fields(names) {
			if utf8.ValidString(n) && distinct(n) && words.MatchString(n) && !slices.Contains(quoted, regexp.QuoteMeta(n)) {
				tree.add(n, "<"+n+">")
				quoted = append(quoted, regexp.QuoteMeta(n))
			}
		}
		if len(quoted) == 0 {
			return
		}
		slices.SortFunc(quoted, func(a, b string) int { return len(b) - len(a) })
		form := regexp.MustCompile(`\b(?:` + strings.Join(quoted, "|") + `)\b`)
		want := form.ReplaceAllStringFunc(text, func(v string) string { return "<" + v + ">" })
		if got := tree.replace(text); got != want {
			t.Errorf("%q in %q: %q, want %q", names, text, got, want)
		}
	})
}

// TestNamesOfAnyScript: a name that begins with no letter of ASCII is replaced
// where it stands alone, too.
func TestNamesOfAnyScript(t *testing.T) {
	r := testRedactor(t, false)
	if got := string(r.output([]byte(`{"creator": "张三-01", "log": "由 张三-01 提交"}`))); got != `{"creator": "user-1", "log": "由 user-1 提交"}` {
		t.Error(got)
	}
}
