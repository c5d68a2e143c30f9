package corpus

import (
	"bytes"
	"encoding/json"
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
	key    string // of the member that is being read
	name   string // value of the member that names this object's "value"
	access bool   // it is within "endpoints": addresses of SSH, JupyterLab, …
}

// json hides what it finds in the strings of a valid JSON value; all else stays
// byte for byte.
func (r *redactor) json(raw []byte) []byte {
	sensitive := r.sensitiveValues(raw)
	out := make([]byte, 0, len(raw))
	var stack []frame
	top := func() *frame {
		if len(stack) == 0 {
			return &frame{}
		}
		return &stack[len(stack)-1]
	}
	for i := 0; i < len(raw); {
		c := raw[i]
		end := i + 1
		switch c {
		case '{', '[':
			outer := top()
			stack = append(stack, frame{object: c == '{', access: outer.access || squeeze(outer.key) == "endpoints"})
		case '}', ']':
			stack = stack[:max(len(stack)-1, 0)]
		case ',':
			top().key = ""
		case '"':
			end = stringEnd(raw, i)
			out = append(out, r.stringToken(raw[i:end], top(), sensitive)...)
			i = end
			continue
		case ':', ' ', '\t', '\n', '\r':
		default:
			for end < len(raw) && !strings.ContainsRune(",]} \t\r\n", rune(raw[end])) {
				end++
			}
			out = append(out, r.numberToken(raw[i:end], top())...)
			i = end
			continue
		}
		out = append(out, raw[i:end]...)
		i = end
	}
	return out
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
	if json.Unmarshal(lit, &s) != nil {
		return lit
	}
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
	if enc.Encode(s) != nil {
		return []byte(`""`)
	}
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
	if nested := strings.TrimSpace(s); len(nested) > 1 && (nested[0] == '{' || nested[0] == '[') && json.Valid([]byte(nested)) {
		return string(r.json([]byte(s)))
	}
	name := f.key
	if (key == "value" || key == "default") && f.name != "" {
		name = f.name
	}
	return r.keyed(name, s)
}

// numberToken hides a number or a literal whose key says that it is secret.
func (r *redactor) numberToken(lit []byte, f *frame) []byte {
	s := string(lit)
	if s == "null" || s == "true" || s == "false" || f.key == "" || !f.object {
		return lit
	}
	if v := r.keyed(f.key, s); v != s {
		return requote(nil, s, v)
	}
	return lit
}

// sensitiveValues gives the values of hyperparameters that an algorithm
// declares sensitive, and the defaults of those whose name says so: the name
// mostly stands behind its default.
func (r *redactor) sensitiveValues(raw []byte) map[string]bool {
	if !bytes.Contains(raw, []byte(`"sensitive"`)) && !bytes.Contains(raw, []byte(`"default"`)) {
		return nil
	}
	found := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			c, _ := v["constraint"].(map[string]any)
			if s, ok := v["value"].(string); ok && c["sensitive"] == true && s != "" {
				found[s] = true
			}
			name, _ := v["name"].(string)
			if s, ok := v["default"].(string); ok && name != "" && s != "" && strings.HasPrefix(r.keyed(name, s), "<secret-") {
				found[s] = true
			}
			for _, e := range v {
				walk(e)
			}
		}
	}
	var v any
	if json.Unmarshal(raw, &v) == nil {
		walk(v)
	}
	return found
}

var squeezer = strings.NewReplacer("_", "", "-", "")

func squeeze(key string) string { return strings.ToLower(squeezer.Replace(key)) }
