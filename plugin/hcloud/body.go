package hcloud

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/corpus"
)

// split parts what was printed into the JSON value of an answer, "" when there
// is none, and the rest: notices before and after it. Of several values the first
// that begins a line is the answer, else the last.
func split(text string) (body, rest string) {
	if json.Valid([]byte(text)) {
		return text, ""
	}
	b := []byte(text)
	first, last := 0, 0
	for at := 0; ; at = last {
		start, end := corpus.FindJSON(b[at:])
		if start < 0 {
			break
		}
		first, last = at+start, at+end
		line := bytes.LastIndexByte(b[at:first], '\n') + 1 // without one, the value before stands on the line
		begins := (line > 0 || at == 0) && len(bytes.TrimSpace(b[at+line:first])) == 0
		if first == last || begins {
			break
		}
	}
	if first == last {
		return "", text
	}
	return text[first:last], text[:first] + "\n" + text[last:]
}

// readBody tells an error that the service gave from an answer. Only the outer
// level counts: a job that failed has errors inside.
func (a *Answer) readBody() {
	a.Class = OK
	var top map[string]json.RawMessage
	if json.Unmarshal(a.Body, &top) != nil {
		if list := []json.RawMessage(nil); json.Unmarshal(a.Body, &list) == nil && len(list) == 0 {
			a.Class = Empty
		}
		return // a list, or a value that a query picked
	}
	if len(top) == 0 {
		a.Class = Empty
		return
	}
	if code, message, ok := bodyError(top); ok {
		if _, refused := top["encoded_authorization_message"]; refused && a.Status == 0 {
			a.Status = 403
		}
		a.apiError(code, message)
	} else if a.Status >= 400 {
		a.apiError("", strings.TrimSpace(string(a.Body[:min(len(a.Body), 200)])))
	}
}

// expect takes what was printed for no answer when it has not the form of the
// call's: a text or a number, a list in the place of an object, an object without
// the member that is always there. A proxy, or an option that filters the output,
// gives such.
func (a *Answer) expect(c Call) {
	if !a.Good() || a.Code != "" {
		return
	}
	object := members(a.Body)
	_, has := object[c.Member]
	switch {
	case (len(a.Body) == 0 || string(a.Body) == "null") && c.Member == "":
	case object != nil && (c.Member == "" || has):
	case a.Body != nil && a.Body[0] == '[' && c.List:
	default:
		a.Class, a.Message = NotAnswer, firstLines(string(a.Body))
	}
}

// codeNames and messageNames are the members that hold an error's code and
// text, in the shapes that services, gateways and SDKs give errors.
var (
	codeNames    = []string{"error_code", "errorCode", "errCode", "code"}
	messageNames = []string{"error_msg", "errorMsg", "error_message", "externalMessage", "message", "error_description", "msg"}
)

func bodyError(top map[string]json.RawMessage) (code, message string, ok bool) {
	if inner := members(top["error"]); inner != nil {
		top = inner
	}
	message = word(top, messageNames)
	if word(top, []string{"kind"}) == "Status" && word(top, []string{"status"}) == "Failure" {
		return word(top, []string{"code"}), message, true
	}
	for _, name := range codeNames[:3] {
		if code = word(top, []string{name}); isErrorCode(code) {
			return code, message, true
		}
	}
	if string(top["is_success"]) == "false" {
		return code, message, true
	}
	code = word(top, []string{"code"})
	short := len(top) <= 5 // an answer has more than a code, a message and ids
	return code, message, short && message != "" && isErrorCode(code)
}

func members(raw json.RawMessage) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	return m
}

// word gives the first of the named members that is a string or a number.
func word(m map[string]json.RawMessage, names []string) string {
	for _, name := range names {
		raw := bytes.TrimSpace(m[name])
		var s string
		if len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, &s) == nil && s != "" {
			return s
		}
		if len(raw) > 0 && (raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9') {
			return string(raw)
		}
	}
	return ""
}

// isErrorCode tells codes of errors from those of successes: null, "", "0",
// "200", "success".
func isErrorCode(code string) bool {
	if n, err := strconv.Atoi(code); err == nil {
		return n >= 400
	}
	return code != "" && !slices.Contains([]string{"ok", "success", "succeeded"}, strings.ToLower(code))
}

// apiError classifies an error of the service.
func (a *Answer) apiError(code, message string) {
	a.Code, a.Message = code, message
	if a.Status == 0 {
		a.Status = statusOf(code, message)
	}
	switch {
	case slices.Contains(notYet, code):
		a.Class = Empty
	case a.Status == 401:
		a.Class = Unauthorized
	case a.Status == 403:
		a.Class = Forbidden
	case a.Status == 404:
		a.Class = NotFound
	case a.Status == 429:
		a.Class = Throttled
	case a.Status >= 500:
		a.Class = ServerError
	default:
		a.Class = APIError
	}
}

// notYet are the codes for a log or a metric that the job has not written yet
// (HTTP 204 and 400).
var notYet = []string{"ModelArts.2776", "ModelArts.2777", "ModelArts.2818"}

// statuses are the HTTP statuses of codes, from the service's table of error
// codes and the gateway's. KooCLI does not show the status. Where the table
// gives a code the status 400 and the text of a missing right or object, what
// the text says counts.
var statuses = map[string]int{
	"APIGW.0301": 401, "APIG.0301": 401,
	"APIGW.0101": 404, "APIG.0101": 404,
	"APIGW.0308": 429, "APIG.0308": 429,
	"ModelArts.0108": 403, "ModelArts.2771": 403, "ModelArts.2785": 403, "ModelArts.2823": 403, "ModelArts.2838": 403,
	"ModelArts.0201": 401, "ModelArts.0202": 401, "ModelArts.0203": 401, "ModelArts.0205": 401, "ModelArts.0206": 401,
	"ModelArts.0207": 401, "ModelArts.0208": 401, "ModelArts.0212": 401, "ModelArts.2784": 401,
	"ModelArts.2775": 404, "ModelArts.2786": 404, "ModelArts.2836": 404,
	"ModelArts.2799": 429,
	"ModelArts.0010": 500,
}

// statusForms tell the status by the text, for codes that are not in the table
// or stand for several.
var statusForms = []struct {
	status int
	form   func() *regexp.Regexp
}{
	{403, lazy.Regexp(`(?i)policy doesn'?t allow|not authorized to perform|no permission|access denied|forbidden`)},
	{401, lazy.Regexp(`(?i)unauthorized|incorrect iam authentication|verify aksk|ak access failed|failed to (?:parse|execute) the (?:token|policy)|decrypt token fail|x-auth-token not found`)},
	{429, lazy.Regexp(`(?i)too many requests|throttl|flow control`)},
}

var (
	codeWithStatus = lazy.Regexp(`^[A-Za-z]+\.\d\d\.([45]\d\d)\d{3}$`)
	serverCode     = lazy.Regexp(`^ModelArts\.295\d$`)
)

// statusOf gives the HTTP status behind a code and its text, 0 when neither
// tells it.
func statusOf(code, message string) int {
	if n, err := strconv.Atoi(code); err == nil && n >= 400 && n < 600 {
		return n
	}
	if s, ok := statuses[code]; ok {
		return s
	}
	if m := codeWithStatus().FindStringSubmatch(code); m != nil {
		s, _ := strconv.Atoi(m[1])
		return s
	}
	if serverCode().MatchString(code) {
		return 500
	}
	for _, f := range statusForms {
		if f.form().MatchString(message) {
			return f.status
		}
	}
	return 0
}
