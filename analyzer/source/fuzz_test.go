package source

import (
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"mime/quotedprintable"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"hcloud-modelarts/analyzer/source/charset"
)

// fuzzLimits are small, so that every bound is met.
var fuzzLimits = Limits{Bytes: 1 << 20, Entries: 50, Depth: 4, Line: 512, Answer: 4096, Page: 300}

// checker holds what is read against the promises of the package.
type checker struct {
	t    *testing.T
	data []byte // the bytes of the document named plain, when it is stored as it is
	open *Document
	sum  int
}

const plainName = "-"

func (c *checker) Begin(d *Document) {
	if c.open != nil {
		c.t.Fatalf("%q begins within %q", d.Name, c.open.Name)
	}
	c.open = d
}

func (c *checker) End(d *Document) {
	if c.open != d {
		c.t.Fatalf("%q ends, but %v is open", d.Name, c.open)
	}
	c.open = nil
}

func (c *checker) Note(n Note) {
	if n.Code == "" {
		c.t.Fatalf("a note without a code: %+v", n)
	}
}

func (c *checker) Line(l *Line) {
	if l.Doc != c.open || l.Number < 1 {
		c.t.Fatalf("line %d of %v, while %v is open", l.Number, l.Doc, c.open)
	}
	if !utf8.ValidString(l.Raw) || strings.ContainsFunc(l.Raw, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		c.t.Fatalf("line %d holds what it must not: %q", l.Number, l.Raw)
	}
	if !strings.Contains(l.Raw, l.Text) {
		c.t.Fatalf("the text %q is not of the line %q", l.Text, l.Raw)
	}
	if c.sum += len(l.Raw) + 1; c.sum > 8<<20 {
		c.t.Fatal("more text than the bound allows")
	}
	if l.Field != "" || c.data == nil || l.Doc.Name != plainName {
		return
	}
	c.place(l)
}

// place checks that the line's place holds its very bytes.
func (c *checker) place(l *Line) {
	end := l.Offset + int64(l.Length)
	if l.Offset < 0 || end > int64(len(c.data)) || !bytes.Equal(c.data[l.Offset:end], l.Stored) {
		c.t.Fatalf("line %d at %d+%d is not %q", l.Number, l.Offset, l.Length, l.Stored)
	}
	if strings.HasPrefix(l.Doc.Encoding, "utf-16") {
		return
	}
	if n := 1 + bytes.Count(c.data[:l.Offset], []byte("\n")); n != l.Number {
		c.t.Fatalf("line %d stands on line %d", l.Number, n)
	}
}

func (c *checker) JSON(j *JSON) {
	if j.Doc != c.open || len(j.Bytes) == 0 || !utf8.Valid(j.Bytes) {
		c.t.Fatalf("value of %d bytes of %v, while %v is open", len(j.Bytes), j.Doc, c.open)
	}
	if c.data == nil || j.Doc.Name != plainName || j.Doc.Encoding != charset.UTF8 {
		return
	}
	if isHTML(c.data) {
		return // the value begins within the line at that place
	}
	if c.data[j.Offset] != j.Bytes[0] && c.data[j.Offset] != '"' && c.data[j.Offset] != 0x1b {
		c.t.Fatalf("value at %d begins with %q, not with %q", j.Offset, c.data[j.Offset], j.Bytes[0])
	}
}

// Page checks that a page is a value by itself.
func (c *checker) Page(p *Page) {
	c.JSON(&p.JSON)
	var s jsonScanner
	s.reset()
	if n, v := s.feed(p.Bytes); !p.Cut && (v != finished || n < len(p.Bytes)) {
		c.t.Fatalf("a page that is no value, from byte %d: %q", n, p.Bytes)
	}
	if p.Cut && p.Goes || p.Told > len(p.Bytes) || p.Open > len(p.Bytes) {
		c.t.Fatalf("a page of %d bytes with %d told, that goes on at %d: %v", len(p.Bytes), p.Told, p.Open, p.Goes)
	}
	before := -1
	for _, g := range p.Gaps {
		if g.At <= before || g.At > p.Told || g.Parts < 1 || g.Lines < 0 || bytes.IndexByte([]byte(`{["`), p.Bytes[g.At-1]) < 0 {
			c.t.Fatalf("gaps %+v in %q, of which %d are told", p.Gaps, p.Bytes, p.Told)
		}
		before = g.At
	}
	for _, in := range p.Inners {
		text, end := p.Bytes[in.At:], stringEnd(p.Bytes, in.At-1)
		if end > 0 {
			text = p.Bytes[in.At : end-1]
		}
		value, _ := unescapeJSON(nil, text)
		if p.Bytes[in.At-1] != '"' || in.Told > len(value) || in.Open > len(value) || len(in.Gaps) == 0 && !in.Goes {
			c.t.Fatalf("a text of a page that is none: %+v in %q", in, p.Bytes)
		}
		s.reset()
		if _, v := s.feed(value); in.Goes && v != finished {
			c.t.Fatalf("a text of a page that is no value: %q", value)
		}
	}
}

