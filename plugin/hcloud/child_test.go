//go:build unix

package hcloud

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test program stand in for KooCLI.
func TestMain(m *testing.M) {
	if mode := os.Getenv("ACT_AS"); mode != "" {
		act(mode)
	}
	os.Exit(m.Run())
}

func act(mode string) {
	switch mode {
	case "echo":
		fmt.Println(strings.Join(os.Args[1:], "|"))
		n, _ := os.Stdin.Read(make([]byte, 1))
		fmt.Fprintf(os.Stderr, "stdin %d\n", n)
		os.Exit(7)
	case "killed":
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		time.Sleep(time.Minute)
	case "flood":
		os.Stdout.Write(bytes.Repeat([]byte("x"), 3<<20))
	case "hang", "family":
		signal.Ignore(syscall.SIGTERM)
		if mode == "family" {
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), "ACT_AS=hang")
			child.Stdout, child.Stderr = os.Stdout, os.Stderr
			if child.Start() == nil {
				os.WriteFile(os.Getenv("PID_FILE"), []byte(strconv.Itoa(child.Process.Pid)), 0o600)
			}
		}
		fmt.Println("started")
		time.Sleep(time.Minute)
	}
	os.Exit(0)
}

func acting(mode string, env ...string) *Child {
	c := NewChild(os.Args[0], append(os.Environ(), append(env, "ACT_AS="+mode)...))
	c.Timeout, c.Grace = 20*time.Second, 100*time.Millisecond
	return c
}

func TestChild(t *testing.T) {
	out, err := acting("echo").Run(t.Context(), []string{"ModelArts", "--name=a b;$(c)", ""})
	if err != nil || string(out.Stdout) != "ModelArts|--name=a b;$(c)|\n" || string(out.Stderr) != "stdin 0\n" || out.Exit != 7 {
		t.Errorf("%q %q %d %v", out.Stdout, out.Stderr, out.Exit, err)
	}
	if out, err = acting("killed").Run(t.Context(), nil); err != nil || out.Exit != -1 || out.Signal != "killed" {
		t.Errorf("ended by a signal: %d %q %v", out.Exit, out.Signal, err)
	}
	c := acting("flood")
	c.Limit = 1000
	out, err = c.Run(t.Context(), nil)
	if err != nil || len(out.Stdout) != 1000 || !out.Cut {
		t.Errorf("%d bytes, cut %v, %v", len(out.Stdout), out.Cut, err)
	}
	if _, err = NewChild(filepath.Join(t.TempDir(), "none"), nil).Run(t.Context(), nil); Classify(Output{}, err).Class != Missing {
		t.Errorf("a missing program: %v", err)
	}
}

func TestChildTimeout(t *testing.T) {
	c := acting("hang")
	c.Timeout = 300 * time.Millisecond
	start := time.Now()
	out, err := c.Run(t.Context(), nil)
	if !errors.Is(err, ErrTimedOut) || time.Since(start) > 10*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	if string(out.Stdout) != "started\n" {
		t.Errorf("what was printed before is lost: %q", out.Stdout)
	}
}

// TestCancelEndsTheFamily: Ctrl-C ends the child and what it started, though
// both ignore SIGTERM.
func TestCancelEndsTheFamily(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := acting("family", "PID_FILE="+file).Run(ctx, nil)
		done <- err
	}()
	pid := waitForPID(t, file)
	cancel()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("the child outlives the cancel")
	}
	for range 100 {
		if gone(pid) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Error("the grandchild outlives the cancel")
}

func waitForPID(t *testing.T, file string) int {
	t.Helper()
	for range 200 {
		if data, err := os.ReadFile(file); err == nil {
			if pid, err := strconv.Atoi(string(data)); err == nil {
				return pid
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatal("the grandchild did not start")
	return 0
}

// gone reports whether a process has ended; one that nobody waited for yet has.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && bytes.Contains(stat, []byte(") Z "))
}
