package source

import (
	"bytes"
	"cmp"
	"strings"
	"unicode/utf8"
)

// labelForm is how something before a line is set apart from it.
type labelForm uint8

const (
	noLabel    labelForm = iota
	taskNumber           // "3: ", srun --label
	lineNumber           // "103:", "  12<tab>": grep -n, cat -n, a copy out of an editor or a console
	named                // "node-3: ", "train-worker-1-1  | ", "[rank_3] ": pdsh, docker compose, and programs that write so
)

// launch says which label the lines of a document begin with, of those that
// cannot be told on a line by itself.
type launch struct {
	form    labelForm
	names   map[string]origin // by the label with its mark, when the form is named
	shapes  map[string]bool   // of those labels, so that further ones of the kind are known
	tight   bool              // no space of its own stands behind the mark
	stacked bool              // several labels stand one behind the other
	mark    string            // between a line's number and its text
}

// cut gives the label that a line begins with.
func (n launch) cut(s string) string {
	if n.stacked {
		return cutLabels(s)
	}
	return cutLabel(s)
}

// labels says whether lines begin with what tells where they come from.
func (n launch) labels() bool { return n.form == taskNumber || n.form == named }

// origin is what a label or a heading tells of the lines that it stands for.
type origin struct {
	name, task, node, job string
	rank                  int
	kind                  Kind
}

// mostHosts bounds how many names are taken for those of labels.
const mostHosts = 4096

// leastLabels is how many lines must be seen to take what they begin with for
// a label.
const leastLabels = 5

// sniffLaunch looks at the beginning of a document: what nearly every line
// begins with is a label.
func sniffLaunch(head []byte) launch {
	var lines, numbers int
	single, stacked := map[string]seenLabel{}, map[string]seenLabel{}
	var numbered numbering
	for line := range bytes.Lines(head) {
		s := strings.TrimRight(string(line), "\r\n")
		if s == "" || isService(s) {
			continue
		}
		lines++
		numbered.add(s)
		if _, n := taskLabel(s); n > 0 {
			numbers++
		}
		countLabel(single, s, cutLabel(s))
		countLabel(stacked, s, cutLabels(s))
	}
	switch {
	case lines < leastLabels:
		return launch{}
	case numbered.believed(lines):
		return launch{form: lineNumber, mark: numbered.mark}
	case numbers*10 >= lines*8:
		return launch{form: taskNumber}
	}
	if out := repeated(stacked, lines); out.form == named {
		out.stacked = true
		return out
	}
	return repeated(single, lines)
}

// countLabel counts a label that a line begins with.
func countLabel(names map[string]seenLabel, line, label string) {
	if label == "" || len(names) >= mostHosts {
		return
	}
	seen := names[label]
	rest := line[len(label):]
	names[label] = seenLabel{seen.lines + 1, seen.tight || rest != "" && rest[0] != ' '}
}

// seenLabel is what was seen of a label.
type seenLabel struct {
	lines int
	tight bool // a text follows without a space
}

// repeated keeps the labels that nearly all lines begin with.
func repeated(names map[string]seenLabel, lines int) launch {
	out := launch{form: named, names: map[string]origin{}, shapes: map[string]bool{}}
	sum := 0
	for label, seen := range names {
		if seen.lines > 1 {
			out.names[label] = originOfLabel(label)
			out.shapes[shape(label)] = true
			out.tight = out.tight || seen.tight
			sum += seen.lines
		}
	}
	if sum*10 < lines*8 {
		return launch{}
	}
	return out
}

// originOfLabel reads a label with its marks: the name of a place, or several
// names of which each tells a part, as in "[worker-1][rank_3]".
func originOfLabel(label string) origin {
	if name := strings.Trim(label, "[]:| "); namesSource(name) {
		return originOf(name)
	}
	o := origin{rank: -1}
	var names []string
	for _, word := range places(label) {
		part := originOf(word)
		names = append(names, part.name)
		o.task, o.job, o.node = cmp.Or(o.task, part.task), cmp.Or(o.job, part.job), cmp.Or(o.node, part.node)
		o.kind, o.rank = max(o.kind, part.kind), max(o.rank, part.rank)
	}
	o.name = strings.Join(names, "/")
	return o
}

