package operations

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Call sends a request and gives the decoded answer.
type Call func(ctx context.Context, r *Request) (any, error)

// maxPages bounds a list that does not end.
const maxPages = 2000

// All fetches every page of a list and gives the first answer with the entries
// of all in it. Entries that come twice, because the list moved meanwhile, are
// left out. An operation without pages is called once.
func (o *Operation) All(ctx context.Context, args []Argument, body []byte, call Call) (any, error) {
	if o.Pages == nil {
		req, _ := o.Build(args, body)
		return call(ctx, req)
	}
	l := &lister{op: o, args: args, body: body, call: call, seen: map[string]bool{}}
	return l.run(ctx)
}

// ErrOffset says that a list was asked for as a whole and from a page of it.
var ErrOffset = errors.New("all pages begin with the first: leave out offset and continue")

type lister struct {
	op    *Operation
	args  []Argument
	body  []byte
	call  Call
	limit int
	seen  map[string]bool
	all   []any
}

func (l *lister) run(ctx context.Context) (any, error) {
	p := l.op.Pages
	given, _ := l.op.Build(l.args, l.body) // its problems were told before
	if n := given.count("limit"); n > 0 {
		l.limit = n
	} else {
		l.limit = p.Limit
	}
	if given.count("offset") != 0 || given.Has("continue") {
		return nil, ErrOffset
	}
	first, page, err := l.page(ctx, "", "")
	if err != nil {
		return nil, err
	}
	l.add(page)
	by := p.By
	if by == "unclear" && len(page) == l.limit && l.more(first) {
		if by, err = l.probe(ctx, page); err != nil {
			return nil, err
		}
	}
	last := first
	for n := 1; n < maxPages && len(page) > 0; n++ {
		name, value := l.next(by, n, last, len(page))
		if name == "" {
			break
		}
		if last, page, err = l.page(ctx, name, value); err != nil {
			return nil, err
		}
		if l.add(page) == 0 {
			break
		}
	}
	return set(first, strings.Split(p.Items, "."), l.all), nil
}

// next names the parameter that asks for the page after n pages, "" when there
// is none.
func (l *lister) next(by string, n int, last any, size int) (name, value string) {
	if by == "continue" {
		marker, _ := Search(l.op.Pages.Next, last).(string)
		if marker == "" {
			return "", ""
		}
		return "continue", marker
	}
	if size < l.limit || !l.more(last) {
		return "", ""
	}
	if by == "pages" {
		return "offset", strconv.Itoa(n)
	}
	return "offset", strconv.Itoa(n * l.limit)
}

// more reports whether there are entries beyond those seen; an answer without a
// total may have some.
func (l *lister) more(answer any) bool {
	total, ok := Search(l.op.Pages.Total, answer).(float64)
	return !ok || l.op.Pages.Total == "" || total > float64(len(l.all))
}

// probe finds out what offset counts, where sources disagree: when it counts
// entries, the list from offset 1 begins with the second entry; when it counts
// pages, with another page.
func (l *lister) probe(ctx context.Context, first []any) (string, error) {
	if len(first) < 2 {
		return "records", nil
	}
	_, page, err := l.page(ctx, "offset", "1")
	if err != nil {
		return "", err
	}
	if len(page) > 0 && l.key(page[0]) == l.key(first[1]) {
		return "records", nil
	}
	return "pages", nil
}

func (l *lister) page(ctx context.Context, name, value string) (answer any, items []any, err error) {
	args := make([]Argument, 0, len(l.args)+2)
	for _, a := range l.args {
		if a.Name != "offset" && a.Name != "limit" && a.Name != name {
			args = append(args, a)
		}
	}
	if l.op.root.child("limit") != nil {
		args = append(args, Argument{"limit", strconv.Itoa(l.limit)})
	}
	if name != "" {
		args = append(args, Argument{name, value})
	}
	req, problems := l.op.Build(args, l.body)
	if Fatal(problems) {
		return nil, nil, fmt.Errorf("asking %s for the next page: %s %q", l.op.Name, problems[0].Name, problems[0].Value)
	}
	if answer, err = l.call(ctx, req); err != nil {
		return nil, nil, err
	}
	items, _ = get(answer, strings.Split(l.op.Pages.Items, ".")).([]any)
	return answer, items, nil
}

// count is a number of the request, wherever it was given; 0 when it was not.
func (r *Request) count(name string) int {
	v, ok := r.Values[name]
	if !ok {
		v = r.Body[name]
	}
	n, err := strconv.Atoi(scalar(v))
	if err != nil {
		return 0
	}
	return n
}

func (l *lister) key(item any) string {
	if l.op.Pages.Key == "" {
		return asJSON(item)
	}
	k := Search(l.op.Pages.Key, item)
	if k == nil {
		return asJSON(item)
	}
	return asJSON(k)
}

// add keeps the entries that are new, and says how many.
func (l *lister) add(items []any) int {
	n := 0
	for _, item := range items {
		if k := l.key(item); !l.seen[k] {
			l.seen[k] = true
			l.all = append(l.all, item)
			n++
		}
	}
	return n
}

// get and set reach a field by a plain path.
func get(v any, path []string) any {
	for _, key := range path {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

func set(v any, path []string, to []any) any {
	m, ok := v.(map[string]any)
	if !ok || to == nil {
		return v
	}
	for _, key := range path[:len(path)-1] {
		if m, ok = m[key].(map[string]any); !ok {
			return v
		}
	}
	m[path[len(path)-1]] = to
	return v
}
