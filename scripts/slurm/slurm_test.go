// Package slurm tests the job array against a real Slurm: a controller and a
// node daemon on this machine, started by the test and ended with it.
package slurm

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"
)

// cluster is a Slurm of one node.
type cluster struct {
	dir string
	env []string
}

// start starts a Slurm of one node, or skips the test where that cannot be.
func start(t *testing.T) *cluster {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a Slurm")
	}
	for _, program := range []string{"munged", "slurmctld", "slurmd", "sbatch", "sinfo"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed (Debian's slurm-wlm and munge have it): the job array is not tested", program)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("a node daemon of Slurm needs root: the job array is not tested")
	}
	c := &cluster{dir: socketDir(t)}
	c.configure(t)
	c.daemon(t, "munged", "--foreground", "--force", "--key-file="+c.path("munge.key"), "--socket="+c.path("munge.sock"),
		"--pid-file="+c.path("munge.pid"), "--log-file="+c.path("munge.log"), "--seed-file="+c.path("munge.seed"))
	c.wait(t, "the authentication service", func() bool { _, err := os.Stat(c.path("munge.sock")); return err == nil })
	c.daemon(t, "slurmctld", "-D", "-i")
	c.daemon(t, "slurmd", "-D", "-N", "node")
	c.wait(t, "an idle node", func() bool {
		out, _ := c.run("sinfo", "--noheader", "--format=%t")
		return strings.TrimSpace(out) == "idle"
	})
	return c
}

// socketDir is a folder whose name is short enough for a socket in it.
func socketDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "slurm")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func (c *cluster) path(name string) string { return filepath.Join(c.dir, name) }

