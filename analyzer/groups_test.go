package analyzer

import (
	"fmt"
	"testing"
	"testing/fstest"

	"hcloud-modelarts/analyzer/source"
)

// TestAskedFirst: a job that failed by the service's word is what is asked about,
// before the log of another job that lies beside it; one that ended well is not.
func TestAskedFirst(t *testing.T) {
	const mine, other = "11111111-2222-4333-8444-555555555555", "66666666-7777-4888-8999-000000000000"
	details := `{"metadata": {"id": "` + mine + `", "name": "mine"}, "status": {"phase": %q, "tasks": ["worker-0"]}}`
	silent := "[ModelArts Service Log]Training start at 2026-06-24-15:00:00\n2026-06-24 15:00:06 it 0 loss 2.0\n[ModelArts Service Log]Training end with return code: %d\n"
	failed := "Traceback (most recent call last):\n  File \"/home/ma-user/modelarts/user-job-dir/train.py\", line 9, in <module>\n    main()\nKeyError: 'label'\n"
	for _, c := range []struct {
		phase string
		code  int
		first string
	}{{"Failed", 1, mine}, {"Completed", 0, other}} {
		fsys := fstest.MapFS{
			"details.json": {Data: fmt.Appendf(nil, details, c.phase)},
			"modelarts-job-" + mine + "-worker-0.log":  {Data: fmt.Appendf(nil, silent, c.code)},
			"modelarts-job-" + other + "-worker-0.log": {Data: []byte(failed)},
		}
		reports, err := Diagnose([]source.Root{{Name: "case", FS: fsys, Path: "."}}, Options{})
		if err != nil || len(reports) != 2 || reports[0].Job.ID != c.first {
			t.Errorf("%s: %d reports, the first on %v, error %v", c.phase, len(reports), reports[0].Job, err)
		}
	}
}
