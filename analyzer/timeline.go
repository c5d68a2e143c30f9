package analyzer

import (
	"time"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/verdict"
)

// timeline writes a verdict's timeline for a report, nil when it is empty.
func timeline(t *verdict.Timeline) *report.Timeline {
	if len(t.Lanes) == 0 {
		return nil
	}
	text := func(at time.Time) string {
		switch {
		case at.IsZero():
			return ""
		case t.Plain:
			return at.Format("2006-01-02T15:04:05")
		}
		return at.UTC().Format(time.RFC3339)
	}
	r := &report.Timeline{More: t.More}
	for _, l := range t.Lanes {
		lane := report.Lane{
			Rank: l.Rank, Task: l.Task, Source: l.Source,
			First: text(l.First), Last: text(l.Last), Progress: text(l.Progress), Step: l.Step,
			Marks: []report.Mark{},
		}
		for _, m := range l.Marks {
			kind := "symptom"
			if m.Root {
				kind = "root"
			}
			lane.Marks = append(lane.Marks, report.Mark{Time: text(m.At), Until: text(m.Until), Kind: kind, Cause: m.Cause, Line: m.Line})
		}
		r.Lanes = append(r.Lanes, lane)
	}
	return r
}

// language is that of the texts: English when it is asked for, else Chinese.
func language(lang string) string {
	if lang == "en" {
		return "en"
	}
	return "zh"
}
