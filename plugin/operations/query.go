package operations

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/jmespath/go-jmespath"

	"hcloud-modelarts/analyzer/lazy"
)

// Decode reads an answer without losing digits; nothing gives nil.
func Decode(data []byte) (any, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("something stands after the JSON value")
	}
	return v, nil
}

// Query is a JMESPath expression.
type Query struct {
	path      *jmespath.JMESPath
	unordered bool
}

// errExpression is an expression that the library takes and cannot evaluate: it
// panics on some, such as "@()", and the mean of an empty list is no number.
var errExpression = errors.New("the expression cannot be evaluated")

func recovered(err *error) {
	if recover() != nil {
		*err = errExpression
	}
}

// CompileQuery reads an expression.
func CompileQuery(expr string) (q *Query, err error) {
	defer recovered(&err)
	path, err := jmespath.Compile(expr)
	if err != nil {
		return nil, err
	}
	ast, err := jmespath.NewParser().Parse(expr)
	if err != nil {
		return nil, err
	}
	return &Query{path: path, unordered: unordered().MatchString(ast.PrettyPrint(0))}, nil
}

// unordered finds what takes the fields of objects in no order.
var unordered = lazy.Regexp(`ASTValueProjection|value: "(?:keys|values)"`)

// Search evaluates the expression on a decoded answer. What does not match
// gives nil, never the answer as a whole. Whole numbers that a float cannot
// hold become texts, and a result that is taken from the fields of objects, which
// have no order, is sorted.
func (q *Query) Search(v any) (found any, err error) {
	defer recovered(&err)
	found, err = q.path.Search(loose(v))
	if err != nil {
		return nil, err
	}
	if !isJSON(found) {
		return nil, errExpression
	}
	if q.unordered {
		arrange(found)
	}
	return found, nil
}

// isJSON reports whether a value can be written as JSON.
func isJSON(v any) bool {
	no := func(v any) bool { return !isJSON(v) }
	switch v := v.(type) {
	case nil, bool, string, json.Number:
		return true
	case float64:
		return !math.IsNaN(v) && !math.IsInf(v, 0)
	case []any:
		return !slices.ContainsFunc(v, no)
	case map[string]any:
		return !slices.ContainsFunc(slices.Collect(maps.Values(v)), no)
	}
	return false
}

// arrange sorts all lists within a value by their JSON.
func arrange(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			arrange(e)
		}
	case []any:
		for _, e := range v {
			arrange(e)
		}
		slices.SortStableFunc(v, func(a, b any) int { return strings.Compare(asJSON(a), asJSON(b)) })
	}
}

func asJSON(v any) string {
	data, err := marshal(v)
	if err != nil {
		return ""
	}
	return string(data)
}

// compiled keeps the catalogue's expressions: a table evaluates each of them for
// every row.
var compiled sync.Map // of *Query, by expression

// Search evaluates an expression of the catalogue, which is known to compile;
// what does not gives nil.
func Search(expr string, v any) any {
	known, ok := compiled.Load(expr)
	if !ok {
		q, err := CompileQuery(expr)
		if err != nil {
			return nil
		}
		known, _ = compiled.LoadOrStore(expr, q)
	}
	q := known.(*Query)
	found, err := q.Search(v)
	if err != nil {
		return nil
	}
	return found
}
