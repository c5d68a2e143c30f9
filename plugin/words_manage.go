package main

import (
	"strings"

	"hcloud-modelarts/plugin/operations"
)

// What the commands that call operations say.
var (
	msgNoValue       = text{ZH: "%s 缺少值", EN: "%s lacks a value"}
	msgFlagValue     = text{ZH: "%s 的值有误：%q，应为%s", EN: "%s has a wrong value, %q: expected %s"}
	msgFlagValues    = text{ZH: "%s 只能是 %s，不能是 %q", EN: "%s must be one of %s, not %q"}
	msgKooCLIFlag    = text{ZH: "%s 是 hcloud 自己的选项，请用 --region、--project-id、--profile；凭证不能写在命令行中", EN: "%s is an option of hcloud itself: use --region, --project-id or --profile; credentials do not belong into a command line"}
	msgUsageIs       = text{ZH: "用法：%s", EN: "Usage: %s"}
	msgSeeHelp       = text{ZH: `用法见 "hcloud-modelarts %s --help"`, EN: `see "hcloud-modelarts %s --help"`}
	msgFlags         = text{ZH: "选项：", EN: "Flags:"}
	msgCommands      = text{ZH: "命令：", EN: "Commands:"}
	msgParameters    = text{ZH: "参数（N 为从 1 开始的序号）：", EN: "Parameters (N is a number from 1):"}
	msgNotes         = text{ZH: "说明：", EN: "Notes:"}
	msgFilters       = text{ZH: "筛选（多个值用逗号分隔）：", EN: "Filters (several values with commas):"}
	msgSameAs        = text{ZH: "等价命令：", EN: "The same as:"}
	msgRequired      = text{ZH: "必填", EN: "required"}
	msgValues        = text{ZH: "取值：%s", EN: "one of %s"}
	msgAtLeast       = text{ZH: "不小于 %s", EN: "at least %s"}
	msgAtMost        = text{ZH: "不大于 %s", EN: "at most %s"}
	msgLength        = text{ZH: "最多 %d 个字符", EN: "at most %d characters"}
	msgDefault       = text{ZH: "默认 %s", EN: "%s by default"}
	msgJoin          = text{ZH: "；", EN: "; "}
	msgReads         = text{ZH: "（只读）", EN: " (reads only)"}
	msgWrites        = text{ZH: "（写操作，执行前需要确认）", EN: " (changes something, and asks before it does)"}
	msgWritesMark    = text{ZH: "（写）", EN: " (writes)"}
	msgIAM           = text{ZH: "权限：%s", EN: "Permission: %s"}
	msgAPI           = text{ZH: "按名称调用 ModelArts 训练的 52 个操作，发送前检查每个参数。查看某个操作的参数：api 操作名 --help", EN: "Calls one of the 52 operations of ModelArts training by its name, with every parameter checked before it is sent. The parameters of an operation: api OPERATION --help"}
	msgOperationArgs = text{ZH: "操作名 [--名称=值 …] [--json 文件|-]", EN: "OPERATION [--name=value …] [--json FILE|-]"}
	msgParameterArgs = text{ZH: "[--名称=值 …] [--json 文件|-]", EN: "[--name=value …] [--json FILE|-]"}
	msgVerbArgs      = text{ZH: " <动作> [参数]", EN: " VERB [ARGUMENTS]"}
	msgVerbHelp      = text{ZH: `用 "hcloud-modelarts %s <动作> --help" 查看某个动作的参数。`, EN: `Run "hcloud-modelarts %s VERB --help" for the parameters of a verb.`}
	msgFromFile      = text{ZH: " --json 文件.json", EN: " --json FILE.json"}

	msgParameterForm   = text{ZH: "无法识别的参数 %q：参数写成 --名称=值（用法见 \"hcloud-modelarts api %s --help\"）", EN: "unexpected argument %q: parameters are written as --name=value (see \"hcloud-modelarts api %s --help\")"}
	msgRenamed         = text{ZH: "没有操作 %q，正确的名称是 %s", EN: "there is no operation %q: the right name is %s"}
	msgNoOperation     = text{ZH: "没有操作 %q，用 \"hcloud-modelarts api\" 查看全部操作", EN: "there is no operation %q, see \"hcloud-modelarts api\""}
	msgNoOperationNear = text{ZH: "没有操作 %q，是否想用 %q？", EN: "there is no operation %q, did you mean %q?"}
	msgOutside         = text{ZH: "%q 属于%s，不在本工具的范围内（本工具只管理训练）：%s", EN: "%q belongs to another part of ModelArts (%s), and this tool is for training only: %s"}
	msgOutsidePlain    = text{ZH: "%q 不在本工具的范围内（本工具只管理训练）：请直接使用 `hcloud ModelArts %s`", EN: "%q is not for training, which is all that this tool is for: use `hcloud ModelArts %s`"}
	msgNoVerb          = text{ZH: "%s 缺少动作，可用的有 %s", EN: "%s lacks a verb, expected one of %s"}
	msgNoVerbNear      = text{ZH: "%s 没有动作 %q，是否想用 %q？", EN: "%s has no verb %q, did you mean %q?"}
	msgUnknownVerb     = text{ZH: "%s 没有动作 %q，可用的有 %s", EN: "%s has no verb %q, expected one of %s"}
	msgTooMuch         = text{ZH: "多余的参数 %q，用法：%s", EN: "unexpected argument %q, usage: %s"}
	msgVerbSets        = text{ZH: "%s %s 已经决定了 %s=%s，不能再指定", EN: "%s %s decides %s=%s, it cannot be given"}

	msgNameProject    = text{ZH: "（请用 --project-id 指定项目 ID）", EN: " (name the project with --project-id)"}
	msgNeedsID        = text{ZH: "--dry-run 不发送请求，无法按名称 %q 查找作业，请给出作业 ID", EN: "--dry-run sends nothing, so it cannot find the job named %q: give its id"}
	msgNoJobNamed     = text{ZH: "没有名为 %q 的训练作业：写操作需要完整的名称或作业 ID，用 \"hcloud-modelarts job list\" 查询", EN: "there is no training job named %q: what changes a job takes its whole name or its id, see \"hcloud-modelarts job list\""}
	msgBodyLarge      = text{ZH: "%q 超过 5 MB", EN: "%q is larger than 5 MB"}
	msgBodyEmpty      = text{ZH: "%q 是空的", EN: "%q is empty"}
	msgQueryAt        = text{ZH: "--query %q 的第 %d 个字符处语法有误，应为 JMESPath 表达式，如 items[].metadata.name", EN: "--query %q has wrong syntax at character %d: expected a JMESPath expression such as items[].metadata.name"}
	msgQueryFails     = text{ZH: "--query %q 无法求值，请检查函数名与参数", EN: "--query %q cannot be evaluated: check the functions and their arguments"}
	msgAllOffset      = text{ZH: "--all 从第一页开始获取全部分页，请去掉 --offset、--continue，以及请求体中的 offset", EN: "--all fetches all pages from the first: leave out --offset and --continue, and the offset in a body"}
	msgSDKRegion      = text{ZH: "不知道区域：请用 --region 或环境变量 HUAWEICLOUD_SDK_REGION 指定", EN: "the region is not known: name it with --region or in the environment with HUAWEICLOUD_SDK_REGION"}
	msgNotSent        = text{ZH: "已中断，未发送任何请求", EN: "interrupted, nothing was sent"}
	msgNothingMatched = text{ZH: "提示：%q 没有匹配到内容", EN: "note: nothing matched %q"}
	msgNoAnswer       = text{ZH: "提示：%s 没有返回任何内容", EN: "note: %s returned nothing"}
	msgEmptyList      = text{ZH: "没有内容", EN: "nothing to show"}
	msgNoForm         = text{ZH: "--format %s 不能用于 %s", EN: "--format %s is not for %s"}

	msgDoubt     = text{ZH: "警告：", EN: "warning: "}
	msgNote      = text{ZH: "提示：", EN: "note: "}
	msgDryRun    = text{ZH: "只显示请求，未发送：", EN: "this is the request, nothing was sent:"}
	msgNeedsYes  = text{ZH: "%s 是写操作：没有终端可以确认，请加 --yes（用 --dry-run 先查看请求）", EN: "%s changes something, and there is no terminal to confirm it at: add --yes (--dry-run shows the request first)"}
	msgWill      = text{ZH: "将执行：%s（%s）", EN: "about to: %s (%s)"}
	msgSubject   = text{ZH: "对象：%s", EN: "of: %s"}
	msgUndo      = text{ZH: "能否撤回：%s", EN: "Undo: %s"}
	msgCommand   = text{ZH: "命令：%s", EN: "command: %s"}
	msgAsk       = text{ZH: "确认执行请输入 yes：", EN: "type yes to go on: "}
	msgAskName   = text{ZH: "此操作不可恢复，确认执行请输入名称 %s：", EN: "this cannot be taken back, type the name %s to go on: "}
	msgCancelled = text{ZH: "已取消，未发送任何请求", EN: "cancelled, nothing was sent"}
	msgUnchecked = text{ZH: "警告：%s 查询失败，相关检查未进行", EN: "warning: %s failed, so what it shows was not checked"}
	msgDone      = text{ZH: "已完成：%s", EN: "done: %s"}
	msgConsole   = text{ZH: "控制台：%s", EN: "console: %s"}
	msgNoJournal = text{ZH: "警告：找不到保存操作记录的目录，请用 --corpus 指定", EN: "warning: there is no folder for the journal of writes, name one with --corpus"}
	msgJournal   = text{ZH: "警告：无法写入操作记录 %q", EN: "warning: cannot write the journal %q"}

	msgPoolBilled   = text{ZH: "费用：专属资源池已按节点计费，作业不另计费", EN: "price: the dedicated pool is billed already, the job adds nothing"}
	msgHoldsBilled  = text{ZH: "费用：实验本身不计费，其中的作业按规格计费（用 --flavor 查看单价）", EN: "price: the experiment itself costs nothing, its jobs do (--flavor shows the price)"}
	msgNoPrice      = text{ZH: "警告：无法获取价格", EN: "warning: the price cannot be had"}
	msgPriceUnknown = text{ZH: "价格未知时 --yes 不能代替确认：请在终端中确认，或加 --no-price 表示接受未知的费用", EN: "--yes does not stand for a price that nobody knows: confirm at a terminal, or add --no-price to accept it"}
	msgPriceUsage   = text{ZH: "用法：hcloud-modelarts price --flavor=规格 [--flavor=…] [--nodes=N] [--hours=N]", EN: "usage: hcloud-modelarts price --flavor=FLAVOR [--flavor=…] [--nodes=N] [--hours=N]"}
	msgFlavorPrice  = text{ZH: "提示：没有规格 %q 的价格", EN: "note: there is no price of the flavor %q"}
	msgPriceMissing = text{ZH: "没有这些规格的价格，请检查规格与区域", EN: "there is no price of these flavors, check them and the region"}
	msgRegionNeeded = text{ZH: "不知道区域，请用 --region 指定", EN: "the region is not known, name it with --region"}
	msgNoProjectOf  = text{ZH: "没有区域 %q 的项目，请用 --project-id 指定项目 ID", EN: "there is no project of the region %q, name its id with --project-id"}
)

