package report

import (
	"slices"
	"strings"

	"hcloud-modelarts/analyzer/lazy"
)

// opened is a quote that may stand before a value; within a text of JSON with
// backslashes.
const opened = `\\?["']?`

// spokenMasks hide secrets that stand behind a blank, a flag or a word rather
// than a plain assignment: in command lines, in .netrc, and in sentences.
func spokenMasks(put putter) []mask {
	return []mask{
		{hasFold("cookie:"), replace(`(?i)(\b(?:set-)?cookie:[ \t]*)([^\s=;"']+=[^\r\n"']+)()`, put)},
		{has("--"), maskFlags(put)},
		{hasFold("curl"), maskTexts(`\bcurl\b[^\n]*?\s(?:-u|--user)[ =]?`+quote+`[^\s:"']+:()`, put)},
		{hasFold("sshpass"), maskTexts(`\bsshpass\s+-p\s*`+quote+`()`, put)},
		// Two, for the quote behind "-p" may close one before the command.
		{hasFold("mysql"), maskTexts(mysql+`(\\*)(["'])()[^\s,.:;)\]}]`, put)},
		{hasFold("mysql"), maskTexts(mysql+`()()\\*["']?()`, put)},
		// Three, for each hides one value of a command, and a command has all three.
		{hasFold("obsutil"), maskTexts(`\bobsutil\b[^\n]*?\s-i[= ]`+quote+`()`, put)},
		{hasFold("obsutil"), maskTexts(`\bobsutil\b[^\n]*?\s-k[= ]`+quote+`()`, put)},
		{hasFold("obsutil"), maskTexts(`\bobsutil\b[^\n]*?\s-t[= ]`+quote+`()`, put)},
		{hasFold("login "), replace(`(\b(?:wandb|swanlab|modelscope|huggingface-cli|hf)\s+(?:auth\s+)?login\s+(?:--relogin\s+|-k\s+)?`+opened+`)([A-Za-z0-9_-]{20,})()`, put)},
		{hasFold("env(", "environ.get(", "setdefault("), maskTexts(`(?i)(?:[sg]etenv|putenv|environ\.get|setdefault)\(\s*\\*["'](?:[a-z0-9]+_)*(?:password|passwd|pwd|secret|secret_?key|access_?key(?:_?id)?|api_?key|token|ak|sk)\\*["']\s*,\s*(\\*)(["'])()`, put)},
		{has("</"), replace(`(?i)(<(?:[a-z0-9]+[:_-])*(?:password|passwd|secret|secret_?(?:access_?)?key|access_?key(?:_?id)?|api_?key|auth_?token)>)([^<\s]+)(</)`, put)},
		{has("machine "), replace(`(\bmachine\s+\S+\s+login\s+\S+\s+password\s+)(\S+)()`, put)},
		{hasFold("password", "passwd", "passphrase", "密码", "口令", "密钥", "令牌", "授权码"), maskSentence(put)},
		{hasFold("authorization"), maskTexts(`(?i)\bauthorization\\*["']?\s*[:=]\s*`+quote+`(?:bearer|basic|token|apikey)\s+()[^\s"',;]{4}`, put)},
		{hasFold("cookie"), replace(`(?i)(\bcookies?\\?["']?\s*[:=]\s*\{)([^{}\n]+)(\})`, put)},
		{has("@tcp("), replace(`(\b[\w.-]+:)([^\s:@/"']+)(@tcp\()`, put)},
		{has("jdbc:oracle:"), replace(`(jdbc:oracle:\w+:[\w$.-]+/)([^\s@"']+)(@)`, put)},
		{hasFold("%3d"), replace(`(?i)((?:token|password|secret|signature|api_?key|access_?key)%3D)([^%&\s"']{4,})()`, put)},
		{func(s, _ string) bool { return hasAny(s, []string{"', '", `", "`, `", \"`}) }, maskListed(put)},
	}
}

const mysql = `\bmysql(?:dump|admin|import|show)?\s(?:[^\n|;]*?\s)?-p`

// quote is one that may stand before a value, and its backslashes.
const quote = `(\\*)(["']?)`

// maskTexts hides the value that begins at the third group of an expression: up to
// what closes the quote of the first two, or to a blank or quote where these are empty.
func maskTexts(expr string, put putter) func(string) string {
	head := lazy.Regexp(expr)
	return func(s string) string {
		var parts []part
		for _, m := range head().FindAllStringSubmatchIndex(s, -1) {
			v := wordAt(s, m[6])
			if m[4] < m[5] {
				v.end = max(v.end, textAt(s, m[2], s[m[2]:m[3]], s[m[4]:m[5]]).end)
			}
			if !placeholder(s[v.start:v.end]) {
				parts = append(parts, v)
			}
		}
		return hideParts(s, parts, Secret, put)
	}
}

