package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hcloud-modelarts/plugin/hcloud"
	"hcloud-modelarts/plugin/operations"
)

const aJob = "3faf5c03-aaa1-4cbe-879d-24b05d997347"

const jobList = `{"total": 2, "count": 2, "items": [
  {"metadata": {"id": "3faf5c03-aaa1-4cbe-879d-24b05d997347", "name": "bert-sst2", "create_time": 1780362004000}, "status": {"phase": "Failed", "duration": 2340000}, "spec": {"resource": {"node_count": 2, "pool_id": "pool-1"}}},
  {"metadata": {"id": "b6f1c2de-7a34-4c1e-9d52-0f8e3a9c7d41", "name": "bert-sst2-large", "create_time": 1780275604000}, "status": {"phase": "Running", "duration": 0}, "spec": {"resource": {"node_count": 1, "flavor_id": "modelarts.kat1.xlarge"}}}]}`

// TestManage runs what management prints and how it ends.
func TestManage(t *testing.T) {
	for _, tt := range []struct {
		name    string
		args    []string
		service map[string]string
		code    int
		stdout  string // a part of it; "" means silence
		stderr  string
	}{
		{"list as JSON", []string{"job", "list"}, map[string]string{"ListTrainingJobs": jobList}, exitOK, `"name": "bert-sst2-large"`, ""},
		{"list as table", []string{"job", "list", "--format=table"}, map[string]string{"ListTrainingJobs": jobList}, exitOK, "bert-sst2        Failed   2026-06-02 01:00:04 +0000  39m0s", ""},
		{"list in English", []string{"job", "list", "--format", "table", "--lang=en"}, map[string]string{"ListTrainingJobs": jobList}, exitOK, "PHASE", ""},
		{"empty list", []string{"job", "list", "--format=table"}, map[string]string{"ListTrainingJobs": `{"items": []}`}, exitOK, "", "没有内容"},
		{"query", []string{"job", "list", "--query", "items[].metadata.name"}, map[string]string{"ListTrainingJobs": jobList}, exitOK, "[\n  \"bert-sst2\",\n  \"bert-sst2-large\"\n]\n", ""},
		{"query for a text", []string{"job", "list", "--query", "items[0].metadata.id"}, map[string]string{"ListTrainingJobs": jobList}, exitOK, aJob + "\n", ""},
		{"query that matches nothing", []string{"job", "list", "--query", "jobs[].id"}, map[string]string{"ListTrainingJobs": jobList}, exitOK, "null\n", "没有匹配到内容"},
		{"empty object in a pipe", []string{"job", "quotas"}, map[string]string{"ShowTrainingQuotas": "{}"}, exitOK, "{}\n", ""},
		{"empty object as table", []string{"job", "quotas", "--format=table"}, map[string]string{"ShowTrainingQuotas": "{}"}, exitOK, "", "没有内容"},
		{"empty list in a pipe", []string{"job", "tasks", aJob}, map[string]string{"ListTrainingJobTasks": "[]"}, exitOK, "[]\n", ""},
		{"no answer", []string{"job", "quotas"}, map[string]string{"ShowTrainingQuotas": ""}, exitOK, "", "ShowTrainingQuotas 没有返回任何内容"},
		{"no answer in English", []string{"job", "quotas", "--format=table", "--lang=en"}, map[string]string{"ShowTrainingQuotas": ""}, exitOK, "", "ShowTrainingQuotas returned nothing"},
		{"list in an object's place", []string{"job", "quotas"}, map[string]string{"ShowTrainingQuotas": "[]"}, exitFailed, "", "没有给出应有的响应（[]）"},
		{"number in an object's place", []string{"job", "quotas", "--lang=en"}, map[string]string{"ShowTrainingQuotas": "42"}, exitFailed, "", "did not give the answer that it should (42)"},
		{"answer of a filter", []string{"job", "stop", aJob, "--yes"}, map[string]string{"StopTrainingJob": `"ACTIVE"`}, exitFailed, "", "是否已执行未知"},
		{"name among no list", []string{"job", "events", "bert"}, map[string]string{"ListTrainingJobs": `{"total": 3}`}, exitFailed, "", "ListTrainingJobs 没有给出应有的响应"},
		{"wrong query", []string{"job", "list", "--query", "items["}, nil, exitUsage, "", "--query"},
		{"log as text", []string{"job", "logs", aJob, "--format=text"}, map[string]string{"ShowTrainingJobLogsPreview": `{"content": "step 1\r\nstep \u001b[31m2\n", "current_size": 5, "full_size": 9}`}, exitOK, "step 1\nstep \\x1b[31m2\n", "只有最新的 5 字节"},
		{"log of another task", []string{"job", "logs", aJob, "worker-3", "--format=text"}, map[string]string{"ShowTrainingJobLogsPreview": `{"content": "x"}`}, exitOK, "x\n", ""},
		{"no log yet", []string{"job", "logs", aJob}, map[string]string{"ShowTrainingJobLogsPreview": `{"error_code": "ModelArts.2776", "error_msg": "not ready"}`}, exitOK, "", "还没有日志"},
		{"trials", []string{"search", "trials", aJob, "--format=table"}, map[string]string{"ShowAutoSearchTrials": `{"items": {"header": ["trial_id", "lr"], "data": [["1", "0.1"], ["2", "0.2"]]}}`}, exitOK, "2         0.2", ""},
		{"stages", []string{"job", "stages", aJob, "--format=table"}, map[string]string{"ListTrainingJobStages": `{"running_records": [{"stages": [{"name": "preparing", "en_message": "Environment preparation", "zh_message": "环境准备"}]}]}`}, exitOK, "preparing  环境准备", ""},
		{"stages in English", []string{"job", "stages", aJob, "--format=table", "--lang=en"}, map[string]string{"ListTrainingJobStages": `{"running_records": [{"stages": [{"name": "preparing", "en_message": "Environment preparation", "zh_message": "环境准备"}]}]}`}, exitOK, "preparing  Environment preparation", ""},
		{"metrics", []string{"job", "metrics", aJob, "--format=table"}, map[string]string{"ShowTrainingJobMetrics": `{"metrics": [{"metric": "npuUtil", "value": [-1, 10, 20]}]}`}, exitOK, "npuUtil  2       15.0  20.0  20.0", "-1 表示"},
		{"link is masked", []string{"job", "log-url", aJob}, map[string]string{"ShowObsUrlOfTrainingJobLogs": `{"obs_url": "https://b.obs.cn-north-4.myhuaweicloud.com/x.log?AWSAccessKeyId=EXAMPLEKEY&Expires=1&Signature=EXAMPLESIG"}`}, exitOK, "x.log?***", "5 分钟内有效"},
		{"link is shown", []string{"job", "log-url", aJob, "--show-secrets"}, map[string]string{"ShowObsUrlOfTrainingJobLogs": `{"obs_url": "https://b.obs.cn-north-4.myhuaweicloud.com/x.log?AWSAccessKeyId=EXAMPLEKEY&Expires=1&Signature=EXAMPLESIG"}`}, exitOK, "Signature=EXAMPLESIG", "5 分钟内有效"},
		{"no job in the answer", []string{"job", "delete", aJob, "--yes"}, map[string]string{"ShowTrainingJobDetails": `{"items": []}`}, exitOK, "{}", "相关检查未进行"},
		{"password of the environment is masked", []string{"job", "show", aJob}, map[string]string{"ShowTrainingJobDetails": `{"status": {}, "environments": {"MYSQL_PWD": "hunter2Zq"}}`}, exitOK, `"MYSQL_PWD": "***"`, ""},
		{"login of a registry is masked", []string{"job", "show", aJob}, map[string]string{"ShowTrainingJobDetails": `{"status": {}, "auths": {"swr": {"auth": "dXNlcjp0MGZKWEFYN1J3YXd4NQ"}}}`}, exitOK, `"auth": "***"`, ""},
		{"password of a parameter is masked", []string{"job", "show", aJob}, map[string]string{"ShowTrainingJobDetails": `{"status": {}, "parameters": [{"name": "db_pwd", "value": "hunter2Zq"}]}`}, exitOK, `"value": "***"`, ""},
		{"count of tokens is shown", []string{"job", "show", aJob}, map[string]string{"ShowTrainingJobDetails": `{"status": {}, "parameters": [{"name": "max_token", "value": "4096"}]}`}, exitOK, `"value": "4096"`, ""},
		{"token is masked", []string{"job", "show", aJob}, map[string]string{"ShowTrainingJobDetails": `{"status": {}, "endpoints": {"jupyter_lab": {"token": "short"}}}`}, exitOK, `"token": "***"`, ""},
		{"price", []string{"price", "--flavor=modelarts.kat1.xlarge", "--nodes=2", "--hours=8"}, nil, exitOK, "modelarts.kat1.xlarge  21.30 CNY             2       8       340.80 CNY  25.06 CNY", ""},
		{"price as JSON", []string{"price", "--flavor=modelarts.kat1.xlarge", "--format=json"}, nil, exitOK, `"unit_price": "21.30"`, ""},
		{"no price", []string{"price", "--flavor=x"}, map[string]string{"ListOnDemandResourceRatings": `{"product_rating_results": []}`}, exitFailed, "", "没有这些规格的价格"},
		{"price of nothing", []string{"price"}, nil, exitUsage, "", "--flavor"},
		{"price of wrong hours", []string{"price", "--flavor=x", "--hours=-1"}, nil, exitUsage, "", "--hours"},

		{"service's error", []string{"job", "show", aJob}, map[string]string{"ShowTrainingJobDetails": `{"error_code": "ModelArts.2775", "error_msg": "Training job not found."}`}, exitFailed, "", "`job list`"},
		{"no permission", []string{"algorithm", "list"}, map[string]string{"ListAlgorithms": `{"error_code": "ModelArts.0108", "error_msg": "You are not authorized to perform the (list) operation."}`}, exitDenied, "", "modelarts:aiAlgorithm:list"},
		{"no credentials", []string{"algorithm", "list"}, map[string]string{"ListAlgorithms": "[USE_ERROR]配置文件中不存在配置项,请您执行hcloud configure set添加配置项"}, exitDenied, "", "configure init"},
		{"operation that hcloud does not know", []string{"algorithm", "list"}, map[string]string{"ListAlgorithms": "[USE_ERROR]不支持的operation:ListAlgorithms"}, exitFailed, "", "--via sdk"},

		{"all operations", []string{"api"}, nil, exitOK, "ShowAutoSearchYamlTemplatesInfo", ""},
		{"help of an operation", []string{"api", "CreateTrainingJob", "--help"}, nil, exitOK, "--algorithm.inputs.N.remote.obs.obs_url=string", ""},
		{"help of a verb", []string{"job", "list", "-h"}, nil, exitOK, "--phase=string", ""},
		{"wrong operation", []string{"api", "ListTrainingJobz"}, nil, exitUsage, "", `"ListTrainingJobs"`},
		{"operation of no kind", []string{"api", "FlyToTheMoon"}, nil, exitUsage, "", "没有操作"},
		{"renamed operation", []string{"api", "UpdateTrainingJob"}, nil, exitUsage, "", "ChangeTrainingJobDescription"},
		{"operation outside", []string{"api", "StopNotebook"}, nil, exitUsage, "", "hcloud ModelArts ListNotebooks"},
		{"support call", []string{"api", "KeystoneListAuthProjects"}, nil, exitUsage, "", "没有操作"},
		{"noun outside", []string{"notebook", "list"}, nil, exitUsage, "", "不在本工具的范围内"},
		{"services are outside", []string{"api", "ListServices"}, nil, exitUsage, "", "hcloud ModelArts ListInferServices"},
		{"a new service is outside", []string{"api", "CreateService"}, nil, exitUsage, "", "hcloud ModelArts ListInferServices"},
		{"deploying is outside", []string{"api", "DeployService", "--lang=en"}, nil, exitUsage, "", "hcloud ModelArts ListInferServices"},
		{"data sets are outside", []string{"api", "ListDatasets"}, nil, exitUsage, "", "algorithm.inputs"},
		{"a new data set is outside", []string{"api", "CreateDataset", "--lang=en"}, nil, exitUsage, "", "algorithm.inputs"},
		{"workspaces are outside", []string{"api", "ListWorkspaces"}, nil, exitUsage, "", "hcloud ModelArts ListWorkspace`"},
		{"dataset is outside", []string{"dataset", "list"}, nil, exitUsage, "", "algorithm.inputs"},
		{"data is outside", []string{"data", "list"}, nil, exitUsage, "", "algorithm.inputs"},
		{"labels are outside", []string{"labels", "list"}, nil, exitUsage, "", "algorithm.inputs"},
		{"algorithm changed to nothing", []string{"api", "ChangeAlgorithm", "--algorithm_id=a", "--yes"}, nil, exitUsage, "", "缺少必填参数 --metadata.name"},
		{"algorithm of nothing", []string{"api", "CreateAlgorithm", "--yes", "--lang=en"}, nil, exitUsage, "", "the parameter --metadata.name is required"},
		{"all from an offset", []string{"job", "list", "--all", "--offset=3"}, nil, exitUsage, "", "请去掉 --offset"},
		{"all from an offset in English", []string{"job", "list", "--all", "--offset=3", "--lang=en"}, nil, exitUsage, "", "leave out --offset"},
		{"all from an offset in the body", []string{"job", "list", "--all", "--json=-"}, map[string]string{"stdin": `{"offset": 3}`}, exitUsage, "", "请求体中的 offset"},
		{"all from an offset in an envelope", []string{"event", "scheduled", "--all", "--json=-"}, map[string]string{"stdin": `{"query": {"offset": "3"}}`}, exitUsage, "", "请求体中的 offset"},
		{"all from a marker", []string{"event", "pool", "p1", "--all", "--continue=m"}, nil, exitUsage, "", "--continue"},
		{"query of two words", []string{"job", "list", "--query", "a b"}, nil, exitUsage, "", "个字符处语法有误"},
		{"query of no function", []string{"job", "list", "--query", "nope(@)"}, nil, exitUsage, "", "无法求值"},
		{"empty region", []string{"job", "list", "--region="}, nil, exitUsage, "", "区域，如 cn-north-4"},
		{"empty query in English", []string{"job", "list", "--query=", "--lang=en"}, nil, exitUsage, "", "expected a JMESPath expression"},
		{"flag that takes no value", []string{"job", "list", "--all=maybe", "--lang=en"}, nil, exitUsage, "", "expected the flag without a value"},
		{"price of half a node", []string{"price", "--flavor=x", "--nodes=0.5"}, nil, exitUsage, "", "不小于 1 的节点数"},
		{"price of something else", []string{"price", "--flavor=x", "--size=3"}, nil, exitUsage, "", "没有参数 --size"},
		{"path in the place of an id", []string{"algorithm", "show", `a\b`, "--lang=en"}, nil, exitUsage, "", `a name without / \ ? # %`},
		{"no verb", []string{"job"}, nil, exitUsage, "", "可用的有 create, list"},
		{"wrong verb", []string{"job", "lst"}, nil, exitUsage, "", `是否想用 "list"`},
		{"unknown verb", []string{"tag", "polish"}, nil, exitUsage, "", "可用的有 add, list, remove"},
		{"argument too many", []string{"job", "show", aJob, "more"}, nil, exitUsage, "", `多余的参数 "more"`},
		{"argument missing", []string{"job", "show"}, nil, exitUsage, "", "缺少必填参数 --training_job_id"},
		{"value that the verb sets", []string{"job", "stop", aJob, "--action_type=restart"}, nil, exitUsage, "", "已经决定"},
		{"credentials in the command line", []string{"job", "list", "--cli-secret-key=abc"}, nil, exitUsage, "", "凭证不能写在命令行中"},
		{"flag without value", []string{"job", "list", "--region"}, nil, exitUsage, "", "--region 缺少值"},
		{"parameter without value", []string{"job", "list", "--limit"}, nil, exitUsage, "", "--limit 缺少值"},
		{"wrong way", []string{"job", "list", "--via=curl"}, nil, exitUsage, "", "--via 只能是"},
		{"format that does not fit", []string{"algorithm", "show", "x", "--format=text"}, map[string]string{"ShowAlgorithmByUuid": `{"a": 1}`}, exitUsage, "", "--format text"},
		{"missing body", []string{"job", "create", "--json=no-such.json"}, nil, exitFailed, "", "no-such.json"},
		{"name with --dry-run", []string{"job", "stop", "bert-sst2", "--dry-run"}, nil, exitUsage, "", "作业 ID"},
		{"dry run", []string{"tag", "add", aJob, "team=nlp", "stage", "--dry-run", "--region=cn-north-4"}, nil, exitOK, "hcloud ModelArts CreateTrainJobTags --training_job_id=" + aJob + " --tags.1.key=team --tags.1.value=nlp --tags.2.key=stage --cli-region=cn-north-4\n", "未发送"},
		{"dry run hides", []string{"job", "create", "--dry-run", "--metadata.name=a", "--algorithm.command=python t.py", "--algorithm.engine.image_url=o/i:1", "--algorithm.environments.DB_PASSWORD=hunter2", "--spec.resource.pool_id=p"}, nil, exitOK, `"DB_PASSWORD": "***"`, ""},
		{"region of hcloud's own flag", []string{"job", "stop", aJob, "--dry-run", "--cli-region=cn-east-3"}, nil, exitOK, "--cli-region=cn-east-3", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := willing()
			for op, answer := range tt.service {
				s.answers[op] = answer
			}
			got := manageWith(t, s, nil, tt.service["stdin"], tt.args...)
			if got.code != tt.code {
				t.Errorf("exit code %d, want %d: %+v", got.code, tt.code, got)
			}
			checkPart(t, "stdout", got.stdout, tt.stdout)
			if !strings.Contains(got.stderr, tt.stderr) {
				t.Errorf("stderr lacks %q: %q", tt.stderr, got.stderr)
			}
			for _, secret := range []string{"hunter2", "EXAMPLESIG"} {
				if strings.Contains(got.stdout+got.stderr, secret) && tt.name != "link is shown" {
					t.Errorf("a secret is shown: %+v", got)
				}
			}
		})
	}
}

