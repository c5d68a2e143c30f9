package operations

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func op(t *testing.T, name string) *Operation {
	t.Helper()
	o := Default().Find(name)
	if o == nil {
		t.Fatalf("no operation %q", name)
	}
	return o
}

func arguments(pairs ...string) []Argument {
	var args []Argument
	for _, p := range pairs {
		name, value, _ := strings.Cut(p, "=")
		args = append(args, Argument{name, value})
	}
	return args
}

// TestProblems: each kind of mistake is told with what is right.
func TestProblems(t *testing.T) {
	for _, tt := range []struct {
		operation, body string
		args            []string
		code, name      string
		want            string
	}{
		{"StopTrainingJob", "", []string{"training_job_id=x"}, Missing, "action_type", "string"},
		{"StopTrainingJob", "", []string{"action_type=terminate"}, Missing, "training_job_id", "string"},
		{"StopTrainingJob", "", []string{"training_job_id=x", "action_type=stop"}, BadValue, "action_type", "terminate, restart"},
		{"StopTrainingJob", "", []string{"training_job_id=a/../b", "action_type=terminate"}, BadForm, "training_job_id", ""},
		{"StopTrainingJob", "", []string{"training_job_id=\xe2", "action_type=terminate"}, BadForm, "training_job_id", ""},
		{"StopTrainingJob", "{\"action_type\": \"\xcd\xcd\"}", []string{"training_job_id=x"}, BadJSON, "", ""},
		{"ChangeTrainingJobDescription", "", []string{"training_job_id=x", "description=\xb5\xda"}, BadForm, "description", ""},
		{"CreateTrainingJob", "", []string{"algorithm.environments.\xb5=1"}, BadForm, "algorithm.environments.\xb5", ""},
		{"StopTrainingJob", "", []string{"training_job_id=x", "action_typ=terminate"}, Unknown, "action_typ", "action_type"},
		{"StopTrainingJob", "", []string{"training_job_id=x", "job_id=x", "action_type=terminate"}, Outdated, "job_id", "training_job_id"},
		{"StopTrainingJob", "", []string{"training_job_id=x", "action_type=terminate", "action_type=restart"}, Twice, "action_type", ""},
		{"ListTrainingJobs", "", []string{"status=Failed"}, Outdated, "status", "filters.1.key=phase, filters.1.operator=in, filters.1.value.1=Failed"},
		{"ListTrainingJobs", "", []string{"search_value=bert"}, Outdated, "search_value", "filters.1.key=name, filters.1.operator=like, filters.1.value.1=…"},
		{"ListTrainingJobs", "", []string{"limit=51"}, TooLarge, "limit", "50"},
		{"ListTrainingJobs", "", []string{"limit=0"}, TooSmall, "limit", "1"},
		{"ListTrainingJobs", "", []string{"limit=ten"}, BadType, "limit", "integer"},
		{"ListTrainingJobs", "", []string{"limit=99999999999"}, TooLarge, "limit", "50"},
		{"ListTrainingJobs", "", []string{"offset=99999999999"}, BadType, "offset", "integer"},
		{"ListTrainingJobs", "", []string{"filters.0.key=name"}, BadIndex, "filters.0.key", "filters.1"},
		{"ListTrainingJobs", "", []string{"filters.key=name"}, BadIndex, "filters.key", "filters.1.key"},
		{"ListTrainingJobs", "", []string{"filters.2.key=name"}, BadIndex, "filters.1", "filters.1"},
		{"ListTrainingJobs", "", []string{"filters.1.operator=equals"}, BadValue, "filters.1.operator", "between, like, in, not"},
		{"ShowTrainingJobLogsPreview", "", []string{"training_job_id=x", "task_name=worker-0"}, Outdated, "task_name", "task_id"},
		{"ShowTrainingJobLogsPreview", "", []string{"training_job_id=x", "task_id=worker-0", "limit=5"}, Outdated, "limit", "-"},
		{"ChangeTrainingJobDescription", "", []string{"training_job_id=x", "job_desc=d"}, Outdated, "job_desc", "description"},
		{"ChangeTrainingJobDescription", "", []string{"training_job_id=x", "description=" + strings.Repeat("字", 257)}, TooLong, "description", "256"},
		{"ShowTrainingJobFlavors", "", []string{"flavor_type=ASCEND"}, BadValue, "flavor_type", "CPU, GPU, Ascend"},
		{"CreateTrainingJob", "", []string{"job_name=x"}, Outdated, "job_name", "metadata.name"},
		{"CreateTrainingJob", "", []string{"kind=job"}, Missing, "metadata.name", "string"},
		{"CreateTrainingJob", "", []string{"config.1.worker_num=2"}, Outdated, "config.1.worker_num", "spec.resource.node_count"},
		{"CreateTrainingJob", "", []string{"metadata.name=a b"}, BadForm, "metadata.name", "[A-Za-z0-9_-]+"},
		{"CreateTrainingJob", "", []string{"spec.resource.flavor=x"}, Unknown, "spec.resource.flavor", "spec.resource.flavor_id"},
		{"CreateTrainingJob", "", []string{"algorithm.inputs.1.remote.obs.url=x"}, Unknown, "algorithm.inputs.1.remote.obs.url", "algorithm.inputs.1.remote.obs.obs_url"},
		{"CreateTrainingJob", "", []string{"node_count=1"}, Outdated, "node_count", "spec.resource.node_count"},
		{"CreateTrainingJob", "", []string{"pfs_path=x"}, Unknown, "pfs_path", "spec.volumes.1.pfs.pfs_path"},
		{"CreateTrainingJob", "", []string{"algorithm.environments.1X=v"}, BadKey, "algorithm.environments", "[A-Za-z_][A-Za-z0-9_]*"},
		{"CreateTrainingJob", "", []string{"spec.resource.pool_id=p"}, Missing, "spec.resource.node_count", "integer"},
		{"CreateTrainingJob", "", []string{"spec.auto_stop.time_unit=DAYS"}, BadValue, "spec.auto_stop.time_unit", "HOURS"},
		{"CreateTrainingJob", `{"kind": "job", "metadata": {"name": "a"}, "spec": {"resource": {"node_count": "2"}}}`, nil, BadType, "spec.resource.node_count", "integer"},
		{"CreateTrainingJob", `{"kind": "job", "metadata": {"name": "a"}, "specs": {}}`, nil, Unknown, "specs", "spec"},
		{"CreateTrainingJob", `{"kind": "job", "metadata": {"name": 5}}`, nil, BadType, "metadata.name", "string"},
		{"CreateTrainingJob", `{"kind": "job", "metadata": []}`, nil, BadType, "metadata", "object"},
		{"CreateTrainingJob", `{"kind": "job", "metadata": {"name": "a"}, "algorithm": {"inputs": [{"name": "x"}]}}`, nil, Missing, "algorithm.inputs.1.remote", "object"},
		{"CreateTrainingJob", `{"kind": "job", "metadata": {"name": "a"}, "algorithm": {"outputs": [{"name": "x"}]}}`, nil, Missing, "algorithm.outputs.1.remote.obs.obs_url", "string"},
		{"CreateTrainingJob", `[1]`, nil, BadJSON, "", ""},
		{"CreateTrainingJob", `{"kind": "job"} x`, nil, BadJSON, "", ""},
		{"CreateTrainingJob", `{"body": {"kind": "job"}, "path": 7}`, nil, BadType, "path", "object"},
		{"CreateTrainingJob", `{"body": {"kind": "job", "metadata": {"name": "a"}}, "x": 1}`, nil, Unknown, "x", ""},
		{"ShowTrainingJobEngines", `{"x": 1}`, nil, NoBody, "", ""},
		{"DeleteTrainJobTags", "", []string{"training_job_id=x"}, Missing, "tags", "array<object>"},
		{"DeleteTrainJobTags", `{"tags": []}`, []string{"training_job_id=x"}, Missing, "tags.1", "object"},
		{"CreateTrainJobTags", "", []string{"training_job_id=x", "tags.1.key= a"}, BadForm, "tags.1.key", ""},
		{"CreateTrainJobTags", "", []string{"training_job_id=x", "tags.1.key=" + strings.Repeat("a", 129)}, TooLong, "tags.1.key", "128"},
		{"ListScheduledEvents", "", []string{"publishStartTime=2026-06-01"}, BadForm, "publishStartTime", ""},
		{"ListScheduledEvents", "", []string{"state.1=open"}, BadValue, "state.1", "inquiring, scheduled, executing, completed, failed, canceled"},
		{"ListScheduledEvents", "", []string{"workspace_id=0"}, Outdated, "workspace_id", "workspaceId"},
		{"ListTrainingJobEvents", "", []string{"training_job_id=x", "level=error"}, BadValue, "level", "Info, Warning, Error"},
		{"CreateModel", "", []string{"model_name=m", "model_version=1.0", "model_type=PyTorch"}, BadForm, "model_version", ""},
		{"CreateModel", "", []string{"model_name=m", "model_version=01.0.0", "model_type=PyTorch"}, BadForm, "model_version", ""},
		{"CreateModel", "", []string{"model_name=m", "model_version=1.0.0", "model_type=ONNX"}, BadValue, "model_type", ""},
		{"CreateTrainingExperiment", "", []string{"name=x"}, Outdated, "name", "metadata.name"},
		{"ChangeTrainingExperiment", "", []string{"experiment_id=x", "metadata.name=y"}, Outdated, "metadata.name", "name"},
		{"ChangeAlgorithm", "", []string{"algorithm_id=x", "metadata.description=d"}, Missing, "metadata.name", "string"},
		{"CreateSaveImageJob", "", []string{"training_job_id=x", "task_id=worker-0", "image_name=a"}, Outdated, "image_name", "name"},
		{"CreateSaveImageJob", "", []string{"training_job_id=x", "task_id=worker-0", "name=A"}, BadForm, "name", ""},
		{"CreateModelArtsAgency", "", []string{"agency_name_suffix=" + strings.Repeat("a", 51)}, TooLong, "agency_name_suffix", "50"},
		{"ListEvents", "", []string{"resource=pools", "name=p", "offset=1"}, Outdated, "offset", "continue"},
		{"ListModels", "", []string{"status=published"}, Outdated, "status", "model_status"},
		{"ListModels", "", []string{"exact_match=yes"}, BadType, "exact_match", "boolean"},
	} {
		_, problems := op(t, tt.operation).Build(arguments(tt.args...), []byte(tt.body))
		at := slices.IndexFunc(problems, func(p Problem) bool { return p.Code == tt.code && p.Name == tt.name })
		if at < 0 {
			t.Errorf("%s %v %s: no %q of %q in %+v", tt.operation, tt.args, tt.body, tt.code, tt.name, problems)
			continue
		}
		if p := problems[at]; tt.want != "" && p.Want != tt.want {
			t.Errorf("%s %v %s: %q, want %q", tt.operation, tt.args, tt.body, p.Want, tt.want)
		}
	}
}

