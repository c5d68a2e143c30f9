package fold

// Words are looked for in a text all at once: for most of its bytes that costs
// no more than looking for one.
type Words struct {
	pairs [slots / 64]uint64 // slots of the first two bytes of the words
	heads [slots]uint8       // the first word of a slot, counted from 1
	next  []uint8            // by word: the next one of its slot
	words []string
}

const slots = 512

// slot mixes two bytes, with the bit left out that tells the case of letters.
func slot(a, b byte) int { return (int(a|0x20)*19 ^ int(b|0x20)) % slots }

// Of makes a list of up to 255 words of at least two bytes each; others panic.
func Of(words ...string) *Words {
	w := &Words{words: words, next: make([]uint8, len(words))}
	if len(words) > 255 {
		panic("fold: too many words")
	}
	for i, word := range words {
		s := slot(word[0], word[1])
		w.pairs[s/64] |= 1 << (s % 64)
		w.next[i], w.heads[s] = w.heads[s], uint8(i+1)
	}
	return w
}

// In reports whether one of the words stands in a text.
func (w *Words) In(text string) bool { return w.Index(text) >= 0 }

// Index gives where the first word begins that stands in a text, -1 when there
// is none.
func (w *Words) Index(text string) int {
	for i := 0; i+1 < len(text); i++ {
		s := slot(text[i], text[i+1])
		if w.pairs[s/64]&(1<<(s%64)) != 0 && w.begin(text[i:], s) {
			return i
		}
	}
	return -1
}

// begin reports whether a text begins with one of the words of a slot.
func (w *Words) begin(text string, slot int) bool {
	for n := w.heads[slot]; n != 0; n = w.next[n-1] {
		if word := w.words[n-1]; len(word) <= len(text) && Equal(text[:len(word)], word) {
			return true
		}
	}
	return false
}
