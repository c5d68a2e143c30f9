package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

var errIsFolder = errors.New("is a directory")

// deliver writes the result to a file, or to standard output when none is
// named. A regular file appears whole or not at all.
func (c *console) deliver(file string, data []byte) error {
	if file == "" || file == "-" {
		if _, err := c.stdout.Write(data); err != nil {
			return &wrapped{c.say(msgWriteStdout), err}
		}
		return nil
	}
	if err := writeFile(file, data); err != nil {
		return &wrapped{c.say(msgWriteFile, file), plainError(err)}
	}
	return nil
}

func writeFile(file string, data []byte) (err error) {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		if info.IsDir() {
			return errIsFolder
		}
		return os.WriteFile(file, data, 0o644) // a device or a pipe is not replaced
	}
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target // the link stays, its target is replaced
	}
	tmp, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	if _, err := tmp.Write(data); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Chmod(0o644); err != nil {
		tmp.Close()
		return err
	}
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}

// plainError is an error without the path, which the message names already.
func plainError(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		return le.Err
	}
	return err
}
