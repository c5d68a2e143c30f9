package verdict

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/scan"
)

// series makes a metric of values.
func series(task, name string, values ...float64) modelarts.Metric {
	return modelarts.Metric{Task: task, Name: name, Values: values}
}

// minutes repeats a value.
func minutes(n int, v float64) []float64 { return slices.Repeat([]float64{v}, n) }

func findingsOf(v Verdict) (codes []string) {
	for _, f := range v.Findings {
		codes = append(codes, f.Code)
	}
	return codes
}

// TestMemoryOfTheKilled: a kill that nobody explains is taken for the end of a
// memory that had filled up; surely so where the events tell of no stop. Memory
// that was always full, or that another task filled, explains nothing.
func TestMemoryOfTheKilled(t *testing.T) {
	const killed = "[Modelarts Service Log]Training end with return code: 137"
	const workerKilled = "RuntimeError: DataLoader worker (pid 4711) is killed by signal: Killed."
	filling, full, low := series("", "memUsage", -1, 20, 60, 92, 99.4), series("", "memUsage", 97, 98, 99), series("", "memUsage", 20, 33, 31)
	events := []string{"2026-03-01T10:00:00+08:00 The training job is created."}
	for _, c := range []struct {
		name       string
		metrics    []modelarts.Metric
		log        string
		events     []string
		phase      modelarts.Phase
		cause      string
		confidence Confidence
		finding    string
	}{
		{"filled up", []modelarts.Metric{filling}, killed, nil, "", "host-oom", Medium, "memory-full"},
		{"filled up, by the older name", []modelarts.Metric{series("", "mem", filling.Values...)}, killed, nil, "", "host-oom", Medium, "memory-full"},
		{"filled up, and the last sample is of the empty container", []modelarts.Metric{series("", "memUsage", -1, 20, 60, 92, 99.4, 2, -1)}, killed, nil, "", "host-oom", Medium, "memory-full"},
		{"filled up, and the events tell of no stop", []modelarts.Metric{filling}, killed, events, "", "host-oom", High, "memory-full"},
		{"filled up, and somebody stopped it", []modelarts.Metric{filling}, killed, append(events, "2026-03-01T10:00:10+08:00"+stoppedEvent), "", "stopped-by-user", High, ""},
		{"filled up, of a job that was ended from outside", []modelarts.Metric{filling}, killed, nil, modelarts.PhaseTerminated, "killed", Medium, "memory-full"},
		{"filled up, of a job that was ended from outside, and the events tell of no stop", []modelarts.Metric{filling}, killed, events, modelarts.PhaseTerminated, "killed", Medium, "memory-full"},
		{"filled up, and the kernel tells of it while the job runs", []modelarts.Metric{filling}, "[ 8127.1] Out of memory: Killed process 4711 (python) total-vm:9000kB, anon-rss:8000kB", events, modelarts.PhaseRunning, "host-oom", Medium, "memory-full"},
		{"a worker of the loader was killed", nil, raised(workerKilled), nil, modelarts.PhaseFailed, "host-oom", Medium, ""},
		{"filled up, and a worker of the loader was killed", []modelarts.Metric{filling}, raised(workerKilled), nil, modelarts.PhaseFailed, "host-oom", High, "memory-full"},
		{"filled up, as a shell tells of the kill", []modelarts.Metric{filling}, "run.sh: line 9:  4711 Killed                  python train.py", nil, "", "host-oom", Medium, "memory-full"},
		{"always full", []modelarts.Metric{full}, killed, nil, "", "killed", Medium, ""},
		{"much left", []modelarts.Metric{low}, killed, nil, "", "killed", Medium, "memory-low"},
		{"full for a while", []modelarts.Metric{series("", "memUsage", 20, 99, 40, 40, 40, 40)}, killed, nil, "", "killed", Medium, ""},
		{"another task filled up", []modelarts.Metric{series("worker-1", "memUsage", filling.Values...), series("worker-0", "memUsage", low.Values...)}, killed, nil, "", "killed", Medium, "memory-low"},
		{"no samples", []modelarts.Metric{series("", "memUsage", -1, -1)}, killed, nil, "", "killed", Medium, ""},
		{"filled up, and an exception", []modelarts.Metric{filling}, lines(raised("KeyError: 'label'"), killed), nil, "", "key-error", High, ""},
	} {
		v := verdictOn(t, situation{job: modelarts.Job{Metrics: c.metrics, Phase: c.phase}, logs: map[string]string{"worker-0.log": c.log}, events: c.events})
		found := findingsOf(v)
		if v.Cause != c.cause || v.Confidence != c.confidence || (c.finding == "") != (len(found) == 0) || c.finding != "" && found[0] != c.finding {
			t.Errorf("%s: %s/%s %v, want %s/%s %q", c.name, v.Cause, v.Confidence, found, c.cause, c.confidence, c.finding)
		}
		if near := v.Doubt != nil && v.Doubt.Code == "memory-near-full"; near != (v.Cause == "host-oom" && v.Confidence == Medium && c.finding != "" && c.phase != modelarts.PhaseRunning) {
			t.Errorf("%s: the doubt is %v", c.name, v.Doubt)
		}
		if v.Rule == nil {
			t.Errorf("%s: the verdict has no rule", c.name)
		}
	}
}

