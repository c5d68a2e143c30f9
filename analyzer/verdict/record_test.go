package verdict

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
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

// TestRecordsOfNoZone: where the log tells its zone and the record does not, the
// clock time counts that lies among the steps of a job that did not fail.
func TestRecordsOfNoZone(t *testing.T) {
	const zone = `time="2026-03-05T10:00:00+08:00" level=info msg="start the periodic upload task" file="upload.go:46" Command=obs/upload Component=ma-training-toolkit Platform=ModelArts-Service` + "\n"
	const failed = "\n[Modelarts Service Log]Training end with return code: 1\n"
	going, _, _ := strings.Cut(trained(""), "\n\n")
	for _, c := range []struct{ name, log, clock, cause string }{
		{"among the steps", zone + going, "10:30:30", "none"},
		{"among the last steps", zone + going, "11:28:30", "device-illegal-access"},
		{"behind the steps", zone + going, "11:50:00", "device-illegal-access"},
		{"among the steps of a job that failed", zone + going + failed, "10:30:30", "device-illegal-access"},
		{"by the same clock", going, "10:30:30", "none"},
	} {
		record := "[Thu Mar  5 " + c.clock + " 2026] NVRM: Xid (PCI:0000:4f:00): 13, pid=811, name=python3, Graphics SM Warp Exception on (GPC 1, TPC 2, SM 0)\n"
		if v := verdictOn(t, situation{logs: map[string]string{"worker-0.log": c.log, "dmesg.txt": record}}); v.Cause != c.cause {
			t.Errorf("%s: %s, want %s", c.name, v.Cause, c.cause)
		}
	}
}

// recordOn is a record of the kernel at a clock time, "" without one, that names a
// process.
func recordOn(t *testing.T, s *scan.Stream, seq int, cause, clock, process string) *scan.Event {
	e := saying(found(rule(cause, rules.Root), s, seq, "record"), "process", process)
	e.Rule.ID = "test-record" // one rule reads all of them
	if clock != "" {
		timed(e, clockTime(t, clock))
	}
	return e
}

// dmesg is a log of the kernel.
func dmesg() *scan.Stream {
	d := log("dmesg.txt")
	d.Kind = source.Kernel
	return stream(d, -1)
}