// TestNoCredentialsForTheSDK: what is missing is named, and nothing is sent.
func TestNoCredentialsForTheSDK(t *testing.T) {
	got := invoke(t, "", []string{"HUAWEICLOUD_SDK_AK=KEYOFTHEUSER"}, "algorithm", "list", "--via=sdk")
	if got.code != exitDenied || !strings.Contains(got.stderr, "HUAWEICLOUD_SDK_SK, HUAWEICLOUD_SDK_PROJECT_ID") || strings.Contains(got.stderr, "KEYOFTHEUSER") {
		t.Errorf("%+v", got)
	}
}

// TestBodyThatIsNoObject: what is wrong with a body is said in the user's
// language.
func TestBodyThatIsNoObject(t *testing.T) {
	for body, want := range map[string]string{
		`[1]`: "内容是列表", `"a"`: "内容是字符串", `5`: "内容是数字", `true`: "内容是布尔值", `null`: "内容是 null",
		`{"kind": "job"} x`: "对象之后还有其他内容", `{"kind" "job"}`: "第 9 字节处语法有误", `{"kind": `: "内容不完整",
	} {
		got := manageWith(t, willing(), nil, body, "job", "create", "--json=-", "--yes")
		if got.code != exitUsage || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: %+v", body, got)
		}
	}
}

