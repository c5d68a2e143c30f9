package analyzer

import (
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
