package source

import (
	"bytes"
	"io"
	"io/fs"
)

// watched is a file that others may write to while it is read from its start.
type watched struct {
	fs.File
	size  int64 // when it was opened, 0 when nothing tells
	read  int64
	head  []byte // its first bytes, as they were read
	ended bool
}

// watchedHead is how many of the first bytes of a file are looked at again.
const watchedHead = 512

func watching(f fs.File) *watched {
	w := &watched{File: f}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		w.size = info.Size()
	}
	return w
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.File.Read(p)
	if w.read == 0 {
		w.head = bytes.Clone(p[:min(n, watchedHead)])
	}
	w.read += int64(n)
	w.ended = err == io.EOF
	return n, err
}

// changed reports whether a file that was read to its end had been longer, or
// begins in another way by now: it was emptied, cut or written anew, and what
// was read may be parts of both. What was appended is read like the rest.
func (w *watched) changed() bool {
	if !w.ended {
		return false
	}
	if w.read < w.size {
		return true
	}
	at, ok := w.File.(io.ReaderAt)
	if !ok || len(w.head) == 0 {
		return false
	}
	now := make([]byte, len(w.head))
	n, _ := at.ReadAt(now, 0)
	return n == len(now) && !bytes.Equal(now, w.head)
}
