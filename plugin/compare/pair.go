package compare

import (
	"strconv"

	"hcloud-modelarts/analyzer/report"
)

// By says what makes two jobs a pair.
type By string

// The reasons, the surest first.
const (
	ByID    By = "id"
	ByName  By = "name"
	ByOrder By = "order" // the worst with the worst, as nothing better is known
)

// match is a job of A and one of B, by their places.
type match struct {
	a, b int
	by   By
}

// pair finds for each job its like: by id, else by name, else by order. It gives
// those that have none, too.
func pair(a, b []report.Report) (pairs []match, onlyA, onlyB []int) {
	of := make([]match, len(a)) // by the place in A
	taken := make([]bool, len(b))
	for _, by := range []struct {
		reason By
		key    func(*report.Report) string
	}{
		{ByID, func(r *report.Report) string { return r.Job.ID }},
		{ByName, func(r *report.Report) string { return r.Job.Name }},
		{ByOrder, func(*report.Report) string { return "-" }},
	} {
		free := map[string][]int{} // jobs of B that have no like yet, by key
		for j := range b {
			if key := by.key(&b[j]); !taken[j] && key != "" {
				free[key] = append(free[key], j)
			}
		}
		for i := range a {
			if like := free[by.key(&a[i])]; of[i].by == "" && len(like) > 0 {
				of[i], taken[like[0]] = match{i, like[0], by.reason}, true
				free[by.key(&a[i])] = like[1:]
			}
		}
	}
	for i, m := range of {
		if m.by == "" {
			onlyA = append(onlyA, i)
		} else {
			pairs = append(pairs, m)
		}
	}
	for j := range b {
		if !taken[j] {
			onlyB = append(onlyB, j)
		}
	}
	return pairs, onlyA, onlyB
}

// label names the i-th job of a side.
func label(r *report.Report, i int) string {
	if r.Job.Name+r.Job.ID == "" {
		return "#" + strconv.Itoa(i+1)
	}
	return jobLabel(r.Job)
}

// jobLabel names a job that has a name, an id or both.
func jobLabel(j report.Job) string {
	if j.Name != "" && j.ID != "" {
		return j.Name + " (" + j.ID + ")"
	}
	return j.Name + j.ID
}
