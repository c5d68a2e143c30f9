package main

import (
	"bytes"
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
	debug.SetMemoryLimit(limitBeside(heapInUse()))
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

// heapInUse gives the bytes that are in use, without what the collector can free.
func heapInUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Bounds on memory while many cases are diagnosed.
const (
	limitOfCases = 40 << 20
	roomForCases = 24 << 20
)

// limitBeside is the limit on memory beside what the names of all cases take, with
// room enough for diagnoses where those are many.
func limitBeside(names int64) int64 { return max(limitOfCases, names+roomForCases) }

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
