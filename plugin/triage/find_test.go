package triage

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"hcloud-modelarts/analyzer/source"
)

const (
	jobA = "6f1b2c58-0d34-4c7e-9a41-b7d2e3f40c19"
	jobB = "0f9a1f2e-7c1b-4a52-9d0e-5a1b2c3d4e5f"
)

// found gives each case as "name: number of roots".
func found(cases []Case) map[string]int {
	m := map[string]int{}
	for _, c := range cases {
		m[c.Name] = len(c.Roots)
	}
	return m
}

// TestFind shows how the layouts that people have are parted into cases.
func TestFind(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files string // names, blank between them
		want  map[string]int
	}{
		{"one log", "train.log", map[string]int{"pile/train.log": 1}},
		{"a job's folder", "details.json events.json worker-0.log worker-1.log", map[string]int{"pile": 1}},
		{"a job's folder with parts", "details.json logs/worker-0.log plog/plog-1_2.log dmesg.txt", map[string]int{"pile": 1}},
		{"Ascend layout", "ascend/process_log/rank_0/plog-1_2.log ascend/process_log/rank_1/plog-3_4.log modelarts-job-" + jobA + "-worker-0.log", map[string]int{"pile": 1}},
		{"pile of folders", "t-1/details.json t-1/worker-0.log t-2/train.log", map[string]int{"pile/t-1": 1, "pile/t-2/train.log": 1}},
		{"pile of named folders", "alice/a.log alice/dmesg bob/a.log bob/dmesg", map[string]int{"pile/alice": 1, "pile/bob": 1}},
		{"pile of piles", "june/t-1/a.log june/t-2/a.log july/t-3/a.log july/t-4/a.log", map[string]int{"pile/june/t-1/a.log": 1, "pile/june/t-2/a.log": 1, "pile/july/t-3/a.log": 1, "pile/july/t-4/a.log": 1}},
		{"a list beside a pile", "index.csv t-1/a.log t-2/a.log", map[string]int{"pile/index.csv": 1, "pile/t-1/a.log": 1, "pile/t-2/a.log": 1}},
		{"folders of hosts beside answers", "details.json alpha/train.log beta/train.log", map[string]int{"pile": 1}},
		{"folders of nodes", "node-a1/train.log worker-1/train.log rank_2/train.log", map[string]int{"pile": 1}},
		{"logs of several jobs", "modelarts-job-" + jobA + "-worker-0.log modelarts-job-" + jobA + "-worker-1.log modelarts-job-" + jobB + "-worker-0.log",
			map[string]int{"pile/" + jobA: 2, "pile/modelarts-job-" + jobB + "-worker-0.log": 1}},
		{"folders named by job", jobA + "/worker-0.log " + jobA + "/worker-1.log " + jobB + "/worker-0.log", map[string]int{"pile/" + jobA: 1, "pile/" + jobB + "/worker-0.log": 1}},
		{"folders named by job beside files named by job", jobA + "/worker-0.log " + jobB + "/worker-0.log " + jobA + ".json " + jobB + ".json", map[string]int{"pile/" + jobA: 2, "pile/" + jobB: 2}},
		{"a ticket's folder beside its files", "t-1/a.log t-1/b.log t-2/a.log t-2/b.log t-1.log t-1.json t-3.log", map[string]int{"pile/t-1": 3, "pile/t-2": 1, "pile/t-3.log": 1}},
		{"numbered tickets", "T-1001.json T-1001-worker-0.log T-1002.log T-1003.log", map[string]int{"pile/t-1001": 2, "pile/T-1002.log": 1, "pile/T-1003.log": 1}},
		{"bare numbers are tickets", "1001.log 1002.log", map[string]int{"pile/1001.log": 1, "pile/1002.log": 1}},
		{"bare numbers from 0 are ranks", "0.log 1.log 2.log", map[string]int{"pile": 1}},
		{"ranks", "train_rank_0.log train_rank_1.log", map[string]int{"pile": 1}},
		{"rotated logs", "train.log train.log.1 train-2026-06-01.log train-2026-06-02.log", map[string]int{"pile": 1}},
		{"archives", "alice.zip bob.tar.gz", map[string]int{"pile/alice.zip": 1, "pile/bob.tar.gz": 1}},
		{"archives of nodes", "worker-0.tar.gz worker-1.tar.gz", map[string]int{"pile": 1}},
		{"an archive and answers", "details.json logs.zip", map[string]int{"pile": 1}},
		{"empty folders beside files", "details.json train.log e1/ e2/", map[string]int{"pile": 1}},
		{"an empty folder among tickets", "t-1/a.log t-2/", map[string]int{"pile/t-1/a.log": 1, "pile/t-2": 1}},
		{"litter of desktops", ".DS_Store __MACOSX/t-1/._a.log t-1/a.log t-1/.DS_Store t-2/a.log t-2/Thumbs.db t-2/desktop.ini", map[string]int{"pile/t-1/a.log": 1, "pile/t-2/a.log": 1}},
		{"nothing", "", map[string]int{}},
		{"a shipped case", "case.yaml input/worker-0.log input/worker-1.log", map[string]int{"pile": 1}},
		{"shipped cases", "a/case.yaml a/input.log b/case.yaml b/input/x.log", map[string]int{"pile/a": 1, "pile/b": 1}},
		{"recorded cases", "a/case.json a/exchanges/1.json a/logs/x.log b/case.json b/exchanges/1.json", map[string]int{"pile/a": 1, "pile/b": 1}},
		{"one folder in another", "export/t-1/a.log export/t-2/a.log", map[string]int{"pile/export/t-1/a.log": 1, "pile/export/t-2/a.log": 1}},
	} {
		fsys := fstest.MapFS{"pile": &fstest.MapFile{Mode: fs.ModeDir | 0o755}}
		for _, name := range strings.Fields(tt.files) {
			if dir, ok := strings.CutSuffix(name, "/"); ok {
				fsys["pile/"+dir] = &fstest.MapFile{Mode: fs.ModeDir | 0o755}
				continue
			}
			fsys["pile/"+name] = &fstest.MapFile{Data: []byte("x\n")}
		}
		got := found(Find([]source.Root{{Name: "pile", FS: fsys, Path: "pile"}}))
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

// TestShippedCaseIsItsInput: the words of case.yaml are no log.
func TestShippedCaseIsItsInput(t *testing.T) {
	fsys := fstest.MapFS{"c/case.yaml": {}, "c/input.log": {Data: []byte("x\n")}}
	cases := Find([]source.Root{{Name: "c", FS: fsys, Path: "c"}})
	if len(cases) != 1 || cases[0].Roots[0].Path != "c/input.log" {
		t.Errorf("the case is read from %+v", cases)
	}
}

// TestWhoseFile: a file whose name does not tell its job is put to the job that
// it names; when it names none, few jobs stay one case.
func TestWhoseFile(t *testing.T) {
	fsys := fstest.MapFS{
		"p/modelarts-job-" + jobA + "-worker-0.log": {Data: []byte("x\n")},
		"p/modelarts-job-" + jobB + "-worker-0.log": {Data: []byte("x\n")},
		"p/details.json": {Data: []byte(`{"metadata": {"id": "` + jobB + `"}}`)},
	}
	want := map[string]int{"p/modelarts-job-" + jobA + "-worker-0.log": 1, "p/" + jobB: 2}
	if d := cmp.Diff(want, found(Find([]source.Root{{Name: "p", FS: fsys, Path: "p"}}))); d != "" {
		t.Errorf("a file that names its job (-want +got):\n%s", d)
	}
	fsys["p/dmesg"] = &fstest.MapFile{Data: []byte("out of memory\n")}
	if d := cmp.Diff(map[string]int{"p": 1}, found(Find([]source.Root{{Name: "p", FS: fsys, Path: "p"}}))); d != "" {
		t.Errorf("a file of nobody (-want +got):\n%s", d)
	}
}

// TestListedFiles: files named one by one are parted like those of a folder.
func TestListedFiles(t *testing.T) {
	fsys := fstest.MapFS{"a/worker-0.log": {}, "a/worker-1.log": {}, "b/train.log": {}}
	var places []source.Root
	for name := range fsys {
		places = append(places, source.Root{Name: name, FS: fsys, Path: name})
	}
	places = append(places, source.Root{Name: "gone/x.log", FS: fsys, Path: "gone/x.log"})
	cases := Find(places)
	want := map[string]int{"a": 2, "b/train.log": 1, "gone/x.log": 0}
	if d := cmp.Diff(want, found(cases)); d != "" {
		t.Errorf("cases (-want +got):\n%s", d)
	}
	for _, c := range cases {
		if (c.Err != nil) != (c.Name == "gone/x.log") {
			t.Errorf("%s: %v", c.Name, c.Err)
		}
	}
}

// TestNamedTwice: a folder and files of it, in whatever order they are named,
// are one case that holds each file once.
func TestNamedTwice(t *testing.T) {
	fsys := fstest.MapFS{"t-1/a.log": {}, "t-1/b.log": {}, "t-1/c.log": {}}
	file := func(name string) source.Root { return source.Root{Name: name, FS: fsys, Path: name} }
	folder := file("t-1")
	for _, places := range [][]source.Root{
		{folder, folder},
		{folder, file("t-1/a.log"), file("t-1/b.log")},
		{file("t-1/a.log"), file("t-1/b.log"), folder},
	} {
		if d := cmp.Diff(map[string]int{"t-1": 1}, found(Find(places))); d != "" {
			t.Errorf("%v (-want +got):\n%s", places, d)
		}
	}
}

// TestOddFiles: a ticket that holds nothing but links or pipes is a case that
// cannot be read, not one that is lost.
func TestOddFiles(t *testing.T) {
	fsys := fstest.MapFS{
		"p/index.csv": {Data: []byte("x\n")}, "p/t-1/a.log": {Data: []byte("x\n")}, "p/t-2/a.log": {Mode: fs.ModeSymlink | 0o777, Data: []byte("../gone.log")},
		"p/t-3/a.log": {Mode: fs.ModeNamedPipe | 0o600}, "p/t-4": {Mode: fs.ModeDir | 0o755},
	}
	cases := Find([]source.Root{{Name: "p", FS: fsys, Path: "p"}})
	want := map[string]int{"p/index.csv": 1, "p/t-1/a.log": 1, "p/t-2": 1, "p/t-3": 1}
	if d := cmp.Diff(want, found(cases)); d != "" {
		t.Errorf("cases (-want +got):\n%s", d)
	}
	for _, r := range rowsOf(t, cases, 1) {
		if odd := r.Case == "p/t-2" || r.Case == "p/t-3"; odd != (r.State() == Unreadable) {
			t.Errorf("%s is %s", r.Case, r.State())
		}
	}
}

// zipOf makes an archive of names with one line each.
func zipOf(t *testing.T, names ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range names {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte("Killed\n")); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestArchiveOfCases: an archive of a pile is a pile; one of a job stays whole.
func TestArchiveOfCases(t *testing.T) {
	for _, tt := range []struct {
		name  string
		files []string
		want  map[string]int
	}{
		{"a pile", []string{"t-1/a.log", "t-2/a.log", "t-2/dmesg"}, map[string]int{"x.zip!t-1/a.log": 1, "x.zip!t-2": 1}},
		{"a pile packed on a Chinese Windows", []string{"\xd5\xc5\xc8\xfd/a.log", "\xc0\xee\xcb\xc4/a.log"}, map[string]int{"x.zip!张三/a.log": 1, "x.zip!李四/a.log": 1}},
		{"a pile packed on a Mac", []string{"t-1/a.log", "t-2/a.log", "__MACOSX/t-1/._a.log"}, map[string]int{"x.zip!t-1/a.log": 1, "x.zip!t-2/a.log": 1}},
		{"a job", []string{"worker-0.log", "worker-1.log"}, map[string]int{"x.zip": 1}},
		{"names that no folder can have", []string{"../t-1/a.log", "t-2/a.log", "t-3/a.log"}, map[string]int{"x.zip": 1}},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "x.zip"), zipOf(t, tt.files...), 0o644); err != nil {
			t.Fatal(err)
		}
		cases := Find([]source.Root{{Name: "x.zip", FS: os.DirFS(dir), Path: "x.zip"}})
		if d := cmp.Diff(tt.want, found(cases)); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
		for _, c := range cases {
			if !strings.HasPrefix(tt.name, "a pile") {
				continue
			}
			err := fs.WalkDir(c.Roots[0].FS, c.Roots[0].Path, func(p string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					_, err = fs.ReadFile(c.Roots[0].FS, p)
				}
				return err
			})
			if err != nil {
				t.Errorf("%s cannot be read: %v", c.Name, err)
			}
		}
	}
}

