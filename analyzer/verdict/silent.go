package verdict

import (
	"slices"
	"strconv"

	"hcloud-modelarts/analyzer/scan"
)

// silent looks for the rank that the others waited for: known from a file, a
// prefix or what others say, and without a word of the wait itself.
func (j *judge) silent(v *Verdict, root *candidate) {
	complained := map[int]bool{}
	for _, c := range j.all {
		if r := rankOfEvent(c); r >= 0 && (waitCauses[c.cause] || c.tier == echo) {
			complained[r] = true
		}
	}
	last := map[int]*scan.Stream{}
	for _, s := range j.c.Found.Streams {
		if s.Rank < 0 {
			continue
		}
		if l := last[s.Rank]; l == nil || s.LastSeq > l.LastSeq {
			last[s.Rank] = s
		}
	}
	var quiet []int
	for r := range last {
		if !complained[r] {
			quiet = append(quiet, r)
		}
	}
	slices.Sort(quiet)
	if len(complained) == 0 || len(quiet) == 0 || len(quiet) > max(1, len(last)/2) {
		return
	}
	for _, r := range quiet {
		v.Silent = append(v.Silent, strconv.Itoa(r))
		if len(v.Evidence) < evidenceRows {
			v.Evidence = append(v.Evidence, last[r].Last)
		}
	}
}
