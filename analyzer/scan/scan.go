package scan

import (
	"sync"
	"time"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// Bounds on what is kept of one stream.
const (
	keepFirst  = 8   // events of one rule, from the start
	keepLast   = 8   // events of one rule, from the end
	keepTraces = 64  // tracebacks from the start, and as many from the end
	keepMarks  = 256 // marks of progress
	keepAll    = 256 // streams of which so much is kept; of more, less of each
	keepLeast  = 1
)

// Bounds on what is kept of all streams together. The verdict weighs events
// against one another, so their number bounds its time as well.
const (
	mostEvents = 8192
	mostOfRule = 8    // events of one rule that are kept all the same
	mostTraces = 4096 // likewise tracebacks
	mostLong   = 4 << 20
	MostTexts  = 8192 // streams; the texts of a list beyond them are one stream
	mostHeads  = 1024 // of tracebacks being read in one stream
)

// wording is one wording of one rule.
type wording struct {
	rule *rules.Rule
	w    *rules.Wording
	i    int
}

// Scanner reads lines and finds events. It is not safe for concurrent use.
type Scanner struct {
	wordings []wording
	pre      *prefilter
	memo     memo
	filter   func() *filter // of whole blocks
	current  *stream        // of the last line
	fallback *rules.Rule    // for exceptions that no rule knows
	further  *rules.Rule    // for lines that explain the message above them
	own      *rules.Rule    // for the last error of a program that no rule knows
	streams  map[streamKey]*stream
	live     []*stream       // of documents that have not ended
	count    int             // of streams, those that have ended too
	ended    Result          // what was found in the others
	attempts map[string]int  // by series
	starts   map[string]bool // series whose first start was seen
	observe  func(*source.Line, traceback.Part)
	now      map[text]*moment
	zones    map[*source.Document]*zoneTally
	seq      int

	quiet     int // streams in which nothing was found that are held
	events    int // held, of all streams
	ofRule    map[*rules.Rule]int
	names     traceback.Names
	headLists spare[headed]
	openLists spare[opening]

	dropped int // events and tracebacks that are not held for the bounds
	traces  int
	long    int // bytes of lines that are held whole although they are long
	short   shortened
}

// Tables are what a scanner derives from a pack. They are made once and shared
// by the scanners of many diagnoses, also by several at a time.
type Tables struct {
	fallback *rules.Rule
	further  *rules.Rule
	own      *rules.Rule
	wordings []wording
	pre      *prefilter     // never searched itself: each scanner has a copy
	filter   func() *filter // made when a log is first long enough
}

// Prepare makes the tables of a pack.
func Prepare(pack *rules.Pack) *Tables {
	n := 0
	for _, r := range pack.Rules {
		n += len(r.Match)
	}
	t := &Tables{fallback: pack.Rule(rules.UnknownException), further: pack.Rule(rules.MessageFurther), own: pack.Rule(rules.OwnWords), wordings: make([]wording, 0, n)}
	for _, r := range pack.Rules {
		if r == t.own {
			continue // its words are common, and only the last ones of a program count
		}
		for i := range r.Match {
			t.wordings = append(t.wordings, wording{r, &r.Match[i], i})
		}
	}
	t.pre = newPrefilter(t.wordings)
	t.filter = sync.OnceValue(func() *filter { return newFilter(t.wordings) })
	return t
}

// New makes a scanner for the rules of a pack.
func New(pack *rules.Pack) *Scanner { return Prepare(pack).Scanner() }

// Scanner makes a scanner.
func (t *Tables) Scanner() *Scanner {
	return &Scanner{
		fallback: t.fallback,
		further:  t.further,
		own:      t.own,
		wordings: t.wordings,
		pre:      t.pre.copy(),
		filter:   t.filter,
		streams:  map[streamKey]*stream{},
		attempts: map[string]int{},
		starts:   map[string]bool{},
		now:      map[text]*moment{},
		zones:    map[*source.Document]*zoneTally{},
		ended:    Result{Zones: map[*source.Document]time.Duration{}},
		ofRule:   map[*rules.Rule]int{},
	}
}

// Line takes the next line.
func (s *Scanner) Line(l *source.Line) {
	s.seq++
	st := s.stream(l)
	s.current = st
	st.see(l, s.seq)
	s.tell(st, l)
	s.tally(l)
	_, text := s.short.of(l)
	part := st.parser.AddStamped(s.seq, text, stamp(l))
	inStack := st.stacks.Add(s.seq, text) != traceback.Outside
	if inStack {
		st.noteStack(s.seq, l)
	}
	own := !l.Platform && l.Text != "" && !inStack // what the job says of itself
	if own {
		st.Since++
	}
	switch part {
	case traceback.Header, traceback.Body:
		s.within(st, l, part)
		return
	case traceback.Head:
		st.addHead(s.seq)
		st.forget()
	}
	headline := st.headline
	e := s.match(st, l, part)
	below := headline != nil && s.below(st, l, part, e, headline)
	if e != nil && e.Quote.Doc != nil {
		s.hear(st.now, e)
	}
	if part == traceback.More {
		s.rejoin(st, l)
	}
	st.opens(s.seq, l.Text, part)
	if st.reason.open {
		s.explain(st, l, e)
	}
	switch part {
	case traceback.Head:
		st.quoteHead(s.seq, l, e)
	case traceback.More:
		if e == nil && !l.Platform {
			s.behind(st, l, own)
		}
	case traceback.Outside:
		if !below {
			s.outside(st, l, e, own, inStack)
		}
	}
}

// within takes a line of a traceback above that of its exception.
func (s *Scanner) within(st *stream, l *source.Line, part traceback.Part) {
	if part == traceback.Header {
		if st.opened == nil {
			st.opened = s.openLists.take()
		}
		st.opened = append(st.opened, st.openAt(s.seq, l.Doc))
		st.forget()
		st.alarmed = true
	}
	st.noteFrame(s.seq, l)
	if part == traceback.Body && st.reason.code {
		s.explain(st, l, nil)
	}
}

// behind takes a line that no rule knows below an exception: it may belong to its
// message, or show that the job goes on.
func (s *Scanner) behind(st *stream, l *source.Line, own bool) {
	if st.replaced(s.seq, l.Text, behindMessage) {
		st.calmed(s.seq, l.Number)
	}
	if own && st.steppedLike(l.Text) {
		s.progress(st, l)
		st.calmed(s.seq, l.Number)
	}
}

// outside takes a line that stands in no traceback.
func (s *Scanner) outside(st *stream, l *source.Line, e *Event, own, inStack bool) {
	if e == nil || e.Rule.Role == rules.Context {
		if own && l.Kind == source.Log {
			st.now.speak(st, s.seq, l)
		}
		s.progress(st, l) // "step 500 loss 1.9, checkpoint saved" is progress all the same
	}
	if e == nil || e.Rule.Role == rules.Harmless {
		if own {
			st.replaced(s.seq, l.Text, behindFailure)
		}
		if len(st.uncalmed) > 0 && !inStack && !l.Platform && calm(l) {
			st.calmed(s.seq, l.Number)
		}
	}
	if e == nil && !st.alarmed && own {
		st.Calm = st.calm.note(s, st.Calm, l)
	}
	_, text := s.short.of(l)
	st.above = logged{text, l.Level}
}
