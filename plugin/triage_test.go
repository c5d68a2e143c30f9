package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/clipperhouse/displaywidth"
)

// tickets writes a pile of so many cases: failures, logs that do not decide and
// files that cannot be read.
func tickets(t *testing.T, n int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tickets")
	for i := range n {
		text := failure
		switch i % 5 {
		case 1:
			text = undetermined
		case 2:
			text = strings.Replace(failure, "torch.OutOfMemoryError: CUDA out of memory.", "ModuleNotFoundError: No module named 'flash_attn'", 1)
		case 3:
			text = strings.Repeat("\x00\x01\x02\xff", 300)
		}
		file := filepath.Join(dir, fmt.Sprintf("ticket-%03d", i), "train.log")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestTriageExitCodes runs each way in which triage ends.
func TestTriageExitCodes(t *testing.T) {
	dir := tickets(t, 5)
	file := filepath.Join(t.TempDir(), "x.json")
	vague := writeTemp(t, "vague.log", undetermined)
	rows := invoke(t, "", nil, "triage", "--format=ndjson", dir).stdout
	other := strings.Replace(rows, "device-oom", "host-oom", 1)
	for _, tt := range []struct {
		name, stdin string
		args        []string
		code        int
		stdout      string
		stderr      string
	}{
		{"table", "", []string{"triage", dir}, exitOK, "5 个案例，5 个作业：已定位 3，信息不足 1，无异常 0，无法读取 1", ""},
		{"table in English", "", []string{"triage", dir, "--lang=en"}, exitOK, "First failing rank", ""},
		{"json", "", []string{"triage", "--format=json", dir}, exitOK, `"schema": "hcloud-modelarts/triage/v1"`, ""},
		{"csv", "", []string{"triage", "--format=csv", dir}, exitOK, "job_id", ""},
		{"html", "", []string{"triage", "--format=html", dir}, exitOK, "<!DOCTYPE html>", ""},
		{"junit", "", []string{"triage", "--format=junit", dir}, exitOK, `tests="5" failures="3" errors="1" skipped="1"`, ""},
		{"markdown", "", []string{"triage", "--format=markdown", dir}, exitOK, "## 同类故障", ""},
		{"list on standard input", vague + "\n" + dir + "\n", []string{"triage", "-", "--format=markdown"}, exitOK, "vague.log", ""},
		{"list with lines of blanks", " \r\n\n" + vague + "\r\n  \n", []string{"triage", "-", "--lang=en"}, exitOK, "1 cases, 1 jobs", ""},
		{"list with NUL", vague + "\x00" + dir + "\x00", []string{"triage", "-", "--format=markdown"}, exitOK, "vague.log", ""},
		{"list with a path that is gone", "gone.log\n" + vague + "\n", []string{"triage", "-", "--format=ndjson"}, exitOK, "不存在", ""},
		{"list with a device", os.DevNull + "\n" + vague + "\n", []string{"triage", "-", "--format=ndjson", "--lang=en"}, exitOK, "is not a regular file or folder", ""},
		{"empty list", "", []string{"triage", "-"}, exitOK, "0 个案例", ""},
		{"empty list for programs", "", []string{"triage", "-", "--format=ndjson"}, exitOK, "", ""},
		{"faults with --exit-code", "", []string{"triage", "--exit-code", dir}, exitFault, "ticket-000", ""},
		{"no verdict with --exit-code", "", []string{"triage", "--exit-code", vague}, exitInsufficient, "vague.log", ""},
		{"merge", rows, []string{"triage", "merge", "-"}, exitOK, "5 个案例", ""},
		{"file", "", []string{"triage", dir, "--format=json", "-o", file}, exitOK, "", ""},

		{"missing path", "", []string{"triage", dir, "no-such-folder"}, exitFailed, "", `"no-such-folder" 不存在`},
		{"nothing", "", []string{"triage", t.TempDir()}, exitFailed, "", "没有可读的内容"},
		{"merge of no result", "{}", []string{"triage", "merge", "-"}, exitFailed, "", "不是 triage --format ndjson 的结果"},
		{"merge of a result with a damaged line", rows + "{\n", []string{"triage", "merge", "-", "--lang=en"}, exitFailed, "", "line 6: "},
		{"merge of two diagnoses", "", []string{"triage", "merge", writeTemp(t, "a", rows), writeTemp(t, "b", other)}, exitFailed, "", "诊断不同"},
		{"folder as output", "", []string{"triage", dir, "-o", dir}, exitFailed, "", "无法写入"},
		{"resume without a file", "", []string{"triage", dir, "--resume"}, exitUsage, "", "--resume 需要 --output"},
		{"wrong shard", "", []string{"triage", dir, "--shard=9/8"}, exitUsage, "", "--shard"},
		{"wrong shard in English", "", []string{"triage", dir, "--shard=x", "--lang=en"}, exitUsage, "", "expected a part such as 3/8"},
		{"negative jobs", "", []string{"triage", dir, "--jobs=-1"}, exitUsage, "", "--jobs 不能为负数"},
		{"wrong format", "", []string{"triage", dir, "--format=xml"}, exitUsage, "", "--format 只能是"},
		{"no path", "", []string{"triage", "--lang=en"}, exitUsage, "", "expected"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := invoke(t, tt.stdin, nil, tt.args...)
			if got.code != tt.code {
				t.Errorf("exit code %d, want %d", got.code, tt.code)
			}
			checkPart(t, "stdout", got.stdout, tt.stdout)
			checkPart(t, "stderr", got.stderr, tt.stderr)
		})
	}
}

// TestTriageFormsMerge: eight shards put together give the very bytes of one
// run, in every form.
func TestTriageFormsMerge(t *testing.T) {
	dir := tickets(t, 24)
	var shards []string
	for i := range 8 {
		file := filepath.Join(t.TempDir(), fmt.Sprintf("shard-%d.ndjson", i))
		got := invoke(t, "", nil, "triage", dir, fmt.Sprintf("--shard=%d/8", i+1), "--format=ndjson", "-o", file)
		if got != (outcome{}) {
			t.Fatalf("shard %d: %+v", i, got)
		}
		shards = append([]string{file}, shards...)
	}
	var all strings.Builder // as a pipe would hand them on: one behind the other
	for _, file := range shards {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	if got, want := invoke(t, all.String(), nil, "triage", "merge", "-"), invoke(t, "", nil, "triage", dir); got != want {
		t.Errorf("one stream of rows differs:\n%s", got.stdout)
	}
	for _, format := range []string{"table", "json", "ndjson", "csv", "html", "junit", "markdown"} {
		want := invoke(t, "", nil, "triage", dir, "--format", format)
		got := invoke(t, "", nil, append([]string{"triage", "merge", "--format", format}, shards...)...)
		if got != want {
			t.Errorf("%s differs:\n%.2000s\nwant:\n%.2000s", format, got.stdout, want.stdout)
		}
		if again := invoke(t, "", nil, "triage", dir, "--format", format, "--jobs=5"); again != want {
			t.Errorf("%s differs with 5 jobs", format)
		}
	}
}

// TestTriageInterrupted: a signal keeps what is done; the next run is told how
// to go on, and goes on only when asked to.
func TestTriageInterrupted(t *testing.T) {
	dir := tickets(t, 200)
	file := filepath.Join(t.TempDir(), "out.ndjson")
	want := invoke(t, "", nil, "triage", dir, "--format=ndjson").stdout
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for ctx.Err() == nil {
			if info, err := os.Stat(file + ".partial"); err == nil && info.Size() > 0 {
				cancel()
			}
		}
	}()
	var out, errs bytes.Buffer
	code := run(ctx, []string{"triage", dir, "--format=ndjson", "-o", file}, nil, strings.NewReader(""), &out, &errs)
	if code != exitInterrupted || !strings.Contains(errs.String(), "--resume") || out.Len() > 0 {
		t.Fatalf("exit code %d, stdout %q, stderr %q", code, out.String(), errs.String())
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("an interrupted run left a result")
	}
	for _, tt := range []struct {
		args []string
		code int
		part string
	}{
		{nil, exitUsage, "加 --resume 继续"},
		{[]string{"--resume", "--max-line=4K"}, exitUsage, "其他选项"},
		{[]string{"--resume"}, exitOK, ""},
	} {
		got := invoke(t, "", nil, append([]string{"triage", dir, "--format=ndjson", "-o", file}, tt.args...)...)
		if got.code != tt.code || !strings.Contains(got.stderr, tt.part) {
			t.Errorf("%v: %+v", tt.args, got)
		}
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != want {
		t.Errorf("the resumed run differs: %v", err)
	}
	if entries, err := os.ReadDir(filepath.Dir(file)); err != nil || len(entries) != 1 {
		t.Errorf("something is left beside the result: %v %v", entries, err)
	}
}

// TestTriageKilled: killed at random moments, again and again, and resumed, a
// run loses nothing and doubles nothing.
func TestTriageKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	dir := tickets(t, 600)
	want := invoke(t, "", nil, "triage", dir, "--format=ndjson").stdout
	chance := newChance(t)
	start := time.Now()
	killed(t, time.Minute, "triage", dir, "--format=ndjson", "-o", filepath.Join(t.TempDir(), "whole.ndjson"))
	whole := time.Since(start)
	kills := 0
	for rounds := 0; kills < 6 && rounds < 50; rounds++ {
		file := filepath.Join(t.TempDir(), "out.ndjson")
		for killed(t, time.Duration(chance.Int64N(int64(whole))), "triage", dir, "--format=ndjson", "--resume", "-o", file) {
			kills++
		}
		if left, err := os.ReadDir(filepath.Dir(file)); err != nil || len(left) != 1 {
			t.Fatalf("beside the result are %v, %v", left, err)
		}
		data, err := os.ReadFile(file)
		if err != nil || string(data) != want {
			t.Fatalf("after %d kills the result differs: %v", kills, err)
		}
	}
	if kills == 0 {
		t.Error("no run was killed before its end")
	}
}

// newChance gives random numbers whose seed a failure tells.
func newChance(t *testing.T) *rand.Rand {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// killed starts the program and kills it after a while; it reports whether it
// was still running.
func killed(t *testing.T, after time.Duration, args ...string) bool {
	t.Helper()
	cmd := exec.Command(name, args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { cmd.Process.Kill() })
	err := cmd.Wait()
	timer.Stop()
	if err != nil && cmd.ProcessState.Exited() {
		t.Fatalf("the program ended by itself: %v: %s", err, errs.String())
	}
	return err != nil
}

// TestLeftOver: what a killed run had begun to write is removed by the next, and
// nothing else is.
func TestLeftOver(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".out.csv.99999999-0.tmp", ".out.csv2.99999999-0.tmp", "out.csv.tmp", ".out.csv.notes"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := invoke(t, "", nil, "triage", tickets(t, 2), "--format=csv", "-o", filepath.Join(dir, "out.csv")); got != (outcome{}) {
		t.Fatalf("%+v", got)
	}
	var names []string
	left, err := os.ReadDir(dir)
	for _, e := range left {
		names = append(names, e.Name())
	}
	if got := strings.Join(names, " "); err != nil || got != ".out.csv.notes .out.csv2.99999999-0.tmp out.csv out.csv.tmp" {
		t.Errorf("left are %s, %v", got, err)
	}
}

// TestProgressLine: a terminal sees a bar with the rate and the time left, never
// longer than a line; what is no terminal sees nothing.
func TestProgressLine(t *testing.T) {
	c := &console{lang: "en", stderr: &bytes.Buffer{}}
	p := c.progress(100, 20)
	if p.to != nil {
		t.Error("progress goes to what is no terminal")
	}
	for _, tt := range []struct {
		done, columns int
		want          string
	}{
		{20, 120, "[########................................] 20 of 100 cases, 0 a second, - left, 0 unreadable"},
		{60, 120, "[########################................] 60 of 100 cases, 10 a second, 0:04 left, 0 unreadable"},
		{60, 68, "[######.....] 60 of 100 cases, 10 a second, 0:04 left, 0 unreadable"},
		{60, 20, "60 of 100 cases, 10"},
	} {
		p.done = tt.done
		got := p.line(p.start.Add(4*time.Second), tt.columns)
		if got != tt.want || displaywidth.String(got) >= tt.columns {
			t.Errorf("in %d columns the line is %q, want %q", tt.columns, got, tt.want)
		}
	}
}
