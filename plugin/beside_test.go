package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"hcloud-modelarts/corpus"
	"hcloud-modelarts/plugin/hcloud"
	"hcloud-modelarts/plugin/standin"
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
	env := append(os.Environ(), "HCLOUD_MODELARTS_HCLOUD="+program, "HCLOUD_MODELARTS_CORPUS="+cases)
	now := time.Date(2026, 6, 2, 12, 0, 0, 0, time.UTC)
	c := &console{ctx: t.Context(), env: environment(env), environ: env, stdin: strings.NewReader(""), stdout: &out, stderr: &errs, world: realWorld()}
	c.now = func() time.Time { now = now.Add(time.Millisecond); return now }
	c.sleep = func(_ context.Context, d time.Duration) error { now = now.Add(d); return nil }
	code := c.run(args)
	return outcome{code, out.String(), errs.String()}
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

// TestDiagnose runs whole diagnoses through child processes, in both languages
// of the program and of hcloud.
func TestDiagnose(t *testing.T) {
	for _, tt := range []struct {
		name   string
		scene  []said
		args   []string
		code   int
		zh, en string // a part of the report
		calls  []string
	}{
		{"early exit", one(oomJob, "Failed", traceback, 1, "x\n", "Training job failed."), []string{oomJob, "--exit-code"}, exitFault,
			"FileNotFoundError", "FileNotFoundError", []string{"ShowTrainingJobDetails"}},
		{"by name, with logs", oom(t), []string{"sft-8k-context"}, exitOK, "加速卡显存不足", "rank 11 on worker-1",
			[]string{"ListTrainingJobs", "ShowTrainingJobDetails", "ListTrainingJobEvents", "ListTrainingJobStages", "ShowTrainingJobLogsPreview", "ShowTrainingJobLogsPreview"}},
		{"region of the call", oom(t), []string{"sft-8k-context", "--format=json"}, exitOK, `"region": "cn-north-4"`, `"region": "cn-north-4"`, nil},
		{"region of the next step", one(oomJob, "Failed", "", 1, "starting\n", "Training job failed."), []string{oomJob}, exitOK, "--cli-region=cn-north-4", "--cli-region=cn-north-4", nil},
		{"all that failed", oom(t), nil, exitOK, "加速卡显存不足", "rank 11 on worker-1", nil},
		{"completed", one(oomJob, "Completed", "", 0, "done\n"), []string{oomJob, "--exit-code"}, exitOK, "没有失败的迹象", "show no failure", []string{"ShowTrainingJobDetails"}},
		{"running", one(oomJob, "Running", "", 0, "step 1\n", "Training job is running."), []string{oomJob, "--exit-code"}, exitOK, "Running", "Running", nil},
		{"waiting", one(oomJob, "Pending", "", 0, "", "The training job is queuing and awaiting resource allocation."), []string{oomJob}, exitOK, "Pending", "Pending", nil},
		{"nothing decides", one(oomJob, "Failed", "", 1, "starting\n", "Training job failed."), []string{oomJob, "--exit-code"}, exitInsufficient, "当前信息不足以确定根因", "information", nil},
	} {
		for _, lang := range []string{"zh", "en"} {
			for _, theirs := range []string{"cn", "en"} {
				t.Run(tt.name+" "+lang+" "+theirs, func(t *testing.T) {
					program := stand(t, scene(t, tt.scene...), "--hcloud-lang="+theirs)
					got := beside(t, program, t.TempDir(), append([]string{"diagnose", "--lang", lang}, tt.args...)...)
					if got.code != tt.code {
						t.Errorf("exit code %d, want %d: %s", got.code, tt.code, got.stderr)
					}
					want := tt.zh
					if lang == "en" {
						want = tt.en
					}
					checkPart(t, "stdout", got.stdout, want)
					if calls := asked(got.stderr); tt.calls != nil && !slices.Equal(calls, tt.calls) {
						t.Errorf("calls %q, want %q", calls, tt.calls)
					}
				})
			}
		}
	}
}

// TestSeveralMatches: a name that several jobs have is a question, not a guess.
func TestSeveralMatches(t *testing.T) {
	a, b := details(oomJob, "bert-1", "Failed", "", 1), details(otherJob, "bert-2", "Completed", "", 0)
	program := stand(t, scene(t, said{listOf(0, filter("name", "like", "bert")), pageOf(a, b)}))
	got := beside(t, program, t.TempDir(), "diagnose", "bert")
	if got.code != exitUsage || got.stdout != "" || !strings.Contains(got.stderr, oomJob) || !strings.Contains(got.stderr, "bert-2") {
		t.Errorf("%+v", got)
	}
	program = stand(t, scene(t, said{listOf(0, filter("name", "like", "none")), pageOf()}))
	if got := beside(t, program, t.TempDir(), "record", "none"); got.code != exitUsage || !strings.Contains(got.stderr, `"none"`) {
		t.Errorf("no match: %+v", got)
	}
}

