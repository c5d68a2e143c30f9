package bundle

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
)

// secrets must not leave the house.
var secrets = []string{"hunter2222", "QTWAOYTTINDUT2QVKYUC", "ann@example.com", "10.11.12.13", "13812345678", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"}

func ticket() []source.Root {
	var log strings.Builder
	for i := range 100 {
		fmt.Fprintf(&log, "2026-06-02 09:%02d:00 INFO step %d loss 1.5\n", i%60, i)
	}
	log.WriteString("torch version 2.5.1\nlogin password=hunter2222 AK=QTWAOYTTINDUT2QVKYUC\nmail ann@example.com at 10.11.12.13:29500, 电话：13812345678, consumed samples: 13912345678\n")
	log.WriteString("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n")
	log.WriteString("Traceback (most recent call last):\n  File \"train.py\", line 8, in <module>\n    m(x)\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.66 GiB is free.\n")
	fsys := fstest.MapFS{"worker-0.log": {Data: []byte(log.String())}, "other.log": {Data: []byte("nothing of interest\nat all\n")}}
	return []source.Root{{Name: "ticket", FS: fsys, Path: "."}}
}

func pack(t *testing.T) (*Bundle, []byte) {
	t.Helper()
	b, err := Make("ticket", ticket(), analyzer.Options{Lang: "en"}, "hcloud-modelarts test")
	if err != nil {
		t.Fatal(err)
	}
	data, err := b.Zip()
	if err != nil {
		t.Fatal(err)
	}
	return b, data
}

// members gives the files of a bundle.
func members(t *testing.T, data []byte) map[string]string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		m[f.Name] = string(text)
	}
	return m
}

// TestBundle: it holds the report and the lines around the evidence, says what
// was left out, and shows no secret in any of its files.
func TestBundle(t *testing.T) {
	_, data := pack(t)
	files := members(t, data)
	for _, name := range []string{"manifest.json", "masked.tsv", "report.md", "report.json", "report.html", "evidence/02-worker-0.log.txt"} {
		if files[name] == "" {
			t.Errorf("the bundle lacks %s: it has %d files", name, len(files))
		}
	}
	for name, text := range files {
		for _, s := range secrets {
			if strings.Contains(text, s) {
				t.Errorf("%s shows %q", name, s)
			}
		}
	}
	evidence := files["evidence/02-worker-0.log.txt"]
	if !strings.Contains(evidence, ">   108  torch.OutOfMemoryError") || !strings.Contains(evidence, "    86  2026-06-02") || strings.Contains(evidence, " 85  ") || !strings.Contains(evidence, "samples: 13912345678") {
		t.Errorf("the surroundings are\n%s", evidence)
	}
	var m Manifest
	if err := json.Unmarshal([]byte(files["manifest.json"]), &m); err != nil {
		t.Fatal(err)
	}
	if m.Schema != Schema || len(m.Members) != 5 || !slices.Contains(m.Masked, Hidden{"secret", 2}) || !slices.Contains(m.Masked, Hidden{"mail", 1}) || !slices.Contains(m.Masked, Hidden{"phone", 1}) || !slices.Contains(m.Masked, Hidden{"key-block", 1}) || m.Versions[0] != "torch version 2.5.1" {
		t.Errorf("the manifest says %+v", m)
	}
	if len(m.Sources) != 2 || m.Sources[0] != (Source{"other.log", 27, 2, 0}) || m.Sources[1].Packed != 23 {
		t.Errorf("the sources are %+v", m.Sources)
	}
}

func TestSameBytes(t *testing.T) {
	_, want := pack(t)
	for range 5 {
		if _, got := pack(t); !bytes.Equal(got, want) {
			t.Fatal("two bundles of one case differ")
		}
	}
}

// TestCheck: a bundle is clean, its case is not.
func TestCheck(t *testing.T) {
	_, data := pack(t)
	found, _, err := Check([]source.Root{{Name: "b.zip", Reader: bytes.NewReader(data)}}, source.Limits{})
	if err != nil || len(found) != 0 {
		t.Errorf("in the bundle is %+v, %v", found, err)
	}
	found, _, err = Check(ticket(), source.Limits{})
	if err != nil || len(found) != 3 {
		t.Fatalf("in the case is %+v, %v", found, err)
	}
	for i, doubt := range []bool{false, false, false} {
		f := found[i]
		if f.Doubt != doubt || f.Line != 102+i {
			t.Errorf("finding %d is %+v", i, f)
		}
		for _, s := range secrets {
			if strings.Contains(f.Text, s) {
				t.Errorf("the finding shows %q", s)
			}
		}
	}
	answer := `{"parameters": [{"name": "x"}],` + "\n" + `"password": "hunter2222"}`
	found, _, err = Check([]source.Root{{Name: "a.json", Reader: strings.NewReader(answer)}}, source.Limits{})
	if err != nil || len(found) != 1 || found[0].Line != 2 {
		t.Errorf("in the answer is %+v, %v", found, err)
	}
}

