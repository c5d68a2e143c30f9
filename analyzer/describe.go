package analyzer

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
	"hcloud-modelarts/analyzer/verdict"
)

// describe words a verdict in the language of the options.
func describe(v *verdict.Verdict, o Options) report.Report {
	if len(v.Evidence) > 0 {
		values := map[string]string{rules.Frame: raisedAt(v), rules.Accelerator: accelerator(v.Case)}
		plain := v.Values
		for _, q := range v.Evidence {
			plain = visible(plain, q.Raw)
		}
		maps.Copy(values, plain)
		maps.Copy(values, told(v))
		v.Values = values
	}
	v.Case.Job.Region = cmp.Or(v.Case.Job.Region, o.Region)
	w := wording{lang: o.Lang, v: v}
	j := v.Case.Job
	r := report.Report{
		Lang:     language(o.Lang),
		Input:    v.Case.Input,
		Job:      report.Job{ID: j.ID, Name: j.Name, Phase: phaseText(v), Region: j.Region},
		Severity: report.Severity(v.Severity), Cause: v.Cause, Confidence: report.Confidence(v.Confidence),
		Summary: w.summary(), Fingerprint: v.Fingerprint,
		Order: w.order(), Timeline: timeline(&v.Timeline),
		Evidence: w.evidence(), Symptoms: w.symptoms(), Alternatives: w.alternatives(),
		Fixes: w.fixes(), Next: w.next(), Collected: w.collected(), SecondOpinion: w.opinion(),
	}
	if c, ok := rules.CauseOf(v.Cause); ok {
		r.Domain = c.Domain
	}
	if v.Rule != nil {
		r.Rule = v.Rule.ID
	}
	if v.Doubt != nil && v.Confidence == verdict.Medium {
		r.Doubt = w.reason(*v.Doubt)
	}
	if v.Outcome != nil {
		r.Outcome = w.reason(*v.Outcome)
	}
	if o.Why {
		r.Why = w.why()
	}
	return r
}

func phaseText(v *verdict.Verdict) string {
	if v.Case.Job.Phase != "" {
		return string(v.Case.Job.Phase)
	}
	return v.Case.Job.PhaseText
}

// wording words the parts of one verdict.
type wording struct {
	lang string
	v    *verdict.Verdict
}

// detail gives the texts of the rule that decided, nil when there is none.
func (w wording) detail() *rules.Detail {
	if w.v.Rule == nil {
		return nil
	}
	d, err := w.v.Rule.Brief()
	if err != nil {
		return nil // cannot be: the pack's test reads every file, and a user's pack is read whole
	}
	return d
}

func (w wording) summary() string {
	switch {
	case w.v.Cause == verdict.None && w.v.Sentence != nil:
		return w.reason(*w.v.Sentence) + w.findings()
	case w.v.Cause == verdict.None:
		return w.reason(verdict.Reason{Code: "nothing-wrong-" + strings.ToLower(string(w.v.Confidence))}) + w.findings()
	case w.v.Confidence == verdict.Low:
		return report.Undecided.In(w.lang)
	}
	s := ""
	if w.v.Sentence != nil {
		s = w.reason(*w.v.Sentence)
	} else if d := w.detail(); d != nil {
		s = whole(d.Say.In(w.lang), w.v.Values)
	}
	if s == "" {
		c, _ := rules.CauseOf(w.v.Cause)
		s = c.Name.In(w.lang)
	}
	return w.where() + s + w.place(s) + w.findings()
}

// raisedAt is the file, by its last two names, and the line of the user's own code
// that raised the exception, "" when that is not known or says little.
func raisedAt(v *verdict.Verdict) string {
	p := v.Place
	if p == nil || p.Line == 0 {
		return ""
	}
	names := strings.FieldsFunc(p.File, func(r rune) bool { return r == '/' || r == '\\' })
	if len(names) == 0 {
		return ""
	}
	return strings.Join(names[max(0, len(names)-2):], "/") + ":" + strconv.Itoa(p.Line)
}

