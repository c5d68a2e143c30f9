package analyzer_test

import (
	"testing"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/rules"
)

// TestSamplesThroughPrefixes: every rule matches its samples and no near miss
// also when a diagnosis has taken the prefixes off.
func TestSamplesThroughPrefixes(t *testing.T) {
	tester := analyzer.NewTester(rules.Default())
	for _, r := range rules.Default().Rules {
		d, err := r.Detail()
		if err != nil {
			t.Fatal(err)
		}
		wins := 0
		for _, s := range d.Samples.Match {
			matched, winner := tester.Sample(r, s)
			if !matched {
				t.Errorf("%s does not match %q", r.ID, s)
			}
			if winner == r {
				wins++
			}
		}
		if wins == 0 {
			t.Errorf("%s wins on none of its samples", r.ID)
		}
		for _, s := range d.Samples.Near {
			if matched, _ := tester.Sample(r, s); matched {
				t.Errorf("%s matches its near miss %q", r.ID, s)
			}
		}
	}
}
