package main

import (
	"maps"

	"hcloud-modelarts/plugin/hcloud"
)

func init() {
	maps.Copy(helpTexts, hcloudHelp)
	maps.Copy(exampleLines, hcloudExamples)
}

// hcloudHelp are the help texts of the commands beside hcloud.
var hcloudHelp = map[string]text{
	"diagnose":          {ZH: "通过 hcloud 查询并诊断训练作业", EN: "Ask hcloud about training jobs and diagnose them."},
	"diagnose_job":      {ZH: "作业 ID 或名称；省略时诊断全部失败和异常的作业", EN: "Id or name of a job; all that failed when left out."},
	"plan":              {ZH: "只显示将要执行的查询，不执行", EN: "Show the calls without making them."},
	"no_record":         {ZH: "不保存案例", EN: "Keep no case."},
	"since":             {ZH: "只看此后创建的作业：时长（24h、7d）或日期", EN: "Only jobs created since: a duration (24h, 7d) or a date."},
	"record":            {ZH: "录制作业的全部响应，保存为案例", EN: "Record everything about jobs as cases."},
	"record_job":        {ZH: "作业 ID 或名称", EN: "Ids or names of jobs."},
	"record_all":        {ZH: "录制全部失败和异常的作业", EN: "Record every job that failed."},
	"full":              {ZH: "同时下载 OBS 中的完整日志", EN: "Download the whole logs from OBS, too."},
	"resume":            {ZH: "继续未完成的录制", EN: "Go on with a recording that ended early."},
	"no_mask":           {ZH: "不掩码：案例会含有密钥、地址和姓名", EN: "Mask nothing: the case will hold keys, addresses and names."},
	"mask_buckets":      {ZH: "同时掩码 OBS 桶名", EN: "Mask names of OBS buckets, too."},
	"scan":              {ZH: "诊断一个区域内全部失败的作业，按同类故障分组", EN: "Diagnose every failed job of a region, grouped by failure."},
	"scan_format":       {ZH: "输出格式（默认 table）", EN: "Form of the output (a table by default)."},
	"watch":             {ZH: "跟踪作业，失败或停滞时立即录制并诊断", EN: "Follow a job; record and diagnose it once it fails or stands still."},
	"watch_job":         {ZH: "作业 ID 或名称", EN: "Id or name of the job."},
	"interval":          {ZH: "查询间隔（默认 1m）", EN: "Time between two looks (1m by default)."},
	"stall":             {ZH: "日志多久没有变化视为停滞（默认 30m，0 为不判断）", EN: "Time without a new log line that counts as standing still (30m by default, 0 for never)."},
	"doctor":            {ZH: "检查 hcloud、凭证、权限和环境", EN: "Check hcloud, credentials, permissions and the environment."},
	"doctor_format":     {ZH: "输出格式（默认 text）", EN: "Form of the output (text by default)."},
	"iam_policy":        {ZH: "给出最小权限策略与授权步骤", EN: "Print the policy with the least permissions, and how to grant it."},
	"iam_for":           {ZH: "只诊断，还是也管理作业（默认 diagnose）", EN: "For diagnosis alone, or to manage jobs as well (diagnose by default)."},
	"iam_version":       {ZH: "1.1 为策略，5.0 为身份策略（默认 1.1）", EN: "1.1 for a policy, 5.0 for an identity policy (1.1 by default)."},
	"iam_policy_only":   {ZH: "只输出策略的 JSON", EN: "Print the policy's JSON alone."},
	"iam_wait":          {ZH: "等待授权生效", EN: "Wait until the permission takes effect."},
	"iam_interval":      {ZH: "等待时的查询间隔（默认 30s）", EN: "Time between two tries while waiting (30s by default)."},
	"corpus":            {ZH: "管理录制的案例", EN: "Manage recorded cases."},
	"corpus_list":       {ZH: "列出案例", EN: "List the cases."},
	"corpus_show":       {ZH: "显示一个案例的内容和缺项", EN: "Show what a case holds and lacks."},
	"corpus_verify":     {ZH: "核对案例的文件与清单", EN: "Check the files of cases against their manifests."},
	"corpus_rm":         {ZH: "删除案例", EN: "Remove cases."},
	"corpus_export":     {ZH: "把案例打包为 .zip", EN: "Pack a case as a .zip."},
	"corpus_import":     {ZH: "导入案例", EN: "Import cases."},
	"case_name":         {ZH: "案例的 ID（可只写开头）、作业 ID 或路径", EN: "Id of a case (or its beginning), id of a job, or a path."},
	"case_names":        {ZH: "案例；省略时核对全部", EN: "Cases; all of them when left out."},
	"case_names_needed": {ZH: "案例", EN: "Cases."},
	"export_file":       {ZH: "目标文件（默认为 案例ID.zip）", EN: "The file to write (the case's id with .zip by default)."},
	"import_file":       {ZH: "导出的 .zip 或案例目录", EN: "An exported .zip or the folder of a case."},
	"table_format":      {ZH: "输出格式（默认 table）", EN: "Form of the output (a table by default)."},
	"region":            {ZH: "区域，如 cn-north-4（默认取 hcloud 的配置）", EN: "Region, such as cn-north-4 (hcloud's own by default)."},
	"project_id":        {ZH: "项目 ID（默认取 hcloud 的配置）", EN: "Project id (hcloud's own by default)."},
	"profile":           {ZH: "hcloud 的配置项", EN: "Profile of hcloud."},
	"hcloud":            {ZH: "hcloud 的路径（也可用环境变量 HCLOUD_MODELARTS_HCLOUD）", EN: "Path of hcloud (or $HCLOUD_MODELARTS_HCLOUD)."},
	"via":               {ZH: "通过 hcloud，或不经 hcloud 用 SDK 发送，凭证取自环境变量（默认 hcloud）", EN: "Send through hcloud, or without it by the SDK with credentials from the environment (hcloud by default)."},
	"timeout":           {ZH: "一次调用最多等待的时间（默认 2m）", EN: "Time to wait for one call at most (2m by default)."},
	"replay":            {ZH: "用案例代替 hcloud 回答，不访问网络", EN: "Let a case answer in hcloud's place, without the network."},
	"corpus_dir":        {ZH: "案例目录（也可用环境变量 HCLOUD_MODELARTS_CORPUS）", EN: "Folder of the cases (or $HCLOUD_MODELARTS_CORPUS)."},
	"replay_hcloud":     {ZH: "代替 hcloud，按其真实行为用案例回答", EN: "Stand in for hcloud: answer from a case as it does."},
	"replay_case":       {ZH: "案例，或存放案例的目录", EN: "A case, or a folder of cases."},
	"replay_args":       {ZH: "hcloud 的参数", EN: "Arguments of hcloud."},
	"hcloud_lang":       {ZH: "hcloud 的语言（默认 cn）", EN: "Language of hcloud (cn by default)."},
	"fault":             {ZH: "演示一种故障，如 network、forbidden@ListTrainingJobEvents:2", EN: "Show a fault, such as network or forbidden@ListTrainingJobEvents:2."},
	"state":             {ZH: "记住已回答到哪里的文件，供多次运行使用", EN: "File that remembers between runs what was answered."},
	"as":                {ZH: "写一个可代替 hcloud 的脚本，而不是回答", EN: "Write a script that stands in for hcloud, instead of answering."},
}

