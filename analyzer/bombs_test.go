package analyzer

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
)

// stuff is a log of n pieces, made while it is read.
type stuff struct {
	piece func(i int) string
	n, i  int
	rest  string
}

func (s *stuff) Read(p []byte) (int, error) {
	for s.rest == "" {
		if s.i == s.n {
			return 0, io.EOF
		}
		s.rest = s.piece(s.i)
		s.i++
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

func repeat(text string) func(int) string { return func(int) string { return text } }

func format(text string) func(int) string {
	return func(i int) string { return strings.ReplaceAll(text, "{i}", fmt.Sprint(i)) }
}

const smallTraceback = "Traceback (most recent call last):\n  File \"/a/b.py\", line 3, in f\n    g()\nKeyError: 'x{i}'\n"

// bait is text that makes a parser hold or look again at what it has read.
var bait = map[string]func(i int) string{
	"tracebacks":        format(smallTraceback),
	"headers alone":     repeat("Traceback (most recent call last):\n"),
	"a chain":           format(strings.TrimSuffix(smallTraceback, "\n") + "\n\nDuring handling of the above exception, another exception occurred:\n\n"),
	"frames":            repeat("  File \"/a/b.py\", line 3, in f\n    g()\n"),
	"groups":            repeat("  | ExceptionGroup: x (2 sub-exceptions)\n  +-+---------------- 1 ----------------\n"),
	"ranks":             format("[rank{i}]: KeyError: 1\n"),
	"processes":         format("(W pid={i}, ip=10.0.0.1) Traceback (most recent call last):\n"),
	"tasks of one file": format("[worker-{i}] 2026-06-01 10:00:00 ERROR RuntimeError: CUDA out of memory. Tried to allocate 1 GiB\n"),
	"failures":          repeat("RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0)\n"),
	"stacks":            repeat("#0 0x0000 in foo () from /lib/x.so\n"),
	"steps":             format("step {i} loss nan\n"),
	"syntax errors":     repeat("  File \"a.py\", line 1\n    x\n    ^\n"),
	"overprinting":      repeat("50%\r"),
	"escapes":           repeat("\x1b]0;"),
	"brackets":          repeat("[rank0]: (((("),
	"quotes":            repeat(`\"\\"`),
	"JSON that opens":   repeat("["),
	"objects that open": repeat(`{"a":`),
	"tags that open":    repeat("<pre><span <!--"),
	"rows":              repeat("| a | b | c |\n"),

	"blank lines":            repeat("\n"),
	"blank lines in a value": repeat("\n"),
	"blank lines in a cell":  repeat("\n"),
	"rows of CSV":            repeat("a,b\n"),
}

// begins stands before some bait, so that its parser is chosen.
var begins = map[string]string{
	"tags that open": "<html>",
	"rows":           "+--+\n| time | level | message |\n+--+\n",

	"blank lines in a value": "{\"a\":",
	"blank lines in a cell":  "time,message\n2026-06-01 10:00:00,\"x",
	"rows of CSV":            "time,message\n",
}

func diagnoseStuff(t *testing.T, name string, bytes int) []report.Report {
	t.Helper()
	one := bait[name]
	log := io.MultiReader(strings.NewReader(begins[name]), &stuff{piece: one, n: bytes / len(one(1))})
	reports, err := Diagnose([]source.Root{{Name: "x.log", Reader: log}}, Options{Lang: "en"})
	if err != nil && !strings.Contains(err.Error(), "nothing readable") && !strings.Contains(err.Error(), "JSON") {
		t.Fatal(err)
	}
	return reports
}

// allocated is how many bytes the program has ever taken from its heap: work
// that grows with the square of the input takes, or copies, as much.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// peak runs work and gives the most that a collection found alive on the heap
// meanwhile: what waits to be collected depends on how busy the machine is.
func peak(work func()) uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	done, most := make(chan struct{}), make(chan uint64)
	go func() {
		high := uint64(0)
		for {
			metrics.Read(s)
			high = max(high, s[0].Value.Uint64())
			select {
			case <-done:
				most <- high
				return
			case <-time.After(2 * time.Millisecond):
			}
		}
	}()
	work()
	close(done)
	return <-most
}

// TestBaitIsReadOnce: eight times the bait takes some eight times the memory in
// all, so that no parser looks through what it has read again and again; and
// what is held at one time does not grow with it.
func TestBaitIsReadOnce(t *testing.T) {
	unraced(t)
	defer debug.SetGCPercent(debug.SetGCPercent(25))
	for _, name := range slices.Sorted(maps.Keys(bait)) {
		t.Run(name, func(t *testing.T) {
			diagnoseStuff(t, name, 1<<10) // what is made once is made
			cost := func(bytes int) (all, held uint64) {
				before := allocated()
				held = peak(func() { diagnoseStuff(t, name, bytes) })
				return allocated() - before, held
			}
			small, few := cost(128 << 10)
			large, many := cost(1 << 20)
			if large > 16*small+32<<20 {
				t.Errorf("128 KiB take %d KiB, 1 MiB takes %d KiB", small>>10, large>>10)
			}
			if many > few+40<<20 {
				t.Errorf("128 KiB hold %d KiB, 1 MiB holds %d KiB", few>>10, many>>10)
			}
		})
	}
}

// TestQuotesAreBounded: a line of a megabyte does not make a page of a megabyte,
// its report is verified all the same, and what decided is shown.
func TestQuotesAreBounded(t *testing.T) {
	unraced(t)
	long := strings.Repeat("x ", 200_000) + "FileNotFoundError: [Errno 2] No such file or directory: '/data/train.idx'" + strings.Repeat(" y", 100_000)
	fsys := fstest.MapFS{"x.log": {Data: []byte(long + "\n")}}
	roots := []source.Root{{Name: "x.log", FS: fsys, Path: "x.log"}}
	reports, err := Diagnose(roots, Options{Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	page, err := report.HTML(reports, "en")
	if err != nil {
		t.Fatal(err)
	}
	for form, data := range map[string][]byte{"markdown": report.Markdown(reports, "en", false), "text": report.Text(reports, "en", report.Style{Width: 80}), "html": page} {
		if len(data) > 200_000 {
			t.Errorf("%s has %d bytes", form, len(data))
		}
		if len(reports[0].Evidence) > 0 && reports[0].NamesCause() && !bytes.Contains(data, []byte("/data/train.idx")) {
			t.Errorf("%s does not show what decided", form)
		}
	}
	bad, err := Verify(reports, roots, source.Limits{})
	if err != nil || len(bad) > 0 {
		t.Errorf("verifying: %v %v", err, bad)
	}
}

// TestManyTasks: an answer of thousands of failed tasks is weighed within bounds,
// and the report says that not all were.
func TestManyTasks(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"metadata":{"id":"x"},"status":{"phase":"Failed","task_statuses":[`)
	for i := range 9000 {
		fmt.Fprintf(&b, `{"task":"worker-%d","exit_code":1,"message":"KeyError: %d"},`, i, i)
	}
	answer := strings.TrimSuffix(b.String(), ",") + "]}}"
	reports, err := Diagnose([]source.Root{{Name: "a.json", Reader: strings.NewReader(answer)}}, Options{Lang: "en"})
	if err != nil || len(reports) != 1 {
		t.Fatal(len(reports), err)
	}
	if !slices.ContainsFunc(reports[0].Notes, func(n report.Note) bool { return strings.Contains(n.Text, "too many failures") }) {
		t.Errorf("notes: %+v", reports[0].Notes)
	}
}

// TestTextsOfAnswersAreNotHeld: what a folder of answers holds in all is not
// kept, whatever each of them holds.
func TestTextsOfAnswersAreNotHeld(t *testing.T) {
	unraced(t)
	body := strings.Repeat(`2026-06-01 10:00:00 reading the next batch\n`, 40_000)
	folder := func(n int) fstest.MapFS {
		fsys := fstest.MapFS{}
		for i := range n {
			fsys[fmt.Sprintf("a%d.json", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, `{"content":"%s","current_size":1,"full_size":1}`, body)}
		}
		return fsys
	}
	hold := func(n int) uint64 {
		fsys := folder(n)
		return peak(func() {
			if _, err := Diagnose([]source.Root{{Name: "d", FS: fsys, Path: "."}}, Options{}); err != nil {
				t.Error(err)
			}
		}) - uint64(n*len(body))
	}
	if few, many := hold(3), hold(12); many > few+64<<20 {
		t.Errorf("3 answers hold %d MiB, 12 hold %d MiB", few>>20, many>>20)
	}
}

func packed(t *testing.T, levels, fan int, data []byte) []byte {
	t.Helper()
	name := "x.log"
	for range levels {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for i := range fan {
			w, err := z.Create(fmt.Sprint(i) + name)
			if err != nil {
				t.Fatal(err)
			}
			w.Write(data)
		}
		z.Close()
		data, name = b.Bytes(), ".zip"
	}
	return data
}

func gzipped(t *testing.T, r io.Reader) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.Copy(w, r); err != nil {
		t.Fatal(err)
	}
	w.Close()
	return b.Bytes()
}

// unraced leaves a test out where tests run under the race detector, which is slow
// where much is read, and changes what memory is held.
func unraced(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it reads much or measures memory: not under the race detector")
	}
}

// TestBombs: what is packed to become huge is given up with a note, and the
// files beside it are read.
func TestBombs(t *testing.T) {
	unraced(t)
	lines := strings.Repeat(strings.Repeat("x", 1<<19)+"\n", 2)
	nested := gzipped(t, bytes.NewReader(gzipped(t, &stuff{piece: repeat(lines), n: 270})))
	bombs := map[string][]byte{
		"nested.zip": packed(t, 4, 8, []byte(lines)),
		"twice.gz":   nested,
	}
	for name, data := range bombs {
		t.Run(name, func(t *testing.T) {
			fsys := fstest.MapFS{name: {Data: data}, "z.log": {Data: []byte(strings.ReplaceAll(smallTraceback, "{i}", "1"))}}
			reports, err := Diagnose([]source.Root{{Name: "d", FS: fsys, Path: "."}}, Options{Lang: "en"})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(reports[0].Evidence[0].Text, "KeyError") {
				t.Errorf("the file beside it was not read: %+v", reports[0].Evidence)
			}
			if !slices.ContainsFunc(reports[0].Notes, func(n report.Note) bool { return strings.Contains(n.Text, "times its size") }) {
				t.Errorf("notes: %+v", reports[0].Notes)
			}
		})
	}
}

// TestOddNumbers: times and ranks that no clock and no job has neither stop a
// diagnosis nor take part in it.
func TestOddNumbers(t *testing.T) {
	var b strings.Builder
	for _, at := range []string{"0000-01-01 00:00:00", "9999-12-31 23:59:59", "292277026596-12-04 15:30:08", "2026-02-30 10:00:00", "2026-13-01 10:00:00", "2026-01-01 99:99:99", "-001-01-01 00:00:00", strings.Repeat("9", 4000)} {
		for _, rank := range []string{"-1", "9223372036854775808", strings.Repeat("9", 4000), "0", "007", "4294967296"} {
			fmt.Fprintf(&b, "%s [rank%s]: step %s loss 1e999\n[rank%s]: %s RuntimeError: CUDA out of memory. Tried to allocate %s GiB\n", at, rank, rank, rank, at, rank)
		}
	}
	reports, err := Diagnose([]source.Root{{Name: "x.log", Reader: strings.NewReader(b.String())}}, Options{Lang: "en"})
	if err != nil || len(reports) != 1 || reports[0].Cause != "device-oom" {
		t.Fatalf("%+v %v", reports, err)
	}
	for _, e := range reports[0].Evidence {
		if e.Rank < -1 {
			t.Errorf("rank %d", e.Rank)
		}
	}
	if _, err := report.JSON(reports); err != nil {
		t.Error(err)
	}
	if _, err := report.HTML(reports, "zh"); err != nil {
		t.Error(err)
	}
}

// TestAnswersAreHeldFewTimes: while an answer is read, its bytes and its texts are
// held a few times, whatever escapes they have.
func TestAnswersAreHeldFewTimes(t *testing.T) {
	unraced(t)
	defer debug.SetGCPercent(debug.SetGCPercent(25))
	body := fmt.Appendf(nil, `{"content":"%s","current_size":1,"full_size":1}`, strings.Repeat(`2026-06-01 10:00:00 reading the next batch\n`, 200_000))
	held := peak(func() {
		if _, err := Diagnose([]source.Root{{Name: "a.json", Reader: bytes.NewReader(body)}}, Options{}); err != nil {
			t.Error(err)
		}
	})
	if most := 17 * uint64(len(body)) / 2; held > most {
		t.Errorf("an answer of %d KiB holds %d KiB", len(body)>>10, held>>10)
	}
}

// TestLargeInputsAreHeldInPart: what is held of an input at one time does not grow
// with it, and what failed is found.
func TestLargeInputsAreHeldInPart(t *testing.T) {
	unraced(t)
	defer debug.SetGCPercent(debug.SetGCPercent(25))
	const (
		job  = `{"kind": "job", "metadata": {"id": "5e2c7d1a-1111-4222-8333-0123456789ab", "name": "long"}, "status": {"phase": "Failed", "task_statuses": [`
		fail = "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB"
	)
	for _, c := range []struct {
		name   string
		before string
		member func(i int) string
		after  string
		n      int
		cause  string // "" where nothing failed
		note   string // of what is left out, "" for none
	}{
		{"tracebacks of 4096 ranks", "", tracebacksOf(8, 4096, 8), "", 700, "value-error", ""},
		{"states of tasks", job, format(`{"task": "worker-{i}", "exit_code": 0, "message": ""}, `), `{"task": "worker-7", "exit_code": 1, "message": "` + fail + `"}]}}`, 40_000, "device-oom", "the states of 31809 are not held"},
		{"events", `{"events": [`, format(`{"time": "2026-06-02T09:00:00+08:00", "level": "Info", "source": "Task", "message": "[worker-{i}] pulled layer {i} of the image."}, `),
			`{"time": "2026-06-02T09:00:01+08:00", "level": "Error", "source": "Task", "message": "[worker-7] ` + fail + `"}], "total": 20001}`, 20_000, "device-oom", ""},
		{"a task's message", job + `{"task": "worker-0", "exit_code": 1, "message": "`, format(`2026-06-02 09:00:00,000 INFO reading batch {i}\n`), fail + `"}]}}`, 200_000, "device-oom", ""},
		{"blank lines in a text", `{"logs": "`, format(strings.Repeat(`\n`, 1000)), fail + `\n"}`, 8_000, "device-oom", ""},
		{"jobs", `{"items": [`, format(`{"kind": "job", "metadata": {"id": "{i}", "name": "job-{i}"}, "spec": {}, "status": {"phase": "Completed", "tasks": ["worker-0"]}}, `), `{"kind": "job"}], "total": 10000}`, 10_000, "", "8976 are not held"},
		{"metrics", `{"metrics": [`, format(`{"metric": "cpuUsage", "value": ["{i}", "-1", "1e999", "NaN"]}, `), `{}]}`, 150_000, "", "141808 items"},
		{"groups of a flight recorder", `{"pg_config": {}, "entries": [`, format(`{"record_id": {i}, "pg_id": {i}, "process_group": ["{i}", "undefined"], "profiling_name": "nccl:all_reduce", "input_sizes": [[1]], "state": "started"}, `), `{}]}`, 60_000, "collective-timeout", ""},
		{"runs of a job", job + `{"task": "worker-0", "exit_code": 1, "message": "` + fail + `"}], "running_records": [`, format(`{"start_at": 17803{i}, "end_at": 17803{i}, "end_reason": "exit with 1", "end_related_task": "worker-0"}, `), `{}]}}`, 60_000, "", "58976 items"},
		{"many answers", "", format(`{"kind": "job", "metadata": {"id": "{i}", "name": "job-{i}"}, "status": {"phase": "Failed", "task_statuses": [{"task": "worker-0", "exit_code": 1, "message": ""}]}}` + "\n"), `{"kind": "job", "metadata": {"id": "x"}, "status": {"phase": "Failed", "task_statuses": [{"task": "worker-0", "exit_code": 1, "message": "` + fail + `"}]}}`, 20_000, "device-oom", "jobs: 18977 are not held"},
		{"members of an object", `{`, format(`"{i}": {"id": {i}, "of": [1, 2, 3]}, `), `"end": 0}`, 60_000, "", ""},
		{"rows of a log service, newest first", `{"count": 1, "logs": [{"content": "` + fail + `", "line_num": "99999999", "timestamp": "1780390799000"}, `,
			func(i int) string {
				return fmt.Sprintf(`{"content": "reading batch %d", "line_num": "%d", "labels": {"podName": "job-worker-0", "nameSpace": "default"}, "timestamp": "%d"}, `, i, 90_000_000-i, 1780390798000-i)
			}, `{"content": "begun", "line_num": "1", "timestamp": "1780300000000"}]}`, 60_000, "device-oom", ""},
		{"an answer in a text", `{"status_code": 200, "response": "{\"events\": [`, format(`{\"time\": \"2026-06-02T09:00:00+08:00\", \"level\": \"Info\", \"source\": \"Task\", \"message\": \"[worker-{i}] pulled layer {i} of the image.\"}, `),
			`{\"time\": \"2026-06-02T09:00:01+08:00\", \"level\": \"Error\", \"source\": \"Task\", \"message\": \"[worker-7] ` + fail + `\"}], \"total\": 20001}"}`, 20_000, "device-oom", ""},
		{"an answer three texts deep", `{"content": "` + inText(1, `{"content": "`) + inText(2, `{"content": "`), func(i int) string { return inText(3, fmt.Sprintf("reading batch %d\n", i)) },
			inText(3, fail+"\n") + inText(2, `"}`) + inText(1, `"}`) + `"}`, 300_000, "device-oom", ""},
		{"line ends as numbers", `{"logs": "`, format(`reading batch {i}\u000a`), fail + `\u000a"}`, 300_000, "device-oom", ""},
		{"a text of one line", job + `{"task": "worker-1", "exit_code": 1, "message": "` + fail + `"}], "note": "`, repeat(strings.Repeat(`\"`, 500)), `"}}`, 20_000, "device-oom", "without a line end"},
		{"a long name", job + `{"task": "worker-1", "exit_code": 1, "message": "` + fail + `"}], "`, repeat(strings.Repeat(`x\n`, 500)), `": 1}}`, 20_000, "device-oom", "without a line end"},
		{"a long number", job + `{"task": "worker-1", "exit_code": 1, "message": "` + fail + `"}], "n": 1`, repeat(strings.Repeat("0", 1000)), `}}`, 20_000, "device-oom", "without a line end"},
		{"blanks between values", job + `{"task": "worker-1", "exit_code": 1, "message": "` + fail + `"}], "n": `, repeat(strings.Repeat(" ", 1000)), `1}}`, 40_000, "device-oom", ""},
		{"an answer in a ticket", "Hello,\n\nour job failed, please help.\n\n```json\n{\"events\": [\n", format(`{"time": "2026-06-02T09:00:00+08:00", "level": "Info", "source": "Task", "message": "[worker-{i}] pulled layer {i} of the image."},` + "\n"),
			`{"time": "2026-06-02T09:00:01+08:00", "level": "Error", "source": "Task", "message": "[worker-7] ` + fail + `"}], "total": 60001}` + "\n```\nthanks\n", 60_000, "device-oom", ""},
		{"blank lines between values", job + `{"task": "worker-1", "exit_code": 1, "message": "` + fail + `"}], "n": `, repeat(strings.Repeat("\n", 1000)), `1}}`, 20_000, "device-oom", ""},
		{"rows of CSV of a pod each", "time,pod,message\n", format("2026-06-01 10:00:00,pod-{i},\"batch {i}\"\n"), "2026-06-01 10:00:00,pod-1," + fail + "\n", 80_000, "device-oom", ""},
		{"numbers", `{"weights": [`, repeat(strings.Repeat(`1,`, 500)), `1]}`, 4_000, "", ""},
		{"a row of one line", `{"count": 1, "logs": [{"content": "` + fail + `", "line_num": "1", "timestamp": "1780390700000"}, {"content": "`, repeat(strings.Repeat("x ", 500)), `", "line_num": "2", "timestamp": "1780390799000"}]}`, 30_000, "device-oom", "without a line end"},
		{"long lines of tracebacks", "", func(i int) string {
			return fmt.Sprintf("Traceback (most recent call last):\n  File \"a.py\", line %d, in f\n    %s\nValueError: bad %d %[2]s\n", i, strings.Repeat("a ", 100_000), i)
		}, "", 200, "value-error", ""},
		{"long lines of ranks", "", func(i int) string {
			return fmt.Sprintf("[rank%d]: %s %d %s\n", i, fail, i, strings.Repeat("a ", 100_000))
		}, "", 300, "device-oom", ""},
		{"long messages of tasks", job, func(i int) string {
			return fmt.Sprintf(`{"task": "worker-%d", "exit_code": 1, "message": "ValueError: bad %d %s"}, `, i, i, strings.Repeat("x y ", 5000))
		}, `{"task": "worker-0", "exit_code": 0, "message": ""}]}}`, 1000, "value-error", ""},
		{"members of a few long texts", job + `{"task": "worker-1", "exit_code": 1, "message": "` + fail + `"}], "n": {"a": [`, func(i int) string { return fmt.Sprintf(`1], "k%d": "%s", "a": [`, i, strings.Repeat("x ", 100_000)) }, `1]}}}`, 200, "device-oom", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			held := func(n int) (most uint64, reports []report.Report) {
				most = peak(func() {
					in := io.MultiReader(strings.NewReader(c.before), &stuff{piece: c.member, n: n}, strings.NewReader(c.after))
					reports, _ = Diagnose([]source.Root{{Name: "-", Reader: in}}, Options{Lang: "en"})
				})
				return most, reports
			}
			few, _ := held(100)
			many, reports := held(c.n)
			if many > few+24<<20 {
				t.Errorf("a small input holds %d KiB, this one %d KiB", few>>10, many>>10)
			}
			if c.cause != "" && (len(reports) == 0 || reports[0].Cause != c.cause) {
				t.Errorf("reports %.2000v, want one that names %s", reports, c.cause)
			}
			if c.note != "" && (len(reports) == 0 || !slices.ContainsFunc(reports[0].Notes, func(n report.Note) bool { return strings.Contains(n.Text, c.note) })) {
				t.Errorf("reports %.2000v, want a note that %s", reports, c.note)
			}
		})
	}
}

