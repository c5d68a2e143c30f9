package main

import (
	"bufio"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/plugin/hcloud"
	"hcloud-modelarts/plugin/operations"
)

// write carries out an operation that changes something: it is checked, priced
// where it costs, confirmed, noted in the journal, and only then sent, once.
func (s *caller) write(req *operations.Request, form *operations.Form, query *operations.Query) error {
	if s.opts.dryRun {
		if err := s.traps(req.Facts(), req, false); err != nil {
			return err
		}
		return s.showRequest(req)
	}
	if !s.opts.yes && s.ask == nil {
		return &refusedError{s.say(msgNeedsYes, req.Operation.Name)}
	}
	facts, met, unread, err := req.Preflight(s.ctx, s.cat, s.call)
	if err != nil {
		return s.failed(err)
	}
	for _, u := range unread {
		if hopeless(u.Err) {
			return s.failed(u.Err)
		}
		s.notice(s.say(msgUnchecked, u.Operation) + s.colon() + s.describe(u.Err))
	}
	if err := s.warn(met); err != nil {
		return err
	}
	subject, err := s.subject(req, facts)
	if err != nil {
		return err
	}
	priced := s.price(req, facts)
	says := req.Operation.Says.In(s.lang)
	if form != nil && form.Says != (operations.Text{}) {
		says = form.Says.In(s.lang)
	}
	if err := s.confirm(req, says, subject, priced); err != nil {
		return err
	}
	answer, err := s.sendNoted(req, subject)
	if err != nil {
		return s.failed(err)
	}
	facts.Answer(answer)
	if err := s.show(req, form, answer, query); err != nil {
		return err
	}
	s.notice(s.say(msgDone, says))
	s.pageURL(req, facts)
	return s.traps(facts, req, true)
}

// sendNoted sends a write between two entries of the journal; what a recording
// answers is not sent anywhere, and not noted.
func (s *caller) sendNoted(req *operations.Request, sub subject) (any, error) {
	if s.link.replay != nil {
		return s.call(s.ctx, req)
	}
	entry := s.journal(req, sub)
	answer, err := s.call(s.ctx, req)
	entry.close(req, answer, err)
	return answer, err
}

// subject is what a write changes: its id and, where it can be read, its name.
type subject struct{ id, name string }

func (s *caller) subject(req *operations.Request, facts operations.Facts) (subject, error) {
	a := req.Operation.Asks
	sub := subject{id: req.Text(a.ID)}
	if a.Read == "" {
		return sub, nil
	}
	for _, r := range req.Operation.Reads {
		if seen, ok := facts[r.As]; ok && r.Operation == a.Read {
			sub.name, _ = operations.Search(a.Name, seen).(string)
			return sub, nil
		}
	}
	read, problems := s.cat.Find(a.Read).Build([]operations.Argument{{Name: a.ID, Value: sub.id}}, nil)
	if operations.Fatal(problems) {
		return sub, nil
	}
	answer, err := s.call(s.ctx, read)
	switch {
	case hopeless(err):
		return sub, s.failed(err)
	case err != nil:
		s.notice(s.say(msgUnchecked, a.Read) + s.colon() + s.describe(err))
		return sub, nil
	}
	sub.name, _ = operations.Search(a.Name, answer).(string)
	return sub, nil
}

func (sub subject) text() string {
	switch {
	case sub.name != "" && sub.id != "":
		return sub.name + " (" + sub.id + ")"
	case sub.name != "":
		return sub.name
	}
	return sub.id
}

// hopeless reports whether a call failed in a way that the next will, too.
func hopeless(err error) bool {
	call, ok := errors.AsType[*callError](err)
	if !ok {
		return err != nil
	}
	switch call.a.Class {
	case hcloud.Missing, hcloud.OtherProgram, hcloud.NotConfigured, hcloud.NoProfile, hcloud.NoConsent, hcloud.Unauthorized, hcloud.NetworkError, hcloud.TimedOut:
		return true
	}
	return false
}

// priced says what is known of a price.
type priced int

const (
	free priced = iota // nothing to pay, or a price that was shown
	unknownPrice
)

