package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

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
	if err := c.keepInputs(t.Output, t.Paths...); err != nil {
		return err
	}
	o, err := t.diagnosis(c, t.Rules)
	if err != nil {
		return err
	}
	// The limit of main is for one case: the names of many would fill it, and
	// the collector would hardly do anything but look through them.
	debug.SetMemoryLimit(math.MaxInt64)
	debug.SetGCPercent(100)
	cases, err := await(c, func() ([]triage.Case, error) { return t.cases(c) })
	if err != nil {
		return err
	}
	s := triageRun{
		console: c, cmd: t, cases: cases,
		options: triage.Options{Options: o, Workers: t.Jobs, Describe: c.describe},
	}
	if t.Jobs == 0 {
		s.options.Workers = runtime.GOMAXPROCS(0)
	}
	result, err := s.run()
	if err != nil {
		return err
	}
	t.finish(c, result.Counts)
	if t.streams() {
		return nil
	}
	if err := t.deliver(c, result.Rows()); err != nil {
		s.journal.Close()
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
			info, err := os.Stat(p)
			switch {
			case err != nil:
				places = append(places, source.Root{Name: p, FS: diskFS(filepath.Dir(p)), Path: filepath.Base(p)})
			case !info.IsDir() && !info.Mode().IsRegular():
				places = append(places, source.Root{Name: p, FS: special(p), Path: "."})
			default:
				places = append(places, rootOf(p, info))
			}
		}
	}
	return places, nil
}

// special is a pipe or device that a list names. To open one may wait for ever,
// and the other cases with it.
type special string

// Open says that it is not opened.
func (s special) Open(string) (fs.File, error) {
	return nil, &source.Error{Path: string(s), Code: "special"}
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
		if p = strings.TrimSuffix(p, "\r"); strings.TrimSpace(p) != "" {
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
	journal *triage.Journal // nil when each row goes to standard output at once
}

func (s *triageRun) run() (*triage.Result, error) {
	if err := s.openJournal(); err != nil {
		return nil, err
	}
	result := triage.NewResult(s.journal, len(s.cases))
	var todo []triage.Case
	var at []int
	for i := range s.cases {
		if s.journal != nil {
			if p, ok := s.journal.Done(&s.cases[i]); ok {
				if err := result.PutDone(i, p); err != nil {
					return nil, err
				}
				continue
			}
		}
		todo = append(todo, s.cases[i])
		at = append(at, i)
	}
	bar := s.progress(len(s.cases), len(s.cases)-len(todo))
	err := triage.Run(s.ctx, todo, s.options, func(i int, b triage.Block) error {
		bar.add(b)
		if s.journal == nil {
			result.Counts.Add(b.Count())
			return s.deliverFrom("", func(w io.Writer) error { return triage.NDJSON(w, triage.Of(b.Rows)) })
		}
		p, err := s.journal.Add(&todo[i], b)
		result.Put(at[i], p, b)
		return err
	})
	bar.end()
	if err != nil {
		return nil, s.stopped(err)
	}
	return result, nil
}

// journalOf is where the rows of a run are kept until its result is whole.
func journalOf(output string) string { return output + ".partial" }

// openJournal opens what keeps the rows: beside the result, so that a later run
// can go on with it, where the result is a file.
func (s *triageRun) openJournal() error {
	file := s.cmd.Output
	if s.cmd.streams() {
		return nil
	}
	if file == "" || file == "-" {
		s.journal = triage.Scratch()
		return nil
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return &wrapped{s.say(msgWriteFile, file), errIsFolder}
		}
		s.journal = triage.Scratch()
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

// stopped words why a run ended early, and what is kept of it.
func (s *triageRun) stopped(err error) error {
	interrupted := errors.Is(err, triage.ErrInterrupted)
	if s.journal != nil {
		s.journal.Close()
	}
	switch {
	case interrupted && s.journal != nil && s.journal.Kept():
		return &interruptedError{s.say(msgResumeHint, journalOf(s.cmd.Output))}
	case interrupted:
		return errInterrupted
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok && s.journal != nil {
		return &wrapped{s.say(msgWriteFile, pe.Path), pe.Err}
	}
	return err
}

// interruptedError is an interruption with what to do next.
type interruptedError struct{ text string }

func (e *interruptedError) Error() string        { return e.text }
func (e *interruptedError) Is(target error) bool { return target == errInterrupted }

// deliver renders rows and writes them.
func (l *listing) deliver(c *console, rows triage.Rows) error {
	return c.deliverFrom(l.Output, func(w io.Writer) error {
		switch l.Format {
		case "json":
			return triage.JSON(w, rows)
		case "ndjson":
			return triage.NDJSON(w, rows)
		case "csv":
			return triage.CSV(w, rows)
		case "html":
			return triage.HTML(w, rows, c.lang)
		case "junit":
			return triage.JUnit(w, rows, c.lang)
		case "markdown":
			return triage.Markdown(w, rows, c.lang)
		}
		return l.table(c, w, rows)
	})
}

func (l *listing) table(c *console, w io.Writer, rows triage.Rows) error {
	lines, groups, all, err := triage.Overview(rows, c.lang)
	if err != nil {
		return err
	}
	_, terminal := c.terminal()
	terminal = terminal && l.Output == ""
	for _, line := range lines {
		fmt.Fprintln(w, line)
	}
	for _, t := range []triage.Table{groups, all} {
		fmt.Fprintln(w)
		if err := writeTable(w, terminal, t.Heading, t.Rows); err != nil {
			return fmt.Errorf("writing table: %w", err)
		}
	}
	return nil
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
	if err := c.keepInputs(m.Output, m.Results...); err != nil {
		return err
	}
	journal := triage.Scratch()
	defer journal.Close()
	merger := triage.NewMerger(journal)
	for _, file := range m.Results {
		err := c.open(file, merger.Add)
		if conflict, ok := errors.AsType[*triage.ConflictError](err); ok {
			return errors.New(c.say(msgConflict, conflict.Case))
		}
		if err != nil {
			return err
		}
	}
	result, err := merger.Result()
	if err != nil {
		return err
	}
	m.finish(c, result.Counts)
	return m.deliver(c, result.Rows())
}

// open hands on a result of --format ndjson that the user named, "-" for
// standard input.
func (c *console) open(file string, read func(io.Reader) error) error {
	in := c.stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return inputError(file, err)
		}
		defer f.Close()
		in = f
	}
	err := read(in)
	if _, ok := errors.AsType[*triage.ConflictError](err); err == nil || ok {
		return err
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return inputError(file, pe)
	}
	return &wrapped{c.say(msgNotRows, file), err}
}

// savedRows reads a result of --format ndjson.
func (c *console) savedRows(file string) (rows []triage.Row, err error) {
	err = c.open(file, func(r io.Reader) (err error) {
		rows, err = triage.Read(r)
		return err
	})
	return rows, err
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
