package verdict

import (
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/rules"
)

// TestSamplesReport: what the rules give as examples of failures is taken for no
// mere mention of them.
func TestSamplesReport(t *testing.T) {
	for _, r := range rules.Default().Rules {
		if r.Role != rules.Root && r.Role != rules.Ambiguous || r.Only == rules.Event {
			continue
		}
		d, err := r.Detail()
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.Join(d.Samples.Match, "\n"), "\n") {
			_, i, ok := r.Find(line)
			if how := reports; ok {
				if how = toneOf(line, &r.Match[i]); how > caught {
					t.Errorf("rule %q: tone %d of %q", r.ID, how, line)
				}
			}
		}
	}
}
