package verdict

import (
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// inDel is the traceback of an exception in a destructor.
func inDel(exception string) string {
	return "Traceback (most recent call last):\n  File \"/usr/lib/python3.10/multiprocessing/pool.py\", line 268, in __del__\n    self._change_notifier.put(None)\n" + exception
}

// asserted is the traceback of an assertion that has no words.
func asserted(condition string) string {
	return "Traceback (most recent call last):\n  File \"/home/ma-user/modelarts/user-job-dir/app/main.py\", line 9, in <module>\n    assert " + condition + "\nAssertionError"
}

// TestPrepared: what a boot script and its tools print before the program starts
// is no root, unless what the program meets follows from it or it never starts.
func TestPrepared(t *testing.T) {
	const code = "[Modelarts Service Log]Training end with return code: 1"
	ranked := prefixed("[rank2]: ", raised("KeyError: 'label'"))
	worker := prefixed("(TrainWorker pid=811) ", raised("IndexError: list index out of range"))
	for _, c := range []struct {
		name, log, cause string
		confidence       Confidence
	}{
		{"a command that the image lacks", lines("run.sh: line 7: ibstat: command not found", ranked, code), "key-error", High},
		{"a file that the script copies, and workers of Ray", lines("cp: cannot stat '/opt/x/.netrc': No such file or directory", worker, code), "index-error", High},
		{"a setting of the kernel", lines(`sysctl: setting key "vm.max_map_count": Read-only file system`, ranked, code), "key-error", High},
		{"a package that nobody needs", lines("ERROR: Failed building wheel for apex", ranked, code), "key-error", High},
		{"a driver's tool, in the stream of the exception", lines("modprobe: ERROR: could not insert 'nvidia_peermem': Operation not permitted", raised("AttributeError: 'NoneType' object has no attribute 'shape'"), code), "attribute-error", High},
		{"an exception without its stack", lines("wget: unable to resolve host address 'mirror'", "[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 1 has a total capacity of 79.15 GiB of which 1.10 GiB is free.", code), "device-oom", High},
		{"a device that is not there is what the program misses", lines("/opt/conda/lib/python3.10/site-packages/torch/cuda/__init__.py:129: UserWarning: CUDA initialization: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized", raised("AssertionError: this needs at least one GPU"), code), "device-unavailable", High},
		{"a device that is not there is what the program asserts without a word", lines("/opt/conda/lib/python3.10/site-packages/torch/cuda/__init__.py:129: UserWarning: CUDA initialization: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized", asserted("torch.cuda.device_count() == 8"), code), "device-unavailable", High},
		{"a device that is not there, and the program asserts something else without a word", lines("/opt/conda/lib/python3.10/site-packages/torch/cuda/__init__.py:129: UserWarning: CUDA initialization: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized", asserted("args.batch % args.world == 0"), code), "assertion-failed", High},
		{"an assertion on the device, which the exception of a rank does not quote", lines("../aten/src/ATen/native/cuda/Loss.cu:250: nll_loss_forward: block: [0,0,0], thread: [7,0,0] Assertion `t >= 0 && t < n_classes` failed.", prefixed("[rank2]: ", raised("RuntimeError: CUDA error: device-side assert triggered")), code), "data-out-of-range", High},
		{"a compiler's error, and a program that needs nothing of it", lines("/tmp/t1/test.c:2:10: fatal error: libaio.h: No such file or directory", raised("KeyError: 'label'"), code), "key-error", High},
		{"the program never starts", lines("run.sh: line 7: torchrun: command not found", "[Modelarts Service Log]Training end with return code: 127"), "startup-command-failed", High},
		{"the file is what the program misses", lines("cp: cannot stat '/mnt/sfs/train.idx': No such file or directory", prefixed("[rank2]: ", raised("ValueError: cannot read /cache/train.idx")), code), "file-missing", High},
		{"a file that a broken archive did not give", lines("unzip:  cannot find zipfile directory in one of /cache/faces.zip or /cache/faces.zip.zip, and cannot find /cache/faces.zip.ZIP, period.", raised("FileNotFoundError: [Errno 2] No such file or directory: '/cache/faces/meta.json'"), code), "data-corrupt", High},
		{"a disk that filled before weights were loaded", lines("cp: error writing '/cache/m/model-00029-of-00037.safetensors': No space left on device", "Loading checkpoint shards:  75%|███████▌  | 28/37 [00:09<00:03,  3.0it/s]", prefixed("[rank2]: ", raised("safetensors_rust.SafetensorError: Error while deserializing header: MetadataIncompleteBuffer")), code), "disk-full", High},
		{"a name that a tool could not resolve, before what is missing", lines("Resolving data.example.com (data.example.com)... failed: Name or service not known.", "wget: unable to resolve host address 'data.example.com'", prefixed("[rank2]: ", raised("FileNotFoundError: [Errno 2] No such file or directory: '/cache/a.tar'"))), "download-failed", High},
		{"a name that a tool could not resolve, before a tool that misses the file, as the program does", lines("wget: unable to resolve host address 'data.example.com'", "unzip:  cannot find or open faces.zip, faces.zip.zip or faces.zip.ZIP.", raised("RuntimeError: Found 0 images in: ./faces"), code), "download-failed", High},
		{"a name that a tool could not resolve, before a tool that misses a file of nobody's", lines("wget: unable to resolve host address 'data.example.com'", "cp: cannot stat '/opt/x/.netrc': No such file or directory", ranked, code), "key-error", High},
		{"another tool, in a log of one process", lines("curl: (6) Could not resolve host: data.example.com", raised("FileNotFoundError: [Errno 2] No such file or directory: '/cache/a.tar'")), "network-error", High},
		{"a name that a tool could not resolve, and memory", lines("curl: (6) Could not resolve host: data.example.com", raised("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 31.74 GiB")), "device-oom", High},
		{"a package that no index has", lines("ERROR: Could not find a version that satisfies the requirement einops (from versions: none)", raised("ModuleNotFoundError: No module named 'einops'")), "package-install-failed", High},
		{"what a command printed that the program called", lines("fatal: detected dubious ownership in repository at '/home/ma-user/code'", raised("subprocess.CalledProcessError: Command '['git', 'rev-parse', 'HEAD']' returned non-zero exit status 128."), code), "permission-denied", High},
		{"a command that the program called, of which nothing is told", lines("start", raised("subprocess.CalledProcessError: Command '['git', 'rev-parse', 'HEAD']' returned non-zero exit status 128."), code), "exception-other", Medium},
		{"the package is what the program misses", lines("ERROR: Could not find a version that satisfies the requirement einops==9.9 (from versions: 0.8.0)", prefixed("[rank2]: ", raised("ModuleNotFoundError: No module named 'einops'")), code), "package-install-failed", High},
		{"the environment is what the program misses", lines("run.sh: line 2: /usr/local/Ascend/ascend-toolkit/set_env.sh: No such file or directory", prefixed("[rank2]: ", raised("ImportError: libhccl.so: cannot open shared object file: No such file or directory")), code), "startup-command-failed", High},
		{"the installer's own traceback is no start of the program", lines("ERROR: Invalid requirement: 'torch=2.1'", strings.ReplaceAll(raised("KeyError: 'label'"), "/home/ma-user/modelarts/user-job-dir/app/", "/usr/lib/python3/pip/_internal/"), code), "package-install-failed", High},
	} {
		if v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}}); v.Cause != c.cause || v.Confidence != c.confidence {
			t.Errorf("%s: %s/%s, want %s/%s", c.name, v.Cause, v.Confidence, c.cause, c.confidence)
		}
	}
}

