package hcloud

import (
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// answers are outputs as KooCLI and the service print them, in both languages,
// with exit code 0 unless another is given.
var answers = []struct {
	name, stdout, stderr string
	exit                 int
	class                Class
	code, message        string // message: a part of it
	status               int
}{
	{"answer", "{\n  \"total\": 1\n}\n", "", 0, OK, "", "", 0},
	{"list", `[{"task": "worker-0"}]`, "", 0, OK, "", "", 0},
	{"value of a query", `"ACTIVE"`, "", 0, OK, "", "", 0},
	{"byte order mark", "\ufeff{\"total\": 1}", "", 0, OK, "", "", 0},
	{"null code", `{"error_code": null, "error_msg": null, "jobs": []}`, "", 0, OK, "", "", 0},
	{"job with an error inside", `{"metadata": {"id": "x"}, "status": {"error_code": "ModelArts.9", "message": "no"}}`, "", 0, OK, "", "", 0},
	{"long object with code and message", `{"code": "A1", "message": "m", "a": 1, "b": 2, "c": 3, "d": 4}`, "", 0, OK, "", "", 0},
	{"success by code", `{"code": "200", "message": "fine"}`, "", 0, OK, "", "", 0},
	{"notice before", "ListVpcs is a multi-version API, where the version (v3) is default. To specify another version, change the API name to 'ListVpcs/versionNumber'.\n{\"vpcs\": []}\n", "", 0, OK, "", "", 0},
	{"notice glued", `ListSecurityGroups有多个版本,默认使用该API版本v3.若需指定其他版本,请将API名修改为"ListSecurityGroups/版本号"{"security_groups": []}`, "", 0, OK, "", "", 0},
	{"query that failed", "The JMESPath query on JSON results failed. Original results will be output as is. Cause: No data to print.\n{\n  \"instances\": [],\n  \"total_count\": 0\n}\n", "", 0, OK, "", "", 0},
	{"notice glued to lines", "ListTrainingJobs有多个版本,默认使用该API版本v2.若需指定其他版本,请将API名修改为\"ListTrainingJobs/版本号\"{\n  \"items\": [\n    {\n      \"error_code\": \"inside\"\n    }\n  ]\n}\n", "", 0, OK, "", "", 0},
	{"notice with a value", "parameters {\"a\": 1} are ignored\n{\"error_code\": \"ModelArts.2788\", \"error_msg\": \"no\"}\n", "", 0, APIError, "ModelArts.2788", "no", 0},
	{"text after", "{\"a\": 1}\n\nsome table\n", "", 0, OK, "", "", 0},
	{"debug before", "[debug info] 2022/06/21 19:59:25 Read and connection timeouts are 40s and 30s respectively.\n[debug info] 2022/06/21 19:59:25 API response status code is 200.\n{\"a\": 1}\n", "", 0, OK, "", "", 200},

	{"nothing", "", "", 0, Empty, "", "", 0},
	{"empty object", "{}\n", "", 0, Empty, "", "", 0},
	{"empty list", "[]\n", "", 0, Empty, "", "", 0},
	{"null", "null\n", "", 0, Empty, "", "", 0},
	{"debug lines of an empty answer", "[debug info] 2022/06/21 19:59:25 API response status code is 204.\n", "", 0, Empty, "", "", 204},
	{"log not there yet", `{"error_code": "ModelArts.2776", "error_msg": "not ready for fetch log, wait for training to return data"}`, "", 0, Empty, "ModelArts.2776", "not ready", 0},

	{"refused by the service", `{"error_code": "ModelArts.6702", "error_msg": "The extended storage OBSFS:MANAGED is not supported"}`, "", 0, APIError, "ModelArts.6702", "OBSFS", 0},
	{"old shape", `{"is_success": false, "error_code": "ModelArts.0104", "error_message": "Parameter error."}`, "", 0, APIError, "ModelArts.0104", "Parameter", 0},
	{"nested shape", `{"error": {"code": "EPS.0003", "message": "policy doesn't allow ecs:cloudServers:list"}}`, "", 0, Forbidden, "EPS.0003", "policy", 403},
	{"camel shape", `{"errorCode": "X.1", "errorMsg": "bad"}`, "", 0, APIError, "X.1", "bad", 0},
	{"external shape", `{"errCode": "X.2", "externalMessage": "worse"}`, "", 0, APIError, "X.2", "worse", 0},
	{"short shape", `{"code": "DMS.00400002", "message": "Invalid project ID", "request_id": "1"}`, "", 0, APIError, "DMS.00400002", "Invalid", 0},
	{"Kubernetes shape", `{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 403, "message": "no", "reason": "Forbidden"}`, "", 0, Forbidden, "403", "no", 403},
	{"plain text", "ModelArts.2788: Invalid parameter(action_type must be one of [terminate restart]).", "", 0, APIError, "ModelArts.2788", "action_type", 0},
	{"status told by debug", "[debug info] 2022/06/21 19:59:25 API response status code is 409.\n{\"reason\": \"busy\"}\n", "", 0, APIError, "", "busy", 409},

	{"401 gateway", `{"error_msg": "Incorrect IAM authentication information: Unauthorized", "error_code": "APIGW.0301", "request_id": "9f"}`, "", 0, Unauthorized, "APIGW.0301", "Incorrect IAM", 401},
	{"401 old gateway", `{"error_code": "APIG.0301", "error_msg": "verify aksk signature fail"}`, "", 0, Unauthorized, "APIG.0301", "verify", 401},
	{"401 service", `{"error_code": "ModelArts.0202", "error_msg": "Invalid token header because the token has expired."}`, "", 0, Unauthorized, "ModelArts.0202", "expired", 401},
	{"401 of two meanings", `{"error_code": "ModelArts.0112", "error_msg": "Failed to execute the policy."}`, "", 0, Unauthorized, "ModelArts.0112", "", 401},
	{"403 of two meanings", `{"error_code": "ModelArts.0112", "error_msg": "Policy doesn't allow modelarts:trainJob:get to be performed."}`, "", 0, Forbidden, "ModelArts.0112", "trainJob:get", 403},
	{"403 service", `{"error_code": "ModelArts.0108", "error_msg": "You are not authorized to perform the (trainJob:list) operation."}`, "", 0, Forbidden, "ModelArts.0108", "", 403},
	{"403 no agency", `{"error_code": "ModelArts.2785", "error_msg": "AuthorizationNotFound"}`, "", 0, Forbidden, "ModelArts.2785", "", 403},
	{"403 code with status", `{"error_code": "CCI.01.403122", "error_msg": "user is unauthorised"}`, "", 0, Forbidden, "CCI.01.403122", "", 403},
	{"403 encoded", `{"error_code": "XXX.0001", "error_msg": "Some errors occurred.", "encoded_authorization_message": "Egpjbi1ub"}`, "", 0, Forbidden, "XXX.0001", "", 403},
	{"404 gateway", `{"error_code": "APIGW.0101", "error_msg": "The API does not exist or has not been published in the environment"}`, "", 0, NotFound, "APIGW.0101", "", 404},
	{"404 job", `{"error_code": "ModelArts.2775", "error_msg": "Training job (ID: x) not found."}`, "", 0, NotFound, "ModelArts.2775", "", 404},
	{"429 gateway", `{"error_code": "APIGW.0308", "error_msg": "The throttling threshold has been reached"}`, "", 0, Throttled, "APIGW.0308", "", 429},
	{"429 service", `{"error_code": "ModelArts.2799", "error_msg": "services too many requests"}`, "", 0, Throttled, "ModelArts.2799", "", 429},
	{"500 service", `{"error_code": "ModelArts.2953", "error_msg": "IAM service error."}`, "", 0, ServerError, "ModelArts.2953", "", 500},
	{"500 internal", `{"error_code": "ModelArts.0010", "error_msg": "Internal error."}`, "", 0, ServerError, "ModelArts.0010", "", 500},
	{"error on standard error", "", `{"error_code": "ModelArts.2775", "error_msg": "Training job not found."}`, 0, NotFound, "ModelArts.2775", "", 404},
	{"answer on standard error", "", `{"items": []}`, 0, NotJSON, "", "", 0},
	{"403 page of a proxy", "<html><body><h1>403 Forbidden</h1></body></html>", "", 0, NotJSON, "", "403 Forbidden", 0},
	{"429 page", "<html><head><title>429 Too Many Requests</title></head></html>", "", 0, Throttled, "", "", 429},
	{"502 page", "<html>\n<head><title>502 Bad Gateway</title></head>\n</html>", "", 0, ServerError, "", "502 Bad Gateway", 502},

	{"invalid parameter", "[USE_ERROR]Invalid parameter: job_type\n\nRun `hcloud DRS ListAvailableNodeTypes --help` for details about this API.\n\n", "", 0, UseError, "USE_ERROR", "Invalid parameter: job_type", 0},
	{"不正确的参数", "[USE_ERROR]不正确的参数:ak\n\n运行`hcloud ECS ListServersDetails --help`获取有关此API的详细信息\n\n", "", 0, UseError, "USE_ERROR", "不正确的参数:ak", 0},
	{"missing parameter", "[USE_ERROR]The following parameters are required: job_direction\n", "", 0, UseError, "USE_ERROR", "job_direction", 0},
	{"region", "[USE_ERROR]The value of cli-region is not supported. Supported regions: \ncn-north-1\ncn-east-3\ncn-east-2\nla-south-2\nsa-brazil-1\n", "", 0, UseError, "USE_ERROR", "cn-east-2 …", 0},
	{"区域", "[USE_ERROR]cli-region的值不支持,当前支持的区域值如下:cn-north-4\n", "", 0, UseError, "USE_ERROR", "cli-region", 0},
	{"end of input", "[USE_ERROR]EOF", "", 0, UseError, "USE_ERROR", "EOF", 0},
	{"tag on standard error", "", "[USE_ERROR]Invalid parameter: x\n", 1, UseError, "USE_ERROR", "Invalid parameter: x", 0},
	{"network", "[NETWORK_ERROR] Connection timed out 4 consecutive times (reconnection attempts: 3). Check network connectivity.\n", "", 0, NetworkError, "NETWORK_ERROR", "4 consecutive", 0},
	{"网络", "[NETWORK_ERROR]连接超时4次(重试3次)请检查网络连通性\n", "", 0, NetworkError, "NETWORK_ERROR", "连接超时", 0},
	{"network on standard error", "", "[NETWORK_ERROR]Connection timed out\n", 1, NetworkError, "NETWORK_ERROR", "timed out", 0},
	{"API details", "[OPENAPI_ERROR] Failed to obtain API details\n", "", 0, OpenAPIError, "OPENAPI_ERROR", "API details", 0},
	{"metadata", "[APIE_ERROR]Failed to query the API list\n", "", 0, APIEError, "APIE_ERROR", "API list", 0},
	{"内部错误", "[CLI_ERROR]table输出错误:缺少cli-output-cols参数\n", "", 0, CLIError, "CLI_ERROR", "cli-output-cols", 0},
	{"no project, bad key", "Failed to obtain project ID... Unauthorized\n", "", 0, Unauthorized, "", "Unauthorized", 0},
	{"无项目, 网络", "获取项目ID失败 dial tcp 10.0.0.1:443: connectex: refused\n[USE_ERROR]缺少必填参数:project_id\n", "", 0, NetworkError, "USE_ERROR", "获取项目ID失败", 0},
	{"无项目", "[USE_ERROR]缺少必填参数:project_id\n", "", 0, UseError, "USE_ERROR", "project_id", 0},
	{"读超时", "[USE_ERROR]调用API超时,请先检查配置项或命令中的readTimeout的值\n", "", 0, TimedOut, "USE_ERROR", "readTimeout", 0},
	{"no configuration", "[USE_ERROR]No configuration file exists. Run 'hcloud configure init' to create one.\n", "", 0, NotConfigured, "USE_ERROR", "No configuration", 0},
	{"无配置", "[USE_ERROR]配置文件中不存在配置项,请您执行hcloud configure set添加配置项\n", "", 0, NotConfigured, "USE_ERROR", "配置项", 0},
	{"no profile", "[USE_ERROR]Profile missing_profile does not exist.\n", "", 0, NoProfile, "USE_ERROR", "missing_profile", 0},
	{"隐私声明", "是否同意隐私声明 同意并继续使用(y)/不同意并退出(N): [USE_ERROR]您输入的是无效字符\n", "", 0, NoConsent, "", "", 0},
	{"隐私声明, 另一行", "[USE_ERROR]您输入的是无效字符\n", "", 0, NoConsent, "USE_ERROR", "", 0},
	{"unsupported service", "[USE_ERROR]Unsupported service: DMS.\n", "", 0, Unsupported, "USE_ERROR", "DMS", 0},
	{"不支持的operation", "[USE_ERROR]不支持的operation:UpdateTrainingJob\n", "", 0, Unsupported, "USE_ERROR", "UpdateTrainingJob", 0},
	{"不支持的服务", "[USE_ERROR]不支持的服务名称:DMS\n", "", 0, Unsupported, "USE_ERROR", "DMS", 0},

	{"another vendor's command", "", "hcloud: unknown command \"ModelArts\" for \"hcloud\"\n", 1, OtherProgram, "", "unknown command", 0},
	{"another vendor without a token", "", "hcloud: no active context or token (see `hcloud context --help`)\n", 1, OtherProgram, "", "", 0},
	{"text", "some text\n", "", 0, NotJSON, "", "some text", 0},
	{"crash", "Segmentation fault\n", "", 139, CLIError, "", "Segmentation", 0},
	{"panic", "", "panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nmain.main()\n", 2, CLIError, "", "panic: runtime error: index out of range", 0},
	{"tag behind a prompt", "Continue? (y/N)(c):[USE_ERROR]EOF", "", 0, UseError, "USE_ERROR", "EOF", 0},
	{"标签在提示之后", "请输入(c)：[NETWORK_ERROR]连接超时", "", 0, NetworkError, "NETWORK_ERROR", "连接超时", 0},
	{"tag within a damaged answer", `{"content": "hcloud said (c):[USE_ERROR]EOF`, "", 0, NotJSON, "", "", 0},
	{"broken JSON", "{\"a\": ", "", 0, NotJSON, "", "", 0},
	{"broken list of whole objects", "[\n  {\n    \"task\": \"worker-0\"\n  },\n  {\n    \"ta", "", 0, NotJSON, "", "", 0},
	{"broken object of whole objects", "{\n  \"events\": [\n    {\n      \"level\": \"Info\"\n    },\n    {\n      \"le", "", 0, NotJSON, "", "", 0},
	{"broken answer behind a notice", "API有多个版本{\n  \"events\": [\n    {\n      \"level\": \"Info\"\n    },\n    {\n      \"le", "", 0, NotJSON, "", "", 0},
	{"answer with a foreign line in it", "{\n  \"events\": [\n[debug info] tick\n    {\n      \"level\": \"Info\"\n    }\n  ]\n}", "", 0, NotJSON, "", "", 0},
	{"exit code alone", "", "", 3, CLIError, "", "", 0},
	{"answer with an exit code", `{"a": 1}`, "broken pipe", 1, CLIError, "", "broken pipe", 0},
}

func TestClassify(t *testing.T) {
	for _, tt := range answers {
		t.Run(tt.name, func(t *testing.T) {
			a := Classify(Output{Stdout: []byte(tt.stdout), Stderr: []byte(tt.stderr), Exit: tt.exit}, nil)
			if a.Class != tt.class || a.Status != tt.status || tt.code != "" && a.Code != tt.code {
				t.Errorf("class %q, code %q, status %d; want %q, %q, %d", a.Class, a.Code, a.Status, tt.class, tt.code, tt.status)
			}
			if !strings.Contains(a.Message, tt.message) || strings.Contains(a.Message, "Run `") || strings.Contains(a.Message, "\n") {
				t.Errorf("message %q, want %q in it, on one line, without hints", a.Message, tt.message)
			}
			if (a.Class == OK) != (len(a.Body) > 0 && a.Good() && a.Class != Empty) {
				t.Errorf("body %q of class %q", a.Body, a.Class)
			}
		})
	}
}

func TestClassifyErrors(t *testing.T) {
	_, notFound := exec.LookPath("no-such-program-here")
	for class, err := range map[Class]error{
		TimedOut: ErrTimedOut, Interrupted: context.Canceled, Missing: notFound, CLIError: errors.New("fork: no memory"),
	} {
		if a := Classify(Output{}, err); a.Class != class || a.Err == nil || a.Message == "" {
			t.Errorf("%v is %q: %q", err, a.Class, a.Message)
		}
	}
	if a := Classify(Output{Stdout: []byte(strings.Repeat("错误", 1<<20))}, nil); a.Class != NotJSON || len(a.Message) > 310 || !utf8.ValidString(a.Message) {
		t.Errorf("a long text is %q with %d bytes of message", a.Class, len(a.Message))
	}
	for class, out := range map[bool]Output{true: {Stderr: []byte("panic: x"), Exit: 2}, false: {Stdout: []byte("Sure? (c):[USE_ERROR]EOF")}} {
		if a := Classify(out, nil); a.mayHaveHappened() != class {
			t.Errorf("a write with %q may have happened: %v", a.Message, !class)
		}
	}
	// A search that began anew at each line would not come to an end.
	if a := Classify(Output{Stdout: []byte(strings.Repeat(`{"a":[1,`+"\n", 1<<17))}, nil); a.Class != NotJSON {
		t.Errorf("a torn answer is %q", a.Class)
	}
	// Nor one that looked back to the beginning of the line at each value.
	done := make(chan Answer)
	go func() { done <- Classify(Output{Stdout: []byte("x " + strings.Repeat("{}", 1<<20))}, nil) }()
	select {
	case a := <-done:
		if string(a.Body) != "{}" {
			t.Errorf("the last of many values is %q", a.Body)
		}
	case <-time.After(60 * time.Second): // three seconds, where nothing else runs
		t.Fatal("a line of many values is looked at without end")
	}
	if a := Classify(Output{Stdout: []byte(`{"a": 1}`), Cut: true}, nil); a.Class != TooLarge {
		t.Errorf("a cut answer is %q", a.Class)
	}
}

// TestLongWordsAreReadAtTheEnds: of what a program says of a call, however long,
// the beginning and the end are looked at, in whole lines.
func TestLongWordsAreReadAtTheEnds(t *testing.T) {
	long := strings.Repeat("[debug info] x\n", 1<<16)
	const refused = "[USE_ERROR]不支持的operation\n"
	for _, tt := range []struct {
		out  Output
		want Class
	}{
		{Output{Stdout: []byte(refused + long)}, Unsupported},
		{Output{Stdout: []byte(long + refused)}, Unsupported},
		{Output{Stdout: []byte(long + refused + long)}, Empty},
		{Output{Stdout: []byte(long)}, Empty},
		{Output{Stdout: []byte(long + `{"id": "x"}`)}, OK},
		{Output{Stdout: []byte(long), Stderr: []byte(refused + long)}, Unsupported},
		{Output{Stdout: []byte(long + "当前KooCLI版本：7.2.12"), Exit: 1}, CLIError},
	} {
		if a := Classify(tt.out, nil); a.Class != tt.want {
			t.Errorf("%.20q… is %q: %q, want %q", tt.out.Stdout, a.Class, a.Message, tt.want)
		}
	}
}

// FuzzClassify: no output panics, only a JSON value or silence is good, and an
// answer is a piece of what was printed: all of it, when that is JSON.
func FuzzClassify(f *testing.F) {
	for _, a := range answers {
		f.Add(a.stdout, a.stderr, a.exit)
	}
	f.Fuzz(func(t *testing.T, stdout, stderr string, exit int) {
		a := Classify(Output{Stdout: []byte(stdout), Stderr: []byte(stderr), Exit: exit}, nil)
		if a.Class == "" {
			t.Error("no class")
		}
		if a.Good() && (exit != 0 || a.Class == OK && len(a.Body) == 0) {
			t.Errorf("good: %+v", a)
		}
		if len(a.Body) > 0 && (!json.Valid(a.Body) || !strings.Contains(stdout, string(a.Body)) && !strings.Contains(stderr, string(a.Body))) {
			t.Errorf("%q and %q give the answer %q", stdout, stderr, a.Body)
		}
		if a.Class == OK && json.Valid([]byte(stdout)) && strings.TrimSpace(stdout) != string(a.Body) {
			t.Errorf("of the answer %q there is %q", stdout, a.Body)
		}
		if a.Status != 0 && (a.Status < 100 || a.Status > 999) {
			t.Errorf("status %d", a.Status)
		}
	})
}

// TestForms: what is no answer of the operation is not taken for one, although
// it is JSON.
func TestForms(t *testing.T) {
	object, list, jobs := Call{Operation: "ShowPool"}, Call{Operation: "ListTrainingJobTasks", List: true}, Call{Operation: "ListTrainingJobs", Member: "items"}
	for _, tt := range []struct {
		out                string
		object, list, jobs Class
	}{
		{"", Empty, Empty, NotAnswer},
		{"{}", Empty, Empty, NotAnswer},
		{"null", Empty, Empty, NotAnswer},
		{"[]", NotAnswer, Empty, NotAnswer},
		{`[{"task": "worker-0"}]`, NotAnswer, OK, NotAnswer},
		{`{"total": 0}`, OK, OK, NotAnswer},
		{`{"items": [], "total": 0}`, OK, OK, OK},
		{`"ACTIVE"`, NotAnswer, NotAnswer, NotAnswer},
		{"42", NotAnswer, NotAnswer, NotAnswer},
		{"true", NotAnswer, NotAnswer, NotAnswer},
		{`{"error_code": "ModelArts.2776", "error_msg": "not ready"}`, Empty, Empty, Empty},
		{`{"error_code": "ModelArts.2788", "error_msg": "no"}`, APIError, APIError, APIError},
	} {
		for _, x := range []struct {
			call Call
			want Class
		}{{object, tt.object}, {list, tt.list}, {jobs, tt.jobs}} {
			r := Runner{Program: &script{outputs: []string{tt.out}}, Now: time.Now}
			if a := r.Do(t.Context(), x.call); a.Class != x.want {
				t.Errorf("%s answers %q: %q, want %q", x.call.Operation, tt.out, a.Class, x.want)
			}
		}
	}
	r := Runner{Program: &script{outputs: []string{"42"}}, Now: time.Now}
	if a := r.Do(t.Context(), Call{Operation: "StopTrainingJob"}); !a.Unknown {
		t.Error("a write that was answered with a number is said to be known")
	}
}
