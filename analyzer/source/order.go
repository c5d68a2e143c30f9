package source

import (
	"slices"
	"strings"
	"time"

	"hcloud-modelarts/analyzer/source/charset"
)

// mark is what a line or a row tells of its place among the others: consoles of
// log services, journalctl -r, logcli and tac give the newest one first.
type mark struct {
	at    time.Time // zero when it tells no time
	zoned bool
	opens bool // a traceback begins here
	frame bool // a frame of one
}

func markOf(text string, at time.Time, zoned bool) mark {
	return mark{at, zoned, strings.Contains(text, "Traceback (most recent call last)"), strings.Contains(text, `  File "`)}
}

// leastFalls is how often times must fall, and never rise, before it is beyond
// doubt that the newest line stands first.
const leastFalls = 3

// falls takes the times of lines as they stand.
type falls struct {
	last  mark
	count int
	risen bool // or they cannot be compared
}

func (f *falls) add(m mark) {
	if m.at.IsZero() {
		return
	}
	if !f.last.at.IsZero() {
		switch c := m.at.Compare(f.last.at); {
		case c > 0 || m.zoned != f.last.zoned:
			f.risen = true
		case c < 0:
			f.count++
		}
	}
	f.last = m
}

func (f *falls) newestFirst() bool { return !f.risen && f.count >= leastFalls }

// oldestFirst gives the order in which lines that stand newest first were
// written. A line without a time belongs to the one above it, and what stands
// before the first time stays there; unless tracebacks stand upside down, as tac
// leaves them. Lines of one moment are turned as well, unless a traceback among
// them stands upright, as stores leave what they cannot tell apart.
func oldestFirst(marks []mark) []int {
	var s standing
	s.add(marks)
	return s.turn(marks)
}

// standing counts how tracebacks stand in lines that stand newest first: those
// whose lines have times of their own, and those of which all have one.
type standing struct{ upright, upside, tied, tiedUpside int }

func (s *standing) add(marks []mark) {
	for i := 1; i < len(marks); i++ {
		a, b := marks[i-1], marks[i]
		down, up := a.opens && b.frame, a.frame && b.opens
		switch same := a.at.Equal(b.at); {
		case !same && !a.at.IsZero() && !b.at.IsZero():
		case same && !a.at.IsZero():
			s.tied, s.tiedUpside = s.tied+count(down), s.tiedUpside+count(up)
		default:
			s.upright, s.upside = s.upright+count(down), s.upside+count(up)
		}
	}
}

