package verdict

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// situation is a case in the making: what the job's answers say, its events,
// and its logs by name.
type situation struct {
	job    modelarts.Job
	events []string // "2026-03-01T10:00:00Z message"
	logs   map[string]string
}

// verdictOn reads a situation as the analyzer does and gives its verdict.
func verdictOn(t *testing.T, s situation) Verdict {
	t.Helper()
	r := &reader{scanner: scan.New(rules.Default())}
	fsys := fstest.MapFS{}
	for name, text := range s.logs {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	if len(s.events) > 0 {
		fsys["events.json"] = &fstest.MapFile{Data: eventsAnswer(t, s.events)}
	}
	if len(fsys) > 0 {
		if _, err := source.Read([]source.Root{{Name: ".", FS: fsys, Path: "."}}, source.Limits{}, r); err != nil {
			t.Fatal(err)
		}
	}
	c := &Case{Job: s.job, Documents: r.docs, Found: r.scanner.Close(), APIs: map[string]bool{"ListTrainingJobEvents": len(s.events) > 0}}
	return Decide(c, rules.Default())
}

// reader hands lines on to the scanner, and the texts of answers.
type reader struct {
	scanner *scan.Scanner
	docs    []*source.Document
}

func (r *reader) Begin(d *source.Document) { r.docs = append(r.docs, d) }
func (r *reader) Line(l *source.Line)      { r.scanner.Line(l) }
func (r *reader) End(*source.Document)     {}
func (r *reader) Note(source.Note)         {}

func (r *reader) JSON(j *source.JSON) {
	a, err := modelarts.ReadAt(j.Doc.Name, j.Number, j.Bytes, j.Cut)
	if err != nil {
		panic(err)
	}
	for _, t := range a.Texts {
		source.Text(j.Doc, t.Field, source.Event, t.Text, func(l *source.Line) {
			l.Time, l.Zoned, l.Task = t.Time, !t.Time.IsZero(), t.Task
			r.scanner.Line(l)
		})
	}
}

// eventsAnswer is the answer that lists events.
func eventsAnswer(t *testing.T, events []string) []byte {
	t.Helper()
	type event struct {
		Level   string `json:"level"`
		Message string `json:"message"`
		Source  string `json:"source"`
		Time    string `json:"time"`
	}
	var answer struct {
		Events []event `json:"events"`
		Total  int     `json:"total"`
	}
	for _, e := range events {
		stamp, message, _ := strings.Cut(e, " ")
		answer.Events = append(answer.Events, event{"Info", message, "training", stamp})
	}
	data, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// lines makes a log of lines.
func lines(ls ...string) string { return strings.Join(ls, "\n") + "\n" }

// raised is a traceback through the job's own code.
func raised(exception string) string {
	return `Traceback (most recent call last):
  File "/home/ma-user/modelarts/user-job-dir/app/train.py", line 88, in <module>
    main()
  File "/home/ma-user/modelarts/user-job-dir/app/train.py", line 61, in main
    run(cfg)
` + exception
}

// inLibrary is a traceback whose last frame is a library's.
func inLibrary(exception string) string {
	return raised("  File \"/usr/lib/python3.10/site-packages/acme/core.py\", line 9, in check\n    fail(x)\n" + exception)
}

// prefixed puts a prefix before every line.
func prefixed(prefix, text string) string {
	return prefix + strings.ReplaceAll(text, "\n", "\n"+prefix)
}

// why gives the reason of the first line that holds a text, "" when none lost.
func why(v Verdict, text string) string {
	for _, s := range v.Why {
		if strings.Contains(s.Event.Quote.Text, text) && !s.Kept {
			return s.Because.Code
		}
	}
	return ""
}

func first(v Verdict) string {
	if len(v.Evidence) == 0 {
		return ""
	}
	return v.Evidence[0].Text
}