// places parts a label into the names that it holds: "(worker-1, rank 3)" is
// "worker-1" and "rank 3".
func places(label string) []string {
	words := strings.FieldsFunc(label, func(r rune) bool { return strings.ContainsRune("[]()<>:|,; ", r) })
	var all []string
	for i := 0; i < len(words); i++ {
		if strings.EqualFold(words[i], "rank") && i+1 < len(words) && number(words[i+1], 0, len(words[i+1])) >= 0 {
			all = append(all, words[i]+" "+words[i+1])
			i++
			continue
		}
		all = append(all, words[i])
	}
	return all
}

// shape is a label with each of its numbers as one 0.
func shape(label string) string {
	b := make([]byte, 0, len(label))
	for i := range len(label) {
		switch c := label[i]; {
		case !isDigit(c):
			b = append(b, c)
		case i == 0 || !isDigit(label[i-1]):
			b = append(b, '0')
		}
	}
	return string(b)
}

// taskLabel reads srun's "3: ", the number set to the right.
func taskLabel(s string) (rank, n int) {
	start := spaces(s, 0)
	i := start
	for i < len(s) && i < start+6 && isDigit(s[i]) {
		i++
	}
	if i == start || i >= len(s) || s[i] != ':' || i+1 < len(s) && s[i+1] != ' ' {
		return 0, 0
	}
	return number(s, start, i-start), i + 1
}

const longestLabel = 120

// cutLabel gives the label that a line begins with, up to and with its mark:
// "node-3:", "[rank_3]", "worker-1  |"; "" when it begins with none.
func cutLabel(s string) string {
	if strings.IndexByte("[(<", s[0]) >= 0 {
		end := strings.IndexAny(s, "])>")
		if end < 2 || end > longestLabel || end+1 >= len(s) || strings.IndexByte(" [", s[end+1]) < 0 || !namesPlaces(s[1:end], s[0] == '[') {
			return ""
		}
		return s[:end+1]
	}
	i := strings.IndexAny(s[:min(len(s), longestLabel)], ":|")
	if i < 1 || !namesSource(strings.TrimRight(s[:i], " ")) || s[i] == ':' && s[i-1] == ' ' || s[i] == '|' && s[i-1] != ' ' {
		return ""
	}
	return s[:i+1]
}

// cutLabels gives the labels that a line begins with, one behind the other:
// "[worker-1][rank_3]", "worker-1 | rank 3 |", "worker-1 rank3".
func cutLabels(s string) string {
	label := cutLabel(s)
	for n := len(label); n > 0; n = len(label) {
		at := oneSpace(s, n)
		if at >= len(s) {
			break
		}
		next := cutLabel(s[at:])
		if next == "" || !tellsPlace(next) {
			break
		}
		label = s[:at+len(next)]
	}
	if label != "" {
		return label
	}
	first, rest, _ := strings.Cut(s[:min(len(s), longestLabel)], " ")
	second, _, more := strings.Cut(rest, " ")
	if more && taskIn(first) == first && first != "" && rankWord(second) >= 0 {
		return s[:len(first)+1+len(second)]
	}
	return ""
}

// tellsPlace says whether a label behind another names a rank or a task: a word
// with a number may as well be an error's code or a program's own prefix there.
func tellsPlace(label string) bool {
	for _, word := range places(label) {
		if rankWord(word) < 0 && taskIn(word) != word {
			return false
		}
	}
	return true
}

