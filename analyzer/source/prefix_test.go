package source

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// describe writes what is known of a line, without what is not.
func describe(l *Line) string {
	var b strings.Builder
	put := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	if !l.Time.IsZero() {
		put("%s", l.Time.Format("2006-01-02T15:04:05.999999999"))
		if l.Zoned {
			put("Z")
		}
		put(" ")
	}
	if l.Rank >= 0 {
		put("rank=%d ", l.Rank)
	}
	for _, f := range [][2]string{{"task", l.Task}, {"node", l.Node}, {"level", l.Level}, {"stream", l.Stream}} {
		if f[1] != "" {
			put("%s=%s ", f[0], f[1])
		}
	}
	if l.PID != 0 {
		put("pid=%d ", l.PID)
	}
	if l.Kind != Log {
		put("kind=%d ", l.Kind)
	}
	if l.Platform {
		put("platform ")
	}
	put("|%s", l.Text)
	return b.String()
}

func TestPrefixes(t *testing.T) {
	tests := []struct{ in, want string }{
		// Launchers.
		{`[rank3]: Traceback (most recent call last):`, `rank=3 stream=rank3 |Traceback (most recent call last):`},
		{`[rank3]:   File "x", line 1`, `rank=3 stream=rank3 |  File "x", line 1`},
		{`[rank3]:  File "x", line 1`, `rank=3 stream=rank3 |  File "x", line 1`},
		{`[rank3]:     main()`, `rank=3 stream=rank3 |    main()`},
		{`[rank3]:    main()`, `rank=3 stream=rank3 |    main()`},
		{`[rank12]:ValueError: x`, `rank=12 stream=rank12 |ValueError: x`},
		{`[default1]:    main()`, `rank=1 stream=default1 |    main()`},
		{`[default1]:[rank9]: x`, `rank=9 stream=default1/rank9 |x`},
		{`[1,11]<stderr>:  File "x"`, `rank=11 stream=rank11 |  File "x"`},
		{`[1,11]<stdout>: ok`, `rank=11 stream=rank11 |ok`},
		{`[7]<stderr>:KeyError: 'a'`, `rank=7 stream=rank7 |KeyError: 'a'`},
		{`worker-1: [rank9]: x`, `rank=9 task=worker-1 stream=worker-1/rank9 |x`},
		{`worker-1  | x`, `task=worker-1 stream=worker-1 |x`},
		{`(RayTrainWorker pid=4127, ip=172.16.0.71)   File "x"`, `node=172.16.0.71 stream=RayTrainWorker pid=4127, ip=172.16.0.71 pid=4127 |  File "x"`},
		{`(pid=88) x`, `stream=pid=88 pid=88 |x`},
		{`(TrainActor(rank=2) pid=88) x`, `rank=2 stream=TrainActor(rank=2) pid=88 pid=88 |x`},
		{`(VllmWorker rank=1 pid=88) x`, `rank=1 stream=VllmWorker rank=1 pid=88 pid=88 |x`},
		{`(W(local_rank=1) pid=88) x`, `stream=W(local_rank=1) pid=88 pid=88 |x`},
		{`[1,mpirank:3,algo-1]<stderr>:  File "x"`, `rank=3 stream=rank3 |  File "x"`},
		{`[prterun-n1-77@1,3][n1:88]<stderr>: x`, `rank=3 stream=rank3 |x`},
		{`[1,3][n1:88] x`, `|[1,3][n1:88] x`},
		{`2026-06-16T03:02:20Z {container="c", pod="t-worker-1"}   File "x"`, `2026-06-16T03:02:20Z task=worker-1 stream=t-worker-1/c |  File "x"`},
		{`{'a': "b"} x`, `|{'a': "b"} x`},
		{`(see pid=88 above)`, `stream=see pid=88 above pid=88 |`},
		{`(8 GPUs) x`, `|(8 GPUs) x`},
		// Collectors.
		{`[pod/modelarts-job-0f1e2d3c-4b5a-4968-8776-655443322130-worker-1/modelarts-training] 2026-06-16T03:02:20.127831972Z   File "x"`,
			`2026-06-16T03:02:20.127831972Z task=worker-1 stream=pod/modelarts-job-0f1e2d3c-4b5a-4968-8776-655443322130-worker-1/modelarts-training |  File "x"`},
		{`modelarts-job-0f1e2d3c-4b5a-4968-8776-655443322130-worker-1 modelarts-training x`,
			`task=worker-1 stream=modelarts-job-0f1e2d3c-4b5a-4968-8776-655443322130-worker-1 modelarts-training |x`},
		{`2026-06-16T03:02:20.1Z [rank2]: x`, `2026-06-16T03:02:20.1Z rank=2 stream=rank2 |x`},
		{`2026-06-16T11:02:20.1+08:00 stderr F   File "x"`, `2026-06-16T03:02:20.1Z |  File "x"`},
		{`2026-06-16T11:02:20+0800 node-1 python[77]:   File "x"`, `2026-06-16T03:02:20Z node=node-1 stream=node-1 python[77] pid=77 |  File "x"`},
		// The platform.
		{`[ModelArts Service Log]Training start at 2026-06-16-11:02:00`, `2026-06-16T11:02:00 platform |Training start at 2026-06-16-11:02:00`},
		{`[Modelarts Service Log]2026-06-04 00:20:14,078 - INFO - Ascend Driver`, `2026-06-04T00:20:14.078 level=INFO platform |Ascend Driver`},
		{`[ModelArts Service Log][INFO][2026/06/16 11:11:21,207]: output-handler finalized`, `2026-06-16T11:11:21.207 level=INFO platform |output-handler finalized`},
		{`[ModelArts Service Log]2021-09-06 21:53:37,019 - modelarts-downloader.py[line:623] - INFO: Main`, `2021-09-06T21:53:37.019 level=INFO platform |Main`},
		{`[ModelArts Service Log]ERROR: modelarts-downloader.py: Get object key failed`, `level=ERROR platform |ERROR: modelarts-downloader.py: Get object key failed`},
		{`[ModelArts Service Log][sidecar] exit with 0`, `platform |[sidecar] exit with 0`},
		{`time="2026-06-16T11:01:56+08:00" level=error msg="x" Platform=ModelArts-Service`, `2026-06-16T03:01:56Z level=ERROR platform |level=error msg="x" Platform=ModelArts-Service`},
		// Ascend and MindSpore.
		{`[ERROR] HCCL(3319,python):2026-06-04-02:37:04.650.409 [task.cc:908] [3721]Task run failed`, `2026-06-04T02:37:04.650409 level=ERROR pid=3319 kind=2 |[3721]Task run failed`},
		{`[ERROR] RUNTIME(3319,python):2026-06-04-02:37:04.650.409 [engine.cc:1374]3721 Proc:x`, `2026-06-04T02:37:04.650409 level=ERROR pid=3319 kind=2 |3721 Proc:x`},
		{`[WARNING] ME(69632:281472846833536,MainProcess):2023-07-11-16:56:17.765.324 [mindspore/x.py:1058] y`, `2023-07-11T16:56:17.765324 level=WARN pid=69632 |y`},
		{`[ERROR] DEVICE(8123,ffff9a2b,python):2024-05-06-11:12:13.123.456 Allocate failed`, `2024-05-06T11:12:13.123456 level=ERROR pid=8123 |Allocate failed`},
		{`[WARNING] DISTRIBUTED(4127,ffff9a2c,python):2026-06-16-11:02:20.882.101 [mindspore/ccsrc/x.cc:243] BuildCluster] Topology build timed out`, `2026-06-16T11:02:20.882101 level=WARN pid=4127 |Topology build timed out`},
		{`[ERROR] 2024-08-18-22:15:47 (PID:23232, Device:0, RankID:5) ERR02001 DIST x`, `2024-08-18T22:15:47 rank=5 level=ERROR pid=23232 |ERR02001 DIST x`},
		{`[ERROR] 2024-08-18-22:15:47 (PID:23232, Device:0, RankID:-1) ERR01003 x`, `2024-08-18T22:15:47 level=ERROR pid=23232 |ERR01003 x`},
		{`[ERROR] TBE Subprocess[task_distribute] raise error[]`, `level=ERROR |[ERROR] TBE Subprocess[task_distribute] raise error[]`},
		{`EI0002: [PID: 3319] 2026-06-04-02:37:04.650.409 x`, `2026-06-04T02:37:04.650409 pid=3319 |EI0002: [PID: 3319] 2026-06-04-02:37:04.650.409 x`},
		{`EL0004: 2026-06-04-02:37:04.650.409 Failed to allocate`, `2026-06-04T02:37:04.650409 |EL0004: 2026-06-04-02:37:04.650.409 Failed to allocate`},
		{`[PID: 3319] 2026-06-04-02:37:04.650.409 Memory_Allocation_Failure(EL0004): x`, `2026-06-04T02:37:04.650409 pid=3319 |[PID: 3319] 2026-06-04-02:37:04.650.409 Memory_Allocation_Failure(EL0004): x`},
		{`EZ9999: Inner Error! 2026-06-04-02:37:04`, `|EZ9999: Inner Error! 2026-06-04-02:37:04`},
		// Kernel and system logs.
		{`Jun  5 08:00:11 node-1 kubelet[2110]: x`, `node=node-1 stream=node-1 kubelet pid=2110 |x`},
		{`Jun 15 08:08:02 node-1 kernel: [98544.101220] python invoked oom-killer`, `node=node-1 kind=1 |python invoked oom-killer`},
		{`[Sun Jun  7 05:02:38 2026] NVRM: Xid`, `2026-06-07T05:02:38 |NVRM: Xid`},
		{`[98544.101220] Out of memory`, `kind=1 |Out of memory`},
		{`<14>1 2026-07-01T10:00:00.123Z node-1 python 77 - - Traceback`, `2026-07-01T10:00:00.123Z node=node-1 level=INFO stream=node-1 python[77] pid=77 |Traceback`},
		{`<11>1 2026-07-01T10:00:00+08:00 node-1 python 77 ID1 [meta a="b"]   File "x"`, `2026-07-01T02:00:00Z node=node-1 level=ERROR stream=node-1 python[77] pid=77 |  File "x"`},
		{`<14>1 a b`, `|<14>1 a b`},
		{`2026-07-01 10:00:00,123 [MainThread] ERROR trainer - Traceback`, `2026-07-01T10:00:00.123 level=ERROR |Traceback`},
		{`2026-07-01 10:00:00,123 [stage 1] error in x`, `2026-07-01T10:00:00.123 |[stage 1] error in x`},
		{`kern  :err   : [98122.310442] python invoked oom-killer`, `level=ERROR kind=1 |python invoked oom-killer`},
		{`kern  :info  : [Thu Jul  2 10:11:13 2026] x`, `2026-07-02T10:11:13 level=INFO kind=1 |x`},
		{`daemon:notice: 2026-07-02T10:11:13,118402+08:00 x`, `2026-07-02T02:11:13.118402Z level=INFO kind=1 |x`},
		{`user: error: x`, `|user: error: x`},
		{`<3>[   12.345678] x`, `level=ERROR kind=1 |x`},
		{`Tue Jun 16 11:02:20 2026[1,3]<stderr>:x`, `2026-06-16T11:02:20 rank=3 stream=rank3 |x`},
		// Logging formats.
		{`2026-06-04 00:21:21,734 INFO llama [rank 3] step 10`, `2026-06-04T00:21:21.734 rank=3 level=INFO |llama [rank 3] step 10`},
		{`2026-06-04 00:21:21,734 - trans - INFO - step`, `2026-06-04T00:21:21.734 level=INFO |step`},
		{`2026/06/04 00:21:21 - mmengine - ERROR - /x - y`, `2026-06-04T00:21:21 level=ERROR |/x - y`},
		{`2026-06-04 00:21:21 | INFO | fairseq.trainer | NOTE: x`, `2026-06-04T00:21:21 level=INFO |NOTE: x`},
		{`2026-06-04 00:21:21.734 | ERROR    | __main__:main:12 - x`, `2026-06-04T00:21:21.734 level=ERROR |x`},
		{`[2026-06-05 15:48:25,882] [INFO] [runner.py:571:main] cmd = x`, `2026-06-05T15:48:25.882 level=INFO |cmd = x`},
		{`[2026-06-05 15:48:25,882] torch.distributed.run: [WARNING] x`, `2026-06-05T15:48:25.882 level=WARN |torch.distributed.run: [WARNING] x`},
		{`[2026-06-05 15:48:25]  iteration 3`, `2026-06-05T15:48:25 | iteration 3`},
		{`06/16/2026 11:02:20 - INFO - __main__ - x`, `2026-06-16T11:02:20 level=INFO |x`},
		{`[06/16/26 11:02:20] ERROR    x`, `2026-06-16T11:02:20 level=ERROR |   x`},
		{`26/06/16 11:02:20 WARN TaskSetManager: x`, `2026-06-16T11:02:20 level=WARN |TaskSetManager: x`},
		{`[INFO|trainer.py:2245] 2026-06-16 11:02:20,123 >> x`, `2026-06-16T11:02:20.123 level=INFO |x`},
		{" [2026-08-12 09:06:00] iteration       30/    2000 | lm loss: 1.2E+00", "2026-08-12T09:06:00 |iteration       30/    2000 | lm loss: 1.2E+00"},
		{" [20] a list of one", "| [20] a list of one"},
		{"2026-06-16T11:02:20.123Z\tERROR\tcmd/main.go:12\tx", "2026-06-16T11:02:20.123Z level=ERROR |x"},
		{`ERROR 2026-06-16 11:02:20,123 [core.py:12] x`, `2026-06-16T11:02:20.123 level=ERROR |x`},
		{`2026-06-16 11:02:20,123 RuntimeError: x`, `2026-06-16T11:02:20.123 |RuntimeError: x`},
		{`2026-06-16 11:02:20,123 ERROR RuntimeError: x`, `2026-06-16T11:02:20.123 level=ERROR |RuntimeError: x`},
		{`2026-06-16 11:02:20 - ERROR - RuntimeError - x`, `2026-06-16T11:02:20 level=ERROR |RuntimeError - x`},
		{`E0616 11:02:20.123456 4127 torch/distributed/elastic/api.py:874] failed (exitcode: 1)`, `level=ERROR pid=4127 |failed (exitcode: 1)`},
		{`[E ProcessGroupNCCL.cpp:458] [Rank 0] Watchdog caught`, `rank=0 level=ERROR |[E ProcessGroupNCCL.cpp:458] [Rank 0] Watchdog caught`},
		{`[rank2]:[E616 10:11:12.345678901 ProcessGroupNCCL.cpp:1515] [PG ID 0 PG GUID 0 Rank 2] x`, `rank=2 level=ERROR stream=rank2 |[E616 10:11:12.345678901 ProcessGroupNCCL.cpp:1515] [PG ID 0 PG GUID 0 Rank 2] x`},
		{`ERROR:root: stat:404`, `level=ERROR |ERROR:root: stat:404`},
		{`WARNING: Retrying (Retry(total=4`, `level=WARN |WARNING: Retrying (Retry(total=4`},
		// Text that only looks like a prefix.
		{`2026-06-16 11:02:20 Fatal Python error: Bus error`, `2026-06-16T11:02:20 |Fatal Python error: Bus error`},
		{`2026-06-16 11:02:20 Error displaying widget`, `2026-06-16T11:02:20 |Error displaying widget`},
		{`[0]	train-logloss:0.5`, "|[0]	train-logloss:0.5"},
		{`[0]:`, `|[0]:`},
		{`0: 640x480 4 persons`, `|0: 640x480 4 persons`},
		{`12:30<45:00, 1.2it/s`, `|12:30<45:00, 1.2it/s`},
		{`  File "x", line 1`, `|  File "x", line 1`},
		{`RuntimeError: 2026-06-16 11:02:20`, `|RuntimeError: 2026-06-16 11:02:20`},
		{`[worker-1]: x`, `task=worker-1 stream=worker-1 |x`},
		{`[modelarts-job-0f1e2d3c-4b5a-4968-8776-655443322130-worker-1 modelarts-training]   File "x"`,
			`task=worker-1 stream=modelarts-job-0f1e2d3c-4b5a-4968-8776-655443322130-worker-1 modelarts-training |  File "x"`},
		{`host-1: x`, `|host-1: x`},
		{`[`, `|[`},
		{`[]`, `|[]`},
		{`(`, `|(`},
		{`2026-13-45 99:99:99 x`, `|2026-13-45 99:99:99 x`},
	}
	for _, tt := range tests {
		doc := &Document{Rank: -1}
		var got string
		Text(doc, "", Log, tt.in, func(l *Line) { got = describe(l) })
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s\n got %s\nwant %s", tt.in, got, tt.want)
		}
	}
}

