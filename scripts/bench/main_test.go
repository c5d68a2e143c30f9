package main

import (
	"strings"
	"testing"
	"time"
)

// TestGoalsNeedLongLogs: whether a goal for long logs is met is not said of short ones.
func TestGoalsNeedLongLogs(t *testing.T) {
	defer func(before int64) { *megabytes = before }(*megabytes)
	for size, want := range map[int64]string{4: "| – | – |", 1024: "| 2× as fast | no |"} {
		*megabytes = size
		b := &table{}
		b.against("a log", cost{wall: 2 * time.Second}, "`rg`", cost{wall: time.Second}, asked(0.5))
		var out strings.Builder
		if err := b.print(&out); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), want) || strings.Contains(out.String(), "goals for logs are asked") != (size < leastSize) {
			t.Errorf("%d MiB give\n%s", size, out.String())
		}
	}
}
