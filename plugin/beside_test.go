package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"hcloud-modelarts/corpus"
	"hcloud-modelarts/plugin/hcloud"
)

// said is one answer of hcloud in a scene.
type said struct {
	call hcloud.Call
	out  string
}

// scene writes a case that holds the answers as hcloud gave them, unmasked.
func scene(t *testing.T, answers ...said) string {
	t.Helper()
	r, err := corpus.Create(t.TempDir(), corpus.Manifest{ID: "scene", Region: "cn-north-4", HCloud: "7.2.12"}, corpus.Options{Now: time.Now, Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range answers {
		class := string(hcloud.Classify(hcloud.Output{Stdout: []byte(a.out)}, nil).Class)
		if _, err := r.Add(corpus.Exchange{Request: request(a.call), Class: class, Time: time.Now()}, []byte(a.out)); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(true); err != nil {
		t.Fatal(err)
	}
	return r.Path()
}

// stand writes a program that stands in for hcloud: a child process that
// answers from a case.
func stand(t *testing.T, replayed string, flags ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "hcloud")
	script := "#!/bin/sh\nexec hcloud-modelarts replay-hcloud " + strings.Join(append(flags, replayed), " ") + ` "$@"` + "\n"
	if err := os.WriteFile(file, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return file
}

// beside runs the program within the test, beside hcloud, in a corpus of its
// own. Its waits pass at once, and its clock with them.
func beside(t *testing.T, program, cases string, args ...string) outcome {
	t.Helper()
	t.Setenv("COLUMNS", "80")
	var out, errs bytes.Buffer
	c := besideConsole(t, program, cases, &out, &errs)
	now := time.Date(2026, 6, 2, 12, 0, 0, 0, time.UTC)
	c.now = func() time.Time { now = now.Add(time.Millisecond); return now }
	c.sleep = func(_ context.Context, d time.Duration) error { now = now.Add(d); return nil }
	code := c.run(args)
	return outcome{code, out.String(), errs.String()}
}

// besideConsole is the outside world of a program that runs beside hcloud.
func besideConsole(t *testing.T, program, cases string, out, errs io.Writer) *console {
	t.Helper()
	env := append(os.Environ(), "HCLOUD_MODELARTS_HCLOUD="+program, "HCLOUD_MODELARTS_CORPUS="+cases)
	return &console{ctx: t.Context(), env: environment(env), environ: env, stdin: strings.NewReader(""), stdout: out, stderr: errs, world: realWorld()}
}

const (
	oomJob   = "6f1b2c58-0d34-4c7e-9a41-b7d2e3f40c19"
	otherJob = "0a4c7d1e-52b8-4f0a-9c3d-8e1f20b7a6d5"
)

// shipped reads a file of a shipped case.
func shipped(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "corpus", "cases", filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func quoted(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}

// details gives those of a job.
func details(id, name, phase, message string, exit int) string {
	return fmt.Sprintf(`{
  "kind": "job",
  "metadata": {"id": %q, "name": %q, "create_time": 1780391400000, "workspace_id": "0"},
  "status": {"phase": %q, "secondary_phase": %q, "duration": 1870000, "start_time": 1780391460000, "tasks": ["worker-0"],
    "task_statuses": [{"task": "worker-0", "exit_code": %d, "message": %s}]}
}
`, id, name, phase, phase, exit, quoted(message))
}

const traceback = `Traceback (most recent call last):
  File "/home/ma-user/modelarts/user-job-dir/bert/train.py", line 218, in <module>
    main(args)
  File "/home/ma-user/modelarts/user-job-dir/bert/train.py", line 141, in main
    ds = load_from_disk(args.data_url)
FileNotFoundError: [Errno 2] No such file or directory: '/home/ma-user/modelarts/inputs/data_url_0/sst2/dataset_info.json'
`

func events(messages ...string) string {
	var rows []string
	for i, m := range messages {
		level, source := "Info", "Job"
		if strings.Contains(m, "failed") {
			level = "Error"
		}
		rows = append(rows, fmt.Sprintf(`{"time": "2026-06-02T09:4%d:00+08:00", "level": %q, "message": %s, "source": %q}`, i%10, level, quoted(m), source))
	}
	return fmt.Sprintf(`{"total": %d, "limit": 100, "offset": 0, "events": [%s]}`, len(rows), strings.Join(rows, ","))
}

func preview(log string) string {
	return fmt.Sprintf(`{"content": %s, "current_size": %d, "full_size": %d}`, quoted(log), len(log), len(log))
}

// pageOf gives a page of jobs from their details.
func pageOf(details ...string) string {
	return fmt.Sprintf(`{"total": %d, "count": %d, "limit": 50, "offset": 0, "items": [%s]}`, len(details), len(details), strings.Join(details, ","))
}

const (
	stages      = `{"total_count": 0, "running_records": []}`
	hosts       = `[{"task": "worker-0", "ip": "172.16.0.71", "host_ip": "192.168.20.11", "schedule_count": 1}]`
	unsupported = "[USE_ERROR]不支持的operation:ShowTrainingJobUserDiagnosis\n"
	metrics     = `{"metrics": [{"metric": "gpuMemUsage", "value": [-1, 61.0, 88.4, 98.8]}]}`
)

// oom is all that hcloud says of a job of two nodes that ran out of memory.
func oom(t *testing.T) []said {
	job := shipped(t, "out-of-memory-on-one-rank/input/ShowTrainingJobDetails.json")
	answers := []said{
		{listOf(0, filter("name", "like", "sft-8k-context")), pageOf(job)},
		{listOf(0, filter("phase", "in", abnormal...)), pageOf(job)},
		{read("ListTrainingJobs", "--limit=1", "--offset=0", "--sort_by=create_time", "--order=desc"), pageOf(job)},
		{detailsOf(oomJob), job},
		{eventsOf(oomJob, 0), events("Training job created.", "[worker-1] Training finished. Exit code 1.", "Training job failed.")},
		{stagesOf(oomJob), stages}, {hostsOf(oomJob), hosts}, {opinionOf(oomJob), unsupported},
	}
	for _, task := range []string{"worker-0", "worker-1"} {
		link := "https://train-bucket.obs.cn-north-4.myhuaweicloud.com/logs/" + task + ".log?AWSAccessKeyId=AK&Expires=1780365127&Signature=x%3D"
		answers = append(answers,
			said{logOf(oomJob, task), preview(shipped(t, "out-of-memory-on-one-rank/input/"+task+".log"))},
			said{metricsOf(oomJob, task), metrics},
			said{logLinkOf(oomJob, task), fmt.Sprintf(`{"obs_url": %q, "shards": {"object_urls": [], "count": 0, "total": 0}}`, link)})
	}
	return answers
}

// one is what hcloud says of a job with one task.
func one(id, phase, message string, exit int, log string, happened ...string) []said {
	return []said{
		{detailsOf(id), details(id, "bert-sst2", phase, message, exit)},
		{eventsOf(id, 0), events(happened...)}, {stagesOf(id), stages}, {hostsOf(id), hosts}, {opinionOf(id), unsupported},
		{logOf(id, "worker-0"), preview(log)}, {metricsOf(id, "worker-0"), metrics},
		{logLinkOf(id, "worker-0"), `{"obs_url": "", "shards": {"object_urls": []}}`},
	}
}

// asked lists the operations that a run asked for, by its progress.
func asked(stderr string) []string {
	var list []string
	for _, m := range regexp.MustCompile(`(?m)^  (?:查询|asking) (\S+)`).FindAllStringSubmatch(stderr, -1) {
		list = append(list, m[1])
	}
	return list
}

// TestEmptyValues: an empty value is a mistake, and never "all", "the only one"
// or "without".
func TestEmptyValues(t *testing.T) {
	cases := t.TempDir()
	program := stand(t, scene(t, oom(t)...))
	recorded := strings.TrimSpace(beside(t, program, cases, "record", oomJob).stdout)
	for _, args := range [][]string{
		{"record", "--", ""}, {"record", oomJob, ""}, {"record", "--resume="}, {"diagnose", ""}, {"diagnose", "--replay="}, {"diagnose", oomJob, "--replay", ""},
		{"diagnose", oomJob, "--region="}, {"watch", ""}, {"scan", "--replay="}, {"scan", "--since="}, {"corpus", "show", ""}, {"corpus", "rm", ""}, {"corpus", "verify", ""},
		{"corpus", "export", ""}, {"corpus", "export", oomJob, ""}, {"corpus", "import", ""}, {"corpus", "list", "--corpus="}, {"replay-hcloud", "", "version"}, {"doctor", "--profile="},
		{"job", "show", ""}, {"job", "stop", "", "--yes"}, {"job", "delete", "", "--yes"}, {"job", "show", "--replay="}, {"api", "ShowTrainingJobDetails", "--training_job_id="}, {"tag", "add", "", "a=b", "--yes"},
	} {
		for _, lang := range []string{"zh", "en"} {
			got := beside(t, program, cases, append([]string{"--lang=" + lang}, args...)...)
			if got.code != exitUsage || got.stdout != "" || strings.Contains(got.stderr, "查询 ") || strings.Contains(got.stderr, "asking ") || (lang == "zh") != hasHan(got.stderr) {
				t.Errorf("%q: %+v", args, got)
			}
		}
	}
	if _, err := os.Stat(recorded); err != nil {
		t.Error(err)
	}
}

func hasHan(s string) bool { return regexp.MustCompile(`\p{Han}`).MatchString(s) }
