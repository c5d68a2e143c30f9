package traceback

import (
	"strings"

	"hcloud-modelarts/analyzer/lazy"
)

// A message may hold any text, and nothing marks its end. What is known here
// decides whether a line that follows belongs to it; (*lane).inMessage says how
// that is put together.

// blockStarts begin lines that belong to the message before them even when
// they look like a log record or follow a blank line. Each is the fixed text of
// a program that puts several paragraphs into one message.
var blockStarts = []string{
	"-- Process ",                                      // torch/multiprocessing/spawn.py
	"Original Traceback",                               // torch/_utils.py
	"Original error was:",                              // numpy/_core/__init__.py
	"- C++ Call Stack",                                 // MindSpore, utils/log_adapter
	"- Ascend Error Message",                           //
	"- Ascend Warning Message",                         //
	"- The Traceback of Net Construct Code",            //
	"- Framework Error Message",                        //
	"- Framework Unexpected Exception Raised",          //
	"- Kernel Error Message",                           //
	"Exception raised from ",                           // c10::Error
	"C++ CapturedTraceback:",                           //
	"frame #",                                          //
	"Detected at node ",                                // tensorflow/core/common_runtime
	"from user code:",                                  // torch/_dynamo/exc.py
	"Set TORCH_LOGS=",                                  //
	"Set TORCHDYNAMO_VERBOSE=",                         //
	"You can suppress this exception",                  //
	"CUDA kernel errors might",                         // c10/cuda/CUDAMiscFunctions.cpp
	"For debugging consider passing",                   //
	"Compile with `TORCH_USE_CUDA_DSA`",                //
	". This may indicate a possible application crash", // torch/csrc/distributed/c10d
	"Check the documentation of torch.load",            // torch/serialization.py
	"Traceback of TorchScript",                         // torch/csrc/jit
	"The operator validation is successful",            //
}

// ascendCode begins a line of an Ascend error report that torch_npu appends to
// a message: "EZ9999: Inner Error!", "E39999: …", "[Error]: …".
var ascendCode = lazy.Regexp(`^(?:E[A-Z0-9]\d{4}\b|ERR\d{5} |\[ERROR\] \d{4}-\d\d-\d\d-\d\d:\d\d:\d\d \(PID:|\[Error\]: |\[PID: \d+\] )`)

func startsBlock(s string) bool {
	for _, b := range blockStarts {
		if strings.HasPrefix(s, b) {
			return true
		}
	}
	return (s[0] == 'E' || s[0] == '[') && ascendCode().MatchString(s)
}

// rule is a line of one character repeated: the borders of torchelastic's
// ChildFailedError and of MindSpore's sections.
func rule(s string) bool {
	s = strings.TrimRight(s, " ")
	if len(s) < 20 || s[0] != '=' && s[0] != '-' && s[0] != '*' {
		return false
	}
	return strings.Count(s, s[:1]) == len(s)
}

var bar = lazy.Regexp(`\d+%\|.*\|.*\[|\d(?:\.\d+)?\s?(?:it|s|B|examples)/(?:s|it)\b|\?it/s|\|[ #█▏▎▍▌▋▊▉]*\| ?\d+/\d+`)

// isBar tells whether s holds a progress bar.
func isBar(s string) bool {
	if !strings.ContainsAny(s, "|/") {
		return false
	}
	return bar().MatchString(s)
}

var record = lazy.Regexp(`^(?:` + strings.Join([]string{
	`\d{4}[-/.]\d\d[-/.]\d\d`, // a date
	`\d\d[/-]\d\d[ T]\d\d:`,   // month, day and time
	`\d\d:\d\d:\d\d`,          // a time
	`[IWEF]\d{4} \d\d:\d\d`,   // glog
	`\[`,                      // [INFO], [rank 3], [2026-06-05 …], [Modelarts Service Log]
	`\{['"]`,                  // a dictionary: metrics, or a record in JSON
	`(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\b`,
	`\S+:\d+:\d+ \[\S+\] NCCL `,
	`\S+:\d+: \w*Warning: `, // warnings.warn
	`<\w[^>]*>:\d+: \w*Warning: `,
	`\w[\w.-]*: (?:error|fatal|warning): `,
	`(?i:epoch|step|iter|iteration|train|training|valid|loss|batch|rank)\b.*\d`,
	`(?i:time|level|ts)=\S`,
	`\(\w+ pid=\d+`,
	`(?:wandb|srun|slurmstepd|make|ninja|mpirun|torchrun|bash|sh|sys|swanlab):`,
	`/\S+: line \d+: `, // a shell speaks of its script
	`Process \S+:$`,
	`Exception (?:ignored|in thread) `,
	`Fatal Python error`,
	`(?:Current thread|Thread) 0x[0-9a-f]+`,
	`terminate called `,
	`(?:Killed|Terminated|Aborted|Segmentation fault|Bus error|Floating point exception)(?: |$)`,
	`(?i:exit code|exit with|training end)`,
	`future: <`, `Task exception was never retrieved`, `Call stack:$`,
	`--- Logging error ---`,
	`Set the environment variable HYDRA_FULL_ERROR`,
	`=+ .* =+$`,
	`\++ `,                                   // sh -x
	`\w+ (?:INFO|WARNING|ERROR) \d{4}-\d\d-`, // a logger's name before the level
	`\^C`,
}, "|") + `)`)

// isForeign tells whether a line at the margin looks like something that a
// program logs, so that it does not continue a message.
func isForeign(s string) bool {
	return record().MatchString(s) || isBar(s)
}

// singleLine are built-in exceptions whose message is one line whatever was
// raised: lines that follow theirs are notes.
var singleLine = map[string]bool{
	"ZeroDivisionError": true, "RecursionError": true,
	"UnicodeDecodeError": true, "UnicodeEncodeError": true, "UnicodeTranslateError": true,
	"SyntaxError": true, "IndentationError": true, "TabError": true,
}

// oneLine tells whether the message of e ends on the line where it begins:
// by its type, or because the system wrote it ("[Errno 2] No such file …").
func oneLine(kind, first string) bool {
	switch {
	case first == "":
		return false
	case kind == "KeyError": // PyTorch raises some with a text in place of a key
		return strings.ContainsRune(`'"(<[{-0123456789`, rune(first[0])) || !strings.Contains(first, " ")
	}
	return singleLine[kind] || strings.HasPrefix(first, "[Errno ")
}
