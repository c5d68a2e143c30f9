package scan

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

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
	mostEvents     = 8192
	mostOfRule     = 8       // events of one rule that are kept all the same
	mostTraces     = 4096    // likewise tracebacks
	mostHeldFrames = 100_000 // frames of tracebacks, beyond which only the ends of each are kept
	mostLong       = 32 << 20
	mostTexts      = 16384 // streams; the texts of a list beyond them are one stream
	mostHeads      = 1024  // of tracebacks being read in one stream
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
	filter   *filter     // of whole blocks, made when first needed
	current  *stream     // of the last line
	fallback *rules.Rule // for exceptions that no rule knows
	streams  map[streamKey]*stream
	order    []*stream
	attempts map[string]int  // by series
	starts   map[string]bool // series whose first start was seen
	observe  func(*source.Line, traceback.Part)
	now      map[text]*moment
	zones    map[*source.Document]*zoneTally
	seq      int

	events  int // held, of all streams
	ofRule  map[*rules.Rule]int
	dropped int // events and tracebacks that are not held for the bounds
	traces  int
	frames  int
	long    int // bytes of lines that are held whole although they are long
}

type streamKey struct {
	doc   *source.Document
	field string
	key   string
}

// stream is a Stream while it is being read.
type stream struct {
	Stream
	of       *Scanner
	parser   *traceback.Parser
	stacks   *traceback.StackParser
	pending  []*Event  // events of the traceback being read
	recent   []headed  // of the tracebacks being read, by seq
	opened   []opening // likewise
	frames   []framed  // of the tracebacks being read
	events   map[*rules.Rule]*kept
	traces   []*Trace // first keepTraces, then a ring of the last ones
	ring     []*Trace
	dumps    []*Stack
	above    logged        // the line before the current traceback
	last     unlike        // Last as it is stored
	step     unlike        // Step
	calm     unlike        // Calm, which is until Close the job's last line before a sign of trouble that is neither of a traceback nor known to any rule
	uncalmed []*Event      // events after which no calm line has come yet
	alarmed  bool          // a rule matched, or a traceback began, and no step followed
	dumped   map[int]Quote // lines of the stacks being read, by Seq
	now      *moment
	stride   int
	marks    int
}

// unlike are the stored bytes of a line that may have to be quoted later, empty
// where its text is the same.
type unlike []byte

// note gives the line as a quote that lacks its checksum until it is finished.
func (u *unlike) note(l *source.Line) Quote {
	*u = (*u)[:0]
	if !asStored(l) {
		*u = append(*u, l.Stored...)
	}
	return quoteLight(l)
}

func (u unlike) finish(q *Quote) {
	if len(u) > 0 {
		q.hash = sum(u)
	}
}

// logged is what a traceback tells of the line above it.
type logged struct{ text, level string }

// headed is the line of an exception.
type headed struct {
	seq   int
	quote Quote // zero when it was handed on
}

// opening is what stood around a traceback when it began; it is handed on only
// some lines after its end.
type opening struct {
	seq     int
	above   logged // the line before it
	at      time.Time
	zoned   bool
	attempt int
}

// stamp tells the parser what was taken off before the text.
func stamp(l *source.Line) traceback.Stamp {
	var s traceback.Stamp
	if !l.Time.IsZero() {
		s |= traceback.Timed
	}
	if l.Level != "" || l.Platform {
		s |= traceback.Leveled
	}
	return s
}

// kept holds the first and the last events of one rule.
type kept struct {
	first, last []*Event
}

// UnknownException is the id of the rule that stands for an uncaught exception
// of a type that no rule knows.
const UnknownException = "python-unknown-exception"

// Tables are what a scanner derives from a pack. They are made once and shared
// by the scanners of many diagnoses, also by several at a time.
type Tables struct {
	fallback *rules.Rule
	wordings []wording
	pre      *prefilter // never searched itself: each scanner has a copy
}

