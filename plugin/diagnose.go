package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/plugin/hcloud"
)

type diagnoseCmd struct {
	Job      string `arg:"" optional:"" help:"${diagnose_job}"`
	Plan     bool   `help:"${plan}"`
	NoRecord bool   `help:"${no_record}"`
	Since    string `placeholder:"TIME" help:"${since}"`
	reporting
	recording
	remote
}

// Run asks hcloud for what decides, no more, and delivers the reports.
func (d *diagnoseCmd) Run(c *console) error {
	since, err := c.since(d.Since)
	if err != nil {
		return err
	}
	options, err := d.reporting.options(c)
	if err != nil {
		return err
	}
	l, err := d.connect(c)
	if err != nil {
		return err
	}
	if d.Plan {
		return d.showPlan(c, l)
	}
	search := &collector{c: c, link: l}
	if d.Job == "" && l.replay != nil {
		d.Job = l.replay.Job.ID
	}
	c.phase(1)
	ids, err := d.jobs(search, func() ([]job, error) { return search.abnormalJobs(since) })
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		c.tell(msgNoAbnormal)
		return nil
	}
	label := "scan"
	if d.Job != "" {
		label = shortID(ids[0])
	}
	k, err := d.collect(search, label, d.recording.options(c), !d.NoRecord && l.replay == nil)
	if err != nil {
		return err
	}
	reports, err := k.diagnoseJobs(ids, options, d.Job != "")
	if e := k.finish(err == nil); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	k.warn()
	c.phase(5)
	if k.temp == nil {
		c.tell(msgRecorded, k.rec.Path())
	}
	return d.give(c, reports)
}

// jobs gives the ids of the jobs that are meant.
func (d *diagnoseCmd) jobs(k *collector, all func() ([]job, error)) ([]string, error) {
	if d.Job != "" {
		id, err := k.find(d.Job)
		return []string{id}, err
	}
	list, err := all()
	var ids []string
	for _, j := range list {
		ids = append(ids, j.ID)
	}
	return ids, err
}

