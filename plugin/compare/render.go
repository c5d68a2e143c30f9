package compare

import (
	"fmt"
	"strings"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/rules"
)

type text = rules.Text

var (
	headChanges = text{ZH: "变化", EN: "What changed"}
	headBegan   = text{ZH: "故障从这里开始", EN: "The failure began with"}
	headOnlyA   = text{ZH: "只在 A 中出现的日志", EN: "Lines that only A has"}
	headOnlyB   = text{ZH: "只在 B 中出现的日志", EN: "Lines that only B has"}
	sameText    = text{ZH: "没有发现差异", EN: "No difference was found"}
	moreText    = text{ZH: "另有 %d 种", EN: "and %d more kinds"}
	noneText    = text{ZH: "（无）", EN: "(none)"}
	orderText   = text{ZH: "两侧没有相同的作业 ID 或名称，按严重程度的顺序配对，可能不是同一个作业", EN: "no id or name tells which jobs belong together: these two are next to each other in order of severity, and may be different ones"}
	colWhat     = text{ZH: "项目", EN: "What"}

	kindNames = map[Kind]text{
		State: {ZH: "作业状态", EN: "state of the job"}, Cause: {ZH: "根因", EN: "cause"}, Confidence: {ZH: "置信度", EN: "confidence"},
		Fingerprint: {ZH: "指纹", EN: "fingerprint"}, Rank: {ZH: "最先失败的 rank", EN: "first failing rank"}, Evidence: {ZH: "证据", EN: "evidence"},
		Image: {ZH: "镜像", EN: "image"}, Code: {ZH: "代码", EN: "code"}, Command: {ZH: "启动命令", EN: "command"}, Flavor: {ZH: "规格", EN: "flavor"},
		Parameter: {ZH: "超参", EN: "parameter"}, Environment: {ZH: "环境变量", EN: "environment"}, Setup: {ZH: "作业配置", EN: "setup"},
		Version: {ZH: "版本", EN: "version"}, StepTime: {ZH: "每步耗时", EN: "time per step"}, Row: {ZH: "案例", EN: "case"},
		Job: {ZH: "作业", EN: "job"},
	}
)

// masked gives a copy that may be shown.
func (d *Difference) masked(mask func(string) string) *Difference {
	c := *d
	c.A, c.B = mask(d.A), mask(d.B)
	c.Part = d.Part.masked(mask)
	c.OnlyA, c.OnlyB = maskedLines(d.OnlyA, mask), maskedLines(d.OnlyB, mask)
	c.Jobs = make([]Pair, len(d.Jobs))
	for i, p := range d.Jobs {
		c.Jobs[i] = Pair{mask(p.A), mask(p.B), p.By, p.Part.masked(mask)}
	}
	return &c
}

func (p *Part) masked(mask func(string) string) Part {
	c := Part{Changes: make([]Change, len(p.Changes)), Texts: make([]Text, len(p.Texts)), Before: maskedLines(p.Before, mask)}
	for i, x := range p.Changes {
		c.Changes[i] = maskedChange(x, mask)
	}
	for i, x := range p.Texts {
		c.Texts[i] = Text{mask(x.Name), x.Diff} // masked when it was made
	}
	if p.Began != nil {
		c.Began = &maskedLines([]Line{*p.Began}, mask)[0]
	}
	return c
}

func maskedLines(list []Line, mask func(string) string) []Line {
	out := make([]Line, len(list))
	for i, l := range list {
		out[i] = Line{Source: mask(l.Source), Line: l.Line, Text: mask(l.Text)}
	}
	return out
}

// maskedChange masks a change's values together with their name, because the
// name may say that they are secret. Two values that are alike once they are
// masked still differ, and are told so.
func maskedChange(x Change, mask func(string) string) Change {
	name := x.Key[strings.LastIndexByte(x.Key, '.')+1:]
	hide := func(v string) string {
		if v == "" || name == "" {
			return mask(v)
		}
		return strings.TrimPrefix(mask(name+"="+v), name+"=")
	}
	return Change{x.Kind, mask(x.Key), hide(x.A), hide(x.B)}
}

