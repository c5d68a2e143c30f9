package verdict

import (
	"slices"
	"strconv"

	"hcloud-modelarts/analyzer/lazy"
)

// readCauses are met by those who look for what another process was to make.
var readCauses = map[string]bool{
	"file-missing": true, "data-corrupt": true, "checkpoint-corrupt": true, "module-missing": true, "import-incompatible": true, "shared-library-missing": true,
}

// making reads the names of functions that make what other ranks wait to read.
var making = lazy.Regexp(`(?i)prepar|preproc|process|token|build|make|creat|writ|dump|cache|convert|download|extract|unpack|compile|index|generat|export`)

// unmade puts out what several ranks missed alike, where one rank failed of
// something else: it was to make what they looked for. That is often rank 0, and
// it may fail later than they.
func (j *judge) unmade() {
	for _, f := range j.standing(proven) {
		if !readCauses[f.cause] {
			continue
		}
		ranks := j.ranks(f)
		if len(ranks) < 2 {
			continue
		}
		if e := j.maker(f, ranks); e != nil {
			f.out("unmade", map[string]string{"rank": strconv.Itoa(rankOfEvent(e))})
		}
	}
}

// maker gives the exception of the one rank that did not miss what the others did.
func (j *judge) maker(f *candidate, ranks []int) *candidate {
	var odd *candidate
	for _, e := range j.standing(proven) {
		r := rankOfEvent(e)
		if !e.uncaught() || r < 0 || slices.Contains(ranks, r) || e.event.Attempt != f.event.Attempt || waitCauses[e.cause] || stopCauses[e.cause] || readCauses[e.cause] {
			continue
		}
		if odd != nil {
			return nil
		}
		odd = e
	}
	if odd == nil || rankOfEvent(odd) > slices.Min(ranks) && !odd.within(making()) {
		return nil
	}
	return odd
}
