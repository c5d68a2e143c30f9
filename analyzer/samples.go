package analyzer

import (
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// Tester holds samples against a pack, through the prefixes and the prefilter of
// a diagnosis. It is not safe for concurrent use.
type Tester struct {
	scanner *scan.Scanner
	doc     source.Document
}

// NewTester makes a tester for a pack.
func NewTester(pack *rules.Pack) *Tester {
	return &Tester{scanner: scan.New(pack), doc: source.Document{Name: "sample", Rank: -1, Device: -1, Attempt: -1}}
}

// kinds are those of the lines that rules of each scope look at.
var kinds = map[rules.Scope]source.Kind{rules.Event: source.Event, rules.Kernel: source.Kernel, rules.Prose: source.Ticket}

// Sample reports whether a rule matches a sample, and which rule wins on it: the
// rule itself when it wins on any of its lines, nil when none does.
func (t *Tester) Sample(r *rules.Rule, sample string) (matched bool, winner *rules.Rule) {
	source.Text(&t.doc, "sample", kinds[r.Only], sample, func(l *source.Line) {
		for _, x := range t.scanner.Try(l, traceback.Outside) {
			fits := x.Outcome == scan.Won || x.Outcome == scan.Outranked
			if x.Rule == r && fits {
				matched = true
			}
			if x.Outcome == scan.Won && winner != r {
				winner = x.Rule
			}
		}
	})
	return matched, winner
}
