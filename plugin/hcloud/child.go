package hcloud

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"syscall"
	"time"
)

// ErrTimedOut says that a child was ended because it took too long.
var ErrTimedOut = errors.New("timed out")

// Child runs KooCLI as a child process: without a shell, with an empty standard
// input, so that it never waits for an answer, and in a process group of its
// own, so that one that has to be ended takes with it what it started.
type Child struct {
	Path    string        // of the program, or its name in PATH
	Env     []string      // nil for that of this process
	Timeout time.Duration // of one run
	Grace   time.Duration // between SIGTERM and SIGKILL
	Limit   int           // bytes kept of each stream; the rest is read and dropped
}

// The bounds of a child unless others are asked for: KooCLI itself may connect
// and read for a minute, and a log preview of 5 MB is up to 30 MB as JSON.
const (
	DefaultTimeout = 2 * time.Minute
	DefaultGrace   = 2 * time.Second
	DefaultLimit   = 64 << 20
)

// NewChild gives a child with the default bounds.
func NewChild(path string, env []string) *Child {
	return &Child{Path: path, Env: env, Timeout: DefaultTimeout, Grace: DefaultGrace, Limit: DefaultLimit}
}

// Run runs the program once. The error is ErrTimedOut, the context's, or that
// of a program which cannot be started; an exit code is no error.
func (c *Child) Run(ctx context.Context, args []string) (Output, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.Timeout, ErrTimedOut)
	defer cancel()
	stdout, stderr := capped{limit: c.Limit}, capped{limit: c.Limit}
	cmd := exec.Command(c.Path, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = c.Env, &stdout, &stderr
	cmd.WaitDelay = c.Grace // for pipes that a grandchild keeps open
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return Output{}, err
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // the exit code says more than the error
		close(ended)
	}()
	var err error
	select {
	case <-ended:
	case <-ctx.Done():
		err = context.Cause(ctx)
		c.end(cmd, ended)
	}
	out := Output{Stdout: stdout.kept.Bytes(), Stderr: stderr.kept.Bytes(), Cut: stdout.cut || stderr.cut}
	out.Exit = cmd.ProcessState.ExitCode()
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		out.Signal = ws.Signal().String()
	}
	return out, err
}

// end asks the group to end, and after the grace makes it.
func (c *Child) end(cmd *exec.Cmd, ended <-chan struct{}) {
	terminateGroup(cmd.Process)
	select {
	case <-ended:
	case <-time.After(c.Grace):
	}
	killGroup(cmd.Process)
	<-ended
}

// capped keeps the first bytes of a stream.
type capped struct {
	kept  bytes.Buffer
	limit int
	cut   bool
}

func (b *capped) Write(p []byte) (int, error) {
	room := max(b.limit-b.kept.Len(), 0)
	if len(p) > room {
		b.cut = true
		b.kept.Write(p[:room])
		return len(p), nil
	}
	return b.kept.Write(p)
}