// hcloudExamples are their examples.
var hcloudExamples = map[string][]string{
	"diagnose": {
		"hcloud-modelarts diagnose 6f1b2c58-0d34-4c7e-9a41-b7d2e3f40c19",
		"hcloud-modelarts diagnose sft-8k-context --region cn-north-4",
		"hcloud-modelarts diagnose --replay case.zip",
	},
	"record": {
		"hcloud-modelarts record sft-8k-context --full",
		"hcloud-modelarts record --all --since 24h",
	},
	"scan":          {"hcloud-modelarts scan --since 7d --format csv"},
	"watch":         {"hcloud-modelarts watch sft-8k-context --stall 15m"},
	"doctor":        {"hcloud-modelarts doctor --region cn-north-4"},
	"iam-policy":    {"hcloud-modelarts iam-policy --for manage --policy"},
	"corpus list":   {"hcloud-modelarts corpus list"},
	"corpus show":   {"hcloud-modelarts corpus show 6f1b2c58"},
	"corpus verify": {"hcloud-modelarts corpus verify"},
	"corpus rm":     {"hcloud-modelarts corpus rm 6f1b2c58"},
	"corpus export": {"hcloud-modelarts corpus export 6f1b2c58 case.zip"},
	"corpus import": {"hcloud-modelarts corpus import case.zip"},
	"replay-hcloud": {
		"hcloud-modelarts replay-hcloud case.zip version",
		"hcloud-modelarts replay-hcloud --as hcloud case.zip",
	},
}

