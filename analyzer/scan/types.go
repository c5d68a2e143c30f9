// Package scan turns lines into events: it finds candidate lines by their
// literal fragments, confirms them with the rules' expressions, puts the
// tracebacks of interleaved ranks together, and marks progress and the borders
// of attempts.
package scan

import (
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
	SHA256   string // hex, over the stored bytes of the line (over the text within a field)
	Raw      string
	Text     string
	Kind     source.Kind
	Time     time.Time
	Zoned    bool
	Rank     int
	Task     string
	Node     string
	PID      int
	Level    string
	Stream   string
	Platform bool
}

// Event is a line that a rule matched.
type Event struct {
	Rule   *rules.Rule
	Values map[string]string
	Quote  Quote
	Seq    int // position among all lines of all documents, in reading order

	Trace     *traceback.Traceback // the traceback that the line belongs to, nil outside
	Exception int                  // index into Trace.Exceptions, -1 outside
	Attempt   int                  // of the stream: 0 for the first
	Count     int                  // how often the same rule matched in this stream (the first is kept)
	LastSeq   int                  // Seq of the last of them
}

// Stream is what one output stream (a rank, a task, a file) did over its life.
type Stream struct {
	Doc         *source.Document
	Key         string
	Rank        int
	Task        string
	Node        string
	First, Last Quote
	Lines       int
	Progress    []Mark // thinned to a bounded number, first and last kept
	Attempts    []int  // Seq at which a later attempt starts
}

// Mark is one sign of progress: a step, an iteration, an epoch.
type Mark struct {
	Seq    int
	Number int
	Time   time.Time
	Zoned  bool
	Step   int64 // -1 when the line has none
}
