package rules

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Said gives what an exception would print that stands at the end of a line as
// Python's repr writes it: of "run failed: OSError(28, 'No space left on
// device')" it is "OSError: [Errno 28] No space left on device". A message of
// several lines has them, or the first of them when the text ends there. It is
// empty where there is none.
func Said(text string) string {
	end := strings.TrimRight(text, " .>!\"'")
	if !strings.HasSuffix(end, ")") {
		return begun(text)
	}
	for from := 0; ; {
		i := strings.IndexByte(end[from:], '(')
		if i < 0 {
			return ""
		}
		i += from
		if class := classBefore(end[:i]); class != "" {
			if args, rest, ok := literals(end[i+1:]); ok && rest == ")" {
				return print(class, args, end[i+1:len(end)-1])
			}
		}
		from = i + 1
	}
}

// begun gives what an exception would print whose only argument does not end on
// the line.
func begun(text string) string {
	i := strings.LastIndexByte(text, '(')
	if i < 0 || i+2 >= len(text) || text[i+1] != '\'' && text[i+1] != '"' || strings.IndexByte(text[i+2:], text[i+1]) >= 0 {
		return ""
	}
	class := classBefore(text[:i])
	if class == "" {
		return ""
	}
	return class + ": " + text[i+2:]
}

// classBefore gives the name of an exception that a text ends with: the text
// itself, or behind a blank or a sign that it is the value of something.
func classBefore(text string) string {
	i := len(text)
	for i > 0 && isWord(text[i-1]) {
		i--
	}
	class := text[i:]
	if i > 0 && !strings.ContainsRune(" =:<", rune(text[i-1])) || !namesClass(class) {
		return ""
	}
	return class
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

func namesClass(name string) bool {
	if len(modules()[name]) > 0 {
		return true
	}
	for _, end := range [...]string{"Error", "Exception", "Exit", "Interrupt", "Iteration", "Timeout", "Failure", "Warning"} {
		if strings.HasSuffix(name, end) {
			return 'A' <= name[0] && name[0] <= 'Z' || name[0] == '_'
		}
	}
	return false
}

// literal is an argument of an exception.
type literal struct {
	text   string // what str gives
	source string // as repr writes it
	quoted bool
}

// literals reads texts and numbers up to the bracket behind them.
func literals(s string) (all []literal, rest string, ok bool) {
	for s != "" && s[0] != ')' {
		l, n := oneLiteral(s)
		if n == 0 {
			return nil, "", false
		}
		all = append(all, l)
		s = strings.TrimPrefix(strings.TrimPrefix(s[n:], ","), " ")
	}
	return all, s, s != ""
}

func oneLiteral(s string) (l literal, n int) {
	if s[0] == '\'' || s[0] == '"' {
		text, n := unquote(s)
		return literal{text, s[:n], true}, n
	}
	for n < len(s) && (isWord(s[n]) || s[n] == '-' || s[n] == '.') {
		n++
	}
	if _, err := strconv.ParseFloat(s[:n], 64); err != nil && s[:n] != "None" && s[:n] != "True" && s[:n] != "False" {
		return l, 0
	}
	return literal{s[:n], s[:n], false}, n
}

// unquote reads a text of Python in quotes; n is 0 when it has no end.
func unquote(s string) (text string, n int) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == s[0]:
			return b.String(), i + 1
		case s[i] == '\\' && i+1 < len(s):
			i++
			i += unescape(&b, s[i:])
		default:
			b.WriteByte(s[i])
		}
	}
	return "", 0
}

// unescape writes what stands behind a backslash, and gives how many bytes
// beyond the first it took.
func unescape(b *strings.Builder, s string) int {
	switch s[0] {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r':
	case '\\', '\'', '"':
		b.WriteByte(s[0])
	case 'x', 'u', 'U':
		n := map[byte]int{'x': 2, 'u': 4, 'U': 8}[s[0]]
		if len(s) > n {
			if c, err := strconv.ParseUint(s[1:1+n], 16, 32); err == nil && utf8.ValidRune(rune(c)) {
				b.WriteRune(rune(c))
				return n
			}
		}
		b.WriteByte(s[0])
	default:
		b.WriteByte('\\')
		b.WriteByte(s[0])
	}
	return 0
}

// print gives "Type: message" as the interpreter does.
func print(class string, args []literal, source string) string {
	var message string
	switch n := len(args); {
	case n == 0:
		return class
	case n > 1 && !args[0].quoted && args[1].quoted && n <= 5: // OSError(errno, text, file)
		message = "[Errno " + args[0].text + "] " + args[1].text
		if n > 2 {
			message += ": " + args[2].source
		}
	case n > 1:
		message = "(" + source + ")"
	case class == "KeyError":
		message = args[0].source
	default:
		message = args[0].text
	}
	if message == "" {
		return class
	}
	return class + ": " + message
}
