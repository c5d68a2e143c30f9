package verdict

import (
	"slices"
	"strconv"
	"strings"

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
	v.Finding = &Reason{"silent-ranks", map[string]string{"ranks": joinInts(quiet)}}
	for _, r := range quiet {
		v.Silent = append(v.Silent, strconv.Itoa(r))
		if len(v.Evidence) < evidenceRows {
			v.Evidence = append(v.Evidence, last[r].Last)
		}
	}
}

func joinInts(ns []int) string {
	texts := make([]string, len(ns))
	for i, n := range ns {
		texts[i] = strconv.Itoa(n)
	}
	return strings.Join(texts, ", ")
}

// differing looks for ranks that wait in different collectives under one
// sequence number: then no rank is missing, the code took different paths.
func (j *judge) differing(v *Verdict, root *candidate) bool {
	seen := map[string]*candidate{}
	for _, c := range j.all {
		seq, op := c.event.Values["seq"], c.event.Values["op"]
		if c.cause != root.cause || seq == "" || op == "" {
			continue
		}
		o := seen[seq]
		if o == nil {
			seen[seq] = c
			continue
		}
		if other := o.event.Values["op"]; other != op {
			v.Finding = &Reason{"different-collectives", map[string]string{"seq": seq, "a": other, "b": op,
				"rank_a": strconv.Itoa(rankOfEvent(o)), "rank_b": strconv.Itoa(rankOfEvent(c))}}
			v.Confidence, v.Doubt = High, nil
			v.Evidence = []scan.Quote{o.event.Quote, c.event.Quote}
			return true
		}
	}
	return false
}
