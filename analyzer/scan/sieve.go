package scan

import (
	"encoding/binary"
	"math/bits"
)

// sieve is a set of grams that answers "no" or "perhaps": a gram's hash gives a
// word, of which each byte has a bit for the byte of the gram in its place.
type sieve struct {
	words []uint32
	shift uint32 // of a hash, which leaves the word
}

// newSieve makes a sieve with room for n grams: with less than one in a word,
// one in a thousand others gets through. Of very many, more do: half a megabyte
// leaves room for the text in a processor's second cache.
func newSieve(n int) sieve {
	room := min(max(bits.Len(uint(n)), 8), 17) // bits of a word's place
	return sieve{words: make([]uint32, 1<<room), shift: uint32(32 - room)}
}

// bitsOf are the bits that a word with the gram has.
func bitsOf(gram uint32) uint32 {
	return 1<<(gram&7) | 1<<(8+gram>>8&7) | 1<<(16+gram>>16&7) | 1<<(24+gram>>24&7)
}

func (s *sieve) put(gram uint32) { s.words[gram*multiplier>>s.shift] |= bitsOf(gram) }

func (s *sieve) has(gram uint32) bool {
	return bitsOf(gram)&^s.words[gram*multiplier>>s.shift] == 0
}

// plainNext is next on every machine. It reads eight bytes at a time, in which
// three grams begin, and looks at the bits of the first and last byte of each
// first.
func (s *sieve) plainNext(block []byte, i int) int {
	words, shift := s.words, s.shift&31
	for ; i+8 <= len(block); i += 6 {
		w := binary.LittleEndian.Uint64(block[i:]) | folded<<32 | folded
		a, b, c := uint32(w), uint32(w>>16), uint32(w>>32)
		wa, wb, wc := words[a*multiplier>>shift], words[b*multiplier>>shift], words[c*multiplier>>shift]
		if (wa>>(a&7)&(wa>>24>>(a>>24&7))|wb>>(b&7)&(wb>>24>>(b>>24&7))|wc>>(c&7)&(wc>>24>>(c>>24&7)))&1 == 0 {
			continue
		}
		for k := range 3 {
			if s.has(uint32(w >> (16 * k))) {
				return i + 2*k
			}
		}
	}
	for ; i+4 <= len(block); i += 2 {
		if s.has(binary.LittleEndian.Uint32(block[i:]) | folded) {
			return i
		}
	}
	return -1
}