// classTexts say what became of a call that gave no answer and what to do.
// {said} is what hcloud or the service said, {operation} the operation,
// {program} what was run, {command} all of it, {action} the right that the
// operation needs.
var classTexts = map[hcloud.Class]text{
	hcloud.APIError:      {ZH: "服务拒绝了 {operation}：{said}", EN: "the service refused {operation}: {said}"},
	hcloud.Unauthorized:  {ZH: "凭证无效或已过期（{said}）：用 \"{program} configure set\" 重新配置 AK/SK，检查本机时间，再运行 \"hcloud-modelarts doctor\"；凭证无误时请确认有 {action} 权限（\"hcloud-modelarts iam-policy\"）", EN: "the credentials are not valid or have expired ({said}): set the AK/SK anew with \"{program} configure set\", check the clock, then run \"hcloud-modelarts doctor\"; if they are right, see that they have {action} (\"hcloud-modelarts iam-policy\")"},
	hcloud.Forbidden:     {ZH: "没有 {operation} 的权限（{said}）：需要 {action}，授权步骤见 \"hcloud-modelarts iam-policy\"", EN: "the permission for {operation} is missing ({said}): it needs {action}; \"hcloud-modelarts iam-policy\" shows how to grant it"},
	hcloud.NotFound:      {ZH: "{operation} 查询的对象不存在（{said}）：检查 ID 与区域（--region）、项目（--project-id）", EN: "what {operation} asked for does not exist ({said}): check the id, the region (--region) and the project (--project-id)"},
	hcloud.Throttled:     {ZH: "请求过于频繁，{operation} 被限流（{said}）：稍后再试", EN: "too many requests, {operation} was throttled ({said}): try again later"},
	hcloud.ServerError:   {ZH: "服务端错误，{operation} 未完成（{said}）：稍后再试，仍然失败时提交工单", EN: "the service failed during {operation} ({said}): try again later, and open a ticket if it goes on"},
	hcloud.UseError:      {ZH: "hcloud 不接受这条命令：{said}（{command}）：运行 \"hcloud-modelarts doctor\" 检查 hcloud 的版本和配置", EN: "hcloud does not take this command: {said} ({command}): check its version and settings with \"hcloud-modelarts doctor\""},
	hcloud.CLIError:      {ZH: "hcloud 运行出错{ended}：{said}（{command}）", EN: "hcloud failed{ended}: {said} ({command})"},
	hcloud.NetworkError:  {ZH: "连接不到华为云（{said}）：检查网络与代理（http_proxy、https_proxy），再试一次", EN: "Huawei Cloud cannot be reached ({said}): check the network and the proxy (http_proxy, https_proxy), then try again"},
	hcloud.OpenAPIError:  {ZH: "hcloud 获取不到 {operation} 的接口信息（{said}）：检查网络，或用 \"{program} configure set --cli-offline=false\" 改用在线元数据后再试", EN: "hcloud cannot get the details of {operation} ({said}): check the network, or switch to online metadata with \"{program} configure set --cli-offline=false\" and try again"},
	hcloud.APIEError:     {ZH: "hcloud 获取不到接口元数据（{said}）：检查网络，再试一次", EN: "hcloud cannot get its metadata ({said}): check the network, then try again"},
	hcloud.NotConfigured: {ZH: "hcloud 还没有凭证（{said}）：运行 \"{program} configure init\" 配置 AK/SK 与区域，再运行 \"hcloud-modelarts doctor\"", EN: "hcloud has no credentials ({said}): set the AK/SK and region with \"{program} configure init\", then run \"hcloud-modelarts doctor\""},
	hcloud.NoProfile:     {ZH: "hcloud 中没有这个配置项（{said}）：用 \"{program} configure list\" 查看已有的配置项，再改正或去掉 --profile；新建用 \"{program} configure init\"", EN: "hcloud has no such profile ({said}): see \"{program} configure list\" for those that there are and correct or leave out --profile, or make one with \"{program} configure init\""},
	hcloud.NoConsent:     {ZH: "hcloud 的隐私声明尚未同意：请自行阅读，同意后运行 \"{program} configure set --cli-agree-privacy-statement=true\"", EN: "hcloud's privacy statement has not been accepted: read it, and if you agree run \"{program} configure set --cli-agree-privacy-statement=true\""},
	hcloud.Unsupported:   {ZH: "这个版本的 hcloud 不支持 {operation}（{said}）：用 \"{program} update\" 升级，或用 \"{program} configure set --cli-lang=en\" 切换元数据语言", EN: "this hcloud does not know {operation} ({said}): upgrade it with \"{program} update\", or switch the language of its metadata with \"{program} configure set --cli-lang=cn\""},
	hcloud.TimedOut:      {ZH: "{operation} 超时（{said}）：用 --timeout 延长等待时间，或调大 hcloud 的 readTimeout", EN: "{operation} took too long ({said}): wait longer with --timeout, or raise hcloud's readTimeout"},
	hcloud.NotJSON:       {ZH: "{operation} 的输出不是预期的 JSON：{said}：确认 {program} 是 KooCLI，网络没有被代理或登录页面拦截，再运行 \"hcloud-modelarts doctor\"", EN: "the output of {operation} is not the JSON that it should be: {said}: see that {program} is KooCLI and that no proxy or login page answers in its place, then run \"hcloud-modelarts doctor\""},
	hcloud.NotAnswer:     {ZH: "{operation} 没有给出应有的响应（{said}）：检查 ID，确认没有选项筛选 {program} 的输出、没有代理代为回答，再运行 \"hcloud-modelarts doctor\"", EN: "{operation} did not give the answer that it should ({said}): check the id, see that no option filters the output of {program} and that no proxy answers in its place, then run \"hcloud-modelarts doctor\""},
	hcloud.TooLarge:      {ZH: "{operation} 的输出过大，未能读完：缩小查询范围；完整日志用 \"hcloud-modelarts record --full\" 从 OBS 下载", EN: "the output of {operation} is too large to be read: ask for less; whole logs come from OBS with \"hcloud-modelarts record --full\""},
	hcloud.OtherProgram:  {ZH: "{program} 不是华为云 KooCLI，而是同名的其他程序（{said}）：用 --hcloud 指定 KooCLI 的路径", EN: "{program} is not Huawei Cloud's KooCLI but another program of that name ({said}): name KooCLI's path with --hcloud"},
	hcloud.Missing:       {ZH: "找不到 {program}：安装 KooCLI（https://support.huaweicloud.com/hcli/），或用 --hcloud 指定路径", EN: "{program} cannot be run: install KooCLI (https://support.huaweicloud.com/intl/en-us/hcli/), or name its path with --hcloud"},
	hcloud.NotRecorded:   {ZH: "录制中没有这次调用：{command}：去掉 --replay 直接查询，或用 \"hcloud-modelarts record --resume\" 补录", EN: "the recording does not hold this call: {command}: leave out --replay to ask hcloud, or add to the case with \"hcloud-modelarts record --resume\""},
}

