package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A program as install.sh knows it.
const program = `#!/bin/sh
case "$1" in
  version) echo "hcloud-modelarts 9.9" ;;
  completion | man) echo "$@" ;;
  *) exit 2 ;;
esac
`

// sandbox is a machine without Go: a home, and a PATH of nothing but what
// install.sh needs.
type sandbox struct {
	*testing.T
	shell        string // and its first arguments
	dir          string
	path         string
	archive, sum string
}

const stem = "hcloud-modelarts_9.9_this_one"

// shells are the shells that are here.
func shells() []string {
	var found []string
	for _, s := range []string{"sh", "dash", "busybox sh", "bash --posix", "mksh", "zsh --emulate sh"} {
		if _, err := exec.LookPath(strings.Fields(s)[0]); err == nil {
			found = append(found, s)
		}
	}
	return found
}

func newSandbox(t *testing.T, shell string) *sandbox {
	s := &sandbox{T: t, shell: shell, dir: filepath.Join(t.TempDir(), "a b")}
	s.path = filepath.Join(s.dir, "tools")
	for _, d := range []string{s.path, filepath.Join(s.dir, "home"), filepath.Join(s.dir, "down load")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, tool := range strings.Fields("sh cat chmod cp cut dirname gzip id mkdir mktemp mv rm rmdir sha256sum shasum tar tr uname") {
		if p, err := exec.LookPath(tool); err == nil {
			if err := os.Symlink(p, filepath.Join(s.path, tool)); err != nil {
				t.Fatal(err)
			}
		}
	}
	script, err := os.ReadFile("../../install.sh")
	if err != nil {
		t.Fatal(err)
	}
	s.write("install.sh", string(script))
	files := []file{{name: "hcloud-modelarts", data: []byte(program), program: true}, {name: "install.sh", data: script, program: true}}
	packed, err := tarred(stem, date, append(files, sums(files)))
	if err != nil {
		t.Fatal(err)
	}
	s.archive, s.sum = "down load/"+stem+".tar.gz", "down load/SHA256SUMS"
	s.write(s.archive, string(packed))
	s.write(s.sum, string(sums([]file{{name: stem + ".tar.gz", data: packed}}).data))
	return s
}

func (s *sandbox) write(name, text string) {
	s.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644); err != nil {
		s.Fatal(err)
	}
}

// run runs a script of the sandbox with arguments and more of the environment.
func (s *sandbox) run(env []string, script string, args ...string) (string, bool) {
	s.Helper()
	words := append(strings.Fields(s.shell), script)
	first, err := exec.LookPath(words[0])
	if err != nil {
		s.Fatal(err)
	}
	cmd := exec.Command(first, append(words[1:], args...)...)
	cmd.Dir = s.dir
	cmd.Env = append([]string{"PATH=" + s.path, "HOME=" + s.dir + "/home", "TMPDIR=" + s.TempDir()}, env...)
	out, err := cmd.CombinedOutput()
	left, _ := filepath.Glob(filepath.Join(strings.TrimPrefix(cmd.Env[2], "TMPDIR="), "*"))
	if len(left) > 0 {
		s.Errorf("%v leaves %v", args, left)
	}
	return string(out), err == nil
}

// installed lists the files below a folder of the sandbox.
func (s *sandbox) installed(dir string) string {
	s.Helper()
	files, err := below(filepath.Join(s.dir, dir))
	if err != nil && !os.IsNotExist(err) {
		s.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.name)
	}
	return strings.Join(names, " ")
}

const everything = "bin/hcloud-modelarts share/bash-completion/completions/hcloud-modelarts share/fish/vendor_completions.d/hcloud-modelarts.fish" +
	" share/hcloud-modelarts/completion.ps1 share/hcloud-modelarts/folders share/man/man1/hcloud-modelarts.1 share/man/zh_CN/man1/hcloud-modelarts.1 share/zsh/site-functions/_hcloud-modelarts"

