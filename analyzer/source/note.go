package source

// Note is something about the input that the reader of a report must know: a
// file that could not be read, a bound that cut something off. NoteCodes tells
// what the codes mean.
type Note struct {
	Source string
	Code   string
	Args   []string // values for the note's wording
}

// NoteCode is a code of notes.
type NoteCode struct {
	Code string
	Args []string // what the note's arguments are
}

// NoteCodes gives every code that reading may note.
func NoteCodes() []NoteCode {
	code := func(code string, args ...string) NoteCode { return NoteCode{code, args} }
	const (
		system = "what the system said"
		stored = "the name as stored"
		more   = "how many notes of the kind were left out"
		bound  = "the bound"
		line   = "the line's number"
	)
	return []NoteCode{
		code("missing", system),
		code("unreadable", system),
		code("damaged", system),
		code("empty"),
		code("changed"),  // while it was read
		code("cut-json"), // an export of logs that ends too early
		code("binary"),
		code("encrypted"),
		code("unsupported"),       // a format that is not unpacked
		code("link"),              // not followed
		code("special"),           // a device, pipe or socket
		code("outside", stored),   // points outside its archive; read under its harmless rest
		code("duplicate", stored), // read under a number: the second "a" is "a#2"
		code("more-link", more),
		code("more-special", more),
		code("more-outside", more),
		code("more-duplicate", more),
		code("bound-bytes", bound),
		code("bound-ratio", bound),
		code("bound-entries", bound),
		code("bound-depth"),
		code("bound-line", line, bound),
		code("bound-text", line, bound),   // of a JSON value that begins there
		code("newest-first"),              // read oldest first
		code("newest-first-long"),         // read as it stands
		code("bound-answer", line, bound), // what was read of a value came as a cut one, or as text
	}
}
