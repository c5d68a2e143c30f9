package verdict

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// TestWords: a line that names a code, a status or nothing but a call gives way
// to the line of the same failure that says what was wrong, and still stands.
func TestWords(t *testing.T) {
	code := "RuntimeError: sync:build/CMakeFiles/torch_npu.dir/compiler_depend.ts:31 NPU function error: AclrtSynchronizeStream(s), error code is "
	for _, c := range []struct{ name, log, first, second string }{
		{"a reason under an inner error", raised(code + "107027\nEE9999: Inner Error!\nEE9999: [PID: 12] 2026-05-01-10:00:00.101.101 Not allow to do this, stream_id=3."),
			"Not allow to do this", "error code is 107027"},
		{"the text of the device, then of the code", raised(code + "507013\n[Error]: System Direct Memory Access (DMA) hardware execution error.\n        The error from device(2), serial number is 4. there is a sdma error, sdma channel is 7"),
			"sdma channel is 7", "hardware execution error"},
		{"a compiler above its command", lines(`loc("/cache/k.mlir":9:1): error: ub overflow, split the loop`) + raised("subprocess.CalledProcessError: Command '['/usr/bin/bishengir-compile', 'k.mlir']' returned non-zero exit status 1."),
			"ub overflow", "returned non-zero exit status 1"},
		{"the device and the event, among the words of a code", raised(code + "507054\n[Error]: A multi-bit ECC error occurs in the HBM.\nEE9999: [PID: 12] 2026-05-01-10:00:00.101.101 HBM MULTI BIT ECC, Uncorrectable ECC, device_id=5, event_id=0x80e01801, time us=1"),
			"device_id=5", "error code is 507054"},
		{"numbers that had gone wrong long before", lines(strings.Repeat("{'loss': nan, 'grad_norm': nan, 'learning_rate': 1e-05, 'epoch': 0.1}\n", 12)) + raised("FloatingPointError: loss is nan for 10 logs, stop"),
			"'loss': nan", "FloatingPointError"},
		{"numbers that had just gone wrong", lines("{'loss': nan, 'grad_norm': nan, 'learning_rate': 1e-05, 'epoch': 0.1}") + raised("FloatingPointError: loss is nan for 10 logs, stop"),
			"FloatingPointError", "'loss': nan"},
		{"one call of many under the line that names the error", raised("RuntimeError: Launch kernel failed: Bprop/Reshape-op12\nE39999: Inner Error!\nE39999: 2026-05-01-10:00:00.101.101  The error from device(chipId:0, dieId:0), an exception occurred during AICPU execution, errcode:21008, msg:inner error.[FUNC:ProcessStarsAicpuErrorInfo][FILE:a.cc][LINE:1]\n        TraceBack (most recent call last):\n        rtMemcpyAsync execute failed, reason=[aicpu exception][FUNC:FuncErrorReason][FILE:b.cc][LINE:2]"),
			"during AICPU execution", "rtMemcpyAsync execute failed"},
		{"one call of many without such a line", raised("RuntimeError: NPUWorkspaceAllocator malloc NPU function error: aclrtMallocAlign32, error code is 507899\n        [drv api]halMemAlloc failed, drvRetCode=6, size=2147483648(bytes), desc=[driver error:out of memory][FUNC:DevMemAlloc][FILE:npu_driver.cc][LINE:8]"),
			"halMemAlloc failed", ""},
		{"a return code above the line of its error", raised("RuntimeError: Device 9 call rtSetDevice failed, ret[107001]. The details refer to 'Ascend Error Message'.\nEE1001: The argument is invalid.Reason: Set device failed, invalid device, set device=9, valid device range is [0, 8)"),
			"valid device range is", "call rtSetDevice failed"},
		{"a warning above the line of its error", lines("[W NPUStream.cpp:409] Warning: NPU warning, error code is 507046[Error]: \nEE1002: [PID: 7] 2026-05-01-10:00:00.101.101 Stream synchronize timeout. rtDeviceSynchronize execute failed, reason=[stream sync timeout]"),
			"Stream synchronize timeout", ""},
		{"calls that failed above the exception", lines("ERROR:root:Failed to call:\n\tfunc=<bound method ObsClient.listObjects>\n\targs=('bkt-a',)\nWARNING:root:Retry=0,Wait=51.2") + raised("socket.gaierror: [Errno -2] Name or service not known"),
			"gaierror", "Failed to call"},
		{"the output of a build that failed", lines("Collecting flash-attn\n  error: subprocess-exited-with-error\n  × Getting requirements to build wheel did not run successfully.\n  │ exit code: 1\n  ╰─> [20 lines of output]\n      Traceback (most recent call last):\n        File \"<string>\", line 19, in <module>\n      ModuleNotFoundError: No module named 'torch'\n      [end of output]\nerror: subprocess-exited-with-error"),
			"No module named 'torch'", "subprocess-exited-with-error"},
		{"the words of a C++ exception", lines("terminate called after throwing an instance of 'std::out_of_range'\n  what():  basic_string::substr: __pos (which is 5) > this->size() (which is 4)\nrun.sh: line 3: 41 Aborted (core dumped) python train.py"),
			"terminate called", "which is 5"},
		{"words from the start", raised(code + "507013 there is a sdma error, sdma channel is 0"), "error code is 507013", ""},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}})
		if len(v.Evidence) == 0 || !strings.Contains(v.Evidence[0].Text, c.first) || c.second != "" && (len(v.Evidence) < 2 || !strings.Contains(v.Evidence[1].Text, c.second)) {
			t.Errorf("%s: evidence %q", c.name, texts(v))
		}
	}
}

// TestRaisedFirst: what was raised again when a handler's own attempt failed came
// before that attempt, and a line that proves a failure before one that may be it.
func TestRaisedFirst(t *testing.T) {
	const during = "\n\nDuring handling of the above exception, another exception occurred:\n\n"
	chain := func(file, name string, handler, failed int) string {
		at := func(line int, in string) string {
			return fmt.Sprintf("  File %q, line %d, in %s\n    go()\n", file, line, name) + in
		}
		return "Traceback (most recent call last):\n" + at(handler, "  File \"/opt/conda/lib/python3.10/site-packages/pandas/io/json.py\", line 9, in read\n    loads(s)\nValueError: Trailing data") + during +
			"Traceback (most recent call last):\n  File \"train.py\", line 3, in <module>\n    main()\n" + at(failed, "pyarrow.lib.ArrowInvalid: JSON parse error: Missing a name for object member. in row 41") + "\n"
	}
	const lib = "/opt/conda/lib/python3.10/site-packages/datasets/packaged_modules/json/json.py"
	twice := func(code string) string {
		return strings.Replace(chain(lib, "_generate_tables", 153, 137), "    main()\n", fmt.Sprintf("    main()\n  File %q, line 156, in _generate_tables\n    %s\n", lib, code), 1)
	}
	const own = "  File \"/home/ma-user/modelarts/user-job-dir/data.py\", line %d, in __getitem__\n    %s\n"
	recursion := "Traceback (most recent call last):\n" + fmt.Sprintf(own, 9, "img.load()") + "OSError: image file is truncated (4 bytes not processed)" + during +
		"Traceback (most recent call last):\n  File \"train.py\", line 3, in <module>\n    main()\n" + fmt.Sprintf(own, 11, "return self.__getitem__(i + 1)") + fmt.Sprintf(own, 8, "img = Image.open(p)") +
		"FileNotFoundError: [Errno 2] No such file or directory: '/cache/8.jpg'\n"
	for _, c := range []struct{ name, log, first string }{
		{"raised again", chain(lib, "_generate_tables", 153, 137), "in row 41"},
		{"raised again by name", twice("raise e"), "in row 41"},
		{"raised again by a call of itself", twice("return self._generate_tables(rest)"), "Trailing data"},
		{"raised by the next sample", recursion, "image file is truncated"},
		{"raised by the handler", chain(lib, "_generate_tables", 137, 153), "Trailing data"},
		{"at the top of a script", chain("train.py", "<module>", 153, 137), "Trailing data"},
		{"a disk that is full, written about", raised("RuntimeError: [enforce fail at inline_container.cc:588] . PytorchStreamWriter failed writing file data/117: file write failed") + during + raised("OSError: [Errno 28] No space left on device"), "No space left"},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}})
		if len(v.Evidence) == 0 || !strings.Contains(v.Evidence[0].Text, c.first) {
			t.Errorf("%s: evidence %q", c.name, texts(v))
		}
	}
}

