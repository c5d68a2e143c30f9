package triage

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// journalSchema names the form of a journal.
const journalSchema = "hcloud-modelarts/triage-journal/v1"

// ErrOtherRun says that a journal was written by a run with other options, so
// that its rows cannot be mixed with new ones.
var ErrOtherRun = errors.New("it was written with other options or by another version")

// ErrBusy says that another run is writing the journal.
var ErrBusy = errors.New("another run is writing it")

// Journal keeps what came of each case while a run goes on, so that an
// interrupted run goes on where it stopped. It is a file with one line for each
// case; a line that was cut off by the interruption is dropped.
type Journal struct {
	file *os.File
	done map[string]entry
}

// entry is one line of a journal.
type entry struct {
	Stamp string `json:"stamp"` // of the case's files
	Block
}

type journalHead struct {
	Schema  string `json:"schema"`
	Options string `json:"options"`
}

// OpenJournal opens or makes a journal. options is a text that differs between
// runs whose rows may not be mixed.
func OpenJournal(name, options string) (*Journal, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	j := &Journal{file: f, done: map[string]entry{}}
	err = lock(f)
	if err == nil {
		err = j.load(options)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return j, nil
}

// load reads what is whole and cuts off the rest.
func (j *Journal) load(options string) error {
	r := bufio.NewReaderSize(j.file, 1<<20)
	whole := int64(0)
	for number := 0; ; number++ {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			break // a line without an end was being written
		} else if err != nil {
			return err
		}
		if number == 0 {
			var head journalHead
			if json.Unmarshal(line, &head) != nil || head != (journalHead{journalSchema, options}) {
				return ErrOtherRun
			}
		} else {
			var e entry
			if err := json.Unmarshal(line, &e); err != nil {
				break
			}
			j.done[e.ID] = e
		}
		whole += int64(len(line))
	}
	if err := j.file.Truncate(whole); err != nil {
		return err
	}
	if _, err := j.file.Seek(whole, io.SeekStart); err != nil {
		return err
	}
	if whole == 0 {
		return j.write(journalHead{journalSchema, options})
	}
	return nil
}

// Done gives what came of a case, unless its files have changed since.
func (j *Journal) Done(c *Case) (Block, bool) {
	e, ok := j.done[c.id()]
	return e.Block, ok && e.Stamp == c.stamp()
}

// Add keeps what came of a case. It is in the hands of the system when Add
// returns: a killed process does not lose it.
func (j *Journal) Add(c *Case, b Block) error { return j.write(entry{c.stamp(), b}) }

func (j *Journal) write(v any) error {
	line, err := encode(v)
	if err != nil {
		return err
	}
	_, err = j.file.Write(line)
	return err
}

// Close closes the journal; Remove removes it, too.
func (j *Journal) Close() error { return j.file.Close() }

// Remove closes and removes the journal of a run that is complete.
func (j *Journal) Remove() error {
	err := os.Remove(j.file.Name())
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(j.file.Close(), err)
}

// Interrupted reports whether an interrupted run left a journal.
func Interrupted(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Size() > 0 || err != nil && !errors.Is(err, fs.ErrNotExist)
}

// stamp tells whether the files of a case have changed.
func (c *Case) stamp() string {
	h := sha256.New()
	for _, f := range c.Files {
		fmt.Fprintf(h, "%q %d %d\n", f.Path, f.Size, f.ModTime.UnixNano())
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// encode writes a value as one line of JSON in which nothing acts on a
// terminal.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return escape(b.Bytes()), nil
}
