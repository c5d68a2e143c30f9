package verdict

import (
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/scan"
)

// difference is a collective that ranks entered with different operations or
// different numbers of elements: then no rank is missing, their code took
// different paths.
type difference struct {
	a, b   []*wait // in reading order; all of a one, and all of b one
	counts bool    // the operation is the same, the numbers of elements differ
	sure   bool    // all of them name the same group
}

// unequal are operations in which ranks differ by design: the two ends of a
// transfer, and those that take another number of elements from each rank.
var unequal = []string{"SEND", "RECV", "P2P", "COALESCED", "ALLTOALL", "GATHER", "SCATTER", "UNKNOWN"}

func differsByDesign(op string) bool {
	return slices.ContainsFunc(unequal, func(u string) bool { return strings.HasPrefix(op, u) })
}

// differing looks for ranks that wait in different collectives under one number
// of one group.
func differing(waits []*wait) *difference {
	for i, a := range waits {
		if a.seq < 0 || a.op == "" || differsByDesign(a.op) {
			continue
		}
		var d difference
		d.sure = a.group != ""
		for _, b := range waits[i:] {
			if b.seq != a.seq || b.op == "" || differsByDesign(b.op) || a.apart(b) {
				continue
			}
			d.sure = d.sure && b.group != ""
			switch {
			case b.op == a.op && b.count == a.count:
				d.a = append(d.a, b)
			case b.rank == a.rank || len(d.b) > 0 && (b.op != d.b[0].op || b.count != d.b[0].count):
			case b.op != a.op || b.count != "" && a.count != "":
				d.b = append(d.b, b)
				d.counts = b.op == a.op
			}
		}
		if len(d.b) > 0 {
			return &d
		}
	}
	return nil
}

// tell makes the difference the statement of a verdict: it is proven by itself
// when the lines name the group, for numbers count within a group only.
func (d *difference) tell(v *Verdict) {
	a, b := d.a[0], d.b[0]
	args := map[string]string{"seq": a.event.Values.Get("seq"), "a": a.op, "b": b.op, "ranks_a": ranksOf(d.a), "ranks_b": ranksOf(d.b)}
	code := "different-collectives"
	if d.counts {
		code = "different-counts"
		args["a"], args["b"], args["op"] = a.count, b.count, a.op
	}
	v.Sentence = &Reason{code, args}
	v.Ranks = nil
	v.Evidence = []scan.Quote{a.event.Quote, b.event.Quote}
	if d.sure {
		v.Confidence, v.Doubt = High, nil
	}
}

func ranksOf(ws []*wait) string {
	var rs []int
	for _, w := range ws {
		rs = append(rs, w.rank)
	}
	slices.Sort(rs)
	return joinInts(slices.Compact(rs))
}