// TestDoubts: where sources disagree a value is doubted, not refused.
func TestDoubts(t *testing.T) {
	_, problems := op(t, "CreateModel").Build(arguments("model_name=m", "model_version=1.0.0", "model_type=ONNX"), nil)
	if Fatal(problems) || len(problems) != 1 || !problems[0].Doubt {
		t.Errorf("%+v", problems)
	}
}

func TestManyEnvironmentVariables(t *testing.T) {
	env := map[string]string{}
	for i := range 101 {
		env["V"+strings.Repeat("x", i)] = "v"
	}
	data, err := json.Marshal(map[string]any{"kind": "job", "metadata": map[string]any{"name": "a"}, "algorithm": map[string]any{"environments": env}})
	if err != nil {
		t.Fatal(err)
	}
	_, problems := op(t, "CreateTrainingJob").Build(nil, data)
	if len(problems) != 1 || problems[0].Code != TooMany || problems[0].Want != "100" {
		t.Errorf("%+v", problems)
	}
}

// TestBody: arguments, a body, a body in an envelope and a flat one give the
// same request, and an argument wins over the body.
func TestBody(t *testing.T) {
	o := op(t, "CreateTrainJobTags")
	want, problems := o.Build(arguments("training_job_id=x", "tags.2.key=b", "tags.1.key=a", "tags.1.value=1"), nil)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, tt := range []struct {
		body string
		args []string
	}{
		{`{"tags": [{"key": "a", "value": "1"}, {"key": "b"}]}`, []string{"training_job_id=x"}},
		{`{"path": {"training_job_id": "x"}, "body": {"tags": [{"key": "a", "value": "1"}, {"key": "b"}]}}`, nil},
		{`{"training_job_id": "x", "tags": [{"key": "a", "value": "1"}, {"key": "b"}]}`, nil},
		{"\ufeff" + `{"tags": [{"key": "a", "value": "0"}, {"key": "b"}]}`, []string{"training_job_id=x", "tags.1.value=1"}},
		{"", []string{"training_job_id=x", `tags=[{"key": "a", "value": "1"}, {"key": "b"}]`}},
	} {
		got, problems := o.Build(arguments(tt.args...), []byte(tt.body))
		if len(problems) > 0 {
			t.Errorf("%s %v: %+v", tt.body, tt.args, problems)
			continue
		}
		if diff := cmp.Diff(want.Data(), got.Data()); diff != "" {
			t.Errorf("%s %v: %s", tt.body, tt.args, diff)
		}
	}
}

