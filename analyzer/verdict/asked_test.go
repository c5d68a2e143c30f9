package verdict

import (
	"testing"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// TestAskedAgain: of a saved session, a refusal after which the same call met
// something else, or the job is there, was overcome.
func TestAskedAgain(t *testing.T) {
	session, other := log("session.txt"), log("other.txt")
	call := ruleOf(rules.Call)
	asks := func(d *source.Document, line int, op string) *scan.Event {
		e := found(call, stream(d, -1), line, "hcloud ModelArts "+op)
		saying(e, "op", op)
		return e
	}
	refused := func(line int, text string) *scan.Event {
		s := stream(session, -1)
		s.Field = "error_msg"
		e := found(rule("bad-request", rules.Root), s, line, text)
		e.Quote.Kind = source.Event
		return e
	}
	for _, tt := range []struct {
		name   string
		jobAt  modelarts.Place // where the job's state is told
		events []*scan.Event
		fates  []string // of the refusals
	}{
		{"refused otherwise", modelarts.Place{}, []*scan.Event{asks(session, 1, "CreateTrainingJob"), refused(2, "no quota"), asks(session, 3, "CreateTrainingJob"), refused(4, "no such flavor")}, []string{"passed 4", ""}},
		{"refused otherwise, and then alike", modelarts.Place{}, []*scan.Event{asks(session, 1, "CreateTrainingJob"), refused(2, "no quota"), refused(4, "no such flavor"), refused(6, "no such flavor")}, []string{"passed 4", "", "same-failure "}},
		{"refused alike", modelarts.Place{}, []*scan.Event{asks(session, 1, "CreateTrainingJob"), refused(2, "no quota"), asks(session, 3, "CreateTrainingJob"), refused(4, "no quota")}, []string{"", "same-failure "}},
		{"refused another call", modelarts.Place{}, []*scan.Event{asks(session, 1, "CreateTrainingJob"), refused(2, "no quota"), asks(session, 3, "ListTrainingJobs"), refused(4, "no such flavor")}, []string{"", ""}},
		{"another session's call in between", modelarts.Place{}, []*scan.Event{asks(session, 1, "CreateTrainingJob"), refused(2, "no quota"), asks(other, 3, "ListTrainingJobs"), refused(4, "no such flavor")}, []string{"passed 4", ""}},
		{"another call below", modelarts.Place{}, []*scan.Event{asks(session, 1, "CreateTrainingJob"), refused(2, "no quota"), refused(4, "no such flavor"), asks(session, 5, "ListTrainingJobs")}, []string{"passed 4", ""}},
		{"the job is there below", modelarts.Place{Source: "session.txt", Line: 9}, []*scan.Event{asks(session, 1, "CreateTrainingJob"), refused(2, "no quota")}, []string{"passed 9"}},
		{"the job was there above", modelarts.Place{Source: "session.txt", Line: 1}, []*scan.Event{asks(session, 1, "CreateTrainingJob"), refused(2, "no quota")}, []string{""}},
		{"the refusal is the job's own answer", modelarts.Place{Source: "session.txt", Line: 2}, []*scan.Event{asks(session, 1, "CreateTrainingJob"), refused(2, "no quota")}, []string{""}},
		{"the job is told elsewhere", modelarts.Place{Source: "other.txt", Line: 9}, []*scan.Event{asks(session, 1, "CreateTrainingJob"), refused(2, "no quota")}, []string{""}},
	} {
		c := &Case{Job: modelarts.Job{PhaseAt: tt.jobAt}, Found: scan.Result{Events: tt.events}}
		for _, e := range tt.events {
			if e.Quote.Kind == source.Event {
				c.Errors = append(c.Errors, modelarts.CallError{At: modelarts.Place{Source: e.Quote.Doc.Name, Field: e.Quote.Field, Line: e.Quote.Number}})
			}
		}
		// A line of the program in the same text, and an event that is no refusal.
		line, event := found(rule("key-error", rules.Root), stream(session, -1), 1, "KeyError: 'x'"), found(rule("node-failure", rules.Root), stream(log("events.json"), -1), 1, "NodeNotReady")
		line.Quote.Field, event.Quote.Kind = "error_msg", source.Event
		c.Found.Events = append([]*scan.Event{line, event}, c.Found.Events...)
		j := newJudge(c, rules.Default())
		j.dismiss()
		var fates []string
		for _, x := range j.all {
			fate := fateOf(x)
			if x.fate != nil {
				fate += " " + x.fate.Args["line"]
			}
			fates = append(fates, fate)
		}
		if len(fates) != len(tt.fates)+2 || fates[0] != "" || fates[1] != "" {
			t.Fatalf("%s: out by %q", tt.name, fates)
		}
		for i, want := range tt.fates {
			if fates[i+2] != want {
				t.Errorf("%s: refusal %d is out by %q, want %q", tt.name, i, fates[i+2], want)
			}
		}
	}
}
