// Package lazy puts off work that most runs never need: a small case is
// diagnosed in less time than it would take to compile every expression that
// the program knows.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp gives a function that compiles form when it is first called. A form
// that does not compile panics there; a test compiles those of all packages.
func Regexp(form string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(form) })
}