// JSON renders a difference for programs.
func (d *Difference) JSON() ([]byte, error) {
	data, err := report.EncodeJSON(d.masked(report.MaskForPrograms))
	if err != nil {
		return nil, fmt.Errorf("rendering difference: %w", err)
	}
	return data, nil
}

// Markdown renders a difference for people.
func (d *Difference) Markdown(lang string) []byte {
	var b strings.Builder
	m := d.masked(report.Mask)
	fmt.Fprintf(&b, "- A %s\n- B %s\n", report.MarkdownCode(m.A), report.MarkdownCode(m.B))
	if m.Same() {
		fmt.Fprintf(&b, "\n%s\n", sameText.In(lang))
		return []byte(b.String())
	}
	m.Part.markdown(&b, "##", lang)
	for _, p := range m.Jobs {
		p.markdown(&b, lang)
	}
	for _, part := range []struct {
		head  text
		lines []Line
		more  int
		mark  string
	}{{headOnlyB, m.OnlyB, m.MoreB, "+"}, {headOnlyA, m.OnlyA, m.MoreA, "-"}} {
		if len(part.lines) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n", part.head.In(lang))
		writeLines(&b, part.lines, part.mark)
		if part.more > 0 {
			fmt.Fprintf(&b, "\n"+moreText.In(lang)+"\n", part.more)
		}
	}
	return []byte(b.String())
}

// markdown renders what changed of a pair of jobs.
func (p *Pair) markdown(b *strings.Builder, lang string) {
	jobs := report.MarkdownCode(p.A)
	if p.A != p.B {
		jobs += " → " + report.MarkdownCode(p.B)
	}
	fmt.Fprintf(b, "\n## %s %s\n", kindNames[Job].In(lang), jobs)
	if p.By == ByOrder {
		fmt.Fprintf(b, "\n%s\n", orderText.In(lang))
	}
	if p.same() {
		fmt.Fprintf(b, "\n%s\n", sameText.In(lang))
		return
	}
	p.Part.markdown(b, "###", lang)
}

// markdown renders what changed, under headings of a level.
func (p *Part) markdown(b *strings.Builder, level, lang string) {
	if p.Began != nil {
		fmt.Fprintf(b, "\n%s %s\n\n", level, headBegan.In(lang))
		writeLines(b, p.Before, " ")
		writeLines(b, []Line{*p.Began}, "+")
	}
	if len(p.Changes) > 0 {
		fmt.Fprintf(b, "\n%s %s\n\n| %s | A | B |\n|---|---|---|\n", level, headChanges.In(lang), colWhat.In(lang))
		for _, x := range p.Changes {
			at := firstDifference(x.A, x.B)
			fmt.Fprintf(b, "| %s | %s | %s |\n", report.MarkdownCell(name(x, lang)), cell(x.A, at, lang), cell(x.B, at, lang))
		}
	}
	for _, x := range p.Texts {
		fmt.Fprintf(b, "\n%s %s\n\n", level, report.MarkdownCode(x.Name))
		for line := range strings.Lines(x.Diff) {
			fmt.Fprintf(b, "    %s\n", report.Plain(strings.TrimSuffix(line, "\n")))
		}
	}
}

func name(x Change, lang string) string {
	s := kindNames[x.Kind].In(lang)
	if x.Key != "" {
		s += " " + report.MarkdownCode(x.Key)
	}
	return s
}

// cell shows a value, of a long one what stands around a place.
func cell(v string, at int, lang string) string {
	if v == "" {
		return noneText.In(lang)
	}
	return report.MarkdownCell(report.MarkdownCode(report.Excerpt(v, at, at)))
}

// firstDifference gives the first byte in which two texts differ.
func firstDifference(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func writeLines(b *strings.Builder, lines []Line, mark string) {
	for _, l := range lines {
		fmt.Fprintf(b, "- %s %s %s\n", report.MarkdownCode(mark), report.MarkdownCode(fmt.Sprintf("%s:%d", l.Source, l.Line)), report.MarkdownCode(l.Text))
	}
}
