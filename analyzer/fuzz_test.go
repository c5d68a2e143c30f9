package analyzer

import (
	"bytes"
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
)

// FuzzDiagnose holds a whole diagnosis against what it promises: the same bytes
// for the same input, in every form, and quotes that stand in the input.
func FuzzDiagnose(f *testing.F) {
	for name, piece := range bait {
		f.Add([]byte(begins[name] + piece(1) + piece(2) + piece(1)))
	}
	f.Add([]byte(`{"metadata":{"id":"x"},"status":{"phase":"Failed","task_statuses":[{"task":"worker-0","exit_code":1,"message":"KeyError: 1"}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 64<<10 {
			return
		}
		roots := func() []source.Root { return []source.Root{{Name: "x", Reader: bytes.NewReader(data)}} }
		o := Options{Lang: "en", Limits: source.Limits{Bytes: 1 << 20, Entries: 20, Depth: 3, Answer: 32 << 10}, Why: true}
		reports, err := Diagnose(roots(), o)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatalf("more than a line: %v", err)
			}
			return
		}
		again, _ := Diagnose(roots(), o)
		first, err := report.JSON(reports)
		second, _ := report.JSON(again)
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("two diagnoses differ: %v\n%s\n%s", err, first, second)
		}
		if bad, err := Verify(reports, roots(), o.Limits); err != nil || len(bad) > 0 {
			t.Fatalf("quotes that are not in the input: %v %v", bad, err)
		}
		report.Markdown(reports, "zh", true)
		report.Text(reports, "en", report.Style{Width: 40, Color: true})
		if _, err := report.HTML(reports, "zh"); err != nil {
			t.Fatal(err)
		}
	})
}
