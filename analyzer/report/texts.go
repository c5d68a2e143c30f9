package report

import (
	"fmt"
	"strings"

	"hcloud-modelarts/analyzer/rules"
)

// text is a fixed text in both languages.
type text = rules.Text

// The fixed texts of a report. The headings and the sentence of an undecided
// report are read by programs: they never change within a schema.
var (
	headConclusion = text{ZH: "诊断结论", EN: "Conclusion"}
	headCause      = text{ZH: "根因", EN: "Root cause"}
	headEvidence   = text{ZH: "证据", EN: "Evidence"}
	headCollected  = text{ZH: "已收集信息", EN: "Collected information"}
	headFixes      = text{ZH: "修复建议", EN: "Fixes"}
	headOption     = text{ZH: "方案", EN: "Option"}
	headNext       = text{ZH: "后续步骤", EN: "Next steps"}

	cellItem     = text{ZH: "项目", EN: "Item"}
	cellValue    = text{ZH: "值", EN: "Value"}
	cellJob      = text{ZH: "任务", EN: "Job"}
	cellPhase    = text{ZH: "当前状态", EN: "Current state"}
	cellSeverity = text{ZH: "故障级别", EN: "Severity"}
	cellKey      = text{ZH: "关键信息", EN: "Key information"}

	severities = map[Severity]text{
		Fault:        {ZH: "Fault", EN: "Fault"},
		Abnormal:     {ZH: "Abnormal", EN: "Abnormal"},
		Suspected:    {ZH: "疑似异常", EN: "Suspected"},
		Insufficient: {ZH: "疑似异常（信息不足）", EN: "Suspected (insufficient information)"},
		Normal:       {ZH: "正常", EN: "Normal"},
	}

	// Undecided is the sentence of a report that names no cause.
	Undecided = text{ZH: "当前信息不足以确定根因", EN: "The information at hand does not determine the root cause"}

	likely     = text{ZH: "最可能的原因：", EN: "Most likely: "}
	suggestion = text{ZH: "（建议，可尝试）", EN: " (a suggestion to try)"}
	attempt    = text{ZH: "可尝试以下操作", EN: "Steps to try"}
	confidence = text{ZH: "（置信度：%s）", EN: " (confidence: %s)"}
	readOnly   = text{ZH: "注意：以上操作涉及只读查询", EN: "Note: these steps only read"}
	needsYou   = text{ZH: "注意：以上操作涉及需要用户确认后手动执行的变更", EN: "Note: these steps make changes that you confirm and carry out yourself"}

	lineOfField = text{ZH: "第 %d 行", EN: "line %d"}
	symptoms    = text{ZH: "由此引发的现象（不是根因）：", EN: "Set off by it (not the cause):"}
	others      = text{ZH: "尚未排除的其他可能：", EN: "Not ruled out:"}
	reasoning   = text{ZH: "判断过程：", EN: "How this was decided:"}
	orderedBy   = text{ZH: "先后顺序的依据：", EN: "The order of events rests on: "}
	doubted     = text{ZH: "未判为 HIGH 的原因：", EN: "Not HIGH, because "}
	aside       = text{ZH: "（%s）", EN: " (%s)"}
	opinion     = text{ZH: "平台自带的分析：", EN: "The platform's own analysis: "}
	agrees      = text{ZH: "与证据一致", EN: "the evidence agrees"}
	disagrees   = text{ZH: "与证据不一致", EN: "the evidence does not agree"}
	notes       = text{ZH: "读取说明：", EN: "About the input:"}
	nothing     = text{ZH: "（无）", EN: "(none)"}

	nothingToFix = text{ZH: "无需处理", EN: "Nothing to mend"}
	noFix        = text{ZH: "暂无通用的修复方案，请结合上述证据处理", EN: "There is no general fix; start from the evidence above"}
	afterFix     = text{ZH: "处理后重新提交作业，并确认同类报错不再出现", EN: "Submit the job again after the fix and check that the error does not return"}
	afterTry     = text{ZH: "尝试后重新提交作业；若仍失败，请保存完整日志再次诊断", EN: "Submit the job again after trying it; if it still fails, save the whole log and diagnose again"}
	nothingToDo  = text{ZH: "无需进一步操作", EN: "Nothing further to do"}
	collectMore  = text{ZH: "保存作业详情、事件与各节点的完整日志后再次诊断", EN: "Save the job's details, its events and the whole log of every node, and diagnose again"}
	verdictNames = map[string]text{"root": {ZH: "根因", EN: "root"}, "symptom": {ZH: "后果", EN: "consequence"}, "context": {ZH: "背景", EN: "context"}, "dropped": {ZH: "排除", EN: "dropped"}}
)