// TestStranger: a record of a service is none of the job's, nor one of a program
// that may be either unless a process of the job was killed; of memory that ran
// out the killed decide, not who asked.
func TestStranger(t *testing.T) {
	s, other := dmesg(), dmesg()
	asked := func(process string) *scan.Event {
		e := recordOn(t, s, 10, "host-oom", "", process)
		e.Quote.Text = process + " invoked oom-killer"
		return e
	}
	ofRule := func(e *scan.Event, r *rules.Rule) *scan.Event { e.Rule = r; return e }
	killed := found(rule("killed", rules.Ambiguous), stream(log("a.log"), 0), 999, "")
	crashed := found(rule("segfault", rules.Ambiguous), stream(log("a.log"), 0), 999, "")
	another := rule("host-oom", rules.Root)
	for _, tt := range []struct {
		name   string
		record *scan.Event
		beside []*scan.Event
		want   string
	}{
		{"a service", recordOn(t, s, 10, "segfault", "", "telegraf"), []*scan.Event{killed}, "telegraf"},
		{"a program of the job", recordOn(t, s, 10, "segfault", "", "python3"), nil, ""},
		{"what may be either", recordOn(t, s, 10, "host-oom", "", "java"), nil, "java"},
		{"what may be either, where a process of the job was killed", recordOn(t, s, 10, "host-oom", "", "java"), []*scan.Event{killed}, ""},
		{"what may be either, where a process of the job crashed", recordOn(t, s, 10, "host-oom", "", "java"), []*scan.Event{crashed}, "java"},
		{"asked by a service, a program of the job was killed", asked("kubelet"), []*scan.Event{recordOn(t, s, 11, "host-oom", "", "python3")}, ""},
		{"asked by the job, a service was killed", asked("python3"), []*scan.Event{recordOn(t, s, 11, "host-oom", "", "telegraf")}, "telegraf"},
		{"asked by the job, a service and a program of the job were killed", asked("python3"), []*scan.Event{recordOn(t, s, 11, "host-oom", "", "telegraf"), recordOn(t, s, 12, "host-oom", "", "python3")}, ""},
		{"asked by a service, nobody was killed", asked("kubelet"), nil, ""},
		{"asked, killed far below", asked("python3"), []*scan.Event{recordOn(t, s, 10+nearLines, "host-oom", "", "telegraf")}, "telegraf"},
		{"asked, killed too far below", asked("python3"), []*scan.Event{recordOn(t, s, 11+nearLines, "host-oom", "", "telegraf")}, ""},
		{"asked, killed above", asked("python3"), []*scan.Event{recordOn(t, s, 9, "host-oom", "", "telegraf")}, ""},
		{"asked, killed in another log", asked("python3"), []*scan.Event{recordOn(t, other, 11, "host-oom", "", "telegraf")}, ""},
		{"asked, and another rule's record below", asked("python3"), []*scan.Event{ofRule(recordOn(t, s, 11, "host-oom", "", "telegraf"), another)}, ""},
	} {
		for _, e := range tt.beside {
			if e.Rule.ID == "test-record" {
				e.Rule = tt.record.Rule
			}
		}
		j := judgeOn(nil, append([]*scan.Event{tt.record}, tt.beside...)...)
		if got := j.stranger(j.all[0]); got != tt.want {
			t.Errorf("%s: a stranger %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestWorked: a job worked from the first to the last time of its logs, where they
// are there from the start and to the end.
func TestWorked(t *testing.T) {
	at := func(clock string) time.Time { return clockTime(t, clock) }
	logOf := func(name, from, until string) *scan.Stream {
		s := stream(log(name), -1)
		s.First = scan.Quote{Doc: s.Doc, Time: at(from)}
		s.End = at(until)
		return s
	}
	a, b, record, answer := logOf("a.log", "10:00:00", "11:00:00"), logOf("b.log", "09:00:00", "10:00:00"), dmesg(), logOf("details.json", "08:00:00", "12:00:00")
	record.First, record.End = scan.Quote{Doc: record.Doc, Kind: source.Kernel, Time: at("07:00:00")}, at("13:00:00")
	answer.Field = "status.message"
	later := logOf("c.log", "10:30:00", "10:40:00")
	pack := rules.Default()
	start, end := found(pack.Rule("ma-training-start"), a, 1, ""), found(pack.Rule("ma-return-code"), a, 9, "return code: 1")
	told := found(pack.Rule("ma-return-code"), answer, 9, "return code: 1")
	told.Quote.Kind = source.Event
	for _, tt := range []struct {
		name        string
		events      []*scan.Event
		first, last string
	}{
		{"whole logs", []*scan.Event{start, end}, "09:00:00", "11:00:00"},
		{"without the end", []*scan.Event{start}, "09:00:00", ""},
		{"without the start", []*scan.Event{end}, "", "11:00:00"},
		{"an end that an answer tells", []*scan.Event{start, told}, "09:00:00", ""},
		{"another line", []*scan.Event{start, found(rule("key-error", rules.Symptom), a, 9, "")}, "09:00:00", ""},
	} {
		first, last := judgeOn([]*scan.Stream{a, b, later, stream(log("d.log"), -1), record, answer}, tt.events...).worked()
		text := func(at time.Time) string {
			if at.IsZero() {
				return ""
			}
			return at.Format(time.TimeOnly)
		}
		if text(first[true]) != tt.first || text(last[true]) != tt.last || !first[false].IsZero() || !last[false].IsZero() {
			t.Errorf("%s: from %v until %v, want %q, %q", tt.name, first, last, tt.first, tt.last)
		}
	}
}

// TestAroundTheJob: a record is of another job that lies more than two minutes
// outside of the job's logs, or more than the world's zones apart by other clocks.
func TestAroundTheJob(t *testing.T) {
	ten := clockTime(t, "10:00:00")
	same, other := map[bool]time.Time{true: ten}, map[bool]time.Time{false: ten}
	for _, tt := range []struct {
		name string
		of   map[bool]time.Time // when the job began, or ended
		by   time.Duration      // how far outside
		is   bool
	}{
		{"two minutes", same, atOnce, false},
		{"more", same, atOnce + time.Second, true},
		{"by another clock, two minutes and all zones", other, allZones + atOnce, false},
		{"by another clock, more", other, allZones + atOnce + time.Second, true},
		{"by both clocks the same counts", map[bool]time.Time{true: ten, false: ten.AddDate(1, 0, 0)}, atOnce + time.Second, true},
		{"nobody knows when", nil, 100 * time.Hour, false},
	} {
		s := dmesg()
		j := judgeOn(nil, timed(found(rule("segfault", rules.Root), s, 1, ""), ten.Add(tt.by)), timed(found(rule("segfault", rules.Root), s, 1, ""), ten.Add(-tt.by)), found(rule("segfault", rules.Root), s, 1, ""))
		if got := j.beyond(j.all[0], tt.of); got != tt.is {
			t.Errorf("%s: after the end is %v", tt.name, got)
		}
		if j.beyond(j.all[1], tt.of) || j.beyond(j.all[2], tt.of) {
			t.Errorf("%s: what came before the end, or at no known time, is after it", tt.name)
		}
		of := map[bool]time.Time{}
		for plain, at := range tt.of {
			if of[plain] = at; at.Year() != ten.Year() {
				of[plain] = ten.AddDate(-1, 0, 0)
			}
		}
		if got := j.preceding(j.all[1], of); got != tt.is {
			t.Errorf("%s: before the start is %v", tt.name, got)
		}
		if j.preceding(j.all[0], of) || j.preceding(j.all[2], of) {
			t.Errorf("%s: what came after the start, or at no known time, is before it", tt.name)
		}
	}
}

// TestSteppedOn: a job that did two steps more than three minutes after a record
// went on from it.
func TestSteppedOn(t *testing.T) {
	ten := clockTime(t, "10:00:00")
	of := func(zoned bool, after ...time.Duration) *scan.Stream {
		s := stream(log("a.log"), -1)
		for i, d := range after {
			s.Progress = append(s.Progress, scan.Mark{Number: i + 1, Time: ten.Add(d), Zoned: zoned})
		}
		return s
	}
	const more = atItsEase + time.Second
	for _, tt := range []struct {
		name    string
		streams []*scan.Stream
		line    int // of the last step, 0 when it did not
	}{
		{"two steps", []*scan.Stream{of(false, 0, more, more+1)}, 3},
		{"two steps of two logs", []*scan.Stream{of(false, more), of(false, 0, more)}, 2},
		{"one step", []*scan.Stream{of(false, 0, 0, more)}, 0},
		{"one step, and one that was under way", []*scan.Stream{of(false, atItsEase, more)}, 0},
		{"steps by another clock", []*scan.Stream{of(true, more, more)}, 0},
	} {
		j := judgeOn(tt.streams, timed(found(rule("device-fault", rules.Root), dmesg(), 1, ""), ten))
		m, went := j.steppedOn(j.all[0])
		if went != (tt.line > 0) || went && m.Number != tt.line {
			t.Errorf("%s: went on is %v, at line %d", tt.name, went, m.Number)
		}
	}
}

// TestAnswered: a record stays that the job itself may have met: the same, or
// another failure of the machine.
func TestAnswered(t *testing.T) {
	s := stream(log("a.log"), 0)
	for _, tt := range []struct {
		name   string
		record string // cause
		met    *scan.Event
		fate   string
		is     bool
	}{
		{"the same", "device-fault", found(rule("device-fault", rules.Ambiguous), s, 1, ""), "", true},
		{"another of the machine", "device-fault", found(rule("device-unavailable", rules.Root), s, 1, ""), "", true},
		{"a crash, and another of the machine", "segfault", found(rule("device-unavailable", rules.Root), s, 1, ""), "", false},
		{"a crash, and the same", "segfault", found(rule("segfault", rules.Root), s, 1, ""), "", true},
		{"a failure of the program", "device-fault", found(rule("key-error", rules.Root), s, 1, ""), "", false},
		{"memory of the device that ran out", "device-oom", found(rule("device-oom", rules.Root), s, 1, ""), "", false},
		{"an echo", "device-fault", found(rule("device-fault", rules.Symptom), s, 1, ""), "", false},
		{"how a process ended", "segfault", found(rule("segfault", rules.Ambiguous), s, 1, ""), "", false},
		{"what was overcome", "device-fault", found(rule("device-fault", rules.Root), s, 1, ""), "passed", false},
		{"another record", "device-fault", found(rule("device-fault", rules.Root), dmesg(), 1, ""), "", false},
	} {
		j := judgeOn(nil, found(rule(tt.record, rules.Root), dmesg(), 2, ""), tt.met)
		if tt.fate != "" {
			j.all[1].out(tt.fate, nil)
		}
		if got := j.answered(j.all[0]); got != tt.is {
			t.Errorf("%s: answered is %v", tt.name, got)
		}
	}
}

// TestOwnFault: a failure that lies in the program's own words, or memory of the
// device that ran out, is not a record's effect.
func TestOwnFault(t *testing.T) {
	s := stream(log("a.log"), 0)
	at := func(cause string, role rules.Role, text string) *scan.Event {
		return found(rule(cause, role), s, 1, text)
	}
	killed, crashed := at("killed", rules.Ambiguous, ""), at("segfault", rules.Ambiguous, "")
	for _, tt := range []struct {
		name   string
		record string
		met    *scan.Event
		bare   bool // its stack was left out
		beside *scan.Event
		fate   string
		is     bool
	}{
		{name: "its own", record: "device-fault", met: at("key-error", rules.Root, "KeyError: 'x'"), is: true},
		{name: "its own, without a stack", record: "device-fault", met: at("key-error", rules.Root, "KeyError: 'x'"), bare: true, is: true},
		{name: "its own, caught and written down", record: "device-fault", met: at("key-error", rules.Root, "it was KeyError"), bare: true},
		{name: "its own, that speaks of a device", record: "device-fault", met: at("key-error", rules.Root, "KeyError: no gpu 3")},
		{name: "memory of the device", record: "device-fault", met: at("device-oom", rules.Root, "OutOfMemoryError: of the gpu"), is: true},
		{name: "another cause", record: "device-fault", met: at("io-error", rules.Root, "OSError: broken")},
		{name: "without proof", record: "device-fault", met: at("key-error", rules.Ambiguous, "KeyError: 'x'")},
		{name: "that was overcome", record: "device-fault", met: at("key-error", rules.Root, "KeyError: 'x'"), fate: "passed"},
		{name: "beside a process that memory killed", record: "host-oom", met: at("key-error", rules.Root, "KeyError: 'x'"), beside: killed},
		{name: "beside a process that something else killed", record: "device-fault", met: at("key-error", rules.Root, "KeyError: 'x'"), beside: killed, is: true},
		{name: "beside a process that crashed", record: "device-fault", met: at("key-error", rules.Root, "KeyError: 'x'"), beside: crashed},
		{name: "of memory, where nobody was killed", record: "host-oom", met: at("key-error", rules.Root, "KeyError: 'x'"), is: true},
	} {
		c := &Case{Found: scan.Result{Events: []*scan.Event{found(rule(tt.record, rules.Root), dmesg(), 2, ""), tt.met}}}
		if tt.beside != nil {
			c.Found.Events = append(c.Found.Events, tt.beside)
		}
		if !tt.bare {
			c.Found.Traces = []*scan.Trace{uncaught(tt.met)}
		}
		j := newJudge(c, rules.Default())
		if tt.fate != "" {
			j.all[1].out(tt.fate, nil)
		}
		if got := j.ownFault(j.all[0]); (got == j.all[1]) != tt.is || got != nil && got != j.all[1] {
			t.Errorf("%s: its own is %v", tt.name, got != nil)
		}
	}
}

// TestOnlyRecords: only what stands as a record of the kernel or the driver is
// asked what ties it to the job, and a failure of the job itself keeps it.
func TestOnlyRecords(t *testing.T) {
	own := found(rule("key-error", rules.Root), stream(log("a.log"), 0), 1, "KeyError: 'x'")
	held := uncaught(own)
	event := found(rule("device-fault", rules.Root), dmesg(), 2, "")
	event.Quote.Kind, event.Rule.Family = source.Event, "nvidia-driver"
	echoed := found(rule("device-fault", rules.Symptom), dmesg(), 2, "")
	for _, tt := range []struct {
		name   string
		record *scan.Event
		fate   string
	}{
		{"a record", found(rule("device-fault", rules.Root), dmesg(), 2, ""), "no-effect"},
		{"a record without proof", found(rule("device-fault", rules.Ambiguous), dmesg(), 2, ""), "no-effect"},
		{"an echo", echoed, ""},
		{"a platform's event", event, ""},
		{"a line of the job", found(rule("io-error", rules.Root), stream(log("b.log"), 1), 2, ""), ""},
	} {
		j := newJudge(&Case{Found: scan.Result{Events: []*scan.Event{own, tt.record}, Traces: []*scan.Trace{held}}}, rules.Default())
		j.records()
		if c := j.all[1]; fateOf(c) != tt.fate || tt.fate != "" && c.fate.Args["line"] != "1" {
			t.Errorf("%s: out by %q, want %q", tt.name, fateOf(c), tt.fate)
		}
	}
}
