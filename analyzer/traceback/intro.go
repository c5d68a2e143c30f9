package traceback

import "strings"

// intro is a line that stands before a traceback and says where it was raised.
type intro struct {
	at      int
	thread  string
	ignored string
	wait    int // lines that may follow before it is forgotten
}

func (i *intro) set() bool { return i.thread != "" || i.ignored != "" }

// introductions are the fixed beginnings (Modules/_threadmodule.c,
// Lib/threading.py, Python/errors.c, Lib/logging/__init__.py).
var introductions = []struct {
	text    string
	ignored bool
	whole   bool // the line is this text alone
}{
	{"Exception in thread started by: ", false, false},
	{"Exception in thread ", false, false},
	{"Unhandled exception in thread started by ", false, false},
	{"Exception ignored in thread started by: ", true, false},
	{"Exception ignored in: ", true, false},
	{"Exception ignored in ", true, false},
	{"Exception ignored while ", true, false},
	{"Exception ignored on ", true, false},
	{"Error in atexit._run_exitfuncs:", true, true},
	{"--- Logging error ---", true, true},
}

// take notes s when it introduces a traceback.
func (i *intro) take(at int, s string) (Part, bool) {
	if i.set() {
		if i.wait--; i.wait < 0 {
			*i = intro{}
		}
	}
	if s[0] != 'E' && s[0] != 'U' && s[0] != '-' {
		return Outside, false
	}
	for _, t := range introductions {
		rest, ok := strings.CutPrefix(s, t.text)
		if !ok {
			continue
		}
		name := strings.TrimSuffix(strings.TrimSpace(rest), ":")
		switch {
		case t.whole:
			name = strings.TrimSuffix(s, ":")
		case name == "" || !t.ignored && !strings.HasSuffix(s, ":") && !strings.HasPrefix(name, "<"):
			return Outside, false
		}
		*i = intro{at: at, wait: 3}
		if t.ignored {
			i.ignored = clip(name, 1024)
		} else {
			i.thread = clip(name, 1024)
		}
		return Header, true
	}
	return Outside, false
}

// raisedIn reports whether a traceback may be that of an exception that was
// ignored in an object: a function of Python is among its frames. Where a process
// ends, or two of them write at once, the traceback of another may come next.
func (t Traceback) raisedIn(object string) bool {
	kind, name, _ := strings.Cut(strings.TrimPrefix(object, "<"), " ")
	switch kind {
	case "bound":
		name = strings.TrimPrefix(name, "method ")
	case "generator", "coroutine":
		name = strings.TrimPrefix(name, "object ")
	case "function":
	default:
		return true
	}
	name, _, _ = strings.Cut(name, " ")
	name = name[strings.LastIndexByte(name, '.')+1:]
	frames := false
	for _, x := range t.Exceptions {
		for _, f := range x.Frames {
			if frames = true; f.Func == name {
				return true
			}
		}
	}
	return !frames
}