// TestInforms: what a library marks as information is no root, whatever words
// stand in it and whatever stands beside it.
func TestInforms(t *testing.T) {
	const code = "[Modelarts Service Log]Training end with return code: 1"
	const plugin = "node-1:31:77 [2] NCCL INFO NET/Plugin: dlerror=libnccl-net.so: cannot open shared object file: No such file or directory"
	for _, c := range []struct{ name, log, cause string }{
		{"an optional plug-in of NCCL", lines(plugin, prefixed("[rank2]: ", raised("KeyError: 'label'")), code), "key-error"},
		{"alone", lines(plugin, code), Unknown},
		{"beside an error of NCCL", lines(plugin, "node-1:31:77 [2] init.cc:210 NCCL WARN Mismatched NCCL version detected : rank 3 version 22005 rank 0 version 21805", code), "version-conflict"},
		{"a device's log", lines("[INFO] HCCL(412,python):2026-07-02-09:00:05.123.456 [topoinfo.cc:118][412]libx.so: cannot open shared object file: No such file or directory", raised("KeyError: 'label'"), code), "key-error"},
	} {
		if v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}}); v.Cause != c.cause {
			t.Errorf("%s: %s/%s, want %s", c.name, v.Cause, v.Confidence, c.cause)
		}
	}
}