func (s *standing) turn(marks []mark) []int {
	if s.upside > s.upright {
		order := make([]int, len(marks))
		for i := range order {
			order[i] = len(marks) - 1 - i
		}
		return order
	}
	return turned(marks, s.tied > s.tiedUpside)
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// turned reverses the groups of lines that begin with a time. together says that
// those of one moment are one group.
func turned(marks []mark, together bool) []int {
	order := make([]int, 0, len(marks))
	first := slices.IndexFunc(marks, func(m mark) bool { return !m.at.IsZero() })
	if first < 0 {
		first = len(marks)
	}
	for i := range first {
		order = append(order, i)
	}
	for end := len(marks); end > first; {
		start := end - 1
		for start > first && (marks[start].at.IsZero() || together && sameMoment(marks, start)) {
			start--
		}
		for i := start; i < end; i++ {
			order = append(order, i)
		}
		end = start
	}
	return order
}

// sameMoment says whether the line has the time of the timed line above it.
func sameMoment(marks []mark, at int) bool {
	above := at - 1
	for above > 0 && marks[above].at.IsZero() {
		above--
	}
	return marks[above].at.Equal(marks[at].at)
}

// marker reads what lines tell of their places, without telling anyone else.
type marker struct {
	p       parser
	doc     Document
	journal bool // it is journald's export
	entry   int  // where the entry begins
	marks   []mark
	falls   falls
}

// someYear completes times without a year, which only have to be compared.
var someYear = time.Date(2000, time.July, 1, 0, 0, 0, 0, time.UTC)

func newMarker(n launch, journal bool) *marker {
	m := &marker{p: parser{launch: n}, doc: Document{Rank: -1}, journal: journal}
	m.p.clock.Saw(someYear, false)
	return m
}

// add takes the next line.
func (m *marker) add(text string) {
	mark := m.read(charset.CleanText(strings.TrimRight(text, "\r\n")))
	m.marks = append(m.marks, mark)
	if !m.journal {
		m.falls.add(mark)
	}
}

func (m *marker) read(text string) mark {
	if m.journal && strings.HasPrefix(text, journalStart) {
		m.entry = len(m.marks)
		return mark{}
	}
	if m.journal {
		if rest, ok := strings.CutPrefix(text, journalTime); ok && m.entry < len(m.marks) {
			at, _ := epoch(rest)
			m.marks[m.entry] = mark{at: at, zoned: true}
			m.falls.add(m.marks[m.entry])
		}
		return mark{}
	}
	if mayBeRecord([]byte(text)) {
		r, _ := parseRecord([]byte(strings.TrimRight(text, " \t")))
		return markOf(r.text, r.time, r.zoned)
	}
	l := Line{Doc: &m.doc, Raw: text, Text: text, Rank: -1}
	m.p.prefixes(&l)
	return markOf(l.Text, l.Time, l.Zoned)
}

// newestFirst says whether the times at the beginning of a document fall.
func (d *reading) newestFirst(head []byte) bool {
	if d.doc.Kind == Answer || d.doc.Kind == Ticket || d.export != nil {
		return false
	}
	m, dec := newMarker(d.launch, d.journal != nil), d.dec // a copy: it learns from what it decodes
	for line := range strings.Lines(string(dec.Decode(head))) {
		if m.add(line); m.falls.risen {
			return false
		}
	}
	return m.falls.newestFirst()
}

// mostTurned bounds the memory of a document that is held to be handed on the
// other way round; a line takes some beside its bytes.
const (
	mostTurned = 64 << 20
	lineCost   = 128
)

// turn hands on the lines of a document whose beginning stands newest first: the
// oldest one first when all of it does, else as they stand.
func (d *reading) turn() {
	m := newMarker(d.launch, d.journal != nil)
	var held []physical
	var p physical
	out, size := found, 0
	for size < mostTurned && !m.falls.risen {
		if p, out = d.in.next(d.s.lim.Line); out != found {
			break
		}
		held = append(held, p.clone())
		size += len(p.stored) + lineCost
		m.add(string(d.dec.Decode(p.stored)))
	}
	switch {
	case m.falls.risen:
	case out == ended:
		d.s.note(d.doc.Name, "newest-first")
		for _, i := range oldestFirst(m.marks) {
			d.physical(held[i])
		}
		return
	default:
		d.s.note(d.doc.Name, "newest-first-long")
	}
	for _, p := range held {
		d.physical(p)
	}
}

// inWrittenOrder gives the lines of a field's text with their numbers, the oldest first
// when the newest stands first.
func inWrittenOrder(text string, n launch) func(yield func(int, string) bool) {
	m := newMarker(n, false)
	for line := range strings.Lines(text) {
		if m.add(line); m.falls.risen {
			break
		}
	}
	if !m.falls.newestFirst() {
		return func(yield func(int, string) bool) {
			for number := 1; text != ""; number++ {
				line, rest, _ := strings.Cut(text, "\n")
				if text = rest; !yield(number, line) {
					return
				}
			}
		}
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	return func(yield func(int, string) bool) {
		for _, i := range oldestFirst(m.marks) {
			if !yield(i+1, lines[i]) {
				return
			}
		}
	}
}

// rowsInOrder turns rows that stand newest first.
func rowsInOrder[T any](rows []T, of func(*T) *record) []T {
	marks, falls := rowMarks(rows, of)
	if falls <= 0 {
		return rows
	}
	return arranged(rows, oldestFirst(marks))
}

// rowMarks reads what rows tell of their places, and how often more their times
// fall than rise.
func rowMarks[T any](rows []T, of func(*T) *record) (marks []mark, falls int) {
	marks = make([]mark, len(rows))
	for i := range rows {
		r := of(&rows[i])
		marks[i] = markOf(r.text, r.time, r.zoned)
		if i > 0 && !marks[i].at.IsZero() && !marks[i-1].at.IsZero() {
			falls += marks[i-1].at.Compare(marks[i].at)
		}
	}
	return marks, falls
}

func arranged[T any](rows []T, order []int) []T {
	out := make([]T, len(rows))
	for to, from := range order {
		out[to] = rows[from]
	}
	return out
}
