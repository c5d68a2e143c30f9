package source

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// recorder keeps what reading hands on, in a form that tests can compare.
type recorder struct {
	docs  []*Document
	lines []Line
	jsons []JSON
	notes []Note
}

func (r *recorder) Begin(d *Document) { r.docs = append(r.docs, d) }
func (r *recorder) End(*Document)     {}
func (r *recorder) Note(n Note)       { r.notes = append(r.notes, n) }
func (r *recorder) Line(l *Line) {
	c := *l
	c.Stored = bytes.Clone(l.Stored)
	r.lines = append(r.lines, c)
}
func (r *recorder) JSON(j *JSON) {
	c := *j
	c.Bytes = bytes.Clone(j.Bytes)
	r.jsons = append(r.jsons, c)
}

func (r *recorder) raws() (out []string) {
	for _, l := range r.lines {
		out = append(out, fmt.Sprintf("%d %s", l.Number, l.Raw))
	}
	return out
}

func (r *recorder) values() (out []string) {
	for _, j := range r.jsons {
		cut := ""
		if j.Cut {
			cut = " cut"
		}
		out = append(out, fmt.Sprintf("%d@%d%s %s", j.Number, j.Offset, cut, j.Bytes))
	}
	return out
}

func (r *recorder) names() (out []string) {
	for _, d := range r.docs {
		out = append(out, d.Name)
	}
	return out
}

func (r *recorder) codes() (out []string) {
	for _, n := range r.notes {
		out = append(out, n.Source+": "+n.Code)
	}
	return out
}

func stream(text string) Root { return Root{Name: "-", Reader: strings.NewReader(text)} }

func readText(t *testing.T, text string, lim Limits) *recorder {
	t.Helper()
	r := &recorder{}
	if _, err := Read([]Root{stream(text)}, lim, r); err != nil {
		t.Fatal(err)
	}
	return r
}

