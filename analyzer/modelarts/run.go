package modelarts

import (
	"cmp"
	"strconv"
	"strings"
)

// isTask recognises status.task_statuses[], also without a name where one
// stands around it. What holds a command's output is a recorded call, whose
// exit code is the command's.
func isTask(n node, s scope) bool {
	if n.path.key() == "task_statuses" && n.has("task", "task_id") {
		return true
	}
	if !n.has("exit_code") || n.has("stdout", "stderr", "command", "cmd", "args", "argv") {
		return false
	}
	return n.has("task", "task_id", "task_name", "message") || s.task != ""
}

func (r *reader) readTask(n node, s scope) {
	api := r.sawPart(s)
	t := Task{Name: n.get("task", "task_id", "task_name", "name").str(), At: r.place(n)}
	set(&t.Name, s.task)
	if code := n.get("exit_code"); code.some() {
		t.At = r.place(code)
		t.ExitCode = exitCode(code)
		shown := code.str()
		if t.ExitCode != nil { // some serialisers write 137 as 137.0
			shown = strconv.Itoa(*t.ExitCode)
		}
		r.fact(factTask, api, code, strings.TrimPrefix(t.Name+": "+shown, ": "))
	}
	if job := r.home(s); t.Name != "" || t.ExitCode != nil {
		job.Tasks = append(job.Tasks, t)
	}
	s.task, s.reasons, s.root = t.Name, true, false
	r.say(n.get("message", "msg", "info"), s, Text{What: MessageText})
	r.others(n, s, "message", "msg", "info")
}

// exitCode returns an exit code, nil for what is none.
func exitCode(n node) *int {
	i, ok := n.int()
	if !ok || i < -1<<31 || i >= 1<<32 {
		return nil
	}
	code := int(i)
	return &code
}

// sawPart notes a part of a job's answer and returns the operation that gave it.
func (r *reader) sawPart(s scope) string {
	api := cmp.Or(s.api, apiDetails)
	r.saw(api)
	return api
}

// isHost recognises an item of ListTrainingJobTasks.
func isHost(n node, _ scope) bool {
	return n.has("host_ip", "ip") && n.has("task", "task_id", "schedule_count")
}

func (r *reader) readHost(n node, s scope) {
	const api = "ListTrainingJobTasks"
	r.saw(api)
	h := Host{
		Task: n.get("task", "task_id").str(), IP: n.get("ip").str(), HostIP: n.get("host_ip").str(),
		ScheduleCount: n.get("schedule_count").count(),
	}
	job := r.home(s)
	job.Hosts = append(job.Hosts, h)
	at := n.get("host_ip", "ip")
	r.fact(factHost, api, at, strings.TrimPrefix(h.Task+": "+at.str(), ": "))
}

// isRecord recognises status.running_records[].
func isRecord(n node, _ scope) bool {
	return n.has("start_type", "end_reason", "end_related_task", "end_recover", "recover_records", "xpu_start_at") ||
		n.has("start_at") && n.has("end_at")
}

func (r *reader) readRecord(n node, s scope) {
	api := r.sawPart(s)
	rec := Record{
		StartType: n.get("start_type").str(), EndReason: n.get("end_reason").str(),
		RelatedTask: n.get("end_related_task").str(), At: r.place(n),
	}
	rec.Start, _ = n.get("start_at").time()
	end, zoned := n.get("end_at").time()
	rec.End = end
	reason := n.get("end_reason")
	s.job, s.task, s.reasons = r.home(s), rec.RelatedTask, true
	if reason.some() {
		rec.At = r.place(reason)
		r.fact(factRecord, api, reason, reason.str())
		r.say(reason, s, Text{What: ReasonText, Time: end, Zoned: zoned})
	}
	r.factsOf(factRecord, api, n, "end_related_task")
	for _, m := range n.get("recover_records").list() {
		if m.kind == object {
			rec.Recoveries = append(rec.Recoveries, r.recovery(m, s))
		}
	}
	s.job.Records = append(s.job.Records, rec)
	r.others(n, s, "end_reason", "recover_records")
}

// isRecovery recognises recover_records[] standing alone.
func isRecovery(n node, _ scope) bool {
	return n.has("fault_scenario", "recover_result", "recover_start_at")
}

func (r *reader) readRecovery(n node, s scope) {
	s.api = r.sawPart(s)
	s.job = r.home(s)
	rec := r.recovery(n, s)
	s.job.Records = append(s.job.Records, Record{Recoveries: []Recovery{rec}, At: rec.At})
}

