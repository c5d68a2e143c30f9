package verdict

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"hcloud-modelarts/analyzer/fold"
	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

// tone is how a line that has the words of a failure speaks of it.
type tone uint8

const (
	reports  tone = iota // it happened
	caught               // a program caught it and wrote it down: "could not read it (OSError: …)"
	doubtful             // it may be quoted, or guessed
	mentions             // it is quoted, described, denied or expected
)

// manner is a way in which lines speak of failures that they do not report.
type manner struct {
	form func() *regexp.Regexp
	as   tone
	may  func(string) bool // which all texts pass that have the form, at little cost
}

func in(form string, as tone, may func(string) bool) manner {
	return manner{lazy.Regexp(form), as, may}
}

func (m *manner) fits(s string) bool { return m.form().MatchString(s) }

// holds asks whether one of the words stands in a text, in any case.
func holds(words ...string) func(string) bool { return fold.Of(words...).In }

// has asks whether one of the characters stands in a text.
func has(chars string) func(string) bool {
	return func(s string) bool { return strings.ContainsAny(s, chars) }
}

// begins asks whether a text begins with one of the characters, behind blanks.
func begins(chars string) func(string) bool {
	return func(s string) bool {
		r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, "\t\n\f\r "))
		return strings.ContainsRune(chars, r)
	}
}

// fields are those of data sets and of rules that look for failures.
const fields = "prompt|query|question|answer|completion|generated_text|instruction|context|passage|document|pattern|expr|regex|example|sample|label|keyword|generated|decoded"

