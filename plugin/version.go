package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"hcloud-modelarts/analyzer/rules"
)

// version is set when a release is built.
var version = ""

type versionCmd struct{}

// Run prints what this program is.
func (versionCmd) Run(c *console) error {
	line := fmt.Sprintf("%s %s (%s, %s/%s, %d rules)\n", name, versionText(), runtime.Version(), runtime.GOOS, runtime.GOARCH, len(rules.Default().Rules))
	return c.deliver("", []byte(line))
}

// versionText names the version of this program.
func versionText() string {
	if version != "" {
		return version
	}
	return sourceVersion()
}

// sourceVersion names the commit that an unreleased program was built from.
func sourceVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	commit, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			commit = "-" + s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "+changes"
		}
	}
	return "devel" + commit + changed
}