// ascend are the families of the rules that speak of NPUs.
var ascend = map[string]bool{"cann": true, "hccl": true, "torch-npu": true, "mindspore": true, "mindspeed": true}

// cardOf is the kind of card that a case runs on, as far as anything tells: "npu",
// "gpu" or "".
func cardOf(c *verdict.Case) string {
	switch {
	case c.Job.FlavorType == "Ascend" || speaksOfNPUs(c):
		return "npu"
	case c.Job.FlavorType == "GPU":
		return "gpu"
	}
	return ""
}

func speaksOfNPUs(c *verdict.Case) bool {
	ofNPU := func(f traceback.Frame) bool { return strings.Contains(f.File, "/torch_npu/") }
	return slices.ContainsFunc(c.Found.Events, func(e *scan.Event) bool { return ascend[e.Rule.Family] }) ||
		slices.ContainsFunc(c.Found.Traces, func(t *scan.Trace) bool {
			return slices.ContainsFunc(t.Traceback.Exceptions, func(x traceback.Exception) bool { return slices.ContainsFunc(x.Frames, ofNPU) })
		})
}

// accelerator is PyTorch's name for the kind of card that a case runs on: "cuda"
// unless something tells of NPUs.
func accelerator(c *verdict.Case) string {
	if cardOf(c) == "npu" {
		return "npu"
	}
	return "cuda"
}

// place says where the failure was raised, unless the sentence says it already.
func (w wording) place(sentence string) string {
	at := w.v.Values[rules.Frame]
	file, _, _ := strings.Cut(path.Base(at), ":")
	if at == "" || w.v.Sentence != nil || strings.Contains(sentence, file) {
		return ""
	}
	return w.reason(verdict.Reason{Code: "in-code", Args: map[string]string{"place": at}})
}

func (w wording) findings() string {
	s := ""
	for _, f := range w.v.Findings {
		s += w.reason(f)
	}
	return s
}

// where names the ranks of a failure in a job of several.
func (w wording) where() string {
	switch n := len(w.v.Ranks); {
	case len(w.v.Evidence) == 0 || w.v.Sentence != nil:
		return ""
	case n == 0:
		if task := w.task(); task != "" {
			return w.reason(verdict.Reason{Code: "on-task", Args: map[string]string{"task": task}})
		}
		return ""
	case n == 1:
		args := map[string]string{"rank": strconv.Itoa(w.v.Ranks[0]), "task": w.v.Evidence[0].Task}
		if args["task"] == "" {
			return w.reason(verdict.Reason{Code: "on-rank", Args: args})
		}
		return w.reason(verdict.Reason{Code: "on-rank-of-task", Args: args})
	default:
		return w.reason(verdict.Reason{Code: "on-ranks", Args: map[string]string{"ranks": rankList(w.v.Ranks), "count": strconv.Itoa(n)}})
	}
}

// podTask is the task in the name of a pod.
var podTask = lazy.Regexp(`-((?:worker|ps|chief|master)-\d+)\b`)

// task is the task whose failure the decisive line tells, "" when that is the
// job's only one or the line is not about one alone: others tell the same, or the
// job as a whole was stopped or waits.
func (w wording) task() string {
	q := w.v.Evidence[0]
	task := q.Task
	if task == "" && q.Kind != source.Log {
		if pods := podTask().FindAllStringSubmatch(q.Text, 2); len(pods) == 1 {
			task = pods[0][1]
		}
	}
	switch w.v.Cause {
	case "stopped-by-user", "preempted", "job-timeout", "resource-shortage":
		return ""
	}
	if task == "" || w.v.Case.Tasks() < 2 && strings.HasSuffix(task, "-0") {
		return ""
	}
	for _, s := range w.v.Why {
		if o := s.Event.Quote; s.Event.Rule == w.v.Rule && o.Kind != source.Log && q.Kind != source.Log && o.Task != "" && o.Task != task {
			return ""
		}
	}
	return task
}