// before are the manners that what stands before the words shows. Where the
// words stand in quotation marks or brackets, it is looked at with and without
// the opening one.
var before = []manner{
	// Comments. The crash reports of a JVM, and banners of scripts, begin with the same sign, and go on in capitals.
	in(`^\s*#\s+(?:[a-z0-9("'\x60\p{Han}]|->)`, mentions, begins("#")),
	in(`^\s*#$`, mentions, begins("#")),
	in(`^\s*# [A-Z]`, doubtful, begins("#")),
	in(`^\s*(?://|;;|REM |<!--|/\*)`, mentions, begins("/;R<")),
	in(`^\s*[\w.-]+\s*[:=]\s.*\s#\s`, mentions, has("#")),
	in(`^\S.*\S\s{2,}#\s`, mentions, has("#")),
	// It is not so.
	in(`(?i)(?:^|[\s(,;:])(?:no|without|never|neither|nor|instead of|rather than|free of|not (?:a|an|the|due to|because of|caused by|from))(?: (?:a|an|the|any|more|further|such|other))*(?: (?:raise|see|hit|get|throw)(?:s|ing|ting)?)?$`, mentions, holds("no", "without", "never", "neither", "instead of", "rather than", "free of")),
	in(`(?:未|没有?|不会?|不再|并非|不是|而非)再?(?:发现|出现|发生|检测到|检出|报|遇到|因为|由于)?$`, mentions, holds("未", "没", "不", "非")),
	// It would be so.
	in(`(?i)\b(?:if|unless|whenever|in case(?: of)?) [^:]*$`, mentions, holds("if ", "unless ", "whenever ", "in case")),
	in(`(?i)\bwhen you (?:see|get)\b`, mentions, holds("when you ")),
	in(`(?i)\b(?:would|might|could|may)\s+(?:also |then |still |otherwise )?(?:be|have|raise|cause|fail|give|lead|hit|run|get|throw|see|trigger|result|produce|show|mean|die|end|crash|report|happen|yield)\b`, doubtful, holds("would", "might", "could", "may")),
	in(`如果|假如|倘若|一旦|若(?:是|出现|报|遇)|例如|比如|譬如|^\W*提示[:：]`, mentions, holds("如", "若", "一旦", "提示")),
	in(`可能|也许|或许`, doubtful, holds("可能", "许")),
	// It was to be so.
	in(`(?i)\b(?:expect(?:ed|ing|s)?|should raise|must raise|deliberate(?:ly)?|on purpose)(?: an?| the| following)?(?: error| exception| failure| warning| message)?\s*:?$`, mentions, holds("expect", "should raise", "must raise", "deliberate", "on purpose")),
	in(`(?i)\b(?:simulat(?:ed?|ing)|mock(?:ed)?|faked?)(?: an?| the)? (?:\w+ )?(?:failure|fault|error|crash|exception)\b|\b(?:fault|failure|error)[ _-]inject|\binject(?:ed|ing) (?:an? |the )?(?:fault|failure|error)|\b(?:simulated|injected|injecting)\s*:?$|\[chaos\]`, mentions, holds("simulat", "mock", "fake", "inject", "[chaos]")),
	in(`(?:预期|模拟|演练|注入)的?(?:故障|错误|异常|报错|失败)|故障(?:注入|演练)|【演练】`, mentions, holds("预期", "模拟", "演练", "注入")),
	in(`pytest\.raises|assertRaises|assert_raises|::test_`, mentions, holds("raises", "::test_")),
	// It was so, or is kept from being so.
	in(`(?i)^\W*(?:[0-9a-f]{7,40} )?(?:\w+(?:\([\w-]+\))?!?: )?(?:fix(?:e[sd])?|avoid|prevent)\b[^:]*:?$`, mentions, holds("fix", "avoid", "prevent")),
	in(`(?i)^\W*(?:re)?solved:?$|^[0-9a-f]{7,40} (?:catch|handle|report)\b[^:]*$`, mentions, holds("solved", "catch", "handle", "report")),
	in(`(?i)\b(?:to (?:avoid|prevent|reproduce)|avoids|prevents|avoiding|preventing|so that|(?:guards?|protects?) against)\b[^:]*:?$`, mentions, holds("avoid", "prevent", "to reproduce", "so that", "against")),
	in(`(?i)\bprevious (?:failure|error|crash)(?: \w+){0,2}\s*:?$|\bprevious (?:run|attempt|job) (?:failed|died|crashed|ended)\b|上一?次(?:运行|训练|任务)?的?(?:失败|报错|错误|故障)|历史(?:报错|错误|故障)`, mentions, holds("previous ", "次", "历史")),
	in(`(?i)\bbefore the fix\b|\bused to (?:fail|raise|crash|die|give)\b|\bruled out\b`, mentions, holds("before the fix", "used to", "ruled out")),
	in(`(?i)^\W*(?:raises|throws|xfail(?:ed)?|skipped):?(?: test_\w+:?)?$|^\[skip(?:ped)?\]`, mentions, holds("raises", "throws", "xfail", "skip")),
	in(`(?i)^\W*known (?:failures|errors|error patterns|messages)\s*[:=]`, mentions, holds("known ")),
	in(`(?i)^\W*(?:hint|tip|faq|known issues?|todo|fixme|troubleshooting)\s?[:：)\]]|^\W*(?:e\.g\.|for example)\W`, mentions, holds("hint", "tip", "faq", "known issue", "todo", "fixme", "troubleshooting", "e.g.", "for example")),
	in(`(?:已知问题|常见(?:问题|报错|错误)|示例|样例|避免|防止|规避)[^失败错误]*$`, mentions, holds("已知问题", "常见", "例", "避", "防止")),
	// It is looked for.
	in(`(?i)\b(?:pattern|signature|regexp?|expr)s?\b[^.;]{0,40}["'\x60/]$`, mentions, holds("pattern", "signature", "regex", "expr")),
	in(`(?i)\b(?:check(?:ing|s|ed)?|look(?:ing|s|ed)?|search(?:ing|es|ed)?|scan(?:ning|s|ned)?|watch(?:ing|es|ed)?|grep(?:ping)?) (?:results )?(?:for|whether)(?::?$|\s[^:]*$)`, mentions, holds("check", "look", "search", "scan", "watch", "grep")),
	in(`(?i)\b(?:ignor(?:e|es|ing)|suppress(?:es|ing)?|filter(?:s|ing)(?: out)?)\b(?: \w+){0,3}:?$`, doubtful, holds("ignor", "suppress", "filter")),
	in(`(?i)\b(?:match|contains|on_\w+|stop_on|retry_on)["']?\s*[:=(]\s*(?:["'/]|raise )`, mentions, holds("match", "contains", "on_", "_on")),
	in(`(?:忽略|跳过)\W*$`, doubtful, holds("忽略", "跳过")),
	in(`(?:检查是否|搜索|查找|匹配|过滤|忽略|关键字|正则)[^失败错误]*$`, mentions, holds("检查是否", "搜索", "查找", "匹配", "过滤", "忽略", "关键字", "正则")),
	// Data hold it.
	in(`(?i)["'](?:`+fields+`)s?["']\s*:\s*(?:[\["'({]*|["'][^"']*)$`, mentions, has(`"'`)),
	in(`(?i)(?:^|[\s({,])(?:`+fields+`)s?\s*[:=]\s*["'][^"']*$`, mentions, has(`"'`)),
	in(`^\s*(?:summary|description):\s*["'][^"']*$`, mentions, holds("summary:", "description:")),
	in(`["'](?:chosen|rejected|content|text|input|output)["']\s*:\s*["\[{][^"]*$`, doubtful, has(`"'`)),
	in(`(?i)^\s*(?:insert into \w|select .* from |values\s*\()`, mentions, holds("insert into ", "select ", "values")),
	in(`\bscore\s*[=:]\s*\d`, doubtful, holds("score")),
	in(`(?i)["'{,\s](?:input|target|pred(?:iction)?|reference|title|comment)["'\]]?\s*[:=]\s*["'({\[]+$`, doubtful, holds("input", "target", "pred", "reference", "title", "comment")),
	in(`^\d+\s{2,}$`, doubtful, begins("0123456789")),
	// People write it: options of a help text, evidence of a report, lists, chats.
	in(`^\s*-{1,2}[a-z][\w-]*[ ,={<\[]`, mentions, begins("-")),
	in(`^\s*- \x60[^\x60]+:\d+\x60 `, mentions, begins("-")),
	in(`^\s*(?:[-*+]|\d+[.)]|#{1,6})\s[^\x60]*\x60[^\x60]*$`, mentions, has("`")),
	in(`^\s*\d+[.、)]\s?.*[“"]$`, mentions, has(`"“`)),
	in(`^\s*\|.*\x60$`, mentions, begins("|")),
	in(`^\s*\S+\.(?:log|txt|out|err):\d+$`, doubtful, holds(".log:", ".txt:", ".out:", ".err:")),
	in(`^\[?\d{1,2}:\d{2}\]? \S{1,20}[:：]`, doubtful, begins("[0123456789")),
	in(`^(?:Q|A|问|答)\d{0,2}\s?[:：.]`, mentions, begins("QA问答")),
	in(`^\s*<(?:li|blockquote|option)\b[^>]*>`, mentions, begins("<")),
	in(`^#\d{3,}$`, mentions, begins("#")),
	in(`^[+-]\s{3,}`, mentions, begins("+-")),
}

