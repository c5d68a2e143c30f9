// Command mutate tests rules harder than they are written: it changes their
// samples as logs and people change lines, and tells for each rule on which
// share of the mutants it still behaves right: matches what it must, and leaves
// near misses alone.
//
//	go run ./scripts/mutate            the rules below the gate
//	go run ./scripts/mutate -all       every rule with its rate
//	go run ./scripts/mutate -v RULE    the mutants on which a rule fails
package main

import (
	"flag"
	"fmt"
	"os"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/rules"
)

// gate is the share of mutants on which the pack, and each rule, has to be right.
const gate = 0.95

func main() {
	every := flag.Bool("all", false, "list every rule, not only those below the gate")
	verbose := flag.Bool("v", false, "list the mutants on which a rule fails")
	flag.Parse()
	if err := run(rules.Default(), flag.Args(), *every, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(pack *rules.Pack, only []string, every, verbose bool) error {
	list := pack.Rules
	if len(only) > 0 {
		list = nil
		for _, id := range only {
			r := pack.Rule(id)
			if r == nil {
				return fmt.Errorf("there is no rule %q", id)
			}
			list = append(list, r)
		}
	}
	tester := analyzer.NewTester(pack)
	var sum score
	weak := 0
	for _, r := range list {
		s, err := judge(tester, r)
		if err != nil {
			return err
		}
		sum.add(s)
		if s.rate() < gate {
			weak++
		}
		if every || s.rate() < gate || len(only) > 0 {
			fmt.Printf("%6.1f %%  %4d of %4d  %s\n", 100*s.rate(), s.right, s.mutants, r.ID)
		}
		if verbose {
			for _, f := range s.failed {
				fmt.Printf("          %s: %q\n", f.how, f.text)
			}
		}
	}
	fmt.Printf("%6.2f %%  of %d mutants of %d rules; %d rules below %.0f %%\n", 100*sum.rate(), sum.mutants, len(list), weak, 100*gate)
	if sum.rate() < gate || weak > 0 {
		return fmt.Errorf("the gate is %.0f %%", 100*gate)
	}
	return nil
}

// score is how a rule did.
type score struct {
	mutants, right int
	failed         []mutant
}

func (s *score) add(o score) {
	s.mutants += o.mutants
	s.right += o.right
	s.failed = append(s.failed, o.failed...)
}

func (s *score) rate() float64 {
	if s.mutants == 0 {
		return 1
	}
	return float64(s.right) / float64(s.mutants)
}

// judge holds the mutants of a rule's samples against it.
func judge(t *analyzer.Tester, r *rules.Rule) (score, error) {
	d, err := r.Detail()
	if err != nil {
		return score{}, err
	}
	var s score
	try := func(list []mutant, want bool) {
		for _, m := range list {
			s.mutants++
			if matched, _ := t.Sample(r, m.text); matched == want {
				s.right++
			} else {
				s.failed = append(s.failed, m)
			}
		}
	}
	for i, sample := range d.Samples.Match {
		try(positives(r, sample, i), true)
	}
	for i, sample := range d.Samples.Near {
		try(nears(r, sample, i), false)
	}
	return s, nil
}