// TestInforming: a line informs that is marked for debugging, or as information by
// a library that marks its errors otherwise.
func TestInforming(t *testing.T) {
	type change func(e *scan.Event)
	for _, tt := range []struct {
		name    string
		level   string
		text    string
		raw     string
		kind    source.Kind
		change  change
		informs bool
	}{
		{"for debugging", "DEBUG", "it fails", "", source.Log, nil, true},
		{"for tracing", "TRACE", "it fails", "", source.Log, nil, true},
		{"a program's information", "INFO", "it fails", "", source.Log, nil, false},
		{"NCCL's information", "INFO", "NCCL INFO it fails", "", source.Log, nil, true},
		{"NCCL's warning", "WARN", "NCCL INFO it fails", "", source.Log, nil, false},
		{"a device's information", "INFO", "it fails", "[INFO] it fails", source.Device, nil, true},
		{"a device's error", "INFO", "it fails", "[ERROR] it fails", source.Device, nil, false},
		{"what looks like a device's information", "INFO", "it fails", "[INFO] it fails", source.Log, nil, false},
		{"of the kernel", "DEBUG", "it fails", "", source.Kernel, nil, false},
		{"of the platform", "DEBUG", "it fails", "", source.Log, func(e *scan.Event) { e.Quote.Platform = true }, false},
		{"an echo", "DEBUG", "it fails", "", source.Log, func(e *scan.Event) { e.Rule.Role = rules.Symptom }, false},
	} {
		e := found(rule("io-error", rules.Root), stream(log("a.log"), 0), 1, tt.text)
		e.Quote.Level, e.Quote.Raw, e.Quote.Kind = tt.level, tt.raw, tt.kind
		if tt.change != nil {
			tt.change(e)
		}
		if got := plain(e).informs(); got != tt.informs {
			t.Errorf("%s: it informs is %v", tt.name, got)
		}
	}
	e := found(rule("io-error", rules.Root), stream(log("a.log"), 0), 1, "OSError: x")
	e.Quote.Level = "DEBUG"
	if (&candidate{event: e, trace: uncaught(e)}).informs() {
		t.Error("a traceback informs")
	}
}

