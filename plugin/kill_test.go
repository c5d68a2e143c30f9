//go:build unix

package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"hcloud-modelarts/corpus"
)

// TestRecorderKilled kills recordings at 50 random moments. Each leaves
// nothing, or a case that opens, holds what it says it holds, and goes on.
func TestRecorderKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("runs 50 recordings")
	}
	chance := newChance(t)
	program := stand(t, scene(t, oom(t)...))
	cases := t.TempDir()
	start := time.Now()
	if got := beside(t, program, t.TempDir(), "record", oomJob); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	whole := time.Since(start)
	killed, partial := 0, ""
	for range 50 {
		cmd := exec.Command(name, "record", oomJob, "--hcloud", program, "--corpus", cases)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(chance.Float64() * float64(whole)))
		if cmd.Process.Kill() == nil {
			killed++
		}
		_ = cmd.Wait() // it was killed
		if p := checkCorpus(t, cases); p != "" {
			partial = p
		}
	}
	if killed < 25 || partial == "" {
		t.Fatalf("%d recordings were killed, the last left half done is %q", killed, partial)
	}
	got := beside(t, program, cases, "record", "--resume", partial)
	c, err := corpus.Open(partial)
	if err != nil || got.code != exitOK || !c.Done {
		t.Fatalf("going on with %s: %v %+v", partial, err, got)
	}
	if problems, err := c.Verify(t.Context()); len(problems) > 0 || err != nil {
		t.Errorf("after going on: %v %v", problems, err)
	}
}

// checkCorpus checks every case of a corpus, and gives one that is half done.
func checkCorpus(t *testing.T, cases string) (partial string) {
	t.Helper()
	entries, err := os.ReadDir(cases)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue // what a killed recording left before it was a case
		}
		p := filepath.Join(cases, e.Name())
		c, err := corpus.Open(p)
		if err != nil {
			t.Fatalf("a killed recording left a broken case: %v", err)
		}
		problems, err := c.Verify(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range problems {
			if x.Code != "unlisted" {
				t.Errorf("%s: %s is %s", p, x.File, x.Code)
			}
		}
		switch {
		case c.Done && len(c.Missing()) > 0:
			t.Errorf("%s says that it is done and lacks %v", p, c.Missing())
		case !c.Done && len(c.Planned) > 0:
			partial = p
		}
	}
	return partial
}

// largeCase records a case with a log of some megabytes.
func largeCase(t *testing.T) string {
	t.Helper()
	r, err := corpus.Create(t.TempDir(), corpus.Manifest{ID: "large"}, corpus.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(1, 0))
	var log strings.Builder
	for log.Len() < 4<<20 {
		fmt.Fprintf(&log, "2026-06-02 09:45:00 INFO step %d loss %d\n", chance.Uint32(), chance.Uint64())
	}
	log.WriteString(failure)
	if err := errors.Join(r.AddLog("worker-0", strings.NewReader(log.String())), r.Close(true)); err != nil {
		t.Fatal(err)
	}
	return r.Path()
}

