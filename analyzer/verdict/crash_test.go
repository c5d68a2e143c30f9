package verdict

import (
	"fmt"
	"strings"
	"testing"
)

// TestCrashPlace: where a process died, or what the forward pass called, is told
// by the stacks that stand beside, when they reach the user's own code.
func TestCrashPlace(t *testing.T) {
	const (
		library = `  File "/opt/conda/lib/python3.10/site-packages/torch/_ops.py", line 755 in __call__`
		user    = `  File "/home/ma-user/job/ops/voxel.py", line 88 in forward`
		died    = "Fatal Python error: Segmentation fault"
		current = "Current thread 0x00007f1c2a7fc700 (most recent call first):"
		other   = "Thread 0x00007f1c2a000000 (most recent call first):"
		code    = "[Modelarts Service Log]Training end with return code: 139"
		core    = "Program terminated with signal SIGSEGV, Segmentation fault."
		gdb     = "#0  0x00007f88 in voxelize (n=100) at "
		warned  = "/opt/conda/lib/python3.10/site-packages/torch/autograd/graph.py:823: UserWarning: Error detected in MulBackward0. Traceback of forward call that caused the error:"
		inside  = "  File \"/home/ma-user/job/model.py\", line 8, in forward\n    return x * y"
		caused  = " (Triggered internally at ../torch/csrc/autograd/python_anomaly_mode.cpp:122.)\n  return Variable._execution_engine.run_backward("
	)
	nan := raised("RuntimeError: Function 'MulBackward0' returned nan values in its 0th output.")
	away := strings.Repeat("saved the state of one more shard\n", nearLines+40)
	for _, c := range []struct{ name, log, place string }{
		{"the current thread", lines(died, "", other, library, "", current, library, user, code), "voxel.py:88"},
		{"the only stack", lines(died, "", "Stack (most recent call first):", user, code), "voxel.py:88"},
		{"a handler told of the signal before", lines("*** SIGSEGV received at time=1714550400 on cpu 5 ***", "PC: @     0x7f0  (unknown)  gather", died, "", "Stack (most recent call first):", user, code), "voxel.py:88"},
		{"another thread is in the user's code", lines(died, "", current, library, "", other, user, code), ""},
		{"none of the user's own", lines(died, "", current, library, code), ""},
		{"a source file of the user's, by gdb", lines(core, gdb+"/home/ma-user/job/ops/voxel.cpp:142", "#1  0x00007f89 in main () at /home/ma-user/job/ops/main.cpp:7", code), "voxel.cpp:142"},
		{"a source file of the system, by gdb", lines(core, gdb+"/build/glibc-2.31/raise.c:51", code), ""},
		{"a source file without its folder, by gdb", lines(core, gdb+"../sysdeps/raise.c:51", code), ""},
		{"far from what it tells of", lines("run.sh: line 5: 211 Segmentation fault      (core dumped) python prepare.py", away+"Timeout (0:20:00)!", current, user, code), ""},
		{"taken of a process that went on", lines("Timeout (0:20:00)!", current, user, "", "run.sh: line 5: 211 Segmentation fault      (core dumped) python train.py", code), ""},
		{"the calls of the forward pass", lines(warned, inside, caused, nan), "model.py:8"},
		{"of another step, long before", lines(warned, inside, caused, strings.Repeat("it went on\n", forwardLines+20)+nan), "app/train.py:61"},
		{"none of them the user's own", lines(warned, strings.ReplaceAll(inside, "/home/ma-user/job/", "/opt/conda/lib/python3.10/site-packages/nets/"), caused, nan), "app/train.py:61"},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}})
		got := ""
		if v.Place != nil {
			got = fmt.Sprintf("%s:%d", v.Place.File, v.Place.Line)
		}
		if (got == "") != (c.place == "") || !strings.HasSuffix(got, c.place) {
			t.Errorf("%s: %s at %q, want %q", c.name, v.Cause, got, c.place)
		}
	}
}
