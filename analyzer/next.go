package analyzer

import (
	"strings"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/verdict"
)

func (w wording) next() []report.Next {
	var rows []report.Next
	for _, n := range w.v.Next {
		why := w.reason(n.Why)
		if n.Text != nil {
			why = fill(n.Text.In(w.lang), w.v.Values)
		}
		rows = append(rows, report.Next{API: n.API, Why: why, Command: w.command(n)})
	}
	return rows
}

// command is the exact call that gets a further piece of evidence. What is not
// known stands in it as <name>.
func (w wording) command(n verdict.Next) string {
	if n.API == "" {
		return ""
	}
	j := w.v.Case.Job
	args := []string{"hcloud", "ModelArts", n.API}
	if n.API != "ListTrainingJobs" && n.API != "ShowTrainingQuotas" && n.API != "ShowTrainingJobFlavors" {
		args = append(args, "--training_job_id="+orName(j.ID, "training_job_id"))
	}
	if verdict.PerTask[n.API] {
		args = append(args, "--task_id="+orName(n.Task, "worker-N"))
	}
	return strings.Join(append(args, "--cli-region="+orName(j.Region, "region")), " ")
}

func orName(value, name string) string {
	if value != "" {
		return value
	}
	return "<" + name + ">"
}
