package verdict

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// ncclWait is what the watchdog of a rank prints.
func ncclWait(rank int, seq, enqueued int64, op, group string) string {
	return fmt.Sprintf(`[rank%[1]d]:[E301 10:10:0%[6]d.100000000 ProcessGroupNCCL.cpp:616] [PG 0 (%[5]s) Rank %[1]d] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=%[2]d, OpType=%[4]s, NumelIn=8, NumelOut=8, Timeout(ms)=600000) ran for 600041 milliseconds before timing out.
[rank%[1]d]:[E301 10:10:0%[6]d.200000000 ProcessGroupNCCL.cpp:1664] [PG 0 (%[5]s) Rank %[1]d] Exception (either an error or timeout) detected by watchdog at work: %[2]d, last enqueued NCCL work: %[3]d, last completed NCCL work: 7.
`, rank, seq, enqueued, op, group, rank%10)
}

// notifyWait is what CANN prints on a rank that waits for another.
func notifyWait(rank int, remote string) string {
	return fmt.Sprintf("EI0002: [PID: %d] 2026-03-01-10:30:0%d.650.409 The wait execution of the Notify register times out. Reason: The Notify register has not received the Notify record from remote rank: [%s].\n", 3000+rank, rank, remote)
}

// TestAwaited: what the reports of the ranks say together about the one that
// they wait for.
func TestAwaited(t *testing.T) {
	steps := func(rank int) string {
		return fmt.Sprintf("2026-03-01 10:00:00,000 rank %d step 10 loss 1.0\n2026-03-01 10:00:05,000 rank %d opening shard\n", rank, rank)
	}
	for _, tt := range []struct {
		name   string
		logs   map[string]string
		basis  string
		silent []string
		words  string // of the awaited rank, in the evidence
	}{
		{"the rank that says nothing", map[string]string{
			"rank_0.log": steps(0) + ncclWait(0, 8, 8, "ALLREDUCE", "default_pg"),
			"rank_1.log": steps(1),
			"rank_2.log": steps(2) + ncclWait(2, 8, 8, "ALLREDUCE", "default_pg"),
		}, "silent-ranks", []string{"1"}, "rank 1 opening shard"},
		{"the rank that had issued less", map[string]string{
			"rank_0.log": steps(0) + ncclWait(0, 8, 12, "ALLREDUCE", "default_pg"),
			"rank_1.log": steps(1) + ncclWait(1, 8, 9, "ALLREDUCE", "default_pg"),
			"rank_2.log": steps(2) + ncclWait(2, 8, 12, "ALLREDUCE", "default_pg"),
		}, "lagging-ranks", []string{"1"}, "rank 1 opening shard"},
		{"the end of the waits", map[string]string{
			"rank_0.log": steps(0) + notifyWait(0, "1"),
			"rank_1.log": steps(1) + notifyWait(1, "2"),
			"rank_2.log": steps(2) + notifyWait(2, "5"),
			"rank_5.log": steps(5),
		}, "awaited-rank", []string{"5"}, "rank 5 opening shard"},
		{"an end whose log is not at hand", map[string]string{
			"rank_0.log": steps(0) + notifyWait(0, "5"),
			"rank_1.log": steps(1) + notifyWait(1, "0"),
		}, "awaited-rank", []string{"5"}, ""},
		{"waits in a circle tell nothing", map[string]string{
			"rank_0.log": steps(0) + notifyWait(0, "1"),
			"rank_1.log": steps(1) + notifyWait(1, "0"),
		}, "", nil, ""},
		{"an unknown partner tells nothing", map[string]string{
			"rank_0.log": steps(0) + notifyWait(0, "unknown"),
			"rank_1.log": steps(1) + notifyWait(1, "unknown"),
		}, "", nil, ""},
		{"the task that says nothing", map[string]string{
			"worker-0.log": "RuntimeError: Timed out initializing process group in store based barrier on rank: 0, for key: store_based_barrier_key:1 (world_size=4, worker_count=2, timeout=0:30:00)\n",
			"worker-1.log": "2026-03-01 10:00:00 copying 1 of 9 files\n2026-03-01 10:00:09 copying 7 of 9 files\n",
		}, "silent-tasks", nil, "copying 7 of 9 files"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := verdictOn(t, situation{logs: tt.logs})
			basis := ""
			if len(v.Findings) > 0 {
				basis = v.Findings[0].Code
			}
			if basis != tt.basis || !slices.Equal(v.Silent, tt.silent) {
				t.Errorf("the finding is %q on ranks %q, want %q on %q", basis, v.Silent, tt.basis, tt.silent)
			}
			if !slices.ContainsFunc(v.Evidence, func(q scan.Quote) bool { return strings.Contains(q.Text, tt.words) }) {
				t.Errorf("%q is not among the evidence %v", tt.words, v.Evidence)
			}
		})
	}
}

