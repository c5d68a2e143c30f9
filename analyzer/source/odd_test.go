package source

import (
	"testing"
)

// simpleOdd is what nextOdd promises, in the fewest words.
func simpleOdd(b []byte, i int) int {
	for ; i < len(b); i++ {
		if isOdd(b, i) {
			return i
		}
	}
	return -1
}

// TestOddBytes takes each byte at each place of a text, alone and with each byte
// that may follow one beyond ASCII.
func TestOddBytes(t *testing.T) {
	for c := range 256 {
		for _, length := range []int{1, 7, 8, 9, 127, 128, 129, 300} {
			b := make([]byte, length)
			for at := range length {
				for i := range b {
					b[i] = "step 7\n"[i%7]
				}
				b[at] = byte(c)
				want := simpleOdd(b, 0)
				if got := nextOdd(b, 0); got != want {
					t.Fatalf("byte %#x at %d of %d: found at %d, want %d", c, at, length, got, want)
				}
				if got := skipEvenPlain(b, 0); want >= 0 && got > want || want < 0 && c != 0xc2 && c != '\r' && got < length-7 {
					t.Fatalf("byte %#x at %d of %d: skipEvenPlain stops at %d, the odd byte is at %d", c, at, length, got, want)
				}
			}
		}
	}
}

func FuzzOddBytes(f *testing.F) {
	f.Add([]byte("step 1 loss 2.5\nstep 2\tloss 2.4\r\n\x1b[31mred\x1b[0m 3 \xc2\xb5s \xc2\x9b0m C:\\x\x7f\b"), uint16(3))
	f.Fuzz(func(t *testing.T, b []byte, cut uint16) {
		b = b[min(int(cut), len(b)):]
		for i := 0; ; i++ {
			want := simpleOdd(b, i)
			if got := nextOdd(b, i); got != want {
				t.Fatalf("an odd byte from %d on: found at %d, want %d, in %q", i, got, want, b)
			}
			if i = want; i < 0 {
				break
			}
		}
	})
}
