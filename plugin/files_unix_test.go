//go:build unix

package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/corpus"
)

// program runs the real program, with its own environment, and gives up on it
// after a minute.
func program(t *testing.T, env []string, args ...string) outcome {
	t.Helper()
	return programAs(t, nil, env, args...)
}

// bound is a user whom the modes of files bind: where tests run as the superuser,
// who may read and write everything, nobody. Dirs are temporary folders that this
// user has to get into.
func bound(t *testing.T, dirs ...string) *syscall.SysProcAttr {
	t.Helper()
	if os.Geteuid() != 0 {
		return nil
	}
	binary, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range append(dirs, filepath.Dir(binary)) {
		for ; p != filepath.Clean(os.TempDir()) && p != "/"; p = filepath.Dir(p) {
			if info, err := os.Stat(p); err != nil || os.Chmod(p, info.Mode().Perm()|0o111) != nil {
				t.Fatalf("%s cannot be opened to others: %v", p, err)
			}
		}
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
}

// programAs is program as another user.
func programAs(t *testing.T, user *syscall.SysProcAttr, env []string, args ...string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.SysProcAttr = user
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if ctx.Err() != nil {
		t.Fatalf("%q hangs", args)
	}
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return outcome{cmd.ProcessState.ExitCode(), out.String(), errs.String()}
}

// exported packs a case as an archive.
func exported(t *testing.T, input string) string {
	t.Helper()
	archive := filepath.Join(t.TempDir(), "case.zip")
	if got := program(t, nil, "corpus", "export", input, archive); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	return archive
}

// oddFiles writes a folder of what is no plain file, and one plain log.
func oddFiles(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for name, text := range map[string]string{
		"train.log": failure, "a\nb.log": failure, "esc\x1b[31m.log": failure, "bad\xff.log": failure,
		strings.Repeat("n", 251) + ".log": failure,
	} {
		if err := os.WriteFile(at(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, create := range []func() error{
		func() error { return os.Mkdir(at("folder.log"), 0o755) },
		func() error { return os.Symlink("nowhere", at("dangling.log")) },
		func() error { return os.Symlink("loop.log", at("loop.log")) },
		func() error { return os.Symlink("/etc/passwd", at("outside.log")) },
		func() error { return os.Symlink(".", at("again")) },
		func() error { return syscall.Mkfifo(at("pipe.log"), 0o644) },
		func() error { return os.Symlink("/dev/zero", at("zero.log")) },
	} {
		if err := create(); err != nil {
			t.Fatal(err)
		}
	}
	if fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0); err == nil {
		defer syscall.Close(fd)
		_ = syscall.Bind(fd, &syscall.SockaddrUnix{Name: at("s.log")}) // its path may be too long for a socket
	}
	return dir
}

// TestOddFiles: links, pipes, sockets, devices and folders within a folder are
// named and not followed, and no name keeps a log from being read.
func TestOddFiles(t *testing.T) {
	dir := oddFiles(t)
	got := program(t, nil, "analyze", "--lang=en", dir)
	if got.code != exitOK || got.stderr != "" {
		t.Fatalf("%+v", got)
	}
	for _, odd := range []string{"dangling.log", "loop.log", "outside.log", "again", "pipe.log", "zero.log"} {
		if !strings.Contains(got.stdout, "`"+odd+"`") {
			t.Errorf("%s is not named:\n%s", odd, got.stdout)
		}
	}
	if strings.Contains(got.stdout, "root:") {
		t.Error("a link out of the folder was followed")
	}
	inert(t, "analyze", got.stdout)
	for _, args := range [][]string{
		{"triage", "--format=ndjson", dir}, {"bundle", dir, "-o", filepath.Join(t.TempDir(), "b.zip")}, {"bundle", "check", dir},
		{"shrink", dir, "-o", filepath.Join(t.TempDir(), "small")}, {"diff", dir, dir},
	} {
		if got := program(t, nil, args...); got.code != exitOK {
			t.Errorf("%q: %+v", args[:1], got)
		}
	}
}

// TestNamedOddFiles: what the user names and is no file is refused in one line.
func TestNamedOddFiles(t *testing.T) {
	dir := oddFiles(t)
	for file, want := range map[string]string{
		"dangling.log": "dangling.log", "loop.log": "loop.log", "zero.log": "not a regular file", "folder.log": "nothing readable", "train.log/x": "train.log/x",
	} {
		got := program(t, nil, "analyze", "--lang=en", filepath.Join(dir, file))
		if got.code != exitFailed || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, want) {
			t.Errorf("%s: %+v", file, got)
		}
	}
}

// TestUnreadable: what may not be read is named, and the rest is read.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	for file, mode := range map[string]fs.FileMode{"a.log": 0o644, "shut.log": 0} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(failure), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "shut"), 0); err != nil {
		t.Fatal(err)
	}
	user := bound(t, dir)
	for _, args := range [][]string{{"analyze", dir}, {"analyze", "--format=html", dir}} {
		got := programAs(t, user, nil, args...)
		if got.code != exitOK || !strings.Contains(got.stdout, "shut.log") || !strings.Contains(got.stdout, "<code>shut</code>") && !strings.Contains(got.stdout, "`shut`") {
			t.Errorf("%+v", got)
		}
	}
	for _, p := range []string{"shut.log", "shut"} {
		got := programAs(t, user, nil, "analyze", "--lang=en", filepath.Join(dir, p))
		if got.code != exitFailed || strings.Count(got.stderr, "\n") != 1 || !strings.Contains(got.stderr, "permission denied") {
			t.Errorf("%s: %+v", p, got)
		}
	}
}

