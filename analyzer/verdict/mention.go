package verdict

import (
	"slices"
	"strings"

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
	fits func(string) bool
	as   tone
}

func in(form string, as tone) manner {
	re := lazy.Regexp(form)
	return manner{func(s string) bool { return re().MatchString(s) }, as}
}

// fields are those of data sets and of rules that look for failures.
const fields = "prompt|query|question|answer|completion|generated_text|instruction|context|passage|document|pattern|expr|regex|example|sample|label|keyword|generated|decoded"

// before are the manners that what stands before the words shows. Where the
// words stand in quotation marks or brackets, it is looked at with and without
// the opening one.
var before = []manner{
	// Comments. The crash reports of a JVM, and banners of scripts, begin with the same sign, and go on in capitals.
	in(`^\s*#\s+(?:[a-z0-9("'\x60\p{Han}]|->)`, mentions),
	in(`^\s*#$`, mentions),
	in(`^\s*# [A-Z]`, doubtful),
	in(`^\s*(?://|;;|REM |<!--|/\*)`, mentions),
	in(`^\s*[\w.-]+\s*[:=]\s.*\s#\s`, mentions),
	in(`^\S.*\S\s{2,}#\s`, mentions),
	// It is not so.
	in(`(?i)(?:^|[\s(,;:])(?:no|without|never|neither|nor|instead of|rather than|free of|not (?:a|an|the|due to|because of|caused by|from))(?: (?:a|an|the|any|more|further|such|other))*(?: (?:raise|see|hit|get|throw)(?:s|ing|ting)?)?$`, mentions),
	in(`(?:未|没有?|不会?|不再|并非|不是|而非)再?(?:发现|出现|发生|检测到|检出|报|遇到|因为|由于)?$`, mentions),
	// It would be so.
	in(`(?i)\b(?:if|unless|whenever|in case(?: of)?) [^:]*$`, mentions),
	in(`(?i)\bwhen you (?:see|get)\b`, mentions),
	in(`(?i)\b(?:would|might|could|may)\s+(?:also |then |still |otherwise )?(?:be|have|raise|cause|fail|give|lead|hit|run|get|throw|see|trigger|result|produce|show|mean|die|end|crash|report|happen|yield)\b`, doubtful),
	in(`如果|假如|倘若|一旦|若(?:是|出现|报|遇)|例如|比如|譬如|^\W*提示[:：]`, mentions),
	in(`可能|也许|或许`, doubtful),
	// It was to be so.
	in(`(?i)\b(?:expect(?:ed|ing|s)?|should raise|must raise|deliberate(?:ly)?|on purpose)(?: an?| the| following)?(?: error| exception| failure| warning| message)?\s*:?$`, mentions),
	in(`(?i)\b(?:simulat(?:ed?|ing)|mock(?:ed)?|faked?)(?: an?| the)? (?:\w+ )?(?:failure|fault|error|crash|exception)\b|\b(?:fault|failure|error)[ _-]inject|\binject(?:ed|ing) (?:an? |the )?(?:fault|failure|error)|\b(?:simulated|injected|injecting)\s*:?$|\[chaos\]`, mentions),
	in(`(?:预期|模拟|演练|注入)的?(?:故障|错误|异常|报错|失败)|故障(?:注入|演练)|【演练】`, mentions),
	in(`pytest\.raises|assertRaises|assert_raises|::test_`, mentions),
	// It was so, or is kept from being so.
	in(`(?i)^\W*(?:[0-9a-f]{7,40} )?(?:\w+(?:\([\w-]+\))?!?: )?(?:fix(?:e[sd])?|avoid|prevent)\b[^:]*:?$`, mentions),
	in(`(?i)^\W*(?:re)?solved:?$|^[0-9a-f]{7,40} (?:catch|handle|report)\b[^:]*$`, mentions),
	in(`(?i)\b(?:to (?:avoid|prevent|reproduce)|avoids|prevents|avoiding|preventing|so that|(?:guards?|protects?) against)\b[^:]*:?$`, mentions),
	in(`(?i)\bprevious (?:failure|error|crash)(?: \w+){0,2}\s*:?$|\bprevious (?:run|attempt|job) (?:failed|died|crashed|ended)\b|上一?次(?:运行|训练|任务)?的?(?:失败|报错|错误|故障)|历史(?:报错|错误|故障)`, mentions),
	in(`(?i)\bbefore the fix\b|\bused to (?:fail|raise|crash|die|give)\b|\bruled out\b`, mentions),
	in(`(?i)^\W*(?:raises|throws|xfail(?:ed)?|skipped):?(?: test_\w+:?)?$|^\[skip(?:ped)?\]`, mentions),
	in(`(?i)^\W*known (?:failures|errors|error patterns|messages)\s*[:=]`, mentions),
	in(`(?i)^\W*(?:hint|tip|faq|known issues?|todo|fixme|troubleshooting)\s?[:：)\]]|^\W*(?:e\.g\.|for example)\W`, mentions),
	in(`(?:已知问题|常见(?:问题|报错|错误)|示例|样例|避免|防止|规避)[^失败错误]*$`, mentions),
	// It is looked for.
	in(`(?i)\b(?:pattern|signature|regexp?|expr)s?\b[^.;]{0,40}["'\x60/]$`, mentions),
	in(`(?i)\b(?:check(?:ing|s|ed)?|look(?:ing|s|ed)?|search(?:ing|es|ed)?|scan(?:ning|s|ned)?|watch(?:ing|es|ed)?|grep(?:ping)?) (?:results )?(?:for|whether)(?::?$|\s[^:]*$)`, mentions),
	in(`(?i)\b(?:ignor(?:e|es|ing)|suppress(?:es|ing)?|filter(?:s|ing)(?: out)?)\b(?: \w+){0,3}:?$`, doubtful),
	in(`(?i)\b(?:match|contains|on_\w+|stop_on|retry_on)["']?\s*[:=(]\s*(?:["'/]|raise )`, mentions),
	in(`(?:忽略|跳过)\W*$`, doubtful),
	in(`(?:检查是否|搜索|查找|匹配|过滤|忽略|关键字|正则)[^失败错误]*$`, mentions),
	// Data hold it.
	in(`(?i)["'](?:`+fields+`)s?["']\s*:\s*(?:[\["'({]*|["'][^"']*)$`, mentions),
	in(`(?i)(?:^|[\s({,])(?:`+fields+`)s?\s*[:=]\s*["'][^"']*$`, mentions),
	in(`^\s*(?:summary|description):\s*["'][^"']*$`, mentions),
	in(`["'](?:chosen|rejected|content|text|input|output)["']\s*:\s*["\[{][^"]*$`, doubtful),
	in(`(?i)^\s*(?:insert into \w|select .* from |values\s*\()`, mentions),
	in(`\bscore\s*[=:]\s*\d`, doubtful),
	in(`(?i)["'{,\s](?:input|target|pred(?:iction)?|reference|title|comment)["'\]]?\s*[:=]\s*["'({\[]+$`, doubtful),
	in(`^\d+\s{2,}$`, doubtful),
	// People write it: options of a help text, evidence of a report, lists, chats.
	in(`^\s*-{1,2}[a-z][\w-]*[ ,={<\[]`, mentions),
	in(`^\s*- \x60[^\x60]+:\d+\x60 `, mentions),
	in(`^\s*(?:[-*+]|\d+[.)]|#{1,6})\s[^\x60]*\x60[^\x60]*$`, mentions),
	in(`^\s*\d+[.、)]\s?.*[“"]$`, mentions),
	in(`^\s*\|.*\x60$`, mentions),
	in(`^\s*\S+\.(?:log|txt|out|err):\d+$`, doubtful),
	in(`^\[?\d{1,2}:\d{2}\]? \S{1,20}[:：]`, doubtful),
	in(`^(?:Q|A|问|答)\d{0,2}\s?[:：.]`, mentions),
	in(`^\s*<(?:li|blockquote|option)\b[^>]*>`, mentions),
	in(`^#\d{3,}$`, mentions),
	in(`^[+-]\s{3,}`, mentions),
}

