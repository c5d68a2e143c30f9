package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"hcloud-modelarts/analyzer/report"
)

// outcome is what one run of the program gave.
type outcome struct {
	code           int
	stdout, stderr string
}

// invoke runs the program within the test.
func invoke(t *testing.T, stdin string, env []string, args ...string) outcome {
	t.Helper()
	t.Setenv("COLUMNS", "80")
	var out, errs bytes.Buffer
	code := run(t.Context(), args, env, strings.NewReader(stdin), &out, &errs)
	return outcome{code, out.String(), errs.String()}
}

// failure is a log whose cause every version of the rules must find.
const failure = `2026-06-02 09:41:50 INFO step 1200 loss 1.73
Traceback (most recent call last):
  File "train.py", line 88, in <module>
    loss = model(batch)
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.66 GiB is free.
`

// undetermined is a log that ends without saying why.
const undetermined = `2026-06-02 09:41:50 INFO starting
[ModelArts Service Log]2026-06-02 09:41:57 - Training end with return code: 1
`

func writeTemp(t *testing.T, file, content string) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), file)
	if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestExitCodes runs each way in which the program ends.
func TestExitCodes(t *testing.T) {
	log := writeTemp(t, "train.log", failure)
	vague := writeTemp(t, "vague.log", undetermined)
	empty := writeTemp(t, "empty.log", "")
	binary := writeTemp(t, "core.bin", strings.Repeat("\x00\x01\x02\xff", 1000))
	dir := filepath.Dir(log)
	unreadable := filepath.Dir(writeTemp(t, "b.bin", strings.Repeat("\x00\x01\x02\xff", 1000)))
	for _, name := range []string{"a.log", "c.log", "d.log"} {
		if err := os.WriteFile(filepath.Join(unreadable, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name, stdin string
		args        []string
		code        int
		stdout      string // a part of it; "" means silence
		stderr      string // a part of it; "" means silence
	}{
		{"report", "", []string{"analyze", log}, exitOK, "## 根因", ""},
		{"report in English", "", []string{"analyze", log, "--lang", "en"}, exitOK, "## Root cause", ""},
		{"report as JSON", "", []string{"analyze", "--format=json", log}, exitOK, `"cause": "device-oom"`, ""},
		{"report as text", "", []string{"analyze", "--format", "text", log}, exitOK, "train.log:5", ""},
		{"report as HTML", "", []string{"analyze", "--format", "html", log}, exitOK, "<!DOCTYPE html>", ""},
		{"saved report as HTML", savedReport(t, log), []string{"report", "render", "--format", "html", "-"}, exitOK, "train.log:5", ""},
		{"saved report as Markdown", savedReport(t, log), []string{"report", "render", "-"}, exitOK, "## 根因", ""},
		{"saved report keeps its language", savedReport(t, log), []string{"report", "render", "--lang=en", "-"}, exitOK, "## 根因", ""},
		{"strict HTML of a saved report", "", []string{"report", "render", "--format=html", "--template=strict", "x"}, exitUsage, "", "--template 只用于"},
		{"no saved report", "{}", []string{"report", "render", "-"}, exitFailed, "", "不是 --format json 生成的报告"},
		{"missing saved report", "", []string{"report", "render", "no-such.json"}, exitFailed, "", "不存在"},
		{"strict", "", []string{"analyze", "--template", "strict", log}, exitOK, "## 修复建议", ""},
		{"why", "", []string{"analyze", "--why", log}, exitOK, "## 根因", ""},
		{"folder", "", []string{"analyze", dir}, exitOK, "train.log:5", ""},
		{"standard input", failure, []string{"analyze", "-"}, exitOK, "stdin:5", ""},
		{"standard input among paths", failure, []string{"analyze", vague, "-"}, exitOK, "stdin:5", ""},
		{"bounds", "", []string{"analyze", "--max-bytes=1M", "--max-entries=5", "--max-depth=2", "--max-line=4KiB", log}, exitOK, "train.log:5", ""},
		{"fault with --exit-code", "", []string{"analyze", "--exit-code", log}, exitFault, "## 根因", ""},
		{"no verdict with --exit-code", "", []string{"analyze", "--exit-code", vague}, exitInsufficient, "当前信息不足以确定根因", ""},
		{"no verdict without it", "", []string{"analyze", vague}, exitOK, "当前信息不足以确定根因", ""},

		{"missing path", "", []string{"analyze", "no-such.log"}, exitFailed, "", `"no-such.log" 不存在，请检查路径`},
		{"missing path in English", "", []string{"analyze", "--lang=en", "no-such.log"}, exitFailed, "", `"no-such.log" does not exist: check the path`},
		{"one of several is missing", "", []string{"analyze", log, "no-such.log"}, exitFailed, "", "no-such.log"},
		{"empty file", "", []string{"analyze", empty}, exitFailed, "", "是空的"},
		{"empty standard input", "", []string{"analyze", "-"}, exitFailed, "", "是空的"},
		{"binary file", "", []string{"analyze", binary}, exitFailed, "", "是二进制数据"},
		{"folder without anything", "", []string{"analyze", t.TempDir()}, exitFailed, "", "没有可读的内容"},
		{"folder of unreadable files", "", []string{"analyze", unreadable}, exitFailed, "", `（"a.log"：文件为空；"b.bin"：不是文本，已跳过；"c.log"：文件为空；另有 1 个）`},
		{"invalid JSON", "{]", []string{"analyze", "-"}, exitFailed, "", `"stdin" 不是有效的 JSON`},
		{"JSON cut before anything", `{"a":`, []string{"analyze", "--lang=en", "-"}, exitFailed, "", `"stdin" is not valid JSON, or cut off`},
		{"JSON without content", "null", []string{"analyze", "--exit-code", "-"}, exitFailed, "", `"stdin" 是没有内容的 JSON`},
		{"JSON that is no answer", "", []string{"analyze", writeTemp(t, "settings.json", `{"lr":0.1}`)}, exitOK, "没有可识别的 ModelArts 响应", ""},
		{"nothing but a mark", "\ufeff", []string{"analyze", "-"}, exitFailed, "", "是空的"},
		{"image", "\x89PNG\r\n\x1a\n", []string{"analyze", "-"}, exitFailed, "", "是二进制数据"},
		{"document", "%PDF-1.7\n1 0 obj\n", []string{"analyze", "-"}, exitFailed, "", "是二进制数据"},
		{"wrong template", "", []string{"analyze", "--template=short", log}, exitUsage, "", `--template 只能是 "full","strict"，不能是 "short"`},
		{"path below a file", "", []string{"analyze", filepath.Join(log, "x")}, exitFailed, "", "上级路径不是目录"},

		{"no command", "", nil, exitUsage, "", "缺少命令"},
		{"unknown command", "", []string{"anlyze"}, exitUsage, "", `是否想用 "analyze"`},
		{"unknown flag", "", []string{"analyze", "--fromat=json", "x"}, exitUsage, "", `没有选项 --fromat，是否想用 "--format"`},
		{"no path", "", []string{"analyze"}, exitUsage, "", "缺少参数 <path>"},
		{"no path in English", "", []string{"analyze", "--lang", "en"}, exitUsage, "", `expected "<path> ..."`},
		{"wrong format", "", []string{"analyze", "--format", "yaml", "x"}, exitUsage, "", "--format 只能是"},
		{"wrong language", "", []string{"analyze", "--lang", "fr", "x"}, exitUsage, "", "--lang 只能是"},
		{"wrong size", "", []string{"analyze", "--max-bytes", "3Q", "x"}, exitUsage, "", "--max-bytes 应为字节数"},
		{"wrong number", "", []string{"analyze", "--max-depth", "deep", "x"}, exitUsage, "", "--max-depth 应为整数"},
		{"negative number", "", []string{"analyze", "--max-depth=-1", "x"}, exitUsage, "", "不能为负数"},
		{"flag without value", "", []string{"analyze", "x", "--output"}, exitUsage, "", "--output 缺少值"},
		{"negative size", "", []string{"analyze", "--max-bytes", "-5", "x"}, exitUsage, "", `请写成 --max-bytes="-5"`},
		{"negative size in English", "", []string{"analyze", "--lang=en", "--max-bytes", "-5", "x"}, exitUsage, "", `is written as --max-bytes="-5"`},
		{"switch with a value", "", []string{"analyze", "--exit-code=maybe", "x"}, exitUsage, "", `--exit-code 只能是 true 或 false，不能是 "maybe"`},
		{"switch with a value in English", "", []string{"analyze", "--lang=en", "--exit-code=maybe", "x"}, exitUsage, "", `--exit-code must be true or false, not "maybe"`},
		{"wrong size in English", "", []string{"analyze", "--lang=en", "--max-bytes=3Q", "x"}, exitUsage, "", `--max-bytes must be a number of bytes, or a number with K, M or G, not "3Q"`},
		{"wrong number in English", "", []string{"analyze", "--lang=en", "--max-depth=deep", "x"}, exitUsage, "", `--max-depth must be a whole number, not "deep"`},
		{"flag without value in English", "", []string{"analyze", "--lang=en", "x", "--output"}, exitUsage, "", "--output needs a value"},
		{"empty path", "", []string{"analyze", ""}, exitUsage, "", "路径不能为空"},
		{"strict reasoning", "", []string{"analyze", "--why", "--template=strict", log}, exitUsage, "", "--why 不能与 --template strict 同用"},
		{"no text to explain", "", []string{"explain", ""}, exitUsage, "", "没有要解释的内容"},
		{"strict JSON", "", []string{"analyze", "--format=json", "--template=strict", "x"}, exitUsage, "", "--template 只用于"},
		{"rules of no folder", "", []string{"analyze", "--rules", log, log}, exitUsage, "", "不是目录"},

		{"code", "", []string{"explain", "137"}, exitOK, "退出码", ""},
		{"code of several words in English", "", []string{"explain", "--lang=en", "Xid", "79"}, exitOK, "fallen off the bus", ""},
		{"negative code", "", []string{"explain", "-9", "--lang=en"}, exitOK, "ended by a signal, SIGKILL", ""},
		{"negative code behind words", "", []string{"explain", "exit", "code", "-9", "--format", "json"}, exitOK, `"code": "-9"`, ""},
		{"negative code behind dashes", "", []string{"explain", "--", "-9"}, exitOK, "SIGKILL", ""},
		{"negative hexadecimal code", "", []string{"explain", "-0x9", "--lang=en"}, exitOK, "SIGKILL", ""},
		{"folder without rules", "", []string{"rules", "lint", t.TempDir()}, exitUsage, "", "没有规则文件（*.yaml）"},
		{"broken rules", "", []string{"rules", "lint", brokenRules(t)}, exitFailed, "", `one.yaml:2: 规则 "one": 没有字段 couse`},
		{"broken rules in English", "", []string{"analyze", "--lang=en", "--rules", brokenRules(t), log}, exitFailed, "", `one.yaml:2: rule "one": there is no field couse`},
		{"unknown code", "", []string{"explain", "EI0999"}, exitOK, "含义未知", ""},
		{"cause", "", []string{"explain", "device-oom"}, exitOK, "加速卡显存不足", ""},
		{"rule's id", "", []string{"explain", "torch-oom-allocator"}, exitOK, "device-oom", ""},
		{"pasted line", "", []string{"explain", "OSError: [Errno 28] No space left on device"}, exitOK, "disk-full", ""},
		{"pasted line as JSON", "", []string{"explain", "--format=json", "OSError: [Errno 28] No space left on device"}, exitOK, `"cause": "disk-full"`, ""},
		{"pasted lines", failure, []string{"explain", "-"}, exitOK, "torch-oom-allocator", ""},
		{"nothing to explain", "", []string{"explain"}, exitUsage, "", "缺少参数"},
		{"empty text to explain", "", []string{"explain", "-"}, exitFailed, "", "是空的"},
		{"explanation in no format", "", []string{"explain", "--format=markdown", "137"}, exitUsage, "", "--format 只能是"},

		{"lint of the shipped rules", "", []string{"rules", "lint"}, exitOK, "：0 个错误", ""},
		{"lint with hints", "", []string{"rules", "lint", "--hints", "--lang=en"}, exitOK, "hint: ", ""},
		{"lint of no folder", "", []string{"rules", "lint", log}, exitUsage, "", "不是目录"},
		{"samples of the shipped rules", "", []string{"rules", "test"}, exitOK, "0 条不符", ""},
		{"trials of a line", "", []string{"rules", "explain-line", "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0"}, exitOK, "胜出", ""},
		{"trials of a line in English", "", []string{"rules", "explain-line", "--lang=en", "all is well"}, exitOK, "no rule has its literal", ""},
		{"trials of a line from standard input", failure, []string{"rules", "explain-line", "-"}, exitOK, "torch-oom-allocator", ""},
		{"import without a place", "", []string{"rules", "import-ascend-fd", log}, exitUsage, "", "--output"},
		{"import of no entities", "", []string{"rules", "import-ascend-fd", log, "--output", t.TempDir()}, exitFailed, "", "无法转换"},
		{"import of nothing", "", []string{"rules", "import-ascend-fd", "no-such.json", "--output", t.TempDir()}, exitFailed, "", "不存在"},
		{"import for no cause", "", []string{"rules", "import-ascend-fd", log, "--output", t.TempDir(), "--cause=x"}, exitUsage, "", `没有根因 "x"`},

		{"version", "", []string{"version"}, exitOK, "hcloud-modelarts devel", ""},
		{"help", "", []string{"--help"}, exitOK, "退出码", ""},
		{"help of a command", "", []string{"help", "analyze"}, exitOK, "用法：hcloud-modelarts analyze", ""},
		{"help of a nested command", "", []string{"help", "rules", "show", "--lang=en"}, exitOK, "Usage: hcloud-modelarts rules show", ""},
		{"help of no command", "", []string{"help", "nothing"}, exitUsage, "", "无法识别的参数 nothing"},
		{"list of rules", "", []string{"rules", "list", "--cause=device-oom"}, exitOK, "torch-oom-allocator", ""},
		{"list of no cause", "", []string{"rules", "list", "--cause=oom"}, exitUsage, "", `没有根因 "oom"`},
		{"rule", "", []string{"rules", "show", "torch-oom-allocator", "--lang", "en"}, exitOK, "device-oom", ""},
		{"no rule", "", []string{"rules", "show", "nope"}, exitUsage, "", `没有规则 "nope"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := invoke(t, tt.stdin, nil, tt.args...)
			if got.code != tt.code {
				t.Errorf("exit code %d, want %d", got.code, tt.code)
			}
			checkPart(t, "stdout", got.stdout, tt.stdout)
			checkPart(t, "stderr", got.stderr, tt.stderr)
			if strings.Count(got.stderr, "\n") > 1 && !strings.Contains(tt.stderr, ".yaml:") { // faults of rules take a line each
				t.Errorf("an error takes more than one line: %q", got.stderr)
			}
		})
	}
}

// brokenRules is a folder with a rule in which everything is missing.
func brokenRules(t *testing.T) string {
	return filepath.Dir(writeTemp(t, "one.yaml", "id: one\ncouse: x\n"))
}

// savedReport gives the JSON of a log's report.
func savedReport(t *testing.T, log string) string {
	t.Helper()
	return invoke(t, "", nil, "analyze", "--format=json", log).stdout
}

// TestRenderGivesTheSameBytes: a saved report renders as the diagnosis did.
func TestRenderGivesTheSameBytes(t *testing.T) {
	log := writeTemp(t, "train.log", failure)
	saved := savedReport(t, log)
	for _, format := range []string{"markdown", "json", "text", "html"} {
		want := invoke(t, "", nil, "analyze", "--format", format, log).stdout
		got := invoke(t, saved, nil, "report", "render", "--format", format, "-").stdout
		if got != want {
			t.Errorf("%s differs:\n%s\n%s", format, got, want)
		}
	}
}

func checkPart(t *testing.T, stream, got, want string) {
	t.Helper()
	if want == "" && got != "" {
		t.Errorf("%s is not silent: %q", stream, got)
	}
	if !strings.Contains(got, want) {
		t.Errorf("%s lacks %q: %q", stream, want, got)
	}
}

func TestLanguage(t *testing.T) {
	log := writeTemp(t, "train.log", failure)
	env := []string{"HCLOUD_MODELARTS_LANG=en"}
	if got := invoke(t, "", env, "analyze", log); !strings.Contains(got.stdout, "## Root cause") {
		t.Errorf("the environment does not set the language: %q", got.stdout)
	}
	if got := invoke(t, "", env, "analyze", "--lang=zh", log); !strings.Contains(got.stdout, "## 根因") {
		t.Errorf("--lang does not win over the environment: %q", got.stdout)
	}
	if got := invoke(t, "", env, "analyze", "no-such.log"); !strings.Contains(got.stderr, "check the path") {
		t.Errorf("errors are not in English: %q", got.stderr)
	}
	if got := invoke(t, "", []string{"HCLOUD_MODELARTS_LANG=de"}, "version"); got.code != exitUsage || !strings.Contains(got.stderr, "HCLOUD_MODELARTS_LANG") {
		t.Errorf("a wrong language passes: %+v", got)
	}
}

// TestOutput: a file is written whole or left as it was.
func TestOutput(t *testing.T) {
	log := writeTemp(t, "train.log", failure)
	dir := t.TempDir()
	file := filepath.Join(dir, "report.md")
	want := invoke(t, "", nil, "analyze", log).stdout
	for range 2 { // the second time it is replaced
		got := invoke(t, "", nil, "analyze", log, "--output", file)
		if got != (outcome{}) {
			t.Fatalf("writing a file: %+v", got)
		}
		data, err := os.ReadFile(file)
		if err != nil || string(data) != want {
			t.Fatalf("the file holds %q, %v", data, err)
		}
	}
	if got := invoke(t, "", nil, "analyze", "no-such.log", "--output", file); got.code != exitFailed {
		t.Errorf("exit code %d for a missing input", got.code)
	}
	if data, _ := os.ReadFile(file); string(data) != want {
		t.Errorf("a failed run touched the file: %q", data)
	}
	for _, bad := range []string{dir, filepath.Join(dir, "none", "report.md"), filepath.Join(file, "x")} {
		got := invoke(t, "", nil, "analyze", log, "-o", bad)
		if got.code != exitFailed || got.stdout != "" || !strings.Contains(got.stderr, "无法写入") {
			t.Errorf("writing to %q: %+v", bad, got)
		}
	}
	if runtime.GOOS != "windows" {
		if got := invoke(t, "", nil, "analyze", log, "-o", os.DevNull); got != (outcome{}) {
			t.Errorf("writing to the null device: %+v", got)
		}
		if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
			t.Fatalf("the null device was replaced: %v %v", info, err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("something is left beside the file: %v %v", entries, err)
	}
}

// brokenWriter fails as a full disk does.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("no space") }

func TestUnwritableStdout(t *testing.T) {
	for _, args := range [][]string{{"analyze", "-"}, {"--help"}, {"help"}, {"analyze", "--help"}, {"version"}} {
		var errs bytes.Buffer
		code := run(t.Context(), args, nil, strings.NewReader(failure), brokenWriter{}, &errs)
		if code != exitFailed || !strings.Contains(errs.String(), "标准输出") || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%q: exit code %d, stderr %q", args, code, errs.String())
		}
	}
}

// TestInterrupt: a signal ends the program even while it waits for input.
func TestInterrupt(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan int)
	var out, errs bytes.Buffer
	go func() { done <- run(ctx, []string{"analyze", "-"}, nil, r, &out, &errs) }()
	cancel()
	select {
	case code := <-done:
		if code != exitInterrupted || out.Len() > 0 || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("exit code %d, stdout %q, stderr %q", code, out.String(), errs.String())
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the program goes on after a signal")
	}
}

// TestDeterministic: neither the order of paths nor repetition changes a byte.
func TestDeterministic(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for file, content := range map[string]string{"worker-0.log": failure, "worker-1.log": undetermined, "notes.txt": "see the logs\n"} {
		p := filepath.Join(dir, file)
		if err := os.WriteFile(p, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, p)
	}
	want := invoke(t, "", nil, append([]string{"analyze", "--format=json"}, paths...)...).stdout
	for range 100 {
		paths = append(paths[1:], paths[0])
		if got := invoke(t, "", nil, append([]string{"analyze", "--format=json", paths[0]}, paths...)...).stdout; got != want {
			t.Fatalf("two runs differ:\n%s\n%s", got, want)
		}
	}
}

func TestJSONDecodes(t *testing.T) {
	var r report.Report
	if err := json.Unmarshal([]byte(invoke(t, failure, nil, "analyze", "--format=json", "-").stdout), &r); err != nil {
		t.Fatal(err)
	}
	if r.Schema != report.Schema || r.Input != "stdin" || len(r.Evidence) == 0 || r.Evidence[0].Line != 5 {
		t.Errorf("the JSON says %+v", r)
	}
}

// licenceRule is a rule that a user wrote.
const licenceRule = `id: our-licence
cause: config-invalid
family: ours
role: root
match:
  - literals: ["licence server says no"]
say: {zh: 许可证服务器拒绝, en: the licence server refuses}
retry: after-change
fixes:
  - title: {zh: 续期, en: Renew it}
    steps: [{zh: 联系管理员, en: Ask the administrator}]
samples:
  match: ["RuntimeError: licence server says no", "fatal: licence server says no (3)"]
  near: ["licence server says yes", "licence server is slow"]
`

// TestUserRules: rules of a folder are added, and all mistakes in them told.
func TestUserRules(t *testing.T) {
	dir := t.TempDir()
	rule := licenceRule
	if err := os.MkdirAll(filepath.Join(dir, "ours"), 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "ours", "our-licence.yaml")
	if err := os.WriteFile(file, []byte(rule), 0o644); err != nil {
		t.Fatal(err)
	}
	log := "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    check()\nRuntimeError: licence server says no\n"
	got := invoke(t, log, nil, "analyze", "--rules", dir, "--format=json", "-")
	if !strings.Contains(got.stdout, `"rule": "our-licence"`) {
		t.Errorf("the rule does not decide: %+v", got)
	}
	broken := strings.Replace(strings.Replace(rule, "cause: config-invalid", "cause: no-such-cause", 1), "retry: after-change", "retry: maybe", 1)
	if err := os.WriteFile(file, []byte(broken), 0o644); err != nil {
		t.Fatal(err)
	}
	got = invoke(t, log, nil, "analyze", "--rules", dir, "-")
	for _, want := range []string{"our-licence.yaml:2", "no-such-cause", "our-licence.yaml:8", `"maybe"`} {
		if got.code != exitFailed || !strings.Contains(got.stderr, want) {
			t.Errorf("exit code %d, stderr lacks %q: %q", got.code, want, got.stderr)
		}
	}
}

// TestUserRulesDoNotUnmask: a rule cannot carry a secret of a line into its
// sentence, its fixes or an explanation.
func TestUserRulesDoNotUnmask(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "ours"), 0o755); err != nil {
		t.Fatal(err)
	}
	curious := strings.NewReplacer(
		`["licence server says no"]`, `["licence server says no"]`+"\n    regexp: 'password=(?P<secret>\\S+) .*licence server says no'",
		"许可证服务器拒绝", "'拒绝了 {secret}'", "the licence server refuses", "'refuses {secret}'", "Ask the administrator", "'Change {secret}'",
		"RuntimeError: licence", "RuntimeError: password=aa licence", "fatal: licence", "fatal: password=bb licence").Replace(licenceRule)
	if err := os.WriteFile(filepath.Join(dir, "ours", "our-licence.yaml"), []byte(curious), 0o644); err != nil {
		t.Fatal(err)
	}
	line := "RuntimeError: password=Tr0ub4dor&3 licence server says no"
	log := "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    check()\n" + line + "\n"
	for _, args := range [][]string{
		{"analyze", "--rules", dir, "--lang=en", "-"}, {"analyze", "--rules", dir, "--lang=en", "--format=json", "-"}, {"analyze", "--rules", dir, "--lang=en", "--format=text", "-"},
		{"explain", "--rules", dir, "--lang=en", line}, {"explain", "--rules", dir, "--lang=en", "--format=json", line},
	} {
		got := invoke(t, log, nil, args...)
		if got.code != exitOK || strings.Contains(got.stdout, "Tr0ub4dor") || !strings.Contains(strings.ReplaceAll(got.stdout, "\\", ""), "refuses ***") {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

// TestCheckUserRules: lint finds what is weak in a folder of rules, test what
// its samples show, and both end with an error then.
func TestCheckUserRules(t *testing.T) {
	dir := t.TempDir()
	write := func(content string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(dir, "ours"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "ours", "our-licence.yaml"), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(licenceRule)
	got := invoke(t, "", nil, "rules", "lint", dir, "--lang=en")
	if got.code != exitFailed || !strings.Contains(got.stdout, "ours/our-licence.yaml: fault: needs at least 3 lines") || !strings.Contains(got.stderr, "1 faults") {
		t.Errorf("a rule with two samples passes: %+v", got)
	}
	sound := strings.NewReplacer(`no (3)"]`, `no (3)", "licence server says no: bye"]`, `is slow"]`, `is slow", "the licence server"]`).Replace(licenceRule)
	write(sound)
	if got = invoke(t, "", nil, "rules", "lint", dir); got.code != exitOK || !strings.Contains(got.stdout, "检查了 1 条规则：0 个错误") {
		t.Errorf("a sound rule has faults: %+v", got)
	}
	if got = invoke(t, "", nil, "rules", "test", dir); got.code != exitOK || !strings.Contains(got.stdout, "测试了 1 条规则、6 条样例：0 条不符，0 条") {
		t.Errorf("samples fail: %+v", got)
	}
	write(strings.Replace(sound, `["licence server says no"]`, `["licence server says no", "2026-06-02 09:41:50"]`, 1))
	if got = invoke(t, "", nil, "rules", "test", dir); got.code != exitFailed || !strings.Contains(got.stderr, "未匹配自己的样例") {
		t.Errorf("a rule that misses its samples passes: %+v", got)
	}
	stamped := strings.NewReplacer(`["licence server says no"]`, `["licence server says no", "2026-06-02 09:41:50"]`,
		`["RuntimeError: licence server says no", "fatal: licence server says no (3)", "licence server says no: bye"]`,
		`["2026-06-02 09:41:50 licence server says no", "2026-06-02 09:41:50 fatal: licence server says no", "2026-06-02 09:41:50 licence server says no: bye"]`).Replace(sound)
	write(stamped)
	if got = invoke(t, "", nil, "rules", "test", dir); got.code != exitFailed || !strings.Contains(got.stdout, "未匹配自己的样例") || !strings.Contains(got.stderr, "3 条样例不符") {
		t.Errorf("a rule that depends on a prefix passes: %+v", got)
	}
}

// TestImport: entities become rules that load, none of which replaces a file.
func TestImport(t *testing.T) {
	file := writeTemp(t, "entity.json", `{"7001": {"attribute.cause_zh": "缓存服务未启动", "attribute.suggestion_zh": ["1. 启动缓存服务；"], "regex.in": ["sample cache", "isn't running"]}}`)
	dir := filepath.Join(t.TempDir(), "rules")
	got := invoke(t, "", nil, "rules", "import-ascend-fd", file, "--output", dir, "--cause", "network-error")
	if got.code != exitOK || !strings.Contains(got.stdout, "已把 1 个故障实体转换为") {
		t.Fatalf("import: %+v", got)
	}
	log := "step 3 loss 0.3\nRuntimeError: the sample cache isn't running\n[Modelarts Service Log]2026-06-02 09:42:12 - Training end with return code: 1\n"
	if got = invoke(t, log, nil, "analyze", "--rules", dir, "--format=json", "-"); !strings.Contains(got.stdout, `"rule": "ascend-fd-7001"`) || strings.Contains(got.stdout, `"HIGH"`) {
		t.Errorf("the rule does not decide, or is sure: %+v", got)
	}
	if got = invoke(t, "", nil, "rules", "import-ascend-fd", file, "--output", dir); got.code != exitFailed || !strings.Contains(got.stderr, "文件已存在") {
		t.Errorf("a file is replaced: %+v", got)
	}
}

// TestHelpIsComplete: every command has a Run, a help and an example, in both
// languages, and no text of the command line is left over or missing.
func TestHelpIsComplete(t *testing.T) {
	parser, err := newParser(&console{lang: "zh"})
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, leaf := range parser.Model.Leaves(true) {
		path := strings.TrimPrefix(leaf.Path(), name+" ")
		if leaf.Help == "" || len(exampleLines[path]) == 0 {
			t.Errorf("%q lacks a help or an example", path)
		}
		used[path] = true
		if _, ok := leaf.Target.Addr().Type().MethodByName("Run"); !ok {
			t.Errorf("%q has no Run", path)
		}
		for _, lang := range []string{"zh", "en"} {
			got := invoke(t, "", nil, append(strings.Fields(path), "--help", "--lang", lang)...)
			if got.code != exitOK || got.stderr != "" || !strings.Contains(got.stdout, msgExamples.In(lang)) {
				t.Errorf("help of %q: %+v", path, got)
			}
			if lang == "zh" && regexp.MustCompile(`(?m)^(Usage|Flags|Arguments|Commands|Run )`).MatchString(got.stdout) {
				t.Errorf("the help of %q holds English headings: %s", path, got.stdout)
			}
		}
	}
	for path := range exampleLines {
		if !used[path] {
			t.Errorf("there is an example of %q, and no such command", path)
		}
	}
	tags := helpKeys(reflect.TypeFor[commands](), map[string]bool{"help_flag": true})
	for key, x := range helpTexts {
		if !tags[key] || x.ZH == "" || x.EN == "" {
			t.Errorf("help text %q is unused or lacks a language", key)
		}
	}
}

// helpKeys collects the keys that help tags name.
func helpKeys(t reflect.Type, keys map[string]bool) map[string]bool {
	for i := range t.NumField() {
		f := t.Field(i)
		if key, ok := strings.CutPrefix(f.Tag.Get("help"), "${"); ok {
			keys[strings.TrimSuffix(key, "}")] = true
		}
		if f.Type.Kind() == reflect.Struct {
			helpKeys(f.Type, keys)
		}
	}
	return keys
}

func TestSize(t *testing.T) {
	for in, want := range map[string]int64{"0": 0, "500000": 500000, "64K": 64 << 10, "2GiB": 2 << 30, "3 mb": 3 << 20, "1b": 1} {
		var s size
		if err := s.UnmarshalText([]byte(in)); err != nil || int64(s) != want {
			t.Errorf("size %q = %d, %v", in, s, err)
		}
	}
	for _, in := range []string{"", "K", "-1", "1KK", "1.5G", "9999999999G", "x"} {
		var s size
		if err := s.UnmarshalText([]byte(in)); err == nil {
			t.Errorf("size %q = %d", in, s)
		}
	}
}

// TestTableAligns: columns line up with Chinese text, with and without lines.
func TestTableAligns(t *testing.T) {
	rows := [][]string{{"a|b", "显存不足"}, {"long_name", "x"}}
	for terminal, want := range map[bool]string{
		false: "规则       名称      \na|b        显存不足  \nlong_name  x         \n",
		true:  "┌───────────┬──────────┐\n│ 规则      │ 名称     │\n├───────────┼──────────┤\n│ a|b       │ 显存不足 │\n│ long_name │ x        │\n└───────────┴──────────┘\n",
	} {
		var b bytes.Buffer
		if err := writeTable(&b, terminal, []string{"规则", "名称"}, rows); err != nil {
			t.Fatal(err)
		}
		if b.String() != want {
			t.Errorf("table:\n%q\nwant:\n%q", b.String(), want)
		}
	}
}

// TestLanguageOfFlag: --lang wins over the variable, also over a wrong one.
func TestLanguageOfFlag(t *testing.T) {
	wrong := map[string]string{langVar: "xx"}
	if lang, err := language([]string{"version", "--lang", "en"}, wrong); lang != "en" || err != nil {
		t.Errorf("got %q, %v", lang, err)
	}
	if _, err := language([]string{"version"}, wrong); err == nil {
		t.Error("a wrong variable is taken")
	}
}

// TestSameFile: a file that is named in two spellings is read once.
func TestSameFile(t *testing.T) {
	file := writeTemp(t, "a.log", "step 1\n")
	dir := filepath.Dir(file)
	link := filepath.Join(t.TempDir(), "linked")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	roots, err := (&console{}).roots([]string{file, filepath.Join(dir, "..", filepath.Base(dir), "a.log"), dir + "/./a.log", filepath.Join(link, "a.log")})
	if err != nil || len(roots) != 1 {
		t.Errorf("%d roots, %v", len(roots), err)
	}
}

// TestInputIsKept: a result never takes the place of a file that it was made of.
func TestInputIsKept(t *testing.T) {
	for _, command := range []string{"analyze", "triage", "triage merge", "bundle", "diff nowhere", "report render"} {
		log := writeTemp(t, "a.log", failure)
		args := append(strings.Fields(command), log, "--lang", "en", "--output", filepath.Dir(log)+"/./a.log")
		if got := invoke(t, "", nil, args...); got.code != exitUsage || !strings.Contains(got.stderr, "is an input") {
			t.Errorf("%s: %+v", command, got)
		}
		if b, err := os.ReadFile(log); err != nil || string(b) != failure {
			t.Errorf("%s: the log now holds %q, %v", command, b, err)
		}
	}
}

// TestNamesNotInUTF8: files are read whatever bytes their names have.
func TestNamesNotInUTF8(t *testing.T) {
	log := writeTemp(t, "\xc8\xd5\xd6\xbe.log", failure)
	for _, path := range []string{log, filepath.Dir(log)} {
		for _, command := range []string{"analyze", "triage"} {
			if got := invoke(t, "", nil, command, path); got.code != exitOK || !strings.Contains(got.stdout, "device-oom") && !strings.Contains(got.stdout, "显存") {
				t.Errorf("%s %q: %+v", command, path, got)
			}
		}
	}
}
