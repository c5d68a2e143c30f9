package modelarts

import (
	"strings"
	"time"

	"hcloud-modelarts/analyzer/lazy"
)

const (
	apiDetails = "ShowTrainingJobDetails"
	apiList    = "ListTrainingJobs"
)

var (
	uuid    = lazy.Regexp(`^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$`)
	jobID   = lazy.Regexp(`modelarts-job-([0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12})`)
	region  = lazy.Regexp(`\.([a-z]{2}-[a-z]+-\d+)\.(?:myhuaweicloud|myhwclouds|huaweicloud)\.`)
	podTask = lazy.Regexp(`[0-9a-f]{12}-((?:worker|ps|chief|master|evaluator|launcher|scheduler|server)-\d+)\b`)
)

// IsID reports whether a text has the form of the ids of jobs, a UUID.
func IsID(s string) bool { return uuid().MatchString(s) }

// JobIDIn returns the job id of the first "modelarts-job-<id>" in a text, as
// names of log files, pods and objects have it, "" when there is none.
func JobIDIn(text string) string {
	if m := jobID().FindStringSubmatch(text); m != nil {
		return strings.ToLower(m[1])
	}
	return ""
}

// statusNames are members that only a job's status has.
var statusNames = []string{"secondary_phase", "task_statuses", "node_count_metrics", "failure_analysis_result"}

// isJob tells whether an object is a job: an answer of the v2 API, its status or
// metadata alone, a flat selection of both, or a job of the v1 API.
func isJob(n node, s scope) bool {
	if s.job != nil || s.reasons || n.has("apiVersion") {
		return false
	}
	if status := n.get("status"); status.kind == object && (isStatus(status) || namesJob(n) && hasPhase(status)) {
		return true
	}
	if meta := n.get("metadata"); meta.has("id", "name") && n.has("spec", "algorithm", "endpoints", "ftjob_config") {
		return true
	}
	return isStatus(n) || isFlatJob(n)
}

// namesJob tells whether an object says of itself that it is a job.
func namesJob(n node) bool {
	return strings.EqualFold(n.get("kind").str(), "job") || uuid().MatchString(n.get("metadata").get("id").str())
}

// hasPhase tells whether an object has a phase in the spelling of any age.
func hasPhase(n node) bool {
	return phaseOf(n.get("phase", "job_phase")) != PhaseUnknown && !n.has("conditions", "host_ip", "pod_ip")
}

func isStatus(n node) bool {
	if n.has(statusNames...) {
		return true
	}
	if phase := n.get("phase"); phase.some() && !n.has("conditions", "host_ip", "pod_ip") {
		return isPhase(phase.str()) || phaseOf(phase) != PhaseUnknown && n.has("tasks", "start_time", "duration", "id", "name")
	}
	for _, record := range n.get("running_records").list() {
		if record.kind == object && isRecord(record, scope{}) && !record.has("stages") {
			return true
		}
	}
	return false
}

func isFlatJob(n node) bool {
	if n.has("job_id") && n.has("job_name") {
		return true
	}
	if n.has(otherServices...) {
		return false
	}
	if !uuid().MatchString(n.get("id", "job_id", "training_job_id").str()) {
		return false
	}
	return phaseOf(n.get("phase", "status", "state", "job_status")) != PhaseUnknown ||
		n.has("name") && n.has("create_time", "workspace_id", "user_name", "annotations") && !n.has("status")
}

// otherServices are members of what else has an id and a status: diagnosis
// tasks, notebooks, services, models.
var otherServices = []string{"task_id", "image", "volume", "lease", "url", "service_id", "model_id", "model_name"}

// configuration are the members of a job that say how it is set up.
var configuration = []string{"metadata", "algorithm", "spec", "tasks", "endpoints", "ftjob_config", "annotations", "parameter", "config"}

// readJob reads a job from its own members and those of metadata, status and
// spec.
func (r *reader) readJob(n node, s scope) {
	meta, status := part(n, "metadata"), part(n, "status")
	id := strings.ToLower(meta.get("id", "job_id", "training_job_id").str())
	job := &Job{}
	if uuid().MatchString(id) {
		job = r.jobWith(id)
	} else {
		job = r.nameless(n)
	}
	api := apiDetails
	if key := n.path.key(); s.many || s.member && (key == "items" || key == "jobs") {
		api = apiList
	}
	r.saw(api)
	if id != "" {
		job.ID = id
	}
	set(&job.Name, meta.get("name", "job_name").str())
	r.readStatus(job, n, status)
	r.readSetup(job, n, meta)
	around := r.about
	r.about = job.ID
	defer func() { r.about = around }()
	r.jobFacts(job, n, api, s.many)
	s.job, s.api, s.root, s.reasons, s.member = job, api, false, true, false
	for i := range n.members {
		name, inner := n.members[i].name, s
		inner.quiet = isConfiguration(name)
		if status.value == n.child(i).value {
			continue
		}
		r.visit(n.child(i), inner)
	}
	if status.value != n.value {
		r.others(status, s, "tasks")
	}
	r.nameTasks(job, status.get("tasks"))
}

func isConfiguration(name string) bool {
	for _, c := range configuration {
		if sameName(c, name) {
			return true
		}
	}
	return false
}

// part returns an object that an object may have, else the object itself: a
// query may have laid both into one.
func part(n node, name string) node {
	if m := n.get(name); m.kind == object {
		return m
	}
	return n
}

func set(to *string, v string) {
	if *to == "" {
		*to = v
	}
}

