package source

import "golang.org/x/sys/cpu"

// skipEvenAVX2 goes past whole steps of oddStep bytes from i on in which no byte
// is odd.
//
//go:noescape
func skipEvenAVX2(b []byte, i int) int

func skipEven(b []byte, i int) int {
	if cpu.X86.HasAVX2 {
		return skipEvenAVX2(b, i)
	}
	return skipEvenPlain(b, i)
}
