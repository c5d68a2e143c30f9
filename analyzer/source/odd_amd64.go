package source

import "golang.org/x/sys/cpu"

// skipEvenAVX2 goes past bytes from i on that are not odd, 128 at a time, and
// stops at one that may be, or where fewer are left.
//
//go:noescape
func skipEvenAVX2(b []byte, i int) int

func skipEven(b []byte, i int) int {
	if cpu.X86.HasAVX2 {
		return skipEvenAVX2(b, i)
	}
	return skipEvenPlain(b, i)
}