func (r *reader) readStatus(job *Job, n, status node) {
	phase := status.get("phase", "job_phase")
	if !phase.some() {
		phase = n.get("status", "state", "job_status")
	}
	if phase.some() && phase.str() != "" {
		job.Phase, job.PhaseText, job.PhaseAt = phaseOf(phase), phase.str(), r.place(phase)
	}
	job.Secondary = status.get("secondary_phase").str()
	if job.PhaseText == "" && job.Secondary != "" {
		at := status.get("secondary_phase")
		job.Phase, job.PhaseAt = phaseOf(at), r.place(at)
	}
	job.Started, _ = status.get("start_time", "started_at", "start_at").time()
	job.Duration = status.get("duration").millis()
}

func (r *reader) readSetup(job *Job, n, meta node) {
	job.Created, _ = meta.get("create_time", "created_at", "create_at").time()
	job.RetryNum = meta.at("annotations", "fault-tolerance/job-retry-num").count()
	spec := part(n, "spec")
	resource := part(spec, "resource")
	if hetero := n.get("tasks").list(); len(hetero) > 0 && !spec.has("resource") {
		resource = part(hetero[0], "task_resource")
	}
	set(&job.Flavor, resource.get("flavor_id", "spec_code").str())
	set(&job.Flavor, resource.get("flavor_name").str())
	set(&job.Flavor, n.at("flavor", "code").str())
	set(&job.Pool, resource.get("pool_id").str())
	job.NodeCount = resource.get("node_count", "worker_server_num").count()
	set(&job.FlavorType, flavorType(resource))
	job.LogExport = exportsLog(spec)
	for _, task := range n.get("tasks").list() {
		job.LogExport = job.LogExport || exportsLog(task)
	}
	job.MaxRunning = maxRunning(spec.get("auto_stop"))
	set(&job.Region, regionOf(n, meta))
}

func exportsLog(n node) bool {
	to := n.get("log_export_path")
	return to.get("obs_url", "host_path").str() != "" || to.kind == text && to.str() != ""
}

// flavorType returns CPU, GPU or Ascend.
func flavorType(resource node) string {
	detail := part(resource, "flavor_detail")
	if t := detail.get("flavor_type", "accelerator_type").str(); t != "" {
		return t
	}
	info := detail.get("flavor_info")
	switch {
	case info.get("npu").some():
		return "Ascend"
	case info.get("gpu").some():
		return "GPU"
	case info.get("cpu").some():
		return "CPU"
	}
	return ""
}

// maxRunning reads spec.auto_stop, whose unit is hours as the API has it.
func maxRunning(n node) time.Duration {
	units := map[string]time.Duration{"": time.Hour, "HOURS": time.Hour, "MINUTES": time.Minute, "DAYS": 24 * time.Hour, "SECONDS": time.Second}
	unit := units[strings.ToUpper(n.get("time_unit").str())]
	count := n.get("duration").count()
	if unit == 0 || count > 1e5 {
		return 0
	}
	return time.Duration(count) * unit
}

// regionOf returns the region that the answer names, or that stands in the
// address of its image or its endpoints.
func regionOf(n, meta node) string {
	for _, at := range []node{meta.get("region", "region_id"), n.get("region", "region_id")} {
		if name := at.str(); name != "" {
			return name
		}
	}
	endpoints := n.get("endpoints")
	for _, at := range []node{
		n.at("algorithm", "engine", "image_url"), endpoints.at("jupyter_lab", "url"),
		endpoints.at("tensorboard", "url"), endpoints.at("mindstudio_insight", "url"),
	} {
		if m := region().FindStringSubmatch("." + at.str()); m != nil {
			return m[1]
		}
	}
	return ""
}

// nameTasks adds the tasks that a job lists, which tells no state of them.
func (r *reader) nameTasks(job *Job, names node) {
	for _, n := range names.list() {
		if name := n.str(); n.kind == text && name != "" {
			job.Tasks = append(job.Tasks, Task{Name: name, At: r.place(n)})
		}
	}
}

// jobFacts notes the state and the set-up of a job; of one among many that has
// no id only the state, with its name.
func (r *reader) jobFacts(job *Job, n node, api string, many bool) {
	status, spec := part(n, "status"), part(n, "spec")
	phase := status.get("phase", "job_phase")
	if !phase.some() {
		phase = n.get("status", "state", "job_status")
	}
	if many && job.ID == "" {
		r.fact(factPhase, api, phase, strings.TrimPrefix(job.Name+": "+phase.str(), ": "))
		return
	}
	value := phase.str()
	if i, ok := phase.int(); ok && i >= 0 && i < int64(len(v1States)) {
		value += " " + strings.ToUpper(v1States[i])
	}
	if phase.some() {
		r.fact(factPhase, api, phase, value)
	}
	r.factsOf(factPhase, api, status, "secondary_phase")
	if job.Duration > 0 {
		r.fact(factPhase, api, status.get("duration"), job.Duration.String())
	}
	if started := status.get("start_time", "started_at", "start_at"); !job.Started.IsZero() {
		text := started.str()
		if _, epoch := started.int(); epoch {
			text = job.Started.Format(time.RFC3339)
		}
		r.fact(factPhase, api, started, text)
	}
	resource := part(spec, "resource")
	r.factsOf(factResource, api, resource, "flavor_id", "node_count", "pool_id")
	r.factsOf(factResource, api, part(resource, "flavor_detail"), "flavor_type")
	if retry := part(n, "metadata").at("annotations", "fault-tolerance/job-retry-num"); job.RetryNum > 0 {
		r.fact(factResource, api, retry, retry.str())
	}
	if job.MaxRunning > 0 {
		r.fact(factResource, api, spec.get("auto_stop"), job.MaxRunning.String())
	}
}
