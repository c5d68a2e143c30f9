package analyzer

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
)

// TestVerify: a report agrees with its own case, and with none once a quote of
// it, of whatever kind, says something else.
func TestVerify(t *testing.T) {
	roots := func() []source.Root {
		return []source.Root{{Name: "case", Path: ".", FS: fstest.MapFS{
			"47.93.1.20/worker-0-rank-0.log": {Data: []byte(steps + "2026-06-02 09:20:30 ERROR [Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=41, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600041 milliseconds before timing out. token=abcdef0123456789abcd\n")},
			"47.93.1.20/worker-1-rank-1.log": {Data: []byte(steps + "Traceback (most recent call last):\n  File \"train.py\", line 8, in <module>\n    m(x)\n" + oom + "\n")},
		}}}
	}
	made, err := Diagnose(roots(), Options{Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	data, err := report.JSON(made)
	if err != nil {
		t.Fatal(err)
	}
	if len(made[0].Evidence) == 0 || len(made[0].Symptoms) == 0 || strings.Contains(string(data), "47.93.1.20") {
		t.Fatalf("the case shows nothing: %s", data)
	}
	for _, c := range []struct {
		name  string
		alter func(r *report.Report)
		bad   int
	}{
		{"as it was", func(*report.Report) {}, 0},
		{"text of the evidence", func(r *report.Report) { r.Evidence[0].Text += " indeed" }, 1},
		{"checksum of the evidence", func(r *report.Report) { r.Evidence[0].SHA256 = "" }, 1},
		{"text of a symptom", func(r *report.Report) { r.Symptoms[0].Text = "all is well" }, 1},
		{"checksum of a symptom", func(r *report.Report) { r.Symptoms[0].SHA256 = strings.Repeat("0", 64) }, 1},
		{"line of a symptom", func(r *report.Report) { r.Symptoms[0].Line++ }, 1},
		{"symptom of an older report", func(r *report.Report) {
			r.Symptoms[0].SHA256, r.Symptoms[0].Offset, r.Symptoms[0].Length = "", 0, 0
		}, 0},
		{"alternative that no line bears", func(r *report.Report) {
			r.Alternatives = append(r.Alternatives, report.Alternative{Source: r.Evidence[0].Source, Line: 1, Text: "disk full"})
		}, 1},
	} {
		var saved report.Report
		if err := json.Unmarshal(data, &saved); err != nil {
			t.Fatal(err)
		}
		c.alter(&saved)
		bad, err := Verify([]report.Report{saved}, roots(), source.Limits{})
		if err != nil || len(bad) != c.bad {
			t.Errorf("%s: %v, %v", c.name, bad, err)
		}
	}
}

// TestVerifyAnswers: what a diagnosis reads of damaged answers, and of answers too
// large to be held, is found again.
func TestVerifyAnswers(t *testing.T) {
	many := strings.Repeat(`{"task":"worker-0","exit_code":0,"message":""},`, 20_000)
	for name, text := range map[string]string{
		"damaged": `{"metadata":{"id":"x"},"status":{"phase":"Failed","task_statuses":[],,"message":"KeyError: 1"}}`,
		"cut":     `{"metadata":{"id":"x"},"status":{"phase":"Failed","message":"KeyError: 1\nall is lost","tasks":["worker-0","wor`,
		"large":   `{"metadata":{"id":"x"},"status":{"phase":"Failed","task_statuses":[` + many + `{"task":"worker-1","exit_code":1,"message":"KeyError: 1"}]}}`,
	} {
		roots := func() []source.Root { return []source.Root{{Name: "in", Reader: strings.NewReader(text)}} }
		made, err := Diagnose(roots(), Options{Lang: "en"})
		if err != nil || len(made[0].Evidence) == 0 {
			t.Fatalf("%s: %v, %+v", name, err, made)
		}
		if bad, err := Verify(made, roots(), source.Limits{}); err != nil || len(bad) > 0 {
			t.Errorf("%s: %v, %v", name, bad, err)
		}
	}
}

// TestVerifySamples: the value of a metric that a report quotes is found again. Of
// a series that is so long that it is read in parts nothing is told.
func TestVerifySamples(t *testing.T) {
	for name, c := range map[string]struct {
		values string
		quoted int
	}{"short": {"-1, 20, 60.0, 99.4", 2}, "long": {strings.Repeat("20.5, ", 300_000) + "99.4", 1}} {
		fsys := fstest.MapFS{
			"worker-0.log": {Data: []byte("[Modelarts Service Log]Training end with return code: 137\n")},
			"metrics.json": {Data: []byte(`{"metrics": [{"metric": "memUsage", "value": [` + c.values + `]}]}`)},
		}
		roots := func() []source.Root { return []source.Root{{Name: "case", FS: fsys, Path: "."}} }
		made, err := Diagnose(roots(), Options{Lang: "en"})
		if err != nil || len(made) != 1 || len(made[0].Evidence) != c.quoted || strings.Contains(made[0].Summary, "memUsage") != (c.quoted > 1) {
			t.Fatalf("%s: %v, %+v", name, err, made)
		}
		if bad, err := Verify(made, roots(), source.Limits{}); err != nil || len(bad) > 0 {
			t.Errorf("%s: %v, %v", name, bad, err)
		}
	}
}
