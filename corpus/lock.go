package corpus

import (
	"io"
	"io/fs"
)

// locker keeps other processes from a folder.
type locker struct {
	sure bool // a lock tells whether another process is at work
	// take takes the lock of a folder, which a file in it stands for, or fails
	// with errLocked at once when another process has it.
	take func(name string) (io.Closer, error)
	own  func(fs.FileInfo) bool // a file is of the user who runs the program; asked when sure
}

// locks is what the system has.
var locks = systemLocks

// noLocks is for systems without advisory locks. There nothing tells two recorders
// of one case apart; and no file may be held open, because those systems neither
// rename nor remove a folder with an open file in it.
var noLocks = locker{take: func(string) (io.Closer, error) { return io.NopCloser(nil), nil }}
