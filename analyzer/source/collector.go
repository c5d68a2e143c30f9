package source

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"hcloud-modelarts/analyzer/source/charset"
	"hcloud-modelarts/analyzer/source/stamp"
)

// record is one line as a log collector wraps it, or as a program writes it
// that logs in JSON.
type record struct {
	text      string
	trace     string // a traceback beside the text
	found     bool   // a text was among the fields
	time      time.Time
	zoned     bool
	clocked   bool // a time was among the fields
	marked    bool // a field that only collectors write was among them
	pod       string
	container string
	host      string
	program   string
	file      string // that the collector read the line from
	level     string
	event     bool // an event of the platform
	own       bool // written by the program itself, with who knows what beside the text
	pid       int
	kernel    bool
}

// apply gives a line what its collector tells.
func (r *record) apply(p *parser, l *Line) {
	if !r.time.IsZero() {
		l.Time, l.Zoned = r.time, r.zoned
		p.clock.Saw(r.time, r.zoned)
	}
	if r.pod != "" {
		l.ofPod(r.pod)
	}
	if r.host != "" {
		l.Node = r.host
	}
	if r.pid > 0 {
		l.PID = r.pid
	}
	l.Level = r.level
	if r.kernel {
		l.Kind = kernelLine(l.Kind)
	}
	program := r.program
	if program != "" && r.pid > 0 {
		program += "[" + strconv.Itoa(r.pid) + "]"
	}
	if r.file != "" {
		p.from(l, p.file(r.file))
	}
	for _, part := range []string{r.pod, r.container, r.host, program} {
		if part != "" && !(part == r.host && r.pod != "") {
			p.stream(l, part)
		}
	}
}

// parseRecord reads a line of a collector's output; ok is false when the
// object is none: a program's own structured log or a metric.
func parseRecord(b []byte) (r record, ok bool) {
	var inner []byte
	whole := eachField(b, func(key, value []byte) {
		if string(key) == "_source" {
			inner = value
			return
		}
		r.field(string(key), value)
	})
	if !whole {
		return r, false
	}
	if inner != nil {
		if r, ok := parseRecord(inner); ok || r.found && r.clocked {
			return r, true
		}
	}
	collected := r.marked && (r.clocked || r.pod != "")
	r.own = !collected && r.clocked && r.level != "" && !r.event
	return r, r.found && (collected || r.own)
}

// whole is the text with the traceback that stands beside it, out of the
// record within the text when a program that logs in JSON wrote it.
func (r *record) whole() string {
	if mayBeRecord([]byte(r.text)) {
		if inner, ok := parseRecord([]byte(strings.TrimRight(r.text, "\r\n"))); ok {
			r.level = cmp.Or(inner.level, r.level)
			if inner.trace != "" {
				r.text, r.trace = inner.text, inner.trace
			}
		}
	}
	if r.trace == "" {
		return strings.TrimRight(r.text, "\r\n")
	}
	return strings.TrimRight(r.text, "\r\n") + "\n" + strings.TrimRight(r.trace, "\r\n")
}

// field reads one field of docker's json-file, of journald, of Loki, of what
// Fluentd and Filebeat send to Elasticsearch, and of Huawei Cloud's LTS.
func (r *record) field(key string, value []byte) {
	switch key {
	case "log", "message", "MESSAGE", "line", "content", "textPayload", "msg":
		if value[0] == '{' {
			r.labels(key, value)
			return
		}
		r.setText(value)
	case "exc_info", "exc_text", "exception", "traceback", "stack_trace", "stacktrace", "stack":
		r.trace = unquote(value)
	case "source":
		r.event = eventSources[strings.ToLower(unquote(value))]
	case "time", "timestamp", "@timestamp", "ts", "asctime", "__time__", "__REALTIME_TIMESTAMP", "collectTime", "timestampNs":
		r.setTime(value)
	case "stream":
		r.marked = r.marked || value[0] == '"'
	case "kubernetes", "labels", "resource", "container", "docker", "host", "fields":
		r.marked = true
		r.labels(key, value)
	case "agent", "ecs", "__CURSOR", "_BOOT_ID", "line_num", "logGroup", "_index", "tsNs":
		r.marked = true
	case "_HOSTNAME":
		r.host, r.marked = unquote(value), true
	case "_PID", "SYSLOG_PID":
		r.pid = leadingNumber(unquote(value))
	case "SYSLOG_IDENTIFIER":
		r.program = unquote(value)
	case "_TRANSPORT":
		r.kernel = unquote(value) == "kernel"
	case "PRIORITY":
		if n := leadingNumber(unquote(value)); n < len(severities) {
			r.level = severities[n]
		}
	case "filename", "path", "pathFile", "file":
		if name := unquote(value); isFileName(name) {
			r.file = name
		}
	case "level", "levelname", "severity":
		r.level = levelOf(unquote(value))
	}
}

