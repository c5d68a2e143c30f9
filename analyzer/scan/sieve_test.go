package scan

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"hcloud-modelarts/analyzer/rules"
)

func sieveOf(grams ...string) *sieve {
	s := newSieve(len(grams))
	for _, g := range grams {
		s.put(gramAt(g, 0))
	}
	return &s
}

// allNext is where next stops when it is asked again behind each stop.
func allNext(next func([]byte, int) int, block []byte) (at []int) {
	for i := next(block, 0); i >= 0; i = next(block, i+2) {
		at = append(at, i)
	}
	return at
}

// simpleNext is what next promises, in the fewest words.
func (s *sieve) simpleNext(block []byte, i int) int {
	for ; i+4 <= len(block); i += 2 {
		if s.has(gramAt(string(block[i:i+4]), 0)) {
			return i
		}
	}
	return -1
}

func compareNext(t *testing.T, s *sieve, block []byte) {
	t.Helper()
	want := fmt.Sprint(allNext(s.simpleNext, block))
	if got := fmt.Sprint(allNext(s.next, block)); got != want {
		t.Errorf("next in %q: %s, want %s", block, got, want)
	}
	if got := fmt.Sprint(allNext(s.plainNext, block)); got != want {
		t.Errorf("plainNext in %q: %s, want %s", block, got, want)
	}
}

// TestNextOnSmallInputs takes every text of up to seven of three letters, before
// and behind enough of another to fill a step.
func TestNextOnSmallInputs(t *testing.T) {
	s := sieveOf("abca", "bbbb", "ccab")
	var grow func(text []byte)
	grow = func(text []byte) {
		for _, n := range []int{0, 1, 29, 30, 31, 32, 33, 34} {
			block := make([]byte, 0, 64)
			for range n {
				block = append(block, 'x')
			}
			compareNext(t, s, append(block, text...))
		}
		if len(text) < 7 && !t.Failed() {
			for _, c := range []byte("abc") {
				grow(append(text[:len(text):len(text)], c))
			}
		}
	}
	grow(nil)
}

// TestNextAtEveryPlace takes all lengths of a block at all alignments, with a
// gram at each place; what stands before and behind the block is full of them.
func TestNextAtEveryPlace(t *testing.T) {
	s := sieveOf("abcd")
	around := make([]byte, 400)
	for i := range around {
		around[i] = "abcd"[i%4]
	}
	for length := range 201 {
		for align := range 32 {
			block := around[64+align : 64+align+length : 64+align+length]
			for i := range block {
				block[i] = 'x'
			}
			if got := s.next(block, 0); got != -1 {
				t.Fatalf("%d bytes at %d: a gram at %d, where there is none", length, align, got)
			}
			for at := 0; at+4 <= length; at += 1 + align%3 {
				copy(block[at:], "abcd")
				want := at
				if at%2 != 0 {
					want = -1
				}
				if got := s.next(block, 0); got != want {
					t.Fatalf("%d bytes at %d: a gram at %d, want %d", length, align, got, want)
				}
				copy(block[at:], "xxxx")
			}
			for i := range block {
				block[i] = "abcd"[(i+64+align)%4]
			}
		}
	}
}

func FuzzNext(f *testing.F) {
	log := []byte(logOf(3, []byte{0, 1, 4}))
	f.Add(log[:300], uint64(1), uint16(0))
	f.Add([]byte("RuntimeError: CUDA out of memory. Tried to allocate 2 GiB\n"), uint64(2), uint16(3))
	all := New(rules.Default()).wordings
	f.Fuzz(func(t *testing.T, block []byte, seed uint64, cut uint16) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := newSieve(64)
		for range 64 {
			l := keyLiteral(all[r.IntN(len(all))].w)
			s.put(gramAt(l, r.IntN(len(l)-3)))
		}
		for range len(block) / 16 { // grams that are there
			i := r.IntN(len(block) - 4)
			s.put(gramAt(string(block[i:i+4]), 0))
		}
		compareNext(t, &s, block[min(int(cut), len(block)):])
	})
}

// TestGramsCoverLiterals: wherever a literal stands, one of its two grams begins
// at an even offset.
func TestGramsCoverLiterals(t *testing.T) {
	for _, l := range []string{"E700", "card", "==> ", "E7001", "E30005", "507051", "Error", "掉卡", "File \"", "Traceback (most recent call last)"} {
		f := newFilter([]wording{{w: &rules.Wording{Literals: []string{l}}}})
		for before := range 8 {
			for _, c := range []byte{'\n', 'x', 'E', 0, 0xff} {
				block := []byte("1234567"[:before])
				if before > 0 {
					block[before-1] = c
				}
				if hits := f.hits(append(append(block, l...), "yz\n"...), nil); len(hits) != 1 || c == '\n' && hits[0] < before {
					t.Errorf("%q behind %q: hits %v", l, block, hits)
				}
			}
		}
	}
}

func BenchmarkFilter(b *testing.B) {
	block := []byte(logOf(11, nil))
	for len(block) < 1<<20 {
		block = append(block, block...)
	}
	f := newFilter(New(rules.Default()).wordings)
	for name, next := range map[string]func([]byte, int) int{"next": f.sieve.next, "plain": f.sieve.plainNext} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(block)))
			for b.Loop() {
				allNext(next, block)
			}
		})
	}
	b.Run("hits", func(b *testing.B) {
		b.SetBytes(int64(len(block)))
		var found []int
		for b.Loop() {
			found = f.hits(block, found[:0])
		}
	})
}
