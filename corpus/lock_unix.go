//go:build unix

package corpus

import (
	"os"
	"syscall"
)

// locks says that a lock tells whether another process is at work.
const locks = true

// lock takes the lock of a folder, or fails at once when another process has
// it. The system gives the lock back when the process ends, however it ends.
func lock(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		return nil, errLocked
	}
	return f, nil
}