func fuzzRead(t *testing.T, data []byte) {
	c := &checker{t: t}
	if sniff(data) == plain {
		c.data = data
	}
	st, err := Read([]Root{{Name: plainName, Reader: bytes.NewReader(data)}}, fuzzLimits, c)
	if err != nil && strings.Contains(err.Error(), "\n") {
		t.Fatalf("more than a line: %v", err)
	}
	if c.open != nil || st.Lines < 0 {
		t.Fatalf("%v is still open", c.open)
	}
	// The same as a file, where it can be read at any place.
	Read([]Root{{Name: "f", FS: fstest.MapFS{"f": {Data: data}}, Path: "f"}}, fuzzLimits, &checker{t: t})
}

// textSeeds hold one sample of every kind of text.
var textSeeds = []string{
	"a\r\n50%\r100%\r\n\x1b[31mred\x1b[0m \x1b]0;t\x07x\b\x00\n",
	"[rank3]:   File \"x\"\n[1,3]<stderr>:x\n[default0]:y\nworker-1: z\n(W pid=1, ip=1.2.3.4) a\n",
	"[ERROR] HCCL(3319,python):2026-06-04-02:37:04.650.409 [task.cc:908] x\n[E616 10:11:12.3 P.cpp:15] [Rank 2] x\nE0616 11:02:20.1 4127 a.py:874] x\n",
	"Jun  5 08:00:11 n kernel: [98122.310442] x\n[Sun Jun  7 05:02:38 2026] NVRM\n<3>[   12.345678] x\n2026-06-16T11:02:20.1+08:00 stderr F x\n",
	"{\n \"metadata\": {\"id\": \"x\"},\n \"status\": {}\n}\n[USE_ERROR]x\n{\"quotas\": [1.5e3, null, true]}{\"flavors\": []}\n{\"error_code\": \"a\\u4e2d",
	"ListX有多个版本{\n\"items\": [], \"total\": 1\n}\n",
	`{"log":"a\r\nb\n","stream":"stderr","time":"2026-06-16T03:02:20.5Z"}` + "\n" + `{"_source":{"@timestamp":1781578940,"message":"x","host":{"name":"n"}}}` + "\n",
	`{"status":"success","data":{"resultType":"streams","result":[{"stream":{"pod":"p"},"values":[["1781578942000000000","x"],["1","y"]]}]}}`,
	`[{"@timestamp":"2026-06-16T03:02:20Z","message":"x","host":"n"}]`,
	`{"message": {"message": "x", "extraInfo": {"py_callstack": "a\nb", "timestamp": "1781578940"}}}`,
	"__CURSOR=s\n__REALTIME_TIMESTAMP=1781578940500000\nMESSAGE\n\x0a\x00\x00\x00\x00\x00\x00\x00one\n  two!\n_PID=5\n\n",
	"+--+\n| time | level | message |\n+--+\n| 2026-06-11T23:40:43+08:00 | Error | a | b |\n+--+\nWarning\tx\tK8S\t2026-06-11T06:00:02+08:00\n| NVIDIA-SMI 5 |\n|===|\n",
	"# 工单\n> {\"error_code\": \"a\",\n> \"error_msg\": \"b\"}\n> ```\n> x\n> ```\n<pre>\ny\n</pre>\n\n    code\n",
	"<html><p>a &lt; b<br>KeyError: 'a'</p><pre>File \"<stdin>\"\n<span\nclass=x>y</span></pre><script>z</script><!-- c --></html>",
	"<html><pre>{\n\"error_code\": \"a\",\n\"error_msg\": \"b &amp; c\"}\n{\n\"x\"</pre></html>",
	strings.Repeat("\x00", 40) + "a\nb\n",
	`{"events":[` + strings.Repeat(`{"time":"2026-06-16T03:02:20Z","level":"Info","message":"a {b} [c] \\\\ \"d\""},`, 12) + `{"message":"` + strings.Repeat(`line, {x}\n`, 90) + `"}],"total":13}` + "\n{}\n",
	`{"a":"` + strings.ReplaceAll(`{"events":[`+strings.Repeat(`{"time":"2026-06-16T03:02:20Z","level":"Info","message":"a {b} [c] \\\\ \"d\""},`, 12)+`{}]}`, `"`, `\"`) + `","b":"` + strings.Repeat("x", 700) + `","c":"[` + strings.Repeat(`1,\n`, 300) + `\u00e9"}`,
	"{\n \"status\": {\n  \"task_statuses\": [\n" + strings.Repeat("   {\n    \"task\": \"worker-1\",\n    \"exit_code\": 0\n   },\n", 20) + "   {}\n  ]\n },\n \"a\": [1" + strings.Repeat(", [2, \"训练\"]", 80) + "]\n}\nrest\n",
	"From: a\nTo: b\nSubject: c\nContent-Type: multipart/mixed; boundary=A\n\n--A\n\ntext\n--A\nContent-Type: text/plain; charset=gbk\nContent-Transfer-Encoding: quoted-printable\n\n=B1=A8=\nx\n--A\nContent-Disposition: attachment; filename=a.log\nContent-Transfer-Encoding: base64\n\nb25lCg==\n--A--\n",
	`{\"error_code\": \"a\", \"error_msg\": \"b\\nc\"}` + "\n" + `Traceback (most recent call last):\n  File \"a\"\nKeyError: '\u4e2d'` + "\n",
	"\xd1\xb5\xc1\xb7\xca\xa7\xb0\xdc\n训练\xe8\xae\n",
	"\xff\xfea\x00\r\x00\n\x00\x2d\x4e\n\x00\x3d\xd8\x00\xde", "\xfe\xff\x00a\x00\n\x4e\x2d", "h\x00e\x00l\x00l\x00o\x00\n\x00",
	"0: a\n1: b\n0: c\n1: d\n 0:   e\n", "node12: a\nnode13: b\nnode13: c\nnode12: d\nnode12: e\n",
	"[worker-0] a\n[worker-1] b\n[rank_3] c\n[worker-0] d\n[worker-1]   e\n", "t-1  | a\nt-2  | b\nt-1  | c\nt-2  | d\nt-1  | e\n",
	"101:2026-07-01 10:00:00 INFO x\n103-y\n104:  File\n201:z\n202:\n203:z\n", " 9  2026-07-01 10:00:00 INFO x\n10  y\n11    z\n12\n13  z\n14  z\n",
	"==> worker-1/rank_9.log <==\nb\n==> x <==\nnode-3 | FAILED | rc=1 >>\na\n",
	"EI0002: [PID: 3319] 2026-06-04-02:37:04.650.409 x\n[PID: 3319] 2026-06-04-02:37:04.650.409 x\nkern  :err   : [98122.310442] x\n",
	`{"asctime":"2026-06-16 03:02:20,5","levelname":"ERROR","message":"a","exc_info":"b\n  c\nKeyError: 17"}` + "\n" + `[rank1]: {"x": "Traceback (most recent call last):\n  a\nKeyError: 17"} z` + "\n",
	"time,pod,content\n2026-06-16T03:02:22Z,p,\"a\n  \"\"b\"\"\"\n2026-06-16T03:02:21Z,p,c\nx\n2026-06-16T03:02:21Z,p,\"d\n",
	"h\n2026-07-15 07:00:09 d\n2026-07-15 07:00:08 c\n  x\r\n2026-07-15 07:00:07 b\n\n2026-07-15 07:00:06 a\n{\"a\":\n", "Jul 15 07:00:09 n t[1]: d\nE: x\n  File \"x\nTraceback (most recent call last)\nJul 15 07:00:08 c\nJul 15 07:00:07 b\nJul 15 07:00:06 a",
	"__CURSOR=b\n__REALTIME_TIMESTAMP=1781578949000000\nMESSAGE\n\n__CURSOR=a\n__REALTIME_TIMESTAMP=1781578948000000\nMESSAGE=c\n__CURSOR=\n__REALTIME_TIMESTAMP=1781578947000000\n\n__CURSOR=\n__REALTIME_TIMESTAMP=1781578946000000\n",
	"import os\nfrom x import y\ndef main():\n    raise ValueError('x')\n",
	brokenAt(wide, 80, "\n"), "# a\n```\n" + brokenAt(wide, 80, "\r\n") + "```\n" + `{"error_code": "a",` + "\n",
	strings.Repeat("x", 600) + "\r\n" + strings.Repeat("中", 300) + "\n" + strings.Repeat("50%\r", 400),
}

