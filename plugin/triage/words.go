package triage

import (
	"fmt"
	"strconv"
	"strings"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/rules"
)

type text = rules.Text

var (
	titleText = text{ZH: "训练作业批量诊断", EN: "Triage of training jobs"}

	headSummary = text{ZH: "汇总", EN: "Summary"}
	headGroups  = text{ZH: "同类故障", EN: "Groups of the same failure"}
	headRows    = text{ZH: "全部作业", EN: "All jobs"}

	colCase        = text{ZH: "案例", EN: "Case"}
	colJob         = text{ZH: "作业", EN: "Job"}
	colCause       = text{ZH: "根因", EN: "Cause"}
	colConfidence  = text{ZH: "置信度", EN: "Confidence"}
	colRank        = text{ZH: "最先失败的 rank", EN: "First failing rank"}
	colRetry       = text{ZH: "可重试", EN: "Retry?"}
	colOwner       = text{ZH: "责任方", EN: "Owner"}
	colCount       = text{ZH: "次数", EN: "Count"}
	colFirst       = text{ZH: "首次出现", EN: "First seen"}
	colLast        = text{ZH: "最近出现", EN: "Last seen"}
	colFingerprint = text{ZH: "指纹", EN: "Fingerprint"}
	colQuote       = text{ZH: "代表日志", EN: "Representative line"}

	stateNames = map[State]text{
		Undecided:  {ZH: "信息不足，未能定位", EN: "not determined"},
		Unreadable: {ZH: "无法读取", EN: "unreadable"},
		Healthy:    {ZH: "无异常", EN: "nothing wrong"},
	}

	ownerNames = map[string]text{
		"user":     {ZH: "用户", EN: "user"},
		"platform": {ZH: "平台", EN: "platform"},
		"either":   {ZH: "待判断", EN: "either"},
	}

	retryNames = map[string]text{
		"yes":          {ZH: "是", EN: "yes"},
		"no":           {ZH: "否", EN: "no"},
		"after-change": {ZH: "修改后", EN: "after a change"},
	}

	countsText = text{
		ZH: "%d 个案例，%d 个作业：已定位 %d，信息不足 %d，无异常 %d，无法读取 %d",
		EN: "%d cases, %d jobs: %d with a cause, %d not determined, %d healthy, %d unreadable",
	}
	ownersText = text{
		ZH: "已定位的作业中：用户侧 %d，平台侧 %d；可直接重试 %d",
		EN: "Of those with a cause: %d the user's, %d the platform's; %d may simply be retried",
	}
)

// lines words the counts.
func (c *Counts) lines(lang string) []string {
	return []string{
		fmt.Sprintf(countsText.In(lang), c.Cases, c.Jobs, c.Failed, c.Undecided, c.Healthy, c.Unreadable),
		fmt.Sprintf(ownersText.In(lang), c.User, c.Platform, c.Retry),
	}
}

// named gives the text of a key, "-" when it has none.
func named(names map[string]text, key, lang string) string {
	if t, ok := names[key]; ok {
		return t.In(lang)
	}
	return "-"
}

// causeText names the cause of a row or group; one without a cause says why.
func causeText(state State, cause, lang string) string {
	if t, ok := stateNames[state]; ok {
		return t.In(lang)
	}
	return report.Plain(report.CauseName(cause, lang))
}

func (r *Row) jobText() string {
	switch {
	case r.Job.Name != "":
		return r.Job.Name
	case r.Job.ID != "":
		return r.Job.ID
	}
	return "-"
}

// groupText names the group of a row, "" for one that names no cause.
func (r *Row) groupText() string {
	if r.State() != Failed {
		return ""
	}
	return r.Fingerprint
}

// rankText names the rank on which the failure came first, or the task.
func (r *Row) rankText() string {
	switch {
	case r.State() != Failed:
		return "-"
	case r.Rank >= 0 && r.Task != "":
		return strconv.Itoa(r.Rank) + " (" + r.Task + ")"
	case r.Rank >= 0:
		return strconv.Itoa(r.Rank)
	case r.Task != "":
		return r.Task
	}
	return "-"
}

// sentence says what the row says: the summary, or why there is none.
func (r *Row) sentence() string {
	if r.Error != "" {
		return r.Error
	}
	return r.Summary
}

// fact words one fact of a group.
func fact(name text, value, lang string) string {
	if lang == "en" {
		return strings.TrimSuffix(name.EN, "?") + ": " + value
	}
	return name.ZH + "：" + value
}

// seen words a span of times, to the minute.
func seen(first, last, lang string) string {
	first, last = minute(first), minute(last)
	if first == last {
		return first
	}
	return fmt.Sprintf(seenText.In(lang), first, last)
}

func minute(s string) string {
	t := instant(s)
	if t.IsZero() {
		return "-"
	}
	return t.Format("2006-01-02 15:04")
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
