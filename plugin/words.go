package main

import (
	"archive/zip"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"regexp"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"hcloud-modelarts/analyzer/lazy"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/source"
	"hcloud-modelarts/corpus"
	"hcloud-modelarts/plugin/hcloud"
	"hcloud-modelarts/plugin/operations"
	"hcloud-modelarts/plugin/sdk"
	"hcloud-modelarts/plugin/standin"
	"hcloud-modelarts/plugin/triage"
)

// text is a text in both languages.
type text = rules.Text

// What the program says.
var (
	msgAbout = text{
		ZH: "离线诊断华为云 ModelArts 训练作业失败的根因：给出最先出错的一行日志、置信度和修复步骤。",
		EN: "Says offline why a Huawei Cloud ModelArts training job failed: the line that failed first, how sure that is, and what to do.",
	}
	msgExitCodes = text{
		ZH: `退出码：
  0    已给出报告
  1    无法给出报告：输入不可读、输出不可写、hcloud 出错或案例损坏；verify、rules lint、rules test 未通过。原因见标准错误
  2    命令行有误
  3    仅限 --exit-code：报告指出了故障
  4    仅限 --exit-code：信息不足，未能定位
  5    hcloud 没有有效凭证，或缺少权限（401、403），处理办法见标准错误
  130  被中断
`,
		EN: `Exit codes:
  0    a report was delivered
  1    no report: the input cannot be read, the output not written, hcloud failed
       or a case is damaged; or verify, rules lint or rules test found a fault;
       standard error says what
  2    the command line is wrong
  3    only with --exit-code: the report names a fault
  4    only with --exit-code: the information does not decide
  5    hcloud has no valid credentials, or a permission is missing (401, 403);
       standard error says what to do
  130  interrupted
`,
	}
	msgExamples    = text{ZH: "示例：", EN: "Examples:"}
	msgUsage       = text{ZH: `命令行有误：%s（用法见 "%s --help"）`, EN: `wrong command line: %s (see "%s --help")`}
	msgLangVar     = text{ZH: "环境变量 %s 只能是 zh 或 en，当前为 %q", EN: "the environment variable %s must be zh or en, not %q"}
	msgMore        = text{ZH: "；另有 %d 个", EN: "; and %d more"}
	msgAside       = text{ZH: "（%s）", EN: " (%s)"}
	msgSemicolon   = text{ZH: "；", EN: "; "}
	msgNegative    = text{ZH: "--max-entries 与 --max-depth 不能为负数", EN: "--max-entries and --max-depth must not be negative"}
	msgTemplate    = text{ZH: "--template 只用于 markdown 格式，不能与 --format %s 同用", EN: "--template is for the markdown form, not for --format %s"}
	msgWhyStrict   = text{ZH: "strict 模板没有推理过程一节，--why 不能与 --template strict 同用", EN: "the strict template has no place for the reasoning: --why is not for --template strict"}
	msgNoText      = text{ZH: "没有要解释的内容", EN: "there is nothing to explain"}
	msgReadState   = text{ZH: "无法读取 %q，删除它可以重新开始", EN: "cannot read %q, remove it to begin anew"}
	msgNoFault     = text{ZH: "--fault %q 应为 类型[@操作名][:次数]，类型有 %s", EN: "--fault %q should be KIND[@OPERATION][:TIMES], and the kinds are %s"}
	msgEndpoint    = text{ZH: "环境变量 %s 应为 https 地址，不能是 %q", EN: "the environment variable %s must be an https address, not %q"}
	msgEmptyValue  = text{ZH: "%s 的值不能为空：检查脚本中的变量是否已赋值", EN: "the value of %s must not be empty: see that the variables of the script are set"}
	msgNoPath      = text{ZH: "路径不能为空", EN: "a path must not be empty"}
	msgRulesDir    = text{ZH: "规则目录 %q 不是目录", EN: "the folder of rules %q is not a folder"}
	msgBadRules    = text{ZH: "目录 %q 中的规则有误", EN: "the rules in %q are wrong"}
	msgNoRules     = text{ZH: "目录 %q 中没有规则文件（*.yaml）", EN: "the folder %q holds no rule (*.yaml)"}
	msgNoRule      = text{ZH: `没有规则 %q，用 "hcloud-modelarts rules list" 查看全部规则`, EN: `there is no rule %q, see "hcloud-modelarts rules list"`}
	msgNoCause     = text{ZH: `没有根因 %q，用 "hcloud-modelarts rules list" 查看全部根因`, EN: `there is no cause %q, see "hcloud-modelarts rules list"`}
	msgHint        = text{ZH: "提示", EN: "hint"}
	msgFault       = text{ZH: "错误", EN: "fault"}
	msgHints       = text{ZH: "%d 条提示：%s（--hints 列出）", EN: "%d hints: %s (--hints lists them)"}
	msgWording     = text{ZH: "第 %d 个表述：", EN: "wording %d: "}
	msgLinted      = text{ZH: "检查了 %d 条规则：%d 个错误，%d 条提示", EN: "%d rules checked: %d faults, %d hints"}
	msgLintFaults  = text{ZH: "规则检查发现 %d 个错误，见上方输出", EN: "the rules have %d faults, see the output above"}
	msgNotMatched  = text{ZH: "未匹配自己的样例 %q", EN: "does not match its sample %q"}
	msgNearMatched = text{ZH: "匹配了不应匹配的近似样例 %q", EN: "matches its near miss %q"}
	msgBeaten      = text{ZH: "匹配，但规则 %s 更具体，由它给出结论：%q", EN: "matches, but the rule %s says more and decides: %q"}
	msgTested      = text{ZH: "测试了 %d 条规则、%d 条样例：%d 条不符，%d 条由其他规则给出结论", EN: "%d rules with %d samples tested: %d samples fail, %d are decided by another rule"}
	msgTestFaults  = text{ZH: "%d 条样例不符，见上方输出", EN: "%d samples fail, see the output above"}
	msgNoEntities  = text{ZH: "无法转换 %q 中的自定义故障实体", EN: "the fault entities in %q cannot be converted"}
	msgImported    = text{ZH: "已把 %d 个故障实体转换为 %s 下的规则，其中 %d 个没有英文；请替换自动生成的样例，再用 rules lint 检查", EN: "%d fault entities became rules under %s, %d of them without English; put real lines in the place of their samples and check them with rules lint"}
	msgNoneTried   = text{ZH: "没有规则的片段出现在这一行", EN: "no rule has its literal in this line"}
	msgNoLines     = text{ZH: "没有可供规则匹配的行：调用栈正文不参与匹配", EN: "there is no line for rules to look at: the bodies of tracebacks are not matched"}
	msgWriteStdout = text{ZH: "无法写到标准输出", EN: "cannot write to standard output"}
	msgReadStdin   = text{ZH: "无法读取标准输入", EN: "cannot read standard input"}
	msgWriteFile   = text{ZH: "无法写入 %q", EN: "cannot write %q"}
	msgNotReport   = text{ZH: "%q 不是 --format json 生成的报告", EN: "%q is no report of --format json"}
	msgVerified    = text{ZH: "%d 条引用与原始文件一致", EN: "quotes that agree with the files: %d"}
	msgNoQuotes    = text{ZH: "%q 没有引用任何一行，无可核对", EN: "there is nothing to verify: %q quotes no line"}
	msgNoQuote     = text{ZH: "%s：原始文件中没有这一行", EN: "%s: the files do not have this line"}
	msgOtherByte   = text{ZH: "%s：内容不同，第一个不同的字节位于偏移 %d", EN: "%s: the content differs, first at byte %d"}
	msgOtherQuote  = text{ZH: "%s：内容不同", EN: "%s: the content differs"}
	msgMoreQuotes  = text{ZH: "另有 %d 处不符", EN: "%d more do not match"}
	msgInterrupted = text{ZH: "已中断，未生成报告", EN: "interrupted, no report was made"}
)

