package analyzer

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
)

// timelineOf diagnoses logs by name and gives the timeline of the report.
func timelineOf(t *testing.T, logs map[string]string) *report.Timeline {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range logs {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	reports, err := Diagnose([]source.Root{{Name: "case", FS: fsys, Path: "."}}, Options{Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	return reports[0].Timeline
}

const (
	steps = "2026-06-02 09:00:00 INFO step 1 loss 1.5\n2026-06-02 09:10:00 INFO step 11 loss 1.4\n"
	oom   = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.66 GiB is free."
)

// TestTimeline: each rank has its lane with its span and its last step; the root
// stands where it was printed, and a line without a time on a span of times.
func TestTimeline(t *testing.T) {
	tl := timelineOf(t, map[string]string{
		"worker-0-rank-0.txt": steps + "2026-06-02 09:20:30 ERROR [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=41, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600041 milliseconds before timing out.\n",
		"worker-1-rank-1.txt": steps + "Traceback (most recent call last):\n  File \"train.py\", line 8, in <module>\n    m(x)\n" + oom + "\n2026-06-02 09:11:00 INFO cleaning up\n",
	})
	if tl == nil || len(tl.Lanes) != 2 || tl.More != 0 {
		t.Fatalf("the timeline is %+v", tl)
	}
	waiting, failed := tl.Lanes[0], tl.Lanes[1]
	if waiting.Rank != 0 || waiting.First != "2026-06-02T09:00:00" || waiting.Last != "2026-06-02T09:20:30" || waiting.Progress != "2026-06-02T09:10:00" || waiting.Step != 11 {
		t.Errorf("the lane of the rank that waits is %+v", waiting)
	}
	if len(waiting.Marks) != 1 || waiting.Marks[0].Kind != "symptom" || waiting.Marks[0].Time != "2026-06-02T09:20:30" || waiting.Marks[0].Until != "" {
		t.Errorf("its marks are %+v", waiting.Marks)
	}
	want := report.Mark{Time: "2026-06-02T09:10:00", Until: "2026-06-02T09:11:00", Kind: "root", Cause: "device-oom", Line: 6}
	if failed.Rank != 1 || failed.Last != "2026-06-02T09:11:00" || len(failed.Marks) == 0 || failed.Marks[0] != want {
		t.Errorf("the lane of the rank that fails is %+v", failed)
	}
}

// TestTimelineOfClocks: times that do not compare with those of the root are not
// drawn beside them.
func TestTimelineOfClocks(t *testing.T) {
	tl := timelineOf(t, map[string]string{
		"worker-0.log": "2026-06-02 09:00:00 INFO step 1 loss 1.5\n",
		"worker-1.log": "2026-06-02T01:10:00Z INFO step 1 loss 1.5\n2026-06-02T01:10:05Z ERROR " + oom + "\n",
	})
	if tl == nil || len(tl.Lanes) != 1 || tl.Lanes[0].Task != "worker-1" || tl.Lanes[0].Last != "2026-06-02T01:10:05Z" {
		t.Errorf("the timeline is %+v", tl)
	}
	if tl := timelineOf(t, map[string]string{"a.log": "a line\n" + oom + "\n"}); tl != nil {
		t.Errorf("a log without times has the timeline %+v", tl)
	}
}

// TestTimelineIsBounded: of very many ranks those are drawn on which something
// happened.
func TestTimelineIsBounded(t *testing.T) {
	logs := map[string]string{}
	for i := range 90 {
		text := steps
		if i == 77 {
			text += "2026-06-02 09:10:30 ERROR " + oom + "\n"
		}
		logs[fmt.Sprintf("worker-%d-rank-%d.txt", i, i)] = text
	}
	tl := timelineOf(t, logs)
	if tl == nil || len(tl.Lanes) != 64 || tl.More != 26 {
		t.Fatalf("%d lanes, %d more", len(tl.Lanes), tl.More)
	}
	var marked []string
	for i, l := range tl.Lanes {
		for _, m := range l.Marks {
			marked = append(marked, fmt.Sprintf("%d %s", l.Rank, m.Kind))
		}
		if i > 0 && tl.Lanes[i-1].Rank >= l.Rank {
			t.Errorf("rank %d stands behind rank %d", l.Rank, tl.Lanes[i-1].Rank)
		}
	}
	if strings.Join(marked, ", ") != "77 root" {
		t.Errorf("the marks are %v", marked)
	}
}
