// Package scan turns lines into events: it finds candidate lines by their
// literal fragments, confirms them with the rules' expressions, puts the
// tracebacks of interleaved ranks together, and marks progress and the borders
// of attempts.
//
// Memory is bounded by the number of streams and rules, not by the number of
// lines: of what repeats within a stream, the first and the last few are kept.
package scan

import (
	"fmt"
	"time"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// Quote is a line that a report may point at.
type Quote struct {
	Doc      *source.Document
	Number   int
	Field    string
	Offset   int64
	Length   int
	Raw      string
	Text     string
	Time     time.Time
	Rank     int
	Task     string
	Node     string
	PID      int
	Level    string
	Kind     source.Kind
	Zoned    bool
	Platform bool

	hash string // SHA256, where Raw is not what was stored
}

// SHA256 gives the checksum in hex over the stored bytes of the line, or over
// the text within a field; "" of no line.
func (q *Quote) SHA256() string {
	switch {
	case q.Doc == nil:
		return ""
	case q.hash != "":
		return q.hash
	}
	return sum([]byte(q.Raw))
}

// Event is a line that a rule matched.
type Event struct {
	Rule    *rules.Rule
	Wording int
	Values  rules.Values
	Quote   Quote
	Stream  *Stream
	Seq     int // position among all lines, in reading order

	// At is the line's time, or that of the nearest timed line above it in the
	// stream; zero when there is none.
	At    time.Time
	Zoned bool
	// Until is the time of the next timed line below it, for a line without a
	// time of its own: it was printed at some moment between the two. Zero when
	// the line has its own time, or no timed line follows. At may be zero where
	// Until is not: before the first timed line.
	Until time.Time

	Trace     *traceback.Traceback // the traceback that the line belongs to, nil outside
	Exception int                  // index into Trace.Exceptions, -1 outside
	Attempt   int                  // of the document, 0 for the first

	// Calm is the first line below it in its stream by which the job went on with
	// something else: no error, no stack, no part of a message. Zero when there
	// is none.
	Calm struct{ Seq, Number int }
	// LastWords tells that the line is no exception, and was read like one because
	// it is among the last that a program printed of itself.
	LastWords bool
	// Instead tells that a line between the two, or that line, says that the job
	// went on without what had failed: with something else, or once more.
	Instead bool

	lost bool // no longer held
}

// Trace is a whole traceback with the stream that printed it.
type Trace struct {
	Traceback *traceback.Traceback
	Heads     []*Quote // the line of each exception of Traceback.Exceptions, nil where it is not held
	Places    []Place  // where each of them was raised in the user's own code, zero where it was not; nil when none was
	Stream    *Stream
	Above     string // the line before the traceback, when it was a log record
	AboveLvl  string
	Attempt   int
	At        time.Time
	Zoned     bool
}

// Stack is a dump of threads that was no exception.
type Stack struct {
	Stack   traceback.Stack
	Quote   Quote // the line that introduced it, or its first
	Top     Quote // the innermost frame in the user's own code, else the innermost frame
	Stream  *Stream
	Seq     int
	Attempt int
}

// Run is what one stream printed in one attempt of its document.
type Run struct {
	Stream  *Stream
	Attempt int
}

// Run is the one in which the line stands.
func (e *Event) Run() Run { return Run{e.Stream, e.Attempt} }

// Run is the one in which the stack stands.
func (s *Stack) Run() Run { return Run{s.Stream, s.Attempt} }

// Stream is what one output stream (a rank, a task, a file) did over its life.
type Stream struct {
	Doc         *source.Document
	Key         string
	Field       string // JSON path of the text that it is, "" for a plain log
	Rank        int
	Task        string
	Node        string
	First, Last Quote
	Step        *Quote    // the last line that told a step, nil when none did
	Since       int       // lines that the job printed after it, without stacks; at least as many when lines were passed over
	End         time.Time // of the last timed line, zero when there is none
	EndZoned    bool
	Calm        *Quote // the last line before the first sign of trouble after which no step followed; nil when there is no such sign
	FirstSeq    int
	LastSeq     int
	Lines       int
	Named       []int  // ranks that its lines name, up to two: more than one rank wrote here
	Progress    []Mark // thinned to a bounded number; the first and the last are always there
}

// Mark is one sign of progress: a step, an iteration, an epoch.
type Mark struct {
	Seq     int
	Number  int // line
	Time    time.Time
	Zoned   bool
	Step    int64 // -1 when the line has none
	Rank    int   // that the line names, else that of the stream, -1 when unknown
	Attempt int
}

// Result is all that scanning found, in reading order.
type Result struct {
	Events  []*Event
	Traces  []*Trace
	Stacks  []*Stack
	Streams []*Stream
	Zones   map[*source.Document]time.Duration // offset from UTC of plain times, where a document tells it
	Dropped int                                // events and tracebacks beyond what is held of all streams together
	LeftOut int                                // streams in which nothing was found, beyond those that are held
}

// Logged reports whether a log record of a warning or an error introduced the
// traceback: somebody may have caught the exception and written it down.
func (t *Trace) Logged() bool {
	switch t.AboveLvl {
	case "WARN", "WARNING":
		return true
	}
	return IsError(t.AboveLvl)
}

// String names an event for tests and traces of decisions.
func (e *Event) String() string {
	return fmt.Sprintf("%s:%d %s %s", e.Quote.Doc.Name, e.Quote.Number, e.Rule.Role, e.Rule.ID)
}
