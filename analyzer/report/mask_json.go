package report

import (
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
)

// maskPairs hides the values of JSON members, and of Python's dictionaries, whose
// name says that they are secret: "password": "…", also as a string within a
// string, in a list, and where a name and its value are members of their own,
// {"name": "DB_PASSWORD", "value": "…"}. A value that is cut off is hidden to the
// end of its line.
func maskPairs(put putter) func(string) string {
	return func(s string) string {
		return onLines(s, hasPair, func(s string) string { return hideParts(s, secretParts(s), Secret, put) })
	}
}

// pairWords are parts of the names that maskPairs knows, in lower case.
var pairWords = []string{"pass", "pwd", "secret", "token", "key", "ak\"", "sk\"", "ak'", "sk'", "ak\\", "sk\\", "credential", "auth", "cookie"}

// pairMarks end the name of a member.
var pairMarks = []string{`":`, `" :`, `':`, `' :`}

// hasPair reports whether a line may hold such a member.
func hasPair(line string) bool {
	return hasAny(line, pairMarks) && hasAny(strings.ToLower(line), pairWords)
}

// memberHead is a member's name up to its value: backslashes, quote, name,
// backslashes, quote, colon.
var memberHead = lazy.Regexp(`(\\*)(["'])([A-Za-z][A-Za-z0-9_.-]{0,79})\\*["']\s*:\s*`)

// secretParts finds the values to hide.
func secretParts(s string) []part {
	var parts []part
	var named pairOf // the name and value of the object that is being read
	for _, m := range memberHead().FindAllStringSubmatchIndex(s, -1) {
		escape, quote, name := s[m[2]:m[3]], s[m[4]:m[5]], s[m[6]:m[7]]
		values := memberValues(s, m[1], escape, quote)
		if named.end > m[0] || strings.ContainsAny(s[named.end:m[0]], "{}") {
			named = pairOf{}
		}
		for _, v := range values {
			named.end = v.end
			if secretMember(name, s[v.start:v.end]) {
				parts = append(parts, v)
			}
		}
		if len(values) == 1 {
			parts = append(parts, named.learn(s, name, values[0])...)
		}
	}
	slices.SortFunc(parts, func(a, b part) int { return a.start - b.start })
	return parts
}

// pairOf is what is known of an object with a member for a name and one for the
// value.
type pairOf struct {
	name  string
	value part
	end   int // of the last member's value
}

// learn takes the next member, and gives the value once it is known as secret.
func (p *pairOf) learn(s, member string, v part) []part {
	switch strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(member)) {
	case "name", "key", "envname":
		p.name = s[v.start:v.end]
	case "value", "default":
		p.value = v
	default:
		return nil
	}
	if secretMember(p.name, s[p.value.start:p.value.end]) {
		return []part{p.value}
	}
	return nil
}

var jsonNumber = lazy.Regexp(`^[0-9][0-9.]*`)

// memberValues gives the text, the number, or the texts of the list that begin
// at i, and nothing of what else begins there.
func memberValues(s string, i int, escape, quote string) []part {
	if strings.HasPrefix(s[i:], "b"+escape+quote) { // Python's bytes
		i++
	}
	rest := s[i:]
	switch {
	case strings.HasPrefix(rest, escape+quote):
		return []part{textAt(s, i, escape, quote)}
	case strings.HasPrefix(rest, "["):
		var all []part
		for i++; ; {
			i += len(s[i:]) - len(strings.TrimLeft(s[i:], " \t,"))
			if !strings.HasPrefix(s[i:], escape+quote) {
				break
			}
			v := textAt(s, i, escape, quote)
			all = append(all, v)
			i = min(v.end+len(escape)+len(quote), len(s))
		}
		return all
	}
	return []part{{i, i + len(jsonNumber().FindString(rest))}}
}

// textAt gives the content of the text whose opening quote, with its
// backslashes, is at i.
func textAt(s string, i int, escape, quote string) part {
	start := i + len(escape) + len(quote)
	for at := start; at < len(s); at++ {
		if s[at] == '\n' {
			return part{start, at}
		}
		if s[at] != quote[0] {
			continue
		}
		back := 0
		for s[at-back-1] == '\\' {
			back++
		}
		if back <= len(escape) || back%2 == 0 {
			return part{start, at - min(back, len(escape))}
		}
	}
	return part{start, len(s)}
}

// sureMembers are ends of names whose value is secret whatever it is; behind
// likelyMembers it has to look like one, because texts, metrics and tokenizers
// use the words, too. All without "_" and "-".
var (
	sureMembers   = []string{"password", "passwd", "passphrase", "secret", "secretkey", "secretaccesskey", "accesskey", "apikey", "privatekey", "accesstoken", "authtoken", "refreshtoken", "securitytoken", "sessiontoken", "authorization", "userpwd", "adminpass", "userpass", "dbpass"}
	likelyMembers = []string{"token", "pwd", "pass", "credential", "credentials", "auth", "cookie", "ak", "sk"}
)

func secretMember(name, value string) bool {
	if placeholder(value) || ofTokenizer(name) {
		return false
	}
	squeezed := strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(name))
	if slices.ContainsFunc(sureMembers, func(end string) bool { return strings.HasSuffix(squeezed, end) }) {
		return true
	}
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '_' || r == '-' || r == '.' })
	if len(words) == 0 || !slices.Contains(likelyMembers, words[len(words)-1]) {
		return false
	}
	return mixed(value) && len(value) >= 6
}
