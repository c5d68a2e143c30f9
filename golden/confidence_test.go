package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"hcloud-modelarts/analyzer/report"
)

// leastRight is how often, in per cent, a statement must be right that is made
// with HIGH or with MEDIUM.
var leastRight = map[report.Confidence]int{report.High: 98, report.Medium: 80}

// tally counts the diagnoses of one confidence.
type tally struct {
	right, all int
	wrong      []string
}

func (n *tally) add(name, label string, r report.Report) {
	n.all++
	if right(label, r) {
		n.right++
		return
	}
	n.wrong = append(n.wrong, fmt.Sprintf("%s: %s, not %s", name, r.Cause, label))
}

// TestConfidenceIsEarned measures how often each confidence is right over the
// labelled cases. What is said with HIGH must also be right when only the log of
// one rank is at hand, in which the failure may not stand at all.
func TestConfidenceIsEarned(t *testing.T) {
	dirs, err := os.ReadDir(casesDir)
	if err != nil {
		t.Fatal(err)
	}
	whole, alone := map[report.Confidence]*tally{}, map[report.Confidence]*tally{}
	for _, c := range []report.Confidence{report.High, report.Medium, report.Low} {
		whole[c], alone[c] = &tally{}, &tally{}
	}
	for _, d := range dirs {
		dir := filepath.Join(casesDir, d.Name())
		label := readCase(t, dir)
		r := diagnose(t, dir, "en")[0]
		whole[r.Confidence].add(d.Name(), label.Cause, r)
		files, logs := readInput(t, filepath.Join(dir, "input"))
		if len(logs) < 2 || label.Jobs > 1 {
			continue
		}
		for _, l := range logs {
			r := diagnoseFiles(t, fstest.MapFS{l.name: files[l.name]})
			alone[r.Confidence].add(d.Name()+"/"+l.name, label.Cause, r)
		}
	}
	for c, least := range leastRight {
		n, one := whole[c], alone[c]
		t.Logf("%s: %d of %d right; with one rank's log alone %d of %d", c, n.right, n.all, one.right, one.all)
		if c == report.High {
			n = &tally{n.right + one.right, n.all + one.all, slices.Concat(n.wrong, one.wrong)}
		}
		if 100*n.right < least*n.all {
			t.Errorf("%s is right %d times of %d, want %d %%: %q", c, n.right, n.all, least, n.wrong)
		}
	}
}

// right reports whether a diagnosis says nothing wrong: it names the cause of
// the label, or none. That nothing is wrong is a statement too.
func right(label string, r report.Report) bool {
	return r.Cause == label || r.Undecided()
}
