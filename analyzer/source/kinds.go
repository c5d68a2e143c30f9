package source

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"path"
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/ascii"
)

// kinds are the kinds of lines of a document that are known. Lines of one kind
// begin with the same prefixes and the same word of text, but for the minutes
// and seconds of the times among the prefixes: the prefixes of all of them tell
// the same, but for the time.
type kinds struct {
	all  []*kind
	last *kind
	time place  // of the last line of the run that tells a time
	line []byte // an example with its end, and as much more as a part has
}

// mostKinds bounds the kinds that are known at a time.
const mostKinds = 512

// kind is one kind, and the last line of it that was passed over.
type kind struct {
	head  []part
	text  int // bytes of prefixes
	size  int // bytes of head that count
	lane  *lane
	after *kind // that of the line that followed last time

	count int
	place
	timed bool  // its lines tell a time
	above place // of the line whose time is the nearest above, where they tell none
}

// place is where a line is that was passed over, and the line once the buffer has
// moved on.
type place struct {
	spot
	stored []byte
}

// spot is what of a place changes with each line.
type spot struct {
	start  int // in the buffer, -1 when stored holds it
	length int
	offset int64
	number int // 0 for no line
}

// copy makes p the place that o is.
func (p *place) copy(o *place) {
	p.spot = o.spot
	if o.start < 0 {
		p.stored = append(p.stored[:0], o.stored...)
	}
}

// save copies the line, when it lies in the buffer, before that moves.
func (p *place) save(buf []byte) {
	if p.number > 0 && p.start >= 0 {
		p.stored = append(p.stored[:0], buf[p.start:p.start+p.length]...)
		p.start = -1
	}
}

// part is what 32 bytes of a line have to be. Bits of mask are those of text; a
// byte of digit is that of a digit, to which the byte of limit is added to see
// that it is one, and not too great.
type part struct{ text, mask, digit, limit [partSize]byte }

const partSize = 32

// fits compares eight bytes at a time.
func (p *part) fits(line []byte) bool {
	var unlike uint64
	for i := 0; i < partSize; i += 8 {
		w, text := binary.LittleEndian.Uint64(line[i:]), binary.LittleEndian.Uint64(p.text[i:])
		unlike |= (w ^ text) & binary.LittleEndian.Uint64(p.mask[i:])
		unlike |= ((w + binary.LittleEndian.Uint64(p.limit[i:])) ^ text) & binary.LittleEndian.Uint64(p.digit[i:])
	}
	return unlike == 0
}

// plainLine is line on every machine.
func (k *kind) plainLine(text []byte) int {
	if len(text) < len(k.head)*partSize {
		return -1
	}
	for i := range k.head {
		if !k.head[i].fits(text[i*partSize:]) {
			return -1
		}
	}
	return bytes.IndexByte(text, '\n')
}

// find gives the kind of the line that the text begins with and the line's
// length, nil when it is of none.
func (k *kinds) find(text []byte) (*kind, int) {
	before := k.last
	if before != nil && before.after != nil {
		if n := before.after.line(text); n >= 0 {
			k.last = before.after
			return k.last, n
		}
	}
	for _, t := range k.all {
		if n := t.line(text); n >= 0 {
			if before != nil {
				before.after = t
			}
			k.last = t
			return t, n
		}
	}
	return nil, 0
}

// add makes the kind of an example with its end: its first text bytes are
// prefixes, and its first head bytes are those that lines of the kind share. Where
// there is no room for one more, all others are forgotten.
func (k *kinds) add(raw string, text, head int, timed bool, out *lane) (full bool) {
	k.line = append(append(k.line[:0], raw...), make([]byte, partSize)...)
	for _, t := range k.all { // the same bytes have the same digits of a clock among them
		if t.lane == out && t.text == text && t.size == head && t.line(k.line) >= 0 {
			return false
		}
	}
	t := &kind{lane: out, place: place{spot: spot{start: -1}}, timed: timed, text: text, size: head, head: make([]part, (head+partSize-1)/partSize)}
	for i, m := range clockMasks(raw[:text], head) {
		p, j := &t.head[i/partSize], i%partSize
		p.mask[j] = 0xff
		if m.digit {
			p.mask[j], p.digit[j], p.limit[j] = 0xf0, 0xf0, m.limit
		}
		p.text[j] = k.line[i] & p.mask[j]
	}
	if full = len(k.all) == mostKinds; full {
		*k = kinds{line: k.line, time: k.time}
	}
	k.all = append(k.all, t)
	return full
}

type clockMask struct {
	digit bool
	limit byte // added to a greatest allowed digit it gives 0x3f
}

