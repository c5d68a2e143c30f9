package corpus

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Masker makes a function that hides secrets and addresses in a text. In the
// place of each it writes what put gives for the value and its kind: "mail",
// "phone", "ipv4", "ipv6", or another for secrets.
type Masker func(put func(kind, value string) string) func(string) string

// redactor hides values behind placeholders, the same value always behind the
// same one. Addresses become addresses of ranges that are set aside for
// examples (RFC 2544, RFC 3849, RFC 2606), so that what reads the text still
// finds an address where one stood.
type redactor struct {
	file    string
	mask    func(string) string
	key     []byte
	given   map[string]string // keyed hash of a value → placeholder
	next    map[string]int    // last number given out, by kind
	names   nameTree          // of users, hosts and buckets that were seen, with their placeholders
	buckets bool
	changed bool
}

// private is the file that keeps a redactor between two runs.
type private struct {
	Salt  string            `json:"salt"`  // hexadecimal
	Given map[string]string `json:"given"` // keyed hash → placeholder
}

func newRedactor(file string, counts map[string]int, o Options) (*redactor, error) {
	r := &redactor{file: file, given: map[string]string{}, next: map[string]int{}, buckets: o.Buckets}
	for kind, n := range counts {
		r.next[kind] = min(max(n, 0), maxPlaceholder)
	}
	r.mask = o.Mask(r.place)
	data, err := os.ReadFile(file)
	switch {
	case err == nil:
		if !r.load(data) {
			return nil, &Reason{"private", privateFile}
		}
		return r, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	r.key = make([]byte, 32)
	if _, err := io.ReadFull(o.Random, r.key); err != nil {
		return nil, err
	}
	r.changed = true
	return r, r.save()
}

// load takes what an earlier run gave out. A run that was killed may have given
// more than its manifest counts.
func (r *redactor) load(data []byte) bool {
	var p private
	err := json.Unmarshal(data, &p)
	if r.key, _ = hex.DecodeString(p.Salt); err != nil || len(r.key) == 0 {
		return false
	}
	seen := map[string]bool{}
	for hash, given := range p.Given {
		kind, n := readPlaceholder(given)
		if kind == "" || seen[given] {
			return false
		}
		seen[given] = true
		r.given[hash] = given
		r.next[kind] = max(r.next[kind], n)
	}
	return true
}

func (r *redactor) save() error {
	if !r.changed {
		return nil
	}
	r.changed = false
	return writeJSON(r.file, private{hex.EncodeToString(r.key), r.given}, 0o600)
}

func (r *redactor) counts() map[string]int { return maps.Clone(r.next) }

// place gives the placeholder of a value.
func (r *redactor) place(kind, value string) string {
	if isPlaceholder(value) {
		return value
	}
	switch kind {
	case "ipv4", "ipv6", "mail", "phone", "query", "endpoint", "user", "host", "bucket":
	default:
		kind = "secret"
	}
	h := hmac.New(sha256.New, r.key)
	io.WriteString(h, kind+"\x00"+value)
	hash := hex.EncodeToString(h.Sum(nil)[:16])
	if p, ok := r.given[hash]; ok {
		return p
	}
	r.next[kind]++
	p := placeholder(kind, r.next[kind])
	r.given[hash], r.changed = p, true
	return p
}

// text hides what it finds in a text.
func (r *redactor) text(s string) string {
	s = r.mask(s)
	for _, f := range textForms() {
		if f.kind == "bucket" && !r.buckets || !strings.Contains(s, f.has) {
			continue
		}
		s = replaceGroup(f.form, s, func(v string) string { return r.name(f.kind, v) })
	}
	return r.names.replace(s)
}

// textForms are places in a text where a name or an address of access stands:
// the first group is the value.
var textForms = sync.OnceValue(func() []textForm {
	return []textForm{
		{"endpoint", "modelarts", regexp.MustCompile(`((?:https?|wss?|ssh)://[^\s"'<>]*(?:authoring-modelarts|notebook-modelarts|dev-modelarts)[^\s"'<>]*)`)},
		{"endpoint", "dev-modelarts", regexp.MustCompile(`([\w-]+@dev-modelarts[\w.-]+(?::\d+)?)`)},
		{"endpoint", "/lab", regexp.MustCompile(`(https?://[^\s"'<>]*/lab(?:\?|/tree)[^\s"'<>]*)`)},
		{"user", "/home/", regexp.MustCompile(`/home/([A-Za-z][\w.-]{2,31})`)},
		{"user", "USER", regexp.MustCompile(`\b(?:USER|USERNAME|SUDO_USER)=["']?([A-Za-z][\w.-]{2,31})`)},
		{"user", "LOGNAME", regexp.MustCompile(`\bLOGNAME=["']?([A-Za-z][\w.-]{2,31})`)},
		{"user", "user_name", regexp.MustCompile(`\buser_name["']?\s*[=:]\s*["']?([A-Za-z][\w.-]{2,63})`)},
		{"host", "HOSTNAME", regexp.MustCompile(`\bHOSTNAME=["']?([A-Za-z][\w.-]{2,62})`)},
		{"host", "host", regexp.MustCompile(`\bhost(?:_?name)["']?\s*[=:]\s*["']?([A-Za-z][\w.-]{2,62})`)},
		{"host", " kernel", regexp.MustCompile(`(?m)^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d ([A-Za-z][\w.-]{2,62}) kernel`)},
		{"bucket", "://", regexp.MustCompile(`\b(?:obs|s3|s3a)://([a-z0-9][a-z0-9.-]{2,62})`)},
		{"bucket", ".obs.", regexp.MustCompile(`\b([a-z0-9][a-z0-9-]{2,62})\.obs\.[a-z0-9-]+\.my?huaweicloud\.com`)},
	}
})

type textForm struct {
	kind, has string
	form      *regexp.Regexp
}

func replaceGroup(form *regexp.Regexp, s string, with func(string) string) string {
	var b strings.Builder
	last := 0
	for _, m := range form.FindAllStringSubmatchIndex(s, -1) {
		b.WriteString(s[last:m[2]])
		b.WriteString(with(s[m[2]:m[3]]))
		last = m[3]
	}
	b.WriteString(s[last:])
	return b.String()
}

// everyones are names that tell nobody apart.
var everyones = []string{
	"ma-user", "ma-group", "work", "root", "user", "admin", "ubuntu", "localhost", "default", "none", "null",
	"HwHiAiUser", "modelarts", "nobody", "service", "train", "model", "data", "code", "unknown",
}

var roleName = compiled(`^(?:(?:worker|ps|chief|master|launcher|scheduler|server)-\d+|modelarts-job-.*)$`)

// name gives the placeholder of a user, host, bucket or endpoint, and has the name
// replaced wherever it stands alone from now on.
func (r *redactor) name(kind, v string) string {
	if slices.Contains(everyones, v) || roleName().MatchString(v) || len(v) < 3 {
		return v
	}
	p := r.place(kind, v)
	if distinct(v) {
		r.names.add(v, p)
	}
	return p
}

// distinct reports whether a name is no ordinary word, so that it can be
// replaced in any text.
func distinct(v string) bool {
	return len(v) >= 5 && strings.ContainsAny(v, "0123456789-_.") && v[0] != '-' && v[len(v)-1] != '-' && v[len(v)-1] != '.'
}

// output hides what it finds in what hcloud printed: JSON, notices, text.
func (r *redactor) output(b []byte) []byte {
	var out []byte
	for {
		start, end := FindJSON(b)
		if start < 0 {
			return append(out, r.escaped(string(b))...)
		}
		if end == start { // damaged, so it may be text as well
			out = append(out, r.escaped(string(b[:start]))...)
			return append(out, r.escaped(string(r.json(b[start:])))...)
		}
		out = append(out, r.text(string(b[:start]))...)
		out = append(out, r.json(b[start:end])...)
		b = b[end:]
	}
}

// The escapes of line ends would join a word with the one behind them.
var (
	hideEscapes = strings.NewReplacer(`\n`, "\ue000", `\t`, "\ue001", `\r`, "\ue002")
	showEscapes = strings.NewReplacer("\ue000", `\n`, "\ue001", `\t`, "\ue002", `\r`)
)

// escaped is text for damaged JSON.
func (r *redactor) escaped(s string) string {
	return showEscapes.Replace(r.text(hideEscapes.Replace(s)))
}

// parameters hides values of parameters of a call, those of the first names first,
// so that the same call is always recorded the same.
func (r *redactor) parameters(params map[string]string) map[string]string {
	masked := make(map[string]string, len(params))
	for _, name := range slices.Sorted(maps.Keys(params)) {
		masked[name] = r.keyed(name, params[name])
	}
	return masked
}

// keyed is text for a value whose name may say that it is secret. Of a long value
// the beginning tells, and of one that holds what ends a text what it is without.
func (r *redactor) keyed(name, v string) string {
	head, plain := `"`+name+`": "`, unquoted.Replace(v[:min(len(v), 4096)])
	masked, found := strings.CutPrefix(r.mask(head+plain+`"`), head)
	masked = strings.TrimSuffix(masked, `"`)
	if found && (plain == v || isPlaceholder(masked)) {
		v = masked
	}
	return r.text(v)
}

var unquoted = strings.NewReplacer(`"`, "_", `\`, "_", "\n", " ")

var (
	keyBegin = []byte("-----BEGIN ")
	keyEnd   = []byte("-----END ")
)

// block is text for a part of a long log. Inside says that the part begins
// within a private key, and comes back for the next part.
func (r *redactor) block(b []byte, inside bool) ([]byte, bool) {
	if inside {
		i := bytes.Index(b, keyEnd)
		if i < 0 {
			return nil, true
		}
		b = b[i:]
	}
	begin := bytes.LastIndex(b, keyBegin)
	inside = begin >= 0 && bytes.Contains(b[begin:], []byte("PRIVATE KEY")) && !bytes.Contains(b[begin:], keyEnd)
	return []byte(r.text(string(b))), inside
}
