package standin

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hcloud-modelarts/plugin/hcloud"
)

// Fault is a fault that the stand-in shows: Kind, of every operation or of one,
// always or as often as Times says.
type Fault struct {
	Kind, Operation string
	Times           int // 0 for always
	Shown           int // so far
}

// ParseFault reads "KIND[@OPERATION][:TIMES]".
func ParseFault(text string) (Fault, error) {
	var f Fault
	kind, times, counted := strings.Cut(text, ":")
	f.Kind, f.Operation, _ = strings.Cut(kind, "@")
	if f.Kind == "" && text == "" {
		return f, nil
	}
	if _, ok := faults[f.Kind]; !ok {
		return f, &FaultError{text}
	}
	if counted {
		n, err := strconv.Atoi(times)
		if err != nil || n < 1 {
			return f, &FaultError{text}
		}
		f.Times = n
	}
	return f, nil
}

// FaultError says that a text describes no fault.
type FaultError struct{ Given string }

func (e *FaultError) Error() string {
	return fmt.Sprintf("%q is no fault, there are %s", e.Given, strings.Join(Kinds(), ", "))
}

// Kinds lists the faults.
func Kinds() []string { return slices.Sorted(maps.Keys(faults)) }

// fault is how KooCLI shows a fault.
type fault struct {
	says   both
	exit   int
	stderr bool
	all    bool // every command has it, not only calls of the service
	hangs  bool
}

func same(text string) both { return both{text, text} }

// faults are worded as KooCLI's guide and FAQ, the service's table of error
// codes and published output have them. "{operation}" is the operation. Where
// only one language is published the other shows it, too; the English of an
// unknown operation is that of an unknown service.
var faults = map[string]fault{
	"privacy":       {says: same("同意并继续使用(y)/不同意并退出(N): [USE_ERROR]您输入的是无效字符\n"), all: true},
	"unconfigured":  {says: both{"[USE_ERROR]配置文件中不存在配置项,请您执行hcloud configure set添加配置项\n", "[USE_ERROR]No configuration file exists. Run 'hcloud configure init'\n"}},
	"no-profile":    {says: same("[USE_ERROR]Profile default does not exist.\n")},
	"unauthorized":  {says: same(`{"error_msg": "Incorrect IAM authentication information: Unauthorized", "error_code": "APIGW.0301", "request_id": "b4bc6f1f0a7d4f39"}` + "\n")},
	"no-project":    {says: both{"获取项目ID失败 Unauthorized\n[USE_ERROR]缺少必填参数:project_id\n", "Failed to obtain project ID... Unauthorized\n"}},
	"forbidden":     {says: same(`{"error_code": "ModelArts.0108", "error_msg": "You are not authorized to perform the ({operation}) operation."}` + "\n")},
	"throttled":     {says: same(`{"error_code": "APIGW.0308", "error_msg": "The throttling threshold has been reached"}` + "\n")},
	"internal":      {says: same(`{"error_code": "ModelArts.0010", "error_msg": "Internal error."}` + "\n")},
	"bad-gateway":   {says: same("<html>\n<head><title>502 Bad Gateway</title></head>\n</html>\n")},
	"job-missing":   {says: same(`{"error_code": "ModelArts.2775", "error_msg": "Training job not found."}` + "\n")},
	"api-error":     {says: same(`{"error_code": "ModelArts.2788", "error_msg": "Invalid parameter(training_job_id)."}` + "\n")},
	"network":       {says: both{"[NETWORK_ERROR]连接超时4次(重试3次)请检查网络连通性\n", "[NETWORK_ERROR] Connection timed out 4 consecutive times (reconnection attempts: 3). Check network connectivity.\n"}},
	"network-1":     {says: same("[NETWORK_ERROR]Connection timed out\n"), exit: 1, stderr: true},
	"read-timeout":  {says: same("[USE_ERROR]调用API超时,请先检查配置项或命令中的readTimeout的值\n")},
	"openapi":       {says: same("[OPENAPI_ERROR] Failed to obtain API details\n")},
	"apie":          {says: same("[APIE_ERROR]\n")},
	"cli":           {says: same("[CLI_ERROR]table输出错误:缺少cli-output-cols参数\n")},
	"use":           {says: both{"[USE_ERROR]不正确的参数:training_job_id\n\n运行`hcloud ModelArts {operation} --help`获取有关此API的详细信息\n\n", "[USE_ERROR]Invalid parameter: training_job_id\n\nRun `hcloud ModelArts {operation} --help` for details about this API.\n\n"}},
	"prompt":        {says: same("[USE_ERROR]EOF\n")},
	"unsupported":   {says: both{"[USE_ERROR]不支持的operation:{operation}\n", "[USE_ERROR]Unsupported operation: {operation}.\n"}},
	"no-service":    {says: both{"[USE_ERROR]不支持的服务名称:ModelArts\n", "[USE_ERROR]Unsupported service: ModelArts.\n"}},
	"not-json":      {says: same("Segmentation fault\n")},
	"filtered":      {says: same("\"ACTIVE\"\n")},
	"crash":         {says: same(""), exit: 2},
	"empty":         {says: same("")},
	"hang":          {hangs: true},
	"other-program": {says: same("hcloud: unknown command \"ModelArts\" for \"hcloud\"\n"), exit: 1, stderr: true, all: true},
	"old":           {},
}

// oldVersion is older than this program is meant for.
const oldVersion = "6.2.9"

func (f *Fault) version(v string) string {
	if f.Kind == "old" {
		return oldVersion
	}
	return v
}

// show gives the fault's output when it is the turn of the fault.
func (f *Fault) show(ctx context.Context, lang, service, operation string) (out hcloud.Output, err error, shown bool) {
	x, ok := faults[f.Kind]
	applies := x.all || strings.EqualFold(service, hcloud.Service) && (f.Operation == "" || f.Operation == operation)
	if !ok || f.Kind == "old" || !applies || f.Times > 0 && f.Shown >= f.Times {
		return out, nil, false
	}
	f.Shown++
	if x.hangs {
		<-ctx.Done()
		return out, ctx.Err(), true
	}
	text := strings.ReplaceAll(x.says.in(lang), "{operation}", operation)
	if f.Kind == "other-program" && service == "version" {
		return hcloud.Output{Stdout: []byte("hcloud 1.67.0\n")}, nil, true
	}
	out.Exit = x.exit
	if x.stderr {
		out.Stderr = []byte(text)
	} else {
		out.Stdout = []byte(text)
	}
	return out, nil, true
}