// Prepare makes the tables of a pack.
func Prepare(pack *rules.Pack) *Tables {
	n := 0
	for _, r := range pack.Rules {
		n += len(r.Match)
	}
	t := &Tables{fallback: pack.Rule(UnknownException), wordings: make([]wording, 0, n)}
	for _, r := range pack.Rules {
		for i := range r.Match {
			t.wordings = append(t.wordings, wording{r, &r.Match[i], i})
		}
	}
	t.pre = newPrefilter(t.wordings)
	return t
}

// New makes a scanner for the rules of a pack.
func New(pack *rules.Pack) *Scanner { return Prepare(pack).Scanner() }

// Scanner makes a scanner.
func (t *Tables) Scanner() *Scanner {
	return &Scanner{
		fallback: t.fallback,
		wordings: t.wordings,
		pre:      t.pre.copy(),
		streams:  map[streamKey]*stream{},
		attempts: map[string]int{},
		starts:   map[string]bool{},
		now:      map[text]*moment{},
		zones:    map[*source.Document]*zoneTally{},
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
	part := st.parser.AddStamped(s.seq, l.Text, stamp(l))
	inStack := st.stacks.Add(s.seq, l.Text) != traceback.Outside
	if inStack {
		st.noteStack(s.seq, l)
	}
	if !l.Platform && l.Text != "" && !inStack {
		st.Since++
	}
	switch part {
	case traceback.Header, traceback.Body:
		if part == traceback.Header {
			st.opened = append(st.opened, opening{s.seq, st.above, st.now.at, st.now.zoned, s.attempts[Series(l.Doc)]})
			st.forget()
			st.alarm()
		}
		st.noteFrame(s.seq, l)
		return
	case traceback.Head:
		st.recent = append(st.recent, headed{s.seq, quote(l)})
		st.forget()
	}
	e := s.match(st, l, part)
	if part == traceback.Outside {
		if e == nil || e.Rule.Role == rules.Context { // "step 500 loss 1.9, checkpoint saved" is progress all the same
			s.progress(st, l)
		}
		if (e == nil || e.Rule.Role == rules.Harmless) && !inStack && !l.Platform && calm(l) {
			st.calmed(s.seq, l.Number)
		}
		if e == nil && !st.alarmed && !inStack && !l.Platform && l.Text != "" {
			st.Calm = st.calm.note(l)
		}
		st.above = logged{Shorten(l.Text), l.Level}
	}
}

func (s *Scanner) stream(l *source.Line) *stream {
	k := streamKey{l.Doc.Log(), l.Field, l.Stream}
	st := s.streams[k]
	if st == nil && len(s.order) >= mostTexts {
		k.field = alike(k.field)
		st = s.streams[k]
	}
	if st != nil {
		return st
	}
	st = &stream{of: s, stride: 1, events: map[*rules.Rule]*kept{}}
	st.Stream = Stream{Doc: l.Doc.Log(), Key: l.Stream, Field: k.field, Rank: l.Own, Task: l.Task, Node: l.Node, First: quote(l), FirstSeq: s.seq}
	st.parser = traceback.New(func(t traceback.Traceback) { s.traced(st, t) })
	st.stacks = traceback.NewStacks(func(t traceback.Stack) { s.stack(st, t) })
	s.streams[k] = st
	s.order = append(s.order, st)
	return st
}

// alike gives the texts of a list one name.
func alike(field string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, field)
}

// forget bounds what waits for the end of a traceback: a chain of exceptions
// has no end of its own. Of a long one the ends count.
func (st *stream) forget() {
	if len(st.opened) > mostHeads {
		open := st.parser.Open()
		st.opened = slices.DeleteFunc(st.opened, func(o opening) bool { return !slices.Contains(open, o.seq) })
	}
	if n := len(st.recent); n > mostHeads {
		st.recent = slices.Delete(st.recent, mostHeads/2, n-mostHeads/4)
	}
	if n := len(st.pending); n > mostHeads {
		for _, e := range st.pending[mostHeads/2 : n-mostHeads/4] {
			st.keep(e)
		}
		st.pending = slices.Delete(st.pending, mostHeads/2, n-mostHeads/4)
	}
}

