package verdict

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// What ShowTrainingJobMetrics tells: percentages, a sample a minute, each the
// average of its minute, from the start of the job; below zero there was none.

// The kinds of metrics, as their names are with "usage" and "util" left out.
const (
	hostMemory = "mem"
	gpu        = "gpu"
	npu        = "npu"
)

// The measures by which samples count.
const (
	nearFull  = 95.0 // memory that is nearly used up, in percent
	wellBelow = 80.0 // memory of which much is left all the time
	atRest    = 1.0
	atWork    = 5.0
	lastFew   = 3  // samples before the end: the one of its own minute may show an empty container
	longIdle  = 30 // minutes
	fewBusy   = 3  // samples at work that show that a device was used at all
)

// kindOfMetric gives the kind in any spelling: memUsage, "mem", GPUUtil.
func kindOfMetric(name string) string {
	name = strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(name))
	for _, suffix := range []string{"usage", "util", "utilization"} {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}

// metricOf gives the series of a kind for a task, nil where there is none. One of
// no task is that of the only task.
func (j *judge) metricOf(task, kind string) *modelarts.Metric {
	var only *modelarts.Metric
	n := 0
	for i := range j.c.Job.Metrics {
		m := &j.c.Job.Metrics[i]
		if kindOfMetric(m.Name) != kind || !slices.ContainsFunc(m.Values, func(v float64) bool { return v >= 0 }) {
			continue
		}
		of := j.taskOfMetric(m)
		if of == task && task != "" {
			return m
		}
		n++
		if of == "" || task == "" {
			only = m
		}
	}
	if n == 1 && j.c.Tasks() <= 1 {
		return only
	}
	return nil
}

// taskOfMetric gives the task that a series is of, as its answer or the name of
// its file tells, "" when neither does.
func (j *judge) taskOfMetric(m *modelarts.Metric) string {
	if m.Task != "" {
		return m.Task
	}
	if d := j.document(m.At.Source); d != nil {
		return d.Task
	}
	return ""
}

func (j *judge) document(name string) *source.Document {
	i := slices.IndexFunc(j.c.Documents, func(d *source.Document) bool { return d.Name == name })
	if i < 0 {
		return nil
	}
	return j.c.Documents[i]
}

// sample quotes one value of a series. Its document is not known where the answer
// was one among many that a file holds.
func (j *judge) sample(m *modelarts.Metric, i int) scan.Quote {
	return scan.Quote{Doc: j.document(m.At.Source), Number: 1, Field: m.Field(i), Offset: -1, Length: len(m.Text(i)),
		Raw: m.Text(i), Text: m.Text(i), Kind: source.Event, Rank: -1, Task: j.taskOfMetric(m)}
}

// peak is the highest of some samples.
type peak struct {
	m     *modelarts.Metric
	at    int
	value float64
}

// highest gives the peak of the last n samples of a series, of all with n = 0.
func highest(m *modelarts.Metric, n int) peak {
	p := peak{m: m, value: -1}
	seen := 0
	for i := len(m.Values) - 1; i >= 0 && (n == 0 || seen < n); i-- {
		if m.Values[i] < 0 {
			continue
		}
		if seen++; m.Values[i] > p.value {
			p.at, p.value = i, m.Values[i]
		}
	}
	return p
}

// memory is what samples tell of the memory of a task.
type memory struct {
	peak
	full bool // in its last minutes, having had much left before; else much was left all the time
}

// memoryOf gives what the samples of a task's memory tell, nil where there are none
// or they tell nothing.
func (j *judge) memoryOf(task string) *memory {
	m := j.metricOf(task, hostMemory)
	if m == nil {
		return nil
	}
	p := highest(m, lastFew)
	rose := slices.ContainsFunc(m.Values[:p.at], func(v float64) bool { return 0 <= v && v < wellBelow })
	if p.value >= nearFull && rose {
		return &memory{p, true}
	}
	if p = highest(m, 0); p.value < wellBelow {
		return &memory{p, false}
	}
	return nil
}

// endsOfMemory are the causes that a full memory explains.
var endsOfMemory = map[string]bool{"killed": true, "host-oom": true}