// onlyPlace is the first line of a message that says no more than where.
var onlyPlace = lazy.Regexp(`^\S+\(\d+\):?$`)

// told adds to the values of the decisive line the second line of its message
// where the first tells no more than a file and a line.
func told(v *verdict.Verdict) map[string]string {
	values := map[string]string{}
	for _, s := range v.Why {
		e := s.Event
		if !s.Kept || e.Trace == nil || e.Exception < 0 {
			continue
		}
		place, rest, _ := strings.Cut(e.Trace.Exceptions[e.Exception].Message, "\n")
		rest, _, _ = strings.Cut(strings.TrimSpace(rest), "\n")
		if place = strings.TrimSpace(place); rest == "" || !onlyPlace().MatchString(place) {
			continue
		}
		for name, value := range v.Values {
			if value == place {
				values[name] = strings.TrimSuffix(place, ":") + ": " + report.MaskForPrograms(rest)
			}
		}
	}
	return values
}

// rankList names up to four ranks.
func rankList(ranks []int) string {
	var b strings.Builder
	for i, r := range ranks {
		if i == 4 {
			b.WriteString("…")
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Itoa(r))
	}
	return b.String()
}

var (
	optionalPart = lazy.Regexp(`\[\[(.*?)\]\]`)
	valueName    = lazy.Regexp(`\{([a-z_]+)\}`)
)

// visible hides the values that the line shows to nobody. Where a value is a
// secret for what stands before it, masking could not tell once a rule has put
// it into its sentence.
func visible(values map[string]string, line string) map[string]string {
	shown := report.MaskForPrograms(line)
	if shown == line {
		return values
	}
	safe := map[string]string{}
	for name, v := range values {
		if strings.Contains(line, v) && !strings.Contains(shown, v) {
			v = "***"
		}
		safe[name] = v
	}
	return safe
}

// whole fills a sentence, and gives "" when a value that it cannot do without is
// missing: a sentence with a hole says nothing.
func whole(s string, values map[string]string) string {
	if lacks(optionalPart().ReplaceAllString(s, ""), values) {
		return ""
	}
	return fill(s, values)
}

// lacks reports whether a text speaks of a value that is missing.
func lacks(s string, values map[string]string) bool {
	return slices.ContainsFunc(valueName().FindAllStringSubmatch(s, -1), func(m []string) bool { return values[m[1]] == "" })
}

// fill puts values into a rule's sentence. An optional part that speaks of a
// missing value is left out, with the blanks that set it off; elsewhere a
// missing value stands as <name>, as in a command.
func fill(s string, values map[string]string) string {
	for {
		at := optionalPart().FindStringSubmatchIndex(s)
		if at == nil {
			break
		}
		before, part, after := s[:at[0]], s[at[2]:at[3]], s[at[1]:]
		if lacks(part, values) {
			s = seam(before, after)
		} else {
			s = before + part + after
		}
	}
	return valueName().ReplaceAllStringFunc(s, func(name string) string {
		name = name[1 : len(name)-1]
		return orName(values[name], name)
	})
}

