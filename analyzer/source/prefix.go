package source

import (
	"strconv"
	"strings"
)

// parser takes prefixes off the lines of one document.
type parser struct {
	clock   clock
	launch  launch // what the document's lines begin with, told from its head
	streams map[[2]string]string
}

// launch says which prefixes may be taken that would be ambiguous on a line by
// itself.
type launch struct {
	taskNumber bool // srun --label
	hostName   bool // pdsh
}

// mostPrefixes bounds how many prefixes are taken off one line.
const mostPrefixes = 8

// prefixes fills the line's Text and the facts that its prefixes tell.
func (p *parser) prefixes(l *Line) {
	text := l.Raw
	for range mostPrefixes {
		n := p.one(l, text)
		if n == 0 {
			break
		}
		text = text[n:]
	}
	l.Text = text
	p.facts(l)
}

// one takes one prefix off and gives its length, 0 when there is none.
func (p *parser) one(l *Line, s string) int {
	if len(s) < 3 {
		return 0
	}
	switch c := s[0]; {
	case c == '[':
		return p.bracket(l, s)
	case c == '(':
		return p.ray(l, s)
	case isDigit(c):
		return p.digits(l, s)
	case c >= 'A' && c <= 'Z':
		return p.named(l, s)
	case c == 't' && strings.HasPrefix(s, `time="`):
		return p.logfmt(l, s)
	case c == 'w' && strings.HasPrefix(s, "worker-"):
		return p.worker(l, s)
	}
	return 0
}