// confirm says what will happen and asks. --yes answers for scripts, but not for
// a price that nobody knows.
func (s *caller) confirm(req *operations.Request, says string, sub subject, p priced) error {
	op := req.Operation
	s.notice(s.say(msgWill, says, op.Name))
	if t := sub.text(); t != "" {
		s.notice(s.say(msgSubject, t))
	}
	s.notice(s.say(msgUndo, op.Undo.In(s.lang)))
	s.notice(s.say(msgCommand, s.command(req)))
	if _, plain := req.Flags(); !plain || req.Sensitive(report.Mask) {
		fmt.Fprint(s.stderr, s.shownBody(req))
	}
	if s.opts.yes {
		if p == unknownPrice {
			return &refusedError{s.say(msgPriceUnknown)}
		}
		return nil
	}
	want, prompt := "yes", s.say(msgAsk)
	if op.Irreversible {
		if want = sub.name; want == "" {
			want = sub.id
		}
		prompt = s.say(msgAskName, want)
	}
	got, err := s.ask(report.Plain(prompt))
	if errors.Is(err, errInterrupted) {
		fmt.Fprintln(s.stderr) // the cursor stands behind the question
		s.notice(s.say(msgNotSent))
	}
	if err != nil {
		return err
	}
	if got = strings.TrimSpace(got); got != want && !(want == "yes" && (got == "y" || got == "是")) {
		return &refusedError{s.say(msgCancelled)}
	}
	return nil
}

// price shows what a request will cost, and says when that cannot be had.
func (s *caller) price(req *operations.Request, facts operations.Facts) priced {
	if s.opts.noPrice {
		return free
	}
	bill, about := s.cat.Pricing.Job, map[string]any(facts)
	flavors, nodes := s.opts.flavors, 1
	switch {
	case req.Operation.Holds && len(flavors) == 0:
		s.notice(s.say(msgHoldsBilled))
		return free
	case req.Operation.Holds:
	case req.Operation.Charges == "" || operations.Search(req.Operation.Charges, about) != true:
		return free
	case operations.Search(bill.Pool, about) != nil:
		s.notice(s.say(msgPoolBilled))
		return free
	default:
		if f, ok := operations.Search(bill.Flavor, about).(string); ok && len(flavors) == 0 {
			flavors = []string{f}
		}
		if n, ok := operations.Search(bill.Nodes, about).(float64); ok && n >= 1 {
			nodes = int(n)
		}
		if h, ok := operations.Search(bill.Hours, about).(float64); ok && s.opts.hours == nil {
			s.opts.hours = new(big.Rat).SetInt64(int64(h))
		}
	}
	if err := s.priceTable(s.stderr, flavors, nodes); err != nil {
		s.notice(s.say(msgNoPrice) + s.colon() + s.describe(err))
		return unknownPrice
	}
	return free
}

// asker reads an answer of the person at the terminal.
type asker func(prompt string) (string, error)

// terminalAsker asks on standard error and reads one line of standard input.
func (c *console) terminalAsker() asker {
	lines := bufio.NewReader(c.stdin)
	return func(prompt string) (string, error) {
		fmt.Fprint(c.stderr, prompt)
		return await(c, func() (string, error) {
			line, err := lines.ReadString('\n')
			if err != nil && line == "" {
				return "", &refusedError{c.say(msgCancelled)}
			}
			return line, nil
		})
	}
}

// pageURL tells where the console shows what a call was about.
func (s *caller) pageURL(req *operations.Request, facts operations.Facts) {
	page := req.Operation.Console
	if page.Page == "" {
		return
	}
	id, _ := operations.Search(page.ID, map[string]any(facts)).(string)
	if page.ID == "" || id != "" {
		s.consoleURL(page.Page, id)
	}
}

func (s *caller) consoleURL(what, id string) {
	region := s.regionInUse()
	if region == "" {
		return
	}
	s.notice(s.say(msgConsole, strings.NewReplacer("{region}", region, "{id}", id).Replace(s.cat.Console[what])))
}

// masked hides secrets in a text unless the user wants to see them.
func (s *caller) masked(text string) string {
	if s.opts.showSecrets {
		return text
	}
	return report.MaskForPrograms(text)
}

// maskedJSON writes a value as JSON with the secrets in it hidden, unless the
// user wants to see them.
func (s *caller) maskedJSON(v any) string {
	if s.opts.showSecrets {
		return jsonText(v)
	}
	return jsonText(operations.Hide(v, report.MaskForPrograms))
}

// shownBody writes what will be sent as JSON, as a person may be shown it.
func (s *caller) shownBody(req *operations.Request) string {
	if s.opts.showSecrets {
		return jsonText(req.Body)
	}
	return jsonText(req.Shown(report.MaskForPrograms))
}