// inText is how a text stands within JSON texts that lie within one another.
func inText(levels int, text string) string {
	for range levels {
		b, _ := json.Marshal(text) // of a string, which does not fail
		text = string(b[1 : len(b)-1])
	}
	return text
}

// TestManyLogsAreHeldInPart is the same for an archive of many logs.
func TestManyLogsAreHeldInPart(t *testing.T) {
	unraced(t)
	defer debug.SetGCPercent(debug.SetGCPercent(25))
	held := func(n int) uint64 {
		return peak(func() {
			reports, err := Diagnose([]source.Root{{Name: "-", Reader: tarOf(n)}}, Options{Lang: "en"})
			if err != nil || len(reports) != 1 || reports[0].Cause != "device-oom" {
				t.Errorf("reports %.2000v, error %v", reports, err)
			}
		})
	}
	if few, many := held(10), held(8000); many > few+20<<20 {
		t.Errorf("ten logs hold %d KiB, 8000 %d KiB", few>>10, many>>10)
	}
}

// tracebacksOf gives blocks of tracebacks that ranks, so many together, print at
// the same time.
func tracebacksOf(together, ranks, frames int) func(int) string {
	lines := []string{"Traceback (most recent call last):"}
	for i := range frames {
		lines = append(lines, fmt.Sprintf("  File \"/home/ma-user/code/part%d.py\", line %d, in step", i%5, i), "    return self.next(batch)")
	}
	return func(i int) string {
		var b strings.Builder
		for _, line := range append(lines, fmt.Sprintf("ValueError: the batch has no sample of class %d", i)) {
			for r := range together {
				fmt.Fprintf(&b, "[rank%d]: %s\n", (i*together+r)%ranks, line)
			}
		}
		return b.String()
	}
}

// tarOf gives an archive of logs of which one shows a failure.
func tarOf(n int) io.Reader {
	r, w := io.Pipe()
	go func() {
		t := tar.NewWriter(w)
		for i := range n {
			text := fmt.Sprintf("2026-06-02 09:00:00,000 INFO step %d loss 2.1\nbye\n", i)
			if i == n/2 {
				text += "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n"
			}
			t.WriteHeader(&tar.Header{Name: fmt.Sprintf("node-%d/rank_%d/train.log", i/8, i), Mode: 0o600, Size: int64(len(text))})
			io.WriteString(t, text)
		}
		t.Close()
		w.Close()
	}()
	return r
}
