package analyzer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"hcloud-modelarts/analyzer/modelarts"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/source"
)

// changing is a folder whose files change between being listed and being read to
// their end, each in the way that its name says.
type changing struct{ fstest.MapFS }

func (c changing) Open(name string) (fs.File, error) {
	f, err := c.MapFS.Open(name)
	if err != nil {
		return nil, err
	}
	switch {
	case strings.Contains(name, "vanished"):
		f.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case strings.Contains(name, "shut"):
		f.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	case strings.Contains(name, "shrunk"):
		return &changed{f, io.LimitReader(f, 3000), io.EOF}, nil
	case strings.Contains(name, "emptied"):
		return &changed{f, strings.NewReader(""), io.EOF}, nil
	case strings.Contains(name, "rewritten"):
		return &changed{f, io.MultiReader(strings.NewReader("2026-06-01 09:59:59 INFO a log of before\n"), f), io.EOF}, nil
	case strings.Contains(name, "grown"):
		return &changed{f, io.MultiReader(f, strings.NewReader(strings.Repeat("one more line\n", 1000))), io.EOF}, nil
	case strings.Contains(name, "torn-at-once"):
		return &changed{f, strings.NewReader(""), errors.New("input/output error")}, nil
	case strings.Contains(name, "torn"):
		return &changed{f, io.LimitReader(f, 3000), &fs.PathError{Op: "read", Path: name, Err: errors.New("stale file handle")}}, nil
	case strings.Contains(name, "stuck"):
		return &changed{f, stuck{}, io.EOF}, nil
	}
	return f, nil
}

// changed reads something else than the file was when it was listed. It can be
// read at any place, too, as a file of a disk can.
type changed struct {
	fs.File
	r   io.Reader
	end error
}

func (c *changed) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if err == io.EOF {
		err = c.end
	}
	return n, err
}

func (c *changed) ReadAt(p []byte, at int64) (int, error) {
	if at >= 3000 {
		return 0, c.end
	}
	r, ok := c.File.(io.ReaderAt)
	if !ok {
		return 0, errors.ErrUnsupported
	}
	n, err := r.ReadAt(p[:min(int64(len(p)), 3000-at)], at)
	if err == nil && n < len(p) {
		err = c.end
	}
	return n, err
}

// stuck gives neither a byte nor an end.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// TestChangingFiles: files that shrink, are emptied or written anew, grow, vanish, or turn unreadable while
// they are read are noted where something is missing, what could be read of them
// counts, the others are read, and the report is the same each time.
func TestChangingFiles(t *testing.T) {
	log := strings.Repeat("2026-06-01 10:00:00 INFO reading the next batch\n", 300)
	failure := "2026-06-01 10:00:01 ERROR RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0)\n"
	answer := `{"metadata":{"id":"x"},"status":{"phase":"Failed"},"spec":"` + strings.Repeat("y", 6000) + `"}`
	fsys := changing{fstest.MapFS{}}
	for _, way := range []string{"vanished", "shut", "shrunk", "emptied", "rewritten", "grown", "torn", "torn-at-once", "stuck"} {
		for ending, data := range map[string][]byte{".log": []byte(failure + log), ".zip": packed(t, 1, 40, []byte(log)), ".json": []byte(answer), ".log.gz": gzipped(t, strings.NewReader(log+answer))} {
			fsys.MapFS[way+ending] = &fstest.MapFile{Data: data}
		}
	}
	roots := []source.Root{{Name: "d", FS: fsys, Path: "."}}
	var first []byte
	for range 3 {
		reports, err := Diagnose(roots, Options{Lang: "en"})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(reports, func(r report.Report) bool { return r.Cause == "device-oom" }) {
			t.Fatalf("the failure was not found: %+v", reports[0].Summary)
		}
		for _, file := range []string{"vanished.log", "vanished.zip", "shut.json", "shut.log.gz", "torn.log", "torn-at-once.log", "torn.zip", "shrunk.zip", "shrunk.log", "shrunk.json", "emptied.log", "emptied.json", "rewritten.log", "stuck.log"} {
			if !slices.ContainsFunc(reports[0].Notes, func(n report.Note) bool { return n.Source == file }) {
				t.Errorf("no note tells of %s: %+v", file, reports[0].Notes)
			}
		}
		if slices.ContainsFunc(reports[0].Notes, func(n report.Note) bool { return n.Source == "grown.log" }) {
			t.Errorf("a note tells of a log that only grew: %+v", reports[0].Notes)
		}
		data, err := report.JSON(reports)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		} else if !bytes.Equal(first, data) {
			t.Error("two reports differ")
		}
	}
}

// TestManyJobs: what an answer tells of very many jobs is parted in one pass: in
// two it takes minutes.
func TestManyJobs(t *testing.T) {
	a := answer{doc: &source.Document{Name: "a.json"}}
	var jobs []modelarts.Job
	for i := range 100_000 {
		id := fmt.Sprintf("b6f1c2de-0000-4000-8000-%012d", i)
		jobs, a.ids = append(jobs, modelarts.Job{ID: id}), append(a.ids, id)
		a.facts = append(a.facts, modelarts.Fact{Job: id})
	}
	start := time.Now()
	g := newGroups("x", jobs)
	g.answer(a)
	if spent := time.Since(start); spent > 20*time.Second {
		t.Errorf("it takes %v", spent)
	}
	for i, c := range g.cases {
		if len(c.Facts) != 1 || len(c.Facts[0].Fact) != 1 || c.Facts[0].Fact[0].Job != c.Job.ID {
			t.Fatalf("job %d has the facts %+v", i, c.Facts)
		}
	}
}

// TestNotesAreCounted: of a flood of notes of one kind some are given and the rest
// is counted, and those of other kinds stand beside them.
func TestNotesAreCounted(t *testing.T) {
	fsys := fstest.MapFS{"a.log": {Data: []byte(strings.ReplaceAll(smallTraceback, "{i}", "1"))}, "z.7z": {Data: []byte("7z\xbc\xaf\x27\x1c")}}
	for i := range 5000 {
		fsys[fmt.Sprintf("b%04d.log", i)] = &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte("a.log")}
	}
	reports, err := Diagnose([]source.Root{{Name: "d", FS: fsys, Path: "."}}, Options{Lang: "en"})
	if err != nil {
		t.Fatal(err)
	}
	notes := reports[0].Notes
	if len(notes) != mostNotes+2 || !strings.Contains(notes[0].Text, "4900 more notes") || notes[len(notes)-1].Source != "z.7z" {
		t.Errorf("%d notes: %+v … %+v", len(notes), notes[0], notes[len(notes)-1])
	}
}