// TestFullDisk: where there is no room, nothing is left under the result's name
// nor beside it, and what was there stays.
func TestFullDisk(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("needs a shell")
	}
	log := writeTemp(t, "train.log", strings.Repeat(failure, 200))
	for _, args := range [][]string{
		{"analyze", "--format=html", log, "-o"}, {"triage", "--format=html", log, "-o"}, {"bundle", log, "-o"}, {"shrink", log, "-o"},
	} {
		dir := t.TempDir()
		// A file may have one block of 512 bytes; the signal for more is ignored,
		// so that writing fails as on a full disk.
		cmd := exec.Command("sh", append([]string{"-c", `trap '' XFSZ; ulimit -f 1; exec "$@"`, "sh", name}, append(args, filepath.Join(dir, "out"))...)...)
		var errs bytes.Buffer
		cmd.Stderr = &errs
		err := cmd.Run()
		if code := cmd.ProcessState.ExitCode(); args[0] != "shrink" && (code != exitFailed || strings.Count(errs.String(), "\n") != 1) {
			t.Errorf("%s: %v, exit code %d: %s", args[0], err, code, errs.String())
		}
		left, _ := os.ReadDir(dir)
		left = slices.DeleteFunc(left, func(d fs.DirEntry) bool { return d.Name() == "out.partial" }) // what --resume goes on with
		if len(left) > 0 && err != nil {
			t.Errorf("%s left %v", args[0], left)
		}
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		if got := program(t, nil, "analyze", log, "-o", "/dev/full"); got.code != exitFailed || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("a full device: %+v", got)
		}
	}
}

// TestTwoProcessesOneCorpus: recordings and imports at the same time leave every
// case whole, and while one process writes a case no other writes or removes it.
func TestTwoProcessesOneCorpus(t *testing.T) {
	input := filepath.Join("..", "corpus", "cases", "recorded-with-hcloud", "input")
	archive := exported(t, input)
	hcloud := stand(t, input)
	cases := t.TempDir()
	var all []*exec.Cmd
	for i := range 6 {
		args := []string{"record", "sft-8k-context", "--hcloud", hcloud, "--corpus", cases}
		if i%2 == 1 {
			args = []string{"corpus", "import", archive, "--corpus", cases}
		}
		cmd := exec.Command(name, args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		_ = cmd.Wait() // a case that another process imported first is refused
	}
	list, broken, err := corpus.List(cases)
	if err != nil || len(broken) > 0 || len(list) != 4 {
		t.Fatalf("%d cases, broken %v, %v", len(list), broken, err)
	}
	if got := program(t, nil, "corpus", "verify", "--corpus", cases); got.code != exitOK {
		t.Errorf("%+v", got)
	}
	one := filepath.Join(cases, list[0].ID)
	writer, err := corpus.Resume(one, corpus.Options{Now: time.Now, Random: rand.Reader})
	if err != nil {
		t.Fatal(err)
	}
	resume := []string{"record", "--resume", list[0].ID, "--hcloud", hcloud, "--corpus", cases}
	for _, args := range [][]string{resume, {"corpus", "rm", list[0].ID, "--corpus", cases}} {
		if got := program(t, nil, args...); got.code != exitFailed || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%q while another process writes the case: %+v", args, got)
		}
	}
	if err := writer.Close(false); err != nil {
		t.Fatal(err)
	}
	if got := program(t, nil, resume...); got.code != exitOK {
		t.Errorf("after the other process has ended: %+v", got)
	}
}

