package scan

import (
	"maps"
	"slices"

	"hcloud-modelarts/analyzer/source"
)

// mostHeld bounds the streams that are held although nothing was found in them.
const mostHeld = MostTexts + keepAll

// End ends a document, which no piece of the same log follows: what was needed
// to read its streams is given up, so that memory does not grow with the number
// of documents but for what was found in them.
func (s *Scanner) End(d *source.Document) {
	log := d.Log()
	s.lastWordsOf(func(st *stream) bool { return st.Doc == log })
	open := s.live[:0]
	for _, st := range s.live {
		if st.Doc != log {
			open = append(open, st)
			continue
		}
		st.end()
		delete(s.streams, streamKey{st.Doc, st.Field, st.Key})
	}
	clear(s.live[len(open):])
	s.live = open
	maps.DeleteFunc(s.now, func(k text, _ *moment) bool { return k.doc == log })
	s.endZone(d)
}

// mostOpen is how many streams may be open before the texts of fields are ended
// each by itself. A field that comes again then begins anew.
const mostOpen = 1024

// EndText ends the text of a field.
func (s *Scanner) EndText(d *source.Document, field string) {
	if len(s.live) < mostOpen {
		return
	}
	log := d.Log()
	for n := len(s.live) - 1; n >= 0 && s.live[n].Doc == log && s.live[n].Field == field; n-- {
		st := s.live[n]
		st.end()
		delete(s.streams, streamKey{st.Doc, st.Field, st.Key})
		s.live[n] = nil
		s.live = s.live[:n]
	}
}

// end hands on what was found in the stream.
func (st *stream) end() {
	s, r := st.of, &st.of.ended
	st.parser.Close()
	st.stacks.Close()
	if st.headline != nil { // nothing followed
		st.keep(st.headline)
	}
	for _, e := range st.pending { // of a traceback that never became whole
		st.keep(e)
	}
	st.last.finish(&st.Last)
	st.step.finish(st.Step)
	if st.calm.finish(st.Calm); !st.alarmed {
		st.Calm = nil
	}
	st.End, st.EndZoned = st.now.at, st.now.zoned
	n := len(r.Events) + len(r.Traces) + len(r.Stacks)
	for _, k := range st.events {
		r.Events = append(append(r.Events, k.first...), k.last...)
	}
	r.Traces = append(append(r.Traces, st.traces...), st.ring...)
	r.Stacks = append(r.Stacks, st.dumps...)
	if n == len(r.Events)+len(r.Traces)+len(r.Stacks) {
		if s.quiet >= mostHeld {
			r.LeftOut++
			return
		}
		s.quiet++
	}
	r.Streams = append(r.Streams, st.Stream)
}

// Close ends all streams and gives what was found, in reading order.
func (s *Scanner) Close() Result {
	s.lastWordsOf(func(*stream) bool { return true })
	for _, st := range s.live {
		st.end()
	}
	r := s.ended
	for d, z := range s.zones {
		s.keepZone(d, z)
	}
	r.Dropped = s.dropped
	slices.SortStableFunc(r.Events, func(a, b *Event) int { return a.Seq - b.Seq })
	slices.SortStableFunc(r.Traces, func(a, b *Trace) int { return a.Traceback.Start - b.Traceback.Start })
	slices.SortStableFunc(r.Stacks, func(a, b *Stack) int { return a.Seq - b.Seq })
	slices.SortFunc(r.Streams, func(a, b *Stream) int { return a.FirstSeq - b.FirstSeq })
	return r
}
