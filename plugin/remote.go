package main

import (
	"cmp"
	"context"
	crypto "crypto/rand"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/corpus"
	"hcloud-modelarts/plugin/hcloud"
	"hcloud-modelarts/plugin/operations"
	"hcloud-modelarts/plugin/sdk"
	"hcloud-modelarts/plugin/standin"
)

// Variables of the environment that stand in for flags.
const (
	hcloudVar = "HCLOUD_MODELARTS_HCLOUD"
	corpusVar = "HCLOUD_MODELARTS_CORPUS"
)

// remote are the flags of every command that asks hcloud.
type remote struct {
	Region    string        `placeholder:"REGION" help:"${region}"`
	ProjectID string        `name:"project-id" placeholder:"ID" help:"${project_id}"`
	Profile   string        `placeholder:"NAME" help:"${profile}"`
	Hcloud    string        `placeholder:"PATH" help:"${hcloud}"`
	Via       string        `enum:"hcloud,sdk" default:"hcloud" placeholder:"hcloud|sdk" help:"${via}"`
	Timeout   time.Duration `default:"2m" placeholder:"DURATION" help:"${timeout}"`
	Replay    string        `placeholder:"CASE" help:"${replay}"`
	storage
}

// storage says where cases are kept.
type storage struct {
	Corpus string `placeholder:"DIR" help:"${corpus_dir}"`
}

// dir is the folder of the corpus.
func (s storage) dir(c *console) (string, error) {
	dir := cmp.Or(s.Corpus, c.env[corpusVar], corpus.DefaultDir(c.env))
	if dir == "" {
		return "", &usageError{c.say(msgNoCorpus)}
	}
	return dir, nil
}

// find gives the path of a case that the user named, for which there need be no
// corpus unless it was named by an id.
func (s storage) find(c *console, name string) (string, error) {
	if corpus.IsPath(name) {
		return name, nil
	}
	dir, err := s.dir(c)
	if err != nil {
		return "", err
	}
	return corpus.Find(dir, name)
}

// resume is the command that goes on with a case.
func (s storage) resume(id string) string {
	args := []string{"record", "--resume", id}
	if s.Corpus != "" {
		args = append(args, "--corpus="+s.Corpus)
	}
	return shellLine(name, args)
}

// open opens a case that the user named.
func (s storage) open(c *console, name string) (*corpus.Case, error) {
	p, err := s.find(c, name)
	if err != nil {
		return nil, err
	}
	return corpus.Open(p)
}

// Time between the tries of a read: two more tries within some four seconds.
const (
	retries   = 2
	firstWait = time.Second
	lastWait  = 20 * time.Second
)

// link is a way to hcloud, or to a recording in its place.
type link struct {
	*hcloud.Runner
	program string       // what is run, for messages
	replay  *corpus.Case // nil for hcloud itself
}

// connect prepares the way to hcloud. Nothing is run yet.
func (r *remote) connect(c *console) (*link, error) {
	l := &link{program: cmp.Or(r.Hcloud, c.env[hcloudVar], "hcloud")}
	l.Runner = &hcloud.Runner{Options: r.options(), Retries: retries, Now: c.now, Wait: hcloud.Backoff(firstWait, lastWait, c.random, c.sleep)}
	if c.calls != nil {
		l.Program = c.calls
		return l, nil
	}
	if r.Replay != "" {
		var err error
		if l.replay, err = r.open(c, r.Replay); err != nil {
			return nil, err
		}
		s := standin.New("cn", l.replay)
		s.Strict = true
		l.Program, l.Retries = s, 0
		return l, nil
	}
	if r.Timeout <= 0 {
		return nil, &usageError{c.say(msgTimeout)}
	}
	if r.Via == "sdk" {
		program, err := sdk.New(c.env)
		if missing, ok := errors.AsType[*sdk.MissingError](err); ok {
			return nil, &deniedError{c.say(msgSDKCredentials, strings.Join(missing.Variables, ", "))}
		}
		l.Program, l.program = program, "hcloud"
		return l, err
	}
	child := hcloud.NewChild(l.program, c.environ)
	child.Timeout = r.Timeout
	l.Program = child
	return l, nil
}

// deniedError says that credentials are missing before anything is sent.
type deniedError struct{ text string }

func (e *deniedError) Error() string { return e.text }

// options are what hcloud is told with every call.
func (r *remote) options() []string {
	var all []string
	for _, o := range []struct{ name, value string }{
		{"--cli-region", r.Region}, {"--cli-project-id", r.ProjectID}, {"--cli-profile", r.Profile},
	} {
		if o.value != "" {
			all = append(all, o.name+"="+o.value)
		}
	}
	return all
}

// origin says of a recording where its answers come from: the region and
// hcloud's version.
func (r *remote) origin(c *console, l *link) (region, version string) {
	if l.replay != nil {
		return l.replay.Region, l.replay.HCloud
	}
	if v, a := hcloud.ProbeVersion(c.ctx, l.Program); a.Class == hcloud.OK {
		version = v.String()
	}
	if r.Region != "" {
		return r.Region, version
	}
	config, _ := hcloud.ProbeConfig(c.ctx, l.Program)
	p, _ := config.Profile(r.Profile)
	return p.Region, version
}

// callError is a call that gave no answer.
type callError struct {
	a       hcloud.Answer
	program string
}

