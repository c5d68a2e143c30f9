package analyzer_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/source"
)

// TestAnswersInPages: an answer that is read in pages, since it is too large to
// be held, is diagnosed like the whole, wherever the pages end.
func TestAnswersInPages(t *testing.T) {
	cases := os.DirFS("../corpus/cases")
	names, err := fs.Glob(cases, "*/input*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if path.Dir(name) == "reads-docker-inspect" {
			continue // JSON that is no answer is read line by line, which pages are not
		}
		t.Run(path.Dir(name), func(t *testing.T) {
			t.Parallel()
			samePaged(t, source.Root{Name: name, FS: cases, Path: name}, source.Limits{Page: 600}, source.Limits{Page: 1000}, source.Limits{Page: 2500})
		})
	}
}

// TestLongAnswersInPages is the same for answers with long lists and texts, on
// one line and on many, also where a line is longer than what is held of it.
func TestLongAnswersInPages(t *testing.T) {
	for name, answer := range longAnswers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var compact, indented bytes.Buffer
			if json.Compact(&compact, []byte(answer)) != nil || json.Indent(&indented, []byte(answer), "", "  ") != nil {
				t.Fatalf("no JSON: %.200s", answer)
			}
			for _, text := range []string{compact.String(), indented.String(), "notice of hcloud\n" + compact.String() + "\n{}"} {
				root := source.Root{Name: "answer.json", FS: fstest.MapFS{"answer.json": {Data: []byte(text)}}, Path: "answer.json"}
				samePaged(t, root, source.Limits{Page: 1000, Line: 1500}, source.Limits{Page: 3000}, source.Limits{Page: 20000, Line: 20000})
			}
		})
	}
}

// TestAnswersElsewhereInPages is the same for answers in UTF-16, in tickets, quoted,
// and behind a log.
func TestAnswersElsewhereInPages(t *testing.T) {
	utf16le := func(s string) string {
		b := []byte("\xff\xfe")
		for _, c := range utf16.Encode([]rune(s)) {
			b = append(b, byte(c), byte(c>>8))
		}
		return string(b)
	}
	answers := longAnswers()
	for _, name := range []string{"tasks", "events before their total", "a preview", "a task's message"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var indented bytes.Buffer
			if err := json.Indent(&indented, []byte(answers[name]), "", "  "); err != nil {
				t.Fatal(err)
			}
			for file, text := range map[string]string{
				"utf16.json":  utf16le(answers[name]),
				"utf16i.json": utf16le(indented.String() + "\n"),
				"ticket.md":   "Hello,\n\nour job failed, please help.\n\n```json\n" + indented.String() + "\n```\n\nThanks\n",
				"quoted.txt":  "Hello,\n\nour job failed, please help.\n\n> " + strings.ReplaceAll(indented.String(), "\n", "\n> ") + "\n\nThanks\n",
				"train.log":   "2026-06-02 09:00:00,000 INFO begun\n" + indented.String() + "\n2026-06-02 09:00:00,000 INFO ended\n",
			} {
				root := source.Root{Name: file, FS: fstest.MapFS{file: {Data: []byte(text)}}, Path: file}
				samePaged(t, root, source.Limits{Page: 1500}, source.Limits{Page: 5000})
			}
		})
	}
}

// TestExportsInPages is the same for what log services export, whichever row they
// give first.
func TestExportsInPages(t *testing.T) {
	for name, export := range longExports() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var indented bytes.Buffer
			if err := json.Indent(&indented, []byte(export), "", "  "); err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{export, indented.String(), export[:len(export)-len(export)/200]} {
				root := source.Root{Name: "export.json", FS: fstest.MapFS{"export.json": {Data: []byte(text)}}, Path: "export.json"}
				whole := reportsOf(t, root, source.Limits{Page: 1 << 30})
				if cut := len(text) < len(export); cut != strings.Contains(whole, "the JSON is cut off") {
					t.Errorf("the notes do not say whether it is cut: %s", whole)
				}
				if !strings.Contains(whole, "the batch has no sample of class 7") {
					t.Fatalf("the failure is not found: %s", whole)
				}
				samePaged(t, root, source.Limits{Page: 1000, Line: 1500}, source.Limits{Page: 3000}, source.Limits{Page: 20000, Line: 20000})
			}
		})
	}
}

