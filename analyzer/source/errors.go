package source

import "fmt"

// Error says that nothing at all could be read. Its text is one line that
// names the path and what to do about it.
type Error struct {
	Path string
	Code string // that of the note of a source that gave nothing, "nothing", or "bound"
	Err  error  // what the system said, nil when there is nothing to add

	Refused []Note // of "nothing": what there was and why it could not be read
}

var advice = map[string]string{
	"missing":     "no such file or directory: check the path",
	"unreadable":  "cannot be read: check its permissions, or save it again",
	"empty":       "is empty: save the log or the answer again",
	"binary":      "is binary data: give a log, a saved answer, or an archive of them",
	"encrypted":   "is encrypted: unpack it with its password first",
	"unsupported": "is packed in a way that is not supported: unpack it first",
	"special":     "is not a regular file or folder: save its content to a file first",
	"damaged":     "is damaged or cut short before anything readable: copy or pack it again",
	"bad-json":    "is not valid JSON, or cut off before anything that tells: save the answer again",
	"empty-json":  "is JSON without content: ask again and save the answer",
	"nothing":     "holds nothing readable: give a log, a saved answer, or an archive or folder of them",
	"bound-depth": "is packed more often than the bound of nesting allows: unpack it, or raise --max-depth",
	"bound":       "was not read because a bound was reached: raise the bound that the notes name",
}

func (e *Error) Error() string {
	if e.Path == "" {
		return "reading input: nothing was given: name a file or folder, or - for standard input"
	}
	text := fmt.Sprintf("reading %q: %s", e.Path, advice[e.Code])
	if e.Err != nil && e.Code != "missing" {
		text += fmt.Sprintf(" (%v)", e.Err)
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }
