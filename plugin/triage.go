package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/plugin/triage"
)

// listing is how the rows of many cases are written, and where to.
type listing struct {
	Format   string `enum:"table,json,ndjson,csv,html,junit,markdown" default:"table" placeholder:"table|json|ndjson|csv|html|junit|markdown" help:"${triage_format}"`
	Output   string `short:"o" placeholder:"FILE" help:"${output}"`
	ExitCode bool   `help:"${triage_exit_code}"`
}

type triageCmd struct {
	Paths []string `arg:"" name:"path" help:"${triage_path}"`

	listing
	Resume bool   `help:"${triage_resume}"`
	Shard  shard  `placeholder:"I/N" help:"${triage_shard}"`
	Jobs   int    `short:"j" placeholder:"N" help:"${triage_jobs}"`
	Rules  string `placeholder:"DIR" help:"${rules_dir}"`
	bounds
}

// Run diagnoses every case below the paths and delivers what came of them.
func (t *triageCmd) Run(c *console) error {
	if t.Jobs < 0 {
		return &usageError{c.say(msgNegativeJobs)}
	}
	if t.Resume && (t.Output == "" || t.Output == "-") {
		return &usageError{c.say(msgResumeNeedsFile)}
	}
	limits, err := t.limits(c)
	if err != nil {
		return err
	}
	pack, err := c.userPack(t.Rules)
	if err != nil {
		return err
	}
	// The limit of main is for one case. Rows stay until the end, and under it
	// the collector would hardly do anything but look through them.
	debug.SetMemoryLimit(math.MaxInt64)
	debug.SetGCPercent(100)
	cases, err := await(c, func() ([]triage.Case, error) { return t.cases(c) })
	if err != nil {
		return err
	}
	s := triageRun{
		console: c, cmd: t, cases: cases,
		options: triage.Options{
			Options: analyzer.Options{Lang: c.lang, Pack: pack, Limits: limits},
			Workers: t.Jobs, Describe: c.describe,
		},
	}
	if t.Jobs == 0 {
		s.options.Workers = runtime.GOMAXPROCS(0)
	}
	held, err := s.run()
	if err != nil {
		return err
	}
	t.finish(c, held.Counts())
	if t.streams() {
		return nil
	}
	if err := t.deliverHeld(c, held); err != nil {
		return err
	}
	return s.discardJournal()
}

// cases finds the cases of this shard.
func (t *triageCmd) cases(c *console) ([]triage.Case, error) {
	places, err := c.places(t.Paths)
	if err != nil {
		return nil, err
	}
	cases := triage.Find(places)
	if len(cases) == 0 && !slices.Contains(t.Paths, "-") { // an empty list is a list
		return nil, &source.Error{Path: strings.Join(t.Paths, " "), Code: "nothing"}
	}
	if t.Shard.of > 0 {
		cases = triage.Shard(cases, t.Shard.index, t.Shard.of)
	}
	return cases, nil
}

// places opens what the user named. What is typed must exist, as a typing error
// would otherwise go unseen; of a list, a path that is gone is one bad case.
func (c *console) places(args []string) ([]source.Root, error) {
	var places []source.Root
	for _, a := range args {
		if a != "-" {
			info, err := os.Stat(a)
			if err != nil {
				return nil, inputError(a, err)
			}
			places = append(places, rootOf(a, info))
			continue
		}
		listed, err := c.listed()
		if err != nil {
			return nil, err
		}
		for _, p := range listed {
			if info, err := os.Stat(p); err == nil {
				places = append(places, rootOf(p, info))
			} else {
				places = append(places, source.Root{Name: p, FS: os.DirFS(filepath.Dir(p)), Path: filepath.Base(p)})
			}
		}
	}
	return places, nil
}

// listed reads the paths that standard input lists, one a line or each ended by
// NUL.
func (c *console) listed() ([]string, error) {
	data, err := c.readFile("-")
	if err != nil {
		return nil, err
	}
	sep := "\n"
	if bytes.IndexByte(data, 0) >= 0 {
		sep = "\x00"
	}
	var paths []string
	for p := range strings.SplitSeq(string(data), sep) {
		if p = strings.TrimSuffix(p, "\r"); p != "" {
			paths = append(paths, p)
		}
	}
	return paths, nil
}

