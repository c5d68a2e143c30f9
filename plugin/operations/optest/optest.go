// Package optest makes requests for tests of what sends them.
package optest

import (
	"regexp"
	"strconv"
	"strings"

	"hcloud-modelarts/plugin/operations"
)

// candidates are texts of many forms; the first that a parameter takes is used.
var candidates = []string{"text", "1.0.0", "2026-06-01T00:00:00Z", "1780362004000", "a-1"}

// fitting are values for parameters that traps look at, so that they let a
// request with every parameter through.
var fitting = map[string]string{
	"spec.resource.flavor_id":  "modelarts.pool.visual.xlarge",
	"algorithm.local_code_dir": "/home/ma-user/code",
}

// Full gives every parameter of an operation a value that its traps let through.
func Full(op *operations.Operation) []operations.Argument {
	var args []operations.Argument
	for i := range op.Parameters {
		p := &op.Parameters[i]
		if op.IsGroup(p) || p.Name == "project_id" && p.In == "path" || p.Name == "X-Auth-Token" {
			continue
		}
		name := strings.ReplaceAll(p.Name, "[]", ".1")
		switch {
		case fitting[p.Name] != "":
			args = append(args, operations.Argument{Name: name, Value: fitting[p.Name]})
		case strings.HasPrefix(p.Type, "array<map"):
			args = append(args, operations.Argument{Name: name + ".1.KEY", Value: "text"})
		case strings.HasPrefix(p.Type, "array<object"):
			args = append(args, operations.Argument{Name: name, Value: `[{"count":2,"nested":{"on":true,"list":[1.5,"two"]}}]`})
		case strings.HasPrefix(p.Type, "array<"):
			args = append(args, operations.Argument{Name: name + ".1", Value: value(p, 0)}, operations.Argument{Name: name + ".2", Value: value(p, 1)})
		case strings.HasPrefix(p.Type, "map<"):
			args = append(args, operations.Argument{Name: name + ".KEY_1", Value: "a b=c"}, operations.Argument{Name: name + ".k2", Value: "$x 'y'"})
		case p.Type == "object":
			args = append(args, operations.Argument{Name: name, Value: `{"free":[1,{"x":null}]}`})
		default:
			args = append(args, operations.Argument{Name: name, Value: value(p, 0)})
		}
	}
	return args
}

// Example gives the operation's example.
func Example(op *operations.Operation) []operations.Argument {
	var args []operations.Argument
	for _, name := range op.ExampleNames() {
		args = append(args, operations.Argument{Name: name, Value: op.Example[name]})
	}
	return args
}

func value(p *operations.Parameter, n int) string {
	switch {
	case len(p.Values) > 0:
		return p.Values[n%len(p.Values)]
	case strings.Contains(p.Type, "integer"):
		if p.Limit.Min != nil {
			return strconv.FormatInt(*p.Limit.Min+int64(n), 10)
		}
		return strconv.Itoa(n + 1)
	case p.Type == "number":
		return "1.5"
	case p.Type == "boolean":
		return "true"
	case p.Limit.Pattern == "":
		return "text 文字 <&>" + strconv.Itoa(n)
	}
	whole := regexp.MustCompile("^(?:" + p.Limit.Pattern + ")$")
	for _, c := range candidates {
		if whole.MatchString(c) {
			return c
		}
	}
	return ""
}