// helpTexts are the help of commands, arguments and flags, by the key that the
// struct tags name.
var helpTexts = map[string]text{
	"analyze":            {ZH: "诊断已保存的日志和 API 响应", EN: "Diagnose saved logs and API answers."},
	"analyze_path":       {ZH: "日志、JSON 响应、归档或目录，- 为标准输入", EN: "A log, a JSON answer, an archive or a folder of them; - is standard input."},
	"format":             {ZH: "报告格式（默认 markdown）", EN: "Form of the report (markdown by default)."},
	"template":           {ZH: "strict：只输出标准模板的章节", EN: "strict: the sections of the standard template only."},
	"output":             {ZH: "写入文件，而不是标准输出", EN: "Write to a file instead of standard output."},
	"exit_code":          {ZH: "有故障时退出码为 3，信息不足时为 4", EN: "Exit 3 on a fault, 4 when the information does not decide."},
	"why":                {ZH: "说明其他可能为何被排除", EN: "Say why each other candidate was dropped."},
	"rules_dir":          {ZH: "追加此目录中的规则，同名规则会被替换", EN: "Add the rules of a folder; equal ids replace shipped ones."},
	"max_bytes":          {ZH: "解压后最多读取的字节数，如 2G", EN: "Bytes to read at most, decompressed, such as 2G."},
	"max_entries":        {ZH: "最多读取的文件数", EN: "Files to read at most."},
	"max_depth":          {ZH: "归档最多嵌套的层数", EN: "Levels of archives within archives."},
	"max_line":           {ZH: "一行最多分析的字节数，如 64K", EN: "Bytes of a line to look at, such as 64K."},
	"verify":             {ZH: "核对报告的引用与原始文件是否一致", EN: "Check the quotes of a report against its files."},
	"verify_report":      {ZH: "--format json 生成的报告", EN: "A report of --format json."},
	"verify_path":        {ZH: "生成报告时诊断的文件或目录", EN: "The files or folders that were analysed."},
	"explain":            {ZH: "解释错误码、退出码、根因、规则，或粘贴的日志", EN: "Say what a code, a cause, a rule or pasted lines of a log mean."},
	"explain_text":       {ZH: "错误码、根因、规则 ID 或一行日志，- 为标准输入", EN: "A code, a cause, a rule's id or a line of a log; - is standard input."},
	"explain_format":     {ZH: "输出格式（默认 text）", EN: "Form of the output (text by default)."},
	"rules":              {ZH: "查看诊断规则", EN: "Look at the rules of the diagnosis."},
	"rules_list":         {ZH: "列出规则", EN: "List the rules."},
	"rules_cause":        {ZH: "只列出此根因的规则，如 device-oom", EN: "Only the rules of this cause, such as device-oom."},
	"rules_lint":         {ZH: "检查规则的弱点：过短或常见的片段、互相冲突、缺少样例或译文", EN: "Find what makes rules weak: short or common fragments, collisions, missing samples or translations."},
	"rules_test":         {ZH: "用规则自带的样例测试规则", EN: "Test rules with their samples."},
	"rules_own":          {ZH: "规则目录；不填则检查内置规则", EN: "A folder of rules; the shipped ones by default."},
	"rules_hints":        {ZH: "逐条列出提示，而不只是计数", EN: "List the hints instead of counting them."},
	"rules_explain_line": {ZH: "说明一行日志尝试了哪些规则、结果如何", EN: "Show which rules were tried on a line, and how that ended."},
	"rules_import":       {ZH: "把昇腾故障诊断工具（ascend-fd）的自定义故障实体转换为规则", EN: "Convert custom fault entities of Ascend FaultDiag (ascend-fd) to rules."},
	"rules_entities":     {ZH: "自定义故障实体的 JSON 文件", EN: "The JSON file of custom fault entities."},
	"rules_output":       {ZH: "写入规则的目录，已有文件不会被覆盖", EN: "Folder to write the rules to; no file there is replaced."},
	"rules_import_cause": {ZH: "这些规则指出的根因（默认 exception-other），之后可在文件中逐条修改", EN: "The cause that the rules name (exception-other by default); change it in the files later."},
	"rules_line":         {ZH: "日志内容，- 为标准输入", EN: "Lines of a log; - is standard input."},
	"rules_show":         {ZH: "显示一条规则：匹配的日志、说明和修复步骤", EN: "Show a rule: the lines it matches, what it says, how to fix it."},
	"rules_id":           {ZH: "规则 ID", EN: "The rule's id."},
	"api":                {ZH: "按名称调用训练的 52 个操作", EN: "Call one of the 52 operations of training by its name."},
	"price":              {ZH: "查询规格的按需单价", EN: "Ask what flavors cost on demand."},
	"version":            {ZH: "显示版本", EN: "Print the version."},
	"help":               {ZH: "显示命令的用法", EN: "Show the help of a command."},
	"help_command":       {ZH: "命令名", EN: "The command."},
	"help_flag":          {ZH: "显示用法", EN: "Show this help."},
	"completion":         {ZH: "打印 shell 的补全脚本", EN: "Print the script that completes command lines in a shell."},
	"completion_shell":   {ZH: "bash、zsh、fish 或 powershell", EN: "bash, zsh, fish or powershell."},
	"man":                {ZH: "打印手册页（roff 格式）", EN: "Print the manual page, as roff."},
	"lang":               {ZH: "语言（默认 zh，也可用环境变量 HCLOUD_MODELARTS_LANG 指定）", EN: "Language (zh by default, or $HCLOUD_MODELARTS_LANG)."},
}