// tarOf makes a packed archive of names with one line each.
func tarOf(t *testing.T, names ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	g := gzip.NewWriter(&b)
	_, err := g.Write(tarWith(t, "Killed\n", names...))
	if err := errors.Join(err, g.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// tarWith is a tar archive of files that all hold one text.
func tarWith(t *testing.T, text string, names ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range names {
		err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(text))})
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestTarballOfCases: a tar archive of a pile is a pile, too, also within
// another archive; what it holds can be read.
func TestTarballOfCases(t *testing.T) {
	pile := tarOf(t, "./t-1/a.log", "./t-2/a.log")
	for _, tt := range []struct {
		name string
		data []byte
		want map[string]int
	}{
		{"a pile", pile, map[string]int{"x.tar.gz!t-1/a.log": 1, "x.tar.gz!t-2/a.log": 1}},
		{"a pile packed on a Chinese Windows", tarOf(t, "\xd5\xc5\xc8\xfd/a.log", "\xc0\xee\xcb\xc4/a.log"), map[string]int{"x.tar.gz!张三/a.log": 1, "x.tar.gz!李四/a.log": 1}},
		{"a job", tarOf(t, "worker-0.log", "worker-1.log"), map[string]int{"x.tar.gz": 1}},
		{"names that no folder can have", tarOf(t, "../t-1/a.log", "t-2/a.log", "t-3/a.log"), map[string]int{"x.tar.gz": 1}},
		{"cut off", pile[:len(pile)-20], map[string]int{"x.tar.gz": 1}},
		{"no archive", []byte("Killed\n"), map[string]int{"x.tar.gz": 1}},
		{"empty", nil, map[string]int{"x.tar.gz": 1}},
	} {
		fsys := fstest.MapFS{"x.tar.gz": {Data: tt.data}}
		cases := Find([]source.Root{{Name: "x.tar.gz", FS: fsys, Path: "x.tar.gz"}})
		if d := cmp.Diff(tt.want, found(cases)); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
		if tt.name == "a pile" {
			for _, r := range rowsOf(t, cases, 2) {
				if r.Cause != "killed" {
					t.Errorf("%s is diagnosed as %q %s", r.Case, r.Cause, r.Error)
				}
			}
		}
	}
}

// TestPipesAreNotPeekedInto: what can be read once is left to the diagnosis.
func TestPipesAreNotPeekedInto(t *testing.T) {
	fsys := unopenable{fstest.MapFS{
		"modelarts-job-" + jobA + "-worker-0.zip": {Mode: fs.ModeNamedPipe}, "modelarts-job-" + jobB + "-worker-0.log": {Mode: fs.ModeNamedPipe}, "x.log": {Mode: fs.ModeNamedPipe},
	}, t}
	var places []source.Root
	for name := range fsys.MapFS {
		places = append(places, source.Root{Name: name, FS: fsys, Path: name})
	}
	if got := found(Find(places)); len(got) != 1 {
		t.Errorf("the cases are %v", got)
	}
}

// unopenable are files that nobody may open.
type unopenable struct {
	fstest.MapFS
	t *testing.T
}

func (u unopenable) Open(name string) (fs.File, error) {
	u.t.Errorf("%s is opened", name)
	return u.MapFS.Open(name)
}

// TestHeldBytes: an archive that does not fit is not held, and one that is held takes
// no more than it does packed.
func TestHeldBytes(t *testing.T) {
	archive := func(text string) file {
		return file{name: "x.tar", full: "x.tar", fsys: fstest.MapFS{"x.tar": {Data: tarWith(t, text, "t-1/a.log", "t-2/a.log")}}, path: "x.tar"}
	}
	noise := make([]byte, maxHeld*2/3)
	for i, r := 0, rand.New(rand.NewPCG(1, 2)); i+8 <= len(noise); i += 8 {
		binary.LittleEndian.PutUint64(noise[i:], r.Uint64())
	}
	log := strings.Repeat("INFO step 17 loss 1.5\n", 1<<16)
	for _, c := range []struct {
		text string
		held holding
		want bool
	}{
		{"x", holding{}, true}, {log, holding{}, true}, {string(noise), holding{}, false},
		{"x", holding{unpacked: maxUnpacked - 1}, false}, {"x", holding{packed: maxHeld - 5}, false},
	} {
		f := &finder{held: c.held}
		d := f.openTarball(archive(c.text))
		if (d != nil) != c.want {
			t.Errorf("two files of %d bytes beside %v are held: %v", len(c.text), c.held, d != nil)
		}
		if d == nil {
			continue
		}
		if f.holding.packed > int64(1000+len(c.text)/4) || f.holding.unpacked != int64(2*len(c.text)) {
			t.Errorf("two files of %d bytes take %+v", len(c.text), f.holding)
		}
		for _, x := range d.all() {
			m, err := x.fsys.Open(x.path)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(m); err != nil || string(got) != c.text {
				t.Errorf("%s reads as %d bytes, %v", x.full, len(got), err)
			}
			if most, want := m.(source.Bounded).Most(), source.ShareOf(int64(len(c.text)), 2); most != want {
				t.Errorf("%s may become %d bytes, want %d", x.full, most, want)
			}
			m.Close()
		}
	}
}

// TestBlocks: what is written piece by piece reads the same at any place, and
// nothing is taken beyond the bound.
func TestBlocks(t *testing.T) {
	b := &blocks{most: 5 * blockSize}
	var want []byte
	for i := 1; len(want) < 4*blockSize; i += 7919 {
		piece := bytes.Repeat([]byte{byte(i)}, i%(2*blockSize))
		want = append(want, piece...)
		if n, err := b.Write(piece); n != len(piece) || err != nil {
			t.Fatal(n, err)
		}
	}
	if err := iotest.TestReader(io.NewSectionReader(b, 0, b.size), want); err != nil {
		t.Error(err)
	}
	if _, err := b.Write(make([]byte, 2*blockSize)); err == nil || b.size != int64(len(want)) {
		t.Errorf("%d bytes are held", b.size)
	}
}

func TestStem(t *testing.T) {
	for name, want := range map[string]string{
		"worker-0.log": "", "modelarts-job-worker-12.log.gz": "", "ShowTrainingJobDetails.json": "", "train-2026-06-02_10-11-12.log": "",
		"T-1001.json": "t-1001", "T-1001-worker-0.log": "t-1001", "llama_sft.rank3.txt": "llama-sft", "plog-123_20260602.log": "", "ticket.7.eml": "ticket",
	} {
		if got := stem(name); got != want {
			t.Errorf("stem(%q) = %q, want %q", name, got, want)
		}
	}
}

func FuzzStem(f *testing.F) {
	for _, s := range []string{"worker-0.log", "T-1001-worker-0.log.1", "ShowTrainingJobDetails.json", "plog-1_2.log", "..", "\xff-1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if s := stem(name); len(s) > 4*len(name)+4 || strings.ContainsAny(s, " _") {
			t.Errorf("stem(%q) = %q", name, s)
		}
		x, y := file{name: name}, file{name: name + "1.log"}
		if there, back := numbered([]file{x, y}), numbered([]file{y, x}); len(there) != len(back) {
			t.Errorf("%q and %q are parted into %d and %d", x.name, y.name, len(there), len(back))
		}
	})
}

