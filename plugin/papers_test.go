package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"hcloud-modelarts/analyzer/rules"
)

func paper(t *testing.T, file string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// blocks gives the fenced blocks of a paper in one language.
func blocks(paper, lang string) []string {
	var found []string
	for _, m := range regexp.MustCompile("(?ms)^```"+lang+"\n(.*?)^```$").FindAllStringSubmatch(paper, -1) {
		found = append(found, m[1])
	}
	return found
}

// TestContributingExample: the worked example is a rule that loads.
func TestContributingExample(t *testing.T) {
	example := blocks(paper(t, "CONTRIBUTING.md"), "yaml")[0]
	id, _, _ := strings.Cut(strings.TrimPrefix(example, "id: "), "\n")
	pack, err := rules.Load(fstest.MapFS{"example/" + id + ".yaml": {Data: []byte(example)}})
	if err != nil {
		t.Fatal(err)
	}
	if pack.Rule(id) == nil {
		t.Errorf("there is no rule %q", id)
	}
}

// TestPathsInPapers: what the papers name is there.
func TestPathsInPapers(t *testing.T) {
	path := regexp.MustCompile("`((?:analyzer|plugin|corpus|golden|scripts|\\.ci)(?:/[a-z0-9_.-]+)*|install\\.sh)`")
	for _, file := range []string{"README.md", "README.zh-CN.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"} {
		for _, m := range path.FindAllStringSubmatch(paper(t, file), -1) {
			if _, err := os.Stat(filepath.Join("..", m[1])); err != nil {
				t.Errorf("%s names %s, which is not there", file, m[1])
			}
		}
	}
}

// shell runs a line in a copy of nothing: at the project's root, with the
// program's folder first in PATH.
func shell(t *testing.T, line string, env ...string) (string, error) {
	t.Helper()
	return shellIn("..", line, append(os.Environ(), env...))
}

func shellIn(dir, line string, env []string) (string, error) {
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestReadmeCommands runs the commands that the READMEs show with "$ ", and
// compares what they show below; -update rewrites that. A stand-in answers for
// hcloud, from a shipped case. The command that runs
// the tests would run this one again: it only has to be there.
func TestReadmeCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	prefix := t.TempDir()
	recorded, err := filepath.Abs(filepath.Join("..", "corpus", "cases", "recorded-with-hcloud", "input"))
	if err != nil {
		t.Fatal(err)
	}
	for file, lang := range map[string]string{"README.md": "en", "README.zh-CN.md": "cn"} {
		env := []string{
			"PREFIX=" + prefix, "HCLOUD_MODELARTS_CORPUS=" + t.TempDir(),
			"HCLOUD_MODELARTS_HCLOUD=" + stand(t, recorded, "--hcloud-lang="+lang),
		}
		text := paper(t, file)
		ran := 0
		for _, block := range blocks(text, "console") {
			for _, s := range sessions(block) {
				if strings.HasPrefix(s.command, "scripts/") {
					if _, err := os.Stat(filepath.Join("..", strings.Fields(s.command)[0])); err != nil {
						t.Errorf("%s: %v", file, err)
					}
					continue
				}
				ran++
				out, err := shell(t, s.command, env...)
				if err != nil {
					t.Errorf("%s: %s: %v\n%s", file, s.command, err, out)
				}
				if s.output == "" || out == s.output {
					continue
				}
				if *update {
					text = strings.Replace(text, "$ "+s.command+"\n"+s.output, "$ "+s.command+"\n"+out, 1)
					continue
				}
				t.Errorf("%s: %s prints (-paper +program):\n%s", file, s.command, cmp.Diff(s.output, out))
			}
		}
		if ran == 0 {
			t.Errorf("%s shows no command", file)
		}
		if *update {
			if err := os.WriteFile(filepath.Join("..", file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// session is one command of a console block and what it prints.
type session struct{ command, output string }

func sessions(block string) []session {
	var list []session
	for line := range strings.Lines(block) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			list = append(list, session{command: strings.TrimSpace(command)})
		} else if len(list) > 0 {
			list[len(list)-1].output += line
		}
	}
	return list
}

// TestInstall builds, installs and removes the program, and says what is wrong
// where it cannot.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	prefix := t.TempDir()
	program := filepath.Join(prefix, "bin", name)
	out, err := shell(t, "./install.sh", "PREFIX="+prefix)
	if err != nil || !strings.Contains(out, "installed "+program) || !strings.Contains(out, "export PATH=") {
		t.Fatalf("installing: %v\n%s", err, out)
	}
	if out, err := exec.Command(program, "version").Output(); err != nil || !strings.HasPrefix(string(out), name) {
		t.Errorf("the installed program: %q, %v", out, err)
	}
	out, err = shell(t, "./install.sh --uninstall", "PREFIX="+prefix)
	if err != nil || !strings.Contains(out, "removed "+program) {
		t.Errorf("removing: %v\n%s", err, out)
	}
	if entries, err := os.ReadDir(prefix); err != nil || len(entries) != 0 {
		t.Errorf("something is left: %v %v", entries, err)
	}
	for what, line := range map[string]string{
		"neither PREFIX nor":    "PREFIX= HOME= ./install.sh",
		"unknown argument":      "./install.sh --fast",
		"choose another place":  "PREFIX=/dev/null ./install.sh",
		"nothing to remove":     "PREFIX=" + prefix + " ./install.sh --uninstall",
		"usage: [PREFIX=DIR] .": "./install.sh --help",
	} {
		if out, _ := shell(t, line); !strings.Contains(out, what) {
			t.Errorf("%s does not say %q: %s", line, what, out)
		}
	}
}

// TestWhatItReads: every row of the table names cases that are there, every
// case of a form stands in one row, and both languages name the same.
func TestWhatItReads(t *testing.T) {
	folders, err := filepath.Glob("../corpus/cases/reads-*")
	if err != nil || len(folders) == 0 {
		t.Fatal("no cases of forms: ", err)
	}
	want := map[string]int{}
	for _, f := range folders {
		want[filepath.Base(f)] = 1
	}
	var tables [2][][]string
	for i, p := range []struct{ file, heading string }{{"README.md", "## What it reads"}, {"README.zh-CN.md", "## 能读什么"}} {
		_, section, ok := strings.Cut(paper(t, p.file), "\n"+p.heading+"\n")
		if !ok {
			t.Fatalf("%s has no section %q", p.file, p.heading)
		}
		section, _, _ = strings.Cut(section, "\n## ")
		got := map[string]int{}
		for _, row := range regexp.MustCompile(`(?m)^\|.*\|$`).FindAllString(section, -1)[2:] {
			cases := regexp.MustCompile("reads-[a-z0-9-]+").FindAllString(row, -1)
			if len(cases) == 0 {
				t.Errorf("%s: no case shows %s", p.file, row)
			}
			for _, c := range cases {
				got[c]++
			}
			tables[i] = append(tables[i], cases)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: cases by the rows that name them (-there +named):\n%s", p.file, d)
		}
	}
	if d := cmp.Diff(tables[0], tables[1]); d != "" {
		t.Errorf("rows (-README.md +README.zh-CN.md):\n%s", d)
	}
}
