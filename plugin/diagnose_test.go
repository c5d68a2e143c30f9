package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hcloud-modelarts/plugin/standin"
)

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
