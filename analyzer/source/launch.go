package source

import (
	"bytes"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"hcloud-modelarts/analyzer/ascii"
	"hcloud-modelarts/analyzer/source/charset"
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
	ranks   bool              // labels that are no more than a number are ranks
	mark    string            // between a line's number, or a label, and its text
}

// cut gives the label that a line begins with.
func (n launch) cut(s string) string {
	if n.stacked {
		return cutLabels(s)
	}
	return cutLabel(s)
}

// origin reads a label.
func (n launch) origin(label string) origin {
	if !n.ranks && bare(partsOf(label)) { // hosts may be called r1 and r2
		return originOf(strings.TrimRight(label, ":"))
	}
	return originOfLabel(label)
}

// labels says whether lines begin with what tells where they come from.
func (n launch) labels() bool { return n.form == taskNumber || n.form == named }

// origin is what a label or a heading tells of the lines that it stands for.
type origin struct {
	name, task, node, job string
	rank, local           int // -1 when not told; local is the rank within the node
	kind                  Kind
}

// mostHosts bounds how many names are taken for those of labels.
const mostHosts = 4096

// leastLabels is how many lines must be seen to take what they begin with for
// a label.
const leastLabels = 5

// sniffLaunch looks at the beginning of a document: what nearly every line
// begins with is a label, also behind the time that a collector put there.
func sniffLaunch(head []byte) launch { return sniffLabels(head, leastLabels, false) }

// sniffLabels takes labels for such when there are so many lines; sure says that
// they must name ranks or tasks, or come again and again.
func sniffLabels(head []byte, least int, sure bool) launch {
	var lines, numbers int
	single, stacked := newTally(cutLabel), newTally(cutLabels)
	var numbered numbering
	m := newMarker(launch{}, false)
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
		behind := m.behindTime(s)
		single.add(s, behind)
		stacked.add(s, behind)
	}
	switch {
	case lines < least:
		return launch{}
	case !sure && numbered.believed(lines):
		return launch{form: lineNumber, mark: numbered.mark}
	case numbers*10 >= lines*8:
		return launch{form: taskNumber}
	}
	for _, t := range []*tally{stacked, single} {
		if out := t.launch(lines); out.form == named && (!sure || t.sure()) {
			out.stacked = t == stacked
			return out
		}
	}
	return launch{}
}

// sure says whether labels name ranks or tasks, or come in turn.
func (t *tally) sure() bool {
	runs := 0
	for label, seen := range t.seen {
		if slices.ContainsFunc(partsOf(label), labelPart.tells) {
			return true
		}
		runs += seen.runs
	}
	return runs >= 2*len(t.seen) && len(t.seen) > 1
}

// Where labels are looked for again behind the beginning of a document: a script
// prints something before it starts its processes.
const (
	lateLines  = 16
	lateWindow = 8 << 10
	lateShapes = 64 // of labels that are tried at their first line

	lateStride = 256     // it is also tried at every so many lines,
	lateOften  = 1 << 14 // up to this one, then whenever their number has doubled
)

// late says whether labels are looked for at a line whatever it begins with.
func late(number int) bool {
	if number <= lateOften {
		return number%lateStride == 0
	}
	return number&(number-1) == 0
}

// untilLate gives how many lines from one on stand before the next at which
// labels are looked for, whatever it begins with.
func (d *reading) untilLate(number int) int {
	switch {
	case d.launch.form != noLabel:
		return math.MaxInt
	case late(number):
		return 0
	case number < lateOften:
		return lateStride - number%lateStride
	}
	return 1<<bits.Len(uint(number)) - number
}

// relaunch looks at the lines that follow the first that begins with a label of
// some shape, and at some others, when none had a label so far. Where it looks
// must not depend on what lies between: lines of known kinds, which begin with
// labels of known shapes, may be passed over. The line that it gives is p, whose
// bytes may have moved.
func (d *reading) relaunch(p physical) physical {
	if d.launch.form != noLabel || d.doc.Kind != Log || d.dec.Name != charset.UTF8 || !d.newLabel(p.stored) && !late(p.number) {
		return p
	}
	p.stored = bytes.Clone(p.stored)
	window := d.in.peek(lateWindow)
	window = slices.Concat(p.stored[:min(len(p.stored), longestLabel+8)], []byte{'\n'}, window[:bytes.LastIndexByte(window, '\n')+1])
	if found := sniffLabels(window, lateLines, true); found.form != noLabel {
		d.launch = found
		if d.skim != nil {
			d.skim.kinds = kinds{} // they were known by where their text began
		}
	}
	return p
}

// newLabel reports whether a line is the first that begins with a label of its
// shape, as far as its first word tells, in which lines of one kind are alike.
func (d *reading) newLabel(stored []byte) bool {
	if len(stored) < 3 || ascii.IsDigit(stored[0]) && stored[1] != ':' && stored[2] != ':' {
		return false
	}
	line := string(stored[:min(len(stored), longestLabel+8)])
	label := cutLabels(line)
	if _, n := taskLabel(line); n > 0 {
		label = line[:n]
	}
	label = strings.Trim(label, " \t")
	kind := shape(label)
	if label == "" || strings.ContainsAny(label, " \t") || d.tried[kind] || len(d.tried) == lateShapes {
		return false
	}
	if d.tried == nil {
		d.tried = map[string]bool{}
	}
	d.tried[kind] = true
	return true
}

