package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"slices"
	"strconv"
	"time"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/plugin/triage"
)

type scanCmd struct {
	Since    string `placeholder:"TIME" help:"${since}"`
	Format   string `enum:"table,json,csv" default:"table" placeholder:"table|json|csv" help:"${scan_format}"`
	Output   string `short:"o" placeholder:"FILE" help:"${output}"`
	NoRecord bool   `help:"${no_record}"`
	recording
	remote
}

// Run diagnoses every job of a region that failed, and shows which failed alike.
func (s *scanCmd) Run(c *console) error {
	since, err := c.since(s.Since)
	if err != nil {
		return err
	}
	l, err := s.connect(c)
	if err != nil {
		return err
	}
	search := &collector{c: c, link: l}
	jobs, err := search.abnormalJobs(since)
	if err != nil {
		return err
	}
	k, err := s.collect(search, "scan", s.recording.options(c), !s.NoRecord && l.replay == nil)
	if err != nil {
		return err
	}
	rows, err := k.scan(jobs)
	if e := k.finish(err == nil); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	k.warn()
	out, err := s.render(c, rows)
	if err != nil {
		return err
	}
	return c.deliver(s.Output, out)
}

// row is one failed job.
type row struct {
	Group       int       `json:"group"` // jobs with one fingerprint have one number, the largest group the first
	Job         string    `json:"job"`
	Name        string    `json:"name"`
	Phase       string    `json:"phase"`
	Cause       string    `json:"cause"`
	Confidence  string    `json:"confidence"`
	Task        string    `json:"task"`
	Rank        int       `json:"rank"` // -1 when unknown
	Since       time.Time `json:"since"`
	Summary     string    `json:"summary"`
	Fingerprint string    `json:"fingerprint"`
}

// scan diagnoses the jobs and groups them. A job that a user stopped is none of
// those that failed.
func (k *collector) scan(jobs []job) ([]row, error) {
	byID := map[string]job{}
	var ids []string
	for _, j := range jobs {
		byID[j.ID] = j
		ids = append(ids, j.ID)
	}
	reports, err := k.diagnoseJobs(ids, analyzer.Options{Lang: k.c.lang}, false)
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, r := range reports {
		if r.Cause != "stopped-by-user" {
			rows = append(rows, rowOf(byID[r.Job.ID], r))
		}
	}
	return grouped(rows), nil
}

func rowOf(j job, r report.Report) row {
	x := row{
		Job: j.ID, Name: report.MaskForPrograms(j.Name), Phase: r.Job.Phase, Cause: r.Cause, Confidence: string(r.Confidence),
		Rank: -1, Since: j.Created.UTC(), Summary: report.MaskForPrograms(r.Summary), Fingerprint: r.Fingerprint,
	}
	if len(r.Evidence) > 0 {
		x.Task, x.Rank = r.Evidence[0].Task, r.Evidence[0].Rank
	}
	return x
}

// grouped numbers the rows by fingerprint. Jobs whose cause is not known share
// none: each is its own group, behind the others.
func grouped(rows []row) []row {
	key := func(r row) string {
		if r.Cause == "unknown" || r.Fingerprint == "" {
			return "~" + r.Job
		}
		return r.Fingerprint
	}
	size := map[string]int{}
	for _, r := range rows {
		size[key(r)]++
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(size[key(b)], size[key(a)]), cmp.Compare(key(a), key(b)), b.Since.Compare(a.Since))
	})
	group := 0
	for i := range rows {
		if i == 0 || key(rows[i]) != key(rows[i-1]) {
			group++
		}
		rows[i].Group = group
	}
	return rows
}

func (s *scanCmd) render(c *console, rows []row) ([]byte, error) {
	var b bytes.Buffer
	if s.Format == "json" {
		if rows == nil {
			rows = []row{}
		}
		return report.EncodeJSON(rows)
	}
	if s.Format == "csv" {
		w := csv.NewWriter(&b)
		table := [][]string{{"group", "job", "name", "phase", "cause", "confidence", "task", "rank", "since", "summary", "fingerprint"}}
		for _, r := range rows {
			cells := []string{strconv.Itoa(r.Group), r.Job, r.Name, r.Phase, r.Cause, r.Confidence, r.Task, "", r.Since.Format(time.RFC3339), r.Summary, r.Fingerprint}
			for i, cell := range cells {
				cells[i] = triage.NoFormula(report.Plain(cell))
			}
			cells[7] = strconv.Itoa(r.Rank) // -1 is no formula
			table = append(table, cells)
		}
		err := w.WriteAll(table)
		return b.Bytes(), err
	}
	if len(rows) == 0 {
		return []byte(c.say(msgNoAbnormal) + "\n"), nil
	}
	var table [][]string
	for _, r := range rows {
		table = append(table, []string{strconv.Itoa(r.Group), report.Plain(r.Name), r.Job, r.Phase, c.causeName(r.Cause), r.Confidence, place(r), clock(r.Since)})
	}
	_, terminal := c.terminal()
	heading := []string{"#", c.say(colName), "ID", c.say(colPhase), c.say(colCause), c.say(colConfidence), c.say(colPlace), c.say(colCreated)}
	err := writeTable(&b, terminal && s.Output == "", heading, table)
	return b.Bytes(), err
}

func (c *console) causeName(id string) string {
	if cause, ok := rules.CauseOf(id); ok {
		return cause.Name.In(c.lang)
	}
	return id
}

// place says where a failure began.
func place(r row) string {
	switch {
	case r.Rank >= 0:
		return "rank " + strconv.Itoa(r.Rank)
	case r.Task != "":
		return r.Task
	}
	return "-"
}
