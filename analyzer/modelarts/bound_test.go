package modelarts

import (
	"fmt"
	"strings"
	"testing"

	"hcloud-modelarts/analyzer/source"
)

// inPages reads a value of many members as source hands it on, page by page.
func inPages(before, after string, n, each int, member func(int) string) *Pages {
	p := NewPages("a.json", 1)
	for i := 0; i < n; i += each {
		var b strings.Builder
		b.WriteString(before)
		for k := i; k < i+each; k++ {
			b.WriteString(member(k))
			b.WriteByte(',')
		}
		page := source.Page{JSON: source.JSON{Bytes: []byte(strings.TrimSuffix(b.String(), ",") + after)}, Part: source.Part{Goes: i+each < n}}
		if i > 0 {
			page.Told, page.Gaps = len(before), []source.Gap{{At: len(before), Parts: i}}
		}
		if page.Goes {
			page.Open = len(before)
		}
		p.Read(&page)
	}
	return p
}

// TestListsAreBounded: of every list that answers have, some items are held, and
// the others are counted.
func TestListsAreBounded(t *testing.T) {
	const job = `{"kind":"job","metadata":{"id":"5e2c7d1a-1111-4222-8333-0123456789ab"},"status":{"phase":"Failed",`
	long := strings.Repeat("x", 2000)
	for _, c := range []struct {
		name, before, member, after string
		held                        func(Job) int
		left                        func(LeftOut) int
		most                        int
	}{
		{"tasks", job + `"task_statuses":[`, `{"task":"worker-{i}","exit_code":0}`, `]}}`, func(j Job) int { return len(j.Tasks) }, func(l LeftOut) int { return l.States }, mostTasks},
		{"tasks of long names", job + `"task_statuses":[`, `{"task":"{i}{long}","exit_code":0}`, `]}}`, func(j Job) int { return len(j.Tasks) }, func(l LeftOut) int { return l.States }, 2 * mostBytes / 2000},
		{"hosts", `{"tasks":[`, `{"task":"worker-{i}","ip":"10.0.0.1","host_ip":"{i}"}`, `]}`, func(j Job) int { return len(j.Hosts) }, func(l LeftOut) int { return l.States }, mostTasks},
		{"runs", job + `"running_records":[`, `{"start_at":17803{i},"end_at":17804{i},"end_reason":"exit with 1","end_related_task":"worker-{i}"}`, `]}}`, func(j Job) int { return len(j.Records) }, func(l LeftOut) int { return l.Items }, mostItems},
		{"recoveries", job + `"running_records":[{"start_at":17803,"recover_records":[`, `{"fault_scenario":"chip_fault","recover_result":"failed","reason":"{i}"}`, `]}]}}`, func(j Job) int { return len(j.Records[0].Recoveries) }, func(l LeftOut) int { return l.Items }, mostRetry},
		{"analyses", job + `"failure_analysis_result":{"analysis_results":[`, `{"description":"d {i}","solution":"s","document_link":"l"}`, `]}}}`, func(j Job) int { return len(j.Analysis) }, func(l LeftOut) int { return l.Items }, mostItems},
		{"stages", `{"running_records":[{"record_order":1,"stages":[`, `{"name":"running","start_time":"2026-06-02T09:00:00+08:00","stage_order":{i},"en_message":"m"}`, `]}]}`, func(j Job) int { return len(j.Stages) }, func(l LeftOut) int { return l.Items }, mostItems},
		{"metrics", `{"metrics":[`, `{"metric":"cpuUsage{i}","value":["1","-1","1e999","NaN"]}`, `]}`, func(j Job) int { return len(j.Metrics) }, func(l LeftOut) int { return l.Items }, mostTasks},
		{"metrics of many samples", `{"metrics":[`, `{"metric":"cpuUsage{i}","value":[{ones}1]}`, `]}`, func(j Job) int { return len(j.Metrics) }, func(l LeftOut) int { return l.Items }, 4 * mostBytes / 4000},
		{"quotas", `{"quotas":[`, `{"resource":"r{i}","quota":9,"used":1}`, `]}`, func(j Job) int { return len(j.Quotas) }, func(l LeftOut) int { return l.Items }, mostItems},
		{"previews", `[`, `{"task":"worker-{i}","content":"x","current_size":9,"full_size":9}`, `]`, func(j Job) int { return len(j.Preview) }, func(l LeftOut) int { return l.Items }, mostTasks},
	} {
		t.Run(c.name, func(t *testing.T) {
			const n = 12_000
			p := inPages(c.before, c.after, n, 1000, func(i int) string {
				return strings.NewReplacer("{i}", fmt.Sprint(i), "{long}", long, "{ones}", strings.Repeat("1,", 500)).Replace(c.member)
			})
			a, left := p.Answer(), p.LeftOut()
			if len(a.Jobs) != 1 {
				t.Fatalf("%d jobs", len(a.Jobs))
			}
			held := c.held(a.Jobs[0])
			if held > c.most || held < min(c.most/4, 500) {
				t.Errorf("%d are held, want %d at the most", held, c.most)
			}
			if total := held + c.left(left); c.name != "recoveries" && total != n {
				t.Errorf("%d are held or counted, want %d", total, n)
			} else if total == held {
				t.Error("none is counted")
			}
			if size := Weight(a.Jobs); size > 4*mostBytes+1000 {
				t.Errorf("the job takes %d bytes", size)
			}
			if size := Weight(a.Facts); size > mostOfFacts+10_000 {
				t.Errorf("its facts take %d bytes", size)
			}
		})
	}
}

