package source

import (
	"strings"

	"hcloud-modelarts/analyzer/source/stamp"
)

// table is the drawn table that is being read, if any.
type table struct {
	columns []string // of hcloud's table, in lower case; nil outside
	device  bool     // of npu-smi or nvidia-smi
}

// row reads a line of hcloud's table or tsv output: a platform event becomes
// an event line, any other row stays a line of an answer. It says whether the
// line is of a table.
func (d *reading) row(l *Line) bool {
	raw := l.Raw
	switch {
	case raw == "" || raw[0] != '|' && raw[0] != '+':
		d.table = table{}
		return strings.IndexByte(raw, '\t') >= 0 && d.eventRow(l, strings.Split(raw, "\t"), nil)
	case len(raw) > 1 && (raw[1] == '-' || raw[1] == '='):
		return d.border(l)
	case raw[0] == '|' && strings.HasSuffix(strings.TrimRight(raw, " "), "|"):
		return d.tableRow(l)
	}
	return false
}

func (d *reading) border(l *Line) bool {
	switch {
	case d.table.device:
		l.Kind = Device
		return false
	case d.doc.Kind == Answer || d.table.columns != nil:
		l.Kind = Answer
		return true
	}
	return false
}

// tableRow reads a row of a drawn table. A table is hcloud's when it comes
// before any other text, or when it has rows of events.
func (d *reading) tableRow(l *Line) bool {
	if isSMI(l.Raw) {
		d.table = table{device: true}
	}
	if d.table.device {
		l.Kind = Device
		return false
	}
	cells := strings.Split(strings.Trim(strings.TrimRight(l.Raw, " "), "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	if d.eventRow(l, cells, d.table.columns) {
		return true
	}
	if d.table.columns != nil {
		l.Kind = Answer
		d.messageRow(l, cells)
		return true
	}
	d.table.columns = lower(cells)
	if !headsAnswer(d.table.columns) && d.doc.Kind != Answer {
		d.table.columns = nil
		return false
	}
	l.Kind = Answer
	return true
}

// headsAnswer says whether the headings are those of fields of an answer.
func headsAnswer(columns []string) bool {
	var keys knownKeys
	for _, c := range columns {
		keys |= knownKey([]byte(c))
	}
	return keys.isAnswer() || keys.isPart() || keys&(keyTime|keyLevel|keyMessage) == keyTime|keyLevel|keyMessage
}

func lower(cells []string) []string {
	out := make([]string, len(cells))
	for i, c := range cells {
		out[i] = strings.ToLower(c)
	}
	return out
}

// isSMI says whether a row heads the output of npu-smi or nvidia-smi.
func isSMI(raw string) bool {
	return strings.Contains(raw, "NVIDIA-SMI ") || strings.Contains(raw, "npu-smi ")
}

// eventRow makes an event of a row that has a full time, a level as the
// service writes it, and a message; a column of the source (K8S, Job, Task)
// or the headings tell it from a program's own log.
func (d *reading) eventRow(l *Line, cells, columns []string) bool {
	if len(cells) < 3 {
		return false
	}
	var message, level string
	var st stamp.Time
	var stamped, sourced bool
	for i, c := range cells {
		c = strings.TrimSpace(c)
		switch {
		case !stamped && isStamp(c, &st):
			stamped = true
		case level == "" && eventLevels[c] != "":
			level = eventLevels[c]
		case eventSources[strings.ToLower(c)]:
			sourced = true
		case i < len(columns) && columns[i] == "message":
			message = c
		case len(c) > len(message):
			message = c
		}
	}
	if !stamped || level == "" || message == "" || !sourced && columns == nil && len(cells) != 3 {
		return false
	}
	if len(columns) > 0 && len(cells) > len(columns) {
		message = joinMessage(l.Raw, message)
	}
	d.setTime(l, st)
	l.Kind, l.Level, l.Text = Event, level, message
	if task := taskIn(message); task != "" {
		l.Task = task
	}
	if l.Doc.Job == "" {
		l.Doc.Job = strings.Clone(jobID(message))
	}
	return true
}

func isStamp(c string, st *stamp.Time) bool {
	got, n := stamp.Parse(c)
	if n == 0 || n != len(c) || !got.HasDate {
		return false
	}
	*st = got
	return true
}

// joinMessage gives the whole of a message that itself holds a bar.
func joinMessage(raw, part string) string {
	i := strings.Index(raw, part)
	rest := raw[i:]
	cells := strings.Split(rest, " | ")
	end := len(cells)
	for end > 1 && (eventSources[strings.ToLower(strings.Trim(cells[end-1], " |"))] || strings.Trim(cells[end-1], " |") == "") {
		end--
	}
	return strings.TrimSpace(strings.Join(cells[:end], " | "))
}

var eventLevels = map[string]string{
	"Info": "INFO", "Warning": "WARN", "Error": "ERROR", "Normal": "INFO",
	"info": "INFO", "warning": "WARN", "error": "ERROR",
}

var eventSources = map[string]bool{"job": true, "task": true, "k8s": true}

// messageRow reads a row with a column that holds a task's message.
func (d *reading) messageRow(l *Line, cells []string) {
	if len(cells) != len(d.table.columns) {
		return
	}
	for i, name := range d.table.columns {
		switch name {
		case "message", "info", "reason":
			if cells[i] != "" {
				l.Kind, l.Text = Message, cells[i]
			}
		case "task", "task_id", "task_name":
			l.Task = cells[i]
		}
	}
}