// after are the manners that what stands behind the words shows.
var after = []manner{
	in(`(?i)\b(?:is|was) not (?:the|a|an) (?:problem|cause|issue|reason)\b`, mentions, holds("s not ")),
	in(`(?i)^["'”\x60]\s*(?:see|refer to|read)\s|^["'”\x60]?\s*(?:见|参见|参考)\s*http`, mentions, holds("see", "refer to", "read", "http")),
	in(`^(?: \w+)?\s?[:：]\s?(?:无|正常|未发现|没有)\s*(?:$|[;；,，。])`, mentions, holds("无", "正常", "未发现", "没有")),
	in(`不是(?:问题|原因|根因)`, mentions, holds("不是")),
	in(`(?i)^["'\])]*(?:s|errors?|counts?)?["'\]]?\s*[:=]\s*0(?:[,;|}]|\s*$)`, mentions, has("0")),
	in(`(?i)^s?(?: errors?)?\s{2,}0$|^s? errors? 0$`, mentions, has("0")),
	in(`(?i)\.\.\.\s*(?:none|no|ok|not found|0|absent)$`, mentions, holds("...")),
	in(`(?:->|=>|:)\s*(?:raised|thrown|caught) as expected$|\bPASSED\b|\b(?:does|did|do|will|would|can) not (?:occur|happen)\b`, mentions, holds("as expected", "passed", " not ")),
	in(`(?i)\((?:known(?: to be)? harmless|harmless|expected|as expected|can be ignored)\)$`, mentions, holds("harmless", "expected", "can be ignored")),
	in(`(?i)\((?:ignored|ignoring|optional|skipped|skipping|non-?fatal|not fatal|handled|retrying|will retry)\)$|（(?:已?忽略|已?跳过|可选|可忽略|不影响\p{Han}*)）$`, doubtful, holds("ignor", "optional", "skip", "fatal", "handled", "retry", "忽略", "跳过", "可选", "不影响")),
	in(`(?i) - (?:stack overflow|github|\w+ forums?|csdn\S*|知乎|博客园)$`, mentions, holds(" - ")),
	in(`\(#\d+\)$`, mentions, holds("(#")),
	in(`(?i)[,;]\s*(?:so )?(?:ignor(?:ing|ed)|skipp(?:ing|ed)|continuing|falling back|non-?fatal|not fatal|using [^.]{1,40} instead)\b`, doubtful, holds("ignor", "skipp", "continuing", "falling back", "fatal", "using ")),
	in(`[,;，；（(]\s*(?:已?忽略|已?跳过|继续(?:训练|运行|执行)|不影响)`, doubtful, holds("忽略", "跳过", "继续", "不影响")),
	in(`了?吗\s*[?？]$|怎么(?:办|解决|处理)\s*[?？]?$`, doubtful, holds("吗", "怎么")),
}

