package main

import (
	"io"
	"slices"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"hcloud-modelarts/analyzer/report"
)

// writeTable writes rows under a heading: with lines on a terminal, in plain
// columns elsewhere, and in both the same in every locale. Nothing that stands in a
// cell acts on the terminal.
func writeTable(w io.Writer, onTerminal bool, heading []string, rows [][]string) error {
	rendition := tw.Rendition{
		Borders:  tw.BorderNone,
		Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.SeparatorsNone},
	}
	padding := tw.Padding{Right: "  ", Overwrite: true}
	if onTerminal {
		rendition = tw.Rendition{Symbols: tw.NewSymbols(tw.StyleLight)}
		padding = tw.Padding{Left: " ", Right: " ", Overwrite: true}
	}
	t := tablewriter.NewTable(w,
		tablewriter.WithRenderer(renderer.NewBlueprint(rendition)),
		tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAlignment(tw.AlignLeft),
		tablewriter.WithRowAlignment(tw.AlignLeft),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithPadding(padding),
	)
	t.Header(heading)
	if err := t.Bulk(shown(rows)); err != nil {
		return err
	}
	return t.Render()
}

// shown gives rows whose cells may be shown.
func shown(rows [][]string) [][]string {
	out := make([][]string, len(rows))
	for i, r := range rows {
		out[i] = slices.Clone(r)
		for j, cell := range r {
			out[i][j] = report.Plain(cell)
		}
	}
	return out
}