// namesPlaces says whether the inside of brackets names where lines come from:
// one place, or several of which each is one. Other brackets than square ones
// must name a rank or a task, since programs put much else into them.
func namesPlaces(inner string, square bool) bool {
	if square && namesSource(inner) {
		return isPlaced(inner)
	}
	words, told := places(inner), false
	for _, w := range words {
		if !namesSource(w) || !isPlaced(w) {
			return false
		}
		told = told || rankWord(w) >= 0 || taskIn(w) == w
	}
	return told
}

// namesSource says whether a word may name where lines come from: a rank, a
// host, an address, a pod or a file. All of them have a digit, and only an
// address begins with one: anything else that does may be a time.
func namesSource(s string) bool {
	if rankWord(s) >= 0 || isIPv4(s) {
		return true
	}
	if s == "" || isDigit(s[0]) {
		return false
	}
	digit, letter := false, false
	for i := range len(s) {
		switch c := s[i]; {
		case isDigit(c):
			digit = true
		case isWord(c):
			letter = true
		case strings.IndexByte("-._/", c) < 0:
			return false
		}
	}
	return digit && letter
}

// isPlaced says whether a word in brackets is the name of a place, and not one
// of the many words with a number that programs write there.
func isPlaced(s string) bool {
	if rankWord(s) >= 0 || strings.IndexAny(s, "-.") > 0 {
		return true
	}
	for _, word := range []string{"node", "host", "server", "worker", "trainer"} {
		if digitsAfter(s, word) >= 0 {
			return true
		}
	}
	return false
}

// rankWord gives the number of "rank3", "rank_3", "Rank 3" and "rank-3", -1
// for another word.
func rankWord(s string) int {
	if len(s) < 5 || !strings.EqualFold(s[:4], "rank") {
		return -1
	}
	if strings.IndexByte(" _-", s[4]) >= 0 {
		s = s[:4] + s[5:]
	}
	return digitsAfter(s, "rank")
}

// originOf reads the name of a rank, a host, a pod or a file.
func originOf(name string) origin {
	if rank := rankWord(name); rank >= 0 {
		return origin{name: rankName(rank), rank: rank}
	}
	if isFileName(name) {
		d := Document{Name: name, Rank: -1}
		layout(&d)
		return origin{name: name, task: d.Task, node: d.Node, job: d.Job, rank: d.Rank, kind: d.Kind}
	}
	o := origin{name: name, task: taskIn(name), job: jobID(name), node: name, rank: -1}
	if o.task == name {
		o.node = ""
	}
	return o
}

func isFileName(s string) bool {
	if strings.IndexByte(s, '/') >= 0 {
		return true
	}
	for _, ext := range []string{".log", ".txt", ".out", ".err"} {
		if strings.HasSuffix(s, ext) {
			return true
		}
	}
	return false
}

// from gives a line what its label or heading tells.
func (p *parser) from(l *Line, o origin) {
	if o.rank >= 0 {
		l.Rank, l.Own = o.rank, o.rank
	}
	if o.task != "" {
		l.Task = o.task
	}
	if o.node != "" {
		l.Node = o.node
	}
	if l.Kind == Log {
		l.Kind = o.kind
	}
	if l.Doc.Job == "" {
		l.Doc.Job = o.job
	}
	p.stream(l, o.name)
}

// file gives what the name of a file tells that a collector read lines from.
func (p *parser) file(name string) origin {
	o, ok := p.files[name]
	if !ok {
		o = originOf(strings.Clone(name))
		if p.files == nil {
			p.files = map[string]origin{}
		}
		if len(p.files) < mostHosts {
			p.files[o.name] = o
		}
	}
	return o
}

// launched reads the label that the document's lines begin with.
func (p *parser) launched(l *Line, s string) int {
	if p.launch.form == taskNumber {
		rank, n := taskLabel(s)
		if n > 0 {
			p.ofRank(l, rank)
			n = oneSpace(s, n)
		}
		return n
	}
	label := p.launch.cut(s)
	o, ok := p.launch.names[label]
	if !ok {
		if label == "" || !p.launch.shapes[shape(label)] {
			return 0
		}
		o = originOfLabel(strings.Clone(label))
		if len(p.launch.names) < mostHosts {
			p.launch.names[strings.Clone(label)] = o
		}
	}
	p.from(l, o)
	if p.launch.tight {
		return len(label)
	}
	return oneSpace(s, len(label))
}

