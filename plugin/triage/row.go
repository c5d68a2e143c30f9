// Package triage diagnoses many cases at once and puts what came of it into
// order: one row for each job, groups of rows that show the same failure, and
// the forms in which people and programs take them.
//
// The outcome depends on the cases alone: not on how many are diagnosed at
// once, how they are spread over runs, or how often a run was interrupted.
package triage

import (
	_ "embed"
	"strings"
	"sync"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/rules"
)

// Schema names the JSON forms. Within it fields are added, never renamed.
const Schema = "hcloud-modelarts/triage/v1"

// Row is the diagnosis of one job of one case, or why a case could not be read.
// Its strings are masked.
type Row struct {
	Schema      string            `json:"schema"`
	Case        string            `json:"case"`
	ID          string            `json:"id"` // of the case, also where masking makes two names alike
	Lang        string            `json:"lang"`
	Job         report.Job        `json:"job"`
	Severity    report.Severity   `json:"severity"` // "" when the case could not be read
	Cause       string            `json:"cause"`
	Domain      string            `json:"domain"`
	Confidence  report.Confidence `json:"confidence"`
	Summary     string            `json:"summary"`
	Rule        string            `json:"rule"`
	Fingerprint string            `json:"fingerprint"`
	Rank        int               `json:"rank"`  // on which the failure came first, -1 when unknown
	Task        string            `json:"task"`  // that ran the rank
	Time        string            `json:"time"`  // of the decisive line, or the last one above it that has a time
	Retry       string            `json:"retry"` // "yes", "no", "after-change", "" when nothing says
	Owner       string            `json:"owner"` // "user", "platform", "either", "" when no cause is named
	Quote       Quote             `json:"quote"` // the decisive line
	Fixes       []string          `json:"fixes"` // their titles
	Timeline    *report.Timeline  `json:"timeline,omitempty"`
	Error       string            `json:"error"` // why the case could not be read, else ""
}

// Quote is a line and where it stands within the case.
type Quote struct {
	Source string `json:"source"`
	Line   int    `json:"line"`
	Field  string `json:"field"`
	Text   string `json:"text"`
}

// State is what a row is, for counts and colours.
type State string

// The states.
const (
	Failed     State = "failed"     // a cause is named
	Undecided  State = "undecided"  // the information does not decide
	Healthy    State = "healthy"    // nothing is wrong
	Unreadable State = "unreadable" // the case could not be read
)

// State says what the row is.
func (r *Row) State() State {
	switch {
	case r.Error != "":
		return Unreadable
	case r.Severity == report.Normal:
		return Healthy
	case r.Confidence == report.Low:
		return Undecided
	}
	return Failed
}

// maxLanes bounds the timeline of a row.
const maxLanes = 12

// newRow takes from a report what a row holds.
func newRow(c *Case, r *report.Report, pack *rules.Pack) Row {
	row := Row{
		Schema: Schema, Case: c.Name, ID: c.ID, Lang: r.Lang, Job: r.Job,
		Severity: r.Severity, Cause: r.Cause, Domain: r.Domain, Confidence: r.Confidence,
		Summary: r.Summary, Rule: r.Rule, Fingerprint: r.Fingerprint, Rank: -1,
		Fixes: []string{}, Timeline: shorten(r.Timeline),
	}
	if r.NamesCause() {
		row.Owner = Owner(r.Cause)
		row.Retry = retry(pack, r.Rule)
		for _, f := range r.Fixes {
			if f.Title != "" {
				row.Fixes = append(row.Fixes, f.Title)
			}
		}
	}
	if len(r.Evidence) > 0 {
		e := r.Evidence[0]
		row.Rank, row.Task, row.Time = rankOf(r.Evidence), e.Task, e.Time
		row.Quote = Quote{e.Source, e.Line, e.Field, e.Text}
		if row.Time == "" {
			row.Time = rootTime(r.Timeline)
		}
	}
	report.MaskAll(&row, report.MaskForPrograms)
	return row
}

// rankOf is the rank of the decisive line. An answer of the service tells the
// task alone; another line that proves the same on that task may tell the rank.
func rankOf(evidence []report.Evidence) int {
	for _, e := range evidence {
		if e.Rank >= 0 && e.Task == evidence[0].Task {
			return e.Rank
		}
	}
	return evidence[0].Rank
}

// failedRow is the row of a case that could not be read.
func failedRow(c *Case, lang, why string) Row {
	mask := report.MaskForPrograms
	return Row{Schema: Schema, Case: mask(c.Name), ID: c.ID, Lang: lang, Rank: -1, Fixes: []string{}, Error: mask(why)}
}

func retry(pack *rules.Pack, id string) string {
	if r := pack.Rule(id); r != nil {
		if d, err := r.Detail(); err == nil {
			return d.Retry
		}
	}
	return ""
}

//go:embed owners.tsv
var ownersTSV string

var owners = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(ownersTSV) {
		if cause, owner, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && !strings.HasPrefix(line, "#") && owner != "-" {
			m[cause] = owner
		}
	}
	return m
})

// Owner says who mends a cause: "user", "platform", "either" when the cause
// alone does not say, "" when there is nothing to mend.
func Owner(cause string) string { return owners()[cause] }

// shorten keeps of a timeline the lanes on which something happened, and of the
// others as many as fit.
func shorten(t *report.Timeline) *report.Timeline {
	if t == nil || len(t.Lanes) <= maxLanes {
		return t
	}
	short := &report.Timeline{}
	quiet := maxLanes
	for _, l := range t.Lanes {
		if len(l.Marks) > 0 {
			quiet--
		}
	}
	for _, l := range t.Lanes {
		if len(l.Marks) == 0 {
			quiet--
			if quiet < 0 {
				continue
			}
		}
		if len(short.Lanes) < maxLanes || hasRoot(l) {
			short.Lanes = append(short.Lanes, l)
		}
	}
	short.More = t.More + len(t.Lanes) - len(short.Lanes)
	return short
}

// rootTime is the time at which a timeline shows the root, "" when it does not.
func rootTime(t *report.Timeline) string {
	if t == nil {
		return ""
	}
	for _, l := range t.Lanes {
		for _, m := range l.Marks {
			if m.Kind == "root" {
				return m.Time
			}
		}
	}
	return ""
}

func hasRoot(l report.Lane) bool {
	for _, m := range l.Marks {
		if m.Kind == "root" {
			return true
		}
	}
	return false
}

// masked gives a copy of a row for people: addresses of private networks are
// masked, too.
func (r *Row) masked() *Row {
	c := *r
	report.MaskAll(&c, report.Mask)
	return &c
}
