package scan

import (
	"strconv"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
)

// attempt is the one that the series of a document is in, 0 for the first.
func (s *Scanner) attempt(d *source.Document) int { return s.attempts[Series(d)] }

// border begins a new attempt where a rule tells of one. The first line of a training
// start is no border: every log has one.
func (s *Scanner) border(series string, r *rules.Rule) {
	start := r.Tells(rules.Start)
	switch {
	case start && !s.starts[series]:
		s.starts[series] = true
	case start || r.Tells(rules.Restart):
		s.attempts[series]++
	}
}

// Series names the log that a document is or is a part of: a log that was cut
// into several files is one series, in the order of their names.
func Series(d *source.Document) string {
	if d.Task == "" || d.Kind != source.Log {
		return d.Log().Name
	}
	return d.Job + "/" + d.Task + "/" + strconv.Itoa(d.Rank)
}
