package source

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func (r *recorder) described() (out []string) {
	for i := range r.lines {
		l := &r.lines[i]
		place := fmt.Sprint(l.Number)
		if l.Field != "" {
			place = l.Field + ":" + place
		}
		out = append(out, place+" "+describe(l))
	}
	return out
}

func TestCollectors(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"docker", `{"log":"[rank4]:   File \"x\"\n","stream":"stderr","time":"2026-06-16T03:02:20.5Z"}` + "\n" +
			`{"log":"a\r50%\r100%\n","stream":"stdout","time":"2026-06-16T03:02:21Z"}` + "\n",
			[]string{`1 2026-06-16T03:02:20.5Z rank=4 stream=rank4 |  File "x"`,
				"2 2026-06-16T03:02:21Z |a", "2 2026-06-16T03:02:21Z |50%", "2 2026-06-16T03:02:21Z |100%"}},
		{"Fluentd", `{"@timestamp":"2026-06-16T03:02:20Z","log":"2026-06-16 11:02:20 ERROR x","stream":"stderr","kubernetes":{"pod_name":"modelarts-job-0f1e2d3c-4b5a-4968-8776-655443322130-worker-2","container_name":"c","host":"n1"}}`,
			[]string{"1 2026-06-16T03:02:20Z task=worker-2 node=n1 level=ERROR stream=modelarts-job-0f1e2d3c-4b5a-4968-8776-655443322130-worker-2/c |x"}},
		{"Elasticsearch dump", `{"_index":"i","_id":"1","_source":{"@timestamp":"2026-06-16T03:02:20Z","message":"one\ntwo"}}`,
			[]string{"1 2026-06-16T03:02:20Z |one", "1 2026-06-16T03:02:20Z |two"}},
		{"logcli", `{"labels":{"pod":"p-0","container":"c"},"line":"x","timestamp":"2026-06-16T03:02:20Z"}`,
			[]string{"1 2026-06-16T03:02:20Z stream=p-0/c |x"}},
		{"journalctl -o json", `{"__CURSOR":"s","__REALTIME_TIMESTAMP":"1781578940500000","_HOSTNAME":"n1","_PID":"77","SYSLOG_IDENTIFIER":"python","PRIORITY":"3","MESSAGE":"x"}` + "\n" +
			`{"__CURSOR":"s","__REALTIME_TIMESTAMP":"1781578940500000","_HOSTNAME":"n1","_TRANSPORT":"kernel","MESSAGE":[79,79,77]}`,
			[]string{"1 2026-06-16T03:02:20.5Z node=n1 level=ERROR stream=n1/python[77] pid=77 |x", "2 2026-06-16T03:02:20.5Z node=n1 stream=n1 kind=1 |OOM"}},
		{"journalctl -o export", "__CURSOR=s\n__REALTIME_TIMESTAMP=1781578940500000\n_HOSTNAME=n1\nMESSAGE=x\n\n" +
			"__CURSOR=s\n__REALTIME_TIMESTAMP=1781578940500000\nMESSAGE\n\x0a\x00\x00\x00\x00\x00\x00\x00one\n  two!\n_PID=5\n\n",
			[]string{"4 2026-06-16T03:02:20.5Z node=n1 stream=n1 |x", "8 2026-06-16T03:02:20.5Z pid=5 |one", "8 2026-06-16T03:02:20.5Z pid=5 |  two!"}},
		{"LTS", `{"content":"x","line_num":"17","labels":{"hostName":"n1","podName":"p-worker-1"},"collectTime":1781578940500}`,
			[]string{"1 2026-06-16T03:02:20.5Z task=worker-1 node=n1 stream=p-worker-1 |x"}},
		{"a query of Loki, newest first", `{"status":"success","data":{"resultType":"streams","result":[{"stream":{"pod":"p"},"values":[["1781578942000000000","KeyError: 'a'"],["1781578941000000000","  File \"x\""]]}]}}`,
			[]string{`data.result[0].values[]:2 2026-06-16T03:02:21Z stream=p |  File "x"`, "data.result[0].values[]:1 2026-06-16T03:02:22Z stream=p |KeyError: 'a'"}},
		{"hits of Elasticsearch", `{"took":1,"hits":{"hits":[{"_source":{"@timestamp":"2026-06-16T03:02:20Z","message":"x"}}]}}`,
			[]string{"hits.hits[]:1 2026-06-16T03:02:20Z |x"}},
		{"error file of torchelastic", `{"message": {"message": "KeyError: 'a'", "extraInfo": {"py_callstack": "Traceback (most recent call last):\n  File \"x\"\nKeyError: 'a'\n", "timestamp": "1781578940"}}}`,
			[]string{"message.extraInfo.py_callstack:1 2026-06-16T03:02:20Z |Traceback (most recent call last):", `message.extraInfo.py_callstack:2 2026-06-16T03:02:20Z |  File "x"`, "message.extraInfo.py_callstack:3 2026-06-16T03:02:20Z |KeyError: 'a'"}},
		{"a program's own records", `{"time":"2026-06-16T03:02:20Z","level":"error","msg":"x"}` + "\n" + `{"step":1,"message":"x"}` + "\n",
			[]string{`1 2026-06-16T03:02:20Z level=ERROR |{"time":"2026-06-16T03:02:20Z","level":"error","msg":"x"}`, `2 |{"step":1,"message":"x"}`}},
		{"a program's own record with a traceback", `{"asctime":"2026-06-16 03:02:20,5","levelname":"ERROR","message":"uncaught","exc_info":"Traceback (most recent call last):\n  File \"x\"\nKeyError: 17"}` + "\n",
			[]string{"1 2026-06-16T03:02:20.5 level=ERROR |uncaught", "1 2026-06-16T03:02:20.5 level=ERROR |Traceback (most recent call last):", `1 2026-06-16T03:02:20.5 level=ERROR |  File "x"`, "1 2026-06-16T03:02:20.5 level=ERROR |KeyError: 17"}},
		{"such a record within a collector's", `{"log":"{\"ts\":\"2026-06-16T03:02:20Z\",\"level\":\"error\",\"msg\":\"x\",\"traceback\":\"KeyError: 17\"}\n","stream":"stderr","time":"2026-06-16T03:02:21Z"}`,
			[]string{"1 2026-06-16T03:02:21Z level=ERROR |x", "1 2026-06-16T03:02:21Z level=ERROR |KeyError: 17"}},
		{"CSV, newest first", "@timestamp,podName,content\n2026-06-16T03:02:22Z,p-worker-2,\"KeyError: \"\"a\"\"\"\n2026-06-16T03:02:21Z,p-worker-2,\"  File \"\"x\"\", line 1\n    main(a, b)\"\n",
			[]string{"1 |@timestamp,podName,content", `3 2026-06-16T03:02:21Z task=worker-2 stream=p-worker-2 |  File "x", line 1`,
				"4 2026-06-16T03:02:21Z task=worker-2 stream=p-worker-2 |    main(a, b)", `2 2026-06-16T03:02:22Z task=worker-2 stream=p-worker-2 |KeyError: "a"`}},
		{"CSV that breaks off", "时间,日志内容\n2026-06-16 11:02:20,x\n2026-06-16 11:02:21,\"y\nz\n",
			[]string{"1 |时间,日志内容", "2 2026-06-16T11:02:20 |x", `3 2026-06-16T11:02:21 |,"y`, "4 |z"}},
		{"numbers in CSV", "step,loss\n1,0.5\n", []string{"1 |step,loss", "2 |1,0.5"}},
		{"Filebeat", `{"@timestamp":"2026-06-16T03:02:20Z","message":"  x","host":{"name":"n1"},"log":{"offset":1,"file":{"path":"/logs/modelarts-job-0f1e2d3c-4b5a-4968-8776-655443322130-worker-2.log"}},"agent":{"type":"filebeat"}}`,
			[]string{"1 2026-06-16T03:02:20Z task=worker-2 node=n1 stream=/logs/modelarts-job-0f1e2d3c-4b5a-4968-8776-655443322130-worker-2.log/n1 |  x"}},
		{"escaped text in a quoted line", "From: a\nTo: b\nSubject: c\n\n> [rank1]: {\"x\": \"Traceback (most recent call last):\\n  File\\nKeyError: 17\"}\n",
			[]string{"1 kind=6 |From: a", "2 kind=6 |To: b", "3 kind=6 |Subject: c", "4 kind=6 |",
				`5 rank=1 stream=rank1 |{"x": "`, "5 rank=1 stream=rank1 |Traceback (most recent call last):",
				"5 rank=1 stream=rank1 |  File", "5 rank=1 stream=rank1 |KeyError: 17", `5 rank=1 stream=rank1 |"}`}},
		{"table", "+--+--+\n| time | level | message | source |\n+--+--+\n| 2026-06-11T23:40:43+08:00 | Error   | [worker-0] exit | 1 | Task |\n+--+--+\n",
			[]string{"1 kind=3 |+--+--+", "2 kind=3 || time | level | message | source |", "3 kind=3 |+--+--+",
				"4 2026-06-11T15:40:43Z task=worker-0 level=ERROR kind=4 |[worker-0] exit | 1", "5 kind=3 |+--+--+"}},
		{"table of tasks", "+--+\n| task | message |\n+--+\n| worker-1 | KeyError: 'a' |\n+--+\n",
			[]string{"1 kind=3 |+--+", "2 kind=3 || task | message |", "3 kind=3 |+--+", "4 task=worker-1 kind=5 |KeyError: 'a'", "5 kind=3 |+--+"}},
		{"tsv", "Warning\tx failed\tK8S\t2026-06-11T06:00:02+08:00\n", []string{"1 2026-06-10T22:00:02Z level=WARN kind=4 |x failed"}},
		{"tabs in a log", "2026-06-11T06:00:02Z\tERROR\tmain.go:1\tx\na\tb\tc\n", []string{"1 2026-06-11T06:00:02Z level=ERROR |x", "2 |a\tb\tc"}},
		{"nvidia-smi in a log", "step\n+----+\n| NVIDIA-SMI 535.104 |\n|====|\n| 0 N/A |\n+----+\nstep\n",
			[]string{"1 |step", "2 |+----+", "3 kind=2 || NVIDIA-SMI 535.104 |", "4 kind=2 ||====|", "5 kind=2 || 0 N/A |", "6 kind=2 |+----+", "7 |step"}},
		{"escaped once", `Traceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'a'` + "\n", []string{"1 |Traceback (most recent call last):", `1 |  File "a.py", line 1`, "1 |KeyError: 'a'"}},
		{"escaped twice", `"Traceback (most recent call last):\\n  File \\\"a.py\\\"\\nKeyError: '\\u4e2d'"` + "\n", []string{`1 |Traceback (most recent call last):`, `1 |  File "a.py"`, `1 |KeyError: '中'`}},
		{"a path of Windows", `open C:\new\nul\n.txt failed` + "\n", []string{`1 |open C:\new\nul\n.txt failed`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := readText(t, tt.in, Limits{})
			if d := cmp.Diff(tt.want, r.described()); d != "" {
				t.Errorf("lines (-want +got):\n%s", d)
			}
			if len(r.jsons) > 0 {
				t.Errorf("unexpected value %s", r.jsons[0].Bytes)
			}
		})
	}
}

