package codes

import (
	"strconv"
	"testing"
)

func TestSignalOf(t *testing.T) {
	tests := []struct{ code, want int }{
		{0, 0}, {1, 0}, {2, 0}, {126, 0}, {127, 0}, {128, 0}, {255, 0}, {256, 0},
		{137, 9}, {139, 11}, {134, 6}, {135, 7}, {143, 15}, {130, 2},
		{-9, 9}, {-11, 11}, {-6, 6}, {-15, 15}, {247, 9}, {245, 11}, {250, 6}, {241, 15}, {249, 7},
		{271, 15}, {265, 9}, {-1073741819, 11}, {0xC0000005, 11}, {-1073740791, 6}, {1 << 40, 0}, {-1000, 0},
	}
	for _, tt := range tests {
		if got := SignalOf(tt.code); got != tt.want {
			t.Errorf("SignalOf(%d) = %d, want %d", tt.code, got, tt.want)
		}
	}
}

func TestParseExit(t *testing.T) {
	for text, want := range map[string]int{"137": 137, " -9 ": -9, "137.0": 137, "0x89": 137, "0xC0000005": 0xC0000005, "3221225477": 0xC0000005, "-1073741819": -1073741819, "010": 10, "0": 0} {
		if code, ok := ParseExit(text); code != want || !ok {
			t.Errorf("ParseExit(%q) = %d, %v, want %d", text, code, ok, want)
		}
	}
	for _, text := range []string{"", "137.5", "SIGKILL", "0x", "4294967296", "-2147483649", "99999999999999999999", "1 2"} {
		if code, ok := ParseExit(text); ok {
			t.Errorf("ParseExit(%q) = %d", text, code)
		}
	}
}

// TestWindowsCodesHaveRows: what is read as a signal has a meaning of its own.
func TestWindowsCodesHaveRows(t *testing.T) {
	for code := range windows {
		if rows := find(Exit, strconv.FormatUint(uint64(code), 10)); len(rows) != 1 {
			t.Errorf("0x%X has the rows %v", code, rows)
		}
	}
}

func TestSignalNamed(t *testing.T) {
	tests := []struct {
		word string
		want int
	}{
		{"9", 9}, {"SIGKILL", 9}, {"KILL", 9}, {"Signals.SIGKILL", 9}, {"Killed", 9}, {"killed", 9}, {"Segmentation fault", 11}, {"SEGV", 11},
		{"Aborted", 6}, {"ABRT", 6}, {"Bus error", 7}, {"TERM", 15}, {"Terminated", 15}, {"", 0}, {"0", 0}, {"900", 0}, {"SIGNAL", 0}, {"rank", 0},
	}
	for _, tt := range tests {
		if got := SignalNamed(tt.word); got != tt.want {
			t.Errorf("SignalNamed(%q) = %d, want %d", tt.word, got, tt.want)
		}
	}
}
