package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hcloud-modelarts/corpus"
	"hcloud-modelarts/plugin/operations"
	"hcloud-modelarts/plugin/operations/optest"
)

// exchange is a call and its answer.
type exchange struct {
	operation string
	params    []string
	answer    string
}

// caseOf records exchanges as a case and gives its path.
func caseOf(t *testing.T, exchanges []exchange) string {
	t.Helper()
	now := func() time.Time { return time.Date(2026, 6, 2, 9, 0, 0, 0, time.UTC) }
	rec, err := corpus.Create(t.TempDir(), corpus.Manifest{ID: "recorded", Region: "cn-north-4", HCloud: "7.2.12"}, corpus.Options{Now: now, Random: bytes.NewReader(make([]byte, 64))})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range exchanges {
		q, _ := corpus.RequestOf(append([]string{x.operation}, x.params...))
		if _, err := rec.Add(corpus.Exchange{Request: q, Class: "ok", Time: now()}, []byte(x.answer)); err != nil {
			t.Fatal(err)
		}
	}
	if err := rec.Close(true); err != nil {
		t.Fatal(err)
	}
	return rec.Path()
}

// standInFor writes a program that answers from a case in hcloud's place, as a
// process of its own.
func standInFor(t *testing.T, replayed string) string {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, name)
	if err := os.Symlink(self, program); err != nil {
		t.Skip(err)
	}
	script := filepath.Join(dir, "hcloud")
	line := "#!/bin/sh\nexec '" + program + "' replay-hcloud --state='" + filepath.Join(dir, "state") + "' '" + replayed + "' \"$@\"\n"
	if err := os.WriteFile(script, []byte(line), 0o755); err != nil {
		t.Fatal(err)
	}
	return script
}

// TestReplayTakesAll52: what is sent to hcloud's stand-in, checks and all, is
// what a recording holds, operation by operation.
func TestReplayTakesAll52(t *testing.T) {
	n := 0
	for _, op := range operations.Default().Training() {
		n++
		t.Run(op.Name, func(t *testing.T) {
			example := optest.Example(op)
			replayed := caseOf(t, recordingFor(t, op, example, `{"answered": "`+op.Name+`", "status": {}}`))
			args := append([]string{"api", op.Name}, flags(example)...)
			if op.Writes() {
				args = append(args, "--yes", "--no-price")
			}
			home := t.TempDir()
			got := invoke(t, "", []string{"XDG_DATA_HOME=" + home}, append(args, "--replay", replayed)...)
			if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
				t.Errorf("a journal of what was not sent: %v %v", left, err)
			}
			if got.code != exitOK || !strings.Contains(got.stdout, `"answered": "`+op.Name+`"`) || strings.Contains(got.stderr, "相关检查未进行") {
				t.Errorf("%v: %+v", args, got)
			}
		})
	}
	if n != 52 {
		t.Errorf("%d operations", n)
	}
}

const createdJob = "b6f1c2de-7a34-4c1e-9d52-0f8e3a9c7d41"

// jobFile is a job as people keep it.
const jobFile = `{
  "kind": "job",
  "metadata": {"name": "bert-sst2"},
  "algorithm": {
    "code_dir": "/train-bucket/code/bert/",
    "boot_file": "/train-bucket/code/bert/train.py",
    "engine": {"engine_id": "pytorch_2.1.0"},
    "outputs": [{"name": "train_url", "remote": {"obs": {"obs_url": "/train-bucket/output/bert/"}}}]
  },
  "spec": {"resource": {"flavor_id": "modelarts.kat1.xlarge", "node_count": 2}, "auto_stop": {"time_unit": "HOURS", "duration": 8}}
}`

// jobDetails is the created job in a phase.
func jobDetails(phase, message string) string {
	data, err := json.Marshal(map[string]any{
		"kind":     "job",
		"metadata": map[string]any{"id": createdJob, "name": "bert-sst2", "create_time": 1780390800000},
		"status": map[string]any{"phase": phase, "secondary_phase": phase, "tasks": []string{"worker-0"}, "duration": 60000, "start_time": 1780390860000,
			"task_statuses": []any{map[string]any{"task": "worker-0", "exit_code": 1, "message": message}}},
		"spec": map[string]any{"resource": map[string]any{"node_count": 2, "flavor_id": "modelarts.kat1.xlarge"}},
	})
	if err != nil {
		panic(err)
	}
	return string(data)
}

