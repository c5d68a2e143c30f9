package verdict

import (
	"strings"

	"hcloud-modelarts/analyzer/scan"
)

// place gives where in the user's own code a root was raised: as its traceback
// tells, or the calls of the forward pass that PyTorch listed for it, or the stack
// that was printed when the process died. It is nil where nothing tells.
func (j *judge) place(root *candidate) *scan.Place {
	s := j.forward(root)
	if s == nil && root.trace == nil {
		s = j.crash(root)
	}
	if s == nil {
		return root.place()
	}
	f := s.Stack.Frames[userFrame(s)]
	return &scan.Place{File: f.File, Line: f.Line, At: &s.Top}
}

// forwardLines is how many lines before a traceback the calls of the forward pass
// may begin: deep models list many.
const forwardLines = 400

// forward gives the calls of the forward pass that belong to a failure of the
// backward pass, nil when there are none or none in the user's own code.
func (j *judge) forward(root *candidate) *scan.Stack {
	if root.trace == nil {
		return nil
	}
	begin := root.trace.Traceback.Start
	var last *scan.Stack
	for _, s := range j.c.Found.Stacks {
		if s.Stack.Forward && sameRun(s, root.event) && s.Seq < begin && begin-s.Seq <= forwardLines && userFrame(s) >= 0 && s.Top.Doc != nil {
			last = s
		}
	}
	return last
}

// crash gives the stack of the thread in which a process died, as far as the root
// is a line beside it: the one that the dump calls the current thread, else its
// first. It is nil where no frame of that is in the user's own code.
func (j *judge) crash(root *candidate) *scan.Stack {
	var first *scan.Stack
	for _, s := range j.c.Found.Stacks {
		switch {
		case s.Stack.Live || s.Stack.Forward || !diesWith(s.Stack.Reason) || !sameRun(s, root.event) || !dumpedBeside(s, root):
		case s.Stack.Current || s.Stack.Thread == "" && strings.HasPrefix(s.Stack.Reason, "Fatal Python error"): // which lists one thread
			return atHome(s)
		case first == nil:
			first = s
		}
	}
	return atHome(first)
}

// atHome gives a stack that has a frame in the user's own code, else nil.
func atHome(s *scan.Stack) *scan.Stack {
	if s == nil || userFrame(s) < 0 || s.Top.Doc == nil {
		return nil
	}
	return s
}

// diesWith reports whether what introduced a dump of threads tells that the
// process ended: others are taken of one that goes on.
func diesWith(reason string) bool { return reason != "" && !strings.HasPrefix(reason, "Timeout (") }

// dumpedBeside reports whether a stack stands in the dump that a root begins, ends or
// lies in.
func dumpedBeside(s *scan.Stack, root *candidate) bool {
	return max(s.Seq-root.event.Seq, root.event.Seq-s.Stack.End) <= nearLines
}