// see notes what every line tells of its stream.
func (st *stream) see(l *source.Line, seq int) {
	st.Lines++
	st.LastSeq = seq
	st.Last = st.last.note(l)
	if l.Rank >= 0 && len(st.Named) < 2 && !slices.Contains(st.Named, l.Rank) {
		st.Named = append(st.Named, l.Rank)
	}
	if st.Task == "" {
		st.Task = l.Task
	}
}

// alarm notes a sign of trouble: the line before it is the last calm one.
func (st *stream) alarm() { st.alarmed = true }

// mostStackLines bounds the lines of stacks that are held until a stack is whole.
const mostStackLines = 2048

func (st *stream) noteStack(seq int, l *source.Line) {
	if len(st.dumped) >= mostStackLines || st.dumped == nil {
		st.dumped = map[int]Quote{}
	}
	st.dumped[seq] = quote(l)
}

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

// match finds the rule that says most about the line and keeps its event, nil
// when none says anything.
func (s *Scanner) match(st *stream, l *source.Line, part traceback.Part) *Event {
	if s.observe != nil {
		s.observe(l, part)
	}
	text := l.Text
	if part != traceback.Outside {
		text = strings.TrimLeft(text, " \t") // a traceback inside a message is indented
	}
	w := s.best(l, part, text, nil)
	if l.Leveled != "" {
		w = s.best(l, part, l.Leveled, w)
	}
	if bent(text) {
		w = s.best(l, part, straight.Replace(text), w)
	}
	if w == nil {
		return nil
	}
	top := &Event{Rule: s.wordings[w.wording].rule, Wording: s.wordings[w.wording].i, Values: w.values, Exception: -1}
	if top.Rule.Role == rules.Harmless {
		return top
	}
	if top.Rule.Role != rules.Context {
		st.alarm()
	}
	if marksAttempt[top.Rule.ID] {
		s.newAttempt(Series(l.Doc), top.Rule.ID)
	}
	top.Quote, top.Stream, top.Seq = s.quoteEvent(l), &st.Stream, s.seq
	top.At, top.Zoned = st.now.at, st.now.zoned
	st.now.wait(top)
	top.Attempt = s.attempts[Series(l.Doc)]
	if top.Rule.Role != rules.Context {
		st.awaitCalm(top)
	}
	if part == traceback.Outside {
		st.keep(top)
	} else {
		st.pending = append(st.pending, top)
	}
	return top
}

// best gives what of the wordings that fit a text of the line says most, or top
// when that says more.
func (s *Scanner) best(l *source.Line, part traceback.Part, text string, top *tried) *tried {
	r := s.memo.reading(text, s.pre)
	for i := range r.tries {
		t := &r.tries[i]
		w := s.wordings[t.wording]
		if top != nil && !w.rule.Outranks(w.i, s.wordings[top.wording].rule, s.wordings[top.wording].i) {
			continue
		}
		if t.state != differing && inScope(w.rule, l, part) && t.fits(w.w, text) && !barred(w.w, l) {
			best := *t // the memo may have to forget the text
			top = &best
		}
	}
	return top
}

// longestValue bounds what a rule takes out of a line, in bytes.
const longestValue = 1024

func short(values map[string]string) map[string]string {
	for name, v := range values {
		if n := longestValue; len(v) > n {
			for n > 0 && !utf8.RuneStart(v[n]) {
				n--
			}
			values[name] = strings.Clone(v[:n])
		}
	}
	return values
}

// barred reports whether a wording excludes the line for what stands in its
// prefixes, such as the level WARNING.
func barred(w *rules.Wording, l *source.Line) bool {
	_, miss := w.Bars(l.Raw)
	return miss == rules.Barred
}

// straight makes the quotes straight that chats and office programs bend in
// what people paste. Some programs print bent ones, so rules see both forms.
var straight = strings.NewReplacer("‘", "'", "’", "'", "“", `"`, "”", `"`)

// bent reports whether a text may hold bent quotes, by the bytes that they
// begin with.
func bent(text string) bool { return strings.Contains(text, "\xe2\x80") }