// diagnoseJobs diagnoses jobs one after another. One that cannot be asked about
// is told of and passed over, unless it is the only one.
func (k *collector) diagnoseJobs(ids []string, o analyzer.Options, single bool) ([]report.Report, error) {
	var reports []report.Report
	for i, id := range ids {
		if !single {
			k.c.tell(msgDiagnosing, i+1, len(ids), id)
		}
		d := &diagnosis{collector: k, id: id, options: o, whole: single, asked: map[step]bool{}}
		r, err := d.run()
		if call, refused := err.(*callError); refused && !single && !call.a.Denied() {
			k.failures = append(k.failures, call.a)
			continue
		}
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// diagnosis asks about one job until the evidence decides.
type diagnosis struct {
	*collector
	id      string
	job     job
	options analyzer.Options
	whole   bool // it is the only job: the case is about it, and whole logs may be downloaded
	asked   map[step]bool
}

// step is one further piece of evidence.
type step struct{ api, task string }

// run is the early-exit rule: collect the next answer, diagnose what there is,
// stop when that is conclusive or nothing is left to ask.
func (d *diagnosis) run() (report.Report, error) {
	d.phase(2)
	j, err := d.details(d.id)
	if err != nil {
		return report.Report{}, err
	}
	d.job = j
	if d.whole {
		if err := d.about(j); err != nil {
			return report.Report{}, err
		}
	}
	for {
		r, err := d.diagnose()
		if err != nil || d.conclusive(r) {
			return r, err
		}
		next, ok := d.next(r)
		if !ok {
			return r, nil
		}
		if err := d.take(next); err != nil {
			return r, err
		}
	}
}

// conclusive reports whether nothing more needs to be asked: the evidence
// decides, or the job ended well, which needs none.
func (d *diagnosis) conclusive(r report.Report) bool {
	return r.Confidence == report.High || d.job.Phase == modelarts.PhaseCompleted && r.Severity == report.Normal
}

// diagnose diagnoses what was recorded of the job so far.
func (d *diagnosis) diagnose() (report.Report, error) {
	files, err := d.evidence(d.id)
	if err != nil {
		return report.Report{}, err
	}
	options := d.options
	options.Region = d.rec.Manifest().Region
	reports, err := d.c.diagnose([]source.Root{{Name: cmp.Or(d.job.Name, d.id), FS: files, Path: "."}}, options)
	if err != nil {
		return report.Report{}, err
	}
	for _, r := range reports {
		if strings.EqualFold(r.Job.ID, d.id) {
			return r, nil
		}
	}
	r := reports[0]
	r.Job.ID = d.id
	return r, nil
}

// costs orders the evidence: what is small and decides often comes first, whole
// logs last.
var costs = map[string]int{
	"ListTrainingJobEvents": 1, "ListTrainingJobStages": 2, "ShowTrainingJobLogsPreview": 3,
	"ListTrainingJobTasks": 4, "ShowTrainingJobMetrics": 5, "ShowTrainingJobUserDiagnosis": 6, "ShowObsUrlOfTrainingJobLogs": 7,
}

// maxLogs bounds the logs that one diagnosis reads: the tasks that failed by
// themselves come first, and a log that comes later seldom decides.
const maxLogs = 16

var taskParam = lazy.Regexp(`--task_id=([A-Za-z]+-\d+)`)

// next gives the cheapest evidence that was not asked for yet: what the report
// asks for, and of a job that failed what may tell why.
func (d *diagnosis) next(r report.Report) (step, bool) {
	var steps []step
	for _, n := range r.Next {
		s := step{api: n.API}
		if m := taskParam().FindStringSubmatch(n.Command); m != nil {
			s.task = m[1]
		}
		perTask := strings.Contains(n.Command, "--task_id=")
		if costs[n.API] > 0 && perTask == (s.task != "") && (s.api != "ShowObsUrlOfTrainingJobLogs" || d.whole) {
			steps = append(steps, s)
		}
	}
	steps = append(steps, d.ladder()...)
	steps = slices.DeleteFunc(steps, func(s step) bool { return d.asked[s] })
	if len(steps) == 0 {
		return step{}, false
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(costs[a.api], costs[b.api]) })
	return steps[0], true
}

// ladder is what is asked in any case. Of a job that runs or waits it is the
// events: they tell why it waits, and whether the platform takes it to hang.
func (d *diagnosis) ladder() []step {
	steps := []step{{api: "ListTrainingJobEvents"}}
	if !d.job.Phase.Ended() && d.job.Phase != modelarts.PhaseUnknown {
		return steps
	}
	steps = append(steps, step{api: "ListTrainingJobStages"})
	tasks := d.job.tasks()
	for _, task := range tasks[:min(len(tasks), maxLogs)] {
		steps = append(steps, step{"ShowTrainingJobLogsPreview", task})
	}
	steps = append(steps, step{api: "ShowTrainingJobUserDiagnosis"})
	if d.whole {
		steps = append(steps, step{"ShowObsUrlOfTrainingJobLogs", tasks[0]})
	}
	return steps
}

// take asks for a piece of evidence.
func (d *diagnosis) take(s step) error {
	d.asked[s] = true
	if costs[s.api] >= costs["ShowTrainingJobLogsPreview"] {
		d.phase(4)
	} else {
		d.phase(3)
	}
	var err error
	switch s.api {
	case "ListTrainingJobEvents":
		err = d.events(d.id)
	case "ShowObsUrlOfTrainingJobLogs":
		err = d.download(d.id, s.task)
	default:
		_, err = d.ask(callOf(d.id, s))
	}
	return err
}

// callOf is the call for a piece of evidence that takes one.
func callOf(id string, s step) hcloud.Call {
	switch s.api {
	case "ListTrainingJobStages":
		return stagesOf(id)
	case "ListTrainingJobTasks":
		return hostsOf(id)
	case "ShowTrainingJobMetrics":
		return metricsOf(id, s.task)
	case "ShowTrainingJobLogsPreview":
		return logOf(id, s.task)
	}
	return opinionOf(id)
}

// phase says which phase begins, when one job is diagnosed.
func (d *diagnosis) phase(n int) {
	if d.whole {
		d.c.phase(n)
	}
}

// phase says which of the five phases of a diagnosis begins, once each.
func (c *console) phase(n int) {
	if n != c.inPhase {
		c.inPhase = n
		c.tell(msgPhase, n, phases[n-1].In(c.lang))
	}
}

// showPlan shows the calls that a diagnosis would make, in their order.
func (d *diagnoseCmd) showPlan(c *console, l *link) error {
	id := "<training_job_id>"
	var b strings.Builder
	show := func(call hcloud.Call) {
		fmt.Fprintf(&b, "   %s\n", shellLine(l.program, l.Args(call)))
	}
	heading := func(n int) { fmt.Fprintf(&b, "%d. %s\n", n, phases[n-1].In(c.lang)) }
	heading(1)
	switch {
	case d.Job == "":
		show(listOf(0, filter("phase", "in", abnormal...)))
	case modelarts.IsID(d.Job):
		id = strings.ToLower(d.Job)
		b.WriteString("   " + c.say(msgPlanID) + "\n")
	default:
		show(listOf(0, filter("name", "like", d.Job)))
	}
	heading(2)
	show(detailsOf(id))
	b.WriteString("   " + c.say(msgPlanExit) + "\n")
	heading(3)
	show(eventsOf(id, 0))
	show(stagesOf(id))
	heading(4)
	show(logOf(id, "<worker-N>"))
	show(opinionOf(id))
	show(logLinkOf(id, "<worker-N>"))
	heading(5)
	b.WriteString("   " + c.say(msgPlanReport) + "\n")
	return c.deliver("", []byte(b.String()))
}

var plainWord = lazy.Regexp(`^[A-Za-z0-9_@%+=:,./-]+$`)

// shellLine writes a command so that a shell reads it as it is meant.
func shellLine(program string, args []string) string {
	words := make([]string, 0, len(args)+1)
	for _, a := range append([]string{program}, args...) {
		if !plainWord().MatchString(a) {
			a = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}
