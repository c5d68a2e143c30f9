package modelarts

import (
	"cmp"
	"slices"
	"strconv"
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
	ids, names := map[string]int{}, map[string][]int{}
	for _, j := range jobs {
		if j.ID == "" {
			continue
		}
		i, ok := ids[j.ID]
		if !ok {
			i = len(groups)
			ids[j.ID] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], j)
		if of := names[j.Name]; j.Name != "" && len(of) < 2 && !slices.Contains(of, i) { // two tell as much as more
			names[j.Name] = append(names[j.Name], i)
		}
	}
	for _, j := range jobs {
		if j.ID != "" || j.Name == "" {
			continue
		}
		switch of := names[j.Name]; len(of) {
		case 0:
			names[j.Name] = []int{len(groups)}
			groups = append(groups, []Job{j})
		case 1:
			groups[of[0]] = append(groups[of[0]], j)
		default:
			loose = append(loose, j)
		}
	}
	for _, j := range jobs {
		if j.ID == "" && j.Name == "" {
			loose = append(loose, j)
		}
	}
	for _, g := range groups {
		slices.SortStableFunc(g, byAge)
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
		to.Records = append(to.Records, j.Records...)
		to.Stages = append(to.Stages, j.Stages...)
		to.Analysis = append(to.Analysis, j.Analysis...)
		to.Hosts = append(to.Hosts, j.Hosts...)
		to.Preview = append(to.Preview, j.Preview...)
		to.Metrics = append(to.Metrics, j.Metrics...)
		to.Quotas = append(to.Quotas, j.Quotas...)
	}
	to.Tasks = uniteTasks(to.Tasks, true)
	to.Records = unite(to.Records, recordKey, newerRecord)
	to.Stages = unite(to.Stages, stageKey, newerStage)
	to.Analysis = unite(to.Analysis, func(a Analysis) [2]string { return [2]string{a.Task, a.Description} }, later)
	to.Hosts = unite(to.Hosts, same, later)
	to.Preview = unite(to.Preview, same, later)
	to.Metrics = unite(to.Metrics, func(m Metric) [2]string { return [2]string{m.Task, m.Name} }, longerMetric)
	to.Quotas = unite(to.Quotas, same, later)
	order(&to)
	return to
}

// mergeState takes what changes while a job runs from the newer answer.
func mergeState(to *Job, j Job) {
	if j.PhaseText != "" || j.Phase != PhaseUnknown {
		to.Phase, to.PhaseText, to.PhaseAt, to.Secondary = j.Phase, j.PhaseText, j.PhaseAt, j.Secondary
	}
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

// uniteTasks puts together the states of each task, given from the oldest to the
// newest. A state without an exit code adds nothing to one with it; of ends with
// a time the latest counts; the time of an end that an event tells is kept when
// the codes agree. Of other states that differ all are kept, or with replace the
// newest.
func uniteTasks(states []Task, replace bool) []Task {
	groups := make(map[string]int, len(states)) // by name, in the order of the first
	of := make([]int, len(states))
	order := make([]int, len(states))
	for i, t := range states {
		if _, ok := groups[t.Name]; !ok {
			groups[t.Name] = len(groups)
		}
		of[i], order[i] = groups[t.Name], i
	}
	if len(groups) == len(states) {
		return states
	}
	slices.SortStableFunc(order, func(a, b int) int { return of[a] - of[b] })
	kept := make([]Task, 0, len(groups))
	var one []Task
	for i, at := range order {
		if one = append(one, states[at]); i+1 == len(order) || of[order[i+1]] != of[at] {
			kept = append(kept, settle(one, replace && one[0].Name != "")...)
			one = one[:0]
		}
	}
	return kept
}

// settle does the work of uniteTasks for the states of one task.
func settle(states []Task, replace bool) []Task {
	var latest time.Time
	var coded []Task
	for _, t := range states {
		if t.ExitCode != nil {
			coded = append(coded, t)
			latest = laterTime(latest, t.Ended)
		}
	}
	if len(coded) == 0 {
		return states[:1]
	}
	coded = slices.DeleteFunc(coded, func(t Task) bool { return !t.Ended.IsZero() && t.Ended.Before(latest) })
	if replace {
		code := *coded[len(coded)-1].ExitCode
		coded = slices.DeleteFunc(coded, func(t Task) bool { return *t.ExitCode != code })
	}
	return unite(coded, func(t Task) int { return *t.ExitCode }, func(older, newer Task) Task {
		newer.Ended = laterTime(newer.Ended, older.Ended)
		return newer
	})
}

// unite leaves one of the items with the same key, the one that choose makes of
// the older and the newer.
func unite[T any, K comparable](items []T, key func(T) K, choose func(older, newer T) T) []T {
	var kept []T
	at := map[K]int{}
	for _, item := range items {
		k := key(item)
		if i, ok := at[k]; ok {
			kept[i] = choose(kept[i], item)
			continue
		}
		at[k] = len(kept)
		kept = append(kept, item)
	}
	return kept
}

func same[T any](item T) T { return item }

func later[T any](_, newer T) T { return newer }

// recordKey is equal for two answers about one run: it began at one time, or
// neither tells when and all else is equal.
func recordKey(r Record) [4]string {
	if !r.Start.IsZero() {
		return [4]string{r.Start.String()}
	}
	return [4]string{"", r.EndReason, r.RelatedTask, r.End.String() + strconv.Itoa(len(r.Recoveries))}
}

func newerRecord(older, newer Record) Record {
	if newer.EndReason == "" && newer.End.IsZero() && older.EndReason != "" {
		older, newer = newer, older
	}
	newer.EndReason = cmp.Or(newer.EndReason, older.EndReason)
	newer.RelatedTask = cmp.Or(newer.RelatedTask, older.RelatedTask)
	newer.StartType = cmp.Or(newer.StartType, older.StartType)
	newer.End = laterTime(newer.End, older.End)
	newer.Recoveries = unite(slices.Concat(older.Recoveries, newer.Recoveries), recoveryKey, later)
	return newer
}

func recoveryKey(r Recovery) [4]string {
	return [4]string{r.Start.String(), r.Action, r.Scenario, r.Reason}
}

func stageKey(s Stage) [3]string {
	return [3]string{strconv.Itoa(s.Order), s.Name, s.Start.String()}
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
