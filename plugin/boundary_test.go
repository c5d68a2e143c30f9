package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hcloud-modelarts/corpus"
	"hcloud-modelarts/plugin/hcloud"
	"hcloud-modelarts/plugin/operations"
	"hcloud-modelarts/plugin/operations/optest"
)

// besideRecorder makes an hcloud that answers from a case and keeps what it was
// asked, and gives what reads that.
func besideRecorder(t *testing.T, replayed string) (program string, asked func() [][]string) {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program = filepath.Join(dir, "recording-hcloud")
	if err := os.Symlink(self, program); err != nil {
		t.Skip(err)
	}
	calls := filepath.Join(dir, "calls")
	t.Setenv("RECORDING", calls)
	t.Setenv("REPLAYED", replayed)
	return program, func() [][]string {
		data, err := os.ReadFile(calls)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		var all [][]string
		for line := range strings.Lines(string(data)) {
			var call struct{ Args []string }
			if err := json.Unmarshal([]byte(line), &call); err != nil {
				t.Fatal(err)
			}
			all = append(all, call.Args)
		}
		return all
	}
}

// TestWhatHcloudIsAsked: whole sessions ask hcloud for its version, for what is
// configured, and for operations, always for the region, the project and the
// profile that were named; they never configure it and pass no key.
func TestWhatHcloudIsAsked(t *testing.T) {
	program, asked := besideRecorder(t, scene(t, oom(t)...))
	cases := t.TempDir()
	own := []string{"--region=cn-north-4", "--project-id=p1", "--profile=prod"}
	for _, args := range [][]string{
		{"doctor"}, {"diagnose", oomJob}, {"diagnose"}, {"record", oomJob}, {"scan"}, {"watch", oomJob}, {"iam-policy", "--wait"},
		{"job", "show", oomJob}, {"price", "--flavor=x"}, {"job", "stop", oomJob, "--yes"},
	} {
		beside(t, program, cases, append(args, own...)...)
	}
	operationsAsked := 0
	for _, args := range asked() {
		line := strings.Join(args, " ")
		if line == "version" || line == "configure list" {
			continue
		}
		operationsAsked++
		if !slices.Contains([]string{"ModelArts", "BSS", "IAM"}, args[0]) || regexp.MustCompile(`(?i)configure|access-key|secret|token|--debug|cli-query|cli-output`).MatchString(line) {
			t.Errorf("hcloud is asked %q", line)
		}
		if args[0] == "ModelArts" && (!slices.Contains(args, "--cli-region=cn-north-4") || !slices.Contains(args, "--cli-project-id=p1")) || !slices.Contains(args, "--cli-profile=prod") {
			t.Errorf("the region, the project or the profile is not handed on: %q", line)
		}
	}
	if operationsAsked < 30 {
		t.Errorf("%d operations were asked for", operationsAsked)
	}
	// Nothing but hcloud reads its files.
	err := filepath.WalkDir("..", func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return err
		}
		code, err := os.ReadFile(p)
		if strings.Contains(string(code), `".hcloud`) || strings.Contains(string(code), `"config.json`) {
			t.Errorf("%s names hcloud's own files", p)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestReplayTouchesNothing: on a recording no command asks hcloud or a server,
// whatever else it is told.
func TestReplayTouchesNothing(t *testing.T) {
	requests := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests++ }))
	defer server.Close()
	answers := oom(t)
	for i, a := range answers {
		answers[i].out = strings.ReplaceAll(a.out, "https://train-bucket.obs.cn-north-4.myhuaweicloud.com", server.URL)
	}
	replayed := scene(t, answers...)
	program, asked := besideRecorder(t, replayed)
	for name, value := range map[string]string{"HUAWEICLOUD_SDK_AK": "a", "HUAWEICLOUD_SDK_SK": "s", "HUAWEICLOUD_SDK_PROJECT_ID": "p", "HCLOUD_MODELARTS_ENDPOINT": server.URL} {
		t.Setenv(name, value)
	}
	worked := 0
	for _, args := range [][]string{
		{"diagnose", oomJob}, {"diagnose", otherJob}, {"diagnose"}, {"scan"}, {"watch", oomJob}, {"record", oomJob, "--full"}, {"record", "--all"}, {"doctor"}, {"iam-policy", "--wait"},
		{"job", "show", oomJob}, {"job", "logs", oomJob}, {"job", "list", "--all"}, {"job", "stop", oomJob, "--yes"}, {"api", "ShowTrainingJobDetails", "--training_job_id=" + oomJob}, {"price", "--flavor=x"},
	} {
		for _, via := range []string{"hcloud", "sdk"} {
			got := beside(t, program, t.TempDir(), append(args, "--replay="+replayed, "--via="+via, "--hcloud="+program)...)
			if got.code == exitOK {
				worked++
			}
		}
	}
	if calls := asked(); requests > 0 || len(calls) > 0 || worked < 14 {
		t.Errorf("%d requests, hcloud is asked %q, %d commands worked", requests, calls, worked)
	}
}

