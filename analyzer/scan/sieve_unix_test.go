//go:build unix

package scan

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// TestNextStaysInside looks through blocks that end where memory ends.
func TestNextStaysInside(t *testing.T) {
	page := os.Getpagesize()
	m, err := unix.Mmap(-1, 0, 2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(m)
	if err := unix.Mprotect(m[page:], unix.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	s := sieveOf("abcd")
	for length := range 201 {
		block := m[page-length : page : page]
		clear(block)
		if got := s.next(block, 0); got != -1 {
			t.Errorf("%d bytes: a gram at %d, where there is none", length, got)
		}
		if length >= 4 {
			copy(block[(length-4)&^1:], "abcd")
			if got := s.next(block, 0); got != (length-4)&^1 {
				t.Errorf("%d bytes: a gram at %d, want it at %d", length, got, (length-4)&^1)
			}
		}
	}
}
