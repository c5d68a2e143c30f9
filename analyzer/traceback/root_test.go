package traceback

import (
	"fmt"
	"strings"
	"testing"
)

const (
	cause   = "\n" + causeSentence + "\n\n"
	context = "\n" + contextSentence + "\n\n"
)

// trace prints a traceback: frames are "user:f" or "lib:f", outermost first.
func trace(frames, head string) string {
	var b strings.Builder
	b.WriteString(headerText + "\n")
	for _, f := range strings.Fields(frames) {
		where, name, _ := strings.Cut(f, ":")
		file := map[string]string{"user": "/job/train.py", "lib": "/opt/conda/lib/python3.10/site-packages/lib/core.py"}[where]
		fmt.Fprintf(&b, "  File %q, line 5, in %s\n    call()\n", file, name)
	}
	return b.String() + head + "\n"
}

func TestRoot(t *testing.T) {
	tests := []struct {
		name, text, want string
	}{
		{"alone", trace("user:main", "ValueError: a"), "ValueError: a"},
		{"cause", trace("user:main", "KeyError: 'a'") + cause + trace("user:main", "ValueError: b"), "KeyError: 'a'"},
		{"translated while handling", trace("lib:get", "KeyError: 'a'") + context + trace("user:main lib:get", "ValueError: b"), "KeyError: 'a'"},
		{"clean-up failed too", trace("user:main", "RuntimeError: a") + context + trace("user:main lib:close", "OSError: b"), "RuntimeError: a"},
		{"library asked itself", trace("lib:get", "KeyError: 'a'") + context + trace("user:main lib:get lib:load", "OSError: b"), "OSError: b"},
		{"user asked, handler called on", trace("user:load", "KeyError: 'a'") + context + trace("user:main user:load user:report", "TypeError: b"), "KeyError: 'a'"},
		{"user tried an import, then worked without", trace("user:load", "ImportError: no a") + context + trace("user:main user:load user:slow", "TypeError: b"), "TypeError: b"},
		{"import instead of an import", trace("user:load", "ModuleNotFoundError: No module named 'a'") + context + trace("user:load", "ModuleNotFoundError: No module named 'b'"), "ModuleNotFoundError: No module named 'b'"},
		{"import translated", trace("user:load", "ModuleNotFoundError: No module named 'a'") + context + trace("user:load", "ImportError: please install a"), "ModuleNotFoundError: No module named 'a'"},
		{"empty queue", trace("lib:get", "_queue.Empty") + cause + trace("user:main lib:next", "RuntimeError: worker is gone"), "RuntimeError: worker is gone"},
		{"end of an iterator", trace("lib:next", "StopIteration") + context + trace("user:main", "ValueError: b"), "ValueError: b"},
		{"network, three layers", trace("lib:a", "socket.gaierror: [Errno -2] Name or service not known") + context + trace("lib:a lib:b", "urllib3.exceptions.MaxRetryError: b") +
			context + trace("user:main lib:a", "requests.exceptions.ConnectionError: c"), "socket.gaierror: [Errno -2] Name or service not known"},
		{"worker", trace("user:main", "ValueError: Caught ValueError in DataLoader worker process 0.") + "Original " + trace("user:item", "ValueError: row 7"), "ValueError: row 7"},
		{"worker with a chain inside", trace("user:main", "ValueError: Caught ValueError in DataLoader worker process 0.") + "Original " + trace("user:item", "OSError: disk") + context + trace("user:item", "ValueError: row 7"), "OSError: disk"},
		{"remote", "multiprocessing.pool.RemoteTraceback: \n\"\"\"\n" + trace("user:work", "ValueError: a") + "\"\"\"\n" + cause + trace("user:main", "ValueError: a") + cause + trace("user:main", "RuntimeError: b"), "ValueError: a"},
		{"cut", trace("user:main", "KeyError: 'a'") + context, "KeyError: 'a'"},
		{"steering, then cut", trace("user:main", "StopIteration") + context + "Traceback (most recent call last):\n", "StopIteration"},
		{"group", "  + Exception Group Traceback (most recent call last):\n  |   File \"/job/a.py\", line 1, in <module>\n  | ExceptionGroup: g (2 sub-exceptions)\n" +
			"  +-+---------------- 1 ----------------\n    | KeyError: 'a'\n    | \n    | " + "The above exception was the direct cause of the following exception:\n    | \n    | ValueError: b\n" +
			"    +---------------- 2 ----------------\n    | OSError: c\n    +------------------------------------\n", "KeyError: 'a'"},
	}
	for _, test := range tests {
		all := Parse(test.text)
		if len(all) != 1 {
			t.Errorf("%s: %d tracebacks", test.name, len(all))
			continue
		}
		e := all[0].Exceptions[all[0].Root()]
		got := e.Type
		if e.Message != "" {
			got += ": " + e.Message
		}
		if got != test.want {
			t.Errorf("%s: root is %q, want %q", test.name, got, test.want)
		}
	}
	if (Traceback{}).Root() != -1 {
		t.Error("a traceback without exceptions has a root")
	}
}
