package source

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"strings"

	"hcloud-modelarts/analyzer/source/charset"
)

// export reads CSV that a log service's console saved: a heading names the
// columns, and one of them holds the lines of the log.
type export struct {
	columns map[string]int // by what they hold
	open    []physical     // the lines of the record being read
	size    int            // bytes of them
	quotes  int
	rows    []*row
	held    int           // bytes of rows
	reader  *bufio.Reader // of every record: a new one for each takes the most of the time
}

// row is one record: its text begins on the line at start.
type row struct {
	record
	lines []physical
	start int
}

// mostRows bounds the bytes of rows that are held to put them in order; one takes
// some, however short it is.
const (
	mostRows = 16 << 20
	rowCost  = 512
)

// exportColumns are the headings of columns, by what they hold.
var exportColumns = map[string]string{
	"content": "text", "message": "text", "log": "text", "line": "text", "日志内容": "text", "内容": "text",
	"time": "time", "timestamp": "time", "@timestamp": "time", "collecttime": "time", "__time__": "time", "_time_": "time", "时间": "time", "日志时间": "time", "采集时间": "time",
	"pod": "pod", "podname": "pod", "pod_name": "pod", "kubernetes.pod.name": "pod", "kubernetes.pod_name": "pod", "实例名称": "pod",
	"container": "container", "containername": "container", "container_name": "container", "kubernetes.container.name": "container",
	"host": "host", "hostname": "host", "hostip": "host", "node": "host", "nodename": "host", "kubernetes.node.name": "host", "主机名称": "host",
	"path": "file", "pathfile": "file", "filename": "file", "log.file.path": "file",
	"level": "level", "severity": "level",
}

// sniffExport reads the heading, nil when it is none. A table of events has
// their source in it.
func sniffExport(line []byte) *export {
	if bytes.IndexByte(line, ',') < 0 || len(line) > 1<<10 {
		return nil
	}
	cells, err := csv.NewReader(bytes.NewReader(line)).Read()
	if err != nil {
		return nil
	}
	e := &export{columns: map[string]int{}}
	for i, c := range cells {
		name := strings.ToLower(strings.TrimSpace(c))
		if name == "source" {
			return nil
		}
		if what := exportColumns[name]; what != "" {
			if _, taken := e.columns[what]; !taken {
				e.columns[what] = i
			}
		}
	}
	if _, ok := e.columns["text"]; !ok || len(e.columns) < 2 {
		return nil
	}
	return e
}

// line takes one stored line, which need not end a record.
func (e *export) line(d *reading, p physical) {
	if d.in.number == 2 && len(e.open) == 0 { // the heading
		d.as(logUnlessKnown(d.doc.Kind), p)
		return
	}
	e.open = append(e.open, p.clone())
	e.size += max(len(p.stored), lineCost)
	e.quotes += bytes.Count(d.dec.Decode(p.stored), []byte{'"'})
	switch {
	case e.size > d.s.lim.Line:
		e.flush(d)
		e.giveUp(d)
	case e.quotes%2 == 0:
		e.end(d)
	}
}

// giveUp hands on what is no record as it stands.
func (e *export) giveUp(d *reading) {
	for _, p := range e.open {
		d.as(logUnlessKnown(d.doc.Kind), p)
	}
	e.open, e.size, e.quotes = nil, 0, 0
}

// end reads a record that is whole.
func (e *export) end(d *reading) {
	var joined []byte
	for _, p := range e.open {
		joined = append(append(joined, bytes.TrimRight(d.dec.Decode(p.stored), "\r")...), '\n')
	}
	if e.reader == nil {
		e.reader = bufio.NewReader(nil)
	}
	e.reader.Reset(bytes.NewReader(joined))
	in := csv.NewReader(e.reader)
	in.FieldsPerRecord, in.LazyQuotes = -1, true
	cells, err := in.Read()
	if err != nil || e.columns["text"] >= len(cells) {
		e.flush(d)
		e.giveUp(d)
		return
	}
	at, _ := in.FieldPos(e.columns["text"])
	r := &row{lines: e.open, start: at - 1}
	for what, i := range e.columns {
		if i < len(cells) {
			r.set(what, cells[i])
		}
	}
	e.rows = append(e.rows, r)
	e.held += max(e.size, rowCost)
	e.open, e.size, e.quotes = nil, 0, 0
	if e.held > mostRows {
		e.flush(d)
	}
}

func (r *row) set(what, value string) {
	switch what {
	case "text":
		r.text, r.found = value, true
	case "time":
		r.setTime([]byte(value))
	case "pod":
		r.pod = value
	case "container":
		r.container = value
	case "host":
		r.host = value
	case "level":
		r.level = levelOf(value)
	case "file":
		if isFileName(value) {
			r.file = value
		}
	}
}

// flush hands on the rows that are held, oldest first.
func (e *export) flush(d *reading) {
	rows := rowsInOrder(e.rows, func(r **row) *record { return &(*r).record })
	d.kind, d.lead = logUnlessKnown(d.doc.Kind), 0
	for _, r := range rows {
		d.record = &r.record
		for j, text := range strings.Split(strings.TrimRight(r.text, "\r\n"), "\n") {
			p := r.lines[min(r.start+j, len(r.lines)-1)]
			for segment := range segments(text) {
				d.raw(charset.CleanText(segment), p.stored, p.offset, p.number)
			}
		}
	}
	d.record, e.rows, e.held = nil, nil, 0
}
