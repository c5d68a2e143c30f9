package verdict

import (
	"fmt"
	"strings"
	"testing"
)

// trained is the log of a job that made a step a minute from 10:00 to 11:30, and
// then ended in its own way.
func trained(end string) string {
	var b strings.Builder
	b.WriteString("[ModelArts Service Log]Training start at 2026-03-05-10:00:00\n")
	for i := range 90 {
		fmt.Fprintf(&b, "2026-03-05 %02d:%02d:00,000 INFO step %d loss 1.%d\n", 10+i/60, i%60, i*10, 99-i)
	}
	return b.String() + end + "\n[Modelarts Service Log]Training end with return code: 1\n"
}

// TestRecords: a record of the kernel is tied to a failure by its time, its
// process and what the job met, or says nothing of it.
func TestRecords(t *testing.T) {
	const (
		lost     = "NVRM: Xid (PCI:0000:5e:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus."
		killed   = "Memory cgroup out of memory: Killed process %s total-vm:9123400kB, anon-rss:6014000kB"
		segfault = "%s: segfault at 7f10 ip 00007f2 sp 00007ffd error 4 in libx.so[7f2+1000]"
		at       = "[Thu Mar  5 %s 2026] "
	)
	own := raised("KeyError: 'label'")
	died := "2026-03-05 11:29:30,000 ERROR torch.distributed.elastic failed (exitcode: -9) local_rank: 2 (pid: 8120) of binary: /usr/bin/python"
	python, java := fmt.Sprintf(killed, "8120 (python)"), fmt.Sprintf(killed, "9911 (java)")
	for _, c := range []struct{ name, log, record, cause, why string }{
		{"an hour before the start", trained(own), fmt.Sprintf(at, "09:00:10") + lost, "key-error", "before-start"},
		{"long before its last steps", trained(own), fmt.Sprintf(at, "10:20:10") + lost, "key-error", "went-on"},
		{"after the end", trained(own), fmt.Sprintf(at, "13:00:10") + lost, "key-error", "after-job"},
		{"of no known time, beside a fault of the program", trained(own), "[779012.118220] " + lost, "key-error", "no-effect"},
		{"of no known time, beside memory of the device that ran out", trained(raised("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.10 GiB is free.")), "[779012.118220] " + lost, "device-oom", "no-effect"},
		{"of another program of the node", trained(own), fmt.Sprintf(at, "11:29:10") + java, "key-error", "other-process"},
		{"asked for by another program, which was killed", trained(own), fmt.Sprintf(at, "11:29:10") + "java invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL)\n" + fmt.Sprintf(at, "11:29:10") + java, "key-error", "other-process"},
		{"of the job, long before its last steps", trained(own), fmt.Sprintf(at, "10:31:00") + python, "key-error", "went-on"},
		{"a crash of a service", trained(own), fmt.Sprintf(at, "11:20:00") + fmt.Sprintf(segfault, "telegraf[311]"), "key-error", "other-process"},
		{"a device that the job lost as well", trained(raised("RuntimeError: CUDA error: unspecified launch failure")), fmt.Sprintf(at, "11:29:20") + lost, "device-fault", ""},
		{"memory of the host, and a process that was killed", trained(died), fmt.Sprintf(at, "11:29:20") + python, "host-oom", ""},
		{"a java program of the job, which was killed", trained(died), fmt.Sprintf(at, "11:29:20") + java, "host-oom", ""},
		{"asked for by another program than was killed", trained(died), fmt.Sprintf(at, "11:29:20") + "containerd invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL)\n" + fmt.Sprintf(at, "11:29:20") + python, "host-oom", ""},
		{"before the start, of a device that the job then lacks", trained(raised("RuntimeError: No CUDA GPUs are available")), fmt.Sprintf(at, "09:58:00") + lost, "device-fault", ""},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log, "dmesg.txt": c.record + "\n"}})
		_, record, _ := strings.Cut(c.record, "] ")
		if got := why(v, record[:10]); v.Cause != c.cause || c.why != "" && got != c.why {
			t.Errorf("%s: %s, out by %q, want %s, %q", c.name, v.Cause, got, c.cause, c.why)
		}
	}
}
