package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestWatch follows a job until it fails, and one until it stands still.
func TestWatch(t *testing.T) {
	running := details(oomJob, "bert-sst2", "Running", "", 0)
	failed := one(oomJob, "Failed", traceback, 1, "x\n", "Training job failed.")
	answers := append([]said{{detailsOf(oomJob), details(oomJob, "bert-sst2", "Pending", "", 0)}, {detailsOf(oomJob), running}, {detailsOf(oomJob), running}}, failed...)
	program := stand(t, scene(t, answers...), "--state="+filepath.Join(t.TempDir(), "state"))
	cases := t.TempDir()
	got := beside(t, program, cases, "watch", oomJob, "--exit-code")
	if got.code != exitFault || !strings.Contains(got.stdout, "FileNotFoundError") {
		t.Fatalf("%+v", got)
	}
	for _, want := range []string{"Pending", "Running", "Failed", "已录制到 " + cases} {
		checkPart(t, "stderr", got.stderr, want)
	}
	if calls := asked(got.stderr); len(calls) < 8 {
		t.Errorf("it did not record everything: %q", calls)
	}

	still := one(oomJob, "Running", "", 0, "2026-06-02 09:41:50 INFO step 1\n", "Training job is running.")
	got = beside(t, stand(t, scene(t, still...)), t.TempDir(), "watch", oomJob, "--stall=10m", "--lang=en")
	if got.code != exitOK || !strings.Contains(got.stderr, "has not changed for 10m") {
		t.Errorf("a job that stands still: %+v", got)
	}
	if got := beside(t, "", t.TempDir(), "watch", oomJob, "--interval=0s"); got.code != exitUsage {
		t.Errorf("no interval: %+v", got)
	}
}

// TestClockJumpsWhileWatching: a clock that is put back and forward by years
// neither makes a job stand still that was not waited for, nor keeps a watch from
// seeing that it does; no wait is negative.
func TestClockJumpsWhileWatching(t *testing.T) {
	still := one(oomJob, "Running", "", 0, "2026-06-02 09:41:50 INFO step 1\n", "Training job is running.")
	var errs strings.Builder
	c := besideConsole(t, stand(t, scene(t, still...)), t.TempDir(), io.Discard, &errs)
	asked, waited := 0, time.Duration(0)
	c.now = func() time.Time {
		asked++
		return time.Date([]int{2026, 1970, 2190, 2026, 2009}[asked%5], 6, 2, 12, 0, 0, 0, time.UTC)
	}
	c.sleep = func(_ context.Context, d time.Duration) error {
		if waited += d; d < 0 || waited > time.Hour {
			return context.DeadlineExceeded
		}
		return nil
	}
	code := c.run([]string{"watch", oomJob, "--stall=10m", "--lang=en"})
	if code != exitOK || !strings.Contains(errs.String(), "has not changed for 10m") || waited < 10*time.Minute || waited > 15*time.Minute {
		t.Errorf("exit code %d after waiting %v: %s", code, waited, errs.String())
	}
}
