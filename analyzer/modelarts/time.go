package modelarts

import (
	"strings"
	"time"
)

// Bounds that tell the unit of a number of time since 1970 by its size: every
// time between 1973 and 5138 is told from the other units.
const (
	leastSecond = 1e8
	leastMilli  = 1e11
	leastMicro  = 1e14
	leastNano   = 1e17
)

// layouts of times that stand in strings; those with a zone first.
var layouts = []struct {
	layout string
	zoned  bool
}{
	{time.RFC3339Nano, true},
	{"2006-01-02T15:04:05.999999999-0700", true},
	{"2006-01-02 15:04:05.999999999Z07:00", true},
	{"2006-01-02 15:04:05.999999999 -0700", true},
	{"2006-01-02 15:04:05 -0700 MST", true},
	{"2006-01-02T15:04:05.999999999", false},
	{"2006-01-02 15:04:05.999999999", false},
	{"2006/01/02 15:04:05.999999999", false},
	{"2006-01-02-15:04:05", false},
}

// time returns the moment that a value tells: a number since 1970 in seconds,
// milliseconds, microseconds or nanoseconds, told apart by size, or a string.
// A zoned time is in UTC. One without a zone is kept as the wall clock that is
// written, also in UTC; the pages of the service mean UTC+8 by it.
func (n node) time() (t time.Time, zoned bool) {
	if i, ok := n.int(); ok {
		return epoch(i), true
	}
	if n.kind != text || n.cut {
		return time.Time{}, false
	}
	return parseTime(n.str())
}

func parseTime(s string) (t time.Time, zoned bool) {
	if len(s) < len("2006-01-02 15:04:05") || len(s) > 64 {
		return time.Time{}, false
	}
	s = strings.Replace(s, ",", ".", 1)
	for _, l := range layouts {
		if t, err := time.Parse(l.layout, s); err == nil {
			return t.UTC(), l.zoned
		}
	}
	return time.Time{}, false
}

// epoch gives the zero time for numbers too small to be a time, such as the 0
// of a job that never started.
func epoch(i int64) time.Time {
	switch {
	case i >= leastNano:
		return time.Unix(0, i).UTC()
	case i >= leastMicro:
		return time.UnixMicro(i).UTC()
	case i >= leastMilli:
		return time.UnixMilli(i).UTC()
	case i >= leastSecond:
		return time.Unix(i, 0).UTC()
	}
	return time.Time{}
}

// millis returns a span of time that a value tells in milliseconds.
func (n node) millis() time.Duration {
	const most = int64(1<<63-1) / int64(time.Millisecond)
	i, ok := n.int()
	if !ok || i <= 0 || i > most {
		return 0
	}
	return time.Duration(i) * time.Millisecond
}