// TestFlags: what hcloud's grammar can say is said as flags, the rest goes into
// a file.
func TestFlags(t *testing.T) {
	o := op(t, "CreateTrainingJob")
	req, problems := o.Build(nil, []byte(`{"kind": "job", "metadata": {"name": "a", "annotations": {"fault-tolerance/job-retry-num": "3"}},
		"algorithm": {"command": "python train.py --lr 1e-3", "inputs": [{"name": "d", "remote": {"obs": {"obs_url": "/b/d/"}}}]},
		"spec": {"resource": {"node_count": 2, "pool_id": "p"}, "notification": {"events": []}}}`))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	flags, plain := req.Flags()
	want := []string{"--kind=job", "--metadata.name=a", "--metadata.annotations.fault-tolerance/job-retry-num=3", "--algorithm.command=python train.py --lr 1e-3",
		"--algorithm.inputs.1.name=d", "--algorithm.inputs.1.remote.obs.obs_url=/b/d/", "--spec.resource.node_count=2", "--spec.resource.pool_id=p", "--spec.notification.events=[]"}
	if diff := cmp.Diff(want, flags); diff != "" || !plain {
		t.Errorf("plain: %v\n%s", plain, diff)
	}
	for _, body := range []string{
		`{"kind": "job", "metadata": {"name": "a", "annotations": {"a.b": "1"}}}`,
		`{"kind": "job", "metadata": {"name": "a", "description": "say \"hi\""}}`,
		`{"kind": "job", "metadata": {"name": "a", "description": null}}`,
	} {
		req, _ := o.Build(nil, []byte(body))
		if _, plain := req.Flags(); plain {
			t.Errorf("%s is said by flags", body)
		}
	}
	for body, want := range map[string]bool{
		`{"algorithm": {"environments": {"HF_TOKEN": "x"}}}`:                            true,
		`{"algorithm": {"parameters": [{"name": "db_password", "value": "x"}]}}`:        true,
		`{"algorithm": {"parameters": [{"name": "max_tokens", "value": "4096"}]}}`:      false,
		`{"algorithm": {"environments": {"TOKENIZERS_PARALLELISM": "false"}}}`:          true,
		`{"tasks": [{"algorithm": {"environments": {"A": "b"}}}]}`:                      true,
		`{"ftjob_config": {"task_env": {"envs": [{"env_name": "A", "value": "b"}]}}}`:   true,
		`{"algorithm": {"command": "python t.py --token abcd1234efgh"}}`:                true,
		`{"algorithm": {"command": "python t.py --hf-token=\"x y\" --lr 1"}}`:           true,
		`{"algorithm": {"command": "WANDB_KEY=abc python t.py"}}`:                       true,
		`{"algorithm": {"command": "python t.py --use-token --lr 1 --batch 4"}}`:        false,
		`{"algorithm": {"command": "python t.py --lr=0.1 --tokenizer bert"}}`:           false,
		`{"metadata": {"description": "the password is swordfish"}}`:                    true,
		`{"algorithm": {"command": "python t.py --max-token 2048"}}`:                    false,
		`{"algorithm": {"command": "python t.py --password 123456"}}`:                   true,
		`{"metadata": {"description": "second try"}}`:                                   false,
		`{"metadata": {"description": "see MASKED"}}`:                                   true,
		`{"algorithm": {"environments": {"AWS_SECRET_ACCESS_KEY": ""}}}`:                false,
		`{"algorithm": {"environments": {"access_key": "AK"}}}`:                         true,
		`{"algorithm": {"parameters": [{"name": "learning_rate", "value": "secret"}]}}`: false,
	} {
		req, _ := o.Build(nil, []byte(body))
		if got := req.Sensitive(func(s string) string { return strings.ReplaceAll(s, "MASKED", "***") }); got != want {
			t.Errorf("%s: sensitive %v", body, got)
		}
	}
}

