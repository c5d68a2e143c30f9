package analyzer

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/verdict"
)

// groups parts the input by job: two jobs in one folder are two diagnoses.
type groups struct {
	input string
	cases []*verdict.Case
	byID  map[string]*verdict.Case
	of    map[*scan.Stream]*verdict.Case
	docs  map[*source.Document]*verdict.Case
	index map[*verdict.Case]int // in cases
	owned map[owned]bool
	near  map[string]*verdict.Case // by folder, the first case that has a document within it
}

// owned says that a case has a document.
type owned struct {
	c *verdict.Case
	d *source.Document
}

func newGroups(input string, jobs []modelarts.Job) *groups {
	g := &groups{input: input, byID: map[string]*verdict.Case{}, of: map[*scan.Stream]*verdict.Case{}, docs: map[*source.Document]*verdict.Case{},
		index: map[*verdict.Case]int{}, owned: map[owned]bool{}, near: map[string]*verdict.Case{}}
	for _, j := range jobs {
		g.open(j)
	}
	return g
}

func (g *groups) open(j modelarts.Job) *verdict.Case {
	c := &verdict.Case{Input: g.input, Job: j, APIs: map[string]bool{}}
	g.index[c] = len(g.cases)
	g.cases = append(g.cases, c)
	if j.ID != "" {
		g.byID[j.ID] = c
	}
	return c
}

// name opens a case for a job that a document's name or content tells of.
func (g *groups) name(d *source.Document) {
	if d.Job == "" || g.byID[d.Job] != nil {
		return
	}
	if len(g.cases) == 1 && g.cases[0].Job.ID == "" { // the answers did not say the id
		g.cases[0].Job.ID = d.Job
		g.byID[d.Job] = g.cases[0]
		return
	}
	g.open(modelarts.Job{ID: d.Job})
}

// add puts a stream into the case of its job: told by the answer that holds it,
// or by its document; else that of the only job, or of the job whose documents
// lie nearest in the folders.
func (g *groups) add(s *scan.Stream, job string) {
	if job == "" {
		job = s.Doc.Job
	}
	c := g.byID[job]
	if c == nil {
		c = g.nearest(s.Doc)
	}
	if c == nil {
		c = g.open(modelarts.Job{})
	}
	g.of[s] = c
	g.own(s.Doc, c)
}

func (g *groups) own(d *source.Document, c *verdict.Case) {
	if g.docs[d] == nil {
		g.docs[d] = c
	}
	if k := (owned{c, d}); !g.owned[k] {
		g.owned[k] = true
		c.Documents = append(c.Documents, d)
		for folder := path.Dir(d.Name); ; folder = outer(folder) {
			if first, ok := g.near[folder]; !ok || g.index[c] < g.index[first] {
				g.near[folder] = c
			}
			if folder == "" {
				return
			}
		}
	}
}

// outer gives the folder around a folder, "" for the outermost.
func outer(folder string) string {
	return folder[:max(0, strings.LastIndexByte(folder, '/'))]
}

func (g *groups) nearest(d *source.Document) *verdict.Case {
	if c := g.docs[d]; c != nil {
		return c
	}
	if len(g.cases) == 1 {
		return g.cases[0]
	}
	for folder := path.Dir(d.Name); ; folder = outer(folder) {
		if c := g.near[folder]; c != nil || folder == "" {
			return c
		}
	}
}

// share parts the results of scanning by the streams that they are of.
func (g *groups) share(found scan.Result) {
	for _, s := range found.Streams {
		f := &g.of[s].Found
		f.Streams = append(f.Streams, s)
		f.Zones, f.Dropped, f.LeftOut = found.Zones, found.Dropped, found.LeftOut
	}
	for _, e := range found.Events {
		f := &g.of[e.Stream].Found
		f.Events = append(f.Events, e)
	}
	for _, t := range found.Traces {
		f := &g.of[t.Stream].Found
		f.Traces = append(f.Traces, t)
	}
	for _, t := range found.Stacks {
		f := &g.of[t.Stream].Found
		f.Stacks = append(f.Stacks, t)
	}
}

