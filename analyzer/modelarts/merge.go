package modelarts

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Merge puts together what several answers say of the same job. Answers belong
// to one job when they name the same id, or when one of them has no id and names
// the name that exactly one job has; what names neither belongs to the only job
// there is, and stays apart when there are several. Where answers differ, the
// one from the later phase counts, then the one after the longer run; lists are
// united. The result depends on the answers alone, not on their order; jobs are
// ordered by id, then name.
func Merge(jobs []Job) []Job {
	jobs = slices.Clone(jobs)
	slices.SortStableFunc(jobs, byAge)
	groups, loose := groupJobs(jobs)
	if len(groups) <= 1 {
		groups = [][]Job{slices.Concat(slices.Concat(groups...), loose)}
		loose = nil
		slices.SortStableFunc(groups[0], byAge)
	}
	var merged []Job
	for _, group := range groups {
		if len(group) > 0 {
			merged = append(merged, mergeGroup(group))
		}
	}
	slices.SortStableFunc(merged, func(a, b Job) int {
		return cmp.Or(strings.Compare(a.ID, b.ID), strings.Compare(a.Name, b.Name))
	})
	return append(merged, loose...)
}

// groupJobs collects the answers of one job each, by id, else by name.
func groupJobs(jobs []Job) (groups [][]Job, loose []Job) {
	find := func(is func(Job) bool) int {
		found := -1
		for i, g := range groups {
			if !slices.ContainsFunc(g, is) {
				continue
			}
			if found >= 0 {
				return -1
			}
			found = i
		}
		return found
	}
	add := func(j Job, is func(Job) bool) {
		if i := find(is); i >= 0 {
			groups[i] = append(groups[i], j)
		} else {
			groups = append(groups, []Job{j})
		}
	}
	for _, j := range jobs {
		if j.ID != "" {
			add(j, func(o Job) bool { return o.ID == j.ID })
		}
	}
	for _, j := range jobs {
		switch {
		case j.ID == "" && j.Name != "":
			add(j, func(o Job) bool { return o.Name == j.Name })
		case j.ID == "":
			loose = append(loose, j)
		}
	}
	return groups, loose
}

// phaseAge orders phases by when a job is in them.
var phaseAge = map[Phase]int{
	PhaseUnknown: 0, PhaseCreating: 1, PhasePending: 2, PhaseRunning: 3, PhaseTerminating: 4,
	PhaseTerminated: 5, PhaseCompleted: 5, PhaseAbnormal: 5, PhaseFailed: 6,
}

// byAge orders what answers say of one job from the oldest to the newest. What
// comes last decides only between answers that are equally new.
func byAge(a, b Job) int {
	return cmp.Or(
		cmp.Compare(phaseAge[a.Phase], phaseAge[b.Phase]),
		cmp.Compare(a.Duration, b.Duration),
		cmp.Compare(detail(a), detail(b)),
		strings.Compare(a.PhaseText, b.PhaseText),
		strings.Compare(a.Secondary, b.Secondary),
		strings.Compare(a.ID, b.ID),
		strings.Compare(a.Name, b.Name),
		comparePlace(a.PhaseAt, b.PhaseAt),
		comparePlace(firstPlace(a), firstPlace(b)),
	)
}

// detail counts what an answer says of a job.
func detail(j Job) int {
	return len(j.Tasks) + len(j.Records) + len(j.Analysis) + len(j.Stages) + len(j.Hosts) + len(j.Preview) +
		len(j.Metrics) + len(j.Quotas)
}

func comparePlace(a, b Place) int {
	return cmp.Or(strings.Compare(a.Source, b.Source), cmp.Compare(a.Line, b.Line), strings.Compare(a.Field, b.Field))
}

// firstPlace returns a place that tells apart answers without a phase.
func firstPlace(j Job) Place {
	switch {
	case len(j.Tasks) > 0:
		return j.Tasks[0].At
	case len(j.Stages) > 0:
		return j.Stages[0].At
	case len(j.Records) > 0:
		return j.Records[0].At
	case len(j.Preview) > 0:
		return j.Preview[0].At
	case len(j.Analysis) > 0:
		return j.Analysis[0].At
	case len(j.Hosts) > 0:
		return Place{Field: j.Hosts[0].Task + " " + j.Hosts[0].HostIP, Line: j.Hosts[0].ScheduleCount}
	case len(j.Metrics) > 0:
		return Place{Field: j.Metrics[0].Name, Source: j.Metrics[0].Task}
	}
	return Place{}
}