var exceptionType = lazy.Regexp(`(?:[A-Za-z_][\w.]*\.)?\b[A-Z]\w*(?:Error|Exception|Interrupt|Iteration|Warning)\s?:\s`)

// exceptionWords are how the names end that exceptionType knows.
var exceptionWords = fold.Of("Error", "Exception", "Interrupt", "Iteration", "Warning")

// toneOf says how a line speaks of the failure whose words a wording found in
// it. What an exception's own line says is its message.
func toneOf(text string, w *rules.Wording) tone {
	from, to := w.Extent(text)
	how := reports
	if exceptionWords.In(text) {
		if at := exceptionType().FindStringIndex(text); at != nil && at[0] <= from {
			from = at[0]
			switch {
			case strings.HasSuffix(text[:from], " ("):
				how = caught
			case strings.HasSuffix(text[:from], "`"):
				how = doubtful
			}
		}
	}
	lead, rest := outer(strings.TrimRight(text[:from], " ")), outer(text[to:])
	bare := strings.TrimRight(lead, "\"'`“‘「( ")
	for _, m := range before {
		if m.as > how && m.may(lead) && (m.fits(lead) || m.fits(bare)) { // what may not fit the whole fits no beginning of it
			how = m.as
		}
	}
	for _, m := range after {
		if m.as > how && m.may(rest) && m.fits(rest) {
			how = m.as
		}
	}
	return how
}

// mostAround is how many bytes of what stands before or behind the words of a failure
// tell how the line speaks of it: a sentence is shorter.
const mostAround = 16 << 10

// outer leaves the middle out of a text that is longer.
func outer(s string) string {
	if len(s) <= mostAround {
		return s
	}
	head, tail := mostAround/2, len(s)-mostAround/2
	for head > 0 && !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return s[:head] + " … " + s[tail:]
}

// referenceLines is how far a text that describes failures reaches at the most.
const referenceLines = 100

// heard puts out what only mentions a failure, and leaves to everything else
// what may only mention it.
func (j *judge) heard() {
	for _, c := range j.all {
		q := c.event.Quote
		if q.Kind != source.Log && !(q.Kind == source.Ticket && j.quoted(c) == mentions) || c.tier == echo {
			continue
		}
		how := reports
		if c.trace == nil && !c.event.LastWords { // which were read as a message from their first word on
			how = toneOf(c.event.Quote.Text, &c.event.Rule.Match[c.event.Wording])
		}
		switch how = max(how, j.quoted(c), c.announced()); how {
		case mentions:
			c.out("mentioned", nil)
		case doubtful:
			c.tier = hearsay
		case caught:
			c.tier = max(c.tier, weak)
		}
	}
}

// quoted says how the text that a candidate stands in speaks of it: below the
// beginning of a text of reference, without the time or level of a log, before
// any step, it is perhaps only quoted, and surely where no log was handed in but
// a page. A traceback that ended its program has nothing of the text behind it,
// and what is no exception was not put into words by Python.
func (j *judge) quoted(c *candidate) tone {
	q := c.event.Quote
	page := q.Doc.Kind == source.Ticket
	ended := c.trace != nil && c.event.Calm.Seq == 0 || c.trace == nil && !rules.IsException(strings.TrimSpace(q.Text))
	if !q.Time.IsZero() || q.Level != "" || ended && !page {
		return reports
	}
	i := slices.IndexFunc(j.told[rules.Reference], func(o *scan.Event) bool {
		n := c.event.Seq - o.Seq
		return o.Stream == c.event.Stream && 0 < n && n <= referenceLines && !steps(o.Stream, o.Seq, c.event.Seq)
	})
	switch {
	case i < 0:
		return reports
	case page:
		return mentions
	}
	return doubtful
}

// steps reports whether a stream made progress between two of its lines.
func steps(s *scan.Stream, from, to int) bool {
	return slices.ContainsFunc(s.Progress, func(m scan.Mark) bool { return from < m.Seq && m.Seq < to })
}

var (
	example = lazy.Regexp(`(?i)\b(?:following|for example|e\.g\.|example|looks? like|prompt|answer|completion)\b[^.]*:$`)
	loud    = lazy.Regexp(`(?i)error|fail|exception|crash|报错|错误|失败|异常`)
)

// announced says how the line above a traceback speaks of it: as of an example,
// when the text goes on behind it.
func (c *candidate) announced() tone {
	if c.trace == nil || c.event.Calm.Seq == 0 {
		return reports
	}
	above := strings.TrimSpace(c.trace.Above)
	if example().MatchString(above) && !loud().MatchString(above) {
		return doubtful
	}
	return reports
}
