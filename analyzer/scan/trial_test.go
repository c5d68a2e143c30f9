package scan

import (
	"testing"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// TestTryAgreesWithMatch: the trial that won is the event that the scan keeps,
// on the samples of all rules.
func TestTryAgreesWithMatch(t *testing.T) {
	s := New(rules.Default())
	for _, r := range rules.Default().Rules {
		d, err := r.Detail()
		if err != nil {
			t.Fatal(err)
		}
		doc := &source.Document{Name: r.ID, Rank: -1}
		source.Text(doc, "message", source.Log, d.Samples.Match[0], func(l *source.Line) {
			var won *rules.Rule
			for i, x := range s.Try(l, traceback.Outside) {
				if x.Outcome == Won && i > 0 {
					t.Errorf("%s: the winner stands in place %d", r.ID, i)
				}
				if x.Outcome == Won {
					won = x.Rule
				}
			}
			st := s.stream(l)
			clear(st.events)
			st.now = &moment{}
			matched := s.match(st, l, traceback.Outside)
			if matched != (won != nil) || won != nil && won.Role != rules.Harmless && st.events[won] == nil {
				t.Errorf("%s: the trial is won by %v, the scan kept %v of %q", r.ID, won, st.events, l.Text)
			}
		})
	}
}

func TestTryGivesReasons(t *testing.T) {
	r := &rules.Rule{ID: "a", Role: rules.Root, Match: []rules.Wording{{Literals: []string{"disk is full", "on"}, Regexp: `disk is full on (?P<disk>sd\w)`, Not: []string{"not"}}}}
	o := &rules.Rule{ID: "b", Role: rules.Root, Generic: true, Match: []rules.Wording{{Literals: []string{"disk is"}}}}
	k := &rules.Rule{ID: "c", Role: rules.Root, Only: rules.Event, Match: []rules.Wording{{Literals: []string{"disk is full"}}}}
	s := New(&rules.Pack{Rules: []*rules.Rule{r, o, k}})
	for text, want := range map[string]string{
		"disk is full on sda":     "a won b outranked c scope",
		"disk is full on nvme":    "b won c scope a differs",
		"disk is full, sda":       "b won c scope a absent",
		"disk is not full on sda": "b won",
		"no disk is full on sda":  "a won b outranked c scope",
		"all is well":             "",
	} {
		got := ""
		for _, x := range s.Try(&source.Line{Text: text, Kind: source.Log, Doc: &source.Document{}}, traceback.Outside) {
			if got != "" {
				got += " "
			}
			got += x.Rule.ID + " " + string(x.Outcome)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	barred := s.Try(&source.Line{Text: "it is not so that disk is full on sda", Kind: source.Log, Doc: &source.Document{}}, traceback.Outside)
	if last := barred[len(barred)-1]; last.Outcome != Barred || last.Fragment != "not" {
		t.Errorf("an excluded word is %+v", last)
	}
}