// TestSDKWithoutRegion: what is missing is named, and hcloud, which is not
// asked, is not blamed; what is not sent needs no credentials either.
func TestSDKWithoutRegion(t *testing.T) {
	env := []string{"HUAWEICLOUD_SDK_AK=a", "HUAWEICLOUD_SDK_SK=s", "HUAWEICLOUD_SDK_PROJECT_ID=p"}
	for _, lang := range []string{"zh", "en"} {
		got := invoke(t, "", env, "job", "list", "--via=sdk", "--lang="+lang)
		if got.code != exitFailed || !strings.Contains(got.stderr, "--region") || !strings.Contains(got.stderr, "HUAWEICLOUD_SDK_REGION") || strings.Contains(got.stderr, "hcloud ") {
			t.Errorf("%+v", got)
		}
	}
	if got := invoke(t, "", nil, "job", "stop", aJob, "--via=sdk", "--dry-run"); got.code != exitOK || !strings.Contains(got.stdout, "StopTrainingJob") {
		t.Errorf("%+v", got)
	}
}

// TestInterruptedQuestion: a signal at the question says that nothing was sent.
func TestInterruptedQuestion(t *testing.T) {
	var errs strings.Builder
	c := &console{lang: "zh", stderr: &errs, ask: func(string) (string, error) { return "", errInterrupted }}
	s := &caller{console: c, link: &link{Runner: &hcloud.Runner{}}}
	req, problems := operations.Default().Find("StopTrainingJob").Build([]operations.Argument{{Name: "training_job_id", Value: aJob}, {Name: "action_type", Value: "terminate"}}, nil)
	if operations.Fatal(problems) {
		t.Fatal(problems)
	}
	if err := s.confirm(req, "停止", subject{id: aJob}, free); !errors.Is(err, errInterrupted) || !strings.Contains(errs.String(), "未发送任何请求") {
		t.Errorf("%v: %s", err, errs.String())
	}
}

