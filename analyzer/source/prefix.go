package source

import (
	"strings"

	"hcloud-modelarts/analyzer/ascii"
	"hcloud-modelarts/analyzer/source/stamp"
)

// parser takes prefixes off the lines of one document: those of launchers and
// collectors first, then times and levels, in whatever order they come.
type parser struct {
	clock   stamp.Clock
	launch  launch
	leveled int                  // length of the line from its level on, when that may belong to the message
	section *origin              // what the last heading said of the lines below it
	files   map[string]origin    // that a collector read the lines from
	streams map[[2]string]string // by the key so far and the part added to it, so that lines share them
}

// mostPrefixes bounds how many prefixes are taken off one line.
const mostPrefixes = 8

// prefixes fills the line's Text and the facts that its prefixes tell. What
// stands behind a prefix keeps its indentation.
func (p *parser) prefixes(l *Line) {
	text := l.Text
	if p.launch.form == lineNumber {
		text = text[p.launch.numbered(text):]
	}
	p.headed(l, text)
	p.leveled = 0
	for range mostPrefixes {
		n := p.one(l, text)
		if n == 0 {
			break
		}
		text = text[n:]
	}
	if p.leveled > len(text) {
		l.Leveled = strings.TrimRight(l.Text[len(l.Text)-p.leveled:], " \t")
	}
	l.Text = strings.TrimRight(text, " \t")
	p.facts(l)
}

// one gives the length of the prefix at the start of s, 0 when there is none.
// It decides by the first byte whether a prefix can begin at all.
func (p *parser) one(l *Line, s string) int {
	if len(s) < 3 {
		return 0
	}
	if p.launch.labels() && l.Stream == "" {
		if n := p.launched(l, s); n > 0 {
			return n
		}
	}
	switch c := s[0]; {
	case c == '[':
		return p.bracket(l, s)
	case c == ' ' && strings.HasPrefix(s, " [20") && !l.hasTime(): // Megatron-LM's " [2026-08-12 09:06:00] iteration 30/ 2000"
		if n := p.bracket(l, s[1:]); l.hasTime() {
			return 1 + n
		}
	case c == '(':
		return p.ray(l, s)
	case c == '<':
		return p.priority(l, s)
	case c == '{':
		return p.selector(l, s)
	case ascii.IsDigit(c):
		return p.dated(l, s)
	case c >= 'A' && c <= 'Z':
		return p.capital(l, s)
	case c == 't':
		return p.logfmt(l, s)
	case c == 'w':
		return p.worker(l, s)
	case c == 'm' && strings.HasPrefix(s, "modelarts-job-"):
		return p.podName(l, s)
	case (c == 'k' || c == 'u' || c == 'd' || c == 'a' || c == 's' || c == 'c' || c == 'm') && !l.hasTime():
		return p.facility(l, s)
	}
	return 0
}

// mostStreams bounds the streams of one document: beyond it, lines of further
// ones are taken for lines of the document itself.
const mostStreams = 4096

// stream adds a part to the key of the line's stream.
func (p *parser) stream(l *Line, part string) {
	id := [2]string{l.Stream, part}
	key, ok := p.streams[id]
	if !ok {
		if len(p.streams) >= mostStreams {
			return
		}
		id = [2]string{strings.Clone(l.Stream), strings.Clone(part)}
		key = id[1]
		if l.Stream != "" {
			key = l.Stream + "/" + part
		}
		if p.streams == nil {
			p.streams = map[[2]string]string{}
		}
		p.streams[id] = key
	}
	l.Stream = key
}

// afterLabel is the length of a label with the space that its program puts
// behind it. Some put none, and the text may be indented: since Python indents
// by even numbers, an odd number of spaces has the label's own among them.
func afterLabel(s string, n int) int {
	spaces := 0
	for n+spaces < len(s) && s[n+spaces] == ' ' {
		spaces++
	}
	return n + spaces%2
}

func oneSpace(s string, n int) int {
	if n < len(s) && s[n] == ' ' {
		return n + 1
	}
	return n
}

func spaces(s string, n int) int {
	for n < len(s) && s[n] == ' ' {
		n++
	}
	return n
}

// bracket reads what begins with a bracket.
func (p *parser) bracket(l *Line, s string) int {
	end := strings.IndexByte(s, ']')
	if end <= 1 {
		return 0
	}
	inner, rest := s[1:end], s[end+1:]
	switch {
	case isService(s):
		return p.service(l, s, end+1)
	case strings.HasPrefix(rest, ":") && p.rankLabel(l, inner):
		return afterLabel(s, end+2)
	case strings.HasPrefix(inner, "modelarts-job-") && strings.HasPrefix(rest, " "):
		return p.bracketPod(l, s, inner, end+1)
	case strings.HasPrefix(rest, "<std"):
		return p.mpi(l, s, inner, end+1)
	case withHost(rest) > 0:
		return p.mpi(l, s, inner, end+1+withHost(rest))
	case strings.HasPrefix(inner, "pod/"):
		p.pod(l, inner)
		return oneSpace(s, end+1)
	}
	if st, n := stamp.Parse(inner); n > 0 && !l.hasTime() {
		return p.bracketTime(l, s, st, n, end+1)
	}
	if n := uptime(s); n > 0 {
		l.Kind = kernelLine(l.Kind)
		return n
	}
	return p.levelBracket(l, s, inner, end+1)
}

