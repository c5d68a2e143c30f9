package main

import (
	"io"
	"slices"
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// ruling is what stands around the cells of a table.
type ruling struct {
	before, between, behind string
	top, middle, bottom     [3]string // at the left, between columns, at the right; none when empty
}

var (
	lined  = ruling{"│ ", " │ ", " │", [3]string{"┌", "┬", "┐"}, [3]string{"├", "┼", "┤"}, [3]string{"└", "┴", "┘"}}
	spaced = ruling{between: "  ", behind: "  "}
)

// writeTable writes rows under a heading: with lines on a terminal, in plain
// columns elsewhere, and in both the same in every locale.
func writeTable(w io.Writer, onTerminal bool, heading []string, rows [][]string) error {
	r := spaced
	if onTerminal {
		r = lined
	}
	above, below := tableLines([][]string{heading}), tableLines(rows)
	widths := columnWidths(slices.Concat(above, below))
	var b strings.Builder
	r.rule(&b, r.top, widths)
	for _, cells := range above {
		r.row(&b, cells, widths)
	}
	if len(below) > 0 {
		r.rule(&b, r.middle, widths)
	}
	for _, cells := range below {
		r.row(&b, cells, widths)
	}
	r.rule(&b, r.bottom, widths)
	_, err := io.WriteString(w, b.String())
	return err
}

// tableLines are the lines of rows, of which one takes several where a cell does.
func tableLines(rows [][]string) (lines [][]string) {
	for _, row := range rows {
		first := len(lines)
		lines = append(lines, make([]string, len(row)))
		for column, cell := range row {
			for i, part := range strings.Split(strings.ReplaceAll(cell, "\t", "    "), "\n") {
				if first+i == len(lines) {
					lines = append(lines, make([]string, len(row)))
				}
				lines[first+i][column] = strings.TrimSpace(part)
			}
		}
	}
	return lines
}

func columnWidths(lines [][]string) (widths []int) {
	for _, cells := range lines {
		for i, c := range cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], columnsOf(c))
		}
	}
	return widths
}

// columnsOf is how wide a terminal shows a text that may be coloured.
func columnsOf(s string) int {
	return displaywidth.Options{ControlSequences: true}.String(s)
}

func (r *ruling) row(b *strings.Builder, cells []string, widths []int) {
	b.WriteString(r.before)
	for i, width := range widths {
		if i > 0 {
			b.WriteString(r.between)
		}
		cell := ""
		if i < len(cells) {
			cell = cells[i]
		}
		b.WriteString(cell + strings.Repeat(" ", width-columnsOf(cell)))
	}
	b.WriteString(r.behind + "\n")
}

func (r *ruling) rule(b *strings.Builder, ends [3]string, widths []int) {
	if ends[0] == "" {
		return
	}
	b.WriteString(ends[0])
	for i, width := range widths {
		if i > 0 {
			b.WriteString(ends[1])
		}
		b.WriteString(strings.Repeat("─", width+2))
	}
	b.WriteString(ends[2] + "\n")
}
