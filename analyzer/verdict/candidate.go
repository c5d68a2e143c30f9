package verdict

import (
	"regexp"
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/rules/codes"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/analyzer/traceback"
)

// tier says how much an event by itself can carry.
type tier uint8

// The tiers, from the strongest down.
const (
	proven   tier = iota // names the failure
	doubted              // names a failure, but its stream went on afterwards
	weak                 // may be the failure, or set off by another
	lastSaid             // a program's own last words, read by what they name
	exit                 // only tells how a process ended
	hearsay              // may only be quoted, or guessed
	echo                 // set off by another failure
)

// candidate is an event that may be the root, with what became of it.
type candidate struct {
	event *scan.Event
	trace *scan.Trace // nil for a plain line; else the event is of one of its exceptions
	head  *scan.Quote // the line that names the exception, when it tells the same cause as a further line of its message
	cause string
	rule  *rules.Rule // whose texts speak of the cause: the event's own, until something else tells the cause
	tier  tier
	print string     // fingerprint
	fate  *Reason    // why it is out; nil while it stands
	by    *candidate // the root of which it is a sign, or what it gave way to; nil when neither is known
	anew  bool       // a call to create a job that a session shows to have been refused after its last job's state
	habit *candidate // the same exception before, from which its program went on; nil when there is none
	code  *bool      // whether its line says no more than a code, once that was asked
}

// mere reports whether the candidate's line says no more than a code. A root is
// compared with thousands.
func (c *candidate) mere() bool {
	if c.code == nil {
		mere := says(c.event.Quote.Text) == ""
		c.code = &mere
	}
	return *c.code
}

func (c *candidate) out(code string, args map[string]string) {
	if c.fate == nil {
		c.fate = &Reason{code, args}
	}
}

// exception gives the exception that the candidate's line names, nil for a plain line.
func (c *candidate) exception() *traceback.Exception {
	if c.trace == nil {
		return nil
	}
	return &c.trace.Traceback.Exceptions[c.event.Exception]
}

// uncaught reports whether the candidate is a traceback that nobody caught, as
// far as its surroundings tell: no log record above it, no label before it, not
// printed at exit.
func (c *candidate) uncaught() bool {
	return c.trace != nil && !c.trace.Logged() && !c.trace.Traceback.Labelled() && c.trace.Traceback.Ignored == ""
}

// inset reports whether a traceback stands to the right of the line's start, as a
// program prints one that it caught among its results.
func (c *candidate) inset() bool {
	text := c.event.Quote.Text
	first := strings.TrimLeft(text, " \t")
	return c.trace != nil && len(first) < len(text) && !strings.HasPrefix(first, "|") // of a group
}

// vague reports whether the candidate names no more than that something was raised.
func (c *candidate) vague() bool {
	return c.event.Rule.Generic && c.cause == "exception-other"
}

// relays reports whether a candidate is the exception by which Ray hands on what
// another process had raised, without that: the other's own lines say more.
func (c *candidate) relays() bool {
	x := c.exception()
	return x != nil && c.vague() && strings.HasPrefix(x.Type[strings.LastIndexByte(x.Type, '.')+1:], "RayTaskError")
}

// broadCauses are the classes that libraries raise for what has a cause of its
// own: shapes, types, settings, data.
var broadCauses = map[string]bool{"value-error": true, "type-error": true, "assertion-failed": true}

// raisedByLibrary reports whether a candidate names no more than such a class,
// raised in code that is not the user's, so that its words may mean another cause.
func (c *candidate) raisedByLibrary() bool {
	x := c.exception()
	if x == nil || !c.event.Rule.Generic || !broadCauses[c.cause] || len(x.Frames) == 0 {
		return false
	}
	return !x.Frames[len(x.Frames)-1].User
}

// waitCauses are met by the ranks that wait for another.
var waitCauses = map[string]bool{
	"collective-timeout": true, "collective-error": true, "rendezvous-failed": true, "network-error": true, "hang": true,
}

const hang = "hang"

// stopCauses come from outside the job.
var stopCauses = map[string]bool{"stopped-by-user": true, "preempted": true, "job-timeout": true}

