package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hcloud-modelarts/corpus"
)

// englishWords finds three words of English in a row.
var englishWords = regexp.MustCompile(`[A-Za-z]{2,}(?: [a-z]{2,}){2,}`)

// quotedPart finds what is quoted: commands, names, what others said.
var quotedPart = regexp.MustCompile("`[^`]*`|\"[^\"]*\"|“[^”]*”|（[^）]*）")

// TestErrorsSpeakOneLanguage: what the system, the corpus and the network say is
// put into the user's language.
func TestErrorsSpeakOneLanguage(t *testing.T) {
	cases := t.TempDir()
	program := stand(t, scene(t, oom(t)...))
	recorded := strings.TrimSpace(beside(t, program, cases, "record", oomJob).stdout)
	broken := func(change func(dir string) error) string {
		dir := filepath.Join(t.TempDir(), "case")
		if err := errors.Join(os.CopyFS(dir, os.DirFS(recorded)), change(dir)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	manifest := func(old, now string) func(string) error {
		return func(dir string) error {
			file := filepath.Join(dir, "case.json")
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			return os.WriteFile(file, []byte(strings.Replace(string(data), old, now, 1)), 0o600)
		}
	}
	no := writeTemp(t, "no-program", "just text\n")
	if err := os.Chmod(no, 0o755); err != nil {
		t.Fatal(err)
	}
	notZip := writeTemp(t, "case.zip", "no zip")
	id := filepath.Base(recorded)
	details := "exchanges/0001-ShowTrainingJobDetails.json"
	for _, tt := range []struct {
		args   []string
		zh, en string
	}{
		{[]string{"diagnose", oomJob, "--hcloud", no}, "不是可执行的程序", "no program that can be run"},
		{[]string{"diagnose", oomJob, "--hcloud", stand(t, recorded, "--fault=hang"), "--timeout=500ms"}, "超过等待时间", "timed out"},
		{[]string{"corpus", "show", notZip}, "不是 zip 文件", "no zip file"},
		{[]string{"corpus", "show", broken(manifest("case/v1", "case/v9"))}, "case/v9", "case/v9"},
		{[]string{"corpus", "show", broken(manifest(`"id": "`+id, `"id": "../`+id))}, "不是有效的名称", "is no name"},
		{[]string{"corpus", "show", broken(manifest(details, "../x"))}, "不在案例目录内", "outside of it"},
		{[]string{"corpus", "show", broken(manifest("{", "x"))}, "不是有效的 JSON", "no valid JSON"},
		{[]string{"corpus", "show", broken(manifest(`"done": true`, `"done": "x"`))}, "不是预期的形式", "not the form"},
		{[]string{"diagnose", "--replay", broken(func(dir string) error { return os.Remove(filepath.Join(dir, details)) })}, "缺失", "is missing"},
		{[]string{"diagnose", "--replay", broken(func(dir string) error { return os.WriteFile(filepath.Join(dir, details), []byte("{}"), 0o600) })}, "内容已改变", "has changed"},
		{[]string{"corpus", "export", broken(func(dir string) error { return os.Remove(filepath.Join(dir, details)) }), filepath.Join(t.TempDir(), "x.zip")}, "缺失", "is missing"},
		{[]string{"record", "--resume", broken(func(dir string) error { return os.WriteFile(filepath.Join(dir, "private.json"), []byte("x"), 0o600) })}, "已损坏，删除它", "remove it"},
		{[]string{"replay-hcloud", "--fault=x", recorded, "version"}, "类型有", "kinds are"},
		{[]string{"replay-hcloud", "--fault=network:x", recorded, "version"}, "类型有", "kinds are"},
		{[]string{"replay-hcloud", "--state", writeTemp(t, "state", "x"), recorded, "version"}, "不是有效的 JSON", "no valid JSON"},
		{[]string{"replay-hcloud", "--as", filepath.Join(no, "x"), recorded}, "不是目录", "not a directory"},
		{[]string{"job", "list", "--via=sdk", "--region=cn-north-4"}, "连接被拒绝", "is refused"},
	} {
		for _, lang := range []string{"zh", "en"} {
			t.Setenv("HUAWEICLOUD_SDK_AK", "a")
			t.Setenv("HUAWEICLOUD_SDK_SK", "s")
			t.Setenv("HUAWEICLOUD_SDK_PROJECT_ID", "p")
			t.Setenv("HCLOUD_MODELARTS_ENDPOINT", "http://127.0.0.1:1")
			got := beside(t, program, cases, append(tt.args, "--lang="+lang)...)
			want := map[string]string{"zh": tt.zh, "en": tt.en}[lang]
			line := strings.Join(regexp.MustCompile(`(?m)^hcloud-modelarts: .*$`).FindAllString(got.stderr, -1), "")
			if tt.args[0] == "replay-hcloud" {
				got = beside(t, program, cases, append([]string{"--lang=" + lang}, tt.args...)...)
				line = got.stderr
			}
			if got.code == exitOK || !strings.Contains(line, want) {
				t.Errorf("%q lacks %q: %+v", tt.args, want, got)
			}
			if english := englishWords.FindString(quotedPart.ReplaceAllString(line, "")); lang == "zh" && english != "" {
				t.Errorf("%q says %q in Chinese: %s", tt.args, english, line)
			}
			if lang == "en" && hasHan(line) {
				t.Errorf("%q says Chinese in English: %s", tt.args, line)
			}
		}
	}
	for code, words := range reasonTexts {
		c := &console{lang: "zh"}
		if got := c.system(&corpus.Reason{Code: code, Detail: "x"}); words.ZH == "" || !hasHan(got) || strings.Contains(got, "%!") {
			t.Errorf("%s: %s", code, got)
		}
	}
}