// FuzzBuild: no input panics, and what is let through reads back as the same
// request from its flags and from its file.
func FuzzBuild(f *testing.F) {
	f.Add("CreateTrainingJob", "algorithm.inputs.1.name=x", `{"kind": "job", "metadata": {"name": "a"}}`)
	f.Add("CreateTrainJobTags", "tags.2.key=a", `{"body": {"tags": [{"key": "b"}]}, "path": {"training_job_id": "x"}}`)
	f.Add("ListScheduledEvents", "state.1=inquiring", "")
	f.Add("CreateModel", `apis=[{"a":[1,{"b":null}]}]`, `{"model_name":"m","model_version":"1.0.0","model_type":"Image"}`)
	f.Add("StopTrainingJob", "training_job_id=..", `{"action_type": "terminate"}`)
	f.Add("StopTrainingJob", "training_job_id=\xe2", `{"action_type": "terminate"}`)
	f.Fuzz(func(t *testing.T, name, arg, body string) {
		o := Default().Find(name)
		if o == nil {
			return
		}
		req, problems := o.Build(arguments(arg), []byte(body))
		if Fatal(problems) {
			return
		}
		input, err := req.Input()
		if err != nil {
			t.Fatal(err)
		}
		again, problems := o.Build(nil, input)
		if Fatal(problems) {
			t.Fatalf("%s is not let through: %+v", input, problems)
		}
		if diff := cmp.Diff(req.Data(), again.Data()); diff != "" {
			t.Fatalf("%s reads back as another request: %s", input, diff)
		}
		flags, plain := req.Flags()
		if !plain {
			return
		}
		var args []Argument
		for _, fl := range flags {
			n, v, _ := strings.Cut(strings.TrimPrefix(fl, "--"), "=")
			args = append(args, Argument{n, v})
		}
		again, problems = o.Build(args, nil)
		if Fatal(problems) {
			t.Fatalf("%q is not let through: %+v", flags, problems)
		}
		if diff := cmp.Diff(req.Data(), again.Data()); diff != "" {
			t.Fatalf("%q reads back as another request: %s", flags, diff)
		}
	})
}