// setText takes the text, which journald writes as numbers when it is not
// UTF-8.
func (r *record) setText(value []byte) {
	switch value[0] {
	case '"':
		r.text, r.found = unquote(value), true
	case '[':
		var numbers []int
		if json.Unmarshal(value, &numbers) == nil {
			out := make([]byte, len(numbers))
			for i, n := range numbers {
				out[i] = byte(n)
			}
			dec := charset.Decoder{Name: charset.UTF8}
			r.text, r.found = string(dec.Decode(out)), true
		}
	}
}

func (r *record) setTime(value []byte) {
	s := string(bytes.Trim(value, `"`))
	if t, ok := epoch(s); ok {
		r.time, r.zoned, r.clocked = t, true, true
		return
	}
	st, n := stamp.Parse(s)
	if t, zoned, ok := st.Full(); n > 0 && ok {
		r.time, r.zoned, r.clocked = t, zoned, true
	}
}

// epoch reads seconds, milliseconds, microseconds or nanoseconds since 1970,
// told apart by how many digits there are.
func epoch(s string) (time.Time, bool) {
	whole, part, _ := strings.Cut(s, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || n < 0 {
		return time.Time{}, false
	}
	var t time.Time
	switch len(whole) {
	case 10:
		t = time.Unix(n, 0)
		if f, err := strconv.ParseFloat("0."+part, 64); err == nil && f < 1 { // "5e300" is no part of a second
			t = t.Add(time.Duration(f * 1e9))
		}
	case 13:
		t = time.UnixMilli(n)
	case 16:
		t = time.UnixMicro(n)
	case 19:
		t = time.Unix(0, n)
	default:
		return time.Time{}, false
	}
	return t.UTC(), true
}

// labels reads what a collector tells of where the line came from.
func (r *record) labels(outer string, value []byte) {
	if value[0] == '"' {
		if outer == "host" {
			r.host = unquote(value)
		}
		return
	}
	eachField(value, func(key, value []byte) {
		switch string(key) {
		case "pod", "pod_name", "podName", "instance":
			if value[0] == '{' {
				r.labels("pod", value)
			} else {
				r.pod = unquote(value)
			}
		case "container", "container_name", "containerName":
			if value[0] == '{' {
				r.labels("container", value)
			} else {
				r.container = unquote(value)
			}
		case "host", "node", "node_name", "nodeName", "hostName", "hostname", "hostIP":
			if value[0] == '{' {
				r.labels("host", value)
			} else {
				r.host = unquote(value)
			}
		case "name":
			r.named(outer, unquote(value))
		case "labels":
			r.labels("labels", value)
		case "file":
			r.labels("file", value)
		case "path", "filename":
			if name := unquote(value); isFileName(name) {
				r.file = name
			}
		}
	})
}

func (r *record) named(outer, name string) {
	switch outer {
	case "pod":
		r.pod = name
	case "container":
		r.container = name
	case "host":
		r.host = name
	}
}

// mayBeRecord decides cheaply whether a line can be a collector's.
func mayBeRecord(b []byte) bool {
	return len(b) > 20 && b[0] == '{' && (b[1] == '"' || b[1] == ' ')
}

func isRecord(line []byte) bool {
	_, ok := parseRecord(bytes.TrimSpace(line))
	return ok
}

// givenUp is how many objects that are no records a document may begin with
// before they are not looked at any more.
const givenUp = 50

// unwrap hands on the text of a collector's line: the number and the offset
// are those of the line that wraps it. A program's own record stays as it is,
// unless a traceback stands in it, since its message alone may not tell what
// failed.
func (d *reading) unwrap(p physical, dec []byte) bool {
	if d.records == 0 && d.others > givenUp {
		return false
	}
	dec = bytes.TrimRight(dec, " \t\r")
	if dec[len(dec)-1] != '}' {
		return false
	}
	r, ok := parseRecord(dec)
	if !ok {
		d.others++
		return false
	}
	if d.records++; d.texts == 0 {
		d.doc.Kind = logUnlessKnown(d.doc.Kind)
	}
	d.wrapped = r
	d.record = &d.wrapped
	defer func() { d.record = nil }()
	if r.own && r.trace == "" {
		d.text(p)
		return true
	}
	for line := range strings.SplitSeq(d.wrapped.whole(), "\n") {
		for segment := range segments(line) {
			d.raw(charset.CleanText(segment), p.stored, p.offset, p.number)
		}
	}
	return true
}

// logUnlessKnown undoes the guess that a document is an answer.
func logUnlessKnown(k Kind) Kind {
	if k == Answer {
		return Log
	}
	return k
}
