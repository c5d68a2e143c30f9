package operations

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
)

// Pricing says how prices are asked for.
type Pricing struct {
	Region  string            `yaml:"region"`
	Product map[string]string `yaml:"product"`
	// The operations that give the public flavors, the projects and the prices.
	Flavors  string `yaml:"flavors"`
	Projects string `yaml:"projects"`
	Ratings  string `yaml:"ratings"`
	Job      Billed `yaml:"job"`
}

// Billed is where a job says what it will cost, as JMESPaths over the request and
// its reads.
type Billed struct {
	Pool   string `yaml:"pool"` // set when a dedicated pool pays
	Flavor string `yaml:"flavor"`
	Nodes  string `yaml:"nodes"`
	Hours  string `yaml:"hours"` // after which it is stopped
}

// Price is what one node of a flavor costs in one hour.
type Price struct {
	Flavor   string
	Amount   *big.Rat // with discounts
	Official *big.Rat // as published; nil when it is not stated
	Currency string
}

// PriceRequest asks for the hourly price of billing codes in a region.
func (c *Catalogue) PriceRequest(project, region string, codes []string) (*Request, error) {
	args := []Argument{{"project_id", project}}
	for i, code := range codes {
		at := fmt.Sprintf("product_infos.%d.", i+1)
		args = append(args, Argument{at + "id", strconv.Itoa(i + 1)}, Argument{at + "resource_spec", code}, Argument{at + "region", region})
		for name, v := range c.Pricing.Product {
			args = append(args, Argument{at + name, v})
		}
	}
	req, problems := c.Find(c.Pricing.Ratings).Build(args, nil)
	if Fatal(problems) {
		return nil, fmt.Errorf("asking for prices: %s %q is wrong", problems[0].Name, problems[0].Value)
	}
	return req, nil
}

// Prices reads the answer to a PriceRequest; a flavor without a price is left
// out.
func Prices(answer any, flavors []string) []Price {
	currency, _ := Search("currency", answer).(string)
	if currency == "" {
		currency = "CNY" // what an empty currency means
	}
	var list []Price
	results, _ := get(answer, []string{"product_rating_results"}).([]any)
	for i, flavor := range flavors {
		at := slices.IndexFunc(results, func(r any) bool { return scalar(get(r, []string{"id"})) == strconv.Itoa(i+1) })
		if at < 0 {
			continue
		}
		p := Price{Flavor: flavor, Currency: currency, Amount: money(results[at], "amount"), Official: money(results[at], "official_website_amount")}
		if p.Amount != nil {
			list = append(list, p)
		}
	}
	return list
}

func money(v any, field string) *big.Rat {
	n := get(v, []string{field})
	if n == nil {
		return nil
	}
	r, ok := new(big.Rat).SetString(scalar(n))
	if !ok || r.Sign() < 0 || !Plausible(r) {
		return nil
	}
	return r
}

// Plausible reports whether a number has no more digits than prices and hours
// have: "1e1000000" has a million.
func Plausible(r *big.Rat) bool {
	const bits = 128
	return r.Num().BitLen() <= bits && r.Denom().BitLen() <= bits
}

// Total is the price of nodes for hours.
func (p Price) Total(nodes int, hours *big.Rat) *big.Rat {
	t := new(big.Rat).Mul(p.Amount, new(big.Rat).SetInt64(int64(nodes)))
	return t.Mul(t, hours)
}

// Money writes an amount with two digits, or with as many as it needs up to six.
func Money(r *big.Rat) string {
	for digits := 2; digits < 6; digits++ {
		s := r.FloatString(digits)
		if back, ok := new(big.Rat).SetString(s); ok && back.Cmp(r) == 0 {
			return s
		}
	}
	return r.FloatString(6)
}