// behindTime is a line without the prefixes that tell its time, "" when there are
// none or they tell more.
func (m *marker) behindTime(s string) string {
	l := Line{Doc: &m.doc, Raw: s, Text: s, Rank: -1}
	if m.p.prefixes(&l); !l.hasTime() || l.Stream != "" || len(l.Text) == len(s) {
		return ""
	}
	return l.Text
}

// tally counts the labels that lines begin with.
type tally struct {
	cut  func(string) string
	seen map[string]seenLabel
	last string
	mark map[string]int // lines that have it behind the label
}

func newTally(cut func(string) string) *tally {
	return &tally{cut: cut, seen: map[string]seenLabel{}, mark: map[string]int{}}
}

// seenLabel is what was seen of a label.
type seenLabel struct {
	lines int
	runs  int  // of lines that have it, one behind the other
	tight bool // a text follows without a space
}

// add takes a line, and what stands behind its time.
func (t *tally) add(line, behind string) {
	label := t.cut(line)
	if label == "" && behind != "" {
		line = behind
		label = t.cut(line)
	}
	if label == "" || len(t.seen) >= mostHosts {
		return
	}
	rest := line[len(label):]
	t.mark[dashOf(rest)]++
	label = oneOfAll(label)
	seen := t.seen[label]
	seen.lines++
	seen.runs += count(label != t.last)
	seen.tight = seen.tight || rest != "" && rest[0] != ' '
	t.seen[label], t.last = seen, label
}

// oneOfAll gives the labels one name that differ in the number of a line only:
// "a.log:12:".
func oneOfAll(label string) string {
	name := strings.TrimRight(strings.TrimSuffix(label, ":"), "0123456789")
	if len(name) == len(label)-1 || !strings.HasSuffix(name, ":") || name == ":" {
		return label
	}
	return name + "0:"
}

// launch keeps the labels that nearly all lines begin with.
func (t *tally) launch(lines int) launch {
	out := launch{form: named, names: map[string]origin{}, shapes: map[string]bool{}, ranks: t.numberRanks()}
	sum := 0
	for label, seen := range t.seen {
		if seen.lines < 2 || !out.ranks && bare(partsOf(label)) && !namesSource(strings.TrimRight(label, ":")) {
			continue
		}
		out.names[label] = out.origin(label)
		out.shapes[shape(label)] = true
		out.tight = out.tight || seen.tight
		sum += seen.lines
	}
	if sum*10 < lines*8 {
		return launch{}
	}
	for _, dash := range dashes {
		if t.mark[dash]*10 >= sum*8 {
			out.mark = dash
		}
	}
	return out
}

// numberRanks says whether labels that are no more than a number are those of
// ranks: they count from 0, most of them are there, and they come again and
// again, which the numbers of steps, batches and lists do not.
func (t *tally) numberRanks() bool {
	seen, highest, again := map[int]bool{}, 0, 0
	for label, s := range t.seen {
		if parts := partsOf(label); bare(parts) {
			seen[parts[0].n] = true
			highest = max(highest, parts[0].n)
			again += s.runs - 1
		}
	}
	return len(seen) > 1 && seen[0] && 2*len(seen) > highest && again >= len(seen)
}

// shape is a label with each of its numbers as one 0.
func shape(label string) string {
	b := make([]byte, 0, len(label))
	for i := range len(label) {
		switch c := label[i]; {
		case !ascii.IsDigit(c):
			b = append(b, c)
		case i == 0 || !ascii.IsDigit(label[i-1]):
			b = append(b, '0')
		}
	}
	return string(b)
}

// taskLabel reads srun's "3: ", the number set to the right.
func taskLabel(s string) (rank, n int) {
	start := spaces(s, 0)
	i := start
	for i < len(s) && i < start+6 && ascii.IsDigit(s[i]) {
		i++
	}
	if i == start || i >= len(s) || s[i] != ':' || i+1 < len(s) && s[i+1] != ' ' {
		return 0, 0
	}
	return ascii.Number(s, start, i-start), i + 1
}

// originOf reads the name of a rank, a host, a pod or a file.
func originOf(name string) origin {
	if rank := rankWord(name); rank >= 0 {
		return origin{name: rankName(rank), rank: rank, local: -1}
	}
	if isFileName(name) {
		d := Document{Name: name, Rank: -1}
		layout(&d)
		return origin{name: name, task: d.Task, node: d.Node, job: d.Job, rank: d.Rank, local: -1, kind: d.Kind}
	}
	o := origin{name: name, task: taskIn(name), job: jobID(name), node: name, rank: -1, local: -1}
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
	if o.local >= 0 && (o.node == "" || o.task != "") {
		p.localRank(l, o.local)
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
		o = p.launch.origin(strings.Clone(label))
		if len(p.launch.names) < mostHosts {
			p.launch.names[strings.Clone(label)] = o
		}
	}
	p.from(l, o)
	if mark := p.launch.mark; mark != "" && strings.HasPrefix(s[len(label):], mark) {
		return len(label) + len(mark)
	}
	if p.launch.tight {
		return afterLabel(s, len(label))
	}
	return oneSpace(s, len(label))
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
