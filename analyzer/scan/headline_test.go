package scan

import (
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
)

// TestPrograms: what programs that are not Python say is wrong is read where their
// own form holds it, on its line or below, and quoted there.
func TestPrograms(t *testing.T) {
	for _, c := range []struct {
		name, log   string
		rule, cause string
		line        int
	}{
		{"a message in the form of Go that a rule knows", "panic: open /cache/a.json: no such file or directory", "prog-file-missing", "file-missing", 1},
		{"one that none does", "panic: bad header", "prog-go-panic", "exception-other", 1},
		{"below the headline", "Error in solve.default(V) : \n  system is singular", "prog-r-error", "exception-other", 2},
		{"below an empty line of a rank", "[3] --> FOAM FATAL IO ERROR: (openfoam-2306)\n[3] \n[3] cannot find file \"/cache/U\"", "prog-file-missing", "file-missing", 3},
		{"below, and known to another rule", "Fatal error:\nCheckpoint file is corrupted: md.cpt", "prog-gromacs-checkpoint", "checkpoint-corrupt", 2},
		{"a headline at the end of the log", "start\nFatal error:", "prog-gromacs-error", "exception-other", 2},
		{"a headline and nothing near", "Fatal error:\n\n\n\n\n\nrestarted", "prog-gromacs-error", "exception-other", 1},
		{"a headline above a symptom", "Fatal error:\nExecution halted", "prog-gromacs-error", "exception-other", 1},
		{"a headline above a step", "Fatal error:\nstep 7 loss 1.5", "prog-gromacs-error", "exception-other", 1},
		{"a headline above a record of no failure", "Fatal error:\n2026-06-02 09:00:01,000 INFO reading shard 7", "prog-gromacs-error", "exception-other", 1},
		{"a headline above a traceback", "Fatal error:\nTraceback (most recent call last):\n  File \"/job/a.py\", line 3, in f\n    g()\nmylib.Oddity: bad box", "python-unknown-exception", "exception-other", 5},
		{"below what is harmless", "Fatal error:\n/opt/a.py:3: FutureWarning: `x` is deprecated\nbad box", "prog-gromacs-error", "exception-other", 3},
		{"below the line of another rank", "[0] --> FOAM FATAL ERROR: \n[1] Create mesh\n[0] \n[0]     bad patch", "prog-openfoam-error", "exception-other", 4},
		{"lines of another rank alone", "[0] --> FOAM FATAL ERROR: \n[1] a1\n[1] a2\n[1] a3\n[1] a4\n[1] a5\n[1] a6", "prog-openfoam-error", "exception-other", 1},
		{"the last error before MPI_ABORT", "ERROR: 12 cells overlap\nERROR: mesh is not closed\nMPI_ABORT was invoked on rank 2 in communicator MPI_COMM_WORLD", "prog-own-words", "exception-other", 2},
		{"the last error before LAMMPS names its command", "ERROR: Lost atoms: original 9 current 8 (src/thermo.cpp:494)\nLast command: run 5", "prog-own-words", "exception-other", 1},
		{"an error of C++, and no end", "start\nERROR: cache miss (src/cache.cpp:10)", "", "", 0},
		{"a handler that went on", "handler recovered: panic: bad request", "", "", 0},
		{"a setting named panic", "INFO: panic: level set to 2", "", "", 0},
		{"a warning of a plugin before MPI_ABORT", "WARNING plugin: Fatal error: collector is gone\nMPI_ABORT was invoked on rank 2 in communicator MPI_COMM_WORLD", "", "", 0},
		{"no fatal error before MPI_ABORT", "FATAL ERROR: none so far\nMPI_ABORT was invoked on rank 2 in communicator MPI_COMM_WORLD", "", "", 0},
		{"an attempt that is repeated", "Error in fetch (attempt 2) : timed out, retrying", "", "", 0},
		{"an error, and no end", "ERROR: mesh is not closed\nstep 2", "", "", 0},
	} {
		s := New(rules.Default())
		source.Text(&source.Document{Name: "log", Rank: -1}, "", source.Log, c.log, s.Line)
		rule, cause, line, found := "", "", 0, 0
		for _, e := range s.Close().Events {
			if e.Rule.Role == rules.Root || e.Rule.Role == rules.Ambiguous || e.LastWords {
				rule, cause, line = e.Rule.ID, e.Rule.Cause, e.Quote.Number
				found++
				if !strings.Contains(strings.Split(c.log, "\n")[line-1], e.Quote.Text) {
					t.Errorf("%s: line %d is quoted as %q", c.name, line, e.Quote.Text)
				}
			}
		}
		if rule != c.rule || cause != c.cause || line != c.line || found > 1 {
			t.Errorf("%s: %d events, %s (%s) at line %d; want %s (%s) at %d", c.name, found, rule, cause, line, c.rule, c.cause, c.line)
		}
	}
}