// mergeGroup unites the answers of one job, which are ordered from the oldest to
// the newest.
func mergeGroup(group []Job) Job {
	var to Job
	for _, j := range group {
		mergeState(&to, j)
		mergeSetup(&to, j)
		to.Tasks = append(to.Tasks, j.Tasks...)
		to.Records = unite(to.Records, j.Records, sameRecord, newerRecord)
		to.Stages = unite(to.Stages, j.Stages, sameStage, newerStage)
		to.Analysis = unite(to.Analysis, j.Analysis, func(a, b Analysis) bool {
			return a.Task == b.Task && a.Description == b.Description
		}, later)
		to.Hosts = unite(to.Hosts, j.Hosts, func(a, b Host) bool { return a == b }, later)
		to.Preview = unite(to.Preview, j.Preview, func(a, b Preview) bool { return a == b }, later)
		to.Metrics = unite(to.Metrics, j.Metrics, func(a, b Metric) bool {
			return a.Task == b.Task && a.Name == b.Name
		}, longerMetric)
		to.Quotas = unite(to.Quotas, j.Quotas, func(a, b Quota) bool { return a == b }, later)
	}
	to.Tasks = mergeTasks(to.Tasks)
	order(&to)
	return to
}

// mergeState takes what changes while a job runs from the newer answer.
func mergeState(to *Job, j Job) {
	if j.PhaseText != "" || j.Phase != PhaseUnknown {
		to.Phase, to.PhaseText, to.PhaseAt, to.Secondary = j.Phase, j.PhaseText, j.PhaseAt, cmp.Or(j.Secondary, "")
	}
	to.Secondary = cmp.Or(to.Secondary, j.Secondary)
	to.Duration = max(to.Duration, j.Duration)
	if !j.Started.IsZero() {
		to.Started = j.Started
	}
	if !j.Created.IsZero() {
		to.Created = j.Created
	}
}

// mergeSetup takes what is fixed from whichever answer tells it.
func mergeSetup(to *Job, j Job) {
	to.ID, to.Name, to.Region = cmp.Or(j.ID, to.ID), cmp.Or(j.Name, to.Name), cmp.Or(j.Region, to.Region)
	to.Flavor, to.Pool, to.FlavorType = cmp.Or(j.Flavor, to.Flavor), cmp.Or(j.Pool, to.Pool), cmp.Or(j.FlavorType, to.FlavorType)
	to.NodeCount, to.RetryNum = cmp.Or(j.NodeCount, to.NodeCount), cmp.Or(j.RetryNum, to.RetryNum)
	to.MaxRunning = cmp.Or(j.MaxRunning, to.MaxRunning)
	to.LogExport = to.LogExport || j.LogExport
}

// mergeTasks puts together the states of each task, given from the oldest answer
// to the newest. A state without an exit code adds nothing to one with it, and
// the time of an end that an event tells is kept when the codes agree.
func mergeTasks(states []Task) []Task {
	var merged []Task
	for _, t := range states {
		i := slices.IndexFunc(merged, func(o Task) bool { return o.Name == t.Name && (t.Name != "" || sameCode(o, t)) })
		switch {
		case i < 0:
			merged = append(merged, t)
		case newerState(merged[i], t):
			merged[i] = t
		}
	}
	for i := range merged {
		for _, t := range states {
			if t.Name == merged[i].Name && sameCode(merged[i], t) {
				merged[i].Ended = laterTime(merged[i].Ended, t.Ended)
			}
		}
	}
	return merged
}

// newerState tells whether the state of a newer answer counts. Of two ends with
// a time the later counts, whatever the answers.
func newerState(old, t Task) bool {
	switch {
	case t.ExitCode == nil:
		return old.ExitCode == nil
	case old.ExitCode == nil || old.Ended.IsZero() || t.Ended.IsZero():
		return true
	}
	return !t.Ended.Before(old.Ended)
}

