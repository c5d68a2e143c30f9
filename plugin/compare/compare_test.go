package compare

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/plugin/triage"
)

// run is one training run as it is saved: the answer about it and its log.
type run struct {
	phase, image, batch, secret, torch string
	step                               time.Duration
	end                                string
}

var (
	good = run{"Completed", "swr/train:1", "32", "abcdefgh12345678", "2.5.1", time.Second, "training done\n[ModelArts Service Log]2026-06-02 10:41:57 - Training end with return code: 0\n"}
	bad  = run{"Failed", "swr/train:2", "64", "hgfedcba87654321", "2.6.0", 3 * time.Second, "WARNING batch 64 is larger than before\nTraceback (most recent call last):\n  File \"train.py\", line 8, in <module>\n    m(x)\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.66 GiB is free.\n"}
)

func (r run) read(t *testing.T, name string) *Side {
	t.Helper()
	var log strings.Builder
	fmt.Fprintf(&log, "torch version %s\n", r.torch)
	at := time.Date(2026, 6, 2, 9, 0, 0, 0, time.UTC)
	for i := range 40 {
		fmt.Fprintf(&log, "%s INFO step %d loss %d.5\n", at.Format("2006-01-02 15:04:05"), i, i)
		at = at.Add(r.step)
	}
	log.WriteString(r.end)
	details := fmt.Sprintf(`{"kind":"job","metadata":{"id":"6f1b2c58-0d34-4c7e-9a41-b7d2e3f40c19","name":"x","create_time":%d},
		"status":{"phase":%q},"algorithm":{"code_dir":"/b/code/","engine":{"image_url":%q},
		"command":%q,"parameters":[{"name":"batch","value":%q},{"name":"lr","value":"0.1"}],"environments":{"MY_SECRET_KEY":%q}},
		"spec":{"resource":{"flavor_id":"f","node_count":1}}}`, at.Unix(), r.phase, r.image, "cd /code\npython train.py --lr "+r.batch+"\nexport API_KEY="+r.secret+"\n", r.batch, r.secret)
	fsys := fstest.MapFS{"details.json": {Data: []byte(details)}, "worker-0.log": {Data: []byte(log.String())}, "conf/run.yaml": {Data: []byte("lr: 0.1\nbatch: " + r.batch + "\nworkers: 4\n")}}
	s, err := Read(name, []source.Root{{Name: name, FS: fsys, Path: "."}}, analyzer.Options{Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func cases(t *testing.T, a, b *Side) *Difference {
	t.Helper()
	d, err := Cases(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestGoodAgainstBad: the last good run against the bad one shows what changed
// and with which line the failure began, and no secret.
func TestGoodAgainstBad(t *testing.T) {
	d := cases(t, good.read(t, "good"), bad.read(t, "bad"))
	got := map[string]string{}
	for _, x := range d.Changes {
		got[strings.TrimSpace(string(x.Kind)+" "+x.Key)] = x.A + " > " + x.B
	}
	want := map[string]string{
		"state": "Completed > Failed", "cause": "none > device-oom", "step-time": "1.000 s > 3.000 s", "version torch": "2.5.1 > 2.6.0",
		"image algorithm.engine.image_url": "swr/train:1 > swr/train:2", "parameter algorithm.parameters.batch": "32 > 64",
	}
	for key, value := range want {
		if got[key] != value {
			t.Errorf("%s: %q, want %q", key, got[key], value)
		}
	}
	for _, key := range []string{"parameter algorithm.parameters.lr", "flavor spec.resource.flavor_id", "setup metadata.create_time"} {
		if got[key] != "" {
			t.Errorf("%s did not change: %q", key, got[key])
		}
	}
	var texts []string
	for _, x := range d.Texts {
		texts = append(texts, x.Name+"\n"+x.Diff)
	}
	wantTexts := []string{
		"algorithm.command\n--- A\n+++ B\n@@ -1,3 +1,3 @@\n cd /code\n-python train.py --lr 32\n+python train.py --lr 64\n export API_KEY=***\n",
		"run.yaml\n--- A\n+++ B\n@@ -1,3 +1,3 @@\n lr: 0.1\n-batch: 32\n+batch: 64\n workers: 4\n",
	}
	if diff := cmp.Diff(wantTexts, texts); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
	if d.Began == nil || !strings.HasPrefix(d.Began.Text, "WARNING batch 64") || len(d.Before) == 0 {
		t.Errorf("the failure began with %+v after %+v", d.Began, d.Before)
	}
	if len(d.OnlyA) != 2 || d.OnlyA[0].Text != "training done" {
		t.Errorf("only the good run has %+v", d.OnlyA)
	}
	data, err := d.JSON()
	if err != nil || !json.Valid(data) {
		t.Fatalf("%v: %s", err, data)
	}
	for form, out := range map[string]string{"markdown": string(d.Markdown("zh")), "json": string(data)} {
		if strings.Contains(out, good.secret) || strings.Contains(out, bad.secret) || !strings.Contains(out, "MY_SECRET_KEY") {
			t.Errorf("%s: %s", form, out)
		}
	}
}

func TestSame(t *testing.T) {
	d := cases(t, bad.read(t, "a"), bad.read(t, "b"))
	if !d.Same() || d.Began != nil || !strings.Contains(string(d.Markdown("en")), "No difference") {
		t.Errorf("two equal runs differ: %s", d.Markdown("en"))
	}
}

// TestReportAgainstCase: a saved report has no logs to compare, and says so by
// comparing what it has.
func TestReportAgainstCase(t *testing.T) {
	c := bad.read(t, "case")
	d := cases(t, &Side{Name: "saved", Reports: []report.Report{{Cause: "host-oom", Confidence: report.High, Severity: report.Fault}}}, c)
	if len(d.OnlyB) != 0 || d.Changes[0].Kind != State || d.Changes[1].A != "host-oom" {
		t.Errorf("the difference is %+v", d)
	}
	undecided := report.Report{Cause: "host-oom", Confidence: report.Low, Severity: report.Insufficient}
	if d := cases(t, &Side{Reports: []report.Report{undecided}}, c); d.Changes[1].A != "unknown" {
		t.Errorf("a report that names no cause is compared as %q", d.Changes[1].A)
	}
}

func TestRuns(t *testing.T) {
	row := func(name, print string) triage.Row {
		return triage.Row{Case: name, Severity: report.Fault, Confidence: report.High, Fingerprint: print}
	}
	d := Runs("a", "b", []triage.Row{row("x", "p:1"), row("y", "p:2"), row("gone", "p:3")}, []triage.Row{row("x", "p:1"), row("y", "p:9"), row("new", "p:4")})
	want := []Change{{Row, "gone", "p:3 HIGH", ""}, {Row, "new", "", "p:4 HIGH"}, {Row, "y", "p:2 HIGH", "p:9 HIGH"}}
	if diff := cmp.Diff(want, d.Changes); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

// TestRunsOfSeveralJobs: jobs of one case are told apart, those without a name
// by their order.
func TestRunsOfSeveralJobs(t *testing.T) {
	row := func(job report.Job, print string) triage.Row {
		return triage.Row{Case: "x", Job: job, Severity: report.Fault, Confidence: report.High, Fingerprint: print}
	}
	named := report.Job{ID: "7", Name: "n"}
	d := Runs("a", "b", []triage.Row{row(named, "p:1"), row(report.Job{}, "p:2"), row(report.Job{}, "p:3")}, []triage.Row{row(named, "p:2"), row(report.Job{}, "p:1"), row(report.Job{}, "p:3")})
	want := []Change{{Row, "x", "p:2 HIGH", "p:1 HIGH"}, {Row, "x n (7)", "p:1 HIGH", "p:2 HIGH"}}
	if diff := cmp.Diff(want, d.Changes); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

// TestSetupIsStable: of an answer that tells a value twice always the same counts.
func TestSetupIsStable(t *testing.T) {
	for range 20 {
		s := &Side{Setups: map[string]map[string]string{}}
		s.setup([]byte(`{"a": {"config": {"x": "1"}}, "b": {"config": {"x": "2"}}, "c": {"config": {"x": "3"}}}`))
		if got := s.Setups[""]["config.x"]; got != "3" {
			t.Fatalf("the value is %q", got)
		}
	}
}

// TestNothingInCommon: of two logs that are not alike nobody can say with which
// line the failure began.
func TestNothingInCommon(t *testing.T) {
	other, err := Read("other", []source.Root{{Name: "other.log", FS: fstest.MapFS{"other.log": {Data: []byte("quite another program says hello\n")}}, Path: "other.log"}}, analyzer.Options{Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	if d := cases(t, other, bad.read(t, "bad")); d.Began != nil {
		t.Errorf("the failure began with %+v", d.Began)
	}
}

// TestJobs: each job is compared with its like, however the worst of each side
// change, and a job that only one side has is named.
func TestJobs(t *testing.T) {
	side := func(name, order string) *Side {
		fsys := fstest.MapFS{}
		for _, x := range strings.Fields(order) {
			key, kind, _ := strings.Cut(x, ":")
			end, phase := "training done\n", "Completed"
			switch kind {
			case "oom":
				end, phase = bad.end, "Failed"
			case "module":
				end, phase = "Traceback (most recent call last):\n  File \"train.py\", line 3, in <module>\n    import x\nModuleNotFoundError: No module named 'flash_attn'\n", "Failed"
			}
			id := strings.Repeat(key, 8) + "-0d34-4c7e-9a41-b7d2e3f40c19"
			fsys[key+".json"] = &fstest.MapFile{Data: fmt.Appendf(nil, `{"kind":"job","metadata":{"id":%q,"name":"job-%s"},"status":{"phase":%q},"algorithm":{"engine":{"image_url":"swr/%s"}},"spec":{"resource":{"node_count":1}}}`, id, key, phase, kind)}
			fsys["modelarts-job-"+id+"-worker-0.log"] = &fstest.MapFile{Data: []byte("2026-06-02 09:00:00 INFO step 1 loss 2.5\n" + end)}
		}
		s, err := Read(name, []source.Root{{Name: name, FS: fsys, Path: "."}}, analyzer.Options{Lang: "en"})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	d := cases(t, side("a", "a:oom b:fine c:fine"), side("b", "a:oom b:module d:fine e:fine"))
	var got []string
	for _, p := range d.Jobs {
		for _, x := range p.Changes {
			if x.Kind == Cause || x.Kind == Image {
				got = append(got, fmt.Sprintf("%s %s %s: %s > %s", p.A[:5], p.B[:5], p.By, x.A, x.B))
			}
		}
		if began := p.Began != nil; began != (p.A[:5] == "job-b") {
			t.Errorf("%s began with %+v", p.A, p.Began)
		}
	}
	for _, x := range d.Changes {
		got = append(got, fmt.Sprintf("%s %.5s: %s > %s", x.Kind, x.Key, x.A, x.B))
	}
	want := []string{
		"job-b job-b id: none > module-missing", "job-b job-b id: swr/fine > swr/module",
		"job job-e:  > none HIGH",
	}
	if diff := cmp.Diff(want, got); diff != "" || len(d.Jobs) != 3 {
		t.Errorf("%d pairs (-want +got):\n%s", len(d.Jobs), diff)
	}
	if d.Jobs[2].By != ByOrder || d.Jobs[2].A[:5] != "job-c" || d.Jobs[2].B[:5] != "job-d" {
		t.Errorf("the last pair is %+v", d.Jobs[2])
	}
	if text := string(d.Markdown("en")); !strings.Contains(text, "## job `job-b (") || !strings.Contains(text, "### The failure began with") || !strings.Contains(text, "may be different ones") {
		t.Errorf("the text is\n%s", text)
	}
	if again := cases(t, side("a", "a:oom b:fine"), side("b", "b:fine a:oom")); !again.Same() || len(again.Jobs) != 2 {
		t.Errorf("the same jobs in another order differ:\n%s", again.Markdown("en"))
	}
}

func TestTemplate(t *testing.T) {
	for in, want := range map[string]string{
		"step 10/500 loss 1.25": "step #/# loss #.#", "rank3 on worker-12 0x7f": "# on worker-# #", "no number": "no number", "  a\tb ": "a b", "显存 2 GiB": "显存 # GiB",
	} {
		if got := template(in); got != want {
			t.Errorf("template(%q) = %q, want %q", in, got, want)
		}
	}
}

func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"step 10", "\xff9", "显存2", ""} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := template(s)
		if again := template(once); again != once {
			t.Errorf("template(%q) = %q, then %q", s, once, again)
		}
	})
}
