package analyzer_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
)

// TestKnownFailuresInTheirSurroundings puts every wording that is known to be a
// root into a log as jobs write it, and wants its cause named.
func TestKnownFailuresInTheirSurroundings(t *testing.T) {
	for _, c := range table(t, "signatures.tsv") {
		cause, family, sample, role := c[0], c[1], c[2], c[4]
		if role != "root" || cause == "none" || cause == "unknown" {
			continue
		}
		if strings.Contains(sample, "is queuing and awaiting") {
			continue // every job queues; how long decides, and this log runs
		}
		t.Run(family, func(t *testing.T) {
			r := diagnose(t, jobLog(sample, 1))
			if r.Cause != cause {
				t.Errorf("%s is taken for %s/%s (%s): %q", cause, r.Cause, r.Confidence, r.Rule, sample)
			}
		})
	}
}

// TestHarmlessLinesAreNotBlamed puts every harmless line into a job that ends
// well, and into one that ends badly without a word.
func TestHarmlessLinesAreNotBlamed(t *testing.T) {
	for i, c := range table(t, "harmless.tsv") {
		sample := c[0]
		t.Run(fmt.Sprint(i+2), func(t *testing.T) {
			if r := diagnose(t, jobLog("\n"+sample+steps(40), 0)); r.Cause != "none" {
				t.Errorf("a job that ended well has %s/%s (%s) after %q", r.Cause, r.Confidence, r.Rule, sample)
			}
			if r := diagnose(t, jobLog("\n"+sample+steps(40), 1)); r.Cause != "unknown" && r.Cause != "exit-nonzero" {
				t.Errorf("%s/%s (%s) is blamed on %q", r.Cause, r.Confidence, r.Rule, sample)
			}
		})
	}
}

func table(t *testing.T, name string) [][]string {
	t.Helper()
	data, err := os.ReadFile("rules/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		if i > 0 && !strings.HasPrefix(line, "#") {
			rows = append(rows, strings.Split(strings.ReplaceAll(line, `\n`, "\n"), "\t"))
		}
	}
	return rows
}

func steps(from int) string {
	var b strings.Builder
	for i := range 4 {
		fmt.Fprintf(&b, "\n2026-07-02 10:%02d:07,118 - train - INFO - step %d loss %.4f lr 1.0e-05", 10+from/10+i, from+10*i, 2.5-float64(from+i)/100)
	}
	return b.String()
}

// jobLog is the log of one task around some lines; an exception stands at the
// end of a traceback.
func jobLog(lines string, code int) []byte {
	if rules.IsException(lines[:strings.IndexByte(lines+"\n", '\n')]) {
		lines = "Traceback (most recent call last):\n" +
			"  File \"/home/ma-user/modelarts/user-job-dir/app/train.py\", line 88, in <module>\n    main()\n" +
			"  File \"/home/ma-user/modelarts/user-job-dir/app/train.py\", line 61, in main\n    run(cfg)\n" + lines
	}
	return fmt.Appendf(nil, `[ModelArts Service Log][init] download code_url: s3://jobs/app/
[ModelArts Service Log]Training start at 2026-07-02-10:08:00
INFO:root:Using MoXing-v2.1.6%s
%s
[Modelarts Service Log]Training end with return code: %d
[Modelarts Service Log][sidecar] exit with 0
`, steps(10), lines, code)
}

func diagnose(t *testing.T, log []byte) report.Report {
	t.Helper()
	fsys := fstest.MapFS{"train.log": {Data: log}}
	rs, err := analyzer.Diagnose([]source.Root{{Name: "train.log", FS: fsys, Path: "train.log"}}, analyzer.Options{Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	return rs[0]
}