// TestSpecified: of a job that waits, the event that says for what comes first.
func TestSpecified(t *testing.T) {
	queue, short := "训练作业排队中，等待资源分配。", "资源池 pool-a 可用资源不足：需要 8 节点，空闲 5 节点"
	v := verdictOn(t, situation{job: modelarts.Job{Phase: modelarts.PhasePending}, events: []string{
		"2026-03-01T10:00:00+08:00 " + queue, "2026-03-01T11:00:00+08:00 " + short, "2026-03-01T12:00:00+08:00 " + short}})
	if len(v.Evidence) == 0 || v.Evidence[0].Text != short || v.Values["detail"] != "需要 8 节点，空闲 5 节点" {
		t.Errorf("%s: %q %v", v.Cause, texts(v), v.Values)
	}
}

// TestEnded: beside a line that tells of a failure stands what the program, or its
// launcher, came to by it.
func TestEnded(t *testing.T) {
	for _, c := range []struct{ name, log, first, second string }{
		{"an exception below the line of a tool", lines("+ npu-smi info\ndcmi module initialize failed. ret is -8005") + raised("RuntimeError: Initialize NPU function error: aclrtSetDevice(device_id), error code is 507899\nEL9999: Inner Error!\nEL9999: [PID: 77] 2026-05-01-10:00:12.100.836 [drv api] drvGetDevNum failed: error=87, [driver error:device not exist]"),
			"dcmi module initialize failed", "drvGetDevNum failed"},
		{"an exception that names the cause no surer", lines("/opt/conda/lib/python3.10/site-packages/torch/x.py:20: UserWarning: Failed to initialize NumPy: _ARRAY_API not found (Triggered internally at x.cpp:84.)") + raised("RuntimeError: Numpy is not available"),
			"Failed to initialize NumPy", "Numpy is not available"},
		{"an exception of something else", lines("dcmi module initialize failed. ret is -8005") + raised("RuntimeError: Numpy is not available"),
			"dcmi module initialize failed", ""},
		{"the launcher above the platform", lines("[2026-05-24 03:15:00,032] [ERROR] [launch.py:325:sigkill_handler] ['/opt/conda/bin/python', '-u', 't.py'] exits with return code = -9\n[Modelarts Service Log]Training end with return code: 247"),
			"exits with return code = -9", "return code: 247"},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}})
		if len(v.Evidence) == 0 || !strings.Contains(v.Evidence[0].Text, c.first) || c.second != "" && (len(v.Evidence) < 2 || !strings.Contains(v.Evidence[1].Text, c.second)) ||
			c.second == "" && len(v.Evidence) > 1 {
			t.Errorf("%s: evidence %q", c.name, texts(v))
		}
	}
}

// TestValues: what the lines of one message tell goes into one sentence.
func TestValues(t *testing.T) {
	for _, c := range []struct {
		name, log string
		want      map[string]string
	}{
		{"of an exception", raised("RuntimeError: Device 9 call rtSetDevice failed, ret[107001].\nEE1001: The argument is invalid.Reason: Set device failed, invalid device, set device=9, valid device range is [0, 8)"),
			map[string]string{"code": "107001", "device": "9", "range": "[0, 8)"}},
		{"of a further line of another rule's wording", raised("ValidationError: 1 validation error for TrainConfig\nlr\n  Input should be a valid number [type=float_parsing, input_value='x', input_type=str]"),
			map[string]string{"count": "1", "name": "TrainConfig", "message": "Input should be a valid number"}},
		{"of the line beside", lines("terminate called after throwing an instance of 'std::out_of_range'\n  what():  pos is 5"),
			map[string]string{"type": "std::out_of_range", "message": "pos is 5"}},
		{"not of a line further off", lines("terminate called after throwing an instance of 'std::out_of_range'\nbye\n  what():  pos is 5"),
			map[string]string{"type": "std::out_of_range"}},
		{"not of the next process", lines("  what():  pos is 5\nterminate called after throwing an instance of 'std::out_of_range'"),
			map[string]string{"message": "pos is 5"}},
		{"not of another failure of the same rule beside it", lines("EZ1001: [PID: 40] 2026-05-01-10:00:00.101.101 Tensor self not implemented for DT_INT64, should be in dtype support list [DT_FLOAT].\nEZ1001: [PID: 40] 2026-05-01-10:00:00.101.103 aclnnMul not implemented for DT_BFLOAT16."),
			map[string]string{"op": "aclnnMul", "type": "DT_BFLOAT16"}},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}})
		if !maps.Equal(v.Values, c.want) {
			t.Errorf("%s: %v, want %v", c.name, v.Values, c.want)
		}
	}
}