// inScope reports whether a rule may look at a line.
func inScope(r *rules.Rule, l *source.Line, part traceback.Part) bool {
	if r.Role == rules.Harmless && part == traceback.Head {
		return false // the line that names an exception is never noise, whatever words stand in it
	}
	switch r.Only {
	case rules.Exception:
		return part == traceback.Head || part == traceback.More && rules.IsException(strings.TrimLeft(l.Text, " \t")) ||
			part == traceback.Outside && (rules.IsException(l.Text) || rules.TellsException(l.Text, isError(l.Level)))
	case rules.Event:
		return l.Kind == source.Event || l.Kind == source.Answer
	case rules.Kernel:
		return l.Kind == source.Kernel || l.Kind == source.Log
	case rules.Prose:
		return l.Kind == source.Ticket
	}
	return true
}

func isError(level string) bool {
	return level == "ERROR" || level == "CRITICAL" || level == "FATAL"
}

// marksAttempt are the rules whose match starts a new attempt of the document.
// The first line of a training start is no border: every log has one.
var marksAttempt = map[string]bool{
	"ma-training-start":    true,
	"torchelastic-restart": true,
	"ma-event-restarted":   true,
	"slurm-requeue":        true,
}

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

// keep holds an event within the bounds of its stream.
func (st *stream) keep(e *Event) {
	k := st.events[e.Rule]
	if k == nil {
		k = &kept{}
		st.events[e.Rule] = k
	}
	more := st.of.mayHold(e.Rule)
	if more && len(k.first) < st.share(keepFirst) {
		k.first = append(k.first, e)
		st.of.hold(e.Rule, 1)
		return
	}
	room := st.share(keepLast)
	if !more {
		st.of.dropped++
		room = min(room, len(k.last))
	}
	if room == 0 {
		e.lost = true
		return
	}
	if n := len(k.last) + 1 - room; n > 0 {
		for _, old := range k.last[:n] {
			old.lost = true
		}
		k.last = slices.Delete(k.last, 0, n)
		st.of.hold(e.Rule, -n)
	}
	k.last = append(k.last, e)
	st.of.hold(e.Rule, 1)
}

// mayHold reports whether one more event of a rule fits within the bounds.
func (s *Scanner) mayHold(r *rules.Rule) bool {
	return s.events < mostEvents || s.ofRule[r] < mostOfRule
}

func (s *Scanner) hold(r *rules.Rule, n int) {
	s.events += n
	s.ofRule[r] += n
}

// traced takes a whole traceback: its events learn which exception they are of,
// and an exception that no rule knows gets an event all the same.
func (s *Scanner) traced(st *stream, t traceback.Traceback) {
	o := opening{t.Start, st.above, st.now.at, st.now.zoned, s.attempts[Series(st.Doc)]}
	if at := slices.IndexFunc(st.opened, func(o opening) bool { return o.seq == t.Start }); at >= 0 { // else it began without a header
		o = st.opened[at]
	}
	known := st.claim(&t)
	heads := make([]Quote, len(t.Exceptions))
	for i, x := range t.Exceptions {
		heads[i] = st.head(x.At)
		if q := heads[i]; q.Doc != nil && !known[i] && s.fallback != nil {
			st.keep(&Event{Rule: s.fallback, Values: map[string]string{"type": x.Type}, Quote: q, Stream: &st.Stream, Seq: x.At,
				At: o.at, Zoned: o.zoned, Trace: &t, Exception: i, Attempt: o.attempt})
		}
	}
	st.recent = slices.DeleteFunc(st.recent, func(h headed) bool { return h.quote.Doc == nil })
	st.opened = slices.DeleteFunc(st.opened, func(o opening) bool { return t.Start <= o.seq && o.seq <= t.End })
	if list := st.makeRoom(); list != nil {
		*list = append(*list, &Trace{Traceback: &t, Heads: heads, Places: st.places(&t), Stream: &st.Stream,
			Above: o.above.text, AboveLvl: o.above.level, Attempt: o.attempt, At: o.at, Zoned: o.zoned})
		s.traces++
	}
	st.leaveFrames(&t)
	s.trim(&t)
}

