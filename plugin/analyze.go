package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/plugin/triage"
)

type analyzeCmd struct {
	Paths []string `arg:"" name:"path" help:"${analyze_path}"`

	reporting
	bounds
}

// bounds are what reading may cost; 0 means the default.
type bounds struct {
	MaxBytes   size `placeholder:"SIZE" help:"${max_bytes}"`
	MaxEntries int  `placeholder:"N" help:"${max_entries}"`
	MaxDepth   int  `placeholder:"N" help:"${max_depth}"`
	MaxLine    size `placeholder:"SIZE" help:"${max_line}"`
}

// Run reads the paths, diagnoses and delivers the reports.
func (a *analyzeCmd) Run(c *console) error {
	options, err := a.options(c)
	if err != nil {
		return err
	}
	if err := c.keepInputs(a.Output, a.Paths...); err != nil {
		return err
	}
	if options.Limits, err = a.limits(c); err != nil {
		return err
	}
	roots, err := c.roots(a.Paths)
	if err != nil {
		return err
	}
	reports, err := c.diagnose(roots, options)
	if err != nil {
		return err
	}
	return a.give(c, reports)
}

// diagnosis gives the options of a diagnosis within the bounds, by the shipped
// rules and those of a folder, "" for none.
func (b *bounds) diagnosis(c *console, rules string) (analyzer.Options, error) {
	limits, err := b.limits(c)
	if err != nil {
		return analyzer.Options{}, err
	}
	pack, err := c.userPack(rules)
	return analyzer.Options{Lang: c.lang, Pack: pack, Limits: limits}, err
}

// inputs is diagnosis with what the user named opened.
func (b *bounds) inputs(c *console, paths []string, rules string) ([]source.Root, analyzer.Options, error) {
	o, err := b.diagnosis(c, rules)
	if err != nil {
		return nil, o, err
	}
	roots, err := c.roots(paths)
	return roots, o, err
}

func (b *bounds) limits(c *console) (source.Limits, error) {
	if b.MaxEntries < 0 || b.MaxDepth < 0 {
		return source.Limits{}, &usageError{c.say(msgNegative)}
	}
	return source.Limits{Bytes: int64(b.MaxBytes), Entries: b.MaxEntries, Depth: b.MaxDepth, Line: int(b.MaxLine)}, nil
}

// roots opens what the user named. Every path must exist: a typing error among
// several paths would otherwise go unseen. What is named twice, in whatever
// spelling, is read once.
func (c *console) roots(paths []string) ([]source.Root, error) {
	var roots []source.Root
	var seen []fs.FileInfo
	for _, p := range paths {
		if p == "" {
			return nil, &usageError{c.say(msgNoPath)}
		}
		if p == "-" {
			if !slices.ContainsFunc(roots, func(r source.Root) bool { return r.Reader != nil }) {
				roots = append(roots, source.Root{Name: "stdin", Reader: c.stdin})
			}
			continue
		}
		info, err := os.Stat(p)
		if err != nil {
			return nil, inputError(p, err)
		}
		if slices.ContainsFunc(seen, func(other fs.FileInfo) bool { return os.SameFile(info, other) }) {
			continue
		}
		seen = append(seen, info)
		roots = append(roots, caseRoot(p, info))
	}
	return roots, nil
}

// caseRoot opens a case. Of a folder that is laid out as the cases that ship with
// the product it opens the input.
func caseRoot(p string, info fs.FileInfo) source.Root {
	root := rootOf(p, info)
	if !info.IsDir() {
		return root
	}
	entries, err := os.ReadDir(p)
	if err != nil {
		return root // whoever reads it tells why
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	input := triage.InputOf(names)
	if input == "" {
		return root
	}
	p = filepath.Join(p, input)
	if info, err = os.Stat(p); err != nil {
		return root
	}
	return rootOf(p, info)
}

func rootOf(p string, info fs.FileInfo) source.Root {
	if info.IsDir() {
		return source.Root{Name: p, FS: diskFS(p), Path: "."}
	}
	dir, file := filepath.Split(p)
	if dir == "" {
		dir = "."
	}
	return source.Root{Name: p, FS: namedFS{diskFS(dir)}, Path: file}
}

func inputError(p string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &source.Error{Path: p, Code: "missing", Err: fs.ErrNotExist}
	}
	return &source.Error{Path: p, Code: "unreadable", Err: plainError(err)}
}

// userPack gives the shipped rules with those of a folder added, nil for the
// shipped ones alone.
func (c *console) userPack(dir string) (*rules.Pack, error) {
	if dir == "" {
		return nil, nil
	}
	own, err := c.folderPack(dir)
	if err != nil {
		return nil, err
	}
	return rules.Default().With(own), nil
}

// folderPack reads the rules of a folder.
func (c *console) folderPack(dir string) (*rules.Pack, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, &usageError{c.say(msgRulesDir, dir)}
	}
	own, err := rules.Load(namedFS{diskFS(dir)})
	if err != nil {
		return nil, &wrapped{c.say(msgBadRules, dir), err}
	}
	if len(own.Rules) == 0 {
		return nil, &usageError{c.say(msgNoRules, dir)}
	}
	return own, nil
}

func (c *console) diagnose(roots []source.Root, o analyzer.Options) ([]report.Report, error) {
	return await(c, func() ([]report.Report, error) { return analyzer.Diagnose(roots, o) })
}

// await waits for a result or for a signal, whichever is first; a reader that
// blocks cannot be asked to stop.
func await[T any](c *console, work func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := work()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-c.ctx.Done():
		var none T
		return none, errInterrupted
	}
}

// exitCode is that of the worst report.
func exitCode(reports []report.Report) int {
	code := exitOK
	for i := range reports {
		switch {
		case reports[i].NamesCause():
			return exitFault
		case reports[i].Undecided():
			code = exitInsufficient
		}
	}
	return code
}

// size is a number of bytes, written plainly or with a unit: 500000, 64K, 2GiB.
type size int64

var units = map[string]int64{"": 1, "B": 1, "K": 1 << 10, "KB": 1 << 10, "KIB": 1 << 10, "M": 1 << 20, "MB": 1 << 20, "MIB": 1 << 20, "G": 1 << 30, "GB": 1 << 30, "GIB": 1 << 30}

// UnmarshalText reads a size.
func (s *size) UnmarshalText(b []byte) error {
	text := strings.ToUpper(strings.TrimSpace(string(b)))
	number := strings.TrimRight(text, "BIKMG")
	unit, ok := units[strings.TrimPrefix(text, number)]
	n, err := strconv.ParseInt(strings.TrimSpace(number), 10, 64)
	if !ok || err != nil || n < 0 || n > math.MaxInt64/unit {
		return fmt.Errorf("expected bytes, or a number with K, M or G, but got %q", b)
	}
	*s = size(n * unit)
	return nil
}