// numbering tells whether lines begin with the numbers that a tool gave them.
type numbering struct {
	last, count, steps int
	mark               string // what stands behind all numbers
	broken, tight      bool
	log                bool // what stands behind one of them is a log's line
}

// add takes the next line.
func (n *numbering) add(s string) {
	value, rest, ok := leadingLineNumber(s)
	mark := numberMark(rest)
	if !ok || mark == "" && rest != "" {
		return
	}
	switch {
	case n.count > 0 && value <= n.last:
		n.broken = true
	case value == n.last+1:
		n.steps++
	}
	n.last = value
	n.count++
	if len(mark) < len(rest) {
		n.tight = n.tight || rest[len(mark)] != ' '
		n.log = n.log || startsLog(rest[len(mark):])
	}
	n.common(mark, len(mark) == len(rest))
}

// common keeps the mark that all lines share: of spaces, the fewest.
func (n *numbering) common(mark string, empty bool) {
	switch {
	case empty || mark == "-" && n.mark == ":":
	case n.mark == "" || n.mark == "-" && mark == ":" || strings.HasPrefix(n.mark, mark):
		n.mark = mark
	case !strings.HasPrefix(mark, n.mark):
		n.broken = true
	}
}

// believed says whether so many lines of a document have numbers that only a
// tool gives. Numbers with a colon and a space behind them are those of tasks,
// unless there are too many of them.
func (n *numbering) believed(lines int) bool {
	switch {
	case n.broken || n.mark == "" || n.mark == "-" || !n.log || n.count*10 < lines*8:
		return false
	case n.mark == ":":
		return n.tight
	}
	return n.steps*10 >= n.count*8
}

// leadingLineNumber reads the number that a line begins with.
func leadingLineNumber(s string) (value int, rest string, ok bool) {
	start := spaces(s, 0)
	i := start
	for i < len(s) && i < start+9 && isDigit(s[i]) {
		i++
	}
	if i == start {
		return 0, "", false
	}
	return number(s, start, i-start), s[i:], true
}

// numberMark gives what stands between a line's number and its text.
func numberMark(rest string) string {
	i := spaces(rest, 0)
	for _, mark := range []string{"\t", "|", "│", ":", "-"} {
		if strings.HasPrefix(rest[i:], mark) && (i == 0 || mark == "|" || mark == "│") {
			i += len(mark)
			if mark == "|" || mark == "│" {
				i = oneSpace(rest, i)
			}
			return rest[:i]
		}
	}
	return rest[:i]
}

// numbered gives the length of a line's number, 0 when it has none.
func (n launch) numbered(s string) int {
	_, rest, ok := leadingLineNumber(s)
	if !ok {
		return 0
	}
	at := len(s) - len(rest)
	switch {
	case strings.HasPrefix(rest, n.mark):
		return at + len(n.mark)
	case n.mark == ":" && strings.HasPrefix(rest, "-"): // grep marks the lines around a match so
		return at + 1
	case strings.TrimRight(rest, " \t") == "":
		return len(s)
	}
	return 0
}

// heading reads "==> worker-1.log <==", which head and tail put before the
// lines of each of several files, and Ansible's "node-1 | CHANGED | rc=0 >>".
func heading(s string) (origin, bool) {
	if rest, ok := strings.CutPrefix(s, "==> "); ok {
		if name, ok := strings.CutSuffix(rest, " <=="); ok && name != "" && utf8.ValidString(name) {
			return originOf(name), true
		}
	}
	if strings.HasSuffix(s, " >>") {
		if parts := strings.Split(s, " | "); len(parts) == 3 && strings.HasPrefix(parts[2], "rc=") {
			return originOf(parts[0]), true
		}
	}
	return origin{}, false
}
