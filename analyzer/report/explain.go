package report

import (
	"fmt"
	"reflect"
	"strings"
)

// ExplainSchema names the JSON form of an explanation. Within it fields are
// added, never renamed.
const ExplainSchema = "hcloud-modelarts/explain/v1"

// Explanation is what is known of a code, a cause, a rule or pasted lines. Its
// texts are in one language already; its strings are unmasked until a renderer
// prints them.
type Explanation struct {
	Schema  string      `json:"schema"`
	Input   string      `json:"input"`
	Known   bool        `json:"known"`             // anything is known of it
	Code    bool        `json:"code"`              // the input has the form of a code, known or not
	Part    string      `json:"part"`              // the component that the letters of an unknown code name, else ""
	Near    []string    `json:"near"`              // what the input may be a misspelling of
	Codes   []Code      `json:"codes"`             // every reading of the code
	Unknown []string    `json:"unknown,omitempty"` // of several codes those that no table has
	Causes  []CauseInfo `json:"causes"`            // the cause that the input names
	Rules   []RuleInfo  `json:"rules"`             // the rule that the input names
	Lines   []Line      `json:"lines"`             // lines of the input of which something is known
	More    int         `json:"more"`              // further such lines that are not listed
}

// Code is one reading of a code.
type Code struct {
	Table     string `json:"table"` // "exit", "errno", "xid", …
	TableName string `json:"table_name"`
	Code      string `json:"code"`
	Name      string `json:"name"`
	Meaning   string `json:"meaning"`
	Fix       string `json:"fix"`
	Cause     string `json:"cause"` // "" when the code does not tell
	CauseName string `json:"cause_name"`
	Source    string `json:"source"`
}

// CauseInfo is a cause with the rules that name it.
type CauseInfo struct {
	ID      string     `json:"id"`
	Domain  string     `json:"domain"`
	Name    string     `json:"name"`
	Meaning string     `json:"meaning"`
	Rules   []RuleLine `json:"rules"`
	Fixes   []Fix      `json:"fixes"` // those that most of its rules have
}

// RuleLine is a rule in a list.
type RuleLine struct {
	ID   string `json:"id"`
	Role string `json:"role"`
	Says string `json:"says"` // "{name}" stands for a value of the line
}

// RuleInfo is what a rule says, of a line when it has one.
type RuleInfo struct {
	ID        string   `json:"id"`
	Family    string   `json:"family"`
	Role      string   `json:"role"`
	Cause     string   `json:"cause"`
	CauseName string   `json:"cause_name"`
	Says      string   `json:"says"`
	Retry     string   `json:"retry"`
	Fixes     []Fix    `json:"fixes"`
	Links     []string `json:"links"`
	Confirm   []string `json:"confirm"` // what would settle it, for an ambiguous rule
	Samples   []string `json:"samples"` // lines that it matches, where no line is at hand
}

// Line is a line of the input.
type Line struct {
	Number int       `json:"line"`
	Text   string    `json:"text"`
	Bare   string    `json:"bare"` // what rules look at: the line without its prefixes
	Values []Value   `json:"values"`
	Rule   *RuleInfo `json:"rule"`
	Codes  []Code    `json:"codes"`
}

// Value is what a rule read in a line.
type Value struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// readyExplanation gives a copy that may be shown.
func readyExplanation(e *Explanation, mask func(string) string) *Explanation {
	c := *e
	c.Schema = ExplainSchema
	maskStrings(reflect.ValueOf(&c).Elem(), mask)
	return &c
}

// ExplainJSON renders an explanation for programs.
func ExplainJSON(e *Explanation) ([]byte, error) {
	data, err := EncodeJSON(readyExplanation(e, MaskForPrograms))
	if err != nil {
		return nil, fmt.Errorf("rendering report: %w", err)
	}
	return data, nil
}

