package main

import (
	"testing"
	"time"
)

// TestSince: what is read lies before now, and what no date can hold is refused.
func TestSince(t *testing.T) {
	now := time.Date(2026, 6, 16, 12, 0, 0, 0, time.UTC)
	c := &console{lang: "en"}
	c.now = func() time.Time { return now }
	for in, want := range map[string]string{
		"": "0001-01-01T00:00:00Z", "7d": "2026-06-09T12:00:00Z", "36h": "2026-06-15T00:00:00Z", "2026-06-01": "2026-06-01T00:00:00Z", "2026-06-01T08:00:00+08:00": "2026-06-01T00:00:00Z",
		"0d": "", "-1d": "", "07d": "", "365001d": "", "9223372036854775807d": "", "99999999999999999999d": "", "-1h": "", "2026-02-30": "", "soon": "",
	} {
		got := ""
		if at, err := c.since(in); err == nil {
			got = at.UTC().Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}
