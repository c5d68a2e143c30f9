package report

import (
	"strings"
	"testing"
)

// TestMaskTokens: the forms of tokens at their borders. The tokens are put
// together here, so that no scanner takes this file for a leak.
func TestMaskTokens(t *testing.T) {
	const mixed = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA"
	line := strings.Repeat(mixed, 2)
	for _, tt := range []struct{ in, want string }{
		{"id AKIA" + "IOSFODNN7EXAMPLE used", "id AKIA*** used"},
		{"id AKIA" + "IOSFODNN7EXAMPL used", ""},
		{"id ASIA" + "iosfodnn7example used", ""},
		{"got MII" + strings.Repeat("Ab3+", 25) + " back", "got MII*** back"},
		{"got MII" + strings.Repeat("Ab3+", 24) + "Ab3 back", ""},
		{"cookie eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3", "cookie eyJ***"},
		{"payload eyJ" + "hbGciOiJIUzI1NiJ9.c3ViOjEyMzQ1Njc4OTA", ""},
		{"bot 123456789:AA" + strings.Repeat("h", 33) + " sends", "bot *** sends"},
		{"bot 123456789:AA" + strings.Repeat("h", 32) + " sends", ""},
		{"begin\n" + line + "\nend", "begin\n***\nend"},
		{"begin\n" + line[1:] + "\nend", ""},
		{"begin\n" + strings.Repeat("0123456789abcdef", 4) + "\nend", ""},
		{"begin\n" + strings.Repeat("ABCDEFGH01234567", 4) + "\nend", ""},
		{"sum glpat-" + "aBcDeFgHiJkLmNoPqRsT", "sum glpat-***"},
		{"sum npm_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeF", "sum npm_***"},
		{"sum npm_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZaBc", ""},
		{"sum npm_" + "aBcDeFgHi-kLmNoPqRsTuVwXyZaBcDeF", ""},
		{"sum hf_" + "download_of_the_whole_snapshot", ""},
		{"sum hf_" + "abcdefghijklmn12", "sum hf_***"},
		{"sum hf_" + "abcdefghijklmno1", ""},
		{"ids ABCDEFGH012345678901 0A", "ids *** 0A"},
		{"ids ABCDEFG0123456789012 0A", ""},
		{"ids ABCDEFGHIJKLMNOPQRST 0A", ""},
		{"ids ABCDEFGH01234567890 0A", ""},
		{"ids ABCDEFGH012345678901_0A", ""},
		{"key " + mixed + "aB3dE5gH", "key ***"},
		{"key " + mixed + "aB3dE5g", ""},
		{"sha " + strings.Repeat("0123456789abcdef", 2) + "01234567", ""},
		{"write to li.ming@example.com.", "write to ***@***."},
		{"out = q@k.io(x)", ""},
		{"out = q@k.io.sum()", ""},
		{"clone git@example.com:a/b.git", ""},
		{"open https://li.ming@example.com/a", ""},
		{"by /li.ming@example.com", "by /***@***"},
	} {
		want := tt.want
		if want == "" {
			want = tt.in
		}
		if got := Mask(tt.in); got != want {
			t.Errorf("%q becomes %q, want %q", tt.in, got, want)
		}
	}
}

// TestMasker: what a masker puts in the place of a value is all that stays of it.
func TestMasker(t *testing.T) {
	mask := Masker(func(kind Kind, value string) string { return "<" + string(kind) + ">" })
	in := "token hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZ01234567 of li.ming@example.com, password: 'hunter2', peer 122.9.14.77"
	want := "token <" + string(Token) + "> of <" + string(Mail) + ">, password: '<" + string(Secret) + ">', peer <" + string(IPv4) + ">"
	if got := mask(in); got != want {
		t.Errorf("%q becomes %q, want %q", in, got, want)
	}
}
