package traceback

import (
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
)

// shape is the way in which a program prints frames.
type shape uint8

const (
	none   shape = iota
	python       //   File "x.py", line 3 in f          (Python/traceback.c, dump_traceback)
	spy          //     f (x.py:3)                      (py-spy dump)
	native       // frame #0: f + 0x57 (0x7f… in lib.so), #0  0x… in f (), #0 0x… in f x.c:5, @ 0x… f
	called       //   File "x.py", line 3, in f         (torch/csrc/autograd/python_anomaly_mode.cpp), outermost first
)

// capturedText introduces the native frames that PyTorch appends to a message.
const capturedText = "C++ CapturedTraceback:"

// forwardText ends the warning behind which PyTorch lists the calls of the forward
// pass that led to an operation which failed in the backward pass.
const forwardText = "Traceback of forward call that caused the error:"

var (
	timeoutLine = lazy.Regexp(`^Timeout \(\d+:\d\d:\d\d(?:\.\d+)?\)!$`)
	raisedFrom  = lazy.Regexp(`^Exception raised from .+ \(most recent call first\):$`)
	sanitizer   = lazy.Regexp(`^==\d+==\s?(?:ERROR|WARNING): \w+Sanitizer: `)
	signalLine  = lazy.Regexp(`^\*\*\* (?:Aborted at \d|SIG[A-Z]+ |Process received signal)|(?:\] |^)\*\*\* Process received signal \*\*\*$|^Thread \d+ "[^"]*"[^:]* received signal SIG|^Program (?:received|terminated with) signal SIG`)
	pySpyHead   = lazy.Regexp(`^Process \d+: `)
)

// reasonOf recognises the lines that introduce a dump.
func reasonOf(s string) (string, bool) {
	if strings.HasSuffix(s, forwardText) {
		return s, true
	}
	switch s[0] {
	case 'F', 'W':
		if strings.HasPrefix(s, "Fatal Python error: ") || strings.HasPrefix(s, "Windows fatal exception: ") {
			return s, true
		}
	case 'T':
		if strings.HasPrefix(s, "Timeout (") && timeoutLine().MatchString(s) || isSignal(s) {
			return s, true
		}
	case 'E':
		if strings.HasPrefix(s, "Exception raised from ") && raisedFrom().MatchString(s) {
			return s, true
		}
	case 'C':
		if s == capturedText {
			return s, true
		}
	case '=':
		if sanitizer().MatchString(s) {
			return s, true
		}
	case '*', '[':
		if isSignal(s) {
			return s, true
		}
	case 'P':
		if strings.HasPrefix(s, "Process ") && pySpyHead().MatchString(s) || isSignal(s) {
			return s, true
		}
	}
	return "", false
}

// isSignal tells whether a program says that a signal came. Most lines are known
// for others before the expression is asked.
func isSignal(s string) bool {
	return (strings.HasPrefix(s, "*** ") || strings.HasPrefix(s, "Thread ") || strings.HasPrefix(s, "Program ") ||
		strings.HasSuffix(s, "*** Process received signal ***")) && signalLine().MatchString(s)
}

var (
	faultThread = lazy.Regexp(`^(?:Current thread|Thread) (0x[0-9a-fA-F]+)(?: \[(.+)\])?(?: \(most recent call first\))?:$`)
	spyThread   = lazy.Regexp(`^Thread (0x[0-9a-fA-F]+|\d+) \((?:idle|active|gil|active\+gil|idle\+gil)\)(?:: "(.*)")?$`)
	gdbThread   = lazy.Regexp(`^Thread \d+ \((?:Thread 0x[0-9a-f]+ )?\(?LWP (\d+)\)?.*\):$`)
)

