package verdict

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/scan"
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
