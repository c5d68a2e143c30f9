package triage

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"hcloud-modelarts/analyzer/report"
)

// journalSchema names the form of a journal.
const journalSchema = "hcloud-modelarts/triage-journal/v1"

// ErrOtherRun says that a journal was written by a run with other options, so
// that its rows cannot be mixed with new ones.
var ErrOtherRun = errors.New("it was written with other options or by another version")

// ErrBusy says that another run is writing the journal.
var ErrBusy = errors.New("another run is writing it")

// Journal keeps what came of each case while a run goes on, so that memory does
// not grow with it and an interrupted run goes on where it stopped. It is a file
// with one line for each case; a line that was cut off by the interruption is
// dropped.
type Journal struct {
	store store
	kept  bool              // for a later run
	size  int64             // of what is whole in it
	done  map[string]marker // what an earlier run left, by the id of the case
}

// store is where the lines of a journal stand.
type store interface {
	io.Writer // at the end
	io.ReaderAt
	io.Closer
}

// place is where a line stands in a journal.
type place struct {
	at   int64
	size int
}

// marker is what is known of a line of an earlier run without reading it again.
type marker struct {
	stamp string
	place place
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
	j := &Journal{store: f, kept: true, done: map[string]marker{}}
	err = lock(f)
	if err == nil {
		err = j.load(f, options)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return j, nil
}

// Scratch gives a journal with which no other run goes on. It stands in a file
// that is gone with the process, and in memory where no such file can be made.
func Scratch() *Journal {
	f, err := os.CreateTemp("", "hcloud-modelarts-triage-*")
	if err != nil {
		return &Journal{store: &memory{}}
	}
	os.Remove(f.Name()) // an open file can be removed, but not on every system: Remove tries again
	return &Journal{store: f}
}

// load notes what is whole and cuts off the rest.
func (j *Journal) load(f *os.File, options string) error {
	r := bufio.NewReaderSize(f, 1<<20)
	for number := 0; ; number++ {
		line, err := r.ReadBytes('\n')
		if err == io.EOF && number == 0 && !begins(line) {
			return ErrOtherRun
		} else if err == io.EOF {
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
			j.done[e.ID] = marker{e.Stamp, place{j.size, len(line)}}
		}
		j.size += int64(len(line))
	}
	if err := f.Truncate(j.size); err != nil {
		return err
	}
	if _, err := f.Seek(j.size, io.SeekStart); err != nil {
		return err
	}
	if j.size == 0 {
		_, err := j.write(journalHead{journalSchema, options})
		return err
	}
	return nil
}

// begins reports whether a line without an end may be the beginning of a journal.
func begins(line []byte) bool {
	head, err := encode(journalHead{Schema: journalSchema})
	n := min(len(line), len(head)-len("\"}\n"))
	return err == nil && bytes.Equal(line[:n], head[:n])
}

// Done says where an earlier run left what came of a case, unless the case's
// files have changed since.
func (j *Journal) Done(c *Case) (place, bool) {
	m, ok := j.done[c.ID]
	return m.place, ok && m.stamp == c.Stamp
}

// Add keeps what came of a case. It is in the hands of the system when Add
// returns: a killed process does not lose it.
func (j *Journal) Add(c *Case, b Block) (place, error) { return j.write(entry{c.Stamp, b}) }

func (j *Journal) write(v any) (place, error) {
	line, err := encode(v)
	if err != nil {
		return place{}, err
	}
	p := place{j.size, len(line)}
	n, err := j.store.Write(line)
	j.size += int64(n)
	return p, err
}

// block reads what came of a case.
func (j *Journal) block(p place) (Block, error) {
	line := make([]byte, p.size)
	if _, err := j.store.ReadAt(line, p.at); err != nil && err != io.EOF {
		return Block{}, fmt.Errorf("reading rows: %w", err)
	}
	var e entry
	if err := json.Unmarshal(line, &e); err != nil {
		return Block{}, fmt.Errorf("reading rows: %w", err)
	}
	return e.Block, nil
}

// Kept reports whether a later run can go on with the journal.
func (j *Journal) Kept() bool { return j.kept }

// Close closes the journal and removes it when no later run can go on with it.
func (j *Journal) Close() error {
	if !j.kept {
		return j.Remove()
	}
	return j.store.Close()
}

// Remove closes and removes the journal of a run that is complete.
func (j *Journal) Remove() error {
	f, ok := j.store.(*os.File)
	if !ok {
		return j.store.Close()
	}
	err := os.Remove(f.Name())
	closed := f.Close()
	if errors.Is(err, fs.ErrNotExist) {
		return closed
	}
	if err != nil { // some systems remove no open file
		err = os.Remove(f.Name())
	}
	return errors.Join(err, closed)
}

// Interrupted reports whether an interrupted run left a journal.
func Interrupted(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Size() > 0 || err != nil && !errors.Is(err, fs.ErrNotExist)
}

// memory is a store where no file can be made.
type memory struct{ data []byte }

// Write keeps some more.
func (m *memory) Write(b []byte) (int, error) {
	m.data = append(m.data, b...)
	return len(b), nil
}

// ReadAt reads what was kept.
func (m *memory) ReadAt(b []byte, at int64) (int, error) {
	return bytes.NewReader(m.data).ReadAt(b, at)
}

// Close lets go of what was kept.
func (m *memory) Close() error {
	m.data = nil
	return nil
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
	return report.EscapeJSON(b.Bytes()), nil
}
