package source

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/source/charset"
)

// journal reads the export format of journald (systemd.io/JOURNAL_EXPORT_FORMATS):
// fields line by line, a blank line after each entry, and fields that hold a
// line end with their length before them.
type journal struct {
	entry record
	at    physical // line of the message
	name  string   // of a field with a length, while it is collected
	data  []byte
}

// The first field of an entry, and that of its time.
const (
	journalStart = "__CURSOR="
	journalTime  = "__REALTIME_TIMESTAMP="
)

func isJournal(head []byte) bool {
	return bytes.HasPrefix(head, []byte(journalStart)) && bytes.Contains(head, []byte("\n"+journalTime))
}

// line takes one stored line.
func (j *journal) line(d *reading, p physical) {
	if j.name != "" {
		j.collect(d, p)
		return
	}
	if len(p.stored) == 0 || bytes.HasPrefix(p.stored, []byte(journalStart)) {
		j.end(d)
		return
	}
	name, value, ok := bytes.Cut(p.stored, []byte("="))
	if !ok {
		j.name, j.data = string(p.stored), nil
		if j.name == "MESSAGE" {
			j.at = p.clone()
		}
		return
	}
	j.set(string(name), value, p)
}

func (j *journal) set(name string, value []byte, p physical) {
	switch name {
	case "MESSAGE":
		j.at = p.clone()
		j.entry.text, j.entry.found = string(bytes.ToValidUTF8(value, []byte("\uFFFD"))), true
	case "__REALTIME_TIMESTAMP":
		j.entry.setTime(value)
	case "_HOSTNAME":
		j.entry.host = string(value)
	case "_PID":
		j.entry.pid = leadingNumber(string(value))
	case "SYSLOG_IDENTIFIER":
		j.entry.program = string(value)
	case "_TRANSPORT":
		j.entry.kernel = string(value) == "kernel"
	case "PRIORITY":
		if n := leadingNumber(string(value)); n < len(severities) {
			j.entry.level = severities[n]
		}
	}
}

// collect adds a line to a field with a length, which is 64 bits, lowest byte
// first, and may itself hold a line end.
func (j *journal) collect(d *reading, p physical) {
	j.data = append(append(j.data, p.stored...), '\n')
	if len(j.data) < 8 {
		return
	}
	size := binary.LittleEndian.Uint64(j.data)
	if size > uint64(d.s.lim.Line) {
		d.s.note(d.doc.Name, "bound-line", strconv.Itoa(p.number), strconv.Itoa(d.s.lim.Line))
		size = uint64(len(j.data) - 9)
	}
	if uint64(len(j.data)-8) <= size {
		return
	}
	if j.name == "MESSAGE" {
		j.entry.text, j.entry.found = string(bytes.ToValidUTF8(j.data[8:8+size], []byte("\uFFFD"))), true
	}
	j.name = ""
}

// end hands on an entry.
func (j *journal) end(d *reading) {
	if j.entry.found {
		d.record = &j.entry
		for line := range strings.SplitSeq(strings.TrimRight(j.entry.text, "\r\n"), "\n") {
			for segment := range segments(line) {
				d.raw(charset.CleanText(segment), j.at.stored, j.at.offset, j.at.number)
			}
		}
		d.record = nil
	}
	j.entry = record{}
}