// TestJobFromFileToDiagnosis: a job is created from a file, with its price, a
// question and the console's address, is followed until it fails, and diagnosed;
// every call goes to a child in hcloud's place.
func TestJobFromFileToDiagnosis(t *testing.T) {
	file := writeTemp(t, "job.json", jobFile)
	op := operations.Default().Find("CreateTrainingJob")
	req, problems := op.Build(nil, []byte(jobFile))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	create, plain := req.Flags()
	if !plain {
		t.Fatal("the job cannot be written as flags")
	}
	price, err := operations.Default().PriceRequest("p2", "cn-north-4", []string{"modelarts.kat1.code"})
	if err != nil {
		t.Fatal(err)
	}
	prices, _ := price.Flags()
	s := willing()
	job := "--training_job_id=" + createdJob
	exchanges := []exchange{
		{"ShowTrainingJobFlavors", nil, s.answers["ShowTrainingJobFlavors"]},
		{"ListTrainingJobs", append([]string{"--limit=50"}, filter("name", "like", "bert-sst2")...), `{"items": [], "count": 0}`},
		{"ListTrainingJobs", append([]string{"--limit=50"}, filter("phase", "in", "Creating", "Pending", "Running")...), `{"items": [], "count": 0}`},
		{"KeystoneListAuthProjects", nil, s.answers["KeystoneListAuthProjects"]},
		{"ListOnDemandResourceRatings", prices, s.answers["ListOnDemandResourceRatings"]},
		{"CreateTrainingJob", create, jobDetails("Creating", "")},
		{"ShowTrainingJobDetails", []string{job}, jobDetails("Running", "")},
		{"ShowTrainingJobDetails", []string{job}, jobDetails("Failed", failure)},
		{"ShowTrainingJobLogsPreview", []string{job, "--task_id=worker-0"}, `{"content": "step 1\n", "current_size": 7, "full_size": 7}`},
		{"ListTrainingJobEvents", []string{job, "--limit=100", "--offset=0"}, `{"events": [], "total": 0}`},
		{"ListTrainingJobStages", []string{job}, `{"running_records": []}`},
		{"ListTrainingJobTasks", []string{job}, `[{"task": "worker-0", "host_ip": "192.168.0.1"}]`},
		{"ShowTrainingJobMetrics", []string{job, "--task_id=worker-0"}, `{"metrics": []}`},
	}
	hcloud := standInFor(t, caseOf(t, exchanges))
	home := t.TempDir()
	env := []string{"HCLOUD_MODELARTS_HCLOUD=" + hcloud, "PATH=" + os.Getenv("PATH"), "XDG_DATA_HOME=" + home, "USER=tester"}

	var out, errs bytes.Buffer
	c := &console{ctx: t.Context(), env: environment(env), environ: env, stdin: strings.NewReader(""), stdout: &out, stderr: &errs, world: realWorld(), zone: time.UTC}
	asked := 0
	c.ask = func(string) (string, error) { asked++; return "yes\n", nil }
	if code := c.run([]string{"job", "create", "--json", file}); code != exitOK || asked != 1 {
		t.Fatalf("creating: exit code %d, asked %d times\n%s%s", code, asked, out.String(), errs.String())
	}
	for _, want := range []string{"21.30 CNY", "340.80 CNY", "创建训练作业", "--spec.resource.node_count=2", "https://console.huaweicloud.com/modelarts/?region=cn-north-4#/training/detail/" + createdJob, "hcloud-modelarts watch " + createdJob} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("creating does not say %q: %s", want, errs.String())
		}
	}
	if !strings.Contains(out.String(), createdJob) {
		t.Errorf("the answer is not shown: %s", out.String())
	}
	got := invoke(t, "", env, "watch", createdJob, "--interval=1ms")
	if got.code != exitOK || !strings.Contains(got.stdout, "CUDA out of memory") {
		t.Errorf("following: %+v", got)
	}
	got = invoke(t, "", env, "diagnose", createdJob, "--format=json")
	if got.code != exitOK || !strings.Contains(got.stdout, `"cause": "device-oom"`) {
		t.Errorf("diagnosing: %+v", got)
	}
	checkJournal(t, home)
}

// checkJournal: the write was noted before it was sent and after.
func checkJournal(t *testing.T, home string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(home, "hcloud-modelarts", "*", journalFile))
	if err != nil || len(files) != 1 {
		t.Fatalf("journals %v, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var states []string
	for line := range strings.Lines(string(data)) {
		var e entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Operation != "CreateTrainingJob" || e.User != "tester" || len(e.Parameters) == 0 || e.Region != "cn-north-4" {
			t.Errorf("the journal says %+v", e)
		}
		states = append(states, e.State)
	}
	if strings.Join(states, " ") != "sent done" {
		t.Errorf("the journal says %v", states)
	}
}