// caseTexts word the codes of corpus.Error.
var caseTexts = map[string]text{
	"missing":    {ZH: "没有案例 %q：用 \"hcloud-modelarts corpus list\" 查看已有案例，或给出目录、.zip 的路径", EN: "there is no case %q: see \"hcloud-modelarts corpus list\", or give the path of a folder or .zip"},
	"not-a-case": {ZH: "%q 不是案例", EN: "%q is no case"},
	"damaged":    {ZH: "案例 %q 已损坏", EN: "the case %q is damaged"},
	"newer":      {ZH: "案例 %q 由更新的版本录制，请升级 hcloud-modelarts", EN: "the case %q was recorded by a newer version: upgrade hcloud-modelarts"},
	"locked":     {ZH: "案例 %q 正在录制中，请等待录制结束", EN: "the case %q is being recorded: wait until that ends"},
	"exists":     {ZH: "%q 已存在，不会覆盖", EN: "%q exists and is not replaced"},
	"ambiguous":  {ZH: "%q 匹配多个案例", EN: "%q is the beginning of several cases"},
	"io":         {ZH: "无法读写 %q", EN: "cannot read or write %q"},
}

// caseNext say what to do about some of them.
var caseNext = map[string]text{
	"not-a-case": {ZH: "；案例是含有 case.json 的目录，或 \"hcloud-modelarts corpus export\" 导出的 .zip；只有日志时请用 \"hcloud-modelarts analyze\"", EN: "; a case is a folder that holds case.json, or a .zip from \"hcloud-modelarts corpus export\"; for logs alone use \"hcloud-modelarts analyze\""},
	"damaged":    {ZH: "；用 \"hcloud-modelarts corpus verify\" 查看损坏的文件，重新录制或导入", EN: "; \"hcloud-modelarts corpus verify\" names the damaged files: record or import the case anew"},
	"io":         {ZH: "；检查该目录的权限，用 --corpus 指定其他目录，诊断时也可用 --no-record 不保存案例", EN: "; check the rights on that folder, name another one with --corpus, or diagnose with --no-record to keep no case"},
}

