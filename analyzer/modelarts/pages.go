package modelarts

import (
	"fmt"
	"slices"
)

// Page says how data is one part of a value that is too large to be held. It is
// a value by itself: the part, and what holds it.
type Page struct {
	Told int   // bytes at the beginning that pages before had, kept for what they say of the rest
	Gaps []Gap // what is no longer there of the beginning, by place
	Goes bool  // further pages follow
	Open int   // where the list that goes on begins, behind its bracket; 0 when it is a text
}

// Gap is a place at which something was left out that pages before had.
type Gap struct {
	At    int // behind the bracket of a list, or the quote of a text
	Parts int // its first members, or lines
	Lines int // of the document
}

// Pages reads a value page by page. It holds what was found, the states of tasks
// and hosts within a bound.
type Pages struct {
	r       *reader
	line    int
	damaged bool
	left    int
}

// mostTasks is how many states of tasks, and as many hosts, are held of a job
// that pages tell of; those that failed are held before others.
const mostTasks = 8192

// seen is what pages before told of a list of which they held a part, or of the
// job that such a value is.
type seen struct {
	job  *Job
	many bool
}

// NewPages begins a value that starts on a line of a document.
func NewPages(doc string, line int) *Pages {
	return &Pages{r: &reader{doc: doc, ids: map[string]*Job{}, told: map[factKey]int{}, paged: map[string]seen{}}, line: line}
}

// Read takes the next page and gives the texts in it. Cut says that the data is
// known to end inside the value.
func (p *Pages) Read(data []byte, page Page, cut bool) ([]Text, error) {
	in := parser{data: data, line: p.line, cut: cut, page: page}
	v, _, damaged := in.parse()
	if v.kind == missing {
		return nil, fmt.Errorf("reading answer: no JSON value in %q at line %d", p.r.doc, p.line)
	}
	p.damaged = p.damaged || damaged || cut
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
	return texts, nil
}

// Answer gives what all pages held, without the texts, and how many states of
// tasks and hosts are not among it.
func (p *Pages) Answer() (a Answer, left int) { return p.r.finish(p.damaged), p.left }

// bound leaves out states of tasks beyond the bound, at first of those that did
// not fail.
func (p *Pages) bound(j *Job) {
	if len(j.Tasks) > mostTasks {
		j.Tasks = uniteTasks(j.Tasks, false)
		well := func(t Task) bool { return t.ExitCode == nil || *t.ExitCode == 0 }
		for _, drop := range []func(Task) bool{well, func(Task) bool { return true }} {
			most := mostTasks
			for _, t := range j.Tasks {
				if !drop(t) {
					most--
				}
			}
			j.Tasks = slices.DeleteFunc(j.Tasks, func(t Task) bool {
				if !drop(t) {
					return false
				}
				most--
				if most < 0 {
					p.left++
				}
				return most < 0
			})
		}
	}
	if n := len(j.Hosts) - mostTasks; n > 0 {
		j.Hosts = j.Hosts[:mostTasks]
		p.left += n
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
	r.paged[key] = seen{s.job, s.many}
}

// nameless gives the job of an object that tells no id.
func (r *reader) nameless(n node) *Job {
	key := "job " + n.path.String()
	if known := r.paged[key]; known.job != nil {
		return known.job
	}
	job := &Job{}
	r.jobs = append(r.jobs, job)
	if r.paged != nil {
		r.paged[key] = seen{job: job}
	}
	return job
}
