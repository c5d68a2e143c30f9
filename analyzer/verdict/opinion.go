package verdict

import (
	"strings"

	"hcloud-modelarts/analyzer/rules"
)

// opinions compares the platform's own analysis with the verdict.
func opinions(c *Case, v *Verdict, pack *rules.Pack) []Opinion {
	var all []Opinion
	for _, a := range c.Job.Analysis {
		cause := causeIn(pack, a.Description)
		all = append(all, Opinion{Analysis: a, Cause: cause, Agrees: cause != "" && cause == v.Cause})
	}
	return all
}

// causeIn gives the cause of the rule that says most about a text, "" when none
// does.
func causeIn(pack *rules.Pack, text string) string {
	var top *rules.Rule
	wording := 0
	for line := range strings.Lines(text) {
		for _, r := range pack.Rules {
			if _, i, ok := r.Find(line); ok && (top == nil || r.Outranks(i, top, wording)) {
				top, wording = r, i
			}
		}
	}
	if top == nil || top.Role == rules.Harmless || top.Role == rules.Context {
		return ""
	}
	return top.Cause
}