// TestInstallFromArchive: in every shell that is here, an archive is installed
// without Go, and removed without a trace.
func TestInstallFromArchive(t *testing.T) {
	for _, shell := range shells() {
		t.Run(shell, func(t *testing.T) {
			s := newSandbox(t, shell)
			out, ok := s.run(nil, "install.sh", "--from", s.archive)
			bin := s.dir + "/home/.local/bin"
			if !ok || !strings.Contains(out, "installed "+bin+"/hcloud-modelarts\nhcloud-modelarts 9.9\n") || !strings.Contains(out, `export PATH="`+bin+`:$PATH"`) {
				t.Fatalf("installing: %s", out)
			}
			if got := s.installed("home/.local"); got != everything {
				t.Errorf("installed: %s", got)
			}
			if page, err := os.ReadFile(s.dir + "/home/.local/share/man/zh_CN/man1/hcloud-modelarts.1"); err != nil || string(page) != "man --lang=zh\n" {
				t.Errorf("the Chinese page: %q, %v", page, err)
			}
			if info, err := os.Stat(bin + "/hcloud-modelarts"); err != nil || info.Mode().Perm() != 0o755 {
				t.Errorf("the program's mode: %v, %v", info.Mode(), err)
			}
			if out, ok := s.run([]string{"PATH=" + s.path + ":" + bin}, "install.sh", "--from", s.archive, s.sum); !ok || strings.Contains(out, "not in PATH") {
				t.Errorf("installing over it: %s", out)
			}
			if out, ok := s.run(nil, "install.sh", "--uninstall"); !ok || !strings.Contains(out, "removed "+bin+"/hcloud-modelarts") {
				t.Errorf("removing: %s", out)
			}
			if got := s.installed("home/.local"); got != "" {
				t.Errorf("left: %s", got)
			}
			if out, ok := s.run(nil, "install.sh", "--uninstall"); !ok || !strings.Contains(out, bin+"/hcloud-modelarts is not there, nothing to remove") {
				t.Errorf("removing what is not there: %s", out)
			}
		})
	}
}

// TestUninstallRemovesFolders: the folders that were made are removed once nothing
// lies in them, also after a second installation over the first; those that were
// there before, and those that hold something of the user's, stay.
func TestUninstallRemovesFolders(t *testing.T) {
	for _, shell := range shells() {
		t.Run(shell, func(t *testing.T) {
			s := newSandbox(t, shell)
			install := func(prefix string) {
				if out, ok := s.run([]string{"PREFIX=" + prefix}, "install.sh", "--from", s.archive); !ok {
					t.Fatalf("installing into %s: %s", prefix, out)
				}
			}
			uninstall := func(prefix string) {
				if out, ok := s.run([]string{"PREFIX=" + prefix}, "install.sh", "--uninstall"); !ok {
					t.Fatalf("removing from %s: %s", prefix, out)
				}
			}
			for _, prefix := range []string{"new/ a folder ", s.dir + "/new/-rf", "new/two\nlines"} {
				install(prefix)
				install(prefix)
				uninstall(prefix)
			}
			if got := s.folders("new"); got != "new new/two\nlines new/two\nlines/bin new/two\nlines/share new/two\nlines/share/bash-completion new/two\nlines/share/bash-completion/completions"+
				" new/two\nlines/share/fish new/two\nlines/share/fish/vendor_completions.d new/two\nlines/share/man new/two\nlines/share/man/man1 new/two\nlines/share/man/zh_CN"+
				" new/two\nlines/share/man/zh_CN/man1 new/two\nlines/share/zsh new/two\nlines/share/zsh/site-functions" {
				t.Errorf("left of what was not there: %q", got)
			}
			s.mkdir("old/bin")
			s.mkdir("old/share/man/man1")
			install("old")
			s.mkdir("old/share/zsh/site-functions/of the user")
			s.write("old/share/fish/mine", "")
			uninstall("old")
			if got := s.folders("old"); got != "old old/bin old/share old/share/fish old/share/man old/share/man/man1 old/share/zsh old/share/zsh/site-functions old/share/zsh/site-functions/of the user" {
				t.Errorf("left of what was there: %q", got)
			}
		})
	}
}