// TestFilterRefused: an hcloud or a service that does not take the filter is
// asked without it.
func TestFilterRefused(t *testing.T) {
	job := details(oomJob, "bert-1", "Failed", traceback, 1)
	other := details(otherJob, "bert-2", "Completed", "", 0)
	for _, refusal := range []string{`{"error_code": "ModelArts.2807", "error_msg": "UnsupportedConditionKey: Unsupported condition key (phase)"}`, "[USE_ERROR]Invalid parameter: filters.1.key\n"} {
		program := stand(t, scene(t,
			said{listOf(0, filter("phase", "in", abnormal...)), refusal}, said{listOf(0, nil), pageOf(job, other)}, said{detailsOf(oomJob), job}))
		got := beside(t, program, t.TempDir(), "scan", "--format=csv")
		if got.code != exitOK || strings.Count(got.stdout, "\n") != 2 || !strings.Contains(got.stdout, "file-missing") {
			t.Errorf("after %q: %+v", refusal, got)
		}
	}
}

func TestPlan(t *testing.T) {
	got := beside(t, "/nonexistent/hcloud", t.TempDir(), "diagnose", "--plan", "my job", "--region=cn-north-4", "--lang=en")
	for _, want := range []string{"ListTrainingJobs", `'--filters.1.value.1=my job'`, "ListTrainingJobEvents", "ShowObsUrlOfTrainingJobLogs", "--cli-region=cn-north-4", "5. "} {
		checkPart(t, "plan", got.stdout, want)
	}
	if got.code != exitOK || got.stderr != "" {
		t.Errorf("%+v", got)
	}
}

