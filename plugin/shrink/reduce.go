package shrink

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"hcloud-modelarts/analyzer"
	"hcloud-modelarts/analyzer/report"
)

// shrinker tries smaller and smaller cases.
type shrinker struct {
	options analyzer.Options
	want    string
	tries   int
}

// same reports whether a case has the diagnosis that is to be kept.
func (s *shrinker) same(docs []document) bool {
	reports, err := analyzer.Diagnose(rootsOf(docs), s.options)
	return err == nil && len(reports) > 0 && identity(&reports[0]) == s.want
}

// keeps is same, within the bound of tries.
func (s *shrinker) keeps(docs []document) bool {
	if s.tries >= maxTries {
		return false
	}
	s.tries++
	return s.same(docs)
}

// shrink leaves out documents, then lines, then parts of JSON values.
func (s *shrinker) shrink(docs []document, r *report.Report) []document {
	docs = s.near(docs, r)
	docs = minimize(docs, s.keeps)
	for i := range docs {
		docs[i].pieces = minimize(docs[i].pieces, func(pieces []piece) bool {
			return s.keeps(with(docs, i, pieces))
		})
	}
	docs = slices.DeleteFunc(docs, func(d document) bool { return len(d.pieces) == 0 })
	for i := range docs {
		for j := range docs[i].pieces {
			if docs[i].pieces[j].json {
				s.value(docs, i, j)
			}
		}
	}
	return docs
}

// with gives the documents with other pieces for one of them.
func with(docs []document, i int, pieces []piece) []document {
	c := slices.Clone(docs)
	c[i].pieces = pieces
	return c
}

// near tries at once to keep only the lines around those that the report
// quotes: it saves most of the tries.
func (s *shrinker) near(docs []document, r *report.Report) []document {
	quoted := map[string][]int{}
	note := func(source, field string, line int) {
		if field == "" {
			quoted[plainName(source)] = append(quoted[plainName(source)], line)
		}
	}
	for _, e := range r.Evidence {
		note(e.Source, e.Field, e.Line)
	}
	for _, x := range r.Symptoms {
		note(x.Source, x.Field, x.Line)
	}
	for _, around := range []int{5, 20, 60, 200} {
		var smaller []document
		for _, d := range docs {
			kept := document{name: d.name}
			for _, p := range d.pieces {
				close := func(n int) bool { return p.number >= n-around && p.number <= n+around/4 }
				if p.json || slices.ContainsFunc(quoted[d.name], close) {
					kept.pieces = append(kept.pieces, p)
				}
			}
			if len(kept.pieces) > 0 {
				smaller = append(smaller, kept)
			}
		}
		if s.keeps(smaller) {
			return smaller
		}
	}
	return docs
}

// minimize leaves out ever smaller chunks of a list for as long as the rest
// keeps the property: no single entry can be left out at the end.
func minimize[T any](list []T, keeps func([]T) bool) []T {
	for chunk := max(1, len(list)/2); ; chunk = max(1, chunk/2) {
		shorter := false
		for at := 0; at < len(list); {
			rest := slices.Delete(slices.Clone(list), at, min(len(list), at+chunk))
			if keeps(rest) {
				list, shorter = rest, true
				continue
			}
			at += chunk
		}
		if chunk == 1 && !shorter {
			return list
		}
	}
}

// value leaves out members, entries and lines of one JSON value.
func (s *shrinker) value(docs []document, i, j int) {
	d := json.NewDecoder(strings.NewReader(docs[i].pieces[j].text))
	d.UseNumber()
	var root any
	if d.Decode(&root) != nil || d.More() {
		return // a cut value stays as it is
	}
	put := func(v any) bool {
		text, err := encode(v)
		if err != nil {
			return false
		}
		pieces := slices.Clone(docs[i].pieces)
		pieces[j].text = text
		if !s.keeps(with(docs, i, pieces)) {
			return false
		}
		docs[i].pieces = pieces
		return true
	}
	if put(root) {
		s.prune(root, func(v any) bool { return put(v) })
	}
}

// prune leaves out what it can of a value; replace tries the value that it is
// handed in its place.
func (s *shrinker) prune(v any, replace func(any) bool) {
	switch v := v.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		keys = minimize(keys, func(some []string) bool { return replace(pick(v, some)) })
		kept := pick(v, keys)
		for _, key := range keys {
			s.prune(kept[key], func(x any) bool {
				old := kept[key]
				kept[key] = x
				if replace(kept) {
					return true
				}
				kept[key] = old
				return false
			})
		}
	case []any:
		kept := minimize(v, func(some []any) bool { return replace(some) })
		for i := range kept {
			s.prune(kept[i], func(x any) bool {
				old := kept[i]
				kept[i] = x
				if replace(kept) {
					return true
				}
				kept[i] = old
				return false
			})
		}
	case string:
		if lines := strings.Split(v, "\n"); len(lines) > 1 {
			minimize(lines, func(some []string) bool { return replace(strings.Join(some, "\n")) })
		}
	}
}

func pick(m map[string]any, keys []string) map[string]any {
	some := map[string]any{}
	for _, k := range keys {
		some[k] = m[k]
	}
	return some
}

func encode(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}
