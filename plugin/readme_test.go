package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hcloud-modelarts/plugin/operations"
)

// TestReadmeShell runs every line of the READMEs' sh blocks in a folder that
// holds what the lines name, with a program in hcloud's place. Writes are agreed
// to with --yes, since there is no terminal to ask at.
func TestReadmeShell(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	comment := regexp.MustCompile(`\s+#.*$`)
	for _, file := range []string{"README.md", "README.zh-CN.md"} {
		ground := readmeGround(t)
		env := append(os.Environ(), "PATH="+filepath.Join(ground, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"),
			"PREFIX="+filepath.Join(ground, "prefix"), "HCLOUD_MODELARTS_CORPUS="+filepath.Join(ground, "corpus"))
		ran := 0
		for _, block := range blocks(paper(t, file), "sh") {
			for line := range strings.Lines(block) {
				line = comment.ReplaceAllString(strings.TrimSpace(line), "")
				if line == "" {
					continue
				}
				command := strings.NewReplacer("/data", "tickets", "job_id=ID", "job_id="+aJob).Replace(line)
				if writes(command) {
					command += " --yes"
				}
				ran++
				out, err := shellIn(ground, command, env)
				if err != nil {
					t.Errorf("%s: %s: %v\n%s", file, line, err, out)
				}
			}
		}
		if ran < 15 {
			t.Errorf("%s: only %d lines were run", file, ran)
		}
	}
}

// writes reports whether a line of a README calls an operation that changes
// something.
func writes(line string) bool {
	words := strings.Fields(line)
	if len(words) < 3 || words[0] != name {
		return false
	}
	for _, op := range operations.Default().Training() {
		if slices.ContainsFunc(op.Forms, func(f operations.Form) bool { return f.Noun == words[1] && f.Verb == words[2] }) {
			return op.Writes()
		}
	}
	return false
}

// readmeGround makes a folder with all that the READMEs' lines name.
func readmeGround(t *testing.T) string {
	t.Helper()
	ground := t.TempDir()
	put := func(file, content string, mode os.FileMode) {
		t.Helper()
		path := filepath.Join(ground, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
	}
	cases := filepath.Join("..", "corpus", "cases")
	for _, folder := range []string{"ticket-1187", "good-run", "bad-run", "tickets/a", "tickets/b"} {
		if err := os.CopyFS(filepath.Join(ground, folder), os.DirFS(filepath.Join(cases, "out-of-memory-on-one-rank", "input"))); err != nil {
			t.Fatal(err)
		}
	}
	put("worker-0.log", failure, 0o644)
	put("modelarts-job-"+aJob+"-worker-0.log", failure, 0o644)
	put("modelarts-job-"+aJob+"-worker-1.log", undetermined, 0o644)
	put("report.json", savedReport(t, filepath.Join(ground, "worker-0.log")), 0o644)
	put("job.json", strings.Replace(jobFile, "bert-sst2", "bert-mnli", 1), 0o644)
	put("bin/hcloud", "#!/bin/sh\n"+`exec cat "`+ground+`/answers/$2"`+"\n", 0o755)
	answers := willing().answers
	answers["ListTrainingJobs"] = jobList
	answers["CreateTrainJobTags"] = "{}"
	answers["list"] = `{"current": "default", "profiles": [{"name": "default", "mode": "AKSK", "region": "cn-north-4"}]}` // of "configure list"
	for operation, answer := range answers {
		put("answers/"+operation, answer, 0o644)
	}
	release := name + "_VERSION_linux_amd64"
	put(release+"/install.sh", paper(t, "install.sh"), 0o755)
	put(release+"/"+name, "#!/bin/sh\nexec "+name+" \"$@\"\n", 0o755)
	for _, archive := range []string{"cd " + release + " && sha256sum install.sh " + name + " >SHA256SUMS && cd .. && tar -czf " + release + ".tar.gz " + release + " && rm -r " + release, "tar -czf kernel.tar.gz worker-0.log", "tar -cf tickets/c.tar worker-0.log"} {
		if out, err := shellIn(ground, archive, os.Environ()); err != nil {
			t.Fatalf("%s: %v\n%s", archive, err, out)
		}
	}
	return ground
}
