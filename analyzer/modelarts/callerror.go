package modelarts

import (
	"regexp"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
)

var (
	errorCode = []string{"error_code", "err_code", "code"}
	errorText = []string{"error_msg", "error_message", "err_msg", "external_message", "message", "msg", "error_description", "reason", "error"}

	// plainErrors are errors as text: "ModelArts.2788: Invalid parameter(…)" of
	// the service, "[USE_ERROR]…" of hcloud itself.
	plainErrors = []func() *regexp.Regexp{
		lazy.Regexp(`^((?:ModelArts|APIGW|APIG|IAM|OBS|SWR|AOM|LTS|SMN|EPS|VPC|CCI|CCE)\.[0-9.]{3,12})[:：\s]\s*(\S.*)`),
		lazy.Regexp(`^\[((?:USE|CLI|NETWORK|OPENAPI|APIE)_ERROR)\]\s*(.*)`),
	}
	debugStatus = lazy.Regexp(`API response status code is (\d{3})\b`)
	serviceRef  = lazy.Regexp(`^[A-Za-z][A-Za-z0-9]*\.[0-9.]+$`)
)

// isCallError recognises the body of a refused call, in the forms that the
// service, its gateway, the SDKs and Kubernetes give it. An error_code that is
// null, empty or zero is no error, nor is one in an item of an answer.
func isCallError(n node, s scope) bool {
	if !s.root {
		return false
	}
	e := n.get("error", "errors")
	if e.kind == list && len(e.members) > 0 {
		e = e.child(0)
	}
	return e.kind == object && refuses(e, s) || refuses(n, s)
}

// refuses tells whether an object is an error by its own members.
func refuses(n node, s scope) bool {
	if n.get("is_success").str() == "false" || n.get("kind").str() == "Status" && n.get("status").str() == "Failure" {
		return true
	}
	if isCode(n.get("error_code", "err_code").str()) {
		return true
	}
	if status := n.get("status", "code").count(); n.get("error").kind == text && max(s.status, status) >= 400 {
		return true
	}
	if n.get(errorText...).kind != text || n.has("data", "level", "time", "task", "stream") {
		return false
	}
	code := n.get("code").str()
	return isCode(code) && (serviceRef().MatchString(code) || n.has("request_id") || s.status >= 400 || len(n.members) <= 4 && len(code) > 2)
}

// isCode tells whether a code stands for an error.
func isCode(code string) bool {
	if i, err := strconv.ParseFloat(code, 64); err == nil {
		return i >= 400
	}
	switch strings.ToLower(code) {
	case "", "ok", "success", "succeeded", "true", "false", "none", "null":
		return false
	}
	return true
}

func (r *reader) readCallError(n node, s scope) {
	body := n
	if e := n.get("error", "errors"); e.kind == object {
		body = e
	} else if e.kind == list && len(e.members) > 0 && e.child(0).kind == object {
		body = e.child(0)
	}
	code, message := body.get(errorCode...), body.get(errorText...)
	e := CallError{Code: code.str(), Message: strings.TrimSpace(message.text), Status: s.status, At: r.place(code)}
	if !code.some() {
		e.At = r.place(body)
	}
	if message.kind == text {
		e.At = r.place(message)
	}
	if i, ok := code.int(); ok && e.Status == 0 && i >= 400 && i < 600 {
		e.Status = int(i)
	}
	if status := n.get("status_code", "http_status", "http_status_code", "status").count(); status >= 400 && status < 600 {
		e.Status = status
	}
	e.RequestID = n.get("request_id", "x-request-id").str()
	set(&e.RequestID, body.get("request_id").str())
	r.callError(e, code, message)
}

func (r *reader) callError(e CallError, code, message node) {
	r.seen++
	if code.told || message.told {
		return
	}
	r.errors = append(r.errors, e)
	if code.some() {
		r.fact(factError, "", code, e.Code)
	}
	if message.some() {
		value := e.Message
		if !code.some() {
			value = joined(e.Code, e.Message)
		}
		r.fact(factError, "", message, value)
	}
}

// plainError reads an error that a string is, and tells whether it is one.
func (r *reader) plainError(n node, s scope) bool {
	for _, form := range plainErrors {
		if m := form().FindStringSubmatch(n.str()); m != nil {
			message := strings.TrimSpace(m[2])
			r.callError(CallError{Code: m[1], Message: message, Status: s.status, At: r.place(n)}, node{absent, n.path}, n)
			return true
		}
	}
	return false
}

// requests and responses are the members of a recorded call.
var (
	requests  = []string{"request", "req", "args", "argv", "command", "cmd", "params", "operation"}
	responses = []string{"response", "resp", "answer", "stdout", "output", "reply", "body"}
)

// isExchange recognises a recorded call with its answer.
func isExchange(n node, s scope) bool {
	return s.root && s.job == nil && n.has(requests...) && n.has(responses...)
}

// readExchange reads the answer of a recorded call. What was asked for says
// nothing about the job and may hold secrets.
func (r *reader) readExchange(n node, s scope) {
	if status := httpStatus(n); status != 0 {
		s.status = status
	}
	if status := httpStatus(n.get(responses...)); status != 0 {
		s.status = status
	}
	r.others(n, s, append([]string{"headers", "request_body"}, requests...)...)
}

// httpStatus returns the HTTP status that stands beside a body, else 0.
func httpStatus(n node) int {
	status := n.get("status_code", "http_status", "http_status_code").count()
	if status == 0 && n.has("body", "headers", "stdout", "response") {
		status = n.get("status").count()
	}
	if status < 100 || status > 599 {
		return 0
	}
	return status
}
