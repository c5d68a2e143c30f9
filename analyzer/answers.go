package analyzer

import (
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/source"
)

// answers are the JSON values that were recognised.
type answers struct {
	list  []answer
	like  map[likeness]int // how many of them are alike
	jobs  []modelarts.Job  // that they tell of
	size  int              // of these, in bytes
	room  int              // for these, before they are put together
	facts int              // bytes
	left  modelarts.LeftOut
	out   int // answers that are not held
}

// answer is what one value was, and what it told beside its jobs and texts.
type answer struct {
	doc   *source.Document
	api   string
	ids   []string // of jobs
	err   *modelarts.CallError
	facts []modelarts.Fact
}

// likeness is the same of answers to one operation about the same jobs.
type likeness struct {
	doc      *source.Document
	api, ids string
}

// Bounds on what is held of answers.
const (
	mostAnswers = 4096
	mostAlike   = 256     // of one operation about the same jobs in one document
	mostOfJobs  = 4 << 20 // bytes of jobs, before those with one id are put together
	mostOfFacts = 2 << 20 // bytes
)

// add takes an answer.
func (h *answers) add(d *source.Document, a modelarts.Answer) {
	h.jobs = append(h.jobs, a.Jobs...)
	if h.size += modelarts.Weight(a.Jobs); h.size > max(h.room, mostOfJobs) {
		h.unite()
	}
	entry := answer{doc: d, api: a.API, err: a.Error, facts: a.Facts}
	for _, j := range a.Jobs {
		if j.ID != "" {
			entry.ids = append(entry.ids, j.ID)
		}
	}
	k := likeness{d, a.API, strings.Join(entry.ids, " ")}
	if h.like == nil {
		h.like = map[likeness]int{}
	}
	size := modelarts.Weight(a.Facts)
	if len(h.list) == mostAnswers || h.like[k] == mostAlike || h.facts+size > mostOfFacts {
		h.out++
		return
	}
	h.like[k]++
	h.facts += size
	h.list = append(h.list, entry)
}

// unite puts together what answers tell of jobs that have an id or a name, and
// bounds what is held.
func (h *answers) unite() {
	var named, loose []modelarts.Job
	for _, j := range h.jobs {
		if j.ID+j.Name == "" {
			loose = append(loose, j)
		} else {
			named = append(named, j)
		}
	}
	jobs, left := modelarts.Bound(append(modelarts.Merge(named), loose...))
	h.jobs, h.size = jobs, modelarts.Weight(jobs)
	h.room = h.size + mostOfJobs
	h.left.Add(left)
}

// merged gives the jobs of all answers.
func (h *answers) merged() []modelarts.Job {
	if len(h.jobs) > modelarts.MostJobs {
		h.unite()
	}
	return modelarts.Merge(h.jobs)
}

// boundNotes notes what was left out of jobs for the bounds on what is held.
func boundNotes(name string, left modelarts.LeftOut) (notes []source.Note) {
	for _, n := range []struct {
		code string
		n    int
	}{{"bound-tasks", left.States}, {"bound-items", left.Items}, {"bound-jobs", left.Jobs}} {
		if n.n > 0 {
			notes = append(notes, source.Note{Source: name, Code: n.code, Args: []string{strconv.Itoa(n.n)}})
		}
	}
	return notes
}
