package verdict

import (
	"strings"
	"testing"
)

// TestUnmade: what many ranks miss alike, and one that fails of something else
// was to make, is no root.
func TestUnmade(t *testing.T) {
	missing := func(ranks ...string) string {
		var all []string
		for _, r := range ranks {
			all = append(all, prefixed("[rank"+r+"]: ", raised("FileNotFoundError: [Errno 2] No such file or directory: '/cache/prep/train.bin'")))
		}
		return strings.Join(all, "\n")
	}
	in := func(function, exception string) string {
		return strings.ReplaceAll(raised(exception), "in main", "in "+function)
	}
	for _, c := range []struct{ name, log, cause string }{
		{"rank 0 fails last, and of something else", lines(missing("1", "2", "3"), prefixed("[rank0]: ", raised("KeyError: 'text'"))), "key-error"},
		{"another rank, which was making it", lines(missing("0", "1", "3"), prefixed("[rank2]: ", in("tokenize_shard", "KeyError: 'text'"))), "key-error"},
		{"another rank, which did something else", lines(missing("0", "1", "3"), prefixed("[rank2]: ", raised("KeyError: 'text'"))), "file-missing"},
		{"all of them miss it", missing("0", "1", "2", "3"), "file-missing"},
		{"rank 0 had only lost the others", lines(missing("1", "2", "3"), prefixed("[rank0]: ", raised("RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:598] Connection closed by peer [127.0.0.1]:10631"))), "file-missing"},
		{"one rank misses it", lines(missing("1"), prefixed("[rank0]: ", raised("KeyError: 'text'"))), "file-missing"},
	} {
		if v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}}); v.Cause != c.cause {
			t.Errorf("%s: %s/%s, want %s", c.name, v.Cause, v.Confidence, c.cause)
		}
	}
}

// TestReplaced: a traceback behind which the program says how it goes on without
// was caught, whatever stands around it; what bears its name may still follow.
func TestReplaced(t *testing.T) {
	end := raised("AssertionError: only 0 samples")
	for _, c := range []struct {
		name, log, cause string
		confidence       Confidence
	}{
		{"it falls back", lines(raised("ImportError: This tokenizer needs the package blobfile"), "fast tokenizer not usable, falling back to the slow one", "tokenizer ok", end), "assertion-failed", High},
		{"in Chinese", lines(raised("FileNotFoundError: [Errno 2] No such file or directory: '/cache/idx.npy'"), "没有索引缓存，重新构建", "索引完成", end), "assertion-failed", High},
		{"of one rank", lines(prefixed("[rank0]: ", lines(raised("ImportError: cannot import name 'FusedAdam' from 'apex'"), "fused optimizer failed, using AdamW", "optimizer ready", end))), "assertion-failed", High},
		{"what it does without is needed after all", lines(raised("ModuleNotFoundError: No module named 'deepspeed'"), "deepspeed not usable, continuing without", "model built", raised("NameError: name 'deepspeed' is not defined")), "module-missing", High},
		{"a kernel that it does without", lines(raised("RuntimeError: Triton Error [CUDA]: invalid argument"), "triton kernel disabled, using torch", "model built", end), "assertion-failed", High},
		{"it says nothing of it", lines(raised("FileNotFoundError: [Errno 2] No such file or directory: '/cache/idx.npy'"), "index built", end), "file-missing", Medium},
	} {
		if v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log}}); v.Cause != c.cause || v.Confidence != c.confidence {
			t.Errorf("%s: %s/%s, want %s/%s", c.name, v.Cause, v.Confidence, c.cause, c.confidence)
		}
	}
}
