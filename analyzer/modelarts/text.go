package modelarts

import (
	"bytes"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/source"
)

const tracebackHead = "Traceback (most recent call last)"

// reasonName matches names of members that hold a message or a reason.
var reasonName = lazy.Regexp(`(?i)(?:message|msg|reason|error|cause|detail|fault|exception)s?$`)

// say gives a string as text. Members that are no string are visited: an answer
// may hold a structure where another holds its text.
func (r *reader) say(n node, s scope, t Text) {
	if n.kind == object || n.kind == list {
		r.visit(n, s)
		return
	}
	if n.kind != text || n.told || strings.TrimSpace(n.text) == "" {
		return
	}
	at := r.place(n)
	t.Before = int(n.before)
	t.Field, t.Line, t.Text = at.Field, at.Line, n.text
	if escapedTwice(n.text) {
		t.Text = unescape.Replace(n.text)
	}
	set(&t.Task, s.task)
	r.texts = append(r.texts, t)
	r.owners = append(r.owners, s.job)
}

// escapedTwice tells whether a text has its line ends written out as "\n", by
// what stands between them: a line of code with a few "\n" in it has hardly
// anything there.
func escapedTwice(s string) bool {
	if strings.Contains(s, "\n") {
		return false
	}
	parts, long := strings.Split(s, `\n`), 0
	for _, p := range parts {
		if len(p) >= 8 {
			long++
		}
	}
	return len(parts) >= 3 && long*2 > len(parts) || strings.Contains(s, tracebackHead+`:\n`)
}

// visitText reads a string that no shape took: JSON held as text, an error, a
// log, a message, or a value selected by a query.
func (r *reader) visitText(n node, s scope) {
	key := n.path.key()
	isReason := reasonName().MatchString(key)
	switch {
	case s.quiet && !strings.Contains(n.text, tracebackHead):
	case !s.quiet && r.embedded(n, s, maxNotices):
	case s.root && r.plainError(n, s):
	case isLog(n.text):
		what := LogText
		if isReason {
			what = MessageText
		}
		r.say(n, s, Text{What: what})
	case isReason && (s.reasons && sameName(key, "reason") || (s.reasons || s.root && s.alone) && strings.Contains(n.str(), " ")):
		r.say(n, s, Text{What: ReasonText})
	case n.path == nil || key == "" && s.member:
		r.bare(n, s)
	}
}

// linesName matches names of members whose list of strings is a log.
var linesName = lazy.Regexp(`(?i)^(?:logs?|lines|log_?lines|content|context|traceback|stack|stdout|stderr|output)$`)

// isLines tells whether a list of strings is a log, a line an item.
func isLines(n node) bool {
	if len(n.members) < 2 {
		return false
	}
	log := linesName().MatchString(n.path.key())
	for i := range n.members {
		if n.members[i].kind != text {
			return false
		}
		log = log || strings.HasPrefix(strings.TrimSpace(n.members[i].text), tracebackHead)
	}
	return log
}

// sayLines gives a list of strings as one text, an item on each line.
func (r *reader) sayLines(n node, s scope) {
	if n.told {
		return
	}
	var lines []string
	for i := range n.members {
		if m := &n.members[i]; m.kind == text {
			lines = append(lines, strings.TrimRight(m.text, "\r\n"))
		}
	}
	joined := value{kind: text, before: n.before, line: n.line, text: strings.Join(lines, "\n")}
	r.say(node{&joined, n.path}, s, Text{What: LogText})
}

// isLog tells whether a string is several lines or holds a traceback.
func isLog(s string) bool {
	return strings.Contains(strings.TrimSpace(s), "\n") || strings.Contains(s, tracebackHead) || escapedTwice(s)
}

// bare reads a string that a query selected: the whole value, or an item of it.
func (r *reader) bare(n node, s scope) {
	word := n.str()
	switch {
	case n.path == nil && isPhase(word):
		r.saw(apiDetails)
		job := r.home(s)
		job.Phase, job.PhaseText, job.PhaseAt = Phase(word), word, r.place(n)
		r.fact(factPhase, apiDetails, n, word)
	case strings.Contains(strings.TrimSpace(n.text), " "):
		t := Text{What: MessageText, Task: taskIn(n.text)}
		if t.Task != "" {
			t.What = EventText
			r.saw(apiEvents)
			r.exitTold(n, s, t)
		}
		r.say(n, s, t)
	default:
		r.fact(factOther, "", n, word)
	}
}

// maxNotices bounds the lines of text around JSON in a string: with more of
// them the string is a log that holds some JSON.
const maxNotices = 12

// embedded reads the JSON that a string holds, alone or with up to the given
// number of lines around it, and tells whether that accounts for the string.
func (r *reader) embedded(n node, s scope, notices int) bool {
	if r.levels >= maxLevels {
		return false
	}
	values, around := valuesIn(n, notices)
	if len(values) == 0 || strings.Contains(around, tracebackHead) {
		return false
	}
	if m := debugStatus().FindStringSubmatch(around); m != nil {
		status, _ := strconv.Atoi(m[1])
		s.status = status
	}
	r.levels++
	defer func() { r.levels-- }()
	all := true
	for i := range values {
		all = r.recognises(node{&values[i], n.path}, s) && all
	}
	return all
}

// recognises visits a value and takes everything back when nothing in it was
// recognised.
func (r *reader) recognises(n node, s scope) bool {
	before, jobs := *r, len(r.jobs)
	r.visit(n, s)
	if r.seen > before.seen || n.kind == text && len(r.texts) > len(before.texts) {
		return true
	}
	r.jobs, r.texts, r.owners, r.facts = r.jobs[:jobs], before.texts, before.owners, before.facts
	return false
}

// maxValues bounds the JSON values that are looked for in one string.
const maxValues = 64

// valuesIn returns the objects, lists and strings of JSON that start lines of a
// string, and the text around them; nothing when that is more than the given
// number of lines.
func valuesIn(n node, notices int) (values []value, around string) {
	content := strings.TrimSpace(n.text)
	if escapedOnce([]byte(content)) {
		content = unescape.Replace(content)
	}
	if !strings.ContainsAny(content, "{[") && !strings.HasPrefix(content, `"`) {
		return nil, ""
	}
	data, rest := []byte(content), []string{}
	for at := 0; at < len(data); {
		if c := data[at]; c == '{' || c == '[' || c == '"' && at == 0 {
			p := parser{data: data[at:], line: n.line, fixed: true, cut: n.cut}
			if n.inner != nil && at == 0 {
				p.page = source.Page{Part: n.inner.Part, Inners: n.inner.Inners}
			}
			v, end, damaged := p.parse()
			if v.kind > number && (!damaged || v.cut) && len(values) < maxValues {
				values = append(values, v)
				at += end
				continue
			}
		}
		next := bytes.IndexByte(data[at:], '\n') + 1
		if next == 0 {
			next = len(data) - at
		}
		if line := content[at : at+next]; strings.TrimSpace(line) != "" {
			rest = append(rest, line)
		}
		if at += next; len(rest) > notices {
			return nil, ""
		}
	}
	return values, strings.Join(rest, "")
}
