package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"hcloud-modelarts/corpus"
)

// TestScan: jobs that failed alike share a group, stopped ones are left out,
// those that ran out of time are not.
func TestScan(t *testing.T) {
	id := func(n int) string { return fmt.Sprintf("%08d-0d34-4c7e-9a41-b7d2e3f40c19", n) }
	stopped := one(id(3), "Terminated", "", 0, "x\n", "The training job has been manually stopped.")
	timeout := one(id(4), "Terminated", "", 0, "x\n", "The training job has been stopped. (Maximum running duration: 2 hours)")
	answers := slices.Concat(one(id(1), "Failed", traceback, 1, "x\n"), one(id(2), "Failed", traceback, 1, "x\n"), stopped, timeout,
		one(id(5), "Failed", "", 1, "starting\n", "Training job failed."))
	var all []string
	for _, a := range answers {
		if a.call.Operation == "ShowTrainingJobDetails" {
			all = append(all, a.out)
		}
	}
	answers = append(answers, said{listOf(0, filter("phase", "in", abnormal...)), pageOf(append(all, all[0])...)})
	program := stand(t, scene(t, answers...))
	got := beside(t, program, t.TempDir(), "scan", "--format", "json")
	var rows []row
	if err := json.Unmarshal([]byte(got.stdout), &rows); err != nil || got.code != exitOK {
		t.Fatalf("%v: %+v", err, got)
	}
	var seen []string
	for _, r := range rows {
		seen = append(seen, fmt.Sprintf("%d %s %s", r.Group, strings.TrimLeft(r.Job[:8], "0"), r.Cause))
	}
	want := []string{"1 1 file-missing", "1 2 file-missing", "2 4 job-timeout", "3 5 unknown"}
	if !slices.Equal(seen, want) {
		t.Errorf("rows %q, want %q", seen, want)
	}
	cases := t.TempDir()
	table := beside(t, program, cases, "scan", "--lang=en")
	if table.code != exitOK || strings.Count(table.stdout, "\n") != 5 || !strings.Contains(table.stdout, "file missing") {
		t.Errorf("table: %+v", table)
	}
	recorded, _, err := corpus.List(cases)
	if err != nil || len(recorded) != 1 {
		t.Fatal(recorded, err)
	}
	details := map[string]int{}
	for _, x := range recorded[0].Exchanges {
		if x.Operation == "ShowTrainingJobDetails" {
			details[x.Parameters["training_job_id"]]++
		}
	}
	if want := map[string]int{id(1): 1, id(2): 1, id(3): 1, id(4): 1, id(5): 1}; !maps.Equal(details, want) {
		t.Errorf("the jobs, of which the list has one twice, are asked for: %v", details)
	}
	if again := beside(t, "", cases, "scan", "--lang=en", "--replay", "scan"); again.code != exitOK || again.stdout != table.stdout {
		t.Errorf("replaying a scan: %+v", again)
	}
	late := beside(t, program, t.TempDir(), "scan", "--since", "2026-06-03", "--lang=en")
	if late.code != exitOK || !strings.Contains(late.stdout, "no training job that failed") {
		t.Errorf("nothing since then: %+v", late)
	}
	if got := beside(t, program, t.TempDir(), "scan", "--since", "soon"); got.code != exitUsage {
		t.Errorf("a wrong time: %+v", got)
	}
}

func TestGroupsOfUnknowns(t *testing.T) {
	rows := grouped([]row{{Job: "a", Cause: "unknown", Fingerprint: "f"}, {Job: "b", Cause: "unknown", Fingerprint: "f"}, {Job: "c", Cause: "x", Fingerprint: "g"}})
	if rows[0].Group == rows[1].Group || rows[1].Group == rows[2].Group {
		t.Errorf("%+v", rows)
	}
}