// clockMasks marks the digits of minutes, seconds and fractions in prefixes, and
// those in brackets that tell nothing. Hours and dates must be equal, so that no
// time of day of a kind is before that of its example's hour.
func clockMasks(prefix string, n int) []clockMask {
	masks := make([]clockMask, n)
	bracketMasks(prefix, masks)
	const form = "00:00:00"
	for i := 0; i+len(form) <= len(prefix); i++ {
		if !hasForm(prefix[i:], form) || i > 0 && ascii.IsDigit(prefix[i-1]) {
			continue
		}
		for _, at := range []int{3, 6} {
			masks[i+at] = clockMask{true, '?' - '5'}
			masks[i+at+1] = clockMask{true, '?' - '9'}
		}
		for i += len(form); i+1 < len(prefix) && (prefix[i] == '.' || prefix[i] == ',') && ascii.IsDigit(prefix[i+1]); {
			for i++; i < len(prefix) && ascii.IsDigit(prefix[i]); i++ {
				masks[i] = clockMask{true, '?' - '9'}
			}
		}
	}
	return masks
}

// bracketMasks marks the digits of a kernel's seconds since the start, and of the
// number of a line of source code: "[  812.004031]", "[op_base.cc:312]".
func bracketMasks(prefix string, masks []clockMask) {
	for at := 0; ; {
		open := strings.IndexByte(prefix[at:], '[')
		if open < 0 {
			return
		}
		open += at + 1
		n := strings.IndexByte(prefix[open:], ']')
		if n < 0 {
			return
		}
		at = open + n
		from := open + sourceLine(prefix[open:at])
		if from == open && !isUptime(prefix[open:at]) {
			continue
		}
		for i := from; i < at; i++ {
			if ascii.IsDigit(prefix[i]) {
				masks[i] = clockMask{true, '?' - '9'}
			}
		}
	}
}

// sourceLine gives where the number of a line of source code begins, 0 when
// brackets hold something else.
func sourceLine(inner string) int {
	colon := strings.LastIndexByte(inner, ':')
	if colon < 0 || !allDigits(inner[colon+1:]) {
		return 0
	}
	switch path.Ext(inner[:colon]) {
	case ".cc", ".cpp", ".c", ".h", ".hpp", ".py":
		return colon + 1
	}
	return 0
}

func allDigits(s string) bool { return strings.Trim(s, "0123456789") == "" }

func hasForm(s, form string) bool {
	for i := range len(form) {
		if form[i] == '0' != ascii.IsDigit(s[i]) || form[i] != '0' && s[i] != form[i] {
			return false
		}
	}
	return true
}

// longestHead bounds what a kind compares.
const longestHead = 256

// headOf gives how many bytes lines of a kind share: the prefixes and the first
// word of the text with what ends it. Where no prefix begins with the letter of
// the word, it may end before its first digit. 0 is no kind at all.
func headOf(raw string, text int, plain bool) int {
	s := raw[text:]
	word := strings.TrimLeft(s, " ")
	if s != "" && (s[0] == '|' || s[0] == '+') {
		return 0
	}
	n := len(s) - len(word) + len(firstWord(s)) + 1
	if word != "" && plain && ascii.IsSmall(word[0]) && strings.IndexByte("twm", word[0]) < 0 {
		if i := strings.IndexAny(s[:n-1], "0123456789"); i > 0 {
			n = i
		}
	}
	if text+n > longestHead || text+n > len(raw)+1 {
		return 0
	}
	return text + n
}

// firstWord is the first word of a text.
func firstWord(s string) string {
	s = strings.TrimLeft(s, " ")
	if i := strings.IndexByte(s, ' '); i >= 0 {
		return s[:i]
	}
	return s
}

// save copies the lines that lie in the buffer, before it moves.
func (k *kinds) save(buf []byte) {
	k.time.save(buf)
	for _, t := range k.all {
		if t.count > 0 {
			t.place.save(buf)
			t.above.save(buf)
		}
	}
}

// passed is a line to tell of, and how many of its kind were passed over.
type passed struct {
	place
	count int
}

// take gives the last lines of the kinds that lines were passed over of, and
// those that tell their times, in order.
func (k *kinds) take() []passed {
	var met []passed
	for _, t := range k.all {
		if t.count > 0 {
			met = append(met, passed{t.place, t.count})
		}
		if t.count > 0 && t.above.number > 0 {
			met = append(met, passed{t.above, 0})
		}
	}
	slices.SortFunc(met, func(a, b passed) int { return cmp.Or(a.number-b.number, b.count-a.count) })
	return slices.CompactFunc(met, func(a, b passed) bool { return a.number == b.number })
}

// forget begins a new run.
func (k *kinds) forget() {
	k.time.number = 0
	for _, t := range k.all {
		t.count, t.above.number = 0, 0
	}
}
