package verdict

import (
	"path"
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/rules"
)

// unfinished gives a command of the boot script that was killed or crashed before
// it had made what the root misses: its arguments name that file, or the folder
// that it lies in.
func (j *judge) unfinished(r *candidate) *candidate {
	var cut []*candidate
	for _, c := range j.cutOff(r) {
		if made(c.event.Quote.Text, r) {
			cut = append(cut, c)
		}
	}
	return j.first(cut)
}

// cutOff gives the commands of the boot script that a signal ended before a
// failure that such an end may lead to: something is missing, or only half there.
func (j *judge) cutOff(r *candidate) []*candidate {
	if r.trace == nil || !slices.Contains(missing, r.cause) {
		return nil
	}
	var cut []*candidate
	for _, c := range j.standing(exit) {
		if c.event.Rule.Family == "shell" && rules.TellsEnd(c.cause) && oneLog(c.event, r.event) && c.event.Attempt == r.event.Attempt && c.event.Seq < r.trace.Traceback.Start {
			cut = append(cut, c)
		}
	}
	return cut
}

// made reports whether a command names among its arguments a path under which
// lies what a failure names, or from which that was to be made: "--out /cache/a"
// for "/cache/a/x.bin" and for "/cache/a_x.bin".
func made(command string, r *candidate) bool {
	for _, v := range r.event.Values {
		name := path.Clean(strings.Trim(v.Text, `'"`))
		for _, w := range word().FindAllString(command, -1) {
			arg := path.Clean(w)
			deep := strings.Count(strings.TrimPrefix(arg, "/"), "/") > 0 || !strings.HasPrefix(arg, "/") && len(arg) > 2
			if deep && strings.HasPrefix(name, arg) && !isProgram(arg) {
				return true
			}
		}
	}
	return false
}

// isProgram reports whether an argument is what runs, and makes nothing.
func isProgram(arg string) bool {
	switch path.Ext(arg) {
	case ".py", ".sh", ".so":
		return true
	}
	return false
}
