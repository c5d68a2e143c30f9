// Command code changes the code of a package in small ways, one at a time, and
// tells on which changes no test fails. It prints those that explained.tsv does
// not explain, in the form of that table.
//
//	go run ./scripts/mutate/code -skip ReadsOnce ./analyzer/report mask    files that begin with mask
//	go run ./scripts/mutate/code -by ./golden ./analyzer/verdict           with the tests of another package, too
//
// The package is built once: all mutants are in it, and the environment wakes one.
// Conditions, comparisons, sums, min and max, constants true and false, and
// statements that give no value a name are changed; wordings and numbers are not.
package main

import (
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	var o options
	flag.StringVar(&o.by, "by", "", "folder of another package whose tests judge, too")
	flag.StringVar(&o.skip, "skip", "^$", "expression for the names of tests to leave out, such as those of speed")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "mutate: name the folder of a package")
		os.Exit(2)
	}
	o.dir, o.prefixes, o.explained = flag.Arg(0), flag.Args()[1:], explained
	if err := run(os.Stdout, o); err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

//go:embed explained.tsv
var explained string

type options struct {
	dir, by, skip string
	prefixes      []string
	explained     string // the table
}

func run(out io.Writer, o options) error {
	skipped, err := regexp.Compile(o.skip)
	if err != nil {
		return err
	}
	r, err := rewrite(o.dir, o.prefixes)
	if err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "mutate-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	suites, err := r.build(tmp, slices.DeleteFunc([]string{r.dir, o.by}, func(d string) bool { return d == "" }), skipped)
	if err != nil {
		return err
	}
	mayLive := r.explained(o.explained)
	killed, known, live := 0, 0, 0
	for _, m := range r.mutants {
		switch {
		case slices.ContainsFunc(suites, func(s *suite) bool { return s.kills(m) }):
			killed++
		case mayLive[m.key()]:
			known++
		default:
			live++
			fmt.Fprintf(out, "%s\t%s\t(line %d)\n", r.path, m.key(), m.line)
		}
	}
	fmt.Fprintf(out, "%d mutants: %d killed, %d explained, %d live\n", len(r.mutants), killed, known, live)
	return nil
}

// explained gives the keys of the package's mutants that a table lets live.
func (r *rewritten) explained(table string) map[string]bool {
	keys := map[string]bool{}
	for line := range strings.Lines(table) {
		if rest, ok := strings.CutPrefix(line, r.path+"\t"); ok {
			keys[rest[:strings.LastIndexByte(rest, '\t')]] = true
		}
	}
	return keys
}

// build compiles the tests of folders with the new files in the place of the old.
func (r *rewritten) build(tmp string, dirs []string, skipped *regexp.Regexp) ([]*suite, error) {
	replaced := map[string]string{}
	for name, text := range r.files {
		replaced[filepath.Join(r.dir, name)] = filepath.Join(tmp, name)
		if err := os.WriteFile(filepath.Join(tmp, name), []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(tmp, "overlay.json"), overlay, 0o644); err != nil {
		return nil, err
	}
	var suites []*suite
	for i, dir := range dirs {
		s := &suite{dir: dir, binary: filepath.Join(tmp, strconv.Itoa(i)+".test")}
		c := exec.Command("go", "test", "-c", "-vet=off", "-overlay", filepath.Join(tmp, "overlay.json"), "-o", s.binary, ".")
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("build the tests of %q: %w\n%s", dir, err, out)
		}
		if err := s.measure(filepath.Join(tmp, "seen"), skipped); err != nil {
			return nil, err
		}
		suites = append(suites, s)
	}
	return suites, nil
}

// suite is the tests of a package, the quickest first.
type suite struct {
	dir, binary string
	tests       []test
}

type test struct {
	name string
	took time.Duration // of processors, which other work does not make longer
	seen map[int]bool  // the places that it reaches
}

// measure runs each test alone, with all mutants asleep.
func (s *suite) measure(seen string, skipped *regexp.Regexp) error {
	out, err := s.command(0, "-test.list", "^(Test|Fuzz|Example)").Output()
	if err != nil {
		return fmt.Errorf("list the tests of %q: %w", s.dir, err)
	}
	for _, name := range strings.Fields(string(out)) {
		if skipped.MatchString(name) {
			continue
		}
		c := s.command(0, "-test.run", "^"+name+"$")
		c.Env = append(c.Env, "ZZ_SEEN="+seen)
		out, err := c.CombinedOutput()
		if err != nil {
			return fmt.Errorf("%s fails on the code as it is: %w\n%s", name, err, out)
		}
		t := test{name, c.ProcessState.UserTime() + c.ProcessState.SystemTime(), map[int]bool{}}
		ids, _ := os.ReadFile(seen) // none when it reaches no place
		for _, id := range strings.Fields(string(ids)) {
			n, err := strconv.Atoi(id)
			if err != nil {
				return err
			}
			t.seen[n] = true
		}
		os.Remove(seen)
		s.tests = append(s.tests, t)
	}
	slices.SortStableFunc(s.tests, func(a, b test) int { return int(a.took - b.took) })
	return nil
}

func (s *suite) command(awake int, args ...string) *exec.Cmd {
	c := exec.Command(s.binary, args...)
	c.Dir = s.dir
	c.Env = append(os.Environ(), "ZZ_AWAKE="+strconv.Itoa(awake), "TMPDIR="+filepath.Dir(s.binary))
	return c
}

// kills reports whether a test fails, or takes far too long, once a mutant is
// awake. Quick tests run together, slow ones only when those pass.
func (s *suite) kills(m mutant) bool {
	var quick []string
	var took time.Duration
	var slow []test
	for _, t := range s.tests {
		switch {
		case !t.seen[m.place]:
		case t.took < time.Second:
			quick, took = append(quick, t.name), took+t.took
		default:
			slow = append(slow, t)
		}
	}
	return len(quick) > 0 && s.fails(m, strings.Join(quick, "|"), took) ||
		slices.ContainsFunc(slow, func(t test) bool { return s.fails(m, t.name, t.took) })
}

func (s *suite) fails(m mutant, names string, took time.Duration) bool {
	c := s.command(m.id, "-test.failfast", "-test.timeout=5m", "-test.run", "^("+names+")$")
	limit := fmt.Sprintf("ulimit -t %d; exec \"$0\" \"$@\"", 3+4*int(took.Seconds()+1))
	c.Path, c.Args = "/bin/sh", append([]string{"sh", "-c", limit}, c.Args...)
	return c.Run() != nil
}
