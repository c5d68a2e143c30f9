package operations

import (
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
)

// hidden stands for a value that nobody else should see.
const hidden = "***"

// secretNames are keys whose values nobody else should see. The masks of
// reports know such names as well, but look at the value, too, so that no evidence
// is lost; in a request or an answer the name decides.
var secretNames = lazy.Regexp(`(?i)passw|secret|(?:^|[_.-])token$|credential|access_?key|api_?key|private_?key|(?:^|_)(?:ak|sk)$`)

// Values of command lines whose place says that they are secret: behind an
// option, or assigned to a variable. What looks like the next option is none.
var secretOptions = []func() *regexp.Regexp{
	lazy.Regexp(`(?i)(--?[a-z0-9_.-]*(?:password|passwd|passphrase|pwd|token|secret|credentials?|[_-]key|apikey|-ak|-sk)(?:\s+|\s*=\s*))("[^"]*"|'[^']*'|[^\s"'-]\S*)`),
	lazy.Regexp(`((?:^|[\s;&|"'])[A-Z0-9_]*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASS|PWD|CREDENTIALS?|_AK|_SK)=)("[^"]*"|'[^']*'|[^\s"';&|]+)`),
}

// Some options that end like those of secrets take a number: --max-token 2048.
var (
	count   = lazy.Regexp(`^[0-9]{1,6}$`)
	counted = lazy.Regexp(`(?i)(?:token|key)\s*=?\s*$`)
)

// spokenSecret is a secret as people write it into a text. Answers are full of
// such words that introduce none, so only requests are searched for it.
var spokenSecret = lazy.Regexp(`(?i)(\b(?:password|passwd|passphrase|token|secret)(?:\s+is)?\s*[:=]?\s+)([^\s"'-]\S*)`)

// hideOptions replaces what options and assigned variables hold.
func hideOptions(s string) string {
	for _, re := range secretOptions {
		s = hideSecond(re(), s)
	}
	return s
}

// hideSecond replaces the second group of every match, unless it is a count.
func hideSecond(re *regexp.Regexp, s string) string {
	return re.ReplaceAllStringFunc(s, func(match string) string {
		m := re.FindStringSubmatch(match)
		if count().MatchString(m[2]) && counted().MatchString(m[1]) {
			return match
		}
		return m[1] + hidden
	})
}

// Sensitive reports whether the body carries what others should not see, so that
// it must not stand in a command line, which other users of the machine can
// read: whatever Shown replaces.
func (r *Request) Sensitive(mask func(string) string) bool {
	return r.Body != nil && !reflect.DeepEqual(any(r.Body), any(r.Shown(mask)))
}

// Shown copies the body with what others should not see replaced: all values of
// environment variables, whatever they are, and secrets as Hide finds them and
// as people write them into commands and descriptions.
func (r *Request) Shown(mask func(string) string) map[string]any {
	if r.Body == nil {
		return nil
	}
	spoken := func(s string) string { return hideSecond(spokenSecret(), mask(s)) }
	return hideEnvironments(Hide(r.Body, spoken)).(map[string]any)
}

// hideEnvironments replaces, in place, the values of environment variables.
func hideEnvironments(v any) any {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			hideEnvironments(e)
		}
	case map[string]any:
		for key, e := range v {
			if key == "environments" || key == "envs" {
				v[key] = hideValues(e)
				continue
			}
			hideEnvironments(e)
		}
	}
	return v
}

// hideValues replaces the values of a map, or of a list of objects that have one
// each; what is empty hides nothing.
func hideValues(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, e := range v {
			v[key] = hideValues(e)
		}
	case []any:
		for i, e := range v {
			if m, ok := e.(map[string]any); !ok {
				v[i] = hideValues(e)
			} else if value, ok := m["value"]; ok {
				m["value"] = hideValues(value)
			}
		}
	case nil:
	default:
		if scalar(v) != "" {
			return hidden
		}
	}
	return v
}

// Hide copies a value with the secrets in it replaced: those whose name says so
// as a whole, and in other texts what mask finds and what an option or a
// variable says.
func Hide(v any, mask func(string) string) any {
	switch v := v.(type) {
	case string:
		return hideOptions(mask(v))
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = Hide(e, mask)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, e := range v {
			name := key
			if named, ok := v["name"].(string); ok && (key == "value" || key == "default") {
				name = named
			}
			if s, ok := e.(string); ok && secretValue(name, s, mask) {
				out[key] = hidden
				continue
			}
			out[key] = Hide(e, mask)
		}
		return out
	}
	return v
}

// secretValue reports whether a name says that its value is secret, by the names
// of this package, or by those that mask knows in front of a value.
func secretValue(name, s string, mask func(string) string) bool {
	if s == "" || count().MatchString(s) && counted().MatchString(name) {
		return false
	}
	if secretNames().MatchString(name) {
		return true
	}
	member := strconv.Quote(name) + `: "`
	return !strings.ContainsAny(s, "\"\\\n") && mask(member+s+`"`) == member+hidden+`"`
}