// makeRoom gives the list that holds one more traceback, in the place of another
// when that must be; nil when none does.
func (st *stream) makeRoom() *[]*Trace {
	s, room := st.of, st.share(keepTraces)
	if s.traces >= mostTraces {
		s.dropped++
		room = min(room, len(st.ring))
	} else if len(st.traces) < room {
		return &st.traces
	}
	if room == 0 {
		return nil
	}
	if n := len(st.ring) + 1 - room; n > 0 {
		st.ring = slices.Delete(st.ring, 0, n)
		s.traces -= n
	}
	return &st.ring
}

// head takes the line of an exception, zero when it is not there.
func (st *stream) head(at int) (q Quote) {
	if i, ok := slices.BinarySearchFunc(st.recent, at, func(h headed, at int) int { return h.seq - at }); ok {
		q, st.recent[i].quote = st.recent[i].quote, q
	}
	return q
}

// endFrames is how many frames of each end of an exception stay when there are
// many frames.
const endFrames = 4

// trim takes frames out of the middle when those of all tracebacks are many.
func (s *Scanner) trim(t *traceback.Traceback) {
	for i := range t.Exceptions {
		x := &t.Exceptions[i]
		if n := len(x.Frames); s.frames > mostHeldFrames && n > 2*endFrames {
			x.Frames = slices.Concat(x.Frames[:endFrames], x.Frames[n-endFrames:])
		}
		s.frames += len(x.Frames)
	}
}

// claim gives a whole traceback those of the waiting events that its exceptions
// printed, and tells which exceptions have one. The others wait on: they may
// belong to a traceback that another process is still printing.
func (st *stream) claim(t *traceback.Traceback) []bool {
	known := make([]bool, len(t.Exceptions))
	rest := st.pending[:0]
	for _, e := range st.pending {
		for i, x := range t.Exceptions {
			if x.At <= e.Seq && e.Seq <= x.End {
				e.Trace, e.Exception = t, i
				known[i] = true
			}
		}
		switch {
		case e.Trace == nil && len(rest) < keepOpen:
			rest = append(rest, e)
		default:
			st.keep(e)
		}
	}
	st.pending = rest
	return known
}

// stack takes the whole stack of one thread.
func (s *Scanner) stack(st *stream, t traceback.Stack) {
	d := &Stack{Stack: t, Quote: st.dumped[t.Start], Stream: &st.Stream, Seq: t.Start, Attempt: s.attempts[Series(st.Doc)]}
	for i, f := range t.Frames {
		if i == 0 || f.User {
			d.Top = st.dumped[f.At]
		}
		if f.User {
			break
		}
	}
	if len(st.dumps) < st.share(keepTraces) {
		st.dumps = append(st.dumps, d)
	}
	for seq := range st.dumped {
		if seq <= t.End {
			delete(st.dumped, seq)
		}
	}
}

// progress notes a sign of progress, thinning the marks when there are many.
func (s *Scanner) progress(st *stream, l *source.Line) {
	if l.Platform || l.Kind != source.Log {
		return
	}
	step, ok := progress(l.Text)
	if !ok {
		return
	}
	m := Mark{Seq: s.seq, Number: l.Number, Time: st.now.at, Zoned: st.now.zoned, Step: step, Rank: st.Rank, Attempt: s.attempts[Series(l.Doc)]}
	if r := rankIn(l.Text); r >= 0 {
		m.Rank = r
	} else if l.Rank >= 0 {
		m.Rank = l.Rank
	}
	st.alarmed, st.Since = false, 0
	st.Step = st.step.note(l)
	st.marks++
	n := len(st.Progress)
	if n > 1 && (st.marks-1)%st.stride != 0 {
		st.Progress[n-1] = m // the last one is always there
		return
	}
	for limit := st.share(keepMarks); len(st.Progress) >= limit; {
		st.thin()
	}
	st.Progress = append(st.Progress, m)
}

