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
	)
	for _, c := range []struct{ name, text, cause string }{
		{"mended, then refused otherwise", create + flavor + create + quota, "resource-shortage"},
		{"another operation is refused later", create + flavor + list + quota, "config-invalid"},
		{"mended, then created", create + flavor + create + job, "key-error"},
	} {
		reports, err := Diagnose([]source.Root{{Name: "session.txt", Reader: strings.NewReader(c.text)}}, Options{Lang: "en"})
		if err != nil {
			t.Fatal(err)
		}
		if got := reports[0].Cause; got != c.cause {
			t.Errorf("%s: cause %q, want %q", c.name, got, c.cause)
		}
	}
}
