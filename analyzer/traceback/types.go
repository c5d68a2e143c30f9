// Package traceback parses Python tracebacks as CPython prints them, and the
// native stacks that stand beside them in training logs.
//
// The parsers are fed line by line and emit a Traceback or a Stack once it is
// whole, so a log of any length needs memory for what is being printed only.
// Lines of other programs may stand in between, and several processes may print
// tracebacks to one stream at the same time.
package traceback

import "strings"

// Part says what a line is to the parser.
type Part uint8

// The parts of a traceback.
const (
	Outside Part = iota // not part of a traceback
	Header              // "Traceback (most recent call last):" and the sentences between chained exceptions
	Body                // frames, source lines, markers, elided frames, group borders
	Head                // the line that holds "Type: message"
	More                // a further line of the message, or a note
)

// Link says how an exception follows from the one printed before it.
type Link uint8

// The links of a chain.
const (
	First   Link = iota // the first printed
	Cause               // "direct cause of the following exception"
	Context             // "during handling of the above exception"
	Member              // a member of the exception group printed before it
	Origin              // printed inside the message of the one before: DataLoader's "Original Traceback", RemoteTraceback
)

// Frame is one entry of a traceback, outermost first.
type Frame struct {
	File string
	Line int    // 0 when unknown
	Func string // "" for the place of a SyntaxError
	Code string // source line as printed, the first of several, "" when absent
	At   int    // index that the caller gave of the "File …" line
	User bool   // the user's own code: not the standard library, an installed package or a launcher
}

// Exception is one exception of a traceback.
type Exception struct {
	Type    string   // as printed, with its module: "torch.cuda.OutOfMemoryError"; "" when it was cut off
	Message string   // all lines, joined by "\n", without notes and blank lines around; "" when there is none
	Notes   []string // lines of notes, where printed text can tell them from the message
	Frames  []Frame  // of a very deep stack the first and the last; where Names are shared, their places may be those of an equal stack
	Own     int      // index of the line of the innermost frame in the user's own code, -1 when there is none
	At      int      // index of the line that holds the type
	End     int      // index of the message's last line
	Link    Link
	Depth   int // nesting within exception groups, 0 outside
}

// Opens tells whether a line that holds the type holds some of the message, too.
func (e Exception) Opens(line string) bool {
	_, message, _ := strings.Cut(line, e.Type+":")
	message = strings.TrimSpace(message)
	return message != "" && message != userCode
}

// Wraps tells whether the message names the exception again further down, with
// its own message: the first line says nothing.
func (e Exception) Wraps() bool { return strings.HasPrefix(e.Message, userCode) }

// Traceback is one printed chain of exceptions.
type Traceback struct {
	Exceptions []Exception // in printed order
	Start      int         // index of its first line
	End        int         // index of its last line
	Cut        bool        // the text ended before an exception was named
	Lead       string      // text glued before "Traceback", e.g. a progress bar
	Thread     string      // "Exception in thread NAME:", else ""
	Ignored    string      // object of "Exception ignored in: OBJECT", or the line that says that logging or atexit failed, else ""
}

// Labelled tells whether a program wrote a label before the traceback, on the
// same line: it had caught the exception.
func (t Traceback) Labelled() bool { return strings.HasSuffix(t.Lead, ":") }

// Stack is one thread of a dump by faulthandler, py-spy or a native backtrace,
// innermost frame first.
type Stack struct {
	Thread  string // name or identifier as printed
	Current bool   // the dump calls it the current thread: the one that failed
	Frames  []Frame
	Start   int
	End     int
	Forward bool   // the calls of a forward pass, told with a failure of its backward pass
	Live    bool   // taken from outside, by py-spy, of a process that ran on
	Reason  string // the line that introduced the dump: "Fatal Python error: …", "Timeout (0:30:00)!"
}