// exampleLines are the examples of each command.
var exampleLines = map[string][]string{
	"analyze": {
		"hcloud-modelarts analyze modelarts-job-*-worker-0.log",
		"hcloud-modelarts analyze --lang en --format json ticket-1187.tar.gz",
		"hcloud ModelArts ShowTrainingJobDetails --training_job_id=ID | hcloud-modelarts analyze -",
	},
	"verify": {"hcloud-modelarts verify report.json ticket-1187/"},
	"explain": {
		"hcloud-modelarts explain 137",
		"hcloud-modelarts explain Xid 79",
		"hcloud-modelarts explain device-oom",
		"grep -i error worker-0.log | hcloud-modelarts explain -",
	},
	"rules list":             {"hcloud-modelarts rules list --cause device-oom"},
	"rules show":             {"hcloud-modelarts rules show torch-oom-allocator"},
	"rules lint":             {"hcloud-modelarts rules lint our-rules/"},
	"rules test":             {"hcloud-modelarts rules test our-rules/"},
	"rules import-ascend-fd": {"hcloud-modelarts rules import-ascend-fd custom_entity.json --output our-rules"},
	"rules explain-line":     {`hcloud-modelarts rules explain-line "RuntimeError: NPU out of memory. Tried to allocate 386.00 MiB"`},
	"api": {
		"hcloud-modelarts api ShowTrainingJobDetails --training_job_id=3faf5c03-aaa1-4cbe-879d-24b05d997347",
		"hcloud-modelarts api CreateTrainingJob --help",
	},
	"price": {"hcloud-modelarts price --region=cn-north-4 --flavor=modelarts.kat1.xlarge --nodes=2 --hours=8"},
	"job": {
		"hcloud-modelarts job list --phase=Failed",
		"hcloud-modelarts job create --json=job.json --metadata.name=bert-sst2",
		"hcloud-modelarts job stop 3faf5c03-aaa1-4cbe-879d-24b05d997347",
	},
	"algorithm":  {"hcloud-modelarts algorithm list --all --query 'items[].metadata.name'"},
	"tag":        {"hcloud-modelarts tag add 3faf5c03-aaa1-4cbe-879d-24b05d997347 team=nlp"},
	"experiment": {"hcloud-modelarts experiment create sst2"},
	"event":      {"hcloud-modelarts event scheduled --state.1=inquiring"},
	"model":      {"hcloud-modelarts model list --model_status=published"},
	"search":     {"hcloud-modelarts search trials 3faf5c03-aaa1-4cbe-879d-24b05d997347"},
	"image":      {"hcloud-modelarts image save 3faf5c03-aaa1-4cbe-879d-24b05d997347 --name=bert-env --namespace=my-org --tag=v1"},
	"version":    {"hcloud-modelarts version"},
	"help":       {"hcloud-modelarts help analyze"},
	"completion": {"source <(hcloud-modelarts completion bash)"},
	"man":        {"hcloud-modelarts man --lang en | man -l -"},
}

