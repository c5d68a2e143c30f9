// Package traceback parses Python tracebacks as CPython prints them, and the
// native stacks that stand beside them in training logs.
//
// The parser is fed line by line and emits a Traceback once it is whole, so a
// log of any length needs memory for one traceback only.
package traceback

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
	Line int
	Func string
	Code string // source line as printed, "" when absent
	At   int    // index that the caller gave of the "File …" line
	User bool   // the user's own code: not the standard library, an installed package or a launcher
}

// Exception is one exception of a traceback.
type Exception struct {
	Type    string // as printed, with its module: "torch.cuda.OutOfMemoryError"
	Message string // all lines, joined by "\n", without notes; "" when there is none
	Notes   []string
	Frames  []Frame
	At      int // index of the line that holds the type
	End     int // index of the message's last line
	Link    Link
	Depth   int // nesting within exception groups, 0 outside
}

// Traceback is one printed chain of exceptions.
type Traceback struct {
	Exceptions []Exception // in printed order
	Start      int         // index of its first line
	End        int         // index of its last line
	Cut        bool        // the text ended before the exception was named
	Lead       string      // text glued before "Traceback", e.g. a progress bar
	Thread     string      // "Exception in thread NAME:", else ""
	Ignored    string      // object of "Exception ignored in: OBJECT", else ""
}

// Stack is one thread of a dump by faulthandler, py-spy or a native backtrace,
// innermost frame first.
type Stack struct {
	Thread string
	Frames []Frame
	Start  int
	End    int
	Reason string // the line that introduced the dump: "Fatal Python error: …", "Timeout (0:30:00)!"
}
