package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hcloud-modelarts/plugin/manual"
)

// TestCompletion: the offers come from the real command tree.
func TestCompletion(t *testing.T) {
	cases, err := filepath.Abs(filepath.Join("..", "corpus", "cases", "recorded-with-hcloud"))
	if err != nil {
		t.Fatal(err)
	}
	env := []string{corpusVar + "=" + cases, langVar + "=en"}
	for line, want := range map[string]string{
		"ana":                              "analyze\tDiagnose saved logs and API answers.\n",
		"analyze --format=j":               "--format=json\t\n",
		"analyze tick":                     "",
		"triage --sha":                     "--shard\tOnly part I of N of the cases, such as 3/8.\n",
		"corpus sh":                        "show\tShow what a case holds and lacks.\n",
		"corpus show 6f":                   "6f1b2c58-20260602T015000Z\t\n",
		"diagnose --replay 6f":             "6f1b2c58-20260602T015000Z\t\n",
		"rules list --cause device-o":      "device-oom\t\n",
		"rules show torch-oom-al":          "torch-oom-allocator\t\n",
		"help expl":                        "explain\t\n",
		"completion z":                     "zsh\t\n",
		"job sto":                          "stop\tStop a training job\n",
		"job list --pha":                   "--phase\tstate, such as Failed or Running\n",
		"job create --train_type=L":        "--train_type=LORA\t\n",
		"api CreateTrainingJob --train_ty": "--train_type\tkind of fine-tuning\n",
		"api DeleteTrainingJ":              "DeleteTrainingJob\tDelete a training job\n",
		"price --nod":                      "--nodes\ta number of nodes from 1, such as 2\n",
		"__comp":                           "",
	} {
		got := invoke(t, "", env, append([]string{"__complete", "--"}, strings.Split(line, " ")...)...)
		if got.code != exitOK || got.stdout != want || got.stderr != "" {
			t.Errorf("%q: %+v, want %q", line, got, want)
		}
	}
	if a, b := invoke(t, "", env, "__complete", "--", `""`), invoke(t, "", env, "__complete", "--", ""); a.stdout != b.stdout || !strings.Contains(a.stdout, "analyze\t") {
		t.Errorf(`"" is not an empty word: %q`, a.stdout)
	}
	if got := invoke(t, "", nil, "completion", "tcsh"); got.code != exitUsage {
		t.Errorf("a shell that is unknown: %+v", got)
	}
}

// TestManual: both pages show every command, and a formatter finds no fault.
func TestManual(t *testing.T) {
	parser, err := newParser(&console{lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range []string{"en", "zh"} {
		page := invoke(t, "", nil, "man", "--lang", lang).stdout
		for _, leaf := range parser.Model.Leaves(true) {
			path := strings.ReplaceAll(strings.TrimPrefix(leaf.Path(), name+" "), "-", `\-`)
			if !strings.Contains(page, "\n.SS \""+path) {
				t.Errorf("the page in %s lacks %q", lang, path)
			}
		}
		if _, err := exec.LookPath("mandoc"); err != nil {
			continue
		}
		lint := exec.Command("mandoc", "-T", "lint", "-W", "warning")
		lint.Stdin = strings.NewReader(page)
		if out, _ := lint.CombinedOutput(); len(out) > 0 && strings.Contains(string(out), "ERROR") {
			t.Errorf("mandoc on the page in %s:\n%s", lang, out)
		}
	}
}

// TestCompletionScripts: each script is one that its shell can read.
func TestCompletionScripts(t *testing.T) {
	for _, shell := range manual.Shells {
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		check := exec.Command(shell, "-n")
		check.Stdin = strings.NewReader(invoke(t, "", nil, "completion", shell).stdout)
		if out, err := check.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
}
