// Package verdict goes from events to one root cause: it puts events in order
// over ranks and time, drops what followed from what, and says how sure the
// rest is.
package verdict

import (
	"time"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// Confidence says how sure a verdict is.
type Confidence string

// The confidences. Low names no cause.
const (
	High   Confidence = "HIGH"
	Medium Confidence = "MEDIUM"
	Low    Confidence = "LOW"
)

// Severity says how bad the state of the job is.
type Severity string

// The severities of the report's schema.
const (
	Fault        Severity = "fault"
	Abnormal     Severity = "abnormal"
	Suspected    Severity = "suspected"
	Insufficient Severity = "insufficient"
	Normal       Severity = "normal"
)

// The causes that say that there is no cause.
const (
	None    = "none"
	Unknown = "unknown"
)

// Case is all that is known of one job.
type Case struct {
	Input     string // what the user named
	Job       modelarts.Job
	Documents []*source.Document
	Found     scan.Result
	Errors    []modelarts.CallError
	Facts     []Fact
	APIs      map[string]bool // operations whose answers are at hand

	Mask func(string) string // hides the secrets of a text that becomes part of a fingerprint; nil hides none
}

func (c *Case) mask(s string) string {
	if c.Mask == nil {
		return s
	}
	return c.Mask(s)
}

// Tasks counts the tasks of the job that the case knows.
func (c *Case) Tasks() int {
	names := map[string]bool{}
	for _, t := range c.Job.Tasks {
		names[t.Name] = true
	}
	for _, s := range c.Found.Streams {
		names[s.Task] = true
	}
	delete(names, "")
	return len(names)
}

// Fact is what one answer is worth telling when nothing decides.
type Fact struct {
	API  string // "" when the answer was not recognised
	Fact []modelarts.Fact
}

// Reason is a statement of a verdict: a code that the report words in either
// language, and the values that it speaks of.
type Reason struct {
	Code string
	Args map[string]string
}

// Symptom is an event that was seen and judged not to be the root.
type Symptom struct {
	Event   *scan.Event
	Cause   string
	Because Reason
}

// Alternative is another cause that the evidence leaves open.
type Alternative struct {
	Event      *scan.Event
	Cause      string
	Confidence Confidence
}

// Next is a further piece of evidence worth having, cheapest first.
type Next struct {
	API  string // operation, "" for a manual check
	Task string
	Why  Reason
	Text *rules.Text // a rule's own wording, in place of Why
}

// Opinion compares the platform's own analysis with the verdict.
type Opinion struct {
	Analysis modelarts.Analysis
	Cause    string // that the rules read in its text, "" when none
	Agrees   bool
}

// Verdict is the outcome of one case.
type Verdict struct {
	Case         *Case
	Severity     Severity
	Cause        string
	Confidence   Confidence
	Rule         *rules.Rule // that decided, nil when none
	Values       map[string]string
	Evidence     []scan.Quote // the decisive line first
	Place        *scan.Place  // where in the user's own code it was raised, nil when that is not known or says little
	Ranks        []int        // that show the same failure, ascending
	Symptoms     []Symptom
	Alternatives []Alternative
	Next         []Next
	Opinions     []Opinion
	Order        []string // what the order of the root before the others rests on, the surest first
	Doubt        *Reason  // why the confidence is not higher, nil at HIGH
	Outcome      *Reason  // a failure behind a success, or the reverse
	Sentence     *Reason  // stands in place of the rule's own sentence, nil to keep that
	Findings     []Reason // what comparing the ranks and the stacks showed, to be said with the cause
	SilentTasks  []string // tasks, where the logs tell no ranks
	Silent       []string // ranks that others waited for and that said nothing
	Why          []Step
	Timeline     Timeline
	Fingerprint  string

	anew bool // the root is the refusal of a call for another job than the case's
}

// Step is one line of the account that a verdict gives of itself.
type Step struct {
	Event   *scan.Event
	Time    time.Time // corrected, in UTC; zero when unknown
	Kept    bool
	Because Reason
}
