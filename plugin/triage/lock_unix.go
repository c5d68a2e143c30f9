//go:build unix

package triage

import (
	"os"
	"syscall"
)

// lock keeps other runs from a journal, or fails at once when one has it. The
// system gives the lock back when the process ends, however it ends.
func lock(f *os.File) error {
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return ErrBusy
	}
	return nil
}
