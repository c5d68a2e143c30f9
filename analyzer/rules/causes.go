package rules

import (
	_ "embed"
	"strings"
	"sync"
)

// Cause is one thing that a diagnosis may name.
type Cause struct {
	ID, Domain string
	Name       Text // a few words, for tables and headings
	Meaning    Text // the failure that has to be mended
}

//go:embed causes.tsv
var causesTSV string

// Causes gives all causes in the order of the pack's table.
var Causes = sync.OnceValue(func() []Cause {
	var all []Cause
	for line := range strings.Lines(causesTSV) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(f) != 6 {
			continue
		}
		all = append(all, Cause{ID: f[0], Domain: f[1], Name: Text{ZH: f[2], EN: f[3]}, Meaning: Text{ZH: f[4], EN: f[5]}})
	}
	return all
})

// ends are the causes that are named by how a process ended.
var ends = map[string]bool{"killed": true, "segfault": true, "aborted": true, "exit-nonzero": true}

// TellsEnd reports whether a cause is named by how a process ended, which says nothing
// where something else tells why.
func TellsEnd(cause string) bool { return ends[cause] }

// CauseOf gives the cause with an id.
func CauseOf(id string) (Cause, bool) {
	for _, c := range Causes() {
		if c.ID == id {
			return c, true
		}
	}
	return Cause{}, false
}