// after are the manners that what stands behind the words shows.
var after = []manner{
	in(`(?i)\b(?:is|was) not (?:the|a|an) (?:problem|cause|issue|reason)\b`, mentions),
	in(`(?i)^["'”\x60]\s*(?:see|refer to|read)\s|^["'”\x60]?\s*(?:见|参见|参考)\s*http`, mentions),
	in(`^(?: \w+)?\s?[:：]\s?(?:无|正常|未发现|没有)\s*(?:$|[;；,，。])`, mentions),
	in(`不是(?:问题|原因|根因)`, mentions),
	in(`(?i)^["'\])]*(?:s|errors?|counts?)?["'\]]?\s*[:=]\s*0(?:[,;|}]|\s*$)`, mentions),
	in(`(?i)^s?(?: errors?)?\s{2,}0$|^s? errors? 0$`, mentions),
	in(`(?i)\.\.\.\s*(?:none|no|ok|not found|0|absent)$`, mentions),
	in(`(?:->|=>|:)\s*(?:raised|thrown|caught) as expected$|\bPASSED\b|\b(?:does|did|do|will|would|can) not (?:occur|happen)\b`, mentions),
	in(`(?i)\((?:known(?: to be)? harmless|harmless|expected|as expected|can be ignored)\)$`, mentions),
	in(`(?i)\((?:ignored|ignoring|optional|skipped|skipping|non-?fatal|not fatal|handled|retrying|will retry)\)$|（(?:已?忽略|已?跳过|可选|可忽略|不影响\p{Han}*)）$`, doubtful),
	in(`(?i) - (?:stack overflow|github|\w+ forums?|csdn\S*|知乎|博客园)$`, mentions),
	in(`\(#\d+\)$`, mentions),
	in(`(?i)[,;]\s*(?:so )?(?:ignor(?:ing|ed)|skipp(?:ing|ed)|continuing|falling back|non-?fatal|not fatal|using [^.]{1,40} instead)\b`, doubtful),
	in(`[,;，；（(]\s*(?:已?忽略|已?跳过|继续(?:训练|运行|执行)|不影响)`, doubtful),
	in(`了?吗\s*[?？]$|怎么(?:办|解决|处理)\s*[?？]?$`, doubtful),
}