// examples gives the examples of a command, as its help prints them; command is
// its path, with or without the program's name.
func examples(command, lang string) string {
	lines := exampleLines[strings.TrimPrefix(command, name+" ")]
	if len(lines) == 0 {
		return ""
	}
	return "\n" + msgExamples.In(lang) + "\n  " + strings.Join(lines, "\n  ") + "\n"
}

// wrapped is an error behind a statement in the user's language.
type wrapped struct {
	what string
	err  error
}

func (w *wrapped) Error() string { return w.what + ": " + w.err.Error() }
func (w *wrapped) Unwrap() error { return w.err }

// inputTexts word the codes of source.Error.
var inputTexts = map[string]text{
	"missing":     {ZH: "%q 不存在，请检查路径", EN: "%q does not exist: check the path"},
	"unreadable":  {ZH: "%q 无法读取，请检查权限或重新保存", EN: "%q cannot be read: check its permissions, or save it again"},
	"empty":       {ZH: "%q 是空的，请重新保存日志或响应", EN: "%q is empty: save the log or the answer again"},
	"binary":      {ZH: "%q 是二进制数据，请提供日志、已保存的响应，或它们的归档", EN: "%q is binary data: give a log, a saved answer, or an archive of them"},
	"encrypted":   {ZH: "%q 已加密，请先用密码解压", EN: "%q is encrypted: unpack it with its password first"},
	"unsupported": {ZH: "%q 的压缩格式不受支持，请先解压", EN: "%q is packed in a way that is not supported: unpack it first"},
	"bound-depth": {ZH: "%q 嵌套过深而未展开，请调大 --max-depth", EN: "%q is nested too deeply and was not opened: raise --max-depth"},
	"special":     {ZH: "%q 不是普通文件或目录，请先把内容保存为文件", EN: "%q is not a regular file or folder: save its content to a file first"},
	"damaged":     {ZH: "%q 已损坏或不完整，没有可读的内容，请重新复制或打包", EN: "%q is damaged or cut short before anything readable: copy or pack it again"},
	"bad-json":    {ZH: "%q 不是有效的 JSON，或不完整而没有可分析的内容，请重新保存该响应", EN: "%q is not valid JSON, or cut off before anything that tells: save the answer again"},
	"empty-json":  {ZH: "%q 是没有内容的 JSON，请重新查询并保存响应", EN: "%q is JSON without content: ask again and save the answer"},
	"nothing":     {ZH: "%q 中没有可读的内容，请提供日志、已保存的响应，或它们的归档、目录", EN: "%q holds nothing readable: give a log, a saved answer, or an archive or folder of them"},
	"bound":       {ZH: "%q 因达到读取上限而未读取，请调大 --max-… 选项", EN: "%q was not read because a bound was reached: raise the --max-… flags"},
}

