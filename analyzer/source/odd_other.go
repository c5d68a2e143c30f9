//go:build !amd64

package source

func skipEven(b []byte, i int) int { return skipEvenPlain(b, i) }