// folders lists the folders below one of the sandbox, itself among them.
func (s *sandbox) folders(dir string) string {
	s.Helper()
	var names []string
	err := filepath.WalkDir(filepath.Join(s.dir, dir), func(p string, d os.DirEntry, err error) error {
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		if err == nil && d.IsDir() {
			names = append(names, strings.TrimPrefix(p, s.dir+"/"))
		}
		return nil
	})
	if err != nil {
		s.Fatal(err)
	}
	return strings.Join(names, " ")
}

// TestInstallUnpacked: the script of an unpacked archive installs the program
// that lies beside it, from any folder and to a relative one.
func TestInstallUnpacked(t *testing.T) {
	s := newSandbox(t, "sh")
	if out, err := exec.Command("tar", "-xzf", filepath.Join(s.dir, s.archive), "-C", s.dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	out, ok := s.run([]string{"PREFIX=here/", "CDPATH=" + s.dir}, stem+"/install.sh")
	if !ok || !strings.Contains(out, "installed "+s.dir+"/here/bin/hcloud-modelarts\n") || !strings.Contains(out, `PATH="`+s.dir+"/here/bin:$PATH") {
		t.Errorf("installing: %s", out)
	}
	if got := s.installed("here"); got != everything {
		t.Errorf("installed: %s", got)
	}
	s.write(stem+"/hcloud-modelarts", program+"# changed")
	if out, ok := s.run(nil, stem+"/install.sh"); ok || !strings.Contains(out, "damaged or was changed") {
		t.Errorf("a changed program: %s", out)
	}
	if err := os.Remove(filepath.Join(s.dir, stem, "SHA256SUMS")); err != nil {
		t.Fatal(err)
	}
	if out, ok := s.run(nil, stem+"/install.sh"); ok || !strings.Contains(out, "SHA256SUMS is missing") {
		t.Errorf("a program without checksums: %s", out)
	}
	if got := s.installed("home"); got != "" {
		t.Errorf("installed all the same: %s", got)
	}
}

// TestInstallRefuses: what cannot be installed says why and what to do, and
// leaves nothing behind.
func TestInstallRefuses(t *testing.T) {
	root := os.Getuid() == 0
	for _, tt := range []struct {
		name   string
		before func(s *sandbox)
		env    []string
		args   []string
		want   string
	}{
		{"damaged", func(s *sandbox) { s.write(s.archive, "x") }, nil, nil, "damaged or was changed: nothing was installed; download it again"},
		{"not listed", func(s *sandbox) { s.write(s.sum, "00  other.tar.gz\n") }, nil, nil, "does not list " + stem + ".tar.gz"},
		{"no checksums", func(s *sandbox) { s.remove(s.sum) }, nil, nil, "get the SHA256SUMS of the release"},
		{"no archive", func(s *sandbox) { s.remove(s.archive) }, nil, nil, "is not there: name an archive"},
		{"no tool for checksums", func(s *sandbox) { s.remove("tools/sha256sum"); s.remove("tools/shasum") }, nil, nil, "install one of them"},
		{"zip", func(s *sandbox) { s.pretend("x.zip", "PK") }, nil, []string{"--from", "x.zip"}, "put its folder into PATH"},
		{"not an archive", func(s *sandbox) { s.pretend("x.tar.gz", "x") }, nil, []string{"--from", "x.tar.gz"}, "cannot be unpacked"},
		{"another archive", func(s *sandbox) {
			packed, err := tarred("other", date, []file{{name: "tool"}})
			if err != nil {
				s.Fatal(err)
			}
			s.pretend("x.tar.gz", string(packed))
		}, nil, []string{"--from", "x.tar.gz"}, "holds no hcloud-modelarts"},
		{"another system", func(s *sandbox) {
			packed, err := tarred("other", date, []file{{name: "hcloud-modelarts", data: []byte("\x7fELF of another machine")}})
			if err != nil {
				s.Fatal(err)
			}
			s.pretend("x.tar.gz", string(packed))
		}, nil, []string{"--from", "x.tar.gz"}, "take the archive for this system"},
		{"a folder in its place", func(s *sandbox) { s.mkdir("home/.local/bin/hcloud-modelarts") }, nil, nil, "is a folder: remove it, or choose another place"},
		{"a file in place of a folder", func(s *sandbox) { s.write("file", "") }, []string{"PREFIX=file"}, nil, "choose another place with PREFIX=DIR"},
		{"read-only", func(s *sandbox) { s.mkdir("locked"); s.chmod("locked", 0o555) }, []string{"PREFIX=locked"}, nil, "cannot write to "},
		{"no home", func(*sandbox) {}, []string{"HOME="}, nil, "say where to install with PREFIX=DIR"},
		{"no source", func(*sandbox) {}, nil, []string{}, "name an archive with --from ARCHIVE"},
		{"a checkout without Go", func(s *sandbox) { s.write("go.mod", "module x\n") }, nil, []string{}, "or install from an archive of a release with --from"},
		{"no argument", func(*sandbox) {}, nil, []string{"--from"}, "unknown arguments: --from"},
		{"too many", func(*sandbox) {}, nil, []string{"--uninstall", "all"}, "unknown arguments: --uninstall all"},
		{"a folder to remove", func(s *sandbox) { s.mkdir("home/.local/bin/hcloud-modelarts") }, nil, []string{"--uninstall"}, "it stays"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "read-only" && root {
				t.Skip("nothing is read-only for root")
			}
			s := newSandbox(t, "sh")
			tt.before(s)
			if tt.args == nil {
				tt.args = []string{"--from", s.archive}
			}
			out, ok := s.run(tt.env, "install.sh", tt.args...)
			if ok || !strings.Contains(out, tt.want) {
				t.Errorf("it says %q, want %q", out, tt.want)
			}
			if got := s.installed("home"); got != "" {
				t.Errorf("installed all the same: %s", got)
			}
			if got := s.folders("home"); tt.name != "a folder in its place" && tt.name != "a folder to remove" && got != "home" {
				t.Errorf("it leaves the folders %s", got)
			}
		})
	}
}