// lastStep is the Seq of the last mark of progress, 0 when there is none.
func (st *stream) lastStep() int {
	if n := len(st.Progress); n > 0 {
		return st.Progress[n-1].Seq
	}
	return 0
}

// thin drops every second mark.
func (st *stream) thin() {
	marks := make([]Mark, 0, len(st.Progress)/2+2)
	for i := 0; i < len(st.Progress); i += 2 {
		marks = append(marks, st.Progress[i])
	}
	st.Progress = marks
	st.stride *= 2
}

// share bounds what is kept of the stream, so that many streams together take
// no more memory than a few.
func (st *stream) share(most int) int {
	return max(keepLeast, min(most, most*keepAll/len(st.of.order)))
}

// Close ends all streams and gives what was found, in reading order.
func (s *Scanner) Close() Result {
	var r Result
	for _, st := range s.order {
		st.parser.Close()
		st.stacks.Close()
		for _, e := range st.pending { // of a traceback that never became whole
			st.keep(e)
		}
		st.last.finish(&st.Last)
		st.step.finish(&st.Step)
		if st.calm.finish(&st.Calm); !st.alarmed {
			st.Calm = Quote{}
		}
		st.End, st.EndZoned = st.now.at, st.now.zoned
		for _, k := range st.events {
			r.Events = append(append(r.Events, k.first...), k.last...)
		}
		r.Traces = append(append(r.Traces, st.traces...), st.ring...)
		r.Stacks = append(r.Stacks, st.dumps...)
		r.Streams = append(r.Streams, &st.Stream)
	}
	r.Zones = s.zonesFound()
	r.Dropped = s.dropped
	slices.SortFunc(r.Events, func(a, b *Event) int { return a.Seq - b.Seq })
	slices.SortFunc(r.Traces, func(a, b *Trace) int { return a.Traceback.Start - b.Traceback.Start })
	slices.SortFunc(r.Stacks, func(a, b *Stack) int { return a.Seq - b.Seq })
	return r
}

func quote(l *source.Line) Quote {
	q := quoteLight(l)
	if !asStored(l) {
		q.hash = sum(l.Stored)
	}
	return q
}

// asStored reports whether the text that a quote of a line has is what was
// stored, so that its checksum can be made when it is asked for.
func asStored(l *source.Line) bool { return len(l.Raw) <= longest && string(l.Stored) == l.Raw }

// quoteEvent keeps a long line whole while not too many are kept, since a
// report quotes what its expression found.
func (s *Scanner) quoteEvent(l *source.Line) Quote {
	q := quote(l)
	if len(l.Raw) > longest && s.long < mostLong {
		s.long += len(l.Raw)
		q.Raw, q.Text = l.Raw, l.Text
	}
	return q
}

// longest bounds the lines that are quoted whole, in bytes.
const longest = 4096

// Shorten gives the beginning of a line that is too long to be quoted whole,
// with "…" behind it; other lines as they are. The last word is left out, for a
// secret that is cut in two is not known for one.
func Shorten(line string) string {
	if len(line) <= longest {
		return line
	}
	n := longest
	for n > 0 && !utf8.RuneStart(line[n]) {
		n--
	}
	if i := strings.LastIndexAny(line[:n], " \t"); i > longest/2 {
		n = i
	}
	return strings.Clone(line[:n]) + "…"
}

// quoteLight is a quote that has its checksum only where asStored holds, for
// lines of which most are never asked for.
func quoteLight(l *source.Line) Quote {
	return Quote{Doc: l.Doc, Number: l.Number, Field: l.Field, Offset: l.Offset, Length: l.Length,
		Raw: Shorten(l.Raw), Text: Shorten(l.Text), Kind: l.Kind, Time: l.Time, Zoned: l.Zoned, Rank: l.Rank, Task: l.Task,
		Node: l.Node, PID: l.PID, Level: l.Level, Platform: l.Platform}
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// String names an event for tests and traces of decisions.
func (e *Event) String() string {
	return fmt.Sprintf("%s:%d %s %s", e.Quote.Doc.Name, e.Quote.Number, e.Rule.Role, e.Rule.ID)
}