// TestOutside: a line is signed by no rank and no logger of a process when nothing
// of it or its stream names one.
func TestOutside(t *testing.T) {
	type change func(e *scan.Event)
	for _, tt := range []struct {
		name    string
		cause   string
		change  change
		outside bool
	}{
		{"nobody's", "io-error", func(e *scan.Event) {}, true},
		{"without proof", "io-error", func(e *scan.Event) { e.Rule.Role = rules.Ambiguous }, true},
		{"an echo", "io-error", func(e *scan.Event) { e.Rule.Role = rules.Symptom }, false},
		{"a device's", "io-error", func(e *scan.Event) { e.Quote.Kind = source.Device }, false},
		{"the platform's", "io-error", func(e *scan.Event) { e.Quote.Platform = true }, false},
		{"of rank 0", "io-error", func(e *scan.Event) { e.Quote.Rank = 0 }, false},
		{"of a stream of rank 0", "io-error", func(e *scan.Event) { e.Stream.Rank = 0 }, false},
		{"of a process", "io-error", func(e *scan.Event) { e.Stream.Key = "pid 7" }, false},
		{"a wait", "network-error", func(e *scan.Event) {}, false},
		{"a wait of a tool", "network-error", func(e *scan.Event) { e.Rule.Family = "shell" }, true},
		{"a stop", "stopped-by-user", func(e *scan.Event) {}, false},
		{"an end", "killed", func(e *scan.Event) {}, false},
	} {
		e := found(rule(tt.cause, rules.Root), stream(log("a.log"), -1), 1, "it fails")
		tt.change(e)
		if got := plain(e).outside(); got != tt.outside {
			t.Errorf("%s: outside is %v", tt.name, got)
		}
	}
	e := found(rule("io-error", rules.Root), stream(log("a.log"), -1), 1, "OSError: x")
	if (&candidate{event: e, trace: uncaught(e)}).outside() {
		t.Error("a traceback is outside of all processes")
	}
}

// raise gives an exception that ended its program, changed where change is not nil.
func raise(s *scan.Stream, seq int, change func(e *scan.Event)) *scan.Event {
	e := found(rule("key-error", rules.Root), s, seq, "KeyError: 'x'")
	uncaught(e)
	if change != nil {
		change(e)
	}
	return e
}

// TestStarted: a program started that raised an exception of its own, or whose
// ranks printed, below the line in the same log and attempt.
func TestStarted(t *testing.T) {
	d := log("a.log")
	s, other := stream(d, -1), stream(log("b.log"), -1)
	ranked := func(d *source.Document, rank int, key, field string, seq int) *scan.Stream {
		st := stream(d, rank)
		st.Key, st.Field, st.FirstSeq, st.First = key, field, seq, scan.Quote{Number: seq}
		return st
	}
	for _, tt := range []struct {
		name    string
		raised  *scan.Event
		streams []*scan.Stream
		line    int
	}{
		{"an exception", raise(s, 11, nil), nil, 11},
		{"an exception on the same line", raise(s, 10, nil), nil, 0},
		{"an exception above", raise(s, 9, nil), nil, 0},
		{"an exception in another log", raise(other, 11, nil), nil, 0},
		{"an exception of another attempt", raise(s, 11, func(e *scan.Event) { e.Attempt = 1 }), nil, 0},
		{"an installer's exception", raise(s, 11, func(e *scan.Event) { e.Trace.Exceptions[0].Frames[0].File = "/usr/lib/python3/pip/_internal/x.py" }), nil, 0},
		{"an exception that was ignored", raise(s, 11, func(e *scan.Event) { e.Trace.Ignored = "f" }), nil, 0},
		{"a launcher's account", raise(s, 11, func(e *scan.Event) { e.Rule.Role, e.Rule.Family = rules.Symptom, "torchelastic" }), nil, 0},
		{"a launcher's own failure", raise(s, 11, func(e *scan.Event) { e.Rule.Family = "torchelastic" }), nil, 11},
		{"an echo of no launcher", raise(s, 11, func(e *scan.Event) { e.Rule.Role = rules.Symptom }), nil, 11},
		{"a line", found(rule("key-error", rules.Root), s, 11, ""), nil, 0},
		{"a rank printed", nil, []*scan.Stream{ranked(d, 0, "", "", 11)}, 11},
		{"a process printed", nil, []*scan.Stream{ranked(d, -1, "pid 7", "", 11)}, 11},
		{"nobody in particular printed", nil, []*scan.Stream{ranked(d, -1, "", "", 11)}, 0},
		{"a rank had printed before", nil, []*scan.Stream{ranked(d, 0, "", "", 10)}, 0},
		{"a rank printed in another log", nil, []*scan.Stream{ranked(other.Doc, 0, "", "", 11)}, 0},
		{"a rank printed what an answer quotes", nil, []*scan.Stream{ranked(d, 0, "", "message", 11)}, 0},
	} {
		c := &Case{Found: scan.Result{Streams: tt.streams, Events: []*scan.Event{found(rule("io-error", rules.Root), s, 10, "")}}}
		if tt.raised != nil {
			c.Found.Events = append(c.Found.Events, tt.raised)
			if tt.raised.Trace != nil {
				c.Found.Traces = []*scan.Trace{{Traceback: tt.raised.Trace}}
			}
		}
		j := newJudge(c, rules.Default())
		if got := j.started(j.all[0]); got != tt.line {
			t.Errorf("%s: started by line %d, want %d", tt.name, got, tt.line)
		}
	}
}

