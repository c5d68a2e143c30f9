package main

import (
	"io"
	"os"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// decoded gives a text as UTF-8 without a byte order mark. Windows PowerShell
// writes what is redirected into a file as UTF-16.
func decoded(r io.Reader) io.Reader {
	return transform.NewReader(r, unicode.BOMOverride(transform.Nop))
}

// readFile reads a text that the user named, "-" for standard input.
func (c *console) readFile(file string) ([]byte, error) {
	in := c.stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, inputError(file, err)
		}
		defer f.Close()
		in = f
	}
	data, err := io.ReadAll(decoded(in))
	if err != nil {
		return nil, inputError(file, err)
	}
	return data, nil
}