func TestEscapedAnswer(t *testing.T) {
	for _, in := range []string{
		`{\"error_code\": \"ModelArts.2785\", \"error_msg\": \"a\\nb\"}`,
		`"{\"error_code\": \"ModelArts.2785\", \"error_msg\": \"a\\nb\"}"`,
		`"{\\\"error_code\\\": \\\"ModelArts.2785\\\", \\\"error_msg\\\": \\\"a\\\\nb\\\"}"`,
	} {
		r := readText(t, in+"\n", Limits{})
		want := []string{`1@0 {"error_code": "ModelArts.2785", "error_msg": "a\nb"}`}
		if d := cmp.Diff(want, r.values()); d != "" {
			t.Errorf("%s (-want +got):\n%s", in, d)
		}
	}
}

// A task's text is read like a log of its own, with its own line numbers.
func TestFieldText(t *testing.T) {
	doc := &Document{Name: "a.json", Rank: -1}
	var got []string
	Text(doc, "status.task_statuses[1].message", Message, "[rank1]: a\r\n50%\r100%\n\nTraceback (most recent call last):\\n  File \\\"x\\\"", func(l *Line) {
		if l.Offset != -1 || l.Field == "" {
			t.Errorf("line %d: offset %d, field %q", l.Number, l.Offset, l.Field)
		}
		got = append(got, fmt.Sprintf("%d %s", l.Number, describe(l)))
	})
	want := []string{"1 rank=1 stream=rank1 kind=5 |a", "2 kind=5 |50%", "2 kind=5 |100%", "3 kind=5 |",
		"4 kind=5 |Traceback (most recent call last):", `4 kind=5 |  File "x"`}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("lines (-want +got):\n%s", d)
	}
}

