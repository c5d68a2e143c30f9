package main

import (
	"bytes"
	"fmt"
	"strings"

	"hcloud-modelarts/analyzer/report"
	"hcloud-modelarts/analyzer/rules"
)

type listRulesCmd struct {
	Cause string `placeholder:"CAUSE" help:"${rules_cause}"`
	Rules string `placeholder:"DIR" help:"${rules_dir}"`
}

var rulesHeading = map[string][]string{
	"zh": {"规则", "根因", "名称", "来源", "作用"},
	"en": {"RULE", "CAUSE", "NAME", "FAMILY", "ROLE"},
}

// Run lists the rules, sorted by id.
func (l *listRulesCmd) Run(c *console) error {
	pack, err := c.pack(l.Rules)
	if err != nil {
		return err
	}
	if _, ok := rules.CauseOf(l.Cause); l.Cause != "" && !ok {
		return &usageError{c.say(msgNoCause, l.Cause)}
	}
	var rows [][]string
	for _, r := range pack.Rules {
		if l.Cause != "" && r.Cause != l.Cause {
			continue
		}
		cause, _ := rules.CauseOf(r.Cause)
		rows = append(rows, []string{r.ID, r.Cause, cause.Name.In(c.lang), r.Family, string(r.Role)})
	}
	_, terminal := c.terminal()
	var b bytes.Buffer
	if err := writeTable(&b, terminal, rulesHeading[c.lang], rows); err != nil {
		return fmt.Errorf("writing table: %w", err)
	}
	return c.deliver("", b.Bytes())
}

type showRuleCmd struct {
	ID    string `arg:"" help:"${rules_id}"`
	Rules string `placeholder:"DIR" help:"${rules_dir}"`
}

var ruleLabels = map[string]text{
	"cause":   {ZH: "根因", EN: "Cause"},
	"say":     {ZH: "说明", EN: "Says"},
	"retry":   {ZH: "重试", EN: "Retry"},
	"samples": {ZH: "匹配的日志", EN: "Lines that it matches"},
	"links":   {ZH: "参考", EN: "See"},
}

// Run shows one rule as Markdown.
func (s *showRuleCmd) Run(c *console) error {
	pack, err := c.pack(s.Rules)
	if err != nil {
		return err
	}
	r := pack.Rule(s.ID)
	if r == nil {
		return &usageError{c.say(msgNoRule, s.ID)}
	}
	d, err := r.Detail()
	if err != nil {
		return fmt.Errorf("reading rule %q: %w", r.ID, err)
	}
	return c.deliver("", []byte(c.ruleText(r, d)))
}

func (c *console) ruleText(r *rules.Rule, d *rules.Detail) string {
	var b strings.Builder
	cause, _ := rules.CauseOf(r.Cause)
	label := func(key string) string { return ruleLabels[key].In(c.lang) + c.colon() }
	fmt.Fprintf(&b, "## %s\n\n", r.ID)
	fmt.Fprintf(&b, "- %s%s (`%s`)\n", label("cause"), cause.Name.In(c.lang), r.Cause)
	if say := d.Say.In(c.lang); say != "" {
		fmt.Fprintf(&b, "- %s%s\n", label("say"), say)
	}
	if retry := report.RetryText(d.Retry, c.lang); retry != "" {
		fmt.Fprintf(&b, "- %s%s\n", label("retry"), retry)
	}
	fmt.Fprintf(&b, "\n%s\n\n", label("samples"))
	for _, s := range d.Samples.Match {
		for line := range strings.SplitSeq(s, "\n") {
			fmt.Fprintf(&b, "    %s\n", report.Plain(line))
		}
	}
	for _, f := range d.Fixes {
		fmt.Fprintf(&b, "\n### %s\n\n", f.Title.In(c.lang))
		for i, step := range f.Steps {
			fmt.Fprintf(&b, "%d. %s\n", i+1, step.In(c.lang))
		}
	}
	if len(d.Links) > 0 {
		fmt.Fprintf(&b, "\n%s\n\n- %s\n", label("links"), strings.Join(d.Links, "\n- "))
	}
	return b.String()
}

// pack gives the shipped rules, with those of a folder when one is named.
func (c *console) pack(dir string) (*rules.Pack, error) {
	pack, err := c.userPack(dir)
	if err == nil && pack == nil {
		pack = rules.Default()
	}
	return pack, err
}
