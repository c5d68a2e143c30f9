package main

import (
	"os"

	"golang.org/x/term"

	"hcloud-modelarts/analyzer/report"
)

// terminal reports whether standard output is one, and how wide it is.
func (c *console) terminal() (width int, ok bool) {
	f, isFile := c.stdout.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width <= 0 {
		width = 80
	}
	return width, true
}

// style is what standard output can show: colour only on a terminal that has it
// and whose user did not refuse it.
func (c *console) style() report.Style {
	width, ok := c.terminal()
	return report.Style{
		Width: min(width, 120),
		Color: ok && c.env["NO_COLOR"] == "" && c.env["TERM"] != "dumb",
	}
}
