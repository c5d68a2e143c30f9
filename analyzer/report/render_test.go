package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hcloud-modelarts/analyzer/source"
)

var update = flag.Bool("update", false, "rewrite the expected reports")

// sample is a report in which every part is filled.
func sample(lang string) Report {
	zh := lang == "zh"
	pick := func(a, b string) string {
		if zh {
			return a
		}
		return b
	}
	return Report{
		Input:       "ticket/",
		Job:         Job{ID: "0f9a1f2e-7c1b-4a52-9d0e-5a1b2c3d4e5f", Name: "llama-sft", Phase: "Failed", Region: "cn-north-4"},
		Severity:    Fault,
		Cause:       "device-oom",
		Domain:      "memory",
		Confidence:  High,
		Summary:     pick("GPU 显存不足：3 号卡申请 `2.00 GiB` 失败", "GPU memory is exhausted: allocating `2.00 GiB` on GPU 3 failed"),
		Rule:        "torch-oom-allocator",
		Fingerprint: "device-oom:3f9c0a1b2c4d",
		Evidence: []Evidence{
			{Source: "worker-1.log", Line: 1042, Text: "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. | `x`", Time: "2026-06-02T09:41:57+08:00", Task: "worker-1", Rank: 11, Offset: 99121, Length: 84, SHA256: strings.Repeat("0", 64)},
			{Source: "ShowTrainingJobDetails.json", Field: "status.task_statuses[1].message", Line: 8, Text: "loss = model(batch)", Rank: -1, Offset: -1},
		},
		Symptoms:      []Symptom{{Cause: "collective-timeout", Source: "worker-0.log", Line: 2210, Text: "Connection reset by peer 10.0.0.7:29500", Because: pick("在 rank 11 失败 12 s 之后", "12 s after rank 11 failed")}},
		Alternatives:  []Alternative{{Cause: "host-oom", Confidence: Low, Source: "messages", Line: 77, Text: "Out of memory: Killed process 1 (python)"}},
		Fixes:         []Fix{{Title: pick("降低显存占用", "Lower the memory that the job needs"), Steps: []string{pick("减小 `--batch_size`", "Lower `--batch_size`")}, Changes: true}, {Steps: []string{pick("查看规格", "Look at the flavors")}}},
		Next:          []Next{{API: "ShowTrainingJobLogsPreview", Why: pick("确认其他节点没有更早的报错", "rules out an earlier error on another node"), Command: "hcloud ModelArts ShowTrainingJobLogsPreview --task_id=worker-0"}},
		Collected:     []Collected{{API: "ShowTrainingJobDetails", Key: "status.phase", Value: "Failed"}, {API: "ListTrainingJobEvents", Key: "Error", Value: "Training job failed."}, {API: "ShowTrainingJobDetails", Key: "task", Value: "worker-0|worker-1"}},
		Order:         pick("日志时间", "the times in the logs"),
		SecondOpinion: &SecondOpinion{Source: "ShowTrainingJobDetails.json", Text: "内存不足", Comment: pick("证据指向显存", "the evidence points at GPU memory")},
		Why:           []Step{{Cause: "device-oom", Source: "worker-1.log", Line: 1042, Text: "torch.OutOfMemoryError", Verdict: "root", Because: pick("最早", "earliest")}},
		Lang:          lang,
		Timeline: &Timeline{More: 3, Lanes: []Lane{
			{Rank: 0, Task: "worker-0", Source: "worker-0.log", First: "2026-06-02T01:00:00Z", Last: "2026-06-02T01:42:09Z", Progress: "2026-06-02T01:41:50Z", Step: 1325, Marks: []Mark{{Time: "2026-06-02T01:42:09Z", Kind: "symptom", Cause: "collective-timeout", Line: 2210}}},
			{Rank: 11, Task: "worker-1", Source: "worker-1.log", First: "2026-06-02T01:00:01Z", Last: "2026-06-02T01:41:57Z", Step: -1, Marks: []Mark{{Time: "2026-06-02T01:41:57Z", Kind: "root", Cause: "device-oom", Line: 1042}}},
			{Rank: -1, Source: "messages", First: "2026-06-02T01:41:00Z", Last: "2026-06-02T01:41:00Z", Step: -1, Marks: []Mark{}},
		}},
		Notes: []Note{{Source: "core.bin", Text: NoteText(lang, "binary", nil)}},
		Stats: Stats{Sources: 3, Bytes: 123456, Lines: 8812},
	}
}