// systemTexts are what the system says most often.
var systemTexts = []struct {
	err  error
	text text
}{
	{hcloud.ErrTimedOut, text{ZH: "超过等待时间", EN: "timed out"}},
	{zip.ErrFormat, text{ZH: "不是 zip 文件", EN: "it is no zip file"}},
	{zip.ErrChecksum, text{ZH: "zip 文件的校验和不符", EN: "the checksum of the zip file differs"}},
	{io.ErrUnexpectedEOF, text{ZH: "内容不完整", EN: "it is cut short"}},
	{syscall.ENOEXEC, text{ZH: "不是可执行的程序", EN: "it is no program that can be run"}},
	{syscall.E2BIG, text{ZH: "命令行过长", EN: "the command line is too long"}},
	{syscall.EROFS, text{ZH: "文件系统只读", EN: "the file system is read-only"}},
	{syscall.EMFILE, text{ZH: "打开的文件过多", EN: "too many open files"}},
	{syscall.ENOMEM, text{ZH: "内存不足", EN: "there is not enough memory"}},
	{syscall.EAGAIN, text{ZH: "系统资源不足，稍后再试", EN: "the system is short of resources: try again later"}},
	{syscall.EIO, text{ZH: "磁盘读写错误", EN: "the disk failed"}},
	{syscall.EISDIR, text{ZH: "是目录", EN: "is a folder"}},
	{syscall.ENAMETOOLONG, text{ZH: "名称过长", EN: "the name is too long"}},
	{syscall.ECONNREFUSED, text{ZH: "连接被拒绝", EN: "the connection is refused"}},
	{syscall.ECONNRESET, text{ZH: "连接被重置", EN: "the connection was reset"}},
	{syscall.EHOSTUNREACH, text{ZH: "主机不可达", EN: "the host cannot be reached"}},
	{syscall.ENETUNREACH, text{ZH: "网络不可达", EN: "the network cannot be reached"}},
	{syscall.ETIMEDOUT, text{ZH: "连接超时", EN: "the connection timed out"}},
	{fs.ErrPermission, text{ZH: "权限不足", EN: "permission denied"}},
	{fs.ErrExist, text{ZH: "文件已存在", EN: "the file is there already"}},
	{fs.ErrNotExist, text{ZH: "路径不存在", EN: "no such file or directory"}},
	{syscall.ENOSPC, text{ZH: "磁盘空间不足", EN: "no space left on device"}},
	{syscall.ENOTDIR, text{ZH: "上级路径不是目录", EN: "not a directory"}},
	{errCrowded, text{ZH: "其中的条目多于任何报告，可能被改动过，请重新生成", EN: "it has more items than any report: make it anew"}},
	{errIsFolder, text{ZH: "是目录，请给出其中的文件名", EN: "is a folder: name a file in it"}},
}

