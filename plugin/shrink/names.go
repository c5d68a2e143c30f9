package shrink

import (
	"path"
	"strings"
	"unicode/utf8"

	"hcloud-modelarts/corpus"
)

// longestName leaves room in a name, of 255 bytes at most, for what is put before.
const longestName = 200

// portable makes of a path one that every system can keep.
func portable(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = portablePart(p)
	}
	return strings.Join(parts, "/")
}

func portablePart(p string) string {
	p = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`<>:"\|?*`, r) {
			return '_'
		}
		return r
	}, p)
	if len(p) > longestName {
		end := path.Ext(p)
		if len(end) > 20 {
			end = ""
		}
		cut := longestName - len(end)
		for !utf8.RuneStart(p[cut]) {
			cut--
		}
		p = p[:cut] + end
	}
	p = strings.TrimRight(p, ". ")
	if p == "" || corpus.DeviceName(p) {
		return "_" + p
	}
	return p
}
