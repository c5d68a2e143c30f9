package corpus

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

var secret = regexp.MustCompile(`SECRET[0-9]+`)
var quad = regexp.MustCompile(`\b10\.0\.0\.[0-9]+`)

// testMask finds SECRET1 and 10.0.0.1, the value of "password", and the beginning of
// that of "auth".
func testMask(put func(kind, value string) string) func(string) string {
	keyed := regexp.MustCompile(`("password": ")([^"<]+)(")|("auth": ")([a-z0-9]+)(:)`)
	return func(s string) string {
		s = keyed.ReplaceAllStringFunc(s, func(m string) string {
			p := keyed.FindStringSubmatch(m)
			return p[1] + p[4] + put("secret", p[2]+p[5]) + p[3] + p[6]
		})
		s = secret.ReplaceAllStringFunc(s, func(v string) string { return put("token", v) })
		return quad.ReplaceAllStringFunc(s, func(v string) string { return put("ipv4", v) })
	}
}

func options(mask Masker) Options {
	at := time.Date(2026, 6, 2, 9, 45, 0, 0, time.UTC)
	return Options{
		Now:    func() time.Time { at = at.Add(time.Second); return at },
		Random: bytes.NewReader(bytes.Repeat([]byte{7}, 1<<16)),
		Mask:   mask,
	}
}

func call(operation string, params ...string) Exchange {
	x := Exchange{Request: Request{Operation: operation}, Class: "ok", Time: time.Unix(1780365127, 5)}
	for i := 0; i+1 < len(params); i += 2 {
		if x.Parameters == nil {
			x.Parameters = map[string]string{}
		}
		x.Parameters[params[i]] = params[i+1]
	}
	return x
}

func must[T any](t *testing.T) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// example records a case of two answers and a log.
func example(t *testing.T, corpus string, mask Masker) string {
	t.Helper()
	r := must[*Recorder](t)(Create(corpus, Manifest{ID: "b6f1c2de", Job: Job{ID: "b6f1c2de-1"}, Region: "cn-north-4"}, options(mask)))
	for _, step := range []func() error{
		func() error {
			return r.Plan(call("ShowTrainingJobDetails").Request, call("ShowTrainingJobLogsPreview", "task_id", "worker-1").Request)
		},
		func() error {
			_, err := r.Add(call("ShowTrainingJobDetails"), []byte("notice\n{\"a\": 1}\n"))
			return err
		},
		func() error {
			_, err := r.Add(call("ShowTrainingJobLogsPreview", "task_id", "worker-1"), []byte(`{"content": "x"}`))
			return err
		},
		func() error { return r.AddLog("worker-1", strings.NewReader("line 1\nline 2\n")) },
		func() error { return r.Close(true) },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	return r.Path()
}

func TestRecordAndOpen(t *testing.T) {
	dir := t.TempDir()
	p := example(t, dir, nil)
	c := must[*Case](t)(Open(p))
	if c.ID != "b6f1c2de" || !c.Done || c.Masked || len(c.Missing()) != 0 || len(c.Exchanges) != 2 || len(c.Logs) != 1 {
		t.Errorf("the case says %+v", c.Manifest)
	}
	if got := c.Exchanges[1].File; got != "exchanges/0002-ShowTrainingJobLogsPreview-worker-1.json" {
		t.Errorf("file name %q", got)
	}
	if out := must[[]byte](t)(c.Output(c.Exchanges[0])); string(out) != "notice\n{\"a\": 1}\n" {
		t.Errorf("an unmasked answer is not kept as it came: %q", out)
	}
	if problems, err := c.Verify(t.Context()); len(problems) != 0 || err != nil {
		t.Errorf("problems %v, %v", problems, err)
	}
	var names []string
	fs.WalkDir(c.FS(nil), ".", func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, p)
		}
		return err
	})
	want := []string{"exchanges/0001-ShowTrainingJobDetails.json", "exchanges/0002-ShowTrainingJobLogsPreview-worker-1.json", "logs/modelarts-job-b6f1c2de-1-worker-1.log"}
	if !slices.Equal(names, want) {
		t.Errorf("the evidence is %q", names)
	}
	if second := example(t, dir, nil); filepath.Base(second) != "b6f1c2de-2" {
		t.Errorf("a second case of the same id is %q", second)
	}
	entries := must[[]os.DirEntry](t)(os.ReadDir(dir))
	if len(entries) != 2 {
		t.Errorf("something is left beside the cases: %v", entries)
	}
}

