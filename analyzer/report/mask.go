package report

import (
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"hcloud-modelarts/analyzer/lazy"
)

// Mask hides what looks like a secret or an address and leaves all other text
// as it is. It is meant for quotes, so a value is only hidden where its form or
// its key says what it is. Masking a masked text changes nothing.
func Mask(s string) string { return apply(allMasks(), s) }

// Masker gives a Mask that writes something else in the place of what it hides:
// what put gives for the kind of value and the value. Put must give something
// in which nothing is found again.
func Masker(put func(kind Kind, value string) string) func(string) string {
	masks := masks(local, put)
	return func(s string) string { return apply(masks, s) }
}

// Kind is the kind of a hidden value.
type Kind string

// The kinds.
const (
	Secret Kind = "secret" // known by its key or its place
	Token  Kind = "token"  // known by its own form
	Query  Kind = "query"  // of a signed URL
	Mail   Kind = "mail"
	Phone  Kind = "phone"
	IPv4   Kind = "ipv4"
	IPv6   Kind = "ipv6"
)

// stars hide a value, but for the part that only tells its kind.
func stars(kind Kind, value string) string {
	switch kind {
	case Token:
		if m := knownToken().FindStringSubmatch(value); m != nil {
			return m[1] + hiddenValue // the head of a kind of token tells whose it is
		}
		return hiddenValue
	case Mail:
		return hiddenValue + "@" + hiddenValue
	case IPv4:
		return value[:strings.IndexByte(value, '.')] + ".*.*.*"
	case IPv6:
		head, _, _ := strings.Cut(value, ":")
		return head + "::" + hiddenValue
	}
	return hiddenValue
}

// MaskForPrograms is Mask for the JSON form: addresses of private networks stay,
// because programs join ranks, links and nodes by them and they lead nowhere
// outside.
func MaskForPrograms(s string) string { return apply(publicMasks(), s) }

// apply masks until nothing changes any more: what was hidden may have touched
// something that is only seen to stand alone now.
func apply(masks []mask, s string) string {
	for range mostPasses {
		before := s
		if s = applyOnce(masks, s); s == before {
			break
		}
	}
	return s
}

// mostPasses bounds the passes: of texts that are made at random of what the masks
// look for, one in 20,000 needs four.
const mostPasses = 8

func applyOnce(masks []mask, s string) string {
	lower := strings.ToLower(s) // of the text as it came: what is hidden only becomes less
	for _, m := range masks {
		if m.may(s, lower) {
			s = m.apply(s)
		}
	}
	return s
}

var (
	allMasks    = sync.OnceValue(func() []mask { return masks(local, stars) })
	publicMasks = sync.OnceValue(func() []mask { return masks(private, stars) })
)

// local reports the addresses that every machine has.
func local(ip netip.Addr) bool { return ip.IsLoopback() || ip.IsUnspecified() }

// private reports those and the addresses of networks that nobody routes: RFC
// 1918, RFC 4193, link-local, and the shared space of RFC 6598 that container
// networks use.
func private(ip netip.Addr) bool {
	shared := netip.MustParsePrefix("100.64.0.0/10")
	return local(ip) || ip.IsPrivate() || ip.IsLinkLocalUnicast() || shared.Contains(ip)
}

// mask hides one kind of value.
type mask struct {
	may   func(s, lower string) bool // a cheap test that rules most texts out
	apply func(string) string
}

const hiddenValue = "***"