// TestReadOnlyCorpus: a corpus that cannot be written is read, and what would
// write to it says so in one line.
func TestReadOnlyCorpus(t *testing.T) {
	archive := exported(t, filepath.Join("..", "corpus", "cases", "recorded-with-hcloud", "input"))
	for _, cases := range []string{"/proc/self", writeTemp(t, "file", "x")} {
		got := program(t, nil, "corpus", "import", archive, "--corpus", cases)
		if got.code != exitFailed || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: %+v", cases, got)
		}
	}
	cases := t.TempDir()
	if got := program(t, nil, "corpus", "import", archive, "--corpus", cases); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	before := contents(t, cases)
	list, err := filepath.Glob(filepath.Join(cases, "*"))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	err = filepath.WalkDir(cases, func(p string, d fs.DirEntry, err error) error {
		return errors.Join(err, os.Chmod(p, 0o555))
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		filepath.WalkDir(cases, func(p string, _ fs.DirEntry, _ error) error { return os.Chmod(p, 0o755) })
	})
	user := bound(t, cases)
	id := filepath.Base(list[0])
	for _, tt := range []struct {
		code int
		args []string
	}{
		{exitOK, []string{"corpus", "list"}}, {exitOK, []string{"corpus", "show", id}}, {exitOK, []string{"corpus", "verify"}},
		{exitOK, []string{"diagnose", "--replay", id}}, {exitOK, []string{"analyze", list[0]}},
		{exitFailed, []string{"corpus", "rm", id}},
		{exitFailed, []string{"record", "--resume", id, "--replay", id}}, {exitFailed, []string{"record", "--all", "--replay", id}},
	} {
		args := append(tt.args, "--lang=en")
		if tt.args[0] != "analyze" {
			args = append(args, "--corpus="+cases)
		}
		got := programAs(t, user, nil, args...)
		if got.code != tt.code || tt.code == exitFailed && !strings.Contains(got.stderr, "permission denied") {
			t.Errorf("%q: %+v", tt.args, got)
		}
	}
	if after := contents(t, cases); after != before {
		t.Errorf("it became\n%s, was\n%s", after, before)
	}
}

// TestSameBytesEverywhere: neither processors, locale, time zone nor umask
// change a byte of what a command gives.
func TestSameBytesEverywhere(t *testing.T) {
	input := func(shown string) string { return filepath.Join("..", "corpus", "cases", shown, "input") }
	recorded, oom := input("recorded-with-hcloud"), input("out-of-memory-on-one-rank")
	for _, args := range [][]string{
		{"analyze", "--format=json", "--why", recorded}, {"analyze", "--format=json", "--why", oom},
		{"triage", "--format=json", recorded, oom, filepath.Join("..", "corpus", "cases", "reads-two-jobs")}, {"diff", "--format=json", recorded, oom}, {"bundle", recorded, "-o", "-"},
	} {
		want := program(t, nil, args...).stdout
		for _, env := range [][]string{
			{"GOMAXPROCS=1"}, {"GOMAXPROCS=2"}, {"GOMAXPROCS=4"}, {"GOMAXPROCS=8"},
			{"LANG=zh_CN.GB18030", "LC_ALL=tr_TR.UTF-8", "TZ=Asia/Kathmandu"}, {"LANG=", "LC_ALL=C", "TZ=:nowhere", "TERM=dumb"},
			{"GOGC=1"}, {"GOMEMLIMIT=1MiB"},
		} {
			if got := program(t, env, args...); got.stdout != want || got.code != exitOK || want == "" {
				t.Errorf("%v changes what %q gives: %s", env, args, got.stderr)
			}
		}
	}
}

