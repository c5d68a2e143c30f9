package verdict

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/traceback"
)

const (
	suspended = " The system detects that your training job may be suspended. Go to the job details page to view the cause and handle the issue."
	dump      = `Process 181: python -u train.py
Python v3.10.14 (/usr/bin/python3.10)

Thread 181 (idle): "MainThread"
    wait (threading.py:320)
    get (queue.py:171)
    next_batch (news/reader.py:88)
    train (train.py:140)
`
)

// stopped is the log of two ranks whose steps stop at ten past ten while the
// platform's lines go on.
func stopped(steps1 int, after ...string) string {
	var b strings.Builder
	b.WriteString(`time="2026-03-01T10:00:00+08:00" level=info msg="start the periodic upload task" Command=obs/upload Component=ma-training-toolkit Platform=ModelArts-Service` + "\n")
	for i := range 11 {
		fmt.Fprintf(&b, "2026-03-01 10:%02d:00,000 rank 0 step %d loss 1.0\n", i, 10*i)
		if i <= steps1 {
			fmt.Fprintf(&b, "2026-03-01 10:%02d:00,100 rank 1 step %d loss 1.0\n", i, 10*i)
		}
	}
	for _, l := range after {
		b.WriteString(l + "\n")
	}
	return b.String()
}

// TestStall: a job that runs on without steps hangs; what the steps and the
// stacks show is said, and three sources that agree are sure.
func TestStall(t *testing.T) {
	const upload = `time="2026-03-01T10:55:00+08:00" level=info msg="auth file has been updated" file="authentication.go:105" Command=obs/upload Component=ma-training-toolkit Platform=ModelArts-Service`
	running := modelarts.Job{Phase: modelarts.PhaseRunning}
	event := []string{"2026-03-01T10:50:00+08:00" + suspended}
	talk := strings.Split(strings.Repeat("2026-03-01 10:40:00,000 validating\n", 12), "\n")
	for _, tt := range []struct {
		name       string
		in         situation
		cause      string
		confidence Confidence
		finding    string
		behind     string
	}{
		{"steps, event and stacks", situation{job: running, events: event, logs: map[string]string{"worker-0.log": stopped(10, upload) + dump}}, hang, High, "stalled", ""},
		{"steps and event", situation{job: running, events: event, logs: map[string]string{"worker-0.log": stopped(10, upload)}}, hang, Medium, "stalled", ""},
		{"steps alone", situation{job: running, logs: map[string]string{"worker-0.log": stopped(10, upload)}}, hang, Medium, "stalled", ""},
		{"one rank stopped before", situation{job: running, logs: map[string]string{"worker-0.log": stopped(6, upload)}}, hang, Medium, "stalled", "1"},
		{"the job talks on", situation{job: running, logs: map[string]string{"worker-0.log": stopped(10, append(talk, upload)...)}}, None, High, "", ""},
		{"the log was read at once", situation{job: running, logs: map[string]string{"worker-0.log": stopped(10)}}, None, High, "", ""},
		{"the job ended", situation{job: modelarts.Job{Phase: modelarts.PhaseCompleted}, logs: map[string]string{"worker-0.log": stopped(10, upload)}}, None, High, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := verdictOn(t, tt.in)
			if v.Cause != tt.cause || v.Confidence != tt.confidence {
				t.Errorf("%s (%s), want %s (%s)", v.Cause, v.Confidence, tt.cause, tt.confidence)
			}
			i := slices.IndexFunc(v.Findings, func(r Reason) bool { return r.Code == "stalled" })
			if (i >= 0) != (tt.finding == "stalled") {
				t.Fatalf("the findings are %v", v.Findings)
			}
			if i < 0 {
				return
			}
			args := v.Findings[i].Args
			if args["since"] != "2026-03-01 10:10:00" || args["behind"] != tt.behind {
				t.Errorf("the stop is told as %v", args)
			}
			if !slices.ContainsFunc(v.Evidence, func(q scan.Quote) bool { return strings.Contains(q.Text, "step 100") }) {
				t.Errorf("the last step is not among the evidence %v", v.Evidence)
			}
		})
	}
}

