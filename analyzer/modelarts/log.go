package modelarts

import (
	"strconv"
	"strings"
)

var (
	logBody  = []string{"content", "context", "log", "logs"}
	logSizes = []string{"current_size", "full_size", "next_marker"}
	logLines = []string{"start_line", "end_line", "lines", "base_line"}
)

// isPreview recognises the answers that hold a part of a log: the preview of
// every age, and the pages of a log from AOM. A line of a container's log, which
// has a stream, is none.
func isPreview(n node, s scope) bool {
	if !n.has(logBody...) || n.has("stream", "role") {
		return false
	}
	if n.has(logSizes...) || n.has(logLines...) || n.has("is_success") {
		return true
	}
	body := n.get(logBody...)
	return s.root && len(n.members) == 1 && body.kind == text && !strings.HasPrefix(strings.TrimSpace(body.text), "{")
}

func (r *reader) readPreview(n node, s scope) {
	api := "ShowTrainingJobLogsPreview"
	if n.has(logLines...) {
		api = "ShowTrainingJobLogsFromAom"
	}
	r.saw(api)
	set(&s.task, n.get("task", "task_id", "task_name").str())
	body := n.get(logBody...)
	if n.has("current_size", "full_size") {
		at := n.get("current_size", "full_size")
		if !at.some() {
			at = n
		}
		p := Preview{Task: s.task, At: r.place(at)}
		p.Current, _ = n.get("current_size").int()
		p.Full, _ = n.get("full_size").int()
		job := r.home(s)
		job.Preview = append(job.Preview, p)
	}
	r.factsOf(factLog, api, n, "current_size", "full_size", "start_line", "end_line")
	switch {
	case body.kind == text && r.embedded(body, s, 0):
	case body.kind == text:
		r.say(body, s, Text{What: LogText})
	case body.kind == list:
		r.sayLines(body, s)
	default:
		r.visit(body, s)
	}
}

// isLogURL recognises the answer that holds links to a log.
func isLogURL(n node, s scope) bool {
	return s.root && s.job == nil && n.get("obs_url").kind == text && (n.has("shards") || len(n.members) == 1)
}

// readLogURL notes the links without their signatures. The name of the object
// tells the job.
func (r *reader) readLogURL(n node, s scope) {
	const api = "ShowObsUrlOfTrainingJobLogs"
	r.saw(api)
	urls := append([]node{n.get("obs_url")}, n.at("shards", "object_urls").list()...)
	for _, u := range urls {
		r.fact(factLog, api, u, u.str())
		if id := JobIDIn(u.text); id != "" && s.job == nil {
			s.job = r.jobWith(id)
		}
	}
}

// metricTypes are the names of metrics in descriptions that use "type".
var metricTypes = map[string]bool{"cpu": true, "gpu": true, "mem": true, "gpumem": true, "npu": true, "npumem": true}

// isMetric recognises metrics[] of ShowTrainingJobMetrics.
func isMetric(n node, _ scope) bool {
	if n.get("value", "values", "data").kind != list {
		return false
	}
	return n.get("metric", "metric_name").str() != "" || metricTypes[strings.ToLower(n.get("type").str())]
}

