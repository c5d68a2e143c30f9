package report

import "unicode/utf8"

// excerptSize bounds the quoted part of a line, in bytes.
const excerptSize = 2000

// Excerpt gives the part of a long line that a report quotes: up to 2000 bytes
// around the bytes from..to that decided, whole characters, with "…" where
// something was left out. Shorter lines are given whole.
func Excerpt(line string, from, to int) string {
	if len(line) <= excerptSize {
		return line
	}
	from = min(max(from, 0), len(line))
	to = min(max(to, from), len(line))
	start := from - excerptSize/4
	if to-from > excerptSize/2 {
		start = from
	}
	start = max(0, min(start, len(line)-excerptSize))
	end := min(len(line), start+excerptSize)
	for n := 0; n < utf8.UTFMax && start > 0 && !utf8.RuneStart(line[start]); n++ { // no further: the text may be damaged
		start++
	}
	for n := 0; n < utf8.UTFMax && end < len(line) && !utf8.RuneStart(line[end]); n++ {
		end--
	}
	s := line[start:end]
	if start > 0 {
		s = "…" + s
	}
	if end < len(line) {
		s += "…"
	}
	return s
}
