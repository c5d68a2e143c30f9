package source

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// follows gives the names of what is read, in order, each with the piece that
// it goes on after.
type follows struct {
	ignore
	names []string
}

func (f *follows) Begin(d *Document) {
	name := d.Name
	if d.Before != nil {
		name = d.Before.Name + " > " + name
	}
	f.names = append(f.names, name)
}

func TestPieces(t *testing.T) {
	at := func(clock string) string { return "2026-06-16 " + clock + " x\n" }
	tests := []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"rotated", map[string]string{"a.log": "x\n", "a.log.1": "x\n", "a.log.2": "x\n"},
			[]string{"a.log.2", "a.log.2 > a.log.1", "a.log.1 > a.log"}},
		{"rotated by the times, without the log itself", map[string]string{"a.log.1": at("11:00:00"), "a.log.2": at("10:00:00")},
			[]string{"a.log.2", "a.log.2 > a.log.1"}},
		{"numbered on by the times", map[string]string{"a.log": at("10:00:00"), "a.log.1": at("11:00:00"), "a.log.2": at("12:00:00")},
			[]string{"a.log", "a.log > a.log.1", "a.log.1 > a.log.2"}},
		{"numbered, no times", map[string]string{"a.log.9": "x\n", "a.log.10": "x\n"}, []string{"a.log.9", "a.log.9 > a.log.10"}},
		{"a piece is missing", map[string]string{"a.log": "x\n", "a.log.2": "x\n", "a.log.3": "x\n"},
			[]string{"a.log.3", "a.log.3 > a.log.2", "a.log"}},
		{"letters that change their length with their case", map[string]string{"ȺȺȺȺ.part1": "x\n", "ȺȺȺȺ.PART2": "x\n", "İİİİ_part_1.log": "x\n"},
			[]string{"İİİİ_part_1.log", "ȺȺȺȺ.part1", "ȺȺȺȺ.part1 > ȺȺȺȺ.PART2"}},
		{"parts beside the whole", map[string]string{"a.log": "x\n", "a.part1.log": "x\n", "a.part2.log": "x\n"},
			[]string{"a.log", "a.part1.log", "a.part1.log > a.part2.log"}},
		{"of split", map[string]string{"a.log.aa": "x\n", "a.log.ab": "x\n", "b.txt.000": "x\n", "b.txt.001": "x\n"},
			[]string{"a.log.aa", "a.log.aa > a.log.ab", "b.txt.000", "b.txt.000 > b.txt.001"}},
		{"packed", map[string]string{"a.log": "x\n", "a.log.1.gz": string(packGzip([]byte("x\n")))}, []string{"a.log.1.gz", "a.log.1.gz > a.log"}},
		{"of folders", map[string]string{"p/a.log": "x\n", "q/a.log.1": "x\n"}, []string{"p/a.log", "q/a.log.1"}},
		{"tasks", map[string]string{"worker-0.log": "x\n", "worker-1.log": "x\n", "rank.0.txt": "x\n", "rank.1.txt": "x\n"},
			[]string{"rank.0.txt", "rank.1.txt", "worker-0.log", "worker-1.log"}},
		{"an answer goes before", map[string]string{"a.log.1": "{\"error_code\": \"a\", \"error_msg\": \"b\"}\n", "a.log": "x\n"}, []string{"a.log.1", "a.log"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			files := fstest.MapFS{}
			for name, text := range tt.files {
				files[name] = &fstest.MapFile{Data: []byte(text)}
			}
			var f follows
			if _, err := Read([]Root{{Name: "d", FS: files, Path: "."}}, Limits{}, &f); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, f.names); d != "" {
				t.Errorf("pieces (-want +got):\n%s", d)
			}
		})
	}
}

// In an archive the stored order stands; what fits it is joined.
func TestPiecesInArchives(t *testing.T) {
	names := []string{"x/a.log.2", "x/a.log.1", "x/a.log", "b.log", "b.log.1", "c.part1.log", "c.part2.log"}
	var f follows
	if _, err := Read([]Root{{Name: "z", Reader: bytes.NewReader(packZip(t, names, []byte("x\n")))}}, Limits{}, &f); err != nil {
		t.Fatal(err)
	}
	want := []string{"z!x/a.log.2", "z!x/a.log.2 > z!x/a.log.1", "z!x/a.log.1 > z!x/a.log", "z!b.log", "z!b.log.1", "z!c.part1.log", "z!c.part1.log > z!c.part2.log"}
	if d := cmp.Diff(want, f.names); d != "" {
		t.Errorf("pieces (-want +got):\n%s", d)
	}
}

// A piece goes on with the labels, the clock and the heading of the piece
// before it.
func TestPieceGoesOn(t *testing.T) {
	files := fstest.MapFS{
		"a.log.1": {Data: []byte(strings.Repeat("node-1: a\nnode-2: b\n", 5) + "node-1: 2026-06-16 23:59:50 INFO x\n")},
		"a.log":   {Data: []byte("node-2: 00:00:05 INFO x\n")},
	}
	r := &recorder{}
	if _, err := Read([]Root{{Name: "d", FS: files, Path: "."}}, Limits{}, r); err != nil {
		t.Fatal(err)
	}
	want := "2026-06-17T00:00:05 node=node-2 level=INFO stream=node-2 |x"
	if got := describe(&r.lines[len(r.lines)-1]); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// opened counts how often each file is opened.
type opened struct {
	fstest.MapFS
	times map[string]int
}

func (o opened) Open(name string) (fs.File, error) {
	o.times[name]++
	return o.MapFS.Open(name)
}

// TestPiecesAreOpenedTwice: for its time and to be read, however many pieces a
// log has.
func TestPiecesAreOpenedTwice(t *testing.T) {
	const pieces = 300
	o := opened{fstest.MapFS{}, map[string]int{}}
	for i := range pieces {
		o.MapFS[fmt.Sprintf("a.log.%d", i+1)] = &fstest.MapFile{Data: []byte("2026-06-16 10:00:00 x\n")}
	}
	if _, err := Read([]Root{{Name: "d", FS: o, Path: "."}}, Limits{}, &follows{}); err != nil {
		t.Fatal(err)
	}
	for name, n := range o.times {
		if name != "." && n > 2 {
			t.Fatalf("%s is opened %d times", name, n)
		}
	}
}
