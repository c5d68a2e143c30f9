package traceback

import "testing"

// TestIgnored: an exception is ignored in a function that stands among its frames.
func TestIgnored(t *testing.T) {
	body := func(function string) string {
		return "Traceback (most recent call last):\n  File \"/job/a.py\", line 3, in " + function + "\n    x()\nKeyError: 'a'"
	}
	for _, c := range []struct {
		text    string
		ignored bool
	}{
		{"Exception ignored in: <function Pool.__del__ at 0x7f1>\n" + body("__del__"), true},
		{"Exception ignored in: <function Pool.__del__ at 0x7f1>\n" + body("<module>"), false},
		{"Exception ignored in: <bound method Pool.__del__ of <Pool object at 0x7f1>>\n" + body("__del__"), true},
		{"Exception ignored in: <generator object batches at 0x7f1>\n" + body("batches"), true},
		{"Exception ignored in: <coroutine object serve at 0x7f1>\n" + body("main"), false},
		{"Exception ignored in: <module 'threading' from '/usr/lib/python3.10/threading.py'>\n" + body("_shutdown"), true},
		{"Exception ignored in: <function Pool.__del__ at 0x7f1>\nTraceback (most recent call last):\nKeyError: 'a'", true},
	} {
		all := Parse(c.text)
		if len(all) != 1 || (all[0].Ignored != "") != c.ignored {
			t.Errorf("%q: %+v, want ignored %v", c.text, all, c.ignored)
		}
	}
}
