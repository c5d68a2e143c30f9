package verdict

import (
	"fmt"
	"testing"
)

// TestCommonEnd: of several broken links the device at which they meet is named.
func TestCommonEnd(t *testing.T) {
	cqe := func(local, remote int) string {
		return fmt.Sprintf("EI0013: [PID: %d] 2026-03-01-10:00:0%d.232.310 An error CQE occurred during operator execution. Local information: server 10.1.0.%d, device ID 0, device IP 192.1.0.1. Peer information: server 10.1.0.%d, device ID 6, device IP 192.1.0.9.\n", local, local, local, remote)
	}
	ib := func(peer string) string {
		return "gpu-02:1203:1399 [3] NCCL WARN NET/IB : Got completion from peer " + peer + "<41235> with status=12 opcode=0 len=0 vendor err 129 (Send) localGid fe80::1 remoteGidsfe80::2 hca mlx5_2\n"
	}
	for _, tt := range []struct {
		name string
		logs map[string]string
		end  string
	}{
		{"three links to one device", map[string]string{"rank_1.log": cqe(1, 9), "rank_2.log": cqe(2, 9), "rank_3.log": cqe(3, 9)}, "10.1.0.9/6"},
		{"one link", map[string]string{"rank_1.log": cqe(1, 9)}, ""},
		{"links without a common end", map[string]string{"rank_1.log": cqe(1, 8), "rank_2.log": cqe(2, 9)}, ""},
		{"one peer of two tasks", map[string]string{"worker-0.log": ib("10.1.2.3"), "worker-1.log": ib("10.1.2.3")}, "10.1.2.3"},
	} {
		v := verdictOn(t, situation{logs: tt.logs})
		end := ""
		for _, f := range v.Findings {
			if f.Code == "common-end" {
				end = f.Args["end"]
			}
		}
		if v.Cause != "collective-error" || end != tt.end {
			t.Errorf("%s: %s with the common end %q, want %q: %v", tt.name, v.Cause, end, tt.end, v.Findings)
		}
	}
}

// TestLocated: the heartbeats of HCCL name the device that failed, and a log its
// rank.
func TestLocated(t *testing.T) {
	beat := func(device int) string {
		return fmt.Sprintf("[INFO] HCCL(686,python):2026-03-01-10:00:33.191.363 [heartbeat.cc:951] [8970][TaskExecStage][HeartbeatAbnormal]local rank [10.1.0.1/0]: crimer rank [10.1.0.1/%d] status[LOST] by informer rank [10.1.0.1/2]\n", device)
	}
	plog := func(rank int) string {
		return fmt.Sprintf("job/ascend/process_log/rank_%d/plog/plog-68%d_20260301100000000.log", rank, rank)
	}
	logs := map[string]string{
		"proc-rank-0-device-0.txt": notifyWait(0, "1"),
		"proc-rank-1-device-1.txt": notifyWait(1, "3"),
		"proc-rank-3-device-3.txt": "2026-03-01 10:00:00,000 step 10 loss 1.0\n",
		plog(0):                    beat(3),
		plog(1):                    beat(3),
	}
	v := verdictOn(t, situation{logs: logs})
	if len(v.Findings) == 0 || v.Findings[0].Code != "named-device" || v.Findings[0].Args["ranks"] != "3" {
		t.Errorf("the findings are %v", v.Findings)
	}
	logs[plog(1)] = beat(2)
	v = verdictOn(t, situation{logs: logs})
	if len(v.Findings) > 0 && v.Findings[0].Code == "named-device" {
		t.Errorf("two devices are named, and one is told: %v", v.Findings)
	}
}
