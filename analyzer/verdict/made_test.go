package verdict

import (
	"testing"
	"time"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// log is a document made by hand.
func log(name string) *source.Document {
	return &source.Document{Name: name, Rank: -1, Device: -1, Attempt: -1}
}

// stream is the output of a rank in a document, -1 of all of it.
func stream(d *source.Document, rank int) *scan.Stream {
	return &scan.Stream{Doc: d, Rank: rank, Task: d.Task}
}

// ofTask is the output of a task, in a log of its own.
func ofTask(name string) *scan.Stream {
	d := log(name + ".log")
	d.Task = name
	return stream(d, -1)
}

// rule is a rule made by hand that names its cause.
func rule(cause string, role rules.Role) *rules.Rule {
	return &rules.Rule{ID: "test-" + cause, Cause: cause, Role: role, Match: []rules.Wording{{Literals: []string{"one"}}}}
}

// class is a rule that names no more than a class.
func class(cause string, role rules.Role) *rules.Rule {
	r := rule(cause, role)
	r.Generic = true
	return r
}

// ruleOf is a rule whose lines tell a fact, and of no failure.
func ruleOf(f rules.Fact) *rules.Rule {
	return &rules.Rule{ID: "test-" + string(f), Role: rules.Context, Facts: []rules.Fact{f}}
}

// found is an event of a rule on a line of a stream; the line's position counts
// for all documents.
func found(r *rules.Rule, s *scan.Stream, seq int, text string) *scan.Event {
	return &scan.Event{Rule: r, Stream: s, Seq: seq, Exception: -1,
		Quote: scan.Quote{Doc: s.Doc, Number: seq, Field: s.Field, Text: text, Rank: s.Rank, Task: s.Task, Kind: s.Doc.Kind}}
}

// saying gives an event a value of its rule.
func saying(e *scan.Event, name, text string) *scan.Event {
	e.Values = append(e.Values, rules.Value{Name: name, Text: text})
	return e
}

// timed gives an event a time of its own, by the wall clock.
func timed(e *scan.Event, at time.Time) *scan.Event {
	e.Quote.Time, e.At = at, at
	return e
}

// judgeOn takes what was found as far as its candidates.
func judgeOn(streams []*scan.Stream, events ...*scan.Event) *judge {
	return newJudge(&Case{Found: scan.Result{Streams: streams, Events: events}}, rules.Default())
}

// clockTime is a time of the day on which tests play.
func clockTime(t *testing.T, clock string) time.Time {
	t.Helper()
	at, err := time.Parse(time.DateTime, "2026-03-01 "+clock)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
