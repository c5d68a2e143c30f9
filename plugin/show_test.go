package main

import (
	"strings"
	"testing"
	"time"
)

// TestNumberCell: a number that is no time, or no span of one, is shown as it
// stands in the answer, and not as another time.
func TestNumberCell(t *testing.T) {
	for _, tt := range []struct {
		v          float64
		form, want string
	}{
		{1781578940000, "ms", "2026-06-16 03:02:20 +0000"}, {0, "ms", ""}, {-1, "ms", ""},
		{253402300799999, "ms", "9999-12-31 23:59:59 +0000"}, {253402300800000, "ms", "253402300800000"}, {1e300, "ms", "1" + strings.Repeat("0", 300)},
		{90_500, "duration", "1m30s"}, {-90_500, "duration", "-1m30s"}, {9.3e12, "duration", "9300000000000"}, {-1e300, "duration", "-1" + strings.Repeat("0", 300)},
		{12.34, "percent", "12.3"}, {1e21, "", "1" + strings.Repeat("0", 21)}, {0.5, "", "0.5"},
	} {
		if got := tableCell(tt.v, tt.form, time.UTC); got != tt.want {
			t.Errorf("%g as %q is %q, want %q", tt.v, tt.form, got, tt.want)
		}
	}
}