// longExports are exports with a failure near their end in time.
func longExports() map[string]string {
	lines := make([]string, 400)
	for i := range lines {
		lines[i] = fmt.Sprintf("step %d loss 2.9 \"{[\\n", i)
	}
	lines = append(lines, strings.Split("Traceback (most recent call last):\n  File \"/home/ma-user/code/train.py\", line 214, in <module>\n    main()\nValueError: the batch has no sample of class 7", "\n")...)
	lines = append(lines, "bye", "bye", "bye", "bye")
	begin := time.Date(2026, 6, 2, 9, 0, 0, 0, time.UTC)
	row := func(form string, i int) string {
		at := begin.Add(time.Duration(min(i, 401)) * time.Second) // the traceback came in one moment
		r := strings.NewReplacer("LINE", quoted(lines[i]), "NANOS", fmt.Sprint(at.UnixNano()), "MILLIS", fmt.Sprint(at.UnixMilli()), "TIME", at.Format(time.RFC3339), "N", fmt.Sprint(i))
		return r.Replace(form)
	}
	all := func(form string, newest bool) string {
		rows := make([]string, len(lines))
		for i := range rows {
			rows[i] = row(form, i)
		}
		if newest {
			slices.Reverse(rows[:401]) // a store leaves rows of one moment as they came
			rows = append(rows[401:], rows[:401]...)
		}
		return "[" + strings.Join(rows, ",") + "]"
	}
	forms := map[string][2]string{
		"lts":     {`{"count":404,"schema":["` + strings.Repeat("x", 600) + `"],"logs":`, `{"content":LINE,"line_num":"NANOS","labels":{"podName":"job-worker-0","tags":["a","b"]},"timestamp":"MILLIS"}`},
		"elastic": {`{"took":1,"hits":{"total":404,"hits":`, `{"_index":"k8s","_id":"N","_source":{"@timestamp":"TIME","message":LINE,"kubernetes":{"pod":{"name":"job-worker-0"}}}}`},
		"grafana": {``, `{"line":LINE,"timestamp":"NANOS","fields":{"pod":"job-worker-0"}}`},
		"loki":    {`{"status":"success","data":{"resultType":"streams","result":[{"stream":{"pod":"job-worker-1"},"values":[["1780390700000000000","step 0 loss 2.9"],["1780390700000000000","step 1 loss 2.9"]]},{"stream":{"pod":"job-worker-0"},"values":`, `["NANOS",LINE]`},
	}
	ends := map[string]string{"lts": "}", "elastic": "}}", "grafana": "", "loki": `},{"stream":{"pod":"job-worker-2"},"values":[["1780390700000000000","bye"]]}],"stats":{}}}`}
	exports := map[string]string{}
	for name, form := range forms {
		exports[name+", oldest first"] = form[0] + all(form[1], false) + ends[name]
		exports[name+", newest first"] = form[0] + all(form[1], true) + ends[name]
	}
	return exports
}

func samePaged(t *testing.T, root source.Root, paged ...source.Limits) {
	t.Helper()
	whole := reportsOf(t, root, source.Limits{Page: 1 << 30})
	for _, lim := range paged {
		if d := cmp.Diff(whole, reportsOf(t, root, lim)); d != "" {
			t.Errorf("- whole, + in pages of %d bytes:\n%s", lim.Page, d)
		}
	}
}

