// Command bench measures the built program beside the tools that people know,
// and prints a table in Markdown: what was done, in what time, against what, and
// whether the goal is met. Machines differ, so the goals are ratios where they
// can be. A tool that is not there is named, and its ratio left out.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

var (
	megabytes = flag.Int64("size", 1024, "size of the long logs in MiB; all else shrinks and grows with it")
	runs      = flag.Int("runs", 5, "how often each command runs; the fastest counts")
	program   = flag.String("program", "", "the built hcloud-modelarts")
	keep      = flag.String("log", "", "only write a log of -kind to this file")
	kind      = flag.String("kind", "healthy", "healthy, noisy, near, traces or answer")
)

func main() {
	flag.Parse()
	if err := bench(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench() error {
	if *keep != "" {
		return saveLog(*keep, *kind, *megabytes<<20)
	}
	if *program == "" {
		return fmt.Errorf("-program is missing")
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &table{dir: dir, fragments: filepath.Join(dir, "fragments.txt")}
	if err := writeFragments(b.fragments); err != nil {
		return err
	}
	for _, name := range []string{"rg", "grep", "wc", "jq", "gzip"} {
		if _, err := exec.LookPath(name); err != nil {
			fmt.Fprintf(os.Stderr, "bench: %s is not in PATH: its comparisons are left out\n", name)
		}
	}
	// Packs is the last: a process begins with the memory that its parent had.
	for _, step := range []func(*table) error{throughput, memory, startup, triage, packs} {
		if err := step(b); err != nil {
			return err
		}
	}
	return b.print(os.Stdout)
}

// table is what was measured.
type table struct {
	dir       string
	fragments string // 64 literals of rules, one a line
	rows      [][]string
}

// leastSize is the size of logs, in MiB, from which goals for them are asked: of
// shorter ones the cost of a process hides that of the log.
const leastSize = 256

// asked gives a goal where the logs are long enough for it, else none.
func asked[T any](goal T) T {
	if *megabytes < leastSize {
		return *new(T)
	}
	return goal
}

func (b *table) print(w io.Writer) error {
	if *megabytes < leastSize {
		fmt.Fprintf(w, "Logs of %d MiB show that the measuring works; goals for logs are asked from %d MiB on.\n\n", *megabytes, leastSize)
	}
	fmt.Fprintln(w, "| What | Measured | Ratio | Goal | Met |")
	fmt.Fprintln(w, "|---|---|---|---|---|")
	for _, r := range b.rows {
		if _, err := fmt.Fprintf(w, "| %s |\n", strings.Join(r, " | ")); err != nil {
			return err
		}
	}
	return nil
}

// add adds a row; met is asked only when there is a goal and something to
// compare with.
func (b *table) add(what, measured, ratio, goal string, met bool) {
	yes := "–"
	if goal != "" && ratio != "–" {
		if yes = "no"; met {
			yes = "yes"
		}
	}
	if goal == "" {
		goal = "–"
	}
	b.rows = append(b.rows, []string{what, measured, ratio, goal, yes})
	fmt.Fprintf(os.Stderr, "%s: %s, %s\n", what, measured, ratio)
}

// against adds the row of a cost beside that of another command. More is how
// many times as long the program may take; below 1, how much faster it has to be.
func (b *table) against(what string, own cost, name string, other cost, more float64) {
	goal := ""
	switch {
	case more >= 1:
		goal = fmt.Sprintf("at most %.1f× the time", more)
	case more > 0:
		goal = fmt.Sprintf("%.0f× as fast", 1/more)
	}
	if other.wall == 0 {
		b.add(what+" against "+name, own.String(), "–", goal, false)
		return
	}
	r := own.wall.Seconds() / other.wall.Seconds()
	ratio := fmt.Sprintf("%.2f× the time", r)
	if r < 1 {
		ratio = fmt.Sprintf("%.1f× as fast", 1/r)
	}
	b.add(what+" against "+name, own.String()+" against "+other.String(), ratio, goal, r <= more)
}
