package verdict

import (
	"strings"
	"testing"
)

// inDel is the traceback of an exception in a destructor.
func inDel(exception string) string {
	return "Traceback (most recent call last):\n  File \"/usr/lib/python3.10/multiprocessing/pool.py\", line 268, in __del__\n    self._change_notifier.put(None)\n" + exception
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
		{"an assertion on the device, which the exception of a rank does not quote", lines("../aten/src/ATen/native/cuda/Loss.cu:250: nll_loss_forward: block: [0,0,0], thread: [7,0,0] Assertion `t >= 0 && t < n_classes` failed.", prefixed("[rank2]: ", raised("RuntimeError: CUDA error: device-side assert triggered")), code), "data-out-of-range", High},
		{"a compiler's error, and a program that needs nothing of it", lines("/tmp/t1/test.c:2:10: fatal error: libaio.h: No such file or directory", raised("KeyError: 'label'"), code), "key-error", High},
		{"the program never starts", lines("run.sh: line 7: torchrun: command not found", "[Modelarts Service Log]Training end with return code: 127"), "startup-command-failed", High},
		{"the file is what the program misses", lines("cp: cannot stat '/mnt/sfs/train.idx': No such file or directory", prefixed("[rank2]: ", raised("ValueError: cannot read /cache/train.idx")), code), "file-missing", High},
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