// TestDiffering: ranks that enter different collectives under one number of one
// group prove that no rank is missing.
func TestDiffering(t *testing.T) {
	for _, tt := range []struct {
		name       string
		a, b       string
		sentence   string
		confidence Confidence
	}{
		{"another operation", ncclWait(0, 8, 8, "ALLREDUCE", "default_pg"), ncclWait(1, 8, 8, "_ALLGATHER_BASE", "default_pg"), "different-collectives", High},
		{"another number of elements", ncclWait(0, 8, 8, "ALLREDUCE", "default_pg"), strings.ReplaceAll(ncclWait(1, 8, 8, "ALLREDUCE", "default_pg"), "NumelIn=8", "NumelIn=9"), "different-counts", High},
		{"another group", ncclWait(0, 8, 8, "ALLREDUCE", "default_pg"), ncclWait(1, 8, 8, "_ALLGATHER_BASE", "tensor_parallel"), "", Medium},
		{"another number", ncclWait(0, 8, 8, "ALLREDUCE", "default_pg"), ncclWait(1, 9, 9, "_ALLGATHER_BASE", "default_pg"), "", Medium},
		{"the two ends of a transfer", ncclWait(0, 8, 8, "SEND", "default_pg"), ncclWait(1, 8, 8, "RECV", "default_pg"), "", Medium},
		{"the same", ncclWait(0, 8, 8, "ALLREDUCE", "default_pg"), ncclWait(1, 8, 8, "ALLREDUCE", "default_pg"), "", Medium},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": tt.a, "worker-1.log": tt.b}})
		sentence := ""
		if v.Sentence != nil {
			sentence = v.Sentence.Code
		}
		if v.Cause != "collective-timeout" || sentence != tt.sentence || v.Confidence != tt.confidence {
			t.Errorf("%s: %s %s with the sentence %q, want %s with %q", tt.name, v.Cause, v.Confidence, sentence, tt.confidence, tt.sentence)
		}
	}
}

// TestOneNameOfTwoGroups: ranks of different groups wait in different collectives,
// and have issued different numbers of them, although their groups have one name.
func TestOneNameOfTwoGroups(t *testing.T) {
	in := func(rank, place int, enqueued int64, count string) string {
		lines := ncclWait(rank, 8, enqueued, "ALLREDUCE", "mesh_tp")
		return strings.NewReplacer(fmt.Sprintf(" Rank %d]", rank), fmt.Sprintf(" Rank %d]", place), "NumelIn=8", "NumelIn="+count).Replace(lines)
	}
	for _, tt := range []struct {
		name  string
		ranks []string
		tells string
	}{
		{"two groups", []string{in(0, 0, 9, "64"), in(1, 1, 9, "64"), in(2, 0, 9, "32"), in(3, 1, 9, "32")}, ""},
		{"two groups that have come to different places", []string{in(0, 0, 9, "64"), in(1, 1, 9, "64"), in(2, 2, 9, "64"), in(3, 3, 9, "64"), in(4, 0, 8, "64")}, ""},
		{"one group", []string{in(4, 0, 9, "64"), in(5, 1, 9, "64"), in(6, 2, 9, "32"), in(7, 3, 9, "64")}, "different-counts"},
		{"one group, of which a rank lags", []string{in(4, 0, 9, "64"), in(5, 1, 9, "64"), in(6, 2, 8, "64")}, "lagging-ranks"},
	} {
		logs := map[string]string{}
		for i, lines := range tt.ranks {
			logs[fmt.Sprintf("worker-%d.log", i)] = lines
		}
		v := verdictOn(t, situation{logs: logs})
		tells := ""
		if v.Sentence != nil {
			tells = v.Sentence.Code
		}
		for _, f := range v.Findings {
			if f.Code == "lagging-ranks" {
				tells = f.Code
			}
		}
		if v.Cause != "collective-timeout" || tells != tt.tells || tells == "" && v.Confidence == High {
			t.Errorf("%s: %s %s tells %q, want %q", tt.name, v.Cause, v.Confidence, tells, tt.tells)
		}
	}
}