// Labels of launchers that are ambiguous on one line are told from all of them.
func TestLaunchers(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"srun", " 0: a\n 1: b\n10:   File \"x\"\n 1: c\n 0: d\n", `rank=10 stream=rank10 |  File "x"`},
		{"pdsh", "node12: a\nnode13: b\nnode13:   File \"x\"\nnode12: c\nnode12: d\n", `node=node13 stream=node13 |  File "x"`},
		{"addresses", "10.0.0.1: a\n10.0.0.2: b\n10.0.0.2: [rank8]: x\n10.0.0.1: c\n10.0.0.1: d\n", `rank=8 node=10.0.0.2 stream=10.0.0.2/rank8 |x`},
		{"later hosts", strings.Repeat("node12: a\n", 4000) + "node13:   File \"x\"\n", `node=node13 stream=node13 |  File "x"`},
		{"ranks", "rank 3: a\nrank 4: b\nrank 4:   File \"x\"\nrank 3: c\nrank 3: d\n", `rank=4 stream=rank4 |  File "x"`},
		{"task and rank in brackets", "[worker-0][rank_3] a\n[worker-1][rank_9] b\n[worker-0][rank_3]   File \"x\"\n[worker-1][rank_9] c\n[worker-1][rank_9] d\n", `rank=3 task=worker-0 stream=worker-0/rank3 |  File "x"`},
		{"task and rank in one bracket", "(worker-0, rank 3) a\n(worker-1, rank 9) b\n(worker-0, rank 3)   File \"x\"\n(worker-1, rank 9) c\n(worker-1, rank 9) d\n", `rank=3 task=worker-0 stream=worker-0/rank3 |  File "x"`},
		{"task and rank before bars", "worker-0 | rank 3 | a\nworker-1 | rank 9 | b\nworker-0 | rank 3 |   File \"x\"\nworker-1 | rank 9 | c\nworker-1 | rank 9 | d\n", `rank=3 task=worker-0 stream=worker-0/rank3 |  File "x"`},
		{"a task in brackets before other brackets", "[worker-0] [step-3] a\n[worker-1] [step-4] b\n[worker-0] [step-5] c\n[worker-1] [step-6] c\n[worker-1] [step-7] d\n", `task=worker-0 stream=worker-0 |[step-5] c`},
		{"ranks in brackets", "[rank_3] a\n[rank_4] b\n[rank_4]   File \"x\"\n[rank_3] c\n[rank_3] d\n", `rank=4 stream=rank4 |  File "x"`},
		{"tasks in brackets", "[worker-0] a\n[worker-1] b\n[worker-1]   File \"x\"\n[worker-0] c\n[worker-1] d\n", `task=worker-1 stream=worker-1 |  File "x"`},
		{"compose", "t-worker-0-1  | a\nt-worker-1-1  | b\nt-worker-1-1  |   File \"x\"\nt-worker-1-1  | c\nt-worker-0-1  | d\n", `task=worker-1 node=t-worker-1-1 stream=t-worker-1-1 |  File "x"`},
		{"grep of files", "a/worker-1.log:x\na/worker-1.log:y\na/worker-1.log:  File \"x\"\na/worker-1.log:z\na/worker-1.log:z\n", `task=worker-1 stream=a/worker-1.log |  File "x"`},
		{"grep -n", "101:2026-07-01 10:00:00 INFO x\n103-y\n104:  File \"x\"\n201:z\n202:\n203:z\n", `|  File "x"`},
		{"cat -n", "     1\t2026-07-01 10:00:00 INFO x\n     2\ty\n     3\t  File \"x\"\n     4\tz\n     5\tz\n", `|  File "x"`},
		{"a copy with numbers", " 9  2026-07-01 10:00:00 INFO x\n10  y\n11    File \"x\"\n12\n13  z\n14  z\n", `|  File "x"`},
		{"rows with numbers", "1 0.5\n2 0.4\n3   0.3\n4 0.2\n5 0.1\n", `|3   0.3`},
		{"files one after the other", "==> worker-1/rank_9.log <==\nb\n  File \"x\"\n", `rank=9 task=worker-1 stream=worker-1/rank_9.log |  File "x"`},
		{"Ansible", "node-3 | FAILED | rc=1 >>\na\nb\n", `node=node-3 stream=node-3 |b`},
		{"times", "2026-07-01T10:00:00Z a\n2026-07-01T10:00:01Z b\n2026-07-01T10:00:02Z   File\n2026-07-01T10:00:03Z c\n2026-07-01T10:00:04Z d\n", `2026-07-01T10:00:02Z |  File`},
		{"a task with a process of Open MPI", "[worker-0:00412] a\n[worker-0:00412] b\n[worker-1:00413]   File \"x\"\n[worker-1:00413] c\n[worker-0:00412] d\n[worker-0:00412] e\n", `task=worker-1 stream=worker-1/00413 |  File "x"`},
		{"a task with the rank within it", "[worker-0:0] a\n[worker-0:1] b\n[worker-1:1]   File \"x\"\n[worker-1:1] c\n[worker-0:1] d\n[worker-0:0] e\n", `task=worker-1 stream=worker-1/1 |  File "x"`},
		{"a node with the rank within it", "[n-0:0] a\n[n-0:1] b\n[n-0:1]   File \"x\"\n[n-0:0] c\n[n-0:0] d\n", `node=n-0 stream=n-0/1 |  File "x"`},
		{"ranks as values", "[rank=3] a\n[rank=4] b\n[rank=4]   File \"x\"\n[rank=3] c\n[rank=3] d\n", `rank=4 stream=rank4 |  File "x"`},
		{"ranks as values in parentheses", "(rank=3) a\n(rank=4) b\n(rank=4)   File \"x\"\n(rank=3) c\n(rank=3) d\n", `rank=4 stream=rank4 |  File "x"`},
		{"ranks of so many", "[rank 3/8] a\n[rank 4/8] b\n[rank 4/8]   File \"x\"\n[rank 3/8] c\n[rank 3/8] d\n", `rank=4 stream=rank4 |  File "x"`},
		{"ranks before an angle", "rank3> a\nrank4> b\nrank4>   File \"x\"\nrank3> c\nrank3> d\n", `rank=4 stream=rank4 |  File "x"`},
		{"ranks before a dash", "rank3 - a\nrank4 - b\nrank4 -   File \"x\"\nrank3 - c\nrank3 - d\n", `rank=4 stream=rank4 |  File "x"`},
		{"ranks before nothing", "rank=3 a\nrank=4 b\nrank=4   File \"x\"\nrank=3 c\nrank=3 d\n", `rank=4 stream=rank4 |  File "x"`},
		{"ranks in braces", "{rank 3} a\n{rank 4} b\n{rank 4}   File \"x\"\n{rank 3} c\n{rank 3} d\n", `rank=4 stream=rank4 |  File "x"`},
		{"short ranks", "[R0] a\n[R1] b\n[R1]   File \"x\"\n[R0] c\n[R1] d\n[R0] e\n", `rank=1 stream=rank1 |  File "x"`},
		{"numbers in brackets", "[0] a\n[1] b\n[1]   File \"x\"\n[0] c\n[1] d\n[0] e\n", `rank=1 stream=rank1 |  File "x"`},
		{"numbers between angles", "<0>: a\n<1>: b\n<1>:   File \"x\"\n<0>: c\n<1>: d\n<0>: e\n", `rank=1 stream=rank1 |  File "x"`},
		{"numbers that count on", "[0] a\n[0] b\n[1]   x\n[1] c\n[2] d\n[2] e\n", `|[1]   x`},
		{"numbers that are not from 0 on", "[7] a\n[8] b\n[7]   x\n[8] c\n[7] d\n[8] e\n", `|[7]   x`},
		{"hosts that are called r", "r7: a\nr8: b\nr8:   File \"x\"\nr7: c\nr8: d\n", `node=r8 stream=r8 |  File "x"`},
		{"ranks within a node", "[local_rank 0] a\n[local_rank 1] b\n[local_rank 1]   File \"x\"\n[local_rank 0] c\n[local_rank 0] d\n", `rank=1 stream=local_rank1 |  File "x"`},
		{"ranks within nodes", "[n-1][local_rank=0] a\n[n-2][local_rank=1] b\n[n-2][local_rank=1]   File \"x\"\n[n-1][local_rank=0] c\n[n-1][local_rank=0] d\n", `node=n-2 stream=n-2/local_rank1 |  File "x"`},
		{"devices", "[GPU0] a\n[GPU1] b\n[GPU1]   File \"x\"\n[GPU0] c\n[GPU0] d\n", `stream=GPU1 |  File "x"`},
		{"processes", "Process 0: a\nProcess 1: b\nProcess 1:   File \"x\"\nProcess 0: c\nProcess 0: d\n", `stream=process1 |  File "x"`},
		{"a role of torchelastic", "[actor_role0]:a\n[actor_role1]:b\n[actor_role1]:  File \"x\"\n[actor_role0]:c\n[actor_role1]:d\n", `rank=1 stream=actor_role1 |  File "x"`},
		{"a template of torchelastic", "[default-0|rank-8]: a\n[default-1|rank-9]: b\n[default-1|rank-9]:   File \"x\"\n[default-0|rank-8]: c\n[default-0|rank-8]: d\n", `rank=9 stream=default-1/rank9 |  File "x"`},
		{"stern", "t-worker-0 train a\nt-worker-1 train b\nt-worker-1 train   File \"x\"\nt-worker-0 train c\nt-worker-0 train d\n", `task=worker-1 node=t-worker-1 stream=t-worker-1 train |  File "x"`},
		{"stern in all namespaces", "ml t-7c9f8-x1k train a\nml t-7c9f8-b2z train b\nml t-7c9f8-b2z train   File \"x\"\nml t-7c9f8-x1k train c\nml t-7c9f8-x1k train d\n", `node=t-7c9f8-b2z stream=ml t-7c9f8-b2z train |  File "x"`},
		{"kubetail", "[t-worker-0 train] a\n[t-worker-1 train] b\n[t-worker-1 train]   File \"x\"\n[t-worker-0 train] c\n[t-worker-0 train] d\n", `task=worker-1 node=t-worker-1 stream=t-worker-1 train |  File "x"`},
		{"NCCL", "n-1:4127:4419 [0] a\nn-1:4127:4419 [0] b\nn-1:4128:4420 [1] c\nn-1:4127:4419 [0] d\nn-1:4127:4419 [0] e\n", `|n-1:4128:4420 [1] c`},
		{"prose", "top-1 accuracy is bad\ntop-5 accuracy is good\nand so on\nmore\nmore\n", `|and so on`},
		{"behind a time", "2026-07-01 10:00:00 [R0] a\n2026-07-01 10:00:00 [R1] b\n2026-07-01 10:00:00 [R1]   File \"x\"\n2026-07-01 10:00:01 [R0] c\n2026-07-01 10:00:01 [R1] c\n2026-07-01 10:00:01 [R0] c\n", `2026-07-01T10:00:00 rank=1 stream=rank1 |  File "x"`},
		{"grep -Hn", "worker-1.log:10:x\nworker-1.log:11:y\nworker-1.log:12:  File \"x\"\nworker-1.log:13:z\nworker-1.log:14:z\n", `task=worker-1 stream=worker-1.log |  File "x"`},
		{"srun behind what a script prints", strings.Repeat("pip: a\n", 4000) + strings.Repeat("0: a\n1: b\n", 20) + "1:   File \"x\"\n", `rank=1 stream=rank1 |  File "x"`},
		{"no launcher", "step1: a\nloss\nstep2: x\nstep3: c\nd\n", `|step2: x`},
	}
	for _, tt := range tests {
		r := readText(t, tt.in, Limits{})
		at := 2
		if len(r.lines) > 4000 {
			at = len(r.lines) - 1
		}
		if got := describe(&r.lines[at]); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// Times take what they lack from the lines before them, never more.
func TestClock(t *testing.T) {
	in := strings.Join([]string{
		"Jun 16 11:02:20 n a[1]: before any year",
		"2026-12-31 23:59:50 x",
		"23:59:55 INFO of the same day",
		"00:00:05 INFO after midnight",
		"07:30:00 elapsed",
		"Jan  1 00:00:07 n a[1]: of the next year",
		"2026-06-04 02:37 to the minute",
		"Feb 30 00:00:07 n a[1]: no such day",
	}, "\n")
	var got []string
	for _, l := range readText(t, in, Limits{}).lines {
		got = append(got, l.Time.Format("06-01-02 15:04:05"))
	}
	want := []string{"01-01-01 00:00:00", "26-12-31 23:59:50", "26-12-31 23:59:55", "27-01-01 00:00:05",
		"01-01-01 00:00:00", "27-01-01 00:00:07", "26-06-04 02:37:00", "01-01-01 00:00:00"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("times (-want +got):\n%s", d)
	}
}

func TestLayout(t *testing.T) {
	const job = "0f1e2d3c-4b5a-4968-8776-655443322130"
	tests := []struct {
		name string
		want Document
	}{
		{"modelarts-job-" + job + "-worker-3.log", Document{Job: job, Task: "worker-3", Rank: -1, Device: -1, Attempt: -1}},
		{"modelarts-job-" + job + "-proc-rank-9-device-1.txt", Document{Job: job, Rank: 9, Device: 1, Attempt: -1}},
		{"modelarts-job-" + job + "/ascend/process_log/rank_2/debug/plog/plog-3319_20260604023704123.log", Document{Job: job, Kind: Device, Rank: 2, Device: -1, Attempt: -1}},
		{"rank_2/device-1/device-3319_20260604.log", Document{Kind: Device, Rank: 2, Device: 1, Attempt: -1}},
		{job + "/logs.zip!worker-0.log.gz", Document{Job: job, Task: "worker-0", Rank: -1, Device: -1, Attempt: -1}},
		{"node-3/var/log/messages", Document{Kind: Kernel, Node: "node-3", Rank: -1, Device: -1, Attempt: -1}},
		{"192.168.20.11/vmcore-dmesg.txt", Document{Kind: Kernel, Node: "192.168.20.11", Rank: -1, Device: -1, Attempt: -1}},
		{"msrun_log/worker_5.log", Document{Rank: 5, Device: -1, Attempt: -1}},
		{"logs/worker_5.log", Document{Rank: -1, Device: -1, Attempt: -1}},
		{"elastic/attempt_1/3/stderr.log", Document{Rank: 3, Device: -1, Attempt: 1}},
		{"worker-1/attempt_1/3/stderr.log", Document{Task: "worker-1", Rank: -1, Device: -1, Attempt: 1}},
		{"npu-smi-info.txt", Document{Kind: Device, Rank: -1, Device: -1, Attempt: -1}},
		{"lora_rank16/train.log", Document{Rank: -1, Device: -1, Attempt: -1}},
		{"homework-5.log", Document{Rank: -1, Device: -1, Attempt: -1}},
	}
	for _, tt := range tests {
		got := Document{Name: tt.name, Rank: -1, Device: -1, Attempt: -1}
		layout(&got)
		tt.want.Name = tt.name
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.name, got, tt.want)
		}
	}
}

