package main

import (
	"fmt"
	"strings"
	"testing"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/rules"
)

// TestGate: the pack and each of its rules are right on their mutants.
func TestGate(t *testing.T) {
	tester := analyzer.NewTester(rules.Default())
	var sum score
	for _, r := range rules.Default().Rules {
		s, err := judge(tester, r)
		if err != nil {
			t.Fatal(err)
		}
		if s.mutants == 0 {
			t.Errorf("%s has no mutants", r.ID)
		}
		if s.rate() < gate {
			t.Errorf("%s is right on %.1f %% of %d mutants, such as not on %q (%s)", r.ID, 100*s.rate(), s.mutants, s.failed[0].text, s.failed[0].how)
		}
		sum.add(s)
	}
	if sum.rate() < gate {
		t.Errorf("the pack is right on %.2f %% of %d mutants", 100*sum.rate(), sum.mutants)
	}
	t.Logf("right on %.2f %% of %d mutants", 100*sum.rate(), sum.mutants)
}

// TestWeakRulesFail: a rule that rests on what varies does not pass.
func TestWeakRulesFail(t *testing.T) {
	r := &rules.Rule{ID: "weak", Role: rules.Root, Match: []rules.Wording{{Literals: []string{"disk "}, Regexp: `disk (?P<number>\d{2}) is full`}}}
	tester := analyzer.NewTester(&rules.Pack{Rules: []*rules.Rule{r}})
	failed := map[string]bool{}
	for _, m := range positives(r, "disk 44 is full", 0) {
		if matched, _ := tester.Sample(r, m.text); !matched {
			failed[m.how] = true
		}
	}
	if !failed["longer numbers"] || len(failed) != 1 {
		t.Errorf("it fails on %v, want longer numbers", failed)
	}
}

func TestMutants(t *testing.T) {
	r := &rules.Rule{ID: "r", Role: rules.Root, Match: []rules.Wording{{
		Literals: []string{"cannot open 4711 of"}, Regexp: `cannot open \d+ of '(?P<path>[^']+)'`, Fold: true,
	}}}
	text := "[rank1]: loader: cannot open 4711 of '/cache/data/a/x.bin' after 12 tries"
	got := map[string]string{}
	for _, m := range positives(r, text, 0) {
		got[m.how] = m.text
	}
	for how, want := range map[string]string{
		"numbers":        "[rank1]: loader: cannot open 4711 of '/cache/data/a/x.bin' after 45 tries",
		"longer numbers": "[rank1]: loader: cannot open 4711 of '/cache/data/a/x.bin' after 457 tries",
		"paths":          "[rank1]: loader: cannot open 4711 of '/mnt/sfs_turbo/team-b/x.bin' after 12 tries",
		"names":          "[rank1]: loader: cannot open 4711 of '/dbdif/ebub/a/x.cjo' after 12 tries",
		"upper case":     "[rank1]: LOADER: CANNOT OPEN 4711 OF '/CACHE/DATA/A/X.BIN' AFTER 12 TRIES",
		"wrapped":        "[rank1]: loader: cannot open 4711 of '/cache/data/a/x.bin'\nafter 12 tries",
		"Chinese quotes": "[rank1]: loader: cannot open 4711 of ‘/cache/data/a/x.bin’ after 12 tries",
	} {
		if got[how] != want {
			t.Errorf("%s: %q, want %q", how, got[how], want)
		}
	}
	if a, b := fmt.Sprint(positives(r, text, 3)), fmt.Sprint(positives(r, text, 3)); a != b {
		t.Errorf("two runs differ: %s, %s", a, b)
	}
	for _, m := range nears(r, "loader: opened 4711 of 'x'", 0) {
		if strings.Contains(m.text, "cannot") {
			t.Errorf("a near miss became %q", m.text)
		}
	}
}