// answer notes with every job of an answer what the answer was.
func (g *groups) answer(a answer) {
	owners := g.owners(a)
	var about map[string][]modelarts.Fact
	switch {
	case len(owners) > 1:
		about = byJob(a.facts)
	case len(owners) == 0 && len(a.ids) > 0: // of jobs that are not held
		return
	case len(owners) == 0:
		c := g.nearest(a.doc)
		if c == nil {
			c = g.open(modelarts.Job{})
		}
		owners = []*verdict.Case{c}
	}
	for _, c := range owners {
		g.own(a.doc, c)
		c.APIs[a.api] = true
		if a.err != nil {
			c.Errors = append(c.Errors, *a.err)
		}
		facts := a.facts
		if about != nil {
			facts = about[c.Job.ID]
		}
		c.Facts = append(c.Facts, verdict.Fact{API: a.api, Fact: facts})
	}
}

// byJob parts the facts that an answer about several jobs tells.
func byJob(facts []modelarts.Fact) map[string][]modelarts.Fact {
	about := map[string][]modelarts.Fact{}
	for _, f := range facts {
		about[f.Job] = append(about[f.Job], f)
	}
	return about
}

func (g *groups) owners(a answer) []*verdict.Case {
	var cs []*verdict.Case
	seen := map[*verdict.Case]bool{}
	for _, id := range a.ids {
		if c := g.byID[id]; c != nil && !seen[c] {
			seen[c] = true
			cs = append(cs, c)
		}
	}
	return cs
}

// worthTelling leaves out, of several cases, those of answers about no job, such
// as lists of flavors, and the jobs that only a list names and that did not fail.
func (g *groups) worthTelling() []*verdict.Case {
	about := keep(g.cases, func(c *verdict.Case) bool {
		return c.Job.ID != "" || c.Job.Name != "" || len(c.Found.Streams) > 0 || len(c.Errors) > 0
	})
	return keep(about, func(c *verdict.Case) bool {
		return len(c.Found.Events) > 0 || c.Job.Phase.Failed() || len(c.Found.Streams) > 0
	})
}

// keep gives the cases of which wanted holds, all where it holds of none.
func keep(cases []*verdict.Case, wanted func(*verdict.Case) bool) []*verdict.Case {
	var kept []*verdict.Case
	for _, c := range cases {
		if wanted(c) {
			kept = append(kept, c)
		}
	}
	if len(kept) == 0 {
		return cases
	}
	return kept
}

// judged is the report on a job, with whether the job is what is asked about: the
// service says that it failed, and something of its own is at hand.
type judged struct {
	report.Report
	asked bool
}

func askedAbout(c *verdict.Case) bool { return c.Job.Phase.Failed() && len(c.Found.Streams) > 0 }

// worstFirst orders reports: first the jobs that are asked about, for the log of
// another job may lie beside; then by severity, those of jobs whose state is known
// first, then by job.
func worstFirst(rs []judged) []report.Report {
	grade := []report.Severity{report.Fault, report.Abnormal, report.Suspected, report.Insufficient, report.Normal}
	slices.SortStableFunc(rs, func(a, b judged) int {
		return cmp.Or(last(a.asked)-last(b.asked), slices.Index(grade, a.Severity)-slices.Index(grade, b.Severity), stateless(a.Report)-stateless(b.Report),
			strings.Compare(a.Job.Name, b.Job.Name), strings.Compare(a.Job.ID, b.Job.ID))
	})
	reports := make([]report.Report, len(rs))
	for i, r := range rs {
		reports[i] = r.Report
	}
	return reports
}

func last(asked bool) int {
	if asked {
		return 0
	}
	return 1
}

func stateless(r report.Report) int { return last(r.Job.Phase != "" && r.Job.Phase != "-") }
