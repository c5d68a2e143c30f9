//go:build unix

package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
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
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	chance := rand.New(rand.NewPCG(seed, 0))
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
	if problems, err := c.Verify(); len(problems) > 0 || err != nil {
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
		problems, err := c.Verify()
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
