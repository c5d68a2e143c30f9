package scan

import (
	"strconv"

	"hcloud-modelarts/analyzer/source"
)

// marksAttempt are the rules whose match starts a new attempt of the document.
// The first line of a training start is no border: every log has one.
var marksAttempt = map[string]bool{
	"ma-training-start":    true,
	"torchelastic-restart": true,
	"ma-event-restarted":   true,
	"slurm-requeue":        true,
}

// attempt is the one that the series of a document is in, 0 for the first.
func (s *Scanner) attempt(d *source.Document) int { return s.attempts[Series(d)] }

// newAttempt takes a match of a rule of marksAttempt.
func (s *Scanner) newAttempt(series, rule string) {
	if rule == "ma-training-start" && !s.starts[series] {
		s.starts[series] = true
		return
	}
	s.attempts[series]++
}

// Series names the log that a document is or is a part of: a log that was cut
// into several files is one series, in the order of their names.
func Series(d *source.Document) string {
	if d.Task == "" || d.Kind != source.Log {
		return d.Log().Name
	}
	return d.Job + "/" + d.Task + "/" + strconv.Itoa(d.Rank)
}
