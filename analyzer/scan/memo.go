package scan

import (
	"encoding/binary"
	"slices"

	"hcloud-modelarts/analyzer/rules"
)

// memo remembers of texts which wordings may fit and which do: programs, and the
// ranks of a job, print the same text again and again. What a wording makes of a
// text depends on nothing else. A text is remembered when it comes again, since
// most never do; it has four places, of which a free one is taken, else the first.
type memo struct {
	seen   [][4]uint32  // parts of the hashes of texts that came, the newest first; made when first needed
	places [][2]reading // likewise
	other  reading      // of a text that is not remembered
	texts  int          // that were new, up to fewTexts
}

// reading is a text with the wordings that the prefilter lets through.
type reading struct {
	text  string
	hash  uint64 // of it, so that another is seldom compared with it
	tries []tried
}

// tried is a wording, and how it fared when it was asked.
type tried struct {
	wording int32
	state   uint8         // 0 when it was not asked yet
	values  *rules.Values // nil when it names none
}

const (
	fitting uint8 = iota + 1
	differing
)

// Bounds of the memo.
const (
	memoPlaces = 1 << 13
	memoText   = 256 // bytes of a text

	// As long as few texts came, they stand in a part of the places: a small case
	// touches few pages of memory then.
	fewTexts  = 1 << 9
	fewPlaces = 1 << 7
)

// reading gives what is known of a text. It is valid until the next call.
func (m *memo) reading(text string, pre *prefilter) *reading {
	r := &m.other
	if len(text) <= memoText && text != "" {
		h := hashOf(text)
		if r = m.place(text, h); r.is(text, h) {
			return r
		}
		r.hash = h
	}
	r.text = text
	clear(r.tries)
	r.tries = r.tries[:0]
	for _, i := range pre.candidates(text) {
		r.tries = append(r.tries, tried{wording: int32(i)})
	}
	return r
}

// place gives where a text stands, or where it may.
func (m *memo) place(text string, h uint64) *reading {
	if m.seen == nil {
		m.seen, m.places = make([][4]uint32, memoPlaces), make([][2]reading, memoPlaces/2)
	}
	within := uint64(memoPlaces)
	if m.texts < fewTexts {
		within = fewPlaces
	}
	first, second, seen := &m.places[h&(within/2-1)], &m.places[h>>32&(within/2-1)], &m.seen[h&(within-1)]
	places := [...]*reading{&first[0], &first[1], &second[0], &second[1]}
	for _, r := range places {
		if r.is(text, h) {
			return r
		}
	}
	if !slices.Contains(seen[:], uint32(h>>32)) {
		m.texts = min(m.texts+1, fewTexts)
		*seen = [4]uint32{uint32(h >> 32), seen[0], seen[1], seen[2]}
		return &m.other
	}
	for _, r := range places {
		if r.text == "" {
			return r
		}
	}
	return places[0]
}

func (r *reading) is(text string, h uint64) bool { return r.hash == h && r.text == text }

// hashOf mixes eight bytes at a time.
func hashOf(s string) uint64 {
	h := uint64(len(s))
	for ; len(s) >= 8; s = s[8:] {
		h = (h ^ word(s)) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	var rest [8]byte
	copy(rest[:], s)
	h = (h ^ binary.LittleEndian.Uint64(rest[:])) * 0x9e3779b97f4a7c15
	return h ^ h>>32
}

func word(s string) uint64 {
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// fits asks the wording, once.
func (t *tried) fits(w *rules.Wording, text string) bool {
	if t.state == 0 {
		t.state = differing
		if values, ok := w.Find(text); ok {
			if t.state = fitting; len(values) > 0 {
				values = short(values)
				t.values = &values
			}
		}
	}
	return t.state == fitting
}