func (e *callError) Error() string { return string(e.a.Class) + ": " + e.a.Message }

// ServiceCode is the code by which the service named the error.
func (e *callError) ServiceCode() string { return e.a.Code }

// failed gives the error of an answer, nil when the call did what it should.
func (l *link) failed(a hcloud.Answer) error {
	switch {
	case a.Good():
		return nil
	case a.Class == hcloud.Interrupted:
		return errInterrupted
	}
	if damaged, ok := errors.AsType[*corpus.Error](a.Err); ok {
		return damaged
	}
	return &callError{a, l.program}
}

// describeCall words a call that gave no answer: what happened and what to do.
func (c *console) describeCall(e *callError) string {
	if e.a.Class == hcloud.UseError && e.a.Message == sdk.NoRegion {
		return c.say(msgSDKRegion)
	}
	operation := ""
	if len(e.a.Args) > 1 {
		operation = e.a.Args[1]
	}
	said := strings.TrimSpace(e.a.Code + " " + e.a.Message)
	if tag := "_ERROR"; strings.HasSuffix(e.a.Code, tag) {
		said = "[" + e.a.Code + "]" + e.a.Message
	}
	if e.a.Err != nil {
		said = c.system(e.a.Err)
	}
	t := classTexts[e.a.Class]
	if e.a.Class == hcloud.Forbidden && e.a.Code == noAgency {
		t = msgNoAgency
	}
	if said == "" {
		said = c.say(msgNothingSaid)
	}
	text := strings.NewReplacer(
		"{ended}", c.ended(e.a),
		"{said}", said, "{operation}", operation, "{program}", e.program, "{action}", actionOf(operation),
		"{command}", e.program+" "+strings.Join(e.a.Args, " "), "{oldest}", hcloud.Oldest.String(),
	).Replace(t.In(c.lang))
	if e.a.Unknown {
		text += c.say(msgUnknownOutcome)
	}
	hint, ok := operations.Default().Hint(e.a.Code)
	if ok {
		text += c.say(msgCodeHint, hint.In(c.lang))
	}
	if e.a.Class == hcloud.APIError && !ok {
		text += c.say(msgRefusedNext)
	}
	if e.a.Class == hcloud.UseError && aboutRegion().MatchString(e.a.Message) {
		text += c.say(msgNameRegion)
	}
	ofProgram := []hcloud.Class{hcloud.Missing, hcloud.Unsupported, hcloud.CLIError, hcloud.OpenAPIError, hcloud.APIEError}
	if slices.Contains(ofProgram, e.a.Class) && !e.a.Unknown {
		text += c.say(msgViaSDK)
	}
	return text
}

// aboutRegion finds what KooCLI says of a region that it does not take.
var aboutRegion = lazy.Regexp(`cli-region|(?i)supported regions|区域`)

// ended says how hcloud ended when that was no success.
func (c *console) ended(a hcloud.Answer) string {
	switch {
	case a.Signal != "":
		return c.say(msgEndedSignal, a.Signal)
	case a.Exit != 0:
		return c.say(msgEndedExit, a.Exit)
	}
	return ""
}

// howToGrant gives the steps that grant a missing permission, "" when none is
// missing.
func (c *console) howToGrant(e *callError) string {
	if e.a.Class != hcloud.Forbidden || e.a.Code == noAgency {
		return ""
	}
	return "\n" + policySteps["1.1"].In(c.lang)
}

// noAgency is the code of an account that has not let ModelArts use the
// services that it needs: no policy helps.
const noAgency = "ModelArts.2785"

// world is the part of the outside that a test replaces: time and chance.
type world struct {
	now     func() time.Time
	sleep   func(context.Context, time.Duration) error
	random  func() float64 // in [0, 1)
	entropy io.Reader      // for keys
}

func realWorld() world {
	return world{now: time.Now, sleep: sleep, random: rand.Float64, entropy: crypto.Reader}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// mask is the report's masking with the placeholders of a recording.
func mask(put func(kind, value string) string) func(string) string {
	return report.Masker(func(kind report.Kind, value string) string { return put(string(kind), value) })
}

// roomNeeded says what to do when the disk is full: a recording goes on, all else
// is done again.
func (c *console) roomNeeded(place string) string {
	if _, err := os.Stat(filepath.Join(place, "case.json")); err != nil {
		return c.say(msgDiskFull)
	}
	if full, err := filepath.Abs(place); err == nil {
		place = full
	}
	return c.say(msgDiskFullResume, shellLine(name, []string{"record", "--resume", place}))
}

// caseError words an error of the corpus.
func (c *console) caseError(e *corpus.Error) string {
	t, ok := caseTexts[e.Code]
	if !ok {
		return e.Error()
	}
	if e.Code == "not-a-case" && errors.Is(e.Err, fs.ErrNotExist) {
		return c.say(msgNotAFolder, e.Path) + c.say(caseNext[e.Code])
	}
	text := c.say(t, e.Path)
	if e.Err != nil && e.Code != "missing" && e.Code != "locked" {
		text += c.colon() + c.system(plainError(e.Err))
	}
	if e.Code == "io" && errors.Is(e.Err, syscall.ENOSPC) {
		return text + c.roomNeeded(e.Path)
	}
	if next, ok := caseNext[e.Code]; ok {
		text += c.say(next)
	}
	return text
}
