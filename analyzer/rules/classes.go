package rules

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed classes.tsv
var classesTSV string

// modules are the modules that have an exception of a name.
var modules = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(classesTSV) {
		module, classes, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for class := range strings.FieldsSeq(classes) {
			all[class] = append(all[class], module)
		}
	}
	return all
})

// alone are names that stand without a module anyhow: exceptions of the
// interpreter itself, and the kinds of error that PaddlePaddle heads its
// messages with (paddle/phi/core/errors.h).
var alone = map[string]bool{
	"ConnectionError": true, "MemoryError": true, "TimeoutError": true,
	"AlreadyExistsError": true, "InvalidArgumentError": true, "NotFoundError": true, "OutOfRangeError": true,
	"PermissionDeniedError": true, "ResourceExhaustedError": true, "UnavailableError": true, "UnimplementedError": true,
}

// Modules gives the modules that the interpreter prints before a class whose
// name stands alone, as rich, IPython, absl and most loggers print it. own
// reports whether the name may also be one that stands without a module anyhow.
func Modules(class string) (all []string, own bool) { return modules()[class], alone[class] }

// Wordless reports whether the wording wants no more of an exception than its
// name, whatever its message says.
func (w *Wording) Wordless(name string) bool {
	_, fits := w.Find(name + ": message")
	return fits
}