// TestRecordAll: every job that failed since a time has its own case.
func TestRecordAll(t *testing.T) {
	id := func(n int) string { return fmt.Sprintf("%08d-0d34-4c7e-9a41-b7d2e3f40c19", n) }
	var answers []said
	var jobs []string
	for n := range 3 {
		one := one(id(n+1), "Failed", traceback, 1, "x\n", "Training job failed.")
		answers, jobs = append(answers, one...), append(jobs, one[0].out)
	}
	answers = append(answers, said{listOf(0, filter("phase", "in", abnormal...)), pageOf(jobs...)})
	program := stand(t, scene(t, answers...))
	got := beside(t, program, t.TempDir(), "record", "--all", "--since=2026-06-01")
	if got.code != exitOK || strings.Count(got.stdout, "\n") != 3 {
		t.Errorf("all: %+v", got)
	}
	got = beside(t, program, t.TempDir(), "record", "--all", "--since=1m", "--lang=en")
	if got.code != exitOK || got.stdout != "" || !strings.Contains(got.stderr, "no training job that failed") {
		t.Errorf("none since then: %+v", got)
	}
}

// classes gives all that may become of a call.
func classes(t *testing.T) []hcloud.Class {
	t.Helper()
	code, err := os.ReadFile("hcloud/class.go")
	if err != nil {
		t.Fatal(err)
	}
	var all []hcloud.Class
	for _, m := range regexp.MustCompile(`Class += "([a-z-]+)"`).FindAllStringSubmatch(string(code), -1) {
		all = append(all, hcloud.Class(m[1]))
	}
	if len(all) < 24 {
		t.Fatalf("%d classes", len(all))
	}
	return all
}

// TestWhatIsAskedAgain: the corpus, which knows no hcloud, names by their texts
// the classes of answers that another try may better.
func TestWhatIsAskedAgain(t *testing.T) {
	settled := []hcloud.Class{
		hcloud.OK, hcloud.Empty, hcloud.APIError, hcloud.NotFound, hcloud.UseError, hcloud.NoConsent, hcloud.Unsupported,
		hcloud.TooLarge, hcloud.OtherProgram, hcloud.Missing, hcloud.NotRecorded,
	}
	q := request(detailsOf(oomJob))
	for _, class := range classes(t) {
		if got, want := q.Answered(corpus.Exchange{Request: q, Class: string(class)}), slices.Contains(settled, class); got != want {
			t.Errorf("%s counts as answered: %v, want %v", class, got, want)
		}
	}
}