// TestWaitBeforeItsReturnCode: the return code with which a rank's wait ended is
// no failure of its own.
func TestWaitBeforeItsReturnCode(t *testing.T) {
	v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": lines("2026-03-01 10:00:00,000 step 10 loss 1.0",
		"[rank0]: EI0002: [PID: 3319] 2026-03-01-10:30:04.650.409 The wait execution of the Notify register times out. Reason: The Notify register has not received the Notify record from remote rank: [1].",
		"[rank0]: RuntimeError: ACL stream synchronize failed, error code:507011")}})
	if v.Cause != "collective-timeout" {
		t.Errorf("cause %s, want collective-timeout: 507011 is what the wait came to", v.Cause)
	}
}

// TestWaits: the lines of one rank about one collective are one wait, with all that
// they tell together.
func TestWaits(t *testing.T) {
	told := func(rank int, r *rules.Rule, values ...string) *scan.Event {
		e := found(r, stream(log("a.log"), rank), 1, "")
		for i := 0; i < len(values); i += 2 {
			saying(e, values[i], values[i+1])
		}
		return e
	}
	lost := rule("collective-timeout", rules.Ambiguous)
	of := func(w *wait) string {
		return fmt.Sprintf("%d %s #%d %s/%s issued %d for %d", w.rank, w.group, w.seq, w.op, w.count, w.enqueued, w.remote)
	}
	for _, tt := range []struct {
		name   string
		events []*scan.Event
		want   []string
	}{
		{"one line", []*scan.Event{told(0, lost, "group", "pg", "seq", "8", "op", "ALLREDUCE", "count", "64", "enqueued", "9", "remote", "3")}, []string{"0 pg #8 ALLREDUCE/64 issued 9 for 3"}},
		{"a line that tells nothing", []*scan.Event{told(0, lost)}, []string{"0  #-1 / issued -1 for -1"}},
		{"a tag for the group", []*scan.Event{told(0, lost, "tag", "hccl_world")}, []string{"0 hccl_world #-1 / issued -1 for -1"}},
		{"a rank that names itself", []*scan.Event{told(3, lost, "remote", "3")}, []string{"3  #-1 / issued -1 for -1"}},
		{"two lines about one collective", []*scan.Event{told(0, lost, "group", "pg", "seq", "8", "op", "ALLREDUCE"), told(0, lost, "group", "pg", "seq", "8", "count", "64", "enqueued", "9", "remote", "3")}, []string{"0 pg #8 ALLREDUCE/64 issued 9 for 3"}},
		{"the first line tells more", []*scan.Event{told(0, lost, "seq", "0", "op", "A", "count", "1", "enqueued", "9", "remote", "3"), told(0, lost, "seq", "0", "op", "B", "count", "2", "enqueued", "7", "remote", "2")}, []string{"0  #0 A/1 issued 9 for 3"}},
		{"a line that tells no number", []*scan.Event{told(0, lost, "group", "pg", "seq", "8"), told(0, lost, "group", "pg")}, []string{"0 pg #8 / issued -1 for -1"}},
		{"a line that tells no number first", []*scan.Event{told(0, lost, "group", "pg"), told(0, lost, "group", "pg", "seq", "8")}, []string{"0 pg #8 / issued -1 for -1"}},
		{"a line that tells no group", []*scan.Event{told(0, lost, "group", "pg", "seq", "8"), told(0, lost, "seq", "8")}, []string{"0 pg #8 / issued -1 for -1"}},
		{"a line that tells no group first", []*scan.Event{told(0, lost, "seq", "8"), told(0, lost, "group", "pg", "seq", "8")}, []string{"0 pg #8 / issued -1 for -1"}},
		{"another number", []*scan.Event{told(0, lost, "seq", "0"), told(0, lost, "seq", "8")}, []string{"0  #0 / issued -1 for -1", "0  #8 / issued -1 for -1"}},
		{"another number, the other way", []*scan.Event{told(0, lost, "seq", "8"), told(0, lost, "seq", "0")}, []string{"0  #8 / issued -1 for -1", "0  #0 / issued -1 for -1"}},
		{"another group", []*scan.Event{told(0, lost, "group", "pg"), told(0, lost, "group", "tp")}, []string{"0 pg #-1 / issued -1 for -1", "0 tp #-1 / issued -1 for -1"}},
		{"another rank", []*scan.Event{told(0, lost), told(1, lost)}, []string{"0  #-1 / issued -1 for -1", "1  #-1 / issued -1 for -1"}},
		{"no rank", []*scan.Event{told(-1, lost)}, nil},
		{"no wait", []*scan.Event{told(0, rule("key-error", rules.Root))}, nil},
		{"an echo", []*scan.Event{told(0, rule("collective-timeout", rules.Symptom))}, nil},
	} {
		var got []string
		for _, w := range judgeOn(nil, tt.events...).waits() {
			got = append(got, of(w))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestEndOfWaits: all chains of waits must end at one rank that waits for nobody.
func TestEndOfWaits(t *testing.T) {
	waits := func(of ...int) []*wait { // pairs of a rank and the one that it waits for
		var all []*wait
		for i := 0; i < len(of); i += 2 {
			all = append(all, &wait{rank: of[i], remote: of[i+1]})
		}
		return all
	}
	for _, tt := range []struct {
		name  string
		waits []*wait
		end   string
		count string
	}{
		{"one", waits(0, 1), "1", "1"},
		{"for rank 0", waits(1, 0), "0", "1"},
		{"several for one", waits(0, 3, 1, 3, 2, 3), "3", "3"},
		{"a chain", waits(0, 1, 1, 2, 2, 3), "3", "3"},
		{"a circle", waits(0, 1, 1, 0), "", ""},
		{"a circle of three and one that waits for it", waits(0, 1, 1, 2, 2, 0, 3, 0), "", ""},
		{"two ends", waits(0, 1, 2, 3), "", ""},
		{"two ends, of which one is rank 0", waits(1, 0, 2, 3), "", ""},
		{"an end that waits for nobody known", waits(0, 1, 1, -1), "", ""},
		{"nobody names another", waits(0, -1), "", ""},
	} {
		for range 20 { // in whatever order the ranks are asked
			end, count := "", ""
			if a := endOfWaits(tt.waits); a != nil {
				end, count = a.args["ranks"], a.args["count"]
			}
			if end != tt.end || count != tt.count {
				t.Fatalf("%s: %q by %s, want %q by %s", tt.name, end, count, tt.end, tt.count)
			}
		}
	}
}

// TestLagging: fewer than half of a group's ranks had issued less than the others.
func TestLagging(t *testing.T) {
	waits := func(group string, enqueued ...int64) []*wait { // of ranks 0, 1, …
		var all []*wait
		for rank, n := range enqueued {
			all = append(all, &wait{rank: rank, group: group, enqueued: n})
		}
		return all
	}
	for _, tt := range []struct {
		name               string
		waits              []*wait
		ranks, low, others string
	}{
		{"one of three", waits("pg", 12, 9, 12), "1", "9", "12"},
		{"one that had issued none", waits("pg", 3, 0, 3), "1", "0", "3"},
		{"two of five, told twice", append(waits("pg", 12, 9, 12, 12, 9), &wait{rank: 1, group: "pg", enqueued: 9}, &wait{rank: 2, group: "pg", enqueued: 12}), "1, 4", "9", "12"},
		{"the least of the others", waits("pg", 14, 9, 11), "1", "9", "11"},
		{"the least of the others first", waits("pg", 11, 9, 14), "1", "9", "11"},
		{"half of two", waits("pg", 12, 9), "", "", ""},
		{"half of four", waits("pg", 12, 9, 12, 9), "", "", ""},
		{"all alike", waits("pg", 12, 12, 12), "", "", ""},
		{"one alone", waits("pg", 12), "", "", ""},
		{"one that tells nothing", waits("pg", 12, -1, 12), "", "", ""},
		{"two groups", append(waits("a", 12, 12, 12), waits("b", 7, 7, 5)...), "2", "5", "7"},
		{"none", nil, "", "", ""},
	} {
		var args map[string]string
		if a := lagging(tt.waits); a != nil {
			args = a.args
		}
		if args["ranks"] != tt.ranks || args["low"] != tt.low || args["others"] != tt.others {
			t.Errorf("%s: %v, want %q at %s of %s", tt.name, args, tt.ranks, tt.low, tt.others)
		}
	}
}

// TestSilent: ranks are awaited that report no wait, at first those that report
// nothing, when they are no more than half.
func TestSilent(t *testing.T) {
	d := log("a.log")
	ranks := func(n int) []*scan.Stream {
		var all []*scan.Stream
		for r := range n {
			all = append(all, stream(d, r))
		}
		return append(all, stream(d, -1))
	}
	waits := func(ranks ...int) []*wait {
		var all []*wait
		for _, r := range ranks {
			all = append(all, &wait{rank: r})
		}
		return all
	}
	echo := func(rank int) *scan.Event { return found(rule("io-error", rules.Symptom), stream(d, rank), 1, "") }
	hint := func(rank int) *scan.Event { return found(rule("io-error", rules.Ambiguous), stream(d, rank), 1, "") }
	for _, tt := range []struct {
		name    string
		streams []*scan.Stream
		waits   []*wait
		events  []*scan.Event
		dropped int
		leftOut int
		ranks   string
	}{
		{"one of two", ranks(2), waits(0), nil, 0, 0, "1"},
		{"rank 0", ranks(2), waits(1), nil, 0, 0, "0"},
		{"two of four", ranks(4), waits(0, 3), nil, 0, 0, "1, 2"},
		{"two of three", ranks(3), waits(0), nil, 0, 0, ""},
		{"the one that reports nothing at all", ranks(4), waits(0, 3), []*scan.Event{echo(2)}, 0, 0, "1"},
		{"those that only tell how others ended it", ranks(4), waits(0, 3), []*scan.Event{echo(1), echo(2)}, 0, 0, "1, 2"},
		{"one that tells a failure of its own", ranks(4), waits(0, 3), []*scan.Event{hint(2)}, 0, 0, "1, 2"},
		{"all waited", ranks(2), waits(0, 1), nil, 0, 0, ""},
		{"nobody waited", ranks(2), nil, nil, 0, 0, ""},
		{"one rank, and nobody waited", ranks(1), nil, nil, 0, 0, ""},
		{"some ranks are not held", ranks(2), waits(0), nil, 0, 1, ""},
		{"some reports were not held", ranks(2), waits(0), nil, 1, 0, ""},
	} {
		j := judgeOn(tt.streams, tt.events...)
		j.c.Found.Dropped, j.c.Found.LeftOut = tt.dropped, tt.leftOut
		got := ""
		if a := j.silent(tt.waits); a != nil {
			got = a.args["ranks"]
		}
		if got != tt.ranks {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.ranks)
		}
	}
}

// TestAlive: a rank counts that still printed in the last attempt of its log, which
// begins with the first step or failure of that attempt.
func TestAlive(t *testing.T) {
	d := log("a.log")
	s := stream(d, 0)
	s.Progress = append(marks(0, 0, 1, 5), marks(0, 1, 12, 14)...)
	failed := func(seq, attempt int) *scan.Event {
		e := found(rule("key-error", rules.Root), s, seq, "")
		e.Attempt = attempt
		return e
	}
	other := stream(log("b.log"), 1)
	for _, tt := range []struct {
		name   string
		events []*scan.Event
		last   map[*scan.Stream]int
		alive  bool // of the stream whose last line is given
	}{
		{"one attempt", []*scan.Event{failed(9, 0)}, map[*scan.Stream]int{s: 1}, true},
		{"until its first step", []*scan.Event{failed(9, 0), failed(20, 1)}, map[*scan.Stream]int{s: 12}, true},
		{"until before its first step", []*scan.Event{failed(9, 0), failed(20, 1)}, map[*scan.Stream]int{s: 11}, false},
		{"until its first failure", []*scan.Event{failed(9, 0), failed(10, 1), failed(20, 1)}, map[*scan.Stream]int{s: 10}, true},
		{"until before its first failure", []*scan.Event{failed(9, 0), failed(10, 1), failed(20, 1)}, map[*scan.Stream]int{s: 9}, false},
		{"of another log", []*scan.Event{failed(9, 0), failed(20, 1)}, map[*scan.Stream]int{other: 1}, true},
	} {
		j := judgeOn([]*scan.Stream{s, other}, tt.events...)
		for st, last := range tt.last {
			if st.LastSeq = last; j.alive(st) != tt.alive {
				t.Errorf("%s: alive is %v", tt.name, !tt.alive)
			}
		}
	}
}

// TestSilentTasks: of logs that tell no ranks, tasks are awaited that report no
// wait, at first those that were not told to end, when they are no more than half.
func TestSilentTasks(t *testing.T) {
	told, failed := 143, 1
	logOf := func(task string) *scan.Stream {
		s := stream(log(task+".log"), -1)
		s.Task = task
		return s
	}
	var w []*scan.Stream
	for i := range 4 {
		w = append(w, logOf(fmt.Sprintf("worker-%d", i)))
	}
	message := logOf("worker-9")
	message.Field = "status.message"
	nobodys := logOf("")
	wait := func(s *scan.Stream) *scan.Event { return found(rule("collective-timeout", rules.Ambiguous), s, 1, "") }
	for _, tt := range []struct {
		name    string
		codes   map[string]*int
		streams []*scan.Stream
		events  []*scan.Event
		tasks   []string
	}{
		{"one of two", nil, w[:2], []*scan.Event{wait(w[0])}, []string{"worker-1"}},
		{"two of four", nil, w, []*scan.Event{wait(w[0]), wait(w[2])}, []string{"worker-1", "worker-3"}},
		{"two of three", nil, w[:3], []*scan.Event{wait(w[0])}, nil},
		{"the one that was not told to end", map[string]*int{"worker-1": &told, "worker-3": &failed}, w, []*scan.Event{wait(w[0]), wait(w[2])}, []string{"worker-3"}},
		{"all others were told to end", map[string]*int{"worker-1": &told}, w[:2], []*scan.Event{wait(w[0])}, []string{"worker-1"}},
		{"all waited", nil, w[:2], []*scan.Event{wait(w[0]), wait(w[1])}, nil},
		{"nobody waited", nil, w[:1], nil, nil},
		{"a wait of no task", nil, w[:1], []*scan.Event{wait(nobodys)}, nil},
		{"a failure that is no wait", nil, w[:2], []*scan.Event{wait(w[0]), found(rule("key-error", rules.Root), w[1], 2, "")}, []string{"worker-1"}},
		{"what an answer tells is no log", nil, []*scan.Stream{message, w[0]}, []*scan.Event{wait(w[0])}, nil},
		{"a log of no task", nil, []*scan.Stream{nobodys, w[0]}, []*scan.Event{wait(w[0])}, nil},
	} {
		c := &Case{Found: scan.Result{Streams: tt.streams, Events: tt.events}}
		for task, code := range tt.codes {
			c.Job.Tasks = append(c.Job.Tasks, modelarts.Task{Name: task, ExitCode: code})
		}
		var got []string
		if a := newJudge(c, rules.Default()).silentTasks(); a != nil {
			got = a.tasks
			if a.args["tasks"] != strings.Join(got, ", ") {
				t.Errorf("%s: told as %q", tt.name, a.args["tasks"])
			}
		}
		if !slices.Equal(got, tt.tasks) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.tasks)
		}
		c.Found.LeftOut = 1
		if newJudge(c, rules.Default()).silentTasks() != nil {
			t.Errorf("%s: a task is awaited that may not be held", tt.name)
		}
	}
}

