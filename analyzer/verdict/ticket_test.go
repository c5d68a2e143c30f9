package verdict

import (
	"strings"
	"testing"
)

// ticketOf makes a ticket of words and what is pasted below them, by turns.
func ticketOf(parts ...string) string {
	var b strings.Builder
	b.WriteString("# Ticket 4711\n\n")
	for i, p := range parts {
		if i%2 == 0 {
			b.WriteString(p + "\n\n")
		} else {
			b.WriteString("```\n" + p + "\n```\n\n")
		}
	}
	return b.String()
}

// TestEarlierMatters: a ticket asks about what its words say, and not about what
// they tell of as mended, as long ago, or as the run before; words that say that
// it is the same as before, or nothing, leave the order as it is.
func TestEarlierMatters(t *testing.T) {
	oom, key, code := raised(outOfMemory), raised("KeyError: 'label'"), "[Modelarts Service Log]Training end with return code: 1"
	for _, c := range []struct {
		name, text, cause string
		confidence        Confidence
	}{
		{"mended and now", ticketOf("上周五作业报下面的错，调小 batch 后已解决，仅供参考：", oom, "**本次问题**：换数据后失败：", key), "key-error", High},
		{"mended, the other way round", ticketOf("作业失败，日志：", key, "历史问题（已解决）：", oom), "key-error", High},
		{"mended, with nothing but a code now", ticketOf("历史问题（已解决）：", oom, "新作业的日志：", code), "unknown", Low},
		{"mended above", ticketOf("First failure:", oom, "The above was fixed with a smaller batch. Then:", key), "key-error", High},
		{"last week and a new job", ticketOf("Last week the job failed with", oom, "The new job ends with", key), "key-error", High},
		{"a new run below", ticketOf("报错如下：", oom, "调小 batch 后重跑，报错：", key), "key-error", High},
		{"last week alone", ticketOf("Last week the job failed with", oom), "device-oom", High},
		{"mended alone", ticketOf("已解决，仅供参考：", oom), "device-oom", High},
		{"last week, and a mere code now", ticketOf("Last week the job failed with", oom, "The new job:", code), "device-oom", Medium},
		{"not mended", ticketOf("上周的问题还没有解决：", oom, "worker-1 的日志：", key), "device-oom", High},
		{"asked whether it is mended", ticketOf("问题是否已解决？日志：", oom, "worker-1 的日志：", key), "device-oom", High},
		{"another task", ticketOf("worker-0 的日志：", oom, "现在附上 worker-1 的日志：", key), "device-oom", High},
		{"the same again", ticketOf("报错如下：", oom, "重跑后仍然失败，日志：", key), "device-oom", High},
		{"a new run above", ticketOf("本次作业的日志：", oom, "worker-1 的日志：", key), "device-oom", High},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"ticket.md": c.text}})
		if v.Cause != c.cause || v.Confidence != c.confidence {
			t.Errorf("%s: %s/%s, want %s/%s", c.name, v.Cause, v.Confidence, c.cause, c.confidence)
		}
	}
}

// TestSeveralJobsOfATicket: of several jobs by name or id, each with a failure of its own,
// nothing says which is asked about; tasks of one job are no jobs.
func TestSeveralJobsOfATicket(t *testing.T) {
	oom, key := raised(outOfMemory), raised("KeyError: 'label'")
	const id, other = "0f1e2d3c-4b5a-4697-8877-665544332211", "1f1e2d3c-4b5a-4697-8877-665544332212"
	for _, c := range []struct{ name, first, second, jobs string }{
		{"names", "作业 `pretrain-a` 的日志：", "作业 `pretrain-b` 的日志：", "pretrain-a, pretrain-b"},
		{"names in English", "job name: \"sft-1\"", "job name: \"sft-2\"", "sft-1, sft-2"},
		{"ids", "Job " + id + ":", "Job " + other + ":", id + ", " + other},
		{"one name", "作业 `pretrain-a`，rank 0：", "作业 `pretrain-a`，rank 1：", ""},
		{"tasks", "任务 `worker-0` 的日志：", "任务 `worker-1` 的日志：", ""},
		{"a name and an id", "作业 `pretrain-a` 的日志：", "作业 ID " + id + "：", ""},
		{"no names", "日志一：", "日志二：", ""},
	} {
		v := verdictOn(t, situation{logs: map[string]string{"ticket.md": ticketOf(c.first, oom, c.second, key)}})
		jobs := ""
		if v.Doubt != nil && v.Doubt.Code == "several-jobs" {
			jobs = v.Doubt.Args["jobs"]
		}
		if jobs != c.jobs || (v.Confidence == High) != (c.jobs == "") {
			t.Errorf("%s: %s, of the jobs %q, want %q", c.name, v.Confidence, jobs, c.jobs)
		}
	}
	more := verdictOn(t, situation{logs: map[string]string{"ticket.md": ticketOf("作业 `a-1` 的日志：", oom, "作业 `b-2` 的日志：", key, "作业 `c-3` 的日志：", raised("ZeroDivisionError: division by zero"))}})
	if more.Doubt == nil || more.Doubt.Code != "several-jobs" || more.Doubt.Args["jobs"] != "a-1, b-2, c-3" {
		t.Errorf("three jobs: %v", more.Doubt)
	}
	same := verdictOn(t, situation{logs: map[string]string{"ticket.md": ticketOf("作业 `pretrain-a` 的日志：", oom, "作业 `pretrain-b` 的日志：", oom)}})
	if same.Confidence != High {
		t.Errorf("two jobs with one failure: %s", same.Confidence)
	}
}
