package traceback

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// grade says how much a line looks like "Type: message".
type grade uint8

const (
	notHead    grade = iota
	weakHead         // a single capitalised word that any program may print before a colon
	strongHead       // a dotted name, or a word that is plainly the name of an exception
)

// parseHead reads the line that names an exception. colon tells whether a
// message, possibly an empty first line of one, follows the type.
func parseHead(s string) (name, message string, colon bool, g grade) {
	end, last := scanName(s)
	if end == 0 || end > 512 {
		return "", "", false, notHead
	}
	name, rest := s[:end], s[end:]
	switch {
	case rest == "" || blank(rest):
	case strings.HasPrefix(rest, ": "):
		message, colon = rest[2:], true
	case rest == ":":
		colon = true
	default:
		return "", "", false, notHead
	}
	return name, message, colon, gradeName(name, name[last:], colon)
}

// scanName returns the length of the dotted name that s begins with, and where
// its last component starts. "<locals>" counts as a component, and so does what
// Ray puts in brackets: RayTaskError(ValueError).
func scanName(s string) (end, last int) {
	i := 0
	if strings.HasPrefix(s, "<unknown>") { // of a class whose __module__ is no string
		i = len("<unknown>")
		if strings.HasPrefix(s[i:], ".") {
			i++
		}
	}
	for {
		start := i
		if strings.HasPrefix(s[i:], "<locals>") {
			i += len("<locals>")
		} else {
			i += identifier(s[i:])
		}
		if i == start {
			return 0, 0
		}
		last = start
		if i < len(s) && s[i] == '.' {
			i++
			continue
		}
		break
	}
	if i < len(s) && s[i] == '(' {
		if j := strings.IndexByte(s[i:], ')'); j > 1 && identifier(s[i+1:]) == j-1 {
			i += j + 1
		}
	}
	return i, last
}

// identifier returns the length of the Python identifier that s begins with.
func identifier(s string) int {
	for i, r := range s {
		if r == utf8.RuneError {
			return i
		}
		if r == '_' || unicode.IsLetter(r) || i > 0 && unicode.IsDigit(r) {
			continue
		}
		return i
	}
	return len(s)
}

// typeEndings are how the last word of an exception's name ends when a reader
// can tell from the name alone.
var typeEndings = []string{
	"Error", "Exception", "Warning", "Exit", "Interrupt", "Iteration", "Failure",
	"Failed", "Expired", "Timeout", "Fault", "Quit", "Cancelled", "NotFound",
	"ExceptionGroup", "Violation", "Abort", "Aborted", "Empty", "Full",
}

// lowerTypes are lower-case names of exceptions in the standard library.
var lowerTypes = map[string]bool{
	"error": true, "timeout": true, "gaierror": true, "herror": true,
	"exception": true, "error_proto": true, "error_perm": true, "error_temp": true,
	"error_reply": true,
}

// notTypes are words that programs print before a colon and that no exception
// is called.
var notTypes = map[string]bool{
	"INFO": true, "WARNING": true, "WARN": true, "ERROR": true, "DEBUG": true,
	"CRITICAL": true, "FATAL": true, "TRACE": true, "NOTE": true, "Note": true,
	"Warning": true, "Info": true, "Debug": true, "Epoch": true,
	"Step": true, "Iter": true, "Iteration": true, "Loss": true, "Train": true,
	"Training": true, "Eval": true, "Val": true, "Validation": true, "Test": true,
	"Progress": true, "Loading": true, "Saving": true, "Downloading": true,
	"Done": true, "Rank": true, "Usage": true, "File": true, "Message": true,
	"Arguments": true, "Solution": true, "Reason": true, "Failures": true,
	"Traceback": true, "TraceBack": true, "Killed": true, "Terminated": true,
	"Aborted": true, "True": true, "False": true, "None": true, "Time": true,
	"Batch": true, "Process": true, "Running": true, "Finished": true, "Started": true,
}

func gradeName(name, last string, colon bool) grade {
	word := last
	if i := strings.IndexByte(word, '('); i >= 0 {
		word = word[:i]
	}
	dotted := len(last) < len(name)
	if strings.HasPrefix(name, "<unknown>") || strings.HasPrefix(name, "__main__.") {
		return strongHead
	}
	if !dotted && notTypes[word] {
		return notHead
	}
	for _, e := range typeEndings {
		if strings.HasSuffix(word, e) && !notTypes[word] {
			return strongHead
		}
	}
	lower := strings.ToLower(word)
	if lowerTypes[word] || strings.HasSuffix(lower, "error") || strings.HasSuffix(lower, "exception") {
		if dotted || strings.Contains(word, "_") || word != lower {
			return strongHead
		}
		return weakHead
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(word, "_"))
	if unicode.IsLower(first) || first == utf8.RuneError {
		return notHead
	}
	if dotted && colon {
		return strongHead
	}
	return weakHead
}