// TestOverriding: within one message a rule takes the place of one that it outranks,
// whatever its cause.
func TestOverriding(t *testing.T) {
	general := "[Error]: The vector core execution is abnormal."
	exact := "EZ9999: [PID: 40] 2026-05-01-10:00:00.101.101 there is an exception of aivec error, core id is 12, errorStr: The DDR address of the MTE instruction is out of range."
	far := strings.Repeat("saved a sample\n", messageGap)
	for _, c := range []struct{ name, log, cause string }{
		{"below it", general + "\nEZ9999: Inner Error!\n" + exact, "device-illegal-access"},
		{"above it", exact + "\n" + general, "device-illegal-access"},
		{"alone", general, "device-execution-failed"},
		{"of another message", general + "\n" + far + exact, "device-execution-failed"},
		{"a card that fell silent", "EL0001: Device not found or invalid.\n        Device[0] lost heartbeat.[FUNC:SyncTask][FILE:a.cc][LINE:4]", "device-fault"},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": lines(c.log)}})
		if v.Cause != c.cause {
			t.Errorf("%s: %s, want %s", c.name, v.Cause, c.cause)
		}
	}
}

func texts(v Verdict) []string {
	var all []string
	for _, q := range v.Evidence {
		all = append(all, q.Text)
	}
	return all
}

// TestWorded: a line that is a mere code gives way to what the same process said of
// the same failure near it, and to the rest of its message.
func TestWorded(t *testing.T) {
	const mere = "runtime result = 507011"
	s, other := stream(log("a.log"), 0), stream(log("b.log"), 0)
	root, general, message := rule("device-fault", rules.Root), class("device-fault", rules.Root), class("io-error", rules.Root)
	near := func(r *rules.Rule, seq int, text string) *scan.Event { return found(r, s, seq, text) }
	again := near(rule("device-fault", rules.Root), 51, "a sdma error")
	again.Attempt = 1
	for _, tt := range []struct {
		name          string
		of            *rules.Rule // of the root, at line 50
		code          string      // value of its rule
		inTrace       bool
		event         *scan.Event
		eventInTrace  bool
		same, further int // lines
	}{
		{"below", root, "", false, near(root, 51, "a sdma error"), false, 51, 0},
		{"above", root, "", false, near(root, 49, "a sdma error"), false, 49, 0},
		{"as far below as it may stand", root, "", false, near(root, 50+2*messageGap, "a sdma error"), false, 50 + 2*messageGap, 0},
		{"as far above as it may stand", root, "", false, near(root, 50-2*messageGap, "a sdma error"), false, 50 - 2*messageGap, 0},
		{"too far below", root, "", false, near(root, 51+2*messageGap, "a sdma error"), false, 0, 0},
		{"too far above", root, "", false, near(root, 49-2*messageGap, "a sdma error"), false, 0, 0},
		{"a general line", root, "", false, near(general, 51, "a sdma error"), false, 51, 0},
		{"a spelt code", root, "", false, near(root, 51, "[Error]: a sdma error"), false, 51, 0},
		{"another code", root, "", false, near(root, 51, "runtime result = 507015"), false, 0, 0},
		{"an opening", root, "", false, near(root, 51, "EE9999: Inner Error!"), false, 0, 0},
		{"a call", root, "", false, near(root, 51, "call api failed"), false, 0, 0},
		{"another cause", root, "", false, near(message, 51, "a disk"), false, 0, 0},
		{"an echo", root, "", false, near(rule("device-fault", rules.Symptom), 51, "a sdma error"), false, 0, 0},
		{"of the root's own kind", rule("device-fault", rules.Ambiguous), "", false, near(rule("device-fault", rules.Ambiguous), 51, "a sdma error"), false, 51, 0},
		{"proof, of a root without", rule("device-fault", rules.Ambiguous), "", false, near(root, 51, "a sdma error"), false, 51, 0},
		{"of another log", root, "", false, found(root, other, 51, "a sdma error"), false, 0, 0},
		{"of another attempt", root, "", false, again, false, 0, 0},
		{"in its message", root, "", true, near(root, 90, "a sdma error"), true, 90, 0},
		{"a general line of its message", root, "", true, near(message, 51, "a disk"), true, 0, 51},
		{"a line of its message with a cause of its own", root, "", true, near(rule("io-error", rules.Root), 51, "a disk"), true, 0, 0},
		{"another rule in its message, of a root whose rule reads codes", root, "507011", true, near(rule("device-fault", rules.Root), 51, "a sdma error"), true, 0, 51},
		{"its rule again in its message", root, "507011", true, near(root, 51, "a sdma error"), true, 51, 0},
		{"another rule in its message, of a general root", general, "507011", true, near(rule("device-fault", rules.Root), 51, "a sdma error"), true, 51, 0},
		{"another rule in its message, of a root without proof", rule("device-fault", rules.Ambiguous), "507011", true, near(rule("device-fault", rules.Root), 51, "a sdma error"), true, 51, 0},
		{"another rule beside its message, of a root whose rule reads codes", root, "507011", true, near(rule("device-fault", rules.Root), 51, "a sdma error"), false, 51, 0},
	} {
		e, line := found(tt.of, s, 50, mere), *tt.event
		saying(e, "code", tt.code)
		c := &Case{Found: scan.Result{Events: []*scan.Event{e, &line}}}
		if tt.inTrace {
			c.Found.Traces = []*scan.Trace{uncaught(e)}
		}
		if tt.eventInTrace {
			line.Trace, line.Exception = e.Trace, e.Exception
		}
		x := plain(e)
		if tt.inTrace {
			x.trace = c.Found.Traces[0]
		}
		same, further := (&judge{c: c}).worded(x)
		if numberOf(same) != tt.same || numberOf(further) != tt.further {
			t.Errorf("%s: line %d and further %d, want %d and %d", tt.name, numberOf(same), numberOf(further), tt.same, tt.further)
		}
	}
}

