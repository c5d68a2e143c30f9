package verdict

import (
	"strings"
	"testing"
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
		{"a compiler above its command", lines(`loc("/cache/k.mlir":9:1): error: ub overflow, requires 99 bits while 42 bits available!`) + raised("subprocess.CalledProcessError: Command '['/usr/bin/bishengir-compile', 'k.mlir']' returned non-zero exit status 1."),
			"ub overflow", "returned non-zero exit status 1"},
		{"words from the start", raised(code + "507013 there is a sdma error, sdma channel is 0"), "error code is 507013", ""},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}})
		if len(v.Evidence) < 2 || !strings.Contains(v.Evidence[0].Text, c.first) || !strings.Contains(v.Evidence[1].Text, c.second) {
			t.Errorf("%s: evidence %q", c.name, texts(v))
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