// TestModesOfFiles: what is kept of a job is its owner's alone whatever the
// umask, and a report has the mode that the umask leaves.
func TestModesOfFiles(t *testing.T) {
	log := writeTemp(t, "train.log", failure)
	input, err := filepath.Abs(filepath.Join("..", "corpus", "cases", "recorded-with-hcloud", "input"))
	if err != nil {
		t.Fatal(err)
	}
	for umask, want := range map[string]fs.FileMode{"000": 0o666, "027": 0o640, "077": 0o600} {
		dir := t.TempDir()
		cmd := exec.Command("sh", "-c", `umask `+umask+` && "$0" analyze "$1" -o report.md && "$0" corpus export "$2" case.zip && "$0" corpus import case.zip --corpus cases &&
			"$0" shrink "$1" -o small && touch kept && chmod 604 kept && "$0" replay-hcloud --as new "$2" && "$0" replay-hcloud --as kept "$2"`, name, log, input)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if info, err := os.Stat(filepath.Join(dir, "report.md")); err != nil || info.Mode().Perm() != want {
			t.Errorf("umask %s: %v %v, want %v", umask, info.Mode(), err, want)
		}
		all := want | want>>2&0o111 // who may read may open or run
		for file, want := range map[string]fs.FileMode{"small": all, "small/input": all, "small/case.yaml": want, "new": all, "kept": 0o705} {
			if info, err := os.Stat(filepath.Join(dir, file)); err != nil || info.Mode().Perm() != want {
				t.Errorf("umask %s: %s is %v %v, want %v", umask, file, info.Mode().Perm(), err, want)
			}
		}
		filepath.WalkDir(filepath.Join(dir, "cases"), func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				t.Fatal(err)
			}
			if info, _ := d.Info(); info.Mode().Perm()&0o077 != 0 {
				t.Errorf("umask %s: %s is %v", umask, p, info.Mode())
			}
			return nil
		})
	}
}

// TestPipesInCases: a case that names a pipe is damaged, and is not waited for.
func TestPipesInCases(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "x")
	if err := os.MkdirAll(filepath.Join(dir, "logs"), 0o755); err != nil {
		t.Fatal(err)
	}
	manifest := `{"schema": "hcloud-modelarts/case/v1", "id": "x", "logs": [{"task": "worker-0", "file": "logs/a.log", "bytes": 1}]}`
	if err := os.WriteFile(filepath.Join(dir, "case.json"), []byte(manifest), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "logs", "a.log"), 0o644); err != nil {
		t.Fatal(err)
	}
	cases := t.TempDir()
	for _, args := range [][]string{{"corpus", "verify", dir}, {"corpus", "export", dir, filepath.Join(t.TempDir(), "x.zip")}, {"corpus", "import", dir, "--corpus", cases}} {
		if got := program(t, nil, args...); got.code != exitFailed || !strings.Contains(got.stderr, "logs/a.log") {
			t.Errorf("%q: %+v", args[:2], got)
		}
	}
	if err := errors.Join(os.Remove(filepath.Join(dir, "case.json")), syscall.Mkfifo(filepath.Join(dir, "case.json"), 0o644)); err != nil {
		t.Fatal(err)
	}
	if got := program(t, nil, "corpus", "verify", dir); got.code != exitFailed {
		t.Errorf("%+v", got)
	}
}

