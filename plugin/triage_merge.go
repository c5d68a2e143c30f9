package main

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"hcloud-modelarts/plugin/triage"
)

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
	err := read(decoded(in))
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
