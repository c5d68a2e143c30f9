package verdict

import (
	"cmp"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/rules"
)

// pointers are the ranks and tasks that others name as the ones that failed,
// with how much that is worth. They break ties; none decides by itself, for each
// of them can name a victim.
type pointers struct {
	ranks map[int]int
	tasks map[string]int
}

// How much a name is worth: what watches processes sees the order of their ends
// with stamps of a second or worse; the platform and a heartbeat name one end.
const (
	sawExit  = 1
	sawFirst = 2
)

func pointersOf(c *Case) pointers {
	p := pointers{map[int]int{}, map[string]int{}}
	for _, r := range c.Job.Records {
		p.tasks[r.RelatedTask] = sawFirst
		for _, rec := range r.Recoveries {
			p.tasks[rec.RelatedTask] = sawFirst
		}
	}
	delete(p.tasks, "")
	for _, e := range c.Found.Events {
		if e.Rule.Role == rules.Harmless {
			continue
		}
		worth := 0
		switch {
		case e.Rule.Tells(rules.FailedRank):
			worth = sawFirst
		case e.Rule.Tells(rules.EndedRank):
			worth = sawExit
		default:
			continue
		}
		for _, r := range numbers(cmp.Or(e.Values.Get("rank"), e.Values.Get("ranks"), e.Values.Get("node"))) {
			p.ranks[r] = max(p.ranks[r], worth)
		}
	}
	return p
}

// numbers reads a list of ranks: "3", "0, 5", "worker 3".
func numbers(s string) []int {
	var all []int
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' }) {
		if n, err := strconv.Atoi(f); err == nil {
			all = append(all, n)
		}
	}
	return all
}

// named says how much the names that others give are worth for a candidate.
func (j *judge) named(c *candidate) int {
	return max(j.pointers.ranks[rankOfEvent(c)], j.pointers.tasks[taskOf(c.event)])
}
