package verdict

import (
	"strings"
	"testing"
)

// TestObject: one message of a format's reader means the data where a sample is
// read and the model where weights are; what was raised from it may say which.
func TestObject(t *testing.T) {
	const header = "Traceback (most recent call last):\n  File \"/job/train.py\", line 9, in <module>\n    main()\n"
	const h5 = "OSError: Unable to open file (truncated file: eof = 96, sblock->base_addr = 0, stored_eof = 2048)\n"
	frame := func(name string) string {
		return "  File \"/job/lib.py\", line 40, in " + name + "\n    f = open_it(path)\n"
	}
	for _, tt := range []struct{ name, log, cause string }{
		{"h5 of a sample", header + frame("__getitem__") + h5, "data-corrupt"},
		{"h5 of a dataset's index", header + frame("build_dataset") + h5, "data-corrupt"},
		{"h5 of weights", header + frame("load_weights") + h5, "checkpoint-corrupt"},
		{"h5 in resuming", header + frame("resume_from_checkpoint") + h5, "checkpoint-corrupt"},
		{"pickle of a sample", header + frame("load_sample") + "_pickle.UnpicklingError: pickle data was truncated\n", "data-corrupt"},
		{"pickle of weights", header + frame("load_checkpoint") + "_pickle.UnpicklingError: pickle data was truncated\n", "checkpoint-corrupt"},
		{"zip of a sample", header + frame("__getitem__") + "zipfile.BadZipFile: File is not a zip file\n", "data-corrupt"},
		{"zip of weights", header + frame("load_state_dict") + "zipfile.BadZipFile: File is not a zip file\n", "checkpoint-corrupt"},
		{"named by what was raised from it", header + frame("parse") + "google.protobuf.message.DecodeError: Error parsing message\n\nThe above exception was the direct cause of the following exception:\n\n" +
			header + frame("load") + "ValueError: Failed to read the checkpoint file /cache/a.ckpt. The file may be corrupted.\n", "checkpoint-corrupt"},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"train.log": "epoch 1 step 20 loss 1.2\n" + tt.log}})
		if v.Cause != tt.cause {
			t.Errorf("%s: %s, want %s", tt.name, v.Cause, tt.cause)
		}
	}
}

// TestInstead: what a program met while it made what it had asked for is the
// root, unless it only told of what was missing, or ended.
func TestInstead(t *testing.T) {
	chain := func(first, handler, second string) string {
		return strings.Join([]string{
			"Traceback (most recent call last):", "  File \"/job/pool.py\", line 41, in get", "    return self.pool[key]", first, "",
			"During handling of the above exception, another exception occurred:", "",
			"Traceback (most recent call last):", "  File \"/job/train.py\", line 9, in <module>", "    main()",
			"  File \"/job/pool.py\", line 44, in get", "    return make(key)", "  File \"/job/pool.py\", line 12, in " + handler, "    work(key)", second, "",
		}, "\n")
	}
	const oom = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 6.00 GiB. GPU 0 has a total capacity of 79.10 GiB of which 1.02 GiB is free."
	for _, tt := range []struct{ name, log, cause string }{
		{"memory", chain("KeyError: (4096, 'bf16')", "capture", oom), "device-oom"},
		{"disk", chain("FileNotFoundError: [Errno 2] No such file or directory: '/cache/a.npy'", "build", "OSError: [Errno 28] No space left on device: '/cache/a.npy'"), "disk-full"},
		{"host memory", chain("FileNotFoundError: [Errno 2] No such file or directory: '/cache/a.npy'", "build", "MemoryError: Unable to allocate 90.0 GiB for an array with shape (9,) and data type float64"), "host-oom"},
		{"another bug", chain("KeyError: 'label'", "capture", "AttributeError: 'NoneType' object has no attribute 'close'"), "key-error"},
		{"while ending", chain("KeyError: 'label'", "shutdown", oom), "key-error"},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"train.log": "epoch 1 step 20 loss 1.2\n" + tt.log}})
		if v.Cause != tt.cause {
			t.Errorf("%s: %s, want %s", tt.name, v.Cause, tt.cause)
		}
	}
}

// TestFurtherLines: the line that names the place in a file stands behind the line
// of the exception.
func TestFurtherLines(t *testing.T) {
	v := verdictOn(t, situation{logs: map[string]string{"train.log": "Traceback (most recent call last):\n  File \"/job/train.py\", line 9, in <module>\n    main()\n" +
		"yaml.scanner.ScannerError: mapping values are not allowed here\n  in \"configs/a.yaml\", line 7, column 15\n"}})
	if v.Cause != "config-invalid" || len(v.Evidence) < 2 || v.Evidence[1].Number != 5 {
		t.Errorf("%s by %+v", v.Cause, v.Evidence)
	}
	v = verdictOn(t, situation{logs: map[string]string{"train.log": "Traceback (most recent call last):\n  File \"/job/train.py\", line 9, in <module>\n    main()\n" +
		"acme.ParseTrouble: no such section\n  in \"configs/a.yaml\", line 7, column 15\n"}})
	if v.Cause != "exception-other" {
		t.Errorf("an exception that no rule knows is %s", v.Cause)
	}
}
