package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/plugin/hcloud"
	"hcloud-modelarts/plugin/operations"
)

// caller is one command that calls operations.
type caller struct {
	*console
	cat   *operations.Catalogue
	opts  callOptions
	link  *link
	asked bool // for the profile's region
}

// maxBody bounds a body that is read; hcloud takes 5 MB.
const maxBody = 5 << 20

// perform checks a request and sends it; form is nil when the operation was
// called by its own name.
func (c *console) perform(op *operations.Operation, form *operations.Form, o callOptions, args []operations.Argument) error {
	s := &caller{console: c, cat: operations.Default(), opts: o}
	var query *operations.Query
	if o.query != "" {
		var err error
		if query, err = operations.CompileQuery(o.query); err != nil {
			return c.queryError(o.query, err)
		}
	}
	body, err := s.body()
	if err != nil {
		return err
	}
	if o.dryRun {
		o.Via = "" // nothing is sent, so it needs no credentials
	}
	if s.link, err = o.connect(c); err != nil {
		return err
	}
	if form != nil {
		if args, err = s.byName(op, args); err != nil {
			return err
		}
	}
	req, problems := op.Build(args, body)
	if form != nil {
		more := 0
		for _, name := range slices.Sorted(maps.Keys(form.Default)) {
			if !req.Has(name) {
				args = append(args, operations.Argument{Name: name, Value: form.Default[name]})
				more++
			}
		}
		if more > 0 {
			req, problems = op.Build(args, body)
		}
	}
	if err := s.judge(op, form, problems); err != nil {
		return err
	}
	if op.Writes() {
		return s.write(req, form, query)
	}
	return s.read(req, form, args, body, query)
}

// byName finds the id of a job that was given by its name.
func (s *caller) byName(op *operations.Operation, args []operations.Argument) ([]operations.Argument, error) {
	i := slices.IndexFunc(args, func(a operations.Argument) bool { return a.Name == "training_job_id" })
	if i < 0 || args[i].Value == "" || modelarts.IsID(args[i].Value) {
		return args, nil
	}
	if s.opts.dryRun {
		return nil, &usageError{s.say(msgNeedsID, args[i].Value)}
	}
	id, err := s.jobNamed(args[i].Value, op)
	if err != nil {
		return nil, err
	}
	args = slices.Clone(args)
	args[i].Value = id
	return args, nil
}

// jobNamed finds a job. A read takes the only job whose name holds what was
// given; a write wants the whole name.
func (s *caller) jobNamed(ref string, op *operations.Operation) (string, error) {
	search := &collector{c: s.console, link: s.link}
	if !op.Writes() {
		return search.find(ref)
	}
	jobs, err := search.list(filter("name", "like", ref), time.Time{}, func(j job) bool { return j.Name == ref })
	switch {
	case err != nil:
		return "", err
	case len(jobs) == 0:
		return "", &usageError{s.say(msgNoJobNamed, ref)}
	case len(jobs) > 1:
		return "", &ambiguousError{ref, jobs}
	}
	return jobs[0].ID, nil
}

// body reads what --json names.
func (s *caller) body() ([]byte, error) {
	file := s.opts.jsonFile
	if file == "" {
		return nil, nil
	}
	var src io.Reader = s.stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, inputError(file, err)
		}
		defer f.Close()
		src = f
	}
	data, err := io.ReadAll(io.LimitReader(decoded(src), maxBody+1))
	if err != nil {
		return nil, inputError(file, err)
	}
	if len(data) > maxBody {
		return nil, &usageError{s.say(msgBodyLarge, file)}
	}
	if len(strings.TrimSpace(string(data))) == 0 {
		return nil, &usageError{s.say(msgBodyEmpty, file)}
	}
	return data, nil
}

// judge tells all problems of a request; doubts are told and let it pass.
func (s *caller) judge(op *operations.Operation, form *operations.Form, problems []operations.Problem) error {
	var lines []string
	for _, p := range problems {
		if p.Doubt {
			s.notice(s.say(msgDoubt) + s.problem(p))
			continue
		}
		lines = append(lines, s.problem(p))
	}
	if len(lines) == 0 {
		return nil
	}
	help := "api " + op.Name
	if form != nil {
		help = form.Noun + " " + form.Verb
	}
	lines = append(lines, s.say(msgSeeHelp, help))
	return &usageError{strings.Join(lines, "\n")}
}

// notice writes a text for the person at the terminal.
func (c *console) notice(line string) {
	for l := range strings.SplitSeq(report.Mask(line), "\n") {
		fmt.Fprintln(c.stderr, report.Plain(l))
	}
}

// send makes a call; where a region is given, in that one and outside any
// project.
func (s *caller) send(ctx context.Context, req *operations.Request, region string) (any, error) {
	params, done, err := s.params(req)
	if err != nil {
		return nil, err
	}
	defer done()
	runner := *s.link.Runner
	if region != "" {
		runner.Options = append(slices.DeleteFunc(slices.Clone(runner.Options), func(o string) bool {
			return strings.HasPrefix(o, "--cli-region=") || strings.HasPrefix(o, "--cli-project-id=")
		}), "--cli-region="+region)
	}
	op := req.Operation
	a := runner.Do(ctx, hcloud.Call{Service: op.Service, Operation: op.Name, Params: params, Read: !op.Writes(), List: op.List, Member: op.Member})
	if a.Class == hcloud.UseError && strings.Contains(a.Message, "project_id") {
		a.Message += s.say(msgNameProject)
	}
	if err := s.link.failed(a); err != nil {
		return nil, err
	}
	if a.Class == hcloud.Empty && (len(a.Body) == 0 || a.Code != "") {
		return nil, nil
	}
	v, err := operations.Decode(a.Body)
	if err != nil {
		return nil, fmt.Errorf("reading the answer of %s: %w", req.Operation.Name, err)
	}
	return v, nil
}

