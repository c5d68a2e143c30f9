package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/corpus"
	"hcloud-modelarts/plugin/hcloud"
)

// recording are the flags of every command that records.
type recording struct {
	NoMask      bool `help:"${no_mask}"`
	MaskBuckets bool `help:"${mask_buckets}"`
}

// options are those of a recorder.
func (r recording) options(c *console) corpus.Options {
	o := corpus.Options{Now: c.now, Random: c.entropy, Mask: mask, Buckets: r.MaskBuckets}
	if r.NoMask {
		c.tell(msgWarning, c.say(msgUnmasked))
		o.Mask = nil
	}
	return o
}

// collector asks hcloud and records what it answers.
type collector struct {
	c    *console
	link *link
	rec  *corpus.Recorder
	// failures are the calls that gave no answer, for the end of the command.
	failures []hcloud.Answer
	held     []hcloud.Answer // answers from before there was a case
	fresh    bool            // the case was begun by this command
	temp     *corpus.Temp    // where the case is, when nothing is to be kept
}

// collect begins a case. With keep false it is written to a temporary folder
// and removed by finish.
// What before was asked is recorded, too.
func (r *remote) collect(before *collector, id string, o corpus.Options, keep bool) (*collector, error) {
	c, l := before.c, before.link
	dir, temp, err := r.place(c, keep)
	if err != nil {
		return nil, err
	}
	region, version := r.origin(c, l)
	m := corpus.Manifest{ID: id + "-" + c.now().UTC().Format("20060102T150405Z"), Region: region, Tool: versionText(), HCloud: version}
	rec, err := corpus.Create(dir, m, o)
	if err != nil {
		if temp != nil {
			temp.Remove()
		}
		return nil, err
	}
	k := &collector{c: c, link: l, rec: rec, temp: temp, fresh: true}
	for _, a := range before.held {
		if err := k.record(a); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// place gives the folder in which a case is begun: the corpus, or a temporary one.
func (r *remote) place(c *console, keep bool) (string, *corpus.Temp, error) {
	if keep {
		dir, err := r.dir(c)
		return dir, nil, err
	}
	temp, err := corpus.NewTemp(os.TempDir(), name+"-")
	if err != nil {
		return "", nil, err
	}
	return temp.Dir, temp, nil
}

// finish ends the case; whole says that nothing was left out on purpose. A new
// case that holds no answer at all, as after a wrong id, is not kept.
func (k *collector) finish(whole bool) error {
	err := k.rec.Close(whole)
	if k.temp != nil {
		k.temp.Remove()
	} else if k.fresh && !k.answers() {
		return errors.Join(err, corpus.Remove(k.rec.Path()))
	}
	return err
}

// answers reports whether the case holds any.
func (k *collector) answers() bool {
	return slices.ContainsFunc(k.rec.Manifest().Exchanges, func(x corpus.Exchange) bool { return x.Class == string(hcloud.OK) })
}

// read makes a call that changes nothing.
func read(operation string, params ...string) hcloud.Call {
	return hcloud.Call{Operation: operation, Params: params, Read: true}
}

// ask makes a call and records the answer. The error is one that ends the
// command: the recording cannot be written, or the user interrupted.
func (k *collector) ask(call hcloud.Call) (hcloud.Answer, error) {
	return k.askAndLook(call, func(*hcloud.Answer) {})
}

// askAndLook is ask with a look at the answer before it is recorded.
func (k *collector) askAndLook(call hcloud.Call, look func(*hcloud.Answer)) (hcloud.Answer, error) {
	k.c.tell(msgAsking, call.Operation+paramText(call.Params))
	a := k.link.Do(k.c.ctx, call)
	if a.Class == hcloud.Interrupted {
		return a, errInterrupted
	}
	look(&a)
	if err := k.record(a); err != nil {
		return a, err
	}
	if !a.Good() {
		k.failures = append(k.failures, a)
	}
	return a, nil
}

// record keeps an answer, in memory while there is no case; one that no program gave is nothing to keep.
func (k *collector) record(a hcloud.Answer) error {
	if k.rec == nil {
		k.held = append(k.held, a)
		return nil
	}
	if a.Class == hcloud.Missing || a.Class == hcloud.NotRecorded || a.Class == hcloud.OtherProgram {
		return nil
	}
	q, _ := corpus.RequestOf(a.Args[1:])
	_, err := k.rec.Add(corpus.Exchange{
		Request: q, Exit: a.Exit, Class: string(a.Class), Code: a.Code,
		Time: a.Time, Duration: a.Duration.Milliseconds(), Stderr: string(a.Stderr),
	}, a.Stdout)
	return err
}

// paramText shows what tells one call of a command from the next: the task, the
// page.
func paramText(params []string) string {
	shown := ""
	for _, p := range params {
		if task, ok := strings.CutPrefix(p, "--task_id="); ok {
			shown += " " + task
		}
		if offset, ok := strings.CutPrefix(p, "--offset="); ok && offset != "0" {
			shown += " +" + offset
		}
	}
	return shown
}

// tell writes a line about what is being done.
func (c *console) tell(t text, args ...any) {
	fmt.Fprintf(c.stderr, "%s\n", report.Plain(report.Mask(c.say(t, args...))))
}

// job is what an answer of ShowTrainingJobDetails or a list says of a job.
type job struct {
	modelarts.Job
}

// jobsIn reads the jobs of an answer.
func jobsIn(body []byte) []job {
	a, err := modelarts.Read("", body, false)
	if err != nil {
		return nil
	}
	var all []job
	for _, j := range a.Jobs {
		if j.ID != "" {
			all = append(all, job{j})
		}
	}
	return all
}

// tasks gives the tasks of a job in the order in which their logs are worth
// reading: the one that ended the job, those that failed by themselves, the
// others.
func (j job) tasks() []string {
	var names []string
	add := func(n string) {
		if n != "" && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	add(j.Culprit())
	innocent := map[string]bool{}
	for _, t := range j.Innocents() {
		innocent[t.Name] = true
	}
	for _, t := range j.FailedTasks() {
		if !innocent[t.Name] {
			add(t.Name)
		}
	}
	for _, t := range j.Tasks {
		add(t.Name)
	}
	if len(names) == 0 {
		add("worker-0") // every job has it; older answers list no tasks
	}
	return names
}

// The calls about one job.
func detailsOf(id string) hcloud.Call {
	return read("ShowTrainingJobDetails", "--training_job_id="+id)
}
func stagesOf(id string) hcloud.Call { return read("ListTrainingJobStages", "--training_job_id="+id) }
func hostsOf(id string) hcloud.Call {
	call := read("ListTrainingJobTasks", "--training_job_id="+id)
	call.List = true
	return call
}

func logOf(id, task string) hcloud.Call {
	return read("ShowTrainingJobLogsPreview", "--training_job_id="+id, "--task_id="+task)
}
func metricsOf(id, task string) hcloud.Call {
	return read("ShowTrainingJobMetrics", "--training_job_id="+id, "--task_id="+task)
}
func logLinkOf(id, task string) hcloud.Call {
	return read("ShowObsUrlOfTrainingJobLogs", "--training_job_id="+id, "--task_id="+task)
}

// opinionOf asks for the platform's own diagnosis, which not every hcloud knows.
func opinionOf(id string) hcloud.Call {
	return read("ShowTrainingJobUserDiagnosis", "--job_id="+id)
}

// eventsOf asks for a page of events of every level: exit codes are Info events.
func eventsOf(id string, offset int) hcloud.Call {
	return read("ListTrainingJobEvents", "--training_job_id="+id, fmt.Sprintf("--limit=%d", eventPage), fmt.Sprintf("--offset=%d", offset))
}

// Sizes of pages: the largest that the service gives.
const (
	eventPage = 100
	jobPage   = 50
	maxPages  = 200 // a bound against answers that never end
)

// events asks for all pages of events. A page that comes again is the last: what
// answers does not know of pages.
func (k *collector) events(id string) error {
	var before []byte
	for page := range maxPages {
		a, err := k.ask(eventsOf(id, page*eventPage))
		if err != nil || a.Class != hcloud.OK {
			return err
		}
		var body struct{ Events []json.RawMessage }
		if json.Unmarshal(a.Body, &body) != nil || len(body.Events) < eventPage || bytes.Equal(a.Body, before) {
			return nil
		}
		before = a.Body
	}
	return nil
}

// details asks for a job. The error is that of the call, too.
func (k *collector) details(id string) (job, error) {
	var j job
	a, err := k.askAndLook(detailsOf(id), func(a *hcloud.Answer) {
		ok := false
		if j, ok = theJob(a.Body, id); !ok && a.Good() {
			a.Class, a.Message = hcloud.NotAnswer, k.c.say(msgNoJobInAnswer, id)
		}
	})
	if err == nil {
		err = k.link.failed(a)
	}
	return j, err
}

// about notes in the case which job it is about.
func (k *collector) about(j job) error {
	phase := string(j.Phase)
	if phase == "" {
		phase = j.PhaseText
	}
	return k.rec.About(corpus.Job{ID: j.ID, Name: j.Name, Phase: phase})
}

// evidence gives what was recorded of one job, for a diagnosis.
func (k *collector) evidence(id string) (fs.FS, error) {
	c, err := k.rec.Open()
	if err != nil {
		return nil, err
	}
	return evidenceOf(c, id), nil
}

// evidenceOf gives what a case holds about one job.
func evidenceOf(c *corpus.Case, id string) fs.FS {
	return c.FS(func(q corpus.Request) bool {
		return strings.EqualFold(q.Parameters["training_job_id"], id) || strings.EqualFold(q.Parameters["job_id"], id)
	})
}

// warn tells at the end which evidence is missing and why; what it could not
// ask for is no reason to give no report.
func (k *collector) warn() {
	seen := map[string]bool{}
	for _, a := range k.failures {
		if a.Class == hcloud.Unsupported {
			continue
		}
		line := k.c.describeCall(&callError{a, k.link.program})
		if !seen[line] {
			seen[line] = true
			k.c.tell(msgWarning, line)
		}
	}
	k.failures = nil
}

// mostDays bounds how far --since goes back: beyond what a date can hold it would
// come out in the future.
const mostDays = 365 * 1000

// since reads --since: a duration back from now, or a date.
func (c *console) since(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	if days, ok := strings.CutSuffix(s, "d"); ok {
		var n int
		if _, err := fmt.Sscanf(days, "%d", &n); err == nil && fmt.Sprint(n) == days && n > 0 && n <= mostDays {
			return c.now().AddDate(0, 0, -n), nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return c.now().Add(-d), nil
	}
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02"} {
		if t, err := time.Parse(form, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, &usageError{c.say(msgSince, s)}
}