var exceptionType = lazy.Regexp(`(?:[A-Za-z_][\w.]*\.)?\b[A-Z]\w*(?:Error|Exception|Interrupt|Iteration|Warning)\s?:\s`)

// toneOf says how a line speaks of the failure whose words a wording found in
// it. What an exception's own line says is its message.
func toneOf(text string, w *rules.Wording) tone {
	from, to := w.Extent(text)
	how := reports
	if at := exceptionType().FindStringIndex(text); at != nil && at[0] <= from {
		from = at[0]
		switch {
		case strings.HasSuffix(text[:from], " ("):
			how = caught
		case strings.HasSuffix(text[:from], "`"):
			how = doubtful
		}
	}
	lead := strings.TrimRight(text[:from], " ")
	bare := strings.TrimRight(lead, "\"'`“‘「( ")
	for _, m := range before {
		if m.as > how && (m.fits(lead) || bare != lead && m.fits(bare)) {
			how = m.as
		}
	}
	for _, m := range after {
		if m.as > how && m.fits(text[to:]) {
			how = m.as
		}
	}
	return how
}

// reference is the rule that reads how texts begin that describe failures: pages
// of help, lists of changes, samples of data and of generated text.
const reference = "sh-reference-text"

// referenceLines is how far such a text reaches at the most.
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
		if c.trace == nil {
			how = toneOf(c.event.Quote.Text, &c.event.Rule.Match[c.event.Wording])
		}
		if how < mentions {
			how = max(how, j.quoted(c), c.announced())
		}
		switch how {
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
	i := slices.IndexFunc(j.byRule[reference], func(o *scan.Event) bool {
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