// flagForms say what a flag takes; the others take a text of any form.
var flagForms = map[string]text{
	"json":       {ZH: "文件名，或 -（标准输入）", EN: "the name of a file, or - for standard input"},
	"query":      {ZH: " JMESPath 表达式，如 items[].metadata.name", EN: "a JMESPath expression such as items[].metadata.name"},
	"hours":      {ZH: "大于 0 的小时数，如 8", EN: "a number of hours above 0, such as 8"},
	"nodes":      {ZH: "不小于 1 的节点数，如 2", EN: "a number of nodes from 1, such as 2"},
	"flavor":     {ZH: "规格，用 job flavors 查询", EN: "a flavor, see job flavors"},
	"region":     {ZH: "区域，如 cn-north-4", EN: "a region, such as cn-north-4"},
	"project-id": {ZH: "项目 ID", EN: "the id of a project"},
	"profile":    {ZH: " hcloud 的配置名，用 hcloud configure list 查询", EN: "a profile of hcloud, see hcloud configure list"},
	"hcloud":     {ZH: " hcloud 程序的路径", EN: "the path of the program hcloud"},
	"timeout":    {ZH: "大于 0 的时长，如 90s、2m", EN: "a duration above 0, such as 90s or 2m"},
	"replay":     {ZH: "案例名，用 corpus list 查询", EN: "the name of a case, see corpus list"},
	"corpus":     {ZH: "目录名", EN: "the name of a folder"},
	"":           {ZH: "不带值的选项", EN: "the flag without a value"},
}