// stream adds a part to the key of the line's stream.
func (p *parser) stream(l *Line, part string) {
	if l.Stream == "" {
		l.Stream = part
		return
	}
	key := [2]string{l.Stream, part}
	joined, ok := p.streams[key]
	if !ok {
		joined = l.Stream + "/" + part
		if p.streams == nil {
			p.streams = map[[2]string]string{}
		}
		if len(p.streams) < 4096 {
			p.streams[key] = joined
		}
	}
	l.Stream = joined
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

func (p *parser) bracket(l *Line, s string) int {
	end := strings.IndexByte(s, ']')
	if end < 0 {
		return 0
	}
	inner := s[1:end]
	rest := s[end+1:]
	switch {
	case inner == "":
		return 0
	case strings.EqualFold(inner, "ModelArts Service Log"):
		l.Platform = true
		return p.service(l, s, end+1)
	case strings.HasPrefix(rest, ":"):
		if p.rankLabel(l, inner) {
			return afterLabel(s, end+2)
		}
	case strings.HasPrefix(rest, "<std"):
		return p.mpi(l, s, inner, end+1)
	case strings.HasPrefix(inner, "pod/"):
		p.pod(l, inner)
		return oneSpace(s, end+1)
	}
	if st, n := parseStamp(inner); n > 0 && !l.hasTime() {
		p.setTime(l, st)
		return p.afterTime(l, s, end+1)
	}
	return p.levelBracket(l, s, inner, end+1)
}

func (l *Line) hasTime() bool { return !l.Time.IsZero() }

// setTime keeps the first time of a line, which is the outermost: a
// collector's clock is better known than the program's.
func (p *parser) setTime(l *Line, st stamp) {
	if t, zoned := p.clock.resolve(st); !t.IsZero() && l.Time.IsZero() {
		l.Time, l.Zoned = t, zoned
	}
}

var rankNames = func() (names [1024]string) {
	for i := range names {
		names[i] = "rank" + strconv.Itoa(i)
	}
	return names
}()

func rankName(n int) string {
	if n < len(rankNames) {
		return rankNames[n]
	}
	return "rank" + strconv.Itoa(n)
}

// elasticRoles are the names that torchelastic's default log prefix
// ([role][local rank]) begins with.
var elasticRoles = []string{"default", "worker", "trainer", "node"}

// rankLabel reads the inside of [rank3]: or [default0]:.
func (p *parser) rankLabel(l *Line, inner string) bool {
	if n := digitsAfter(inner, "rank"); n >= 0 {
		l.Rank = n
		p.stream(l, rankName(n))
		return true
	}
	for _, role := range elasticRoles {
		if n := digitsAfter(inner, role); n >= 0 {
			p.localRank(l, n)
			p.stream(l, inner)
			return true
		}
	}
	return false
}

// localRank sets the rank from the rank within a node, which are the same on
// the first node only.
func (p *parser) localRank(l *Line, n int) {
	if l.Task == "" || strings.HasSuffix(l.Task, "-0") {
		l.Rank = n
	}
}

// digitsAfter gives the number behind word when s is nothing else, else -1.
func digitsAfter(s, word string) int {
	if len(s) <= len(word) || len(s) > len(word)+6 || !strings.EqualFold(s[:len(word)], word) {
		return -1
	}
	return number(s, len(word), len(s)-len(word))
}

// mpi reads mpirun's [job,rank]<stderr>: and Horovod's [rank]<stderr>:.
func (p *parser) mpi(l *Line, s, inner string, i int) int {
	end := strings.IndexByte(s[i:], ':')
	if end < 0 || end > 10 || s[i+end-1] != '>' {
		return 0
	}
	digits := inner[strings.LastIndexAny(inner, ",")+1:]
	n := number(digits, 0, len(digits))
	if n < 0 || len(digits) > 6 {
		return 0
	}
	l.Rank = n
	p.stream(l, rankName(n))
	return afterLabel(s, i+end+1)
}

// pod reads kubectl's pod/<name>/<container>.
func (p *parser) pod(l *Line, inner string) {
	name, _, _ := strings.Cut(strings.TrimPrefix(inner, "pod/"), "/")
	if task := taskIn(name); task != "" {
		l.Task = task
	}
	p.stream(l, inner)
}

// service reads what follows [ModelArts Service Log].
func (p *parser) service(l *Line, s string, n int) int {
	if i := strings.LastIndex(s, " at 20"); i >= 0 {
		if st, m := parseStamp(s[i+4:]); m > 0 {
			p.setTime(l, st)
		}
	}
	return oneSpace(s, n)
}

// levels maps what programs write to the words of Line.Level.
var levels = map[string]string{
	"DEBUG": "DEBUG", "TRACE": "TRACE", "INFO": "INFO", "NOTICE": "INFO", "EVENT": "INFO",
	"WARN": "WARN", "WARNING": "WARN", "ERROR": "ERROR", "ERR": "ERROR", "SEVERE": "ERROR",
	"CRITICAL": "CRITICAL", "FATAL": "FATAL", "PANIC": "FATAL",
}

const longestLevel = 8

func levelOf(s string) string {
	if len(s) < 3 || len(s) > longestLevel {
		return ""
	}
	if level, ok := levels[s]; ok {
		return level
	}
	return levels[strings.ToUpper(s)]
}

// levelBracket reads what begins with a level in brackets: Ascend's and
// MindSpore's [ERROR] HCCL(pid,name):time [file:line], torch_npu's
// [ERROR] time (PID:1, Device:0, RankID:0), transformers' [INFO|file:line].
func (p *parser) levelBracket(l *Line, s, inner string, n int) int {
	word, where, piped := strings.Cut(inner, "|")
	level := levelOf(word)
	if level == "" {
		return 0
	}
	if l.Level == "" {
		l.Level = level
	}
	if piped {
		if st, m := parseStamp(strings.TrimLeft(s[n:], " ")); m > 0 && where != "" {
			p.setTime(l, st)
			n = len(s) - len(strings.TrimLeft(s[n:], " ")) + m
			n += len(s[n:]) - len(strings.TrimPrefix(s[n:], " >>"))
			return oneSpace(s, n)
		}
		return 0
	}
	if m := p.ascend(l, s, n); m > 0 {
		return m
	}
	if m := p.torchNPU(l, s, n); m > 0 {
		return m
	}
	if l.Platform || l.hasTime() {
		if strings.HasPrefix(s[n:], ":") {
			n++
		}
		return oneSpace(s, n)
	}
	return 0
}

// ascend reads MODULE(pid,name):time [file:line] behind the level.
func (p *parser) ascend(l *Line, s string, n int) int {
	i := n
	for i < len(s) && s[i] == ' ' {
		i++
	}
	j := i
	for j < len(s) && (isWord(s[j]) || s[j] == '_') {
		j++
	}
	if j == i || j >= len(s) || s[j] != '(' {
		return 0
	}
	k := strings.IndexByte(s[j:], ')')
	if k < 0 || k > 80 {
		return 0
	}
	k += j
	if k+1 >= len(s) || s[k+1] != ':' {
		return 0
	}
	st, m := parseStamp(s[k+2:])
	if m == 0 {
		return 0
	}
	p.setTime(l, st)
	l.PID = leadingNumber(s[j+1 : k])
	l.Kind = deviceUnlessText(l.Kind)
	end := k + 2 + m
	return p.place(s, end)
}

// deviceUnlessText makes a log line a line of the device's log.
func deviceUnlessText(k Kind) Kind {
	if k == Log {
		return Device
	}
	return k
}

// place takes " [file:line]" off, and the space behind it.
func (p *parser) place(s string, n int) int {
	i := oneSpace(s, n)
	if i >= len(s) || s[i] != '[' {
		return i
	}
	j := strings.IndexByte(s[i:], ']')
	if j < 0 || strings.IndexByte(s[i:i+j], ':') < 0 {
		return i
	}
	return oneSpace(s, i+j+1)
}

func leadingNumber(s string) int {
	i := 0
	for i < len(s) && isDigit(s[i]) && i < 9 {
		i++
	}
	if i == 0 {
		return 0
	}
	return number(s, 0, i)
}

// torchNPU reads time (PID:1, Device:0, RankID:0) behind the level.
func (p *parser) torchNPU(l *Line, s string, n int) int {
	i := oneSpace(s, n)
	st, m := parseStamp(s[i:])
	if m == 0 || !strings.HasPrefix(s[i+m:], " (PID:") {
		return 0
	}
	i += m
	end := strings.IndexByte(s[i:], ')')
	if end < 0 {
		return 0
	}
	p.setTime(l, st)
	facts := s[i : i+end]
	l.PID = leadingNumber(facts[len(" (PID:"):])
	if j := strings.Index(facts, "RankID:"); j >= 0 && j+7 < len(facts) && isDigit(facts[j+7]) {
		l.Rank = leadingNumber(facts[j+7:])
	}
	return oneSpace(s, i+end+1)
}

// ray reads (RayTrainWorker pid=123, ip=172.16.0.71).
func (p *parser) ray(l *Line, s string) int {
	end := strings.IndexByte(s, ')')
	if end < 0 || end > 120 {
		return 0
	}
	i := strings.Index(s[:end], "pid=")
	if i < 0 || i > 1 && s[i-1] != ' ' && s[i-1] != '(' {
		return 0
	}
	if l.PID == 0 {
		l.PID = leadingNumber(s[i+4 : end])
	}
	if j := strings.Index(s[:end], "ip="); j >= 0 && l.Node == "" {
		l.Node = strings.TrimRight(s[j+3:end], " ,")
	}
	p.stream(l, s[1:end])
	return oneSpace(s, end+1)
}

// digits reads what begins with a digit: times, and srun's task numbers.
func (p *parser) digits(l *Line, s string) int {
	if p.launch.taskNumber && l.Stream == "" {
		i := 0
		for i < len(s) && i < 6 && isDigit(s[i]) {
			i++
		}
		if i < len(s) && s[i] == ':' && (i+1 == len(s) || s[i+1] == ' ') {
			l.Rank = number(s, 0, i)
			p.stream(l, rankName(l.Rank))
			return oneSpace(s, i+1)
		}
	}
	st, n := parseStamp(s)
	if n == 0 || n < len(s) && (isWord(s[n]) || s[n] == '%') {
		return 0
	}
	p.setTime(l, st)
	return p.afterTime(l, s, n)
}

// afterTime takes the rest of a logging format off behind a time.
func (p *parser) afterTime(l *Line, s string, n int) int {
	n = p.separator(s, n)
	rest := s[n:]
	if m := p.levelFields(l, rest); m > 0 {
		return n + m
	}
	return n
}

// separator goes past what stands between a time and the text: one space, or
// a mark with spaces around it.
func (p *parser) separator(s string, n int) int {
	for _, mark := range []string{" - ", " | ", " >> ", ": ", " : "} {
		if strings.HasPrefix(s[n:], mark) {
			return n + len(mark)
		}
	}
	return oneSpace(s, n)
}

// levelFields takes LEVEL, [LEVEL], name - LEVEL -, LEVEL | name | and
// [LEVEL] [file:line:func] off.
func (p *parser) levelFields(l *Line, s string) int {
	n := 0
	for range 3 {
		word, m := field(s[n:])
		if m == 0 {
			return 0
		}
		if level := levelOf(word); level != "" {
			if l.Level == "" {
				l.Level = level
			}
			return p.afterLevel(s, n+m)
		}
		if !marked(s[n+len(word):]) {
			return 0
		}
		n += m
	}
	return 0
}

// marked says whether a field ends with a mark, and not only with a space.
func marked(s string) bool {
	s = strings.TrimLeft(s, " ")
	return s != "" && (s[0] == '-' || s[0] == '|') && len(s) > 1 && s[1] == ' '
}

// field reads one field of a logging format and the mark behind it. Brackets
// around it do not count.
func field(s string) (word string, n int) {
	if strings.HasPrefix(s, "[") {
		end := strings.IndexByte(s, ']')
		if end < 0 || levelOf(strings.TrimSpace(s[1:end])) == "" {
			return "", 0
		}
		return strings.TrimSpace(s[1:end]), fieldEnd(s, end+1)
	}
	i := 0
	for i < len(s) && s[i] != ' ' && s[i] != ':' && s[i] != '|' {
		i++
		if i > 64 {
			return "", 0
		}
	}
	if i == 0 {
		return "", 0
	}
	return s[:i], fieldEnd(s, i)
}

// fieldEnd goes past the mark and the space behind a field.
func fieldEnd(s string, i int) int {
	if i < len(s) && s[i] == ':' {
		return oneSpace(s, i+1)
	}
	j := i
	for j < len(s) && s[j] == ' ' {
		j++
	}
	if j+1 < len(s) && (s[j] == '-' || s[j] == '|') && s[j+1] == ' ' {
		return j + 2
	}
	return oneSpace(s, i)
}

// afterLevel takes what stands between a level and the text: the place in
// brackets, or a logger's name between marks.
func (p *parser) afterLevel(s string, n int) int {
	if n < len(s) && s[n] == '[' {
		end := strings.IndexByte(s[n:], ']')
		if end > 0 && strings.Count(s[n:n+end], ":") >= 1 && !strings.ContainsAny(s[n:n+end], " ") {
			return oneSpace(s, n+end+1)
		}
		return n
	}
	i := n
	for i < len(s) && (isWord(s[i]) || strings.IndexByte("._-:<>", s[i]) >= 0) && i < n+64 {
		i++
	}
	if i > n && marked(s[i:]) && !namesFailure(s[n:i]) {
		return fieldEnd(s, i)
	}
	return n
}

// namesFailure keeps the type line of an exception from being taken for a
// logger's name.
func namesFailure(s string) bool {
	return strings.HasSuffix(s, "Error") || strings.HasSuffix(s, "Exception") || strings.HasSuffix(s, "Warning")
}

// named reads what begins with a capital letter: syslog's and ctime's times.
func (p *parser) named(l *Line, s string) int {
	if len(s) < 16 || s[3] != ' ' {
		return 0
	}
	st, n := parseNamed(s)
	if n == 0 {
		return 0
	}
	p.setTime(l, st)
	n = oneSpace(s, n)
	return n + p.syslog(l, s[n:])
}

// syslog reads "host tag[pid]: " behind the time.
func (p *parser) syslog(l *Line, s string) int {
	host, rest, ok := strings.Cut(s, " ")
	if !ok || host == "" || strings.HasSuffix(host, ":") {
		return 0
	}
	colon := strings.Index(rest, ": ")
	if colon <= 0 {
		if colon = len(rest) - 1; colon < 0 || rest[colon] != ':' {
			return 0
		}
	}
	tag := rest[:colon]
	if strings.ContainsAny(tag, " \t") || len(tag) > 80 {
		return 0
	}
	l.Node = host
	program, pid, hasPID := strings.Cut(tag, "[")
	if hasPID {
		l.PID = leadingNumber(pid)
	}
	n := len(host) + 1 + colon + 1
	n = oneSpace(s, n)
	if program == "kernel" {
		l.Kind = Kernel
		return n + uptime(s[n:])
	}
	p.stream(l, s[:len(host)+1+colon])
	return n
}

// uptime is the length of the kernel's "[98122.310442] ".
func uptime(s string) int {
	if !strings.HasPrefix(s, "[") {
		return 0
	}
	end := strings.IndexByte(s, ']')
	if end < 0 || end > 20 {
		return 0
	}
	dot := false
	for _, c := range []byte(strings.TrimLeft(s[1:end], " ")) {
		switch {
		case c == '.':
			dot = true
		case !isDigit(c):
			return 0
		}
	}
	if !dot {
		return 0
	}
	return oneSpace(s, end+1)
}

// logfmt reads time="…" level=…
func (p *parser) logfmt(l *Line, s string) int {
	st, n := parseStamp(s[len(`time="`):])
	if n == 0 {
		return 0
	}
	p.setTime(l, st)
	n = oneSpace(s, n+len(`time="`)+1)
	if n > len(s) {
		return 0
	}
	if strings.HasPrefix(s[n:], "level=") {
		word, _, _ := strings.Cut(s[n+len("level="):], " ")
		l.Level = levelOf(word)
		n = oneSpace(s, n+len("level=")+len(word))
	}
	return n
}

// worker reads DeepSpeed's and pdsh's "worker-1: ".
func (p *parser) worker(l *Line, s string) int {
	task := taskIn(s[:min(len(s), len("worker-")+6)])
	n := len(task)
	if n == 0 || !strings.HasPrefix(s, task) || n >= len(s) || s[n] != ':' {
		return 0
	}
	l.Task = task
	p.stream(l, task)
	return oneSpace(s, n+1)
}

// facts reads what the text itself tells without being a prefix.
func (p *parser) facts(l *Line) {
	s := l.Text
	if len(s) > 200 {
		s = s[:200]
	}
	if l.Level == "" {
		l.Level = leadingLevel(s)
	}
	if l.Rank < 0 {
		l.Rank = rankInside(s)
	}
	if !l.Platform && strings.Contains(l.Raw, "Platform=ModelArts-Service") {
		l.Platform = true
	}
	if len(s) > 20 && s[0] == '[' && !l.hasTime() {
		p.nativeTime(l, s)
	}
}

// nativeTime reads the time of [E616 10:02:11.100 ProcessGroupNCCL.cpp:1250],
// which stays in the text since it is how such lines are known.
func (p *parser) nativeTime(l *Line, s string) {
	i := strings.IndexByte(s, ' ')
	if i < 2 || i > 6 || strings.IndexByte("IWEF", s[1]) < 0 {
		return
	}
	st := stamp{}
	if n := st.clock(s, i+1); n == 0 {
		return
	}
	if date := s[2:i]; len(date) >= 3 && number(date, 0, len(date)) > 0 {
		st.year = -1
		st.month, st.day = number(date, 0, len(date)-2), number(date, len(date)-2, 2)
		if !st.setDate() {
			return
		}
	}
	p.setTime(l, st)
}

// leadingLevel reads the level of ERROR: text, ERROR:root:text, [ERROR] text
// and [E file.cpp:1] text, all of which stay in the text.
func leadingLevel(s string) string {
	if len(s) < 5 {
		return ""
	}
	if s[0] == '[' {
		switch {
		case s[1] == 'E' && (s[2] == ' ' || isDigit(s[2])):
			return "ERROR"
		case s[1] == 'W' && (s[2] == ' ' || isDigit(s[2])):
			return "WARN"
		}
		s = s[1:]
	}
	i := 0
	for i < len(s) && i <= longestLevel && s[i] >= 'A' && s[i] <= 'Z' {
		i++
	}
	if i < 3 || i >= len(s) || s[i] != ':' && s[i] != ']' {
		return ""
	}
	return levelOf(s[:i])
}

// rankInside reads [rank 5] and [Rank 5], as programs write into their lines.
func rankInside(s string) int {
	for from := 0; ; {
		i := strings.Index(s[from:], "ank ")
		if i < 0 {
			return -1
		}
		i += from
		if i >= 2 && s[i-2] == '[' && (s[i-1] == 'r' || s[i-1] == 'R') {
			j := i + len("ank ")
			k := j
			for k < len(s) && isDigit(s[k]) && k < j+6 {
				k++
			}
			if k > j && k < len(s) && s[k] == ']' {
				return number(s, j, k-j)
			}
		}
		from = i + 4
	}
}