// describe gives the line that says what is wrong and what to do.
func (c *console) describe(err error) string {
	return shortened(c.wording(err))
}

// Bounds on what an error tells: what it quotes may be of a file, and as long.
const (
	longestQuote = 1000
	longestText  = 1 << 20
)

// shortened cuts long values in quotes, and at last the text, to their
// beginnings: what masks secrets knows them by what stands before.
func shortened(s string) string {
	var b strings.Builder
	for b.Len() < longestText {
		plain, rest, quoted := strings.Cut(s, `"`)
		b.WriteString(cut(plain, longestText))
		if !quoted {
			return b.String()
		}
		end := 0
		for end < len(rest) && rest[end] != '"' {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		b.WriteString(`"` + cut(rest[:min(end, len(rest))], longestQuote))
		if end >= len(rest) {
			return b.String()
		}
		b.WriteByte('"')
		s = rest[end+1:]
	}
	return b.String() + "…"
}

// cut gives the beginning of a text that is longer than most bytes.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.TrimRight(strings.ToValidUTF8(s[:most], ""), `\`) + "…"
}

// wording gives the line with all that it quotes.
func (c *console) wording(err error) string {
	if ie, ok := errors.AsType[*interruptedError](err); ok {
		return ie.text
	}
	if errors.Is(err, errInterrupted) {
		return c.say(msgInterrupted)
	}
	if ce, ok := errors.AsType[*triage.CrashError](err); ok {
		return c.say(msgCrash, ce.Value)
	}
	if pe, ok := errors.AsType[*kong.ParseError](err); ok {
		if m := unknownCommand().FindStringSubmatch(pe.Error()); m != nil {
			if out := c.outside(operations.Default(), m[1]); out != nil {
				return out.Error()
			}
		}
		command := name
		if node := pe.Context.Selected(); node != nil {
			command = name + " " + strings.TrimPrefix(node.Path(), name+" ")
		}
		return c.say(msgUsage, c.parseMessage(pe.Error()), command)
	}
	if se, ok := errors.AsType[*source.Error](err); ok {
		if t, ok := inputTexts[se.Code]; ok && se.Path != "" {
			return c.say(t, se.Path) + c.cause(se) + c.refused(se.Refused)
		}
	}
	if errors.Is(err, errNoPrice) {
		return c.say(msgPriceMissing)
	}
	if w, ok := errors.AsType[*wrapped](err); ok {
		reason := c.system(w.err)
		if strings.HasPrefix(reason, "\n") {
			return w.what + strings.TrimSpace(c.colon()) + reason
		}
		return w.what + c.colon() + reason
	}
	if ce, ok := errors.AsType[*callError](err); ok {
		return c.describeCall(ce) + c.howToGrant(ce)
	}
	if ce, ok := errors.AsType[*corpus.Error](err); ok {
		return c.caseError(ce)
	}
	if ae, ok := errors.AsType[*ambiguousError](err); ok {
		return c.choice(ae)
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Sprintf("%q", pe.Path) + c.colon() + c.system(pe.Err)
	}
	if fe, ok := errors.AsType[*standin.FaultError](err); ok {
		return c.say(msgNoFault, fe.Given, strings.Join(standin.Kinds(), ", "))
	}
	if ee, ok := errors.AsType[*sdk.EndpointError](err); ok {
		return c.say(msgEndpoint, ee.Variable, ee.Value)
	}
	return c.system(err)
}