// masks are tried in this order: whole URLs before what stands within them.
// Addresses for which keep says so stay.
func masks(keep func(netip.Addr) bool, put putter) []mask {
	first := []mask{
		{has("PRIVATE KEY"), replace(`(?s)(-----BEGIN [A-Z ]*PRIVATE KEY-----)(.*?)(-----END [A-Z ]*PRIVATE KEY-----|$)`, put)},
		{has("://"), replace(`([A-Za-z][A-Za-z0-9+.-]*://[^\s/:@"'<>]*:)([^\s/@"'<>]+)(@)`, put)},
		{hasFold("hook"), replace(`(://[^\s"'<>]*/(?:hook|services)/)([A-Za-z0-9/_-]{16,})()`, put)},
		{has("?"), maskSignedQuery(put)},
	}
	last := []mask{
		{has(":"), maskPairs(put)},
		{always, maskKeyed(put)},
		{always, maskNamed(put)},
		{hasFold("bearer ", "basic "), replace(`(?i)(\b(?:bearer|basic)\s+)([A-Za-z0-9._~+/-]{16,}=*)()`, put)},
		{hasFold(" login "), replace(`(?i)(\blogin\b[^\n]*?\s(?:-p|--password)[ =])(\S+)()`, put)},
		{always, maskTokens(put)},
		{has("://"), replace(`(://)([A-Za-z0-9_-]*[0-9][A-Za-z0-9_-]{18,})(@)`, put)},
		{has("@"), maskMail(put)},
		maskPhones(put),
		{func(s, _ string) bool { return strings.Count(s, ".") >= 3 }, maskIPv4(keep, put)},
		{func(s, _ string) bool { return strings.Contains(s, "::") || strings.Count(s, ":") >= 7 }, maskIPv6(keep, put)},
	}
	return slices.Concat(first, spokenMasks(put), last)
}

type putter func(kind Kind, value string) string

func always(string, string) bool { return true }

func has(sub string) func(s, lower string) bool {
	return func(s, _ string) bool { return strings.Contains(s, sub) }
}

func hasFold(subs ...string) func(s, lower string) bool {
	return func(_, lower string) bool { return hasAny(lower, subs) }
}

func hasAny(s string, subs []string) bool {
	return slices.ContainsFunc(subs, func(sub string) bool { return strings.Contains(s, sub) })
}

// replace hides the second of the three groups of an expression, unless it is a
// placeholder already.
func replace(expr string, put putter) func(string) string {
	re := lazy.Regexp(expr)
	return func(s string) string {
		return re().ReplaceAllStringFunc(s, func(match string) string {
			m := re().FindStringSubmatch(match)
			if placeholder(m[2]) {
				return match
			}
			return m[1] + put(Secret, m[2]) + m[3]
		})
	}
}

// maskSignedQuery hides the query of a URL that is signed or carries a token.
func maskSignedQuery(put putter) func(string) string {
	query := lazy.Regexp(`(://[^\s?"'<>]+\?)[^\s"'<>]+`)
	signed := lazy.Regexp(`(?i)[?&](?:AWSAccessKeyId|AccessKeyId|OSSAccessKeyId|Signature|X-Amz-Signature|X-Amz-Credential|X-Obs-Signature|x-obs-security-token|X-Amz-Security-Token|sig|token|access_token|auth|key|api_key|password)=`)
	return func(s string) string {
		return query().ReplaceAllStringFunc(s, func(url string) string {
			if !signed().MatchString(url) {
				return url
			}
			i := strings.IndexByte(url, '?') + 1
			return url[:i] + put(Query, url[i:])
		})
	}
}

// assign stands between a key and its value: the key may be quoted, or the index
// of a table ("os.environ['KEY'] = V").
const assign = `(?:\\?["']|` + markup + `)?\]?\s*(?:=>|->|:=|==?|[:：])\s*`

// markup is a quote as HTML and URLs write it.
const markup = `&quot;|&#3[49];|%2[27]`

// inQuotes is a text between quotes, of which a line that is cut off lacks the second.
const inQuotes = `(?:'''.*?'''|""".*?"""|\\?(?:"[^"\n]*(?:"|(?m:$))|'[^'\n]*(?:'|(?m:$)))|(?:` + markup + `)[^\s"'<>]*?(?:` + markup + `))`

// wrapped is a text as programs write one down: with the prefixes of Python and
// shells ("b'V'", "$'V'"), or as what something is called with ("SecretStr('V')").
const (
	wrapped = `(?:` + textPrefix + `)?` + inQuotes + `|` + callHead + inQuotes + `(?:\s*,\s*` + inQuotes + `)*`

	textPrefix = `[bBuUrRfF]{1,2}|\$`
	callHead   = `[A-Za-z_][\w.]*\(\s*(?:\w+=)?`
)

