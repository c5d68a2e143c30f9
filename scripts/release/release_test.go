package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var date = time.Date(2026, 6, 2, 9, 41, 50, 0, time.UTC)

func files() []file {
	return []file{{name: "tool", data: []byte("x"), program: true}, {name: "share/man/a.1", data: []byte("page")}, {name: "LICENSE", data: []byte("free")}}
}

// TestArchives: names, modes and dates are in the archives, in order, and
// nothing of the machine or the moment.
func TestArchives(t *testing.T) {
	want := []string{"p/LICENSE -rw-r--r-- free", "p/share/man/a.1 -rw-r--r-- page", "p/tool -rwxr-xr-x x"}
	packed, err := tarred("p", date, files())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, untar(t, packed)); d != "" {
		t.Errorf("tar (-want +got):\n%s", d)
	}
	zipFile, err := zipped("p", date, files())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, unzip(t, zipFile)); d != "" {
		t.Errorf("zip (-want +got):\n%s", d)
	}
	turned := files()
	slices.Reverse(turned)
	again, err := tarred("p", date, turned)
	if err != nil || !bytes.Equal(again, packed) {
		t.Errorf("the order of the files changes the tar: %v", err)
	}
	again, err = zipped("p", date, turned)
	if err != nil || !bytes.Equal(again, zipFile) {
		t.Errorf("the order of the files changes the zip: %v", err)
	}
}

func untar(t *testing.T, packed []byte) []string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if z.Name != "" || !z.ModTime.IsZero() {
		t.Errorf("gzip's head holds %q, %v", z.Name, z.ModTime)
	}
	var got []string
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return got
		}
		if err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.Equal(date) || h.Uid != 0 || h.Gid != 0 || h.Uname != "" || h.Gname != "" {
			t.Errorf("%s: %+v", h.Name, h)
		}
		got = append(got, entry(t, h.Name, h.FileInfo(), r))
	}
}

func unzip(t *testing.T, packed []byte) []string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range r.File {
		if !f.Modified.Equal(date) {
			t.Errorf("%s: %v", f.Name, f.Modified)
		}
		body, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, entry(t, f.Name, f.FileInfo(), body))
	}
	return got
}

func entry(t *testing.T, name string, info fs.FileInfo, body io.Reader) string {
	t.Helper()
	data, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return name + " " + info.Mode().String() + " " + string(data)
}

func TestSums(t *testing.T) {
	got := sums([]file{{name: "b", data: []byte("")}, {name: "a", data: []byte("abc")}})
	want := "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n" +
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n"
	if string(got.data) != want {
		t.Errorf("sums:\n%s", got.data)
	}
}

// TestLicences: the list of licences is that of the dependencies, each of which
// lets the program be passed on; the texts and the bill name all of them.
func TestLicences(t *testing.T) {
	if testing.Short() {
		t.Skip("lists the packages of six platforms")
	}
	t.Chdir("../..")
	modules, err := dependencies("")
	if err != nil {
		t.Fatal(err)
	}
	if err := checkLicences(modules); err != nil {
		t.Error(err)
	}
	if err := checkLicences(modules[1:]); err == nil {
		t.Error("a module may be missing in the list")
	}
	texts, err := licenceTexts(modules)
	if err != nil {
		t.Fatal(err)
	}
	data, err := bill("1.0.0", date, modules)
	if err != nil {
		t.Fatal(err)
	}
	var b cdxBill
	if err := json.Unmarshal(data, &b); err != nil {
		t.Fatal(err)
	}
	if len(b.Components) != len(modules) || len(b.Dependencies[0].DependsOn) != len(modules) || b.Metadata.Timestamp != "2026-06-02T09:41:50Z" {
		t.Errorf("the bill: %s", data)
	}
	for i, d := range modules {
		if !bytes.Contains(texts, []byte("\n"+d.path+" "+d.version+": ")) {
			t.Errorf("no text of the licence of %s", d.path)
		}
		if b.Components[i].PURL != "pkg:golang/"+d.path+"@"+d.version || d.version == "" {
			t.Errorf("in the bill %s is %+v", d.path, b.Components[i])
		}
	}
}

// TestLicenceIsKnown: a dependency without a licence, or with one that asks for
// more, stops the release.
func TestLicenceIsKnown(t *testing.T) {
	for text, want := range map[string]string{
		"":             "states no licence",
		"All mine.":    "states no licence",
		agpl:           "AGPL",
		"see LICENSE.": "states no licence",
	} {
		dir := t.TempDir()
		if text != "" {
			if err := os.WriteFile(dir+"/LICENSE", []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		d := dependency{path: "example.com/x", dir: dir}
		if err := d.look(dir); err != nil {
			t.Fatal(err)
		}
		if err := d.classify(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", text, err, want)
		}
	}
}

const agpl = `This program is free software: you can redistribute it and/or modify
it under the terms of the GNU Affero General Public License as published by
the Free Software Foundation, either version 3 of the License, or
(at your option) any later version.

This program is distributed in the hope that it will be useful,
but WITHOUT ANY WARRANTY; without even the implied warranty of
MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the
GNU Affero General Public License for more details.

You should have received a copy of the GNU Affero General Public License
along with this program.  If not, see <https://www.gnu.org/licenses/>.
`