// TestEveryClassIsWorded: whatever becomes of a call, users are told in their
// language, with what to do next.
func TestEveryClassIsWorded(t *testing.T) {
	for _, class := range classes(t) {
		if class == hcloud.OK || class == hcloud.Empty || class == hcloud.Interrupted {
			continue
		}
		for _, lang := range []string{"zh", "en"} {
			a := hcloud.Answer{Class: class, Message: "said", Args: []string{"ModelArts", "ShowTrainingJobDetails"}}
			said := (&console{lang: lang}).describeCall(&callError{a, "hcloud"})
			if said == "" || hasHan(said) != (lang == "zh") || strings.ContainsAny(said, "{}") || !regexp.MustCompile("--|configure|doctor|iam-policy|corpus|再试|try again|工单").MatchString(said) {
				t.Errorf("%s in %s: %q", class, lang, said)
			}
			a.Unknown = true
			if said := (&console{lang: lang}).describeCall(&callError{a, "hcloud"}); strings.Contains(said, "--via sdk") {
				t.Errorf("%s in %s asks to send again what may have been carried out: %q", class, lang, said)
			}
		}
	}
}

// TestRecordThroughTheSDK: what the SDK is answered is classified, recorded and
// diagnosed as what hcloud prints.
func TestRecordThroughTheSDK(t *testing.T) {
	answers := map[string]string{}
	for _, a := range oom(t) {
		if task := strings.Join(a.call.Params, " "); !strings.Contains(task, "worker-0") || a.call.Operation == "ShowTrainingJobMetrics" {
			answers[a.call.Operation] = a.out
		}
	}
	server := httptest.NewServer(&mockService{t: t, answers: answers})
	defer server.Close()
	for name, value := range map[string]string{"HUAWEICLOUD_SDK_AK": "a", "HUAWEICLOUD_SDK_SK": "s", "HUAWEICLOUD_SDK_PROJECT_ID": "p", "HCLOUD_MODELARTS_ENDPOINT": server.URL} {
		t.Setenv(name, value)
	}
	cases := t.TempDir()
	got := beside(t, "/nonexistent", cases, "record", oomJob, "--via=sdk", "--region=cn-north-4")
	if got.code != exitOK || strings.Contains(got.stderr, "还缺") {
		t.Fatalf("%+v", got)
	}
	if verified := beside(t, "", cases, "corpus", "verify"); verified.code != exitOK {
		t.Errorf("%+v", verified)
	}
	if again := beside(t, "", cases, "diagnose", "--replay", oomJob); again.code != exitOK || !strings.Contains(again.stdout, "加速卡显存不足") {
		t.Errorf("%+v", again)
	}
	if got := beside(t, "/nonexistent", cases, "doctor", "--via=sdk", "--region=cn-north-4"); got.code != exitOK || strings.Count(got.stdout, "✓") != 7 {
		t.Errorf("%+v", got)
	}
}

// TestConsolePages: a list, a job and a new job are shown with their page of the
// console.
func TestConsolePages(t *testing.T) {
	for operation, want := range map[string]string{
		"ListTrainingJobs":       "https://console.huaweicloud.com/modelarts/?region=cn-north-4#/training\n",
		"ShowTrainingJobDetails": "https://console.huaweicloud.com/modelarts/?region=cn-north-4#/training/detail/" + aJob + "\n",
		"CreateTrainingJob":      "https://console.huaweicloud.com/modelarts/?region=cn-north-4#/training/detail/" + createdJob + "\n",
		"ListAlgorithms":         "",
	} {
		var errs strings.Builder
		s := &caller{console: &console{lang: "en", stderr: &errs}, cat: operations.Default()}
		s.opts.Region = "cn-north-4"
		req, problems := s.cat.Find(operation).Build(optest.Example(s.cat.Find(operation)), nil)
		if operations.Fatal(problems) {
			t.Fatal(problems)
		}
		facts := req.Facts()
		facts.Answer(map[string]any{"metadata": map[string]any{"id": createdJob}})
		s.pageURL(req, facts)
		if !strings.HasSuffix(errs.String(), want) || want == "" && errs.Len() > 0 {
			t.Errorf("%s: %q", operation, errs.String())
		}
	}
}
