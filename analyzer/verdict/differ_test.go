package verdict

import (
	"testing"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
)

// waitOf is a wait of a rank in a collective of a group.
func waitOf(rank int, seq int64, op, count, group string) *wait {
	e := found(rule("collective-timeout", rules.Ambiguous), stream(log("train.log"), rank), rank+1, "")
	saying(e, "seq", "8")
	return &wait{rank: rank, seq: seq, op: op, count: count, group: group, enqueued: -1, remote: -1, event: e}
}

// TestDifferences: ranks differ when one number of one group stands for two
// operations, or for two numbers of elements of one.
func TestDifferences(t *testing.T) {
	for _, tt := range []struct {
		name   string
		waits  []*wait
		a, b   string // ranks of either side, "" when they do not differ
		counts bool
		sure   bool
	}{
		{"another operation", []*wait{waitOf(0, 8, "ALLREDUCE", "8", "pg"), waitOf(1, 8, "BROADCAST", "8", "pg")}, "0", "1", false, true},
		{"in the first collective", []*wait{waitOf(0, 0, "ALLREDUCE", "8", "pg"), waitOf(1, 0, "BROADCAST", "8", "pg")}, "0", "1", false, true},
		{"another number of elements", []*wait{waitOf(0, 8, "ALLREDUCE", "8", "pg"), waitOf(1, 8, "ALLREDUCE", "9", "pg")}, "0", "1", true, true},
		{"another operation, of unknown sizes", []*wait{waitOf(0, 8, "ALLREDUCE", "", "pg"), waitOf(1, 8, "BROADCAST", "", "pg")}, "0", "1", false, true},
		{"a size that only one tells", []*wait{waitOf(0, 8, "ALLREDUCE", "8", "pg"), waitOf(1, 8, "ALLREDUCE", "", "pg")}, "", "", false, false},
		{"a size that only the other tells", []*wait{waitOf(0, 8, "ALLREDUCE", "", "pg"), waitOf(1, 8, "ALLREDUCE", "8", "pg")}, "", "", false, false},
		{"a group that nobody names", []*wait{waitOf(0, 8, "ALLREDUCE", "8", ""), waitOf(1, 8, "BROADCAST", "8", "")}, "0", "1", false, false},
		{"a group that only one names", []*wait{waitOf(0, 8, "ALLREDUCE", "8", "pg"), waitOf(1, 8, "BROADCAST", "8", "")}, "0", "1", false, false},
		{"a group that only the other names", []*wait{waitOf(0, 8, "ALLREDUCE", "8", ""), waitOf(1, 8, "BROADCAST", "8", "pg")}, "0", "1", false, false},
		{"another group", []*wait{waitOf(0, 8, "ALLREDUCE", "8", "pg"), waitOf(1, 8, "BROADCAST", "8", "tp")}, "", "", false, false},
		{"numbers that nobody tells", []*wait{waitOf(0, -1, "ALLREDUCE", "8", "pg"), waitOf(1, -1, "BROADCAST", "8", "pg")}, "", "", false, false},
		{"operations that one does not tell", []*wait{waitOf(0, 8, "", "8", "pg"), waitOf(1, 8, "BROADCAST", "8", "pg")}, "", "", false, false},
		{"operations that the other does not tell", []*wait{waitOf(0, 8, "ALLREDUCE", "8", "pg"), waitOf(1, 8, "", "8", "pg")}, "", "", false, false},
		{"a transfer beside", []*wait{waitOf(0, 8, "ALLREDUCE", "8", "pg"), waitOf(1, 8, "SEND", "8", "pg")}, "", "", false, false},
		{"a transfer first", []*wait{waitOf(0, 8, "SEND", "8", "pg"), waitOf(1, 8, "ALLREDUCE", "8", "pg"), waitOf(2, 8, "BROADCAST", "8", "pg")}, "1", "2", false, true},
		{"one rank by itself", []*wait{waitOf(0, 8, "ALLREDUCE", "8", "pg"), waitOf(0, 8, "BROADCAST", "8", "pg")}, "", "", false, false},
		{"several ranks a side", []*wait{waitOf(3, 8, "ALLREDUCE", "8", "pg"), waitOf(1, 8, "BROADCAST", "8", "pg"), waitOf(0, 8, "ALLREDUCE", "8", "pg"), waitOf(2, 8, "BROADCAST", "8", "pg")}, "0, 3", "1, 2", false, true},
		{"a third operation", []*wait{waitOf(0, 8, "ALLREDUCE", "8", "pg"), waitOf(1, 8, "BROADCAST", "8", "pg"), waitOf(2, 8, "BARRIER", "8", "pg")}, "0", "1", false, true},
		{"a third number of elements", []*wait{waitOf(0, 8, "ALLREDUCE", "8", "pg"), waitOf(1, 8, "ALLREDUCE", "9", "pg"), waitOf(2, 8, "ALLREDUCE", "10", "pg")}, "0", "1", true, true},
		{"the same", []*wait{waitOf(0, 8, "ALLREDUCE", "8", "pg"), waitOf(1, 8, "ALLREDUCE", "8", "pg")}, "", "", false, false},
		{"a later number in the same order", []*wait{waitOf(0, 8, "ALLREDUCE", "8", "pg"), waitOf(1, 9, "ALLREDUCE", "8", "pg"), waitOf(2, 9, "BROADCAST", "8", "pg")}, "1", "2", false, true},
	} {
		d := differing(tt.waits)
		if d == nil {
			if tt.a != "" {
				t.Errorf("%s: they do not differ", tt.name)
			}
			continue
		}
		if a, b := ranksOf(d.a), ranksOf(d.b); a != tt.a || b != tt.b || d.counts != tt.counts || d.sure != tt.sure {
			t.Errorf("%s: %q and %q differ, in numbers %v, sure %v; want %q and %q, %v, %v", tt.name, a, b, d.counts, d.sure, tt.a, tt.b, tt.counts, tt.sure)
		}
	}
}

