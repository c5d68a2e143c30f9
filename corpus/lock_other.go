//go:build !unix

package corpus

var systemLocks = noLocks
