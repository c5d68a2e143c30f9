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
	left    LeftOut
}

// seen is what pages before told of a list of which they held a part.
type seen struct {
	job  *Job
	many bool

	counted bool // how many there are is noted
}

// NewPages begins a value that starts on a line of a document.
func NewPages(doc string, line int) *Pages {
	r := newReader(doc)
	r.paged = map[string]seen{}
	return &Pages{r: r, line: line}
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
	p.bound()
	return texts, nil
}

// Answer gives what all pages held, without the texts but for those that are known
// only at the end.
func (p *Pages) Answer() Answer { return p.r.finish(p.damaged) }

// LeftOut gives what was left out for the bounds.
func (p *Pages) LeftOut() LeftOut { return p.left }

// bound leaves out what is beyond the bounds of what is held. The next page may go
// on with the last job.
func (p *Pages) bound() {
	r := p.r
	if n := len(r.jobs); n > 0 {
		jobs, left := boundJobs(r.jobs, r.jobs[n-1])
		r.jobs = jobs
		p.left.Add(left)
		if left.Jobs > 0 {
			r.forgetJobs()
		}
	}
	all := r.jobs
	if r.rest != nil {
		all = append(slices.Clip(all), r.rest)
	}
	p.left.Add(boundLists(all))
	within(&r.errors, mostItems, mostBytes, weight, none)
}

// forgetJobs lets go of what was noted about jobs that are no longer held.
func (r *reader) forgetJobs() {
	held := map[string]bool{"": true}
	for _, j := range r.jobs {
		held[j.ID] = true
	}
	maps.DeleteFunc(r.ids, func(id string, _ *Job) bool { return !held[id] })
	maps.DeleteFunc(r.told, func(k factKey, _ int) bool { return !held[k.job] })
	r.ofFacts = 0
	for class := range r.facts {
		r.facts[class] = slices.DeleteFunc(r.facts[class], func(f Fact) bool { return !held[f.Job] })
		for _, f := range r.facts[class] {
			r.ofFacts += weight(f)
		}
	}
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
