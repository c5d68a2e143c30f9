package source

import (
	"io/fs"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestPrintable(t *testing.T) {
	for name, want := range map[string]string{
		"logs/worker-0.log":                "logs/worker-0.log",
		"a\x1b[31m\n\t\x7f.log":            `a\x1b[31m\n\t\x7f.log`,
		"a\u202e\u200b\ue000\u0085.log":    `a\u202e\u200b\ue000\u0085.log`,
		"tag\U000e0041\ufe0f":              `tag\U000e0041\ufe0f`,
		"a\xffx.log":                       `a\xffx.log`,
		"a\ufffdx.log":                     "a\ufffdx.log",
		"a\xff\ufffd\x1b":                  "a\\xff\ufffd\\x1b",
		"\xc8\xd5\xd6\xbe.log":             "日志.log", // GB 18030
		`literally \x1b and C:\logs\x.log`: `literally \x1b and C:\logs\x.log`,
	} {
		if got := Printable(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
		if got := Printable(want); got != want {
			t.Errorf("%q is spelled out twice: %q", want, got)
		}
	}
}

func FuzzPrintable(f *testing.F) {
	f.Add("a\x1b[31m\xff")
	f.Add("\xc8\xd5\xd6\xbe")
	f.Add("\ufffd\xed\xa0\x80\U000e0041")
	f.Fuzz(func(t *testing.T, name string) {
		got := Printable(name)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, Hidden) || Printable(got) != got {
			t.Errorf("%q is shown as %q", name, got)
		}
	})
}

// TestNamesStayApart: distinct files have distinct names, also those that are
// spelled alike.
func TestNamesStayApart(t *testing.T) {
	fsys := fstest.MapFS{}
	for _, name := range []string{"b\x1b.log", `b\x1b.log`, `b\x1b.log#2`, "日志.log", "\xc8\xd5\xd6\xbe.log"} {
		fsys["in/"+name] = &fstest.MapFile{Data: []byte("x\n")}
	}
	want := []string{`b\x1b.log`, `b\x1b.log#2`, `b\x1b.log#2#2`, "日志.log", "日志.log#2"}
	if d := cmp.Diff(want, readFS(t, odd{fsys}, "in").names()); d != "" {
		t.Errorf("of a folder (-want +got):\n%s", d)
	}
	archive := packZip(t, []string{"a.log", "a.log", "a.log#2", "b\x1b.log", "日志.log", "\xc8\xd5\xd6\xbe.log"}, []byte("x\n"))
	want = []string{"z.zip!a.log", "z.zip!a.log#2", "z.zip!a.log#2#2", `z.zip!b\x1b.log`, "z.zip!日志.log", "z.zip!日志.log#2"}
	if d := cmp.Diff(want, readFS(t, fstest.MapFS{"z.zip": {Data: archive}}, "z.zip").names()); d != "" {
		t.Errorf("of an archive (-want +got):\n%s", d)
	}
	mail := "From: a@example.com\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=X\n\n" +
		strings.Repeat("--X\nContent-Type: text/plain\nContent-Disposition: attachment; filename=a.log\n\nx\n", 2) + "--X--\n"
	if d := cmp.Diff([]string{"m.eml", "m.eml!a.log", "m.eml!a.log#2"}, readFS(t, fstest.MapFS{"m.eml": {Data: []byte(mail)}}, "m.eml").names()); d != "" {
		t.Errorf("of a mail (-want +got):\n%s", d)
	}
}

// TestManySpelledAlike: names that are spelled alike are numbered in a time that
// does not grow with their square.
func TestManySpelledAlike(t *testing.T) {
	const many = 200_000
	items := make([]item, many)
	l := listing{}
	for i := range items {
		items[i] = item{name: "a"}
		if own, _ := l.name("a"); i == many-1 && own != "a#"+strconv.Itoa(many) {
			t.Errorf("the last is %q", own)
		}
	}
	unclash(items, []Root{{Name: "r"}})
	if got := items[many-1].name; got != "a#"+strconv.Itoa(many) {
		t.Errorf("the last is %q", got)
	}
}

// odd is a file system that opens names that are not UTF-8, as systems do.
type odd struct{ fstest.MapFS }

func (o odd) Open(name string) (fs.File, error) {
	if f := o.MapFS[name]; f != nil && !utf8.ValidString(name) {
		return fstest.MapFS{"x": f}.Open("x")
	}
	return o.MapFS.Open(name)
}
