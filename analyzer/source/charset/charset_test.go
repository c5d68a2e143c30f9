package charset

import (
	"testing"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ttext 训练":                         "plain\ttext 训练",
		"\x1b[31mred\x1b[0m":                     "red",
		"\x1b]8;;http://x\x07link\x1b]8;;\x1b\\": "link",
		"\x1b]0;never ended":                     "0;never ended",
		"\u009b31mred":                           "red",
		"ab\b\bcd":                               "cd",
		"训\b练":                                   "练",
		"a\x00b\x7fc":                            "abc",
		"é stays":                                "é stays",
	} {
		if got := string(Clean([]byte(in), nil)); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
		if got := CleanText(in); got != want {
			t.Errorf("%q as text: got %q, want %q", in, got, want)
		}
	}
}

func TestDecode(t *testing.T) {
	tests := []struct{ name, encoding, in, want string }{
		{"UTF-8", UTF8, "训练失败", "训练失败"},
		{"GBK", UTF8, "\xd1\xb5\xc1\xb7\xca\xa7\xb0\xdc", "训练失败"},
		{"GBK with a sign", UTF8, "63\xa1\xe6 \xa6\xc1=1 \xa1\xc0 2", "63℃ α=1 ± 2"},
		{"GB18030 with emoji", UTF8, "\x81\x37\xbc\x33 step \x95\x30\x8b\x34", "✅ step 🚀"},
		{"UTF-8 with a character cut in two", UTF8, "训练失\xe8\xae", "训练失\uFFFD\uFFFD"},
		{"no text at all", UTF8, "\xff\xfe", "\uFFFD\uFFFD"},
		{"little end first", UTF16LE, "a\x00\x2d\x4e", "a中"},
		{"big end first", UTF16BE, "\x00a\x4e\x2d", "a中"},
		{"a pair of surrogates", UTF16LE, "\x3d\xd8\x00\xde", "😀"},
		{"half of a pair", UTF16LE, "\x3d\xd8a\x00", "\uFFFDa"},
		{"half of a unit", UTF16LE, "a\x00b", "a\uFFFD"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := Decoder{Name: tt.encoding}
			if got := string(d.Decode([]byte(tt.in))); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestDetect(t *testing.T) {
	tests := []struct {
		in, want string
		mark     int
	}{
		{"plain", UTF8, 0},
		{"\xef\xbb\xbfa", UTF8, 3},
		{"\xff\xfea\x00", UTF16LE, 2},
		{"\xfe\xff\x00a", UTF16BE, 2},
		{"s\x00t\x00e\x00p\x00 \x001\x00", UTF16LE, 0},
		{"\x00s\x00t\x00e\x00p\x00 \x001", UTF16BE, 0},
		{"a\x00b", UTF8, 0},
	}
	for _, tt := range tests {
		if name, mark := Detect([]byte(tt.in)); name != tt.want || mark != tt.mark {
			t.Errorf("%q: got %s with a mark of %d bytes, want %s with %d", tt.in, name, mark, tt.want, tt.mark)
		}
	}
}

// FuzzDecode checks that whatever is stored becomes UTF-8 that no terminal acts on.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{"\x1b[31mred\x1b[0m", "训练\b\xe8\xae", "\xd1\xb5\xc1\xb7", "a\x00\x3d\xd8", "\x1b]8;;x\x07y", "\u009b1m"} {
		for kind := range byte(3) {
			f.Add([]byte(s), kind)
		}
	}
	f.Fuzz(func(t *testing.T, stored []byte, kind byte) {
		d := Decoder{Name: []string{UTF8, UTF16LE, UTF16BE}[kind%3]}
		out := d.Decode(stored)
		if !utf8.Valid(out) {
			t.Fatalf("%q became %q", stored, out)
		}
		shown := Clean(out, nil)
		if hasControl(shown) && string(Clean(shown, nil)) != string(shown) {
			t.Fatalf("%q is shown as %q", stored, shown)
		}
	})
}