func (r *reader) recovery(n node, s scope) Recovery {
	rec := Recovery{
		Action: n.get("recover").str(), Scenario: n.get("fault_scenario").str(), Reason: n.get("reason").str(),
		RelatedTask: n.get("related_task").str(), Result: n.get("recover_result").str(), At: r.place(n),
	}
	start, zoned := n.get("recover_start_at").time()
	rec.Start = start
	rec.End, _ = n.get("recover_end_at").time()
	for _, name := range []string{"fault_scenario", "reason"} {
		if m := n.get(name); m.some() {
			rec.At = r.place(m)
		}
	}
	r.factsOf(factRecord, cmp.Or(s.api, apiDetails), n, "fault_scenario", "reason", "recover_result")
	set(&s.task, rec.RelatedTask)
	if !strings.HasPrefix("success", rec.Result) { // what a recovery overcame, or may have where the answer is cut, is not why the job ended
		r.say(n.get("fault_scenario"), s, Text{What: ReasonText, Time: start, Zoned: zoned})
	}
	r.say(n.get("reason"), s, Text{What: ReasonText, Time: start, Zoned: zoned})
	return rec
}

// isAnalysis recognises analysis_results[] of the platform's failure analysis.
func isAnalysis(n node, _ scope) bool {
	return n.has("description", "solution") && n.has("document_link", "solution") && !n.has("exit_code")
}

func (r *reader) readAnalysis(n node, s scope) {
	api := r.sawPart(s)
	at := n.get("description", "solution")
	a := Analysis{
		Description: n.get("description").str(), Solution: n.get("solution").str(),
		Link: withoutQuery(n.get("document_link", "link", "url").str()),
		Task: n.get("task", "task_id", "related_task", "node").str(), At: r.place(at),
	}
	set(&a.Task, s.task)
	job := r.home(s)
	job.Analysis = append(job.Analysis, a)
	r.fact(factAnalysis, api, at, at.str())
	r.others(n, s, "description", "solution")
}

// stageNames are the stages of a run as ListTrainingJobStages has them.
var stageNames = map[string]bool{"scheduling": true, "preparing": true, "running": true, "end": true}

// isStage recognises running_records[].stages[].
func isStage(n node, _ scope) bool {
	if n.has("stage_name") {
		return true
	}
	if !n.has("name") || !n.has("start_time", "end_time", "stage_order", "sub_stages") {
		return false
	}
	return n.has("stage_order", "sub_stages", "en_message", "zh_message") || stageNames[strings.ToLower(n.get("name").str())]
}

// isStageRun recognises running_records[] of ListTrainingJobStages.
func isStageRun(n node, _ scope) bool { return n.has("stages", "record_order") }

func (r *reader) readStage(n node, s scope) {
	const api = "ListTrainingJobStages"
	r.saw(api)
	name := n.get("name", "stage_name")
	st := Stage{
		Name: name.str(), Status: n.get("status", "stage_status").str(), Order: s.order,
		MessageZH: n.get("zh_message").str(), MessageEN: n.get("en_message").str(), At: r.place(name),
	}
	var endZoned bool
	st.Start, st.Zoned = n.get("start_time").time()
	st.End, endZoned = n.get("end_time").time()
	st.Zoned = st.Zoned || endZoned
	if s.job == nil {
		if id := strings.ToLower(n.get("job_id").str()); uuid().MatchString(id) {
			s.job = r.jobWith(id)
		}
	}
	s.job = r.home(s)
	s.job.Stages = append(s.job.Stages, st)
	state := st.Status
	if state == "" && !st.End.IsZero() {
		state = st.End.Sub(st.Start).String()
		if st.Start.IsZero() {
			state = ""
		}
	}
	r.fact(factStage, api, name, strings.TrimSuffix(st.Name+": "+state, ": "))
	r.stageTexts(n, s, Text{What: ReasonText, Time: st.Start, Zoned: st.Zoned})
}

// stageTexts gives the messages of a stage and of its sub-stages.
func (r *reader) stageTexts(n node, s scope, t Text) {
	for _, name := range []string{"en_message", "zh_message", "message"} {
		r.say(n.get(name), s, t)
	}
	for _, sub := range n.get("sub_stages").list() {
		at, zoned := sub.get("create_time", "start_time").time()
		r.stageTexts(sub, s, Text{What: ReasonText, Time: at, Zoned: zoned})
	}
}
