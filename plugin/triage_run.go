package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/plugin/triage"
)

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
		return nil, s.endedEarly(err)
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
	} else if err == nil {
		if err := writable(file); err != nil { // better now than after all cases
			return &wrapped{s.say(msgWriteFile, file), plainError(err)}
		}
	}
	name := journalOf(file)
	if !s.cmd.Resume && triage.Interrupted(name) {
		return &usageError{s.say(msgInterruptedBefore, name)}
	}
	identity, err := s.identity()
	if err != nil {
		return err
	}
	j, err := triage.OpenJournal(name, identity)
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
func (s *triageRun) identity() (string, error) {
	l := s.options.Limits
	pack, err := packIdentity(s.options.Pack)
	return fmt.Sprintf("%s %s %s %d %d %d %d", versionText(), s.lang, pack, l.Bytes, l.Entries, l.Depth, l.Line), err
}

// packIdentity tells packs apart by all that their rules say.
func packIdentity(p *rules.Pack) (string, error) {
	if p == nil {
		return "default", nil
	}
	sum := sha256.New()
	for _, r := range p.Rules {
		texts, err := r.Detail()
		if err != nil {
			return "", err
		}
		if err := errors.Join(json.NewEncoder(sum).Encode(r), json.NewEncoder(sum).Encode(texts)); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// endedEarly words why a run ended early, and what is kept of it.
func (s *triageRun) endedEarly(err error) error {
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
