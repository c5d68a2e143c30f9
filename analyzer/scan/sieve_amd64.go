package scan

import "golang.org/x/sys/cpu"

// nextAVX2 is next for whole steps of 32 bytes: it gives the first even offset
// from i on at which a gram of the sieve stands, or ^j when there is none up to
// j, from where fewer than 34 bytes are left.
//
//go:noescape
func nextAVX2(words *uint32, shift uint32, block []byte, i int) int

// next gives the first even offset from i on at which a gram of the sieve
// stands, -1 when there is none.
func (s *sieve) next(block []byte, i int) int {
	if cpu.X86.HasAVX2 {
		if i = nextAVX2(&s.words[0], s.shift, block, i); i >= 0 {
			return i
		}
		i = ^i
	}
	return s.plainNext(block, i)
}
