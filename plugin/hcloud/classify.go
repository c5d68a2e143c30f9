package hcloud

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
)

// Classify says what a program's output means; err is why it did not run to its
// end, if it did not.
func Classify(out Output, err error) Answer {
	a := Answer{Output: out, Err: err}
	if err != nil {
		a.Class, a.Message = classOf(err), err.Error()
		return a
	}
	text := strings.TrimSpace(string(bytes.TrimPrefix(out.Stdout, []byte("\ufeff"))))
	errs := strings.TrimSpace(string(out.Stderr))
	body, rest := split(text)
	if text == "" {
		body, errs = refusal(errs)
	}
	said := strings.TrimSpace(ends(rest) + "\n" + ends(errs)) // what was printed around the answer
	if m := debugStatus().FindStringSubmatch(said); m != nil {
		a.Status, _ = strconv.Atoi(m[1])
	}
	switch {
	case out.Cut:
		a.Class = TooLarge
	case a.refusedByProgram(said):
	case body != "":
		a.Body = []byte(body)
		a.readBody()
	case a.plainAPIError(said):
	default:
		a.readText(said)
	}
	if out.Exit != 0 && (a.Good() || a.Class == NotJSON) {
		first, _, _ := strings.Cut(said, "\n")
		a.Class, a.Message = CLIError, firstLines(first)
	}
	return a
}

// endMost is how much of a program's words is looked at from each end, in bytes.
const endMost = 32 << 10

// ends gives a text, of a long one the beginning and the end, as far as it has
// lines whole ones: what a program has to say of a call stands there.
func ends(s string) string {
	if len(s) <= 2*endMost {
		return s
	}
	head, tail := s[:endMost], s[len(s)-endMost:]
	if i := strings.LastIndexByte(head, '\n'); i >= 0 {
		head = head[:i]
	}
	if _, lines, ok := strings.Cut(tail, "\n"); ok {
		tail = lines
	}
	return strings.ToValidUTF8(head+"\n"+tail, "")
}

// refusal parts standard error into the JSON of an error, which alone counts
// there, and the rest.
func refusal(errs string) (body, rest string) {
	body, rest = split(errs)
	if _, _, is := bodyError(members(json.RawMessage(body))); !is {
		return "", errs
	}
	return body, rest
}

func classOf(err error) Class {
	var recorded interface{ NotRecorded() bool }
	var unreachable interface{ Unreachable() bool }
	switch {
	case errors.Is(err, ErrTimedOut):
		return TimedOut
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return Interrupted
	case errors.As(err, &recorded):
		return NotRecorded
	case errors.As(err, &unreachable):
		return NetworkError
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist), errors.Is(err, os.ErrPermission):
		return Missing
	}
	return CLIError
}

var (
	debugStatus = lazy.Regexp(`API response status code is (\d{3})\b`)
	tagged      = lazy.Regexp(`(?m)^(?:\s*|[^"{}\n]*[:：?？)）>][ \t]*)\[((?:USE|CLI|NETWORK|OPENAPI|APIE)_ERROR)\]`) // also behind a prompt
	plainError  = lazy.Regexp(`(?m)^((?:ModelArts|APIGW|APIG|IAM)\.[0-9.]{3,12})[:：]\s*(\S.*)`)
	helpHint    = lazy.Regexp("(?m)^(?:Run|运行) ?`hcloud .*$")
)

var tagClasses = map[string]Class{
	"USE_ERROR": UseError, "CLI_ERROR": CLIError, "NETWORK_ERROR": NetworkError,
	"OPENAPI_ERROR": OpenAPIError, "APIE_ERROR": APIEError,
}

// refusedByProgram looks for what KooCLI, or a program of its name, says when
// the call did not reach the service.
func (a *Answer) refusedByProgram(said string) bool {
	m := tagged().FindStringSubmatchIndex(said)
	if m != nil {
		a.Code = said[m[2]:m[3]]
		a.Class = tagClasses[a.Code]
		a.Message = firstLines(said[:m[2]-1] + "\n" + said[m[1]:])
	}
	for _, p := range phrases {
		if (m != nil || !p.tagged) && p.form().MatchString(said) {
			a.Class = p.class
			if a.Message == "" {
				a.Message = firstLines(said)
			}
			return true
		}
	}
	return m != nil
}

// plainAPIError reads an error that is printed as text.
func (a *Answer) plainAPIError(said string) bool {
	m := plainError().FindStringSubmatch(said)
	if m == nil {
		return false
	}
	a.apiError(m[1], strings.TrimSpace(m[2]))
	return true
}

// readText classifies output that holds no JSON.
func (a *Answer) readText(said string) {
	a.Message = firstLines(said)
	switch {
	case a.Status >= 400:
		a.apiError("", a.Message)
	case debugOnly(said):
		a.Class = Empty
	default:
		if m := httpPage().FindStringSubmatch(said); m != nil && !ofProxy(said, m[1]) {
			a.Status, _ = strconv.Atoi(m[1])
			a.apiError("", m[0])
			return
		}
		a.Class = NotJSON
	}
}

var httpPage = lazy.Regexp(`(?i)\b([45]\d\d)\b[\s:]*(?:Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out|Internal Server Error|Too Many Requests|Forbidden|Unauthorized|Not Found)`)

// ofProxy reports a page that refuses a request. The service refuses in JSON,
// so it is that of a proxy or a login before it, and no right of IAM would help.
func ofProxy(said, status string) bool {
	return strings.HasPrefix(said, "<") && status[0] == '4' && status != "429"
}

// debugOnly reports whether nothing but the lines of --debug was printed.
func debugOnly(said string) bool {
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "[debug info]") {
			return false
		}
	}
	return true
}

// firstLines joins what is worth telling of a text: no hints at help, no blank
// lines, and of long lists the beginning.
func firstLines(said string) string {
	var lines []string
	for line := range strings.Lines(helpHint().ReplaceAllString(ends(said), "")) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "[debug info]") {
			lines = append(lines, line)
		}
	}
	if len(lines) > 4 {
		lines = append(lines[:4:4], "…")
	}
	return shorten(strings.Join(lines, " "))
}

// saidMost bounds what is quoted of a program's words, in bytes.
const saidMost = 300

func shorten(s string) string {
	if len(s) <= saidMost {
		return s
	}
	return strings.ToValidUTF8(s[:saidMost], "") + "…"
}
