// Package modelarts reads the answers of the ModelArts training APIs, in the
// shapes that the service really gives and in those that saved files have.
//
// It knows no files: it is handed a JSON value and says what it is and what it
// holds. Nothing in it decides why a job failed.
//
// What an answer is, is told by its content alone. Names of members are read
// without regard to case, "_" and "-"; numbers may stand in strings; null is
// the same as absent; what is not known is passed over. Envelopes around an
// answer, lists of answers, parts of an answer cut out by a query, and answers
// kept as text within a string are all read like the answer itself.
//
// Times are in UTC. A time that an answer gives without a zone is kept as the
// wall clock that is written, also in UTC; the pages of the service mean UTC+8
// by it.
package modelarts

import (
	"strconv"
	"time"
)

// Phase is the first-level state of a job.
type Phase string

// The phases of the v2 API, and PhaseUnknown for any other word.
const (
	PhaseUnknown     Phase = ""
	PhaseCreating    Phase = "Creating"
	PhasePending     Phase = "Pending"
	PhaseRunning     Phase = "Running"
	PhaseCompleted   Phase = "Completed"
	PhaseFailed      Phase = "Failed"
	PhaseAbnormal    Phase = "Abnormal"
	PhaseTerminating Phase = "Terminating"
	PhaseTerminated  Phase = "Terminated"
)

// Place is where a value stands: a JSON path within a document.
type Place struct {
	Source string // document name
	Field  string // "status.task_statuses[1].message", "$" for the whole value; goes on into JSON that a string holds
	Line   int    // line of the document on which the value starts, 0 when unknown
}

// Job is what one or several answers say about one job. Every field is
// optional; the zero value means that no answer told it.
type Job struct {
	ID, Name, Region string
	Phase            Phase
	PhaseText        string // as written
	PhaseAt          Place
	Secondary        string
	Created, Started time.Time
	Duration         time.Duration
	NodeCount        int
	Tasks            []Task
	Records          []Record // running_records, oldest first
	Analysis         []Analysis
	Stages           []Stage
	Hosts            []Host
	Preview          []Preview
	Metrics          []Metric
	Quotas           []Quota
	LogExport        bool // log_export_path is set: logs are kept by the user
	Flavor, Pool     string
	FlavorType       string // CPU, GPU, Ascend
	MaxRunning       time.Duration
	RetryNum         int
}

// Task is the state of one task ("worker-0").
type Task struct {
	Name     string
	ExitCode *int
	Ended    time.Time // when an event told the exit code, else zero
	At       Place     // of the exit code when there is one
}

// Record is one run of the job (running_records[]).
type Record struct {
	Start, End  time.Time
	StartType   string // init_or_rescheduled, restarted
	EndReason   string // "exit with 127"
	RelatedTask string // the task that ended the run
	Recoveries  []Recovery
	At          Place
}

// Recovery is one recovery after a fault (recover_records[]).
type Recovery struct {
	Start, End  time.Time
	Action      string // job_reschedule, …
	Scenario    string // chip_fault, node_fault, job_failed, job_hanged, job_subhealth, error_in_log
	Reason      string
	RelatedTask string
	Result      string // success, failed, quotaExceeded, …
	At          Place
}

// Analysis is the platform's own opinion about a failure.
type Analysis struct {
	Description, Solution, Link string
	Task                        string
	At                          Place
}

// Stage is one stage of the newest run.
type Stage struct {
	Name       string
	Start, End time.Time // End is zero when the answer tells no end
	Status     string    // as written, "" in the service's own shape, which has none
	MessageZH  string
	MessageEN  string
	Order      int  // record_order of its run
	Zoned      bool // the times are moments, not wall clocks
	At         Place
}

// Host is where a task ran (ListTrainingJobTasks).
type Host struct {
	Task, IP, HostIP string
	ScheduleCount    int
}

// Preview tells how much of a log a preview holds.
type Preview struct {
	Task          string
	Current, Full int64
	At            Place
}

// Metric is one series, a value a minute; -1 means no sample.
type Metric struct {
	Task, Name string
	Values     []float64
	At         Place // of the list of values
}

// Field is the path of the i-th value of those that were read.
func (m *Metric) Field(i int) string { return m.At.Field + "[" + strconv.Itoa(i) + "]" }

// Text is the i-th value as a number is written.
func (m *Metric) Text(i int) string { return decimal(m.Values[i]) }

// Quota is one quota of the project.
type Quota struct {
	Resource    string
	Quota, Used int64
}

// Text is text inside an answer that is to be read like a log or an event. Text
// that was escaped twice, so that it holds no line end but "\n" written out, is
// given unescaped.
type Text struct {
	Field string // JSON path within the answer
	Line  int    // line of the document on which the field's value starts
	Text  string

	// Before is how many lines of the text pages before held.
	Before int
	What   TextKind
	Task   string // "" when unknown
	Time   time.Time
	Zoned  bool   // Time is a moment, not a wall clock
	Level  string // of an event: "ERROR", "WARN", "INFO"
	Job    string // id of the job that it belongs to, "" when the answer does not say
}

// TextKind says how a text is to be read.
type TextKind uint8

// The kinds of texts.
const (
	LogText     TextKind = iota // a log, line by line
	MessageText                 // a task's message, line by line
	EventText                   // one event
	ReasonText                  // a short reason: end_reason, recover_records[].reason, a stage's message
)

// CallError is an error that an API call itself met. It says nothing about the
// job unless the call created, restarted or ran it.
type CallError struct {
	Code, Message string // "ModelArts.2785", …
	Status        int    // HTTP status when told, else 0
	RequestID     string
	At            Place // of the message when there is one, else of the code
}

// Answer is what one JSON value is and holds. What belongs to a job that the
// answer does not name (a page of events, a log) is in a Job without ID and
// Name, the last of Jobs.
type Answer struct {
	API    string   // "ShowTrainingJobDetails", "ListTrainingJobEvents", …; "" when it is not recognised
	APIs   []string // all of them when the value holds several answers, API first
	Jobs   []Job
	Texts  []Text
	Error  *CallError  // the first of Errors, nil when there is none
	Errors []CallError // of all calls whose answers the value holds
	Facts  []Fact      // what the answer is worth telling when nothing decides
	Empty  []string    // operations whose list holds nothing
	// Damaged says that the value ended early or had to be repaired: it may
	// have held more than was read.
	Damaged bool
}

// Fact is one key and its value, for the table of collected information.
// Values are words and numbers of the answer, the same in every language.
type Fact struct {
	API        string // the operation whose answer told it, "" when unknown
	Job        string // id of the job that it is about, "" when the answer does not say
	Key, Value string
	At         Place
}
