package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestRecordAndReplay: what was recorded through a child process gives the same
// report without one.
func TestRecordAndReplay(t *testing.T) {
	cases := t.TempDir()
	program := stand(t, scene(t, oom(t)...))
	got := beside(t, program, cases, "record", "sft-8k-context")
	if got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	recorded := strings.TrimSpace(got.stdout)
	if verified := beside(t, "", cases, "corpus", "verify"); verified.code != exitOK || !strings.Contains(verified.stdout, "1 个案例") {
		t.Errorf("verify: %+v", verified)
	}
	live := beside(t, program, t.TempDir(), "diagnose", "sft-8k-context", "--no-record")
	for _, ref := range []string{recorded, filepath.Base(recorded), oomJob} {
		replayed := beside(t, "/nonexistent", cases, "diagnose", "--replay", ref)
		if replayed.code != exitOK || sameReport(replayed.stdout) != sameReport(live.stdout) {
			t.Errorf("replaying %q: %+v\nlive: %s", ref, replayed, live.stdout)
		}
	}
	analyzed := beside(t, "", cases, "analyze", recorded)
	if analyzed.code != exitOK || !strings.Contains(analyzed.stdout, "worker-1 上的 rank 11：加速卡显存不足") {
		t.Errorf("analyzing the folder: %+v", analyzed)
	}
	archive := filepath.Join(t.TempDir(), "case.zip")
	if got := beside(t, "", cases, "corpus", "export", oomJob, archive); got.code != exitOK {
		t.Fatalf("export: %+v", got)
	}
	if got := beside(t, "", t.TempDir(), "diagnose", "--replay", archive, "--format=json"); got.code != exitOK || !strings.Contains(got.stdout, `"cause": "device-oom"`) {
		t.Errorf("replaying an archive: %+v", got)
	}
	if entries, err := os.ReadDir(cases); err != nil || len(entries) != 1 {
		t.Errorf("replays were recorded: %v %v", entries, err)
	}
}

// sameReport takes the numbers of exchanges out of a report.
func sameReport(s string) string {
	return regexp.MustCompile(`exchanges/\d{4}-`).ReplaceAllString(s, "")
}

func TestResume(t *testing.T) {
	cases, answers := t.TempDir(), oom(t)
	program := stand(t, scene(t, answers...), "--fault=network@ShowTrainingJobLogsPreview")
	got := beside(t, program, cases, "record", oomJob)
	if got.code != exitOK || !strings.Contains(got.stderr, "还缺 2 项") {
		t.Fatalf("%+v", got)
	}
	shown := beside(t, "", cases, "corpus", "show", "6f1b2c58", "--lang=en")
	checkPart(t, "show", shown.stdout, "2 answers are missing: ShowTrainingJobLogsPreview worker-0, ShowTrainingJobLogsPreview worker-1")
	program = stand(t, scene(t, answers...))
	got = beside(t, program, cases, "record", "--resume", "6f1b2c58")
	if got.code != exitOK || strings.Contains(got.stderr, "还缺") {
		t.Errorf("%+v", got)
	}
	if calls := asked(got.stderr); !slices.Equal(calls, []string{"ShowTrainingJobDetails", "ShowTrainingJobLogsPreview", "ShowTrainingJobLogsPreview"}) {
		t.Errorf("a resumed recording asks %q", calls)
	}
}

// TestRecordFull downloads logs from a server that breaks off, refuses a link
// once, and takes ranges.
func TestRecordFull(t *testing.T) {
	log := strings.Repeat("2026-06-02 09:41:50 INFO step\n", 2000) + "the end\n"
	var ranges []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ranges = append(ranges, r.Header.Get("Range"))
		switch len(ranges) {
		case 1:
			w.Header().Set("Content-Length", fmt.Sprint(len(log)))
			w.Write([]byte(log[:30000]))
		case 2:
			w.WriteHeader(http.StatusForbidden)
		default:
			http.ServeContent(w, r, "", time.Time{}, strings.NewReader(log))
		}
	}))
	defer server.Close()
	answers := one(oomJob, "Failed", traceback, 1, "x\n", "Training job failed.")
	answers[len(answers)-1].out = fmt.Sprintf(`{"obs_url": "%s/worker-0.log?Signature=x"}`, server.URL)
	cases := t.TempDir()
	got := beside(t, stand(t, scene(t, answers...)), cases, "record", "--full", oomJob)
	if got.code != exitOK || len(ranges) != 3 || ranges[0] != "" || !strings.HasPrefix(ranges[2], "bytes=") {
		t.Fatalf("ranges %q: %+v", ranges, got)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(got.stdout), "logs", "modelarts-job-"+oomJob+"-worker-0.2.log"))
	if err != nil || string(data) != log {
		t.Errorf("the log has %d bytes, want %d; %v", len(data), len(log), err)
	}
	if strings.Contains(got.stderr, "Signature") {
		t.Errorf("the link is shown: %s", got.stderr)
	}
	again := beside(t, "", t.TempDir(), "diagnose", oomJob, "--replay", strings.TrimSpace(got.stdout))
	if again.code != exitOK {
		t.Errorf("replaying it: %+v", again)
	}
}

// TestInterruptedRecording: Ctrl-C keeps what was recorded and says with which
// command to go on; that command goes on.
func TestInterruptedRecording(t *testing.T) {
	for _, lang := range []string{"zh", "en"} {
		answers := oom(t)
		cases, replayed := filepath.Join(t.TempDir(), "my cases"), scene(t, answers...)
		program := stand(t, replayed)
		ctx, cancel := context.WithCancel(t.Context())
		var out bytes.Buffer
		errs := &cancelAt{text: "ListTrainingJobStages", cancel: cancel}
		env := append(os.Environ(), "HCLOUD_MODELARTS_HCLOUD="+program)
		code := run(ctx, []string{"record", oomJob, "--corpus", cases, "--region=cn-north-4", "--mask-buckets", "--lang", lang}, env, strings.NewReader(""), &out, errs)
		cancel()
		m := regexp.MustCompile("`hcloud-modelarts (record --resume .*)`").FindStringSubmatch(errs.String())
		if code != exitInterrupted || m == nil || !strings.Contains(m[1], "--region=cn-north-4") || !strings.Contains(m[1], "--mask-buckets") {
			t.Fatalf("exit code %d: %s", code, errs.String())
		}
		args := regexp.MustCompile(`'[^']*'|\S+`).FindAllString(m[1], -1)
		for i := range args {
			args[i] = strings.Trim(args[i], "'")
		}
		got := beside(t, program, t.TempDir(), args...)
		if got.code != exitOK || strings.Contains(got.stderr, "ShowTrainingJobLogsPreview") {
			t.Errorf("%q: %+v", args, got)
		}
	}
}

// cancelAt cancels once a text is written.
type cancelAt struct {
	bytes.Buffer
	text   string
	cancel func()
}

func (c *cancelAt) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte(c.text)) {
		c.cancel()
	}
	return c.Buffer.Write(p)
}
