package verdict

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// records puts out the records of the kernel that nothing ties to the failure: a
// node keeps them of all that it runs, and of all times.
func (j *judge) records() {
	first, last := j.worked()
	for _, c := range j.all {
		if c.fate != nil || c.tier > weak || kindOf(c) != byRecord || c.event.Quote.Kind == source.Event {
			continue
		}
		if process := j.stranger(c); process != "" {
			c.out("other-process", map[string]string{"process": process})
			continue
		}
		if j.beyond(c, last) {
			c.out("after-job", nil)
			continue
		}
		if j.answered(c) {
			continue
		}
		if j.preceding(c, first) {
			c.out("before-start", nil)
			continue
		}
		if m, went := j.steppedOn(c); went {
			c.out("went-on", map[string]string{"step": stepText(m), "line": strconv.Itoa(m.Number)})
			continue
		}
		if e := j.ownFault(c); e != nil {
			c.out("no-effect", map[string]string{"line": strconv.Itoa(e.event.Quote.Number)})
		}
	}
}

// services reads the names of processes that run on nodes beside jobs; those of
// perhaps may be a part of a job as well.
var (
	services = lazy.Regexp(`^(?:node[_-]export|npu-export|npu-driver|dcgm|nv-hostengine|nvidia-(?:persist|dcgm)|kube|containerd|docker|runc|crio|systemd|sshd|rsyslogd|syslog|cron|auditd|chronyd|ntpd|NetworkManager|polkitd|dbus|snapd|icagent|ICAgent|hostguard|telescope|uniagent|tuned|irqbalance|fluent|filebeat|logstash|vector|telegraf|prometheus|grafana|cadvisor|etcd|calico|cilium|flannel|coredns|everest|mysqld|mariadbd|postgres|redis|mongod|nginx|httpd|haproxy|envoy|packagekitd|firewalld|agetty|lvmetad|multipathd|cloud-init|Xorg|gnome)`)
	perhaps  = lazy.Regexp(`^(?:java|node|chrome|code|gitlab|jenkins|kafka|elastic)`)
)

// stranger gives the process that a record tells of when it is none of the job's,
// "" when it may be one.
func (j *judge) stranger(c *candidate) string {
	if !strings.Contains(c.event.Quote.Text, "invoked oom-killer") { // who asks for memory last is not who is killed
		return j.foreign(c)
	}
	name := ""
	for _, o := range j.all {
		if gap := o.event.Seq - c.event.Seq; o.event.Rule == c.event.Rule && o.event.Stream == c.event.Stream && 0 < gap && gap <= nearLines {
			if name = j.foreign(o); name == "" {
				return ""
			}
		}
	}
	return name
}

func (j *judge) foreign(c *candidate) string {
	name := c.event.Values.Get("process")
	if services().MatchString(name) || perhaps().MatchString(name) && !j.died("killed") {
		return name
	}
	return ""
}

// died reports whether a process of the job is known to have ended in one way.
func (j *judge) died(cause string) bool {
	return slices.ContainsFunc(j.all, func(c *candidate) bool { return c.tier == exit && c.cause == cause })
}

// worked gives when the logs of a job began and ended, by whether their zone is
// unknown; zero where they may lack their head or tail.
func (j *judge) worked() (first, last map[bool]time.Time) {
	first, last = map[bool]time.Time{}, map[bool]time.Time{}
	for _, s := range j.c.Found.Streams {
		if s.First.Kind != source.Log || s.Field != "" {
			continue
		}
		if at, plain := j.clock.of(j.began(s)); !at.IsZero() && (first[plain].IsZero() || at.Before(first[plain])) {
			first[plain] = at
		}
		if at, plain := j.clock.of(s, s.End, s.EndZoned); at.After(last[plain]) {
			last[plain] = at
		}
	}
	if len(j.told[rules.Start]) == 0 {
		first = nil
	}
	if !slices.ContainsFunc(j.told[rules.Exit], func(e *scan.Event) bool { return e.Quote.Kind == source.Log }) {
		last = nil
	}
	return first, last
}

// Margins around a job's own lines: a log is written with a delay, and the wall
// clocks of the world lie apart.
const (
	atOnce    = 2 * time.Minute
	allZones  = 14 * time.Hour
	atItsEase = 3 * time.Minute // a step may have been under way, and its line held back
)

// apartBy gives how long b lies behind a at the least, whatever zone either
// clock shows.
func apartBy(a, b time.Time, sameClock bool) time.Duration {
	if a.IsZero() || b.IsZero() {
		return 0
	}
	if !sameClock {
		return b.Sub(a) - allZones
	}
	return b.Sub(a)
}

// beyond reports whether a record came after the end of the job.
func (j *judge) beyond(c *candidate, last map[bool]time.Time) bool {
	s := j.clock.span(c.event)
	if at := last[s.plain]; !at.IsZero() {
		return apartBy(at, s.from, true) > atOnce
	}
	return apartBy(last[!s.plain], s.from, false) > atOnce
}

// preceding reports whether a record came before the start of the job.
func (j *judge) preceding(c *candidate, first map[bool]time.Time) bool {
	s := j.clock.span(c.event)
	if at := first[s.plain]; !at.IsZero() {
		return apartBy(s.until, at, true) > atOnce
	}
	return apartBy(s.until, first[!s.plain], false) > atOnce
}

// answered reports whether the job itself met what a record may set off.
func (j *judge) answered(c *candidate) bool {
	return slices.ContainsFunc(j.all, func(o *candidate) bool {
		if o.fate != nil || kindOf(o) == byRecord || o.cause == "device-oom" {
			return false
		}
		return o.tier <= weak && (o.cause == c.cause || slices.Contains(machine, o.cause) && c.cause != "segfault")
	})
}

// steppedOn gives the last step of the job when it did steps well after a record.
func (j *judge) steppedOn(c *candidate) (scan.Mark, bool) {
	at := j.clock.span(c.event)
	var last scan.Mark
	n := 0
	for _, s := range j.c.Found.Streams {
		for _, m := range s.Progress {
			t, plain := j.clock.of(s, m.Time, m.Zoned)
			if at.plain && !plain && j.spans(s, at.until) {
				t, plain = wall(m.Time), true
			}
			if plain == at.plain && apartBy(at.until, t, true) > atItsEase {
				n++
				last = m
			}
		}
	}
	return last, n > 1
}

// spans reports whether the clock time of a record of an unknown zone lies within
// the steps of a log, where the job did not fail: that is then taken for its zone.
func (j *judge) spans(s *scan.Stream, at time.Time) bool {
	return !j.end.failed && !s.Progress[0].Time.IsZero() && wall(s.Progress[0].Time).Before(at) && at.Before(wall(s.Progress[len(s.Progress)-1].Time))
}

// wall gives what the clock showed at a time, as if it went by UTC.
func wall(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.Add(time.Duration(offset) * time.Second).UTC()
}

// ownFault gives a failure of the program's own that no record explains, where
// no process of the job died as the record tells.
func (j *judge) ownFault(c *candidate) *candidate {
	if c.cause == "host-oom" && j.died("killed") || j.died("segfault") {
		return nil
	}
	for _, e := range j.all {
		if e.fate != nil || e.tier != proven || !e.uncaught() && !e.bare() {
			continue
		}
		if e.cause == "device-oom" || own[e.cause] && !e.ofDevice() {
			return e
		}
	}
	return nil
}