func readFS(t *testing.T, fsys fs.FS, paths ...string) *recorder {
	t.Helper()
	r := &recorder{}
	var roots []Root
	for _, p := range paths {
		roots = append(roots, Root{Name: p, FS: fsys, Path: p})
	}
	if _, err := Read(roots, Limits{}, r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestJSONDocuments(t *testing.T) {
	const details = "{\n \"metadata\": {\"id\": \"x\"},\n \"status\": {}\n}"
	tests := []struct {
		name, in string
		values   []string
		lines    []string
	}{
		{"whole file", `{"a": 1}`, []string{`1@0 {"a": 1}`}, nil},
		{"whole file with blank lines", "\n {\"a\": 1}\n\n", []string{`2@2 {"a": 1}`}, []string{"1 "}},
		{"bare string", "[\"Failed\"]\n", []string{`1@0 ["Failed"]`}, nil},
		{"several lines", details + "\n", []string{"1@0 " + details}, nil},
		{"notice before", "If both 'cli-mode' and 'mode' exist\n" + details, []string{"2@36 " + details}, []string{"1 If both 'cli-mode' and 'mode' exist"}},
		{"notice glued", "ListX有多个版本\"v3\"" + details, []string{"1@24 " + details}, []string{"1 ListX有多个版本\"v3\""}},
		{"notice after", details + "\nDone.\n", []string{"1@0 " + details}, []string{"5 Done."}},
		{"several documents", details + "\n[USE_ERROR]x\n{\"quotas\": []}\n", []string{"1@0 " + details, `6@57 {"quotas": []}`}, []string{"5 [USE_ERROR]x"}},
		{"glued documents", "{\"quotas\": []}{\"flavors\": []}", []string{`1@0 {"quotas": []}`, `1@14 {"flavors": []}`}, nil},
		{"cut short", details[:30], []string{"1@0 cut " + details[:30]}, nil},
		{"cut short, then text", details[:30] + "\n[USE_ERROR]x", []string{"1@0 cut " + details[:30]}, []string{"4 [USE_ERROR]x"}},
		{"records of a log", "step 1\n{\"loss\": 1}\n{\"loss\": 2}\n", nil, []string{"1 step 1", `2 {"loss": 1}`, `3 {"loss": 2}`}},
		{"records only", "{\"loss\": 1}\n{\"loss\": 2}\n", nil, []string{`1 {"loss": 1}`, `2 {"loss": 2}`}},
		{"a configuration in a log", "start\n{\n \"lr\": 1\n}\nend\n", nil, []string{"1 start", "2 {", `3  "lr": 1`, "4 }", "5 end"}},
		{"a structured log", "start\n{\"task\": \"a\", \"message\": \"b\"}\n", nil, []string{"1 start", `2 {"task": "a", "message": "b"}`}},
		{"several short answers", "{\"x\": 1}\n", []string{`1@0 {"x": 1}`}, nil},
		{"a short answer after others", "{\"obs_url\": \"u\"}\n{\"x\": 1}\n", []string{`1@0 {"obs_url": "u"}`, `2@17 {"x": 1}`}, nil},
		{"an answer in a log", "start\n" + details + "\nend\n", []string{"2@6 " + details}, []string{"1 start", "6 end"}},
		{"a printed dict", "{'loss': 1}\n", nil, []string{"1 {'loss': 1}"}},
		{"a bracket", "[2026-01-02 03:04:05] x\n[0]\ttrain: 1\n", nil, []string{"1 [2026-01-02 03:04:05] x", "2 [0]\ttrain: 1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := readText(t, tt.in, Limits{})
			if d := cmp.Diff(tt.values, r.values()); d != "" {
				t.Errorf("values (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tt.lines, r.raws()); d != "" {
				t.Errorf("lines (-want +got):\n%s", d)
			}
		})
	}
}

// paged is a recorder that takes pages, and notes the last of them.
type paged struct {
	recorder
	last *Page
}

func (r *paged) Page(p *Page) {
	c := *p
	c.Bytes, c.Gaps = bytes.Clone(p.Bytes), slices.Clone(p.Gaps)
	r.last = &c
}

// TestBlankLinesInValues: what follows a long run of blank lines within a value
// stands on its own line, whether the value is held or read in pages.
func TestBlankLinesInValues(t *testing.T) {
	for _, blank := range []string{"\n", " \t\r\n"} {
		for _, n := range []int{blankRun - 1, blankRun, blankRun + 1, blankRun + 2, 2000, 300_000} {
			text := "{\n\"metadata\": {\"id\":\n" + strings.Repeat(blank, n) + "\"x\"},\n" + strings.Repeat(blank, n) + "\"status\": {}\n}\nend\n"
			want := 1 + bytes.Count([]byte(text[:strings.Index(text, `"status"`)]), []byte{'\n'})
			for _, page := range []int{1000, 1 << 30} {
				r := &paged{}
				if _, err := Read([]Root{stream(text)}, Limits{Page: page}, r); err != nil {
					t.Fatal(err)
				}
				value, gaps := []byte(nil), 0
				switch {
				case len(r.jsons) == 1:
					value = r.jsons[0].Bytes
				case r.last != nil:
					value = r.last.Bytes
					for _, g := range r.last.Gaps {
						gaps += g.Lines
					}
				}
				before, _, ok := bytes.Cut(value, []byte(`"status"`))
				if got := 1 + gaps + bytes.Count(before, []byte{'\n'}); !ok || got != want {
					t.Errorf("%d blank lines, pages of %d: the last member on line %d, want %d", n, page, got, want)
				}
				if end := r.raws(); !slices.Equal(end, []string{fmt.Sprintf("%d end", want+2)}) {
					t.Errorf("%d blank lines, pages of %d: lines %q behind", n, page, end)
				}
			}
		}
	}
}

// TestBlankLinesInValuesAreBounded: a value that is held as a whole and too long for
// its blank lines is cut, as any that is too long; in pages they take no room.
func TestBlankLinesInValuesAreBounded(t *testing.T) {
	text := "{\"metadata\": {\"id\": \"x\"}," + strings.Repeat("\n", 200_000) + "\"status\": {}}"
	for page, want := range map[int][]string{1000: nil, 1 << 30: {"-: bound-answer"}} {
		r := &paged{}
		if _, err := Read([]Root{stream(text)}, Limits{Page: page, Line: 50_000, Answer: 100_000}, r); err != nil {
			t.Fatal(err)
		}
		if got := r.codes(); !slices.Equal(got, want) {
			t.Errorf("pages of %d: notes %q, want %q", page, got, want)
		}
	}
}

func TestText(t *testing.T) {
	const utf16le = "\xff\xfe" + "a\x00\r\x00\n\x00\x2d\x4e\n\x00"
	tests := []struct {
		name, in string
		want     []string
	}{
		{"line ends", "a\r\nb\n\nc", []string{"1 a", "2 b", "3 ", "4 c"}},
		{"carriage returns", "10%\r20%\r\rdone\r\nnext\n", []string{"1 10%", "1 20%", "1 done", "2 next"}},
		{"escape sequences", "\x1b[31mred\x1b[0m \x1b]8;;http://x\x07link\x1b]8;;\x1b\\\n", []string{"1 red link"}},
		{"backspaces", "ab\b\bcd\n", []string{"1 cd"}},
		{"NULs", "a\x00b\n", []string{"1 ab"}},
		{"a hole", strings.Repeat("\x00", 100<<10) + "a\nb\n", []string{"1 a", "2 b"}},
		{"mark", "\xef\xbb\xbfa\n", []string{"1 a"}},
		{"UTF-16 with a mark", utf16le, []string{"1 a", "2 中"}},
		{"UTF-16 without a mark", strings.ReplaceAll("hello\n", "", "\x00")[:12], []string{"1 hello"}},
		{"GBK", "\xd1\xb5\xc1\xb7\xca\xa7\xb0\xdc\n", []string{"1 训练失败"}},
		{"GBK after ASCII", "start\n\xd1\xb5\xc1\xb7\n", []string{"1 start", "2 训练"}},
		{"damaged UTF-8", "训练失败\xe8\xae\n", []string{"1 训练失败\uFFFD\uFFFD"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, readText(t, tt.in, Limits{}).raws()); d != "" {
				t.Errorf("lines (-want +got):\n%s", d)
			}
		})
	}
}

func packTar(t *testing.T, headers []tar.Header, body string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range headers {
		if h.Typeflag == tar.TypeReg {
			h.Size = int64(len(body))
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			io.WriteString(w, body)
		}
	}
	w.Close()
	return b.Bytes()
}

func packGzip(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func packZip(t *testing.T, names []string, body []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, n := range names {
		f, err := w.Create(n)
		if err != nil {
			t.Fatal(err)
		}
		f.Write(body)
	}
	w.Close()
	return b.Bytes()
}

// hostileHeaders are members that point outside, or are no files.
var hostileHeaders = []tar.Header{
	{Name: "a/x.log", Typeflag: tar.TypeReg},
	{Name: "../out.log", Typeflag: tar.TypeReg},
	{Name: "/abs.log", Typeflag: tar.TypeReg},
	{Name: "a/x.log", Typeflag: tar.TypeReg},
	{Name: "link", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"},
	{Name: "dev", Typeflag: tar.TypeChar},
	{Name: "fifo", Typeflag: tar.TypeFifo},
}

func TestContainers(t *testing.T) {
	inner := packGzip([]byte("one\ntwo\n"))
	archive := packTar(t, hostileHeaders, "text\n")
	fsys := fstest.MapFS{
		"in/b.log":        {Data: []byte("b\n")},
		"in/a.log.gz":     {Data: inner},
		"in/t.tgz":        {Data: packGzip(archive)},
		"in/z.zip":        {Data: packZip(t, []string{"p/q.log.gz"}, inner)},
		"in/empty.log":    {},
		"in/model.bin":    {Data: []byte("\x80\x02\x00\x01\x00\x02\x00\x03\x00\x04\x05")},
		"in/sub/link.log": {Data: []byte("../b.log"), Mode: fs.ModeSymlink},
	}
	r := readFS(t, fsys, "in")
	want := []string{"a.log.gz", "b.log", "t.tgz!a/x.log", "t.tgz!out.log", "t.tgz!abs.log", "t.tgz!a/x.log#2", "z.zip!p/q.log.gz"}
	if d := cmp.Diff(want, r.names()); d != "" {
		t.Errorf("names (-want +got):\n%s", d)
	}
	notes := []string{"sub/link.log: link", "empty.log: empty", "model.bin: binary", "t.tgz!out.log: outside", "t.tgz!abs.log: outside",
		"t.tgz!a/x.log#2: duplicate", "t.tgz!link: link", "t.tgz!dev: special", "t.tgz!fifo: special"}
	if d := cmp.Diff(notes, r.codes()); d != "" {
		t.Errorf("notes (-want +got):\n%s", d)
	}
}

// bzippedOne is a line that bzip2 has packed.
const bzippedOne = "\x42\x5a\x68\x39\x31\x41\x59\x26\x53\x59\x78\x13\xc0\x82\x00\x00\x01\xc1\x00\x00\x10\x02\x01\xa0\x00\x21\x9a\x68\x33\x4d\x0c\xbc\x5d\xc9\x14\xe1\x42\x41\xe0\x4f\x02\x08"

// TestEmptyStreamsFirst: what is packed may begin with a stream of nothing, or a
// frame to skip, as parallel packers write them.
func TestEmptyStreamsFirst(t *testing.T) {
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	packed := encoder.EncodeAll([]byte("one\n"), nil)
	const none = "BZh9\x17rE8P\x90\x00\x00\x00\x00"
	for name, data := range map[string]string{
		"skippable.zst": "\x5f*M\x18\x04\x00\x00\x00abcd" + string(packed),
		"empty.bz2":     none + none + bzippedOne,
	} {
		r := readFS(t, fstest.MapFS{name: {Data: []byte(data)}}, name)
		if got := r.names(); !slices.Equal(got, []string{name}) {
			t.Errorf("%s: %q, notes %q", name, got, r.codes())
		}
	}
}

func TestOrderOfRoots(t *testing.T) {
	fsys := fstest.MapFS{
		"a/logs/w.log": {Data: []byte("a\n")},
		"b/logs/w.log": {Data: []byte("b\n")},
		"b/x.log":      {Data: []byte("x\n")},
		"b/dmesg.txt":  {Data: []byte("y\n")},
	}
	want := []string{"a/logs/w.log", "b/logs/w.log", "x.log", "dmesg.txt"}
	for _, order := range [][]string{{"a/logs", "b/dmesg.txt", "b/logs", "b/x.log"}, {"b/x.log", "b/logs", "b/dmesg.txt", "a/logs"}} {
		if d := cmp.Diff(want, readFS(t, fsys, order...).names()); d != "" {
			t.Errorf("names (-want +got):\n%s", d)
		}
	}
}

func TestNothingReadable(t *testing.T) {
	fsys := fstest.MapFS{
		"empty.log":   {},
		"model.bin":   {Data: []byte("\x7fELF\x00\x01\x00\x02\x00\x03\x00\x04\x05")},
		"d/empty.log": {},
		"cut.gz":      {Data: packGzip([]byte("x"))[:11]},
	}
	for path, code := range map[string]string{
		"missing.log": "missing", "empty.log": "empty", "model.bin": "binary", "d": "nothing", "cut.gz": "damaged",
	} {
		_, err := Read([]Root{{Name: path, FS: fsys, Path: path}}, Limits{}, &recorder{})
		e, ok := errors.AsType[*Error](err)
		if !ok || e.Code != code || e.Path != path {
			t.Errorf("%s: got %v, want code %q", path, err, code)
		}
		if strings.Contains(fmt.Sprint(err), "\n") {
			t.Errorf("%s: more than a line: %v", path, err)
		}
	}
}

func base64Of(data []byte) string { return base64.StdEncoding.EncodeToString(data) }

// bzip2Sample is "one\ntwo\n" by bzip2 1.0.8; the standard library only reads it.
const bzip2Sample = "QlpoOTFBWSZTWacUK3cAAALBgAAQAgGEgCAAIYAMAjj1G4u5IpwoSFOKFbuA"

func packXZ(t *testing.T, data []byte, check byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := xz.WriterConfig{CheckSum: check}.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func packZstd(t *testing.T, data []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(data, nil)
}

func TestCompression(t *testing.T) {
	text := []byte("one\ntwo\n")
	bz, err := base64.StdEncoding.DecodeString(bzip2Sample)
	if err != nil {
		t.Fatal(err)
	}
	crc32xz := packXZ(t, text, xz.CRC32)
	damaged := bytes.Clone(crc32xz)
	damaged[len(damaged)-30] ^= 1
	inputs := map[string][]byte{
		"gzip": packGzip(text), "zstd": packZstd(t, text), "bzip2": bz,
		"xz crc32": crc32xz, "xz crc64": packXZ(t, text, xz.CRC64), "xz sha256": packXZ(t, text, xz.SHA256), "xz none": packXZ(t, text, xz.None),
		"gzip in xz in zstd": packZstd(t, packXZ(t, packGzip(text), xz.CRC64)),
	}
	for name, data := range inputs {
		if d := cmp.Diff([]string{"1 one", "2 two"}, readText(t, string(data), Limits{}).raws()); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	twice := append(bytes.Clone(crc32xz), append([]byte{0, 0, 0, 0}, crc32xz...)...)
	if got := readText(t, string(twice), Limits{}).raws(); len(got) != 4 {
		t.Errorf("two xz streams: %q", got)
	}
	if got := readText(t, string(damaged), Limits{}).codes(); len(got) == 0 {
		t.Error("damage of an xz stream is not noted")
	}
}

func TestZipStreams(t *testing.T) {
	var plain bytes.Buffer
	w := zip.NewWriter(&plain)
	body := "one PK\x07\x08 two\n"
	for i, method := range []uint16{zip.Deflate, zip.Store} {
		f, err := w.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("%d.log", i), Method: method})
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, body)
	}
	w.Close()
	for name, data := range map[string][]byte{"stream": plain.Bytes(), "nested": packGzip(plain.Bytes()), "in a zip": packZip(t, []string{"z.zip"}, plain.Bytes())} {
		r := readText(t, string(data), Limits{})
		if got := len(r.lines); got != 2 || string(r.lines[0].Stored)+"\n" != body || string(r.lines[1].Stored)+"\n" != body {
			t.Errorf("%s: %d lines, notes %v", name, got, r.codes())
		}
	}
	cut := plain.Bytes()[:70]
	if r := readText(t, string(cut), Limits{}); len(r.lines) != 1 || len(r.notes) != 1 || r.notes[0].Code != "damaged" {
		t.Errorf("cut short: %q, %v", r.raws(), r.codes())
	}
}

func TestForeignPackages(t *testing.T) {
	model := packZip(t, []string{"archive/data.pkl", "archive/data/0"}, []byte("x"))
	for code, data := range map[string][]byte{"binary": model, "unsupported": []byte("7z\xbc\xaf\x27\x1c0000")} {
		_, err := Read([]Root{stream(string(data))}, Limits{}, &recorder{})
		if e, ok := errors.AsType[*Error](err); !ok || e.Code != code {
			t.Errorf("got %v, want %s", err, code)
		}
	}
}

// TestOverlappingMembers: a zip archive that gives the same bytes under many names
// is read as far as it is large itself.
func TestOverlappingMembers(t *testing.T) {
	var body strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&body, "step %d\n", i*i*i)
	}
	honest := packZip(t, []string{"a.log"}, []byte(body.String()))
	end := bytes.LastIndex(honest, []byte("PK\x05\x06"))
	at := bytes.LastIndex(honest[:end], []byte("PK\x01\x02"))
	const members = 50
	bomb := append(bytes.Clone(honest[:at]), bytes.Repeat(honest[at:end], members)...)
	bomb = append(bomb, honest[end:]...)
	tail := bomb[len(bomb)-len(honest[end:]):]
	binary.LittleEndian.PutUint16(tail[8:], members)
	binary.LittleEndian.PutUint16(tail[10:], members)
	binary.LittleEndian.PutUint32(tail[12:], uint32((end-at)*members))

	r := &recorder{}
	if _, err := Read([]Root{{Name: "d", FS: fstest.MapFS{"bomb.zip": {Data: bomb}}, Path: "."}}, Limits{}, r); err != nil {
		t.Fatal(err)
	}
	n := len(r.notes) - 1
	if n < 0 || r.notes[n].Code != "damaged" || !strings.Contains(r.notes[n].Args[0], "overlap") {
		t.Errorf("notes: %v", r.notes)
	}
	if most := 3 * 1000; len(r.lines) == 0 || len(r.lines) > most {
		t.Errorf("%d lines of an archive of %d bytes, of which one member of 1000 lines takes %d", len(r.lines), len(bomb), at)
	}
}

// TestOtherCodePages: what is ASCII of a log in a code page that is not known here is
// read; packed data, of which nothing can be, is refused.
func TestOtherCodePages(t *testing.T) {
	for _, line := range []string{"\xf3\xf7\xe5\xf2 step %d \xb1 2 \xe9\n", "GPU %d: 45\xb0 caf\xe9, \xbf9\n"} {
		var b strings.Builder
		for i := range 500 {
			fmt.Fprintf(&b, line, i)
		}
		if r := readText(t, b.String()+"RuntimeError: x\n", Limits{}); string(r.lines[len(r.lines)-1].Stored) != "RuntimeError: x" {
			t.Errorf("%.20q: last line %q", line, r.lines[len(r.lines)-1].Stored)
		}
	}
	noise := make([]byte, 1<<16)
	rand.NewChaCha8([32]byte{}).Read(noise)
	for i, c := range noise {
		if c == 0 { // the NULs alone would have it refused
			noise[i] = 'x'
		}
	}
	_, err := Read([]Root{stream(string(noise))}, Limits{}, &recorder{})
	if e, ok := errors.AsType[*Error](err); !ok || e.Code != "binary" {
		t.Errorf("noise: %v", err)
	}
}

// TestLongLinesOfOtherScripts: a first line that goes on beyond what is looked at is
// no binary data, wherever that ends within a character.
func TestLongLinesOfOtherScripts(t *testing.T) {
	for _, script := range []string{"训练作业失败，", "学習に失敗\u2028", "\xd1\xb5\xc1\xb7" /* GB18030 */, "\U00020000\U0001F600"} {
		for shift := range 4 {
			for _, text := range []string{"%s\n", `{"error_code": "ModelArts.0104", "error_msg": "%s"}` + "\n"} {
				in := fmt.Sprintf(text, strings.Repeat("x", shift)+strings.Repeat(script, 20_000))
				if _, err := Read([]Root{stream(in)}, Limits{}, &recorder{}); err != nil {
					t.Errorf("%.40q: %v", in, err)
				}
			}
		}
	}
}

func TestBounds(t *testing.T) {
	long := strings.Repeat("x", 1000)
	object := `{"content": "` + long + `", "current_size": 1, "full_size": 2}`
	tests := []struct {
		name  string
		in    string
		lim   Limits
		notes []string
		lines []string
	}{
		{"line", long + "\nnext\n", Limits{Line: 256}, []string{"-: bound-line"}, []string{"1 " + long[:256], "2 next"}},
		{"line of exactly the bound", long[:256] + "\nnext\n", Limits{Line: 256}, nil, []string{"1 " + long[:256], "2 next"}},
		{"progress on one line", strings.Repeat(long[:99]+"\r", 5) + "end\n", Limits{Line: 256}, nil,
			[]string{"1 " + long[:99], "1 " + long[:99], "1 " + long[:99], "1 " + long[:99], "1 " + long[:99], "1 end"}},
		{"character at the bound", long[:255] + "中中\n", Limits{Line: 256}, []string{"-: bound-line"}, []string{"1 " + long[:255]}},
		{"answer longer than a line", object, Limits{Line: 256}, nil, nil},
		{"answer", object + "\nnext\n", Limits{Line: 256, Answer: 512}, []string{"-: bound-answer"}, []string{"2 next"}},
		{"bytes", "one\ntwo\nthree\n", Limits{Bytes: 8}, []string{"-: bound-bytes"}, []string{"1 one", "2 two"}},
		{"exactly the bytes", "one\ntwo\n", Limits{Bytes: 8}, nil, []string{"1 one", "2 two"}},
		{"decompressed bytes", string(packGzip([]byte("one\ntwo\nthree\n"))), Limits{Bytes: 8}, []string{"-: bound-bytes"}, []string{"1 one", "2 two"}},
		{"entries", string(packZip(t, []string{"a", "b", "c"}, []byte("x\n"))), Limits{Entries: 2}, []string{": bound-entries"}, []string{"1 x"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := readText(t, tt.in, tt.lim)
			if d := cmp.Diff(tt.notes, r.codes()); d != "" {
				t.Errorf("notes (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tt.lines, r.raws()); d != "" {
				t.Errorf("lines (-want +got):\n%s", d)
			}
		})
	}
	for _, in := range []string{"hcloud x\n{\n \"content\": [\n" + strings.Repeat("1,\n", 300), "hcloud x\n{\n \"content\": \"" + long + "\"}\n"} {
		r := readText(t, in, Limits{Line: 256, Answer: 512})
		if d := cmp.Diff(Note{"-", "bound-answer", []string{"2", "512"}}, r.notes[0]); d != "" {
			t.Errorf("a note names the line on which its answer begins (-want +got):\n%s", d)
		}
	}
	deep := func(levels int) []Root {
		data := []byte("x\n")
		for range levels {
			data = packGzip(data)
		}
		return []Root{stream(string(data))}
	}
	for levels, lim := range map[int]Limits{5: {Depth: 4}, 9: {}} { // 8, where nobody says otherwise
		_, err := Read(deep(levels), lim, &recorder{})
		if e, ok := errors.AsType[*Error](err); !ok || e.Code != "bound-depth" {
			t.Errorf("%d levels: %v", levels, err)
		}
		if _, err := Read(deep(levels-1), lim, &recorder{}); err != nil {
			t.Errorf("%d levels: %v", levels-1, err)
		}
	}
}

// TestDefaultBounds: where nobody says otherwise the bounds are those that the
// papers name.
func TestDefaultBounds(t *testing.T) {
	for size, want := range map[int][]string{1 << 20: nil, 1<<20 + 1: {"-: bound-line"}} {
		if got := readText(t, strings.Repeat("x", size)+"\nnext\n", Limits{}).codes(); !slices.Equal(got, want) {
			t.Errorf("a line of %d bytes: %v", size, got)
		}
	}
	if got := (Limits{}).withDefaults().Answer; got != 4<<20 {
		t.Errorf("an answer may have %d bytes", got)
	}
	p := &firstPage{}
	Read([]Root{stream(`{"items": [` + strings.Repeat(`{"metadata": {"id": "x"}}, `, 40_000) + `{}], "total": 40001}`)}, Limits{}, p)
	if p.size < 256<<10 || p.size > 256<<10+70<<10 { // it is taken in parts of a quarter
		t.Errorf("a page of %d bytes", p.size)
	}
	for stored, want := range map[int64]int64{1: 256 << 20, 1 << 20: 2100 << 20} {
		b := budget{left: 1 << 40, stored: stored}
		if got := b.room(); got != want {
			t.Errorf("a file of %d bytes may become %d bytes, want %d", stored, got, want)
		}
	}
}

// firstPage takes the size of the first page.
type firstPage struct {
	ignore
	size int
}

func (f *firstPage) Page(p *Page) {
	if f.size == 0 {
		f.size = len(p.Bytes)
	}
}

// endless gives n bytes of lines without holding them.
type endless struct {
	line []byte
	n    int
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.n <= 0 {
		return 0, io.EOF
	}
	n := copy(p, e.line[e.at:])
	e.at = (e.at + n) % len(e.line)
	e.n -= n
	return n, nil
}

func TestMemoryStaysBounded(t *testing.T) {
	var before, after runtime.MemStats
	for _, line := range []string{"2026-06-04 00:21:21,734 INFO step 10 loss 1.8837\n", strings.Repeat("x", 4096), "50%\r", "{\"a\": [", "\x00"} {
		runtime.GC()
		runtime.ReadMemStats(&before)
		w := &watch{}
		Read([]Root{{Name: "-", Reader: &endless{line: []byte(line), n: 24 << 20}}}, Limits{Answer: 4 << 20}, w)
		runtime.GC()
		runtime.ReadMemStats(&after)
		if w.peak > before.HeapAlloc+16<<20 {
			t.Errorf("%.20q: %d MiB at the peak", line, (w.peak-before.HeapAlloc)>>20)
		}
	}
}

// watch looks at the heap from time to time.
type watch struct {
	ignore
	n    int
	peak uint64
}

func (w *watch) Line(*Line) {
	if w.n++; w.n%50_000 == 0 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		w.peak = max(w.peak, m.HeapAlloc)
	}
}

// What tells how a container failed is read line by line; other states stay values.
func TestContainerStates(t *testing.T) {
	const (
		inspect = "[\n    {\n        \"State\": {\n            \"OOMKilled\": false,\n            \"ExitCode\": 139\n        }\n    }\n]\n"
		pod     = "{\n    \"kind\": \"Pod\",\n    \"status\": {\"containerStatuses\": [{\"restartCount\": 0, \"state\": {\"terminated\": {\n        \"exitCode\": 134}}}]}\n}\n"
	)
	for _, tt := range []struct {
		name, in string
		lines    int
	}{
		{"docker inspect", inspect, 8},
		{"docker inspect of what ended well", strings.Replace(inspect, "139", "0", 1), 0},
		{"docker inspect of what ran out of memory", strings.Replace(inspect, "false", "true", 1), 8},
		{"a pod", pod, 5},
		{"a pod that ended well", strings.Replace(pod, "134", "0", 1), 0},
		{"another value", "{\n\"ExitCode\": 139\n}\n", 0},
	} {
		r := readText(t, tt.in, Limits{})
		if len(r.lines) != tt.lines || len(r.jsons) != 1-min(tt.lines, 1) {
			t.Errorf("%s: %d lines and %d values, want %d lines", tt.name, len(r.lines), len(r.jsons), tt.lines)
		}
		for i, l := range r.lines {
			if l.Number != i+1 || l.Kind != Log {
				t.Errorf("%s: line %d is %d of kind %d", tt.name, i+1, l.Number, l.Kind)
			}
		}
	}
}