// TestIdleDevices: a job that runs while all of its devices have had nothing to do
// for long most likely hangs, unless a step came later, or they never had any.
func TestIdleDevices(t *testing.T) {
	busy := append(minutes(10, 80), minutes(40, 0)...)
	start := time.Date(2026, 3, 1, 2, 0, 0, 0, time.UTC) // 10:00 on the wall clock of the log
	const early, late = "2026-03-01 10:09:00,000 step 9 loss 1.0\n2026-03-01 10:10:00,000 step 10 loss 1.0\n", "2026-03-01 10:40:00,000 step 40 loss 1.0\n"
	for _, c := range []struct {
		name    string
		metrics []modelarts.Metric
		log     string
		phase   modelarts.Phase
		cause   string
	}{
		{"at rest", []modelarts.Metric{series("", "npuUtil", busy...)}, early, modelarts.PhaseRunning, "hang"},
		{"at rest, one of two", []modelarts.Metric{series("worker-0", "npuUtil", busy...), series("worker-1", "npuUtil", minutes(50, 80)...)}, early, modelarts.PhaseRunning, "none"},
		{"at rest for a while", []modelarts.Metric{series("", "npuUtil", append(minutes(10, 80), minutes(20, 0)...)...)}, early, modelarts.PhaseRunning, "none"},
		{"a step since", []modelarts.Metric{series("", "npuUtil", busy...)}, early + late, modelarts.PhaseRunning, "none"},
		{"never at work", []modelarts.Metric{series("", "npuUtil", minutes(50, 0)...)}, early, modelarts.PhaseRunning, "none"},
		{"a CPU at rest", []modelarts.Metric{series("", "cpuUsage", busy...)}, early, modelarts.PhaseRunning, "none"},
		{"ended", []modelarts.Metric{series("", "npuUtil", busy...)}, early, modelarts.PhaseCompleted, "none"},
	} {
		v := verdictOn(t, situation{job: modelarts.Job{Metrics: c.metrics, Phase: c.phase, Started: start}, logs: map[string]string{"worker-0.log": c.log}})
		if v.Cause != c.cause || c.cause == hang && (v.Confidence != Medium || !slices.Contains(findingsOf(v), "idle")) {
			t.Errorf("%s: %s/%s %v, want %s", c.name, v.Cause, v.Confidence, findingsOf(v), c.cause)
		}
		if c.cause != hang {
			continue
		}
		var steps strings.Builder
		for m := range 11 {
			fmt.Fprintf(&steps, "2026-03-01 10:%02d:00,000 step %d loss 1.0\n", m, m)
		}
		steps.WriteString("2026-03-01 10:40:00,000 memory in use 12 GiB\n")
		told := verdictOn(t, situation{job: modelarts.Job{Metrics: c.metrics, Phase: c.phase, Started: start}, logs: map[string]string{"worker-0.log": steps.String()},
			events: []string{"2026-03-01T10:45:00+08:00 The system detects that your training job may be suspended."}})
		if told.Cause != hang || told.Confidence != High || !slices.Contains(findingsOf(told), "idle") || !strings.Contains(first(told), "may be suspended") {
			t.Errorf("%s, and the platform tells of it: %s/%s %v", c.name, told.Cause, told.Confidence, told.Doubt)
		}
	}
}

// TestRestingTask: of tasks that wait for one another the only one whose devices
// rest is pointed at.
func TestRestingTask(t *testing.T) {
	const timeout = "[rank%s]:[E ProcessGroupNCCL.cpp:616] [Rank %s] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=9, OpType=ALLREDUCE, Timeout(ms)=600000) ran for 600044 milliseconds before timing out.\n"
	work, rest := minutes(30, 99), append(minutes(20, 99), minutes(10, 0)...)
	for _, c := range []struct {
		name    string
		metrics []modelarts.Metric
		is      bool
	}{
		{"one of two", []modelarts.Metric{series("worker-0", "gpuUtil", work...), series("worker-1", "gpuUtil", rest...)}, true},
		{"both", []modelarts.Metric{series("worker-0", "gpuUtil", rest...), series("worker-1", "gpuUtil", rest...)}, false},
		{"none", []modelarts.Metric{series("worker-0", "gpuUtil", work...), series("worker-1", "gpuUtil", work...)}, false},
		{"one at hand", []modelarts.Metric{series("worker-1", "gpuUtil", rest...)}, false},
	} {
		for i := range c.metrics {
			c.metrics[i].At.Source = "worker-0.log"
		}
		v := verdictOn(t, situation{job: modelarts.Job{Metrics: c.metrics}, logs: map[string]string{"worker-0.log": "2026-03-01 10:00:00,000 step 1 loss 1.0\n" + timeout}})
		if shown := slices.ContainsFunc(v.Evidence, func(q scan.Quote) bool { return q.Text == "0" }); shown != c.is {
			t.Errorf("%s: the evidence is %q", c.name, texts(v))
		}
		if got := slices.Contains(findingsOf(v), "resting-task"); got != c.is || !waitCauses[v.Cause] {
			t.Errorf("%s: %s %v, want the finding: %v", c.name, v.Cause, findingsOf(v), c.is)
		}
	}
}

func TestKindOfMetric(t *testing.T) {
	for name, want := range map[string]string{"memUsage": "mem", "mem": "mem", "gpuUtil": "gpu", "gpu": "gpu", "npu_util": "npu", "gpuMemUsage": "gpumem", "NPUUtil": "npu", "cpuUsage": "cpu"} {
		if got := kindOfMetric(name); got != want {
			t.Errorf("%s is of kind %q, want %q", name, got, want)
		}
	}
}
