package corpus

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"
)

// fieldKinds are the members of answers that hold a name, in lower case and
// without "_" and "-".
var fieldKinds = map[string]string{
	"username": "user", "creator": "user", "createdby": "user", "owner": "user", "domainname": "user", "accountname": "user",
	"hostname": "host", "nodename": "host",
}

// bucketFields are the members whose value is "/bucket/path".
var bucketFields = map[string]bool{"obsurl": true, "obspath": true, "pfspath": true, "codedir": true, "bootfile": true, "trainoutputpath": true, "location": true}

// frame is an object or a list around a value.
type frame struct {
	object bool
	key    string // of the member that is being read, or that a list belongs to
	name   string // value of the member that names this object's "value"
	access bool   // it is within "endpoints": addresses of SSH, JupyterLab, …
}

// deepest is how deep an answer may lie. What encoding/json reads is no deeper,
// so only what is damaged is.
const deepest = 10_000

// json hides what it finds in the strings of a valid JSON value; all else stays
// byte for byte. What lies deeper than any answer is hidden whole.
func (r *redactor) json(raw []byte) []byte {
	sensitive := r.sensitiveValues(raw)
	out := make([]byte, 0, len(raw))
	stack := make([]frame, 1)
	at := 0
	for token := range tokens(raw) {
		top := &stack[len(stack)-1]
		shown := token
		switch token[0] {
		case '{', '[':
			if len(stack) > deepest {
				return append(out, requote(nil, "", r.place("secret", string(raw[at:])))...)
			}
			inner := frame{key: top.key, access: top.access}
			if token[0] == '{' {
				inner = frame{object: true, access: top.access || squeeze(top.key) == "endpoints"}
			}
			stack = append(stack, inner)
		case '}', ']':
			stack = stack[:max(len(stack)-1, 1)]
		case ',':
			if top.object {
				top.key = ""
			}
		case '"':
			shown = r.stringToken(token, top, sensitive)
		case ':', ' ', '\t', '\n', '\r':
		default:
			shown = r.numberToken(token, top)
		}
		out = append(out, shown...)
		at += len(token)
	}
	return out
}

// tokens gives the strings, numbers, literals and single other bytes of JSON,
// which are all of it.
func tokens(raw []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for i := 0; i < len(raw); {
			end := i + 1
			switch raw[i] {
			case '{', '[', '}', ']', ',', ':', ' ', '\t', '\n', '\r':
			case '"':
				end = stringEnd(raw, i)
			default:
				for end < len(raw) && !strings.ContainsRune(",]} \t\r\n", rune(raw[end])) {
					end++
				}
			}
			if !yield(raw[i:end]) {
				return
			}
			i = end
		}
	}
}

// stringEnd gives the offset behind the string that begins at i.
func stringEnd(raw []byte, i int) int {
	for i++; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

// stringToken hides what it finds in one string, a key or a value.
func (r *redactor) stringToken(lit []byte, f *frame, sensitive map[string]bool) []byte {
	var s string
	json.Unmarshal(lit, &s) // nothing of a damaged one, which stays
	if f.object && f.key == "" {
		f.key = s
		if s == "" {
			f.key = "\x00"
		}
		return requote(lit, s, r.text(s))
	}
	v := r.value(s, f, sensitive)
	switch squeeze(f.key) {
	case "name", "key", "envname":
		f.name = s
	}
	return requote(lit, s, v)
}

// requote writes a string anew only when it has changed.
func requote(lit []byte, old, s string) []byte {
	if s == old {
		return lit
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.Encode(s) // of a string it never fails
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// value hides what it finds in the value of a member.
func (r *redactor) value(s string, f *frame, sensitive map[string]bool) string {
	key := squeeze(f.key)
	switch {
	case s == "":
		return s
	case sensitive[s]:
		return r.place("secret", s)
	case f.access && key == "url":
		return r.place("endpoint", s)
	case f.access && key == "token":
		return r.place("secret", s)
	case fieldKinds[key] != "" && !strings.ContainsAny(s, " /:@"):
		if masked := r.text(s); masked != s {
			return masked // an address, a mail
		}
		return r.name(fieldKinds[key], s)
	case r.buckets && bucketFields[key] && strings.HasPrefix(s, "/"):
		bucket, _, _ := strings.Cut(s[1:], "/")
		return "/" + r.name("bucket", bucket) + r.text(s[1+len(bucket):])
	}
	if nested := strings.TrimSpace(s); strings.IndexAny(nested, "{[") == 0 && json.Valid([]byte(nested)) {
		return string(r.json([]byte(s)))
	}
	name := f.key
	if key == "value" || key == "default" {
		name = f.name
	}
	return r.keyed(name, s)
}

// numberToken hides a number or a literal whose key says that it is secret.
func (r *redactor) numberToken(lit []byte, f *frame) []byte {
	s := string(lit)
	if s == "null" || s == "true" || s == "false" {
		return lit
	}
	if v := r.keyed(f.key, s); v != s {
		return requote(nil, s, v)
	}
	return lit
}

// declared is an object that may declare a hyperparameter, or a list.
type declared struct {
	object, of             bool   // of: it is the constraint of the object around it
	key                    string // of the member that is being read
	name, value, byDefault string
	sensitive              bool // its own member says so
	secret                 bool // its constraint says so
}

// sensitiveValues gives the values of hyperparameters that an algorithm
// declares sensitive, and the defaults of those whose name says so: the name
// mostly stands behind its default.
func (r *redactor) sensitiveValues(raw []byte) map[string]bool {
	if !bytes.Contains(raw, []byte(`"sensitive"`)) && !bytes.Contains(raw, []byte(`"default"`)) {
		return nil
	}
	found := map[string]bool{}
	stack := make([]declared, 1)
	for token := range tokens(raw) {
		top := &stack[len(stack)-1]
		switch token[0] {
		case '{', '[':
			if len(stack) > deepest {
				return found
			}
			stack = append(stack, declared{object: token[0] == '{', of: top.object && top.key == "constraint"})
		case '}', ']':
			if stack = stack[:max(len(stack)-1, 1)]; top.of {
				stack[len(stack)-1].secret = top.sensitive
			}
			if top.secret {
				found[top.value] = true
			}
			if top.byDefault != "" && strings.HasPrefix(r.keyed(top.name, top.byDefault), "<secret-") {
				found[top.byDefault] = true
			}
		case ',':
			top.key = ""
		case ':', ' ', '\t', '\n', '\r':
		default:
			top.take(token)
		}
	}
	return found
}

// take reads the name of a member, or its value.
func (d *declared) take(token []byte) {
	var s string
	if token[0] == '"' && json.Unmarshal(token, &s) != nil || !d.object {
		return // damaged, or an item of a list
	}
	switch d.key {
	case "":
		d.key = s
	case "name":
		d.name = s
	case "value":
		d.value = s
	case "default":
		d.byDefault = s
	case "sensitive":
		d.sensitive = string(token) == "true"
	}
}

var squeezer = strings.NewReplacer("_", "", "-", "")

func squeeze(key string) string { return strings.ToLower(squeezer.Replace(key)) }
