package main

import (
	"crypto/sha256"
	"strings"
	"time"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/plugin/hcloud"
)

type watchCmd struct {
	Job      string        `arg:"" help:"${watch_job}"`
	Interval time.Duration `default:"1m" placeholder:"DURATION" help:"${interval}"`
	Stall    time.Duration `default:"30m" placeholder:"DURATION" help:"${stall}"`
	reporting
	recording
	remote
}

// Run follows a job until it ends or stands still, then records all evidence
// and delivers the report.
func (w *watchCmd) Run(c *console) error {
	if w.Interval <= 0 || w.Stall < 0 {
		return &usageError{c.say(msgInterval)}
	}
	options, err := w.reporting.options(c)
	if err != nil {
		return err
	}
	l, err := w.connect(c)
	if err != nil {
		return err
	}
	search := &collector{c: c, link: l}
	id, err := search.find(w.Job)
	if err != nil {
		return err
	}
	k, err := w.collect(search, shortID(id), w.recording.options(c), l.replay == nil)
	if err != nil {
		return err
	}
	reports, err := w.follow(k, id, func() ([]report.Report, error) {
		// What is soonest gone is recorded first; the diagnosis reads it all.
		if err := k.gather(id, false); err != nil {
			return nil, err
		}
		d := &diagnosis{collector: k, id: id, options: options, asked: map[step]bool{}}
		r, err := d.diagnose()
		return []report.Report{r}, err
	})
	if e := k.finish(err == nil); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	k.warn()
	if k.temp == nil {
		c.tell(msgRecorded, k.rec.Path())
	}
	return w.give(c, reports)
}

// follow asks for the state of the job again and again. Fault that pass do not
// end it.
func (w *watchCmd) follow(k *collector, id string, end func() ([]report.Report, error)) ([]report.Report, error) {
	phase := ""
	progress := standstill{after: w.Stall}
	for {
		a := k.link.Do(k.c.ctx, detailsOf(id))
		err := k.link.failed(a)
		switch {
		case err != nil && !transient(a.Class):
			return nil, err
		case err != nil:
			k.c.tell(msgWarning, k.c.describe(err))
		default:
			j, ok := theJob(a.Body, id)
			if !ok {
				k.c.tell(msgWarning, k.c.say(msgNoJobInAnswer, id))
				break
			}
			if p := string(j.Phase); p != phase && p != "" {
				phase = p
				k.c.tell(msgPhaseNow, k.c.now().UTC().Format(time.TimeOnly), p)
			}
			if j.Phase.Ended() {
				return end()
			}
			stalled, err := progress.look(k, j)
			if err != nil {
				return nil, err
			}
			if stalled {
				k.c.tell(msgStalled, w.Stall)
				return end()
			}
		}
		if err := k.c.sleep(k.c.ctx, w.Interval); err != nil {
			return nil, errInterrupted
		}
		progress.pass(w.Interval)
	}
}

// transient are the classes after which a watch goes on.
func transient(class hcloud.Class) bool {
	switch class {
	case hcloud.NetworkError, hcloud.Throttled, hcloud.ServerError, hcloud.TimedOut, hcloud.APIEError, hcloud.NotJSON, hcloud.NotAnswer:
		return true
	}
	return false
}

// theJob finds a job in an answer.
func theJob(body []byte, id string) (job, bool) {
	for _, j := range jobsIn(body) {
		if strings.EqualFold(j.ID, id) {
			return j, true
		}
	}
	return job{}, false
}

// standstill notices that the log of a running job does not grow. It looks six
// times in the time that must pass, because a log may be 5 MB. Time is what was
// waited, whatever the clock says meanwhile.
type standstill struct {
	after    time.Duration // 0 for never
	still    time.Duration // since the log was last seen to change
	unlooked time.Duration
	looked   bool
	last     [sha256.Size]byte
}

func (s *standstill) pass(d time.Duration) {
	s.still += d
	s.unlooked += d
}

func (s *standstill) look(k *collector, j job) (bool, error) {
	if j.Phase != modelarts.PhaseRunning || s.after == 0 {
		s.still = 0
		return false, nil
	}
	if s.looked && s.unlooked < s.after/6 {
		return false, nil
	}
	s.looked, s.unlooked = true, 0
	a := k.link.Do(k.c.ctx, logOf(j.ID, j.tasks()[0]))
	if a.Class == hcloud.Interrupted {
		return false, errInterrupted
	}
	if sum := sha256.Sum256(a.Body); a.Class != hcloud.OK || sum != s.last {
		s.last, s.still = sum, 0 // a log that cannot be read proves nothing
	}
	return s.still >= s.after, nil
}
