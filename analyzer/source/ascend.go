package source

import (
	"strings"

	"hcloud-modelarts/analyzer/ascii"
	"hcloud-modelarts/analyzer/source/stamp"
)

// levelBracket reads what begins with a level in brackets: Ascend's and
// MindSpore's [ERROR] HCCL(pid,name):time [file:line], torch_npu's
// [ERROR] time (PID:1, Device:0, RankID:0), transformers' [INFO|file:line].
func (p *parser) levelBracket(l *Line, s, inner string, n int) int {
	word, _, piped := strings.Cut(inner, "|")
	level := levelOf(word)
	if level == "" {
		return 0
	}
	if l.Level == "" {
		l.Level = level
	}
	if piped {
		return p.transformers(l, s, n)
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

// transformers reads the time and ">>" behind [INFO|trainer.py:1].
func (p *parser) transformers(l *Line, s string, n int) int {
	i := spaces(s, n)
	st, m := stamp.Parse(s[i:])
	if m == 0 {
		return 0
	}
	p.setTime(l, st)
	return separator(s, i+m)
}

// cannCode is the length of a code of CANN's with what parts it from the text,
// as in "EI0002: ", 0 when s begins with none.
func cannCode(s string) int {
	const length = len("EI0002")
	if len(s) < length+2 || ascii.Number(s, 2, length-2) < 0 || s[length] != ':' {
		return 0
	}
	return oneSpace(s, length+1)
}

// cannTime reads the process and the time of "EI0002: [PID: 2310]
// 2026-01-09-06:45:00.118.402 …", which CANN's messages have within their text.
func (p *parser) cannTime(l *Line, s string, n int) {
	const mark = "[PID: "
	if rest, ok := strings.CutPrefix(s[n:], mark); ok {
		end := strings.IndexByte(rest, ']')
		if end < 0 {
			return
		}
		if l.PID == 0 {
			l.PID = leadingNumber(rest)
		}
		n = oneSpace(s, n+len(mark)+end+1)
	}
	if st, m := stamp.Parse(s[n:]); m > 0 && st.HasDate {
		p.setTime(l, st)
	}
}

// ascend reads MODULE(pid,name):time [file:line] behind the level. MindSpore's
// header has a thread as well, and is of the program, not of the device.
func (p *parser) ascend(l *Line, s string, n int) int {
	i := spaces(s, n)
	j := i
	for j < len(s) && (ascii.IsWord(s[j]) || s[j] == '_') {
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
	st, m := stamp.Parse(s[k+2:])
	if m == 0 {
		return 0
	}
	p.setTime(l, st)
	process := s[j+1 : k]
	l.PID = leadingNumber(process)
	if l.Kind == Log && strings.Count(process, ",") == 1 && strings.IndexByte(process, ':') < 0 {
		l.Kind = Device
	}
	n = bracketPlace(s, k+2+m)
	if strings.Count(process, ",") == 2 {
		n += functionName(s[n:])
	}
	return n
}

// functionName is the length of "BuildCluster] ", which MindSpore puts behind
// the place.
func functionName(s string) int {
	i := 0
	for i < len(s) && (ascii.IsWord(s[i]) || s[i] == '_' || s[i] == ':' || s[i] == '~') {
		i++
	}
	if i == 0 || !strings.HasPrefix(s[i:], "] ") {
		return 0
	}
	return i + len("] ")
}

// bracketPlace takes " [file:line]" and the space behind it off.
func bracketPlace(s string, n int) int {
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

// leadingNumber is the number at the start of s, 0 when there is none.
func leadingNumber(s string) int {
	n := 0
	for i := 0; i < len(s) && i < 9 && ascii.IsDigit(s[i]); i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// torchNPU reads time (PID:1, Device:0, RankID:0) behind the level.
func (p *parser) torchNPU(l *Line, s string, n int) int {
	i := oneSpace(s, n)
	st, m := stamp.Parse(s[i:])
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
	if j := strings.Index(facts, "RankID:"); j >= 0 && j+len("RankID:") < len(facts) && ascii.IsDigit(facts[j+len("RankID:")]) && l.Rank < 0 {
		l.Rank = leadingNumber(facts[j+len("RankID:"):])
	}
	return oneSpace(s, i+end+1)
}
