package scan

import (
	"slices"

	"hcloud-modelarts/analyzer/traceback"
)

// frameSets are the frames of exceptions, each list once: of the ranks of a job
// most fail at one place.
type frameSets map[uint64][]traceback.Frame

// mostFrameSets bounds the lists that are looked up.
const mostFrameSets = 4096

// find gives the list that is equal but for the lines of the log, nil when there
// is none.
func (s frameSets) find(frames []traceback.Frame) (list []traceback.Frame, key uint64) {
	for i := range frames {
		f := &frames[i]
		for _, part := range []string{f.File, f.Func, f.Code} {
			key = key*31 + hashOf(part)
		}
		key = key*31 + uint64(f.Line)
	}
	list = s[key]
	if !slices.EqualFunc(list, frames, func(a, b traceback.Frame) bool {
		b.At = a.At
		return a == b
	}) {
		return nil, key
	}
	return list, key
}

// add takes a list that find did not give.
func (s *frameSets) add(key uint64, frames []traceback.Frame) {
	if *s == nil || len(*s) >= mostFrameSets {
		*s = frameSets{}
	}
	(*s)[key] = frames
}