// FuzzText reads texts of every kind.
func FuzzText(f *testing.F) {
	for _, s := range textSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(fuzzRead)
}

// FuzzContainers reads archives and compressed data of every kind.
func FuzzContainers(f *testing.F) {
	t := &testing.T{}
	gz := packGzip([]byte("one\ntwo\n"))
	zipped := packZip(t, []string{"a/x.log", "../y.log.gz"}, gz)
	for _, data := range [][]byte{gz, packZstd(t, []byte("one\n")), packXZ(t, []byte("one\n"), 4), zipped, packGzip(zipped), zipped[:len(zipped)/2], packTar(t, hostileHeaders, "text\n")} {
		f.Add(data)
	}
	f.Add([]byte("BZh91AY&SY\xa7\x14+w\x00\x00\x02\xc1\x80\x00\x10\x02\x01\x84\x80 \x00!\x80\x0c\x028\xf5\x1b\xb8\xbb\x92)\xc2\x84\x858\xa1[\xb8"))
	f.Fuzz(fuzzRead)
}

// FuzzField reads text as an answer's field.
func FuzzField(f *testing.F) {
	for _, s := range textSeeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		doc := &Document{Name: "a.json", Rank: -1}
		want := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
		Text(doc, "content", Log, text, func(l *Line) {
			if l.Field != "content" || l.Offset != -1 || l.Number < 1 || l.Number > want || !strings.Contains(l.Raw, l.Text) {
				t.Fatalf("of %d lines: %+v", want, l)
			}
		})
	})
}

