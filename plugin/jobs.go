package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/plugin/hcloud"
)

// filter asks a list for the jobs whose key has one of the values.
func filter(key, operator string, values ...string) []string {
	params := []string{"--filters.1.key=" + key, "--filters.1.operator=" + operator}
	for i, v := range values {
		params = append(params, fmt.Sprintf("--filters.1.value.%d=%s", i+1, v))
	}
	return params
}

// abnormal are the phases of jobs that may have failed. A job that reached its
// maximum running time is Terminated, as one that a user stopped.
var abnormal = []string{string(modelarts.PhaseFailed), string(modelarts.PhaseAbnormal), string(modelarts.PhaseTerminated)}

// listOf asks for a page of jobs, the newest first.
func listOf(page int, filter []string) hcloud.Call {
	params := []string{fmt.Sprintf("--limit=%d", jobPage), fmt.Sprintf("--offset=%d", page*jobPage), "--sort_by=create_time", "--order=desc"}
	return jobsOf(append(params, filter...)...)
}

// newestOf asks for the newest job alone.
func newestOf() hcloud.Call {
	return jobsOf("--limit=1", "--offset=0", "--sort_by=create_time", "--order=desc")
}

// jobsOf asks for jobs. An answer without a list of them does not say that there
// are none.
func jobsOf(params ...string) hcloud.Call {
	call := read("ListTrainingJobs", params...)
	call.Member = "items"
	return call
}

// list gives the jobs that the filter and keep let through, the newest first,
// each once, none created before since. A service or an hcloud that does not take the
// filter is asked without it.
func (k *collector) list(filter []string, since time.Time, keep func(job) bool) ([]job, error) {
	var found []job
	seen := map[string]bool{} // pages shift while new jobs begin, and some services repeat them
	for page := 0; page < maxPages; page++ {
		a, err := k.ask(listOf(page, filter))
		if err != nil {
			return nil, err
		}
		if page == 0 && len(filter) > 0 && (a.Class == hcloud.APIError || a.Class == hcloud.UseError) {
			filter = nil
			k.failures = nil
			page = -1
			continue
		}
		if err := k.link.failed(a); err != nil {
			return nil, err
		}
		jobs := jobsIn(a.Body)
		for _, j := range jobs {
			if !j.Created.IsZero() && j.Created.Before(since) {
				return found, nil
			}
			if keep(j) && !seen[j.ID] {
				seen[j.ID] = true
				found = append(found, j)
			}
		}
		if itemCount(a.Body) < jobPage {
			break
		}
	}
	return found, nil
}

// itemCount is the length of a page; a page that does not say counts as the last.
func itemCount(body []byte) int {
	var page struct{ Items []json.RawMessage }
	if json.Unmarshal(body, &page) != nil {
		return 0
	}
	return len(page.Items)
}

// abnormalJobs lists the jobs that may have failed.
func (k *collector) abnormalJobs(since time.Time) ([]job, error) {
	return k.list(filter("phase", "in", abnormal...), since, func(j job) bool {
		return slices.Contains(abnormal, string(j.Phase))
	})
}

// find gives the id of the job that the user named by its id or its name.
func (k *collector) find(ref string) (string, error) {
	if modelarts.IsID(ref) {
		return strings.ToLower(ref), nil
	}
	jobs, err := k.list(filter("name", "like", ref), time.Time{}, func(j job) bool { return strings.Contains(j.Name, ref) })
	if err != nil {
		return "", err
	}
	exact := slices.DeleteFunc(slices.Clone(jobs), func(j job) bool { return j.Name != ref })
	switch {
	case len(exact) == 1:
		return exact[0].ID, nil
	case len(exact) > 1:
		return "", &ambiguousError{ref, exact}
	case len(jobs) == 1:
		return jobs[0].ID, nil
	case len(jobs) == 0:
		return "", &usageError{k.c.say(msgNoJob, ref)}
	}
	return "", &ambiguousError{ref, jobs}
}

// ambiguousError says that several jobs have the name that the user gave.
type ambiguousError struct {
	ref  string
	jobs []job
}

func (e *ambiguousError) Error() string {
	return fmt.Sprintf("%d jobs match %q", len(e.jobs), e.ref)
}

// choice shows the jobs to choose from.
func (c *console) choice(e *ambiguousError) string {
	var b strings.Builder
	b.WriteString(c.say(msgAmbiguous, e.ref, len(e.jobs)))
	b.WriteByte('\n')
	rows := make([][]string, len(e.jobs))
	for i, j := range e.jobs {
		rows[i] = []string{j.ID, j.Name, string(j.Phase), clock(j.Created)}
	}
	heading := []string{"ID", c.say(colName), c.say(colPhase), c.say(colCreated)}
	if err := writeTable(&b, false, heading, rows); err != nil {
		return err.Error()
	}
	return b.String()
}

// clock writes a time for people, "-" for none.
func clock(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04Z")
}
