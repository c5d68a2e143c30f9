//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory gives the largest resident size of a process that has ended.
func peakMemory(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
