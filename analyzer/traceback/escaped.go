package traceback

import "strings"

// Structured logs keep a whole traceback on one line, as a JSON string or as
// Python's repr of a text: line feeds are "\n" there.

const (
	escapedHeader = headerText + `\n`
	maxEscaped    = 256 << 10 // bytes of one such text
)

// parseEscaped reads the tracebacks inside a line. All indexes are at.
func parseEscaped(at int, s string) []Traceback {
	i := strings.Index(s, escapedHeader)
	if i < 0 {
		return nil
	}
	lead := s[:i]
	var all []Traceback
	inner := New(func(t Traceback) {
		if len(all) == 0 {
			t.Lead = clip(strings.TrimSpace(lead), 1024)
		}
		all = append(all, t)
	})
	inner.flat = true
	text := unescape(clip(s[i:], maxEscaped), closingQuote(lead))
	for _, line := range strings.Split(text, "\n") {
		inner.Add(at, line)
	}
	inner.Close()
	return all
}

// closingQuote returns the quote that the escaped text ends at: the last one
// before it that is not escaped itself; 0 when there is none.
func closingQuote(lead string) byte {
	i := strings.LastIndexAny(lead, `"'`)
	if i < 0 || i > 0 && lead[i-1] == '\\' {
		return 0
	}
	return lead[i]
}

// unescape undoes the escapes of JSON and repr that matter to a traceback, up
// to the first unescaped quote.
func unescape(s string, quote byte) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == quote && quote != 0:
			return b.String()
		case s[i] != '\\' || i+1 == len(s):
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
		case '"', '\'', '\\', '/':
			b.WriteByte(s[i])
		default:
			b.WriteByte('\\')
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