// Lines of more streams than are kept apart lose their stream, not their rank.
func TestStreamsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range mostStreams + 10 {
		fmt.Fprintf(&b, "[rank%d]: x\n", i)
	}
	streams := map[string]bool{}
	r := readText(t, b.String(), Limits{})
	for _, l := range r.lines {
		streams[l.Stream] = true
	}
	if last := r.lines[len(r.lines)-1]; len(streams) != mostStreams+1 || last.Stream != "" || last.Rank != mostStreams+9 {
		t.Errorf("%d streams, the last line is of %q, rank %d", len(streams), last.Stream, last.Rank)
	}
}

// TestStreamsOfExportsAreBounded: the same for the pods of an export, whether it is
// read as a whole or in pages.
func TestStreamsOfExportsAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range mostStreams + 10 {
		fmt.Fprintf(&b, `,{"content":"x","line_num":"%d","labels":{"podName":"p%d"},"timestamp":"1780390799000"}`, i, i)
	}
	for _, page := range []int{0, 16 << 20} {
		streams := map[string]bool{}
		for _, l := range readText(t, `{"count":1,"logs":[`+b.String()[1:]+"]}", Limits{Page: page}).lines {
			streams[l.Stream] = true
		}
		if len(streams) != mostStreams+1 {
			t.Errorf("in pages of %d: %d streams", page, len(streams))
		}
	}
}

