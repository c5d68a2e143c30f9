package modelarts

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/rules/codes"
)

const apiEvents = "ListTrainingJobEvents"

// levels are the words for an event's level, in upper case, and the level each
// means.
var levels = map[string]string{
	"INFO": "INFO", "INFORMATION": "INFO", "NORMAL": "INFO", "NOTICE": "INFO", "DEBUG": "DEBUG",
	"WARN": "WARN", "WARNING": "WARN", "MINOR": "WARN",
	"ERROR": "ERROR", "MAJOR": "ERROR", "FATAL": "FATAL", "CRITICAL": "FATAL",
	"提示": "INFO", "信息": "INFO", "警告": "WARN", "告警": "WARN", "错误": "ERROR",
}

var (
	eventText  = []string{"message", "info", "msg"}
	eventTime  = []string{"time", "occur_time", "last_timestamp", "event_time", "timestamp", "create_time", "created_at", "first_timestamp"}
	eventLevel = []string{"level", "type", "severity"}

	bracketTask = lazy.Regexp(`\[(?:Pod: [^\]]*-)?((?:worker|ps|chief|master|evaluator|launcher|scheduler|server)-\d+)\]`)
	eventExit   = lazy.Regexp(`(?i)\bexit code:? *(?:is +)?(-?\d{1,10})\b|退出码[^\d-]{0,6}(-?\d{1,10})`)
)

// taskIn returns the task that a message names in brackets: "[worker-1] …",
// "[Pod: modelarts-job-…-worker-1] …".
func taskIn(message string) string {
	if m := bracketTask().FindStringSubmatch(message); m != nil {
		return m[1]
	}
	return ""
}

// isEvent recognises events[]. One that stands alone must name a source of the
// service: programs log objects with a time, a level and a message too.
func isEvent(n node, s scope) bool {
	message := n.get(eventText...)
	if message.kind != text || n.has("exit_code", "error_code", "code") && !n.has("source") {
		return false
	}
	at, _ := n.get(eventTime...).time()
	level := levels[strings.ToUpper(n.get(eventLevel...).str())]
	switch {
	case n.has("involved_object"), n.has("occur_time") && n.has("info"):
		return true
	case at.IsZero() && level == "":
		return s.member && s.root && len(n.members) == 1
	case s.member:
		return true
	}
	switch strings.ToLower(n.get("source").str()) {
	case "job", "task", "k8s":
		return true
	}
	return false
}

// eventsJob returns the id of the job that a list of events is of, "" when the
// items are no events or do not name exactly one job.
func eventsJob(items []node, s scope) string {
	s.member = true
	id := ""
	for _, item := range items {
		if item.kind != object || isJob(item, s) || !isEvent(item, s) {
			return ""
		}
		found := JobIDIn(item.get(eventText...).text)
		if id != "" && found != "" && id != found {
			return ""
		}
		set(&id, found)
	}
	return id
}

func (r *reader) readEvent(n node, s scope) {
	api := cmp.Or(s.api, apiEvents)
	r.saw(api)
	message, pod := n.get(eventText...), n.at("involved_object", "name").str()
	if id := cmp.Or(JobIDIn(message.text), JobIDIn(pod)); id != "" && s.job == nil {
		s.job = r.jobWith(id)
	}
	t := Text{What: EventText, Task: taskIn(message.text)}
	t.Time, t.Zoned = n.get(eventTime...).time()
	t.Level = levels[strings.ToUpper(n.get(eventLevel...).str())]
	set(&t.Task, n.get("task", "task_id").str())
	set(&t.Task, taskAtEnd(pod))
	set(&t.Task, s.task)
	r.say(message, s, t)
	if t.Level != "" && t.Level != "INFO" && t.Level != "DEBUG" {
		r.fact(factEvent, api, message, message.text)
	}
	if t.Task != "" {
		r.exitTold(message, s, t)
	}
}

// exitTold notes the exit code that an event tells of its task.
func (r *reader) exitTold(n node, s scope, t Text) {
	m := eventExit().FindStringSubmatch(n.text)
	if m == nil || n.cut {
		return
	}
	c, ok := codes.ParseExit(m[1] + m[2])
	if !ok {
		return
	}
	var ended time.Time
	if t.Zoned {
		ended = t.Time
	}
	job := r.home(s)
	job.Tasks = append(job.Tasks, Task{Name: strings.Clone(t.Task), ExitCode: &c, Ended: ended, At: r.place(n)})
	r.fact(factTask, apiEvents, n, t.Task+": "+strconv.Itoa(c))
}

// taskAtEnd returns the task of a pod's name: "modelarts-job-…-worker-1".
func taskAtEnd(pod string) string {
	if m := podTask().FindStringSubmatch(pod); m != nil {
		return m[1]
	}
	return ""
}

// isKubernetes recognises objects of Kubernetes, which people save beside the
// service's answers. They are no jobs of ModelArts; their reasons are texts.
func isKubernetes(n node, s scope) bool {
	return s.job == nil && !s.reasons && n.has("apiVersion") && n.has("kind") && n.has("metadata", "items")
}

func (r *reader) readKubernetes(n node, s scope) {
	s.api = "Kubernetes"
	if isEvent(n, s) {
		r.readEvent(n, s)
		return
	}
	name := n.at("metadata", "name").str()
	set(&s.task, taskAtEnd(name))
	if id := JobIDIn(name); id != "" {
		s.job = r.jobWith(id)
	}
	if !strings.HasSuffix(n.get("kind").str(), "List") {
		s.reasons, s.root = true, false
	}
	for i := range n.members {
		inner := s
		inner.quiet = isConfiguration(n.members[i].name)
		r.visit(n.child(i), inner)
	}
}
