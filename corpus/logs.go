package corpus

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// LogBytes says how much of a task's log is recorded, as bytes of the source.
func (r *Recorder) LogBytes(task string) int64 {
	i := slices.IndexFunc(r.m.Logs, func(l Log) bool { return l.Task == task })
	if i < 0 {
		return 0
	}
	return r.m.Logs[i].Source
}

// AddLog records what src gives of a task's log, behind what is there already:
// whole lines, and at the end of the source the rest. An error of the source
// keeps what came before it and is returned, so that the log can be resumed at
// LogBytes.
func (r *Recorder) AddLog(task string, src io.Reader) error {
	i := slices.IndexFunc(r.m.Logs, func(l Log) bool { return l.Task == task })
	l := Log{Task: task}
	if i >= 0 {
		l = r.m.Logs[i]
	}
	old := l
	l.File = r.logFile(l)
	final := r.path(l.File)
	f, err := os.CreateTemp(filepath.Dir(final), tempPrefix+"*")
	if err != nil {
		return &Error{r.dir, "io", err}
	}
	w := &logWriter{out: bufio.NewWriterSize(f, 1<<20), hash: sha256.New()}
	if i >= 0 {
		err = w.old(r.path(old.File), old.Bytes)
	}
	var srcErr error
	if err == nil {
		srcErr, err = r.copyLog(w, src)
	}
	if e := w.out.Flush(); err == nil {
		err = e
	}
	if err == nil {
		err = r.keepPlaceholders()
	}
	if err == nil {
		err = f.Chmod(0o600)
	}
	if err = finish(f, final, err); err != nil {
		return &Error{r.dir, "io", err}
	}
	l.Source += w.source
	l.Bytes, l.SHA256 = w.bytes, hex.EncodeToString(w.hash.Sum(nil))
	if i < 0 {
		r.m.Logs = append(r.m.Logs, l)
	} else {
		r.m.Logs[i] = l
	}
	if err := r.save(); err != nil {
		return err
	}
	if i >= 0 {
		os.Remove(r.path(old.File)) // what stays is swept by the next recorder
	}
	return srcErr
}

// logFile names the file for a log: another one each time it grows, so that the
// manifest never lists a file that has changed.
func (r *Recorder) logFile(l Log) string {
	if l.File != "" {
		base := logBase(l.File)
		if l.File == base+".log" {
			return base + ".2.log"
		}
		return base + ".log"
	}
	first := logDir + "/" + safeName(fmt.Sprintf("modelarts-job-%s-%s", r.m.Job.ID, l.Task), 120)
	base := first
	for n := 2; slices.ContainsFunc(r.m.Logs, func(o Log) bool { return strings.EqualFold(logBase(o.File), logBase(base+".log")) }); n++ {
		base = fmt.Sprintf("%s_%d", first, n)
	}
	return base + ".log"
}

// logBase is what the names of the files of one log have in common.
func logBase(file string) string {
	return strings.TrimSuffix(strings.TrimSuffix(file, ".log"), ".2")
}

func (r *Recorder) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

// logWriter counts and hashes what it writes.
type logWriter struct {
	out           *bufio.Writer
	hash          hash.Hash
	bytes, source int64
}

func (w *logWriter) Write(p []byte) (int, error) {
	w.hash.Write(p)
	w.bytes += int64(len(p))
	return w.out.Write(p)
}

// old copies what was recorded of the log before.
func (w *logWriter) old(name string, size int64) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, io.LimitReader(f, size))
	return err
}

// logBlock is how much of a log is masked at once.
const logBlock = 1 << 20

// copyLog masks and writes a source, block by block. Only whole lines are taken
// from a source that breaks off.
func (r *Recorder) copyLog(w *logWriter, src io.Reader) (srcErr, err error) {
	var block []byte
	buf := make([]byte, 256<<10)
	key := false // within a private key
	put := func(b []byte) error {
		w.source += int64(len(b))
		if r.redact != nil {
			b, key = r.redact.block(b, key)
		}
		_, err := w.Write(b)
		return err
	}
	for {
		n, readErr := src.Read(buf)
		block = append(block, buf[:n]...)
		end := bytes.LastIndexByte(block, '\n') + 1
		if readErr == io.EOF {
			return nil, put(block)
		}
		if readErr != nil {
			return readErr, put(block[:end])
		}
		if len(block) < logBlock || end == 0 && len(block) < 16*logBlock {
			continue
		}
		if end == 0 {
			end = len(block) // one line longer than any that can be masked whole
		}
		if err := put(block[:end]); err != nil {
			return nil, err
		}
		block = append(block[:0], block[end:]...)
	}
}