// numberOf gives the line of the first quote, 0 when there is none.
func numberOf(qs []scan.Quote) int {
	if len(qs) == 0 {
		return 0
	}
	return qs[0].Number
}

// TestWordedInOrder: messages come before spelt codes, those before general lines;
// two at the most are shown, and one further line of the message.
func TestWordedInOrder(t *testing.T) {
	s := stream(log("a.log"), 0)
	root, general, message := rule("device-fault", rules.Root), class("device-fault", rules.Root), class("io-error", rules.Root)
	e := found(root, s, 50, "runtime result = 507011")
	held := uncaught(e)
	inMessage := func(seq int) *scan.Event {
		x := found(message, s, seq, "a disk")
		x.Trace, x.Exception = e.Trace, 0
		return x
	}
	c := &Case{Found: scan.Result{Events: []*scan.Event{e, found(general, s, 51, "general"), found(root, s, 52, "[Error]: spelt"), found(root, s, 53, "message"), inMessage(54), inMessage(55)}}}
	x := plain(e)
	x.trace = held
	same, further := (&judge{c: c}).worded(x)
	if len(same) != wordsRows || same[0].Number != 53 || same[1].Number != 52 || len(further) != 1 || further[0].Number != 54 {
		t.Errorf("the lines are %v, further %v", same, further)
	}
	c.Found.Events = c.Found.Events[:2]
	if same, _ := (&judge{c: c}).worded(x); len(same) != 1 || same[0].Number != 51 {
		t.Errorf("alone the general line is shown as %v", same)
	}
	x.event.Quote.Text = "a sdma error"
	if same, further := (&judge{c: c}).worded(x); same != nil || further != nil {
		t.Errorf("a line that says what was wrong gives way to %v, %v", same, further)
	}
}

