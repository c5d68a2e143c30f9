package analyzer

import (
	"cmp"
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

// group is what a dump tells of a process group: the collective that the rank waits
// in, when there is one, and how many it has issued.
type group struct {
	id           int
	name, ranks  string
	op, sizes    string
	seq          int
	enqueued     int
	ended        int  // collectives, 1 when it is not told
	sorted, bare bool // members are sorted, and numbers texts, as dump_json writes them; or it is of a PyTorch that tells no names
}

// groupDump writes the dump of a rank in some process groups.
func groupDump(groups ...group) string {
	var config, status, entries []string
	for _, g := range groups {
		named := fmt.Sprintf(`"process_group": [%q, "undefined"], `, g.name)
		if g.bare {
			named = ""
		} else {
			config = append(config, fmt.Sprintf(`%q: {"name": %[1]q, "desc": "undefined", "ranks": %[2]q}`, g.name, g.ranks))
		}
		form := `"%d": {"last_enqueued_collective": %d, "last_started_collective": 2, "last_completed_collective": 2}`
		if g.sorted {
			form = `"%d": {"last_completed_collective": "2", "last_enqueued_collective": "%d", "last_started_collective": "2"}`
		}
		status = append(status, fmt.Sprintf(form, g.id, g.enqueued))
		entry := func(seq int, op, state string) {
			entries = append(entries, fmt.Sprintf(`{"record_id": %d, "pg_id": %d, %s"collective_seq_id": %d, "p2p_seq_id": 0, "profiling_name": "nccl:%s", "input_sizes": %s, "state": "%s"}`, seq, g.id, named, seq, op, g.sizes, state))
		}
		for seq := range max(1, g.ended) {
			entry(seq+1, "all_reduce", "completed")
		}
		if g.op != "" {
			entry(g.seq, g.op, "started")
		}
	}
	dump := []string{
		`"pg_config": {` + strings.Join(config, ", ") + `}`,
		`"pg_status": {` + strings.Join(status, ", ") + `}`,
		`"entries": [` + strings.Join(entries, ",\n") + `]`,
	}
	if groups[0].sorted {
		dump = append(dump[2:], dump[:2]...)
	}
	return "{" + strings.Join(dump, ",\n") + "}"
}

// TestFlightGroups: pg_id counts the groups of one process, and a name is that of
// several groups when one was split: only ranks of one group are compared.
func TestFlightGroups(t *testing.T) {
	world := group{id: 0, name: "0", ranks: "[0, 1, 2, 3, 4, 5]", sizes: "[[1]]", enqueued: 2}
	long := world // pages of it
	long.ended = 4000
	waiting := func(g group) group {
		g.op, g.seq, g.sizes = "all_reduce", 5, cmp.Or(g.sizes, "[[64]]")
		return g
	}
	other := func(g group) group { g.sizes = "[[1]]"; return g }
	const lags = "had issued only collective"
	for _, c := range []struct {
		name  string
		ranks [][]group
		says  string // "" for neither who lags nor who differs
	}{
		{"groups of their own under one number", [][]group{
			{world, waiting(group{id: 1, name: "1", ranks: "[0, 1]", enqueued: 6})}, {world, waiting(group{id: 1, name: "1", ranks: "[0, 1]", enqueued: 6})},
			{world, other(group{id: 1, name: "2", ranks: "[2, 3]", enqueued: 9})}, {world, other(group{id: 1, name: "2", ranks: "[2, 3]", enqueued: 9})},
			{world, other(group{id: 1, name: "3", ranks: "[4, 5]", enqueued: 9})}, {world, other(group{id: 1, name: "3", ranks: "[4, 5]", enqueued: 9})},
		}, ""},
		{"one group under several numbers", [][]group{
			{world, waiting(group{id: 1, name: "7", ranks: "[0, 1, 2]", enqueued: 6})}, {world, waiting(group{id: 2, name: "7", ranks: "[0, 1, 2]", enqueued: 6})},
			{world, other(group{id: 3, name: "7", ranks: "[0, 1, 2]", enqueued: 3})},
		}, "rank 2 " + lags + " 3 when the others had issued 6"},
		{"the parts of a group that was split", [][]group{
			{world, waiting(group{id: 1, name: "3", ranks: "[0, 1]", enqueued: 6})}, {world, waiting(group{id: 1, name: "3", ranks: "[0, 1]", enqueued: 6})},
			{world, waiting(group{id: 1, name: "3", ranks: "[2, 3]", sizes: "[[32]]", enqueued: 9})}, {world, waiting(group{id: 1, name: "3", ranks: "[2, 3]", sizes: "[[32]]", enqueued: 9})},
			{world, other(group{id: 1, name: "3", ranks: "[4, 5]", enqueued: 9})}, {world, other(group{id: 1, name: "3", ranks: "[4, 5]", enqueued: 9})},
		}, ""},
		{"one part of it", [][]group{
			{world, waiting(group{id: 1, name: "3", ranks: "[0, 1]", enqueued: 6})}, {world, waiting(group{id: 1, name: "3", ranks: "[0, 1]", sizes: "[[32]]", enqueued: 6})},
			{world, waiting(group{id: 1, name: "3", ranks: "[2, 3]", sizes: "[[16]]", enqueued: 6})},
		}, "64 elements on rank 0 and 32 on rank 1"},
		{"groups without names", [][]group{
			{world, waiting(group{id: 1, bare: true, enqueued: 6})}, {world, waiting(group{id: 1, bare: true, enqueued: 6})},
			{world, waiting(group{id: 1, bare: true, sizes: "[[32]]", enqueued: 9})}, {world, waiting(group{id: 1, bare: true, sizes: "[[32]]", enqueued: 9})},
			{world, other(group{id: 1, bare: true, enqueued: 9})}, {world, other(group{id: 1, bare: true, enqueued: 9})},
		}, ""},
		{"all ranks, without names", [][]group{
			{waiting(group{bare: true, enqueued: 6})}, {waiting(group{bare: true, enqueued: 6})}, {other(group{bare: true, enqueued: 3})},
		}, "rank 2 " + lags + " 3 when the others had issued 6"},
		{"members that are sorted", [][]group{
			{waiting(group{id: 1, name: "7", ranks: "[0, 1, 2]", enqueued: 6, sorted: true})}, {waiting(group{id: 1, name: "7", ranks: "[0, 1, 2]", enqueued: 6, sorted: true})},
			{other(group{id: 2, name: "7", ranks: "[0, 1, 2]", enqueued: 3, sorted: true})},
		}, "rank 2 " + lags + " 3 when the others had issued 6"},
		{"a group that later pages tell", [][]group{
			{long, waiting(group{id: 9, name: "7", ranks: "[0, 1, 2]", enqueued: 6})}, {long, waiting(group{id: 9, name: "7", ranks: "[0, 1, 2]", enqueued: 6})},
			{long, other(group{id: 9, name: "7", ranks: "[0, 1, 2]", enqueued: 3})},
		}, "rank 2 " + lags + " 3 when the others had issued 6"},
		{"a group that pages before told, of members that are sorted", [][]group{
			{waiting(group{id: 9, name: "7", ranks: "[0, 1, 2]", enqueued: 6, sorted: true}), long}, {waiting(group{id: 9, name: "7", ranks: "[0, 1, 2]", enqueued: 6, sorted: true}), long},
			{other(group{id: 9, name: "7", ranks: "[0, 1, 2]", enqueued: 3, sorted: true}), long},
		}, "rank 2 " + lags + " 3 when the others had issued 6"},
		{"the parts of a group whose ranks later pages tell", [][]group{
			{waiting(group{id: 9, name: "3", ranks: "[0, 1]", enqueued: 6, sorted: true}), long}, {waiting(group{id: 9, name: "3", ranks: "[0, 1]", enqueued: 6, sorted: true}), long},
			{waiting(group{id: 9, name: "3", ranks: "[2, 3]", sizes: "[[32]]", enqueued: 9, sorted: true}), long}, {waiting(group{id: 9, name: "3", ranks: "[2, 3]", sizes: "[[32]]", enqueued: 9, sorted: true}), long},
		}, ""},
	} {
		fsys := fstest.MapFS{}
		for r, groups := range c.ranks {
			fsys[fmt.Sprintf("nccl_trace_rank_%d.json", r)] = &fstest.MapFile{Data: []byte(groupDump(groups...))}
		}
		roots := []source.Root{{Name: "case", FS: fsys, Path: "."}}
		reports, err := Diagnose(roots, Options{Lang: "en"})
		if err != nil {
			t.Fatal(err)
		}
		r := reports[0]
		blames := strings.Contains(r.Summary, lags) || strings.Contains(r.Summary, "differ") || strings.Contains(r.Summary, "elements")
		if r.Cause != "collective-timeout" || c.says == "" && blames || !strings.Contains(r.Summary, c.says) {
			t.Errorf("%s: %s %q, want %q", c.name, r.Cause, r.Summary, c.says)
		}
		if bad, err := Verify(reports, roots, source.Limits{}); err != nil || len(bad) > 0 {
			t.Errorf("%s: %d quotes that the dumps do not bear out, %v", c.name, len(bad), err)
		}
	}
}