// FuzzJSONScanner holds the scanner against encoding/json: it must not refuse
// what is JSON, and must not depend on how the text is cut into pieces.
func FuzzJSONScanner(f *testing.F) {
	for _, s := range textSeeds {
		f.Add([]byte(s), 7)
	}
	f.Add([]byte(`{"a": [1, -2.5e+3, "\u00e9\"", {"b": null}], "c": true}`), 3)
	f.Fuzz(func(t *testing.T, data []byte, cut int) {
		var whole jsonScanner
		n, v := whole.feed(data)
		if json.Valid(data) && bytes.HasPrefix(data, []byte("{")) && bytes.Count(data, []byte("{"))+bytes.Count(data, []byte("[")) < deepest {
			if v != finished || len(bytes.TrimSpace(data[n:])) > 0 {
				t.Fatalf("refused at %d: %s", n, data)
			}
		}
		if cut < 1 || cut >= len(data) {
			return
		}
		var pieces jsonScanner
		m, w := pieces.feed(data[:cut])
		if w == goesOn {
			var k int
			k, w = pieces.feed(data[cut:])
			m += k
		}
		if m != n || w != v || whole.keys != pieces.keys {
			t.Fatalf("whole: %d %d, in pieces: %d %d", n, v, m, w)
		}
	})
}

// FuzzNames checks that no name makes the layout or the labels of roots fail,
// and that names stay unique.
func FuzzNames(f *testing.F) {
	f.Add("modelarts-job-0f1e2d3c-4b5a-4968-8776-655443322130-worker-3.log", "a/b/../c")
	f.Add("attempt_1/3/stderr.log", "1.2.3.4/rank_5/device-1")
	f.Add("a.log.1", "a.part2.log.gz")
	f.Add("\u023a\u023a\u023a.part1", "\u0130\u0130.PART_2.log") // letters that grow and shrink when they become small
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, name := range []string{a, b} {
			d := &Document{Name: Printable(name), Rank: -1}
			layout(d)
			if !utf8.ValidString(d.Name) || d.Rank < -1 {
				t.Fatalf("%+v", d)
			}
			if p := pieceOf(name); p.order < 0 || p.form != wholeLog && len(p.log) >= len(name) {
				t.Fatalf("%q: %+v", name, p)
			}
		}
		var items []item
		roots := []Root{{Name: a}, {Name: b}, {Name: a}}
		for i, r := range roots {
			items = append(items, item{root: i, name: baseName(r.Name)}, item{root: i, name: "x.log"})
		}
		unclash(items, roots)
		seen := map[string]string{}
		for _, it := range items {
			if it.name == "x.log" || strings.HasSuffix(it.name, "/x.log") {
				owner := fmt.Sprint(it.root)
				if o, ok := seen[it.name]; ok && o != owner {
					t.Fatalf("two roots have %q", it.name)
				}
				seen[it.name] = owner
			}
		}
	})
}

