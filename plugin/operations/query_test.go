package operations

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestQuery(t *testing.T) {
	answer, err := Decode([]byte(`{"items": [{"id": "a", "n": 1782423068000, "big": 12345678901234567890, "tags": {"z": "1", "y": "2", "x": "3"}}, {"id": "b", "n": 2}], "price": 0.1}`))
	if err != nil {
		t.Fatal(err)
	}
	for expr, want := range map[string]string{
		"items[].id":               `["a","b"]`,
		"items[0].n":               `1782423068000`,
		"items[0].big":             `"12345678901234567890"`,
		"items[?n > `5`].id":       `["a"]`,
		"items[?n == `2`].id":      `["b"]`,
		"items[?id == 'c']":        `[]`,
		"nothing.here":             `null`,
		"items[5]":                 `null`,
		"keys(items[0].tags)":      `["x","y","z"]`,
		"items[0].tags.*":          `["1","2","3"]`,
		"length(items)":            `2`,
		"price":                    `0.1`,
		"reverse(items[].id)":      `["b","a"]`,
		"sort_by(items, &n)[0].id": `"b"`,
	} {
		for range 20 { // the library takes the fields of objects in random order
			q, err := CompileQuery(expr)
			if err != nil {
				t.Fatalf("%s: %v", expr, err)
			}
			found, err := q.Search(answer)
			if err != nil {
				t.Fatalf("%s: %v", expr, err)
			}
			data, err := json.Marshal(found)
			if err != nil {
				t.Fatal(err)
			}
			if string(data) != want {
				t.Fatalf("%s gives %s, not %s", expr, data, want)
			}
		}
	}
	for _, bad := range []string{"", "items[", "a..b", "nofunc("} {
		if _, err := CompileQuery(bad); err == nil {
			t.Errorf("%q compiles", bad)
		}
	}
}

// TestQueryFindsJSON: what cannot be written is an error, and not nothing.
func TestQueryFindsJSON(t *testing.T) {
	for _, expr := range []string{"avg(`[]`)", "[avg(`[]`)]", "{a: avg(`[]`)}", "&a"} {
		q, err := CompileQuery(expr)
		if err != nil {
			t.Fatal(err)
		}
		if found, err := q.Search(map[string]any{}); err == nil {
			t.Errorf("%q finds %v", expr, found)
		}
	}
}

// FuzzQuery: no expression panics, each finds the same again, in the same order,
// and what it finds can be written and leaves the answer as it was.
func FuzzQuery(f *testing.F) {
	for _, s := range []string{"a.b", "items[?n > `5`].id", "keys(@)", "*.*", "sort_by(@, &x)", "a[::-1]", "'x", "`1", "@[0:0:0]", "max_by(@,&a)", "avg(`[]`)", "to_string(@)", "{k: keys(b), v: b.*}", "a[*] | [0]", "merge(@, b)", "map(&@, a)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, expr string) {
		q, err := CompileQuery(expr)
		if err != nil {
			return
		}
		answer := func() any {
			return map[string]any{"a": []any{json.Number("1"), "x", nil, json.Number("12345678901234567890")}, "b": map[string]any{"c": true, "d": "2", "e": json.Number("0.5")}}
		}
		v := answer()
		found, err := q.Search(v)
		if diff := cmp.Diff(answer(), v); diff != "" {
			t.Fatalf("%q changes the answer: %s", expr, diff)
		}
		again, errAgain := q.Search(v)
		if (err == nil) != (errAgain == nil) {
			t.Fatalf("%q gives %v, then %v", expr, err, errAgain)
		}
		if err != nil {
			return
		}
		first, err := marshal(found)
		if err != nil {
			t.Fatalf("%q finds %v: %v", expr, found, err)
		}
		if second, _ := marshal(again); !bytes.Equal(first, second) {
			t.Fatalf("%q finds %s, then %s", expr, first, second)
		}
	})
}

// lists serves n entries by one way of counting.
type lists struct {
	n, max int
	by     string
	calls  int
	total  bool
}

func (l *lists) call(_ context.Context, r *Request) (any, error) {
	l.calls++
	number := func(name string, otherwise int) int {
		v := r.Text(name)
		if r.Body[name] != nil {
			v = fmt.Sprint(r.Body[name])
		}
		if n, err := strconv.Atoi(v); err == nil {
			return n
		}
		return otherwise
	}
	limit, offset := min(number("limit", 10), l.max), number("offset", 0)
	switch l.by {
	case "pages":
		offset *= limit
	case "continue":
		offset, _ = strconv.Atoi(r.Text("continue"))
	}
	var items []any
	for i := offset; i < min(offset+limit, l.n); i++ {
		items = append(items, map[string]any{"metadata": map[string]any{"id": strconv.Itoa(i)}})
	}
	answer := map[string]any{"items": items}
	if l.total {
		answer["count"] = json.Number(strconv.Itoa(l.n))
	}
	if l.by == "continue" && offset+limit < l.n {
		answer["metadata"] = map[string]any{"continue": strconv.Itoa(offset + limit)}
	}
	return answer, nil
}

