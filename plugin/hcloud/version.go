package hcloud

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"hcloud-modelarts/analyzer/lazy"
)

// Version is a version of KooCLI.
type Version [3]int

// Oldest is the oldest version that this program is meant for.
var Oldest = Version{7, 2, 2}

func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v[0], v[1], v[2]) }

// Compare compares versions number by number.
func (v Version) Compare(o Version) int {
	return cmp.Or(cmp.Compare(v[0], o[0]), cmp.Compare(v[1], o[1]), cmp.Compare(v[2], o[2]))
}

var versionLine = lazy.Regexp(`(?i)(?:current koocli version|当前KooCLI版本)\s*[:：]\s*(\d+)\.(\d+)\.(\d+)`)

// ProbeVersion asks the program for its version. When the answer holds none, it
// says why by its class: another vendor's program, the privacy statement, ….
func ProbeVersion(ctx context.Context, p Program) (Version, Answer) {
	out, err := p.Run(ctx, []string{"version"})
	a := Classify(out, err)
	a.Args = []string{"version"}
	m := versionLine().FindStringSubmatch(ends(string(out.Stdout)) + "\n" + ends(string(out.Stderr)))
	if m == nil {
		if a.Good() || a.Class == NotJSON {
			a.Class = OtherProgram
		}
		return Version{}, a
	}
	var v Version
	for i := range v {
		v[i], _ = strconv.Atoi(m[i+1])
	}
	a.Class, a.Code, a.Message = OK, "", ""
	return v, a
}