// streams reports whether rows are written as soon as they are there.
func (t *triageCmd) streams() bool {
	return t.Format == "ndjson" && (t.Output == "" || t.Output == "-")
}

// triageRun is one run over many cases.
type triageRun struct {
	*console
	cmd     *triageCmd
	cases   []triage.Case
	options triage.Options
	journal *triage.Journal // nil when the result goes to standard output
}

func (s *triageRun) run() (*triage.Held, error) {
	if err := s.openJournal(); err != nil {
		return nil, err
	}
	held := triage.NewHeld(len(s.cases))
	var todo []triage.Case
	var at []int
	for i := range s.cases {
		if s.journal != nil {
			if b, ok := s.journal.Done(&s.cases[i]); ok {
				if err := held.Put(i, b); err != nil {
					return nil, err
				}
				continue
			}
		}
		todo = append(todo, s.cases[i])
		at = append(at, i)
	}
	p := s.progress(len(s.cases), len(s.cases)-len(todo))
	err := triage.Run(s.ctx, todo, s.options, func(i int, b triage.Block) error {
		p.add(b)
		if s.cmd.streams() {
			held.Count(b)
		} else if err := held.Put(at[i], b); err != nil {
			return err
		}
		return s.keep(&todo[i], b)
	})
	p.end()
	if err != nil {
		return nil, s.stopped(err)
	}
	return held, nil
}

// journalOf is where the rows of a run are kept until its result is whole.
func journalOf(output string) string { return output + ".partial" }

func (s *triageRun) openJournal() error {
	file := s.cmd.Output
	if file == "" || file == "-" {
		return nil
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return &wrapped{s.say(msgWriteFile, file), errIsFolder}
		}
		return nil
	}
	name := journalOf(file)
	if !s.cmd.Resume && triage.Interrupted(name) {
		return &usageError{s.say(msgInterruptedBefore, name)}
	}
	j, err := triage.OpenJournal(name, s.identity())
	if errors.Is(err, triage.ErrBusy) {
		return errors.New(s.say(msgBusy, name))
	}
	if errors.Is(err, triage.ErrOtherRun) {
		return &usageError{s.say(msgOtherRun, name)}
	}
	if err != nil {
		return &wrapped{s.say(msgWriteFile, name), plainError(err)}
	}
	s.journal = j
	return nil
}

// discardJournal removes the journal of a run whose result is written.
func (s *triageRun) discardJournal() error {
	if s.journal == nil {
		return nil
	}
	if err := s.journal.Remove(); err != nil {
		return &wrapped{s.say(msgWriteFile, journalOf(s.cmd.Output)), plainError(err)}
	}
	return nil
}

// identity is what rows depend on beside the cases.
func (s *triageRun) identity() string {
	l := s.options.Limits
	return fmt.Sprintf("%s %s %s %d %d %d %d", versionText(), s.lang, packIdentity(s.options.Pack), l.Bytes, l.Entries, l.Depth, l.Line)
}

func packIdentity(p *rules.Pack) string {
	if p == nil {
		return "default"
	}
	var b strings.Builder
	for _, r := range p.Rules {
		b.WriteString(r.ID + " ")
	}
	return strconv.Quote(b.String())
}

// keep writes a block where it is safe, or where somebody waits for it.
func (s *triageRun) keep(c *triage.Case, b triage.Block) error {
	switch {
	case s.journal != nil:
		return s.journal.Add(c, b)
	case s.cmd.streams():
		line, err := triage.NDJSON(b.Rows)
		if err != nil {
			return err
		}
		return s.deliver("", line)
	}
	return nil
}

// stopped words why a run ended early, and what is kept of it.
func (s *triageRun) stopped(err error) error {
	if s.journal == nil {
		if errors.Is(err, triage.ErrInterrupted) {
			return errInterrupted
		}
		return err
	}
	s.journal.Close()
	if errors.Is(err, triage.ErrInterrupted) {
		return &interruptedError{s.say(msgResumeHint, journalOf(s.cmd.Output))}
	}
	return &wrapped{s.say(msgWriteFile, journalOf(s.cmd.Output)), plainError(err)}
}