func sameCode(a, b Task) bool {
	return (a.ExitCode == nil) == (b.ExitCode == nil) && (a.ExitCode == nil || *a.ExitCode == *b.ExitCode)
}

// unite adds items to a list. Of two that are the same thing, choose says which
// is kept, given the older and the newer.
func unite[T any](to, from []T, same func(a, b T) bool, choose func(older, newer T) T) []T {
	to = slices.Clip(to)
	for _, item := range from {
		i := slices.IndexFunc(to, func(o T) bool { return same(o, item) })
		if i < 0 {
			to = append(to, item)
		} else {
			to[i] = choose(to[i], item)
		}
	}
	return to
}

func later[T any](_, newer T) T { return newer }

// sameRecord tells whether two answers mean one run: it began at one time, or
// neither tells when and all else is equal.
func sameRecord(a, b Record) bool {
	if !a.Start.IsZero() || !b.Start.IsZero() {
		return a.Start.Equal(b.Start)
	}
	return a.EndReason == b.EndReason && a.RelatedTask == b.RelatedTask && a.End.Equal(b.End) &&
		len(a.Recoveries) == len(b.Recoveries)
}

func newerRecord(older, newer Record) Record {
	if newer.EndReason == "" && newer.End.IsZero() && older.EndReason != "" {
		older, newer = newer, older
	}
	newer.EndReason = cmp.Or(newer.EndReason, older.EndReason)
	newer.RelatedTask = cmp.Or(newer.RelatedTask, older.RelatedTask)
	newer.StartType = cmp.Or(newer.StartType, older.StartType)
	newer.End = laterTime(newer.End, older.End)
	newer.Recoveries = unite(older.Recoveries, newer.Recoveries, func(a, b Recovery) bool {
		return a.Start.Equal(b.Start) && a.Action == b.Action && a.Scenario == b.Scenario && a.Reason == b.Reason
	}, later)
	return newer
}

func sameStage(a, b Stage) bool {
	return a.Order == b.Order && a.Name == b.Name && a.Start.Equal(b.Start)
}

func newerStage(older, newer Stage) Stage {
	if newer.End.IsZero() && newer.Status == "" {
		older, newer = newer, older
	}
	newer.MessageZH = cmp.Or(newer.MessageZH, older.MessageZH)
	newer.MessageEN = cmp.Or(newer.MessageEN, older.MessageEN)
	return newer
}

func longerMetric(older, newer Metric) Metric {
	if len(older.Values) > len(newer.Values) {
		return older
	}
	return newer
}

func laterTime(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// order brings the lists of a merged job into an order of their own.
func order(j *Job) {
	slices.SortStableFunc(j.Tasks, func(a, b Task) int {
		return cmp.Or(compareTask(a.Name, b.Name), comparePlace(a.At, b.At))
	})
	slices.SortStableFunc(j.Records, func(a, b Record) int {
		return cmp.Or(a.Start.Compare(b.Start), comparePlace(a.At, b.At))
	})
	slices.SortStableFunc(j.Stages, func(a, b Stage) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), a.Start.Compare(b.Start), comparePlace(a.At, b.At))
	})
	slices.SortStableFunc(j.Analysis, func(a, b Analysis) int { return comparePlace(a.At, b.At) })
	slices.SortStableFunc(j.Preview, func(a, b Preview) int { return comparePlace(a.At, b.At) })
	slices.SortStableFunc(j.Hosts, func(a, b Host) int {
		return cmp.Or(cmp.Compare(a.ScheduleCount, b.ScheduleCount), compareTask(a.Task, b.Task),
			strings.Compare(a.HostIP, b.HostIP), strings.Compare(a.IP, b.IP))
	})
	slices.SortStableFunc(j.Metrics, func(a, b Metric) int {
		return cmp.Or(compareTask(a.Task, b.Task), strings.Compare(a.Name, b.Name))
	})
	slices.SortStableFunc(j.Quotas, func(a, b Quota) int {
		return cmp.Or(strings.Compare(a.Resource, b.Resource), cmp.Compare(a.Used, b.Used), cmp.Compare(a.Quota, b.Quota))
	})
}

// compareTask orders worker-2 before worker-10.
func compareTask(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}
