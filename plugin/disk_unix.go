//go:build unix

package main

import "syscall"

// openPlain has a file opened that is no link, without waiting for the other end
// of a pipe.
const openPlain = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
