package verdict

import (
	"fmt"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// also says what the answers and the log tell beside the cause: what a person who
// knows the cause would still look up.
func (j *judge) also(v *Verdict, root *candidate) {
	add := func(r *Reason) {
		if r != nil {
			v.Findings = append(v.Findings, *r)
		}
	}
	switch v.Cause {
	case Unknown:
		return
	case hang:
		j.lastSeen(v)
	case "resource-shortage":
		add(quotaUsed(j.c.Job.Quotas))
	}
	if root != nil {
		add(j.eachRun(root))
		if root.event.Quote.Kind == source.Event && outputUpload().MatchString(root.event.Quote.Text) {
			add(&Reason{Code: "output-incomplete"})
		}
	}
	for _, r := range restarts(j.c.Job.Records) {
		add(&r)
	}
}

// lastSeen says how far a job that hangs had come and quotes the last lines of its
// logs, where its steps do not tell when it stopped.
func (j *judge) lastSeen(v *Verdict) {
	if j.stall != nil {
		return
	}
	j.soFar(v)
	var last []scan.Quote
	for _, s := range j.c.Found.Streams {
		if s.Field == "" && s.Lines > 1 && s.Last.Kind == source.Log && len(last) < shownWords {
			last = append(last, s.Last)
		}
	}
	v.Evidence = addQuotes(v.Evidence, last...)
}

// outputUpload is how the service's events tell that the results of a job were not
// stored.
var outputUpload = lazy.Regexp(`(?i)failed to upload the training output|upload training output.* failed|训练输出.*上传失败`)

// quotaUsed names the first quota that is used up, nil when none is.
func quotaUsed(quotas []modelarts.Quota) *Reason {
	for _, q := range quotas {
		if q.Quota > 0 && q.Used >= q.Quota {
			return &Reason{"quota-used", map[string]string{"resource": q.Resource, "used": strconv.FormatInt(q.Used, 10), "quota": strconv.FormatInt(q.Quota, 10)}}
		}
	}
	return nil
}

// restarts tells after what the platform ran the job again, and that it does no
// longer.
func restarts(records []modelarts.Record) []Reason {
	var all []Reason
	var kinds []string
	times, spent := map[string]int{}, false
	for _, r := range records {
		for _, rec := range r.Recoveries {
			spent = rec.Result == "quotaExceeded"
			if rec.Result != "success" || rec.Scenario == "" {
				continue
			}
			kind := rec.Scenario
			if rec.RelatedTask != "" {
				kind += " (" + rec.RelatedTask + ")"
			}
			if times[kind] == 0 {
				kinds = append(kinds, kind)
			}
			times[kind]++
		}
	}
	for i, k := range kinds {
		if times[k] > 1 {
			kinds[i] = fmt.Sprintf("%s × %d", k, times[k])
		}
	}
	if len(kinds) > 0 {
		all = append(all, Reason{"restarted", map[string]string{"faults": strings.Join(kinds, ", ")}})
	}
	if spent {
		all = append(all, Reason{Code: "restarts-spent"})
	}
	return all
}

// ofEarlierRun are the fates of what ended a run before the last.
var ofEarlierRun = map[string]bool{"earlier-run": true, "attempt-recovered": true}

// eachRun says of the runs that one log holds that they failed of the same, or of
// what the one before the root's failed.
func (j *judge) eachRun(root *candidate) *Reason {
	if root.event.Quote.Kind == source.Event || stopCauses[root.cause] {
		return nil
	}
	failed := map[int]bool{}
	var before *candidate
	for _, c := range j.all {
		if !oneLog(c.event, root.event) || c.print == "" {
			continue
		}
		if c.print == root.print {
			failed[c.event.Attempt] = true
		}
		run := c.event.Attempt == root.event.Attempt-1 && c.tier <= weak && c.fate != nil && ofEarlierRun[c.fate.Code]
		if run && (before == nil || c.tier < before.tier) {
			before = c
		}
	}
	switch {
	case len(failed) > 1:
		return &Reason{"same-runs", map[string]string{"count": strconv.Itoa(len(failed))}}
	case before == nil || failed[root.event.Attempt-1]:
		return nil
	}
	return &Reason{"run-before", map[string]string{"cause": before.cause, "line": strconv.Itoa(before.event.Quote.Number)}}
}