// given is a value behind assign.
const given = `(` + wrapped + `|[^\s,;&"'\\)\]}]+)`

// sureKeys leave no doubt that their value is secret.
const sureKeys = `(?:[A-Za-z0-9]+[_-])*(?:[a-z0-9]*pass[_-]?word|passwd|passphrase|[a-z0-9]*secret|secret[_-]?key|secret[_-]?access[_-]?key|access[_-]?key(?:[_-]?id)?|(?:api|account)[_-]?key|private[_-]?key|x-auth-token|x-subject-token|x-security-token|security[_-]?token|session[_-]?token|access[_-]?token|auth[_-]?token|refresh[_-]?token|client-key-data|(?:set-)?cookie|encoded_authorization_message|authorization|awsaccesskeyid|accesskeyid|signature|accesskey|secretkey|secretaccesskey|apikey)`

// maskKeyed hides values whose key says that they are secret. The keys of the
// first kind leave no doubt; those of the second name harmless things too
// ("pad_token: <pad>"), so their value must look random, as in a cell of a table.
func maskKeyed(put putter) func(string) string {
	sure := lazy.Regexp(`(?i)((?:^|[^A-Za-z0-9])` + sureKeys + assign + `)` + given)
	likely := lazy.Regexp(`(?i)((?:^|[^A-Za-z0-9])(?:[A-Za-z0-9]+[_-])*(?:token|ak|sk|pwd|key|credential|auth)` + assign + `(?:[bBuUrRfF$]{0,2}\\?["'])?)([A-Za-z0-9._~+/-]{16,}=*)`)
	cell := lazy.Regexp(`(?i)((?:^|\|)[ \t]*` + sureKeys + `[ \t]*\|[ \t]*)([^\s|]+)`)
	return func(s string) string {
		return onLines(s, assigns, func(s string) string {
			s = replaceValue(s, sure(), put, keyedValue)
			s = replaceValue(s, likely(), put, func(_, value, _ string) bool { return random(value) })
			return replaceValue(s, cell(), put, func(_, value, _ string) bool { return !placeholder(value) && mixed(value) })
		})
	}
}

// keyEnds are the ends of the keys above.
var keyEnds = []string{
	"password", "passwd", "passphrase", "secret", "key", "keyid", "key_id", "key-id", "token", "authorization", "signature",
	"key-data", "cookie", "authorization_message", "ak", "sk", "pwd", "pw", "pass", "pass_word", "pass-word", "credential", "credentials", "auth",
}

// assigns reports whether something is assigned to such a key in a line. The
// expressions are slow and most lines hold none.
func assigns(line string) bool {
	end := 0 // of the key, for what stands between it and the sign does not count
	for i := 0; i < len(line); i++ {
		sign := strings.IndexByte("=:|", line[i]) >= 0 || strings.HasPrefix(line[i:], "：") || strings.HasPrefix(line[i:], "->")
		if sign && endsKey(line[:end]) {
			return true
		}
		if n := len(markupAt(line[i:])); n > 0 {
			i += n - 1
		} else if strings.IndexByte(" \t\"'\\:]", line[i]) < 0 {
			end = i + 1
		}
	}
	return false
}

// markupAt gives the quote of HTML or a URL with which s begins.
func markupAt(s string) string {
	if s[0] == '&' || s[0] == '%' {
		return markupHead().FindString(s)
	}
	return ""
}

var markupHead = lazy.Regexp(`^(?:` + markup + `)`)

func endsKey(s string) bool {
	return slices.ContainsFunc(keyEnds, func(end string) bool {
		n := len(s) - len(end)
		return n >= 0 && strings.EqualFold(s[n:], end)
	})
}

