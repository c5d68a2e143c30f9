package source

import (
	"strings"

	"hcloud-modelarts/analyzer/ascii"
	"hcloud-modelarts/analyzer/source/stamp"
)

// kernelLine makes a log line one of the kernel's log.
func kernelLine(k Kind) Kind {
	if k == Log {
		return Kernel
	}
	return k
}

// syslog gives the length of "host tag[pid]: " behind a time (RFC 3164 and
// journalctl), 0 when it does not stand there.
func (p *parser) syslog(l *Line, s string) int {
	host, rest, ok := strings.Cut(s, " ")
	if !ok || host == "" || strings.ContainsAny(host, "[]:<>") {
		return 0
	}
	colon := strings.IndexByte(rest, ':')
	if colon <= 0 || colon > 80 || colon+1 < len(rest) && rest[colon+1] != ' ' {
		return 0
	}
	tag := rest[:colon]
	if strings.IndexByte(tag, ' ') >= 0 {
		return 0
	}
	program, pid, hasPID := strings.Cut(tag, "[")
	l.Node = host
	if hasPID {
		l.PID = leadingNumber(pid)
	}
	n := oneSpace(s, len(host)+1+colon+1)
	if program == "kernel" {
		l.Kind = kernelLine(l.Kind)
		return n + uptime(s[n:])
	}
	if daemons[program] || l.Kind == Kernel { // a node's services are no processes of the job
		tag = program
	}
	p.stream(l, s[:len(host)+1+len(tag)])
	return n
}

// daemons are the tags by which syslog is known when the time does not tell.
var daemons = map[string]bool{"kernel": true, "systemd": true, "kubelet": true, "dockerd": true, "containerd": true}

// collected takes off what a collector puts behind a full time at s[n:]: the
// host and tag of syslog, the stream and mark of a container runtime.
func (p *parser) collected(l *Line, s string, n int) int {
	if n >= len(s) || s[n] != ' ' {
		return 0
	}
	rest := s[n+1:]
	if m := containerMark(rest); m > 0 {
		return n + 1 + m
	}
	_, tag, ok := strings.Cut(rest, " ")
	if !ok {
		return 0
	}
	colon := strings.IndexByte(tag, ':')
	if colon <= 0 || colon > 80 {
		return 0
	}
	program, pid, hasPID := strings.Cut(tag[:colon], "[")
	if !daemons[program] && !(hasPID && strings.HasSuffix(pid, "]") && ascii.IsDigit(pid[0])) {
		return 0
	}
	if m := p.syslog(l, rest); m > 0 {
		return n + 1 + m
	}
	return 0
}

// containerMark is the length of the CRI's "stderr F ".
func containerMark(s string) int {
	if len(s) < 9 || s[:3] != "std" || s[6] != ' ' || s[7] != 'F' && s[7] != 'P' || s[8] != ' ' {
		return 0
	}
	if name := s[:6]; name != "stdout" && name != "stderr" {
		return 0
	}
	return 9
}

// uptime is the length of the kernel's "[98122.310442] ", 0 when s does not
// begin with it.
func uptime(s string) int {
	if !strings.HasPrefix(s, "[") {
		return 0
	}
	end := strings.IndexByte(s, ']')
	if end < 0 || !isUptime(s[1:end]) {
		return 0
	}
	return oneSpace(s, end+1)
}

// isUptime reports whether brackets of the kernel hold its seconds since the start.
func isUptime(inner string) bool {
	whole, fraction, ok := strings.Cut(strings.TrimLeft(inner, " "), ".")
	return ok && whole != "" && len(fraction) == 6 && len(inner) < 20 && allDigits(whole) && allDigits(fraction)
}

// severities are the levels of syslog's priorities (RFC 5424), by severity.
var severities = [8]string{"CRITICAL", "CRITICAL", "CRITICAL", "ERROR", "WARN", "INFO", "INFO", "DEBUG"}

// priority reads the <3> before a line of the kernel's or of syslog.
func (p *parser) priority(l *Line, s string) int {
	end := strings.IndexByte(s, '>')
	if end < 2 || end > 4 || ascii.Number(s, 1, end-1) < 0 || end+4 > len(s) {
		return 0
	}
	if rest, ok := strings.CutPrefix(s[end+1:], "1 "); ok {
		return p.protocol(l, s, len(s)-len(rest))
	}
	if c := s[end+1]; c != '[' && stamp.Month(s[end+1:end+4]) == 0 {
		return 0
	}
	l.Level = severities[ascii.Number(s, 1, end-1)&7]
	return end + 1
}

// protocol reads the rest of "<14>1 TIME HOST PROGRAM PID ID DATA " (RFC 5424)
// from its time on.
func (p *parser) protocol(l *Line, s string, at int) int {
	st, n := stamp.Parse(s[at:])
	if n == 0 || !st.HasDate {
		return 0
	}
	n += at
	var fields [4]string
	for i := range fields {
		word, _, ok := strings.Cut(strings.TrimPrefix(s[n:], " "), " ")
		if !ok {
			return 0
		}
		fields[i] = word
		n = oneSpace(s, n) + len(word)
	}
	n = oneSpace(s, n)
	switch {
	case strings.HasPrefix(s[n:], "-"):
		n++
	case strings.HasPrefix(s[n:], "["):
		end := strings.Index(s[n:], "] ")
		if end < 0 {
			return 0
		}
		n += end + 1
	default:
		return 0
	}
	p.setTime(l, st)
	l.Level = severities[leadingNumber(s[1:])&7]
	l.Node, l.PID = fields[0], leadingNumber(fields[2])
	p.stream(l, fields[0]+" "+fields[1]+"["+fields[2]+"]")
	return oneSpace(s, n)
}

// facility reads "kern  :err   : ", as dmesg -x writes it.
func (p *parser) facility(l *Line, s string) int {
	name, rest, ok := strings.Cut(s[:min(len(s), 24)], ":")
	word, rest, ok2 := strings.Cut(rest, ":")
	level, known := facilityLevels[strings.TrimRight(word, " ")]
	if !ok || !ok2 || !known || !facilities[strings.TrimRight(name, " ")] || !strings.HasPrefix(rest, " ") {
		return 0
	}
	l.Level = level
	l.Kind = kernelLine(l.Kind)
	return len(name) + 1 + len(word) + len(": ")
}

var facilities = map[string]bool{"kern": true, "user": true, "mail": true, "daemon": true, "auth": true, "syslog": true, "lpr": true, "news": true, "cron": true, "authpriv": true}

var facilityLevels = map[string]string{"emerg": "CRITICAL", "alert": "CRITICAL", "crit": "CRITICAL", "err": "ERROR", "warn": "WARN", "notice": "INFO", "info": "INFO", "debug": "DEBUG"}

// logfmt reads time="…" level=…, as logrus writes it.
func (p *parser) logfmt(l *Line, s string) int {
	const start = `time="`
	if !strings.HasPrefix(s, start) {
		return 0
	}
	st, n := stamp.Parse(s[len(start):])
	n += len(start)
	if n == len(start) || n >= len(s) || s[n] != '"' {
		return 0
	}
	p.setTime(l, st)
	n = oneSpace(s, n+1)
	if rest, ok := strings.CutPrefix(s[n:], "level="); ok {
		word, _, _ := strings.Cut(rest, " ")
		l.Level = levelOf(word) // the field stays in the text, like the others of its form
	}
	return n
}
