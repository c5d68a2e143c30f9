package verdict

import (
	"time"

	"hcloud-modelarts/analyzer/rules"
)

// felt is how long after a port went down a failure of communication may still
// be its effect: the longest default by which HCCL waits, and a margin.
const felt = 32 * time.Minute

// flaps puts out the interruptions of a port after which no communication
// failed in time: ports have gone down and up before the job.
func (j *judge) flaps() {
	for _, c := range j.all {
		if c.event.Rule.Tells(rules.PortDown) && !j.felt(c) {
			c.out("other-time", nil)
		}
	}
}

// felt reports whether a failure of communication followed the interruption of a
// port. The record of the port tells the wall clock of its node, which is taken
// for that of the job's log.
func (j *judge) felt(flap *candidate) bool {
	at, err := time.Parse(time.ANSIC, flap.event.Values.Get("at"))
	if err != nil {
		return false
	}
	for _, c := range j.all {
		if !waitCauses[c.cause] {
			continue
		}
		s := j.clock.span(c.event)
		after := s.until.Sub(at.Add(-j.clock.zone[c.event.Stream.Doc]))
		if -sameMoment <= after && after <= felt { // an open end is before all times
			return true
		}
	}
	return false
}
