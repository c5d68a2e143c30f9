//go:build !unix

package hcloud

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

// Without process groups and SIGTERM the child alone is ended, at once.
func terminateGroup(p *os.Process) { _ = p.Kill() }
func killGroup(p *os.Process)      { _ = p.Kill() }
