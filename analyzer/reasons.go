package analyzer

import (
	"maps"
	"strings"

	"hcloud-modelarts/analyzer/rules"
	"hcloud-modelarts/analyzer/verdict"
)

// reasons words the statements of a verdict. "{name}" is a value; "[[…]]" is
// left out when a value in it is missing.
var reasons = map[string]rules.Text{
	// why an event is not the root
	"teardown":          {ZH: "退出时的清理输出，不影响作业结果", EN: "printed while the interpreter was shutting down"},
	"informs":           {ZH: "打印它的组件把这一行标为普通信息，而不是错误", EN: "whatever printed it marks the line as information, not as an error"},
	"went-on":           {ZH: "之后训练仍在继续（第 {line} 行[[，step {step}]]），说明已被处理", EN: "training went on after it (line {line}[[, step {step}]]), so it was dealt with"},
	"mentioned":         {ZH: "这一行只是引用、说明或否定了报错，不是本次运行的报错", EN: "the line quotes, describes or denies an error, it does not report one of this run"},
	"short-wait":        {ZH: "排队时间不长，属正常调度", EN: "the job had not waited long: ordinary scheduling"},
	"passed":            {ZH: "第 {line} 行表明这一步随后已完成", EN: "line {line} shows that this was overcome"},
	"succeeded":         {ZH: "作业最终成功结束，说明已被处理", EN: "the job ended well, so it was dealt with"},
	"attempt-recovered": {ZH: "发生在第 {attempt} 次运行，第 {later} 次运行已恢复训练", EN: "belongs to attempt {attempt}; attempt {later} recovered and trained on"},
	"older-run":         {ZH: "属于更早的一次运行：第 {line} 行起又重新运行", EN: "belongs to an earlier run: another began at line {line}"},
	"older-job":         {ZH: "所在日志的训练在另一份失败的日志开始前一天多就已结束，属于更早的作业", EN: "its log had ended more than a day before another that failed began: of an older job"},
	"earlier-matter":    {ZH: "工单在第 {line} 行起引用的是以前的或另一次运行的问题，所问的不是它", EN: "the ticket tells, from line {line}, of an earlier matter or another run, and asks about something else"},
	"after-stop":        {ZH: "发生在作业被外部停止之后", EN: "came after the job had been stopped from outside"},
	"other-run":         {ZH: "所在文件与作业的任务无关联，且作业自身的日志已说明失败原因", EN: "its file is tied to no task of the job, whose own logs prove a failure"},
	"before-job":        {ZH: "早于作业日志的开头一小时以上，属于该节点上的其他作业", EN: "more than an hour before the job's logs begin: of another job on the node"},
	"before-start":      {ZH: "早于本次训练的开始，且训练中没有出现它会引起的故障", EN: "came before the training began, which met nothing that it would set off"},
	"after-job":         {ZH: "晚于本次训练的结束", EN: "came after the training had ended"},
	"other-process":     {ZH: "针对的是节点上的另一个进程 {process}，不是作业的进程", EN: "is about {process}, another process of the node and none of the job's"},
	"no-effect":         {ZH: "作业失败于程序自身的错误（第 {line} 行），这样的记录不会引起它", EN: "the job failed of an error of the program's own (line {line}), which no such record sets off"},
	"unmade":            {ZH: "多个 rank 同样缺少它，而 rank {rank} 因另一错误退出：应由它生成", EN: "several ranks miss it alike, and rank {rank}, which was to make it, failed of something else"},
	"data":              {ZH: "日志在这里打印的是数据（代码样本或工具的输出），不是程序自身的报错", EN: "the log shows data here, a sample of code or what a tool answered, and no failure of the program"},
	"other-time":        {ZH: "此后半小时内没有通信失败，与本次故障无关", EN: "no communication failed within half an hour of it: of another time"},
	"habit":             {ZH: "同一位置的同一异常此前也出现过（第 {line} 行），之后训练仍在继续；作业最终成功结束", EN: "the same exception of the same place came before (line {line}) and training went on after it; the job ended well"},
	"survived":          {ZH: "此后程序仍在继续（第 {line} 行），并以另一个错误结束", EN: "the program went on after it (line {line}) and ended of something else"},
	"prepared":          {ZH: "启动脚本或其中的工具打印，之后程序照常启动（第 {line} 行）", EN: "printed by the boot script or a tool that it calls; the program started after it (line {line})"},
	"same-failure":      {ZH: "与首个故障相同，由其他进程或重复输出打印", EN: "the same failure, printed by another process or again"},
	"echo":              {ZH: "由其他故障引发[[：根因在 rank {rank}]][[，晚 {seconds} 秒]][[，至少晚 {least} 秒]]", EN: "set off by another failure[[, that of rank {rank}]][[, {seconds} s later]][[, at least {least} s later]]"},
	"exit-follows":      {ZH: "只说明进程如何结束[[，晚于根因 {seconds} 秒]][[，晚于根因至少 {least} 秒]]", EN: "only tells how the process ended[[, {seconds} s after the root]][[, at least {least} s after the root]]"},
	"waited":            {ZH: "在等待其他进程[[：rank {rank} 先失败]][[，比根因晚 {seconds} 秒]][[，比根因至少晚 {least} 秒]]", EN: "was waiting for another process[[: rank {rank} failed first]][[; printed {seconds} s after the root cause]][[; printed at least {least} s after the root cause]]"},
	"with-stop":         {ZH: "随作业被停止而出现[[，晚 {seconds} 秒]][[，至少晚 {least} 秒]]", EN: "came with the stop of the job[[, {seconds} s later]][[, at least {least} s later]]"},
	"earlier":           {ZH: "按日志早于根因[[ {seconds} 秒]]，未计入其后果；本身不足以说明作业为何失败", EN: "by the logs it came[[ {seconds} s]] before the root, so it is not counted among its consequences; by itself it does not tell why the job failed"},
	"earlier-run":       {ZH: "属于第 {attempt} 次运行，其后作业又重新运行", EN: "belongs to run {attempt}, after which the job ran again"},
	"waited-too":        {ZH: "同样在等待", EN: "was waiting as well"},
	"cut-off":           {ZH: "与另一进程失去联系（对方已退出或链路中断）[[：rank {rank} 先失败]][[，比根因晚 {seconds} 秒]][[，比根因至少晚 {least} 秒]]", EN: "had lost another process, which had ended or was cut off[[: rank {rank} failed first]][[; printed {seconds} s after the root cause]][[; printed at least {least} s after the root cause]]"},
	"follows":           {ZH: "可由更早的故障解释[[（rank {rank}）]][[，晚 {seconds} 秒]][[，至少晚 {least} 秒]]", EN: "explained by the earlier failure[[ of rank {rank}]][[, {seconds} s later]][[, at least {least} s later]]"},
	"later":             {ZH: "晚于首个故障[[（rank {rank}）]][[ {seconds} 秒]][[ 至少 {least} 秒]]", EN: "later than the first failure[[ on rank {rank}]][[ by {seconds} s]][[ by at least {least} s]]"},
	"again":             {ZH: "同类故障再次出现[[（rank {rank} 先报错）]][[，晚 {seconds} 秒]][[，至少晚 {least} 秒]]", EN: "the same kind of failure again[[, after that of rank {rank}]][[, {seconds} s later]][[, at least {least} s later]]"},
	"rival":             {ZH: "与根因的先后无法判断", EN: "nothing tells whether it came before or after the root"},
	"alike":             {ZH: "（另有 {count} 个文件中有同样的行）", EN: " (other files with the same: {count})"},
	"joint":             {ZH: "；", EN: "; "},

	// what decided the order
	"order-position": {ZH: "同一文件中的先后位置", EN: "the position within one file"},
	"order-time":     {ZH: "日志与事件的时间", EN: "the times of logs and events"},
	"order-skew":     {ZH: "按相同 step 校正时钟偏差后的时间", EN: "the times, after correcting the nodes' clocks by their common steps"},
	"order-kind":     {ZH: "时间分不出先后处，内核与设备的记录在先，等待其他进程的在后", EN: "where the times do not tell, records of the kernel and the device first, whoever waits last"},
	"order-step":     {ZH: "各 rank 已到达的 step", EN: "the steps that the ranks had reached"},
	"order-pointer":  {ZH: "启动器或平台指明的 rank 或任务", EN: "the rank or task that the launcher or the platform names"},

	// where
	"on-rank":         {ZH: "rank {rank}：", EN: "rank {rank}: "},
	"on-rank-of-task": {ZH: "{task} 上的 rank {rank}：", EN: "rank {rank} on {task}: "},
	"on-task":         {ZH: "{task}：", EN: "{task}: "},
	"on-ranks":        {ZH: "{count} 个 rank（{ranks}）报同一错误：", EN: "{count} ranks ({ranks}) report the same: "},

	"in-code": {ZH: "，出错于 {place}", EN: ", at {place}"},

	// why it is not surer
	"only-exit-code":   {ZH: "只看到退出码，没有看到使进程退出的那一行", EN: "only an exit code is at hand, not the line that explains it"},
	"only-signal":      {ZH: "只看到进程被哪个信号终止，看不到该信号从何而来", EN: "the log tells which signal ended the process, not where that came from"},
	"rivals":           {ZH: "还有别的故障可能发生在先，现有记录分不出先后", EN: "another failure may have come first, and nothing at hand tells which"},
	"several-jobs":     {ZH: "工单中有不止一个作业（{jobs}）各自报错，没有说明问的是哪一个", EN: "the ticket tells of several jobs ({jobs}), each with a failure of its own, and not which of them it asks about"},
	"not-proven":       {ZH: "这样的一行往往另有起因，单凭它不能证明", EN: "such a line often has another failure behind it and does not prove itself"},
	"ended-elsewhere":  {ZH: "平台结束这个任务，是因为 {task} 先失败了", EN: "the platform ended this task because {task} had failed before"},
	"last-words":       {ZH: "程序结束前自己打印了这一行，但没有异常栈，原因是按其字面判断的", EN: "the program printed the line before it ended, without an exception; the cause is read from its words alone"},
	"hearsay":          {ZH: "这一行可能只是引用、推测或已处理的报错，不足以证明", EN: "the line may only quote an error, guess it or tell of one that was dealt with"},
	"absent":           {ZH: "缺席的一方没有日志，或它的日志没有说明原因", EN: "whoever was waited for left no log, or one that does not say why"},
	"masked":           {ZH: "进程或作业最后以成功结束，该报错可能已被处理", EN: "the process or the job ended in success, so the error may have been handled"},
	"went-on-others":   {ZH: "报错之后同一日志仍有训练输出，它可能已被处理", EN: "its log shows training after it, so the error may have been handled"},
	"goes-without":     {ZH: "报错之后程序打印了替代或重试的提示并继续输出，它可能已被处理", EN: "the program then says what it uses or tries in place of what failed and goes on, so the error may have been handled"},
	"ended-by-others":  {ZH: "该任务最后以 SIGTERM 结束，结束它的未必是这个异常", EN: "its task ended on SIGTERM in the end, perhaps not on this exception"},
	"class-only":       {ZH: "报错只说明了异常的类型或笼统的现象，没有说明具体原因", EN: "the message tells a class of errors or a general fact, not what was wrong"},
	"still-running":    {ZH: "作业仍在运行", EN: "the job is still running"},
	"only-steps":       {ZH: "step 停止增长是唯一的迹象", EN: "the steps that stopped are the only sign"},
	"only-metrics":     {ZH: "监控指标是唯一的迹象", EN: "the metrics are the only sign"},
	"memory-near-full": {ZH: "没有内核或平台的记录证明是内存不足使它被终止，也没有事件可以排除停止与抢占", EN: "no record of the kernel or the platform says that memory was why, and no events are at hand to rule out a stop or a preemption"},
	"only-stacks":      {ZH: "线程堆栈是唯一的迹象", EN: "the stacks of the threads are the only sign"},
	"end-unknown":      {ZH: "现有日志中看不到作业的结束", EN: "the logs at hand do not show the end of the job"},
	"no-log":           {ZH: "没有日志可以核对", EN: "there is no log to check it against"},

	// what comparing the ranks and the stacks shows
	"common-end":    {ZH: "；{links} 条中断的链路中有 {count} 条以 {end} 为一端", EN: "; {count} of {links} broken links end at {end}"},
	"named-device":  {ZH: "；HCCL 心跳指认的故障设备是 {device}[[（rank {ranks}）]]", EN: "; the heartbeats of HCCL name {device}[[ (rank {ranks})]] as the device that failed"},
	"awaited-rank":  {ZH: "；各 rank 所报告的等待最终都指向 rank {ranks}", EN: "; the waits that the ranks report end at rank {ranks}"},
	"lagging-ranks": {ZH: "；rank {ranks} 只发起到第 {low} 次集合通信，其他 rank 已到第 {others} 次：其他 rank 在等它", EN: "; rank {ranks} had issued only collective {low} when the others had issued {others}: they waited for it"},
	"silent-ranks":  {ZH: "；rank {ranks} 没有报告超时，其他 rank 很可能在等它", EN: "; rank {ranks} reports no timeout: the others most likely waited for it"},
	"silent-tasks":  {ZH: "；{tasks} 没有报告超时，其他任务很可能在等它", EN: "; {tasks} reports no timeout: the others most likely waited for it"},
	"different-collectives": {ZH: "各 rank 在第 {seq} 次集合通信调用的算子不同：rank {ranks_a} 调用 {a}，rank {ranks_b} 调用 {b}，代码走了不同的分支",
		EN: "as collective number {seq} rank {ranks_a} issued {a} and rank {ranks_b} {b}: the code took different paths"},
	"different-counts": {ZH: "各 rank 在第 {seq} 次集合通信（{op}）的元素个数不同：rank {ranks_a} 为 {a}，rank {ranks_b} 为 {b}",
		EN: "collective number {seq} ({op}) has {a} elements on rank {ranks_a} and {b} on rank {ranks_b}: the ranks do not run the same step"},
	"refusing-nodes":    {ZH: "；{nodes} 个节点中有 {count} 个属于这种情况", EN: "; this is what {count} of {nodes} nodes say"},
	"quota-used":        {ZH: "；配额 {resource} 已用完（{used}/{quota}）", EN: "; the quota {resource} is used up ({used} of {quota})"},
	"restarted":         {ZH: "；此前平台因 {faults} 重新运行过作业", EN: "; the platform had run the job again after {faults}"},
	"restarts-spent":    {ZH: "；自动重启次数已用完", EN: "; no automatic restart is left"},
	"output-incomplete": {ZH: "；失败的是训练输出的上传，OBS 中的输出可能缺失或不完整", EN: "; what failed is the upload of the training output, which may be missing or incomplete in OBS"},
	"same-runs":         {ZH: "；日志中有 {count} 次运行都失败于此", EN: "; {count} runs in the log failed of it"},
	"run-before":        {ZH: "；前一次运行失败于“{cause}”（第 {line} 行）", EN: "; the run before failed of \"{cause}\" (line {line})"},
	"so-far":            {ZH: "；已到 step {step}[[（{at}）]]", EN: "; it has come to step {step}[[ ({at})]]"},
	"stacks-taken":      {ZH: "没有报错；有人抓取了进程的堆栈，作业很可能卡住", EN: "nothing failed; somebody took the stacks of the process, so the job most likely hangs"},
	"steps-stopped":     {ZH: "作业仍在运行，但训练 step 已停止前进", EN: "the job runs, but its steps have stopped"},
	"stalled": {ZH: "；{since} 之后的 {minutes} 分钟内没有新的 step[[，{count} 个 rank 都停在 step {all}]][[，停在 step {step}]][[，rank {behind} 更早停在 step {low}]]",
		EN: "; no step came in the {minutes} minutes after {since}[[, when all {count} ranks had reached step {all}]][[, when step {step} had been reached]][[; rank {behind} had stopped at step {low}]]"},
	"stands": {ZH: "；[[rank {rank} 的]][[线程 {thread} 的]]堆栈停在 {func}（{file}:{line}）", EN: "; the stack[[ of thread {thread}]][[ of rank {rank}]] stands in {func} ({file}:{line})"},

	"killed-memory-full": {ZH: "主机内存几乎用满时，训练进程被 SIGKILL 终止", EN: "the training process was ended by SIGKILL when host memory was nearly used up"},
	"devices-idle":       {ZH: "作业仍在运行，但加速卡已长时间空闲，很可能已经卡住", EN: "the job runs, but its accelerators have had nothing to do for long, so it most likely hangs"},
	"memory-full":        {ZH: "；内存使用率（memUsage）在最后几分钟升至 {value}%（第 {minute} 分钟）", EN: "; memory use (memUsage) had risen to {value}% in its last minutes (minute {minute})"},
	"memory-low":         {ZH: "；按分钟采样的内存使用率（memUsage）最高 {value}%，内存没有逐渐耗尽", EN: "; sampled by the minute, memory use (memUsage) never passed {value}%: memory did not fill up over time"},
	"idle":               {ZH: "；{metric} 从第 {from} 分钟起连续 {minutes} 分钟为 0", EN: "; {metric} has been 0 for {minutes} minutes, from minute {from} on"},
	"resting-task":       {ZH: "；最后 {minutes} 分钟里只有 {task} 的 {metric} 为 0，其他任务的加速卡仍在忙：其他任务很可能在等它", EN: "; in the last {minutes} minutes {metric} was 0 on {task} alone while the devices of the others were busy: they most likely waited for it"},

	// nothing wrong
	"nothing-wrong-high":   {ZH: "没有发现异常", EN: "nothing is wrong"},
	"nothing-wrong-medium": {ZH: "已有日志中没有失败的迹象，但作业如何结束不得而知", EN: "the log at hand shows no failure, but not how the job ended"},
	"masked-failure":       {ZH: "作业以退出码 0 结束，但日志显示训练并未正常完成", EN: "the job ended with exit code 0, yet its log shows that training did not finish"},
	"masked-by-pipe": {ZH: "作业以退出码 0 结束，但训练脚本已失败：启动命令把输出通过管道交给 tee（第 {line} 行），退出码是 tee 的；请在启动脚本中加 `set -o pipefail`",
		EN: "the job ended with exit code 0 although the script failed: the boot command pipes into tee (line {line}), so the exit code is that of tee; put `set -o pipefail` into the boot script"},
	"nothing-wrong-no-log": {ZH: "已有的 API 响应中没有失败的迹象，但没有日志可以核对", EN: "the answers at hand show no failure, but there is no log to check them against"},
	"unsaved": {ZH: "作业正常结束，但第 {line} 行显示文件没有写成，之后也没有写成的记录：请确认 checkpoint 或模型是否完整",
		EN: "the job ended well, but line {line} shows that a file was not written, and nothing tells that it was written later: check whether the checkpoint or model is there and whole"},
	"masked-by-shell": {ZH: "作业以退出码 0 结束，但训练脚本已失败：启动命令中的 `{how}`（第 {line} 行）掩盖了退出码",
		EN: "the job ended with exit code 0 although the script failed: `{how}` in the boot command (line {line}) hides the exit code"},
	"failed-after-training": {ZH: "训练本身已完成（第 {line} 行），失败的是其后的步骤",
		EN: "the training itself had finished (line {line}); what failed is a step after it"},

	// the platform's own analysis
	"opinion-agrees":  {ZH: "与证据一致", EN: "the evidence agrees"},
	"opinion-differs": {ZH: "平台给出的原因是“{cause}”，与证据不一致", EN: "it names \"{cause}\", which the evidence does not bear out"},
	"opinion-silent":  {ZH: "平台的描述没有指明可核对的原因", EN: "it names no cause that could be checked"},

	// further evidence
	"last-line":               {ZH: "最后一行（第 {line} 行）：{text}", EN: "last line ({line}): {text}"},
	"failed-call":             {ZH: "第 {line} 行，失败的调用", EN: "line {line}, a call that failed"},
	"next-details":            {ZH: "作业状态、各任务的退出码与报错信息，以及由哪个任务结束了作业", EN: "the state of the job, the exit code and message of each task, and which task ended the job"},
	"next-events":             {ZH: "调度、拉取镜像、节点异常、停止与抢占事件；退出码在 Info 级事件中，不要只查 Error", EN: "events of scheduling, image pull, nodes, stop and preemption; exit codes are Info events, so do not ask for errors only"},
	"next-log":                {ZH: "尚未提供任何日志，先看 {task} 的日志；预览只保留最新 5 MB", EN: "no log is at hand, begin with that of {task}; the preview holds the newest 5 MB"},
	"next-log-ended-run":      {ZH: "{task} 的日志尚未提供，而平台记录由该任务结束了运行；预览只保留最新 5 MB", EN: "the log of {task} is not at hand, and the platform names that task as the one that ended the run; the preview holds the newest 5 MB"},
	"next-log-exit":           {ZH: "{task} 的日志尚未提供，而该任务的退出码为 {code}；预览只保留最新 5 MB", EN: "the log of {task} is not at hand, and that task ended with exit code {code}; the preview holds the newest 5 MB"},
	"next-whole-log":          {ZH: "预览缺少日志开头，首个报错可能在其中；链接 5 分钟内有效，平台保留日志 30 天", EN: "the preview lacks the head of the log, which may hold the first error; the link lives 5 minutes, the platform keeps logs for 30 days"},
	"next-log-check":          {ZH: "作业状态可能掩盖失败：核对日志结尾；预览返回最新 5 MB，平台保留日志 30 天", EN: "a state can hide a failure: look at the end of the log; the preview gives the newest 5 MB, the platform keeps logs for 30 days"},
	"next-log-end":            {ZH: "已有日志止于 {end}，而 {task} 的进程在 {exit} 才结束：缺少的结尾很可能含有报错；预览返回最新 5 MB，平台保留日志 30 天", EN: "the log at hand ends at {end}, the process of {task} only at {exit}: the missing end most likely holds the error; the preview gives the newest 5 MB, the platform keeps logs for 30 days"},
	"next-log-obs":            {ZH: "若预览仍不完整，下载全部日志；链接 5 分钟内有效", EN: "when the preview lacks it too, download the whole log; the link lives 5 minutes"},
	"after-stopped-by-user":   {ZH: "作业是被停止的，无需修复；仍需要结果时重新提交，并从最近的 checkpoint 继续", EN: "The job was stopped, nothing has to be mended; when the result is still wanted submit it again and go on from the latest checkpoint"},
	"after-preempted":         {ZH: "作业被高优先级作业抢占，无需修复：资源空闲后重新提交并从最近的 checkpoint 继续，或提高作业优先级", EN: "A job of higher priority took its place, nothing has to be mended: submit it again when there is room and go on from the latest checkpoint, or raise its priority"},
	"after-job-timeout":       {ZH: "加大最大运行时长后重新提交，并从最近的 checkpoint 继续", EN: "Allow more running time, submit it again and go on from the latest checkpoint"},
	"after-resource-shortage": {ZH: "作业仍在排队时不必重新提交：有空闲资源后会自动运行；不愿等待时先停止再以更小的规格或其他资源池提交", EN: "While the job is still queued do not submit it again: it runs as soon as there is room; to wait no longer stop it first, then submit it with a smaller flavor or to another pool"},
	"after-queued-again":      {ZH: "作业已重新排队，有空闲资源后会自动运行，不要重复提交；请确认代码会从最近的 checkpoint 继续", EN: "The job is queued again and runs as soon as there is room: do not submit it a second time; make sure that the code goes on from the latest checkpoint"},
	"after-queue-ended":       {ZH: "作业已结束，不会再自动排队：资源空出后重新提交，或换更小的规格、其他资源池", EN: "The job has ended and does not queue again: submit it when there is room, or with a smaller flavor or to another pool"},
	"after-not-created":       {ZH: "作业没有创建成功，没有可查询的作业；处理后重新创建", EN: "No job was created, so there is none to ask about; create it again after the fix"},
	"after-hang":              {ZH: "作业仍在运行并占用资源：取得各 rank 的堆栈后停止作业，处理后再重新提交", EN: "The job still runs and holds its resources: stop it once the stacks of the ranks are taken, and submit it again after the fix"},
	"after-running":           {ZH: "作业仍在运行并占用资源：先停止作业，处理后再重新提交，并确认同类报错不再出现", EN: "The job still runs and holds its resources: stop it, submit it again after the fix and check that the error does not return"},
	"next-tasks":              {ZH: "各次调度中任务所在的节点：总在同一节点失败指向节点，否则指向代码", EN: "on which node each task ran in each try: failing on one node points at the node, else at the code"},
}

// reason words a reason; one without a wording shows its code.
func (w wording) reason(r verdict.Reason) string {
	t, ok := reasons[r.Code]
	if !ok {
		return r.Code
	}
	if c, ok := rules.CauseOf(r.Args["cause"]); ok { // its name in the report's language
		args := maps.Clone(r.Args)
		args["cause"] = c.Name.In(w.lang)
		return fill(t.In(w.lang), args)
	}
	return fill(t.In(w.lang), r.Args)
}

// order words what decided the order, "" when nothing had to be decided.
func (w wording) order() string {
	var texts []string
	for _, g := range w.v.Order {
		texts = append(texts, w.reason(verdict.Reason{Code: "order-" + g}))
	}
	return strings.Join(texts, w.reason(verdict.Reason{Code: "joint"}))
}