// threadOf recognises the line that stands before the frames of one thread.
func threadOf(s string) (name string, sh shape, ok bool) {
	switch s[0] {
	case 'C', 'T', 'S':
	default:
		return "", none, false
	}
	if strings.HasPrefix(s, "Stack (most recent call first):") {
		return "", python, true
	}
	if s == "Current thread's C stack trace (most recent call first):" {
		return "C stack", native, true
	}
	if !strings.HasPrefix(s, "Thread ") && !strings.HasPrefix(s, "Current thread ") {
		return "", none, false
	}
	if m := faultThread().FindStringSubmatch(s); m != nil {
		return threadName(m), python, true
	}
	if m := spyThread().FindStringSubmatch(s); m != nil {
		return threadName(m), spy, true
	}
	if m := gdbThread().FindStringSubmatch(s); m != nil {
		return m[1], native, true
	}
	return "", none, false
}

func threadName(m []string) string {
	if m[2] != "" {
		return m[2]
	}
	return m[1]
}

// dumpNote tells whether a line stands in a dump without being a frame.
func dumpNote(s string, sh shape) bool {
	switch t := strings.TrimSpace(s); sh {
	case python:
		return t == "..." || t == "<no Python frame>" || t == "Garbage-collecting" || t == "<invalid frame>" ||
			strings.HasPrefix(t, "<cannot ") || strings.HasPrefix(t, "File <") || strings.HasPrefix(t, `File "`)
	case spy:
		return indent(s) > 4
	case called:
		return indent(s) > 3
	}
	return false
}

var (
	faultFrame = lazy.Regexp(`^  File "(.*)", line (\d+|\?\?\?) in (.*)$`)
	spyFrame   = lazy.Regexp(`^ {4}(\S.*) \((.+?)(?::(\d+))?\)$`)
	torchFrame = lazy.Regexp(`^frame #(\d+): (.+?)(?: \+ 0x[0-9a-f]+)? \(0x[0-9a-f]+ in (.+)\)$`)
	hashFrame  = lazy.Regexp(`^\s*#(\d+):? +(?:0x[0-9a-f]+ (?:in )?)?(.+)$`)
	gdbTail    = lazy.Regexp(`^(.+?)(?: ?\(.*\))? (?:at (\S+):(\d+)|from (\S+))$`)
	asanTail   = lazy.Regexp(`^(.+?) (?:(/\S+?):(\d+)(?::\d+)?|\((\S+?)(?:\+0x[0-9a-f]+)\).*)$`)
	glogFrame  = lazy.Regexp(`^\s*@ +0x[0-9a-f]+ (.+)$`)
	mpiFrame   = lazy.Regexp(`^\[\S+\] \[ ?(\d+)\] (\S*?)\((.*?)(?:\+0x[0-9a-f]+)?\) ?\[0x[0-9a-f]+\]$`)
	cFrame     = lazy.Regexp(`^  Binary file "(.*)", at (.*?)(?:\+0x[0-9a-f]+)? \[0x[0-9a-f]+\]$`)
)

// parseStackFrame reads one frame. number is its number as printed, -1 when the
// program prints none. Only a stack of py-spy may hold py-spy's frames: they
// look like prose.
func parseStackFrame(s string, open shape) (f Frame, number int, sh shape, ok bool) {
	switch t := strings.TrimLeft(s, " "); {
	case strings.HasPrefix(s, `  File "`):
		if !inBehindNumber(s) {
			if prefix, f, ok := parseFrame(s); ok && prefix == "" && open == called {
				f.User = isUser(f.File)
				return f, -1, called, true
			}
			break
		}
		if m := faultFrame().FindStringSubmatch(s); m != nil {
			f = Frame{File: m[1], Line: atoi(m[2]), Func: m[3], User: isUser(m[1])}
			return f, -1, python, true
		}
	case strings.HasPrefix(s, "frame #"):
		if m := torchFrame().FindStringSubmatch(s); m != nil {
			return Frame{File: m[3], Func: m[2]}, atoi(m[1]), native, true
		}
	case strings.HasPrefix(t, "#"):
		return parseHashFrame(t, open)
	case strings.HasPrefix(t, "@ "):
		if m := glogFrame().FindStringSubmatch(s); m != nil {
			return Frame{Func: m[1]}, -1, native, true
		}
	case strings.HasPrefix(s, "["):
		if !strings.HasSuffix(s, "]") {
			break
		}
		if m := mpiFrame().FindStringSubmatch(s); m != nil {
			return Frame{File: m[2], Func: m[3]}, atoi(m[1]), native, true
		}
	case open == native && strings.HasPrefix(s, "  Binary file"):
		if m := cFrame().FindStringSubmatch(s); m != nil {
			return Frame{File: m[1], Func: m[2]}, -1, native, true
		}
	case open == spy:
		if m := spyFrame().FindStringSubmatch(s); m != nil {
			return Frame{File: m[2], Line: atoi(m[3]), Func: m[1], User: isUserShort(m[2])}, -1, spy, true
		}
	}
	return Frame{}, 0, none, false
}

