package main

import (
	"errors"
	"fmt"
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

// writeFile puts data into a file. One that is there keeps its mode; a new one
// gets that which the umask leaves.
func writeFile(file string, data []byte) (err error) {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		info = nil
	case info.IsDir():
		return errIsFolder
	case !info.Mode().IsRegular():
		return os.WriteFile(file, data, 0o666) // a device or a pipe is not replaced
	}
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target // the link stays, its target is replaced
	}
	tmp, err := createBeside(file, info)
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
	if err := tmp.Close(); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}

// createBeside makes a file for what will take another's place, with the mode of
// that other, old, when there is one.
func createBeside(file string, old fs.FileInfo) (*os.File, error) {
	mode := fs.FileMode(0o666)
	if old != nil {
		mode = old.Mode().Perm()
	}
	for try := 0; ; try++ {
		name := fmt.Sprintf(".%s.%d-%d.tmp", filepath.Base(file), os.Getpid(), try)
		tmp, err := os.OpenFile(filepath.Join(filepath.Dir(file), name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) && try < 1000 {
			continue
		}
		if err != nil || old == nil {
			return tmp, err
		}
		if err := tmp.Chmod(mode); err != nil { // the umask may have taken some of it
			tmp.Close()
			os.Remove(tmp.Name())
			return nil, err
		}
		return tmp, nil
	}
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
