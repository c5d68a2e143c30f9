package verdict

import (
	"strings"

	"hcloud-modelarts/analyzer/fold"
	"hcloud-modelarts/analyzer/rules"
)

// opinions compares the platform's own analysis with the verdict.
func opinions(c *Case, v *Verdict, pack *rules.Pack) []Opinion {
	var all []Opinion
	for _, a := range c.Job.Analysis {
		cause := causeIn(pack, a.Description)
		agrees := cause != "" && cause == v.Cause
		if cause == "" {
			agrees = speaksOf(v.Cause, a.Description)
		}
		all = append(all, Opinion{Analysis: a, Cause: cause, Agrees: agrees})
	}
	return all
}

// spoken are the words by which an analysis speaks of a cause where it quotes no line
// of a log: those of the classes and descriptions of the service. Those that fit two
// causes, as out_of_memory, name none.
var spoken = map[string]*fold.Words{
	"device-oom":            fold.Of("显存不足", "显存失败", "NPU内存不足", "GPU内存不足", "NPU out of memory", "GPU out of memory", "CUDA out of memory", "out of device memory"),
	"host-oom":              fold.Of("主机内存不足", "系统内存不足", "容器内存不足", "host out of memory", "out of host memory"),
	"disk-full":             fold.Of("disk_full", "no space left", "磁盘空间不足", "磁盘已满"),
	"module-missing":        fold.Of("缺少依赖", "模块不存在", "no module named"),
	"file-missing":          fold.Of("文件不存在", "路径不存在", "no such file"),
	"permission-denied":     fold.Of("权限不足", "没有权限", "permission denied"),
	"device-fault":          fold.Of("chip_fault", "硬件故障", "芯片故障"),
	"node-failure":          fold.Of("node_fault", "节点故障"),
	"collective-timeout":    fold.Of("通信超时", "集合通信超时"),
	"object-storage-access": fold.Of("OBS访问失败", "OBS权限"),
}

// speaksOf reports whether a text names a cause in words.
func speaksOf(cause, text string) bool {
	words := spoken[cause]
	return words != nil && words.In(text)
}

// causeIn gives the cause of the rule that says most about a text, "" when none
// does.
func causeIn(pack *rules.Pack, text string) string {
	var top *rules.Rule
	wording := 0
	for line := range strings.Lines(text) {
		for _, r := range pack.Rules {
			if _, i, ok := r.Find(line); ok && (top == nil || r.Outranks(i, top, wording)) {
				top, wording = r, i
			}
		}
	}
	if top == nil || top.Role == rules.Harmless || top.Role == rules.Context {
		return ""
	}
	return top.Cause
}