// TestCatalogueMistakes: a catalogue with a mistake does not load, and the
// mistake is named.
func TestCatalogueMistakes(t *testing.T) {
	for _, tt := range []struct{ file, old, new, want string }{
		{"data/job.yaml", "says: {zh: 创建训练作业", "sais: {zh: 创建训练作业", "sais"},
		{"data/job.yaml", "- operation: CreateTrainingJob", "- operation: CreateTrainingJobs", "CreateTrainingJobs"},
		{"data/job.yaml", "    action_type: {values: [terminate, restart]}", "    action: {values: [terminate, restart]}", `"action"`},
		{"data/model.yaml", "- model_name body string required", "- model_name string required", "model_name string required"},
		{"data/image.yaml", "- operation: ShowSaveImageJob", "- operation: CreateSaveImageJob", "stands twice"},
		{"sdk.json", "{", "", "sdk.json"},
	} {
		dir := t.TempDir()
		if err := os.CopyFS(dir, files); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, tt.file)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.Replace(string(data), tt.old, tt.new, 1)
		if changed == string(data) {
			t.Fatalf("%s does not hold %q", tt.file, tt.old)
		}
		if err := os.WriteFile(file, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := load(os.DirFS(dir)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s with %q: %v", tt.file, tt.new, err)
		}
	}
}

func TestAreas(t *testing.T) {
	c := Default()
	for name, want := range map[string]string{"CreateNotebook": "Notebook", "ListInferServices": "推理", "ShowPool": "资源池", "ListWorkflows": "Workflow", "CreateDevServer": "DevServer", "notebook": "Notebook", "pool": "资源池"} {
		area, known := c.AreaOf(name)
		if area == nil || !known || !strings.Contains(area.Name.ZH, want) {
			t.Errorf("%q belongs to %+v", name, area)
		}
	}
	if area, known := c.AreaOf("CreateTrainingJobb"); area != nil || known {
		t.Errorf("a wrong name belongs to %+v", area)
	}
	for _, name := range c.others {
		if area, _ := c.AreaOf(name); area == nil {
			t.Errorf("%s belongs to no area", name)
		}
	}
	for wrong, right := range c.Renamed {
		if c.Find(wrong) != nil || c.Find(right) == nil {
			t.Errorf("renamed: %s to %s", wrong, right)
		}
	}
	if near := c.Nearest("ListTrainingJobss"); near != "ListTrainingJobs" {
		t.Errorf("nearest %q", near)
	}
}