// interruptedError is an interruption with what to do next.
type interruptedError struct{ text string }

func (e *interruptedError) Error() string        { return e.text }
func (e *interruptedError) Is(target error) bool { return target == errInterrupted }

// deliver renders rows and writes them.
func (l *listing) deliver(c *console, rows []triage.Row) error {
	out, err := l.render(c, rows)
	if err != nil {
		return err
	}
	return c.deliver(l.Output, out)
}

func (l *listing) deliverHeld(c *console, held *triage.Held) error {
	if l.Format == "ndjson" {
		return c.deliver(l.Output, held.NDJSON())
	}
	rows, err := held.Rows()
	if err != nil {
		return err
	}
	return l.deliver(c, rows)
}

func (l *listing) render(c *console, rows []triage.Row) ([]byte, error) {
	switch l.Format {
	case "json":
		return triage.JSON(rows)
	case "ndjson":
		return triage.NDJSON(rows)
	case "csv":
		return triage.CSV(rows)
	case "html":
		return triage.HTML(rows, c.lang)
	case "junit":
		return triage.JUnit(rows, c.lang)
	case "markdown":
		return triage.Markdown(rows, c.lang), nil
	}
	return l.table(c, rows)
}

func (l *listing) table(c *console, rows []triage.Row) ([]byte, error) {
	lines, groups, all := triage.Overview(rows, c.lang)
	_, terminal := c.terminal()
	terminal = terminal && l.Output == ""
	var b bytes.Buffer
	for _, line := range lines {
		b.WriteString(line + "\n")
	}
	for _, t := range []triage.Table{groups, all} {
		b.WriteString("\n")
		if err := writeTable(&b, terminal, t.Heading, t.Rows); err != nil {
			return nil, fmt.Errorf("writing table: %w", err)
		}
	}
	return b.Bytes(), nil
}

// finish sets the exit code that --exit-code asks for.
func (l *listing) finish(c *console, counts triage.Counts) {
	if !l.ExitCode {
		return
	}
	switch {
	case counts.Failed > 0:
		c.code = exitFault
	case counts.Undecided+counts.Unreadable > 0:
		c.code = exitInsufficient
	}
}

type mergeCmd struct {
	Results []string `arg:"" name:"result" help:"${merge_result}"`

	listing
}

// Run puts the results of several runs together.
func (m *mergeCmd) Run(c *console) error {
	var results [][]triage.Row
	for _, file := range m.Results {
		rows, err := c.savedRows(file)
		if err != nil {
			return err
		}
		results = append(results, rows)
	}
	rows, err := triage.Merge(results)
	if conflict, ok := errors.AsType[*triage.ConflictError](err); ok {
		return errors.New(c.say(msgConflict, conflict.Case))
	}
	if err != nil {
		return err
	}
	m.finish(c, triage.Count(rows))
	return m.deliver(c, rows)
}

// savedRows reads a result of --format ndjson.
func (c *console) savedRows(file string) ([]triage.Row, error) {
	data, err := c.readFile(file)
	if err != nil {
		return nil, err
	}
	rows, err := triage.Read(bytes.NewReader(data))
	if err != nil {
		return nil, &wrapped{c.say(msgNotRows, file), err}
	}
	return rows, nil
}

// shard is one of several equal parts of the cases: 3/8.
type shard struct{ index, of int }

// UnmarshalText reads a shard.
func (s *shard) UnmarshalText(b []byte) error {
	i, n, ok := strings.Cut(string(b), "/")
	index, err1 := strconv.Atoi(i)
	of, err2 := strconv.Atoi(n)
	if !ok || err1 != nil || err2 != nil || index < 1 || index > of || of > 1<<20 {
		return fmt.Errorf("expected a part such as 3/8 but got %q", b)
	}
	*s = shard{index, of}
	return nil
}
