package main

import (
	"testing"

	"hcloud-modelarts/analyzer/rules"
)

// TestPackIdentity: a run is not gone on with by rules that say something else
// under the same names.
func TestPackIdentity(t *testing.T) {
	identity := func(literal string) string {
		t.Helper()
		rule := &rules.Rule{ID: rules.Default().Rules[0].ID, Family: rules.Default().Rules[0].Family, Match: []rules.Wording{{Literals: []string{literal}}}}
		id, err := packIdentity(&rules.Pack{Rules: []*rules.Rule{rule}})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	torn := identity("the tape is torn")
	if torn != identity("the tape is torn") {
		t.Error("one pack has two identities")
	}
	if torn == identity("the tape is wet") {
		t.Error("two packs have one identity")
	}
}
