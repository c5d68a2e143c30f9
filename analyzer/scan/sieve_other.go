//go:build !amd64

package scan

// next gives the first even offset from i on at which a gram of the sieve
// stands, -1 when there is none.
func (s *sieve) next(block []byte, i int) int { return s.plainNext(block, i) }
