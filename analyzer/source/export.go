package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// exported is one text in a JSON export of logs. All texts of an export have
// the same field, since they are lines of one log; number is the position in
// the list as stored.
type exported struct {
	field  string
	number int
	form   exportForm
	record
}

// exportForm is where the rows of an export stand.
type exportForm uint8

const (
	oneText    exportForm = iota
	listRows              // [row, …], as Grafana saves them
	logRows               // {"logs": [row, …]}
	hitRows               // {"hits": {"hits": [row, …]}}
	streamRows            // {"data": {"result": [{"values": [row, …]}, …]}}
)

// rowLevels are the levels at which the lists that hold rows stand.
var rowLevels = map[exportForm][]int{listRows: {0}, logRows: {1}, hitRows: {2}, streamRows: {2, 4}}

func (e *exported) row() *record { return &e.record }

// exportMarks are keys of which one stands near the beginning of every export.
var exportMarks = [][]byte{
	[]byte(`"resultType"`), []byte(`"hits"`), []byte(`"py_callstack"`), []byte(`"line_num"`),
	[]byte(`"timestamp"`), []byte(`"@timestamp"`), []byte(`"extraInfo"`),
}

const markWithin = 8 << 10

// exportOf reads a JSON value that is a whole export of logs: Loki's query
// result, what Grafana saves, Elasticsearch's hits, LTS's logs, or the error
// file of torchelastic. It gives the texts as they stand, nil for other values.
func exportOf(value []byte) []exported {
	head := value[:min(len(value), markWithin)]
	if !slices.ContainsFunc(exportMarks, func(m []byte) bool { return bytes.Contains(head, m) }) {
		return nil
	}
	return new(exportPlace).texts(value)
}

// exportPlace is how much of an export pages before had.
type exportPlace struct {
	streams int // whole ones
	rows    int // of the list that goes on
	last    int // rows of the last list of the page that was read last
	lists   int // streams in it
}

// texts gives the texts of a page of an export, or of a whole one, as they stand.
func (at *exportPlace) texts(value []byte) []exported {
	var outer struct {
		Data struct {
			ResultType string
			Result     []struct {
				Stream map[string]string
				Values [][]json.RawMessage
			}
		}
		Hits    struct{ Hits []json.RawMessage }
		Logs    []json.RawMessage
		Message json.RawMessage
	}
	var list []json.RawMessage
	if json.Unmarshal(value, &list) == nil {
		return at.records("", listRows, list)
	}
	if json.Unmarshal(value, &outer) != nil {
		return nil
	}
	switch {
	case outer.Data.ResultType == "streams":
		var out []exported
		before := at.rows
		for i, s := range outer.Data.Result {
			out = append(out, lokiStream(at.streams+i, before, s.Stream, s.Values)...)
			at.last, before = before+len(s.Values), 0
		}
		at.lists = len(outer.Data.Result)
		return out
	case len(outer.Hits.Hits) > 0:
		return at.records("hits.hits", hitRows, outer.Hits.Hits)
	case len(outer.Logs) > 0:
		return at.records("logs", logRows, outer.Logs)
	}
	return errorFile(outer.Message)
}

func (at *exportPlace) records(path string, form exportForm, list []json.RawMessage) []exported {
	var out []exported
	at.last = at.rows + len(list)
	for i, b := range list {
		r, ok := parseRecord(b)
		if ok || r.found && r.clocked {
			out = append(out, exported{path + "[]", at.rows + i + 1, form, r})
		}
	}
	if len(out)*2 < len(list) {
		return nil
	}
	return out
}

func lokiStream(i, before int, labels map[string]string, values [][]json.RawMessage) []exported {
	var out []exported
	for j, v := range values {
		if len(v) < 2 {
			continue
		}
		var r record
		r.setTime(v[0])
		r.setText(v[1])
		r.pod, r.container, r.host = labels["pod"], labels["container"], labels["node_name"]
		if r.found {
			out = append(out, exported{fmt.Sprintf("data.result[%d].values[]", i), before + j + 1, streamRows, r})
		}
	}
	return out
}

// inOrder puts an export that is newest first, as stores answer by default,
// into the order in which the lines were written.
func inOrder(list []exported) []exported {
	list = rowsInOrder(list, (*exported).row)
	slices.SortStableFunc(list, func(a, b exported) int { return a.time.Compare(b.time) })
	return list
}

// errorFile reads the file that torchelastic's @record writes
// (TORCHELASTIC_ERROR_FILE): {"message": {"message": …, "extraInfo": …}}.
func errorFile(message json.RawMessage) []exported {
	var m struct {
		Message   string
		ExtraInfo struct {
			Callstack string          `json:"py_callstack"`
			Timestamp json.RawMessage `json:"timestamp"`
		}
	}
	if json.Unmarshal(message, &m) != nil || m.ExtraInfo.Callstack == "" {
		return nil
	}
	r := record{text: m.ExtraInfo.Callstack, found: true}
	if len(m.ExtraInfo.Timestamp) > 0 {
		if s, err := strconv.Unquote(string(m.ExtraInfo.Timestamp)); err == nil {
			r.setTime([]byte(s))
		} else {
			r.setTime(m.ExtraInfo.Timestamp)
		}
	}
	return []exported{{"message.extraInfo.py_callstack", 0, oneText, r}}
}

// expand hands on the texts of an export instead of the value.
func (d *reading) expand(value []byte) bool {
	list := inOrder(exportOf(value))
	if len(list) == 0 {
		return false
	}
	d.rows(list)
	return true
}

// rows hands on texts of an export.
func (d *reading) rows(list []exported) {
	kind := logUnlessKnown(d.doc.Kind)
	d.doc.Kind = kind
	if d.streams == nil {
		d.streams = map[[2]string]string{}
	}
	for i := range list {
		e := &list[i]
		fieldText{doc: d.doc, field: e.field, number: e.number, kind: kind, record: &e.record, streams: d.streams}.lines(e.whole(), func(l *Line) {
			d.any = true
			d.s.h.Line(l)
		})
	}
}
