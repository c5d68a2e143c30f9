package source

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// collected keeps the documents that were read.
type collected struct {
	Handler
	docs []*Document
}

func (c *collected) Begin(d *Document) { c.docs = append(c.docs, d) }
func (c *collected) Line(*Line)        {}
func (c *collected) JSON(*JSON)        {}
func (c *collected) End(*Document)     {}
func (c *collected) Note(Note)         {}

// TestPasted: of a ticket it is told where what was pasted begins and what stands
// above it, within bounds.
func TestPasted(t *testing.T) {
	long := strings.Repeat("word ", 400)
	for _, c := range []struct {
		name, text string
		want       []Pasted
	}{
		{"a.md", "# Ticket\n\nfirst:\n\n```\nValueError: a\n\nValueError: b\n```\n\nsecond:\nand more\n\n    ValueError: c\n", []Pasted{{6, "# Ticket\nfirst:\n"}, {14, "second:\nand more\n"}}},
		{"b.md", "```\nValueError: a\n```\n```\nValueError: b\n```\n", []Pasted{{2, ""}}},
		{"c.md", long + "\nshort\n```\nValueError: a\n```\n", []Pasted{{4, "short\n"}}},
		{"d.log", "ValueError: a\nprose\nValueError: b\n", nil},
	} {
		var got collected
		if _, err := Read([]Root{{Name: ".", FS: fstest.MapFS{c.name: {Data: []byte(c.text)}}, Path: "."}}, Limits{}, &got); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.docs[0].Pasted, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got.docs[0].Pasted, c.want)
		}
	}
	var got collected
	many := strings.Repeat("more:\n```\nValueError: a\n```\n", 2*mostPasted)
	if _, err := Read([]Root{{Name: ".", FS: fstest.MapFS{"a.md": {Data: []byte(many)}}, Path: "."}}, Limits{}, &got); err != nil || len(got.docs[0].Pasted) != mostPasted {
		t.Errorf("%d parts, error %v", len(got.docs[0].Pasted), err)
	}
}
