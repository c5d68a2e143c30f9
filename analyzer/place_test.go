package analyzer

import (
	"fmt"
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/verdict"
)

// trace prints a traceback with one frame of the user's own code above some of
// an installed package.
func trace(prefix, head string, below int) string {
	lines := []string{"Traceback (most recent call last):", `  File "/home/ma-user/job/fit/loop.py", line 41, in advance`, "    loss = step(batch)"}
	for i := range below {
		lines = append(lines, fmt.Sprintf(`  File "/opt/lib/python3.10/site-packages/torch/nn/m.py", line %d, in call`, i+1), "    return call(x)")
	}
	return prefix + strings.Join(append(lines, head), "\n"+prefix) + "\n"
}

// TestPlace: a failure of the program names the line of the user's own code that
// raised it, and quotes that line.
func TestPlace(t *testing.T) {
	const frame, code = `File "/home/ma-user/job/fit/loop.py", line 41, in advance`, "loss = step(batch)"
	recursion := "Traceback (most recent call last):\n" + strings.Repeat("  File \"/home/ma-user/job/a/tree.py\", line 7, in walk\n    walk(n)\n  File \"/home/ma-user/job/a/tree.py\", line 9, in visit\n    visit(n)\n", 490) +
		"  File \"/home/ma-user/job/fit/loop.py\", line 41, in advance\n    loss = step(batch)\nIndexError: list index out of range\n"
	a, b := strings.Split(trace("[rank0]: ", "KeyError: 'mask'", 3), "\n"), strings.Split(trace("[rank1]: ", "KeyError: 'mask'", 3), "\n")
	mixed := ""
	for i := range a {
		mixed += a[i] + "\n" + b[i] + "\n"
	}
	for _, tt := range []struct {
		name, log, says, quotes string
	}{
		{"plain", trace("", "KeyError: 'mask'", 0), ", at fit/loop.py:41", code},
		{"below it a package's frames", trace("", "KeyError: 'mask'", 40), ", at fit/loop.py:41", code},
		{"two ranks mixed", mixed, ", at fit/loop.py:41", code},
		{"deep", recursion, ", at fit/loop.py:41", code},
		{"no source printed", strings.ReplaceAll(trace("", "KeyError: 'mask'", 2), "    loss = step(batch)\n", ""), ", at fit/loop.py:41", frame},
		{"carets below the frame", strings.Replace(trace("", "KeyError: 'mask'", 0), "    loss = step(batch)\n", "    loss = step(batch)\n           ~~~~^^^^^^^\n", 1), ", at fit/loop.py:41", code},
		{"the device tells it later", trace("", "RuntimeError: CUDA error: an illegal memory access was encountered", 2), "", frame},
		{"indented by an editor", trace("      ", "KeyError: 'mask'", 1), ", at fit/loop.py:41", code},
		{"a member of a group that was never raised itself", "  + Exception Group " + strings.TrimPrefix(trace("  | ", "ExceptionGroup: shards (2 sub-exceptions)", 1), "  | ") +
			"  +-+---------------- 1 ----------------\n    | KeyError: 'mask'\n    +---------------- 2 ----------------\n    | KeyError: 'label'\n    +------------------------------------\n", ", at fit/loop.py:41", code},
		{"none of the user's own", strings.ReplaceAll(trace("", "KeyError: 'mask'", 2), "/home/ma-user/job/fit/", "/opt/lib/python3.10/site-packages/fit/"), "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := reported(t, "w.log", "start\n"+tt.log)
			if r.Cause != "key-error" && r.Cause != "index-error" && r.Cause != "device-illegal-access" {
				t.Errorf("the cause is %s", r.Cause)
			}
			if said := strings.Contains(r.Summary, ", at "); said != (tt.says != "") || !strings.Contains(r.Summary, tt.says) {
				t.Errorf("says %q, want %q in it", r.Summary, tt.says)
			}
			quoted := ""
			for _, e := range r.Evidence[1:] {
				quoted += e.Text + "\n"
			}
			if !strings.Contains(quoted, tt.quotes) || tt.quotes == "" && strings.Contains(quoted, "File ") {
				t.Errorf("quotes\n%swant %q", quoted, tt.quotes)
			}
		})
	}
}

// TestAccelerator: a fix speaks of the cards that the job runs on.
func TestAccelerator(t *testing.T) {
	failure := trace("", "RuntimeError: mat1 and mat2 must have the same dtype, but got Float and BFloat16", 0)
	npu := "[W compiler_depend.ts:387] Warning: EI0006: [PID: 77] Getting socket times out. Reason: Remote Rank did not send the data in time.\n"
	for log, want := range map[string]string{
		failure:       `torch.autocast("cuda"`,
		failure + npu: `torch.autocast("npu"`,
		strings.Replace(failure, "/home/ma-user/job/fit/", "/opt/site-packages/torch_npu/", 1): `torch.autocast("npu"`,
	} {
		if r := reported(t, "w.log", log); len(r.Fixes) == 0 || !strings.Contains(strings.Join(r.Fixes[0].Steps, "\n"), want) {
			t.Errorf("%s\nis mended by %v, want %s", log, r.Fixes, want)
		}
	}
	for flavor, want := range map[string]string{"Ascend": "npu", "GPU": "cuda", "CPU": "cuda", "": "cuda"} {
		if got := accelerator(&verdict.Case{Job: modelarts.Job{FlavorType: flavor}}); got != want {
			t.Errorf("on the flavor %q: %s, want %s", flavor, got, want)
		}
	}
}
