package scan

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

var dottedClass = regexp.MustCompile(`(^|[\s\]|:>])((?:\w+\.)+)(\w+)(: |$|:$)`)

// nameless are classes of several libraries whose name alone does not tell what
// failed.
var nameless = []string{"CancelledError", "Timeout", "TimeoutError", "ReadTimeout", "JSONDecodeError", "OutOfMemoryError", "IncompleteReadError", "error", "ValidationError"}

// TestBareClasses: what a rule knows of a class it knows too where the class
// stands without its module.
func TestBareClasses(t *testing.T) {
	s := New(rules.Default())
	seen := map[string]bool{}
	for _, r := range rules.Default().Rules {
		d, err := r.Detail()
		if err != nil {
			t.Fatal(err)
		}
		for _, sample := range d.Samples.Match {
			m := dottedClass.FindStringSubmatch(sample)
			if m == nil || strings.Contains(sample, "\n") || slices.Contains(nameless, m[3]) {
				continue
			}
			modules, _ := rules.Modules(m[3])
			if !slices.Contains(modules, strings.TrimSuffix(m[2], ".")) {
				continue
			}
			seen[m[3]] = true
			bare := dottedClass.ReplaceAllString(sample, "$1$3$4")
			if full, alone := causeOf(s, sample, traceback.Head), causeOf(s, bare, traceback.Head); full != alone {
				t.Errorf("%s: %q is %q, and without the module %q", r.ID, sample, full, alone)
			}
		}
	}
	if len(seen) < 80 {
		t.Errorf("only %d classes were tried", len(seen))
	}
}

// TestRetold: an exception is known as repr writes it, behind a label, and
// inside the message of another; not in what only mentions it.
func TestRetold(t *testing.T) {
	s := New(rules.Default())
	for text, want := range map[string]string{
		`run failed: OSError(28, 'No space left on device')`:                                                                                  "disk-full",
		`Error: OSError(28, 'No space left on device').`:                                                                                      "disk-full",
		`FileNotFoundError(2, 'No such file or directory')`:                                                                                   "file-missing",
		`run failed: ScannerError('mapping values are not allowed here')`:                                                                     "config-invalid",
		`run failed: ConfigKeyError("Key 'depth' not in 'ModelCfg'\n    full_key: model.depth")`:                                              "config-invalid",
		`run failed: ConfigAttributeError: Key 'lr' is not in struct`:                                                                         "config-invalid",
		`TorchRuntimeError: Dynamo failed to run FX node with fake tensors: call_function f(): got RuntimeError('CUDA error: out of memory')`: "device-oom",
		`Training failed: KeyError('label')`:                                                                                                  "key-error",
		`Training failed: KeyError('label',)`:                                                                                                 "key-error",
		`retrying after OSError(28, 'No space left on device') of the last attempt`:                                                           "",
		`the class OSError(28) is caught`:                                                                                                     "",
		`Training failed: OSError(errno.ENOSPC, 'x')`:                                                                                         "",
	} {
		if got := causeOf(s, text, traceback.Outside); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// causeOf gives the cause of the rule that says most about a line.
func causeOf(s *Scanner, text string, part traceback.Part) (cause string) {
	source.Text(&source.Document{Name: "log", Rank: -1}, "message", source.Log, text, func(l *source.Line) {
		for _, x := range s.Try(l, part) {
			if x.Outcome == Won {
				cause = x.Rule.Cause
			}
		}
	})
	return cause
}

// TestRejoin: a message that was broken behind a box of rich is known by all its
// words, and quoted as it stands.
func TestRejoin(t *testing.T) {
	side := strings.Repeat("─", 22)
	log := strings.Join([]string{
		"╭" + side + " Traceback (most recent call last) " + side + "╮",
		"│ /job/train.py:12 in main" + strings.Repeat(" ", 53) + "│",
		"╰" + strings.Repeat("─", 79) + "╯",
		"RuntimeError: The size of tensor a (498) must match the size of tensor b (512) at",
		"non-singleton dimension 1",
	}, "\n")
	s := New(rules.Default())
	doc := &source.Document{Name: "log", Rank: -1}
	source.Text(doc, "", source.Log, log, s.Line)
	for _, e := range s.Close().Events {
		if e.Rule.Cause == "shape-mismatch" && e.Quote.Number == 4 {
			return
		}
	}
	t.Error("the shapes are not known")
}
