package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// cost is what a command took: from start to exit, of processors, and of memory.
type cost struct {
	wall, cpu time.Duration
	peak      int64 // bytes resident, 0 where the system does not tell
}

func (c cost) String() string {
	if c.wall < 100*time.Millisecond {
		return fmt.Sprintf("%.1f ms", c.wall.Seconds()*1e3)
	}
	return fmt.Sprintf("%.2f s (%.2f s of processors)", c.wall.Seconds(), c.cpu.Seconds())
}

func (c *cost) least(o cost) {
	if c.wall == 0 || o.wall < c.wall {
		c.wall = o.wall
	}
	if c.cpu == 0 || o.cpu < c.cpu {
		c.cpu = o.cpu
	}
	c.peak = max(c.peak, o.peak)
}

// fastest runs commands in turn, so that a busy moment of the machine meets all
// of them, and gives the least of each. A command that is not there costs nothing.
func fastest(n int, commands ...[]string) ([]cost, error) {
	costs := make([]cost, len(commands))
	for range n {
		for i, c := range commands {
			took, err := run(nil, c...)
			if errors.Is(err, exec.ErrNotFound) {
				continue
			}
			if err != nil {
				return nil, err
			}
			costs[i].least(took)
		}
	}
	return costs, nil
}

// run gives the cost of one process. An exit code of 1 is that of a search that
// found nothing.
func run(stdin io.Reader, command ...string) (cost, error) {
	cmd := exec.Command(command[0], command[1:]...)
	// A pipe: grep stops at its first match when what it prints goes to the null device.
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, struct{ io.Writer }{io.Discard}, os.Stderr
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	if err != nil && (cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 1 || command[0] == *program) {
		return cost{}, fmt.Errorf("running %q: %w", command, err)
	}
	return cost{took, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), peakMemory(cmd.ProcessState)}, nil
}
