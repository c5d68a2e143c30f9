package rules

import (
	"slices"
	"testing"
)

// TestComplete: of a line that several wordings of a rule fit, what only one of them
// names is known all the same, and what the first one names is kept.
func TestComplete(t *testing.T) {
	r := &Rule{ID: "a", Match: []Wording{
		{Literals: []string{"saved with"}, Regexp: `saved with (?P<saved>\d+), now (?P<now>\d+)`},
		{Literals: []string{"a size that is not supported"}},
		{Literals: []string{"now"}, Regexp: `(?P<saved>now) (?P<rest>\d+)`},
		{Literals: []string{"never"}, Regexp: `(?P<never>\d)`},
	}}
	text := "saved with 16, now 4: a size that is not supported"
	if got := r.Complete(nil, 1, text); !slices.Equal(got, Values{{"saved", "16"}, {"now", "4"}, {"rest", "4"}}) {
		t.Errorf("completed to %v", got)
	}
}