// gather makes the candidates of a case, in reading order.
func gather(c *Case, pack *rules.Pack) []*candidate {
	var all []*candidate
	byTrace := map[*traceback.Traceback][]*scan.Event{}
	traces := map[*traceback.Traceback]*scan.Trace{}
	for _, t := range c.Found.Traces {
		traces[t.Traceback] = t
	}
	for _, e := range c.Found.Events {
		if e.Rule.Role == rules.Context && !e.LastWords || e.Trace == nil && e.Rule.Match[e.Wording].Further {
			continue
		}
		if t := traces[e.Trace]; t != nil && e.Exception >= 0 {
			if byTrace[e.Trace] == nil {
				all = append(all, &candidate{trace: t}) // keeps the place in the order
			}
			byTrace[e.Trace] = append(byTrace[e.Trace], e)
			continue
		}
		x := plain(refused(e, pack))
		x.readSignal(pack)
		all = append(all, x)
	}
	alike := map[string]string{} // ranks print the same
	normalize := func(message string) string {
		n, ok := alike[message]
		if !ok {
			n = c.normalize(message)
			alike[message] = n
		}
		return n
	}
	for _, x := range all {
		if x.trace != nil {
			x.settle(byTrace[x.trace.Traceback], pack)
		}
		x.print = fingerprint(x, normalize)
	}
	return all
}

func plain(e *scan.Event) *candidate {
	return &candidate{event: e, cause: e.Rule.Cause, rule: e.Rule, tier: tierOf(e)}
}

// readSignal takes what a launcher, a shell or a runtime tells of a process that
// a signal ended for the end of that process. Ranks abort because their watchdogs
// wait for another one, so that of a rank this tells nothing.
func (c *candidate) readSignal(pack *rules.Pack) {
	if c.tier != echo {
		return
	}
	launched := launchers[c.event.Rule.Family]
	if r := pack.Rule(ofEnd(c.event)); r != nil && (launched && r.Cause != "aborted" || !launched && c.event.Rule.Cause == "exit-nonzero") {
		c.cause, c.rule, c.tier = r.Cause, r, exit
	}
}

// ofEnd gives the id of the rule that speaks of the end of a process which an event
// tells by its exit code or its signal, "" where it tells none of those.
func ofEnd(e *scan.Event) string {
	n := codes.SignalNamed(e.Values.Get("signal"))
	if code, ok := codes.ParseExit(e.Values.Get("code")); n == 0 && ok {
		if id := rules.OfExit(code); id != "" {
			return id
		}
		n = codes.SignalOf(code)
	}
	return rules.OfSignal(n)
}

// tierOf judges an event by its rule and the level of its line.
func tierOf(e *scan.Event) tier {
	switch {
	case e.LastWords:
		return lastSaid
	case e.Rule.Role == rules.Symptom:
		return echo
	case rules.TellsEnd(e.Rule.Cause) && (e.Rule.Role == rules.Ambiguous || e.Rule.Generic):
		return exit
	case e.Rule.Role == rules.Ambiguous:
		return weak
	case e.Trace == nil && e.Quote.Kind == source.Log && quiet(e.Quote):
		return weak
	case e.Trace == nil && e.Rule.Only == rules.Exception && !rules.IsException(e.Quote.Text): // what a program caught and wrote down
		return weak
	case e.Quote.Kind == source.Ticket || isRecord(e.Quote.Text): // what a person wrote about a failure is hearsay, and so is what data say
		return weak
	}
	return proven
}

// isRecord reports whether a line is a JSON object that no collector's reader
// knew: a record of some data set, which may hold any text.
func isRecord(text string) bool {
	return strings.HasPrefix(text, "{\"") && strings.HasSuffix(text, "}")
}

// quiet reports whether a line was printed as less than an error.
func quiet(q scan.Quote) bool {
	switch q.Level {
	case "DEBUG", "INFO", "NOTICE", "WARN", "WARNING":
		return true
	case "":
		head := q.Text[:min(len(q.Text), 60)]
		return strings.Contains(head, "Warning:") || strings.Contains(head, "WARNING") || strings.Contains(head, "[WARN")
	}
	return false
}

// settle picks the event of a traceback that names its fault.
func (x *candidate) settle(events []*scan.Event, pack *rules.Pack) {
	x.event = decide(x.trace.Traceback, events)
	x.cause, x.rule, x.tier = x.event.Rule.Cause, x.event.Rule, tierOf(x.event)
	x.readSignal(pack)
	if x.relays() {
		x.tier = exit
	}
	x.settleObject()
	for _, e := range events {
		if e.Exception == x.event.Exception && e.Seq < x.event.Seq && e.Rule.Cause == x.cause && e.Rule.Role == rules.Root && x.head == nil && x.trace.Traceback.Exceptions[e.Exception].Opens(e.Quote.Text) {
			x.head = &e.Quote
		}
	}
}