// TestRaisedAfter: what may be a failure of the program below a line in the same
// log and attempt, with its stack or, of a rank, without.
func TestRaisedAfter(t *testing.T) {
	s, other := stream(log("a.log"), -1), stream(log("b.log"), -1)
	bare := func(seq, rank int, text, level string) *scan.Event {
		e := found(rule("key-error", rules.Root), s, seq, text)
		e.Quote.Rank, e.Quote.Level = rank, level
		return e
	}
	for _, tt := range []struct {
		name  string
		event *scan.Event
		fate  string
		after bool
	}{
		{"with its stack", raise(s, 11, nil), "", true},
		{"with its stack, without proof", raise(s, 11, func(e *scan.Event) { e.Rule.Role = rules.Ambiguous }), "", true},
		{"with its stack, on the same line", raise(s, 10, nil), "", false},
		{"with its stack, an echo", raise(s, 11, func(e *scan.Event) { e.Rule.Role = rules.Symptom }), "", false},
		{"with its stack, in another log", raise(other, 11, nil), "", false},
		{"with its stack, in another attempt", raise(s, 11, func(e *scan.Event) { e.Attempt = 1 }), "", false},
		{"with its stack, of an installer", raise(s, 11, func(e *scan.Event) { e.Trace.Exceptions[0].Frames[0].File = "/x/pip/_internal/y.py" }), "", false},
		{"with its stack, overcome", raise(s, 11, nil), "passed", false},
		{"of a rank", bare(11, 0, "KeyError: 'x'", ""), "", true},
		{"of a rank, above", bare(9, 0, "KeyError: 'x'", ""), "", false},
		{"of a rank, on the same line", bare(10, 0, "KeyError: 'x'", ""), "", false},
		{"of no rank", bare(11, -1, "KeyError: 'x'", ""), "", false},
		{"of a rank's logger", bare(11, 0, "KeyError: 'x'", "ERROR"), "", false},
		{"of a rank, in other words", bare(11, 0, "it fails", ""), "", false},
	} {
		c := &Case{Found: scan.Result{Events: []*scan.Event{found(rule("io-error", rules.Root), s, 10, ""), tt.event}}}
		if tt.event.Trace != nil {
			c.Found.Traces = []*scan.Trace{{Traceback: tt.event.Trace}}
		}
		j := newJudge(c, rules.Default())
		if tt.fate != "" {
			j.all[1].out(tt.fate, nil)
		}
		if got := j.raisedAfter(j.all[0], j.all[1]); got != tt.after {
			t.Errorf("%s: raised after is %v", tt.name, got)
		}
	}
}

