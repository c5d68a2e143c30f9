package analyzer

import "hcloud-modelarts/analyzer/rules"

// remedies are the fixes that go with a sentence that stands in place of a
// rule's own, and with what is to be done about the state that the job is in.
var remedies = map[string][]rules.Fix{
	"different-collectives": {mendCollectives},
	"different-counts":      {mendCollectives},
	"steps-stopped":         {findStandstill},
	"after-queued-again":    {waitForRoom},
	"devices-idle":          {findStandstill},
	"killed-memory-full":    {lowerMemory, moreMemory},
}

var lowerMemory = rules.Fix{
	Title: rules.Text{ZH: "降低主机内存占用", EN: "Lower the host memory that the job needs"},
	Steps: []rules.Text{
		{ZH: "减小 batch size、DataLoader 的 `num_workers` 与 `prefetch_factor`，不要一次读入整个数据集", EN: "Reduce the batch size, `num_workers` and `prefetch_factor` of the DataLoader, and do not read the whole data set at once"},
		{ZH: "监控中的内存若一直上升，查找泄漏：不断增长的列表与缓存、未释放的中间结果", EN: "Where memory rises all the time in the metrics, look for a leak: lists and caches that grow, results that are kept"},
	},
	Changes: true,
}

var moreMemory = rules.Fix{
	Title:   rules.Text{ZH: "更换内存更大的规格", EN: "Use a flavor with more memory"},
	Steps:   []rules.Text{{ZH: "用 `hcloud ModelArts ShowTrainingJobFlavors` 查看规格，选择内存更大的重新创建作业", EN: "List the flavors with `hcloud ModelArts ShowTrainingJobFlavors` and create the job again with one that has more memory"}},
	Changes: true,
}

var mendCollectives = rules.Fix{
	Title: rules.Text{ZH: "让所有 rank 按相同顺序调用相同的集合通信", EN: "Let all ranks issue the same collectives in the same order"},
	Steps: []rules.Text{
		{ZH: "检查只在部分 rank 上执行的代码：`if rank == 0:` 中的 `barrier`、`all_reduce`、评估或保存", EN: "Look for code that only some ranks run: a `barrier`, an `all_reduce`, an evaluation or a save under `if rank == 0:`"},
		{ZH: "检查各 rank 的 batch 数是否相同（数据切分、`drop_last`、提前 `break`），以及参与计算的参数是否相同", EN: "Check that all ranks have the same number of batches (sharding, `drop_last`, an early `break`) and use the same parameters"},
		{ZH: "设置 `TORCH_DISTRIBUTED_DEBUG=DETAIL` 重跑一次，报错会指明不一致的算子和 rank", EN: "Run once with `TORCH_DISTRIBUTED_DEBUG=DETAIL`: the error then names the operations and ranks that differ"},
	},
	Changes: true,
}

var waitForRoom = rules.Fix{
	Title: rules.Text{ZH: "等待平台重新运行作业", EN: "Wait for the platform to run it again"},
	Steps: []rules.Text{
		{ZH: "在启动文件中确认能从最近的 checkpoint 继续训练", EN: "Make sure that the boot file resumes from the newest checkpoint"},
		{ZH: "需要更快得到资源时提高作业在专属资源池中的优先级，或创建作业时选择不可抢占", EN: "To get resources sooner raise the priority of the job in the dedicated pool, or create it as not preemptible"},
	},
	Changes: true,
}

var findStandstill = rules.Fix{
	Title: rules.Text{ZH: "找到停住的位置", EN: "Find where it stands still"},
	Steps: []rules.Text{
		{ZH: "比较各任务日志的最后一个 step，先停下的 rank 是要看的那个", EN: "Compare the last step in the log of each task: the rank that stopped first is the one to look at"},
		{ZH: "用 `py-spy dump --pid PID` 或 `faulthandler.dump_traceback_later(1800)` 取得各 rank 的堆栈", EN: "Get the stacks of the ranks with `py-spy dump --pid PID` or `faulthandler.dump_traceback_later(1800)`"},
	},
}
