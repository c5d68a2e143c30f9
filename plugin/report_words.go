package main

import "maps"

// overCases are the commands over saved reports and over many cases.
type overCases struct {
	Triage struct {
		Run   triageCmd `cmd:"" default:"withargs" help:"${triage_run}"`
		Merge mergeCmd  `cmd:"" help:"${triage_merge}"`
	} `cmd:"" help:"${triage}"`
	Report struct {
		Render renderCmd `cmd:"" help:"${report_render}"`
	} `cmd:"" help:"${report}"`
	Diff   diffCmd `cmd:"" help:"${diff}"`
	Bundle struct {
		Make  bundleCmd      `cmd:"" default:"withargs" help:"${bundle_make}"`
		Check checkBundleCmd `cmd:"" help:"${bundle_check}"`
	} `cmd:"" help:"${bundle}"`
	Shrink shrinkCmd `cmd:"" help:"${shrink}"`
	Skill  skillCmd  `cmd:"" help:"${skill}"`
}

// The help of the commands around reports and many cases.
func init() {
	maps.Copy(helpTexts, reportHelp)
	maps.Copy(exampleLines, reportExamples)
}

var (
	msgNegativeJobs      = text{ZH: "--jobs 不能为负数", EN: "--jobs must not be negative"}
	msgResumeNeedsFile   = text{ZH: "--resume 需要 --output FILE：中断前的结果保存在 FILE.partial", EN: "--resume needs --output FILE: what an interrupted run did is kept in FILE.partial"}
	msgInterruptedBefore = text{ZH: "上次中断的结果还在 %q：加 --resume 继续，或删除该文件后重新开始", EN: "an interrupted run left %q: add --resume to go on with it, or remove it to start anew"}
	msgBusy              = text{ZH: "另一个运行正在写入 %q，请等待其结束，或用 --output 指定其他文件", EN: "another run is writing %q: wait for its end, or name another file with --output"}
	msgOtherRun          = text{ZH: "%q 由其他选项或版本生成，不能继续：请用相同的选项，或删除该文件后重新开始", EN: "%q was written with other options or by another version: use the same ones, or remove it to start anew"}
	msgResumeHint        = text{ZH: "已中断，已完成的结果保存在 %q，加 --resume 可继续", EN: "interrupted; what is done is kept in %q, and --resume goes on with it"}
	msgConflict          = text{ZH: "案例 %q 在这些结果中的诊断不同，请只保留其中一份", EN: "the results hold two different diagnoses of the case %q: leave one of them out"}
	msgNotRows           = text{ZH: "%q 不是 triage --format ndjson 的结果", EN: "%q is no result of triage --format ndjson"}
	msgBundled           = text{ZH: "已写入 %q：%d 个文件，%d 字节", EN: "wrote %q: %d files, %d bytes"}
	msgNothingMasked     = text{ZH: "摘录的日志中没有需要掩码的内容", EN: "nothing in the packed lines had to be masked"}
	msgMasked            = text{ZH: "%d 行中的敏感内容已掩码：", EN: "something was masked in %d lines:"}
	msgLeftOut           = text{ZH: "各文件只摘录了证据附近的行，其余未包含：", EN: "of each file only the lines around the evidence are packed, the rest is left out:"}
	msgPacked            = text{ZH: "%s：摘录 %d 行，共 %d 行", EN: "%s: %d of %d lines"}
	msgMaskScope         = text{
		ZH: "掩码范围：密钥、令牌、密码、签名链接、邮箱、IP 地址，以及带国家码、按 138-1234-5678 分段或写在“电话”“手机”“联系”等字样后的电话号码",
		EN: "masked are keys, tokens, passwords, signed links, mail and IP addresses, and telephone numbers with a country code, parted as in 138-1234-5678, or behind words such as phone, tel and mobile",
	}
	msgLookOver = text{
		ZH: "未掩码：人名、项目名、桶名、文件名，以及没有上述字样的连续数字（与步数、字节数无法区分），发送前请过目",
		EN: "not masked are names of people, projects, buckets and files, and bare numbers without such a word, which may count steps or bytes: look it over before you send it",
	}
	msgSecretsLeft = text{ZH: "%d 处敏感内容未掩码：", EN: "%d lines still hold secrets or addresses:"}
	msgDoubts      = text{ZH: "没有确定的敏感内容，但以下 %d 处需要人工确认：", EN: "no sure secret is left, but look at these %d lines:"}
	msgUnread      = text{ZH: "以下 %d 处未检查，其中可能有敏感内容：", EN: "not looked through, so that secrets may stand in it (%d):"}
	msgNoSecrets   = text{ZH: "没有发现敏感内容", EN: "no secret was found"}
	msgIsInput     = text{ZH: "%q 是输入文件，请把结果写到别处", EN: "%q is an input: write the result elsewhere"}
	msgExists      = text{ZH: "%q 已存在，请换一个目录", EN: "%q exists already: name another folder"}
	msgMaskedAway  = text{ZH: "诊断依赖于必须掩码的内容，无法得到可公开的最小案例", EN: "the diagnosis rests on what must be masked, so no masked case can keep it"}
	msgNotPlain    = text{ZH: "该案例改写为纯文本后诊断会变化，无法缩小", EN: "the case cannot be shrunk: written as plain text it is diagnosed differently"}
	msgShrunkBare  = text{ZH: "已写入 %q：由 %d 个文件、%d 行缩小到 %d 个文件、%d 行，两者均未给出根因", EN: "wrote %q: %d files with %d lines became %d with %d, neither names a cause"}
	msgShrunk      = text{ZH: "已写入 %q：由 %d 个文件、%d 行缩小到 %d 个文件、%d 行，指纹 %s 不变", EN: "wrote %q: %d files with %d lines became %d with %d, the fingerprint is still %s"}
	msgUnlike      = text{ZH: "%q 与 %q 不是同类：triage 的结果只能与 triage 的结果比较", EN: "%q and %q are not alike: a result of triage compares with another one only"}
	msgProgress    = text{ZH: "%d/%d 个案例，每秒 %.0f 个，剩余 %s，无法读取 %d 个", EN: "%d of %d cases, %.0f a second, %s left, %d unreadable"}
	msgCrash       = text{ZH: "程序内部错误（%v），请反馈给开发者", EN: "internal error (%v): please report it"}
)