// TestNoticeOfManyLines: each line of a notice stands on its own.
func TestNoticeOfManyLines(t *testing.T) {
	var errs strings.Builder
	(&console{stderr: &errs}).notice("1. a\n2. b\x1b")
	if got := errs.String(); got != "1. a\n2. b\\x1b\n" {
		t.Errorf("%q", got)
	}
}

// TestFilters: a list's flags become filters of the search.
func TestFilters(t *testing.T) {
	s := willing()
	if got := manage(t, s, nil, "job", "list", "--phase=Failed,Abnormal", "--name", "bert", "--limit=5"); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	want := `[map[key:phase operator:in value:[Failed Abnormal]] map[key:name operator:like value:[bert]]]`
	if got := fmt.Sprint(s.calls[0].Body["filters"]); got != want {
		t.Errorf("filters %s", got)
	}
}

// TestJobsByName: a write takes a job's whole name only, a read any part of it
// that means one job.
func TestJobsByName(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
		id   string
	}{
		{[]string{"job", "stop", "bert-sst2", "--yes"}, exitOK, aJob},
		{[]string{"job", "stop", "large", "--yes"}, exitUsage, ""},
		{[]string{"job", "events", "large"}, exitOK, "b6f1c2de-7a34-4c1e-9d52-0f8e3a9c7d41"},
		{[]string{"job", "events", "nothing"}, exitUsage, ""},
	} {
		s := willing()
		s.answers["ListTrainingJobs"] = jobList
		got := manage(t, s, nil, tt.args...)
		last := s.calls[len(s.calls)-1]
		if got.code != tt.code || tt.id != "" && last.Text("training_job_id") != tt.id {
			t.Errorf("%v: exit code %d, %s %v\n%s", tt.args, got.code, last.Operation.Name, last.Values, got.stderr)
		}
		if tt.id == "" && last.Operation.Writes() {
			t.Errorf("%v: %s was sent", tt.args, last.Operation.Name)
		}
	}
}

