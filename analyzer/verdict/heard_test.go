package verdict

import (
	"testing"
	"time"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// TestTone: how a line speaks of the failure whose words it has.
func TestTone(t *testing.T) {
	for _, tt := range []struct {
		name, text, words string
		want              tone
	}{
		{"it happened", "rank 3: disk full", "disk full", reports},
		{"it did not happen", "no disk full", "disk full", mentions},
		{"behind a quotation mark", `without "disk full`, "disk full", mentions},
		{"a program wrote the exception down", "could not read a.bin (OSError: [Errno 5] EIO)", "[Errno 5]", caught},
		{"the exception is what a rule looks for", "could not read a.bin (OSError: [Errno 5] EIO)", "OSError: [Errno 5]", caught},
		{"an exception behind the words", "disk full, see above (OSError: EIO)", "disk full", reports},
		{"an exception as code", "seen: `OSError: [Errno 5] EIO` at the start", "[Errno 5]", doubtful},
		{"it is supposed, and in doubt", "if it would run into disk full", "disk full", mentions},
		{"it is in doubt", "it might be a disk full", "disk full", doubtful},
		{"harmless, and passed over", "disk full, ignored (harmless)", "disk full", mentions},
		{"passed over", "disk full, ignored", "disk full", doubtful},
		{"in doubt before, harmless behind", "it might be disk full (harmless)", "disk full", mentions},
	} {
		if got := toneOf(tt.text, &rules.Wording{Literals: []string{tt.words}}); got != tt.want {
			t.Errorf("%s: tone %d of %q, want %d", tt.name, got, tt.text, tt.want)
		}
	}
}

// below gives a line of a text of reference that begins at line 10, with its
// traceback where it has one.
func below(page bool, exception bool) (*judge, *candidate) {
	d := log("notes.txt")
	if page {
		d.Kind = source.Ticket
	}
	s := stream(d, -1)
	begin := found(ruleOf(rules.Reference), s, 10, "Known errors of this release:")
	e := found(rule("disk-full", rules.Root), s, 20, "OSError: [Errno 28] one")
	c := &Case{Found: scan.Result{Streams: []*scan.Stream{s}, Events: []*scan.Event{begin, e}}}
	if exception {
		c.Found.Traces = []*scan.Trace{uncaught(e)}
	}
	j := newJudge(c, rules.Default())
	return j, j.all[0]
}

// TestQuoted: what stands in a list of errors, a page of help or a changelog is
// perhaps only quoted; what has the marks of a log, or ended its program, is not.
func TestQuoted(t *testing.T) {
	type change = func(*candidate)
	at := func(seq int) change { return func(c *candidate) { c.event.Seq = seq } }
	for _, tt := range []struct {
		name            string
		page, exception bool
		change          change
		want            tone
	}{
		{"the line of an exception", false, false, nil, doubtful},
		{"on a page", true, false, nil, mentions},
		{"with the time of a log", false, false, func(c *candidate) { c.event.Quote.Time = time.Unix(1, 0) }, reports},
		{"with a level", false, false, func(c *candidate) { c.event.Quote.Level = "ERROR" }, reports},
		{"with the time of a log, on a page", true, false, func(c *candidate) { c.event.Quote.Time = time.Unix(1, 0) }, reports},
		{"words that are no exception's", false, false, func(c *candidate) { c.event.Quote.Text = "no space left for one" }, reports},
		{"words that are no exception's, on a page", true, false, func(c *candidate) { c.event.Quote.Text = "no space left for one" }, mentions},
		{"a traceback at the end", false, true, nil, reports},
		{"a traceback that is no line of an exception", false, true, func(c *candidate) { c.event.Quote.Text, c.event.Calm.Seq = "no space left for one", 30 }, doubtful},
		{"a traceback behind which the text goes on", false, true, func(c *candidate) { c.event.Calm.Seq = 30 }, doubtful},
		{"a traceback at the end of a page", true, true, nil, mentions},
		{"above the beginning", false, false, at(9), reports},
		{"the beginning itself", false, false, at(10), reports},
		{"right below the beginning", false, false, at(11), doubtful},
		{"as far below as such texts reach", false, false, at(10 + referenceLines), doubtful},
		{"further below", false, false, at(11 + referenceLines), reports},
		{"another text", false, false, func(c *candidate) { c.event.Stream = stream(log("train.log"), -1) }, reports},
		{"a step in between", false, false, func(c *candidate) { c.event.Stream.Progress = marks(-1, 0, 15) }, reports},
		{"a step right behind the beginning", false, false, func(c *candidate) { c.event.Stream.Progress = marks(-1, 0, 11) }, reports},
		{"a step right above the line", false, false, func(c *candidate) { c.event.Stream.Progress = marks(-1, 0, 19) }, reports},
		{"a step on the first line", false, false, func(c *candidate) { c.event.Stream.Progress = marks(-1, 0, 10) }, doubtful},
		{"a step on the line itself", false, false, func(c *candidate) { c.event.Stream.Progress = marks(-1, 0, 20) }, doubtful},
		{"steps around both", false, false, func(c *candidate) { c.event.Stream.Progress = marks(-1, 0, 5, 25) }, doubtful},
	} {
		j, c := below(tt.page, tt.exception)
		if tt.change != nil {
			tt.change(c)
		}
		if got := j.quoted(c); got != tt.want {
			t.Errorf("%s: tone %d, want %d", tt.name, got, tt.want)
		}
	}
}

// TestAnnounced: a traceback that is announced as an example is perhaps none of
// the job's, when the text goes on behind it.
func TestAnnounced(t *testing.T) {
	for _, tt := range []struct {
		name, above string
		trace       bool
		calm        int
		want        tone
	}{
		{"an example", "it looks like:", true, 20, doubtful},
		{"an example behind which nothing stands", "it looks like:", true, 0, reports},
		{"an example that is an error", "training failed with the following error:", true, 20, reports},
		{"another line", "step 10 loss 1.0", true, 20, reports},
		{"a line alone", "it looks like:", false, 20, reports},
	} {
		e := found(rule("key-error", rules.Root), stream(log("train.log"), -1), 10, "KeyError: 'one'")
		c := &candidate{event: e}
		if e.Calm.Seq = tt.calm; tt.trace {
			c.trace = uncaught(e)
			c.trace.Above = tt.above
		}
		if got := c.announced(); got != tt.want {
			t.Errorf("%s: tone %d, want %d", tt.name, got, tt.want)
		}
	}
}

// TestHeard: what is only mentioned is out; what may be only mentioned, or was
// caught, gives way. What the platform tells, and what proves nothing by itself,
// is not weighed by its words.
func TestHeard(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		role       rules.Role
		kind       source.Kind
		trace      bool
		fate       string
		tier       tier
	}{
		{"it happened", "one", rules.Root, source.Log, false, "", proven},
		{"it did not happen", "no one", rules.Root, source.Log, false, "mentioned", proven},
		{"it may have happened", "it might be one", rules.Root, source.Log, false, "", hearsay},
		{"a program caught it", "skip a.bin (OSError: one)", rules.Root, source.Log, false, "", weak},
		{"a program caught what proves nothing", "skip a.bin (OSError: one)", rules.Ambiguous, source.Log, false, "", weak},
		{"an echo that did not happen", "no one", rules.Symptom, source.Log, false, "", echo},
		{"an event of the platform", "no one", rules.Root, source.Event, false, "", proven},
		{"a person's words", "no one", rules.Root, source.Ticket, false, "", weak},
		{"a traceback with such a message", "acme.Broken: no one", rules.Root, source.Log, true, "", proven},
	} {
		e := found(rule("key-error", tt.role), stream(log("train.log"), -1), 10, tt.text)
		e.Quote.Kind = tt.kind
		c := &Case{Found: scan.Result{Events: []*scan.Event{e}}}
		if tt.trace {
			c.Found.Traces = []*scan.Trace{uncaught(e)}
		}
		j := newJudge(c, rules.Default())
		if j.heard(); fateOf(j.all[0]) != tt.fate || j.all[0].tier != tt.tier {
			t.Errorf("%s: out by %q, tier %d; want %q, %d", tt.name, fateOf(j.all[0]), j.all[0].tier, tt.fate, tt.tier)
		}
	}
	j, c := below(true, false)
	c.event.Quote.Kind = source.Kernel
	if j.heard(); fateOf(c) != "" {
		t.Errorf("a record of the kernel beside a page is out by %q", fateOf(c))
	}
	for page, fate := range map[bool]string{false: "", true: "mentioned"} { // what a person pasted of a page
		j, c := below(page, false)
		c.event.Quote.Kind = source.Ticket
		if j.heard(); fateOf(c) != fate {
			t.Errorf("a ticket's line on a page (%v): out by %q, want %q", page, fateOf(c), fate)
		}
	}
}
