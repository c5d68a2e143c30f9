package traceback

import "testing"

func TestInstead(t *testing.T) {
	const asked = `Traceback (most recent call last):
  File "/job/pool.py", line 41, in run
    g = self.pool[key]
KeyError: (4096, 'bf16')

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/job/train.py", line 120, in <module>
    main()
  File "/job/pool.py", line 44, in run
    g = self.pool[key] = self.capture(key)
  File "/job/pool.py", line 29, in capture
    static = torch.empty(shape, device="cuda")
torch.OutOfMemoryError: CUDA out of memory.
`
	const translated = `Traceback (most recent call last):
  File "/job/pool.py", line 41, in run
    g = self.pool[key]
KeyError: 'a'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/job/train.py", line 120, in <module>
    main()
  File "/job/pool.py", line 44, in run
    raise MemoryError("no room")
MemoryError: no room
`
	for text, want := range map[string]int{asked: 1, translated: -1} {
		all := Parse(text)
		if len(all) != 1 {
			t.Fatalf("%d tracebacks in %q", len(all), text)
		}
		if got := all[0].Instead(0); got != want {
			t.Errorf("instead of the first exception %d, want %d: %q", got, want, text)
		}
		if got := all[0].Instead(1); got != -1 {
			t.Errorf("instead of the last exception %d", got)
		}
	}
}