// TestFaults is the table of faults: what users are told, and the exit code.
func TestFaults(t *testing.T) {
	told := map[string]struct {
		code   int
		zh, en string
	}{
		"privacy":       {exitFailed, "--cli-agree-privacy-statement=true", "--cli-agree-privacy-statement=true"},
		"unconfigured":  {exitDenied, "configure init", "configure init"},
		"no-profile":    {exitDenied, "改正或去掉 --profile", "correct or leave out --profile"},
		"unauthorized":  {exitDenied, "凭证无效或已过期（APIGW.0301", "not valid or have expired (APIGW.0301"},
		"no-project":    {exitDenied, "凭证无效或已过期", "not valid or have expired"},
		"forbidden":     {exitDenied, "需要 modelarts:trainJob:get", "it needs modelarts:trainJob:get"},
		"throttled":     {exitFailed, "被限流（APIGW.0308", "was throttled (APIGW.0308"},
		"internal":      {exitFailed, "服务端错误", "the service failed"},
		"bad-gateway":   {exitFailed, "502 Bad Gateway", "502 Bad Gateway"},
		"job-missing":   {exitFailed, "对象不存在（ModelArts.2775", "does not exist (ModelArts.2775"},
		"api-error":     {exitFailed, "服务拒绝了 ShowTrainingJobDetails：ModelArts.2788", "the service refused ShowTrainingJobDetails: ModelArts.2788"},
		"network":       {exitFailed, "连接不到华为云", "cannot be reached"},
		"network-1":     {exitFailed, "连接不到华为云", "cannot be reached"},
		"read-timeout":  {exitFailed, "ShowTrainingJobDetails 超时", "ShowTrainingJobDetails took too long"},
		"openapi":       {exitFailed, "--cli-offline=false", "--cli-offline=false"},
		"apie":          {exitFailed, "接口元数据", "metadata"},
		"cli":           {exitFailed, "hcloud 运行出错：[CLI_ERROR]table", "hcloud failed: [CLI_ERROR]table"},
		"use":           {exitFailed, "不接受这条命令：[USE_ERROR]", "does not take this command: [USE_ERROR]"},
		"prompt":        {exitFailed, "[USE_ERROR]EOF", "[USE_ERROR]EOF"},
		"unsupported":   {exitFailed, "不支持 ShowTrainingJobDetails", "does not know ShowTrainingJobDetails"},
		"no-service":    {exitFailed, "不支持 ShowTrainingJobDetails", "does not know ShowTrainingJobDetails"},
		"not-json":      {exitFailed, "不是预期的 JSON：Segmentation fault", "not the JSON that it should be: Segmentation fault"},
		"filtered":      {exitFailed, `没有给出应有的响应（"ACTIVE"）`, `did not give the answer that it should ("ACTIVE")`},
		"crash":         {exitFailed, "hcloud 运行出错", "hcloud failed"},
		"empty":         {exitFailed, "响应中没有作业", "does not hold job"},
		"hang":          {exitFailed, "--timeout", "--timeout"},
		"other-program": {exitFailed, "不是华为云 KooCLI", "is not Huawei Cloud's KooCLI"},
		"old":           {exitOK, "", ""},
	}
	replayed := scene(t, one(oomJob, "Failed", traceback, 1, "x\n")...)
	for _, kind := range standin.Kinds() {
		want, ok := told[kind]
		if !ok {
			t.Errorf("the fault %q is in no table", kind)
		}
		for _, lang := range []string{"zh", "en"} {
			t.Run(kind+" "+lang, func(t *testing.T) {
				program := stand(t, replayed, "--fault="+kind, "--hcloud-lang="+map[string]string{"zh": "cn", "en": "en"}[lang])
				args := []string{"diagnose", oomJob, "--lang", lang, "--region=cn-north-4"}
				if kind == "hang" {
					args = append(args, "--timeout=2s")
				}
				got := beside(t, program, t.TempDir(), args...)
				if got.code != want.code || want.code != exitOK && got.stdout != "" {
					t.Errorf("exit code %d, want %d; stdout %q", got.code, want.code, got.stdout)
				}
				message := want.zh
				if lang == "en" {
					message = want.en
				}
				lines := regexp.MustCompile(`(?m)^hcloud-modelarts: .*$`).FindAllString(got.stderr, -1)
				if len(lines) != min(len(message), 1) || !strings.Contains(strings.Join(lines, ""), message) {
					t.Errorf("stderr lacks a line with %q: %s", message, got.stderr)
				}
			})
		}
	}
	cases := t.TempDir()
	got := beside(t, stand(t, replayed, "--fault=forbidden"), cases, "record", oomJob, "--lang=en")
	if got.code != exitDenied || got.stdout != "" || !strings.Contains(got.stderr, "Create Custom Policy") {
		t.Errorf("without permission: %+v", got)
	}
	if entries, err := os.ReadDir(cases); err != nil || len(entries) > 0 {
		t.Errorf("a case without an answer is kept: %v %v", entries, err)
	}
	if got := beside(t, "/nonexistent/hcloud", t.TempDir(), "diagnose", oomJob); got.code != exitFailed || !strings.Contains(got.stderr, "找不到 /nonexistent/hcloud") {
		t.Errorf("no hcloud: %+v", got)
	}
	if got := beside(t, "", t.TempDir(), "diagnose", oomJob, "--replay", replayed, "--why", "--format=json"); got.code != exitOK {
		t.Errorf("a replay: %+v", got)
	}
	if got := beside(t, "", t.TempDir(), "diagnose", otherJob, "--replay", replayed); got.code != exitFailed || !strings.Contains(got.stderr, "录制中没有这次调用") || !strings.Contains(got.stderr, "ShowTrainingJobDetails --training_job_id="+otherJob) {
		t.Errorf("a call that was not recorded: %+v", got)
	}
}

// TestFaultsPass: a read is tried again, and evidence that cannot be had is
// told of and no reason to give no report.
func TestFaultsPass(t *testing.T) {
	replayed := scene(t, one(oomJob, "Failed", "", 1, "starting\n", "Training job failed.")...)
	state := filepath.Join(t.TempDir(), "state")
	program := stand(t, replayed, "--fault=throttled:2", "--state="+state)
	got := beside(t, program, t.TempDir(), "diagnose", oomJob)
	if got.code != exitOK || !strings.Contains(got.stdout, "当前信息不足") {
		t.Errorf("after being throttled twice: %+v", got)
	}
	program = stand(t, replayed, "--fault=forbidden@ShowTrainingJobLogsPreview")
	got = beside(t, program, t.TempDir(), "diagnose", oomJob, "--lang=en")
	if got.code != exitOK || !strings.Contains(got.stderr, "the permission for ShowTrainingJobLogsPreview is missing") {
		t.Errorf("without the right to read logs: %+v", got)
	}
}

