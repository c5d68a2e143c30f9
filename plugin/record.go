package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"hcloud-modelarts/corpus"
	"hcloud-modelarts/plugin/hcloud"
)

type recordCmd struct {
	Jobs   []string `arg:"" optional:"" name:"job" help:"${record_job}"`
	All    bool     `help:"${record_all}"`
	Since  string   `placeholder:"TIME" help:"${since}"`
	Full   bool     `help:"${full}"`
	Resume string   `placeholder:"CASE" help:"${resume}"`
	recording
	remote
}

// Run records everything about each job, a case a job, and prints the cases.
func (r *recordCmd) Run(c *console) error {
	since, err := c.since(r.Since)
	if err != nil {
		return err
	}
	if named := min(len(r.Jobs), 1); named+count(r.All, r.Resume != "") != 1 {
		return &usageError{c.say(msgRecordWhat)}
	}
	l, err := r.connect(c)
	if err != nil {
		return err
	}
	if r.Resume != "" {
		return r.resume(c, l)
	}
	jobs := r.Jobs
	if r.All {
		list := &collector{c: c, link: l}
		found, err := list.abnormalJobs(since)
		if err != nil {
			return err
		}
		for _, j := range found {
			jobs = append(jobs, j.ID)
		}
		if len(jobs) == 0 {
			c.tell(msgNoAbnormal)
		}
	}
	for _, ref := range jobs {
		if err := r.record(c, l, ref); err != nil {
			return err
		}
	}
	return nil
}

// shortID is the part of a job's id that names its cases.
func shortID(id string) string {
	short, _, _ := strings.Cut(id, "-")
	return short
}

func count(conditions ...bool) int {
	n := 0
	for _, c := range conditions {
		if c {
			n++
		}
	}
	return n
}

// record makes the case of one job.
func (r *recordCmd) record(c *console, l *link, ref string) error {
	search := &collector{c: c, link: l}
	id, err := search.find(ref)
	if err != nil {
		return err
	}
	k, err := r.collect(search, shortID(id), r.recording.options(c), true)
	if err != nil {
		return err
	}
	return r.complete(k, k.gather(id, r.Full))
}

// resume goes on with a case: what it lacks is asked for, the state of the job
// anew.
func (r *recordCmd) resume(c *console, l *link) error {
	p, err := r.find(c, r.Resume)
	if err != nil {
		return err
	}
	rec, err := corpus.Resume(p, r.recording.options(c))
	if err != nil {
		return err
	}
	k := &collector{c: c, link: l, rec: rec}
	id := rec.Manifest().Job.ID
	if planned := rec.Manifest().Planned; id == "" && len(planned) > 0 {
		id = planned[0].Parameters["training_job_id"]
	}
	if id == "" {
		k.finish(false)
		return &usageError{c.say(msgNothingToResume, r.Resume)}
	}
	return r.complete(k, k.gather(id, r.Full))
}

// again is the command that goes on with a case, with the flags of this one.
func (r *recordCmd) again(id string) string {
	args := []string{"record", "--resume", id}
	for _, f := range []struct{ name, value string }{
		{"region", r.Region}, {"project-id", r.ProjectID}, {"profile", r.Profile}, {"hcloud", r.Hcloud}, {"replay", r.Replay}, {"corpus", r.Corpus},
	} {
		if f.value != "" {
			args = append(args, "--"+f.name+"="+f.value)
		}
	}
	if r.Via == "sdk" {
		args = append(args, "--via=sdk")
	}
	if r.Timeout != hcloud.DefaultTimeout {
		args = append(args, "--timeout="+r.Timeout.String())
	}
	for _, f := range []struct {
		name string
		set  bool
	}{{"--full", r.Full}, {"--mask-buckets", r.MaskBuckets}} {
		if f.set {
			args = append(args, f.name)
		}
	}
	return shellLine(name, args)
}

// complete closes the case after err and says where it is and what it lacks.
func (r *recordCmd) complete(k *collector, err error) error {
	if e := k.finish(err == nil); err == nil {
		err = e
	}
	m := k.rec.Manifest()
	if k.answers() {
		fmt.Fprintln(k.c.stdout, k.rec.Path())
	}
	if errors.Is(err, errInterrupted) && k.answers() {
		return &interruptedError{k.c.say(msgResumeRecord, r.again(m.ID))}
	}
	if err != nil {
		return err
	}
	k.warn()
	c, err := k.rec.Open()
	if err != nil {
		return err
	}
	if missing := c.Missing(); len(missing) > 0 {
		k.c.tell(msgMissing, len(missing), requestList(missing), r.again(m.ID))
	}
	return nil
}

func requestList(missing []corpus.Request) string {
	var names []string
	for _, q := range missing {
		n := q.Operation
		if task := q.Parameters["task_id"]; task != "" {
			n += " " + task
		}
		names = append(names, n)
	}
	if len(names) > 8 {
		names = append(names[:8], "…")
	}
	return strings.Join(names, ", ")
}

// gather asks everything about a job, first what is soonest gone. Calls that
// were answered before are not made again, but for that of the job's state.
func (k *collector) gather(id string, full bool) error {
	if err := k.plan(detailsOf(id)); err != nil {
		return err
	}
	j, err := k.details(id)
	if err != nil {
		return err
	}
	if err := k.about(j); err != nil {
		return err
	}
	calls := []hcloud.Call{eventsOf(id, 0)}
	for _, task := range j.tasks() {
		calls = append(calls, logOf(id, task))
	}
	calls = append(calls, stagesOf(id), hostsOf(id), opinionOf(id))
	for _, task := range j.tasks() {
		calls = append(calls, metricsOf(id, task), logLinkOf(id, task))
	}
	if err := k.plan(calls...); err != nil {
		return err
	}
	for _, call := range calls {
		if k.answered(call) {
			continue
		}
		if call.Operation == "ListTrainingJobEvents" {
			err = k.events(id)
		} else {
			_, err = k.ask(call)
		}
		if err != nil {
			return err
		}
	}
	if !full {
		return nil
	}
	for _, task := range j.tasks() {
		if err := k.download(id, task); err != nil {
			return err
		}
	}
	return nil
}

func request(c hcloud.Call) corpus.Request {
	q, _ := corpus.RequestOf(append([]string{c.Operation}, c.Params...))
	return q
}

func (k *collector) plan(calls ...hcloud.Call) error {
	requests := make([]corpus.Request, len(calls))
	for i, c := range calls {
		requests[i] = request(c)
	}
	return k.rec.Plan(requests...)
}

// answered reports whether the case holds an answer that another try would not
// better.
func (k *collector) answered(call hcloud.Call) bool {
	m := k.rec.Manifest()
	q := request(call)
	return slices.ContainsFunc(m.Exchanges, q.Answered)
}
