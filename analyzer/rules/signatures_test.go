package rules

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// best gives the rule that wins on a line when all rules may look at it.
func best(p *Pack, line string) *Rule {
	var top *Rule
	var wording int
	for _, r := range p.Rules {
		if r.Only == Exception && !IsException(line) {
			continue
		}
		if _, i, ok := r.Find(line); ok && (top == nil || r.Outranks(i, top, wording)) {
			top, wording = r, i
		}
	}
	return top
}

// rows reads a table with a heading; "\n" in a cell is a line break.
func rows(t *testing.T, name string) [][]string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		if i == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		cells := strings.Split(line, "\t")
		cells[0] = strings.ReplaceAll(cells[0], `\n`, "\n")
		if len(cells) > 2 {
			cells[2] = strings.ReplaceAll(cells[2], `\n`, "\n")
		}
		all = append(all, cells)
	}
	return all
}

func loadPack(t *testing.T) *Pack {
	t.Helper()
	p, err := Load(os.DirFS("pack"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestSignatures holds the pack against the table of known wordings: a root
// must be found as its cause, a symptom must not be taken for a root.
func TestSignatures(t *testing.T) {
	p := loadPack(t)
	byFamily := map[string][][]string{}
	for _, c := range rows(t, "signatures.tsv") {
		byFamily[c[1]] = append(byFamily[c[1]], c)
	}
	for _, family := range slices.Sorted(maps.Keys(byFamily)) {
		t.Run(family, func(t *testing.T) {
			for _, c := range byFamily[family] {
				if complaint := judge(p, c[0], c[2], c[4]); complaint != "" {
					t.Error(complaint)
				}
			}
		})
	}
}

// judge says what the pack does wrong with a sample, "" when nothing.
func judge(p *Pack, cause, sample, role string) string {
	var got []string
	for line := range strings.SplitSeq(sample, "\n") {
		r := best(p, line)
		if r == nil {
			continue
		}
		got = append(got, string(r.Role)+" "+r.Cause+" "+r.ID)
		blamed := r.Role == Root || r.Role == Ambiguous
		switch {
		case blamed && r.Cause == cause && role != "symptom",
			r.Cause == cause && role == "ambiguous" && r.Role == Symptom: // read as what it mostly is
			return ""
		case blamed && !r.Generic && role == "symptom":
			return fmt.Sprintf("symptom of %s is blamed by %s: %q", cause, r.ID, line)
		}
	}
	if role == "symptom" || cause == "none" || cause == "unknown" {
		return ""
	}
	return fmt.Sprintf("%s (%s) is not found in %q: got %q", cause, role, sample, got)
}

// TestHarmless makes sure that no line which is known to be harmless is blamed.
// A row of several lines shows a failure that was dealt with; the verdict
// judges those, so here only rows of one line are asked.
func TestHarmless(t *testing.T) {
	p := loadPack(t)
	for _, c := range rows(t, "harmless.tsv") {
		if strings.Contains(c[0], "\n") {
			continue
		}
		if r := best(p, c[0]); r != nil && (r.Role == Root || r.Role == Ambiguous) {
			t.Errorf("%s blames %q", r.ID, c[0])
		}
	}
}