// TestDifferenceIsTold: what either side entered is told, with a line of each.
func TestDifferenceIsTold(t *testing.T) {
	for _, tt := range []struct {
		name       string
		waits      []*wait
		code, a, b string
		op         string
		confidence Confidence
	}{
		{"operations", []*wait{waitOf(0, 8, "ALLREDUCE", "8", "pg"), waitOf(1, 8, "BROADCAST", "8", "pg")}, "different-collectives", "ALLREDUCE", "BROADCAST", "", High},
		{"numbers", []*wait{waitOf(0, 8, "ALLREDUCE", "8", "pg"), waitOf(1, 8, "ALLREDUCE", "9", "pg")}, "different-counts", "8", "9", "ALLREDUCE", High},
		{"no group", []*wait{waitOf(0, 8, "ALLREDUCE", "8", ""), waitOf(1, 8, "BROADCAST", "8", "")}, "different-collectives", "ALLREDUCE", "BROADCAST", "", Medium},
	} {
		v := Verdict{Confidence: Medium, Doubt: &Reason{Code: "not-proven"}, Ranks: []int{0}, Evidence: []scan.Quote{{}}}
		differing(tt.waits).tell(&v)
		args := v.Sentence.Args
		if v.Sentence.Code != tt.code || args["a"] != tt.a || args["b"] != tt.b || args["op"] != tt.op || args["ranks_a"] != "0" || args["ranks_b"] != "1" || args["seq"] != "8" {
			t.Errorf("%s: %v", tt.name, *v.Sentence)
		}
		if v.Confidence != tt.confidence || (v.Doubt == nil) != (tt.confidence == High) || len(v.Ranks) > 0 {
			t.Errorf("%s: %s, doubt %v, ranks %v", tt.name, v.Confidence, v.Doubt, v.Ranks)
		}
		if len(v.Evidence) != 2 || v.Evidence[0].Number != 1 || v.Evidence[1].Number != 2 {
			t.Errorf("%s: the evidence is %v", tt.name, v.Evidence)
		}
	}
}
