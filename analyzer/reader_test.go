package analyzer

import (
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/source"
)

// TestForeignJSON: JSON that is no answer is noted when there is nothing else; a
// known answer and a log that holds JSON are not.
func TestForeignJSON(t *testing.T) {
	for text, want := range map[string]bool{
		`{"a":1}`: true, `[]`: true,
		`{"status":{"phase":"Failed"}}`: false, "step 1\n{\"a\":1}\n": false, "epoch 3 done\n": false,
	} {
		reports, err := Diagnose([]source.Root{{Name: "in", Reader: strings.NewReader(text)}}, Options{Lang: "en"})
		if err != nil {
			t.Fatal(err)
		}
		noted := false
		for _, n := range reports[0].Notes {
			noted = noted || strings.Contains(n.Text, "no answer of ModelArts")
		}
		if noted != want {
			t.Errorf("%q: notes %v", text, reports[0].Notes)
		}
	}
}
