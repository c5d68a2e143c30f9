package main

import (
	"io"
	"slices"
	"strings"
	"testing"
)

// TestRun: of a package whose tests do not look at everything, the mutants live
// that change what they do not look at.
func TestRun(t *testing.T) {
	const path = "scripts/mutate/code/testdata/sample\tsample.go\t"
	const known = path + "Grade\tbreak\tleft out\tspeed: three is the last\n"
	live := []string{
		"Grade\tpoints = min(points, 100)\tleft out\t(line 6)",
		"Grade\tbest == 3\tif false\t(line 12)",
		"reached\tpoints < 0\tcase never\t(line 25)",
		"reached\tpoints < 0\tborder\t(line 25)",
		"reached\treturn false\tfalse negated\t(line 26)",
		"reached\tpoints-10 >= 90 && points > 0\twithout what is right of &&\t(line 28)",
		"reached\tpoints > 0\tborder\t(line 28)",
	}
	want := ""
	for _, l := range live {
		want += path + l + "\n"
	}
	want += "32 mutants: 24 killed, 1 explained, 7 live\n"
	var out strings.Builder
	if err := run(&out, options{dir: "testdata/sample", skip: "^$", explained: known}); err != nil {
		t.Fatal(err)
	}
	if out.String() != want {
		t.Errorf("it tells\n%swant\n%s", out.String(), want)
	}
	if err := run(io.Discard, options{dir: "testdata/sample", skip: "("}); err == nil {
		t.Error("a broken expression is taken")
	}
	if err := run(io.Discard, options{dir: "testdata/none", skip: "^$"}); err == nil {
		t.Error("a package that is not there has no mutants")
	}
}

// TestExplanations: each explains mutants that there are, and says why.
func TestExplanations(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(explained), "\n")[1:]
	if !slices.IsSorted(lines) {
		t.Error("they are not sorted")
	}
	known := map[string]map[string]bool{}
	for _, line := range lines {
		f := strings.Split(line, "\t")
		if len(f) != 6 || len(f[5]) < len("speed") {
			t.Fatalf("%q does not say why in the sixth column", line)
		}
		if known[f[0]] == nil {
			r, err := rewrite("../../../"+f[0], nil)
			if err != nil {
				t.Fatal(err)
			}
			known[f[0]] = map[string]bool{}
			for _, m := range r.mutants {
				known[f[0]][m.key()] = true
			}
		}
		if !known[f[0]][strings.Join(f[1:5], "\t")] {
			t.Errorf("no mutant is %q", line)
		}
	}
}
