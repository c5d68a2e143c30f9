package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/plugin/hcloud"
)

const name = "hcloud-modelarts"

// The exit codes.
const (
	exitOK           = 0
	exitFailed       = 1   // no report: unreadable input, unwritable output
	exitUsage        = 2   // the command line is wrong
	exitFault        = 3   // with --exit-code: a report names a fault
	exitInsufficient = 4   // with --exit-code: the information does not decide
	exitDenied       = 5   // hcloud has no valid credentials, or a permission is missing
	exitInterrupted  = 130 // by a signal
)

// console is the outside world as commands see it.
type console struct {
	ctx    context.Context
	env    map[string]string
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	lang   string
	code   int // of a command that succeeded

	environ []string // env as children get it
	inPhase int      // the phase of a diagnosis that was shown last
	world

	zone  *time.Location // of times in tables
	ask   asker          // nil without a terminal
	calls hcloud.Program // answers in hcloud's place; nil for hcloud
}

// say gives a text in the console's language.
func (c *console) say(t text, args ...any) string {
	return fmt.Sprintf(t.In(c.lang), args...)
}

// helpShown ends a parse that printed help; run recovers it.
type helpShown struct{ code int }

// run is the whole program: it parses args, runs the command, and gives the
// exit code. Nothing below it reads the process's own arguments, environment or
// streams, or ends the process.
func run(ctx context.Context, args, env []string, stdin io.Reader, stdout, stderr io.Writer) int {
	c := &console{ctx: ctx, env: environment(env), environ: env, stdin: stdin, stdout: stdout, stderr: stderr, world: realWorld(), zone: time.Local}
	if f, ok := stdin.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		c.ask = c.terminalAsker()
	}
	return c.run(args)
}

func (c *console) run(args []string) (code int) {
	var err error
	if c.lang, err = language(args, c.env); err != nil {
		return c.fail(err)
	}
	defer func() {
		if r := recover(); r != nil {
			shown, ok := r.(helpShown)
			if !ok {
				panic(r)
			}
			code = shown.code
		}
	}()
	parsed, err := c.parse(args)
	if err != nil {
		return c.fail(err)
	}
	if err := c.refuseEmpty(parsed); err != nil {
		return c.fail(err)
	}
	if err := parsed.Run(); err != nil {
		return c.fail(err)
	}
	return c.code
}

// refuseEmpty refuses an empty value, such as a variable of a shell script leaves
// that is not set: to take it for a value that is not given would do something
// else than what was meant. The commands that read files and texts say more.
func (c *console) refuseEmpty(ctx *kong.Context) error {
	for _, p := range ctx.Path {
		value := p.Positional
		if p.Flag != nil {
			value = p.Flag.Value
		}
		if value == nil || p.Flag == nil && !slices.Contains([]string{"job", "case", "file"}, value.Name) {
			continue
		}
		given := value.Target.Interface()
		list, _ := given.([]string)
		if given == "" || slices.Contains(list, "") {
			return &usageError{c.say(msgEmptyValue, value.Summary())}
		}
	}
	return nil
}

// usageError is a mistake in the command line that kong does not see.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

// errInterrupted says that a signal came before the report was there.
var errInterrupted = errors.New("interrupted")

// fail prints why there is no result, and gives the exit code for it.
func (c *console) fail(err error) int {
	if pe, ok := errors.AsType[*kong.ParseError](err); ok {
		if w, ok := errors.AsType[*wrapped](pe.Unwrap()); ok {
			err = w // help could not be written: the command line is right
		}
	}
	line := strings.TrimSpace(c.describe(err))
	var lines []string
	for l := range strings.SplitSeq(line, "\n") {
		lines = append(lines, report.Plain(report.Mask(l)))
	}
	fmt.Fprintf(c.stderr, "%s: %s\n", name, strings.Join(lines, "\n"))
	if errors.Is(err, errInterrupted) {
		return exitInterrupted
	}
	if _, ok := errors.AsType[*kong.ParseError](err); ok {
		return exitUsage
	}
	if _, ok := errors.AsType[*usageError](err); ok {
		return exitUsage
	}
	if _, ok := errors.AsType[*ambiguousError](err); ok {
		return exitUsage
	}
	if _, ok := errors.AsType[*deniedError](err); ok {
		return exitDenied
	}
	if ce, ok := errors.AsType[*callError](err); ok && ce.a.Denied() {
		return exitDenied
	}
	return exitFailed
}

func environment(list []string) map[string]string {
	env := make(map[string]string, len(list))
	for _, kv := range list {
		k, v, _ := strings.Cut(kv, "=")
		env[k] = v
	}
	return env
}

// langVar names the variable that holds the language when --lang does not.
const langVar = "HCLOUD_MODELARTS_LANG"

// language finds the language before the command line is parsed, because help
// and errors need it already: that of --lang, else that of the variable. A wrong
// --lang is left to the parser.
func language(args []string, env map[string]string) (string, error) {
	lang := ""
	for i, a := range args {
		if a == "--" {
			break
		}
		v, ok := strings.CutPrefix(a, "--lang=")
		if a == "--lang" && i+1 < len(args) {
			v, ok = args[i+1], true
		}
		if ok && (v == "zh" || v == "en") {
			lang = v
		}
	}
	if lang != "" {
		return lang, nil
	}
	switch v := env[langVar]; v {
	case "":
		return "zh", nil
	case "zh", "en":
		return v, nil
	default:
		return "zh", &usageError{fmt.Sprintf(msgLangVar.In("zh"), langVar, v)}
	}
}