// bracketTime reads [2026-06-16 11:02:20,882] and, as detectron2 and many
// others write it, [06/16 11:02:20 name]: with a name behind the time.
func (p *parser) bracketTime(l *Line, s string, st stamp.Time, n, end int) int {
	if inside := s[1+n : end-1]; len(inside) > 0 && inside[0] != ' ' && inside[0] != ',' && inside[0] != '|' && inside[0] != ']' {
		return 0
	}
	for word := range strings.FieldsSeq(s[1+n : end-1]) {
		if level := levelOf(word); level != "" && l.Level == "" {
			l.Level = level
		}
	}
	p.setTime(l, st)
	return p.afterTime(l, s, end)
}

func (l *Line) hasTime() bool { return !l.Time.IsZero() }

// setTime keeps the first time of a line, which is the outermost: a
// collector's clock is better known than the program's.
func (p *parser) setTime(l *Line, st stamp.Time) {
	if l.hasTime() {
		return
	}
	if t, zoned := p.clock.Resolve(st); !t.IsZero() {
		l.Time, l.Zoned = t, zoned
	}
}

// service reads what follows [ModelArts Service Log].
func (p *parser) service(l *Line, s string, n int) int {
	l.Platform = true
	if i := strings.LastIndex(s, " at 20"); i >= 0 {
		if st, m := stamp.Parse(s[i+len(" at "):]); m > 0 {
			p.setTime(l, st)
		}
	}
	return oneSpace(s, n)
}

// dated reads what begins with a digit: times.
func (p *parser) dated(l *Line, s string) int {
	st, n := stamp.Parse(s)
	if n == 0 || n < len(s) && (ascii.IsWord(s[n]) || strings.IndexByte("%<?/", s[n]) >= 0) {
		return 0
	}
	if !st.HasDate && (l.hasTime() || !plainClock(s, n)) {
		return 0
	}
	p.setTime(l, st)
	if st.HasDate {
		if m := p.collected(l, s, n); m > 0 {
			return m
		}
	}
	return p.afterTime(l, s, n)
}

// plainClock keeps a duration in a line's text from being taken for its time.
func plainClock(s string, n int) bool {
	return n < len(s) && (s[n] == ' ' || s[n] == ']' || s[n] == ':') && n >= 8
}

// capital reads what begins with a capital letter: the times of syslog, ctime
// and klog, and levels that stand before a time.
func (p *parser) capital(l *Line, s string) int {
	if len(s) < 12 {
		return 0
	}
	if s[3] == ' ' && len(s) > 16 {
		if st, n := stamp.ParseNamed(s); n > 0 {
			p.setTime(l, st)
			n = oneSpace(s, n)
			return n + p.syslog(l, s[n:])
		}
	}
	if ascii.IsDigit(s[1]) {
		return p.klog(l, s)
	}
	return p.levelFirst(l, s)
}

// facts reads what the text itself tells without being a prefix.
func (p *parser) facts(l *Line) {
	s := l.Text
	if len(s) > 200 {
		s = s[:200]
	}
	if l.Level == "" {
		l.Level = levelInside(s, l.hasTime())
	}
	if l.Rank < 0 {
		l.Rank = rankInside(s)
	}
	if !l.Platform && strings.Contains(l.Raw, "Platform=ModelArts-Service") {
		l.Platform = true
	}
	if len(s) > 20 && !l.hasTime() {
		switch c := s[0]; {
		case c == '[' && s[1] == 'P':
			p.cannTime(l, s, 0)
		case c == '[':
			p.nativeTime(l, s)
		case c == 'E' && s[1] >= 'A' && s[1] <= 'Z':
			if n := cannCode(s); n > 0 {
				p.cannTime(l, s, n)
			}
		}
	}
}

// nativeTime reads the time of [E616 10:02:11.100 ProcessGroupNCCL.cpp:1250],
// which stays in the text since it is how such lines are known.
func (p *parser) nativeTime(l *Line, s string) {
	i := strings.IndexByte(s, ' ')
	if i < 2 || i > 6 || strings.IndexByte("IWEF", s[1]) < 0 {
		return
	}
	if st, n := stamp.ParseGlog(s[2:]); n > 0 {
		p.setTime(l, st)
	}
}

const serviceMark = "[ModelArts Service Log]"

// isService says whether the platform printed a line, in any spelling that it
// has had.
func isService(s string) bool {
	return len(s) >= len(serviceMark) && strings.EqualFold(s[:len(serviceMark)], serviceMark)
}

// headed gives a line what the heading above it tells.
func (p *parser) headed(l *Line, s string) {
	if o, ok := heading(s); ok {
		section := o // a copy, so that other lines allocate nothing
		p.section = &section
	}
	if p.section != nil {
		p.from(l, *p.section)
	}
}
