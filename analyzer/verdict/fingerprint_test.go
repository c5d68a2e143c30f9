package verdict

import (
	"fmt"
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"

	"pgregory.net/rapid"
)

// run is what differs between two runs of one failure.
type run struct {
	root, python string // folders of the code and of the interpreter
	line         int    // of the first frame
	rank         int
	pid          int
	size         string
	clock        string
	prefix       bool
	launcher     string
}

func runs() *rapid.Generator[run] {
	return rapid.Custom(func(t *rapid.T) run {
		return run{
			root:     rapid.SampledFrom([]string{"/home/ma-user/modelarts/user-job-dir/app", "/cache/code_7/app", "/job/src/app", "/mnt/sfs_turbo/u-31/app"}).Draw(t, "root"),
			python:   rapid.SampledFrom([]string{"/home/ma-user/anaconda3/envs/PyTorch-2.3/lib/python3.10/site-packages", "/usr/local/lib/python3.8/dist-packages"}).Draw(t, "python"),
			line:     rapid.IntRange(1, 900).Draw(t, "line"),
			rank:     rapid.IntRange(0, 63).Draw(t, "rank"),
			pid:      rapid.IntRange(100, 99999).Draw(t, "pid"),
			size:     fmt.Sprintf("%d.%02d", rapid.IntRange(1, 90).Draw(t, "GiB"), rapid.IntRange(0, 99).Draw(t, "hundredths")),
			clock:    fmt.Sprintf("%02d:%02d:%02d", rapid.IntRange(0, 23).Draw(t, "h"), rapid.IntRange(0, 59).Draw(t, "m"), rapid.IntRange(0, 59).Draw(t, "s")),
			prefix:   rapid.Bool().Draw(t, "prefixed"),
			launcher: rapid.SampledFrom([]string{"", "torchrun", "accelerate", "deepspeed", "hydra", "click", "lightning", "moxing"}).Draw(t, "launcher"),
		}
	})
}

// launcherFrames are frames that a launcher puts between the script and its
// main function, by where each is installed.
var launcherFrames = map[string]string{
	"torchrun":   "torch/distributed/elastic/multiprocessing/errors/__init__.py\", line 355, in wrapper",
	"accelerate": "accelerate/utils/memory.py\", line 157, in decorator",
	"deepspeed":  "deepspeed/utils/nvtx.py\", line 15, in wrapped_fn",
	"hydra":      "hydra/_internal/utils.py\", line 394, in _run_hydra",
	"click":      "click/core.py\", line 1157, in __call__",
	"lightning":  "lightning/pytorch/trainer/call.py\", line 47, in _call_and_handle_interrupt",
	"moxing":     "moxing/framework/cloud.py\", line 44, in run",
}

// trace renders a failure of one run.
func (r run) trace(message string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "2026-03-01 %s,118 step %d loss 1.0\n", r.clock, r.line)
	b.WriteString("Traceback (most recent call last):\n")
	fmt.Fprintf(&b, "  File \"%s/train.py\", line %d, in <module>\n    main()\n", r.root, r.line)
	if f := launcherFrames[r.launcher]; f != "" {
		fmt.Fprintf(&b, "  File \"%s/%s\n    return f(*args, **kwargs)\n", r.python, f)
	}
	fmt.Fprintf(&b, "  File \"%s/train.py\", line %d, in main\n    step(batch)\n", r.root, r.line+7)
	fmt.Fprintf(&b, "  File \"%s/model.py\", line %d, in step\n    out = self.net(batch)\n", r.root, r.line+70)
	fmt.Fprintf(&b, "  File \"%s/torch/nn/modules/module.py\", line %d, in _call_impl\n    return forward_call(*args, **kwargs)\n", r.python, r.line+1000)
	b.WriteString(r.fill(message))
	text := b.String()
	if r.prefix {
		text = prefixed(fmt.Sprintf("[rank%d]: ", r.rank), text)
	}
	return text
}

