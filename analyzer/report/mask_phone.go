package report

import (
	"regexp"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
)

// Forms of telephone numbers. A number that only looks like one of China's
// mobile networks (11 digits from 13 to 19) may as well count samples or bytes,
// so such a number is hidden only behind a country code, a word, or dashes that
// part it as people do.
const (
	mobile    = `1[3-9][0-9](?:[0-9]{8}|-[0-9]{4}-[0-9]{4}|[0-9]-[0-9]{3}-[0-9]{4})`
	spaced    = `1[3-9][0-9] [0-9]{4} [0-9]{4}`
	landline  = `(?:0[0-9]{2,3}[- ]?|[(（]0[0-9]{2,3}[)）][- ]?)[2-8](?:[0-9]{6,7}|[0-9]{2,3}[ -][0-9]{4})(?: ?(?:转|ext\.?|-) ?[0-9]{1,6})?`
	hotline   = `[48]00(?:[0-9]{7}|-[0-9]{3}-[0-9]{4}|-[0-9]{4}-[0-9]{3})`
	chinese   = `(?:(?:\+|00)86|[(（]\+86[)）])[- ]?(?:` + mobile + `|` + spaced + `|\(?0?[1-9][0-9]{1,2}\)?[- ][2-8][0-9]{6,7})|86-` + mobile
	american  = `\+1(?:[- ]\([2-9][0-9]{2}\) ?|[- ][2-9][0-9]{2}[- ])[2-9][0-9]{2}[- ][0-9]{4}`
	country   = `\+(?:20|27|3[0-469]|4[013-9]|5[1-8]|6[0-6]|7|8[124]|9[0-58]|2[1-69][0-9]|3[578][0-9]|42[0-9]|5[09][0-9]|6[7-9][0-9]|8[0578][0-9]|9[679][0-9])`
	foreign   = country + `(?:[- ]\(0\))?(?:[- ]?\([0-9]{1,4}\))?(?:[- ][0-9]{2,4}){1,2}(?:[- ][0-9]{3,4})+`
	unbroken  = `\+[1-9][0-9]{8,13}`
	loosely   = `\+[1-9][0-9]{0,2}(?:[- ]?\(?[0-9]{1,4}\)?){1,2}(?:[- ]?[0-9]{2,8}){1,4}`
	notCalled = `(?i)^[ \t]*(?:条|个|份|行|步|次|字节|样本|参数|bytes?\b|samples?\b|tokens?\b|steps?\b|rows?\b|lines?\b|files?\b|param|[kmg]i?b\b|ms\b|us\b|ns\b)`
)

var (
	countryPhone = []string{"+", "0086", "86-1"}
	hanPhone     = []string{"电话", "手机", "联系", "致电", "热线", "微信", "传真"}
	latinPhone   = []string{"tel", "phone", "mobile", "fax", "whatsapp"}
)

// maskPhones hides telephone numbers.
func maskPhones(put putter) mask {
	sure := lazy.Regexp(chinese + `|` + american + `|` + foreign + `|1[3-9][0-9]-[0-9]{4}-[0-9]{4}`)
	number := `(` + unbroken + `|` + loosely + `|` + chinese + `|` + mobile + `|` + spaced + `|` + landline + `|` + hotline + `)`
	han := lazy.Regexp(`((?:电话|手机|致电|热线|微信|传真)(?:号码?|同号|联系|/[\p{Han}A-Za-z]{2,8}|[(（][\p{Han}A-Za-z]{1,8}[)）])*["']?[ \t]*(?:是|为|[:=：＝])?[ \t]*["'(（]?|联系[\p{Han}]{0,6}[ \t]*[:：]?[ \t]*(?:[\p{Han}]{2,4}[ \t]*)?[(（:："' ]?[ \t]*)` + number)
	latin := lazy.Regexp(`(?i)((?:^|[^A-Za-z])(?:tel|telephone|phone|mobile|cellphone|fax|whatsapp)(?:[_ -]?(?:number|num|no)\.?)?(?:/[A-Za-z]{2,10})?\\?["']?[ \t]*(?:\bis\b|[:=])?[ \t]*\\?["'(]?)` + number)
	behind := lazy.Regexp(`(` + mobile + `|` + spaced + `)([ \t]*[(（][ \t]*(?:手机|电话|微信|[Mm]obile|[Pp]hone|[Tt]el)\b?)`)
	spoken := func(s string, re *regexp.Regexp, group int) string {
		return hideParts(s, spokenPhones(s, re, group), Phone, put)
	}
	line := func(s string) string {
		if formPhone(s) {
			s = replaceAt(s, sure(), func(m string, start, end int) string {
				if !phoneAlone(s, start, end) || !phoneLength(m) || m[0] == '+' && signed(s, start) {
					return m
				}
				return put(Phone, m)
			})
		}
		if hasAny(s, hanPhone) {
			s = spoken(s, han(), 2)
		}
		if hasAny(strings.ToLower(s), latinPhone) {
			s = spoken(s, latin(), 2)
		}
		return spoken(s, behind(), 1)
	}
	may := func(s string) bool { return mayPhone(s, strings.ToLower(s)) }
	return mask{mayPhone, func(s string) string { return onLines(s, may, line) }}
}

