package source

import (
	"strings"

	"hcloud-modelarts/analyzer/ascii"
	"hcloud-modelarts/analyzer/source/stamp"
)

// levels maps what programs write to the words of Line.Level.
var levels = map[string]string{
	"DEBUG": "DEBUG", "TRACE": "TRACE", "INFO": "INFO", "NOTICE": "INFO", "EVENT": "INFO",
	"WARN": "WARN", "WARNING": "WARN", "ERROR": "ERROR", "ERR": "ERROR", "SEVERE": "ERROR",
	"CRITICAL": "CRITICAL", "FATAL": "FATAL", "PANIC": "FATAL",
}

const longestLevel = 8

// levelOf gives the level that a word means in any spelling, "" for another
// word.
func levelOf(s string) string {
	if len(s) < 3 || len(s) > longestLevel || strings.IndexByte("DTINEWSCFPdtinewscfp", s[0]) < 0 {
		return ""
	}
	var upper [longestLevel]byte
	for i := range len(s) {
		c := s[i]
		if ascii.IsSmall(c) {
			c -= 'a' - 'A'
		}
		upper[i] = c
	}
	return levels[string(upper[:len(s)])]
}

// glogLevel gives the level that a first letter of klog, glog and c10 means.
func glogLevel(c byte) string {
	switch c {
	case 'I':
		return "INFO"
	case 'W':
		return "WARN"
	case 'E':
		return "ERROR"
	case 'F':
		return "FATAL"
	}
	return ""
}

// afterTime takes the rest of a logging format off behind a time.
func (p *parser) afterTime(l *Line, s string, n int) int {
	n = separator(s, n)
	return n + p.levelFields(l, s[n:])
}

// separators stand between a time and what follows it.
var separators = []string{" - ", " | ", " >> ", ": ", " : ", "\t", "|"}

func separator(s string, n int) int {
	for _, mark := range separators {
		if strings.HasPrefix(s[n:], mark) {
			return n + len(mark)
		}
	}
	return oneSpace(s, n)
}

// levelFields takes LEVEL, [LEVEL], name - LEVEL -, LEVEL | name | and
// [LEVEL] [file:line:func] off; nothing when there is no level among the
// first fields, since a bare name may be the type of an exception.
func (p *parser) levelFields(l *Line, s string) int {
	n := threadName(s)
	for range 3 {
		word, m := field(s[n:])
		if m == 0 {
			return 0
		}
		if level := levelOf(word); level != "" && !sentence(s[n:], word) {
			if l.Level == "" {
				l.Level = level
			}
			if opensMessage(s[n:], word) {
				p.leveled = len(s) - n
			}
			return afterLevel(s, n+m)
		}
		if !marked(s[n+len(word):]) {
			return 0
		}
		n += m
	}
	return 0
}

// opensMessage reports whether the level at the start of s is followed by a colon:
// then it may as well be the message's own first word, as in pip's "ERROR: ".
func opensMessage(s, word string) bool {
	return strings.HasPrefix(s, word+":") || strings.HasPrefix(s, "["+word+"]:")
}

// sentence reports whether a word at the start of s only begins a message, as in
// "Fatal Python error": levels without a mark behind them are in capitals.
func sentence(s, word string) bool {
	return strings.HasPrefix(s, word+" ") && !marked(s[len(word):]) && word != strings.ToUpper(word)
}

// threadName is the length of "[MainThread] " before a level.
func threadName(s string) int {
	if !strings.HasPrefix(s, "[") {
		return 0
	}
	end := strings.Index(s, "] ")
	if end < 2 || end > longestField {
		return 0
	}
	n := spaces(s, end+1)
	word, _, _ := strings.Cut(s[n:], " ")
	if levelOf(s[1:end]) != "" || levelOf(word) == "" || word != strings.ToUpper(word) {
		return 0
	}
	return n
}

// marked says whether a mark stands behind a field, and not only a space.
func marked(s string) bool {
	if strings.HasPrefix(s, "\t") {
		return true
	}
	s = strings.TrimLeft(s, " ")
	return len(s) > 1 && (s[0] == '-' || s[0] == '|') && s[1] == ' '
}

const longestField = 64

// field reads one field of a logging format and the mark behind it. Brackets
// around a level do not count.
func field(s string) (word string, n int) {
	if strings.HasPrefix(s, "[") {
		end := strings.IndexByte(s, ']')
		if end < 0 || levelOf(strings.TrimSpace(s[1:end])) == "" {
			return "", 0
		}
		return strings.TrimSpace(s[1:end]), fieldEnd(s, end+1)
	}
	i := 0
	for i < len(s) && s[i] != ' ' && s[i] != '|' && s[i] != '\t' && !endsWord(s, i) {
		i++
		if i > longestField {
			return "", 0
		}
	}
	if i == 0 {
		return "", 0
	}
	return s[:i], fieldEnd(s, i)
}

// endsWord says whether a colon at s[i] ends a field, and is not within it as
// in file.py[line:12].
func endsWord(s string, i int) bool {
	return s[i] == ':' && (i+1 == len(s) || s[i+1] == ' ' || levelOf(s[:i]) != "")
}

