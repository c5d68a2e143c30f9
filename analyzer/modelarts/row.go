package modelarts

import (
	"slices"
	"strings"
)

// isRow tells whether a list is one row of a selection without names, such as
// [time, level, message] or [task, exit code, message].
func isRow(n node, s scope) bool {
	if !s.member || len(n.members) < 2 || len(n.members) > 8 {
		return false
	}
	known := false
	for i := range n.members {
		m := n.child(i)
		if m.kind == object || m.kind == list {
			return false
		}
		known = known || m.kind == text && (columnOf(m) != columnText)
	}
	return known
}

// column says what a value of a row must be.
type column uint8

const (
	columnText column = iota
	columnTime
	columnLevel
	columnTask
	columnPhase
	columnID
)

func columnOf(n node) column {
	s := n.str()
	_, zoned := parseTime(s)
	switch {
	case zoned:
		return columnTime
	case isPhase(s):
		return columnPhase
	case levels[strings.ToUpper(s)] != "":
		return columnLevel
	case taskName().MatchString(s):
		return columnTask
	case uuid().MatchString(s):
		return columnID
	}
	return columnText
}

// rowNames are the names that the values of a row get by their column.
var rowNames = [...]string{
	columnText: "message", columnTime: "time", columnLevel: "level", columnTask: "task", columnPhase: "phase", columnID: "id",
}

// rowObject returns the object that the values of a row stand for.
func rowObject(n node) value {
	row := value{kind: object, line: n.line}
	for i := range n.members {
		m := member{index: i + 1, value: n.members[i].value}
		m.name = meaning(n.child(i))
		row.members = append(row.members, m)
	}
	row.unnumber(n)
	return row
}

// unnumber leaves out the numbers of a row that are no exit code: those beside
// what is no task and no job.
func (row *value) unnumber(n node) {
	if o := (node{row, n.path}); o.has("time", "level") || !o.has("task", "phase", "id") {
		row.members = slices.DeleteFunc(row.members, func(m member) bool { return m.name == "exit_code" })
	}
}

// meaning gives the name that a value would have in an answer of the service,
// by what it is.
func meaning(n node) string {
	switch column := columnOf(n); {
	case n.kind == number:
		return "exit_code"
	case column == columnText && !strings.ContainsAny(n.text, " \n"):
		return "name"
	default:
		return rowNames[column]
	}
}

// maxRenamed bounds the members of a selection under names of one's own.
const maxRenamed = 12

// programNames are the names under which any program puts a text into its log.
var programNames = []string{"message", "msg", "log", "text", "info", "error", "err", "event"}

// isRenamed recognises a selection whose values got names of one's own in the
// query, or their paths for names: nothing but values, one of which can only be
// a phase, a time, a level or a task, beside a text.
func isRenamed(n node, s scope) bool {
	if s.job != nil || s.reasons || len(n.members) < 2 || len(n.members) > maxRenamed {
		return false
	}
	known, said := false, false
	for i := range n.members {
		m := n.child(i)
		if m.kind == object || m.kind == list || n.members[i].called != "" { // named by its meaning already
			return false
		}
		column := columnOf(m)
		known = known || m.kind == text && column != columnText && column != columnID
		said = said || m.kind == text && column == columnText && strings.Contains(m.text, " ") && !slices.Contains(programNames, strings.ToLower(n.members[i].name))
	}
	return known && said
}

// readRenamed reads a selection by its values; a path for a name keeps the
// meaning of its last step. Names that tell nothing of the service may be those
// of any program: then only the texts count.
func (r *reader) readRenamed(n node, s scope) {
	row := value{kind: object, line: n.line}
	paths := false
	for i := range n.members {
		m := member{name: lastName(n.members[i].name), called: n.members[i].name, value: n.members[i].value}
		if slices.Contains(serviceNames, m.name) {
			paths = paths || m.name != m.called
		} else {
			m.name = meaning(n.child(i))
		}
		row.members = append(row.members, m)
	}
	row.unnumber(n)
	renamed := node{&row, n.path}
	switch {
	case paths && isJob(renamed, s):
		r.readJob(renamed, s)
	case isEvent(renamed, s) && renamed.has("time"):
		r.readEvent(renamed, s)
	default:
		s.alone = true
		for i := range n.members {
			if m := n.child(i); columnOf(m) == columnText && strings.Contains(m.str(), " ") {
				r.sayAny(m, s)
			}
		}
	}
}

// sayAny gives a string of unknown meaning as text.
func (r *reader) sayAny(n node, s scope) {
	if r.embedded(n, s, maxNotices) {
		return
	}
	t := Text{What: ReasonText, Task: taskIn(n.text)}
	if isLog(n.text) {
		t.What = LogText
	}
	r.say(n, s, t)
}

// serviceNames are the names whose meaning a selection keeps.
var serviceNames = []string{"phase", "message", "exit_code", "task", "id", "name", "time", "level", "source", "reason"}

// lastName gives the last step of a path that serves as a name.
func lastName(name string) string {
	name = name[strings.LastIndexByte(name, '.')+1:]
	if at := strings.IndexByte(name, '['); at > 0 {
		name = name[:at]
	}
	return name
}