// callFlagTexts are the help of the flags of callFlags that no other command has.
var callFlagTexts = map[string]text{
	"json":         {ZH: "从文件（- 为标准输入）读取请求体，可带 {\"body\": …} 外层", EN: `read the body from a file (- is standard input), with or without {"body": …} around it`},
	"query":        {ZH: "用 JMESPath 取响应中的内容；没有匹配时为 null", EN: "take a part of the answer by JMESPath, null when nothing matches"},
	"all":          {ZH: "获取全部分页", EN: "fetch all pages"},
	"format":       {ZH: "输出格式（终端默认表格，管道默认 JSON）", EN: "form of the output (a table on a terminal, JSON in a pipe)"},
	"yes":          {ZH: "不询问确认，供脚本使用", EN: "do not ask, for scripts"},
	"dry-run":      {ZH: "只显示命令与请求体，不发送", EN: "show the command and the body, send nothing"},
	"hours":        {ZH: "估算费用的小时数（默认 1）", EN: "hours to price (1 by default)"},
	"flavor":       {ZH: "要询价的规格，可多次给出", EN: "a flavor to price, may be given again"},
	"no-price":     {ZH: "不查询价格，接受未知的费用", EN: "do not ask for the price, accept any"},
	"show-secrets": {ZH: "不隐藏签名链接、令牌等", EN: "do not hide signed links, tokens and the like"},
	"lang":         {ZH: "语言", EN: "language"},
	"help":         {ZH: "显示用法", EN: "show this help"},
}

