package traceback

import "strings"

// Root returns the index of the exception that is the fault by the structure of
// the printed chain alone, or -1 when the traceback has none:
//
//   - An exception printed inside the message of another (Origin) is the fault,
//     not its wrapper.
//   - Of a chain it is the first exception: what was raised "from" it, or while
//     it was handled (translations, clean-up that failed too), came of it.
//   - But a later one when the first was no failure: it only steered the program
//     (StopIteration, queue.Empty, a cancelled task), or it answered a question
//     that code asks on purpose, and what the program did instead failed for a
//     reason of its own (see answered).
//   - Of a group it is the fault of its first member.
//   - An exception whose type was cut off is the fault only when it is alone.
//
// What the messages say is not looked at, except to tell import probes apart.
func (t Traceback) Root() int {
	if len(t.Exceptions) == 0 {
		return -1
	}
	return t.root(0, len(t.Exceptions))
}

// root decides among the exceptions from start to end: one chain, with what is
// nested in its links.
func (t Traceback) root(start, end int) int {
	fault, last := start, start
	for i := t.span(start, end); i < end; i = t.span(i, end) {
		if fault == last && t.Exceptions[i].Type != "" && passing(t.Exceptions[last], t.Exceptions[i]) {
			fault = i
		}
		last = i
	}
	inner, rest := fault+1, t.span(fault, end)
	switch {
	case inner == rest:
		return fault
	case t.Exceptions[inner].Link == Member:
		return t.root(inner, t.member(inner, rest))
	}
	return t.root(inner, rest)
}

// span returns the index of the next link of the chain: what is printed inside
// the message of exception i, and its members, are skipped.
func (t Traceback) span(i, end int) int {
	e, next := t.Exceptions[i], i+1
	if next == end {
		return end
	}
	switch inner := t.Exceptions[next]; {
	case inner.Link == Origin:
		for next++; next < end && t.Exceptions[next].At <= e.End; {
			next++
		}
	case inner.Link == Member && inner.Depth > e.Depth:
		for next < end && t.Exceptions[next].Depth > e.Depth {
			next++
		}
	}
	return next
}

// member returns where the chain of the first member of a group ends.
func (t Traceback) member(first, end int) int {
	for k := first + 1; k < end; k++ {
		if e := t.Exceptions[k]; e.Link == Member && e.Depth <= t.Exceptions[first].Depth {
			return k
		}
	}
	return end
}

// passing tells whether first was no failure, so that next is the fault.
func passing(first, next Exception) bool {
	return steers(first) || next.Link == Context && answered(first, next)
}

// steering are exceptions that tell a program to do something else.
var steering = map[string]bool{
	"StopIteration": true, "StopAsyncIteration": true, "GeneratorExit": true,
	"queue.Empty": true, "_queue.Empty": true, "queue.Full": true, "Empty": true,
	"asyncio.exceptions.CancelledError": true, "asyncio.CancelledError": true,
	"concurrent.futures._base.CancelledError": true,
}

// steers tells whether an exception by its type only steers the program.
func steers(e Exception) bool { return steering[e.Type] || e.Type == "" }

// asking are the types by which code asks whether something is there.
var asking = map[string]bool{
	"ImportError": true, "ModuleNotFoundError": true, "KeyError": true,
	"AttributeError": true, "IndexError": true, "LookupError": true,
}

// answered tells whether first answered a question (is the module there, is the
// key there) and next is a failure of its own in what was done instead. It holds
// when first is of an asking type, the handler went on to call something that
// failed, and either no line of the user's own code was in first, so that a
// library asked itself, or first was an import. Two imports of which the second
// was tried instead of the first count too. A handler that raises by itself
// only translates, and first stays the fault.
func answered(first, next Exception) bool {
	if !asking[first.Type] {
		return false
	}
	if a, b := missingModule(first), missingModule(next); a != "" && b != "" && a != b {
		return true
	}
	return deeper(first, next) && (isImport(first) || len(first.UserFrames()) == 0)
}

// mostAsking is how many calls lie at most between asking and the answer.
const mostAsking = 3

// Instead returns the index of the exception that was raised in what the program
// did because exception i had answered a question: is the key, the file, the
// module there. It is -1 when i is no such answer, or when nothing of the kind
// follows. Unlike Root it also takes questions that the user's own code asks, so
// that only what the second exception says can tell a question from a failure.
func (t Traceback) Instead(i int) int {
	next := i + 1
	if next >= len(t.Exceptions) || len(t.Exceptions[i].Frames) > mostAsking {
		return -1
	}
	first, then := t.Exceptions[i], t.Exceptions[next]
	if then.Link != Context || !asking[first.Type] && first.Type != "FileNotFoundError" || !deeper(first, then) {
		return -1
	}
	return next
}

func isImport(e Exception) bool {
	return e.Type == "ImportError" || e.Type == "ModuleNotFoundError"
}

// missingModule returns the module that the interpreter did not find, "" when
// the exception is another one or was written by a program.
func missingModule(e Exception) string {
	if name, ok := strings.CutPrefix(e.Message, "No module named "); ok && isImport(e) {
		return name
	}
	return ""
}

// deeper tells whether next was raised in a call made by the function that
// handled first: that function stands at the top of first's frames, and in next
// further frames follow it.
func deeper(first, next Exception) bool {
	if len(first.Frames) == 0 {
		return false
	}
	handler := first.Frames[0]
	for i := len(next.Frames) - 1; i >= 0; i-- {
		if f := next.Frames[i]; f.File == handler.File && f.Func == handler.Func {
			return i < len(next.Frames)-1
		}
	}
	return false
}