// headline is the line to show first.
func (x *candidate) headline() scan.Quote {
	if x.head != nil {
		return *x.head
	}
	return x.event.Quote
}

// named gives the line that names the exception, nil where the candidate is no
// further line of its message, or that line says no more than a code.
func (x *candidate) named() *scan.Quote {
	if x.trace == nil || x.event.Exception >= len(x.trace.Heads) || x.event.Seq == x.exception().At {
		return nil
	}
	h := x.trace.Heads[x.event.Exception]
	if h == nil || says(h.Text) == "" {
		return nil
	}
	return h
}

// place gives where the exception was raised in the user's own code, nil when
// it was not, or the candidate is none.
func (x *candidate) place() *scan.Place {
	if x.trace == nil || x.event.Exception >= len(x.trace.Places) {
		return nil
	}
	if p := &x.trace.Places[x.event.Exception]; p.File != "" {
		return p
	}
	return nil
}

// within reports whether a function of such a name is among the frames of the
// candidate's exception.
func (x *candidate) within(name *regexp.Regexp) bool {
	return slices.ContainsFunc(x.exception().Frames, func(f traceback.Frame) bool { return name.MatchString(f.Func) })
}

// deferred reports whether the failure surfaces wherever the program waits for
// the device or its peers next, so that the line which raised it says little.
func (x *candidate) deferred() bool {
	c, _ := rules.CauseOf(x.cause)
	return c.Domain == "device" || c.Domain == "communication"
}

// decide picks among the events of one printed chain of exceptions. A specific
// message beats the mere class of another exception; else the structure of the
// chain decides.
func decide(t *traceback.Traceback, events []*scan.Event) *scan.Event {
	best := map[int]*scan.Event{}
	for _, e := range events {
		if b := best[e.Exception]; b == nil || better(t, e, b) {
			best[e.Exception] = e
		}
	}
	order := printed(t)
	if e := instead(t, order[0], best); e != nil {
		return e
	}
	if e := best[order[0]]; e != nil && names(e) && e.Rule.Role == rules.Root && len(t.Exceptions[order[0]].UserFrames()) > 0 && cleanup(t, order[0]) {
		return e
	}
	members, groups := order, []int(nil)
	if at := slices.IndexFunc(order, func(i int) bool { return isGroup(t.Exceptions[i]) }); at >= 0 {
		members, groups = order[:at], order[at:]
	}
	for _, ask := range []struct {
		of   []int
		fits func(*scan.Event) bool
	}{{order, tells}, {order, names}, {members, blames}, {members, anything}, {groups, anything}} {
		for _, i := range ask.of {
			if e := best[i]; e != nil && ask.fits(e) {
				return surer(object(t, e, best), order, best)
			}
		}
	}
	return events[0]
}

// surer gives, for an event that may be a failure, one of the chain that proves the
// same; else the event itself.
func surer(e *scan.Event, order []int, best map[int]*scan.Event) *scan.Event {
	if e.Rule.Role != rules.Ambiguous {
		return e
	}
	for _, i := range order {
		if o := best[i]; o != nil && tells(o) && o.Rule.Role == rules.Root && o.Rule.Cause == e.Rule.Cause {
			return o
		}
	}
	return e
}

// object gives, for a damaged file of which the event does not tell whether it
// holds data or a model, the event of the exception that was raised from it and
// says so; else the event itself.
func object(t *traceback.Traceback, e *scan.Event, best map[int]*scan.Event) *scan.Event {
	if e.Rule.Cause != "data-corrupt" && e.Rule.Cause != "checkpoint-corrupt" {
		return e
	}
	for i := e.Exception + 1; i < len(t.Exceptions) && t.Exceptions[i].Link != traceback.Member; i++ {
		o := best[i]
		if o != nil && tells(o) && o.Rule.Role == rules.Root && (o.Rule.Cause == "data-corrupt" || o.Rule.Cause == "checkpoint-corrupt") && o.Rule.Cause != e.Rule.Cause {
			return o
		}
	}
	return e
}

// resourceDomains are those of failures that no handler of another one brings
// about: what was asked for in vain before them was expected to be missing.
var resourceDomains = map[string]bool{"memory": true, "device": true, "communication": true}

