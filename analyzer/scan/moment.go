package scan

import (
	"time"

	"hcloud-modelarts/analyzer/source"
)

// text is one text of a document: the document itself, or a field of it.
type text struct {
	doc   *source.Document
	field string
}

// moment is a time as a line wrote it.
type moment struct {
	at    time.Time
	zoned bool
	open  []*Event // events since then that have no time of their own

	spoken []spoken // the last lines of the job's own
}

// keepOpen is how many events wait for the next time of their text.
const keepOpen = 256

// tell gives the stream the time of the line, or that of the nearest timed line
// above it: in a file that several ranks write, lines stand in the order in
// which they were printed, so another rank's time is nearer than an old own one.
func (s *Scanner) tell(st *stream, l *source.Line) {
	k := text{l.Doc.Log(), st.Field}
	m := s.now[k]
	if m == nil {
		m = &moment{}
		s.now[k] = m
	}
	if !l.Time.IsZero() {
		for _, e := range m.open {
			if e.At.IsZero() {
				e.Zoned = l.Zoned
			}
			if e.Zoned == l.Zoned {
				e.Until = l.Time
			}
		}
		m.at, m.zoned, m.open = l.Time, l.Zoned, m.open[:0]
	}
	st.now = m
}

// wait has an event without a time of its own learn the next one.
func (m *moment) wait(e *Event) {
	if e.Quote.Time.IsZero() && len(m.open) < keepOpen {
		m.open = append(m.open, e)
	}
}