// TestOneSpellingOfNames: a name that holds escapes or invalid bytes is spelled
// alike as a case, a source, a note and an input, whatever is written.
func TestOneSpellingOfNames(t *testing.T) {
	root := t.TempDir()
	t.Chdir(root)
	odd, shown := "x\n\x1b[31m\xff\u202e", `x\n\x1b[31m\xff\u202e`
	for _, name := range []string{odd + ".log", odd + "-2.log"} {
		dir := filepath.Join("many", odd+name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{odd + ".log", name + ".broken.gz"} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(failure+"ValueError: x\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, odd+".gz"), []byte("\x1f\x8b\x08"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("nowhere", filepath.Join(dir, odd+".link")); err != nil {
			t.Fatal(err)
		}
	}
	one := filepath.Join("many", odd+odd+".log")
	saved := filepath.Join(root, "saved.json")
	runs := [][]string{{"analyze", "--format=json", "-o", saved, one}, {"diff", one, one}, {"bundle", one, "-o", "b.zip"}}
	for _, f := range []string{"table", "markdown", "csv", "html", "junit", "json", "ndjson"} {
		runs = append(runs, []string{"triage", "--format=" + f, "many"})
	}
	for _, f := range []string{"markdown", "text", "json", "html"} {
		runs = append(runs, []string{"analyze", "--format=" + f, one}, []string{"report", "render", saved, "--format=" + f})
	}
	for _, args := range runs {
		got := invoke(t, "", nil, args...)
		if got.code != exitOK {
			t.Fatalf("%q: %+v", args, got)
		}
		text := strings.ReplaceAll(got.stdout, `\\`, `\`)
		if text != "" && !strings.Contains(text, shown) {
			t.Errorf("%q does not show %s:\n%s", args[:2], shown, got.stdout)
		}
		if bare := strings.ReplaceAll(text, shown, ""); strings.Contains(bare, "[31m") || strings.ContainsRune(bare, utf8.RuneError) {
			t.Errorf("%q spells the name in another way:\n%s", args[:2], got.stdout)
		}
	}
	if got := invoke(t, "", nil, "analyze", odd); got.code != exitFailed || !strings.Contains(got.stderr, shown) {
		t.Errorf("%+v", got)
	}
}

// TestProtectedOutput: a file that its owner protected is not replaced.
func TestProtectedOutput(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	user := bound(t, dir)
	log, kept := filepath.Join(dir, "train.log"), filepath.Join(dir, "kept")
	if err := errors.Join(os.WriteFile(log, []byte(failure), 0o644), os.WriteFile(kept, []byte("kept"), 0o444)); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"analyze", log}, {"triage", log}, {"triage", "--format=ndjson", log}, {"diff", log, log}, {"bundle", log}} {
		got := programAs(t, user, nil, append(args, "--lang=en", "-o", kept)...)
		if got.code != exitFailed || !strings.Contains(got.stderr, "permission denied") || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%q: %+v", args, got)
		}
	}
	if data, err := os.ReadFile(kept); err != nil || string(data) != "kept" {
		t.Errorf("it became %q, %v", data, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
		t.Errorf("beside it stand %v, %v", entries, err)
	}
}

// swapped is a folder in which files become something else once it was listed.
type swapped struct {
	diskFS
	swap func()
}

func (s swapped) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := s.diskFS.ReadDir(name)
	s.swap()
	return entries, err
}

// TestReplacedFiles: a file that becomes a pipe, a link or a folder after its folder
// was listed is not waited for and not followed, and the others are read.
func TestReplacedFiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	odd := map[string]func(string) error{
		"pipe.log":   func(p string) error { return syscall.Mkfifo(p, 0o644) },
		"link.log":   func(p string) error { return os.Symlink(writeTemp(t, "secret.log", "SECRET\n"), p) },
		"zero.log":   func(p string) error { return os.Symlink("/dev/zero", p) },
		"folder.log": func(p string) error { return os.Mkdir(p, 0o755) },
		"gone.log":   func(string) error { return nil },
	}
	for _, name := range append(slices.Collect(maps.Keys(odd)), "train.log") {
		if err := os.WriteFile(at(name), []byte(failure), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	fsys := swapped{diskFS(dir), func() {
		for name, create := range odd {
			if err := errors.Join(os.Remove(at(name)), create(at(name))); err != nil {
				t.Fatal(err)
			}
		}
	}}
	reports, err := analyzer.Diagnose([]source.Root{{Name: "d", FS: fsys, Path: "."}}, analyzer.Options{Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	if e := reports[0].Evidence; len(e) == 0 || e[0].Source != "train.log" {
		t.Errorf("the evidence is %+v", e)
	}
	for name := range odd {
		if !slices.ContainsFunc(reports[0].Notes, func(n report.Note) bool { return n.Source == name }) {
			t.Errorf("%s is not named: %+v", name, reports[0].Notes)
		}
	}
}

// TestPipesOfPieces: pipes whose names are those of pieces of one log are read once,
// by whom they are for.
func TestPipesOfPieces(t *testing.T) {
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "train.log"), filepath.Join(dir, "train.log.1")}
	for _, p := range paths {
		if err := syscall.Mkfifo(p, 0o644); err != nil {
			t.Fatal(err)
		}
		go func() { _ = os.WriteFile(p, []byte("2026-06-02 09:45:00 INFO step 1\n"+failure), 0) }()
	}
	if got := program(t, nil, append([]string{"analyze", "--format=json", "--lang=en"}, paths...)...); got.code != exitOK || !strings.Contains(got.stdout, `"sources": 2`) {
		t.Errorf("%+v", got)
	}
}

// TestPipesAmongRules: a pipe among rules is not waited for.
func TestPipesAmongRules(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "x.yaml"), 0o644); err != nil {
		t.Fatal(err)
	}
	got := program(t, nil, "rules", "lint", "--lang=en", dir)
	if got.code != exitFailed || !strings.Contains(got.stderr, "x.yaml") || !strings.Contains(got.stderr, "not a regular file") {
		t.Errorf("%+v", got)
	}
}