// cause adds what the system said, unless the message says it already.
func (c *console) cause(e *source.Error) string {
	if e.Err == nil || e.Code == "missing" {
		return ""
	}
	return c.say(msgAside, c.system(e.Err))
}

// refusedMost is how many refused sources an error names.
const refusedMost = 3

// refused says why what lies in a folder or archive could not be read.
func (c *console) refused(notes []source.Note) string {
	if len(notes) == 0 {
		return ""
	}
	shown := notes[:min(len(notes), refusedMost)]
	parts := make([]string, len(shown))
	for i, n := range shown {
		parts[i] = fmt.Sprintf("%q%s%s", n.Source, c.colon(), report.NoteText(c.lang, n.Code, n.Args))
	}
	list := strings.Join(parts, c.say(msgSemicolon))
	if more := len(notes) - len(shown); more > 0 {
		list += c.say(msgMore, more)
	}
	return c.say(msgAside, list)
}

func (c *console) colon() string {
	if c.lang == "zh" {
		return "："
	}
	return ": "
}

func (c *console) system(err error) string {
	if faults, ok := errors.AsType[rules.Faults](err); ok {
		return c.ruleFaults(faults)
	}
	if l, ok := errors.AsType[*triage.LineError](err); ok {
		return c.say(msgLine, l.Line) + c.colon() + c.system(l.Err)
	}
	for _, s := range systemTexts {
		if errors.Is(err, s.err) {
			return s.text.In(c.lang)
		}
	}
	if r, ok := errors.AsType[*corpus.Reason](err); ok {
		return c.say(reasonTexts[r.Code], r.Detail)
	}
	if s, ok := errors.AsType[*json.SyntaxError](err); ok {
		return c.say(msgBadJSON, s.Offset)
	}
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return c.say(msgOtherJSON)
	}
	if d, ok := errors.AsType[*net.DNSError](err); ok {
		return c.say(msgNoHost, d.Name)
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return c.say(msgNoTrust)
	}
	return report.SystemText(c.lang, err.Error())
}

var (
	msgLine      = text{ZH: "第 %d 行", EN: "line %d"}
	msgBadJSON   = text{ZH: "第 %d 字节处不是有效的 JSON", EN: "it is no valid JSON at byte %d"}
	msgOtherJSON = text{ZH: "JSON 的内容不是预期的形式", EN: "the JSON has not the form that it should have"}
	msgNoHost    = text{ZH: "无法解析域名 %s", EN: "there is no address of the host %s"}
	msgNoTrust   = text{ZH: "服务端证书未通过校验，可能经过了代理", EN: "the certificate of the server is not trusted, a proxy may stand between"}
)