// TestLastWords: of whom the others waited for, the last line before trouble came
// is quoted, of the first two at the most; one line alone says nothing.
func TestLastWords(t *testing.T) {
	d, other := log("a.log"), log("b.log")
	of := func(d *source.Document, rank, number int) *scan.Stream {
		s := stream(d, rank)
		s.Last, s.Lines = scan.Quote{Doc: d, Number: number, Text: "last"}, 2
		return s
	}
	calm := func(s *scan.Stream, number int, text string) *scan.Stream {
		s.Calm = &scan.Quote{Doc: s.Doc, Number: number, Text: text}
		return s
	}
	for _, tt := range []struct {
		name    string
		streams []*scan.Stream
		rank    int
		line    int
	}{
		{"its last line", []*scan.Stream{of(d, 1, 9)}, 1, 9},
		{"its last calm line", []*scan.Stream{calm(of(d, 1, 9), 5, "step 3")}, 1, 5},
		{"what it said of itself in the same log", []*scan.Stream{of(d, 0, 9), calm(of(d, -1, 8), 4, "rank 0 loading")}, 0, 4},
		{"what another rank said", []*scan.Stream{of(d, 1, 9), calm(of(d, -1, 8), 4, "rank 10 loading")}, 1, 9},
		{"what nobody said of itself", []*scan.Stream{of(d, 1, 9), calm(of(d, -1, 8), 4, "loading")}, 1, 9},
		{"what was said in another log", []*scan.Stream{of(d, 1, 9), calm(of(other, -1, 8), 4, "rank 1 loading")}, 1, 9},
		{"what was said in trouble", []*scan.Stream{of(d, 1, 9), of(d, -1, 8)}, 1, 9},
	} {
		if got := judgeOn(tt.streams).lastWords(tt.streams[0]); got.Number != tt.line {
			t.Errorf("%s: line %d, want %d", tt.name, got.Number, tt.line)
		}
	}
	nobodys := of(d, -1, 9)
	if got := judgeOn([]*scan.Stream{nobodys, calm(of(d, 0, 8), 4, "rank 1 loading")}).lastWords(nobodys); got.Number != 9 {
		t.Errorf("of a stream of no rank line %d", got.Number)
	}

	quoted := func(j *judge) (lines []int) {
		v := Verdict{Evidence: []scan.Quote{{Doc: d, Number: 50}, {Doc: d, Number: 51}}}
		j.findAwaited(&v)
		for _, q := range v.Evidence {
			lines = append(lines, q.Number)
		}
		return lines
	}
	wait := found(rule("collective-timeout", rules.Ambiguous), stream(d, 0), 50, "")
	streams := []*scan.Stream{of(log("r0.log"), 0, 1), of(log("r1.log"), 1, 11), of(log("r2.log"), 2, 12), of(log("r3.log"), 3, 13), of(log("r4.log"), 4, 14), of(log("r5.log"), 5, 15)}
	streams[1].Lines = 1
	events := []*scan.Event{wait}
	for r := 4; r <= 6; r++ {
		events = append(events, found(wait.Rule, stream(d, r), 50+r, ""))
	}
	j := judgeOn(append(streams, of(log("r6.log"), 6, 16)), events...)
	if lines := quoted(j); !slices.Equal(lines, []int{50, 12, 13, 51}) {
		t.Errorf("the evidence is %v", lines)
	}
	j = judgeOn([]*scan.Stream{of(log("r0.log"), 0, 10), of(log("r1.log"), 1, 11)}, found(wait.Rule, stream(d, 1), 50, ""))
	if lines := quoted(j); !slices.Equal(lines, []int{50, 10, 51}) {
		t.Errorf("of rank 0 the evidence is %v", lines)
	}
	task := func(name, field string, number int) *scan.Stream {
		s := of(log(name+".log"), -1, number)
		s.Task, s.Field = name, field
		return s
	}
	waiting := task("worker-0", "", 9)
	j = judgeOn([]*scan.Stream{waiting, task("worker-1", "status.message", 10), task("worker-1", "", 11), task("", "", 12)}, found(wait.Rule, waiting, 50, ""))
	if lines := quoted(j); !slices.Equal(lines, []int{50, 11, 51}) {
		t.Errorf("of a task the evidence is %v", lines)
	}
}