// TestMayCause: an exception follows from a line before it that names the same
// thing or a cause that leads to it; from one of the machine whatever does not lie
// in the program's own words.
func TestMayCause(t *testing.T) {
	s := stream(log("a.log"), -1)
	at := func(family, cause, text, value string) *candidate {
		e := found(rule(cause, rules.Root), s, 1, text)
		e.Rule.Family = family
		if value != "" {
			saying(e, "path", value)
		}
		return plain(e)
	}
	for _, tt := range []struct {
		name string
		line *candidate
		then *candidate
		may  bool
	}{
		{"the same file", at("shell", "io-error", "cp: x", "/mnt/sfs/train.idx"), at("", "value-error", "ValueError: cannot read /cache/train.idx", ""), true},
		{"the same name", at("shell", "io-error", "cp: x", "einops"), at("", "value-error", "ValueError: no einops here", ""), true},
		{"another file", at("shell", "io-error", "cp: x", "/mnt/sfs/train.idx"), at("", "value-error", "ValueError: cannot read /cache/test.idx", ""), false},
		{"a name of one letter", at("shell", "io-error", "cp: x", "x"), at("", "value-error", "ValueError: x", ""), false},
		{"two waits", at("pytorch", "network-error", "it fails", ""), at("", "rendezvous-failed", "", ""), true},
		{"a wait, then none", at("pytorch", "network-error", "it fails", ""), at("", "key-error", "", ""), false},
		{"none, then a wait", at("pytorch", "io-error", "it fails", ""), at("", "rendezvous-failed", "", ""), false},
		{"a program's line, then the machine's", at("pytorch", "io-error", "it fails", ""), at("", "device-fault", "", ""), true},
		{"a tool's line, then the machine's", at("shell", "io-error", "it fails", ""), at("", "device-fault", "", ""), false},
		{"the machine, then another cause", at("pytorch", "device-fault", "it fails", ""), at("", "io-error", "OSError", ""), true},
		{"the machine, then the program's own", at("pytorch", "device-fault", "it fails", ""), at("", "key-error", "KeyError", ""), false},
		{"the machine, then the program's own that speaks of a device", at("pytorch", "device-fault", "it fails", ""), at("", "key-error", "KeyError: no gpu", ""), true},
		{"the machine, then memory of the device", at("pytorch", "device-fault", "it fails", ""), at("", "device-oom", "of the gpu", ""), false},
		{"the driver, then another cause", at("nvidia-driver", "version-conflict", "it fails", ""), at("", "io-error", "OSError", ""), true},
		{"a program's line, then the same cause", at("pytorch", "io-error", "it fails", ""), at("", "io-error", "OSError", ""), true},
		{"a program's line, then what it leads to", at("pytorch", "download-failed", "it fails", ""), at("", "file-missing", "", ""), true},
		{"a program's line, then another", at("pytorch", "download-failed", "it fails", ""), at("", "key-error", "", ""), false},
		{"an environment that was not set up", at("shell", "startup-command-failed", "set_env.sh: No such file", ""), at("", "module-missing", "", ""), true},
		{"an environment that was not set up, then another cause", at("shell", "startup-command-failed", "set_env.sh: No such file", ""), at("", "key-error", "", ""), false},
		{"another command that was not there", at("shell", "startup-command-failed", "ibstat: command not found", ""), at("", "module-missing", "", ""), false},
		{"all of some files", at("shell", "file-missing", "cp: '/data/*': No such file", ""), at("", "file-missing", "", ""), true},
		{"all of some files, then another cause", at("shell", "file-missing", "cp: '/data/*': No such file", ""), at("", "key-error", "", ""), false},
		{"one file, then another", at("shell", "file-missing", "cp: '/data/a': No such file", ""), at("", "file-missing", "", ""), false},
		{"a tool's failure, then the same cause", at("shell", "disk-full", "cp: full", ""), at("", "disk-full", "", ""), true},
		{"a tool's failure, then what it leads to", at("shell", "download-failed", "wget: failed", ""), at("", "file-missing", "", ""), true},
		{"a tool's failure, then another", at("shell", "disk-full", "cp: full", ""), at("", "key-error", "", ""), false},
	} {
		if got := tt.line.mayCause(tt.then); got != tt.may {
			t.Errorf("%s: it may follow is %v", tt.name, got)
		}
	}
	for name, want := range map[string]string{"train.idx": "train", "lib.so.6": "lib", ".netrc": ".netrc", "train": "train"} {
		if got := stem(name); got != want {
			t.Errorf("the stem of %q is %q", name, got)
		}
	}
}

