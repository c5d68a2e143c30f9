package rules

import (
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"

	"hcloud-modelarts/analyzer/lazy"
)

// Fault is what is wrong with a rule file.
type Fault struct {
	File string
	Line int    // 0 when it is about the file as a whole
	Rule string // id of the rule, "" when the file does not tell
	What Text
	Err  error // what the system said, nil when there is nothing to add
}

// In gives the fault in a language, with where it is.
func (f *Fault) In(lang string) string {
	place := f.File
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	if f.Rule != "" {
		place += ": " + fmt.Sprintf(Text{ZH: "规则 %q", EN: "rule %q"}.In(lang), f.Rule)
	}
	return place + ": " + f.What.In(lang)
}

func (f *Fault) Error() string {
	if f.Err != nil {
		return fmt.Sprintf("%s (%v)", f.In("en"), f.Err)
	}
	return f.In("en")
}

func (f *Fault) Unwrap() error { return f.Err }

// Faults are all that is wrong with a pack, by file and line.
type Faults []*Fault

func (fs Faults) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.Error()
	}
	return strings.Join(lines, "\n")
}

// with puts values into both languages.
func (t Text) with(args ...any) Text {
	return Text{ZH: fmt.Sprintf(t.ZH, args...), EN: fmt.Sprintf(t.EN, args...)}
}

// What is wrong with a file as a whole.
var (
	faultUnreadable = Text{ZH: "无法读取", EN: "cannot be read"}
	faultExtension  = Text{ZH: "规则文件的扩展名应为 .yaml，请改名", EN: "the name of a rule's file ends in .yaml: rename it"}
	faultEmpty      = Text{ZH: "文件为空，每个文件应有一条规则", EN: "is empty: each file holds one rule"}
	faultSeveral    = Text{ZH: "文件中有多个 YAML 文档，每个文件只能有一条规则", EN: "holds several YAML documents: each file holds one rule"}
	faultEncoding   = Text{ZH: "不是 UTF-8 文本", EN: "is not UTF-8 text"}
)

// yamlTexts put what the YAML library says into words that show the mistake.
var yamlTexts = []struct {
	part string // of the library's message
	text Text
}{
	{"did not find expected ',' or '}'", Text{ZH: "花括号 { 没有用 } 结束，或缺少逗号", EN: "a { is not closed by }, or a comma is missing"}},
	{"did not find expected ',' or ']'", Text{ZH: "方括号 [ 没有用 ] 结束，或缺少逗号", EN: "a [ is not closed by ], or a comma is missing"}},
	{"found a tab character", Text{ZH: "缩进中有制表符，请改为空格", EN: "a tab stands in the indentation: use blanks"}},
	{"found unexpected end of stream", Text{ZH: "引号没有结束", EN: "a quotation mark is not closed"}},
	{"found unexpected document indicator", Text{ZH: "引号没有结束", EN: "a quotation mark is not closed"}},
	{"mapping values are not allowed", Text{ZH: "此处不应有冒号：含有冒号的文本要加引号", EN: "a colon is out of place: a text with a colon needs quotation marks"}},
	{"found character that cannot start any token", Text{ZH: "值不能以此字符开头，请加引号", EN: "a value cannot begin with this character: put it in quotation marks"}},
	{"found unknown escape character", Text{ZH: "双引号中的反斜杠转义无效，请改用单引号", EN: "the backslash escape in double quotation marks is unknown: use single ones"}},
	{"could not find expected ':'", Text{ZH: "字段名之后缺少冒号", EN: "a colon is missing behind a field's name"}},
	{"did not find expected key", Text{ZH: "缩进或引号有误，此处应为字段名", EN: "the indentation or a quotation mark is wrong: a field's name is expected here"}},
	{"did not find expected '-' indicator", Text{ZH: "缩进有误，此处应为列表项 -", EN: "the indentation is wrong: an item of the list (-) is expected here"}},
	{"did not find expected node content", Text{ZH: "缺少值，或括号没有结束", EN: "a value is missing, or a bracket is not closed"}},
	{"unknown anchor", Text{ZH: "以 * 开头的值要加引号", EN: "a value that begins with * needs quotation marks"}},
}

// syntaxFault tells where a file is no YAML, and why.
func syntaxFault(err error) (line int, what Text) {
	le, ok := errors.AsType[*yaml.LoadError](err)
	if !ok {
		return 0, Text{ZH: "不是有效的 YAML（%v）", EN: "is not valid YAML (%v)"}.with(err)
	}
	switch {
	case strings.Contains(le.Message, "no documents in stream"):
		return 0, faultEmpty
	case strings.Contains(le.Message, "found multiple"):
		return 0, faultSeveral
	case le.Stage == "reader":
		return 0, faultEncoding
	}
	line = le.Mark.Line
	if open := le.ContextMark.Line; open > 0 && (strings.Contains(le.ContextMsg, "flow") || strings.Contains(le.ContextMsg, "quoted")) {
		line = open // where it was not closed
	}
	for _, t := range yamlTexts {
		if strings.Contains(le.Message, t.part) {
			return line, t.text
		}
	}
	return line, Text{ZH: "不是有效的 YAML（%s）", EN: "is not valid YAML (%s)"}.with(le.Message)
}

var idLine = lazy.Regexp(`(?m)^id:[ \t]*["']?([A-Za-z0-9_.-]+)`)

// idIn finds the id in a file that cannot be read as YAML.
func idIn(data []byte) string {
	if m := idLine().FindSubmatch(data); m != nil {
		return string(m[1])
	}
	return ""
}
