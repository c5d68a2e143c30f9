package corpus

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// zeros reads as many zero bytes as are wanted.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// packedCase writes an archive of a case with one log.
func packedCase(t testing.TB, l Log, log io.Reader) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "c.zip")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	w, err := z.Create(manifestFile)
	if err == nil {
		err = json.NewEncoder(w).Encode(Manifest{Schema: Schema, ID: "x", Logs: []Log{l}})
	}
	if err == nil {
		w, err = z.Create(l.File)
	}
	if err == nil {
		_, err = io.Copy(w, log)
	}
	if err := errors.Join(err, z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return file
}

// counter counts what is written to it.
type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) { c.n += int64(len(p)); return len(p), nil }

// TestCasesAreBounded: of a member that unpacks to more than the manifest says no
// more than that is read, and an archive that says it becomes far more than it is
// does not open.
func TestCasesAreBounded(t *testing.T) {
	log := "logs/worker-0.log"
	c := must[*Case](t)(Open(packedCase(t, Log{File: log, Bytes: 10, SHA256: sum(make([]byte, 10))}, io.LimitReader(zeros{}, 64<<20))))
	defer c.Close()
	var read counter
	if r := (*Reason)(nil); !errors.As(c.copyListed(t.Context(), &read, log, c.files()[log]), &r) || r.Code != "changed" || read.n > 11 {
		t.Errorf("%v after %d bytes", r, read.n)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := readFile(c.fsys, log, 10); err == nil {
		t.Error("more than the manifest says is read")
	}
	if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 8<<20 {
		t.Errorf("reading 10 bytes takes %d KiB", (after.TotalAlloc-before.TotalAlloc)>>10)
	}
	into := t.TempDir()
	if _, err := Import(t.Context(), into, c); err == nil {
		t.Error("it is imported")
	}
	if left := must[[]os.DirEntry](t)(os.ReadDir(into)); len(left) > 0 {
		t.Errorf("the import left %v", left)
	}
	for size, code := range map[int64]string{1 << 30: "", 1<<30 + 1: "too-long", 1 << 62: "too-long", -1: "changed"} {
		c, err := Open(packedCase(t, Log{File: log, Bytes: size}, strings.NewReader("x")))
		if r := (*Reason)(nil); code == "" && err != nil || code != "" && (!errors.As(err, &r) || r.Code != code) {
			t.Errorf("%d bytes: %v, want %q", size, err, code)
		}
		if err == nil {
			c.Close()
		}
	}
	const stored = 4 << 20 // an archive that may become more than every archive may
	for size, code := range map[int64]string{300 * stored: "", 300*stored + 1: "too-long"} {
		c := &Case{Manifest: Manifest{Logs: []Log{{File: log, Bytes: size}}}}
		if r := (*Reason)(nil); errors.As(c.checkSize(stored), &r) != (code != "") || r != nil && r.Code != code {
			t.Errorf("%d bytes of %d: %v, want %q", size, stored, r, code)
		}
	}
}

// TestNamesOfFiles: a manifest names only what every system can keep, one file
// beside another; and what is recorded has such names, each log its own.
func TestNamesOfFiles(t *testing.T) {
	for _, files := range [][]string{
		{"con.log"}, {"NUL"}, {"com1.txt"}, {"CONOUT$"}, {"nul .log"}, {"a."}, {"a "}, {"C:a.log"}, {`..\a.log`}, {"a\nb.log"}, {".hidden"}, {"", "a.log"}, {strings.Repeat("n", 256)}, {"a.log", "A.LOG"}, {"日志.log"},
	} {
		m := Manifest{Schema: Schema, ID: "x"}
		for _, name := range files {
			m.Logs = append(m.Logs, Log{File: logDir + "/" + name})
		}
		c := &Case{Manifest: m}
		if e, ok := errors.AsType[*Error](c.checkNames()); !ok || e.Code != "damaged" {
			t.Errorf("%q: %v", files, e)
		}
	}
	for _, id := range []string{"con", "a.", "C:x", "x ", "../x", strings.Repeat("i", 300)} {
		if (&Case{Manifest: Manifest{ID: id}}).checkNames() == nil {
			t.Errorf("the id %q is taken", id)
		}
	}
	dir := t.TempDir()
	for _, id := range []string{"../../x", "con", "", strings.Repeat("i", 300), "x."} {
		r := must[*Recorder](t)(Create(dir, Manifest{ID: id}, options(nil)))
		if filepath.Dir(r.Path()) != dir {
			t.Errorf("%q is recorded in %s", id, r.Path())
		}
		tasks := []string{"worker-0", "WORKER-0", "worker/0", "worker_0", strings.Repeat("t", 300), strings.Repeat("t", 299), "w", "w.2"}
		for round := range 3 {
			for _, task := range tasks {
				if err := r.AddLog(task, strings.NewReader(fmt.Sprintf("%s %d\n", task, round))); err != nil {
					t.Fatalf("%q: %v", task, err)
				}
			}
		}
		must[Exchange](t)(r.Add(call(strings.Repeat("O", 300), "task_id", "../con"), []byte("{}")))
		if err := r.Close(true); err != nil {
			t.Fatal(err)
		}
		c := must[*Case](t)(Open(r.Path()))
		for i, l := range c.Logs {
			data := must[[]byte](t)(fs.ReadFile(c.FS(nil), l.File))
			if want := fmt.Sprintf("%[1]s 0\n%[1]s 1\n%[1]s 2\n", tasks[i]); string(data) != want {
				t.Errorf("the log of %q is %q", tasks[i], data)
			}
		}
		if problems, err := c.Verify(t.Context()); len(problems) > 0 || err != nil {
			t.Errorf("%q: %v %v", id, problems, err)
		}
	}
}

// FuzzManifest: whatever a manifest says, the case is refused or can be used, and
// names only files of its folders.
func FuzzManifest(f *testing.F) {
	for _, s := range []string{
		`{"schema":"hcloud-modelarts/case/v1","id":"x"}`,
		`{"schema":"hcloud-modelarts/case/v1","id":"x","exchanges":[{"operation":"A","file":"exchanges/1.json","sha256":"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881","bytes":1}],"logs":[{"task":"worker-0","file":"logs/a.log","sha256":"","bytes":-1}],"planned":[{"operation":"B","parameters":{"a":"1"}}]}`,
		`{"schema":"hcloud-modelarts/case/v9"}`, `{"schema":"hcloud-modelarts/case/v1","id":"..","logs":[{"file":"logs/../../x"}]}`,
		`{"schema":"hcloud-modelarts/case/v1","id":"x","logs":[{"file":"logs/A.log"},{"file":"logs/a.log"},{"file":"logs/con"}]}`, "{", "null", `[1]`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, manifest []byte) {
		c := &Case{Path: "c", fsys: fstest.MapFS{manifestFile: {Data: manifest}, "exchanges/1.json": {Data: []byte("x")}, "logs/a.log": {Data: []byte("y")}}}
		err := c.readManifest()
		if e, ok := errors.AsType[*Error](err); err != nil && (!ok || e.Code == "io") {
			t.Fatalf("%q: %v", manifest, err)
		}
		if err != nil {
			return
		}
		for name := range c.files() {
			if dir := filepath.Dir(name); !fs.ValidPath(name) || dir != exchangeDir && dir != logDir {
				t.Errorf("%q names %q", manifest, name)
			}
		}
		problems, err := c.Verify(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		whole := true
		for _, p := range problems {
			whole = whole && p.Code == "unlisted"
		}
		var b bytes.Buffer
		if err := Export(t.Context(), c, &b); (err == nil) != whole {
			t.Errorf("%q: exporting gives %v, with %v", manifest, err, problems)
		}
		c.Missing()
		p := NewReplayer(c)
		for _, x := range c.Exchanges {
			p.Answer(x.Request)
		}
		if err := fstest.TestFS(c.FS(nil)); err != nil && whole && len(problems) == 0 {
			t.Errorf("%q: %v", manifest, err)
		}
	})
}

// TestClockJumps: a clock that is put back or forward by years while a job is
// recorded, and before the recording goes on, loses no exchange.
func TestClockJumps(t *testing.T) {
	years := []int{2026, 1970, 2190, 2026, 1, 9999}
	n := 0
	o := options(nil)
	o.Now = func() time.Time { n++; return time.Date(years[n%len(years)], 6, 1, 10, 0, 0, 0, time.UTC) }
	dir := t.TempDir()
	r := must[*Recorder](t)(Create(dir, Manifest{ID: "x"}, o))
	path := r.Path()
	for i := range 24 {
		x := call("Show", "n", fmt.Sprint(i))
		x.Time = o.Now()
		must[Exchange](t)(r.Add(x, fmt.Appendf(nil, `{"n": %d}`, i)))
		if i%5 == 4 {
			if err := r.Close(false); err != nil {
				t.Fatal(err)
			}
			r = must[*Recorder](t)(Resume(path, o))
		}
	}
	if err := r.Close(true); err != nil {
		t.Fatal(err)
	}
	c := must[*Case](t)(Open(path))
	if problems, err := c.Verify(t.Context()); len(c.Exchanges) != 24 || len(problems) > 0 || err != nil {
		t.Fatalf("%d exchanges, %v, %v", len(c.Exchanges), problems, err)
	}
	for i, x := range c.Exchanges {
		if out, err := c.Output(x); err != nil || string(out) != fmt.Sprintf(`{"n": %d}`, i) {
			t.Errorf("exchange %d is %s, %v", i, out, err)
		}
	}
	if list, broken, err := List(dir); len(list) != 1 || len(broken) > 0 || err != nil {
		t.Errorf("%d cases, %v, %v", len(list), broken, err)
	}
}

// FuzzImport: whatever an archive holds, it is refused and leaves nothing, or its
// copy is whole, opens, and gives the same archive.
func FuzzImport(f *testing.F) {
	pack := func(files ...string) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for i := 0; i+1 < len(files); i += 2 {
			w, err := z.Create(files[i])
			if err != nil {
				f.Fatal(err)
			}
			w.Write([]byte(files[i+1]))
		}
		z.Close()
		return b.Bytes()
	}
	const manifest = `{"schema":"hcloud-modelarts/case/v1","id":"x","logs":[{"task":"worker-0","file":"logs/a.log","sha256":"a1fce4363854ff888cff4b8e7875d600c2682390412a8cf79b37d0b11148b0fa","bytes":1}]}`
	f.Add(pack(manifestFile, manifest, "logs/a.log", "y"))
	f.Add(pack(manifestFile, manifest, "logs/a.log", "z"))
	f.Add(pack(manifestFile, `{"schema":"hcloud-modelarts/case/v1","id":"../x"}`, "../../y", "z"))
	f.Add(pack(manifestFile, manifest, "private.json", "{}", "lock", "", "logs/a.log", "y", "logs/a.log", "z")[:300])
	base := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		file, dir := filepath.Join(base, "x.zip"), filepath.Join(base, "corpus")
		if err := errors.Join(os.WriteFile(file, data, 0o600), os.RemoveAll(dir), os.Mkdir(dir, 0o700)); err != nil {
			t.Fatal(err)
		}
		c, err := Open(file)
		if err != nil {
			return
		}
		defer c.Close()
		p, err := Import(t.Context(), dir, c)
		left := must[[]os.DirEntry](t)(os.ReadDir(dir))
		if err != nil {
			if len(left) > 0 {
				t.Errorf("%q leaves %v: %v", data, left, err)
			}
			return
		}
		copied := must[*Case](t)(Open(p))
		if problems, err := copied.Verify(t.Context()); len(problems) > 0 || err != nil || len(left) != 1 {
			t.Errorf("the copy of %q: %v %v beside %v", data, problems, err, left)
		}
		var a, b bytes.Buffer
		if err := Export(t.Context(), copied, &a); err != nil {
			t.Fatal(err)
		}
		if err := Export(t.Context(), must[*Case](t)(Open(p)), &b); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("two archives of one case differ: %v", err)
		}
	})
}
