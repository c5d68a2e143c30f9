package hcloud

// Class says what became of a call.
type Class string

// The classes.
const (
	OK    Class = "ok"
	Empty Class = "empty" // nothing to show: no output, {}, [], null; a delete that worked, a log that does not exist yet

	APIError     Class = "api-error"     // the service refused the call, for none of the reasons below
	Unauthorized Class = "unauthorized"  // 401: the credentials are not valid
	Forbidden    Class = "forbidden"     // 403: the permission is missing
	NotFound     Class = "not-found"     // 404: no such job, or no such API in this region
	Throttled    Class = "throttled"     // 429
	ServerError  Class = "server-error"  // 5xx
	UseError     Class = "use-error"     // KooCLI refused the command
	CLIError     Class = "cli-error"     // KooCLI failed
	NetworkError Class = "network-error" // the service was not reached
	OpenAPIError Class = "openapi-error" // KooCLI did not get the details of the API
	APIEError    Class = "apie-error"    // KooCLI did not get its metadata

	NotConfigured Class = "not-configured"    // KooCLI has no credentials
	NoProfile     Class = "no-profile"        // KooCLI has no profile of the name that was given
	NoConsent     Class = "privacy-statement" // its privacy statement is not accepted
	Unsupported   Class = "unsupported"       // this KooCLI does not know the operation
	TimedOut      Class = "timeout"
	NotJSON       Class = "not-json"       // something was printed that is no answer
	NotAnswer     Class = "not-the-answer" // JSON, but not what the operation answers with
	TooLarge      Class = "too-large"
	OtherProgram  Class = "other-program" // the program is not KooCLI
	Missing       Class = "missing"       // there is no such program
	NotRecorded   Class = "not-recorded"  // a replayed case does not hold the call
	Interrupted   Class = "interrupted"
)

// Good reports whether the call did what it was asked to.
func (a *Answer) Good() bool { return a.Class == OK || a.Class == Empty }

// Denied reports whether credentials or permission are missing.
func (a *Answer) Denied() bool {
	return a.Class == Unauthorized || a.Class == Forbidden || a.Class == NotConfigured || a.Class == NoProfile
}

// passes reports whether the same call may well work a little later. A child
// that had to be ended is not worth another wait of that length.
func (a *Answer) passes() bool {
	switch a.Class {
	case NetworkError, Throttled, ServerError, APIEError:
		return true
	case TimedOut:
		return a.Err == nil
	}
	return false
}

// mayHaveHappened reports whether the service may have carried out a call whose
// answer was not seen.
func (a *Answer) mayHaveHappened() bool {
	switch a.Class {
	case NetworkError, TimedOut, ServerError, NotJSON, NotAnswer, TooLarge, Interrupted:
		return true
	case CLIError: // it broke down without a word on the call
		return a.Err == nil && a.Code == ""
	}
	return false
}