// inBehindNumber tells faulthandler's frames, "line 3 in f", from those of
// tracebacks, "line 3, in f".
func inBehindNumber(s string) bool {
	for {
		at := strings.Index(s, " in ")
		if at < 0 {
			return false
		}
		if at > 0 && ('0' <= s[at-1] && s[at-1] <= '9' || s[at-1] == '?') {
			return true
		}
		s = s[at+1:]
	}
}

// parseHashFrame reads the numbered frames of gdb, of sanitizers and of
// PyTorch's captured tracebacks. Outside a stack only number 0 begins one, and
// only with an address, so that comments and headings do not.
func parseHashFrame(s string, open shape) (f Frame, number int, sh shape, ok bool) {
	m := hashFrame().FindStringSubmatch(s)
	if m == nil {
		return Frame{}, 0, none, false
	}
	number = atoi(m[1])
	if open != native && !strings.Contains(s, " 0x") && !strings.Contains(s, " from ") {
		return Frame{}, 0, none, false
	}
	f.Func = m[2]
	if t := gdbTail().FindStringSubmatch(m[2]); t != nil {
		f.Func, f.File, f.Line = t[1], t[2]+t[4], atoi(t[3])
		if file, line, found := strings.Cut(t[4], ":"); found {
			f.File, f.Line = file, atoi(line)
		}
	} else if t := asanTail().FindStringSubmatch(m[2]); t != nil {
		f.Func, f.File, f.Line = t[1], t[2]+t[4], atoi(t[3])
	} else {
		f.Func = strings.TrimSuffix(f.Func, " ()")
	}
	f.User = f.Line > 0 && isUserSource(f.File)
	return f, number, native, true
}

// foreignSource are where the sources of systems and of the frameworks lie on the
// machines that built them.
var foreignSource = []string{"/usr/", "/build/", "/builds/", "/pytorch/", "/opt/", "/croot/", "/lib/", "/home/conda/", "/workspace/src/", "/usr1/", "/home/jenkins", "/root/rpmbuild/"}

// isUserSource tells whether a file that a native frame names may be the user's
// own: the whole path of a source file that no system and no framework has.
func isUserSource(file string) bool {
	if !strings.HasPrefix(file, "/") || !isUser(file) {
		return false
	}
	for _, dir := range foreignSource {
		if strings.HasPrefix(file, dir) {
			return false
		}
	}
	return true
}

// atoi reads digits; anything else, or too many of them, is 0.
func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

// isUserShort is isUser for py-spy, which shortens a path to what follows the
// folder that Python found it in.
func isUserShort(file string) bool {
	first, _, nested := strings.Cut(file, "/")
	if nested && first != "" {
		return !shortPackages[first] && isUser(file)
	}
	return !shortModules[file] && isUser(file)
}

// shortPackages and shortModules are what py-spy's short names of the standard
// library and of common packages begin with.
var (
	shortPackages = set("torch torch_npu torchvision numpy transformers deepspeed accelerate mindspore lightning " +
		"pytorch_lightning multiprocessing concurrent asyncio urllib3 requests http importlib email logging datasets " +
		"mmengine mmcv triton apex megatron tensorflow keras horovod ray moxing pandas scipy urllib xml json")
	shortModules = set("threading.py queue.py selectors.py socket.py ssl.py subprocess.py runpy.py contextlib.py " +
		"pickle.py shutil.py tempfile.py socketserver.py functools.py codecs.py os.py random.py gzip.py zipfile.py")
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