// TestRecordAndReplay: what was recorded through a child process gives the same
// report without one.
func TestRecordAndReplay(t *testing.T) {
	cases := t.TempDir()
	program := stand(t, scene(t, oom(t)...))
	got := beside(t, program, cases, "record", "sft-8k-context")
	if got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	recorded := strings.TrimSpace(got.stdout)
	if verified := beside(t, "", cases, "corpus", "verify"); verified.code != exitOK || !strings.Contains(verified.stdout, "1 个案例") {
		t.Errorf("verify: %+v", verified)
	}
	live := beside(t, program, t.TempDir(), "diagnose", "sft-8k-context", "--no-record")
	for _, ref := range []string{recorded, filepath.Base(recorded), oomJob} {
		replayed := beside(t, "/nonexistent", cases, "diagnose", "--replay", ref)
		if replayed.code != exitOK || sameReport(replayed.stdout) != sameReport(live.stdout) {
			t.Errorf("replaying %q: %+v\nlive: %s", ref, replayed, live.stdout)
		}
	}
	analyzed := beside(t, "", cases, "analyze", recorded)
	if analyzed.code != exitOK || !strings.Contains(analyzed.stdout, "worker-1 上的 rank 11：加速卡显存不足") {
		t.Errorf("analyzing the folder: %+v", analyzed)
	}
	archive := filepath.Join(t.TempDir(), "case.zip")
	if got := beside(t, "", cases, "corpus", "export", oomJob, archive); got.code != exitOK {
		t.Fatalf("export: %+v", got)
	}
	if got := beside(t, "", t.TempDir(), "diagnose", "--replay", archive, "--format=json"); got.code != exitOK || !strings.Contains(got.stdout, `"cause": "device-oom"`) {
		t.Errorf("replaying an archive: %+v", got)
	}
	if entries, err := os.ReadDir(cases); err != nil || len(entries) != 1 {
		t.Errorf("replays were recorded: %v %v", entries, err)
	}
}

// sameReport takes the numbers of exchanges out of a report.
func sameReport(s string) string {
	return regexp.MustCompile(`exchanges/\d{4}-`).ReplaceAllString(s, "")
}

func TestResume(t *testing.T) {
	cases, answers := t.TempDir(), oom(t)
	program := stand(t, scene(t, answers...), "--fault=network@ShowTrainingJobLogsPreview")
	got := beside(t, program, cases, "record", oomJob)
	if got.code != exitOK || !strings.Contains(got.stderr, "还缺 2 项") {
		t.Fatalf("%+v", got)
	}
	shown := beside(t, "", cases, "corpus", "show", "6f1b2c58", "--lang=en")
	checkPart(t, "show", shown.stdout, "2 answers are missing: ShowTrainingJobLogsPreview worker-0, ShowTrainingJobLogsPreview worker-1")
	program = stand(t, scene(t, answers...))
	got = beside(t, program, cases, "record", "--resume", "6f1b2c58")
	if got.code != exitOK || strings.Contains(got.stderr, "还缺") {
		t.Errorf("%+v", got)
	}
	if calls := asked(got.stderr); !slices.Equal(calls, []string{"ShowTrainingJobDetails", "ShowTrainingJobLogsPreview", "ShowTrainingJobLogsPreview"}) {
		t.Errorf("a resumed recording asks %q", calls)
	}
}

// TestRecordFull downloads logs from a server that breaks off, refuses a link
// once, and takes ranges.
func TestRecordFull(t *testing.T) {
	log := strings.Repeat("2026-06-02 09:41:50 INFO step\n", 2000) + "the end\n"
	var ranges []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ranges = append(ranges, r.Header.Get("Range"))
		switch len(ranges) {
		case 1:
			w.Header().Set("Content-Length", fmt.Sprint(len(log)))
			w.Write([]byte(log[:30000]))
		case 2:
			w.WriteHeader(http.StatusForbidden)
		default:
			http.ServeContent(w, r, "", time.Time{}, strings.NewReader(log))
		}
	}))
	defer server.Close()
	answers := one(oomJob, "Failed", traceback, 1, "x\n", "Training job failed.")
	answers[len(answers)-1].out = fmt.Sprintf(`{"obs_url": "%s/worker-0.log?Signature=x"}`, server.URL)
	cases := t.TempDir()
	got := beside(t, stand(t, scene(t, answers...)), cases, "record", "--full", oomJob)
	if got.code != exitOK || len(ranges) != 3 || ranges[0] != "" || !strings.HasPrefix(ranges[2], "bytes=") {
		t.Fatalf("ranges %q: %+v", ranges, got)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(got.stdout), "logs", "modelarts-job-"+oomJob+"-worker-0.2.log"))
	if err != nil || string(data) != log {
		t.Errorf("the log has %d bytes, want %d; %v", len(data), len(log), err)
	}
	if strings.Contains(got.stderr, "Signature") {
		t.Errorf("the link is shown: %s", got.stderr)
	}
	again := beside(t, "", t.TempDir(), "diagnose", oomJob, "--replay", strings.TrimSpace(got.stdout))
	if again.code != exitOK {
		t.Errorf("replaying it: %+v", again)
	}
}