func TestDamage(t *testing.T) {
	for name, tt := range map[string]struct {
		damage func(p string) error
		want   []Problem
	}{
		"changed": {func(p string) error {
			return os.WriteFile(filepath.Join(p, "exchanges/0001-ShowTrainingJobDetails.json"), []byte("{}"), 0o644)
		}, []Problem{{"exchanges/0001-ShowTrainingJobDetails.json", "changed"}}},
		"missing": {func(p string) error {
			return os.Remove(filepath.Join(p, "exchanges/0001-ShowTrainingJobDetails.json"))
		}, []Problem{{"exchanges/0001-ShowTrainingJobDetails.json", "missing"}}},
		"unlisted": {func(p string) error {
			return os.WriteFile(filepath.Join(p, "logs/x.log"), nil, 0o644)
		}, []Problem{{"logs/x.log", "unlisted"}}},
	} {
		t.Run(name, func(t *testing.T) {
			p := example(t, t.TempDir(), nil)
			if err := tt.damage(p); err != nil {
				t.Fatal(err)
			}
			c := must[*Case](t)(Open(p))
			if problems, err := c.Verify(t.Context()); !slices.Equal(problems, tt.want) || err != nil {
				t.Errorf("problems %v, %v", problems, err)
			}
			_, err := c.Output(c.Exchanges[0])
			if damaged := name != "unlisted"; (err != nil) != damaged {
				t.Errorf("reading it: %v", err)
			}
			err = Export(t.Context(), c, io.Discard)
			if damaged := name != "unlisted"; (err != nil) != damaged {
				t.Errorf("exporting it: %v", err)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	for name, tt := range map[string]struct{ manifest, code string }{
		"no JSON":     {"{", "damaged"},
		"other":       {`{"schema": "something"}`, "not-a-case"},
		"newer":       {`{"schema": "hcloud-modelarts/case/v9", "id": "x"}`, "newer"},
		"no id":       {`{"schema": "` + Schema + `"}`, "damaged"},
		"id upwards":  {`{"schema": "` + Schema + `", "id": "../x"}`, "damaged"},
		"file above":  {`{"schema": "` + Schema + `", "id": "x", "exchanges": [{"file": "exchanges/../../x"}]}`, "damaged"},
		"file beside": {`{"schema": "` + Schema + `", "id": "x", "logs": [{"file": "case.json"}]}`, "damaged"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "case.json"), []byte(tt.manifest), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := Open(dir)
		if e := (*Error)(nil); !errors.As(err, &e) || e.Code != tt.code || e.Error() == "" {
			t.Errorf("%s: %v, want code %q", name, err, tt.code)
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such path: %v", err)
	}
	file := filepath.Join(t.TempDir(), "x.zip")
	os.WriteFile(file, []byte("PK no"), 0o644)
	if _, err := Open(file); err == nil {
		t.Error("a broken archive opens")
	}
}

func TestExportImport(t *testing.T) {
	p := example(t, t.TempDir(), testMask)
	c := must[*Case](t)(Open(p))
	var archives [2][]byte
	for i := range archives {
		file := filepath.Join(t.TempDir(), "c.zip")
		var b bytes.Buffer
		if err := Export(t.Context(), c, &b); err != nil {
			t.Fatal(err)
		}
		archives[i] = b.Bytes()
		if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		z := must[*Case](t)(Open(file))
		defer z.Close()
		other := t.TempDir()
		copied := must[string](t)(Import(t.Context(), other, z))
		if _, err := Import(t.Context(), other, z); err == nil {
			t.Error("a case is replaced")
		}
		again := must[*Case](t)(Open(copied))
		if problems, _ := again.Verify(t.Context()); len(problems) != 0 {
			t.Errorf("the copy has problems: %v", problems)
		}
		if _, err := os.Stat(filepath.Join(copied, privateFile)); err == nil {
			t.Error("the private file was exported")
		}
	}
	if !bytes.Equal(archives[0], archives[1]) {
		t.Error("two exports of one case differ")
	}
}

// TestImportTakesNothingElse: an archive brings in what its manifest lists.
func TestImportTakesNothingElse(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range map[string]string{
		"case.json": `{"schema": "` + Schema + `", "id": "x", "exchanges": [], "logs": []}`,
		"../evil":   "x", "/etc/evil": "x", "logs/evil.log": "x",
	} {
		w := must[io.Writer](t)(z.Create(name))
		io.WriteString(w, text)
	}
	z.Close()
	dir := t.TempDir()
	file := filepath.Join(dir, "in.zip")
	os.WriteFile(file, b.Bytes(), 0o644)
	c := must[*Case](t)(Open(file))
	defer c.Close()
	p := must[string](t)(Import(t.Context(), filepath.Join(dir, "corpus"), c))
	var names []string
	filepath.WalkDir(dir, func(p string, d fs.DirEntry, _ error) error {
		if !d.IsDir() {
			names = append(names, d.Name())
		}
		return nil
	})
	slices.Sort(names)
	if !slices.Equal(names, []string{"case.json", "in.zip", "lock"}) {
		t.Errorf("the import of %q left %q", p, names)
	}
}

func TestStore(t *testing.T) {
	dir := t.TempDir()
	p := example(t, dir, nil)
	example(t, dir, nil)
	os.Mkdir(filepath.Join(dir, "junk"), 0o755)
	cases, broken, err := List(dir)
	if err != nil || len(cases) != 2 || len(broken) != 1 {
		t.Fatalf("%d cases, %v, %v", len(cases), broken, err)
	}
	for name, want := range map[string]string{"b6f1c2de": "b6f1c2de", "b6f1c2de-2": "b6f1c2de-2", p: "b6f1c2de", "b6f1c2de-1": "b6f1c2de"} {
		got, err := Find(dir, name)
		if err != nil || filepath.Base(got) != want {
			t.Errorf("finding %q: %q, %v", name, got, err)
		}
	}
	if _, err := Find(dir, "b6"); err == nil {
		t.Error("an ambiguous beginning finds a case")
	}
	if _, err := Find(dir, "zzz"); err == nil {
		t.Error("what is not there is found")
	}
	if err := Remove(p); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(p); err == nil {
		t.Error("a removed case is there")
	}
	if err := Remove(filepath.Join(dir, "junk")); err == nil {
		t.Error("a folder that is no case is removed")
	}
	if cases, broken, err := List(filepath.Join(dir, "none")); cases != nil || broken != nil || err != nil {
		t.Error("a corpus that is not there is not empty")
	}
}

func TestDefaultDir(t *testing.T) {
	for want, env := range map[string]map[string]string{
		"/d/hcloud-modelarts/cases":              {"XDG_DATA_HOME": "/d", "HOME": "/h"},
		"/h/.local/share/hcloud-modelarts/cases": {"HOME": "/h", "XDG_DATA_HOME": "relative"},
		"":                                       {},
	} {
		if got := filepath.ToSlash(DefaultDir(env)); got != want {
			t.Errorf("%v gives %q, want %q", env, got, want)
		}
	}
}

func TestLock(t *testing.T) {
	dir := t.TempDir()
	r := must[*Recorder](t)(Create(dir, Manifest{ID: "x"}, options(nil)))
	if _, err := Resume(r.Path(), options(nil)); err == nil || err.(*Error).Code != "locked" {
		t.Errorf("a second writer: %v", err)
	}
	if err := Remove(r.Path()); err == nil {
		t.Error("a case is removed while it is recorded")
	}
	if err := r.Close(true); err != nil {
		t.Fatal(err)
	}
	again := must[*Recorder](t)(Resume(r.Path(), options(nil)))
	again.Close(true)
}

// TestWithoutLocks: where the system has no locks, as Windows has none of this
// kind, cases are recorded, resumed, copied and removed, and no file is open in a
// folder that gets another name or goes.
func TestWithoutLocks(t *testing.T) {
	locks = noLocks
	t.Cleanup(func() { locks = systemLocks })
	dir := must[string](t)(filepath.EvalSymlinks(t.TempDir()))
	nothingOpen := func(when string) {
		t.Helper()
		for _, f := range must[[]os.DirEntry](t)(os.ReadDir("/proc/self/fd")) {
			if name, err := os.Readlink("/proc/self/fd/" + f.Name()); err == nil && strings.HasPrefix(name, dir) {
				t.Errorf("%s, %s is open", when, name)
			}
		}
	}
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		nothingOpen = func(string) {}
	}
	r := must[*Recorder](t)(Create(dir, Manifest{ID: "x"}, options(testMask)))
	nothingOpen("while it is recorded")
	must[Exchange](t)(r.Add(call("A"), []byte("{}")))
	if err := errors.Join(r.AddLog("worker-0", strings.NewReader("a\n")), r.Close(true)); err != nil {
		t.Fatal(err)
	}
	again := must[*Recorder](t)(Resume(r.Path(), options(testMask)))
	nothingOpen("once it is resumed")
	if err := again.Close(true); err != nil {
		t.Fatal(err)
	}
	c := must[*Case](t)(Open(r.Path()))
	p := must[string](t)(Import(t.Context(), filepath.Join(dir, "other"), c))
	if problems, err := must[*Case](t)(Open(p)).Verify(t.Context()); len(problems) > 0 || err != nil {
		t.Errorf("the copy: %v %v", problems, err)
	}
	nothingOpen("after the copy")
	if err := Remove(p); err != nil {
		t.Fatal(err)
	}
}

func TestResume(t *testing.T) {
	dir := t.TempDir()
	r := must[*Recorder](t)(Create(dir, Manifest{ID: "x"}, options(testMask)))
	r.Plan(call("A").Request, call("B").Request, call("C").Request)
	failed := call("B")
	failed.Class = "network-error"
	r.Add(call("A"), []byte(`{"a": "SECRET1", "b": "10.0.0.7"}`))
	r.Add(failed, nil)
	r.Close(false)
	os.WriteFile(filepath.Join(r.Path(), "exchanges", "0003-left.json"), nil, 0o644)
	os.WriteFile(filepath.Join(r.Path(), tempPrefix+"1"), nil, 0o644)

	c := must[*Case](t)(Open(r.Path()))
	if got := c.Missing(); len(got) != 2 || got[0].Operation != "B" || got[1].Operation != "C" || c.Done {
		t.Errorf("missing %v, done %v", got, c.Done)
	}
	again := must[*Recorder](t)(Resume(r.Path(), options(testMask)))
	x := must[Exchange](t)(again.Add(call("B"), []byte(`{"x": "SECRET2", "a": "SECRET1", "b": "10.0.0.7"}`)))
	again.Add(call("C"), []byte(`{}`))
	if err := again.Close(true); err != nil {
		t.Fatal(err)
	}
	c = must[*Case](t)(Open(r.Path()))
	if out := must[[]byte](t)(c.Output(x)); string(out) != `{"x": "<secret-2>", "a": "<secret-1>", "b": "198.18.0.1"}` {
		t.Errorf("placeholders after a resume: %s", out)
	}
	if problems, _ := c.Verify(t.Context()); len(problems) != 0 || !c.Done || len(c.Missing()) != 0 {
		t.Errorf("problems %v, done %v, missing %v", problems, c.Done, c.Missing())
	}
	if _, err := os.Stat(filepath.Join(r.Path(), tempPrefix+"1")); err == nil {
		t.Error("a temporary file stays")
	}

	os.Remove(filepath.Join(r.Path(), privateFile))
	last := must[*Recorder](t)(Resume(r.Path(), options(testMask)))
	x = must[Exchange](t)(last.Add(call("D"), []byte(`"SECRET1"`)))
	last.Close(true)
	if out := must[[]byte](t)(must[*Case](t)(Open(r.Path())).Output(x)); string(out) != `"<secret-3>"` {
		t.Errorf("without the private file a placeholder is used again: %s", out)
	}
}

func TestLogs(t *testing.T) {
	r := must[*Recorder](t)(Create(t.TempDir(), Manifest{ID: "x"}, options(testMask)))
	broken := io.MultiReader(strings.NewReader("one SECRET1\ntwo\nthr"), iotest.ErrReader(errors.New("gone")))
	if err := r.AddLog("worker-0", broken); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("a source that breaks off: %v", err)
	}
	if n := r.LogBytes("worker-0"); n != int64(len("one SECRET1\ntwo\n")) {
		t.Errorf("%d bytes of the source are recorded", n)
	}
	if err := r.AddLog("worker-0", strings.NewReader("three SECRET1\n"+strings.Repeat("x", 3<<20)+"\nend")); err != nil {
		t.Fatal(err)
	}
	r.Close(true)
	c := must[*Case](t)(Open(r.Path()))
	if problems, _ := c.Verify(t.Context()); len(problems) != 0 || len(c.Logs) != 1 {
		t.Errorf("problems %v, logs %v", problems, c.Logs)
	}
	data := must[[]byte](t)(fs.ReadFile(c.FS(nil), c.Logs[0].File))
	if want := "one <secret-1>\ntwo\nthree <secret-1>\n" + strings.Repeat("x", 3<<20) + "\nend"; string(data) != want {
		t.Errorf("the log has %d bytes, begins with %q", len(data), data[:min(len(data), 60)])
	}
}

func TestKeyAcrossBlocks(t *testing.T) {
	r := must[*redactor](t)(newRedactor(filepath.Join(t.TempDir(), "p"), nil, options(testMask)))
	first, inside := r.block([]byte("a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n"), false)
	second, still := r.block([]byte("QQQQ\nRRRR\n"), inside)
	third, end := r.block([]byte("SSSS\n-----END RSA PRIVATE KEY-----\nz\n"), still)
	if !inside || !still || end || len(second) != 0 || strings.Contains(string(third), "SSSS") || !strings.HasSuffix(string(third), "z\n") || !strings.HasPrefix(string(first), "a\n") {
		t.Errorf("%q %q %q", first, second, third)
	}
	for _, tt := range []struct {
		in            string
		inside, after bool
		want          string
	}{
		{"-----BEGIN PRIVATE KEY-----\nMIIE\n", false, true, "-----BEGIN PRIVATE KEY-----\nMIIE\n"},
		{"-----END PRIVATE KEY-----\nz\n", true, false, "-----END PRIVATE KEY-----\nz\n"},
		{"-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\nz\n", false, false, "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\nz\n"},
		{"-----BEGIN CERTIFICATE-----\nMIIE\n", false, false, "-----BEGIN CERTIFICATE-----\nMIIE\n"},
		{"no PRIVATE KEY\n", false, false, "no PRIVATE KEY\n"},
	} {
		if got, after := r.block([]byte(tt.in), tt.inside); string(got) != tt.want || after != tt.after {
			t.Errorf("%q becomes %q, within a key: %t", tt.in, got, after)
		}
	}
}

func TestReplayer(t *testing.T) {
	r := must[*Recorder](t)(Create(t.TempDir(), Manifest{ID: "x"}, options(nil)))
	for i := range 2 {
		r.Add(call("Show", "id", "1"), fmt.Appendf(nil, `{"n": %d}`, i))
	}
	r.Close(true)
	p := NewReplayer(must[*Case](t)(Open(r.Path())))
	q, opts := RequestOf([]string{"Show/v2", "--id=1", "--cli-region=cn-north-4", "--project_id=p", "--debug"})
	if !maps.Equal(opts, map[string]string{"cli-region": "cn-north-4", "project_id": "p", "debug": ""}) {
		t.Errorf("options %v", opts)
	}
	for i := range 3 {
		_, out, err := p.Answer(q)
		if want := fmt.Sprintf(`{"n": %d}`, min(i, 1)); err != nil || string(out) != want {
			t.Errorf("answer %d is %s, %v", i, out, err)
		}
	}
	var missing *NotRecordedError
	if _, _, err := p.Answer(call("Show", "id", "2").Request); !errors.As(err, &missing) || !strings.Contains(err.Error(), "Show --id=2") {
		t.Errorf("a call that was not recorded: %v", err)
	}
	if !p.Knows("Show") || p.Knows("List") {
		t.Error("the operations are not known")
	}
}

// TestResumeTightens: a case that others could read is for its owner alone once
// it is gone on with.
func TestResumeTightens(t *testing.T) {
	r := must[*Recorder](t)(Create(t.TempDir(), Manifest{ID: "old"}, options(testMask)))
	must[Exchange](t)(r.Add(Exchange{Request: Request{Operation: "ShowTrainingJobDetails"}, Class: "ok"}, []byte(`{"a": 1}`)))
	if err := errors.Join(r.AddLog("worker-0", strings.NewReader("line\n")), r.Close(false)); err != nil {
		t.Fatal(err)
	}
	loosen := func(p string, d fs.DirEntry, err error) error {
		if d.IsDir() {
			return os.Chmod(p, 0o755)
		}
		return os.Chmod(p, 0o644)
	}
	if err := filepath.WalkDir(r.Path(), loosen); err != nil {
		t.Fatal(err)
	}
	again := must[*Recorder](t)(Resume(r.Path(), options(testMask)))
	if err := again.Close(true); err != nil {
		t.Fatal(err)
	}
	seen := 0
	err := filepath.WalkDir(r.Path(), func(p string, d fs.DirEntry, err error) error {
		seen++
		if info, e := os.Stat(p); err != nil || e != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s can be read by others: %v", p, info.Mode())
		}
		return nil
	})
	if err != nil || seen < 8 {
		t.Errorf("%d files: %v", seen, err)
	}
}