// logs gives the lines of a ticket that are a log's.
func (r *recorder) logs() string {
	var out []string
	for _, l := range r.lines {
		if l.Kind == Log {
			out = append(out, fmt.Sprintf("%d %s", l.Number, l.Text))
		}
	}
	return strings.Join(out, "\n")
}

func TestTickets(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"fence", "# Ticket\n\nout of memory?\n\n```text\nTraceback (most recent call last):\n  File \"x\"\nKeyError: 'a'\n```\nKeyErrors again\n",
			"6 Traceback (most recent call last):\n7   File \"x\"\n8 KeyError: 'a'"},
		{"quoted fence", "# Ticket\n> ~~~\n> step 1\n>   two\n> ~~~\n> prose\n", "3 step 1\n4   two"},
		{"pre in Markdown", "# Ticket\n\n<pre>\nstep 1\n</pre>\nprose\n```\nx\n```\n", "4 step 1\n8 x"},
		{"indented", "# 工单\n```\nx\n```\n\n    step 1\n      two\n\nprose\n", "3 x\n6 step 1\n7   two"},
		{"pasted without a fence", "工单 4471\n现象：失败\nTraceback (most recent call last):\n  File \"x\"\n    main()\nKeyError: 'a'\n\n谢谢\n2026-06-16 11:02:20 ERROR y\n客户：见上\n没有其他信息\n作业 id 见附件\n请尽快处理\n",
			"3 Traceback (most recent call last):\n4   File \"x\"\n5     main()\n6 KeyError: 'a'\n9 y"},
		{"headed", "问题描述：作业失败\n\n2026-06-01 10:00:00 step 1\nRuntimeError: x\n我觉得是 RuntimeError: 显存\n", "3 step 1\n4 RuntimeError: x"},
		{"stacks in prose", "问题描述：作业卡住\n\nProcess 7: python t.py\nThread 7 (idle): \"MainThread\"\n    wait (threading.py:320)\n\n谢谢\n", "4 Thread 7 (idle): \"MainThread\"\n5     wait (threading.py:320)"},
		{"full-width forms of a screen reader", "截图内容如下\n\nRuntimeError： CUDA out of memory． Tried to allocate 2．00 GiB （GPU 0）\n客户：见上\n", "3 RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0)"},
		{"quoted mail", "> On Monday you wrote\n> KeyError: 'a'\n> thanks\nprose\n", "2 KeyError: 'a'"},
		{"HTML", "<html><body>\n<p>out of memory?<br>KeyError: 'a'</p>\n<pre><span>Traceback (most recent call last):</span>\n  File &quot;&lt;stdin&gt;&quot;, in <module>\n</pre><script>\nx\n</script>\n<!-- y\n--><p>z</p>\n",
			"2 KeyError: 'a'\n3 Traceback (most recent call last):\n4   File \"<stdin>\", in <module>"},
		{"HTML whose letters change their length with their case", "<html><pre>a</pre><script>ȺȺȺȺȺȺȺȺİİİİ</SCRIPT><pre>b</pre><!-- ȺȺȺȺ --><pre>c</pre></html>\n", "1 a\n1 b\n1 c"},
		{"a program", "import os\nfrom x import y\n\ndef main():\n    raise ValueError('x')\n", ""},
		{"a log of what Python imports", "import time: self [us] | cumulative | imported package\nimport time:       129 |        129 |   _io\nimport time:        31 |         31 |   marshal\nx\n",
			"1 import time: self [us] | cumulative | imported package\n2 import time:       129 |        129 |   _io\n3 import time:        31 |         31 |   marshal\n4 x"},
		{"a log that prints Markdown", "2026-06-16 11:02:20 INFO a\n2026-06-16 11:02:20 INFO b\n# heading\n```\nx\n```\n2026-06-16 11:02:20 INFO c\n",
			"1 a\n2 b\n3 # heading\n4 ```\n5 x\n6 ```\n7 c"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, readText(t, tt.in, Limits{}).logs()); d != "" {
				t.Errorf("log lines (-want +got):\n%s", d)
			}
		})
	}
}

