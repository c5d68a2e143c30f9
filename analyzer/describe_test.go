package analyzer

import (
	"maps"
	"strings"
	"testing"
	"testing/fstest"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
)

// reported diagnoses files by name and gives the report.
func reported(t *testing.T, name, text string) report.Report {
	t.Helper()
	reports, err := Diagnose([]source.Root{{Name: "case", FS: fstest.MapFS{name: {Data: []byte(text)}}, Path: "."}}, Options{Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	return reports[0]
}

// TestSentencesWithoutHoles: a part that speaks of a missing value goes with the
// blanks around it, and a sentence that needs the value is not said.
func TestSentencesWithoutHoles(t *testing.T) {
	for _, tt := range []struct {
		text, want string
		values     map[string]string
	}{
		{"模型[[ {model}]] 是受限仓库", "模型是受限仓库", nil},
		{"模型[[ {model}]] 是受限仓库", "模型 m 是受限仓库", map[string]string{"model": "m"}},
		{"model[[ {model}]] is gated[[, see {url}]]", "model is gated", nil},
		{"node [[{node} ]]is lost", "node is lost", nil},
		{"the node [[{node}]], lost", "the node, lost", nil},
		{"the value {value} is wrong", "", nil},
		{"镜像中的 CUDA[[ {have} ]]与 torch 不一致", "镜像中的 CUDA 与 torch 不一致", nil},
		{"镜像中的 CUDA[[ {have} ]]与 torch 不一致", "镜像中的 CUDA 12.1 与 torch 不一致", map[string]string{"have": "12.1"}},
		{"NPU[[（{n}）]]不可用", "NPU 不可用", nil},
		{"作业[[{n}]]不可用", "作业不可用", nil},
		{"a list[[]] that is empty", "a list that is empty", nil},
	} {
		if got := whole(tt.text, tt.values); got != tt.want {
			t.Errorf("%q says %q, want %q", tt.text, got, tt.want)
		}
	}
	if got := fill("hf download {repo}", nil); got != "hf download <repo>" {
		t.Errorf("a command says %q", got)
	}
}

// TestFixesForTheHardware: a fix for one kind of card is not given on the other, and
// both are where nothing tells.
func TestFixesForTheHardware(t *testing.T) {
	failed := "Traceback (most recent call last):\n  File \"train.py\", line 5, in <module>\n    net.cuda()\nAssertionError: Torch not compiled with CUDA enabled\n"
	for _, tt := range []struct {
		name, text string
		want       int
		has        string
	}{
		{"Ascend", "[Modelarts Service Log]2026-06-04 00:20:14,078 - INFO - Ascend Driver: Version=24.1.rc2\n" + failed, 1, "transfer_to_npu"},
		{"unknown", failed, 2, "torch.version.cuda"},
	} {
		fixes := reported(t, "worker-0.log", tt.text).Fixes
		steps := ""
		for _, f := range fixes {
			steps += strings.Join(f.Steps, " ")
		}
		if len(fixes) != tt.want || !strings.Contains(steps, tt.has) {
			t.Errorf("%s: %v", tt.name, fixes)
		}
	}
}

// TestAlikeIsCounted: what the logs of many workers hold alike is listed twice, and
// the rest is counted.
func TestAlikeIsCounted(t *testing.T) {
	files := fstest.MapFS{"worker-0.log": {Data: []byte("Traceback (most recent call last):\n  File \"train.py\", line 5, in <module>\n    net(x)\nKeyError: 'label'\n")}}
	for _, name := range []string{"worker-1.log", "worker-2.log", "worker-3.log", "worker-4.log"} {
		files[name] = &fstest.MapFile{Data: []byte("step 1 loss 1\n[Modelarts Service Log]Training end with return code: 1\n")}
	}
	reports, err := Diagnose([]source.Root{{Name: "case", FS: files, Path: "."}}, Options{Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	if rows := reports[0].Symptoms; len(rows) != 2 || strings.Contains(rows[0].Because, "same: 2") || !strings.Contains(rows[1].Because, "same: 2") {
		t.Errorf("%v", rows)
	}
}

// TestNoSentenceHasAHole: no rule's sentence shows a hole when its line names
// nothing.
func TestNoSentenceHasAHole(t *testing.T) {
	for _, r := range rules.Default().Rules {
		d, err := r.Detail()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []string{whole(d.Say.ZH, nil), whole(d.Say.EN, nil)} {
			if strings.Contains(s, "<") && strings.Contains(s, "{") || strings.Contains(s, "  ") || strings.HasPrefix(s, " ") || strings.HasSuffix(s, " ") {
				t.Errorf("%s says %q", r.ID, s)
			}
		}
	}
}

// TestEverySampleHasItsSentence: whichever wording a line fits, its rule can say what
// failed, and not the name of the cause alone.
func TestEverySampleHasItsSentence(t *testing.T) {
	for _, r := range rules.Default().Rules {
		d, err := r.Detail()
		if err != nil {
			t.Fatal(err)
		}
		if r.Role == rules.Harmless || r.Role == rules.Context {
			continue
		}
		for _, sample := range d.Samples.Match {
			for line := range strings.SplitSeq(sample, "\n") {
				named, i, ok := r.Find(line)
				if !ok {
					continue
				}
				values := map[string]string{rules.Accelerator: "npu"}
				maps.Copy(values, r.Complete(named, i, line).Map())
				if whole(d.Say.ZH, values) == "" || whole(d.Say.EN, values) == "" {
					t.Errorf("%s has nothing to say of %q", r.ID, line)
				}
			}
		}
	}
}

// TestPlaceIsJoined: where the first line of a message is only a place the second
// tells the failure.
func TestPlaceIsJoined(t *testing.T) {
	r := reported(t, "a.log", "Traceback (most recent call last):\n  File \"/home/ma-user/train.py\", line 3, in <module>\n    f()\nRuntimeError: /tmp/build/cuda/launch.h(53)\nN > 0 assert faild. CUDA kernel launch blocks must be positive, but got N= 0\n")
	if !strings.Contains(r.Summary, "blocks must be positive") {
		t.Errorf("the summary is %q", r.Summary)
	}
}

// TestTaskOfAPod: an event that names a pod tells the task in the sentence.
func TestTaskOfAPod(t *testing.T) {
	r := reported(t, "ListTrainingJobEvents.json", `{"events":[{"level":"Warning","source":"K8S","time":"2026-03-01T10:00:00Z","message":"[Pod: modelarts-job-0f1e2d3c-4b5a-4697-8877-665544332211-worker-1] NodeNotReady: Node is not ready"}],"total":1}`)
	if !strings.HasPrefix(r.Summary, "worker-1") {
		t.Errorf("%s: the summary is %q", r.Cause, r.Summary)
	}
}