// TestPriceBeforeMoney: what costs is priced before it is confirmed; a price that
// nobody knows is not agreed to by --yes.
func TestPriceBeforeMoney(t *testing.T) {
	create := append([]string{"api", "CreateTrainingJob"}, exampleFlags("CreateTrainingJob")...)
	s := willing()
	got := manage(t, s, []string{"yes"}, append(create, "--hours=10")...)
	if got.code != exitOK || !strings.Contains(got.stderr, "213.00 CNY") || strings.Index(got.stderr, "213.00 CNY") > strings.Index(got.stderr, "确认执行") {
		t.Errorf("the price is not shown before the question: %+v", got)
	}
	for i, c := range s.calls {
		if region := strings.Join(s.args[i], " "); c.Operation.Service == "BSS" && !strings.Contains(region, "--cli-region=cn-north-1") {
			t.Errorf("BSS is asked with %s", region)
		}
	}
	s = willing()
	s.answers["ListOnDemandResourceRatings"] = "[USE_ERROR]Unsupported service: BSS."
	got = manage(t, s, nil, append(create, "--yes")...)
	if got.code != exitFailed || times(s.names(), "CreateTrainingJob") > 0 || !strings.Contains(got.stderr, "无法获取价格") || !strings.Contains(got.stderr, "--no-price") {
		t.Errorf("an unknown price with --yes: %+v", got)
	}
	s = willing()
	s.answers["ListOnDemandResourceRatings"] = "[USE_ERROR]Unsupported service: BSS."
	if got = manage(t, s, []string{"yes"}, create...); got.code != exitOK || times(s.names(), "CreateTrainingJob") != 1 {
		t.Errorf("an unknown price that a person accepts: %+v", got)
	}
	s = willing()
	got = manage(t, s, []string{"yes"}, "job", "create", "--metadata.name=a", "--algorithm.id=x", "--spec.resource.pool_id=p")
	if got.code != exitOK || !strings.Contains(got.stderr, "专属资源池已按节点计费") || times(s.names(), "ListOnDemandResourceRatings") > 0 {
		t.Errorf("a dedicated pool: %+v", got)
	}
	s = willing()
	got = manage(t, s, []string{"yes"}, "experiment", "create", "sst2", "--flavor=modelarts.kat1.xlarge", "--hours=2")
	if got.code != exitOK || !strings.Contains(got.stderr, "42.60 CNY") {
		t.Errorf("an experiment with a flavor: %+v", got)
	}
	s = willing()
	s.answers["ShowTrainingJobDetails"] = `{"metadata": {"name": "b"}, "status": {"phase": "Failed"}, "spec": {"resource": {"flavor_id": "modelarts.kat1.xlarge", "node_count": 3}}}`
	got = manage(t, s, []string{"yes"}, "job", "restart", aJob)
	if got.code != exitOK || !strings.Contains(got.stderr, "63.90 CNY") {
		t.Errorf("a restart is not priced: %+v", got)
	}
}

