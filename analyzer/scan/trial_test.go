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
				if x.Outcome == Won && x.Rule != s.own { // which is read at the end alone
					won = x.Rule
				}
			}
			st := s.stream(l)
			clear(st.events)
			st.headline = nil
			st.now = &moment{}
			matched := s.match(st, l, traceback.Outside) != nil
			if matched != (won != nil) || won != nil && won.Role != rules.Harmless && st.events[won] == nil && (st.headline == nil || st.headline.Rule != won) {
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
		for _, x := range s.Try(&source.Line{Raw: text, Text: text, Kind: source.Log, Doc: &source.Document{}}, traceback.Outside) {
			if got != "" {
				got += " "
			}
			got += x.Rule.ID + " " + string(x.Outcome)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	barred := s.Try(&source.Line{Raw: "", Text: "it is not so that disk is full on sda", Kind: source.Log, Doc: &source.Document{}}, traceback.Outside)
	if last := barred[len(barred)-1]; last.Outcome != Barred || last.Fragment != "not" {
		t.Errorf("an excluded word is %+v", last)
	}
}

// TestReadings: a line is matched as it is read by its prefixes, with a level
// that may be its own first word, and with bent quotes made straight; what a
// wording excludes counts wherever it stands.
func TestReadings(t *testing.T) {
	pip := &rules.Rule{ID: "pip", Role: rules.Root, Match: []rules.Wording{{Literals: []string{"ERROR: Could not find a version"}}}}
	module := &rules.Rule{ID: "module", Role: rules.Root, Match: []rules.Wording{{Literals: []string{"No module named"}, Regexp: `No module named '(?P<module>[^']+)'`, Not: []string{"WARNING"}}}}
	s := New(&rules.Pack{Rules: []*rules.Rule{pip, module}})
	for text, want := range map[string]string{
		"ERROR: Could not find a version that satisfies torch==9":                                "pip",
		"2026-06-02T09:41:50.123456789Z ERROR: Could not find a version that satisfies torch==9": "pip",
		"Could not find a version of it":                                                         "",
		"ModuleNotFoundError: No module named 'apex'":                                            "module apex",
		"ModuleNotFoundError: No module named ‘apex’":                                            "module apex",
		"ModuleNotFoundError: No module named “apex”":                                            "",
		"2026-06-02 09:41:50 WARNING: No module named 'wandb'":                                   "",
		"2026-06-02 09:41:50,123 - trainer - WARNING - No module named 'wandb'":                  "",
	} {
		source.Text(&source.Document{Rank: -1}, "message", source.Log, text, func(l *source.Line) {
			got := ""
			for _, x := range s.Try(l, traceback.Outside) {
				if x.Outcome == Won {
					got = x.Rule.ID
					if m := x.Values.Get("module"); m != "" {
						got += " " + m
					}
				}
			}
			st := s.stream(l)
			clear(st.events)
			st.now = &moment{}
			if matched := s.match(st, l, traceback.Outside) != nil; got != want || matched != (want != "") {
				t.Errorf("%q: won by %q, matched %v, want %q", text, got, matched, want)
			}
		})
	}
}