// parameterTexts word what is wrong with a parameter: its name, its value, what
// is right.
var parameterTexts = map[string]text{
	operations.Unknown:  {ZH: "没有参数 {name}", EN: "there is no parameter {name}"},
	operations.Outdated: {ZH: "没有参数 {name}，正确的写法是 {want}", EN: "there is no parameter {name}, the right form is {want}"},
	operations.Missing:  {ZH: "缺少必填参数 {name}（{want}）", EN: "the parameter {name} is required ({want})"},
	operations.BadType:  {ZH: "{name} 的类型应为 {want}，不能是 {value}", EN: "{name} must be of type {want}, not {value}"},
	operations.BadValue: {ZH: "{name} 的取值为 {want}，不能是 {value}", EN: "{name} must be one of {want}, not {value}"},
	operations.TooSmall: {ZH: "{name} 不能小于 {want}，当前为 {value}", EN: "{name} must be at least {want}, not {value}"},
	operations.TooLarge: {ZH: "{name} 不能大于 {want}，当前为 {value}", EN: "{name} must be at most {want}, not {value}"},
	operations.TooLong:  {ZH: "{name} 最多 {want} 个字符", EN: "{name} must have at most {want} characters"},
	operations.BadForm:  {ZH: "{name} 的形式有误：{value}，应为 {form}", EN: "{name} has a wrong form, {value}: expected {form}"},
	operations.BadIndex: {ZH: "{name} 的序号有误：从 1 开始，依次递增，如 {want}", EN: "{name} has a wrong number: they go from 1 without gaps, such as {want}"},
	operations.TooMany:  {ZH: "{name} 最多 {want} 项，当前 {value} 项", EN: "{name} holds at most {want} pairs, not {value}"},
	operations.BadKey:   {ZH: "{name} 中的键 {value} 有误，应为 {form}", EN: "{name} has the wrong key {value}: expected {form}"},
	operations.Twice:    {ZH: "{name} 给出了两次", EN: "{name} is given twice"},
	operations.BadJSON:  {ZH: "请求体不是 JSON 对象：{form}", EN: "the body is no JSON object: {form}"},
	operations.NoBody:   {ZH: "此操作没有请求体", EN: "this operation takes no body"},
}

var (
	msgUnknownNear = text{ZH: "，是否想用 %s？", EN: ", did you mean %s?"}
	msgNoSuch      = text{ZH: "没有参数 %s，请去掉", EN: "there is no parameter %s: leave it out"}
)

// problem words what is wrong with a request.
func (c *console) problem(p operations.Problem) string {
	shown := "--" + p.Name
	if p.Code == operations.Outdated && p.Want == "-" {
		return c.say(msgNoSuch, shown)
	}
	value := p.Value
	if len([]rune(value)) > 80 {
		value = string([]rune(value)[:80]) + "…"
	}
	form := p.Form.In(c.lang)
	if form == "" {
		form = p.Want
	}
	line := strings.NewReplacer("{name}", shown, "{value}", `"`+value+`"`, "{want}", p.Want, "{form}", form).Replace(parameterTexts[p.Code].In(c.lang))
	if p.Code == operations.Unknown && p.Want != "" {
		line += c.say(msgUnknownNear, "--"+p.Want)
	}
	return line
}

var (
	msgSDKCredentials = text{
		ZH: "环境变量中缺少 %s。配置凭证：1. 在控制台“我的凭证 > 访问密钥”创建 AK/SK；2. 在当前终端中设置这些环境变量（不要写进命令行或脚本）；3. 重试",
		EN: "not set in the environment: %s. To set up credentials: 1. create an AK/SK in My Credentials > Access Keys of the console; 2. set these variables in this terminal (never in a command line or a script); 3. try again",
	}
	msgCodeHint = text{ZH: "。%s", EN: ". To mend it: %s"}
	msgViaSDK   = text{ZH: "；也可加 --via sdk，不经 hcloud 发送", EN: "; or send without hcloud with --via sdk"}
)