// fieldEnd goes past the mark and the space behind a field.
func fieldEnd(s string, i int) int {
	if i < len(s) && (s[i] == ':' || s[i] == '\t') {
		return oneSpace(s, i+1)
	}
	j := spaces(s, i)
	if j+1 < len(s) && (s[j] == '-' || s[j] == '|') && s[j+1] == ' ' {
		return j + 2
	}
	return oneSpace(s, i)
}

// afterLevel takes what stands between a level and the text: the place in
// brackets, or a logger's name between marks.
func afterLevel(s string, n int) int {
	if n < len(s) && s[n] == '[' {
		end := strings.IndexByte(s[n:], ']')
		if end > 0 && strings.IndexByte(s[n:n+end], ':') > 0 && strings.IndexByte(s[n:n+end], ' ') < 0 {
			return oneSpace(s, n+end+1)
		}
		return n
	}
	i := n
	for i < len(s) && (ascii.IsWord(s[i]) || strings.IndexByte("._-:<>/", s[i]) >= 0) && i < n+longestField {
		i++
	}
	if i > n && s[n] != '/' && marked(s[i:]) && !namesFailure(s[n:i]) {
		return fieldEnd(s, i)
	}
	return n
}

// namesFailure keeps the type line of an exception from being taken for a
// logger's name.
func namesFailure(s string) bool {
	return strings.HasSuffix(s, "Error") || strings.HasSuffix(s, "Exception") || strings.HasSuffix(s, "Warning")
}

// levelFirst reads formats in which the level stands before the time: vLLM's
// "INFO 06-16 11:02:20 [core.py:12] ", "ERROR 2026-06-16 11:02:20,123 ".
func (p *parser) levelFirst(l *Line, s string) int {
	i := 0
	for i < len(s) && i <= longestLevel && s[i] >= 'A' && s[i] <= 'Z' {
		i++
	}
	level := levelOf(s[:i])
	if level == "" || i >= len(s) || s[i] != ' ' {
		return 0
	}
	i = spaces(s, i)
	st, n := stamp.Parse(strings.TrimPrefix(s[i:], "["))
	if n == 0 || !st.HasDate {
		return 0
	}
	if s[i] == '[' {
		n += 2
	}
	n += i
	if n > len(s) {
		return 0
	}
	l.Level = level
	p.setTime(l, st)
	return sourcePlace(s, separator(s, n))
}

// sourcePlace takes "[file.py:12] " or "file.py:12] " off.
func sourcePlace(s string, n int) int {
	end := strings.IndexByte(s[n:], ']')
	if end < 0 || end > longestField {
		return n
	}
	inner := strings.TrimPrefix(s[n:n+end], "[")
	i := strings.LastIndexByte(inner, ':')
	if i < 1 || strings.IndexByte(inner, ' ') >= 0 || i+1 == len(inner) || ascii.Number(inner, i+1, len(inner)-i-1) < 0 {
		return n
	}
	return oneSpace(s, n+end+1)
}

// klog reads the header of klog and glog: E0616 10:02:11.123456 1234 file:12] .
func (p *parser) klog(l *Line, s string) int {
	level := glogLevel(s[0])
	if level == "" {
		return 0
	}
	st, n := stamp.ParseGlog(s[1:])
	n++
	end := strings.Index(s, "] ")
	if n == 1 || !st.HasDate || end < n || end > n+120 {
		return 0
	}
	l.Level = level
	if l.PID == 0 {
		l.PID = leadingNumber(s[spaces(s, n):])
	}
	p.setTime(l, st)
	return end + 2
}

// levelInside reads the level of ERROR: text, ERROR:root:text, [ERROR] text
// [E file.cpp:1] text and NCCL INFO text, all of which stay in the text; and
// behind a time also that of name: [ERROR] text.
func levelInside(s string, dated bool) string {
	if len(s) < 5 {
		return ""
	}
	if s[0] == '[' {
		if s[2] == ' ' || ascii.IsDigit(s[2]) {
			if level := glogLevel(s[1]); level != "" {
				return level
			}
		}
		if level := levelWord(s[1:], ']'); level != "" {
			return level
		}
	}
	if level := levelWord(s, ':'); level != "" {
		return level
	}
	if dated {
		if i := strings.Index(s, " ["); i >= 0 && i < 100 {
			if level := levelWord(s[i+2:], ']'); level != "" {
				return level
			}
		}
	}
	return ncclLevel(s)
}

// ncclLevel reads the level of NCCL's "host:pid:tid [device] NCCL INFO ", which
// stays in the text. What it marks WARN are its errors, and have no level here.
func ncclLevel(s string) string {
	_, after, ok := strings.Cut(s[:min(len(s), 160)], "NCCL ")
	switch {
	case !ok:
		return ""
	case strings.HasPrefix(after, "INFO "):
		return "INFO"
	case strings.HasPrefix(after, "TRACE "):
		return "TRACE"
	}
	return ""
}

// levelWord reads a level in capitals that ends with a mark.
func levelWord(s string, mark byte) string {
	i := 0
	for i < len(s) && i <= longestLevel && s[i] >= 'A' && s[i] <= 'Z' {
		i++
	}
	if i < 3 || i >= len(s) || s[i] != mark {
		return ""
	}
	return levels[s[:i]]
}