// wordly reports whether a rune is one of a word, so that a Chinese and a Latin one
// are set apart by a blank.
func wordly(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// seam joins what stood before and after a part that is left out: no blank stays
// at an end, before a mark, or between two Chinese characters, and never two; one
// stands between a Chinese and a Latin one.
func seam(before, after string) string {
	l, r := strings.TrimRight(before, " "), strings.TrimLeft(after, " ")
	last, _ := utf8.DecodeLastRuneInString(l)
	next, _ := utf8.DecodeRuneInString(r)
	if len(l) == len(before) && len(r) == len(after) && (l == "" || r == "" || unicode.Is(unicode.Han, last) == unicode.Is(unicode.Han, next) || !wordly(last) || !wordly(next)) {
		return before + after
	}
	if l == "" || r == "" || strings.ContainsRune(",.;:)]，。；：）、", next) || unicode.Is(unicode.Han, last) && unicode.Is(unicode.Han, next) {
		return l + r
	}
	return l + " " + r
}

func (w wording) evidence() []report.Evidence {
	var rows []report.Evidence
	for _, q := range w.v.Evidence {
		rows = append(rows, report.Evidence{
			Source: q.Doc.Name, Line: q.Number, Field: q.Field, Text: q.Raw, Time: timeText(q),
			Task: q.Task, Rank: q.Rank, Offset: q.Offset, Length: q.Length, SHA256: q.SHA256(),
			From: valueIn(q.Raw, w.v.Values),
		})
	}
	return rows
}

// valueIn gives where the longest of some values stands in a line that is too
// long to be shown whole; 0 for other lines.
func valueIn(line string, values map[string]string) int {
	at, n := 0, 0
	if report.Excerpt(line, 0, 0) == line {
		return 0
	}
	for _, v := range values {
		if i := strings.Index(line, v); i >= 0 && (len(v) > n || len(v) == n && i < at) {
			at, n = i, len(v)
		}
	}
	return at
}

// timeText writes a line's own time as the line tells it: without a zone when
// it has none.
func timeText(q scan.Quote) string {
	switch {
	case q.Time.IsZero():
		return ""
	case q.Zoned:
		return q.Time.Format(time.RFC3339)
	}
	return q.Time.Format("2006-01-02T15:04:05")
}

// symptomRows is how many symptoms a report lists; of each kind the first, from no
// more than two files: what every worker prints alike is counted.
const (
	symptomRows = 12
	alikeRows   = 2
)

func (w wording) symptoms() []report.Symptom {
	var rows []report.Symptom
	seen, files, last := map[string]bool{}, map[string]int{}, map[string]int{}
	for _, s := range w.v.Symptoms {
		q, id := s.Event.Quote, s.Event.Rule.ID
		if key := id + "\x00" + q.Doc.Name; seen[key] {
			continue
		} else {
			seen[key] = true
		}
		if files[id]++; files[id] > alikeRows || len(rows) == symptomRows {
			continue
		}
		last[id] = len(rows)
		rows = append(rows, report.Symptom{Cause: s.Cause, Source: q.Doc.Name, Line: q.Number, Field: q.Field, Text: q.Raw, Because: w.because(s), Offset: q.Offset, Length: q.Length, SHA256: q.SHA256()})
	}
	for id, n := range files {
		if row, listed := last[id]; listed && n > alikeRows {
			rows[row].Because += w.reason(verdict.Reason{Code: "alike", Args: map[string]string{"count": strconv.Itoa(n - alikeRows)}})
		}
	}
	return rows
}

// because words why an event is a symptom: what its rule says it is, and what
// it followed.
func (w wording) because(s verdict.Symptom) string {
	reason := w.reason(s.Because)
	if s.Event.Rule.Role != rules.Symptom {
		return reason
	}
	if d, err := s.Event.Rule.Brief(); err == nil {
		if say := whole(d.Say.In(w.lang), visible(s.Event.Values.Map(), s.Event.Quote.Raw)); say != "" {
			return say + w.reason(verdict.Reason{Code: "joint"}) + reason
		}
	}
	return reason
}

func (w wording) alternatives() []report.Alternative {
	var rows []report.Alternative
	for _, a := range w.v.Alternatives {
		q := a.Event.Quote
		rows = append(rows, report.Alternative{Cause: a.Cause, Confidence: report.Confidence(a.Confidence), Source: q.Doc.Name, Line: q.Number, Field: q.Field, Text: q.Raw, Offset: q.Offset, Length: q.Length, SHA256: q.SHA256()})
	}
	return rows
}

func (w wording) fixes() []report.Fix {
	var wanted []rules.Fix
	if d := w.detail(); d != nil {
		wanted = d.Fixes
	}
	if w.v.Sentence != nil && remedies[w.v.Sentence.Code] != nil {
		wanted = remedies[w.v.Sentence.Code]
	}
	if n := w.v.Next; len(n) == 1 && remedies[n[0].Why.Code] != nil {
		wanted = remedies[n[0].Why.Code]
	}
	var fixes []report.Fix
	card := cardOf(w.v.Case)
	for _, f := range wanted {
		if f.On != "" && card != "" && f.On != card {
			continue
		}
		x := report.Fix{Title: fill(f.Title.In(w.lang), w.v.Values), Changes: f.Changes}
		for _, s := range f.Steps {
			x.Steps = append(x.Steps, fill(s.In(w.lang), w.v.Values))
		}
		fixes = append(fixes, x)
	}
	return fixes
}

func (w wording) collected() []report.Collected {
	if w.v.Confidence != verdict.Low {
		return nil
	}
	var rows []report.Collected
	for _, f := range w.v.Case.Facts {
		for _, x := range f.Fact {
			rows = append(rows, report.Collected{API: f.API, Key: x.Key, Value: x.Value})
		}
	}
	if failed := w.failedCalls(); len(failed) > 0 {
		return append(rows, failed...)
	}
	return append(rows, w.seen()...)
}

// failedCalls tells of the calls that hcloud could not make: with nothing else
// at hand they are why nothing is known.
func (w wording) failedCalls() []report.Collected {
	var rows []report.Collected
	for _, e := range w.v.Case.Found.Events {
		if e.Rule.Tells(rules.CallFailed) && len(rows) < symptomRows {
			rows = append(rows, report.Collected{API: e.Quote.Doc.Name, Key: w.reason(verdict.Reason{Code: "failed-call", Args: map[string]string{"line": strconv.Itoa(e.Quote.Number)}}), Value: e.Quote.Text})
		}
	}
	return rows
}

// seen tells of the logs at hand: how far they go and what stands at their end.
func (w wording) seen() []report.Collected {
	var rows []report.Collected
	for _, s := range w.v.Case.Found.Streams {
		if s.Field != "" || len(rows) == symptomRows {
			continue
		}
		last := w.reason(verdict.Reason{Code: "last-line", Args: map[string]string{"line": strconv.Itoa(s.Last.Number), "text": s.Last.Text}})
		rows = append(rows, report.Collected{API: s.Doc.Name, Key: streamName(s), Value: last})
	}
	return rows
}

func streamName(s *scan.Stream) string {
	if s.Rank >= 0 {
		return "rank " + strconv.Itoa(s.Rank)
	}
	return s.Task
}

// opinion compares the first of the platform's own analyses with the evidence.
func (w wording) opinion() *report.SecondOpinion {
	if len(w.v.Opinions) == 0 {
		return nil
	}
	o := w.v.Opinions[0]
	comment := verdict.Reason{Code: "opinion-silent"}
	switch {
	case o.Agrees:
		comment.Code = "opinion-agrees"
	case o.Cause != "":
		c, _ := rules.CauseOf(o.Cause)
		comment = verdict.Reason{Code: "opinion-differs", Args: map[string]string{"cause": c.Name.In(w.lang)}}
	}
	return &report.SecondOpinion{Source: o.Analysis.At.Source, Field: o.Analysis.At.Field, Text: o.Analysis.Description, Agrees: o.Agrees, Comment: w.reason(comment)}
}

func (w wording) why() []report.Step {
	var steps []report.Step
	for _, s := range w.v.Why {
		q := s.Event.Quote
		step := report.Step{Cause: s.Event.Rule.Cause, Source: q.Doc.Name, Line: q.Number, Field: q.Field, Text: q.Raw, Verdict: "dropped"}
		if s.Kept {
			step.Verdict = "root"
		} else if s.Because.Code != "" {
			step.Because = w.reason(s.Because)
		}
		steps = append(steps, step)
	}
	return steps
}
