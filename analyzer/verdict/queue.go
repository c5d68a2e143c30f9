package verdict

import (
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
)

// The scheduler of Kubernetes lists why each node does not take a pod:
// "0/12 nodes are available: 9 Insufficient nvidia.com/gpu, 3 node(s) had …".
var (
	nodesRefused = lazy.Regexp(`(0/(\d+) nodes are available: )(.*?)(?:\. |\.?$)`)
	nodesReason  = lazy.Regexp(`(\d+) ((?:[^,{]|\{[^}]*\})+)`)
)

// accelerator is what the user asked for, where a node lacks CPU as well.
var accelerator = lazy.Regexp(`(?i)(?:nvidia\.com/|huawei\.com/|gpu|npu|ascend)`)

// refusal is why most nodes do not take a pod.
type refusal struct {
	text         string // the line with this reason alone
	count, nodes string
}

// largestRefusal gives the reason that holds for most nodes; nil when the line
// lists none.
func largestRefusal(text string) *refusal {
	m := nodesRefused().FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	most, best := 0, ""
	for _, r := range nodesReason().FindAllStringSubmatch(m[3], -1) {
		n, err := strconv.Atoi(r[1])
		if err == nil && (n > most || n == most && accelerator().MatchString(r[2]) && !accelerator().MatchString(best)) {
			most, best = n, r[2]
		}
	}
	if most == 0 {
		return nil
	}
	count := strconv.Itoa(most)
	return &refusal{m[1] + count + " " + strings.TrimSpace(best), count, m[2]}
}

// refused reads an event that lists the reasons of nodes by the largest one: the
// rule that the whole line fits may speak of a smaller.
func refused(e *scan.Event, pack *rules.Pack) *scan.Event {
	if e.Rule.Family != "kubernetes" {
		return e
	}
	r := largestRefusal(e.Quote.Text)
	if r == nil {
		return e
	}
	n := *e
	var top *rules.Rule
	for _, rule := range pack.Rules {
		if rule.Family != e.Rule.Family || rule.Role == rules.Harmless || rule.Role == rules.Context {
			continue
		}
		if v, i, ok := rule.Find(r.text); ok && (top == nil || rule.Outranks(i, top, n.Wording)) {
			top, n.Rule, n.Wording, n.Values = rule, rule, i, v
		}
	}
	if top == nil {
		return e
	}
	return &n
}

// findRefusal says for how many nodes the reason holds.
func findRefusal(v *Verdict, root *candidate) {
	if r := largestRefusal(root.event.Quote.Text); r != nil && root.event.Rule.Family == "kubernetes" {
		v.Findings = append(v.Findings, Reason{"refusing-nodes", map[string]string{"count": r.count, "nodes": r.nodes}})
	}
}
