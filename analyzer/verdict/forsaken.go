package verdict

import (
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/traceback"
)

// forsaken gives, where nothing tells of any other failure, the line by which a
// program met that another process was gone or did not come.
func (j *judge) forsaken() *candidate {
	if j.end.succeeded || j.running() {
		return nil
	}
	var own []*candidate
	for _, c := range j.standing(echo) {
		if atEnd(c) && (c.deserted() || c.event.Rule.Tells(rules.PeerAwaited) && overtime().MatchString(c.event.Quote.Text)) {
			own = append(own, c)
		}
	}
	r := j.first(own)
	if r != nil {
		r.tier = weak
	}
	return r
}

// overtime reads that a wait ended because its time was over.
var overtime = lazy.Regexp(`(?i)timeout|timed out`)

// deserted reports whether an exception is of a process of the program's own that is
// gone: a service beside it, a child at the other end of a pipe. Of the end of a
// connection between ranks it tells nothing.
func (c *candidate) deserted() bool {
	return c.event.Rule.Tells(rules.PeerGone) && c.uncaught() && len(c.exception().UserFrames()) > 0 && !slices.ContainsFunc(c.exception().Frames, ofPeers)
}

// ofPeers reports whether a frame is of what ranks talk to one another through.
func ofPeers(f traceback.Frame) bool {
	return strings.Contains(f.File, "/torch/distributed/") || strings.Contains(f.File, "/torch_npu/") || strings.Contains(f.File, "/mpi4py/") || strings.Contains(f.File, "/horovod/")
}
