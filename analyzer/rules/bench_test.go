package rules

import "testing"

func BenchmarkFind(b *testing.B) {
	lines := []string{
		"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 79.15 GiB of which 1.66 GiB is free.",
		"2026-06-03 13:41:00,893 - trans - INFO - step 80 loss 0.55730 grad 0.506 lr 1.2e-05 tok/s 8116 mem 42.1 GiB",
	}
	all := Default().Rules
	b.ReportAllocs()
	for b.Loop() {
		for _, l := range lines {
			for _, r := range all {
				r.Find(l)
			}
		}
	}
}
