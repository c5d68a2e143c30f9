package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"hcloud-modelarts/analyzer/rules"
)

type importRulesCmd struct {
	File   string `arg:"" help:"${rules_entities}"`
	Output string `short:"o" required:"" placeholder:"DIR" help:"${rules_output}"`
	Cause  string `default:"exception-other" placeholder:"CAUSE" help:"${rules_import_cause}"`
}

// Run converts all entries of a file, or none.
func (i *importRulesCmd) Run(c *console) error {
	if _, ok := rules.CauseOf(i.Cause); !ok {
		return &usageError{c.say(msgNoCause, i.Cause)}
	}
	data, err := c.readFile(i.File)
	if err != nil {
		return err
	}
	all, err := rules.FromAscendFD(data, i.Cause)
	if err != nil {
		return &wrapped{c.say(msgNoEntities, i.File), err}
	}
	untranslated := 0
	for _, r := range all {
		if _, err := os.Stat(filepath.Join(i.Output, r.File)); !errors.Is(err, fs.ErrNotExist) {
			return &wrapped{c.say(msgWriteFile, filepath.Join(i.Output, r.File)), fs.ErrExist}
		}
		if r.Untranslated {
			untranslated++
		}
	}
	for _, r := range all {
		file := filepath.Join(i.Output, r.File)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return &wrapped{c.say(msgWriteFile, file), plainError(err)}
		}
		if err := writeFile(file, whole(r.Data)); err != nil {
			return &wrapped{c.say(msgWriteFile, file), plainError(err)}
		}
	}
	return c.deliver("", []byte(c.say(msgImported, len(all), i.Output, untranslated)+"\n"))
}
