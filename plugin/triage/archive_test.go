package triage

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"hcloud-modelarts/analyzer/source"
)

// metering are files that count what is read of them, and how many are open.
type metering struct {
	fstest.MapFS
	read, open *atomic.Int64
}

func (m metering) Open(name string) (fs.File, error) {
	f, err := m.MapFS.Open(name)
	if err != nil {
		return nil, err
	}
	m.open.Add(1)
	return meteredFile{f, m}, nil
}

type meteredFile struct {
	fs.File
	of metering
}

func (f meteredFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.(io.ReaderAt).ReadAt(p, off)
	f.of.read.Add(int64(n))
	return n, err
}

func (f meteredFile) Close() error {
	f.of.open.Add(-1)
	return f.File.Close()
}

// TestManyCasesOfAnArchive: what is read of an archive does not grow with the square
// of its cases, and nothing of it stays open.
func TestManyCasesOfAnArchive(t *testing.T) {
	names := make([]string, 2000)
	for i := range names {
		names[i] = fmt.Sprintf("ticket-%04d.log", i)
	}
	data := zipOf(t, names...)
	m := metering{fstest.MapFS{"x.zip": {Data: data}}, new(atomic.Int64), new(atomic.Int64)}
	cases := Find([]source.Root{{Name: "x.zip", FS: m, Path: "x.zip"}})
	for _, r := range rowsOf(t, cases, 2) {
		if r.Cause != "killed" {
			t.Fatalf("%s is diagnosed as %q %s", r.Case, r.Cause, r.Error)
		}
	}
	if got, most := m.read.Load(), 4*int64(len(data)); len(cases) != len(names) || got > most {
		t.Errorf("of %d bytes with %d cases %d are read, want up to %d", len(data), len(cases), got, most)
	}
	if n := m.open.Load(); n != 0 {
		t.Errorf("%d stay open", n)
	}
}

// bomb is an archive whose members share the packed bytes of zeros, and say that
// each becomes size bytes.
func bomb(t *testing.T, members int, size uint64, packed []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := range members {
		w, err := z.CreateRaw(&zip.FileHeader{
			Name: fmt.Sprintf("ticket-%03d.gz", i), Method: zip.Deflate, CompressedSize64: uint64(len(packed)), UncompressedSize64: size,
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(packed); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func deflated(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestBombsOfCases: an archive that says it becomes huge is no pile of cases, and
// what is packed within the cases of an archive becomes no more than what is packed
// within the archive may.
func TestBombsOfCases(t *testing.T) {
	find := func(data []byte) []Case {
		return Find([]source.Root{{Name: "x.zip", FS: fstest.MapFS{"x.zip": {Data: data}}, Path: "x.zip"}})
	}
	packed := deflated(t, make([]byte, 1<<20))
	if got := len(find(bomb(t, 200, 10<<20, packed))); got != 1 {
		t.Errorf("2000 MiB of some KiB are %d cases", got)
	}
	if got := len(find(bomb(t, 200, 1<<20, packed))); got != 200 {
		t.Errorf("200 MiB are %d cases", got)
	}
	var twice bytes.Buffer
	for range 40 { // members of a gzip file follow one another
		twice.Write(gzipOf(t, bytes.Repeat([]byte("x\n"), 1<<19)))
	}
	const members = 256
	cases := find(bomb(t, members, uint64(twice.Len()), deflated(t, twice.Bytes())))
	if len(cases) != members {
		t.Fatalf("%d cases", len(cases))
	}
	var seen notes
	stats, err := source.Read(cases[0].Roots, source.Limits{}, &seen)
	if most := int64(2 << 20); err != nil || stats.Bytes > most || !strings.Contains(string(seen), "bound-ratio") {
		t.Errorf("%d bytes of one case are read, want up to %d: %s %v", stats.Bytes, most, seen, err)
	}
}

// notes are the codes of what a reading noted.
type notes string

func (*notes) Begin(*source.Document) {}
func (*notes) Line(*source.Line)      {}
func (*notes) JSON(*source.JSON)      {}
func (*notes) End(*source.Document)   {}
func (n *notes) Note(x source.Note)   { *n += notes(x.Code + " ") }

func gzipOf(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
