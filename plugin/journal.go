package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/plugin/operations"
)

// journalFile holds one JSON object a line, two for each write: before it is
// sent, and when its outcome is known. A write that has only the first was cut
// off, and its outcome is unknown.
const journalFile = "journal.jsonl"

// entry is one line of the journal.
type entry struct {
	Time       time.Time `json:"time"`
	ID         string    `json:"id"` // of the write: the same in both lines
	State      string    `json:"state"`
	User       string    `json:"user"`
	Profile    string    `json:"profile,omitempty"`
	Region     string    `json:"region,omitempty"`
	Operation  string    `json:"operation"`
	Subject    string    `json:"subject,omitempty"`
	Parameters []string  `json:"parameters"`        // secrets are masked
	Created    string    `json:"created,omitempty"` // the id of what was made
	Code       string    `json:"code,omitempty"`

	s    *caller
	file string
}

// journal notes that a write is about to be sent. What hinders the journal does
// not hinder the write, but it is told.
func (s *caller) journal(req *operations.Request, sub subject) *entry {
	dir, _ := s.opts.dir(s.console)
	now := s.now().UTC()
	e := &entry{
		Time: now, ID: now.Format("20060102T150405.000000000Z"), State: "sent",
		User: account(s.env), Profile: s.opts.Profile, Region: s.regionInUse(),
		Operation: req.Operation.Name, Subject: report.Mask(sub.text()), Parameters: journalled(req),
		s: s, file: filepath.Join(dir, journalFile),
	}
	if dir == "" {
		e.file = ""
	}
	e.write()
	return e
}

// close notes the outcome, and what was made.
func (e *entry) close(req *operations.Request, answer any, err error) {
	e.Time, e.State = e.s.now().UTC(), "done"
	if created := req.Operation.Created; created != "" && err == nil {
		e.Created, _ = operations.Search(created, answer).(string)
	}
	if err != nil {
		e.State = "failed"
		if call, ok := errors.AsType[*callError](err); ok {
			e.Code = call.a.Code
			if call.a.Unknown {
				e.State = "unknown"
			}
		}
	}
	e.write()
}

func (e *entry) write() {
	if e.file == "" {
		e.s.notice(e.s.say(msgNoJournal))
		return
	}
	if err := e.append(); err != nil {
		e.s.notice(e.s.say(msgJournal, e.file) + e.s.colon() + e.s.system(plainError(err)))
		e.file = ""
	}
}

func (e *entry) append() error {
	if err := os.MkdirAll(filepath.Dir(e.file), 0o700); err != nil {
		return err
	}
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(e.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.Write(append(line, '\n')); err != nil {
		f.Close()
		return err
	}
	if err := f.Sync(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// values are parameters whose value is the user's own and may be secret,
// whatever its form; those of the environment are hidden with the body's secrets.
var values = lazy.Regexp(`parameters\.\d+\.value`)

func journalled(req *operations.Request) []string {
	shown := *req
	shown.Body = req.Shown(report.Mask)
	flags, _ := shown.Flags()
	for i, f := range flags {
		name, _, _ := strings.Cut(f, "=")
		if values().MatchString(name) {
			flags[i] = name + "=***"
			continue
		}
		flags[i] = report.Mask(f)
	}
	return flags
}

// account names who runs the program, "" when nothing tells.
func account(env map[string]string) string {
	for _, name := range []string{"USER", "LOGNAME", "USERNAME"} {
		if env[name] != "" {
			return env[name]
		}
	}
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}