// TestWithin: what tells of a failure is held before the rest, and of what is
// alike the first and the last.
func TestWithin(t *testing.T) {
	for _, c := range []struct {
		items       string
		most, bytes int
		want        string
	}{
		{"abcdef", 6, 6, "abcdef"},
		{"abcdef", 4, 9, "abef"},
		{"abcdef", 3, 9, "abf"},
		{"abcdef", 9, 2, "af"},
		{"abcDef", 1, 9, "D"},
		{"abCDEfg", 4, 9, "aCDE"},
		{"abcdef", 0, 9, ""},
	} {
		items := []byte(c.items)
		left := within(&items, c.most, c.bytes, func(byte) int { return 1 }, func(b byte) bool { return b >= 'a' })
		if string(items) != c.want || left != len(c.items)-len(c.want) {
			t.Errorf("of %s, %d items and %d bytes: %q with %d left out, want %q", c.items, c.most, c.bytes, items, left, c.want)
		}
	}
}

// TestFair: the longest lists are cut to one length.
func TestFair(t *testing.T) {
	for _, c := range []struct {
		most   int
		wanted []int
		want   int
	}{
		{100, []int{20, 30}, 100}, {100, []int{20, 90}, 80}, {100, []int{20, 90, 90}, 40}, {10, []int{9, 9, 9}, 3}, {2, []int{1, 1, 1}, 0},
	} {
		if got := fair(c.most, c.wanted); got != c.want {
			t.Errorf("of %v within %d each has %d, want %d", c.wanted, c.most, got, c.want)
		}
	}
}

// TestShare: where not every list can have an item, those of failed jobs have one
// before others, until what there is room for is used.
func TestShare(t *testing.T) {
	long := Analysis{Description: strings.Repeat("x", 2000)}
	for _, c := range []struct {
		name         string
		failed       int // jobs, behind the others
		others       int
		each         []Analysis // of a job
		want, anyway int        // failed jobs and others that hold some
	}{
		{"too many lists", 100, 1400, []Analysis{{Description: "d"}}, 100, 924},
		{"too many bytes", 300, 700, []Analysis{long}, 300, mostBytes/weight(long) - 300},
		{"too many bytes of failed jobs", 1000, 10, []Analysis{long, long}, mostBytes / weight(long), 0},
		{"room for all", 500, 500, []Analysis{{Description: "d"}}, 500, 500},
	} {
		jobs := make([]*Job, c.others+c.failed)
		for i := range jobs {
			jobs[i] = &Job{Analysis: c.each}
			if i >= c.others {
				jobs[i].Phase = "Failed"
			}
		}
		left := share(jobs, mostItems, mostBytes, func(j *Job) *[]Analysis { return &j.Analysis }, none)
		items, size, holds := 0, 0, map[bool]int{}
		for _, j := range jobs {
			items += len(j.Analysis)
			if len(j.Analysis) > 0 {
				holds[j.Phase.Failed()]++
			}
			for _, a := range j.Analysis {
				size += weight(a)
			}
		}
		if holds[true] != c.want || holds[false] != c.anyway || items+left != len(jobs)*len(c.each) {
			t.Errorf("%s: %d failed jobs and %d others hold some, %d items are held and %d left out, want %d and %d", c.name, holds[true], holds[false], items, left, c.want, c.anyway)
		}
		if items > mostItems || size > mostBytes {
			t.Errorf("%s: %d items of %d bytes are held", c.name, items, size)
		}
	}
}