// TestPlatformWords: a code word of a record gives way to the reason that stands
// beside it, and to an event of the hour before that says the same.
func TestPlatformWords(t *testing.T) {
	const record = "status.running_records[0].recover_records[0]."
	answer := log("details.json")
	of := func(d *source.Document, field, text string) *scan.Stream {
		s := stream(d, -1)
		s.Field, s.First = field, scan.Quote{Doc: d, Number: 7, Field: field, Text: text}
		return s
	}
	ten := clockTime(t, "10:00:00")
	event := func(r *rules.Rule, field, text string, at time.Time) *scan.Event {
		s := of(log("events.json"), field, text)
		e := timed(found(r, s, 9, text), at)
		e.Quote.Kind, e.Quote.Zoned, e.Zoned = source.Event, true, true
		return e
	}
	root := rule("device-fault", rules.Root)
	line := event(root, "events[0].message", "a chip is lost", ten)
	line.Quote.Kind = source.Log
	reason := of(answer, record+"reason", "chip 3 lost its link")
	for _, tt := range []struct {
		name   string
		stream *scan.Stream
		event  *scan.Event
		fate   string // of the event
		fields []string
	}{
		{"a reason", reason, nil, "", []string{record + "reason"}},
		{"a message", of(answer, record+"message", "chip 3 lost its link"), nil, "", []string{record + "message"}},
		{"a result", of(answer, record+"recover_result", "chip 3 lost its link"), nil, "", nil},
		{"a reason of another record", of(answer, "status.running_records[1].recover_records[0].reason", "chip 3 lost its link"), nil, "", nil},
		{"a reason of another answer", of(log("other.json"), record+"reason", "chip 3 lost its link"), nil, "", nil},
		{"a code word for a reason", of(answer, record+"reason", "chip_fault"), nil, "", nil},
		{"a reason that means something else", reason, found(rule("node-failure", rules.Root), reason, 8, "chip 3 lost its link"), "", nil},
		{"a reason that means the same", reason, found(root, reason, 8, "chip 3 lost its link"), "", []string{record + "reason"}},
		{"an event", nil, event(root, "events[0].message", "a chip is lost", ten), "", []string{"events[0].message"}},
		{"an event that is out as the same", nil, event(root, "events[0].message", "a chip is lost", ten), "same-failure", []string{"events[0].message"}},
		{"an event that is out for another reason", nil, event(root, "events[0].message", "a chip is lost", ten), "passed", nil},
		{"an event of an hour before", nil, event(root, "events[0].message", "a chip is lost", ten.Add(-samePlatformFault)), "", []string{"events[0].message"}},
		{"an event of more than an hour before", nil, event(root, "events[0].message", "a chip is lost", ten.Add(-samePlatformFault-time.Second)), "", nil},
		{"an event of another cause", nil, event(rule("node-failure", rules.Root), "events[0].message", "a node is lost", ten), "", nil},
		{"an event that is a code word", nil, event(root, "events[0].message", "chip_fault", ten), "", nil},
		{"another field of an event", nil, event(root, "events[0].level", "a chip is lost", ten), "", nil},
		{"a line of a log", nil, line, "", nil},
	} {
		own := of(answer, record+"fault_scenario", "chip_fault")
		e := timed(found(root, own, 7, "chip_fault"), ten)
		e.Quote.Kind, e.Quote.Zoned, e.Zoned = source.Event, true, true
		streams, events := []*scan.Stream{own}, []*scan.Event{e}
		if tt.stream != nil {
			streams = append(streams, tt.stream)
		}
		if tt.event != nil {
			events = append([]*scan.Event{tt.event}, events...)
		}
		j := judgeOn(streams, events...)
		if tt.fate != "" {
			j.all[0].out(tt.fate, nil)
		}
		same, _ := j.worded(j.all[len(j.all)-1])
		var fields []string
		for _, q := range same {
			fields = append(fields, q.Field)
		}
		if !slices.Equal(fields, tt.fields) {
			t.Errorf("%s: %q, want %q", tt.name, fields, tt.fields)
		}
	}
}

// TestGraphReason: of a message that names the reason only above the node of a graph,
// the reason is shown; not one that a rule knows better, nor a line far below.
func TestGraphReason(t *testing.T) {
	const head = "tensorflow.python.framework.errors_impl.InvalidArgumentError: Graph execution error:"
	message := func(reason string) string {
		return raised(head + "\n\nDetected at node 'MyOp' defined at (most recent call last):\n  File \"fit.py\", line 50, in <module>\n\n" + reason + "\n\t [[{{node MyOp}}]] [Op:__inference_train_function_12]\n")
	}
	shows := func(log, text string) bool {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": log}})
		return slices.ContainsFunc(v.Evidence, func(q scan.Quote) bool { return q.Text == text })
	}
	if !shows(message("the width must be odd"), "the width must be odd") {
		t.Error("the reason above the node is not shown")
	}
	if shows(raised("ValueError: bad")+"\nthe width must be odd\n\t [[{{node MyOp}}]]\n", "the width must be odd") {
		t.Error("a line of another exception is shown")
	}
	if shows(message(strings.Repeat("x\n", 600)+"the width must be odd"), "the width must be odd") {
		t.Error("a line far below is shown")
	}
	v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": message("Matrix size-incompatible: In[0]: [32,512], In[1]: [768,10]")}})
	if v.Cause != "shape-mismatch" {
		t.Errorf("the cause is %s", v.Cause)
	}
}

