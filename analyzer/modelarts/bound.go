package modelarts

import (
	"reflect"
	"slices"
	"sort"
	"time"
)

// LeftOut counts what was left out of jobs for the bounds on what is held.
type LeftOut struct {
	Jobs   int
	States int // of tasks, and hosts
	Items  int // of their other lists: runs, recoveries, stages, metrics, quotas
}

// Add adds up.
func (l *LeftOut) Add(more LeftOut) {
	l.Jobs += more.Jobs
	l.States += more.States
	l.Items += more.Items
}

// Bounds on what is held of jobs, of all together: how many there are, and how
// many bytes they take.
const (
	MostJobs  = 1024
	mostTasks = 8192 // states of tasks, and as many hosts
	mostItems = 1024 // of each other kind of list
	mostRetry = 64   // recoveries of a run
	mostBytes = 1 << 20
)

// Bound leaves out what is beyond the bounds: jobs, and items of their lists.
// Those that tell of a failure are held before others, then those at both ends.
func Bound(jobs []Job) ([]Job, LeftOut) {
	all := make([]*Job, len(jobs))
	for i := range jobs {
		all[i] = &jobs[i]
	}
	all, left := boundJobs(all, nil)
	left.Add(boundLists(all))
	kept := make([]Job, len(all))
	for i, j := range all {
		kept[i] = *j
	}
	return kept, left
}

// boundJobs leaves out jobs, but not the one that is still being read.
func boundJobs(jobs []*Job, open *Job) ([]*Job, LeftOut) {
	n := within(&jobs, MostJobs, mostBytes, bare, func(j *Job) bool { return j != open && !j.Phase.Failed() })
	return jobs, LeftOut{Jobs: n}
}

// bare is how many bytes a job takes without its lists.
func bare(j *Job) int {
	b := *j
	b.Tasks, b.Records, b.Analysis, b.Stages, b.Hosts, b.Preview, b.Metrics, b.Quotas = nil, nil, nil, nil, nil, nil, nil, nil
	return weight(b)
}

// boundLists leaves items out of the lists of jobs.
func boundLists(jobs []*Job) (left LeftOut) {
	left.States += share(jobs, mostTasks, 2*mostBytes, func(j *Job) *[]Task {
		if len(j.Tasks) > mostTasks/2 {
			j.Tasks = uniteTasks(j.Tasks, false)
		}
		return &j.Tasks
	}, func(t Task) bool { return t.ExitCode == nil || *t.ExitCode == 0 })
	left.States += share(jobs, mostTasks, 2*mostBytes, func(j *Job) *[]Host { return &j.Hosts }, none)
	for _, j := range jobs {
		for i := range j.Records {
			left.Items += within(&j.Records[i].Recoveries, mostRetry, mostBytes/mostRetry, weight, none)
		}
	}
	left.Items += share(jobs, mostItems, mostBytes, func(j *Job) *[]Record { return &j.Records }, func(r Record) bool { return r.EndReason == "" && len(r.Recoveries) == 0 })
	left.Items += share(jobs, mostItems, mostBytes, func(j *Job) *[]Analysis { return &j.Analysis }, none)
	left.Items += share(jobs, mostItems, mostBytes, func(j *Job) *[]Stage { return &j.Stages }, none)
	left.Items += share(jobs, mostTasks, mostBytes, func(j *Job) *[]Preview { return &j.Preview }, func(p Preview) bool { return p.Current >= p.Full })
	left.Items += share(jobs, mostTasks, 4*mostBytes, func(j *Job) *[]Metric { return &j.Metrics }, func(m Metric) bool { return !slices.ContainsFunc(m.Values, func(v float64) bool { return v >= 0 }) })
	left.Items += share(jobs, mostItems, mostBytes, func(j *Job) *[]Quota { return &j.Quotas }, func(q Quota) bool { return q.Used < q.Quota })
	return left
}

func none[T any](T) bool { return false }

// share bounds one list of all jobs together, and says how many items it left
// out. Where they are too many, those of the longest lists go. A list of which no
// item is within its share has one while there is room, those of failed jobs first.
func share[T any](jobs []*Job, most, bytes int, list func(*Job) *[]T, little func(T) bool) (left int) {
	lens, weights, heaviest := make([]int, len(jobs)), make([]int, len(jobs)), make([]int, len(jobs))
	var failed, others []int
	for i, j := range jobs {
		items := *list(j)
		lens[i] = len(items)
		for _, item := range items {
			w := weight(item)
			weights[i] += w
			heaviest[i] = max(heaviest[i], w)
		}
		if j.Phase.Failed() {
			failed = append(failed, i)
		} else {
			others = append(others, i)
		}
	}
	each, size := fair(most, lens), fair(bytes, weights)
	for _, i := range append(failed, others...) {
		n, w := min(most, max(each, 1)), min(bytes, max(size, heaviest[i]))
		if lens[i] > n || weights[i] > w {
			items := list(jobs[i])
			left += within(items, n, w, weight, little)
			lens[i], weights[i] = len(*items), 0
			for _, item := range *items {
				weights[i] += weight(item)
			}
		}
		most, bytes = most-lens[i], bytes-weights[i]
	}
	return left
}

// fair is how much each may have at the most so that all together have no more
// than there is.
func fair(most int, wanted []int) int {
	return sort.Search(most, func(each int) bool {
		sum := 0
		for _, w := range wanted {
			sum += min(w, each+1)
		}
		return sum > most
	})
}

// within leaves out of a list what is beyond a bound in number or in bytes, and
// says how many. Of those that tell little, and then of the others, the ones in
// the middle go first.
func within[T any](items *[]T, most, bytes int, weight func(T) int, little func(T) bool) (left int) {
	total := 0
	for _, item := range *items {
		total += weight(item)
	}
	if len(*items) <= most && total <= bytes {
		return 0
	}
	keep := make([]bool, len(*items))
	hold := func(i int, want bool) {
		item := (*items)[i]
		if little(item) == want || most == 0 {
			return
		}
		if w := weight(item); w <= bytes {
			keep[i] = true
			most, bytes = most-1, bytes-w
		}
	}
	for _, want := range []bool{true, false} {
		for i, k := 0, len(keep)-1; i <= k; i, k = i+1, k-1 {
			hold(i, want)
			if i < k {
				hold(k, want)
			}
		}
	}
	var kept []T // apart, so that what goes is let go of
	for i, item := range *items {
		if keep[i] {
			kept = append(kept, item)
		}
	}
	left = len(*items) - len(kept)
	*items = kept
	return left
}

// Weight is how many bytes jobs or facts take.
func Weight[T Job | Fact](items []T) int { return weight(items) }

// weight is how many bytes a value takes.
func weight[T any](v T) int { return deepSize(reflect.ValueOf(v)) }

func deepSize(v reflect.Value) int {
	n := int(v.Type().Size())
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
	case v.Kind() == reflect.String:
		n += v.Len()
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			n += deepSize(v.Field(i)) - int(v.Field(i).Type().Size())
		}
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() < reflect.Array: // numbers
		n += v.Len() * int(v.Type().Elem().Size())
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			n += deepSize(v.Index(i))
		}
	case v.Kind() == reflect.Pointer && !v.IsNil():
		n += deepSize(v.Elem())
	}
	return n
}