const aMail = `From: a@example.com
To: b@example.com
Subject: failed
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="AA"

preamble
--AA
Content-Type: multipart/alternative; boundary=BB

--BB
Content-Type: text/plain; charset=utf-8

out of memory?
> KeyError: 'a'
--BB
Content-Type: text/html

<p>out of memory?</p>
--BB--
--AA
Content-Type: application/octet-stream; name="worker-1.log.gz"
Content-Transfer-Encoding: base64
Content-Disposition: attachment; filename="../worker-1.log.gz"

%s
--AA
Content-Type: text/html; charset=gbk
Content-Disposition: attachment; filename*=UTF-8''%%E6%%8A%%A5.html
Content-Transfer-Encoding: quoted-printable

<html><pre>KeyError: =
'a' =B1=A8</pre></html>
--AA--
`

func TestMail(t *testing.T) {
	zipped := packGzip([]byte("[rank3]: x\n"))
	r := readText(t, fmt.Sprintf(aMail, base64Of(zipped)), Limits{})
	want := []string{"-", "-!worker-1.log.gz", "-!报.html"}
	if d := cmp.Diff(want, r.names()); d != "" {
		t.Errorf("names (-want +got):\n%s", d)
	}
	if d := cmp.Diff("15 KeyError: 'a'\n1 x\n1 KeyError: 'a' 报", r.logs()); d != "" {
		t.Errorf("log lines (-want +got):\n%s", d)
	}
}

