package analyzer

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"hcloud-modelarts/analyzer/source"
)

// call is the last collective of a rank in a dump of the flight recorder.
type call struct {
	op, state, sizes string
	enqueued         int // collectives in all, two of which had ended
}

// dump writes what PyTorch's flight recorder tells of one rank.
func dump(c call) string {
	entry := func(seq int, op, state, sizes string) string {
		return fmt.Sprintf(`{"frames": [{"name": "all_reduce", "filename": "/opt/conda/lib/python3.10/site-packages/torch/distributed/distributed_c10d.py", "line": 2696}, `+
			`{"name": "sync", "filename": "/home/ma-user/job/sync.py", "line": 51}], "record_id": %d, "pg_id": 0, "process_group": ["0", "default_pg"], "collective_seq_id": %[1]d, `+
			`"p2p_seq_id": 0, "op_id": %[1]d, "profiling_name": "nccl:%s", "time_created_ns": 1724779239936775119, "input_sizes": %s, "state": "%s", "timeout_ms": 600000, "is_p2p": false}`, seq, op, sizes, state)
	}
	entries := []string{entry(1, "all_reduce", "completed", "[[3, 4]]"), entry(2, "all_reduce", "completed", "[[3, 4]]")}
	if c.enqueued > 2 {
		entries = append(entries, entry(3, c.op, c.state, c.sizes), entry(4, c.op, c.state, c.sizes))
	}
	return fmt.Sprintf(`{"version": "2.5", "pg_config": {"0": {"name": "0", "desc": "default_pg", "ranks": "[0, 1, 2, 3]"}},`+"\n"+
		`"pg_status": {"0": {"last_enqueued_collective": %d, "last_started_collective": 2, "last_completed_collective": 2}},`+"\n"+`"entries": [%s]}`, c.enqueued, strings.Join(entries, ",\n"))
}

// TestFlightRecorder: the dumps of all ranks tell which of them did not come, or
// that they came with different calls; of ranks that wait for nothing they say nothing.
func TestFlightRecorder(t *testing.T) {
	in := call{"all_reduce", "started", "[[4, 5]]", 4}
	done := call{enqueued: 2}
	watchdog := "[rank0]:[E626 06:24:44.903881913 ProcessGroupNCCL.cpp:616] [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=3, OpType=ALLREDUCE, NumelIn=20, NumelOut=20, Timeout(ms)=600000) ran for 600020 milliseconds before timing out.\n"
	for _, c := range []struct {
		name  string
		ranks []call
		log   string
		cause string
		says  string
	}{
		{"one lags", []call{in, in, done, in}, "", "collective-timeout", "rank 2 had issued only collective 2 when the others had issued 4"},
		{"one lags, and a log tells of the wait", []call{in, in, done, in}, watchdog, "collective-timeout", "rank 2 had issued only collective 2 when the others had issued 4"},
		{"another call", []call{in, {"broadcast", "started", "[[4, 5]]", 4}, in, in}, "", "collective-timeout", "BROADCAST"},
		{"other sizes", []call{in, in, {"all_reduce", "started", "[[4, 4]]", 4}, in}, "", "collective-timeout", "16"},
		{"the same size in another form", []call{in, in, {"all_reduce", "scheduled", "[[20]]", 4}, in}, "", "collective-timeout", "sync.py:51"},
		{"nobody waits", []call{done, done, done, done}, "", "unknown", ""},
		{"nobody waits, and the log knows why", []call{done, done}, "Traceback (most recent call last):\n  File \"/job/a.py\", line 3, in f\n    g()\nKeyError: 'x'\n", "key-error", ""},
	} {
		fsys := fstest.MapFS{}
		for r, d := range c.ranks {
			fsys[fmt.Sprintf("nccl_trace_rank_%d.json", r)] = &fstest.MapFile{Data: []byte(dump(d))}
		}
		if c.log != "" {
			fsys["worker-0.log"] = &fstest.MapFile{Data: []byte(c.log)}
		}
		roots := []source.Root{{Name: "case", FS: fsys, Path: "."}}
		reports, err := Diagnose(roots, Options{Lang: "en"})
		if err != nil {
			t.Fatal(err)
		}
		if r := reports[0]; r.Cause != c.cause || !strings.Contains(r.Summary, c.says) {
			t.Errorf("%s: %s %q, want %s with %q", c.name, r.Cause, r.Summary, c.cause, c.says)
		}
		if bad, err := Verify(reports, roots, source.Limits{}); err != nil || len(bad) > 0 {
			t.Errorf("%s: %d quotes that the dumps do not bear out, %v", c.name, len(bad), err)
		}
	}
}