var (
	explainMeaning = text{ZH: "含义：", EN: "Meaning: "}
	explainFix     = text{ZH: "处理：", EN: "What to do: "}
	explainCause   = text{ZH: "根因：", EN: "Cause: "}
	explainSource  = text{ZH: "出处：", EN: "Source: "}
	explainDomain  = text{ZH: "类别：", EN: "Domain: "}
	explainRule    = text{ZH: "规则：", EN: "Rule: "}
	explainSays    = text{ZH: "说明：", EN: "Says: "}
	explainRetry   = text{ZH: "重试：", EN: "Retry: "}
	explainValues  = text{ZH: "日志中的值：", EN: "Values: "}
	explainBare    = text{ZH: "去掉前缀后：", EN: "Without prefixes: "}
	explainConfirm = text{ZH: "可进一步确认：", EN: "To settle it: "}
	explainSamples = text{ZH: "匹配的日志：", EN: "Lines that it matches:"}
	explainLinks   = text{ZH: "参考：", EN: "See: "}
	explainRules   = text{ZH: "诊断出该根因的规则（%d 条）：", EN: "Rules that name it (%d):"}
	explainMore    = text{ZH: "另有 %d 行可以识别，未列出；完整诊断请用 analyze", EN: "%d more lines are known and not listed; analyze diagnoses them all"}
	explainPart    = text{ZH: "前两位表示所属组件：", EN: "Its first two letters name the component: "}
	explainNear    = text{ZH: "是否想查：", EN: "Did you mean: "}
	explainNoCode  = text{ZH: "码表中没有 %s，含义未知", EN: "%s is in none of the tables: its meaning is unknown"}
	explainNoRule  = text{ZH: "没有规则认识这段内容。它可能无害，也可能是尚未收录的报错；请用 analyze 诊断完整日志", EN: "No rule knows this. It may be harmless, or an error that is not described yet: let analyze diagnose the whole log"}

	retryTexts = map[string]text{
		"yes":          {ZH: "直接重试可能成功", EN: "trying again may help"},
		"no":           {ZH: "重试无效", EN: "trying again does not help"},
		"after-change": {ZH: "修改后再重试", EN: "try again after a change"},
	}
	roleTexts = map[string]text{
		"root":      {ZH: "通常就是根因", EN: "usually the failure itself"},
		"ambiguous": {ZH: "可能是根因，需要其他证据", EN: "may be the failure itself, needs further evidence"},
		"symptom":   {ZH: "通常由其他故障引发", EN: "usually set off by another failure"},
		"context":   {ZH: "说明背景，不是故障", EN: "explains, is no failure"},
		"harmless":  {ZH: "无害，不计入诊断", EN: "harmless, never blamed"},
	}
)

// RetryText words whether the same job may just be run again, "" for an unknown
// code.
func RetryText(retry, lang string) string { return retryTexts[retry].In(lang) }

// ExplainText renders an explanation as Markdown that reads well in a terminal.
func ExplainText(e *Explanation, lang string) []byte {
	t := explainer{e: readyExplanation(e, Mask), lang: lang}
	t.unknown()
	for _, c := range t.e.Codes {
		t.head(code(c.Code), c.TableName)
		t.code(c)
	}
	for _, u := range t.e.Unknown {
		if t.e.Known {
			t.paragraph(fmt.Sprintf(explainNoCode.In(lang), u))
		}
	}
	for i := range t.e.Causes {
		t.cause(&t.e.Causes[i])
	}
	for i := range t.e.Rules {
		t.head(code(t.e.Rules[i].ID), "")
		t.rule(&t.e.Rules[i])
	}
	for i := range t.e.Lines {
		t.line(&t.e.Lines[i])
	}
	if t.e.More > 0 {
		t.paragraph(fmt.Sprintf(explainMore.In(lang), t.e.More))
	}
	return []byte(t.String())
}

// explainer writes one explanation.
type explainer struct {
	strings.Builder
	e    *Explanation
	lang string
}

func (t *explainer) paragraph(s string) {
	if t.Len() > 0 {
		t.WriteByte('\n')
	}
	t.WriteString(prose(s) + "\n")
}

// head writes a heading; what is Markdown already.
func (t *explainer) head(what, of string) {
	if t.Len() > 0 {
		t.WriteByte('\n')
	}
	if of != "" {
		of = " (" + prose(of) + ")"
	}
	t.WriteString("## " + what + of + "\n\n")
}

