package source

import (
	"bytes"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"hcloud-modelarts/analyzer/ascii"
	"hcloud-modelarts/analyzer/source/charset"
)

// hardwrap puts lines together again that a terminal or a console broke where its
// window ended: text that was copied from there has line ends of its own.
type hardwrap struct {
	width  int
	starts map[string]bool // how lines begin that no full line stands above

	stored []byte // of the line that may go on, with the line ends within it
	parts  [][]byte
	at     physical // its first part
}

// The measures by which text is known to be wrapped.
const (
	leastWidth = 60 // no window is narrower
	mostWidth  = 300
	leastRests = 3 // kinds of what stands below lines as wide as the window and begins like none
	usualRests = 2 // of them, where the width is a usual one
	ragged     = 8 // columns short of the width at which prose ends its lines
	mostParts  = 40
)

var usualWidths = []int{80, 100, 120, 132, 160}

// sniffHardwrap says whether lines were broken at one width: none is wider, and
// what follows the widest begins like no line, mostly, and now and then within a
// word.
func sniffHardwrap(head []byte) *hardwrap {
	w := &hardwrap{starts: map[string]bool{}}
	var lines []string
	for line := range bytes.Lines(head) {
		if len(line) > 3*mostWidth {
			return nil
		}
		if bytes.HasSuffix(line, []byte("\n")) { // the last may be cut
			s := strings.TrimRight(string(line), "\r\n")
			lines, w.width = append(lines, s), max(w.width, displaywidth.String(s))
		}
	}
	if w.width < leastWidth || w.width > mostWidth {
		return nil
	}
	for i, s := range lines {
		if i == 0 || !w.full(lines[i-1]) {
			w.starts[opening(s)] = true
		}
	}
	full, almost, rests, cut, kinds := 0, 0, 0, false, map[string]bool{}
	for i := 1; i < len(lines); i++ {
		switch above, s := lines[i-1], lines[i]; {
		case displaywidth.String(above) > w.width-ragged && !w.full(above):
			almost++
		case w.full(above):
			full++
			if w.isRest(above, s) {
				rests++
				kinds[opening(s)] = true
				cut = cut || ascii.IsWord(above[len(above)-1]) && ascii.IsSmall(s[0])
			}
		}
	}
	least := leastRests
	if slices.Contains(usualWidths, w.width) {
		least = usualRests
	}
	if !cut || almost*2 > full || len(kinds) < least || rests*2 < full || full*4 > len(lines)*3 {
		return nil
	}
	return w
}

// opening is the first word of a line without its digits.
func opening(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, word)
}

// full reports whether a line goes to the edge of the window, where a character
// of two columns may have had no room.
func (w *hardwrap) full(s string) bool {
	n := displaywidth.String(s)
	return n == w.width || n == w.width-1 && hasHan(s)
}

// lineMarks are what a line of a stack, of prose or of a table begins with.
var lineMarks = []string{"  ", "\t", "#", ">", "|"}

// isRest reports whether a line below a full one begins like none of a log, a
// stack or prose.
func (w *hardwrap) isRest(above, s string) bool {
	if strings.TrimSpace(s) == "" || slices.ContainsFunc(lineMarks, func(mark string) bool { return strings.HasPrefix(s, mark) }) {
		return false
	}
	first := opening(s)
	known := first != "" && (w.starts[first] || first == opening(above))
	return !known && openingFence(s) == "" && !startsLog(s) && !isService(s)
}

// rewrap takes one stored line, and hands on what is whole.
func (d *reading) rewrap(p physical) {
	w := d.hard
	text := bytes.Clone(bytes.TrimRight(d.dec.Decode(p.stored), "\r"))
	if n := len(w.parts); n > 0 && n < mostParts && w.full(string(w.parts[n-1])) && w.isRest(string(w.parts[n-1]), string(text)) {
		w.stored = append(append(w.stored, '\n'), p.stored...)
		w.parts = append(w.parts, text)
		return
	}
	d.unwrapped()
	if p = p.clone(); !w.full(string(text)) || mayStartJSON(text) || d.pending.active {
		d.whole(p)
		return
	}
	w.stored, w.parts, w.at = append(w.stored[:0], p.stored...), append(w.parts[:0], text), p
}

// unwrapped hands on the line that is held: in one, when it was broken.
func (d *reading) unwrapped() {
	w := d.hard
	if w == nil || len(w.parts) == 0 {
		return
	}
	parts := w.parts
	w.parts = nil
	if len(parts) == 1 {
		d.whole(w.at)
		return
	}
	line := charset.Clean(bytes.Join(parts, nil), nil)
	d.kind, d.lead = d.doc.Kind, 0
	if d.ticket != nil {
		d.kind, d.lead = d.ticket.line(narrow(string(line)))
	}
	d.raw(string(line), d.trimReturns(w.stored), w.at.offset, w.at.number)
}