// said collects the texts that are handed on, in order.
type said struct {
	ignore
	texts []string
}

func (s *said) Line(l *Line) { s.texts = append(s.texts, l.Raw) }

// FuzzExports: of messages that a log service exports, or a container's runtime or
// a mail keeps, whatever form it has, each is read whole and in order.
func FuzzExports(f *testing.F) {
	f.Add("step 1\nKeyError: 'a, \"b\"'\n  File \"x\"")
	f.Add("a,b\n\"\n\"\"\n,\n{\"a\": 1}\n\\n")
	f.Add("中文，：\n--A\nFrom x\n=3D= =\n.")
	f.Add("{") // behind text, at the end
	f.Add("{\"{0{\n0")
	f.Fuzz(func(t *testing.T, text string) {
		var messages []string
		for line := range strings.SplitSeq(text, "\n") {
			if line = strings.Join(strings.Fields(charset.CleanText(strings.ToValidUTF8(line, "?"))), " "); line != "" && len(line) < 200 {
				messages = append(messages, "x "+line) // no form of its own
			}
		}
		if len(messages) == 0 || len(messages) > 50 || strings.ContainsAny(text, "\r\u0085\u2028") {
			return
		}
		for name, data := range exports(t, messages) {
			for _, page := range []int{0, 300} {
				inExport(t, name, data, page, messages)
			}
		}
	})
}

func inExport(t *testing.T, name, data string, page int, messages []string) {
	t.Helper()
	h := &said{}
	if _, err := Read([]Root{{Name: "x", Reader: strings.NewReader(data)}}, Limits{Line: 4 << 10, Answer: 64 << 10, Block: 64 << 10, Page: page}, h); err != nil {
		t.Fatalf("%s of %q: %v", name, messages, err)
	}
	all := strings.Join(h.texts, "\n") + "\n"
	for _, m := range messages {
		_, rest, found := strings.Cut(all, m+"\n")
		if !found {
			t.Fatalf("%s of %q in pages of %d lacks %q behind what is before it: %q", name, messages, page, m, h.texts)
		}
		all = rest
	}
}

// exports writes messages in forms in which they are saved.
func exports(t *testing.T, messages []string) map[string]string {
	t.Helper()
	var table, docker, loki, quoted strings.Builder
	var newest []string
	w := csv.NewWriter(&table)
	rows := [][]string{{"time", "pod", "content"}}
	for i, m := range messages {
		at := time.Date(2026, 6, 16, 3, 0, i, 0, time.UTC).Format(time.RFC3339)
		rows = append(rows, []string{at, "p", m})
		line, err := json.Marshal(map[string]string{"log": m + "\n", "stream": "stderr", "time": at})
		if err != nil {
			t.Fatal(err)
		}
		docker.Write(append(line, '\n'))
		line, err = json.Marshal([]string{fmt.Sprint(1781578942000000000 + i), m})
		if err != nil {
			t.Fatal(err)
		}
		loki.WriteString("," + string(line))
		line, err = json.Marshal(map[string]any{"content": m, "line_num": fmt.Sprint(i), "timestamp": fmt.Sprint(1781578942000 + i)})
		if err != nil {
			t.Fatal(err)
		}
		newest = append(newest, string(line))
		q := quotedprintable.NewWriter(&quoted)
		q.Write([]byte(m + "\n"))
		if err := q.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(newest)
	const head = "From: a\nTo: b\nSubject: c\nDate: d\nContent-Type: multipart/mixed; boundary=AbCdEf0123456789\n\n--AbCdEf0123456789\nContent-Type: text/plain\nContent-Disposition: attachment; filename=a.log\nContent-Transfer-Encoding: "
	plain := strings.Join(messages, "\n") + "\n"
	return map[string]string{
		"csv": table.String(), "docker": docker.String(), "plain": plain,
		"loki":             `{"status":"success","data":{"resultType":"streams","result":[{"stream":{"pod":"p"},"values":[` + loki.String()[1:] + `]}]}}`,
		"newest first":     `{"count":2,"logs":[` + strings.Join(newest, ",") + `]}`,
		"base64":           head + "base64\n\n" + base64.StdEncoding.EncodeToString([]byte(plain)) + "\n--AbCdEf0123456789--\n",
		"quoted-printable": head + "quoted-printable\n\n" + quoted.String() + "\n--AbCdEf0123456789--\n",
	}
}
