package verdict

import (
	"testing"

	"hcloud-modelarts/analyzer/modelarts"
)

const (
	sigterm = `time="2026-03-01T12:00:10+08:00" level=info msg="[sidecar] SIGTERM signal is received, waiting for the training process to exit gracefully." Component=ShellScripts Platform=ModelArts-Service`
	ended   = "[Modelarts Service Log]Training end with return code: "
)

func TestConsequences(t *testing.T) {
	log := func(task string) string { return "modelarts-job-7-" + task + ".log" }
	for _, c := range []struct {
		name string
		s    situation
		want string
	}{
		{"told to end after another task failed", situation{
			job:    modelarts.Job{Phase: modelarts.PhaseFailed},
			events: []string{"2026-03-01T04:00:05Z [worker-1] Training finished. Exit code 1."},
			logs:   map[string]string{log("worker-0"): lines("step 1 loss 2.0", "step 2 loss 1.9", sigterm, ended+"143")},
		}, Unknown},
		{"told to end, and the other task ended because of it", situation{
			job:    modelarts.Job{Phase: modelarts.PhaseTerminated},
			events: []string{"2026-03-01T04:00:20Z [worker-1] Training finished. Exit code 143."},
			logs:   map[string]string{log("worker-0"): lines("step 1 loss 2.0", "step 2 loss 1.9", sigterm, ended+"143")},
		}, "stopped-by-user"},
		{"restarted for what was told before", situation{
			job:    modelarts.Job{Phase: modelarts.PhaseFailed},
			events: []string{"2026-03-01T04:00:00Z The system detects that your training job may be suspended.", "2026-03-01T04:02:00Z The training job has been restarted."},
		}, "hang"},
		{"restarted, and nobody says why", situation{
			job:    modelarts.Job{Phase: modelarts.PhaseFailed},
			events: []string{"2026-03-01T04:02:00Z The training job has been restarted."},
		}, "node-failure"},
		{"not queued again after a node was taken out", situation{
			job:    modelarts.Job{Phase: modelarts.PhaseFailed},
			events: []string{"2026-03-01T03:00:00Z Training job is running.", "2026-03-01T04:00:00Z [worker-1] Node 10.1.2.3 is isolated.", "2026-03-01T04:40:00Z Failed to be queued."},
		}, "node-failure"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if v := verdictOn(t, c.s); v.Cause != c.want {
				t.Errorf("%s, want %s; %v", v.Cause, c.want, v.Why)
			}
		})
	}
	v := verdictOn(t, situation{job: modelarts.Job{Phase: modelarts.PhaseFailed},
		events: []string{"2026-03-01T03:00:00Z Training job is running.", "2026-03-01T04:40:00Z Failed to be queued."}})
	if v.Cause != "resource-shortage" || v.Confidence != Medium {
		t.Errorf("%s at %s: a job that had run lost its place for another reason", v.Cause, v.Confidence)
	}
}

func TestOwnLastWords(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"an own check", []string{"reading data", "ERROR: data folder /inputs/a is empty, exit!", ended + "1"}, "file-missing"},
		{"in Chinese", []string{"读取数据", "错误: 数据目录 /inputs/a 不存在", ended + "1"}, "file-missing"},
		{"a guard", []string{"step 1 loss 2.0", "step 2 loss nan", "FATAL loss is not finite, training stops", ended + "2"}, "loss-diverged"},
		{"what it looked for", []string{"ERROR: gave up looking for the index, No such file or directory: '/cache/a.idx'", ended + "1"}, "file-missing"},
		{"the very last line", []string{"conf/a.toml: option lr is missing", ended + "1"}, "config-invalid"},
		{"it goes on before its end", []string{"ERROR: unknown optimizer lionx", "a", "b", "c", "d", "e", "f", "g", "h", "i", ended + "1"}, Unknown},
		{"it goes on without", []string{"WARNING: data folder /inputs/a is empty, skipping it", ended + "1"}, Unknown},
		{"a mere note", []string{"INFO optional data folder /inputs/a is empty", "all workers have left", ended + "1"}, Unknown},
		{"a signal ended it", []string{"ERROR: data folder /inputs/a is empty, exit!", ended + "137"}, "killed"},
		{"it ended well", []string{"ERROR: data folder /inputs/a is empty, exit!", ended + "0"}, None},
		{"an exception behind it", []string{"ERROR: data folder /inputs/a is empty, exit!", raised("KeyError: 'lr'"), ended + "1"}, "key-error"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": lines(c.lines...)}})
			if v.Cause != c.want {
				t.Errorf("%s, want %s", v.Cause, c.want)
			}
			if v.Doubt != nil && v.Doubt.Code == "last-words" && v.Confidence != Medium {
				t.Errorf("last words at %s", v.Confidence)
			}
		})
	}
}
