package source

import (
	"bytes"
	"slices"
	"testing"

	"hcloud-modelarts/analyzer/source/charset"
)

// TestColours: a line is shown as charset.Clean has it, and heads end behind what
// is shown of them.
func TestColours(t *testing.T) {
	for stored, want := range map[string]string{
		"step 7":                           "step 7",
		"\x1b[32mINFO\x1b[0m | step":       "INFO | step",
		"\x1b[m\x1b[1;31;48;5;2mred":       "red",
		"a\x1b[38;5;196mb\x1b[0m":          "ab",
		"\x1b[1\x1b[0mx":                   "\x1b[1x",
		"\x1b[0;0;0;0;0;0;0;0;0;0;0;0;0;1": "\x1b[0;0;0;0;0;0;0;0;0;0;0;0;0;1",
	} {
		if got := withoutColours(stored); got != want {
			t.Errorf("%q is shown as %q, want %q", stored, got, want)
		}
		if clean := string(charset.Clean([]byte(want), nil)); clean == want {
			if got := string(charset.Clean([]byte(stored), nil)); got != want {
				t.Errorf("%q is cleaned to %q, want %q", stored, got, want)
			}
		}
		for n := range len(want) + 1 {
			if got := withoutColours(stored[:storedHead(stored, n)]); got != want[:n] {
				t.Errorf("the first %d of %q are %q", n, stored, got)
			}
		}
	}
}

// TestColouredHits: what colours hide is found, in the line where it stands.
func TestColouredHits(t *testing.T) {
	block := []byte("\x1b[1mone\x1b[0m\ntwo\nth\x1b[31mr\x1b[0mee X\n\x1b[0mfour\nfi\tve\n\x1b[3mX six")
	got := ownHits(block, nil, marks)
	want := []int{bytes.Index(block, []byte("th\x1b")), bytes.IndexByte(block, '\t'), bytes.Index(block, []byte("\x1b[3m"))}
	if !slices.Equal(got, want) {
		t.Errorf("hits %v, want %v", got, want)
	}
}