func (c *cluster) configure(t *testing.T) {
	t.Helper()
	key := make([]byte, 128)
	if _, err := rand.Read(key); err != nil {
		t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	conf := fmt.Sprintf(`ClusterName=test
SlurmctldHost=%s(127.0.0.1)
SlurmctldPort=%d
SlurmdPort=%d
SlurmUser=root
AuthInfo=socket=%s
StateSaveLocation=%[5]s/state
SlurmdSpoolDir=%[5]s/spool
SlurmctldPidFile=%[5]s/ctld.pid
SlurmdPidFile=%[5]s/d.pid
SlurmctldLogFile=%[5]s/ctld.log
SlurmdLogFile=%[5]s/d.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
SchedulerParameters=sched_interval=1,sched_min_interval=0
MinJobAge=10
NodeName=node NodeHostname=%[1]s NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=test Nodes=node Default=YES MaxTime=INFINITE State=UP
`, host, freePort(t), freePort(t), c.path("munge.sock"), c.dir)
	for name, data := range map[string][]byte{"munge.key": key, "slurm.conf": []byte(conf)} {
		if err := os.WriteFile(c.path(name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, sub := range []string{"state", "spool"} {
		if err := os.Mkdir(c.path(sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c.env = append(os.Environ(), "SLURM_CONF="+c.path("slurm.conf"))
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// daemon starts a program that runs until the test ends.
func (c *cluster) daemon(t *testing.T, program string, args ...string) {
	t.Helper()
	var log bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = c.env, &log, &log
	if err := cmd.Start(); err != nil {
		t.Skipf("%s does not start (%v): the job array is not tested", program, err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		timer := time.AfterFunc(10*time.Second, func() { cmd.Process.Kill() })
		cmd.Wait()
		timer.Stop()
		if t.Failed() {
			t.Logf("%s: %.4000s", program, log.String())
		}
	})
}

func (c *cluster) wait(t *testing.T, what string, there func() bool) {
	t.Helper()
	for end := time.Now().Add(40 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if there() {
			return
		}
	}
	for _, name := range []string{"ctld.log", "d.log", "munge.log"} {
		data, _ := os.ReadFile(c.path(name))
		t.Logf("%s: %.4000s", name, data)
	}
	t.Skipf("there is no %s on this machine: the job array is not tested", what)
}

func (c *cluster) run(program string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = c.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// build builds the program and writes some cases.
func build(t *testing.T) (program, cases string) {
	t.Helper()
	dir := t.TempDir()
	program, cases = filepath.Join(dir, "hcloud-modelarts"), filepath.Join(dir, "cases")
	for _, args := range [][]string{{"build", "-o", program, "../../plugin"}, {"run", "../tickets", "-n", "60", cases}} {
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			t.Fatalf("go %v: %v\n%s", args, err, out)
		}
	}
	return program, cases
}

// fragile is the program, but its shard 2 is killed and its shard 3 fails when
// they are run for the first time.
const fragile = `#!/bin/sh
case "$*" in
  *--shard\ 2/4*) [ -e %[1]s/2 ] || { touch %[1]s/2; kill -KILL $$; } ;;
  *--shard\ 3/4*) [ -e %[1]s/3 ] || { touch %[1]s/3; exit 1; } ;;
esac
exec %[2]s "$@"
`

// TestJobArray: an array whose shards fail at first ends with the very bytes of
// one run over all cases.
func TestJobArray(t *testing.T) {
	c := start(t)
	program, cases := build(t)
	wrapper := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(wrapper, fmt.Appendf(nil, fragile, filepath.Dir(wrapper), program), 0o755); err != nil {
		t.Fatal(err)
	}
	c.env = append(c.env, "HCLOUD_MODELARTS="+wrapper)
	dir := filepath.Join(t.TempDir(), "results")
	if out, err := c.run("./triage.sh", "-n", "4", "-r", "0", "-o", dir, cases, "--", "--time=5", "--partition=test"); err == nil || !strings.Contains(out, "shards without a result: 2 3") {
		t.Fatalf("two shards fail and nobody says so: %v\n%s", err, out)
	}
	os.RemoveAll(dir)
	for _, mark := range []string{"2", "3"} {
		os.Remove(filepath.Join(filepath.Dir(wrapper), mark))
	}
	if out, err := c.run("./triage.sh", "-n", "4", "-o", dir, cases, "--", "--time=5", "--partition=test"); err != nil {
		logs, _ := filepath.Glob(filepath.Join(dir, "*.log"))
		for _, l := range logs {
			data, _ := os.ReadFile(l)
			t.Logf("%s: %s", l, data)
		}
		t.Fatalf("triage.sh: %v\n%s", err, out)
	}
	for _, format := range []string{"ndjson", "html"} {
		want, err := exec.Command(program, "triage", cases, "--format", format).Output()
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, "triage."+format))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("the %s of the array has %d bytes, that of one run %d: %v", format, len(got), len(want), err)
		}
	}
}

// TestUsage: what is wrong is said in one line.
func TestUsage(t *testing.T) {
	for want, args := range map[string][]string{
		"name a folder": {"cases"}, "name the cases": {"-o", t.TempDir()}, "usage: triage.sh": {"-x"},
	} {
		out, err := exec.Command("./triage.sh", args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("triage.sh %v: %v\n%s", args, err, out)
		}
	}
}

// TestPage: the manifest that the page shows is one of an Indexed Job, the same
// in both languages, and takes each shard once.
func TestPage(t *testing.T) {
	var manifests []string
	for _, file := range []string{"../many-machines.md", "../many-machines.zh-CN.md"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(data), "```yaml\n")
		manifest, _, ok := strings.Cut(rest, "```")
		if !ok {
			t.Fatalf("%s shows no manifest", file)
		}
		manifests = append(manifests, manifest)
	}
	if manifests[0] != manifests[1] {
		t.Error("the two pages show different manifests")
	}
	var job struct {
		Kind string `yaml:"kind"`
		Spec struct {
			CompletionMode string `yaml:"completionMode"`
			Completions    int    `yaml:"completions"`
			Template       struct {
				Spec struct {
					Containers []struct {
						Args []string `yaml:"args"`
					} `yaml:"containers"`
				} `yaml:"spec"`
			} `yaml:"template"`
		} `yaml:"spec"`
	}
	if err := yaml.Load([]byte(manifests[0]), &job); err != nil {
		t.Fatal(err)
	}
	args := strings.Join(job.Spec.Template.Spec.Containers[0].Args, " ")
	if job.Kind != "Job" || job.Spec.CompletionMode != "Indexed" || !strings.Contains(args, fmt.Sprintf(`$((JOB_COMPLETION_INDEX + 1))/%d"`, job.Spec.Completions)) {
		t.Errorf("the manifest is of %+v", job)
	}
}
