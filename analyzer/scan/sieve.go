package scan

import (
	"encoding/binary"
	"math/bits"
)

// sieve is a set of grams that answers "no" or "perhaps": a gram's hash gives a
// word and two bits of it.
type sieve struct {
	words []uint32
	shift uint32 // of a hash, which leaves the word; the bits are below it
}

// newSieve makes a sieve with room for n grams: at 64 bits each, one in a
// thousand others gets through, and those of ten thousand literals stay in a
// processor's second cache.
func newSieve(n int) sieve {
	room := min(max(bits.Len(uint(2*n)), 10), 22) // bits of a word's place
	return sieve{words: make([]uint32, 1<<room), shift: uint32(32 - room)}
}

func (s *sieve) put(gram uint32) {
	h := gram * multiplier
	s.words[h>>s.shift] |= 1<<(h>>(s.shift-5)&31) | 1<<(h>>(s.shift-10)&31)
}

func (s *sieve) has(gram uint32) bool {
	h := gram * multiplier
	w := s.words[h>>s.shift]
	return w>>(h>>(s.shift-5)&31)&(w>>(h>>(s.shift-10)&31))&1 != 0
}

// plainNext is next on every machine. It reads eight bytes at a time, in which
// three grams begin, and looks at one bit of each first.
func (s *sieve) plainNext(block []byte, i int) int {
	words, shift := s.words, s.shift&31
	low := (shift - 5) & 31
	for ; i+8 <= len(block); i += 6 {
		w := binary.LittleEndian.Uint64(block[i:]) | folded<<32 | folded
		a, b, c := uint32(w)*multiplier, uint32(w>>16)*multiplier, uint32(w>>32)*multiplier
		if (words[a>>shift]>>(a>>low&31)|words[b>>shift]>>(b>>low&31)|words[c>>shift]>>(c>>low&31))&1 == 0 {
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