// problemTexts word the codes of corpus.Problem.
var problemTexts = map[string]text{
	"missing":  {ZH: "%s：缺失", EN: "%s: is missing"},
	"changed":  {ZH: "%s：内容已改变", EN: "%s: the content has changed"},
	"unlisted": {ZH: "%s：不在清单中（录制中断后的残留，\"record --resume\" 会清理）", EN: "%s: is not listed (left by a recording that was cut short; \"record --resume\" removes it)"},
}

// phases are the five of a diagnosis.
var phases = []text{
	{ZH: "定位作业", EN: "find the job"},
	{ZH: "查询作业详情", EN: "read its details"},
	{ZH: "查询事件与阶段", EN: "read events and stages"},
	{ZH: "查询日志与指标", EN: "read logs and metrics"},
	{ZH: "给出结论", EN: "say what was found"},
}

// checkNames name the checks of doctor.
var checkNames = map[string]text{
	"hcloud":      {ZH: "hcloud", EN: "hcloud"},
	"credentials": {ZH: "凭证", EN: "credentials"},
	"call":        {ZH: "只读调用", EN: "a call that reads"},
	"region":      {ZH: "区域", EN: "region"},
	"project":     {ZH: "项目", EN: "project"},
	"clock":       {ZH: "本机时间", EN: "clock"},
	"corpus":      {ZH: "案例目录", EN: "folder of cases"},
}

// policySteps are the steps to create and grant a policy, by its version.
var policySteps = map[string]text{
	"1.1": {
		ZH: `创建并授予策略：
  1. 用管理员账号登录控制台，打开“统一身份认证服务 IAM”，进入“权限管理 > 权限”，单击“创建自定义策略”
  2. 选择“JSON视图”，粘贴上面的策略，保存
  3. 进入“用户组”，选择用户所在的用户组，单击“授权”，选中该策略，授权范围选择作业所在区域的项目
  4. 用 "hcloud-modelarts iam-policy --wait" 等待授权生效
`,
		EN: `To create and grant the policy:
  1. Sign in to the console as an administrator, open Identity and Access Management (IAM), go to Permissions > Policies/Roles and choose Create Custom Policy
  2. Choose the JSON view, paste the policy above and save it
  3. Go to User Groups, choose the group of the user, choose Authorize, select the policy, and as scope the project of the job's region
  4. Wait until it takes effect with "hcloud-modelarts iam-policy --wait"
`,
	},
	"5.0": {
		ZH: `创建并授予身份策略：
  1. 用管理员账号登录控制台，打开“统一身份认证服务 IAM”新版，进入“身份策略”，单击“创建自定义身份策略”
  2. 选择“JSON视图”，粘贴上面的策略，保存
  3. 把该身份策略附加到用户、用户组或委托
  4. 用 "hcloud-modelarts iam-policy --wait" 等待授权生效
`,
		EN: `To create and grant the identity policy:
  1. Sign in to the console as an administrator, open the new edition of Identity and Access Management (IAM), go to Identity Policies and create a custom one
  2. Choose the JSON view, paste the policy above and save it
  3. Attach the policy to the user, the user group or the agency
  4. Wait until it takes effect with "hcloud-modelarts iam-policy --wait"
`,
	},
}

