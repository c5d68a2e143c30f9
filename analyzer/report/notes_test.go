package report

import (
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/source"
)

// TestNotesAreWorded: every note that reading may give has a wording that
// takes no more values than there are.
func TestNotesAreWorded(t *testing.T) {
	for _, c := range source.NoteCodes() {
		x, ok := noteTexts[c.Code]
		if !ok {
			t.Errorf("note %q has no wording", c.Code)
			continue
		}
		if n := strings.Count(x.EN, "%s"); n > len(c.Args) {
			t.Errorf("note %q takes %d values of %q", c.Code, n, c.Args)
		}
		for _, lang := range []string{"zh", "en"} {
			if got := NoteText(lang, c.Code, c.Args); strings.Contains(got, "?") || strings.Contains(got, "%") {
				t.Errorf("note %q: %q", c.Code, got)
			}
		}
	}
}