func exampleFlags(name string) []string {
	op := operations.Default().Find(name)
	var list []string
	for _, n := range op.ExampleNames() {
		list = append(list, "--"+n+"="+op.Example[n])
	}
	return list
}

// TestUnknownOutcome: a write whose answer was not seen is not repeated and said
// to be unknown, in the journal, too.
func TestUnknownOutcome(t *testing.T) {
	s := willing()
	s.fail = map[string]error{"DeleteTrainingJob": hcloud.ErrTimedOut}
	got := manage(t, s, []string{"bert-sst2"}, "job", "delete", aJob)
	if got.code != exitFailed || times(s.names(), "DeleteTrainingJob") != 1 || !strings.Contains(got.stderr, "未知") {
		t.Errorf("%+v, %v", got, s.names())
	}
	data, err := os.ReadFile(filepath.Join(journalHome(t), "hcloud-modelarts", "cases", journalFile))
	if err != nil || !strings.Contains(string(data), `"state":"unknown"`) {
		t.Errorf("the journal: %s, %v", data, err)
	}
}

// TestUnreadTraps: a check that could not be made is told, and one that shows
// that nothing works ends the command.
func TestUnreadTraps(t *testing.T) {
	s := willing()
	s.answers["ShowTrainingJobDetails"] = `{"error_code": "ModelArts.0010", "error_msg": "Internal error."}`
	got := manage(t, s, nil, "job", "stop", aJob, "--yes")
	if got.code != exitOK || !strings.Contains(got.stderr, "相关检查未进行") {
		t.Errorf("a failed check: %+v", got)
	}
	s = willing()
	s.fail = map[string]error{"ShowTrainingJobDetails": errors.Join(os.ErrNotExist)}
	if got := manage(t, s, nil, "job", "stop", aJob, "--yes"); got.code != exitFailed || times(s.names(), "StopTrainingJob") > 0 {
		t.Errorf("no hcloud: %+v", got)
	}
}

