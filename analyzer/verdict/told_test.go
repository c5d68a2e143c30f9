package verdict

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

var toldHead = lazy.Regexp(`(?m)^%%% `)

// TestTold: what only quotes, denies, expects or passes over a failure, and what
// an earlier run in the same text met, is not named as the failure, and keeps
// nothing that is from being named.
//
// A head of a text says what is wanted: "quiet" is no cause at HIGH, else the
// causes that are right, and behind an @ what the first line of evidence holds.
func TestTold(t *testing.T) {
	tables := scan.Prepare(rules.Default())
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no texts: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range toldHead().Split(string(data), -1)[1:] {
			head, body, _ := strings.Cut(part, "\n")
			name, want, _ := strings.Cut(head, " | ")
			t.Run(filepath.Base(file)+"/"+name, func(t *testing.T) {
				tell(t, tables, body, want)
			})
		}
	}
}

func tell(t *testing.T, tables *scan.Tables, body, want string) {
	r := &reader{scanner: tables.Scanner()}
	fsys := fstest.MapFS{"train.log": {Data: []byte(body)}}
	if _, err := source.Read([]source.Root{{Name: ".", FS: fsys, Path: "."}}, source.Limits{}, r); err != nil {
		t.Fatal(err)
	}
	v := Decide(&Case{Documents: r.docs, Found: r.scanner.Close(), APIs: map[string]bool{}}, rules.Default())
	first := ""
	if len(v.Evidence) > 0 {
		first = v.Evidence[0].Text
	}
	causes, line, _ := strings.Cut(strings.TrimPrefix(want, "="), "@")
	switch right := slices.Contains(strings.Split(causes, ","), v.Cause); {
	case want == "quiet" && v.Cause != None && v.Cause != Unknown && v.Confidence == High:
		t.Errorf("cause %s at HIGH for %q, want none or less", v.Cause, first)
	case want != "quiet" && !right:
		t.Errorf("cause %s/%s for %q, want %s", v.Cause, v.Confidence, first, causes)
	case want != "quiet" && !strings.Contains(first, line):
		t.Errorf("first line %q, want %q", first, line)
	}
}
