package modelarts

import (
	"slices"
	"strconv"
	"strings"
)

// The classes of facts, in the order in which an answer lists them. Within a
// class the order is that of the value.
const (
	factError = iota
	factPhase
	factTask
	factRecord
	factAnalysis
	factStage
	factEvent
	factHost
	factLog
	factMetric
	factResource
	factQuota
	factOther
	factClasses
)

// maxFacts bounds the facts of one class about one job, and those about none.
const maxFacts = 20

// Bounds on what facts take, in bytes: of one value, and of all.
const (
	longestFact = 2048
	mostOfFacts = 1 << 20
)

// factKey is what facts are counted by.
type factKey struct {
	class int
	job   string
}

// fact notes a value under its path.
func (r *reader) fact(class int, api string, n node, v string) {
	v = strings.Join(strings.Fields(v), " ")
	key := factKey{class, r.about}
	if v == "" || n.told && !r.again || r.told[key] >= maxFacts || r.ofFacts > mostOfFacts {
		return
	}
	r.told[key]++
	at := r.place(n)
	f := Fact{API: api, Job: r.about, Key: at.Field, Value: clip(withoutQuery(v), longestFact), At: at}
	r.ofFacts += weight(f)
	r.facts[class] = append(r.facts[class], f)
}

// clip gives a text, or the beginning of a long one.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// factsOf notes the named members of an object that have a value.
func (r *reader) factsOf(class int, api string, n node, names ...string) {
	for _, name := range names {
		if m := n.get(name); m.some() {
			r.fact(class, api, m, m.str())
		}
	}
}

// withoutQuery cuts every URL at its query, which holds signatures and tokens.
func withoutQuery(s string) string {
	words := strings.Split(s, " ")
	for i, w := range words {
		if at := strings.Index(w, "://"); at >= 0 {
			if q := strings.IndexByte(w[at:], '?'); q >= 0 {
				words[i] = w[:at+q]
			}
		}
	}
	return strings.Join(words, " ")
}

// pages are the lists of the service's answers whose length and total are worth
// a fact, also when they are empty.
var pages = []struct {
	list  string
	is    func(item node, s scope) bool // of the first item
	with  []string                      // one of these stands beside an empty list
	total []string
	api   string
	class int
}{
	{"events", isEvent, []string{"total", "limit", "order"}, []string{"total"}, apiEvents, factEvent},
	{"items", isJob, []string{"total", "count", "sort_by"}, []string{"count", "total"}, apiList, factOther},
	{"running_records", isStageRun, []string{"total_count"}, []string{"total_count"}, "ListTrainingJobStages", factStage},
	{"flavors", isFlavor, []string{"total_count"}, []string{"total_count"}, "ShowTrainingJobFlavors", factOther},
	{"quotas", isQuota, []string{"quotas"}, nil, "ShowTrainingQuotas", factQuota},
	{"metrics", isMetric, []string{"metrics"}, nil, "ShowTrainingJobMetrics", factMetric},
}

// notePage notes the length of a list of an answer and the total that the
// service tells: a page can be less than the whole.
func (r *reader) notePage(n node, s scope) {
	s.member = true
	for _, p := range pages {
		m := n.get(p.list)
		switch {
		case m.kind != list || m.goes:
			continue
		case m.told:
			if !r.paged[m.path.String()].counted {
				continue
			}
		case len(m.members) == 0 && (m.before > 0 || !s.root || !n.has(p.with...)):
			continue
		case len(m.members) == 0:
			r.saw(p.api)
			if !slices.Contains(r.empty, p.api) {
				r.empty = append(r.empty, p.api)
			}
		case p.total == nil || m.members[0].kind != object || !p.is(m.child(0), s):
			continue
		}
		note := func() {
			r.fact(p.class, p.api, m, strconv.Itoa(int(m.before)+len(m.members)))
			r.factsOf(p.class, p.api, n, p.total...)
		}
		if r.paged == nil {
			note()
		} else {
			r.ahead(p.class, m.path.String(), note)
		}
	}
}
