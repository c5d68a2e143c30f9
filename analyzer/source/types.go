// Package source turns whatever a person saved into documents and lines.
//
// It reads files, folders, archives and streams, decodes their text, takes off
// the prefixes that collectors and launchers put before a line, and hands each
// line on once, in order, with the place where it stands in the stored source.
// Nothing is written, no link is followed, and memory stays bounded whatever
// the size of the input.
package source

import (
	"io"
	"io/fs"
	"time"

	"hcloud-modelarts/analyzer/source/stamp"
)

// Root is one thing that the user named: a file or folder of FS at Path, or a
// stream when Reader is set.
type Root struct {
	Name   string    // what reports call it
	FS     fs.FS     // with Path, when Reader is nil
	Path   string    // slash-separated path within FS; "." for all of it
	Reader io.Reader // a stream such as standard input
}

// Limits bound what reading may cost. A zero field means its default.
type Limits struct {
	Bytes   int64 // decompressed bytes over all sources
	Entries int   // files and archive members
	Depth   int   // containers inside containers
	Line    int   // bytes of one line; what lies beyond is cut off and noted
	Answer  int   // bytes of one JSON document
	Page    int   // bytes of a JSON value beyond which a Pager has it in pages
	Block   int   // bytes that are looked through at once for lines to pass over; it changes the speed only
}

// Kind says what a document or a line is.
type Kind uint8

// The kinds of documents and lines.
const (
	Log     Kind = iota // output of the job, or of a program around it
	Kernel              // dmesg, messages, vmcore-dmesg
	Device              // Ascend plog or device log, npu-smi, nvidia-smi
	Answer              // an answer of the service or of hcloud (JSON, table, tsv)
	Event               // one platform event: a message with a time and a level
	Message             // text that the service keeps of a task (task_statuses[].message)
	Ticket              // prose around logs: mail, Markdown, HTML
)

// Document is one text with a name: a file, an archive member, a stream.
type Document struct {
	Name     string // as the user can find it: "logs.zip!a/worker-0.log"
	Index    int    // position in reading order, from 0
	Kind     Kind
	Encoding string // "utf-8", "utf-16le", "gb18030", …
	Job      string // job id told by name or content, "" when unknown
	Task     string // "worker-3", "" when unknown
	Node     string // host name, "" when unknown
	Rank     int    // -1 when unknown
	Device   int    // -1 when unknown
	Attempt  int    // -1 when unknown
	Lines    int    // lines read so far
	Bytes    int64  // decompressed bytes read so far

	Pasted []Pasted // of a ticket: what was pasted into it, in order

	// Before is the piece of the same log that ends where this one begins, nil
	// when there is none: logs are cut by size, and rotated. Line numbers and
	// offsets are those of the piece.
	Before *Document

	// Goes says that another piece may follow, so that the log does not end here.
	Goes bool

	log      *Document       // the first piece, nil when it is the document itself
	parser   *parser         // as it was at the end, for the piece that follows
	calendar *stamp.Calendar // completes times without a year, within text too
}

// Line is one line of text. It is valid only during the callback; its strings
// may be kept, Stored may not.
type Line struct {
	Doc    *Document
	Number int    // from 1, in the source as stored; within the field's text when Field is set
	Field  string // JSON path of the field that holds the text, "" for plain text
	Offset int64  // of the line's first byte in the stored (decompressed, not decoded) source; -1 within a field
	Length int    // stored bytes without the line end
	Stored []byte // those bytes

	Raw  string // decoded, without control sequences, prefixes kept: what a report quotes
	Text string // Raw without prefixes: what rules match

	// Leveled is Text with the level before it, when it was taken off behind a
	// time and may as well be the message's own first word: "ERROR: …"; else "".
	Leveled string

	Kind     Kind
	Time     time.Time // zero when the line tells none; in UTC when Zoned, else the wall clock as written. A time of day or a date without a year is completed from lines read before it, else it is zero
	Zoned    bool
	Rank     int    // -1 when neither the line nor the document tells it
	Own      int    // rank of the whole stream, as its label or the document tells it, else -1; a rank that a line names in its text is not its stream's
	Task     string // "worker-3"
	Node     string
	PID      int    // 0 when unknown
	Level    string // "ERROR", "WARN", "INFO", … upper case, "" when the line tells none
	Stream   string // key of the output stream within the document, of rank, pod or process as prefixes tell; standard output and error of one are one stream
	Platform bool   // printed by ModelArts around the job, not by the job
}

// JSON is one whole JSON value found in a document.
//
// Exports of log collectors are not handed on as values but as lines. Their
// Field names the list, and Number is the position in it.
type JSON struct {
	Doc    *Document
	Number int    // line of its first byte
	Offset int64  // of its first byte in the stored source
	Bytes  []byte // UTF-8; valid during the callback
	Cut    bool   // the text ended inside the value; Bytes is what there is
}

// Handler receives what reading finds, in reading order.
type Handler interface {
	Begin(*Document)
	Line(*Line)
	JSON(*JSON)
	End(*Document)
	Note(Note)
}

// Stats counts what was read.
type Stats struct {
	Sources int
	Bytes   int64
	Lines   int
}