// contents gives the files below a path, by name; without the locks, which say
// nothing, and the empty text for what is not there.
func contents(t *testing.T, top string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() || d.Name() == "lock" {
			return err
		}
		data, err := os.ReadFile(p)
		fmt.Fprintf(&b, "%s %d %x\n", strings.TrimPrefix(p, top), len(data), sha256.Sum256(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestResultsKilled ends the commands that write a result at random moments.
// Under the result's name is nothing or the whole; a signal gives exit code 130
// and leaves nothing beside it; what a kill leaves, the next run removes.
func TestResultsKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	chance := newChance(t)
	input := largeCase(t)
	archive := exported(t, input)
	for command, args := range map[string][]string{
		"analyze": {"analyze", "--format=html", input, "-o", "out"},
		"bundle":  {"bundle", input, "-o", "out"},
		"shrink":  {"shrink", writeTemp(t, "train.log", failure), "-o", "out"},
		"export":  {"corpus", "export", input, "out"},
		"import":  {"corpus", "import", archive, "--corpus", "."},
	} {
		result := "out"
		if command == "import" {
			result = "large"
		}
		t.Run(command, func(t *testing.T) {
			dir := t.TempDir()
			start := time.Now()
			if state := runIn(t, dir, nil, 0, args); state.ExitCode() != exitOK {
				t.Fatalf("exit code %d", state.ExitCode())
			}
			whole := time.Since(start)
			want := contents(t, filepath.Join(dir, result))
			ended := 0
			for i := range 12 {
				if err := os.RemoveAll(filepath.Join(dir, result)); err != nil {
					t.Fatal(err)
				}
				signal := []os.Signal{os.Interrupt, os.Kill}[i%2]
				state := runIn(t, dir, signal, time.Duration(chance.Float64()*float64(whole)), args)
				if got := contents(t, filepath.Join(dir, result)); got != "" && got != want {
					t.Fatalf("after %v the result is\n%s, want\n%s", signal, got, want)
				}
				if state.ExitCode() != exitOK {
					ended++
				}
				if !state.Exited() {
					continue // a signal came before the program could take it, or a kill
				}
				if code := state.ExitCode(); code != exitOK && code != exitInterrupted {
					t.Errorf("%v gives exit code %d", signal, code)
				}
				if left := beyond(t, dir, result); i == 0 && len(left) > 0 {
					t.Errorf("%v leaves %q", signal, left)
				}
			}
			if ended == 0 {
				t.Error("every run came to its end before the signal")
			}
			if err := os.RemoveAll(filepath.Join(dir, result)); err != nil {
				t.Fatal(err)
			}
			if state := runIn(t, dir, nil, 0, args); state.ExitCode() != exitOK || contents(t, filepath.Join(dir, result)) != want {
				t.Errorf("after the kills: exit code %d, the same result %v", state.ExitCode(), contents(t, filepath.Join(dir, result)) == want)
			}
			if left := beyond(t, dir, result); len(left) > 0 {
				t.Errorf("beside the result stay %q", left)
			}
		})
	}
}

// runIn runs the program in a folder, and sends it a signal after a while unless
// that is nil.
func runIn(t *testing.T, dir string, signal os.Signal, after time.Duration, args []string) *os.ProcessState {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if signal != nil {
		timer := time.AfterFunc(after, func() { _ = cmd.Process.Signal(signal) })
		defer timer.Stop()
	}
	_ = cmd.Wait() // the state tells
	return cmd.ProcessState
}

// beyond lists what stands in a folder beside a result.
func beyond(t *testing.T, dir, result string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		if e.Name() != result {
			left = append(left, e.Name())
		}
	}
	return left
}

// TestSweptFolders: a folder that a killed import or recording left in the corpus
// goes with the next one; one that another process is filling stays.
func TestSweptFolders(t *testing.T) {
	archive := exported(t, largeCase(t))
	cases := t.TempDir()
	for _, name := range []string{".tmp-left", ".tmp-held", ".other"} {
		if err := os.MkdirAll(filepath.Join(cases, name, "logs"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	held, err := os.Create(filepath.Join(cases, ".tmp-held", "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := syscall.Flock(int(held.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if got := program(t, nil, "corpus", "import", archive, "--corpus", cases); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	if left := beyond(t, cases, "large"); !slices.Equal(left, []string{".other", ".tmp-held"}) {
		t.Errorf("in the corpus stand %q", left)
	}
}

// TestSweptTemp: what a killed diagnosis held for a while goes with the next one;
// what another process or user holds stays, and so does whatever only has such a
// name, a corpus above all.
func TestSweptTemp(t *testing.T) {
	temp := t.TempDir()
	env := []string{"TMPDIR=" + temp}
	killer := filepath.Join(t.TempDir(), "hcloud")
	script := "#!/bin/sh\ncase \"$*\" in *ListTrainingJobStages*) kill -9 $PPID ;; esac\nexec '" + stand(t, scene(t, oom(t)...)) + "' \"$@\"\n"
	if err := os.WriteFile(killer, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := program(t, env, "diagnose", oomJob, "--no-record", "--hcloud", killer); got.code != -1 {
		t.Fatalf("it was not killed: %+v", got)
	}
	left := beyond(t, temp, "")
	if len(left) != 1 {
		t.Fatalf("a killed diagnosis left %q", left)
	}
	at := func(what string) string { return filepath.Join(temp, name+"-"+what) }
	mark := func(dir string) string { return filepath.Join(dir, ".only-held-for-a-while") }
	elsewhere := filepath.Join(temp, "elsewhere")
	for _, dir := range []string{at("held"), at("unmarked"), at("other"), elsewhere} {
		if err := os.CopyFS(dir, os.DirFS(filepath.Join(temp, left[0]))); err != nil {
			t.Fatal(err)
		}
	}
	held, err := os.Open(mark(at("held")))
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := errors.Join(syscall.Flock(int(held.Fd()), syscall.LOCK_EX), os.Remove(mark(at("unmarked"))), os.Symlink(elsewhere, at("link"))); err != nil {
		t.Fatal(err)
	}
	want := []string{"elsewhere", name + "-cases", name + "-held", name + "-link", name + "-unmarked"}
	if os.Geteuid() == 0 {
		want = append(want, name+"-other")
		if err := os.Chown(at("other"), 65534, 65534); err != nil {
			t.Fatal(err)
		}
	}
	recorded := filepath.Join("..", "corpus", "cases", "recorded-with-hcloud", "input")
	cases := at("cases")
	if got := program(t, env, "record", oomJob, "--replay", recorded, "--corpus", cases); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	kept := contents(t, cases)
	if got := program(t, env, "diagnose", "--replay", recorded); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	slices.Sort(want)
	if there := beyond(t, temp, ""); !slices.Equal(there, want) {
		t.Errorf("there stand %q, want %q", there, want)
	}
	if kept == "" || contents(t, cases) != kept {
		t.Errorf("the corpus holds\n%s, want\n%s", contents(t, cases), kept)
	}
}

// TestHangUp: the end of the terminal ends the program like any signal, unless whoever
// started it has it ignore that, as nohup does, or Ctrl-C, as scripts do behind "&".
func TestHangUp(t *testing.T) {
	// What is ignored here, as under nohup, a command would ignore too; what is caught
	// here is as usual there.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP, os.Interrupt)
	t.Cleanup(func() { signal.Stop(caught) })
	for _, tt := range []struct {
		ignored string
		signals []os.Signal
		code    int
	}{
		{"", []os.Signal{syscall.SIGHUP}, exitInterrupted}, {"", []os.Signal{os.Interrupt}, exitInterrupted}, {"", []os.Signal{syscall.SIGTERM}, exitInterrupted},
		{"trap '' HUP INT;", []os.Signal{syscall.SIGHUP, os.Interrupt}, exitOK}, {"trap '' HUP INT;", []os.Signal{syscall.SIGTERM}, exitInterrupted},
	} {
		dir := t.TempDir()
		pipe := filepath.Join(dir, "pipe")
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("sh", "-c", tt.ignored+` exec "$@"`, "sh", name, "analyze", pipe, "-o", filepath.Join(dir, "out"))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		guard := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
		w, err := os.OpenFile(pipe, os.O_WRONLY, 0) // it is running once it opens its input
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range tt.signals {
			if err := cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
		}
		if tt.code == exitOK {
			time.Sleep(100 * time.Millisecond) // for the signals to come
			_, err = w.WriteString(failure)
			err = errors.Join(err, w.Close())
		}
		_ = cmd.Wait() // the state tells
		guard.Stop()
		w.Close()
		if code := cmd.ProcessState.ExitCode(); err != nil || code != tt.code {
			t.Errorf("%s %v: exit code %d, want %d, %v", tt.ignored, tt.signals, code, tt.code, err)
		}
		if left := beyond(t, dir, "pipe"); (len(left) == 1) != (tt.code == exitOK) {
			t.Errorf("%s %v: there stand %q", tt.ignored, tt.signals, left)
		}
	}
}
