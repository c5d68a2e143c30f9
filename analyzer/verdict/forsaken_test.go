package verdict

import (
	"slices"
	"testing"
)

// TestForsaken: a pipe whose other end is gone is named where nothing else is, but
// not one between ranks, nor where the job ended well.
func TestForsaken(t *testing.T) {
	const pipe = "BrokenPipeError: [Errno 32] Broken pipe"
	peers := "Traceback (most recent call last):\n  File \"/home/ma-user/modelarts/user-job-dir/train.py\", line 8, in <module>\n    dist.barrier()\n" +
		"  File \"/opt/conda/lib/python3.10/site-packages/torch/distributed/c10d_logger.py\", line 81, in wrapper\n    return func(*args)\n" + pipe
	for _, c := range []struct{ name, log, cause string }{
		{"a process beside it", prefixed("[rank0]: ", raised(pipe)), "network-error"},
		{"another rank", prefixed("[rank0]: ", peers), "unknown"},
		{"no code of the user's", "Traceback (most recent call last):\n  File \"/usr/lib/python3.10/socket.py\", line 12, in send\n    x()\n" + pipe, "unknown"},
		{"a rank that failed before", lines(prefixed("[rank1]: ", raised("KeyError: 'a'")), prefixed("[rank0]: ", raised(pipe))), "key-error"},
		{"a group that another rank did not set up", "[rank3]: torch.distributed.DistBackendError: [3] is setting up NCCL communicator and retrieving ncclUniqueId from [0] via c10d key-value store by key '0', but store->get('0') got error: Socket Timeout", "rendezvous-failed"},
		{"a group, and another rank that is gone", "[rank3]: torch.distributed.DistBackendError: [3] is setting up NCCL communicator and retrieving ncclUniqueId from [0] via c10d key-value store by key '0', but store->get('0') got error: Connection reset by peer", "unknown"},
		{"the job ended well", raised(pipe) + "\n[Modelarts Service Log]Training end with return code: 0", "none"},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log + "\n"}})
		if v.Cause != c.cause || c.cause == "network-error" && v.Confidence != Medium {
			t.Errorf("%s: %s/%s, want %s", c.name, v.Cause, v.Confidence, c.cause)
		}
	}
	v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": lines("[rank3]: RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:598] Connection closed by peer [127.0.0.1]:10631", prefixed("[rank0]: ", raised(pipe)))}})
	if !slices.Equal(v.Ranks, []int{0}) || v.Fingerprint == "" {
		t.Errorf("the ranks are %v, the fingerprint is %q", v.Ranks, v.Fingerprint)
	}
}
