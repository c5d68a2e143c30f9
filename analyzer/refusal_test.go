package analyzer

import (
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/source"
)

// TestAskedAgain: of several refusals in one saved session the last of an
// operation counts, and none once the job is there.
func TestAskedAgain(t *testing.T) {
	const (
		create = "$ hcloud ModelArts CreateTrainingJob --cli-jsonInput=job.json\n"
		list   = "$ hcloud ModelArts ListTrainingJobs --limit=3\n"
		flavor = `{"error_code":"ModelArts.2781","error_msg":"FlavorNotFound: Flavor (a) not found."}` + "\n"
		quota  = `{"error_code":"ModelArts.2815","error_msg":"ExceedQuotaLimit: Exceed quota limit of resource(job-num)."}` + "\n"
		job    = `{"kind":"job","metadata":{"id":"b6f1c2de-7a34-4c1e-9d52-0f8e3a9c7d41"},"status":{"phase":"Failed","task_statuses":[{"task":"worker-0","exit_code":1,"message":"KeyError: 'label'"}]}}` + "\n"
		well   = `{"items":[{"kind":"job","metadata":{"id":"b6f1c2de-7a34-4c1e-9d52-0f8e3a9c7d41"},"status":{"phase":"Completed"}}],"total":1}` + "\n"
		show   = "$ hcloud ModelArts ShowTrainingJobLogsPreview --task_id=worker-0\n"
	)
	for _, c := range []struct{ name, text, cause, confidence string }{
		{"mended, then refused otherwise", create + flavor + create + quota, "resource-shortage", "HIGH"},
		{"another operation is refused later", create + flavor + list + quota, "config-invalid", "MEDIUM"},
		{"mended, then created", create + flavor + create + job, "key-error", "HIGH"},
		{"another job had ended well before", list + well + create + quota, "resource-shortage", "HIGH"},
		{"refused, then created, and it ended well", create + quota + list + well, "none", "HIGH"},
		{"a question about a job that ended well is refused", list + well + show + quota, "none", "HIGH"},
	} {
		reports, err := Diagnose([]source.Root{{Name: "session.txt", Reader: strings.NewReader(c.text)}}, Options{Lang: "en"})
		if err != nil {
			t.Fatal(err)
		}
		if r := reports[0]; r.Cause != c.cause || string(r.Confidence) != c.confidence {
			t.Errorf("%s: cause %s/%s, want %s/%s", c.name, r.Cause, r.Confidence, c.cause, c.confidence)
		}
	}
}