// TestStacksAreQuoted: a stack is told by the innermost frame of the job's code.
func TestStacksAreQuoted(t *testing.T) {
	v := verdictOn(t, situation{events: []string{"2026-03-01T10:50:00+08:00" + suspended}, logs: map[string]string{"worker-0.log": dump}})
	i := slices.IndexFunc(v.Findings, func(r Reason) bool { return r.Code == "stands" })
	if i < 0 || v.Findings[i].Args["func"] != "next_batch" || v.Findings[i].Args["thread"] != "MainThread" {
		t.Fatalf("the findings are %v", v.Findings)
	}
	if !slices.ContainsFunc(v.Evidence, func(q scan.Quote) bool {
		return strings.Contains(q.Text, "next_batch (news/reader.py:88)") && q.SHA256() != ""
	}) {
		t.Errorf("the frame is not among the evidence %v", v.Evidence)
	}
}

// TestWordsAndStacks: of a job that somebody calls stuck, the stacks are shown
// before the words.
func TestWordsAndStacks(t *testing.T) {
	v := verdictOn(t, situation{logs: map[string]string{"ticket.md": "Hello,\n\nthe job is stuck since noon.\n\n```\n" + dump + "```\n"}})
	if v.Cause != hang || len(v.Evidence) < 2 || !strings.Contains(v.Evidence[0].Text, "reader.py") || !strings.Contains(v.Evidence[1].Text+v.Evidence[len(v.Evidence)-1].Text, "stuck") {
		t.Errorf("%s by %v", v.Cause, v.Evidence)
	}
	v = verdictOn(t, situation{logs: map[string]string{"ticket.md": "Hello,\n\nmy job died, I believe of CUDA out of memory. Tried to allocate 2.26 GiB.\n\n```\n" + dump + "```\n"}})
	if v.Cause != "device-oom" || !strings.Contains(first(v), "CUDA out of memory") || len(v.Findings) > 0 {
		t.Errorf("of a job that does not hang: %s by %v, %v", v.Cause, v.Evidence, v.Findings)
	}
}

// TestStalled: steps stand still when none came for ten minutes and ten usual
// distances, in a log that says nothing else of the job.
func TestStalled(t *testing.T) {
	start := clockTime(t, "10:00:00")
	of := func(name string, every time.Duration, steps int, quiet time.Duration) *scan.Stream {
		s := stream(log(name), -1)
		for i := range steps {
			s.Progress = append(s.Progress, scan.Mark{Seq: i, Step: int64(i), Time: start.Add(time.Duration(i) * every), Rank: -1})
		}
		s.End = start.Add(time.Duration(steps-1)*every + quiet)
		s.Step = &scan.Quote{Doc: s.Doc, Number: steps}
		return s
	}
	with := func(s *scan.Stream, change func(*scan.Stream)) *scan.Stream { change(s); return s }
	for _, tt := range []struct {
		name    string
		streams []*scan.Stream
		since   time.Time // zero when they go on
		step    int64
	}{
		{"ten minutes", []*scan.Stream{of("a", time.Second, 3, stallAtLeast)}, start.Add(2 * time.Second), 2},
		{"two steps", []*scan.Stream{of("a", time.Second, 2, stallAtLeast)}, start.Add(time.Second), 1},
		{"less than ten minutes", []*scan.Stream{of("a", time.Second, 3, stallAtLeast-1)}, time.Time{}, 0},
		{"less than ten usual distances", []*scan.Stream{of("a", 2*time.Minute, 3, 20*time.Minute-1)}, time.Time{}, 0},
		{"ten usual distances", []*scan.Stream{of("a", 2*time.Minute, 3, 20*time.Minute)}, start.Add(4 * time.Minute), 2},
		{"one step", []*scan.Stream{of("a", time.Second, 1, time.Hour)}, time.Time{}, 0},
		{"some lines since", []*scan.Stream{with(of("a", time.Second, 3, time.Hour), func(s *scan.Stream) { s.Since = stallLines })}, start.Add(2 * time.Second), 2},
		{"more lines since", []*scan.Stream{with(of("a", time.Second, 3, time.Hour), func(s *scan.Stream) { s.Since = stallLines + 1 })}, time.Time{}, 0},
		{"no end", []*scan.Stream{with(of("a", time.Second, 3, time.Hour), func(s *scan.Stream) { s.End = time.Time{} })}, time.Time{}, 0},
		{"a step without a time", []*scan.Stream{with(of("a", time.Second, 3, time.Hour), func(s *scan.Stream) { s.Progress[2].Time = time.Time{} })}, time.Time{}, 0},
		{"a step without a time, by moments", []*scan.Stream{with(of("a", time.Second, 3, time.Hour), func(s *scan.Stream) { s.Progress[2].Time, s.EndZoned = time.Time{}, true })}, time.Time{}, 0},
		{"an end by another clock", []*scan.Stream{with(of("a", time.Second, 3, time.Hour), func(s *scan.Stream) { s.EndZoned = true })}, time.Time{}, 0},
		{"the last of two logs", []*scan.Stream{of("a", time.Second, 5, time.Hour), of("b", time.Second, 3, time.Hour)}, start.Add(4 * time.Second), 4},
		{"the last of two logs, the other way", []*scan.Stream{of("b", time.Second, 3, time.Hour), of("a", time.Second, 5, time.Hour)}, start.Add(4 * time.Second), 4},
		{"one of two logs goes on", []*scan.Stream{of("a", time.Second, 3, time.Hour), of("b", time.Second, 3, time.Second)}, time.Time{}, 0},
		{"a log without steps beside", []*scan.Stream{stream(log("b"), -1), of("a", time.Second, 3, time.Hour)}, start.Add(2 * time.Second), 2},
	} {
		s := judgeOn(tt.streams).stalled()
		if (s != nil) != !tt.since.IsZero() || s != nil && (!s.since.Equal(tt.since) || s.step != tt.step || s.rows[0].Number != int(tt.step)+1) {
			t.Errorf("%s: %+v, want since %v at step %d", tt.name, s, tt.since, tt.step)
		}
	}
}

