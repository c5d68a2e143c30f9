package main

import (
	"os/exec"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSecurityTable: every row of the table names tests that are there, and both
// languages name the same.
func TestSecurityTable(t *testing.T) {
	var tables [2][][]string
	for i, file := range []string{"SECURITY.md", "SECURITY.zh-CN.md"} {
		rows := regexp.MustCompile(`(?m)^\|.*\|$`).FindAllString(paper(t, file), -1)
		if len(rows) < 10 {
			t.Fatalf("%s has a table of %d rows", file, len(rows))
		}
		for _, row := range rows[2:] {
			tests := regexp.MustCompile("`(?:Test|Fuzz)[A-Za-z0-9]+`").FindAllString(row, -1)
			if len(tests) == 0 {
				t.Errorf("%s: no test proves %s", file, row)
			}
			for _, name := range tests {
				name = name[1 : len(name)-1]
				if err := exec.Command("grep", "-rqE", "--include=*_test.go", `^func `+name+`\(`, "..").Run(); err != nil {
					t.Errorf("%s: there is no test %s", file, name)
				}
			}
			tables[i] = append(tables[i], tests)
		}
	}
	if d := cmp.Diff(tables[0], tables[1]); d != "" {
		t.Errorf("rows (-SECURITY.md +SECURITY.zh-CN.md):\n%s", d)
	}
}
