// Command generate writes the files that are made from others: the index of the
// rule pack and the page that shows it to readers. Run it within the project, or by go generate.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"hcloud-modelarts/analyzer/rules"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run() error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	dir := filepath.Join(root, "analyzer", "rules")
	pack, err := rules.Load(os.DirFS(filepath.Join(dir, "pack")))
	if err != nil {
		return err
	}
	source, err := index(pack)
	if err != nil {
		return err
	}
	if err := replace(filepath.Join(dir, "index.go"), source); err != nil {
		return err
	}
	text, err := page(pack)
	if err != nil {
		return err
	}
	return replace(filepath.Join(dir, "RULES.md"), text)
}

// moduleRoot finds the folder with go.mod, from here upwards.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if filepath.Dir(dir) == dir {
			return "", fmt.Errorf("no go.mod above the current folder: run it within the project")
		}
		dir = filepath.Dir(dir)
	}
}

// replace writes a file whole or not at all.
func replace(name string, data []byte) error {
	tmp := name + ".tmp"
	if err := os.WriteFile(tmp, data, 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, name)
}
