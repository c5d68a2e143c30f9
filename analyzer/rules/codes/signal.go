package codes

import (
	"strconv"
	"strings"
)

// Signals by their numbers on Linux, as exit codes tell them.
const (
	sigILL  = 4
	sigABRT = 6
	sigBUS  = 7
	sigFPE  = 8
	sigKILL = 9
	sigSEGV = 11
	// SIGTERM asks a process to end, and tells nothing of what failed.
	SIGTERM = 15

	lastSignal = 31
)

// ParseExit reads an exit code as programs and services write it: 137, -9, 137.0,
// 0xC0000005; false for what is none.
func ParseExit(text string) (code int, ok bool) {
	n, err := strconv.ParseInt(plain(strings.TrimSpace(text)), 10, 64)
	return int(n), err == nil && -1<<31 <= n && n < 1<<32
}

// SignalOf gives the signal that an exit code tells of, 0 when it tells of none:
// 128+N as shells give it, -N as Python does, 256-N as -N becomes when it is
// passed on, 256+N as PBS writes it, and the exceptions of Windows that stand for
// the same.
func SignalOf(code int) int {
	if n := windows[uint32(code)]; n > 0 && (code > 1<<16 || code < -1<<16) {
		return n
	}
	switch {
	case -64 <= code && code < 0:
		return -code
	case 128 < code && code <= 128+lastSignal:
		return code - 128
	case 256-lastSignal <= code && code < 255:
		return 256 - code
	case 256 < code && code <= 256+lastSignal:
		return code - 256
	}
	return 0
}

// windows are the codes of NTSTATUS (MS-ERREF 2.3.1) that processes end with.
var windows = map[uint32]int{
	0xC0000005: sigSEGV, // access violation
	0xC00000FD: sigSEGV, // stack overflow
	0xC000001D: sigILL,  // illegal instruction
	0xC0000094: sigFPE,  // integer division by zero
	0xC0000409: sigABRT, // how abort() ends since Visual C++ 2015
	0xC000013A: 2,       // Ctrl-C
}

// signalWords are the names that strsignal(3) of the C library gives signals.
var signalWords = map[string]int{
	"killed": sigKILL, "terminated": SIGTERM, "segmentation fault": sigSEGV, "aborted": sigABRT, "bus error": sigBUS,
	"floating point exception": sigFPE, "illegal instruction": sigILL, "hangup": 1, "interrupt": 2,
}

// SignalNamed gives the number of a signal that programs write in one of many
// forms, "9", "SIGKILL", "KILL", "Signals.SIGKILL", "Killed", 0 for another word.
func SignalNamed(word string) int {
	word = strings.TrimPrefix(word, "Signals.")
	if n, err := strconv.Atoi(word); err == nil {
		if 0 < n && n <= 64 {
			return n
		}
		return 0
	}
	if n := signalWords[strings.ToLower(word)]; n > 0 {
		return n
	}
	name := strings.TrimPrefix(strings.ToUpper(word), "SIG")
	for _, e := range All(Signal) {
		if e.Name == "SIG"+name {
			n, _ := strconv.Atoi(e.Code)
			return n
		}
	}
	return 0
}
