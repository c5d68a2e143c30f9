package ascii

import "testing"

func TestNumber(t *testing.T) {
	tests := []struct {
		s    string
		i, n int
		want int
	}{
		{"2026-06", 0, 4, 2026},
		{"2026-06", 5, 2, 6},
		{"2026-06", 5, 3, -1}, // fewer
		{"2026-06", 3, 2, -1}, // not all digits
		{"+1", 0, 2, -1},
		{"1", 1, 0, 0},
	}
	for _, tt := range tests {
		if got := Number(tt.s, tt.i, tt.n); got != tt.want {
			t.Errorf("Number(%q, %d, %d) = %d, want %d", tt.s, tt.i, tt.n, got, tt.want)
		}
	}
}

func TestClasses(t *testing.T) {
	for c := range 256 {
		b := byte(c)
		digit := '0' <= b && b <= '9'
		small := 'a' <= b && b <= 'z'
		letter := small || 'A' <= b && b <= 'Z'
		if IsDigit(b) != digit || IsSmall(b) != small || IsLetter(b) != letter || IsWord(b) != (digit || letter) {
			t.Errorf("%q: digit %v, small letter %v, letter %v, word %v", b, IsDigit(b), IsSmall(b), IsLetter(b), IsWord(b))
		}
	}
}
