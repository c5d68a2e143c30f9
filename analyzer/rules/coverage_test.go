package rules

import "testing"

// The pack's breadth. A wording counts when it may name a cause; a cause is
// covered when a failure can be told in that many independent ways.
const (
	leastWordings = 900 // of roots
	leastPerCause = 3
	leastSamples  = 3 // of each kind, for each rule
)

// TestCoverage: no cause is known by one phrase only, and no rule by one line.
func TestCoverage(t *testing.T) {
	perCause := map[string]int{}
	total := 0
	for _, r := range loadPack(t).Rules {
		d, err := r.Detail()
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Samples.Match) < leastSamples || len(d.Samples.Near) < leastSamples {
			t.Errorf("%s: %d lines that it matches, %d near misses, want %d of each", r.ID, len(d.Samples.Match), len(d.Samples.Near), leastSamples)
		}
		if r.Role == Root || r.Role == Ambiguous {
			perCause[r.Cause] += len(r.Match)
			total += len(r.Match)
		}
	}
	for _, c := range Causes() {
		if c.ID != "none" && c.ID != "unknown" && perCause[c.ID] < leastPerCause {
			t.Errorf("%s: %d wordings name it, want %d", c.ID, perCause[c.ID], leastPerCause)
		}
	}
	if total < leastWordings {
		t.Errorf("%d wordings name a cause, want %d", total, leastWordings)
	}
}