func TestAnswerInHTML(t *testing.T) {
	r := readText(t, "<html><p>x</p>\n<pre>{\n \"error_code\": \"ModelArts.2785\",\n \"error_msg\": \"a &amp; b\"\n}\n</pre>\n<pre>\n{\n x\n</pre></html>\n", Limits{})
	if d := cmp.Diff([]string{"2@15 {\n \"error_code\": \"ModelArts.2785\",\n \"error_msg\": \"a & b\"\n}"}, r.values()); d != "" {
		t.Errorf("values (-want +got):\n%s", d)
	}
	if d := cmp.Diff("7 \n8 {\n9  x", r.logs()); d != "" {
		t.Errorf("lines (-want +got):\n%s", d)
	}
}

// What a line tells of its host names the document's job and task.
func TestHost(t *testing.T) {
	const id = "0f1e2d3c-4b5a-4968-8776-655443322130"
	for in, want := range map[string]string{
		"  host      : modelarts-job-" + id + "-worker-2\n":          id + " worker-2",
		"HOSTNAME=modelarts-job-" + id + "-worker-2\n":               id + " worker-2",
		"[pod/modelarts-job-" + id + "-worker-2/c] x\n":              id + " ",
		"connecting to modelarts-job-" + id + "-worker-0 failed\n":   " ",
		"{'host': 'modelarts-job-" + id + "-worker-2'}\nVC_TASK=1\n": " ",
	} {
		d := readText(t, in, Limits{}).docs[0]
		if got := d.Job + " " + d.Task; got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// An answer behind marks of quoting is an answer, in whatever lines it stands.
func TestQuotedAnswers(t *testing.T) {
	head := "From: a\nTo: b\nSubject: c\n\n"
	in := head + "> {\"error_code\": \"a\", \"error_msg\": \"b\"}\n> > {\n> >   \"error_code\": \"a\",\n> >   \"error_msg\": \"b\"\n> > }\n> text\n"
	r := readText(t, in, Limits{})
	want := []string{
		fmt.Sprintf(`5@%d {"error_code": "a", "error_msg": "b"}`, len(head)+2),
		fmt.Sprintf("6@%d {\n  \"error_code\": \"a\",\n  \"error_msg\": \"b\"\n}", strings.Index(in, "> > ")+4),
	}
	if d := cmp.Diff(want, r.values()); d != "" {
		t.Errorf("values (-want +got):\n%s", d)
	}
	if last := r.lines[len(r.lines)-1]; last.Number != 10 || last.Text != "text" {
		t.Errorf("line %d: %q", last.Number, last.Text)
	}
}

// TestEpoch: a part of a second is read as one, and nothing else is.
func TestEpoch(t *testing.T) {
	for in, want := range map[string]string{
		"1781578940": "2026-06-16T03:02:20Z", "1781578940.5": "2026-06-16T03:02:20.5Z", "1781578940.5e300": "2026-06-16T03:02:20Z", "1781578940.5e-1": "2026-06-16T03:02:20.05Z",
		"1781578940500": "2026-06-16T03:02:20.5Z", "1781578940500000": "2026-06-16T03:02:20.5Z", "1781578940500000000": "2026-06-16T03:02:20.5Z",
		"-1781578940": "", "9999999999999999999": "", "178157894": "",
	} {
		got := ""
		if at, ok := epoch(in); ok {
			got = at.Format(time.RFC3339Nano)
		}
		if got != want {
			t.Errorf("%s is %q, want %q", in, got, want)
		}
	}
}
