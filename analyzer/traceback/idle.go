package traceback

import "strings"

// Idle reports whether the parser waits for nothing: neither a traceback nor
// what follows an introduction is open.
func (p *Parser) Idle() bool { return len(p.lanes) == 0 && !p.intro.set() }

// Idle reports whether no dump is open.
func (p *StackParser) Idle() bool { return p.cur == nil && p.why == "" }

// Openings are texts of which one stands in every line that an idle Parser or
// StackParser takes, or that changes what they take, unless it Begins so.
func Openings() []string {
	all := []string{
		headerMarker, causeSentence, contextSentence, `File "`, "ray::", " sub-exception",
		"most recent call", "Call stack:", "Traceback of forward call",
		"Fatal Python error: ", "Windows fatal exception: ", "Exception raised from ", capturedText, "Sanitizer: ",
		"*** Aborted at ", "*** SIG", "*** Process received", "received signal SIG", "terminated with signal SIG",
		"Timeout (", "Thread 0x", "frame #", "C stack trace",
	}
	for _, t := range introductions {
		all = append(all, strings.TrimSpace(t.text))
	}
	return all
}

// Begins reports whether the first word of a line may be that of a frame, a
// thread or a process of a dump, whatever follows.
func Begins(word string) bool {
	if word == "" {
		return false
	}
	switch word[0] {
	case '@':
		return true
	case '#':
		return len(word) > 1 && word[1] >= '0' && word[1] <= '9'
	case '[': // Open MPI's "[host:pid]"
		return word[len(word)-1] == ']'
	}
	return word == "Thread" || word == "Process" || word == "Program" || word == "Binary" || word == "Current"
}