// weighMemory takes a kill that nobody explains for the end of a memory that was
// nearly used up. Memory of which much was left tells something of a kill alone that
// only the end of its process shows.
func (j *judge) weighMemory(v *Verdict, root *candidate) {
	if !endsOfMemory[root.cause] {
		return
	}
	m := j.memoryOf(taskOf(root.event))
	if m == nil || !m.full && root.tier != exit {
		return
	}
	j.memory = m
	if m.full && root.cause == "killed" && root.tier == exit && j.c.Job.Phase != modelarts.PhaseTerminated {
		root.cause = "host-oom" // the texts of its rule speak of a kill, which it is
		root.print = fingerprint(root, j.c.normalize)
		v.Sentence = &Reason{Code: "killed-memory-full"}
	}
}

// tellMemory adds what the samples of memory show.
func (j *judge) tellMemory(v *Verdict) {
	m := j.memory
	if m == nil {
		return
	}
	code := "memory-low"
	if m.full {
		code = "memory-full"
	}
	v.Findings = append(v.Findings, Reason{code, map[string]string{"value": m.m.Text(m.at), "minute": strconv.Itoa(m.at)}})
	v.Evidence = addQuotes(v.Evidence, j.sample(m.m, m.at))
}

// idleness is how long a device of a task has had nothing to do.
type idleness struct {
	m       *modelarts.Metric
	from    int // the first sample at rest
	minutes int
}

// idleOf gives the rest at the end of a series of a device that had been at work;
// nil when it was not, or is at work to the end.
func idleOf(m *modelarts.Metric) *idleness {
	end := len(m.Values)
	for end > 0 && m.Values[end-1] < 0 {
		end--
	}
	from := end
	for from > 0 && m.Values[from-1] < atRest {
		from--
	}
	busy := 0
	for _, v := range m.Values[:from] {
		if v >= atWork {
			busy++
		}
	}
	if from == end || busy < fewBusy {
		return nil
	}
	return &idleness{m, from, end - from}
}

// idle gives the shortest rest of the devices of a job, all of which have had
// nothing to do for long; nil when one of them was at work.
func (j *judge) idle() *idleness {
	var least *idleness
	for i := range j.c.Job.Metrics {
		m := &j.c.Job.Metrics[i]
		if k := kindOfMetric(m.Name); k != gpu && k != npu || highest(m, 0).value < atWork {
			continue
		}
		r := idleOf(m)
		if r == nil || r.minutes < longIdle {
			return nil
		}
		if least == nil || r.minutes < least.minutes {
			least = r
		}
	}
	if least == nil || j.steppedSince(least) {
		return nil
	}
	return least
}

// steppedSince reports whether a log shows a step after a device had come to rest:
// the samples are older than the log then, or of something else.
func (j *judge) steppedSince(r *idleness) bool {
	start := j.c.Job.Started
	if start.IsZero() {
		return false
	}
	rest := start.Add(time.Duration(r.from) * time.Minute)
	return slices.ContainsFunc(j.c.Found.Streams, func(s *scan.Stream) bool {
		n := len(s.Progress)
		if n == 0 {
			return false
		}
		at, plain := j.clock.of(s, s.Progress[n-1].Time, s.Progress[n-1].Zoned)
		if at.IsZero() {
			return false
		}
		if plain {
			at = at.Add(-serviceZone)
		}
		return at.Sub(rest) > atOnce
	})
}

// tellIdle says how long the devices have had nothing to do.
func (j *judge) tellIdle(v *Verdict, r *idleness) {
	v.Findings = append(v.Findings, Reason{"idle", map[string]string{"metric": r.m.Name, "from": strconv.Itoa(r.from), "minutes": strconv.Itoa(r.minutes)}})
	v.Evidence = addQuotes(v.Evidence, j.sample(r.m, r.from))
}

// restingTask gives, where tasks wait for one another, the only one whose devices
// were at rest at the end while those of the others were at work: who waits for a
// peer on the device keeps it at work.
func (j *judge) restingTask() *idleness {
	var resting *idleness
	working, tasks := 0, map[string]bool{}
	for i := range j.c.Job.Metrics {
		m := &j.c.Job.Metrics[i]
		task := j.taskOfMetric(m)
		if k := kindOfMetric(m.Name); k != gpu && k != npu || task == "" || highest(m, 0).value < atWork {
			continue
		}
		if r := idleOf(m); r != nil && r.minutes >= lastFew {
			if resting != nil {
				return nil
			}
			resting = r
		} else if highest(m, lastFew).value >= atWork {
			working++
		}
		tasks[task] = true
	}
	if working == 0 || len(tasks) != working+1 {
		return nil
	}
	return resting
}