// causeName gives the name of a cause in a language, its id when it has none.
func causeName(id, lang string) string {
	if c, ok := rules.CauseOf(id); ok {
		return c.Name.In(lang)
	}
	return id
}

// noteTexts word the codes of source.Note; each %s takes the next argument.
var noteTexts = map[string]text{
	"missing":           {ZH: "文件不存在", EN: "does not exist"},
	"unreadable":        {ZH: "无法读取：%s", EN: "cannot be read: %s"},
	"damaged":           {ZH: "已损坏或不完整，只分析了可读的部分：%s", EN: "damaged or cut short, only what could be read was analysed: %s"},
	"empty":             {ZH: "文件为空", EN: "empty"},
	"changed":           {ZH: "读取期间被截断或改写，内容可能不完整；请待写入结束后重新保存再分析", EN: "cut or written anew while it was read, so that a part may be missing; save it again once nothing writes to it"},
	"binary":            {ZH: "不是文本，已跳过", EN: "not text, skipped"},
	"encrypted":         {ZH: "已加密，未读取；请用密码解压后再分析", EN: "encrypted, not read; unpack it with its password first"},
	"unsupported":       {ZH: "不支持这种压缩格式，未读取；请解压后再分析", EN: "packed in a way that is not supported, not read; unpack it first"},
	"link":              {ZH: "是链接，未跟随", EN: "a link, not followed"},
	"special":           {ZH: "是设备、管道或套接字，未读取", EN: "a device, pipe or socket, not read"},
	"outside":           {ZH: "归档中的原路径为 %s，指向归档之外；去掉越界部分后读取，不会写入磁盘", EN: "stored as %s, which points outside the archive; read under the rest of that path, nothing is written"},
	"duplicate":         {ZH: "归档中有多个名为 %s 的条目，已分别读取并编号", EN: "the archive holds %s more than once; each was read, under a number"},
	"more-link":         {ZH: "还有 %s 个链接，均未跟随", EN: "%s more links, not followed"},
	"more-special":      {ZH: "还有 %s 个设备、管道或套接字，均未读取", EN: "%s more devices, pipes or sockets, not read"},
	"more-outside":      {ZH: "还有 %s 个条目的路径指向归档之外，均按同样方式读取", EN: "%s more entries whose paths point outside the archive, read in the same way"},
	"more-notes":        {ZH: "另有 %s 条同类提示未列出", EN: "%s more notes of the same kinds are left out"},
	"more-duplicate":    {ZH: "还有 %s 个重名条目，均已编号读取", EN: "%s more entries with a name that came before, read under numbers"},
	"bad-json":          {ZH: "JSON 无效或不完整，没有可分析的内容；请重新保存该响应", EN: "not valid JSON or cut off, and nothing in it could be read; save the answer again"},
	"empty-json":        {ZH: "是没有内容的 JSON", EN: "JSON without content"},
	"no-answer":         {ZH: "是 JSON，但其中没有可识别的 ModelArts 响应", EN: "no answer of ModelArts was recognised in this JSON"},
	"cut-json":          {ZH: "JSON 不完整，只分析了已有部分", EN: "the JSON is cut off, what there is was analysed"},
	"empty-list":        {ZH: "%s 的响应是空列表", EN: "the answer of %s is an empty list"},
	"empty-jobs":        {ZH: "%s 的响应是空列表，没有符合条件的训练作业；请核对区域、项目、工作空间和筛选条件后重新查询", EN: "the answer of %s is an empty list, no training job fits: check the region, the project, the workspace and the filters, and ask again"},
	"mended-json":       {ZH: "JSON 有误，只分析了可读的部分；请重新保存该响应", EN: "the JSON is damaged, what could be read of it was analysed; save the answer again"},
	"bound-bytes":       {ZH: "达到总字节上限 %s，其余内容未读取（可用 --max-bytes 调整）", EN: "the bound of %s bytes is reached, the rest was not read (see --max-bytes)"},
	"bound-ratio":       {ZH: "解压后的内容超过文件大小的 %s 倍，其余内容未读取（确认无误后可用 --max-bytes 放宽）", EN: "it unpacks to more than %s times its size, the rest was not read (if that is right, see --max-bytes)"},
	"bound-entries":     {ZH: "达到文件数上限 %s，其余文件未读取（可用 --max-entries 调整）", EN: "the bound of %s files is reached, the rest was not read (see --max-entries)"},
	"bound-depth":       {ZH: "归档嵌套过深，未展开（可用 --max-depth 调整）", EN: "nested too deeply, not opened (see --max-depth)"},
	"bound-events":      {ZH: "报错过多，有 %s 处只计数、未参与判断；请按作业或节点分批分析", EN: "there are too many failures: %s were counted and not weighed; analyse the jobs or nodes by themselves"},
	"newest-first":      {ZH: "各行按时间从新到旧排列，已按时间先后顺序分析，行号仍为原文行号", EN: "its lines stand newest first; they were read oldest first, under the numbers that they have"},
	"newest-first-long": {ZH: "各行按时间从新到旧排列，但内容过长，未能调整顺序，结论可能有误：请按时间从旧到新重新导出", EN: "its lines stand newest first, and they are too many to be turned: they were read as they stand, which may mislead. Save them again oldest first"},
	"bound-tasks":       {ZH: "任务太多，有 %s 个任务的状态未保留（优先保留退出码非 0 的任务）", EN: "there are too many tasks: the states of %s are not held (those that exited with another code than 0 are held first)"},
	"bound-jobs":        {ZH: "作业太多，其中 %s 个未保留（优先保留失败的作业）；请分批分析", EN: "there are too many jobs: %s are not held (failed ones are held first); analyse them in parts"},
	"bound-items":       {ZH: "响应中的列表过长，有 %s 项（运行记录、故障恢复、运行阶段、监控指标、配额等）未保留（优先保留反映故障的项，其次是首尾各项）", EN: "lists of the answers are too long: %s items (runs, recoveries, stages, metrics, quotas) are not held; those that tell of a failure are held first, then those at both ends"},
	"bound-answers":     {ZH: "响应过多，其中 %s 份的信息未列入已收集信息（其中的作业状态和日志文本仍参与分析）", EN: "there are too many answers: what %s of them hold is not listed among what was collected; the states of jobs and the texts in them were analysed all the same"},
	"bound-streams":     {ZH: "日志太多，其中 %s 份没有发现任何已知现象，只扫描、未参与进程间比较；请按作业或节点分批分析", EN: "there are too many logs: %s in which nothing known was found were scanned, but not compared with the others; analyse the jobs or nodes by themselves"},
	"bound-line":        {ZH: "第 %s 行超过 %s 字节，超出部分未分析（可用 --max-line 调整）", EN: "line %s is longer than %s bytes, what lies beyond was not analysed (see --max-line)"},
	"bound-text":        {ZH: "第 %s 行开始的 JSON 中有文本或数字超过 %s 字节而没有换行，超出部分未分析（可用 --max-line 调整）", EN: "the JSON that begins on line %s holds a text of more than %s bytes without a line end, or as long a number; what lies beyond was not analysed (see --max-line)"},
	"bound-answer":      {ZH: "第 %s 行开始的 JSON 超过 %s 字节，无法整体解析，只分析了其中读到的部分", EN: "the JSON that begins on line %s is longer than %s bytes; it was not read as a whole, only what could be read of it was analysed"},
}

// NoteText words a note about the input. A code without a wording is shown as
// it is, with its arguments.
func NoteText(lang, code string, args []string) string {
	t, ok := noteTexts[code]
	if !ok {
		return strings.TrimSpace(code + " " + strings.Join(args, " "))
	}
	s := t.In(lang)
	values := make([]any, strings.Count(s, "%s"))
	for i := range values {
		values[i] = "?"
		if i < len(args) {
			values[i] = args[i]
			if code == "unreadable" || code == "damaged" {
				values[i] = SystemText(lang, args[i])
			}
		}
	}
	return fmt.Sprintf(s, values...)
}
