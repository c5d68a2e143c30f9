package verdict

import (
	"slices"
	"strings"
	"time"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// wordless are lines that name a call and its return code, a command and its
// status, a count or a code word, and leave it to other lines of the same
// message to say what was wrong.
var wordless = lazy.Regexp(`function error: ?.*error code is \d+` +
	`|runtime result = \d+\.?(?:\[FUNC:|$)` +
	`|drvRetCode=\d+\.?(?:\[FUNC:|$)` +
	`|subprocess-exited-with-error$` +
	`|Command .*returned non-zero exit status \d+` +
	`|Workers? .{0,24}killed due to memory pressure` +
	`|backend='\w+' raised:$` +
	`|failed, error code: ?\d+$` +
	`|call \w+ failed, ret\[\d+\]\.?(?: The details refer to 'Ascend Error Message'\.)?$` +
	`|NPU warning, error code is \d+(?:\[Error\]: ?)?$` +
	`|\bFailed to call:$` +
	`|Single op compile failed, op: \S+$` +
	`|^[a-z]+(?:_[a-z]+)+$`)

// deviceNamed reads the id of a device, or of an event that it reports.
var deviceNamed = lazy.Regexp(`(?i)\b(?:device|dev|event)_?id\s?[=:(]`)

// coded is the line by which CANN names an error: its code, and in words what it is.
var coded = lazy.Regexp(`(?:^|\s)(?:E[A-Z0-9]\d{4}|[A-Za-z_/]+\(E[A-Z]\d{4}\)): `)

// inner is a line further down in what CANN prints of an error: one call of many.
var inner = lazy.Regexp(`\[FUNC:\w+\]\[FILE:`)

// codeInWords is a line by which torch_npu only spells out a return code.
const codeInWords = "[Error]: "

// bareInner is how a message of CANN opens that holds its reason further down.
const bareInner = "Inner Error!"

// wordsRows is how many lines that say in words what was wrong a report shows.
const wordsRows = 2

// worded gives, for a root whose line says no more than a code, the lines of the
// same failure that say it in words: those of the same cause, the most telling
// first, then those of its message that no rule knows closer.
func (j *judge) worded(root *candidate) (same, further []scan.Quote) {
	switch line := root.headline().Text; {
	case inner().MatchString(line) && !coded().MatchString(line):
		return j.errorLine(root), nil
	case !wordless().MatchString(line):
		return nil, nil
	}
	if root.event.Quote.Field != "" {
		return j.platformWords(root), nil
	}
	rule := root.event.Rule
	ofCode := rule.Role == rules.Root && !rule.Generic && root.event.Values.Get("code") != "" // such a rule has words of its own
	var device, plain, spelt []scan.Quote
	for _, e := range j.c.Found.Events {
		switch message := root.trace != nil && e.Trace == root.trace.Traceback && e.Exception == root.event.Exception; {
		case e.Rule.Cause != root.cause && !(message && e.Rule.Generic) || !j.oneMessage(root, e, message) || says(e.Quote.Text) == "":
		case root.cause == "device-fault" && e.Rule.Cause == root.cause && message && e.Rule != rule && deviceNamed().MatchString(e.Quote.Text): // which device, and which event of it
			device = addQuotes(device, e.Quote)
		case e.Rule.Cause != root.cause || message && e.Rule != rule && ofCode:
			further = addQuotes(further, e.Quote)
		case e.Rule.Generic:
			plain = addQuotes(plain, e.Quote)
		case strings.Contains(e.Quote.Text, codeInWords):
			spelt = addQuotes(spelt, e.Quote)
		default:
			same = addQuotes(same, e.Quote)
		}
	}
	same = addQuotes(device, addQuotes(addQuotes(same, spelt...), plain...)...)
	return same[:min(len(same), wordsRows)], further[:min(len(further), 1)]
}

// errorLine gives the line by which CANN names the error of which the root's line is
// a part, nil where that means another cause.
func (j *judge) errorLine(root *candidate) []scan.Quote {
	for _, e := range j.c.Found.Events {
		message := root.trace != nil && e.Trace == root.trace.Traceback && e.Exception == root.event.Exception
		if e.Rule.Cause == root.cause && j.oneMessage(root, e, message) && coded().MatchString(e.Quote.Text) && says(e.Quote.Text) != "" {
			return []scan.Quote{e.Quote}
		}
	}
	return nil
}

// mostWordless bounds the lines that may be a mere code, in bytes: the command that
// one names may be long.
const mostWordless = 64 << 10

// says gives what a line tells in words, "" when it is a mere code or opening.
func says(text string) string {
	if len(text) > mostWordless {
		return text
	}
	if wordless().MatchString(text) || strings.HasSuffix(text, bareInner) || strings.Contains(text, "api failed") {
		return ""
	}
	return text
}

// oneMessage reports whether an event belongs to what one process printed of
// the root's failure.
func (j *judge) oneMessage(root *candidate, e *scan.Event, message bool) bool {
	gap := max(e.Seq-root.event.Seq, root.event.Seq-e.Seq)
	return message || sameRun(e, root.event) && gap <= messageGap*2 && (e.Rule.Role == rules.Root || e.Rule.Role == root.event.Rule.Role)
}

// samePlatformFault is how long before a recovery the platform may have told of
// the fault that it recovers from.
const samePlatformFault = time.Hour

// platformWords gives the reason that stands beside a code word in one record,
// and an event that tells the same.
func (j *judge) platformWords(root *candidate) []scan.Quote {
	at := root.event.Quote
	var rows []scan.Quote
	record := at.Field[:strings.LastIndexByte(at.Field, '.')+1]
	for _, s := range j.c.Found.Streams {
		beside := s.Doc == at.Doc && s.Field != at.Field && (s.Field == record+"reason" || s.Field == record+"message")
		if beside && says(s.First.Text) != "" && j.agrees(root, s) {
			rows = addQuotes(rows, s.First)
		}
	}
	i := slices.IndexFunc(j.all, func(c *candidate) bool {
		before, _ := j.delay(c, root)
		return c.cause == root.cause && c.event.Quote.Kind == source.Event && says(c.event.Quote.Text) != "" &&
			(c.fate == nil || c.fate.Code == "same-failure") && before <= samePlatformFault && strings.HasSuffix(c.event.Quote.Field, "message")
	})
	if i >= 0 {
		rows = addQuotes(rows, j.all[i].event.Quote)
	}
	return rows
}

// agrees reports whether nothing in a text means another cause than the root's.
func (j *judge) agrees(root *candidate, s *scan.Stream) bool {
	return !slices.ContainsFunc(j.all, func(c *candidate) bool { return c.event.Stream == s && c.cause != root.cause })
}

// explained gives the further lines of the root's message that explain it: the
// place in a file, the whole name of a key, the next field that is wrong.
func (j *judge) explained(root *candidate) []scan.Quote {
	var rows []scan.Quote
	for _, e := range slices.Concat(j.byRule[rules.MessageFurther], j.byRule[root.event.Rule.ID]) {
		gap := e.Seq - root.event.Seq
		below := e.Rule != root.event.Rule && e.Trace == nil && e.Stream == root.event.Stream && 0 < gap && gap <= messageGap // of a message that goes on behind an empty line
		ofIt := root.trace != nil && e.Trace == root.trace.Traceback && e.Exception == root.event.Exception
		if (ofIt || below) && e != root.event && len(rows) < wordsRows {
			rows = append(rows, e.Quote)
		}
	}
	return rows
}

// final reads the words by which programs say why they end.
var final = lazy.Regexp(`(?i)\berr|\bfail|fatal|\bexit|abort|\bquit|\bcannot|\bcan't|could not|missing|invalid|not found|denied|expired|required|\bempty|refus|unsupported|错误|失败|退出|终止|中止|缺少|不存在|无法|拒绝|过期|无效`)

// lastWords gives the last line of a program before the code that it ended with,
// where no rule knows it and it has such words.
func lastWords(end *candidate) []scan.Quote {
	s := end.event.Stream
	if s.Field != "" || s.Calm == nil || s.Calm.Number >= end.event.Quote.Number || !final().MatchString(s.Calm.Text) {
		return nil
	}
	return []scan.Quote{*s.Calm}
}
