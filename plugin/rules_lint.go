package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/rules"
)

type lintRulesCmd struct {
	Dir   string `arg:"" optional:"" help:"${rules_own}"`
	Hints bool   `help:"${rules_hints}"`
}

// checkError says that a check found faults, which stand in the output already.
type checkError struct{ text string }

func (e *checkError) Error() string { return e.text }

// Run looks for what makes rules weak. Faults end the program with an error;
// hints are counted, or listed when asked for.
func (l *lintRulesCmd) Run(c *console) error {
	pack, own, err := c.ownPack(l.Dir)
	if err != nil {
		return err
	}
	found, err := rules.Lint(pack, own)
	if err != nil {
		return err
	}
	var b strings.Builder
	faults, hints := 0, map[string]int{}
	for _, f := range found {
		if f.Hard {
			faults++
		} else {
			hints[f.Code]++
		}
		if f.Hard || l.Hints {
			b.WriteString(c.finding(f) + "\n")
		}
	}
	if !l.Hints {
		for _, code := range slices.Sorted(maps.Keys(hints)) {
			b.WriteString(c.say(msgHints, hints[code], code) + "\n")
		}
	}
	b.WriteString(c.say(msgLinted, len(own.Rules), faults, len(found)-faults) + "\n")
	if err := c.deliver("", []byte(b.String())); err != nil {
		return err
	}
	if faults > 0 {
		return &checkError{c.say(msgLintFaults, faults)}
	}
	return nil
}

// finding is one line: the rule's file, what is wrong, how bad that is.
func (c *console) finding(f rules.Finding) string {
	other := ""
	if f.Other != nil {
		other = f.Other.ID
	}
	what := strings.NewReplacer("{about}", f.About, "{other}", other, "{count}", strconv.Itoa(f.Count)).Replace(rules.LintTexts[f.Code].In(c.lang))
	if f.Wording > 0 {
		what = c.say(msgWording, f.Wording) + what
	}
	kind := msgHint
	if f.Hard {
		kind = msgFault
	}
	return report.Plain(fmt.Sprintf("%s: %s%s (%s)", f.Rule.File(), c.say(kind)+c.colon(), what, f.Code))
}

// ownPack gives a folder's rules, and all rules with them in their places; all
// are one's own when no folder is named.
func (c *console) ownPack(dir string) (pack, own *rules.Pack, err error) {
	if dir == "" {
		return rules.Default(), rules.Default(), nil
	}
	if own, err = c.folderPack(dir); err != nil {
		return nil, nil, err
	}
	return rules.Default().With(own), own, nil
}

type testRulesCmd struct {
	Dir string `arg:"" optional:"" help:"${rules_own}"`
}

// Run holds every sample against the rules, as a diagnosis would.
func (t *testRulesCmd) Run(c *console) error {
	pack, own, err := c.ownPack(t.Dir)
	if err != nil {
		return err
	}
	tester := analyzer.NewTester(pack)
	var b strings.Builder
	bad, lost, samples := 0, 0, 0
	complain := func(r *rules.Rule, m text, args ...any) {
		b.WriteString(report.Plain(r.File()+": "+c.say(m, args...)) + "\n")
	}
	for _, r := range own.Rules {
		d, err := r.Detail()
		if err != nil {
			return err
		}
		samples += len(d.Samples.Match) + len(d.Samples.Near)
		for _, s := range d.Samples.Match {
			matched, winner := tester.Sample(r, s)
			if !matched {
				bad++
				complain(r, msgNotMatched, s)
			} else if winner != r {
				lost++
				complain(r, msgBeaten, winner.ID, s)
			}
		}
		for _, s := range d.Samples.Near {
			if matched, _ := tester.Sample(r, s); matched {
				bad++
				complain(r, msgNearMatched, s)
			}
		}
	}
	b.WriteString(c.say(msgTested, len(own.Rules), samples, bad, lost) + "\n")
	if err := c.deliver("", []byte(b.String())); err != nil {
		return err
	}
	if bad > 0 {
		return &checkError{c.say(msgTestFaults, bad)}
	}
	return nil
}
