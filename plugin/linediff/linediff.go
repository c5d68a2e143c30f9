// Package linediff compares texts line by line.
package linediff

import (
	"fmt"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// maxLines bounds what is compared line by line: the time grows faster than
// the text, and nobody reads a longer difference.
const maxLines = 20_000

const noNewline = "\\ No newline at end of file\n"

// Diff gives the difference of two texts in unified form with so many lines of
// context, "" when they are equal. Lines are whole, and the same texts give the
// same bytes on every machine.
func Diff(oldName, newName, old, new string, context int) string {
	if old == new {
		return ""
	}
	header := fmt.Sprintf("--- %s\n+++ %s\n", oldName, newName)
	if strings.Count(old, "\n")+strings.Count(new, "\n") > maxLines {
		return header + fmt.Sprintf("(the texts differ and have more than %d lines)\n", maxLines)
	}
	var b strings.Builder
	b.WriteString(header)
	for _, h := range hunks(edits(old, new), context) {
		h.write(&b)
	}
	return b.String()
}

// edit is one line and what happens to it.
type edit struct {
	op   byte // ' ' kept, '-' only in the old text, '+' only in the new one
	line string
}

func edits(old, new string) []edit {
	d := diffmatchpatch.New()
	d.DiffTimeout = 0 // else the result depends on how fast the machine is
	a, b, lines := d.DiffLinesToRunes(old, new)
	ops := map[diffmatchpatch.Operation]byte{diffmatchpatch.DiffEqual: ' ', diffmatchpatch.DiffDelete: '-', diffmatchpatch.DiffInsert: '+'}
	var list []edit
	for _, chunk := range d.DiffCharsToLines(d.DiffMainRunes(a, b, false), lines) {
		for line := range strings.Lines(chunk.Text) {
			list = append(list, edit{ops[chunk.Type], line})
		}
	}
	return list
}

// hunk is a run of edits with the lines at which it starts, from 1.
type hunk struct {
	old, new int
	edits    []edit
}

// hunks cuts the edits into runs of changes with their context; runs whose
// contexts meet are one.
func hunks(list []edit, context int) []hunk {
	keep := make([]bool, len(list))
	for i, e := range list {
		if e.op == ' ' {
			continue
		}
		for j := max(0, i-context); j <= min(len(list)-1, i+context); j++ {
			keep[j] = true
		}
	}
	var all []hunk
	old, new := 1, 1
	for i, e := range list {
		if keep[i] {
			if i == 0 || !keep[i-1] {
				all = append(all, hunk{old: old, new: new})
			}
			h := &all[len(all)-1]
			h.edits = append(h.edits, e)
		}
		if e.op != '+' {
			old++
		}
		if e.op != '-' {
			new++
		}
	}
	return all
}

func (h hunk) write(b *strings.Builder) {
	old, new := 0, 0
	for _, e := range h.edits {
		if e.op != '+' {
			old++
		}
		if e.op != '-' {
			new++
		}
	}
	fmt.Fprintf(b, "@@ -%s +%s @@\n", span(h.old, old), span(h.new, new))
	for _, e := range h.edits {
		b.WriteByte(e.op)
		b.WriteString(e.line)
		if !strings.HasSuffix(e.line, "\n") {
			b.WriteString("\n" + noNewline)
		}
	}
}

// span writes a range of lines: "3,2", "3" for one line, "2,0" for none behind
// line 2.
func span(start, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", start-1)
	case 1:
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, count)
}
