package rules

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// checkShape compares what a file holds with what it may hold, and tells every
// field that is unknown, stands twice or holds another kind of value.
func checkShape(n *yaml.Node, t reflect.Type, field string, bad func(line int, what Text)) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.ShortTag() == "!!null" {
		return // the same as absent
	}
	wrong := func(zh, en string) {
		if field == "" {
			bad(n.Line, Text{ZH: "规则应由字段组成，例如 id、cause、match", EN: "a rule is made of fields such as id, cause and match"})
			return
		}
		bad(n.Line, Text{ZH: "%s 应为" + zh, EN: "%s must be " + en}.with(field))
	}
	switch t.Kind() {
	case reflect.Struct:
		if n.Kind != yaml.MappingNode {
			wrong("字段，而不是单个值或列表", "fields, not a single value or a list")
			return
		}
		checkFields(n, t, field, bad)
	case reflect.Slice:
		if n.Kind != yaml.SequenceNode {
			wrong("列表，每项以 - 开头或写在 [ ] 中", "a list: items that begin with -, or that stand in [ ]")
			return
		}
		for _, item := range n.Content {
			checkShape(item, t.Elem(), field, bad)
		}
	case reflect.Bool:
		if n.ShortTag() != "!!bool" {
			wrong(" true 或 false", "true or false")
		}
	default:
		if n.Kind != yaml.ScalarNode {
			wrong("一段文本；含有 : { [ 等字符的文本要加引号", "a text; one with : { or [ needs quotation marks")
		}
	}
}

func checkFields(n *yaml.Node, t reflect.Type, field string, bad func(line int, what Text)) {
	known := fieldsOf(t)
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		inner := strings.TrimPrefix(field+"."+key.Value, ".")
		if first := lines[key.Value]; first > 0 {
			bad(key.Line, Text{ZH: "字段 %s 重复，第 %d 行已有", EN: "the field %s stands twice, line %d has it already"}.with(inner, first))
			continue
		}
		lines[key.Value] = key.Line
		if of, ok := known[key.Value]; ok {
			checkShape(value, of, inner, bad)
			continue
		}
		names := slices.Sorted(maps.Keys(known))
		bad(key.Line, Text{ZH: "没有字段 %s，可用的有 %s", EN: "there is no field %s, only %s"}.with(inner, strings.Join(names, ", ")))
	}
}

// fieldsOf gives the fields of a struct by their names in files.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case options == "inline":
			maps.Copy(fields, fieldsOf(f.Type))
		case name != "":
			fields[name] = f.Type
		}
	}
	return fields
}

// lineOf gives the line of a field, or of an item of it when index is not
// negative; 1 when the rule does not have the field.
func lineOf(rule *yaml.Node, field string, index int) int {
	for i := 0; i+1 < len(rule.Content); i += 2 {
		if rule.Content[i].Value != field {
			continue
		}
		if items := rule.Content[i+1].Content; index >= 0 && index < len(items) {
			return items[index].Line
		}
		return rule.Content[i].Line
	}
	return 1
}