func (r run) fill(message string) string {
	return strings.NewReplacer("{rank}", fmt.Sprint(r.rank), "{pid}", fmt.Sprint(r.pid), "{size}", r.size, "{root}", r.root,
		"{hex}", fmt.Sprintf("0x%x", r.pid*7919), "{id}", fmt.Sprintf("%08x-0000-4000-8000-%012x", r.pid, r.line)).Replace(message)
}

// failures are messages whose braces differ from run to run.
var failures = []string{
	"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate {size} GiB. GPU {rank} has a total capacity of 79.10 GiB of which {size} GiB is free. Process {pid} has {size} GiB memory in use.",
	"FileNotFoundError: [Errno 2] No such file or directory: '{root}/data/train.json'",
	"KeyError: 'label'",
	"KeyError: 'image'",
	"ValueError: could not convert string to float: 'n/a'",
	"RuntimeError: Expected all tensors to be on the same device, but found at least two devices, cuda:{rank} and cpu!",
	"ModuleNotFoundError: No module named 'einops'",
	"ModuleNotFoundError: No module named 'apex'",
	"app.errors.ShardBroken: shard {id} at {hex} of worker {rank}",
	"TypeError: forward() got an unexpected keyword argument 'mask'",
	"TypeError: forward() got an unexpected keyword argument 'labels'",
}

// TestSameFailureCollides: paths, times, ranks, sizes, identifiers, prefixes and
// the launcher do not part two runs of one failure, and different failures do
// not meet.
func TestSameFailureCollides(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		i := rapid.IntRange(0, len(failures)-1).Draw(rt, "failure")
		j := rapid.IntRange(0, len(failures)-1).Draw(rt, "other")
		print := func(message, name string) string {
			r := runs().Draw(rt, name)
			v := verdictOn(t, situation{logs: map[string]string{fmt.Sprintf("worker-%d.log", r.rank/8): lines(r.trace(message))}})
			return v.Fingerprint
		}
		a, b := print(failures[i], "one run"), print(failures[i], "another run")
		if a == "" || a != b {
			rt.Fatalf("%q has the fingerprints %q and %q", failures[i], a, b)
		}
		if c := print(failures[j], "other failure"); i != j && a == c {
			rt.Fatalf("%q and %q share %q", failures[i], failures[j], a)
		}
	})
}

// TestSamplesDoNotMeet: no two lines that different rules are proven by share a
// fingerprint, nor two of one rule that differ in more than what varies.
func TestSamplesDoNotMeet(t *testing.T) {
	type proof struct {
		rule *rules.Rule
		text string
	}
	seen := map[string]proof{}
	for _, r := range rules.Default().Rules {
		d, err := r.Detail()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range d.Samples.Match {
			for text := range strings.Lines(s) {
				text = strings.TrimSuffix(text, "\n")
				if _, _, ok := r.Find(text); !ok {
					continue
				}
				c := plain(&scan.Event{Rule: r, Quote: scan.Quote{Text: text}, Exception: -1})
				print := fingerprint(c, normal)
				if o, ok := seen[print]; ok && (o.rule != r || normal(o.text) != normal(text)) {
					t.Errorf("%s: %q and %s: %q share %s", o.rule.ID, o.text, r.ID, text, print)
				}
				seen[print] = proof{r, text}
			}
		}
	}
	if len(seen) < len(rules.Default().Rules)/2 {
		t.Errorf("only %d fingerprints over %d rules", len(seen), len(rules.Default().Rules))
	}
}

// TestFingerprintHidesSecrets: two jobs whose tokens differ fail alike, and no
// hash over a token is published.
func TestFingerprintHidesSecrets(t *testing.T) {
	hide := func(s string) string { return strings.ReplaceAll(s, "hf_one", "***") }
	at := func(text string) string {
		return fingerprint(plain(&scan.Event{Rule: rules.Default().Rule("py-value-error"), Quote: scan.Quote{Text: text}, Exception: -1}), func(s string) string { return normal(hide(s)) })
	}
	if a, b := at("ValueError: bad credentials (token hf_one)"), at("ValueError: bad credentials (token ***)"); a != b {
		t.Errorf("%s for the token, %s without it", a, b)
	}
}
