package verdict

import (
	"fmt"
	"slices"
	"testing"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
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

// TestCommonEnds: the end that most links share is named, when it is one.
func TestCommonEnds(t *testing.T) {
	for _, tt := range []struct {
		name       string
		links      []link
		end, count string
	}{
		{"none", nil, "", ""},
		{"one", []link{{"a", "b"}}, "", ""},
		{"two to one", []link{{"a", "c"}, {"b", "c"}}, "c", "2"},
		{"two from one", []link{{"a", "b"}, {"a", "c"}}, "a", "2"},
		{"one at either end", []link{{"a", "b"}, {"c", "a"}}, "a", "2"},
		{"three, of which one is in all", []link{{"a", "b"}, {"a", "c"}, {"b", "a"}}, "a", "3"},
		{"two in equally many", []link{{"a", "b"}, {"b", "a"}}, "", ""},
		{"a tie that a third outdoes", []link{{"a", "x"}, {"b", "y"}, {"a", "z"}, {"b", "z"}, {"c", "z"}}, "z", "3"},
		{"ends that nobody names", []link{{"", "b"}, {"a", "b"}, {"", "c"}}, "b", "2"},
		{"a device with itself", []link{{"a", "a"}, {"b", "c"}}, "", ""},
	} {
		end, count := "", ""
		if r := commonEnd(tt.links); r != nil {
			end, count = r.Args["end"], r.Args["count"]
		}
		if end != tt.end || count != tt.count {
			t.Errorf("%s: %q in %s links, want %q in %s", tt.name, end, count, tt.end, tt.count)
		}
	}
}

// TestLinks: each broken connection counts once, by both ends or by the task and
// its peer, and only what failures of collectives tell.
func TestLinks(t *testing.T) {
	d := log("train.log")
	s := stream(d, -1)
	s.Task = "worker-0"
	both := "Local information: server 10.1.0.1, device ID 0. Peer information: server 10.1.0.9, device ID 6."
	peer := func(r *rules.Rule, node, peer string) *scan.Event {
		e := found(r, s, 1, "lost")
		e.Quote.Node = node
		saying(e, "peer", peer)
		return e
	}
	lost := rule("collective-error", rules.Ambiguous)
	got := judgeOn(nil, found(lost, s, 1, both), found(lost, s, 2, both), found(lost, s, 3, "server 10.1.0.1, device ID 0"), peer(lost, "", "10.1.0.9<4123>"), peer(lost, "node-7", "10.1.0.9<99>"), peer(lost, "", ""),
		peer(rule("key-error", rules.Root), "", "10.1.0.5")).links()
	want := []link{{"10.1.0.1/0", "10.1.0.9/6"}, {"worker-0", "10.1.0.9"}, {"node-7", "10.1.0.9"}}
	if !slices.Equal(got, want) {
		t.Errorf("the links are %v, want %v", got, want)
	}
}

// TestNamedDevice: the device that all heartbeats name is that of a rank when only
// one log is of a device of that number.
func TestNamedDevice(t *testing.T) {
	beat, other := rule("hang", rules.Ambiguous), rule("hang", rules.Ambiguous)
	beat.Facts = []rules.Fact{rules.FailedDevice}
	of := func(rank, device int) *scan.Stream {
		d := log("rank.log")
		d.Device = device
		return stream(d, rank)
	}
	at := func(r *rules.Rule, location string) *scan.Event {
		e := found(r, of(0, 0), 1, "")
		saying(e, "location", location)
		return e
	}
	for _, tt := range []struct {
		name    string
		streams []*scan.Stream
		events  []*scan.Event
		device  string
		ranks   []int
	}{
		{"of a rank", []*scan.Stream{of(5, 3), of(6, 4)}, []*scan.Event{at(beat, "10.1.0.1/3"), at(beat, "10.1.0.1/3")}, "10.1.0.1/3", []int{5}},
		{"of rank 0, in two logs", []*scan.Stream{of(0, 3), of(0, 3)}, []*scan.Event{at(beat, "10.1.0.1/3")}, "10.1.0.1/3", []int{0}},
		{"of no known rank", []*scan.Stream{of(-1, 3), of(6, 4)}, []*scan.Event{at(beat, "10.1.0.1/3")}, "10.1.0.1/3", nil},
		{"on several nodes", []*scan.Stream{of(3, 3), of(11, 3)}, []*scan.Event{at(beat, "10.1.0.1/3")}, "10.1.0.1/3", nil},
		{"a server alone", []*scan.Stream{of(0, 0)}, []*scan.Event{at(beat, "10.1.0.1")}, "10.1.0.1", nil},
		{"two devices", []*scan.Stream{of(5, 3)}, []*scan.Event{at(beat, "10.1.0.1/3"), at(beat, "10.1.0.1/4")}, "", nil},
		{"a heartbeat that names none beside", []*scan.Stream{of(5, 3)}, []*scan.Event{at(beat, "10.1.0.1/3"), at(beat, "")}, "10.1.0.1/3", []int{5}},
		{"what is no heartbeat", []*scan.Stream{of(5, 3)}, []*scan.Event{at(other, "10.1.0.1/3")}, "", nil},
	} {
		device, ranks, told := "", []int(nil), ""
		if a := judgeOn(tt.streams, tt.events...).located(); a != nil {
			device, ranks, told = a.args["device"], a.ranks, a.args["ranks"]
			if _, is := a.args["ranks"]; is != (tt.ranks != nil) {
				t.Errorf("%s: it tells of ranks: %v", tt.name, is)
			}
		}
		if device != tt.device || !slices.Equal(ranks, tt.ranks) || told != joinInts(tt.ranks) {
			t.Errorf("%s: %q of %v (%q), want %q of %v", tt.name, device, ranks, told, tt.device, tt.ranks)
		}
	}
}