// pretend writes a file, and checksums of it beside.
func (s *sandbox) pretend(name, text string) {
	s.write(name, text)
	s.write("SHA256SUMS", string(sums([]file{{name: name, data: []byte(text)}}).data))
}

func (s *sandbox) remove(name string) {
	if err := os.Remove(filepath.Join(s.dir, name)); err != nil && !os.IsNotExist(err) {
		s.Fatal(err)
	}
}

func (s *sandbox) mkdir(name string) {
	if err := os.MkdirAll(filepath.Join(s.dir, name), 0o755); err != nil {
		s.Fatal(err)
	}
}

func (s *sandbox) chmod(name string, mode os.FileMode) {
	if err := os.Chmod(filepath.Join(s.dir, name), mode); err != nil {
		s.Fatal(err)
	}
}

// TestInstallWithoutShare: a program without its completions is better than none.
func TestInstallWithoutShare(t *testing.T) {
	s := newSandbox(t, "sh")
	s.mkdir("home/.local")
	s.write("home/.local/share", "")
	out, ok := s.run(nil, "install.sh", "--from", s.archive)
	if !ok || !strings.Contains(out, "left out "+s.dir+"/home/.local/share/man/man1/hcloud-modelarts.1, which cannot be written") {
		t.Errorf("installing: %s", out)
	}
}

// TestInstallCutShort: a copy of the script that lost its end does nothing.
func TestInstallCutShort(t *testing.T) {
	s := newSandbox(t, "sh")
	script, err := os.ReadFile("../../install.sh")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(script), "\n"), "\n")
	for n := range len(lines) {
		s.write("cut.sh", strings.Join(lines[:n], ""))
		s.run(nil, "cut.sh", "--from", s.archive)
		if got := s.installed("home"); got != "" {
			t.Fatalf("cut behind %d lines it installs %s", n, got)
		}
	}
}
