package modelarts

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/source"
)

// Pages reads a value page by page. It holds what was found, the states of tasks
// and hosts within a bound.
type Pages struct {
	r       *reader
	line    int
	damaged bool
	left    int // states that were left out
	jobs    int // likewise jobs
}

// mostTasks is how many states of tasks, and as many hosts, are held of a job
// that pages tell of; those that failed are held before others.
const mostTasks = 8192

// mostJobs is how many jobs are held of a list of them that is read in pages.
const mostJobs = 1024

// seen is what pages before told of a list of which they held a part.
type seen struct {
	job  *Job
	many bool

	counted bool // how many there are is noted
}

// NewPages begins a value that starts on a line of a document.
func NewPages(doc string, line int) *Pages {
	return &Pages{r: &reader{doc: doc, ids: map[string]*Job{}, told: map[factKey]int{}, paged: map[string]seen{}}, line: line}
}

// Read takes the next page and gives the texts in it. The error is that the page
// holds no JSON value.
func (p *Pages) Read(page *source.Page) ([]Text, error) {
	in := parser{data: page.Bytes, line: p.line, cut: page.Cut, page: *page}
	v, _, damaged := in.parse()
	if v.kind == missing {
		return nil, fmt.Errorf("reading answer: no JSON value in %q at line %d", p.r.doc, p.line)
	}
	p.damaged = p.damaged || damaged || page.Cut
	r := p.r
	r.visit(node{&v, nil}, scope{root: true})
	for i, owner := range r.owners {
		if owner != nil {
			r.texts[i].Job = owner.ID
		}
	}
	texts := r.texts
	r.texts, r.owners = nil, nil
	for _, j := range r.jobs {
		p.bound(j)
	}
	if r.rest != nil {
		p.bound(r.rest)
	}
	p.boundJobs()
	return texts, nil
}

// Answer gives what all pages held, without the texts.
func (p *Pages) Answer() Answer { return p.r.finish(p.damaged) }

// LeftOut gives how many states of tasks and hosts, and how many jobs, were left
// out for the bounds.
func (p *Pages) LeftOut() (states, jobs int) { return p.left, p.jobs }

// bound leaves out states of tasks and hosts beyond their bound.
func (p *Pages) bound(j *Job) {
	if len(j.Tasks) > mostTasks {
		j.Tasks = uniteTasks(j.Tasks, false)
	}
	p.left += within(&j.Tasks, mostTasks, func(t Task) bool { return t.ExitCode == nil || *t.ExitCode == 0 })
	p.left += within(&j.Hosts, mostTasks, func(Host) bool { return false })
}

// boundJobs leaves out jobs beyond their bound, but the one that the next page may
// go on with, which is the last.
func (p *Pages) boundJobs() {
	r := p.r
	if len(r.jobs) <= mostJobs {
		return
	}
	last := r.jobs[len(r.jobs)-1]
	p.jobs += within(&r.jobs, mostJobs, func(j *Job) bool { return j != last && !j.Phase.Failed() })
	held := map[string]bool{"": true}
	for _, j := range r.jobs {
		held[j.ID] = true
	}
	maps.DeleteFunc(r.ids, func(id string, _ *Job) bool { return !held[id] })
	maps.DeleteFunc(r.told, func(k factKey, _ int) bool { return !held[k.job] })
	for class := range r.facts {
		r.facts[class] = slices.DeleteFunc(r.facts[class], func(f Fact) bool { return !held[f.Job] })
	}
}

// within leaves out items beyond a bound, at first those that tell little, then
// the first after the bound, and says how many.
func within[T any](items *[]T, most int, little func(T) bool) int {
	more := len(*items) - most
	if more <= 0 {
		return 0
	}
	telling := 0
	for _, item := range *items {
		if !little(item) {
			telling++
		}
	}
	room := max(0, most-telling) // for those that tell little
	*items = slices.DeleteFunc(*items, func(item T) bool {
		if !little(item) {
			return false
		}
		room--
		return room < 0
	})
	*items = slices.Delete(*items, min(most, len(*items)), len(*items))
	return more
}

// remember joins what a page tells of a list with what pages before told of it.
func (r *reader) remember(n node, s *scope) {
	if r.paged == nil || n.before == 0 && !n.goes {
		return
	}
	key := n.path.String()
	known := r.paged[key]
	s.many = s.many || known.many
	if s.job == nil {
		s.job = known.job
	}
	r.paged[key] = seen{s.job, s.many, known.counted}
}

// nameless gives the job of an object that tells no id. Of a value in pages, the
// last one may be the one that a page goes on with.
func (r *reader) nameless(n node) *Job {
	key := n.path.String()
	if r.paged != nil && r.open.job != nil && r.open.path == key {
		return r.open.job
	}
	job := &Job{}
	r.jobs = append(r.jobs, job)
	r.open.path, r.open.job = key, job
	return job
}

// ahead has facts about a list noted that its members, which pages before held,
// stand behind in a value that is read as a whole.
func (r *reader) ahead(class int, list string, note func()) {
	known := r.paged[list]
	known.counted = true
	r.paged[list] = known
	key, old := factKey{class, r.about}, r.facts[class]
	r.told[key], r.facts[class], r.again = 0, nil, true
	note()
	r.again = false
	added := slices.DeleteFunc(r.facts[class], func(f Fact) bool {
		return slices.ContainsFunc(old, func(o Fact) bool { return o.Key == f.Key })
	})
	at := slices.IndexFunc(old, func(f Fact) bool { return f.Key == list }) + 1
	if at == 0 {
		if at = slices.IndexFunc(old, func(f Fact) bool { return strings.HasPrefix(f.Key, list+"[") }); at < 0 {
			at = len(old)
		}
	}
	all := slices.Insert(old, at, added...)
	n := 0
	r.facts[class] = slices.DeleteFunc(all, func(f Fact) bool {
		if f.Job == r.about {
			n++
		}
		return f.Job == r.about && n > maxFacts
	})
	r.told[key] = min(n, maxFacts)
}