func (r *reader) readMetric(n node, s scope) {
	const api = "ShowTrainingJobMetrics"
	r.saw(api)
	name := n.get("metric", "metric_name", "type")
	m := Metric{Task: n.get("task", "task_id").str(), Name: name.str()}
	set(&m.Task, s.task)
	most, last := -1.0, -1.0
	values := n.get("value", "values", "data")
	m.At = r.place(values)
	for i := range values.members {
		f, ok := node{&values.members[i].value, values.path}.number()
		if !ok {
			f = -1
		}
		m.Values = append(m.Values, f)
		if f >= 0 {
			most, last = max(most, f), f
		}
	}
	if values.goes || values.before > 0 { // a part of a page tells neither its end nor its peak
		return
	}
	job := r.home(s)
	job.Metrics = append(job.Metrics, m)
	if most >= 0 {
		r.fact(factMetric, api, name, m.Name+": max "+decimal(most)+", last "+decimal(last))
	}
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// isQuota recognises quotas[] of ShowTrainingQuotas.
func isQuota(n node, s scope) bool {
	return s.job == nil && n.has("quota") && n.has("resource")
}

func (r *reader) readQuota(n node, s scope) {
	const api = "ShowTrainingQuotas"
	r.saw(api)
	q := Quota{Resource: n.get("resource").str()}
	q.Quota, _ = n.get("quota").int()
	q.Used, _ = n.get("used").int()
	job := r.home(s)
	job.Quotas = append(job.Quotas, q)
	r.fact(factQuota, api, n.get("used", "quota"), q.Resource+": "+n.get("used").str()+"/"+n.get("quota").str())
}

// isFlavor recognises flavors[] of ShowTrainingJobFlavors.
func isFlavor(n node, s scope) bool {
	return s.job == nil && n.has("flavor_id") && n.has("flavor_info", "flavor_type", "max_num", "billing")
}

func (r *reader) readFlavor(n node, _ scope) {
	const api = "ShowTrainingJobFlavors"
	r.saw(api)
	r.factsOf(factOther, api, n, "flavor_id")
}

// isDiagnosis recognises ShowTrainingJobUserDiagnosis.
func isDiagnosis(n node, _ scope) bool { return n.get("conclusions").kind == list }

func (r *reader) readDiagnosis(n node, s scope) {
	const api = "ShowTrainingJobUserDiagnosis"
	r.saw(api)
	s.job = r.home(s)
	s.root, s.reasons = false, true
	r.factsOf(factAnalysis, api, n, "status", "level")
	for _, c := range n.get("conclusions").list() {
		r.readConclusion(c, s, api)
	}
	r.others(n, s, "conclusions", "status", "level")
}

func (r *reader) readConclusion(n node, s scope, api string) {
	c := part(n, "conclusion")
	at := c.get("description", "desc", "detail", "class", "code")
	set(&s.task, n.get("task", "task_id").str())
	a := Analysis{
		Description: joined(c.get("code").str(), c.get("class").str(), c.get("description", "desc", "detail").str()),
		Solution:    c.get("solution", "suggestion", "advice").str(),
		Link:        withoutQuery(c.get("document_link", "link").str()),
		Task:        s.task, At: r.place(at),
	}
	if a.Description != "" {
		s.job.Analysis = append(s.job.Analysis, a)
		r.fact(factAnalysis, api, at, a.Description)
	}
	for _, source := range n.get("sources").list() {
		r.readConclusionSource(source, s)
	}
	r.others(n, s, "sources", "conclusion")
}

func joined(parts ...string) string {
	kept := parts[:0]
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, " ")
}

// readConclusionSource reads where the platform saw a fault: the line of the log,
// alone or beside its task and file. The page does not name the members.
func (r *reader) readConclusionSource(n node, s scope) {
	if n.kind == text {
		r.say(n, s, Text{What: ReasonText})
		return
	}
	if task := n.get("task", "task_id", "task_name").str(); taskName().MatchString(task) {
		s.task = task
	} else {
		set(&s.task, taskAtEnd(strings.TrimSuffix(n.get("file", "file_name", "log_file", "path").str(), ".log")))
	}
	for _, name := range []string{"content", "text", "context", "line", "log"} {
		if m := n.get(name); m.kind == text && strings.Contains(m.text, " ") {
			r.say(m, s, Text{What: LogText})
		}
	}
	r.visit(n, s)
}

// isDiagnosisTask recognises tasks[] of ListTrainingJobDiagnosisTasks.
func isDiagnosisTask(n node, _ scope) bool {
	return n.has("task_id") && n.has("training_job_id") && n.has("status")
}

func (r *reader) readDiagnosisTask(n node, _ scope) {
	const api = "ListTrainingJobDiagnosisTasks"
	r.saw(api)
	r.factsOf(factAnalysis, api, n, "status")
}