// TestWordsBeforeTheCode: what a program said last stands beside the code that it ended with,
// where that has words for an end.
func TestWordsBeforeTheCode(t *testing.T) {
	for _, c := range []struct{ name, log, first string }{
		{"it says why", lines("step 10 loss 1.2", "license check failed: it has expired", "[Modelarts Service Log]Training end with return code: 3"), "license check failed: it has expired"},
		{"in Chinese", lines("step 10 loss 1.2", "许可证已过期，程序结束", "[Modelarts Service Log]Training end with return code: 3"), "许可证已过期，程序结束"},
		{"it says something else", lines("step 10 loss 1.2", "validation takes 3 s", "[Modelarts Service Log]Training end with return code: 3"), "[Modelarts Service Log]Training end with return code: 3"},
		{"it goes on with steps", lines("retry failed once", "step 10 loss 1.2", "step 20 loss 1.1", "[Modelarts Service Log]Training end with return code: 3"), "[Modelarts Service Log]Training end with return code: 3"},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}})
		if len(v.Evidence) == 0 || v.Evidence[0].Raw != c.first {
			t.Errorf("%s: %v", c.name, v.Evidence)
		}
	}
}

// TestWarningRepeated: of a warning and the exception that repeats it the exception is
// shown, whichever came first.
func TestWarningRepeated(t *testing.T) {
	const text = "Error 802: system not yet initialized (Triggered internally at CUDAFunctions.cpp:108.)"
	v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": lines(
		"/opt/conda/lib/python3.10/site-packages/torch/cuda/__init__.py:174: UserWarning: CUDA initialization: Unexpected error from cudaGetDeviceCount(). "+text,
		raised("RuntimeError: Unexpected error from cudaGetDeviceCount(). "+text))}})
	if v.Cause != "device-unavailable" || !strings.HasPrefix(v.Evidence[0].Text, "RuntimeError: ") {
		t.Errorf("%s, by %q", v.Cause, v.Evidence[0].Text)
	}
}

// TestCompiledCode: the innermost frame of compiled code stands beside the message
// that lists it.
func TestCompiledCode(t *testing.T) {
	const frame = `  File "/home/ma-user/modelarts/user-job-dir/net.py", line 41, in forward`
	for name, log := range map[string]string{
		"compiled":    raised("torch._dynamo.exc.Unsupported: call_function BuiltinVariable(open)\n\nfrom user code:\n  File \"/home/ma-user/modelarts/user-job-dir/net.py\", line 7, in call\n    return self.net(x)\n" + frame + "\n    open(x)\n\nSet TORCH_LOGS=\"+dynamo\" for more information\n"),
		"TorchScript": raised("RuntimeError: The following operation failed in the TorchScript interpreter.\nTraceback of TorchScript (most recent call last):\n" + frame + "\n        return torch.cat([x, self.pos], dim=1)\n               ~~~~~~~~~ <--- HERE\nRuntimeError: Sizes of tensors must match except in dimension 1. Expected size 8 but got size 4 for tensor number 1 in the list.\n"),
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": log}})
		if !slices.ContainsFunc(v.Evidence, func(q scan.Quote) bool { return q.Raw == frame }) {
			t.Errorf("%s: %s, %v", name, v.Cause, v.Evidence)
		}
	}
}

// TestReasonLast: a library may print what it came to before the reason.
func TestReasonLast(t *testing.T) {
	const truncated = "worker-0:40:130 [0] bootstrap.cc:77 NCCL WARN Message truncated : received 1024 bytes instead of 256"
	const versions = "worker-0:40:130 [0] init.cc:1012 NCCL WARN Mismatched NCCL version detected : rank 0 21801 rank 8 21903"
	for name, c := range map[string]struct{ log, cause string }{
		"the reason below": {lines(truncated, versions), "version-conflict"},
		"the reason above": {lines(versions, truncated), "version-conflict"},
		"no reason":        {lines(truncated), "collective-error"},
	} {
		if v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}}); v.Cause != c.cause {
			t.Errorf("%s: %s by %q, want %s", name, v.Cause, first(v), c.cause)
		}
	}
}