// TestCheckInPages: what is left in an answer that is read in pages is found on the
// same lines as in the whole.
func TestCheckInPages(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"events": [`)
	for i := range 3000 {
		message := fmt.Sprintf("[worker-%d] pulled layer %d", i, i)
		if i%700 == 30 {
			message += " password=hunter2222"
		}
		if i == 1500 {
			message += strings.Repeat(" and more", 5000)
		}
		fmt.Fprintf(&b, "{\"time\": \"2026-06-02T09:00:00+08:00\", \"level\": \"Info\",\n \"source\": \"Task\", \"message\": %q},\n", message)
	}
	b.WriteString(`{}], "total": 3001, "token": "` + strings.Repeat("0aZ9", 30) + `"}`)
	check := func(page int) []Finding {
		found, _, err := Check([]source.Root{{Name: "a.json", Reader: strings.NewReader(b.String())}}, source.Limits{Page: page})
		if err != nil {
			t.Fatal(err)
		}
		for i := range found {
			if strings.Contains(found[i].Text, "hunter2222") {
				t.Errorf("the finding shows it: %+v", found[i])
			}
			found[i].Text = "" // it ends where the page ends
		}
		return found
	}
	whole := check(1 << 30)
	if len(whole) < 6 {
		t.Fatalf("in the whole is %+v", whole)
	}
	for _, page := range []int{2000, 20_000, 0} {
		if got := check(page); !reflect.DeepEqual(got, whole) {
			t.Errorf("in pages of %d are %+v, in the whole %+v", page, got, whole)
		}
	}
}

// TestDoubts: what may be a secret is shown without it.
func TestDoubts(t *testing.T) {
	for _, s := range []string{"the password is swordfish", "credentials: swordfish-at-sea", "-----BEGIN PRIVATE KEY-----"} {
		c := &checker{masker: newMasker()}
		c.line("x", 1, s)
		if len(c.found) != 1 || strings.Contains(c.found[0].Text, "swordfish") {
			t.Errorf("%q gives %+v", s, c.found)
		}
	}
	for _, s := range []string{"password: ***", "no secrets here", "passed 12 tests", "https://example.com/a/b/c"} {
		c := &checker{masker: newMasker()}
		if c.line("x", 1, s); len(c.found) != 0 {
			t.Errorf("%q gives %+v", s, c.found)
		}
	}
}

func FuzzFileName(f *testing.F) {
	for _, s := range []string{"a/b.log", "..", "x.zip!../y", "显存.log", "CON", "a\\b", strings.Repeat("n", 300) + ".log"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if name := fileName(s); strings.ContainsAny(name, "/\\\x00") || strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".") || len(name) > longestName {
			t.Errorf("fileName(%q) = %q", s, name)
		}
	})
}

// FuzzCheck: what is found in a line is shown short, without what acts and without
// what was found; and a line that was masked holds nothing more that is sure.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{"the password is swordfish", "token=abc123def456ghi789 \x1b[31m", "-----BEGIN PRIVATE KEY-----", `{"password": "hunter2"} 10.0.0.1 a@b.com`, strings.Repeat("x", 3000) + " api_key=abc123def456ghi789"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c := &checker{masker: newMasker()}
		c.line("x", 1, text)
		for _, found := range c.found {
			if report.Plain(found.Text) != found.Text || len(found.Text) > 5*2100 || len(found.Kinds) == 0 {
				t.Errorf("%q is shown as %+v", text, found)
			}
		}
		masked := &checker{masker: newMasker()}
		masked.line("x", 1, report.Mask(text))
		for _, found := range masked.found {
			if !found.Doubt {
				t.Errorf("%q is masked as %q, in which %v is found", text, report.Mask(text), found.Kinds)
			}
		}
	})
}
