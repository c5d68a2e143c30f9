package manual

import (
	"embed"
	"slices"
)

//go:embed shells
var shells embed.FS

// Shells are those that Script knows.
var Shells = []string{"bash", "zsh", "fish", "powershell"}

// Script is what a shell has to read so that it asks the program for what to
// offer; shell is one of Shells.
func Script(shell string) []byte {
	if !slices.Contains(Shells, shell) {
		panic("no such shell: " + shell)
	}
	script, err := shells.ReadFile("shells/completion." + shell)
	if err != nil {
		panic(err)
	}
	return script
}
