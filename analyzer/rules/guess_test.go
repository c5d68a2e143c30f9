package rules

import (
	"strings"
	"testing"
)

// TestGuessesReadTheBeginning: words that a message holds far behind its beginning,
// as in the data that it prints, are not guessed by; a sentence that quotes it up to
// the words stays one.
func TestGuessesReadTheBeginning(t *testing.T) {
	for _, c := range []struct {
		before string
		want   bool
	}{
		{"", true},
		{strings.Repeat("row 12 ", 30), true},
		{strings.Repeat("第十二行 ", 50), true},
		{strings.Repeat("row 12 ", 60), false},
		{strings.Repeat("row 12 ", 1000), false},
	} {
		line := "store.client.StoreError: " + c.before + "unable to connect to 10.0.0.9:7000"
		values, _, ok := Default().Rule("py-words-network").Find(line)
		if ok != c.want {
			t.Errorf("%d bytes before the words: fits %v, want %v", len(c.before), ok, c.want)
		}
		if said := values.Get("message"); ok && !strings.Contains(said, "unable to connect") {
			t.Errorf("%d bytes before the words: the sentence quotes %q, without them", len(c.before), said)
		}
	}
	for _, r := range Default().Rules {
		for i := range r.Match {
			if r.Match[i].Guess != r.Guess {
				t.Errorf("%s: wording %d and its rule differ in whether they guess", r.ID, i+1)
			}
		}
	}
}