// TestScan: jobs that failed alike share a group, stopped ones are left out,
// those that ran out of time are not.
func TestScan(t *testing.T) {
	id := func(n int) string { return fmt.Sprintf("%08d-0d34-4c7e-9a41-b7d2e3f40c19", n) }
	stopped := one(id(3), "Terminated", "", 0, "x\n", "The training job has been manually stopped.")
	timeout := one(id(4), "Terminated", "", 0, "x\n", "The training job has been stopped. (Maximum running duration: 2 hours)")
	answers := slices.Concat(one(id(1), "Failed", traceback, 1, "x\n"), one(id(2), "Failed", traceback, 1, "x\n"), stopped, timeout,
		one(id(5), "Failed", "", 1, "starting\n", "Training job failed."))
	var all []string
	for _, a := range answers {
		if a.call.Operation == "ShowTrainingJobDetails" {
			all = append(all, a.out)
		}
	}
	answers = append(answers, said{listOf(0, filter("phase", "in", abnormal...)), pageOf(all...)})
	program := stand(t, scene(t, answers...))
	got := beside(t, program, t.TempDir(), "scan", "--format", "json")
	var rows []row
	if err := json.Unmarshal([]byte(got.stdout), &rows); err != nil || got.code != exitOK {
		t.Fatalf("%v: %+v", err, got)
	}
	var seen []string
	for _, r := range rows {
		seen = append(seen, fmt.Sprintf("%d %s %s", r.Group, strings.TrimLeft(r.Job[:8], "0"), r.Cause))
	}
	want := []string{"1 1 file-missing", "1 2 file-missing", "2 4 job-timeout", "3 5 unknown"}
	if !slices.Equal(seen, want) {
		t.Errorf("rows %q, want %q", seen, want)
	}
	cases := t.TempDir()
	table := beside(t, program, cases, "scan", "--lang=en")
	if table.code != exitOK || strings.Count(table.stdout, "\n") != 5 || !strings.Contains(table.stdout, "file missing") {
		t.Errorf("table: %+v", table)
	}
	if again := beside(t, "", cases, "scan", "--lang=en", "--replay", "scan"); again.code != exitOK || again.stdout != table.stdout {
		t.Errorf("replaying a scan: %+v", again)
	}
	late := beside(t, program, t.TempDir(), "scan", "--since", "2026-06-03", "--lang=en")
	if late.code != exitOK || !strings.Contains(late.stdout, "no training job that failed") {
		t.Errorf("nothing since then: %+v", late)
	}
	if got := beside(t, program, t.TempDir(), "scan", "--since", "soon"); got.code != exitUsage {
		t.Errorf("a wrong time: %+v", got)
	}
}

func TestGroupsOfUnknowns(t *testing.T) {
	rows := grouped([]row{{Job: "a", Cause: "unknown", Fingerprint: "f"}, {Job: "b", Cause: "unknown", Fingerprint: "f"}, {Job: "c", Cause: "x", Fingerprint: "g"}})
	if rows[0].Group == rows[1].Group || rows[1].Group == rows[2].Group {
		t.Errorf("%+v", rows)
	}
}

