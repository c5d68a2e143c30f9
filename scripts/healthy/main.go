// Command healthy writes logs of jobs in which nothing is wrong, in the formats
// of many frameworks and with the alarming words that healthy logs really hold.
// Nothing in them may be blamed; its test has the analyzer read all of them.
//
//	go run ./scripts/healthy -out DIR -bytes 52428800
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	out := flag.String("out", "", "folder to write to, one folder a job")
	size := flag.Int("bytes", total, "bytes of all logs together, at least")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := writeAll(*out, *size); err != nil {
		fmt.Fprintln(os.Stderr, "healthy:", err)
		os.Exit(1)
	}
}

func writeAll(dir string, size int) error {
	all, err := formats()
	if err != nil {
		return err
	}
	for _, f := range all {
		if err := writeOne(filepath.Join(dir, f.name), f, size/len(all)+1); err != nil {
			return fmt.Errorf("writing the log of %s: %w", f.name, err)
		}
	}
	return nil
}

func writeOne(dir string, f format, size int) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(dir, f.file))
	if err != nil {
		return err
	}
	w := bufio.NewWriter(file)
	f.write(w, size)
	if err := w.Flush(); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}