// TestElements: the number of elements of tensors, by their sizes.
func TestElements(t *testing.T) {
	for sizes, want := range map[string]string{"[[4, 5]]": "20", "[[4, 5], [2]]": "22", "[[]]": "", "": "", "[[-1]]": "", "[[99999999999999]]": "", "[[3, x]]": ""} {
		if got := elements(sizes); got != want {
			t.Errorf("%q has %q elements, want %q", sizes, got, want)
		}
	}
}

// TestSilentTaskHadWaitedBefore: a task whose wait at the start came to its end is as
// silent as one that never waited.
func TestSilentTaskHadWaitedBefore(t *testing.T) {
	begin := "[Modelarts Service Log]2026-03-01 01:00:04,079 - INFO - Wait for Rank table file ready\n[Modelarts Service Log]2026-03-01 01:00:09,412 - INFO - Rank table file (K8S generated) is ready for read\n"
	waits := "step 1 loss 1\n" + raised("RuntimeError: EI0002: The wait execution of the Notify register times out. Reason: The Notify register has not received the Notify record from remote rank [unknown].")
	v := verdictOn(t, situation{logs: map[string]string{
		"modelarts-job-a-worker-0.log": begin + waits, "modelarts-job-a-worker-1.log": begin + "step 1 loss 1\nopening shard 3\n", "modelarts-job-a-worker-2.log": begin + waits,
	}})
	if args := said(v, "silent-tasks"); args["tasks"] != "worker-1" || v.Values["remote"] != "" {
		t.Errorf("%s: %v, %v", v.Cause, v.Findings, v.Values)
	}
}