// TestWatch follows a job until it fails, and one until it stands still.
func TestWatch(t *testing.T) {
	running := details(oomJob, "bert-sst2", "Running", "", 0)
	failed := one(oomJob, "Failed", traceback, 1, "x\n", "Training job failed.")
	answers := append([]said{{detailsOf(oomJob), details(oomJob, "bert-sst2", "Pending", "", 0)}, {detailsOf(oomJob), running}, {detailsOf(oomJob), running}}, failed...)
	program := stand(t, scene(t, answers...), "--state="+filepath.Join(t.TempDir(), "state"))
	cases := t.TempDir()
	got := beside(t, program, cases, "watch", oomJob, "--exit-code")
	if got.code != exitFault || !strings.Contains(got.stdout, "FileNotFoundError") {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{"Pending", "Running", "Failed", "已录制到 " + cases} {
		checkPart(t, "stderr", got.stderr, want)
	}
	if calls := asked(got.stderr); len(calls) < 8 {
		t.Errorf("it did not record everything: %q", calls)
	}

	still := one(oomJob, "Running", "", 0, "2026-06-02 09:41:50 INFO step 1\n", "Training job is running.")
	got = beside(t, stand(t, scene(t, still...)), t.TempDir(), "watch", oomJob, "--stall=10m", "--lang=en")
	if got.code != exitOK || !strings.Contains(got.stderr, "has not changed for 10m") {
		t.Errorf("a job that stands still: %+v", got)
	}
	if got := beside(t, "", t.TempDir(), "watch", oomJob, "--interval=0s"); got.code != exitUsage {
		t.Errorf("no interval: %+v", got)
	}
}

// TestClockJumpsWhileWatching: a clock that is put back and forward by years
// neither makes a job stand still that was not waited for, nor keeps a watch from
// seeing that it does; no wait is negative.
func TestClockJumpsWhileWatching(t *testing.T) {
	still := one(oomJob, "Running", "", 0, "2026-06-02 09:41:50 INFO step 1\n", "Training job is running.")
	var out, errs bytes.Buffer
	env := append(os.Environ(), "HCLOUD_MODELARTS_HCLOUD="+stand(t, scene(t, still...)), "HCLOUD_MODELARTS_CORPUS="+t.TempDir())
	c := &console{ctx: t.Context(), env: environment(env), environ: env, stdin: strings.NewReader(""), stdout: &out, stderr: &errs, world: realWorld()}
	asked, waited := 0, time.Duration(0)
	c.now = func() time.Time {
		asked++
		return time.Date([]int{2026, 1970, 2190, 2026, 2009}[asked%5], 6, 2, 12, 0, 0, 0, time.UTC)
	}
	c.sleep = func(_ context.Context, d time.Duration) error {
		if waited += d; d < 0 || waited > time.Hour {
			return context.DeadlineExceeded
		}
		return nil
	}
	code := c.run([]string{"watch", oomJob, "--stall=10m", "--lang=en"})
	if code != exitOK || !strings.Contains(errs.String(), "has not changed for 10m") || waited < 10*time.Minute || waited > 15*time.Minute {
		t.Errorf("exit code %d after waiting %v: %s", code, waited, errs.String())
	}
}

func TestDoctor(t *testing.T) {
	replayed := scene(t, oom(t)...)
	got := beside(t, stand(t, replayed), t.TempDir(), "doctor", "--project-id=p")
	if got.code != exitOK || strings.Count(got.stdout, "✓") != 7 || got.stderr != "" {
		t.Errorf("all is well: %+v", got)
	}
	for fault, want := range map[string]struct {
		code  int
		state string // of each check
		text  string
	}{
		"old":                        {exitFailed, "failed skipped skipped skipped skipped ok ok", "7.2.2"},
		"other-program":              {exitFailed, "failed skipped skipped skipped skipped ok ok", "KooCLI"},
		"privacy":                    {exitFailed, "failed skipped skipped skipped skipped ok ok", "--cli-agree-privacy-statement=true"},
		"unauthorized":               {exitDenied, "ok ok failed ok warning ok ok", "APIGW.0301"},
		"forbidden@ListTrainingJobs": {exitDenied, "ok ok failed ok warning ok ok", "modelarts:trainJob:list"},
		"network":                    {exitFailed, "ok ok failed ok warning ok ok", "https_proxy"},
	} {
		for _, lang := range []string{"zh", "en"} {
			got := beside(t, stand(t, replayed, "--fault="+fault, "--hcloud-lang="+map[string]string{"zh": "cn", "en": "en"}[lang]), t.TempDir(), "doctor", "--format=json", "--lang", lang)
			var checks []check
			if err := json.Unmarshal([]byte(got.stdout), &checks); err != nil {
				t.Fatalf("%v: %+v", err, got)
			}
			var states []string
			for _, x := range checks {
				states = append(states, x.State)
			}
			if got.code != want.code || strings.Join(states, " ") != want.state || !strings.Contains(got.stdout, want.text) {
				t.Errorf("%s: exit code %d, states %q: %s", fault, got.code, states, got.stdout)
			}
		}
	}
	file := writeTemp(t, "file", "")
	if got := beside(t, stand(t, replayed), file, "doctor"); got.code != exitFailed || !strings.Contains(got.stdout, "--corpus") {
		t.Errorf("a corpus that is a file: %+v", got)
	}
	c := &console{lang: "en", world: world{now: func() time.Time { return time.Unix(1780000000, 0) }}}
	if x := checkClock(c, time.Unix(1780003600, 0)); x.State != "failed" || !strings.Contains(x.Detail, "1h0m0s") {
		t.Errorf("a clock that is an hour late: %+v", x)
	}
}

func TestIAMPolicy(t *testing.T) {
	for _, v := range []string{"1.1", "5.0"} {
		for _, purpose := range []string{"diagnose", "manage"} {
			got := beside(t, "", t.TempDir(), "iam-policy", "--policy", "--version", v, "--for", purpose)
			var policy struct {
				Version   string
				Statement []struct {
					Effect string
					Action []string
				}
			}
			if err := json.Unmarshal([]byte(got.stdout), &policy); err != nil || policy.Version != v {
				t.Fatalf("%v: %+v", err, got)
			}
			actions := policy.Statement[0].Action
			if !slices.Contains(actions, "modelarts:trainJob:get") || slices.Contains(actions, "modelarts:trainJob:delete") != (purpose == "manage") || slices.Contains(actions, "modelarts:trainJob:listEvents") != (v == "5.0") {
				t.Errorf("version %s for %s allows %q", v, purpose, actions)
			}
		}
	}
	state := filepath.Join(t.TempDir(), "state")
	program := stand(t, scene(t, oom(t)...), "--fault=forbidden:2", "--state="+state)
	got := beside(t, program, t.TempDir(), "iam-policy", "--wait", "--lang=en")
	if got.code != exitOK || strings.Count(got.stderr, "not there yet") != 2 || !strings.Contains(got.stderr, "the right is there") {
		t.Errorf("waiting: %+v", got)
	}
	if got := beside(t, "/nonexistent", t.TempDir(), "iam-policy", "--wait"); got.code != exitFailed {
		t.Errorf("waiting without hcloud: %+v", got)
	}
}

// TestOperationsNeedActions: every right that a message may name is one that
// the policies hold.
func TestOperationsNeedActions(t *testing.T) {
	for operation, named := range operationActions {
		for _, m := range regexp.MustCompile(`[a-zA-Z]+:[a-zA-Z]+:[a-zA-Z]+`).FindAllString(named, -1) {
			if !slices.ContainsFunc(actions, func(a action) bool { return a.name == m }) {
				t.Errorf("%s needs %s, which no policy holds", operation, m)
			}
		}
	}
}

func TestCorpusCommands(t *testing.T) {
	cases := t.TempDir()
	program := stand(t, scene(t, oom(t)...))
	if got := beside(t, "", cases, "corpus", "list"); got.code != exitOK || !strings.Contains(got.stdout, "没有案例") {
		t.Errorf("an empty corpus: %+v", got)
	}
	recorded := strings.TrimSpace(beside(t, program, cases, "record", oomJob).stdout)
	if got := beside(t, "", cases, "corpus", "list", "--format=json"); got.code != exitOK || !strings.Contains(got.stdout, `"done": true`) {
		t.Errorf("list: %+v", got)
	}
	archive := filepath.Join(t.TempDir(), "x.zip")
	for _, args := range [][]string{{"export", oomJob, archive}, {"show", archive}, {"verify", archive}, {"rm", oomJob}, {"import", archive}, {"verify"}} {
		if got := beside(t, "", cases, append([]string{"corpus"}, args...)...); got.code != exitOK {
			t.Errorf("corpus %q: %+v", args, got)
		}
	}
	for code, args := range map[string][]string{
		"不会覆盖":     {"export", oomJob, archive},
		"没有案例":     {"show", "nothing"},
		"已存在":      {"import", archive},
		"不是案例":     {"show", t.TempDir()},
		"无法读写":     {"list", "--corpus", filepath.Join(archive, "x")},
		"没有案例 \"z": {"rm", "z"},
	} {
		if got := beside(t, "", cases, append([]string{"corpus"}, args...)...); got.code != exitFailed || !strings.Contains(got.stderr, code) {
			t.Errorf("corpus %q does not say %q: %+v", args, code, got)
		}
	}
	files, err := filepath.Glob(filepath.Join(recorded, "exchanges", "*Details*"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	var m corpus.Manifest
	manifest := filepath.Join(recorded, "case.json")
	whole, err := os.ReadFile(manifest)
	if err != nil || json.Unmarshal(whole, &m) != nil {
		t.Fatal(err)
	}
	cut := strings.Replace(string(whole), `"done": true`, `"done": false`, 1)
	left := filepath.Join(recorded, "exchanges", "9999-left.json")
	if os.WriteFile(manifest, []byte(cut), 0o600) != nil || os.WriteFile(left, nil, 0o600) != nil {
		t.Fatal("cannot write")
	}
	if got := beside(t, "", cases, "corpus", "verify"); got.code != exitOK || !strings.Contains(got.stderr, "record --resume "+m.ID) {
		t.Errorf("a recording that was cut short: %+v", got)
	}
	if os.WriteFile(manifest, whole, 0o600) != nil || os.Remove(left) != nil {
		t.Fatal("cannot write")
	}
	if err := os.WriteFile(files[0], []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := beside(t, "", cases, "corpus", "verify"); got.code != exitFailed || !strings.Contains(got.stderr, "内容已改变") {
		t.Errorf("a changed file: %+v", got)
	}
	if got := beside(t, "", cases, "diagnose", "--replay", recorded); got.code != exitFailed || !strings.Contains(got.stderr, "已损坏") {
		t.Errorf("replaying a damaged case: %+v", got)
	}
	plain := beside(t, program, cases, "record", oomJob, "--no-mask")
	if plain.code != exitOK || !strings.Contains(plain.stderr, "--no-mask 已关闭掩码") {
		t.Errorf("without a mask: %+v", plain)
	}
	err = filepath.WalkDir(strings.TrimSpace(plain.stdout), func(p string, d fs.DirEntry, err error) error {
		if info, e := os.Stat(p); err != nil || e != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s can be read by others: %v %v", p, err, e)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if got := beside(t, "", cases, "corpus", "export", strings.TrimSpace(plain.stdout), filepath.Join(t.TempDir(), "y.zip")); got.code != exitOK || !strings.Contains(got.stderr, "没有掩码") {
		t.Errorf("exporting it: %+v", got)
	}
}

// TestNoAnswer: what is no answer of the operation is told, and never taken for
// "there is no job that failed", "the call works" or "the job goes on".
func TestNoAnswer(t *testing.T) {
	for _, out := range []string{"", "{}", "[]", "null", "42", `"ACTIVE"`, `{"total": 0}`} {
		for _, lang := range []string{"zh", "en"} {
			want := map[string]string{"zh": "没有给出应有的响应", "en": "did not give the answer that it should"}[lang]
			program := stand(t, scene(t, said{listOf(0, filter("phase", "in", abnormal...)), out}, said{newestOf(), out}, said{detailsOf(oomJob), out}))
			for _, args := range [][]string{{"scan"}, {"diagnose"}, {"record", "--all"}, {"diagnose", oomJob}, {"record", oomJob}, {"iam-policy", "--wait"}} {
				got := beside(t, program, t.TempDir(), append(args, "--lang", lang)...)
				if got.code != exitFailed || args[0] != "iam-policy" && got.stdout != "" || !strings.Contains(got.stderr, want) {
					t.Errorf("%v with %q: %+v", args, out, got)
				}
			}
			got := beside(t, program, t.TempDir(), "doctor", "--lang", lang)
			if got.code != exitFailed || !strings.Contains(got.stdout, want) {
				t.Errorf("doctor with %q: %+v", out, got)
			}
		}
	}
}

// TestInterruptedRecording: Ctrl-C keeps what was recorded and says with which
// command to go on; that command goes on.
func TestInterruptedRecording(t *testing.T) {
	for _, lang := range []string{"zh", "en"} {
		answers := oom(t)
		cases, replayed := filepath.Join(t.TempDir(), "my cases"), scene(t, answers...)
		program := stand(t, replayed)
		ctx, cancel := context.WithCancel(t.Context())
		var out bytes.Buffer
		errs := &cancelAt{text: "ListTrainingJobStages", cancel: cancel}
		env := append(os.Environ(), "HCLOUD_MODELARTS_HCLOUD="+program)
		code := run(ctx, []string{"record", oomJob, "--corpus", cases, "--region=cn-north-4", "--mask-buckets", "--lang", lang}, env, strings.NewReader(""), &out, errs)
		cancel()
		m := regexp.MustCompile("`hcloud-modelarts (record --resume .*)`").FindStringSubmatch(errs.String())
		if code != exitInterrupted || m == nil || !strings.Contains(m[1], "--region=cn-north-4") || !strings.Contains(m[1], "--mask-buckets") {
			t.Fatalf("exit code %d: %s", code, errs.String())
		}
		args := regexp.MustCompile(`'[^']*'|\S+`).FindAllString(m[1], -1)
		for i := range args {
			args[i] = strings.Trim(args[i], "'")
		}
		got := beside(t, program, t.TempDir(), args...)
		if got.code != exitOK || strings.Contains(got.stderr, "ShowTrainingJobLogsPreview") {
			t.Errorf("%q: %+v", args, got)
		}
	}
}

// cancelAt cancels once a text is written.
type cancelAt struct {
	bytes.Buffer
	text   string
	cancel func()
}

func (c *cancelAt) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(c.text)) {
		c.cancel()
	}
	return c.Buffer.Write(p)
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
