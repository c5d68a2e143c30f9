package main

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSecurityTable: every row of the table names tests that are there, and both
// languages name the same.
func TestSecurityTable(t *testing.T) {
	const file = "SECURITY.md"
	en, zh, _ := strings.Cut(paper(t, file), "\n## 安全\n")
	var tables [2][][]string
	for i, half := range []string{en, zh} {
		rows := regexp.MustCompile(`(?m)^\|.*\|$`).FindAllString(half, -1)
		if len(rows) < 10 {
			t.Fatalf("half %d of %s has a table of %d rows", i+1, file, len(rows))
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
		t.Errorf("rows (-English +Chinese):\n%s", d)
	}
}