// A rank that a line names in its text is the line's; only a label or a name
// tells that of the lines around it.
func TestRankOfTheStream(t *testing.T) {
	for _, tt := range []struct {
		text      string
		rank, own int
	}{
		{"worker-1: [2026-07-14 10:08:10,377] [INFO] [logging.py:96:log_dist] [Rank 8] step=10", 8, -1},
		{"[ERROR] 2026-07-14-10:08:10 (PID:23232, Device:0, RankID:5) ERR02001 DIST x", 5, -1},
		{"[rank8]: x", 8, 8},
		{"[1,8]<stderr>:x", 8, 8},
		{"[default0]:x", 0, 0},
	} {
		l := readText(t, strings.Repeat(tt.text+"\n", 6), Limits{}).lines[5]
		if l.Rank != tt.rank || l.Own != tt.own {
			t.Errorf("%s: rank %d, own %d", tt.text, l.Rank, l.Own)
		}
	}
}

// TestLeveled: a level with a colon behind it may be the first word of the
// message, so the text is kept with it as well; blanks at the end are nobody's.
func TestLeveled(t *testing.T) {
	for in, want := range map[string][2]string{
		"2026-06-16 11:02:20 ERROR: no such option  ": {"no such option", "ERROR: no such option"},
		"2026-06-16T11:02:20Z WARNING:root:Retry=9":   {"root:Retry=9", "WARNING:root:Retry=9"},
		"2026-06-16 11:02:20 - app - ERROR - x":       {"x", ""},
		"ERROR: no such option":                       {"ERROR: no such option", ""},
		"2026-06-16 11:02:20 [ERROR] x":               {"x", ""},
		"2026-06-16 11:02:20 [Error]: x y":            {"x y", "[Error]: x y"},
		"step 3 \t":                                   {"step 3", ""},
	} {
		Text(&Document{Rank: -1}, "", Log, in, func(l *Line) {
			if got := [2]string{l.Text, l.Leveled}; got != want {
				t.Errorf("%q gives %q, want %q", in, got, want)
			}
		})
	}
}
