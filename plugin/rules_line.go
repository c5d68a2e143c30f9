package main

import (
	"bytes"
	"fmt"
	"strconv"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/scan"
	"hcloud-modelarts/analyzer/source"
)

type explainLineCmd struct {
	Words []string `arg:"" name:"text" help:"${rules_line}"`
	Rules string   `placeholder:"DIR" help:"${rules_dir}"`
}

var trialHeading = map[string][]string{
	"zh": {"规则", "表述", "作用", "根因", "结果"},
	"en": {"RULE", "WORDING", "ROLE", "CAUSE", "OUTCOME"},
}

// outcomeTexts word how a trial ended; each %s takes the fragment, or the rule
// that won.
var outcomeTexts = map[scan.Outcome]text{
	scan.Won:       {ZH: "胜出", EN: "wins"},
	scan.Outranked: {ZH: "匹配，但 %s 更具体", EN: "matches, but %s says more"},
	scan.Scope:     {ZH: "文字匹配，但不适用于这类日志", EN: "fits, but does not look at lines of this kind"},
	scan.Absent:    {ZH: "缺少片段 %s", EN: "lacks the literal %s"},
	scan.Barred:    {ZH: "含有被排除的片段 %s", EN: "holds the excluded literal %s"},
	scan.Differs:   {ZH: "片段齐全，表达式不匹配", EN: "has the literals, the expression differs"},
}

// Run shows which rules were tried on each line, and how that ended.
func (e *explainLineCmd) Run(c *console) error {
	pack, err := c.pack(e.Rules)
	if err != nil {
		return err
	}
	text, err := c.words(e.Words)
	if err != nil {
		return err
	}
	tried, err := analyzer.Try(text, pack, source.Limits{})
	if err != nil {
		return err
	}
	var b bytes.Buffer
	for i, t := range tried {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%d: %s\n", t.Number, report.Plain(report.Mask(t.Text)))
		if len(t.Trials) == 0 {
			b.WriteString(c.say(msgNoneTried) + "\n")
			continue
		}
		if err := c.trials(&b, t); err != nil {
			return err
		}
	}
	if len(tried) == 0 {
		b.WriteString(c.say(msgNoLines) + "\n")
	}
	return c.deliver("", b.Bytes())
}

func (c *console) trials(b *bytes.Buffer, t analyzer.Tried) error {
	winner, _ := t.Winner()
	rows := make([][]string, len(t.Trials))
	for i, x := range t.Trials {
		outcome := c.say(outcomeTexts[x.Outcome])
		switch x.Outcome {
		case scan.Outranked:
			outcome = c.say(outcomeTexts[x.Outcome], winner.Rule.ID)
		case scan.Absent, scan.Barred:
			outcome = c.say(outcomeTexts[x.Outcome], strconv.Quote(x.Fragment))
		}
		rows[i] = []string{x.Rule.ID, strconv.Itoa(x.Wording + 1), string(x.Rule.Role), x.Rule.Cause, outcome}
	}
	_, terminal := c.terminal()
	return writeTable(b, terminal, trialHeading[c.lang], rows)
}