// TestPreparing: what a tool printed is out where the program started all the
// same; what anything else printed, where a failure of a process that signs its
// lines needs no such cause.
func TestPreparing(t *testing.T) {
	s, signed := stream(log("a.log"), -1), stream(log("a.log"), 2)
	signed.Doc = s.Doc
	line := func(family, cause, text string) *scan.Event {
		e := found(rule(cause, rules.Root), s, 10, text)
		e.Rule.Family = family
		return e
	}
	raise := func(s *scan.Stream, cause, text string, role rules.Role) *scan.Event {
		e := found(rule(cause, role), s, 20, text)
		uncaught(e)
		return e
	}
	own := func() *scan.Event { return raise(signed, "key-error", "KeyError: 'x'", rules.Root) }
	beside := func() *scan.Event { return raise(s, "key-error", "KeyError: 'x'", rules.Root) }
	labelled := own()
	labelled.Trace.Lead = "failed:"
	vague := raise(signed, "exception-other", "AppError: x", rules.Root)
	vague.Rule.Generic = true
	for _, tt := range []struct {
		name string
		line *scan.Event
		then *scan.Event
		fate string
	}{
		{"a tool's line", line("shell", "disk-full", "cp: full"), own(), "prepared"},
		{"a tool's line, and no start", line("shell", "disk-full", "cp: full"), nil, ""},
		{"a tool's line from which it follows", line("shell", "disk-full", "cp: full"), raise(signed, "disk-full", "OSError: full", rules.Root), ""},
		{"a tool's wait, in another stream", line("shell", "network-error", "wget: failed"), own(), "prepared"},
		{"a line in another stream", line("pytorch", "disk-full", "it fails"), own(), "survived"},
		{"a line in the same stream", line("pytorch", "disk-full", "it fails"), beside(), ""},
		{"a line in the same stream that says it went on", line("pytorch", "disk-full", "it fails, skipping it"), beside(), "survived"},
		{"a line of the machine in the same stream", line("pytorch", "device-fault", "it fails"), beside(), "survived"},
		{"a tool's wait in the same stream", line("shell", "network-error", "wget: failed"), beside(), "prepared"},
		{"a tool's wait in the same stream, and a cause not its own", line("shell", "network-error", "wget: failed"), raise(s, "disk-full", "OSError: full", rules.Root), "prepared"},
		{"a tool's wait, and another", line("shell", "network-error", "wget: failed"), raise(s, "rendezvous-failed", "timeout", rules.Root), ""},
		{"a line, and an exception that was labelled", line("pytorch", "disk-full", "it fails"), labelled, ""},
		{"a line, and an exception that names nothing", line("pytorch", "disk-full", "it fails"), vague, ""},
		{"a line, and a wait", line("pytorch", "disk-full", "it fails"), raise(signed, "rendezvous-failed", "", rules.Root), ""},
		{"a line, and what may be a failure", line("pytorch", "disk-full", "it fails"), raise(signed, "key-error", "KeyError: 'x'", rules.Ambiguous), ""},
		{"a rank's line", func() *scan.Event { e := line("shell", "disk-full", "cp: full"); e.Quote.Rank = 0; return e }(), own(), ""},
	} {
		c := &Case{Found: scan.Result{Events: []*scan.Event{tt.line}}}
		if tt.then != nil {
			c.Found.Events = append(c.Found.Events, tt.then)
			c.Found.Traces = []*scan.Trace{{Traceback: tt.then.Trace}}
		}
		j := newJudge(c, rules.Default())
		j.prepared()
		x := j.all[0]
		if fateOf(x) != tt.fate || tt.fate != "" && x.fate.Args["line"] != "20" || (x.by != nil) != (tt.fate == "survived") {
			t.Errorf("%s: out by %q, want %q", tt.name, fateOf(x), tt.fate)
		}
		j = newJudge(c, rules.Default())
		if j.all[0].out("passed", nil); tt.fate == "survived" {
			if j.prepared(); j.all[0].by != nil {
				t.Errorf("%s: what was out before is told to be of another", tt.name)
			}
		}
	}
}