// wordAt gives what stands at i up to a blank or a quote with its backslashes.
func wordAt(s string, i int) part {
	word := s[i:]
	if end := strings.IndexAny(word, " \t\r\n\"'"); end >= 0 {
		word = strings.TrimRight(word[:end], `\`)
	}
	return part{i, i + len(word)}
}

// maskFlags hides the value of a flag ("--db-password V", "--token=V").
func maskFlags(put putter) func(string) string {
	flag := lazy.Regexp(`(?i)(--(?:[A-Z0-9]+[_-])*(?:[A-Z0-9]*password|passwd|passphrase|pass|pwd|secret|secret[_-]?key|secret[_-]?access[_-]?key|access[_-]?key(?:[_-]?id)?|api[_-]?key|private[_-]?key|(?:access|auth|hf|my)?token|ak|sk)(?:[ \t]+(?:\\+\r?(?:\n|n)[ \t]*)?|=))(\\?(?:"[^"\n]*"|'[^'\n]*')|[^\s"',;)\]}]+)`)
	return func(s string) string {
		return replaceValue(s, flag(), put, func(key, value, _ string) bool {
			v := strings.Trim(value, `\"'`)
			name := keyName(key)
			counts := strings.HasSuffix(strings.ToLower(name), "token") && number(v)
			return !placeholder(v) && !strings.HasPrefix(v, "-") && !plainWord(v) && !metavar(v) && !ofTokenizer(name) && !counts
		})
	}
}

// maskListed hides the value behind a flag or a name in a list of arguments
// ("['--secret_key', 'V']"). Names stand in lists of names, too, so the value has
// to look like one.
func maskListed(put putter) func(string) string {
	listed := lazy.Regexp(`(?i)(["']-{0,2}(?:[A-Z0-9]+[_-])*(?:password|passwd|secret|secret[_-]?key|access[_-]?key|api[_-]?key|(?:access|auth|hf)[_-]?token)\\?["'], \\?["'])([^"'\n]{8,})`)
	return func(s string) string {
		return replaceValue(s, listed(), put, func(_, value, _ string) bool { return mixed(value) && !placeholder(value) })
	}
}

// maskSentence hides the value that a sentence tells ("the password is V").
func maskSentence(put putter) func(string) string {
	english := lazy.Regexp(`(?i)(\b(?:password|passwd|passphrase)(?:[ \t]+(?:is|was)[ \t]+|[ \t]*[＝：][ \t]*|[ \t]+)` + opened + `)([^\s"',;]{4,})`)
	chinese := lazy.Regexp(`((?:密码|口令|密钥|令牌|授权码)\\?["']?[ \t]*(?:是|为|[:=：＝【])[ \t]*` + opened + `)([!-~]{4,})`)
	return func(s string) string {
		s = replaceValue(s, english(), put, func(_, value, _ string) bool {
			v := strings.TrimRight(value, ".!?")
			return !placeholder(v) && strings.ContainsAny(v, "0123456789") && strings.ContainsFunc(v, letter) && !strings.ContainsAny(v, "/:=()[]")
		})
		return replaceValue(s, chinese(), put, func(_, value, _ string) bool {
			return !placeholder(value) && !plainWord(value) && !strings.Contains(value, "://") && value[0] != '/' && strings.ContainsFunc(value, letterOrDigit)
		})
	}
}

func letter(c rune) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

func letterOrDigit(c rune) bool { return letter(c) || '0' <= c && c <= '9' }

// plainWords are words that follow the name of a flag or of a password in a
// sentence about it.
var plainWords = strings.Fields(`a an and are argument arguments as at be been but by can cannot could does error expected expired
	failed field flag for from has have if in incorrect instead invalid is it may missing must need needs not of on option or
	parameter required requires set should so that the then this to unset use using value via was when which will with without wrong`)

func plainWord(v string) bool {
	return slices.Contains(plainWords, strings.ToLower(strings.TrimRight(v, ".:!?")))
}

// metavar reports what stands for a value in the usage of a program.
func metavar(v string) bool {
	return !strings.ContainsFunc(v, func(c rune) bool { return c != '_' && (c < 'A' || c > 'Z') })
}

// keyName gives the name in what stands before a value.
func keyName(key string) string {
	key = strings.TrimRight(key, " \t\"'\\:=>")
	i := strings.LastIndexFunc(key, func(c rune) bool { return c != '_' && c != '-' && !letterOrDigit(c) })
	return strings.TrimLeft(key[i+1:], "-_")
}

// tokenWords say before "token" that it is one of a text and no secret.
var tokenWords = strings.Fields(`added additional answer assistant audio begin begin_of_text blank bos box cls context cur current decoder
	decoder_start dummy end end_of_text eod eos eot expert first fim ignore im image img input invalid last mask max min new next num
	observation output pad padding patch per prefix prompt response role sep separator sequence special start stop suffix system
	target think tool unexpected unk unknown video vision vocab`)

// ofTokenizer reports a name such as "pad_token".
func ofTokenizer(name string) bool {
	name = strings.ToLower(strings.ReplaceAll(name, "-", "_"))
	head, ok := strings.CutSuffix(name, "_token")
	return ok && (slices.Contains(tokenWords, head) || slices.Contains(tokenWords, head[strings.LastIndexByte(head, '_')+1:]))
}

// maskNamed hides values whose name mostly, but not always, is that of a secret:
// the value has to fit as well.
func maskNamed(put putter) func(string) string {
	named := lazy.Regexp(`(?i)((?:^|[^A-Za-z0-9_])(?:[A-Za-z0-9]+[_-])*(?:[A-Za-z0-9]*password|pass|pwd|pw|token|ak|sk|credentials?)` + assign + `)` + given)
	return func(s string) string {
		return onLines(s, assigns, func(s string) string { return replaceValue(s, named(), put, namedValue) })
	}
}

// accountWords say before "pass" that it is a password.
var accountWords = strings.Fields("admin auth cert db es ftp http https kafka key ldap login mail mongo my mysql obs pg postgres proxy rabbitmq redis root smtp ssh ssl sudo swr user")

func namedValue(key, value, after string) bool {
	v, name := strings.Trim(value, `\"'`), keyName(key)
	if placeholder(v) || strings.HasPrefix(v, "/") || strings.HasPrefix(v, "~") || strings.HasPrefix(v, ".") || number(v) {
		return false
	}
	sentence := strings.HasSuffix(key, " ") && v == value && strings.HasPrefix(after, " ") && !mixed(v)
	if sentence || strings.HasSuffix(v, "(") {
		return false
	}
	environment := name == strings.ToUpper(name) && strings.ContainsAny(name, "_")
	low := strings.ToLower(strings.ReplaceAll(name, "-", "_"))
	switch head, _ := cutLast(low); {
	case strings.HasSuffix(low, "password"):
		return true
	case strings.HasSuffix(low, "pwd"), low == "pw", strings.HasSuffix(low, "_pw"):
		return len(v) >= 4
	case (low == "pass" || low == "token") && (random(v) || varied(v)):
		return true
	case strings.HasSuffix(low, "pass"):
		return slices.Contains(accountWords, head) || environment && mixed(v)
	case ofTokenizer(name):
		return false
	case strings.HasSuffix(low, "_sk"), strings.HasSuffix(low, "_ak"):
		return environment && len(v) >= 8
	case low == "ak", low == "sk", strings.HasPrefix(low, "credential"):
		return mixed(v) && len(v) >= 6 && !strings.Contains(v, ".")
	case environment:
		return len(v) >= 4
	case head != "":
		return mixed(v) && len(v) >= 8
	}
	return v != value && mixed(v) && len(v) >= 10 // quoted
}

// cutLast gives the word before the last of a name ("db" of "my_db_pass").
func cutLast(name string) (head, last string) {
	words := strings.Split(name, "_")
	if len(words) < 2 {
		return "", name
	}
	return words[len(words)-2], words[len(words)-1]
}

// mixed reports letters with digits, without the breaks of paths and names.
func mixed(v string) bool {
	return strings.ContainsAny(v, "0123456789") && strings.ContainsFunc(v, letter) && !strings.ContainsAny(v, "/:<>()[]{}|")
}

// varied reports capitals, small letters and digits together, as names and
// measures seldom have them.
func varied(v string) bool {
	return len(v) >= 9 && mixed(v) && strings.ToUpper(v) != v && strings.ToLower(v) != v
}

func number(v string) bool {
	return !strings.ContainsFunc(v, func(c rune) bool { return !strings.ContainsRune("0123456789.,eE+-%", c) }) && len(v) < 6
}