// call is send as checks use it.
func (s *caller) call(ctx context.Context, req *operations.Request) (any, error) {
	return s.send(ctx, req, "")
}

// params writes a request as hcloud takes it: as flags, or in a file when flags
// cannot say it or others should not see it. done removes the file.
func (s *caller) params(req *operations.Request) (params []string, done func(), err error) {
	flags, plain := req.Flags()
	if plain && !req.Sensitive(report.Mask) {
		return flags, func() {}, nil
	}
	whole := *req
	if project := s.projectBesideFile(req); project != "" {
		whole.Values = maps.Clone(req.Values)
		whole.Values["project_id"] = project
	}
	data, err := whole.Input()
	if err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", name+"-*")
	if err != nil {
		return nil, nil, err
	}
	file := filepath.Join(dir, "input.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		os.RemoveAll(dir)
		return nil, nil, err
	}
	return []string{"--cli-jsonInput=" + file}, func() { os.RemoveAll(dir) }, nil
}

// projectBesideFile is the project of a request that goes in a file: hcloud does
// not fill it in there. It is that of --project-id, else of the user's own file,
// else of the profile, else the one that IAM names for the region. It is "" when
// none is known, or nothing is sent to hcloud.
func (s *caller) projectBesideFile(req *operations.Request) string {
	switch {
	case s.opts.ProjectID != "":
		return s.opts.ProjectID
	case req.Text("project_id") != "" || s.opts.Via == "sdk" || s.link.replay != nil:
		return ""
	}
	config, _ := hcloud.ProbeConfig(s.ctx, s.link.Program)
	if p, ok := config.Profile(s.opts.Profile); ok && p.ProjectID != "" {
		return p.ProjectID
	}
	if region := s.regionInUse(); region != "" {
		if id, err := s.project(s.ctx, region); err == nil {
			return id
		}
	}
	return ""
}

// command is the request as it is typed at a prompt, with secrets hidden.
func (s *caller) command(req *operations.Request) string {
	flags, plain := req.Flags()
	if !plain || req.Sensitive(report.Mask) {
		flags = []string{"--cli-jsonInput=input.json"}
	}
	words := slices.Concat([]string{"hcloud", req.Operation.Service, req.Operation.Name}, flags, s.link.Options)
	for i, w := range words {
		words[i] = quoteShell(report.Mask(w))
	}
	return strings.Join(words, " ")
}

// quoteShell writes a word so that a shell reads it back.
func quoteShell(w string) string {
	if w != "" && strings.IndexFunc(w, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_=./:,@%+", r))
	}) < 0 {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// read calls an operation that changes nothing, and shows the answer.
func (s *caller) read(req *operations.Request, form *operations.Form, args []operations.Argument, body []byte, query *operations.Query) error {
	if err := s.traps(req.Facts(), req, false); err != nil {
		return err
	}
	if s.opts.dryRun {
		return s.showRequest(req)
	}
	var answer any
	var err error
	if s.opts.all {
		answer, err = req.Operation.All(s.ctx, args, body, s.call)
	} else {
		answer, err = s.call(s.ctx, req)
	}
	if err != nil {
		return s.failed(err)
	}
	facts := req.Facts()
	facts.Answer(answer)
	if err := s.show(req, form, answer, query); err != nil {
		return err
	}
	if _, terminal := s.terminal(); terminal {
		s.pageURL(req, facts)
	}
	met, err := req.Operation.Met(facts, true)
	if err != nil {
		return err
	}
	if answer == nil && len(met) == 0 {
		s.notice(s.say(msgNoAnswer, req.Operation.Name))
	}
	return s.warn(met)
}

// traps tells the traps that facts are in; one that stops is an error.
func (s *caller) traps(facts operations.Facts, req *operations.Request, after bool) error {
	met, err := req.Operation.Met(facts, after)
	if err != nil {
		return err
	}
	return s.warn(met)
}

func (s *caller) warn(met []operations.Warning) error {
	var stops []string
	for _, w := range met {
		switch w.Level {
		case "stop":
			stops = append(stops, w.Text.In(s.lang))
		case "warn":
			s.notice(s.say(msgDoubt) + w.Text.In(s.lang))
		default:
			s.notice(s.say(msgNote) + w.Text.In(s.lang))
		}
	}
	if len(stops) > 0 {
		return &refusedError{strings.Join(stops, "\n")}
	}
	return nil
}

// refusedError is a request that was not sent because it cannot work.
type refusedError struct{ text string }

func (e *refusedError) Error() string { return e.text }

// showRequest prints what would be sent, and sends nothing.
func (s *caller) showRequest(req *operations.Request) error {
	out := s.command(req) + "\n"
	if req.Body != nil {
		out += s.shownBody(req)
	}
	s.notice(s.say(msgDryRun))
	return s.deliver("", []byte(out))
}

// failed turns an error of a call into one for the user.
func (s *caller) failed(err error) error {
	if errors.Is(err, operations.ErrOffset) {
		return &usageError{s.say(msgAllOffset)}
	}
	return s.stopped(err)
}

// regionInUse is the region of the calls: the one that was named, or that of the
// profile. It is "" when neither is known.
func (s *caller) regionInUse() string {
	if s.opts.Region == "" && !s.asked {
		s.asked = true
		if s.link.replay != nil {
			s.opts.Region = s.link.replay.Region
			return s.opts.Region
		}
		config, _ := hcloud.ProbeConfig(s.ctx, s.link.Program)
		if p, ok := config.Profile(s.opts.Profile); ok {
			s.opts.Region = p.Region
		}
	}
	return s.opts.Region
}
