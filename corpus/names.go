package corpus

import (
	"regexp"
	"strings"
	"sync"
)

var (
	unsafe = compiled(`[^A-Za-z0-9_.-]+`)
	plain  = compiled(`^[A-Za-z0-9_-][A-Za-z0-9_.-]*$`)
	device = compiled(`(?i)^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)`)
)

// compiled puts off compiling an expression until it is needed: most runs of the
// program record nothing.
func compiled(form string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(form) })
}

// DeviceName reports whether Windows takes a file's name for that of a device,
// which it does whatever the ending.
func DeviceName(name string) bool { return device().MatchString(name) }

// longestName bounds a name in bytes: file systems take 255, and a number or an
// ending may be put behind it.
const longestName = 200

// portable reports whether every system can keep a file or folder under a name:
// Windows takes a dot off the end.
func portable(name string) bool {
	return len(name) <= longestName && plain().MatchString(name) && !strings.HasSuffix(name, ".") && !DeviceName(name)
}

// safeName makes a portable name of any text, at most limit bytes of it.
func safeName(text string, limit int) string {
	name := unsafe().ReplaceAllString(text, "_")
	name = strings.Trim(name[:min(len(name), limit)], ".")
	if !portable(name) {
		return "_" + name
	}
	return name
}