// TestJournalHides: the journal holds what was done, and no secret.
func TestJournalHides(t *testing.T) {
	s := willing()
	got := manage(t, s, nil, "job", "create", "--metadata.name=a", "--algorithm.command=python t.py", "--algorithm.engine.image_url=o/i:1",
		"--algorithm.environments.DB_PASSWORD=hunter2", "--algorithm.environments.STAGE=blue", "--algorithm.parameters.1.name=lr", "--algorithm.parameters.1.value=0.1", "--spec.resource.pool_id=p", "--yes")
	if got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	if file := regexp.MustCompile(`--cli-jsonInput=(\S+)`).FindStringSubmatch(strings.Join(s.args[len(s.args)-1], " ")); file == nil {
		t.Errorf("the secret stands in the command line: %q", s.args[len(s.args)-1])
	} else if _, err := os.Stat(file[1]); err == nil {
		t.Errorf("the file with the secret is left: %s", file[1])
	}
	data, err := os.ReadFile(filepath.Join(journalHome(t), "hcloud-modelarts", "cases", journalFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"hunter2", "blue", "0.1"} {
		if strings.Contains(string(data), secret) {
			t.Errorf("the journal holds %q: %s", secret, data)
		}
	}
	if info, err := os.Stat(filepath.Join(journalHome(t), "hcloud-modelarts", "cases", journalFile)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the journal's mode: %v, %v", info.Mode(), err)
	}
}

// TestSecretsStayInside: a secret in any form that a command, a description or
// the environment may hold stands in no command line, question or journal, and
// is sent all the same.
func TestSecretsStayInside(t *testing.T) {
	for _, tt := range []struct{ flag, value, secret string }{
		{"algorithm.command", "AWS_SECRET_ACCESS_KEY=q8Vx2LmNpQ python t.py", "q8Vx2LmNpQ"},
		{"algorithm.command", "python t.py --hf-token hf_abcdefghijklmnopqrstuvwxyzABCDEFGH", "ijklmnopqrst"},
		{"algorithm.command", "python t.py --token abcd1234efgh", "abcd1234efgh"},
		{"algorithm.command", "python t.py --password=Swordfish7", "Swordfish7"},
		{"algorithm.command", "WANDB_KEY=abcd1234 python t.py", "abcd1234"},
		{"algorithm.command", "python t.py --db postgres://u:p4ssw0rd@h/db", "p4ssw0rd"},
		{"metadata.description", "the password Swordfish7 opens it", "Swordfish7"},
		{"algorithm.environments.WANDB_KEY", "abcd1234", "abcd1234"},
		{"algorithm.environments.STORE", "postgres://u:p4ssw0rd@h/db", "p4ssw0rd"},
		{"algorithm.environments.COLOUR", "turquoise", "turquoise"},
	} {
		t.Run(tt.flag+" "+tt.value, func(t *testing.T) {
			args := []string{"job", "create", "--metadata.name=a", "--algorithm.engine.image_url=o/i:1", "--spec.resource.pool_id=p", "--" + tt.flag + "=" + tt.value}
			if tt.flag != "algorithm.command" {
				args = append(args, "--algorithm.command=python t.py")
			}
			s := willing()
			got := manage(t, s, []string{"yes"}, args...)
			dry := manage(t, willing(), nil, append(args, "--dry-run")...)
			if got.code != exitOK || dry.code != exitOK {
				t.Fatalf("%+v %+v", got, dry)
			}
			data, err := os.ReadFile(filepath.Join(journalHome(t), "hcloud-modelarts", "cases", journalFile))
			if err != nil {
				t.Fatal(err)
			}
			for place, text := range map[string]string{
				"command line": fmt.Sprint(s.args), "journal": string(data), "question": got.stderr, "dry run": dry.stdout + dry.stderr,
			} {
				if strings.Contains(text, tt.secret) {
					t.Errorf("the %s holds %q: %s", place, tt.secret, text)
				}
			}
			if sent, err := s.calls[len(s.calls)-1].JSON(); err != nil || !strings.Contains(string(sent), tt.secret) {
				t.Errorf("what is sent: %s, %v", sent, err)
			}
		})
	}
}

// TestJournalNamesWhatWasMade: the journal's last line of a new job has its id.
func TestJournalNamesWhatWasMade(t *testing.T) {
	got := manage(t, willing(), nil, append(append([]string{"job", "create"}, exampleFlags("CreateTrainingJob")...), "--yes", "--no-price")...)
	data, err := os.ReadFile(filepath.Join(journalHome(t), "hcloud-modelarts", "cases", journalFile))
	if got.code != exitOK || err != nil || !strings.Contains(string(data), `"created":"b6f1c2de-7a34-4c1e-9d52-0f8e3a9c7d41"`) {
		t.Errorf("%+v: %s, %v", got, data, err)
	}
}

// TestOperationHelp: every operation and every verb has a help in both
// languages whose example passes its checks.
func TestOperationHelp(t *testing.T) {
	cat := operations.Default()
	for _, lang := range []string{"zh", "en"} {
		for _, op := range cat.Training() {
			help := (&console{lang: lang}).operationHelp(cat, op)
			if !strings.Contains(help, op.Says.In(lang)) || !strings.Contains(help, apiExample(op)) {
				t.Errorf("help of %s: %s", op.Name, help)
			}
			for _, p := range op.Parameters {
				if form := "--" + strings.ReplaceAll(p.Name, "[]", ".N"); !op.IsGroup(&p) && p.Name != "project_id" && p.Name != "X-Auth-Token" && !strings.Contains(help, form) {
					t.Errorf("help of %s lacks %s", op.Name, form)
				}
			}
			for _, n := range op.Notes {
				if !strings.Contains(help, n.In(lang)) {
					t.Errorf("help of %s lacks the note %q", op.Name, n.In(lang))
				}
			}
			if lang == "en" && hasHan(help) {
				t.Errorf("the English help of %s holds Chinese: %s", op.Name, help)
			}
		}
		for _, n := range cat.Nouns {
			for _, v := range cat.Verbs(n.Name) {
				if help := (&console{lang: lang}).verbHelp(cat, v); !strings.Contains(help, v.SaysText().In(lang)) || !strings.Contains(help, verbExample(v)) {
					t.Errorf("help of %s %s: %s", n.Name, v.Verb, help)
				}
			}
		}
	}
}

// TestExamplesRun: each verb's example, as its help shows it, is a command that
// runs.
func TestExamplesRun(t *testing.T) {
	for _, n := range operations.Default().Nouns {
		for _, v := range operations.Default().Verbs(n.Name) {
			words := strings.Fields(verbExample(v))
			for i := range words {
				words[i] = strings.Trim(words[i], "'")
			}
			if regexp.MustCompile(`'[^']* [^']*'`).MatchString(verbExample(v)) {
				continue // a value with blanks: the operation's own example covers it
			}
			s := willing()
			s.answers["ShowTrainingJobDetails"] = running
			if got := manage(t, s, nil, append(words[1:], yesFor(v)...)...); got.code != exitOK {
				t.Errorf("%s: %+v", verbExample(v), got)
			}
		}
	}
}

func yesFor(v operations.Verb) []string {
	if v.Operation.Writes() {
		return []string{"--yes", "--no-price"}
	}
	return nil
}

// TestHints: an error code of the service is told with what to do about it, in
// both languages.
func TestHints(t *testing.T) {
	for _, code := range operations.Default().Hints() {
		hint, _ := operations.Default().Hint(code)
		for lang, want := range map[string]string{"zh": hint.ZH, "en": hint.EN} {
			e := &callError{a: hcloud.Classify(hcloud.Output{Stdout: []byte(`{"error_code": "` + code + `", "error_msg": "refused"}`)}, nil), program: "hcloud"}
			if got := (&console{lang: lang}).describeCall(e); want == "" || !strings.Contains(got, want) {
				t.Errorf("%s in %s: %s", code, lang, got)
			}
		}
	}
}

// TestEmptyObjectIsShown: every verb that reads prints an empty object in a pipe
// as it came.
func TestEmptyObjectIsShown(t *testing.T) {
	for _, n := range operations.Default().Nouns {
		for _, v := range operations.Default().Verbs(n.Name) {
			if v.Operation.Writes() {
				continue
			}
			args := []string{n.Name, v.Verb}
			for _, a := range v.Arguments[:len(v.Arguments)-v.Optional] {
				args = append(args, "--"+a+"="+v.Operation.Example[a])
			}
			for _, name := range v.Operation.ExampleNames() {
				if p := parameter(v.Operation, name); p != nil && p.Required && !strings.Contains(strings.Join(args, " "), "--"+name+"=") && v.Set[name] == "" && v.Default[name] == "" {
					args = append(args, "--"+name+"="+v.Operation.Example[name])
				}
			}
			want, code := "{}\n", exitOK
			if v.Operation.Member != "" { // never empty: nothing was answered
				want, code = "", exitFailed
			}
			if got := manage(t, &service{}, nil, args...); got.code != code || got.stdout != want {
				t.Errorf("%v: %+v", args, got)
			}
		}
	}
}

// TestOperationsAreData: the code that manages names no operation; what is
// special about one stands in the catalogue.
func TestOperationsAreData(t *testing.T) {
	for _, file := range []string{"api.go", "manage.go", "ophelp.go", "price.go", "show.go", "write.go", "operations/pages.go", "operations/preflight.go", "operations/price.go", "operations/request.go", "operations/traps.go"} {
		code, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, op := range operations.Default().Operations {
			if strings.Contains(string(code), op.Name) {
				t.Errorf("%s names %s", file, op.Name)
			}
		}
	}
}

// TestAllKeepsTheLimit: the size of a page counts wherever it is given.
func TestAllKeepsTheLimit(t *testing.T) {
	s := willing()
	s.answers["ListTrainingJobs"] = `{"items": []}`
	got := manageWith(t, s, nil, `{"limit": 7, "sort_by": "name"}`, "job", "list", "--all", "--json=-")
	if got.code != exitOK || fmt.Sprint(s.calls[0].Body) != "map[limit:7 sort_by:name]" {
		t.Errorf("%+v: %v", got, s.calls[0].Body)
	}
}

// TestProjectBesideFile: a request that goes to hcloud in a file names its
// project, because hcloud does not fill it in there.
func TestProjectBesideFile(t *testing.T) {
	const body = `{"kind": "job", "metadata": {"name": "a"}, "algorithm": {"command": "python t.py", "engine": {"image_url": "o/i:1"}, "environments": {"A_TOKEN": "abc12345"}}, "spec": {"resource": {"pool_id": "p", "node_count": 1}}}`
	for _, tt := range []struct {
		name, body string
		args       []string
		want       string
	}{
		{"flag", body, []string{"--project-id=p-flag", "--profile=prod"}, "p-flag"},
		{"flag over the file", `{"path": {"project_id": "p-file"}, "body": ` + body + `}`, []string{"--project-id=p-flag"}, "p-flag"},
		{"file", `{"path": {"project_id": "p-file"}, "body": ` + body + `}`, []string{"--profile=prod"}, "p-file"},
		{"profile", body, []string{"--profile=prod"}, "p-prod"},
		{"IAM, for the profile's region", body, nil, "p2"},
		{"IAM, for another region", body, []string{"--region=cn-east-3"}, "p1"},
		{"nobody knows", body, []string{"--region=eu-west-0"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := willing()
			got := manageWith(t, s, nil, tt.body, append([]string{"job", "create", "--json=-", "--yes"}, tt.args...)...)
			last := s.calls[len(s.calls)-1]
			if got.code != exitOK || last.Operation.Name != "CreateTrainingJob" || last.Text("project_id") != tt.want {
				t.Errorf("project %q, want %q: %+v", last.Text("project_id"), tt.want, got)
			}
		})
	}
}