// instead gives the event of what failed while a program made what it had asked
// for in vain, nil when there is none.
func instead(t *traceback.Traceback, root int, best map[int]*scan.Event) *scan.Event {
	next := t.Instead(root)
	if next < 0 {
		return nil
	}
	e := best[next]
	if e == nil || !names(e) || slices.ContainsFunc(t.Exceptions[next].Frames, ends) {
		return nil
	}
	c, _ := rules.CauseOf(e.Rule.Cause)
	if !resourceDomains[c.Domain] && c.ID != "disk-full" && c.ID != "io-error" {
		return nil
	}
	return e
}

// ends reports whether a frame is of a function that ends a program.
func ends(f traceback.Frame) bool { return ending().MatchString(f.Func) }

// cleanup reports whether all that a chain holds after an exception was raised
// while that one was handled: nobody translated it, something else failed too.
func cleanup(t *traceback.Traceback, root int) bool {
	for _, x := range t.Exceptions[root+1:] {
		if x.Link != traceback.Context {
			return false
		}
	}
	return true
}

// printed gives the exceptions of a chain in the order in which they are asked:
// the fault by structure first, then as printed, groups after their members.
func printed(t *traceback.Traceback) []int {
	order := []int{raisedFirst(t)}
	var groups []int
	for i, x := range t.Exceptions {
		switch {
		case i == order[0]:
		case isGroup(x):
			groups = append(groups, i)
		default:
			order = append(order, i)
		}
	}
	order = append(order, groups...)
	if isGroup(t.Exceptions[order[0]]) {
		order = append(order[1:], order[0])
	}
	return order
}

// raisedFirst gives the exception that was raised first: the fault by structure, or
// the one that was raised again when a handler's own attempt had failed as well. That
// one had come through the function of the handler at a line above the attempt.
func raisedFirst(t *traceback.Traceback) int {
	root := t.Root()
	tried := t.Exceptions[root].Frames
	if len(tried) == 0 {
		return root
	}
	for i := root + 1; i < len(t.Exceptions) && t.Exceptions[i].Link == traceback.Context; i++ {
		if cameThrough(t.Exceptions[i].Frames, tried[0]) {
			return i
		}
	}
	return root
}

// cameThrough reports whether an exception came through the function of a handler at a
// line above the handler's own attempt. A function that stands there more often called
// itself, which is a further attempt, unless its first line only raises again.
func cameThrough(frames []traceback.Frame, attempt traceback.Frame) bool {
	var its []traceback.Frame
	for _, f := range frames {
		if f.File == attempt.File && f.Func == attempt.Func {
			its = append(its, f)
		}
	}
	if len(its) > 1 && (its[0].Code == "raise" || strings.HasPrefix(its[0].Code, "raise ")) {
		its = its[1:]
	}
	return len(its) == 1 && attempt.Func != "<module>" && 0 < its[0].Line && its[0].Line < attempt.Line
}

func isGroup(x traceback.Exception) bool {
	return strings.HasSuffix(x.Type, "ExceptionGroup")
}

// names reports whether an event names a class that is a cause of its own.
func names(e *scan.Event) bool {
	return e.Rule.Role != rules.Symptom && e.Rule.Cause != "exception-other"
}

// blames reports whether an event is no echo.
func blames(e *scan.Event) bool { return e.Rule.Role != rules.Symptom }

// anything takes an echo too: a group of echoes says no more than they do.
func anything(*scan.Event) bool { return true }

// tells reports whether an event names more than a class, and not an echo.
func tells(e *scan.Event) bool {
	return !e.Rule.Generic && e.Rule.Role != rules.Symptom
}

// better reports whether e says more than b about the same exception: a rule over
// those that it outranks, a root over an echo, the specific over the general, the line that names the
// exception over its further lines.
func better(t *traceback.Traceback, e, b *scan.Event) bool {
	switch {
	case slices.Contains(e.Rule.Over, b.Rule.ID):
		return true
	case slices.Contains(b.Rule.Over, e.Rule.ID):
		return false
	}
	if tells(e) != tells(b) {
		return tells(e)
	}
	if (e.Rule.Role == rules.Symptom) != (b.Rule.Role == rules.Symptom) {
		return b.Rule.Role == rules.Symptom
	}
	if e.Rule == b.Rule && t.Exceptions[e.Exception].Wraps() && e.Rule.Generic {
		return e.Seq > b.Seq // the class again, with what was raised
	}
	if head := t.Exceptions[e.Exception].At; (e.Seq == head) != (b.Seq == head) && e.Rule.Role == b.Rule.Role {
		return e.Seq == head
	}
	return e.Rule.Outranks(e.Wording, b.Rule, b.Wording)
}
