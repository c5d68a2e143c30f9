package rules

// The rules that code names: those that stand for lines which fit no other rule, and
// those whose texts speak of what was read in another form.
const (
	// UnknownException stands for an uncaught exception of a type that no rule knows.
	UnknownException = "python-unknown-exception"
	// OwnWords reads the last error of a program that ended, in whichever form.
	OwnWords = "prog-own-words"
	// MessageFurther reads lines that explain the message above them.
	MessageFurther = "py-message-further"
)

// OfSignal gives the id of the rule that speaks of a process which a signal ended, by
// its number on Linux; "" for others. SIGTERM, 15, is none of them: it tells that
// somebody asked the process to end, and nothing of what failed.
func OfSignal(n int) string {
	switch n {
	case 4: // SIGILL
		return "sh-illegal-instruction"
	case 6: // SIGABRT
		return "ma-return-code-aborted"
	case 7: // SIGBUS
		return "ma-return-code-bus"
	case 9: // SIGKILL
		return "ma-return-code-killed"
	case 11: // SIGSEGV
		return "ma-return-code-segfault"
	}
	return ""
}

// OfExit gives the id of the rule that speaks of a command which a shell could not
// run, by its exit code; "" for others.
func OfExit(code int) string {
	switch code {
	case 126:
		return "ma-return-code-not-executable"
	case 127:
		return "ma-return-code-not-found"
	}
	return ""
}