// TestAllPages: every entry comes once, whatever offset counts.
func TestAllPages(t *testing.T) {
	for _, name := range []string{"ListTrainingJobs", "ListAlgorithms", "ListEvents"} {
		ways := map[string][]string{"ListTrainingJobs": {"records", "pages"}, "ListAlgorithms": {"records"}, "ListEvents": {"continue"}}[name]
		for _, by := range ways {
			for _, n := range []int{0, 1, 49, 50, 51, 100, 137} {
				for _, total := range []bool{true, false} {
					l := &lists{n: n, max: 50, by: by, total: total}
					o := op(t, name)
					args := []Argument{}
					if name == "ListEvents" {
						l.max, args = 500, arguments("resource=pools", "name=p", "limit=20")
					}
					answer, err := o.All(t.Context(), args, nil, l.call)
					if err != nil {
						t.Fatalf("%s by %s, %d: %v", name, by, n, err)
					}
					got, _ := Search("items[].metadata.id", answer).([]any)
					var want []any
					for i := range n {
						want = append(want, strconv.Itoa(i))
					}
					if diff := cmp.Diff(want, got); diff != "" && n > 0 {
						t.Errorf("%s by %s, %d entries, total %v, %d calls: %s", name, by, n, total, l.calls, diff)
					}
				}
			}
		}
	}
	if _, err := op(t, "ListTrainingJobs").All(t.Context(), arguments("offset=3"), nil, (&lists{}).call); !errors.Is(err, ErrOffset) {
		t.Error("offset is taken along with all pages")
	}
}

func TestPrices(t *testing.T) {
	c := Default()
	req, err := c.PriceRequest("p", "cn-north-4", []string{"code-1", "code-2"})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(req.Body)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"product_infos":[{"cloud_service_type":"hws.service.type.modelarts","id":"1","region":"cn-north-4","resource_size":1,"resource_spec":"code-1","resource_type":"hws.resource.type.modelarts","size_measure_id":14,"subscription_num":1,"usage_factor":"Duration","usage_measure_id":4,"usage_value":1},{"cloud_service_type":"hws.service.type.modelarts","id":"2","region":"cn-north-4","resource_size":1,"resource_spec":"code-2","resource_type":"hws.resource.type.modelarts","size_measure_id":14,"subscription_num":1,"usage_factor":"Duration","usage_measure_id":4,"usage_value":1}],"project_id":"p"}`
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Error(diff)
	}
	answer, err := Decode([]byte(`{"currency": "", "product_rating_results": [{"id": "2", "amount": 0.1}, {"id": "1", "amount": 21.3, "official_website_amount": 25.060}]}`))
	if err != nil {
		t.Fatal(err)
	}
	prices := Prices(answer, []string{"one", "two", "three"})
	if len(prices) != 2 || prices[0].Flavor != "one" || prices[1].Flavor != "two" || prices[0].Currency != "CNY" {
		t.Fatalf("%+v", prices)
	}
	for _, tt := range []struct {
		price Price
		nodes int
		hours string
		want  string
	}{{prices[0], 2, "8", "340.80"}, {prices[1], 3, "1", "0.30"}, {prices[1], 1, "1/3", "0.033333"}} {
		hours, _ := new(big.Rat).SetString(tt.hours)
		if got := Money(tt.price.Total(tt.nodes, hours)); got != tt.want {
			t.Errorf("%d nodes for %s hours cost %s, not %s", tt.nodes, tt.hours, got, tt.want)
		}
	}
	if got := Money(prices[0].Official); got != "25.06" {
		t.Errorf("the list price is %s", got)
	}
	for _, amount := range []string{"1e1000000", "1e-1000000", "-1", `"x"`, "null", "[]"} {
		answer, err := Decode([]byte(`{"product_rating_results": [{"id": "1", "amount": ` + amount + `}]}`))
		if err != nil {
			t.Fatal(err)
		}
		if prices := Prices(answer, []string{"one"}); len(prices) > 0 {
			t.Errorf("%s is taken for a price", amount)
		}
	}
}

// FuzzPrices: no answer gives a price that is negative, or that cannot be read
// back as it is written.
func FuzzPrices(f *testing.F) {
	for _, s := range []string{`{"product_rating_results": [{"id": "1", "amount": 21.3, "official_website_amount": 25.060}]}`, `{"product_rating_results": [{"id": 2, "amount": "1e-7"}, {"id": "1", "amount": 1e400}]}`, `{"currency": 5, "product_rating_results": [null, {"id": null}]}`, `{"product_rating_results": {"id": "1"}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		answer, err := Decode(data)
		if err != nil {
			return
		}
		for _, p := range Prices(answer, []string{"one", "two"}) {
			for _, r := range []*big.Rat{p.Amount, p.Official, p.Total(3, big.NewRat(1, 3))} {
				if r == nil {
					continue
				}
				s := Money(r)
				back, ok := new(big.Rat).SetString(s)
				if !ok || r.Sign() < 0 || len(s) > 64 || back.Sub(back, r).Abs(back).Cmp(big.NewRat(1, 1_000_000)) > 0 {
					t.Errorf("%s gives %s", data, s)
				}
			}
			if p.Currency == "" {
				t.Errorf("%s gives no currency", data)
			}
		}
	})
}

// TestTotalBeyondBounds: a total that no number of entries can reach is no reason
// to ask for no more.
func TestTotalBeyondBounds(t *testing.T) {
	l := &lists{n: 120, max: 50, by: "records"}
	answer, err := op(t, "ListTrainingJobs").All(t.Context(), nil, nil, func(ctx context.Context, r *Request) (any, error) {
		answer, err := l.call(ctx, r)
		answer.(map[string]any)["total"] = json.Number("1e300")
		answer.(map[string]any)["count"] = json.Number("1e300")
		return answer, err
	})
	if got, _ := Search("items", answer).([]any); err != nil || len(got) != 120 {
		t.Errorf("%d entries, %v", len(got), err)
	}
}
