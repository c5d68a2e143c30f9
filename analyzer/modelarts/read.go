package modelarts

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
)

// maxLevels bounds how often JSON within a string within JSON is followed.
const maxLevels = 4

// Read says what the JSON value at the start of data is and holds. The value
// was found in the document named doc, on its first line. Data is UTF-8; cut
// says that it is known to end inside the value. A value that ends early or is
// damaged is read as far as possible; the error is for data without any value.
func Read(doc string, data []byte, cut bool) (Answer, error) {
	return ReadAt(doc, 1, data, cut)
}

// ReadAt is Read for a value that starts on the given line of the document.
func ReadAt(doc string, line int, data []byte, cut bool) (Answer, error) {
	if escapedOnce(data) {
		data = []byte(unescape.Replace(string(data)))
	}
	v, _, damaged := parse(data, line, false, cut)
	if v.kind == missing {
		return Answer{}, fmt.Errorf("reading answer: no JSON value in %q at line %d", doc, line)
	}
	r := newReader(doc)
	r.visit(node{&v, nil}, scope{root: true})
	return r.finish(damaged || cut), nil
}

// escapedOnce tells whether the quotes of data are escaped, as in JSON cut out
// of a string.
func escapedOnce(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n")
	return bytes.HasPrefix(data, []byte(`{\"`)) || bytes.HasPrefix(data, []byte(`[{\"`))
}

var unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n", `\t`, "\t", `\r`, "\r", `\/`, "/")

// reader collects what a value holds while walking over it.
type reader struct {
	doc     string
	seen    int // pieces recognised so far
	levels  int // strings entered
	jobs    []*Job
	ids     map[string]*Job // of jobs
	rest    *Job            // what belongs to a job that the answer does not name
	texts   []Text
	owners  []*Job // of texts, index by index; nil for none
	errors  []CallError
	apis    []string
	facts   [factClasses][]Fact
	told    map[factKey]int // how many of them
	ofFacts int             // bytes that they take
	about   string          // id of the job being read
	empty   []string        // operations whose list holds nothing
	again   bool            // facts are noted although pages before told them
	open    struct {        // the last job without an id
		path string
		job  *Job
	}
	flight flight
	paged  map[string]seen // what pages before told of a list, by path; nil of a whole value
}

func newReader(doc string) *reader {
	return &reader{doc: doc, ids: map[string]*Job{}, told: map[factKey]int{}, flight: newFlight("")}
}

// scope is what the way to a value tells about it.
type scope struct {
	job     *Job   // that the value belongs to, nil when no answer around it is one
	api     string // operation whose answer is around it, "" when a query cut it out
	task    string // told by a member's name around it: "worker-0"
	order   int    // record_order around it
	status  int    // HTTP status around it
	root    bool   // only envelopes are around it: an error here is the call's own
	member  bool   // it is a member of a list
	alone   bool   // the object around it has hardly any other member
	many    bool   // it is one of several jobs
	quiet   bool   // it is configuration: only tracebacks are texts
	reasons bool   // single-line messages and reasons are texts
}

// shape is one kind of object: how it is recognised and read. The first shape
// that fits is taken. Shapes are told apart by what the pages and SDKs of the
// service say of its answers, and by the shapes of descriptions in use.
type shape struct {
	is   func(n node, s scope) bool
	read func(r *reader, n node, s scope)
}

var shapes []shape

// init breaks the cycle that shapes are read by functions that visit shapes.
func init() {
	shapes = []shape{
		{isJob, (*reader).readJob},
		{isExchange, (*reader).readExchange},
		{isCallError, (*reader).readCallError},
		{isKubernetes, (*reader).readKubernetes},
		{isTask, (*reader).readTask},
		{isHost, (*reader).readHost},
		{isStage, (*reader).readStage},
		{isRecord, (*reader).readRecord},
		{isRecovery, (*reader).readRecovery},
		{isAnalysis, (*reader).readAnalysis},
		{isPreview, (*reader).readPreview},
		{isMetric, (*reader).readMetric},
		{isFlightGroup, (*reader).readFlightGroup},
		{isFlightEntry, (*reader).readFlightEntry},
		{isFlightStatus, (*reader).readFlightStatus},
		{isQuota, (*reader).readQuota},
		{isFlavor, (*reader).readFlavor},
		{isLogURL, (*reader).readLogURL},
		{isDiagnosis, (*reader).readDiagnosis},
		{isDiagnosisTask, (*reader).readDiagnosisTask},
		{isEvent, (*reader).readEvent},
		{isRenamed, (*reader).readRenamed},
	}
}

// visit reads a value and everything in it.
func (r *reader) visit(n node, s scope) {
	if n.told {
		return
	}
	switch n.kind {
	case object:
		r.visitObject(n, s)
	case list:
		r.visitList(n, s)
	case text:
		r.visitText(n, s)
	case number, boolean:
		if n.path == nil {
			r.fact(factOther, "", n, n.text)
		}
	}
}

func (r *reader) visitObject(n node, s scope) {
	if !s.quiet {
		for _, sh := range shapes {
			if sh.is(n, s) {
				sh.read(r, n, s)
				return
			}
		}
		r.notePage(n, s)
	}
	r.others(n, s)
}