// item writes one line of a list, unless it says nothing.
func (t *explainer) item(label text, markdown string) {
	if markdown != "" {
		t.WriteString("- " + label.In(t.lang) + markdown + "\n")
	}
}

func (t *explainer) unknown() {
	switch {
	case t.e.Known:
		return
	case t.e.Code:
		t.WriteString(fmt.Sprintf(explainNoCode.In(t.lang), code(t.e.Input)) + "\n")
		if t.e.Part != "" {
			t.paragraph(explainPart.In(t.lang) + t.e.Part)
		}
	default:
		t.paragraph(explainNoRule.In(t.lang))
	}
	if len(t.e.Near) > 0 {
		t.WriteString("\n" + explainNear.In(t.lang) + codes(t.e.Near) + "\n")
	}
}

func codes(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = code(s)
	}
	return strings.Join(quoted, ", ")
}

// named is a name with the id that stands for it in the JSON.
func named(name, id string) string {
	if id == "" {
		return ""
	}
	return prose(name) + " (" + code(id) + ")"
}

func (t *explainer) code(c Code) {
	meaning := c.Meaning
	if c.Name != "" && !strings.Contains(meaning, c.Name) {
		meaning = c.Name + ": " + meaning
	}
	t.item(explainMeaning, prose(meaning))
	t.item(explainFix, prose(c.Fix))
	t.item(explainCause, named(c.CauseName, c.Cause))
	t.item(explainSource, prose(c.Source))
}

func (t *explainer) cause(c *CauseInfo) {
	t.head(prose(c.Name), c.ID)
	t.item(explainMeaning, prose(c.Meaning))
	t.item(explainDomain, prose(c.Domain))
	t.fixes(c.Fixes)
	if len(c.Rules) == 0 {
		return
	}
	t.WriteString("\n" + fmt.Sprintf(explainRules.In(t.lang), len(c.Rules)) + "\n\n")
	for _, r := range c.Rules {
		s := "- " + code(r.ID)
		if r.Says != "" {
			s += " " + prose(r.Says)
		}
		t.WriteString(s + "\n")
	}
}

func (t *explainer) rule(r *RuleInfo) {
	t.item(explainRule, named(roleTexts[r.Role].In(t.lang), r.ID))
	t.item(explainCause, named(r.CauseName, r.Cause))
	t.item(explainSays, prose(r.Says))
	t.item(explainRetry, prose(r.Retry))
	for _, c := range r.Confirm {
		t.item(explainConfirm, prose(c))
	}
	for _, l := range r.Links {
		t.item(explainLinks, prose(l))
	}
	if len(r.Samples) > 0 {
		t.WriteString("\n" + explainSamples.In(t.lang) + "\n\n")
		for _, s := range r.Samples {
			t.WriteString("    " + Plain(s) + "\n")
		}
	}
	t.fixes(r.Fixes)
}

func (t *explainer) fixes(list []Fix) {
	for _, f := range list {
		t.WriteString("\n### " + prose(f.Title) + "\n\n")
		for i, s := range f.Steps {
			fmt.Fprintf(t, "%d. %s\n", i+1, prose(s))
		}
	}
}

func (t *explainer) line(l *Line) {
	if t.Len() > 0 {
		t.WriteByte('\n')
	}
	t.WriteString("## " + fmt.Sprintf(lineOfField.In(t.lang), l.Number) + "\n\n    " + Plain(l.Text) + "\n\n")
	if l.Bare != l.Text {
		t.item(explainBare, code(l.Bare))
	}
	if len(l.Values) > 0 {
		values := make([]string, len(l.Values))
		for i, v := range l.Values {
			values[i] = v.Name + "=" + v.Text
		}
		t.item(explainValues, codes(values))
	}
	for _, c := range l.Codes {
		meaning := c.Meaning
		if c.Name != "" {
			meaning = c.Name + ": " + meaning
		}
		t.item(text{}, named(c.TableName, c.Code)+" "+prose(meaning))
	}
	if l.Rule != nil {
		t.rule(l.Rule)
	}
}