func reports(lang string) map[string][]Report {
	high := sample(lang)
	medium := sample(lang)
	medium.Confidence = Medium
	medium.Doubt = map[string]string{"zh": "只看到退出码", "en": "only an exit code is at hand"}[lang]
	low := sample(lang)
	low.Confidence, low.Severity, low.Cause, low.Fixes = Low, Insufficient, "unknown", nil
	low.Evidence, low.Symptoms, low.Why, low.SecondOpinion, low.Timeline = nil, nil, nil, nil, nil
	normal := Report{Input: "train.log", Severity: Normal, Confidence: High, Cause: "none", Summary: map[string]string{"zh": "作业正常结束", "en": "the job ended well"}[lang]}
	return map[string][]Report{"high": {high}, "medium": {medium}, "low": {low}, "normal": {normal}, "two": {high, normal}}
}

// TestRender compares each face of each kind of report with testdata;
// -update rewrites them.
func TestRender(t *testing.T) {
	for _, lang := range []string{"zh", "en"} {
		for name, list := range reports(lang) {
			data, err := JSON(list)
			if err != nil {
				t.Fatal(err)
			}
			page, err := HTML(list, lang)
			if err != nil {
				t.Fatal(err)
			}
			for file, got := range map[string][]byte{
				name + "." + lang + ".html":      bytes.Replace(page, []byte(HTMLStyle), nil, 1),
				name + "." + lang + ".md":        Markdown(list, lang, false),
				name + "." + lang + ".strict.md": Markdown(list, lang, true),
				name + "." + lang + ".txt":       Text(list, lang, Style{Width: 72}),
				name + "." + lang + ".json":      data,
			} {
				path := filepath.Join("testdata", file+".golden")
				if *update {
					if err := os.WriteFile(path, got, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(string(want), string(got)); d != "" {
					t.Errorf("%s (-want +got):\n%s", file, d)
				}
			}
		}
	}
}

// TestHeadings holds the headings to the order that programs rely on.
func TestHeadings(t *testing.T) {
	for name, want := range map[string]string{
		"high":   "诊断结论 根因 证据 修复建议 后续步骤",
		"medium": "诊断结论 根因 证据 修复建议 后续步骤",
		"low":    "诊断结论 根因 已收集信息 后续步骤",
		"normal": "诊断结论 根因 修复建议 后续步骤",
	} {
		list := reports("zh")[name]
		if got := headings(Markdown(list, "zh", false)); got != want {
			t.Errorf("%s: headings %q, want %q", name, got, want)
		}
		strict := strings.Replace(want, "证据 ", "", 1)
		if got := headings(Markdown(list, "zh", true)); got != strict {
			t.Errorf("%s: strict headings %q, want %q", name, got, strict)
		}
	}
}

func headings(markdown []byte) string {
	var names []string
	for line := range strings.Lines(string(markdown)) {
		if h, ok := strings.CutPrefix(line, "## "); ok {
			names = append(names, strings.TrimSpace(h))
		}
	}
	return strings.Join(names, " ")
}

// TestLowNamesNoCause: whatever the summary says, an undecided report states
// nothing and offers no fix.
func TestLowNamesNoCause(t *testing.T) {
	r := sample("zh")
	r.Confidence, r.Severity = Low, Insufficient
	for _, out := range [][]byte{Markdown([]Report{r}, "zh", true), Markdown([]Report{r}, "zh", false), Text([]Report{r}, "zh", Style{})} {
		if bytes.Contains(out, []byte("显存不足")) || bytes.Contains(out, []byte("方案")) || !bytes.Contains(out, []byte("当前信息不足以确定根因")) {
			t.Errorf("a report without a cause says:\n%s", out)
		}
	}
}

// poison puts a text into every string that may come from outside.
func poison(s string) Report {
	r := sample("zh")
	r.Input, r.Job, r.Summary, r.Order, r.Doubt, r.Outcome = s, Job{ID: s, Name: s, Phase: s}, s, s, s, s
	r.Evidence = []Evidence{{Source: s, Line: 3, Field: s, Text: s}, {Source: s, Line: 1, Text: s}}
	r.Symptoms = []Symptom{{Source: s, Line: 1, Text: s, Because: s}}
	r.Alternatives = []Alternative{{Cause: s, Source: s, Line: 1, Text: s}}
	r.Fixes = []Fix{{Title: s, Steps: []string{s}}}
	r.Next = []Next{{API: s, Why: s, Command: s}}
	r.Collected = []Collected{{API: s, Key: s, Value: s}}
	r.SecondOpinion = &SecondOpinion{Text: s, Comment: s}
	r.Why = []Step{{Source: s, Line: 1, Text: s, Verdict: s, Because: s}}
	lane := r.Timeline.Lanes[1]
	lane.Task, lane.Source, lane.Marks = s, s, []Mark{{Time: lane.Last, Kind: s, Cause: s, Line: 1}}
	r.Timeline = &Timeline{Lanes: []Lane{lane, {Rank: -1, Source: s, First: s, Last: s, Progress: s}}}
	r.Notes = []Note{{Source: s, Text: s}}
	return r
}

// hostile draws texts that try to break out of their place.
func hostile(t *rapid.T) string {
	piece := rapid.SampledFrom([]string{
		"a", "0", " ", "`", "``", "|", `\`, "\n", "\r\n", "\t", "<script>", "</td>", "&lt;", "[x](http://e)", "![i](u)", "]:", "# h", "- i", "1. n", "> q", "---", "===", "***", "__b__", "~~", "\x1b[31m", "\x1b]0;t\x07", "\u202e", "\u2028", "\u200b", "\ufeff", "\x00", "\x7f", "\u009b", "\xff", "\U000e0041", "显存", "，", "😀",
	})
	return "x" + strings.Join(rapid.SliceOfN(piece, 0, 10).Draw(t, "pieces"), "") + "x"
}

// shape is what the blocks of a text are: the first bytes of each line and the
// borders of its table cells.
func shape(markdown []byte) []string {
	var lines []string
	for line := range strings.Lines(string(markdown)) {
		line = strings.TrimSuffix(line, "\n")
		pipes := strings.Count(line, "|") - strings.Count(line, `\|`)
		if !strings.HasPrefix(line, "|") {
			pipes = 0
		}
		lines = append(lines, strings.Repeat("|", pipes)+line[:min(1, len(line))])
	}
	return lines
}

// TestHostileText: no quoted text changes the blocks of a report, hides
// anything in it or reaches the terminal as a command.
func TestHostileText(t *testing.T) {
	for _, strict := range []bool{false, true} {
		want := shape(Markdown([]Report{poison("x")}, "zh", strict))
		rapid.Check(t, func(t *rapid.T) {
			s := hostile(t)
			got := Markdown([]Report{poison(s)}, "zh", strict)
			if d := cmp.Diff(want, shape(got)); d != "" {
				t.Fatalf("%q changes the blocks: %s", s, d)
			}
			if i := bytes.IndexFunc(got, func(r rune) bool { return r != '\n' && source.Hidden(r) }); i >= 0 || !utf8.Valid(got) {
				t.Fatalf("%q reaches Markdown at %d", s, i)
			}
		})
	}
	rapid.Check(t, func(t *rapid.T) {
		s := hostile(t)
		width := rapid.IntRange(40, 120).Draw(t, "width")
		got := Text([]Report{poison(s)}, "zh", Style{Width: width})
		if i := bytes.IndexFunc(got, func(r rune) bool { return r != '\n' && source.Hidden(r) }); i >= 0 || !utf8.Valid(got) {
			t.Fatalf("%q reaches the terminal at %d", s, i)
		}
		for line := range strings.Lines(string(got)) {
			if w := displaywidth.String(strings.TrimSuffix(line, "\n")); w > width {
				t.Fatalf("a line is %d columns wide, not %d: %q", w, width, line)
			}
		}
	})
}

// TestProse shows what becomes of single texts.
func TestProse(t *testing.T) {
	for in, want := range map[string]string{
		"减小 `--batch_size`":     "减小 `--batch_size`",
		"<b>bold</b>":           `\<b>bold\</b>`,
		"[x](http://e)":         `[x\](http://e)`,
		"one ` tick":            "one \\` tick",
		"`` x ``":               "\\`\\` x \\`\\`",
		"# head":                `\# head`,
		"12. list":              `12\. list`,
		"3.5 GiB":               "3.5 GiB",
		`C:\temp\_x`:            `C:\temp\\\_x`,
		"a_b __init__ 10.*.*.*": `a_b \_\_init\_\_ 10.\*.\*.\*`,
		"a&amp;b & c":           `a\&amp;b & c`,
		"line\nbreak":           "line break",
	} {
		if got := prose(in); got != want {
			t.Errorf("prose(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCode(t *testing.T) {
	for in, want := range map[string]string{
		"plain":     "`plain`",
		"a`b":       "``a`b``",
		"`a`":       "`` `a` ``",
		"":          "` `",
		"  indent":  "`  indent`",
		"a|b":       "`a|b`",
		"\x1b[31mx": "`\\x1b[31mx`",
		"a\u202eb":  "`a\\u202eb`",
	} {
		if got := code(in); got != want {
			t.Errorf("code(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestJSONRoundTrip: the JSON holds every finding, and nothing that a terminal
// would obey.
func TestJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := poison(hostile(t))
		data, err := JSON([]Report{r})
		if err != nil {
			t.Fatal(err)
		}
		if bytes.ContainsFunc(data, hiddenInJSON) {
			t.Fatalf("hidden characters in %q", data)
		}
		var back Report
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		want := *r.ready(MaskForPrograms)
		if strings.ToValidUTF8(want.Summary, "\uFFFD") == want.Summary {
			if d := cmp.Diff(want, back); d != "" {
				t.Fatal(d)
			}
		}
	})
}

// TestReportIsNotChanged: rendering masks a copy.
func TestReportIsNotChanged(t *testing.T) {
	r := poison("peer 10.0.0.7 password=correcthorse")
	before, _ := json.Marshal(r)
	Markdown([]Report{r}, "en", false)
	Text([]Report{r}, "en", Style{Color: true, Width: 80})
	if _, err := JSON([]Report{r}); err != nil {
		t.Fatal(err)
	}
	if after, _ := json.Marshal(r); !bytes.Equal(before, after) {
		t.Error("rendering changed the report")
	}
	if out := Markdown([]Report{r}, "en", false); bytes.Contains(out, []byte("10.0.0.7")) || bytes.Contains(out, []byte("correcthorse")) {
		t.Errorf("unmasked:\n%s", out)
	}
}

func TestExcerpt(t *testing.T) {
	if n := len(Excerpt(strings.Repeat("a", 9000), 4000, 4010)); n < 1990 || n > 2010 {
		t.Errorf("of a long line %d bytes are shown", n)
	}
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Repeat(rapid.SampledFrom([]string{"a", "显", "a显"}).Draw(t, "unit"), rapid.IntRange(0, 3000).Draw(t, "n"))
		from := rapid.IntRange(0, len(line)).Draw(t, "from")
		for from > 0 && from < len(line) && !utf8.RuneStart(line[from]) {
			from--
		}
		line = line[:from] + "ROOT" + line[from:]
		got := Excerpt(line, from, from+4)
		if !utf8.ValidString(got) || !strings.Contains(got, "ROOT") || len(got) > excerptSize+6 {
			t.Fatalf("excerpt of %d bytes around %d: %d bytes, %q", len(line), from, len(got), got[:min(40, len(got))])
		}
	})
}

func TestTextsAreComplete(t *testing.T) {
	for code, x := range noteTexts {
		if x.ZH == "" || x.EN == "" || strings.Count(x.ZH, "%s") != strings.Count(x.EN, "%s") {
			t.Errorf("note %q lacks a wording, or its wordings take different values", code)
		}
	}
	if got := NoteText("en", "bound-line", []string{"7", "65536"}); !strings.Contains(got, "line 7 ") || !strings.Contains(got, "65536") {
		t.Errorf("NoteText = %q", got)
	}
	if got := NoteText("en", "new-code", []string{"a"}); got != "new-code a" {
		t.Errorf("NoteText = %q", got)
	}
}