var reportHelp = map[string]text{
	"report":        {ZH: "处理已保存的报告", EN: "Work with saved reports."},
	"report_render": {ZH: "把已保存的报告转换为其他格式", EN: "Render a saved report in another form."},
	"render_report": {ZH: "--format json 生成的报告，- 为标准输入", EN: "A report of --format json; - is standard input."},

	"triage":            {ZH: "批量诊断：目录、归档或列表中的全部失败作业", EN: "Diagnose many failures at once: folders, archives, lists."},
	"triage_run":        {ZH: "找出各个案例，逐一诊断并按同类故障归组（run 可省略）", EN: "Find the cases, diagnose each and group equal failures (the word run may be left out)."},
	"triage_path":       {ZH: "案例目录、归档或日志，- 表示从标准输入读取路径列表", EN: "Folders, archives or logs; - reads a list of paths from standard input."},
	"triage_format":     {ZH: "输出格式（默认 table）", EN: "Form of the output (table by default)."},
	"triage_exit_code":  {ZH: "有故障时退出码为 3，只有信息不足或无法读取的案例时为 4", EN: "Exit 3 on a fault, 4 when cases are only undecided or unreadable."},
	"triage_resume":     {ZH: "从上次中断处继续（需 --output）", EN: "Go on where an interrupted run stopped (needs --output)."},
	"triage_shard":      {ZH: "只处理 N 份中的第 I 份，如 3/8", EN: "Only part I of N of the cases, such as 3/8."},
	"triage_jobs":       {ZH: "同时诊断的案例数（默认为 CPU 核数）", EN: "Cases diagnosed at once (by default one for each core)."},
	"triage_merge":      {ZH: "合并多次运行或多个分片的结果", EN: "Put the results of several runs or shards together."},
	"bundle":            {ZH: "为工单打包：报告、证据及上下文、版本，全部掩码", EN: "Pack a case for a ticket, masked."},
	"bundle_make":       {ZH: "打包报告、证据及上下文、版本和清单，并列出掩码的内容（make 可省略）", EN: "Pack the report, the evidence with its surroundings, versions and a manifest; list what was masked (the word make may be left out)."},
	"bundle_output":     {ZH: "写入的 zip 文件，- 为标准输出", EN: "The zip file to write; - is standard output."},
	"bundle_check":      {ZH: "检查是否还有未掩码的敏感内容", EN: "Find secrets that remain."},
	"bundle_check_path": {ZH: "打包的文件，或任意目录、归档、文件", EN: "A bundle, or any folder, archive or file."},
	"skill":             {ZH: "打印供 AI 助手使用的说明：如何只读、安全地使用本程序", EN: "Print the file that tells assistants how to use this program, read-only and safely."},
	"shrink":            {ZH: "缩小案例：保留根因和指纹的最小部分，掩码后可作测试用例", EN: "Cut a case down to what keeps its cause and fingerprint, masked, ready as a test."},
	"shrink_output":     {ZH: "写入的目录，不能已存在", EN: "The folder to write; it must not exist."},
	"diff":              {ZH: "比较两个案例、报告或批量结果：根因、配置、镜像、参数、日志有何变化", EN: "Compare two cases, reports or results: what changed in cause, setup and logs."},
	"diff_a":            {ZH: "之前的：案例、报告，或 triage 的 ndjson 结果", EN: "The earlier one: a case, a report, or an ndjson result of triage."},
	"diff_b":            {ZH: "之后的，例如失败的那次", EN: "The later one, such as the run that failed."},
	"diff_format":       {ZH: "输出格式（默认 markdown）", EN: "Form of the output (markdown by default)."},
	"diff_exit_code":    {ZH: "有差异时退出码为 3", EN: "Exit 3 when they differ."},
	"merge_result":      {ZH: "triage --format ndjson 的结果", EN: "Results of triage --format ndjson."},
}

var reportExamples = map[string][]string{
	"report render": {
		"hcloud-modelarts report render report.json --format html -o report.html",
	},
	"triage run": {
		"hcloud-modelarts triage tickets/",
		"hcloud-modelarts triage tickets/ --format html -o triage.html --resume",
		"find /data -name '*.log' -mtime -1 | hcloud-modelarts triage - --format csv -o today.csv",
		"hcloud-modelarts triage tickets/ --shard 3/8 --format ndjson -o shard-3.ndjson",
	},
	"bundle make":  {"hcloud-modelarts bundle ticket-1187/ -o ticket-1187-masked.zip"},
	"bundle check": {"hcloud-modelarts bundle check ticket-1187-masked.zip"},
	"skill":        {"hcloud-modelarts skill --lang en > SKILL.md"},
	"shrink":       {"hcloud-modelarts shrink ticket-1187/ -o smallest-case"},
	"diff": {
		"hcloud-modelarts diff good-run/ bad-run/",
		"hcloud-modelarts diff monday.ndjson tuesday.ndjson --exit-code",
	},
	"triage merge": {
		"hcloud-modelarts triage merge shard-*.ndjson --format html -o triage.html",
	},
}