// others visits the members of an object apart from the named ones.
func (r *reader) others(n node, s scope, but ...string) {
	s.member, s.alone = false, int(n.before)+len(n.members) <= 2
	if i, ok := n.get("record_order").int(); ok {
		s.order = int(i)
	}
	if status := httpStatus(n); status != 0 {
		s.status = status
	}
	if task := n.get("task", "task_id", "task_name", "node").str(); taskName().MatchString(task) {
		s.task = task
	}
	for i := range n.members {
		name := n.members[i].name
		if slices.ContainsFunc(but, func(b string) bool { return sameName(b, name) }) {
			continue
		}
		inner := s
		inner.root = s.root && isEnvelope(name)
		if taskName().MatchString(name) {
			inner.task = name
		} else if id := JobIDIn(name); id != "" {
			set(&inner.task, taskAtEnd(name))
			if s.job == nil {
				inner.job = r.jobWith(id)
			}
		}
		r.visit(n.child(i), inner)
	}
}

func (r *reader) visitList(n node, s scope) {
	if !s.quiet && isRow(n, s) {
		row := rowObject(n)
		r.visit(node{&row, n.path}, s)
		return
	}
	if !s.quiet && isLines(n) {
		r.sayLines(n, s)
		return
	}
	items := n.list()
	s.member = true
	if !s.quiet && s.job == nil {
		s.many = several(items, s)
		if id := eventsJob(items, s); id != "" {
			s.job = r.jobWith(id)
		}
		r.remember(n, &s)
	}
	for _, item := range items {
		r.visit(item, s)
	}
}

// several tells whether more than one of the items is a job.
func several(items []node, s scope) bool {
	jobs := 0
	s.member = true
	for _, item := range items {
		if item.kind == list && isRow(item, s) {
			row := rowObject(item)
			item = node{&row, item.path}
		}
		if item.kind == object && isJob(item, s) {
			jobs++
		}
	}
	return jobs > 1
}

var (
	taskName = lazy.Regexp(`^(?:worker|ps|chief|master|evaluator|launcher|scheduler|server)-\d+$`)
	apiName  = lazy.Regexp(`^(?:Show|List|Create|Delete|Stop|Change|Notify|Accept|Get|Describe)[A-Z]\w+$`)
)

// envelopes are names of members that hold an answer rather than a part of one.
var envelopes = []string{
	"result", "results", "data", "body", "response", "responses", "resp", "answer", "answers", "output",
	"outputs", "stdout", "stderr", "payload", "content", "value", "exchanges", "calls", "entries", "json", "raw",
	"reply", "message", "details", "detail", "job", "events", "stages", "logs", "metrics", "records", "steps",
}

func isEnvelope(name string) bool {
	return apiName().MatchString(name) ||
		slices.ContainsFunc(envelopes, func(e string) bool { return sameName(e, name) })
}

// saw notes that a part of an operation's answer was recognised.
func (r *reader) saw(api string) {
	r.seen++
	if !slices.Contains(r.apis, api) {
		r.apis = append(r.apis, api)
	}
}

// home returns the job that what is read in this scope belongs to.
func (r *reader) home(s scope) *Job {
	if s.job != nil {
		return s.job
	}
	if r.rest == nil {
		r.rest = &Job{}
	}
	return r.rest
}

// jobWith returns the job of an id, a new one when none has it.
func (r *reader) jobWith(id string) *Job {
	if j, ok := r.ids[id]; ok {
		return j
	}
	j := &Job{ID: strings.Clone(id)} // it may be a part of a long text
	r.jobs = append(r.jobs, j)
	r.ids[j.ID] = j
	return j
}

// place returns where a value stands.
func (r *reader) place(n node) Place {
	p := Place{Source: r.doc, Field: n.path.String(), Line: n.line}
	if p.Field == "" {
		p.Field = "$"
	}
	return p
}

// finish puts together what was collected.
func (r *reader) finish(damaged bool) Answer {
	r.endFlight()
	a := Answer{APIs: r.apis, Texts: r.texts, Errors: r.errors, Empty: r.empty, Damaged: damaged}
	if len(r.apis) > 0 {
		a.API = r.apis[0]
	}
	if len(r.errors) > 0 {
		a.Error = &a.Errors[0]
	}
	if r.rest != nil {
		r.jobs = append(r.jobs, r.rest)
	}
	for _, j := range r.jobs {
		tidy(j)
		a.Jobs = append(a.Jobs, *j)
	}
	for i, owner := range r.owners {
		if owner != nil {
			a.Texts[i].Job = owner.ID
		}
	}
	for _, facts := range r.facts {
		a.Facts = append(a.Facts, facts...)
	}
	return a
}

// tidy puts the runs of a job in the order in which they began, and leaves one
// state of each task unless the answer tells several exit codes of it.
func tidy(j *Job) {
	slices.SortStableFunc(j.Records, func(a, b Record) int { return a.Start.Compare(b.Start) })
	j.Tasks = uniteTasks(j.Tasks, false)
}
