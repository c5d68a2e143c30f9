package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

var errIsFolder = errors.New("is a directory")

// deliver writes the result to a file, or to standard output when none is
// named. A regular file appears whole or not at all.
func (c *console) deliver(file string, data []byte) error {
	return c.deliverFrom(file, whole(data))
}

// deliverFrom is deliver for a result that is too large to be held: write writes
// it.
func (c *console) deliverFrom(file string, write func(io.Writer) error) error {
	if file == "" || file == "-" {
		if err := buffered(c.stdout, write); err != nil {
			return &wrapped{c.say(msgWriteStdout), err}
		}
		return nil
	}
	if err := writeFile(file, write); err != nil {
		return &wrapped{c.say(msgWriteFile, file), plainError(err)}
	}
	return nil
}

// keepInputs refuses to write a result over a file that it is made of.
func (c *console) keepInputs(output string, inputs ...string) error {
	target, err := os.Stat(output)
	if err != nil || !target.Mode().IsRegular() {
		return nil
	}
	for _, p := range inputs {
		if info, err := os.Stat(p); err == nil && os.SameFile(info, target) {
			return &usageError{c.say(msgIsInput, output)}
		}
	}
	return nil
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriterSize(w, 64<<10)
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}

// whole gives a writer of data for writeFile.
func whole(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// writeFile has something written into a file. One that is there keeps its mode;
// a new one gets that which the umask leaves.
func writeFile(file string, write func(io.Writer) error) error {
	return writeFileAs(file, 0o666, write)
}

// writeFileAs is writeFile with the mode of a new file, before the umask.
func writeFileAs(file string, mode fs.FileMode, write func(io.Writer) error) (err error) {
	info, err := os.Stat(file)
	switch {
	case err != nil:
		info = nil
	case info.IsDir():
		return errIsFolder
	case !info.Mode().IsRegular():
		return writeOver(file, write) // a device or a pipe is not replaced
	}
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target // the link stays, its target is replaced
	}
	if info != nil {
		if err := writable(file); err != nil {
			return err
		}
	}
	tmp, err := createBeside(file, info, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp.Name())
		}
	}()
	if err := errors.Join(buffered(tmp, write), tmp.Close()); err != nil {
		return err
	}
	return os.Rename(tmp.Name(), file)
}

// writable says why a file that is there may not be written, whose place another
// could take all the same.
func writable(file string) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

func writeOver(file string, write func(io.Writer) error) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	return errors.Join(buffered(f, write), f.Close())
}

// createBeside makes a file for what will take another's place, with the mode of
// that other, old, when there is one.
func createBeside(file string, old fs.FileInfo, mode fs.FileMode) (*os.File, error) {
	if old != nil {
		mode = old.Mode().Perm()
	}
	var tmp *os.File
	_, err := makeBeside(file, func(name string) (err error) {
		tmp, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		return err
	})
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

// makeBeside has a file or folder made under a name beside the one whose place it
// will take, and gives that name. What killed processes left of the same kind is
// removed.
func makeBeside(file string, create func(name string) error) (string, error) {
	dir, base := filepath.Split(filepath.Clean(file))
	removeLeftOver(dir, base)
	for try := 0; ; try++ {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%d-%d.tmp", short(base), os.Getpid(), try))
		if err := create(name); !errors.Is(err, fs.ErrExist) || try >= 1000 {
			return name, err
		}
	}
}

// short leaves room in a name for what is put around it: a name may have 255
// bytes.
func short(base string) string { return base[:min(len(base), 200)] }

// removeLeftOver removes what processes that are gone had begun to write in
// place of a file.
func removeLeftOver(dir, base string) {
	d, err := os.Open(cmp.Or(dir, "."))
	if err != nil {
		return // they are only in the way
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	for _, name := range names {
		head, isTemp := strings.CutSuffix(name, ".tmp")
		numbers, isOurs := strings.CutPrefix(head, "."+short(base)+".")
		pid, _, _ := strings.Cut(numbers, "-")
		if n, err := strconv.Atoi(pid); isTemp && isOurs && err == nil && !living(n) {
			os.RemoveAll(filepath.Join(dir, name))
		}
	}
}

// living reports whether another process of that number is there.
func living(pid int) bool {
	if pid == os.Getpid() || pid <= 0 {
		return false
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer p.Release()
	err = p.Signal(syscall.Signal(0))
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
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
