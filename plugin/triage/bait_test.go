package triage

import (
	"strings"
	"testing"
	"time"
)

// TestLongNames: the time that a name takes does not grow with the square of its
// length; archives hold names of any length.
func TestLongNames(t *testing.T) {
	done := make(chan string)
	go func() { done <- stem("ticket.7" + strings.Repeat(".log.1", 20_000)) }()
	select {
	case got := <-done:
		if got != "ticket" {
			t.Errorf("the stem is %q", got)
		}
	case <-time.After(60 * time.Second): // a tenth of a second, where nothing else runs
		t.Fatal("it does not come to an end")
	}
}
