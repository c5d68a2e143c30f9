package rules

import (
	"slices"
	"strings"
)

// Fact is what a line tells of a job beside a failure, or of how a failure is to be
// read. The verdict goes by it, whichever rule read the line.
type Fact string

// What lines tell of the life of a job, and with which values.
const (
	Start      Fact = "start"       // its training begins, at the head of each log of it
	Exit       Fact = "exit"        // a process ended: with the value code, else the last number of the line
	Restart    Fact = "restart"     // a further attempt begins
	Recovery   Fact = "recovery"    // the platform started it again because something had failed
	Queueing   Fact = "queueing"    // it waits for resources
	QueueLost  Fact = "queue-lost"  // it no longer waits for them
	Running    Fact = "running"     // it has got them
	NewRun     Fact = "new-run"     // somebody began another run in the same text: of a program, in a cell
	Finished   Fact = "finished"    // the program says that its training is over
	Saved      Fact = "saved"       // a checkpoint was written
	Installed  Fact = "installed"   // packages were installed
	ExitHidden Fact = "exit-hidden" // the boot command loses the exit code of the script: how
	AllMet     Fact = "all-met"     // every rank prints it when the last of them has come
	Recorder   Fact = "recorder"    // how far a rank had come in a process group, as the flight recorder wrote down
	Call       Fact = "call"        // hcloud was called: op
	CallFailed Fact = "call-failed" // hcloud says why that failed
)

// What the line of a failure tells of how it is to be read.
const (
	EndedRank     Fact = "ended-rank"     // who watches the processes saw that of the value rank end
	FailedRank    Fact = "failed-rank"    // the ranks that were lost first: rank, ranks or node
	FailedDevice  Fact = "failed-device"  // the device that was lost: location
	PeerGone      Fact = "peer-gone"      // the other end of a connection is gone
	PeerAwaited   Fact = "peer-awaited"   // another rank has not set up the group
	Words         Fact = "words"          // a program's own form: what it says is wrong is the value message, which may be what another rule knows
	WordsBelow    Fact = "words-below"    // likewise, but that stands below the line
	GoesOn        Fact = "goes-on"        // the message goes on in the next line, which a wording further down the rule reads
	CommandFailed Fact = "command-failed" // a command that the program called failed, and printed why before
	PortDown      Fact = "port-down"      // a port went down, maybe long before the job: at
	AnyFile       Fact = "any-file"       // the message is the same whether the file holds data or a model
	Refused       Fact = "refused"        // the service refused a call
	NoJob         Fact = "no-job"         // likewise, and the call only creates jobs
	Reference     Fact = "reference"      // a text begins that describes failures: a page of help, a list of changes, samples of text
)

var facts = []Fact{Start, Exit, Restart, Recovery, Queueing, QueueLost, Running, NewRun, Finished, Saved, Installed, ExitHidden, AllMet, Recorder, Call, CallFailed,
	EndedRank, FailedRank, FailedDevice, PeerGone, PeerAwaited, Words, WordsBelow, GoesOn, CommandFailed, PortDown, AnyFile, Refused, NoJob, Reference}

func knownFacts() string {
	names := make([]string, len(facts))
	for i, f := range facts {
		names[i] = string(f)
	}
	return strings.Join(names, ", ")
}

// Tells reports whether the lines of a rule tell a fact.
func (r *Rule) Tells(f Fact) bool { return slices.Contains(r.Facts, f) }
