package linediff

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestDiff(t *testing.T) {
	old := "a\nb\nc\nd\ne\nf\ng\nh\n"
	for _, tt := range []struct{ name, old, new, want string }{
		{"equal", old, old, ""},
		{"changed", old, "a\nb\nC\nd\ne\nf\ng\nh\n", "@@ -2,3 +2,3 @@\n b\n-c\n+C\n d\n"},
		{"two hunks", old, "A\nb\nc\nd\ne\nf\ng\n", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n@@ -7,2 +7 @@\n g\n-h\n"},
		{"created", "", "a\n", "@@ -0,0 +1 @@\n+a\n"},
		{"emptied", "a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n"},
		{"line end lost", "a\n", "a", "@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n"},
		{"bytes", "\xff\n", "\xfe\n", "@@ -1 +1 @@\n-\xff\n+\xfe\n"},
	} {
		want := tt.want
		if want != "" {
			want = "--- want\n+++ got\n" + want
		}
		if got := Diff("want", "got", tt.old, tt.new, 1); got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", tt.name, got, want)
		}
	}
}

func TestDiffIsBounded(t *testing.T) {
	long := strings.Repeat("x\n", maxLines)
	if got := Diff("want", "got", long, long+"y\n", 3); !strings.Contains(got, "differ") {
		t.Errorf("a long difference is %q", got)
	}
}

// TestDiffRebuilds: the difference turns each text into the other, whatever its
// context, and with all context it holds both.
func TestDiffRebuilds(t *testing.T) {
	line := rapid.SampledFrom([]string{"a\n", "b\n", "\n", "-\n", "+x\n", "@@ -1 +1 @@\n", " \n", "\\ x\n", "显存\n", "\xff\n", "\r\n"})
	tail := rapid.SampledFrom([]string{"", "", "end", "a", " "})
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(line, 0, 30).Draw(t, "lines"), "") + tail.Draw(t, "tail")
	})
	rapid.Check(t, func(t *rapid.T) {
		old, new := text.Draw(t, "old"), text.Draw(t, "new")
		context := rapid.SampledFrom([]int{0, 1, 3, 1000}).Draw(t, "context")
		d := Diff("old", "new", old, new, context)
		if (d == "") != (old == new) {
			t.Fatalf("the difference of %q and %q is %q", old, new, d)
		}
		if got, err := apply(old, d, '-', '+'); err != nil || got != new {
			t.Fatalf("forwards: %q, %v", got, err)
		}
		if got, err := apply(new, d, '+', '-'); err != nil || got != old {
			t.Fatalf("backwards: %q, %v", got, err)
		}
		if d != "" && context == 1000 && (side(d, '-') != old || side(d, '+') != new) {
			t.Fatalf("%q does not hold %q and %q", d, old, new)
		}
	})
}

// apply takes the lines marked del out of text and puts those marked add in, at
// the lines that the heads of the hunks name; everything else must agree.
func apply(text, diff string, del, add byte) (string, error) {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	var out strings.Builder
	next := 0
	for _, e := range parse(diff) {
		if e.op == '@' {
			start, none := head(e.line, del)
			if !none {
				start--
			}
			for ; next < start; next++ {
				out.WriteString(lines[next])
			}
			continue
		}
		if e.op != add {
			if next >= len(lines) || lines[next] != e.line {
				return "", fmt.Errorf("line %d is not %q", next+1, e.line)
			}
			next++
		}
		if e.op != del {
			out.WriteString(e.line)
		}
	}
	return out.String() + strings.Join(lines[next:], ""), nil
}

// side gives what one text holds of a difference.
func side(diff string, op byte) string {
	var out strings.Builder
	for _, e := range parse(diff) {
		if e.op == op || e.op == ' ' {
			out.WriteString(e.line)
		}
	}
	return out.String()
}

// parse reads a difference back, with the heads of hunks as edits of kind '@'.
func parse(diff string) []edit {
	var list []edit
	for i, l := range strings.SplitAfter(diff, "\n") {
		switch {
		case i < 2 || l == "":
		case l == noNewline:
			last := &list[len(list)-1]
			last.line = strings.TrimSuffix(last.line, "\n")
		default:
			list = append(list, edit{l[0], l[1:]})
		}
	}
	return list
}

// head reads the start of a hunk on one side, and whether it has no line there.
func head(line string, side byte) (start int, none bool) {
	for f := range strings.FieldsSeq(line) {
		if f[0] == side {
			a, n, _ := strings.Cut(f[1:], ",")
			start, _ = strconv.Atoi(a)
			return start, n == "0"
		}
	}
	return 0, false
}
