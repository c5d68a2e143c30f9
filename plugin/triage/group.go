package triage

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"hcloud-modelarts/analyzer/report"
)

// Group is the same failure in several jobs.
type Group struct {
	Fingerprint string            `json:"fingerprint"` // "" for rows that name no cause
	State       State             `json:"state"`
	Cause       string            `json:"cause"`
	Count       int               `json:"count"`
	FirstSeen   string            `json:"first_seen"` // earliest time of a decisive line, "" when none has one
	LastSeen    string            `json:"last_seen"`
	Retry       string            `json:"retry"`
	Owner       string            `json:"owner"`
	Case        string            `json:"case"` // whose quote represents the group
	Confidence  report.Confidence `json:"confidence"`
	Summary     string            `json:"summary"`
	Quote       Quote             `json:"quote"`
	Fixes       []string          `json:"fixes"`
	Timeline    *report.Timeline  `json:"timeline,omitempty"`
}

// Summarize counts rows and puts those that show the same failure together: the
// largest group first, then the rest by name. Rows that name no cause are one
// group for each state.
func Summarize(rows Rows) (Counts, []Group, error) {
	var counts Counts
	at := map[string]int{}
	var groups []Group
	last := ""
	for r, err := range rows {
		if err != nil {
			return counts, nil, err
		}
		counts.count(r, r.ID != last || counts.Jobs == 0)
		last = r.ID
		state := r.State()
		key := string(state)
		if state == Failed {
			key += "\x00" + r.Fingerprint
		}
		g, ok := at[key]
		if !ok {
			g = len(groups)
			at[key] = g
			groups = append(groups, Group{State: state})
			if state == Failed {
				groups[g].Fingerprint = r.Fingerprint
			}
		}
		groups[g].add(r)
	}
	slices.SortStableFunc(groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(stateOrder(a.State), stateOrder(b.State)), cmp.Compare(b.Count, a.Count), strings.Compare(a.Fingerprint, b.Fingerprint))
	})
	return counts, groups, nil
}

func stateOrder(s State) int { return slices.Index([]State{Failed, Undecided, Unreadable, Healthy}, s) }

// add counts a row. The surest row, of equals the one whose case comes first,
// represents the group.
func (g *Group) add(r *Row) {
	g.Count++
	if g.Count == 1 || sure(r.Confidence) > sure(g.Confidence) {
		g.Cause, g.Retry, g.Owner = r.Cause, r.Retry, r.Owner
		g.Case, g.Confidence, g.Summary = r.Case, r.Confidence, r.Summary
		g.Quote, g.Fixes, g.Timeline = r.Quote, r.Fixes, r.Timeline
	}
	if instant(r.Time).IsZero() {
		return
	}
	if g.FirstSeen == "" || instant(r.Time).Before(instant(g.FirstSeen)) {
		g.FirstSeen = r.Time
	}
	if g.LastSeen == "" || instant(r.Time).After(instant(g.LastSeen)) {
		g.LastSeen = r.Time
	}
}

func sure(c report.Confidence) int {
	return slices.Index([]report.Confidence{report.Low, report.Medium, report.High}, c)
}

// instant reads a time of a row; a time without a zone counts as UTC.
func instant(s string) time.Time {
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05"} {
		if t, err := time.Parse(form, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

// Counts are the rows of each state.
type Counts struct {
	Cases      int `json:"cases"`
	Jobs       int `json:"jobs"` // rows
	Failed     int `json:"failed"`
	Undecided  int `json:"undecided"`
	Healthy    int `json:"healthy"`
	Unreadable int `json:"unreadable"`
	User       int `json:"user"` // of the failed, by owner
	Platform   int `json:"platform"`
	Retry      int `json:"retry"` // of the failed, those that may be tried again as they are
}

// Add counts what o counts; no case is in both.
func (c *Counts) Add(o Counts) {
	c.Cases += o.Cases
	c.Jobs += o.Jobs
	c.Failed += o.Failed
	c.Undecided += o.Undecided
	c.Healthy += o.Healthy
	c.Unreadable += o.Unreadable
	c.User += o.User
	c.Platform += o.Platform
	c.Retry += o.Retry
}

// Count counts the rows of a block.
func (b *Block) Count() Counts {
	var c Counts
	for i := range b.Rows {
		c.count(&b.Rows[i], i == 0)
	}
	return c
}

// count counts a row, the first one of a case or a further one.
func (c *Counts) count(r *Row, first bool) {
	c.Jobs++
	if first {
		c.Cases++
	}
	switch r.State() {
	case Failed:
		c.Failed++
	case Undecided:
		c.Undecided++
	case Healthy:
		c.Healthy++
	case Unreadable:
		c.Unreadable++
	}
	switch r.Owner {
	case "user":
		c.User++
	case "platform":
		c.Platform++
	}
	if r.Retry == "yes" {
		c.Retry++
	}
}