// What the commands beside hcloud say.
var (
	msgNoAgency        = text{ZH: "账号尚未授权 ModelArts 访问依赖的服务（{said}）：在 ModelArts 控制台的“权限管理”中添加委托授权", EN: "the account has not authorized ModelArts to use other services ({said}): add an agency under Permission Management on the ModelArts console"}
	msgNotAFolder      = text{ZH: "%q 存在，但其中没有 case.json，不是案例", EN: "%q exists, but holds no case.json: it is no recording"}
	msgDiskFull        = text{ZH: "；清理磁盘空间后重试", EN: "; free space on the disk, then try again"}
	msgDiskFullResume  = text{ZH: "；清理磁盘空间后用 \"%s\" 继续", EN: "; free space on the disk, then go on with \"%s\""}
	msgEndedExit       = text{ZH: "，退出码 %d", EN: ", exit %d"}
	msgEndedSignal     = text{ZH: "，被信号 %s 终止", EN: ", ended by the signal %q"}
	msgNothingSaid     = text{ZH: "没有任何输出", EN: "it printed nothing"}
	msgNameRegion      = text{ZH: "；用 --region 指定支持的区域，如 --region cn-north-4", EN: "; name a region that is supported with --region, such as --region cn-north-4"}
	msgRefusedNext     = text{ZH: "；检查 ID、参数与区域（--region），仍被拒绝时带上错误码提交工单", EN: "; check the id, the parameters and the region (--region), and open a ticket with the code if it goes on"}
	msgUnmasked        = text{ZH: "--no-mask 已关闭掩码：案例会原样保存密钥、令牌、密码、地址和姓名，请勿转发给他人", EN: "--no-mask is on: the case keeps keys, tokens, passwords, addresses and names as they are, so do not pass it on"}
	msgUnknownOutcome  = text{ZH: "。操作是否已执行未知，请先查询再决定是否重试", EN: ". Whether it was carried out is not known: look before you try again"}
	msgNoCorpus        = text{ZH: "不知道案例保存在哪里：用 --corpus 或环境变量 HCLOUD_MODELARTS_CORPUS 指定目录", EN: "there is no place for cases: name a folder with --corpus or $HCLOUD_MODELARTS_CORPUS"}
	msgTimeout         = text{ZH: "--timeout 必须大于 0", EN: "--timeout must be above 0"}
	msgInterval        = text{ZH: "--interval 必须大于 0，--stall 不能为负数", EN: "--interval must be above 0, --stall not negative"}
	msgSince           = text{ZH: "--since 应为时长（如 24h、7d）或日期（如 2026-06-02），不能是 %q", EN: "--since must be a duration such as 24h or 7d, or a date such as 2026-06-02, not %q"}
	msgDiagnosing      = text{ZH: "诊断第 %d/%d 个作业 %s", EN: "diagnosing job %d of %d, %s"}
	msgAsking          = text{ZH: "  查询 %s", EN: "  asking %s"}
	msgPhase           = text{ZH: "[%d/5] %s", EN: "[%d/5] %s"}
	msgWarning         = text{ZH: "注意：%s", EN: "note: %s"}
	msgRecorded        = text{ZH: "已录制到 %s", EN: "recorded in %s"}
	msgMissing         = text{ZH: "还缺 %d 项：%s；用 `%s` 继续", EN: "%d answers are missing: %s; go on with `%s`"}
	msgResumeRecord    = text{ZH: "录制已中断，已有的响应都已保存；用 `%s` 继续", EN: "the recording was interrupted, and what was answered so far is kept; go on with `%s`"}
	msgNoJob           = text{ZH: "没有名称包含 %q 的训练作业：检查名称、区域（--region）和项目（--project-id）", EN: "there is no training job whose name holds %q: check the name, the region (--region) and the project (--project-id)"}
	msgAmbiguous       = text{ZH: "%q 匹配 %d 个训练作业，请用 ID 指定其中一个：", EN: "%q matches %d training jobs, name one by its id:"}
	msgNoAbnormal      = text{ZH: "没有失败或异常的训练作业", EN: "there is no training job that failed"}
	msgNoJobInAnswer   = text{ZH: "响应中没有作业 %s", EN: "the answer does not hold job %s"}
	msgRecordWhat      = text{ZH: "请给出作业，或使用 --all、--resume 之一", EN: "name jobs, or use one of --all and --resume"}
	msgNothingToResume = text{ZH: "%q 中没有作业，无法继续录制", EN: "%q is about no job, so there is nothing to go on with"}
	msgNoDownload      = text{ZH: "注意：%s 的完整日志未能下载：%s", EN: "note: the whole log of %s was not downloaded: %s"}
	msgDownloading     = text{ZH: "  下载 %s 的完整日志", EN: "  downloading the whole log of %s"}
	msgNoLink          = text{ZH: "服务没有给出链接（作业需设置日志保存路径）", EN: "the service gives no link (a job needs a path to keep its logs)"}
	msgMaskedLink      = text{ZH: "链接来自录制，其签名已掩码", EN: "the link is from a recording, its signature is masked"}
	msgBadLink         = text{ZH: "链接不是 https 地址", EN: "the link is no https address"}
	msgUnreachable     = text{ZH: "无法连接", EN: "cannot reach"}
	msgLinkRefused     = text{ZH: "链接被拒绝，可能已过期：", EN: "the link is refused, it may have expired:"}
	msgBrokeOff        = text{ZH: "下载中断", EN: "the download broke off"}
	msgPlanID          = text{ZH: "给出的是作业 ID，不需要查询", EN: "the id is given, nothing is asked"}
	msgPlanExit        = text{ZH: "报错信息中已有完整的 Traceback 时到此为止", EN: "ends here when the message holds a full traceback"}
	msgPlanReport      = text{ZH: "一旦结论明确就停止查询，不修改任何资源", EN: "stops asking as soon as the evidence decides; nothing is changed"}
	msgPhaseNow        = text{ZH: "%s 作业状态：%s", EN: "%s state of the job: %s"}
	msgStalled         = text{ZH: "日志已有 %s 没有变化，开始诊断", EN: "the log has not changed for %s: diagnosing"}
	msgNoCases         = text{ZH: "%s 中没有案例", EN: "there is no case in %s"}
	msgCasesVerified   = text{ZH: "%d 个案例完整无误", EN: "cases that are as they were recorded: %d"}
	msgIncomplete      = text{ZH: "%s：录制中断，案例不完整但没有损坏；用 `%s` 继续", EN: "%s: the recording was cut short, so the case is incomplete but not damaged; go on with `%s`"}
	msgRemoved         = text{ZH: "已删除 %s", EN: "removed %s"}
	msgNotMasked       = text{ZH: "这个案例没有掩码，可能含有密钥和地址，请勿转发给他人", EN: "this case is not masked and may hold keys and addresses: do not pass it on"}
	msgCase            = text{
		ZH: "案例    %s\n作业    %s (%s)\n状态    %s\n区域    %s\n录制于  %s\n已掩码  %s\nKooCLI  %s\n工具    %s\n\n",
		EN: "case      %s\njob       %s (%s)\nphase     %s\nregion    %s\nrecorded  %s\nmasked    %s\nKooCLI    %s\ntool      %s\n\n",
	}
	msgYes             = text{ZH: "是", EN: "yes"}
	msgNo              = text{ZH: "否", EN: "no"}
	msgOldHcloud       = text{ZH: "KooCLI %s 过旧，需要 %s 或更高版本", EN: "KooCLI %s is too old, %s or newer is needed"}
	msgNotNeeded       = text{ZH: "不需要（--via sdk，凭证取自环境变量）", EN: "is not needed (--via sdk, with credentials from the environment)"}
	msgUpdateHcloud    = text{ZH: "运行 \"%s update\" 升级", EN: "upgrade it with \"%s update\""}
	msgSkipped         = text{ZH: "因前面的检查未通过而跳过", EN: "skipped, because a check above failed"}
	msgNoProfile       = text{ZH: "没有配置项 %q", EN: "there is no profile %q"}
	msgNoProfiles      = text{ZH: "hcloud 还没有配置项", EN: "hcloud has no profile yet"}
	msgOtherProfile    = text{ZH: "用 \"%[1]s configure list\" 查看已有的配置项，再改正或去掉 --profile；新建用 \"%[1]s configure init\"", EN: "see \"%[1]s configure list\" for those that there are and correct or leave out --profile, or make one with \"%[1]s configure init\""}
	msgNoKeys          = text{ZH: "配置项 %q 没有 AK/SK", EN: "the profile %q has no AK/SK"}
	msgConfigure       = text{ZH: "运行 \"%s configure init\" 配置 AK/SK 与区域（在控制台“我的凭证 > 访问密钥”创建）", EN: "set the AK/SK and region with \"%s configure init\" (create them on the console under My Credentials > Access Keys)"}
	msgKeys            = text{ZH: "配置项 %q（%s）中已有", EN: "are in profile %q (%s)"}
	msgCallWorks       = text{ZH: "ListTrainingJobs 成功，用时 %s", EN: "ListTrainingJobs works, within %s"}
	msgFromProfile     = text{ZH: "%s（来自配置项 %q）", EN: "%s (from profile %q)"}
	msgNoRegion        = text{ZH: "没有设置", EN: "is not set"}
	msgSetRegion       = text{ZH: "用 --region 指定，如 --region cn-north-4", EN: "name it with --region, such as --region cn-north-4"}
	msgProjectSet      = text{ZH: "已设置", EN: "is set"}
	msgNoProject       = text{ZH: "没有设置，hcloud 每次都会向 IAM 查询", EN: "is not set, so hcloud asks IAM for it with every call"}
	msgSetProject      = text{ZH: "用 --project-id 指定可以少一次查询，也便于区分网络与凭证问题", EN: "naming it with --project-id saves that call and tells faults of the network from those of keys"}
	msgClockBehind     = text{ZH: "%s，比最新的作业还早 %s", EN: "%s, which is %s before the newest job"}
	msgSetClock        = text{ZH: "校准本机时间，否则签名会被拒绝", EN: "set the clock, or signatures are refused"}
	msgChooseCorpus    = text{ZH: "用 --corpus 指定一个可写的目录", EN: "name a folder that can be written with --corpus"}
	msgRightIsThere    = text{ZH: "权限已生效：%s", EN: "the right is there: %s"}
	msgWaitingForRight = text{ZH: "尚未生效（%s），%s 后再试", EN: "not there yet (%s), trying again in %s"}

	colName       = text{ZH: "名称", EN: "name"}
	colPhase      = text{ZH: "状态", EN: "phase"}
	colCreated    = text{ZH: "创建时间", EN: "created"}
	colCause      = text{ZH: "根因", EN: "cause"}
	colConfidence = text{ZH: "置信度", EN: "confidence"}
	colPlace      = text{ZH: "位置", EN: "where"}
	colCase       = text{ZH: "案例", EN: "case"}
	colRegion     = text{ZH: "区域", EN: "region"}
	colCalls      = text{ZH: "调用数", EN: "calls"}
	colWhole      = text{ZH: "完整", EN: "whole"}
	colRecorded   = text{ZH: "录制时间", EN: "recorded"}
	colCall       = text{ZH: "调用", EN: "call"}
	colClass      = text{ZH: "结果", EN: "result"}
	colBytes      = text{ZH: "字节", EN: "bytes"}
)