// TestUsual: a usual distance is the middle one of those that are known.
func TestUsual(t *testing.T) {
	start := clockTime(t, "10:00:00")
	for _, tt := range []struct {
		name  string
		at    []int // seconds
		usual time.Duration
	}{
		{"one mark", []int{0}, 0},
		{"two", []int{0, 7}, 7 * time.Second},
		{"a pause among them", []int{0, 1, 2, 500, 501}, time.Second},
		{"marks of one moment", []int{0, 0, 0, 0, 7}, 7 * time.Second},
	} {
		var ms []scan.Mark
		for _, s := range tt.at {
			ms = append(ms, scan.Mark{Time: start.Add(time.Duration(s) * time.Second)})
		}
		if got := usual(ms); got != tt.usual {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.usual)
		}
	}
}

// TestStalledRanks: ranks are behind that would have printed one more step.
func TestStalledRanks(t *testing.T) {
	steps := func(steps ...int64) []scan.Mark {
		var all []scan.Mark
		for _, s := range steps {
			all = append(all, scan.Mark{Step: s})
		}
		return all
	}
	for _, tt := range []struct {
		name  string
		marks map[int][]scan.Mark
		step  int64 // of the last mark
		args  map[string]string
	}{
		{"no ranks", map[int][]scan.Mark{-1: steps(0, 10)}, 10, map[string]string{"step": "10"}},
		{"one rank", map[int][]scan.Mark{0: steps(0, 10)}, 10, map[string]string{"step": "10"}},
		{"both ranks", map[int][]scan.Mark{0: steps(0, 10), 1: steps(0, 10)}, 10, map[string]string{"all": "10", "count": "2"}},
		{"one behind", map[int][]scan.Mark{0: steps(0, 10, 20), 1: steps(0, 10)}, 10, map[string]string{"step": "20", "behind": "1", "low": "10"}},
		{"two behind", map[int][]scan.Mark{0: steps(0, 10, 20, 30), 1: steps(0, 10), 2: steps(0, 10, 20)}, 30, map[string]string{"step": "30", "behind": "1, 2", "low": "10"}},
		{"one that prints seldom", map[int][]scan.Mark{0: steps(0, 10, 20, 30), 1: steps(0, 16)}, 30, map[string]string{"all": "30", "count": "2"}},
		{"one that printed once", map[int][]scan.Mark{0: steps(0, 10, 20), 1: steps(0)}, 20, map[string]string{"all": "20", "count": "2"}},
		{"step 0", map[int][]scan.Mark{0: steps(0)}, 0, map[string]string{"step": "0"}},
		{"marks without numbers", map[int][]scan.Mark{0: steps(-1, -1), 1: steps(-1, -1)}, -1, map[string]string{}},
	} {
		s := &stall{since: clockTime(t, "10:00:00"), gap: 61 * time.Minute, step: tt.step}
		s.compare(tt.marks)
		got := s.finding()
		tt.args["since"], tt.args["minutes"] = "2026-03-01 10:00:00", "61"
		if !maps.Equal(got.Args, tt.args) {
			t.Errorf("%s: %v, want %v", tt.name, got.Args, tt.args)
		}
	}
}