// FuzzFind: however files are called, each belongs to one case and no more, and
// neither their order nor a second search makes other cases.
func FuzzFind(f *testing.F) {
	for _, s := range []string{
		"t-1/a.log t-2/a.log index.csv", "details.json logs/worker-0.log plog/plog-1_2.log", jobA + ".log " + jobB + ".log x.log", "T-1/a.log T-1.log T-1.json t-2.zip", "1001.log 1002.log 0.log",
		"a/b/c/d.log a/b/e.log worker-0/x worker-0/y", "case.json exchanges/1.json logs/a.log", "\xd5.log \xff/\xd5.log ..log", "a.log A.LOG a.log/x",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, names string) {
		fsys := fstest.MapFS{}
		for _, name := range strings.Fields(names) {
			taken := func(other string) bool {
				return strings.HasPrefix(other, name+"/") || strings.HasPrefix(name, other+"/")
			}
			if fs.ValidPath(name) && name != "." && len(fsys) < 30 && path.Base(name) != "case.yaml" && !litter(name) && !slices.ContainsFunc(slices.Collect(maps.Keys(fsys)), taken) {
				fsys[name] = &fstest.MapFile{Data: []byte("x\n")}
			}
		}
		if len(fsys) == 0 {
			return
		}
		cases := Find([]source.Root{{Name: "pile", FS: fsys, Path: "."}})
		for name := range fsys {
			n := 0
			for _, c := range cases {
				for _, r := range c.Roots {
					if r.Path == "." || r.Path == name || strings.HasPrefix(name, r.Path+"/") {
						n++
					}
				}
			}
			if n != 1 {
				t.Errorf("of %q the file %q is in %d cases: %v", names, name, n, found(cases))
			}
		}
		if again := Find([]source.Root{{Name: "pile", FS: fsys, Path: "."}}); !cmp.Equal(found(cases), found(again)) {
			t.Errorf("%q: %v, then %v", names, found(cases), found(again))
		}
		var loose []source.Root
		for _, name := range slices.Sorted(maps.Keys(fsys)) {
			loose = append(loose, source.Root{Name: "pile/" + name, FS: fsys, Path: name})
		}
		there := found(Find(loose))
		slices.Reverse(loose)
		if back := found(Find(loose)); !cmp.Equal(there, back) {
			t.Errorf("%q: %v, the other way round %v", names, there, back)
		}
	})
}

func litter(name string) bool {
	for ; name != "."; name = path.Dir(name) {
		if source.IsLitter(name) || source.IsLitter(path.Base(name)+"/") {
			return true
		}
	}
	return false
}