var counted = lazy.Regexp(notCalled)

// spokenPhones finds the numbers, a group of re, that a word says are telephone
// numbers.
func spokenPhones(s string, re *regexp.Regexp, group int) []part {
	var phones []part
	for _, m := range re.FindAllStringSubmatchIndex(s, -1) {
		p := part{m[2*group], m[2*group+1]}
		if phoneAlone(s, p.start, p.end) && !counted().MatchString(s[p.end:]) && phoneLength(s[p.start:p.end]) {
			phones = append(phones, p)
		}
	}
	return phones
}

// mayPhone reports whether a text may hold a telephone number. The expressions
// are slow and most lines hold none.
func mayPhone(s, lower string) bool {
	return manyDigits(s) && (formPhone(s) || hasAny(s, hanPhone) || hasAny(lower, latinPhone))
}

// manyDigits reports as many digits in a row as the shortest number has, with
// what people put between them.
func manyDigits(s string) bool {
	run := 0
	for i := range len(s) {
		switch c := s[i]; {
		case digit(c):
			if run++; run == 7 {
				return true
			}
		case c != '-' && c != ' ' && c != '(' && c != ')':
			run = 0
		}
	}
	return false
}

// formPhone reports a country code, or dashes where those of a mobile number are.
func formPhone(s string) bool {
	if hasAny(s, countryPhone) {
		return true
	}
	for i := len("1xx-xxxx"); i < len(s); i++ {
		if s[i] == '-' && s[i-5] == '-' && s[i-8] == '1' {
			return true
		}
	}
	return false
}

// phoneAlone reports whether no longer number, name or path goes on at the borders of
// a number.
func phoneAlone(s string, start, end int) bool {
	touches := func(c byte) bool { return isWord(c) && c < 0x80 || c == '_' }
	if start > 0 {
		if c := s[start-1]; touches(c) || c == '.' || c == '-' || c == '+' || c == '/' || c == '#' {
			return false
		}
	}
	if end == len(s) {
		return true
	}
	c := s[end]
	if touches(c) || c == '/' {
		return false
	}
	return c != '.' && c != '-' && c != ':' || end+1 == len(s) || !isWord(s[end+1])
}

// signed reports whether the plus before a number at start is that of a sum or of
// a line that was added, not that of a country code.
func signed(s string, start int) bool {
	before := strings.TrimRight(s[:start], " \t")
	if before == "" || strings.HasSuffix(before, "\n") {
		return !strings.HasPrefix(s[start:], "+86") && !strings.HasPrefix(s[start:], "+1 (") && !strings.HasPrefix(s[start:], "+1-")
	}
	return false
}

// phoneLength reports as many digits as telephone numbers have (E.164: at most
// 15, here with an access code and an extension).
func phoneLength(v string) bool {
	n := 0
	for i := range len(v) {
		if digit(v[i]) {
			n++
		}
	}
	return n >= 9 && n <= 19
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