// TestWatched: somebody took stacks of a process from outside, and no step followed.
func TestWatched(t *testing.T) {
	s, other, bare := stream(log("a.log"), -1), stream(log("b.log"), -1), stream(log("c.log"), -1)
	s.Progress, other.Progress = marks(-1, 0, 1, 10), marks(-1, 0, 99)
	of := func(s *scan.Stream, seq int, live bool) *scan.Stack {
		return &scan.Stack{Stream: s, Seq: seq, Stack: traceback.Stack{Live: live}}
	}
	for _, tt := range []struct {
		name    string
		stacks  []*scan.Stack
		watched bool
	}{
		{"none", nil, false},
		{"after the last step", []*scan.Stack{of(s, 11, true)}, true},
		{"on the line of the last step", []*scan.Stack{of(s, 10, true)}, true},
		{"before the last step", []*scan.Stack{of(s, 9, true)}, false},
		{"of a program that died", []*scan.Stack{of(s, 11, false)}, false},
		{"of a program without steps", []*scan.Stack{of(bare, 11, true)}, true},
	} {
		j := judgeOn([]*scan.Stream{s, other, bare})
		j.c.Found.Stacks = tt.stacks
		if got := j.watched(); got != tt.watched {
			t.Errorf("%s: watched is %v", tt.name, got)
		}
	}
}

// TestStands: of a dump those threads are told that stand in the job's own code,
// the main one first, up to two.
func TestStands(t *testing.T) {
	d := log("a.log")
	own := []traceback.Frame{{Func: "wait", File: "threading.py"}, {Func: "load", File: "train.py", Line: 8, User: true}, {Func: "main", File: "train.py", Line: 9, User: true}}
	of := func(thread string, current bool, rank int, frames []traceback.Frame) *scan.Stack {
		return &scan.Stack{Stream: stream(d, rank), Stack: traceback.Stack{Thread: thread, Current: current, Frames: frames}, Top: scan.Quote{Doc: d, Number: len(thread)}, Quote: scan.Quote{Doc: d, Number: 99}}
	}
	notHeld := of("1", true, -1, own)
	notHeld.Top = scan.Quote{}
	for _, tt := range []struct {
		name   string
		stacks []*scan.Stack
		told   []string // "thread rank" of each
		lines  []int
	}{
		{"the main thread first", []*scan.Stack{of("22", false, 3, own), of("MainThread", false, 0, own)}, []string{"MainThread 0", "22 3"}, []int{10, 2}},
		{"the current thread first", []*scan.Stack{of("22", false, -1, own), of("333", true, -1, own)}, []string{"333 ", "22 "}, []int{3, 2}},
		{"in the innermost frame", []*scan.Stack{of("22", false, -1, own[1:])}, []string{"22 "}, []int{2}},
		{"up to two", []*scan.Stack{of("22", false, -1, own), of("333", false, -1, own), of("4444", false, -1, own)}, []string{"22 ", "333 "}, []int{2, 3}},
		{"an address is no name", []*scan.Stack{of("0x7f", false, -1, own)}, []string{" "}, []int{4}},
		{"not in the job's own code", []*scan.Stack{of("22", false, -1, own[:1])}, nil, []int{99}},
		{"beside one that is not", []*scan.Stack{of("22", true, -1, own[:1]), of("333", false, -1, own)}, []string{"333 "}, []int{3}},
		{"whose line is not held", []*scan.Stack{notHeld}, nil, []int{99}},
		{"none", nil, nil, nil},
	} {
		j := judgeOn(nil)
		j.c.Found.Stacks = tt.stacks
		var v Verdict
		j.still(&v)
		var told []string
		for _, f := range v.Findings {
			told = append(told, f.Args["thread"]+" "+f.Args["rank"])
			if f.Code != "stands" || f.Args["func"] != "load" || f.Args["line"] != "8" {
				t.Errorf("%s: %v", tt.name, f)
			}
		}
		var lines []int
		for _, q := range v.Evidence {
			lines = append(lines, q.Number)
		}
		if !slices.Equal(told, tt.told) || !slices.Equal(lines, tt.lines) {
			t.Errorf("%s: told %q by %v, want %q by %v", tt.name, told, lines, tt.told, tt.lines)
		}
	}
}
