package scan

import (
	"math/bits"
	"slices"

	"hcloud-modelarts/analyzer/fold"
	"hcloud-modelarts/analyzer/rules"
)

// prefilter finds the wordings whose key literal may stand in a line.
//
// It looks up every four bytes of the line in a bitmap of one rare four-byte
// gram of each key literal. Building it takes well under a millisecond for
// thousands of literals, where the automata of Aho-Corasick libraries take
// longer than a whole diagnosis of a small case may; both scan faster than
// the rest of the work.
type prefilter struct {
	bitmap []uint64 // of the slots of grams, of which one in eight to sixteen is taken
	heads  []int32  // by the first bits of a gram's slot: its first key, as next has it
	shift  uint32   // of a gram's hash, which leaves the slot
	keys   []key    // by wording
	short  []int    // wordings whose literal has fewer than four bytes: always looked for
	mark   []uint32
	epoch  uint32
	found  []int
}

// slotsOfHead is how many slots share one of the heads, in bits.
const slotsOfHead = 4

// key is a wording's key literal.
type key struct {
	literal string
	gram    uint32
	offset  int32 // of the gram within the literal
	next    int32 // key of the same head, counted from 1; 0 for none
}

// folded sets the bit that tells lower from upper case of ASCII letters, in four
// bytes at once. Other bytes are mixed up too: the literal is compared again.
const folded = 0x20202020

func (p *prefilter) slot(gram uint32) uint32 { return gram * multiplier >> (p.shift & 31) }

func newPrefilter(wordings []wording) *prefilter {
	p := &prefilter{keys: make([]key, len(wordings)), mark: make([]uint32, len(wordings))}
	place := max(bits.Len(uint(len(wordings)))+3, 10)
	p.shift = uint32(32 - place)
	p.bitmap, p.heads = make([]uint64, 1<<place/64), make([]int32, 1<<(place-slotsOfHead))
	for i, w := range wordings {
		k := &p.keys[i]
		k.literal = keyLiteral(w.w)
		if len(k.literal) < 4 {
			p.short = append(p.short, i)
			continue
		}
		at := rarest(k.literal)
		k.gram, k.offset = gramAt(k.literal, at), int32(at)
		s := p.slot(k.gram)
		p.bitmap[s/64] |= 1 << (s % 64)
		head := &p.heads[s>>slotsOfHead]
		k.next, *head = *head, int32(i+1)
	}
	return p
}

// copy gives a prefilter that shares what is fixed with p.
func (p *prefilter) copy() *prefilter {
	c := *p
	c.mark, c.epoch, c.found = make([]uint32, len(p.mark)), 0, nil
	return &c
}

// keyLiteral is the literal of a wording that says most: the longest.
func keyLiteral(w *rules.Wording) string {
	longest := w.Literals[0]
	for _, l := range w.Literals[1:] {
		if len(l) > len(longest) {
			longest = l
		}
	}
	return longest
}

func gramAt(s string, i int) uint32 {
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24 | folded
}

// rarest gives the offset of the four bytes that are least likely in a log, of
// those at the beginning of a long literal. It has no branch to guess wrong: all
// literals of all rules are looked at before the first line is.
func rarest(s string) int {
	const farthest = 32
	best, sum := 0, uint(rarity[s[0]])+uint(rarity[s[1]])+uint(rarity[s[2]])
	for i := 3; i < len(s) && i < farthest; i++ {
		sum += uint(rarity[s[i]])
		best = max(best, int(sum)<<8|(farthest-i)) // the first of equals
		sum -= uint(rarity[s[i-3]])
	}
	return farthest - best&0xff - 3
}

// rarity orders bytes by how seldom they stand in training logs: the letters of
// English by frequency, digits and the marks of log prefixes common as well.
var rarity = func() (table [256]uint8) {
	for c := range table {
		table[c] = 4
	}
	for score, bytes := range []string{"0123456789.:-/=[]", "etaoinsr ", "ldhcumpg", "fwybvk"} {
		for _, c := range []byte(bytes) {
			table[c] = uint8(score)
			if 'a' <= c && c <= 'z' {
				table[c-0x20] = uint8(score)
			}
		}
	}
	return table
}()

// candidates gives the indices of the wordings whose key literal stands in the
// text, letters compared without case, each once, in ascending order. The
// result is valid until the next call.
func (p *prefilter) candidates(text string) []int {
	p.found = p.found[:0]
	p.epoch++
	for _, i := range p.short {
		if fold.Contains(text, p.keys[i].literal) {
			p.add(i)
		}
	}
	if len(text) >= 4 {
		p.scan(text)
	}
	slices.Sort(p.found)
	return p.found
}

func (p *prefilter) scan(text string) {
	bitmap, shift := p.bitmap, p.shift&31
	gram := gramAt(text, 0) // folded bytes shift in one by one
	for i := 0; ; i++ {
		s := gram * multiplier >> shift
		if bitmap[s/64]&(1<<(s%64)) != 0 {
			p.verify(text, i, gram)
		}
		if i+4 >= len(text) {
			return
		}
		gram = gram>>8 | uint32(text[i+4]|0x20)<<24
	}
}

func (p *prefilter) verify(text string, i int, gram uint32) {
	for n := p.heads[p.slot(gram)>>slotsOfHead]; n != 0; {
		k := &p.keys[n-1]
		from := i - int(k.offset)
		if k.gram == gram && from >= 0 && from+len(k.literal) <= len(text) && p.mark[n-1] != p.epoch &&
			fold.Equal(text[from:from+len(k.literal)], k.literal) {
			p.add(int(n - 1))
		}
		n = k.next
	}
}

func (p *prefilter) add(wording int) {
	if p.mark[wording] != p.epoch {
		p.mark[wording] = p.epoch
		p.found = append(p.found, wording)
	}
}