func reportsOf(t *testing.T, root source.Root, lim source.Limits) string {
	t.Helper()
	rs, err := analyzer.Diagnose([]source.Root{root}, analyzer.Options{Lang: "en", Limits: lim})
	if err != nil {
		return err.Error()
	}
	text, err := json.MarshalIndent(rs, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// longAnswers are answers whose failure stands amid much else.
func longAnswers() map[string]string {
	const job = `"kind": "job", "metadata": {"id": "5e2c7d1a-1111-4222-8333-0123456789ab", "name": "long", "create_time": 1780362000000}`
	const failed = "Traceback (most recent call last):\n  File \"/home/ma-user/code/train.py\", line 214, in <module>\n    main()\nValueError: the batch has no sample of class 7\n"
	list := func(n int, item func(int) string) string {
		items := make([]string, n)
		for i := range items {
			items[i] = item(i)
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	task := func(i int) string {
		if i == 170 {
			return `{"task": "worker-170", "exit_code": 1, "message": ` + quoted(failed) + `}`
		}
		return fmt.Sprintf(`{"task": "worker-%d", "exit_code": 0, "message": ""}`, i)
	}
	event := func(i int) string {
		if i == 250 {
			return `{"time": "2026-06-02T09:12:00+08:00", "level": "Error", "source": "Task", "message": "[worker-3] Failed to pull image swr.example.com/a/b:1, not found."}`
		}
		return fmt.Sprintf(`{"time": "2026-06-02T09:%02d:%02d+08:00", "level": "Info", "source": "Task", "message": "[worker-%d] [a, b], {c} of \"d\\e\" done %d"}`, i/60, i%60, i%8, i)
	}
	events := `{"events": ` + list(500, event) + `, "total": 500, "limit": 500, "offset": 0}`
	exchange := func(i int) string {
		return `{"request": {"operation": "ListTrainingJobEvents"}, "status_code": 200, "note": ` + quoted(strings.Repeat("x", 600)) + `, "response": ` + quoted(events) + `, "took": 3}`
	}
	details := `{` + job + `, "status": {"phase": "Failed", "task_statuses": ` + list(400, task) + `, "duration": 3600000, "secondary_phase": "Failed"}}`
	log := strings.Repeat("2026-06-02 09:00:00,000 INFO train.py:70 step 7 loss 2.9 {\"a\": [1, 2]} 训练\n", 90) + failed
	return map[string]string{
		"tasks":                     `{` + job + `, "status": {"phase": "Failed", "task_statuses": ` + list(400, task) + `, "duration": 3600000, "secondary_phase": "Failed"}, "spec": {"resource": {"flavor_id": "modelarts.p3.large", "node_count": 400}}}`,
		"events before their total": `{"events": ` + list(500, event) + `, "total": 500, "limit": 500, "offset": 0}`,
		"events behind their total": `{"total": 500, "limit": 500, "offset": 0, "events": ` + list(500, event) + `}`,
		"a list of answers":         `[{` + job + `, "status": {"phase": "Failed", "tasks": ["worker-0"]}}, {"events": ` + list(300, event) + `, "total": 300}, {"events": ` + list(30, event) + `, "total": 30}]`,
		"a task's message":          `{` + job + `, "status": {"phase": "Failed", "task_statuses": [{"task": "worker-0", "exit_code": 1, "message": ` + quoted(log) + `}, {"task": "worker-1", "exit_code": 0, "message": ""}]}}`,
		"a preview":                 `{"content": ` + quoted(log) + `, "current_size": 9000, "full_size": 9000}`,
		"lines":                     `{"logs": ` + list(300, func(i int) string { return quoted(strings.Split(log, "\n")[i%95]) }) + `, "start_line": 1, "end_line": 300}`,
		"jobs": `{"total": 200, "count": 200, "items": ` + list(200, func(i int) string {
			return fmt.Sprintf(`{"kind": "job", "metadata": {"id": "5e2c7d1a-1111-4222-8333-%012d", "name": "job-%d"}, "spec": {}, "status": {"phase": "%s", "task_statuses": [{"task": "worker-0", "exit_code": %d, "message": ""}]}}`, i, i, []string{"Failed", "Completed"}[min(1, i%50)], 1-min(1, i%50))
		}) + `}`,
		"recorded calls": `{"exchanges": ` + list(20, func(i int) string {
			return `{"request": {"operation": "ListTrainingJobEvents"}, "status_code": 200, "response": {"events": ` + list(i*4, event) + `, "total": ` + fmt.Sprint(i*4) + `}}`
		}) + `}`,
		"tasks by name":              `{` + job + `, "status": {"phase": "Failed"}, "tasks": {` + strings.Trim(list(400, func(i int) string { return fmt.Sprintf(`"worker-%d": `, i) + task(i) }), "[]") + `}}`,
		"an answer in a text":        `{"request": {"operation": "ShowTrainingJobDetails"}, "status_code": 200, "response": ` + quoted(details) + `, "took": 3}`,
		"an answer of lines in one":  `{"response": ` + quoted("\n"+strings.ReplaceAll(events, "}, ", "},\n\t")+"\n") + `}`,
		"answers in texts":           list(4, exchange),
		"two answers in one object":  `{"first": ` + quoted(details) + `, "second": ` + quoted(events) + `, "third": ` + quoted(details) + `}`,
		"an answer in a text in one": `{"data": ` + quoted(`{"response": `+quoted(events)+`}`) + `}`,
		"an answer three texts deep": `{"a": ` + quoted(`{"b": `+quoted(`{"response": `+quoted(events)+`}`)+`, "took": 3}`) + `}`,
		"an answer escaped twice":    `{"data": ` + quoted(quoted(details)) + `, "took": 3}`,
		"a log three texts deep":     `{"data": ` + quoted(`{"body": `+quoted(`{"content": `+quoted(log)+`, "current_size": 9000, "full_size": 9000}`)+`}`) + `}`,
		"a log of escaped line ends": `{"content": ` + strings.ReplaceAll(quoted(log), `\n`, `\u000A`) + `, "current_size": 9000, "full_size": 9000}`,
		"an answer and more text":    `{"stdout": ` + quoted(events+"\n[finished] in 3 s\n") + `}`,
		"a value above a log":        `{"content": ` + quoted("{\n\"weights\": ["+strings.Repeat("1,\n", 2000)+"1]}\n"+log+log) + `, "current_size": 9000, "full_size": 9000}`,
		"blank lines above a value":  `{"content": ` + quoted(strings.Repeat("\n", 1500)+"{\"weights\": ["+strings.Repeat("1,\n", 2000)+"1]}\n"+log+log) + `, "current_size": 9000, "full_size": 9000}`,
		"a short value above a log":  `{"content": ` + quoted("{\n\"a\":\n1,\n"+strings.Repeat("\n", 40)+"\"b\": [1\n,2]}\n"+log+log) + `, "current_size": 9000, "full_size": 9000}`,
		"a log that begins like one": `{"content": ` + quoted("[rank0]: {\n"+log) + `, "current_size": 9000, "full_size": 9000}`,
		"an answer with odd letters": `{"response": ` + strings.ReplaceAll(quoted(strings.ReplaceAll(events, "done", `done \ud83d\ude00 训练 \\ \"`)), "训", `\u8bad`) + `}`,
		"unknown":                    `{"weights": ` + list(2000, func(i int) string { return fmt.Sprint(i) }) + `}`,
	}
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}