// onLines applies a mask to the lines that may hold something, each with the
// one behind it, on which a value may stand.
func onLines(s string, may func(string) bool, apply func(string) string) string {
	var b strings.Builder
	start, from := 0, -1 // of what is not written yet, and of the part to mask
	for at := 0; at < len(s); {
		end := len(s)
		if i := strings.IndexByte(s[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		hit := may(s[at:end])
		switch {
		case hit && from < 0:
			b.WriteString(s[start:at])
			start, from = at, at
		case !hit && from >= 0:
			b.WriteString(apply(s[from:end]))
			start, from = end, -1
		}
		at = end
	}
	if from >= 0 {
		b.WriteString(apply(s[from:]))
		start = len(s)
	}
	if start == 0 {
		return s
	}
	b.WriteString(s[start:])
	return b.String()
}

// replaceValue hides the second group of every match for which hide says so,
// without what wraps it; after is the text behind the match.
func replaceValue(s string, re *regexp.Regexp, put putter, hide func(key, value, after string) bool) string {
	var b strings.Builder
	end := 0
	for _, m := range re.FindAllStringSubmatchIndex(s, -1) {
		key, value := s[m[2]:m[3]], s[m[4]:m[5]]
		inner := value[len(wrapperOf(value)):]
		// A call that is given the name of a key looks its value up.
		lookedUp := inner != value && (strings.HasPrefix(value, "os.environ") || endsKey(strings.Trim(inner, `\"'`)))
		if lookedUp || !hide(key, inner, s[m[1]:]) {
			continue
		}
		b.WriteString(s[end : m[5]-len(inner)])
		b.WriteString(quoteLike(inner, put))
		end = m[5]
	}
	b.WriteString(s[end:])
	return b.String()
}

var wrapper = lazy.Regexp(`^(?:(` + textPrefix + `|` + callHead + `)\\?["']|(` + markup + `))`)

// wrapperOf gives what stands before the quote of a value, the prefix of a text or
// the call that makes something of it, or its quote in markup; "" for a bare value.
func wrapperOf(value string) string {
	if m := wrapper().FindStringSubmatch(value); m != nil {
		return m[1] + m[2]
	}
	return ""
}

// part is a stretch of a text.
type part struct{ start, end int }

// hideParts replaces stretches, which are in order, by what put gives for them;
// of two that overlap the first counts.
func hideParts(s string, parts []part, kind Kind, put putter) string {
	var b strings.Builder
	last := 0
	for _, p := range parts {
		if p.start < last {
			continue
		}
		b.WriteString(s[last:p.start])
		b.WriteString(put(kind, s[p.start:p.end]))
		last = p.end
	}
	b.WriteString(s[last:])
	return b.String()
}

// quoteLike gives the hidden value between the quotes that the value had.
func quoteLike(value string, put putter) string {
	q := ""
	if rest, escaped := strings.CutPrefix(value, `\`); escaped {
		q, value = `\`, rest
	}
	if strings.HasPrefix(value, `"`) || strings.HasPrefix(value, `'`) {
		return q + value[:1] + put(Secret, strings.Trim(value, `\"'`)) + q + value[:1]
	}
	return q + put(Secret, value)
}

// keyedValue reports whether the value behind a sure key is a secret and not a
// placeholder, a word of a sentence or a mere type.
func keyedValue(key, value, after string) bool {
	v := strings.Trim(value, `\"'`)
	if placeholder(v) {
		return false
	}
	if !strings.HasPrefix(after, " ") {
		return true
	}
	// "Password: authentication failed" is a sentence, "secret_key: S3cr3tV region: x"
	// is none; the secret behind "Authorization: Bearer" is not this word but the next.
	sentence := strings.HasSuffix(key, " ") && v == value && !random(v) && (!mixed(v) || len(v) < 6)
	return !sentence && !scheme(v)
}

// scheme reports the names that stand before the secret in "Authorization:".
func scheme(v string) bool {
	return strings.EqualFold(v, "Bearer") || strings.EqualFold(v, "Basic") || v == "SDK-HMAC-SHA256"
}

var emptyValues = []string{"", "none", "null", "nil", "true", "false", "str", "string", "int", "optional", "required", "missing", "empty", "invalid", "not"}

// placeholder reports what stands where a secret would: a word for one or for none, a
// variable, a form to be filled in. A secret may begin with the same sign.
func placeholder(v string) bool {
	return slices.Contains(emptyValues, strings.ToLower(v)) || strings.Trim(v, "*xX.") == "" || strings.HasPrefix(v, "os.environ") || standsIn(v)
}

// standsIn reports what stands in the place of a value ("$TOKEN", "<key>", "{key}",
// "%s", "[REDACTED]", with or without what closes it), and the beginning of a list.
// Few names have what passwords must have, capitals, small letters and digits.
func standsIn(v string) bool {
	if strings.IndexByte("$<{%[", v[0]) < 0 {
		return false
	}
	word := strings.Trim(v, `$<{%[()]}>"'\`)
	return !varied(word) && (v[0] != '[' || !strings.ContainsFunc(word, func(c rune) bool { return !letter(c) && c != '_' && c != '-' && c != ' ' }))
}

// random reports whether a value mixes letters and digits as keys do; words,
// numbers, paths, dotted names and versions do not count.
func random(v string) bool {
	digits, letters, breaks := 0, 0, 0
	for _, c := range v {
		switch {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			letters++
		default:
			breaks++
		}
	}
	return len(v) >= 16 && digits >= 2 && letters >= 4 && breaks*6 <= len(v)
}

// maskTokens hides values that their own form gives away.
func maskTokens(put putter) func(string) string {
	known := func(v string) string {
		m := knownToken().FindStringSubmatch(v)
		if !tokenTail(m[1], m[2]) {
			return v
		}
		return put(Token, v)
	}
	return func(s string) string {
		s = onLines(s, hasToken, func(s string) string { return knownToken().ReplaceAllStringFunc(s, known) })
		s = onLines(s, func(line string) bool { return strings.Contains(line, ":AA") }, func(s string) string {
			return botToken().ReplaceAllStringFunc(s, func(v string) string { return put(Secret, v) })
		})
		s = onLines(s, isKeyLine, func(s string) string {
			return keyLine().ReplaceAllStringFunc(s, func(v string) string {
				if upper, lower, _ := classes(v); upper < 5 || lower < 5 || !random(v) {
					return v
				}
				return put(Secret, v)
			})
		})
		return replaceWords(s, func(v string) string {
			if accessKey(v) || secretKey(v) {
				return put(Secret, v)
			}
			return v
		})
	}
}

// tokenHeads are the beginnings of tokens that knownToken knows.
var tokenHeads = []string{"hf_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "sk-", "sk_live_", "xox", "AIza", "AKIA", "ASIA", "ms-", "npm_", "pypi-", "dckr_pat_", "nvapi-", "SG.", "hvs.", "eyJ", "MII"}

func hasToken(line string) bool { return hasAny(line, tokenHeads) }

func isKeyLine(line string) bool { return len(strings.TrimRight(line, "\r\n")) == 64 }

// replaceWords replaces words of letters and digits, which no "_" touches.
func replaceWords(s string, with func(string) string) string {
	inWord := func(c byte) bool { return c == '_' || c < utf8.RuneSelf && isWord(c) }
	var b strings.Builder
	last := 0
	for i := 0; i < len(s); i++ {
		start := i
		for i < len(s) && inWord(s[i]) {
			i++
		}
		if w := s[start:i]; len(w) >= 20 && !strings.Contains(w, "_") {
			b.WriteString(s[last:start])
			b.WriteString(with(w))
			last = i
		}
	}
	b.WriteString(s[last:])
	return b.String()
}

var (
	knownToken = lazy.Regexp(`\b(hf_|gh[pousr]_|github_pat_|glpat-|sk-(?:[a-z]+-)?|sk_live_|xox[abprs]-|AIza|AKIA|ASIA|ms-|npm_|pypi-|dckr_pat_|nvapi-|SG\.|hvs\.|eyJ|MII)([A-Za-z0-9+/=_.-]{16,})`)
	keyLine    = lazy.Regexp(`(?m)^[A-Za-z0-9+/]{64}$`) // of a private key whose head is elsewhere
	botToken   = lazy.Regexp(`\b[0-9]{8,10}:AA[A-Za-z0-9_-]{33}\b`)
)

// tokenTail reports whether what follows a token's prefix has the token's form.
func tokenTail(prefix, tail string) bool {
	switch prefix {
	case "eyJ": // a JSON web token: two of its three parts are JSON
		return strings.Contains(tail, ".eyJ")
	case "MII": // a token of IAM, or a certificate
		return len(tail) >= 100
	case "AKIA", "ASIA":
		return len(tail) == 16 && strings.ToUpper(tail) == tail
	}
	upper, lower, _ := classes(tail)
	return random(tail) || upper >= 3 && lower >= 3 && alphanumeric(tail) && (len(tail) >= 30 || prefix == "glpat-")
}

func alphanumeric(v string) bool {
	return !strings.ContainsFunc(v, func(c rune) bool { return !letterOrDigit(c) })
}

// accessKey reports the form of a Huawei Cloud access key id: 20 capital
// letters and digits. Serial numbers of boards have the form too, with few letters.
func accessKey(v string) bool {
	upper, _, digits := classes(v)
	return len(v) == 20 && upper >= 8 && digits >= 1 && upper+digits == 20
}

// secretKey reports the form of a secret access key: 40 letters and digits with
// capitals among them, which a hash in hexadecimal does not have.
func secretKey(v string) bool {
	upper, lower, digits := classes(v)
	return len(v) == 40 && upper >= 5 && lower >= 5 && digits >= 2
}

// classes counts letters and all else in what is made of the signs that base64 has.
func classes(v string) (upper, lower, digits int) {
	for i := range len(v) {
		switch c := v[i]; {
		case 'A' <= c && c <= 'Z':
			upper++
		case 'a' <= c:
			lower++
		default:
			digits++
		}
	}
	return upper, lower, digits
}

// maskMail hides e-mail addresses. Python's matrix product ("q@k.mT") has their
// form, so only the endings that addresses really have count.
func maskMail(put putter) func(string) string {
	mail := lazy.Regexp(`(?i)\b[a-z0-9][a-z0-9._%+-]*@(?:[a-z0-9-]+\.)+(?:com|net|org|edu|gov|cn|io|ai|dev|info|de|fr|uk|jp|kr|ru|in|sg|hk|tw|us|ca|au|eu|ch|it|nl|br|tech|cloud|xyz|top|cc|me|co)\b`)
	return func(s string) string {
		head, _, _ := strings.Cut(s, "://")
		return replaceAt(s, mail(), func(m string, start, end int) string {
			if end < len(s) && strings.IndexByte("([_.", s[end]) >= 0 && (s[end] != '.' || end+1 < len(s) && isWord(s[end+1])) {
				return m
			}
			if strings.HasPrefix(m, "git@") || start > 0 && s[start-1] == '/' && len(head) < start {
				return m // an account of a code host, or the user of a URL
			}
			return put(Mail, m)
		})
	}
}

// replaceAt is ReplaceAllStringFunc whose function knows where the match stands.
func replaceAt(s string, re *regexp.Regexp, with func(match string, start, end int) string) string {
	var b strings.Builder
	last := 0
	for _, m := range re.FindAllStringIndex(s, -1) {
		b.WriteString(s[last:m[0]])
		b.WriteString(with(s[m[0]:m[1]], m[0], m[1]))
		last = m[1]
	}
	b.WriteString(s[last:])
	return b.String()
}

// maskIPv4 hides IPv4 addresses, keeping their first part. Versions of four
// parts have the same form: what stands around tells them apart.
func maskIPv4(keep func(netip.Addr) bool, put putter) func(string) string {
	quad := lazy.Regexp(`[0-9]{1,3}(?:\.[0-9]{1,3}){3}`)
	return func(s string) string {
		return replaceAt(s, quad(), func(m string, start, end int) string {
			if !quadAlone(s, start, end) {
				return m
			}
			ip, err := netip.ParseAddr(m)
			if err != nil || keep(ip) || isNetmask(ip) || isVersion(s, ip, start, end) {
				return m
			}
			return put(IPv4, m)
		})
	}
}

// quadAlone reports whether a match is not part of a longer number, name or version.
func quadAlone(s string, start, end int) bool {
	if start > 0 {
		if c := s[start-1]; c == '.' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9' {
			return false
		}
	}
	if end < len(s) {
		switch c := s[end]; {
		case c == '.':
			return end+1 == len(s) || !isWord(s[end+1])
		case c == '+' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			return false
		}
	}
	return true
}

func isNetmask(ip netip.Addr) bool { return ip.As4()[0] == 255 }

var versionWord = lazy.Regexp(`(?i)(?:^|[^a-z])(?:version|versions|ver|release|rev|cuda|cudnn|cublas|nccl|cann|hccl|hdk|driver|firmware|toolkit|python|torch|torch_npu|tensorflow|mindspore|nvidia|cu1[0-9]|libc|glibc|glibcxx|kernel|ascend|package|plugin|aoe|rocm)[a-z0-9_.-]*["']?[\s:=<>~!,v("'-]*$`)

// isVersion reports whether a quad at start is a version: its word says so, or
// its parts are as small as those of versions and no port or scheme stands by.
func isVersion(s string, ip netip.Addr, start, end int) bool {
	before, after := s[:start], s[end:]
	if strings.HasPrefix(after, ":") && len(after) > 1 && '0' <= after[1] && after[1] <= '9' || strings.HasSuffix(before, "://") || strings.HasSuffix(before, "@") || strings.HasSuffix(before, "::ffff:") {
		return false
	}
	if strings.HasSuffix(before, "=") && len(before) > 1 && strings.IndexByte("=<>~!", before[len(before)-2]) >= 0 {
		return true
	}
	if strings.HasPrefix(after, "%") && len(after) > 1 && isWord(after[1]) { // an address and its interface, as HCCL names groups
		return false
	}
	if start > 0 && (before[start-1] == '-' || before[start-1] == '_') {
		return true
	}
	if versionWord().MatchString(before[max(0, start-48):]) {
		return true
	}
	if ip.IsPrivate() {
		return false
	}
	for _, part := range ip.As4() {
		if part >= 40 {
			return false
		}
	}
	return true
}

// maskIPv6 hides IPv6 addresses, keeping their first part. Times, PCI and MAC
// addresses and the "::" of C++ have parts of the form.
func maskIPv6(keep func(netip.Addr) bool, put putter) func(string) string {
	form := lazy.Regexp(`[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}`)
	return func(s string) string {
		return replaceAt(s, form(), func(m string, start, end int) string {
			core := strings.TrimSuffix(m, ":")
			if strings.HasSuffix(m, "::") {
				core = m
			}
			ip, err := netip.ParseAddr(core)
			if err != nil || keep(ip) || !ipv6Alone(s, start, end) || !looksIPv6(core) {
				return m
			}
			return put(IPv6, core) + m[len(core):]
		})
	}
}

// ipv6Alone reports whether no word, dot or colon touches a match.
func ipv6Alone(s string, start, end int) bool {
	touches := func(c byte) bool { return c == ':' || c == '_' || c == '.' || c == '*' || c < 0x80 && isWord(c) }
	if start > 0 && touches(s[start-1]) {
		return false
	}
	return end == len(s) || !touches(s[end]) || s[end] == '.' && (end+1 == len(s) || !isWord(s[end+1]))
}

var routed = lazy.Regexp(`(?i)^(?:fe[89ab][0-9a-f]|f[cd][0-9a-f]{2}|2[0-9a-f]{3}|ff0[0-9a-f]):`)

// looksIPv6 reports whether a valid address is meant as one: all eight parts,
// or a prefix that is in use.
func looksIPv6(s string) bool {
	if !strings.ContainsAny(s, "0123456789") {
		return false
	}
	return !strings.Contains(s, "::") || routed().MatchString(s)
}