// reasonTexts word the codes of corpus.Reason.
var reasonTexts = map[string]text{
	"schema":    {ZH: "case.json 的版本为 %q", EN: "its schema is %q"},
	"id":        {ZH: "ID %q 不是有效的名称", EN: "its id %q is no name"},
	"file-name": {ZH: "清单中的文件名 %q 不在案例目录内，或并非各系统都能使用，或重复", EN: "its manifest names %q, which is outside of it, or is a name that not every system can keep, or is there twice"},
	"missing":   {ZH: "%s 缺失", EN: "%s is missing"},
	"changed":   {ZH: "%s 的内容已改变", EN: "the content of %s has changed"},
	"too-long":  {ZH: "%s 超出允许的大小", EN: "%s is longer than it may be"},
	"too-many":  {ZH: "%s 列出的条目多于案例所能容纳的数量", EN: "%s lists more than a case may hold"},
	"archive":   {ZH: "%s 是归档，不能继续录制，请先用 \"hcloud-modelarts corpus import\" 导入", EN: "%s is an archive, which cannot be gone on with: import it first with \"hcloud-modelarts corpus import\""},
	"private":   {ZH: "%s 已损坏，删除它之后会用新的占位符继续", EN: "%s is damaged: remove it to go on with new placeholders"},
}

// ruleFaults lists what is wrong with a folder of rules, a line each when it is
// more than one thing.
func (c *console) ruleFaults(faults rules.Faults) string {
	lines := make([]string, len(faults))
	for i, f := range faults {
		lines[i] = f.In(c.lang)
		if f.Err != nil {
			lines[i] += c.say(msgAside, c.system(f.Err))
		}
	}
	if len(lines) > 1 {
		return "\n" + strings.Join(lines, "\n")
	}
	return strings.Join(lines, "")
}

// parseTexts word the parser's messages; one without English stays as it is there.
var parseTexts = []struct {
	form   func() *regexp.Regexp
	zh, en string
}{
	{lazy.Regexp(`^unknown flag (\S+), did you mean one of (.+)\?$`), "没有选项 $1，是否想用 $2？", ""},
	{lazy.Regexp(`^unknown flag (\S+), did you mean (.+)\?$`), "没有选项 $1，是否想用 $2？", ""},
	{lazy.Regexp(`^unknown flag (\S+)$`), "没有选项 $1", ""},
	{lazy.Regexp(`^unexpected argument (\S+), did you mean (.+)\?$`), "没有命令 $1，是否想用 $2？", ""},
	{lazy.Regexp(`^unexpected argument (\S+)$`), "无法识别的参数 $1", ""},
	{lazy.Regexp(`^expected one of (.+)$`), "缺少命令，可用的有 $1", ""},
	{lazy.Regexp(`^expected "(<.+)"$`), "缺少参数 $1", ""},
	{lazy.Regexp(`^missing flags: (.+)$`), "缺少选项 $1", ""},
	{lazy.Regexp(`^(\S+) must be one of (.+) but got (.+)$`), "$1 只能是 $2，不能是 $3", "$1 must be one of $2, not $3"},
	{lazy.Regexp(`^(\S+): (?:missing value|expected \S+ value but got "EOL".*|flag needs an argument)`), "$1 缺少值", "$1 needs a value"},
	{lazy.Regexp(`^(\S+): .*?expected bytes.* got (.+)$`), "$1 应为字节数，或带 K、M、G 的数，不能是 $2", "$1 must be a number of bytes, or a number with K, M or G, not $2"},
	{lazy.Regexp(`^(\S+): bool value must be .* but got (.+)$`), "$1 只能是 true 或 false，不能是 $2", "$1 must be true or false, not $2"},
	{dashValue, `$1 的值以 - 开头，请写成 $1="$2"`, `$1: a value that begins with - is written as $1="$2"`},
	{lazy.Regexp(`^(\S+): expected a valid .*int.* but got (.+?)(?: \(.*)?$`), "$1 应为整数，不能是 $2", "$1 must be a whole number, not $2"},
}

// dashValue is how the parser refuses a value that looks like a flag.
var dashValue = lazy.Regexp(`^(\S+): expected \S+ value but got "(-.+?)" .*`)

// unknownCommand is how the parser names one.
var unknownCommand = lazy.Regexp(`^unexpected argument (\S+?)(?:,|$)`)

func (c *console) parseMessage(m string) string {
	for _, t := range parseTexts {
		if !t.form().MatchString(m) {
			continue
		}
		if c.lang == "zh" {
			return t.form().ReplaceAllString(m, t.zh)
		}
		if t.en != "" {
			return t.form().ReplaceAllString(m, t.en)
		}
		break
	}
	return m
}
